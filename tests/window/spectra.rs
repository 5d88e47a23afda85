//! The panes *Spectrum* and *Spectrum picture* as a person uses them: units, words, and what has no values.

use crate::{Window, memory, says, window};
use papillon::ui::{Origin, Preset};
use std::path::PathBuf;

/// A window with a layout that shows a file of this name and these contents.
fn window_of(preset: Preset, folder: &tempfile::TempDir, name: &str, contents: &[u8]) -> Window {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    window(memory(preset, Origin::default(), "dft2"), vec![path])
}

#[test]
fn a_spectrum_without_values_says_why() {
    let folder = tempfile::tempdir().unwrap();
    // The first layout has the plot in front, the second one the picture.
    for preset in [Preset::Signal, Preset::FlowGraph] {
        let shown = window_of(preset, &folder, "line.csv", b"value\n1\n2\nnan\n4\n5\n6\n");
        assert!(says(&shown, "No value is finite: some sample is infinite, not a number"), "{preset:?}");
    }
    let shown = window_of(Preset::Signal, &folder, "zeros.csv", b"value\n0\n0\n0\n0\n");
    assert!(!says(&shown, "No value is finite"), "nothing is wrong with zeros");
}
