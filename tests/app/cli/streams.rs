//! Streams as typed: what `watch` says of samples that come through a pipe, and the test signals of `generate`.

use super::*;
use papillon::signal::{ChannelChoice, load};
use serde_json::Value;

/// A tone of half full scale at 1 kHz for a second, then silence for half a second, and one byte of a sample.
fn tone_and_silence() -> Vec<u8> {
    let sample = |n: usize| if n < 8000 { (16_384.0 * (TAU * n as f64 / 8.0).sin()).round() as i16 } else { 0 };
    (0..12_000).flat_map(|n| sample(n).to_le_bytes()).chain([7]).collect()
}

#[test]
fn a_line_says_the_level_and_the_strongest_lines_of_each_part() {
    let folder = TempDir::new().unwrap();
    // The part before the end has the byte of a sample, too.
    let longer = piped(&folder, "watch - --raw s16,1,8kHz --every 0.7s -n 1", &tone_and_silence());
    assert!(String::from_utf8(longer.stderr).unwrap().contains("ends with 1 byte"));
    let output = piped(&folder, "watch - --raw s16,1,8kHz --every 0.5s -n 1", &tone_and_silence());
    let (text, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && told.contains("ends with 1 byte") && told.contains("000 samples"), "{told}");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!((lines[0], lines.len()), ("time,rms,peak,frequency,level", 4));
    let numbers = |line: &str| line.split(',').map(|cell| cell.parse::<f64>().unwrap()).collect::<Vec<f64>>();
    for (line, time) in [(lines[1], 0.0), (lines[2], 0.5)] {
        for (found, expected) in numbers(line).into_iter().zip([time, -6.0206, -6.0206, 1000.0, -6.0206]) {
            assert!((found - expected).abs() < 0.001, "{line}");
        }
    }
    assert_eq!(lines[3], "1,-inf,-inf,,");
}

#[test]
fn the_header_of_a_wav_is_surer_than_what_a_person_says() {
    let folder = TempDir::new().unwrap();
    let sound = papillon(&folder, "generate tone --frequency 1kHz --rate 16kHz --duration 0.5s -o -").stdout;
    let output = piped(&folder, "watch - --raw s16,1,8kHz --format json -n 1", &sound);
    let (line, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(told.contains("standard input is a WAV: its header counts"), "{told}");
    let line: Value = serde_json::from_str(line.trim()).unwrap();
    assert!((line["peaks"][0]["frequency"].as_f64().unwrap() - 1000.0).abs() < 0.01, "{line}");
}

#[test]
fn lines_for_programs_are_objects() {
    let folder = TempDir::new().unwrap();
    let output = piped(&folder, "watch - --raw s16,1,8kHz --format json --every 4000", &tone_and_silence());
    let lines: Vec<Value> = String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert!((lines[0]["peaks"][0]["frequency"].as_f64().unwrap() - 1000.0).abs() < 0.001, "{}", lines[0]);
    assert!(lines[2]["rms"].is_null() && lines[2]["peaks"] == Value::Array(Vec::new()), "{}", lines[2]);
}

#[test]
fn a_sender_that_waits_is_told_once_and_in_the_end() {
    let folder = TempDir::new().unwrap();
    // No machine measures as fast as this rate; a stream that is far ahead of its rate is a file, whose sender may wait.
    for (rate, n) in [("900MHz", 1), ("8kHz", 0)] {
        let output = piped(&folder, &format!("watch - --raw s16,1,{rate} --every 40"), &tone_and_silence());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        assert_eq!(["whose sender waits now", " waited "].map(|words| told.matches(words).count()), [n, n], "{told}");
    }
}

#[test]
fn what_is_no_stream_gets_one_line() {
    let folder = TempDir::new().unwrap();
    for (call, bytes, code, words) in [
        ("watch -", &b"no sound"[..], 1, "ends before its samples"),
        ("watch -", b"no sound, and more of it", 1, "s16,1,44100"),
        ("watch - --raw s16,1,8000", b"", 1, "before its first sample"),
        ("watch - --raw s16,1,8000 --every 0", b"abcd", 2, "less than one sample"),
        ("watch - --raw s16,1 --every 1s", b"abcd", 2, "needs a rate"),
        ("watch none.wav", b"", 1, "none.wav"),
    ] {
        let output = piped(&folder, call, bytes);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{call}: {told}");
        assert!(told.contains(words) && told.trim_end().lines().count() == 1, "{call}: {told}");
    }
}

#[test]
fn a_test_signal_is_what_was_asked_for() {
    let folder = TempDir::new().unwrap();
    done(&folder, "generate tone --frequency 1kHz,2kHz --amplitude 0.25 --duration 50ms --rate 8kHz -o t.wav");
    let signal = load(folder.path().join("t.wav")).unwrap();
    assert_eq!((signal.columns, signal.rate_hz()), (400, Some(8000.0)));
    for (n, value) in signal.samples_f64(ChannelChoice::Luma).unwrap().into_iter().enumerate() {
        let expected = 0.25 * ((TAU * n as f64 / 8.0).sin() + (TAU * n as f64 / 4.0).sin());
        assert!((value - expected).abs() < 1e-6, "{n}: {value} for {expected}");
    }
    done(&folder, "generate tone --duration 100 --rate 8000.5 -o t.sigmf-meta");
    let signal = load(folder.path().join("t.sigmf-data")).unwrap();
    assert_eq!((signal.columns, signal.rate_hz()), (100, Some(8000.5)), "SigMF says any rate");
    // The next program reads it from the pipe.
    let sound = papillon(&folder, "generate square --frequency 100 --duration 1s --rate 8kHz -o -").stdout;
    let output = piped(&folder, "watch - -n 2 --format json", &sound);
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    let strongest = ["0", "1"].map(|index| line["peaks"][index.parse::<usize>().unwrap()]["frequency"].as_f64().unwrap());
    assert!((strongest[0] - 100.0).abs() < 0.01 && (strongest[1] - 300.0).abs() < 0.01, "{line}");
}

#[test]
fn a_test_signal_that_does_not_exist_gets_one_line() {
    let folder = TempDir::new().unwrap();
    for (call, words) in [
        ("tone --frequency 30kHz", "above half the rate"),
        ("tone --frequency 20..200", "a list"),
        ("sweep --frequency 440", "ends"),
        ("sweep --frequency 0..100 --law exponential", "no frequency 0"),
        ("impulse --at 2s", "behind the 48000 samples"),
        ("impulse --seed 3", "no --seed"),
        ("noise --colour pink --distribution uniform", "leave --distribution out"),
        ("square --frequency 100,200", "one --frequency"),
        ("tone --duration 0", "take 1 to"),
        ("tone --amplitude x", "no number"),
    ] {
        let output = papillon(&folder, &format!("generate {call} -o x.wav"));
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{call}: {told}");
        assert!(told.contains(words) && told.trim_end().lines().count() == 1, "{call}: {told}");
        assert!(names(&folder).is_empty(), "{call} wrote a file");
    }
}
