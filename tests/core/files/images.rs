//! Images as cameras, microscopes and detectors write them: turned, packed, in pages and slices, with their pixel sizes.

use super::*;
use papillon::signal::{ChannelChoice, PageKind, Pages, ReadOptions, Reading, SignalKind, load_as, load_bytes, load_bytes_as};
use std::fs;
use std::num::NonZeroUsize;

fn of_page(page: usize) -> Reading {
    Reading { options: ReadOptions { page: NonZeroUsize::new(page), ..Default::default() }, ..Default::default() }
}

fn says(signal: &Signal, words: &str) {
    assert!(signal.notes.iter().any(|note| note.text.contains(words)), "{} says nothing of “{words}”: {:?}", signal.name, signal.notes);
}

#[test]
fn files_of_instruments_are_read() {
    let packed = load("t01-12bit-16.tif");
    assert_eq!((packed.rows, packed.columns), (12, 16));
    let [low, high] = packed.min_max(ChannelChoice::Luma).unwrap().map(|(low, high)| [low, high]).unwrap();
    assert!(low >= 0.0 && high > 255.0 && high <= 4095.0, "{low} to {high}");
    for name in ["t01-12bit-16-be.tif", "t01-12bit-16-deflate.tif"] {
        assert_eq!(load(name).channels, packed.channels, "{name}");
    }
    let narrower = load("t01-12bit-15.tif");
    let (Samples::U16(narrow), Samples::U16(wide)) = (&narrower.channels[0].samples, &packed.channels[0].samples) else {
        panic!("12 bits are kept in 16");
    };
    assert!(narrow.iter().all(|value| *value < 4096) && wide.len() == 192);
    let turned = ["t03-orientation3.tif", "t03-orientation4.tif", "t03-orientation6.tif"].map(load);
    turned.iter().for_each(|signal| says(signal, "as the file asks for"));
    assert_eq!([&turned[0], &turned[1], &turned[2]].map(|signal| (signal.rows, signal.columns)), [(9, 14), (9, 14), (14, 9)]);
    let rgb = load("t05-tiles-separate.tif");
    assert_eq!((rgb.rows, rgb.columns, names(&rgb)), (40, 50, vec!["red", "green", "blue"]));
    let infrared = load("t07-rgb-nir.tif");
    assert_eq!(names(&infrared), ["red", "green", "blue", "4"]);
    assert_eq!(infrared.choice("4").unwrap(), ChannelChoice::Channel(3));
    let sized = load("t09-unit-latin1.tif");
    assert_eq!(sized.pixel_size.map(|size| size.unit.frequency()), Some("cycles per µm"));
    says(&load("t12-no-photometric.tif"), "0 is taken as black");
    assert_eq!(load("t04-fill2-1bit.tif").columns, 21);
    let (turned, stored) = (load("turned.jpg"), load("gray.jpg"));
    assert_eq!((turned.rows, turned.columns), (stored.columns, stored.rows));
    assert_eq!(turned.pixel_size.map(|size| size.to_string()).as_deref(), Some("0.1 mm"));
}

