//! Scalograms as typed: their frequencies, their values, and what they refuse.

use super::signals::{sine, table, wav};
use super::*;

#[test]
fn a_scalogram_has_wavelets_at_a_logarithmic_axis() {
    let folder = TempDir::new().unwrap();
    let lowest: f64 = 8000.0 / 256.0;
    let frequency = lowest * 2f64.powi(5);
    write(&folder, "t.wav", wav(8000, &[sine(8000, frequency / 8000.0, 0.5, 0.3)], true));
    let told = done(&folder, "spectrogram t.wav --method scalogram --length 256 --quantity amplitude --precision double -o t.csv");
    assert!(told.contains("Morlet, ω0 = 6, 24 an octave from 31.25 Hz"), "{told}");
    let (header, rows) = table(&read(&folder, "t.csv"));
    assert_eq!((rows.len(), header.split(',').count()), (24 * 7 + 1, 1 + (8000 - 256) / 64 + 1));
    for (voice, row) in rows.iter().enumerate() {
        assert!((row[0] / (lowest * (voice as f64 / 24.0).exp2()) - 1.0).abs() < 1e-9, "{row:?}");
    }
    let middle = rows[120].len() / 2;
    assert!((rows[120][middle] - 0.5).abs() < 1e-5, "the wavelet of the tone reads its amplitude: {}", rows[120][middle]);
    let beside = 0.5 * (-0.5 * (6.0 * (2f64.powf(0.25) - 1.0)).powi(2)).exp();
    let found = rows[114][middle];
    assert!((found - beside).abs() < 1e-5, "{found} for {beside}");
    for ending in ["png", "npy", "svg"] {
        done(&folder, &format!("spectrogram t.wav --method scalogram -o t.{ending}"));
    }
    for (options, words) in [
        ("--window none", "leave --window out"),
        ("--window hann", "leave --window out"),
        ("--pad 256", "leave --pad out"),
        ("--detrend none", "leave --detrend out"),
        ("--overlap 75%", "leave --overlap out"),
        ("--quantity density", "no density"),
    ] {
        assert!(refused(&folder, &format!("spectrogram t.wav --method scalogram {options} -o o.png"), 2).contains(words), "{options}");
    }
    assert!(refused(&folder, "spectrogram t.wav --method multitaper --window hann -o o.png", 2).contains("leave --window out"));
    let drawn = String::from_utf8(read(&folder, "t.svg")).unwrap();
    assert!(drawn.contains("Scalogram of t.wav") && !drawn.contains("Spectrogram"));
}
