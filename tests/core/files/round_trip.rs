//! Written files are read back unchanged, and a signal that a format cannot hold is refused before a file is touched.

use super::*;
use num_complex::{Complex32, Complex64};
use papillon::remedy::with_remedies;
use papillon::signal::{
    Channel, ChannelChoice, FORMATS, FileFormat, OutputFormat, SignalKind, load, load_bytes, save, write, write_image_png,
};
use papillon::signal::{Samples, Signal};

fn irrational(n: usize) -> Vec<f64> {
    (0..n).map(|k| (k as f64 * 1.7).sin() * 10_f64.powi(k as i32 % 9 - 4)).collect()
}

fn every_type(n: usize) -> Vec<Samples> {
    let reals = irrational(n);
    vec![
        Samples::U8((0..n).map(|k| (k * 7) as u8).collect()),
        Samples::U16((0..n).map(|k| (k * 700) as u16).collect()),
        Samples::I32((0..n).map(|k| k as i32 - 5).collect()),
        Samples::I64((0..n).map(|k| i64::MAX - k as i64).collect()),
        Samples::F32(reals.iter().map(|&x| x as f32).collect()),
        Samples::F64(reals.clone()),
        Samples::Complex32(reals.iter().map(|&x| Complex32::new(x as f32, -2.0 * x as f32)).collect()),
        Samples::Complex64(reals.iter().map(|&x| Complex64::new(x, x * x)).collect()),
    ]
}

/// The signal that is read back after it was written in the format of this ending.
fn through(signal: &Signal, ending: &str) -> Signal {
    let mut bytes = Vec::new();
    write(&mut bytes, signal, OutputFormat::of_ending(ending).unwrap()).unwrap();
    let mut read = load_bytes("a", &bytes).unwrap();
    read.name.clone_from(&signal.name);
    read
}

#[test]
fn npy_keeps_every_type_and_shape() {
    for samples in every_type(12) {
        for (kind, rows) in [(SignalKind::Rows, 1), (SignalKind::Image, 3)] {
            let channel = Channel::new(if rows == 1 { "value" } else { "gray" }, samples.clone());
            let signal = Signal::from_channels("a", kind, (rows, 12 / rows), vec![channel]);
            assert_eq!(through(&signal, "npy"), signal);
        }
    }
    let colour = super::load("rgb16.png");
    assert_eq!(through(&colour, "npy"), colour);
}

#[test]
fn csv_keeps_every_number() {
    for samples in every_type(12) {
        for rows in [1, 4] {
            let signal = Signal::from_channels("a", SignalKind::Rows, (rows, 12 / rows), vec![Channel::new("value", samples.clone())]);
            let read = through(&signal, "csv");
            assert_eq!((read.kind, read.rows, read.columns), (signal.kind, signal.rows, signal.columns), "{signal}");
            assert_eq!(read.is_complex(), signal.is_complex());
            assert_eq!(read.samples_complex64(ChannelChoice::Luma), signal.samples_complex64(ChannelChoice::Luma), "{signal}");
            assert_eq!(read.stored_integers(ChannelChoice::Luma), signal.stored_integers(ChannelChoice::Luma), "{signal}");
        }
    }
    let line = Signal::row("a", every_type(12).remove(7));
    assert_eq!(through(&line, "csv"), line, "a complex line in double precision is the same in all its parts");
    let stereo = super::load("pcm16.wav");
    let read = through(&stereo, "csv");
    assert_eq!((names(&read), read.columns), (vec!["left", "right"], 3000));
    assert_eq!(read.samples_f32(ChannelChoice::Channel(1)), stereo.samples_f32(ChannelChoice::Channel(1)));
}

#[test]
fn png_tiff_and_wav_keep_what_they_can_hold() {
    for name in ["gray8.png", "gray16.png", "rgb8.png", "rgb16.png"] {
        let signal = super::load(name);
        assert_eq!(through(&signal, "png"), signal, "{name}");
        let floats = through(&signal, "tiff");
        assert!(matches!(floats.channels[0].samples, Samples::F32(_)));
        assert_eq!(floats.samples_f64(ChannelChoice::Luma), signal.samples_f64(ChannelChoice::Luma), "{name}");
    }
    let float = super::load("float32.tiff");
    assert_eq!(samples(&through(&float, "tiff")), samples(&float));
    for name in ["pcm16.wav", "float32.wav", "tone.mp3"] {
        // Integers are written as the fractions that they are read as.
        let signal = Signal { stored_bits: None, ..super::load(name).in_arrays() };
        assert!(through(&signal, "wav").in_arrays() == signal, "{name}");
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let complex = Signal::row("a", every_type(4).remove(7));
    let float = super::load("float32.tiff");
    let stereo = super::load("pcm16.wav");
    let cases = [
        (&complex, "a.png", "complex"),
        (&complex, "a.tiff", "complex"),
        (&complex, "a.wav", "complex"),
        (&float, "a.png", "these samples are 32-bit float: Formats([\"tiff\""),
        (&float, "a.wav", "rows"),
        (&stereo, "a.png", "OneChannel"),
        (&stereo, "a.jpg", ".jpg"),
        (&stereo, "a", "no ending"),
    ];
    for (signal, name, cause) in cases {
        let message = with_remedies(&save(folder.path().join(name), signal).unwrap_err(), |remedy| format!("{remedy:?}"));
        assert!(message.contains(cause) && !message.contains('\n'), "{name}: {message}");
    }
    let missing = save(folder.path().join("none/a.npy"), &float).unwrap_err().to_string();
    assert!(missing.contains("no such file or folder"), "{missing}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn every_ending_belongs_to_one_format() {
    let endings = FileFormat::all_endings();
    for ending in &endings {
        assert_eq!(endings.iter().filter(|other| *other == ending).count(), 1, "{ending}");
    }
    for format in FORMATS {
        let Some(output) = &format.output else { continue };
        assert!(
            output.endings.iter().all(|ending| format.endings.contains(ending)),
            "{} is read under the names it is written",
            format.name
        );
    }
}

#[test]
fn saving_replaces_a_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    std::fs::write(&path, "old").unwrap();
    let signal = super::load("float64.npy");
    save(&path, &signal).unwrap();
    let read = load(&path).unwrap();
    assert_eq!((read.name.as_str(), samples(&read)), ("a.npy", samples(&signal)));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn images_of_the_screen_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.png");
    write_image_png(&path, ROWS, COLUMNS, &bytes(0)).unwrap();
    assert_eq!(samples(&load(&path).unwrap()), [&Samples::U8(bytes(0))]);
    let rgb: Vec<u8> = bytes(0).into_iter().flat_map(|v| [v, 255 - v, 7]).collect();
    write_image_png(&path, ROWS, COLUMNS, &rgb).unwrap();
    assert_eq!(names(&load(&path).unwrap()), ["red", "green", "blue"]);
}
