//! Files of every kind, made here byte by byte.

mod made;

use super::*;
use crate::signal::{Channel, ReadOptions};
use made::{Made, deflated, lzw, pack_bits, packed, reversed, written};
use std::num::NonZeroUsize;

fn reals(channel: &Channel) -> Vec<f64> {
    channel.samples.to_f64()
}

fn names(signal: &Signal) -> Vec<&str> {
    signal.channels.iter().map(|channel| channel.name.as_str()).collect()
}

fn says(signal: &Signal, words: &str) -> bool {
    signal.notes.iter().any(|note| note.text.contains(words))
}

#[test]
fn packed_samples_keep_their_values_in_every_compression_and_order_of_bits() {
    const COLUMNS: usize = 15;
    for bits in [9, 10, 11, 12, 13, 14, 15, 17, 20, 24, 31, 40, 63] {
        let values: Vec<u64> = (0..7 * COLUMNS as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)).collect();
        let stored = packed(&values, COLUMNS, bits);
        for (compression, chunk) in
            [(1, stored.clone()), (8, deflated(&stored)), (32946, deflated(&stored)), (5, lzw(&stored)), (32773, pack_bits(&stored))]
        {
            for is_reversed in [false, true] {
                let chunk = if is_reversed { reversed(&chunk) } else { chunk.clone() };
                let page = Made::new((7, COLUMNS as u32), bits as u32, 1, chunk)
                    .with(259, &[compression])
                    .with(266, &[1 + u32::from(is_reversed)]);
                // Whole bytes have the order of the file; here it is that of the bits.
                let signal = page.big_endian().read();
                let found: Vec<u64> = reals(&signal.channels[0]).iter().map(|value| *value as u64).collect();
                let expected: Vec<u64> = values.iter().map(|value| *value as f64 as u64).collect();
                assert_eq!(found, expected, "{bits} bits, compression {compression}, reversed {is_reversed}");
                assert!(says(&signal, "keep their values"), "{:?}", signal.notes);
            }
        }
    }
}

#[test]
fn gray_of_few_bits_is_spread_and_white_may_be_zero() {
    for bits in 1..8 {
        let largest = (1_u64 << bits) - 1;
        let values: Vec<u64> = (0..=largest).collect();
        let page = Made::new((1, values.len() as u32), bits, 1, packed(&values, values.len(), bits as usize));
        let expected: Vec<f64> = values.iter().map(|value| (255.0 * *value as f64 / largest as f64).round()).collect();
        assert_eq!(reals(&page.read().channels[0]), expected, "{bits}");
        let inverted: Vec<f64> = expected.iter().rev().copied().collect();
        assert_eq!(reals(&page.with(262, &[0]).read().channels[0]), inverted, "{bits}, white is zero");
    }
    let white_zero = |kind: u32, bits: u32, bytes: &[u8]| {
        let columns = (8 * bytes.len()) as u32 / bits;
        let signal = Made::new((1, columns), bits, 1, bytes.to_vec()).with(262, &[0]).with(339, &[kind]).read();
        (reals(&signal.channels[0]), signal.notes.len())
    };
    assert_eq!(white_zero(1, 8, &[0, 200]), (vec![255.0, 55.0], 0));
    assert_eq!(white_zero(1, 16, &[0, 0, 1, 0]), (vec![65535.0, 65534.0], 0));
    assert_eq!(white_zero(1, 32, &[1, 0, 0, 0]), (vec![f64::from(u32::MAX - 1)], 0));
    assert_eq!(white_zero(2, 8, &[0, 127, 0x80]), (vec![-1.0, -128.0, 127.0], 1));
    assert_eq!(white_zero(2, 16, &[0x2c, 1, 0, 0x80]), (vec![-301.0, 32767.0], 1));
    assert_eq!(white_zero(2, 32, &[5, 0, 0, 0]), (vec![-6.0], 1));
    assert_eq!(white_zero(3, 32, &0.25_f32.to_le_bytes()), (vec![0.75], 1));
    assert_eq!(white_zero(3, 64, &0.25_f64.to_le_bytes()), (vec![0.75], 1));
}

