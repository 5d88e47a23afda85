//! The words of the window about long work, and about the place under the pointer.

use super::boxes::{at, opened};
use super::spectra::recording;
use super::{Window, layouts, memory, settle, small_image, wait, window};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::ui::Preset;
use std::path::PathBuf;
use std::sync::Arc;

/// A recording of so many zeros, which take no room on most disks.
fn silence(folder: &tempfile::TempDir, n: u32) -> PathBuf {
    let path = folder.path().join("silence.wav");
    let mut header = recording(8000, &[]);
    header[4..8].copy_from_slice(&(36 + 2 * n).to_le_bytes());
    header[40..44].copy_from_slice(&(2 * n).to_le_bytes());
    std::fs::write(&path, &header).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_len(header.len() as u64 + 2 * u64::from(n)).unwrap();
    path
}

#[test]
fn work_that_takes_long_draws_a_line_along_the_edge_of_its_pane() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = window(memory(Preset::Signal, small_image(), "dft"), Vec::new());
    let lines = |window: &Window| {
        window.query_all_by_role_and_label(Role::ProgressIndicator, "Progress").map(|line| line.rect()).collect::<Vec<_>>()
    };
    assert!(lines(&shown).is_empty());
    shown.input_mut().dropped_files.push(Arc::new(layouts::Dropped(silence(&folder, 8_000_000))));
    wait(&mut shown, "no line shows how far the work is", |window| !lines(window).is_empty());
    assert!(lines(&shown).iter().all(|line| line.height() == 3.0 && line.width() > 600.0), "{:?}", lines(&shown));
    settle(&mut shown);
    assert!(lines(&shown).is_empty(), "it ends with the work");
}

#[test]
fn the_place_under_the_pointer_is_read_out_until_the_pointer_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, _) = opened(&folder);
    let image = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    // A pixel in which the tone lies.
    let tone = at(&recording, 0.5, 1004.0);
    for (mut shown, places) in [
        (
            recording,
            [
                ("Source plot, ", None, &["sample ", " s   mono "][..]),
                ("Spectrogram of ", Some(tone), &[" Hz (B5 ", "   −6.0", " dBFS   frame "]),
                ("Spectrum plot, ", None, &[" Hz   period ", " dBFS"]),
            ],
        ),
        (
            image,
            [
                ("Source image", None, &["row 16, column 16   "][..]),
                ("Spectrum image", None, &["row 0, column 0   f = (0, 0) cycles per pixel"]),
                ("Filtered image", None, &["filtered image   row 16, column 16   value "]),
            ],
        ),
    ] {
        for (label, place, words) in places {
            let told = |window: &Window| {
                let found = window.query_all_by_label_contains(words[0]).filter_map(|node| node.accesskit_node().value());
                found.filter(|text| words.iter().all(|word| text.contains(word))).count()
            };
            let image = shown.query_by_role_and_label(Role::Image, label).map(|image| image.rect().center());
            let place = place.or(image).unwrap_or_else(|| shown.get_by_label_contains(label).rect().center());
            shown.hover_at(place);
            wait(&mut shown, &format!("{words:?} is not read out over {label}"), |window| told(window) == 1);
            shown.hover_at(egui::pos2(900.0, 4.0));
            wait(&mut shown, &format!("{label}: the reading stays"), |window| told(window) == 0);
        }
    }
}
