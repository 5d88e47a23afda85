//! The pane *Wavelet*: pyramid, packets and sections.

use super::{Window, says, settle, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use papillon::ui::{Origin, Preset, WaveletTab};
use std::path::Path;
use tempfile::TempDir;

/// A window with the preset *Wavelet*, a file and a transform.
fn window(file: &Path, transform: &str, tab: WaveletTab) -> Window {
    let mut memory = super::memory(Preset::Wavelet, Origin::File(file.to_owned()), transform);
    memory.settings.wavelet.tab = tab;
    super::window(memory, Vec::new())
}

/// Clicks a label and waits until the window has settled.
fn click(window: &mut Window, label: &str) {
    super::click(window, label);
    settle(window);
}

pub(super) fn text_file(folder: &TempDir, n: usize) -> std::path::PathBuf {
    let path = folder.path().join(format!("{n}.csv"));
    let sample = |i: usize| (i as f64 * 0.3).sin() * 20.0 + (i * i % 13) as f64;
    std::fs::write(&path, (0..n).map(|i| format!("{}\n", sample(i))).collect::<String>()).unwrap();
    path
}

pub(super) fn picture_file(folder: &TempDir, rows: usize, columns: usize) -> std::path::PathBuf {
    let path = folder.path().join(format!("{rows}x{columns}.png"));
    let file = std::fs::File::create(&path).unwrap();
    let mut encoder = png::Encoder::new(file, columns as u32, rows as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..rows * columns).map(|i| (i % columns * 3 + i / columns * 2) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    path
}

#[test]
fn a_pyramid_has_the_image_of_its_largest_coefficients_beside_it() {
    let folder = TempDir::new().unwrap();
    let window = window(&picture_file(&folder, 37, 53), "cdf97-2", WaveletTab::Pyramid);
    assert!(window.query_by_label("Wavelet coefficients").is_some());
    assert!(window.query_by_label_contains("4 levels of cdf97-2").is_some());
    assert!(window.query_by_label("LL4").is_some() && window.query_by_label("HL1").is_some(), "the table names the bands");
    assert!(window.query_by_label("Reconstructed image").is_some() && says(&window, " dB"));
}

#[test]
fn tiny_signals_have_pyramids_and_packets() {
    let folder = TempDir::new().unwrap();
    for n in [1, 2, 3, 5] {
        let mut window = window(&text_file(&folder, n), "cdf97", WaveletTab::Pyramid);
        assert!(window.query_by_label("Wavelet coefficients").is_some(), "{n} samples");
        click(&mut window, "Packets");
        assert!(window.query_by_label_contains(" blocks; cost ").is_some(), "{n} samples");
    }
}

#[test]
fn packets_are_selected_split_and_merged() {
    let folder = TempDir::new().unwrap();
    let mut window = window(&text_file(&folder, 130), "cdf97", WaveletTab::Packets);
    assert!(window.query_by_label_contains("the last 2 samples are left out").is_some(), "four levels need a multiple of 16");
    super::choose(&mut window, "Tree", "Wavelet tree");
    assert!(window.query_by_label_contains("in 5 blocks").is_some());
    for leaf in ["LLLL", "LLLH", "LLH", "LH", "H"] {
        assert!(window.query_by_label(&format!("Packet leaf {leaf}")).is_some(), "{leaf} is no leaf");
    }
    click(&mut window, "Packet leaf H");
    assert!(window.query_by_label("Coefficients of the block").is_some() && window.query_by_label("Deviation").is_some());
    click(&mut window, "Split");
    assert!(window.query_by_label_contains("in 6 blocks").is_some() && window.query_by_label("Packet leaf HL").is_some());
    click(&mut window, "Merge");
    assert!(window.query_by_label_contains("in 5 blocks").is_some() && window.query_by_label("Packet leaf H").is_some());
    assert!(window.query_by_label_contains("all leaves").is_some());
    click(&mut window, "Reconstruct the selected block alone");
    assert!(workspace(&window).memory().settings.wavelet.alone);
    assert!(window.query_by_label_contains("H alone").is_some(), "the curve is that of the selected block");
    // A block that is split, and a block that the tree does not reach.
    click(&mut window, "Packet block LL");
    assert!(window.query_by_label_contains("LL alone").is_some());
    click(&mut window, "Packet block HHH");
    assert!(window.query_by_label_contains("HHH alone").is_some());
    click(&mut window, "Reconstruct the selected block alone");
    assert!(window.query_by_label_contains("all leaves").is_some());
    super::choose(&mut window, "Tree", "Full tree");
    assert!(window.query_by_label_contains("in 16 blocks").is_some());
    super::choose(&mut window, "Tree", "Best basis");
    assert_eq!(workspace(&window).memory().settings.wavelet.tree, None);
}

#[test]
fn another_transform_offers_a_wavelet() {
    let folder = TempDir::new().unwrap();
    let mut window = window(&text_file(&folder, 64), "dft", WaveletTab::Pyramid);
    assert!(window.query_by_label_contains("has no wavelet coefficients").is_some());
    click(&mut window, "Take CDF 9/7");
    assert_eq!(workspace(&window).memory().settings.transform, "cdf97");
    assert!(window.query_by_label("Wavelet coefficients").is_some());
}

#[test]
fn haar_of_spectral_logic_has_the_coefficients_of_its_wavelet() {
    let folder = TempDir::new().unwrap();
    let mut window = window(&picture_file(&folder, 32, 64), "haar2", WaveletTab::Pyramid);
    assert!(window.query_by_label_contains("4 levels of d2-2").is_some());
    assert!(window.query_by_label("Reconstructed image").is_some() && window.query_by_label_contains(" dB").is_some());
    click(&mut window, "Sections");
    assert!(window.query_by_label_contains("has no wavelet coefficients").is_some(), "its own plan has no sections");
}

#[test]
fn sections_are_shown_with_their_parameters() {
    let folder = TempDir::new().unwrap();
    let mut window = window(&text_file(&folder, 3000), "cdf97", WaveletTab::Sections);
    click(&mut window, "Take split-merge");
    let runs = |window: &Window| window.query_all_by_label_contains("samples merged at a boundary").count();
    let merged = "level 1 α: 1, level 1 β: 2, level 1 γ: 3, level 1 δ: 4, level 2 α: 3, level 2 β: 4, level 2 γ: 5, level 2 δ: 6";
    assert!(window.query_by_label_contains(merged).is_some(), "the numbers of the paper's Figure 4");
    assert_eq!(runs(&window), 2, "four levels, two a stage");
    assert!(window.query_by_label("Merge").is_some() && window.query_by_label("Other launches").is_some(), "times apart");
    let cut = |window: &Window| workspace(window).memory().settings.cut;
    window.get_all_by_label("Global").last().unwrap().click();
    settle(&mut window);
    let papillon::engine::Cut::SplitAndMerge(how) = cut(&window) else { panic!("{:?}", cut(&window)) };
    assert_eq!(how.merge, papillon::schedule::SectionMemory::Global);
    assert_eq!(runs(&window), 2);
    // The medians of runs while the program is idle follow the first run.
    super::wait(&mut window, "no medians are shown", |window| says(window, "Medians of") && says(window, "while idle"));
    let set_levels = |window: &mut Window, levels: f64| {
        let controls = window.get_all_by_role_and_label(Role::SpinButton, "L, levels");
        controls.last().unwrap().set_value_accesskit(levels);
        window.run_steps(2);
    };
    set_levels(&mut window, 6.0);
    settle(&mut window);
    assert!(says(&window, "there are 4 levels, of which 4 are split at a time, and not 6"));
    set_levels(&mut window, 2.0);
    settle(&mut window);
    assert!(!says(&window, "and not"));
    // The algorithm has the same name there.
    super::choose(&mut window, "Transform", "D4 packets");
    settle(&mut window);
    assert!(
        window.query_by_label_contains("samples merged at a boundary: level 1: 1, level 2: 4").is_some(),
        "two of each block, in Figure 7"
    );
}

#[test]
fn sections_of_a_few_samples_need_no_merge() {
    let folder = TempDir::new().unwrap();
    for n in [1, 2, 3, 5] {
        let mut window = window(&text_file(&folder, n), "cdf97", WaveletTab::Sections);
        click(&mut window, "Take split-merge");
        let whole = window.query_all_by_label_contains("one tile holds the whole signal").next().is_some();
        assert!(whole || window.query_by_label_contains("There are no sections").is_some(), "{n} samples");
    }
}

#[test]
fn bands_share_a_scale_or_have_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(&picture_file(&folder, 64, 64), "cdf97-2", WaveletTab::Pyramid);
    assert!(says(&window, "relative to the largest of all details"));
    click(&mut window, "Own scales");
    settle(&mut window);
    assert!(says(&window, "relative to the largest of the band"));
}