#[test]
fn numbers_of_every_type() {
    let read =
        |kind: u32, bits: u32, bytes: &[u8]| reals(&Made::new((1, 1), bits, 1, bytes.to_vec()).with(339, &[kind]).read().channels[0])[0];
    assert_eq!(read(2, 12, &[0xff, 0xf0]), -1.0, "packed and signed");
    assert_eq!(read(2, 64, &(-5_i64).to_le_bytes()), -5.0);
    assert_eq!(read(1, 24, &[1, 2, 3]), f64::from(0x0003_0201), "24 bits in the order of the file");
    assert_eq!(read(3, 16, &[0, 0x3c]), 1.0);
    assert_eq!([read(3, 24, &[0, 0x80, 0xbf]), read(3, 24, &[0, 0, 0x3f]), read(3, 24, &[0, 0x80, 0])], [-1.5, 1.0, 2_f64.powi(-63)]);
    let complex = |kind: u32, bits: u32, bytes: &[u8]| {
        Made::new((1, 1), bits, 1, bytes.to_vec()).with(339, &[kind]).read().channels[0].samples.value(0)
    };
    let z = Some(num_complex::Complex64::new(1.5, -2.0));
    assert_eq!(complex(6, 64, &[1.5_f32.to_le_bytes(), (-2_f32).to_le_bytes()].concat()), z);
    assert_eq!(complex(6, 128, &[1.5_f64.to_le_bytes(), (-2_f64).to_le_bytes()].concat()), z);
    assert_eq!(complex(5, 32, &[3, 0, 0xfe, 0xff]), Some(num_complex::Complex64::new(3.0, -2.0)));
}

#[test]
fn differences_are_added_up() {
    let values: Vec<u8> = (0..8 * 3 * 2_u8).map(|n| n.wrapping_mul(91)).collect();
    // Two rows of eight pixels of three samples.
    let differences: Vec<u8> =
        values.chunks(24).flat_map(|row| (0..24).map(|at| row[at].wrapping_sub(if at < 3 { 0 } else { row[at - 3] }))).collect();
    let signal = Made::new((2, 8), 8, 3, deflated(&differences)).with(262, &[2]).with(259, &[8]).with(317, &[2]).read();
    for (at, channel) in signal.channels.iter().enumerate() {
        let expected: Vec<f64> = values.iter().skip(at).step_by(3).map(|value| f64::from(*value)).collect();
        assert_eq!(reals(channel), expected);
    }
    for is_little in [true, false] {
        let number = |value: u16| if is_little { value.to_le_bytes() } else { value.to_be_bytes() };
        let wide: Vec<u16> = (0..20).map(|n: u16| n.wrapping_mul(40503)).collect();
        let differences: Vec<u8> = (0..20).flat_map(|at| number(wide[at].wrapping_sub(if at == 0 { 0 } else { wide[at - 1] }))).collect();
        let mut page = Made::new((1, 20), 16, 1, lzw(&differences)).with(259, &[5]).with(317, &[2]);
        page.is_little = is_little;
        assert_eq!(page.read().channels[0].samples, Samples::U16(wide));
    }
    let refused = Made::new((1, 2), 12, 1, deflated(&[0; 3])).with(259, &[8]).with(317, &[2]).refused();
    assert!(refused.contains("tag 317 (Predictor) is 2 for samples of 12 bits; save it without a predictor"), "{refused}");
}

