//! FITS files, written here card by card.

use super::{read, read_as, refusal, says, values};
use papillon::signal::{AxisUnit, ReadOptions, Samples, SignalKind};
use std::num::NonZeroUsize;

/// A unit of FITS.
fn unit(cards: &[&str], data: &[u8]) -> Vec<u8> {
    let mut bytes: Vec<u8> = cards.iter().chain(&["END"]).flat_map(|card| format!("{card:<80}").into_bytes()).collect();
    bytes.resize(bytes.len().next_multiple_of(2880), b' ');
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(2880), 0);
    bytes
}

/// A FITS file of one image.
fn fits(bits: i32, sizes: &[usize], more: &[&str], data: &[u8]) -> Vec<u8> {
    let mut cards = vec![
        "SIMPLE  =                    T / standard".to_owned(),
        format!("BITPIX  = {bits:>20}"),
        format!("NAXIS   = {:>20}", sizes.len()),
    ];
    cards.extend(sizes.iter().enumerate().map(|(axis, size)| format!("NAXIS{}  = {size:>20} / size", axis + 1)));
    cards.extend(more.iter().map(|card| (*card).to_owned()));
    unit(&cards.iter().map(String::as_str).collect::<Vec<_>>(), data)
}

#[test]
fn fits_images_of_every_type_stand_upright() {
    let of = |numbers: &[f64], width: usize, number: &dyn Fn(f64) -> Vec<u8>| {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| number(*x)).collect();
        assert_eq!(bytes.len(), width * numbers.len());
        bytes
    };
    let stored = [3.0, 4.0, 5.0, 0.0, 1.0, 2.0];
    let cases: [(i32, Vec<u8>); 6] = [
        (8, of(&stored, 1, &|x| vec![x as u8])),
        (16, of(&stored, 2, &|x| (x as i16).to_be_bytes().to_vec())),
        (32, of(&stored, 4, &|x| (x as i32).to_be_bytes().to_vec())),
        (64, of(&stored, 8, &|x| (x as i64).to_be_bytes().to_vec())),
        (-32, of(&stored, 4, &|x| (x as f32).to_be_bytes().to_vec())),
        (-64, of(&stored, 8, &|x| x.to_be_bytes().to_vec())),
    ];
    for (bits, data) in cases {
        let signal = read("image.fits", &fits(bits, &[3, 2], &[], &data));
        assert_eq!((signal.rows, signal.columns), (2, 3), "{bits}");
        assert_eq!(values(&signal), [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]], "{bits}");
        assert!(says(&signal, "top to bottom"));
    }
}

#[test]
fn fits_headers_give_values_units_and_sizes() {
    let words = |numbers: &[i16]| numbers.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<u8>>();
    let unsigned = read(
        "u16.fits",
        &fits(16, &[2, 2], &["BZERO   =                32768", "BSCALE  =                  1.0"], &words(&[-32768, 0, 1, 32767])),
    );
    assert_eq!(unsigned.channels[0].samples, Samples::U16(vec![32769, 65535, 0, 32768]));
    let scaled = [
        "BSCALE  =                0.5D0",
        "BZERO   =                 10.0",
        "BLANK   =                 -999",
        "BUNIT   = 'Jy/beam '           / Flux",
    ];
    let scaled = read("scaled.fits", &fits(16, &[2, 2], &scaled, &words(&[4, -999, 0, 2])));
    let found = values(&scaled).concat();
    assert_eq!((found[0], found[1], found[2], found[3].is_nan()), (10.0, 11.0, 12.0, true));
    assert_eq!(scaled.channels[0].unit.as_deref(), Some("Jy/beam"));
    let sky = ["CTYPE1  = 'RA---TAN'", "CDELT1  =              -0.0002", "CDELT2  =               0.0002"];
    let by_matrix = [
        "CUNIT1  = 'arcsec  '",
        "CD1_1   =                  3.0",
        "CD2_1   =                  4.0",
        "CD1_2   =                 -4.0",
        "CD2_2   =                  3.0",
    ];
    for (cards, size) in [(&sky[..], "0.0002 °"), (&by_matrix, "5 arcsec"), (&["CDELT1  =                  1.0"], "none")] {
        let signal = read("sky.fits", &fits(16, &[2, 2], cards, &words(&[1, 2, 3, 4])));
        assert_eq!(signal.pixel_size.map_or("none".to_owned(), |size| size.to_string()), size, "{cards:?}");
    }
    let spectrum = [
        "CRVAL1  =               4000.0",
        "CDELT1  =                  2.5",
        "CRPIX1  =                  1.0",
        "CTYPE1  = 'wavelength'",
        "CUNIT1  = 'Angstrom'",
    ];
    let spectrum = read("spectrum.fits", &fits(16, &[4], &spectrum[..4], &words(&[1, 2, 3, 4])));
    let axis = spectrum.axis.as_ref().expect("it has an axis");
    assert_eq!((spectrum.kind, spectrum.columns), (SignalKind::Rows, 4));
    assert_eq!((axis.start, axis.per_unit, axis.unit, &axis.name[..]), (4000.0, Some(0.4), AxisUnit::Index, "wavelength"));
}

#[test]
fn the_first_image_of_a_fits_file_is_found_behind_other_units() {
    let primary = unit(&["SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0"], &[]);
    let size = |n: usize| format!("NAXIS1  = {n:>20}");
    let table = |more: &str| {
        let cards = [
            "XTENSION= 'BINTABLE'",
            "BITPIX  =                    8",
            "NAXIS   =                    2",
            &size(4),
            "NAXIS2  =                  800",
            "PCOUNT  =                   10",
            "GCOUNT  =                    1",
            more,
        ];
        unit(&cards, &[7; 3210])
    };
    let image = unit(
        &[
            "XTENSION= 'IMAGE   '",
            "BITPIX  =                    8",
            "NAXIS   =                    3",
            &size(2),
            "NAXIS2  =                    2",
            "NAXIS3  =                    5",
        ],
        &[1, 2, 3, 4, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    );
    let found = read("extension.fits", &[&primary[..], &table(""), &image].concat());
    assert_eq!(values(&found), [[3.0, 4.0, 1.0, 2.0]]);
    assert!(says(&found, "slice 1 of 5"), "{:?}", found.notes);
    let later = ReadOptions { page: NonZeroUsize::new(2), as_stored: true, ..ReadOptions::default() };
    let later = read_as("extension.fits", &[&primary[..], &table(""), &image].concat(), later).expect("there are five");
    assert_eq!(values(&later), [[9.0; 4]]);
    for (bytes, words) in [
        ([&primary[..], &table("")].concat(), "holds no image, but 1 table"),
        ([&primary[..], &table("ZCMPTYPE= 'RICE_1  '")].concat(), "compressed (RICE_1); unpack it by funpack"),
        (primary.clone(), "no image"),
        (fits(8, &[100, 100], &[], &[1; 50])[..2885].to_vec(), "bytes of the image are there"),
        (fits(7, &[2, 2], &[], &[1; 4]), "“7” as BITPIX"),
        (b"SIMPLE  =                    T".to_vec(), "header has no end"),
        (fits(16, &[4_000_000_000, 4_000_000_000], &[], &[1; 50]), "4000000000×4000000000 pixels"),
    ] {
        let refused = refusal("x.fits", &bytes);
        assert!(refused.contains(words), "{refused}");
    }
}
