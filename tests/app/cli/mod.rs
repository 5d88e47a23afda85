//! The command line as a person or a script types it: every command, every kind of output, bad input, exit codes.
//!
//! Expected values are computed here from the definitions; nothing of the program under test helps.

mod bad_recordings;
mod bench;
mod call;
mod calls;
mod choices;
mod cutting;
mod doctor;
mod faults;
mod filter;
mod graph;
mod images;
mod kernel;
mod logic;
mod lomb_scargle;
mod manual;
mod matrix;
mod measure;
mod memory;
mod ntt;
mod numbers;
mod options;
mod precision;
mod recordings;
mod scalograms;
mod signals;
mod solve;
mod spectrum;
mod streams;
mod transform;
mod tune;
mod wavelets;
mod window;

use num_complex::Complex64;
use papillon::transforms::{Axes, Parameters, Shape, Transform};
use std::f64::consts::TAU;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The program in `folder` with the words of `line`.
fn command(folder: &TempDir, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
    command.current_dir(folder).args(line.split_whitespace());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    // Mesa complains on standard error where the folder of the session is not set.
    command.env("XDG_RUNTIME_DIR", folder.path()).env("XDG_DATA_HOME", folder.path());
    // All tests share compiled kernels, and leave the folder of the user alone.
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs the program in `folder` with the words of `line`.
fn papillon(folder: &TempDir, line: &str) -> Output {
    command(folder, line).output().unwrap()
}

/// As [`papillon`], with bytes on standard input.
fn piped(folder: &TempDir, line: &str, bytes: &[u8]) -> Output {
    let mut child = command(folder, line).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses its call reads nothing.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    child.wait_with_output().unwrap()
}

/// Runs what must succeed, and gives standard error.
fn done(folder: &TempDir, line: &str) -> String {
    let output = papillon(folder, line);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "papillon {line}: {told}");
    told
}

/// Runs what must fail with `code`, in one line, and leave no new file; gives the line.
fn refused(folder: &TempDir, line: &str, code: i32) -> String {
    let before = names(folder);
    let output = papillon(folder, line);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "papillon {line}: {told}");
    assert!(output.stdout.is_empty(), "papillon {line} wrote to standard output");
    assert_eq!(names(folder), before, "papillon {line} left files");
    let last = told.lines().last().unwrap_or_default().to_owned();
    assert!(last.starts_with("papillon: ") && last.chars().count() > 20, "papillon {line}: {told}");
    last
}

/// Names of all files in a folder, hidden ones too.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) {
    std::fs::write(folder.path().join(name), content).unwrap();
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).unwrap()
}

/// Numbers between 0 and 255 without a pattern.
fn pixels(n: usize) -> Vec<u8> {
    let mut state = 7_u32;
    (0..n)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect()
}

/// An 8-bit PNG; gray, or RGB if there are three bytes a pixel.
fn write_png(folder: &TempDir, name: &str, rows: usize, columns: usize, bytes: &[u8]) {
    let mut encoder = png::Encoder::new(std::fs::File::create(folder.path().join(name)).unwrap(), columns as u32, rows as u32);
    encoder.set_color(if bytes.len() == rows * columns { png::ColorType::Grayscale } else { png::ColorType::Rgb });
    encoder.write_header().unwrap().write_image_data(bytes).unwrap();
}

/// Width, height, colour and bytes of a PNG of 8 bits.
fn read_png(path: &Path) -> (usize, usize, png::ColorType, Vec<u8>) {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.bit_depth, png::BitDepth::Eight);
    (info.width as usize, info.height as usize, info.color_type, bytes)
}

/// Type, shape and values of an NPY of complex numbers.
fn parse_npy(bytes: &[u8]) -> (String, String, Vec<Complex64>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..start]).unwrap();
    let between = |from: &str, to: &str| header.split(from).nth(1).unwrap().split(to).next().unwrap().to_owned();
    // A comma behind the last length is Python's way to write a tuple, and free to be there or not.
    let (kind, shape) = (between("'descr': '", "'"), between("'shape': (", ")").trim_end_matches([',', ' ']).to_owned());
    let numbers: Vec<f64> = match kind.as_str() {
        "<c8" => bytes[start..].chunks_exact(4).map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap()).into()).collect(),
        "<c16" => bytes[start..].chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect(),
        // Real numbers, with imaginary parts of zero.
        "<f4" => bytes[start..].chunks_exact(4).flat_map(|chunk| [f32::from_le_bytes(chunk.try_into().unwrap()).into(), 0.0]).collect(),
        "<f8" => bytes[start..].chunks_exact(8).flat_map(|chunk| [f64::from_le_bytes(chunk.try_into().unwrap()), 0.0]).collect(),
        "<i8" => bytes[start..].chunks_exact(8).flat_map(|chunk| [i64::from_le_bytes(chunk.try_into().unwrap()) as f64, 0.0]).collect(),
        "|u1" => bytes[start..].iter().flat_map(|&byte| [byte.into(), 0.0]).collect(),
        other => panic!("values of type {other}"),
    };
    (kind, shape, numbers.chunks_exact(2).map(|pair| Complex64::new(pair[0], pair[1])).collect())
}

fn read_npy(folder: &TempDir, name: &str) -> Vec<Complex64> {
    parse_npy(&read(folder, name)).2
}

/// Σ Σ x[m, n]·exp(−2πi·(km/M + ln/N)), as it is written.
fn dft2(samples: &[Complex64], rows: usize, columns: usize) -> Vec<Complex64> {
    let index = |i: usize| (i / columns, i % columns);
    let term = |k: usize, m: usize, n: usize| TAU * ((k * m) % n) as f64 / n as f64;
    (0..rows * columns)
        .map(|result| {
            let (k, l) = index(result);
            let terms = samples.iter().enumerate().map(|(sample, value)| {
                let (m, n) = index(sample);
                value * Complex64::from_polar(1.0, -term(k, m, rows) - term(l, n, columns))
            });
            terms.sum()
        })
        .collect()
}

/// By the definition in the table, row by row where the transform acts along rows; modulo 2 or a prime where it does.
fn by_definition(transform: &Transform, samples: &[Complex64], rows: usize, columns: usize) -> Vec<Complex64> {
    let part = if transform.axes == Axes::Rows { Shape::line(columns) } else { Shape { rows, columns } };
    let matrix = transform.definition.unwrap()(part, Parameters::default());
    let product = |line: &[Complex64]| matrix.iter().map(|row| row.iter().zip(line).map(|(a, b)| a * b).sum()).collect::<Vec<Complex64>>();
    let values = samples.chunks(part.len()).flat_map(product);
    values.map(|value| transform.ring.reduced(value)).collect()
}

fn dft(samples: &[Complex64]) -> Vec<Complex64> {
    dft2(samples, 1, samples.len())
}

fn complex(bytes: &[u8]) -> Vec<Complex64> {
    bytes.iter().map(|&byte| f64::from(byte).into()).collect()
}

fn assert_near(found: &[Complex64], expected: &[Complex64], bound: f64) {
    assert_eq!(found.len(), expected.len());
    let error: f64 = found.iter().zip(expected).map(|(a, b)| (a - b).norm_sqr()).sum();
    let norm: f64 = expected.iter().map(Complex64::norm_sqr).sum();
    assert!(error.sqrt() <= bound * norm.sqrt(), "relative error {:e}", (error / norm).sqrt());
}