#[test]
fn planes_tiles_and_strips_hold_the_same_image() {
    const ROWS: usize = 21;
    const COLUMNS: usize = 37;
    let value = |row: usize, column: usize, sample: usize| (row * 7 + column * 3 + sample * 50) as u8;
    // A tile of `height` × `width` from a corner, with these samples; what lies outside the image is 9.
    let tile = |(top, left): (usize, usize), (height, width): (usize, usize), samples: &[usize]| -> Vec<u8> {
        let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (top + row, left + column)));
        pixels
            .flat_map(|(row, column)| {
                samples.iter().map(move |sample| if row < ROWS && column < COLUMNS { value(row, column, *sample) } else { 9 })
            })
            .collect()
    };
    let page = |is_tiled: bool, is_planar: bool, compression: u32| {
        let (height, width) = if is_tiled { (16, 32) } else { (8, COLUMNS) };
        let planes: &[&[usize]] = if is_planar { &[&[0], &[1], &[2]] } else { &[&[0, 1, 2]] };
        let corners: Vec<(usize, usize)> =
            (0..ROWS).step_by(height).flat_map(|top| (0..COLUMNS).step_by(width).map(move |left| (top, left))).collect();
        let rows = |top: usize| if is_tiled { height } else { height.min(ROWS - top) };
        let chunks = planes.iter().flat_map(|samples| corners.iter().map(|corner| tile(*corner, (rows(corner.0), width), samples)));
        let mut page = Made::new((ROWS as u32, COLUMNS as u32), 8, 3, Vec::new())
            .with(262, &[2])
            .with(284, &[1 + u32::from(is_planar)])
            .with(259, &[compression]);
        page.chunks = chunks.map(|chunk| if compression == 8 { deflated(&chunk) } else { chunk }).collect();
        if is_tiled { page.without(278).with(322, &[width as u32]).with(323, &[height as u32]) } else { page.with(278, &[height as u32]) }
    };
    for (is_tiled, is_planar, compression) in [(false, false, 1), (false, true, 1), (true, false, 8), (true, true, 1), (true, true, 8)] {
        let signal = page(is_tiled, is_planar, compression).read();
        assert_eq!(names(&signal), ["red", "green", "blue"]);
        for (sample, channel) in signal.channels.iter().enumerate() {
            let expected: Vec<u8> = (0..ROWS * COLUMNS).map(|at| value(at / COLUMNS, at % COLUMNS, sample)).collect();
            assert_eq!(channel.samples, Samples::U8(expected), "tiled {is_tiled}, planar {is_planar}, compression {compression}");
        }
    }
    let mut short = page(true, true, 1);
    short.chunks.pop();
    assert!(short.refused().contains("lists 11 of 12 tiles"), "{}", short.refused());
}

#[test]
fn a_fax_packs_blank_rows_into_bits() {
    let blank = |compression| Made::new((30_000, 30_000), 1, 1, vec![0; 4]).with(262, &[0]).with(259, &[compression]);
    let ratio = |compression| {
        let bytes = blank(compression).bytes();
        let (directories, _) = File::of(&bytes).expect("it has a mark").directories();
        Page::of(&directories[0]).and_then(|page| page.most_pixels_in_a_byte())
    };
    assert_eq!([4, 1].map(ratio), [Ok(240_000), Ok(1 << 15)]);
    let refused = blank(4).refused();
    assert!(["cannot come from", "is cut", "GiB"].iter().any(|cause| refused.contains(cause)), "{refused}");
}

#[test]
fn bands_behind_the_colours_are_channels_and_transparency_is_not() {
    let page = |photometric: u32, samples: usize| Made::new((1, 2), 8, samples, (0..2 * samples as u8).collect()).with(262, &[photometric]);
    let channels = |page: Made| names(&page.read()).into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(channels(page(2, 4).with(338, &[0])), ["red", "green", "blue", "4"]);
    assert_eq!(channels(page(2, 4)), ["red", "green", "blue", "4"], "nothing says that it is transparency");
    assert_eq!(channels(page(2, 6).with(338, &[2, 0, 0])), ["red", "green", "blue", "5", "6"]);
    for alpha in [1, 2] {
        assert_eq!(channels(page(2, 4).with(338, &[alpha])), ["red", "green", "blue"]);
        assert!(says(&page(1, 2).with(338, &[alpha]).read(), "alpha"));
    }
    assert_eq!(channels(page(1, 3)), ["band 1", "band 2", "band 3"]);
    assert_eq!(reals(&page(2, 4).read().channels[3]), [3.0, 7.0]);
    let unsaid = page(1, 1).without(262).read();
    assert!(names(&unsaid) == ["gray"] && says(&unsaid, "0 is taken as black"), "{:?}", unsaid.notes);
    assert_eq!(channels(page(1, 3).without(262)), ["red", "green", "blue"]);
}