#[test]
fn slices_pages_and_frames_are_read_by_their_numbers() {
    let slices: Vec<Signal> = (1..=5).map(|page| load_as(data("t08-imagej-stack.tif"), &of_page(page)).unwrap()).collect();
    assert!(slices.windows(2).all(|pair| pair[0].channels != pair[1].channels), "slices differ");
    assert_eq!(slices[2].pages, Some(Pages { shown: 3, total: 5, kind: PageKind::Slice }));
    says(&slices[0], "first of several slices");
    says(&load("pages.tiff"), "first of several pages");
    let second = load_as(data("pages.tiff"), &of_page(2)).unwrap();
    assert_eq!(samples(&second), [&Samples::U8(bytes(0).iter().map(|value| value.wrapping_add(1)).collect())]);
    says(&load("animated.gif"), "first frame");
    let [first, second] = [1, 2].map(|page| load_as(data("animated.gif"), &of_page(page)).unwrap());
    assert_eq!((second.rows, second.columns, second.pages.unwrap().total), (ROWS, COLUMNS, 2));
    assert_ne!(first.channels, second.channels);
    let [first, second] = [1, 2].map(|page| load_as(data("animated.png"), &of_page(page)).unwrap());
    let frame = |value: u8| Samples::U8((0..20).map(|at| value + 10 * (at / 5) + at % 5).collect());
    assert_eq!((samples(&first), samples(&second)), (vec![&frame(0)], vec![&frame(100)]));
    for page in [1, 2] {
        let frame = load_as(data("animated.webp"), &of_page(page)).unwrap();
        assert_eq!(frame.pages, Some(Pages { shown: page, total: 2, kind: PageKind::Frame }));
        assert_eq!(frame.channels, load("rgb8.webp").channels, "both frames have the colours of the same formula");
    }
    for name in ["t08-imagej-stack.tif", "pages.tiff", "animated.gif", "gray8.png", "pcm16.wav", "yearly.csv"] {
        let refused = load_as(data(name), &of_page(9)).unwrap_err().to_string();
        assert!(refused.contains("and 9 is asked for") && refused.lines().count() == 1, "{refused}");
    }
}

