//! The panes *Spectrum* and *Spectrum image*: units, labels, and results without finite values.

use super::{Window, choose, memory, says, settle, small_image, window, workspace};
use egui_kittest::kittest::Queryable as _;
use papillon::ui::{FrequencyUnit, Origin, Preset};
use std::path::PathBuf;

/// A window with a preset, which shows a file of this name and these contents.
fn window_of(preset: Preset, folder: &tempfile::TempDir, name: &str, contents: &[u8]) -> Window {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    window(memory(preset, Origin::default(), "dft2"), vec![path])
}

#[test]
fn a_spectrum_without_values_says_why() {
    let folder = tempfile::tempdir().unwrap();
    // The first preset shows the plot in front, the second one the image.
    for preset in [Preset::Signal, Preset::FlowGraph] {
        let shown = window_of(preset, &folder, "line.csv", b"value\n1\n2\nnan\n4\n5\n6\n");
        assert!(says(&shown, "No value is finite: a sample is infinite, not a number"), "{preset:?}");
    }
    let shown = window_of(Preset::Signal, &folder, "zeros.csv", b"value\n0\n0\n0\n0\n");
    assert!(!says(&shown, "No value is finite"), "nothing is wrong with zeros");
}

#[test]
fn frequencies_count_as_the_signal_does() {
    let folder = tempfile::tempdir().unwrap();
    let unit = |window: &Window| workspace(window).memory().settings.result_look().unit;
    let mut line = window_of(Preset::FlowGraph, &folder, "line.csv", b"value\n1\n2\n3\n4\n5\n6\n");
    assert!(line.query_by_label("Cycles per sample").is_some() && line.query_by_label("Hertz").is_none());
    assert!(line.query_by_label("Cycles per pixel").is_none());
    choose(&mut line, "Transform", "Fourier of an image (2-D DFT)");
    settle(&mut line);
    assert!(line.query_by_label("Cycles per sample").is_some(), "a line has no pixels along any axis");
    let recording = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pcm16.wav")).unwrap();
    let recording = window_of(Preset::FlowGraph, &folder, "tone.wav", &recording);
    assert!(recording.query_by_label("Hertz").is_some() && recording.query_by_label("Cycles per sample").is_some());
    assert_eq!(unit(&recording), FrequencyUnit::Hertz);
    let plot = window_of(Preset::Signal, &folder, "again.wav", &std::fs::read(folder.path().join("tone.wav")).unwrap());
    assert!(plot.query_by_label_contains("frequency (Hz)").is_some());
    let image = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    assert!(image.query_by_label("Cycles per pixel").is_some() && image.query_by_label_contains("frequency (cycles per pixel)").is_some());
}

#[test]
fn the_numbers_of_the_axis_keep_clear_of_the_peaks() {
    let folder = tempfile::tempdir().unwrap();
    let shown = window_of(Preset::Signal, &folder, "line.csv", b"value\n1\n2\n3\n4\n5\n7\n");
    let plot = shown.get_by_label_contains("Spectrum plot, ").rect();
    let table = shown.get_by_label("Cycles").rect();
    assert!(table.left() - plot.right() > 16.0, "half of the last number reaches beyond the plot: {plot:?} {table:?}");
}
