//! Damaged files give an error of one line: no panic, and no partial data.

use super::*;
use papillon::signal::{FileError, SignalKind, load, load_bytes};
use std::fs;

/// Loads bytes that must be refused, and checks the message.
fn refused(name: &str, bytes: &[u8], cause: &str) {
    let message = match load_bytes(name, bytes) {
        Ok(signal) => panic!("{name} ({} bytes) was read as {signal}", bytes.len()),
        Err(error) => error.to_string(),
    };
    assert!(!message.contains('\n') && message.len() < 500, "{message}");
    assert!(message.contains(name), "{message}");
    assert!(message.to_lowercase().contains(&cause.to_lowercase()), "{name} ({} bytes), expected “{cause}”: {message}", bytes.len());
}

/// All fixtures except the script and the arrays of reference decoders.
fn fixtures() -> Vec<String> {
    let names = fs::read_dir(data("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".py") && name.matches('.').count() == 1).collect();
    names.sort();
    assert!(names.len() > 60, "the fixtures are there: {names:?}");
    names
}

#[test]
fn truncated_files_are_errors_at_every_length() {
    // A text that is cut is a shorter table.
    for name in fixtures().into_iter().filter(|name| !name.ends_with(".csv") && !name.ends_with(".txt")) {
        let bytes = fs::read(data(&name)).unwrap();
        let lengths = [bytes.len() / 4, bytes.len() / 2, bytes.len() * 3 / 4, bytes.len() - 20, bytes.len() - 1];
        for length in lengths.into_iter().chain([1, 3, 7, 12, 30]).filter(|&n| n < bytes.len()) {
            match load_bytes(&name, &bytes[..length]) {
                // A recording is read as far as it goes, and this is said.
                Ok(signal) if is_recording(&signal) => is_beginning(&signal, &super::load(&name), length),
                // Without padding, later pages or frames, the data that are read are still complete.
                Ok(signal) => assert_eq!(samples(&signal), samples(&super::load(&name)), "{name} cut to {length} of {} bytes", bytes.len()),
                Err(error) => {
                    assert!(!error.to_string().contains('\n'), "{error}");
                    // Texts and headers are quoted unchanged.
                    if !["its header", "as CSV or text"].iter().any(|quotes| error.to_string().contains(quotes)) {
                        is_for_people(&error.to_string());
                    }
                }
            }
        }
    }
}

fn is_recording(signal: &Signal) -> bool {
    signal.kind == SignalKind::Rows && signal.rate_hz().is_some()
}

/// Checks that a recording that was cut to `length` bytes is the beginning of the whole one, and says so where samples are missing.
fn is_beginning(cut: &Signal, whole: &Signal, length: usize) {
    for (cut, whole) in cut.channels.iter().zip(&whole.channels) {
        let (found, all) = (cut.samples.to_f64(), whole.samples.to_f64());
        assert_eq!(found, all[..found.len()], "{} cut to {length} bytes", cut.name);
    }
    assert!(cut.columns == whole.columns || !cut.notes.is_empty(), "{} cut to {length} bytes says nothing", whole.name);
}

/// Checks that a message has no words of a decoder: names of types, structures, hexadecimal numbers.
fn is_for_people(message: &str) {
    for sign in ["{", "}", "::", "0x", "Error", "Some(", "None", "\\"] {
        assert!(!message.contains(sign), "“{sign}” in: {message}");
    }
}

#[test]
fn flipped_bytes_never_panic() {
    for name in fixtures() {
        let bytes = fs::read(data(&name)).unwrap();
        let step = (bytes.len() / 60).max(1);
        for at in (0..bytes.len()).step_by(step) {
            for flip in [0xff, 0x01, 0x80] {
                let mut broken = bytes.clone();
                broken[at] ^= flip;
                if let Err(error) = load_bytes(&name, &broken) {
                    assert!(!error.to_string().contains('\n'), "{error}");
                    // The header of an array is quoted unchanged.
                    if !error.to_string().contains("its header") && !error.to_string().contains("of type") {
                        is_for_people(&error.to_string());
                    }
                }
            }
        }
    }
}

#[test]
fn checksums_are_checked() {
    for (name, at, cause) in [
        ("gray16.png", 50, "damaged: the checksum of its chunk IDAT does not match"),
        ("two.npz", 150, "the array “first”"),
        ("pcm16.flac", 3000, ""),
    ] {
        let mut bytes = fs::read(data(name)).unwrap();
        bytes[at] ^= 0x10;
        refused(name, &bytes, cause);
    }
}

fn png_header(columns: u32, rows: u32) -> Vec<u8> {
    let mut bytes = fs::read(data("gray8.png")).unwrap();
    bytes[16..20].copy_from_slice(&columns.to_be_bytes());
    bytes[20..24].copy_from_slice(&rows.to_be_bytes());
    let checksum = crc32(&bytes[12..29]).to_be_bytes();
    bytes[29..33].copy_from_slice(&checksum);
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 }))
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn absurd_sizes_are_refused_before_memory_is_taken() {
    refused("huge.png", &png_header(100_000, 100_000), "100000×100000");
    refused("huge.png", &png_header(0x7fff_ffff, 0x7fff_ffff), "2147483647×2147483647");
    refused("flat.png", &png_header(0, 10), "");
    let shape = |shape: &str| npy(&format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n"), &[0; 64]);
    refused("huge.npy", &shape("(1099511627776,)"), "1099511627776");
    refused("wraps.npy", &shape("(4294967296, 4294967296)"), "4294967296×4294967296");
    refused("wraps.npy", &shape("(9223372036854775808, 2, 4)"), "9223372036854775808×2×4");
    refused("digits.npy", &shape("(99999999999999999999999,)"), "shape");
    refused("wraps.npy", &shape("(0, 9223372036854775808, 4)"), "no elements");
    refused("nested.npy", &shape(&"(".repeat(60_000)), "records");
    refused("negative.npy", &shape("(-3,)"), "shape");
    refused("none.npy", &shape("(0,)"), "no elements");
    refused("deep.npy", &shape("(2, 2, 2, 3)"), "2×2×2×3");
    refused("short.npy", &shape("(9,)"), "64 of 72 bytes");
    refused("huge.bmp", &patched("rgb8.bmp", 18, &[0xa0, 0x86, 1, 0, 0xa0, 0x86, 1, 0]), "");
    refused("huge.gif", &patched("palette.gif", 6, &[0xff; 4]), "");
    refused("huge.tiff", &patched_tiff_size(), "");
    refused("many.wav", &patched("pcm16.wav", 22, &[0xff, 0xff]), "65535 channels");
    refused("timeless.wav", &patched("pcm16.wav", 24, &[0; 4]), "sample rate");
}

#[test]
fn small_files_of_huge_images_are_refused() {
    // The header of a GIF, an image of no data, and the end.
    let mut gif = b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x4c\x01\0;".to_vec();
    refused("bomb.gif", &gif, "65535×65535 pixels cannot come from");
    gif.truncate(30);
    refused("bomb.gif", &gif, "");
    // A frame with losses: its header, and no blocks.
    let lossy = b"\x10\x02\0\x9d\x01\x2a\xff\x3f\xff\x3f\0\0\0\0\0\0";
    refused("bomb.webp", &webp(b"VP8 ", lossy), "16383×16383 pixels cannot come from");
    refused("bomb.webp", &webp(b"VP8 ", &[&lossy[..], &[0; 10_000]].concat()), "16383×16383 pixels cannot come from");
    // Run lengths of 8 bits that end at once.
    let mut bmp = fs::read(data("palette.bmp")).unwrap();
    bmp[18..26].copy_from_slice(&[0, 0x80, 0, 0, 0, 0x80, 0, 0]);
    bmp[30] = 1;
    refused("bomb.bmp", &bmp, "32768×32768 pixels cannot come from");
    let wide = "1 ".repeat(1 << 20);
    refused("wide.mtx", format!("%%MatrixMarket matrix coordinate real general\n{wide}\n").as_bytes(), "line 2 has 1048576 numbers");
    refused("names.pla", format!(".i 2\n.o 1\n.ilb {wide}\n.e\n").as_bytes(), "names, and 2 are needed");
    refused("cube.pla", format!(".i 2\n.o 1\n{wide}\n.e\n").as_bytes(), "1048576 digits");
    refused("bomb.mtx", b"%%MatrixMarket matrix coordinate real general\n90000000 90000000 1\n1 1 1\n", "000 numbers in");
    // One long line takes the memory of its numbers, and no more than a multiple of its bytes.
    let line = "7,".repeat(1 << 20) + "7";
    assert_eq!(load_bytes("line.csv", line.as_bytes()).unwrap().len(), (1 << 20) + 1);
}

fn webp(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = |n: usize| (n as u32).to_le_bytes();
    [&b"RIFF"[..], &length(12 + data.len()), b"WEBP", name, &length(data.len()), data].concat()
}

#[test]
fn an_image_of_one_colour_is_read_however_small_its_file_is() {
    // Behind two sides of 14 bits are ten zeros, and five times the code of one symbol, so that the pixels take no bits.
    const SIDE: u64 = 4200;
    let bits = (0..5).fold((SIDE - 1) | ((SIDE - 1) << 14), |bits, code| bits | 1 << (35 + 4 * code));
    let data = [&[0x2f], &bits.to_le_bytes()[..7]].concat();
    let image = load_bytes("plain.webp", &webp(b"VP8L", &data)).unwrap();
    assert_eq!((image.rows, image.columns), (4200, 4200));
    refused("cut.webp", &webp(b"VP8L", &data[..5]), "");
    // A canvas of 16384 × 16384 around it.
    let inside = webp(b"VP8L", &data).split_off(12);
    let mut canvas = webp(b"VP8X", &[0, 0, 0, 0, 0xff, 0x3f, 0, 0xff, 0x3f, 0]);
    canvas.extend(inside);
    refused("canvas.webp", &canvas, "16384×16384 pixels cannot come from");
}

#[test]
fn integers_of_12_bits_stand_in_the_upper_bits_of_two_bytes() {
    let mut bytes = patched("pcm16.wav", 34, &[12, 0]);
    bytes[44..46].copy_from_slice(&(-0x7ff0_i16).to_le_bytes());
    let signal = load_bytes("twelve.wav", &bytes).unwrap();
    assert_eq!(signal.channels[0].samples.to_f32()[0], -2047.0 / 2048.0);
    assert!(signal.to_string().contains("12-bit"), "{signal}");
}

#[test]
fn names_of_columns_are_no_signal() {
    // None of them is kept, and the message shows a few.
    refused("commas.csv", ",".repeat(1 << 20).as_bytes(), "no numbers");
    refused("names.csv", "a,b ".repeat(1 << 20).as_bytes(), "only “a b a");
    let wide = |first: &str, n: usize| format!("{first}{}\n0{}\n1{}\n", ",b".repeat(n), ",1".repeat(n), ",2".repeat(n));
    assert_eq!(load_bytes("wide.csv", wide("x", 100_000).as_bytes()).unwrap().columns, 100_001);
    assert_eq!(load_bytes("timed.csv", wide("time", 100).as_bytes()).unwrap().channels.len(), 100);
    refused("timed.csv", wide("time", 100_000).as_bytes(), "100000 columns beside the times");
    let long = format!("\"{}\"\n1\n2\n", "name of a column ".repeat(100_000));
    assert!(load_bytes("long.csv", long.as_bytes()).unwrap().channels[0].name.len() < 210);
}

#[test]
fn a_directory_that_claims_too_many_values_is_refused_before_the_decoder_sees_it() {
    let mut bytes = fs::read(data("rgb16.tiff")).unwrap();
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    bytes[directory + 4..directory + 10].copy_from_slice(&[2, 0, 0xff, 0xff, 0xff, 0x7f]);
    refused("text.tiff", &bytes, "the values of its tag 256 (ImageWidth) stand behind its end");
}

#[test]
fn a_recording_whose_header_contradicts_itself_is_refused() {
    refused("block.wav", &patched("pcm16.wav", 32, &[3, 0]), "contradicts itself");
    let signal = load_bytes("rate.wav", &patched("pcm16.wav", 28, &[1, 2, 3, 0])).unwrap();
    assert!(signal.notes.iter().any(|note| note.text.contains("197121 bytes a second")), "{:?}", signal.notes);
}

#[test]
fn chunks_of_odd_length_before_the_samples_are_skipped() {
    let bytes = fs::read(data("pcm16.wav")).unwrap();
    let whole = super::load("pcm16.wav");
    for padded in [&b"LIST\x03\0\0\0abc\0"[..], b"LIST\x03\0\0\0abc", b"odd \x01\0\0\0x\0even\x02\0\0\0xy"] {
        let with = [&bytes[..12], padded, &bytes[12..36], padded, &bytes[36..]].concat();
        assert_eq!(samples(&load_bytes("odd.wav", &with).unwrap()), samples(&whole));
    }
}

#[test]
fn integers_that_are_rounded_are_said() {
    let notes = |text: &str| load_bytes("t.csv", text.as_bytes()).unwrap().notes.len();
    assert_eq!(load_bytes("t.csv", b"9007199254740993\n1\n").unwrap().channels[0].samples, Samples::I64(vec![9_007_199_254_740_993, 1]));
    let cases = [
        "9007199254740993\n1\n",
        "9007199254740993\n1.5\n",
        "1.5\n9007199254740993\n",
        "99999999999999999999\n",
        "re,im\n9007199254740993,1\n",
        "1.5\n9007199254740992\n",
    ];
    assert_eq!(cases.map(notes), [0, 1, 1, 1, 1, 0]);
}

/// A fixture with other bytes at an offset.
fn patched(name: &str, at: usize, with: &[u8]) -> Vec<u8> {
    let mut bytes = fs::read(data(name)).unwrap();
    bytes[at..at + with.len()].copy_from_slice(with);
    bytes
}

/// Columns and rows of 100,000 in the directory of a little-endian TIFF.
fn patched_tiff_size() -> Vec<u8> {
    let mut bytes = fs::read(data("rgb16.tiff")).unwrap();
    let directory = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let n_entries = usize::from(u16::from_le_bytes(bytes[directory..directory + 2].try_into().unwrap()));
    for entry in (0..n_entries).map(|k| directory + 2 + 12 * k) {
        if matches!(u16::from_le_bytes(bytes[entry..entry + 2].try_into().unwrap()), 256 | 257) {
            bytes[entry + 2..entry + 4].copy_from_slice(&4_u16.to_le_bytes());
            bytes[entry + 8..entry + 12].copy_from_slice(&100_000_u32.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn arrays_of_other_things_are_refused() {
    let typed = |descr: &str| npy(&format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (2,), }}\n"), &[0; 64]);
    refused("object.npy", &typed("'|O'"), "“|O”");
    refused("text.npy", &typed("'<U5'"), "<U5");
    refused("long.npy", &typed("'<f16'"), "f16");
    refused("record.npy", &typed("[('a', [('x', '<f8')]), ('b', '<f8')]"), "records");
    refused("header.npy", &npy("{'descr': '<f8', ", &[0; 64]), "header");
    refused("no-array.npz", &fs::read(data("no-array.npz")).unwrap(), "without arrays of NumPy");
    refused("version.npy", &patched("float64.npy", 6, &[9]), "version 9");
}

#[test]
fn tables_that_are_none_say_the_line() {
    let cases = [
        ("1,2,3\n4,5\n", "line 2 has 2 values where the lines before have 3"),
        ("1\n2\n\nthree\n", "line 4, column 1: “three” is not a number"),
        ("a,b\n1,x\n", "line 2, column 2: “x” is not a number"),
        ("1\r\n2\r\n\r\n# \"\r\nthree", "line 5, column 1"),
        ("1,,3\n", "line 1 has no value in column 2"),
        ("1,\"2,3\n4,5,6\n", "line 1 has a quotation mark that is not closed"),
        ("a,\"b\n1,2\n", "line 1 has a quotation mark that is not closed"),
        ("1,2\"\n", "line 1, column 2: “2\"” is not a number"),
        ("1\n\"2\"3\n", "line 2, column 1: “\"2\"3” is not a number"),
        ("real,imaginary\n", "no numbers"),
        ("real,imaginary\n1,2,3\n", "names 2 columns"),
        ("Dear reader,\nthis is no table.\n", "line 2"),
        ("\n\n# nothing\n", "no numbers"),
        ("1\n2\n\u{1}", "it starts with"),
    ];
    for (text, cause) in cases {
        refused("table.csv", text.as_bytes(), cause);
    }
    refused("latin.csv", b"1\n2\n3\n\xe9\n", "");
}

#[test]
fn other_files_are_named_for_what_they_are() {
    let cases: [(&str, &[u8], &str); 7] = [
        ("empty.png", b"", "empty"),
        ("paper.png", b"%PDF-1.7 ...", "PDF"),
        ("photo.jpg", b"\0\0\0\x18ftypheic", "HEIC"),
        ("table.csv", b"\x1f\x8b\x08\0", "as gzip: the file is truncated"),
        ("page.png", b"<!DOCTYPE html><html>", "HTML"),
        ("noise.png", &[0, 1, 2, 3, 250, 251, 252], "00 01 02 03"),
        ("start.png", b"\x89PNG", "truncated"),
    ];
    for (name, bytes, cause) in cases {
        refused(name, bytes, cause);
    }
}

#[test]
fn paths_that_lead_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let missing = load(folder.path().join("none.png")).unwrap_err();
    assert!(matches!(missing, FileError::Io { .. }) && missing.to_string().contains("no such file"), "{missing}");
    let is_folder = load(folder.path()).unwrap_err().to_string();
    assert!(is_folder.contains("folder"), "{is_folder}");
    fs::write(folder.path().join("empty.wav"), "").unwrap();
    let empty = load(folder.path().join("empty.wav")).unwrap_err().to_string();
    assert!(empty.contains("empty.wav is empty"), "{empty}");
}