#[test]
fn pages_and_slices_are_read_by_their_numbers() {
    let page = |value: u8| Made::new((1, 2), 8, 1, vec![value, value]);
    let smaller = page(99).with(254, &[1]);
    let read = |bytes: &[u8], page: usize| {
        let options = ReadOptions { page: NonZeroUsize::new(page), ..ReadOptions::default() };
        let signal = decode(&Content::new(bytes.to_vec()), &Reading { options, ..Reading::default() })?;
        Ok::<_, Cause>((reals(&signal.channels[0])[0], signal.pages))
    };
    let pages = written(&[page(1), smaller, page(2), page(3)]);
    for number in 1..=3 {
        let shown = Some(Pages { shown: number, total: 3, kind: PageKind::Page });
        assert_eq!(read(&pages, number), Ok((number as f64, shown)));
    }
    let refused = read(&pages, 4).expect_err("there is none").to_string();
    assert!(refused.contains("it has 3 pages, and 4 is asked for"), "{refused}");
    // Slices follow each other behind a single directory, as ImageJ writes them.
    let stack = |description: &str, n: u8| {
        let mut page = Made::new((2, 2), 16, 1, (0..4 * n).flat_map(|at| [at, 1]).collect()).text(270, description.as_bytes());
        page.chunks[0].extend([7; 3]);
        page.bytes()
    };
    let slices = stack("ImageJ=1.53t\nimages=5\nslices=5\n", 5);
    for number in 1..=5 {
        let shown = Some(Pages { shown: number, total: 5, kind: PageKind::Slice });
        assert_eq!(read(&slices, number), Ok((256.0 + 4.0 * (number - 1) as f64, shown)));
    }
    assert!(read(&slices, 6).is_err());
    // The data after the image are too short for a second slice; without ImageJ's description they are not a stack.
    assert_eq!(read(&stack("images=5\n", 5), 1).map(|(_, pages)| pages), Ok(None));
    let cyclic = {
        let mut bytes = pages.clone();
        let last = bytes.len() - 4;
        let first: [u8; 4] = [bytes[4], bytes[5], bytes[6], bytes[7]];
        bytes[last..].copy_from_slice(&first);
        bytes
    };
    assert_eq!(read(&cyclic, 3).map(|(value, _)| value), Ok(3.0), "a circle of directories ends");
}

#[test]
fn an_orientation_turns_the_image_and_its_pixels() {
    // The upright image and how each orientation stores it: rows from the top and columns from the left, or not, or exchanged.
    const UPRIGHT: [[u8; 3]; 2] = [[1, 2, 3], [4, 5, 6]];
    for orientation in 1..=8_u32 {
        let stored = |row: usize, column: usize| match orientation {
            1 => UPRIGHT[row][column],
            2 => UPRIGHT[row][2 - column],
            3 => UPRIGHT[1 - row][2 - column],
            4 => UPRIGHT[1 - row][column],
            5 => UPRIGHT[column][row],
            6 => UPRIGHT[column][2 - row],
            7 => UPRIGHT[1 - column][2 - row],
            _ => UPRIGHT[1 - column][row],
        };
        let (rows, columns) = if orientation < 5 { (2, 3) } else { (3, 2) };
        let strip: Vec<u8> = (0..rows * columns).map(|at| stored(at / columns, at % columns)).collect();
        let page = Made::new((rows as u32, columns as u32), 8, 1, strip.clone())
            .with(274, &[orientation])
            .with(282, &[200, 1])
            .with(283, &[400, 1]);
        let signal = page.read();
        assert_eq!((signal.rows, signal.columns), (2, 3), "{orientation}");
        assert_eq!(signal.channels[0].samples, Samples::U8(UPRIGHT.concat()), "{orientation}");
        let size = signal.pixel_size.expect("it has a size");
        assert_eq!(size.width < size.height, orientation >= 5, "{orientation}: {size}");
        assert_eq!(signal.notes.len(), usize::from(orientation > 1), "{:?}", signal.notes);
        let as_stored = page.read_as(ReadOptions { as_stored: true, ..ReadOptions::default() }).expect("it is read");
        assert_eq!(as_stored.channels[0].samples, Samples::U8(strip), "{orientation}");
        let by_xmp = page.without(274).text(700, format!("<x tiff:Orientation='{orientation}'/>").as_bytes()).read();
        assert_eq!(by_xmp.channels, signal.channels, "{orientation} by XMP");
    }
}

