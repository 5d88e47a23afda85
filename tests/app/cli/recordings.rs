//! Recordings on the command line: standard input, samples without a header, and two channels as complex samples.

use super::signals::{noise, table, wav};
use super::*;

/// Frames of two channels of 16 bits, as stored.
fn frames(n: usize) -> Vec<u8> {
    (0..2 * n).flat_map(|k| ((k * 7919 % 65_536) as i64 - 32_768).to_le_bytes()[..2].to_vec()).collect()
}

/// The two channels as complex numbers.
fn pairs(n: usize) -> Vec<Complex64> {
    let value = |k: usize| ((k * 7919 % 65_536) as f64 - 32_768.0) / 32_768.0;
    (0..n).map(|k| Complex64::new(value(2 * k), value(2 * k + 1))).collect()
}

/// The discrete Fourier transform by its definition.
fn spectrum(samples: &[Complex64]) -> Vec<Complex64> {
    let n = samples.len();
    let value =
        |k: usize| samples.iter().enumerate().map(|(i, x)| x * Complex64::from_polar(1.0, -TAU * (i * k % n) as f64 / n as f64)).sum();
    (0..n).map(value).collect()
}

#[test]
fn samples_without_a_header_are_complex_by_type_by_channels_and_by_ending() {
    let folder = TempDir::new().unwrap();
    let n = 24;
    let expected = spectrum(&pairs(n));
    for name in ["a.bin", "a.cs16", "a.s16"] {
        std::fs::write(folder.path().join(name), frames(n)).unwrap();
    }
    for line in ["--raw cs16,1,2.4MHz a.bin", "--raw s16le,2,48000 --channel iq a.bin", "a.cs16", "--raw s16,2 --channel iq a.s16"] {
        let told = done(&folder, &format!("transform -t dft -d cpu {line} -o result.npy"));
        assert_near(&read_npy(&folder, "result.npy"), &expected, 1e-4);
        assert_eq!(told.contains("its ending says the type"), line == "a.cs16", "{line}: {told}");
    }
    let told = done(&folder, "transform -t rdft -d cpu a.s16 -o result.npy");
    assert!(told.contains("--raw TYPE,CHANNELS,RATE"), "{told}");
    let told = refused(&folder, "transform -t dft a.bin -o new.npy", 1);
    assert!(told.contains("--raw s16,2,44100"), "{told}");
    let told = refused(&folder, "transform -t dft --raw s17 a.bin -o new.npy", 2);
    assert!(told.contains("“s17” is no type of samples"), "{told}");
    let told = refused(&folder, "transform -t rdft --raw s16,2 --channel iq a.bin -o new.npy", 2);
    assert!(told.contains("dft"), "a half spectrum is of real samples: {told}");
    let told = refused(&folder, "transform -t dft --channel iq a.cs16 -o new.npy", 2);
    assert!(told.contains("no channel “iq”"), "{told}");
}

#[test]
fn standard_input_is_read_as_a_wav_or_as_said() {
    let folder = TempDir::new().unwrap();
    let n = 24;
    let wave = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/w01-sox-pipe.wav")).unwrap();
    let output = piped(&folder, "transform -t rdft -d cpu - -o result.npy", &wave);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("standard input: The header does not say how long"), "{told}");
    assert_eq!(read_npy(&folder, "result.npy").len(), 301);
    let output = piped(&folder, "transform -t dft -d cpu --raw cs16 - -o result.npy", &frames(n));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_near(&read_npy(&folder, "result.npy"), &spectrum(&pairs(n)), 1e-4);
    let output = piped(&folder, "transform -t dft -d cpu - -o new.npy", b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("standard input is empty") && told.lines().count() == 1, "{told}");
}

#[test]
fn complex_samples_are_filtered_by_their_own_spectrum() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.bin"), frames(64)).unwrap();
    done(&folder, "filter -d cpu --raw s16,2,64 --channel iq --low-pass 8Hz a.bin -o iq.npy");
    done(&folder, "filter -d cpu --raw cs16,1,64 --low-pass 8Hz a.bin -o complex.npy");
    let [iq, complex] = ["iq.npy", "complex.npy"].map(|name| read_npy(&folder, name));
    assert_eq!((iq.len(), iq.iter().any(|z| z.im != 0.0)), (64, true));
    assert_near(&iq, &complex, 1e-6);
}

#[test]
fn a_box_keeps_both_parts_of_complex_samples_and_what_a_recording_says() {
    let folder = TempDir::new().unwrap();
    let samples: Vec<u8> = (0..4000_i16).flat_map(|k| [k.wrapping_mul(77), k.wrapping_mul(131)]).flat_map(i16::to_le_bytes).collect();
    write(&folder, "a.sigmf-data", samples);
    let meta = r#"{"global": {"core:datatype": "ci16_le", "core:sample_rate": 1e6, "core:version": "1.0.0"},
        "captures": [{"core:sample_start": 0, "core:frequency": 1e8}], "annotations": [{"core:sample_start": 5}]}"#;
    write(&folder, "a.sigmf-meta", meta.as_bytes());
    done(&folder, "filter a.sigmf-data --box 0s..2ms,50kHz..200kHz -o b.sigmf-data");
    let written: serde_json::Value = serde_json::from_slice(&read(&folder, "b.sigmf-meta")).unwrap();
    assert_eq!((written["global"]["core:datatype"].as_str(), read(&folder, "b.sigmf-data").len()), (Some("cf32_le"), 4000 * 8));
    assert_eq!(written["captures"][0]["core:frequency"].as_f64(), Some(1e8));
    done(&folder, "filter a.sigmf-data --box 0s..2ms,50kHz..200kHz -o a.sigmf-data");
    let again: serde_json::Value = serde_json::from_slice(&read(&folder, "a.sigmf-meta")).unwrap();
    assert_eq!(again["annotations"][0]["core:sample_start"].as_u64(), Some(5), "annotations of as many samples stay");
    assert!(refused(&folder, "filter a.sigmf-data --box 0s..2ms,50kHz..200kHz --format sigmf-data -o -", 2).contains("two files"));
}

#[test]
fn a_long_delay_is_aligned_so_that_gain_and_coherence_come_back() {
    let folder = TempDir::new().unwrap();
    let x = noise(40_000);
    let y: Vec<f64> = (0..x.len()).map(|n| if n < 300 { 0.0 } else { 0.5 * x[n - 300] }).collect();
    write(&folder, "x.wav", wav(8000, &[x], true));
    write(&folder, "y.wav", wav(8000, &[y], true));
    let mean = |align: &str| {
        let told = done(&folder, &format!("transfer x.wav y.wav --length 512 --align {align} -o h.csv"));
        let (_, rows) = table(&read(&folder, "h.csv"));
        let inner = &rows[1..rows.len() - 1];
        (told, [1, 3].map(|column| inner.iter().map(|row| row[column]).sum::<f64>() / inner.len() as f64))
    };
    let (told, [gain, coherence]) = mean("delay");
    assert!(told.contains("frames of y begin 300 samples after those of x") && told.contains("y comes 300"), "{told}");
    assert!((gain - 0.5).abs() < 1e-3 && coherence > 0.999, "{gain} {coherence}");
    let (told, [gain, coherence]) = mean("none");
    assert!(!told.contains("begin") && gain < 0.4 && coherence < 0.5, "{gain} {coherence}: {told}");
}
