//! The files of the jobs.

use crate::cli::{done, pixels, read, write, write_png};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The files of the jobs with their contents, made once for all tests.
pub(super) static FILES: LazyLock<Vec<(&'static str, Vec<u8>)>> = LazyLock::new(files);

/// The files of the jobs.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "gray.png", 16, 16, &pixels(256));
    write_png(&folder, "rgb.png", 16, 16, &pixels(768));
    // Two waves of different height, the weaker one in a channel of its own.
    let wave = |i: usize, period: f64| 60.0 * (std::f64::consts::TAU * (i % 32 + i / 32 * 2) as f64 / period).sin() + 120.0;
    let waves: Vec<u8> =
        (0..32 * 32).flat_map(|i| [wave(i, 8.0), wave(i, 8.0) + wave(i, 3.2) * 0.4 - 40.0, wave(i, 5.0)].map(|v| v as u8)).collect();
    write_png(&folder, "waves.png", 32, 32, &waves);
    write(&folder, "line.csv", "1\n2\n3\n4\n5\n7\n8\n9\n");
    let long: String = pixels(64).iter().map(|value| format!("{}\n", f64::from(*value) + 0.5)).collect();
    write(&folder, "long.csv", long);
    let eight: String = pixels(64).chunks(8).map(|row| row.iter().map(u8::to_string).collect::<Vec<_>>().join(",") + "\n").collect();
    write(&folder, "eight.csv", &eight);
    write_png(&folder, "other.png", 32, 32, &pixels(3072));
    write(&folder, "pair.csv", "a,b\n1,3\n2,1\n3,4\n4,1\n5,5\n7,9\n8,2\n9,6\n");
    write(&folder, "gap.csv", eight.replacen(',', ",,", 1).replacen(&format!(",{}\n", pixels(8)[7]), "\n", 1));
    write(&folder, "table.csv", "t,a,b\n0,1,2\n1,2,3\n2,4,-9\n4,8,9\n5,3,4\n6,,1\n7,2,2\n8,1,0\n");
    write(&folder, "system.csv", "a,b,c,d\n0,4,1,5\n".to_owned() + &"1,4,1,6\n".repeat(62) + "1,4,0,5\n");
    write(
        &folder,
        "stack.npy",
        npy("<f4", "2, 8, 8", &pixels(128).iter().flat_map(|value| f32::from(*value).to_le_bytes()).collect::<Vec<_>>()),
    );
    write(&folder, "mask.npy", npy("|u1", "16, 16", &[255; 256]));
    write(&folder, "turned.tif", turned_tiff());
    let sound: Vec<u8> = pixels(64).iter().flat_map(|value| (i16::from(*value) * 100).to_le_bytes()).collect();
    let head = [&b"RIFF\xa4\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x80\0\0\0"[..], &sound].concat();
    write(&folder, "s.wav", head);
    write(&folder, "tones.wav", tones());
    write(&folder, "labels.txt", "0.01\t0.04\ttone\n\\\t800\t1200\n");
    done(&folder, "bench --transform walsh,haar --sizes 8..16 --device cpu-parallel --repeat 2 --output old.json");
    let names = [
        "gray.png",
        "waves.png",
        "rgb.png",
        "other.png",
        "pair.csv",
        "line.csv",
        "long.csv",
        "eight.csv",
        "gap.csv",
        "table.csv",
        "system.csv",
        "stack.npy",
        "mask.npy",
        "turned.tif",
        "s.wav",
        "tones.wav",
        "labels.txt",
        "old.json",
    ];
    names.map(|name| (name, read(&folder, name))).into()
}

/// Two channels of 16 bits at 8 kHz: a tone with its harmonic, another tone and noise, off zero; and the same a little later.
fn tones() -> Vec<u8> {
    let noise = pixels(520);
    let wave = |n: usize| {
        let sine = |hertz: f64, level: f64| level * (std::f64::consts::TAU * hertz * n as f64 / 8000.0).sin();
        sine(937.5, 9000.0) + sine(1875.0, 900.0) + sine(3210.0, 300.0) + f64::from(noise[n]) + 500.0
    };
    let sample =
        |k: usize| if k.is_multiple_of(2) { wave(k / 2 + 3) } else { 0.5 * wave(k / 2) + 40.0 * f64::from(noise[519 - k / 2] % 3) };
    let sound: Vec<u8> = (0..1024).flat_map(|k| (sample(k) as i16).to_le_bytes()).collect();
    let format = b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x40\x1f\0\0\x00\x7d\0\0\x04\0\x10\0data\x00\x08\0\0";
    [&format[..], &sound].concat()
}

/// An NPY of a type and a shape.
fn npy(kind: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\0".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes(), bytes].concat()
}

/// A gray TIFF of 2 × 4 pixels that asks to be turned by a quarter.
fn turned_tiff() -> Vec<u8> {
    let entries: [(u16, u16, u32); 9] =
        [(256, 3, 4), (257, 3, 2), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8), (274, 3, 6), (278, 3, 2), (279, 4, 8)];
    let mut bytes = b"II*\0\x10\0\0\0\x01\x05\x20\x40\x11\x80\xc0\xff".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, value) in entries {
        bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        bytes.extend([1_u32.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend([0; 4]);
    bytes
}