#[test]
fn pixels_have_the_size_that_the_file_says_in_any_words() {
    let size = |unit: u32, dots: u32, description: &[u8]| {
        let page = Made::new((1, 1), 8, 1, vec![0]).with(296, &[unit]).with(282, &[dots, 1]).with(283, &[dots, 1]).text(270, description);
        page.read().pixel_size.map(|size| size.to_string())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(size(2, 254, b""), some("0.1 mm"));
    assert_eq!(size(3, 100, b""), some("0.1 mm"));
    assert_eq!([size(2, 72, b""), size(2, 1, b""), size(1, 8, b""), size(1, 8, b"ImageJ=1.54f\nunit=pixel\n")], [None, None, None, None]);
    for unit in ["µm", "μm", "um", "micron", "microns", "\\u00B5m", "micrometer"] {
        assert_eq!(size(1, 8, format!("ImageJ=1.54f\nunit={unit}\n").as_bytes()), some("0.125 µm"), "{unit}");
    }
    assert_eq!(size(1, 8, b"ImageJ=1.54f\nunit=\xb5m\n"), some("0.125 µm"), "Latin-1");
    for unit in ["Å", "\u{212b}", "A", "angstrom", "Angstrom", "\\u00C5"] {
        assert_eq!(size(1, 8, format!("ImageJ=1.54f\nunit={unit}\n").as_bytes()), some("0.125 Å"), "{unit}");
    }
    assert_eq!(size(1, 8, b"ImageJ=1.54f\nunit=\xc5\n"), some("0.125 Å"), "Latin-1");
    let ome = |attributes: &str| {
        size(2, 300, format!("<?xml version=\"1.0\"?><OME><Image><Pixels ID=\"a\" {attributes}/></Image></OME>").as_bytes())
    };
    assert_eq!(ome("PhysicalSizeX=\"0.25\" PhysicalSizeY=\"0.5\""), some("0.25 × 0.5 µm"));
    assert_eq!(ome("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"2\" PhysicalSizeYUnit=\"nm\""), some("2 nm"));
    assert_eq!(ome("PhysicalSizeX=\"2\" PhysicalSizeXUnit=\"&#181;m\" PhysicalSizeY=\"2\" PhysicalSizeYUnit=\"&#xB5;m\""), some("2 µm"));
    assert_eq!(ome("SizeX=\"1\""), some("0.0846667 mm"), "without sizes the resolution counts");
}

#[test]
fn codes_for_missing_pixels_become_missing() {
    let page = Made::new((1, 4), 16, 1, [-9999_i16, 5, -9999, 7].into_iter().flat_map(i16::to_le_bytes).collect()).with(339, &[2]);
    let signal = page.clone().text(42113, b"-9999\0").read();
    assert!(matches!(&signal.channels[0].samples, Samples::F32(v) if v[0].is_nan() && v[1] == 5.0 && v[2].is_nan() && v[3] == 7.0));
    assert!(says(&signal, "2 pixels have no data: the file says that −9999"), "{:?}", signal.notes);
    assert_eq!(page.text(42113, b"0\0").read().channels[0].samples, Samples::I32(vec![-9999, 5, -9999, 7]), "none is missing");
    let lowest = Made::new((1, 2), 32, 1, [f32::MIN, 1.0].into_iter().flat_map(f32::to_le_bytes).collect()).with(339, &[3]);
    assert!(reals(&lowest.text(42113, b"-3.4028234663852886e+38 \0").read().channels[0])[0].is_nan());
}

#[test]
fn refusals_name_the_tag() {
    let page = || Made::new((4, 4), 8, 1, vec![0; 16]);
    for (page, words) in [
        (page().with(259, &[50000]), "tag 259 (Compression) is 50000 (Zstandard), which is not read; save it with Deflate"),
        (page().with(259, &[33003]), "JPEG 2000"),
        (page().with(262, &[8]), "tag 262 (PhotometricInterpretation) is 8 (CIE L*a*b*)"),
        (page().with(258, &[65]), "tag 258 (BitsPerSample) is 65"),
        (page().with(339, &[9]), "tag 339 (SampleFormat) is 9"),
        (page().without(256), "no tag 256 (ImageWidth)"),
        (page().with(257, &[5]).with(278, &[5]), "strip 1 of 1 holds 16 bytes of 20 bytes"),
        (page().with(277, &[3]).with(258, &[5, 6, 5]).with(262, &[2]), "different bits (5, 6, 5)"),
        (page().with(259, &[8]), "the Deflate data of strip 1 of 1 are damaged"),
        (page().with(259, &[5]), "strip 1 of 1 holds"),
        (page().with(262, &[6]).with(277, &[3]).with(258, &[8, 8, 8]), "tag 530 (YCbCrSubSampling)"),
    ] {
        let refused = page.refused();
        assert!(refused.contains(words), "expected “{words}”: {refused}");
    }
}
