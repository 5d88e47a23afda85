//! Netpbm images and float maps, written here byte by byte.

use super::{read, refusal, says, values};
use papillon::signal::{Samples, SignalKind};

#[test]
fn netpbm_images_are_read_in_all_their_kinds() {
    let ramp = vec![vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]];
    let bits = vec![vec![255.0, 0.0, 255.0, 0.0, 0.0, 255.0]];
    let words = vec![vec![0.0, 1.0, 256.0, 4095.0, 2.0, 3.0]];
    let colours = vec![vec![1.0, 4.0], vec![2.0, 5.0], vec![3.0, 6.0]];
    let cases: [(&str, Vec<u8>, &Vec<Vec<f64>>); 14] = [
        ("plain.pbm", b"P1\n# two rows\n3 2\n010\n110\n".to_vec(), &bits),
        ("spaced.pbm", b"P1 3 2 0 1 0 1 1 0".to_vec(), &bits),
        ("packed.pbm", b"P4\n3 2\n\x40\xc0".to_vec(), &bits),
        ("plain.pgm", b"P2\n3 2\n255\n0 1 2\n# a comment\n3 4 5\n".to_vec(), &ramp),
        ("raw.pgm", b"P5\n#made by hand\n3 2 # here, too\n255\n\0\x01\x02\x03\x04\x05".to_vec(), &ramp),
        ("twelve.pgm", b"P5 3 2 4095\n\0\0\0\x01\x01\0\x0f\xff\0\x02\0\x03".to_vec(), &words),
        ("plain12.pgm", b"P2 3 2 4095\n0 1 256 4095 2 3".to_vec(), &words),
        ("plain.ppm", b"P3\n2 1\n255\n1 2 3 4 5 6\n".to_vec(), &colours),
        ("raw.ppm", b"P6\n2 1\n255\n\x01\x02\x03\x04\x05\x06".to_vec(), &colours),
        ("wide.ppm", b"P6\n2 1\n65535\n\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06".to_vec(), &colours),
        ("gray.pam", b"P7\nWIDTH 3\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n\0\x01\x02\x03\x04\x05".to_vec(), &ramp),
        ("rgb.pam", b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n\x01\x02\x03\x04\x05\x06".to_vec(), &colours),
        (
            "alpha.pam",
            b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\x01\x02\x03\xff\x04\x05\x06\xff".to_vec(),
            &colours,
        ),
        (
            "bands.pam",
            b"P7\n# bands\nWIDTH 2\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE INFRARED\nENDHDR\n\x01\x02\x03\x04\x05\x06".to_vec(),
            &colours,
        ),
    ];
    for (name, bytes, expected) in &cases {
        let signal = read(name, bytes);
        assert_eq!(&values(&signal), *expected, "{name}");
        assert_eq!(signal.kind, SignalKind::Image, "{name}");
    }
    assert!(matches!(read("a.pgm", &cases[4].1).channels[0].samples, Samples::U8(_)));
    assert!(matches!(read("a.pgm", &cases[5].1).channels[0].samples, Samples::U16(_)));
    assert!(says(&read("a.pgm", &cases[5].1), "from 0 to 4095"));
    assert!(says(&read("a.pgm", &[&cases[4].1[..], &cases[4].1].concat()), "more than its first image"));
    assert_eq!(read("a.pam", &cases[13].1).channels[2].name, "band 3");
}

#[test]
fn float_maps_stand_upright_in_either_byte_order() {
    let rows = [[1.0_f32, 2.0], [-3.5, 4.0]];
    let numbers = |order: fn(f32) -> [u8; 4]| rows.iter().rev().flatten().flat_map(|x| order(*x)).collect::<Vec<u8>>();
    let little = [&b"Pf\n2 2\n-1.0\n"[..], &numbers(f32::to_le_bytes)].concat();
    let big = [&b"Pf\r\n2 2\r\n1\r\n"[..], &numbers(f32::to_be_bytes)].concat();
    for bytes in [&little, &big] {
        let signal = read("map.pfm", bytes);
        assert_eq!(signal.channels[0].samples, Samples::F32(vec![1.0, 2.0, -3.5, 4.0]));
    }
    let colour: Vec<u8> = (0..12).flat_map(|x| (x as f32).to_le_bytes()).collect();
    let signal = read("colour.pfm", &[&b"PF\n2 2\n-2.5\n"[..], &colour].concat());
    assert_eq!(values(&signal)[1], [7.0, 10.0, 1.0, 4.0]);
    assert!(says(&signal, "scale 2.5"), "{:?}", signal.notes);
}

#[test]
fn tables_whose_first_name_is_a_mark_are_no_images() {
    for text in ["P2\tP3\n5\t1\n7\t2\n", "P5\nx\n", "P7,x\n1,2\n"] {
        let refused = refusal("table.csv", text.as_bytes());
        assert!(refused.contains("as CSV or text"), "{refused}");
    }
    let table = read("table.csv", b"Pf\tx\n3\t4\n4\t1\n5\t0\n");
    assert_eq!((table.kind, table.columns), (SignalKind::Rows, 3));
}

#[test]
fn netpbm_images_that_are_not_read_say_why() {
    for (text, words) in [
        (&b"P5 3 2 255\n\0\x01"[..], "2 of 6 bytes"),
        (b"P2 3 2 255\n1 2 3", "3 of 6 values"),
        (b"P2 3 2 7\n1 2 3 4 5 8\n", "its value 6 is “8”"),
        (b"P1 3 2\n0 1 2 1 1 1\n", "its value 3 is “2”"),
        (b"P5 3 2 70000\n\0\x01", "largest value is 70000"),
        (b"P6 90000 90000 255\n\0\x01", "90000×90000 pixels"),
        (b"P7\nWIDTH 3\nHEIGHT 2\nMAXVAL 255\nENDHDR\n123456", "no depth"),
        (b"P7\nWIDTH 3\nHEIGHT 2\n", "its header has no end"),
        (b"PF\n2 2\nnan\n", "scale"),
    ] {
        let refused = refusal("x.pgm", text);
        assert!(refused.contains(words), "{refused}");
    }
}