#[test]
fn arrays_of_more_dimensions_have_slices() {
    /// An array of bytes whose element is its index where the last axis runs fastest.
    fn array(shape: &[usize], is_fortran: bool) -> Vec<u8> {
        let n: usize = shape.iter().product();
        let of_c = |index: usize| {
            // The index of an element in the order of Fortran, as the index in that of C.
            let (mut rest, mut value, mut stride) = (index, 0, n);
            for size in shape {
                stride /= size;
                (value, rest) = (value + rest % size * stride, rest / size);
            }
            value as u8
        };
        let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
        let order = if is_fortran { "True" } else { "False" };
        let header = format!("{{'descr': '|u1', 'fortran_order': {order}, 'shape': ({}), }}\n", shape.join(", "));
        let mut bytes = [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
        bytes.extend((0..n).map(|index| if is_fortran { of_c(index) } else { index as u8 }));
        bytes
    }
    for is_fortran in [false, true] {
        let read = |shape: &[usize], page: usize| load_bytes_as("a.npy", &array(shape, is_fortran), &of_page(page));
        for page in 1..=4 {
            let slice = read(&[4, 2, 5], page).unwrap();
            assert_eq!((slice.kind, slice.rows, slice.columns), (SignalKind::Image, 2, 5));
            assert_eq!(samples(&slice), [&Samples::U8((0..10).map(|at| (10 * (page - 1) + at) as u8).collect())], "{is_fortran} {page}");
            assert_eq!(slice.pages, Some(Pages { shown: page, total: 4, kind: PageKind::Slice }));
        }
        let deep = read(&[2, 3, 2, 2], 6).unwrap();
        assert_eq!(samples(&deep), [&Samples::U8(vec![20, 21, 22, 23])], "{is_fortran}");
        let colour = read(&[2, 2, 2, 3], 2).unwrap();
        assert_eq!(samples(&colour)[1], &Samples::U8(vec![13, 16, 19, 22]), "{is_fortran}");
        assert_eq!(read(&[2, 5, 3], 1).unwrap().pages, None, "three planes are colours");
        assert!(read(&[4, 2, 5], 5).is_err());
    }
}

#[test]
fn a_long_narrow_array_is_a_table_where_a_person_prefers_tables() {
    let values: Vec<String> =
        (0..800).map(|row| (0..10).map(|column| format!("{}", (row * row + column) % 97)).collect::<Vec<_>>().join(",")).collect();
    let text = values.join("\n");
    let prefers = Reading { options: ReadOptions { prefers_tables: true, ..Default::default() }, ..Default::default() };
    let table = load_bytes_as("t.csv", text.as_bytes(), &prefers).unwrap();
    assert_eq!((table.kind, table.rows, table.columns, table.channels.len()), (SignalKind::Rows, 1, 800, 10));
    says(&table, "each is a channel");
    assert_eq!(load_bytes("t.csv", text.as_bytes()).unwrap().rows, 800, "rows are signals for scripts");
    let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (800, 10), }\n";
    let mut bytes = [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    bytes.extend((0..8000_i16).flat_map(|index| (index % 97).to_le_bytes()));
    let table = load_bytes_as("t.npy", &bytes, &prefers).unwrap();
    assert_eq!((table.kind, table.rows, table.columns, table.channels.len()), (SignalKind::Rows, 1, 800, 10));
    assert_eq!(table.samples_f64(ChannelChoice::Channel(3)).unwrap()[..2], [3.0, 13.0]);
    assert_eq!(load_bytes("t.npy", &bytes).unwrap().kind, SignalKind::Image);
    let image = load_bytes_as("i.npy", &fs::read(data("int16.npy")).unwrap(), &prefers).unwrap();
    assert_eq!(image.kind, SignalKind::Rows);
}

/// EXIF data with an orientation and a resolution of 254 pixels in an inch.
fn exif(orientation: u8) -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x03\0".to_vec();
    exif.extend([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    exif.extend([0x1a, 1, 5, 0, 1, 0, 0, 0, 50, 0, 0, 0]);
    exif.extend([0x1b, 1, 5, 0, 1, 0, 0, 0, 50, 0, 0, 0]);
    exif.extend([0, 0, 0, 0, 254, 0, 0, 0, 1, 0, 0, 0]);
    exif
}

/// A file of `tests/data` with a chunk of metadata.
fn with_metadata(name: &str, exif: Option<&[u8]>, xmp: Option<&str>) -> Vec<u8> {
    let file = fs::read(data(name)).unwrap();
    let xmp = xmp.map(str::as_bytes);
    match name.rsplit_once('.').unwrap().1 {
        "jpg" => {
            let segment =
                |mark: &[u8], body: &[u8]| [&[0xff, 0xe1][..], &((mark.len() + body.len() + 2) as u16).to_be_bytes(), mark, body].concat();
            let exif = exif.map(|exif| segment(b"Exif\0\0", exif)).unwrap_or_default();
            let xmp = xmp.map(|xmp| segment(b"http://ns.adobe.com/xap/1.0/\0", xmp)).unwrap_or_default();
            [&file[..2], &exif, &xmp, &file[2..]].concat()
        }
        "png" => {
            let mut out = Vec::new();
            let decoder = png::Decoder::new(std::io::Cursor::new(&file));
            let mut reader = decoder.read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            let mut info = png::Info::with_size(COLUMNS as u32, ROWS as u32);
            (info.color_type, info.bit_depth) = (reader.info().color_type, reader.info().bit_depth);
            info.exif_metadata = exif.map(|exif| exif.to_vec().into());
            let mut encoder = png::Encoder::with_info(&mut out, info).unwrap();
            if let Some(xmp) = xmp {
                encoder.add_itxt_chunk("XML:com.adobe.xmp".to_owned(), String::from_utf8(xmp.to_vec()).unwrap()).unwrap();
            }
            encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
            out
        }
        _ => {
            let chunk = |name: &[u8], body: &[u8]| [name, &(body.len() as u32).to_le_bytes(), body, &vec![0; body.len() % 2]].concat();
            let flags = [if exif.is_some() { 8 } else { 0 } | if xmp.is_some() { 4 } else { 0 }, 0, 0, 0];
            let size = [(COLUMNS - 1) as u8, 0, 0, (ROWS - 1) as u8, 0, 0];
            let body = [
                chunk(b"VP8X", &[&flags[..], &size].concat()),
                file[12..].to_vec(),
                exif.map(|exif| chunk(b"EXIF", exif)).unwrap_or_default(),
                xmp.map(|xmp| chunk(b"XMP ", xmp)).unwrap_or_default(),
            ]
            .concat();
            [b"RIFF", &(body.len() as u32 + 4).to_le_bytes()[..], b"WEBP", &body].concat()
        }
    }
}

#[test]
fn an_orientation_counts_in_every_format() {
    for name in ["rgb.jpg", "gray8.png", "rgb8.webp"] {
        let plain = load(name);
        let at = |signal: &Signal, row: usize, column: usize| {
            signal.channels.iter().map(|channel| channel.samples.value(row * signal.columns + column)).collect::<Vec<_>>()
        };
        for orientation in 1..=8_u8 {
            let xmp = format!("<rdf:Description><tiff:Orientation>{orientation}</tiff:Orientation></rdf:Description>");
            let exif = exif(orientation);
            for (exif, xmp) in [(Some(&exif[..]), None), (None, Some(xmp.as_str())), (Some(&exif[..]), Some("tiff:Orientation='3'"))] {
                let bytes = with_metadata(name, exif, xmp);
                let signal = load_bytes(name, &bytes).unwrap_or_else(|error| panic!("{error}"));
                let (rows, columns) = if orientation < 5 { (plain.rows, plain.columns) } else { (plain.columns, plain.rows) };
                assert_eq!((signal.rows, signal.columns), (rows, columns), "{name}, {orientation}");
                for (row, column) in [(0, 0), (0, columns - 1), (rows - 1, 0), (rows / 3, columns / 4)] {
                    // Where the file stores the pixel that is here when the image is upright.
                    let (r, c) = match orientation {
                        1 => (row, column),
                        2 => (row, columns - 1 - column),
                        3 => (rows - 1 - row, columns - 1 - column),
                        4 => (rows - 1 - row, column),
                        5 => (column, row),
                        6 => (plain.rows - 1 - column, row),
                        7 => (plain.rows - 1 - column, plain.columns - 1 - row),
                        _ => (column, plain.columns - 1 - row),
                    };
                    assert_eq!(at(&signal, row, column), at(&plain, r, c), "{name}, {orientation}: {row}, {column}");
                }
                assert_eq!(
                    signal.notes.iter().any(|note| note.text.contains("as the file asks for")),
                    orientation > 1,
                    "{name}, {orientation}"
                );
                if exif.is_some() {
                    assert_eq!(signal.pixel_size.map(|size| size.to_string()).as_deref(), Some("0.1 mm"), "{name}");
                }
                let as_stored = Reading { options: ReadOptions { as_stored: true, ..Default::default() }, ..Default::default() };
                assert_eq!(load_bytes_as(name, &bytes, &as_stored).unwrap().channels, plain.channels, "{name}, {orientation}");
            }
        }
    }
}

#[test]
fn a_jpeg_says_the_size_of_its_pixels() {
    let file = fs::read(data("rgb.jpg")).unwrap();
    let at = file.windows(5).position(|window| window == b"JFIF\0").unwrap() + 7;
    let size = |unit: u8, x: u16, y: u16| {
        let mut bytes = file.clone();
        bytes[at] = unit;
        bytes[at + 1..at + 3].copy_from_slice(&x.to_be_bytes());
        bytes[at + 3..at + 5].copy_from_slice(&y.to_be_bytes());
        load_bytes("a.jpg", &bytes).unwrap().pixel_size.map(|size| size.to_string())
    };
    assert_eq!(size(1, 254, 508).as_deref(), Some("0.1 × 0.05 mm"));
    assert_eq!(size(2, 100, 100).as_deref(), Some("0.1 mm"));
    assert_eq!([size(0, 1, 1), size(1, 1, 1), size(1, 72, 72), size(1, 0, 0)], [None, None, None, None]);
}
