//! The pane *Timing* as a user sees it: sums of runs, sweeps as they arrive, plots, and records.

use super::{Window, choose, click, memory, run, set, settle, small_image, wait, window_of, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use papillon::bench::{Record, SweepEnd};
use papillon::ui::{Command, Preset, Workspace};
use std::path::{Path, PathBuf};

/// A window with the preset *Benchmark* and a small image, which keeps its records in a folder.
fn window(folder: &Path) -> Window {
    let measured = folder.join("measured.json");
    window_of(move |ctx| Workspace::new(ctx, memory(Preset::Benchmark, small_image(), "dft2"), Vec::new()).remembering(measured))
}

/// The files of the records in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("records")).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    entries.unwrap_or_default()
}

/// Sets up a small sweep.
fn small_sweep(window: &mut Window, runs: f64) {
    click(window, "Sweep");
    window.get_by_role_and_label(Role::TextInput, "Sizes").focus();
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, "Sizes").type_text("2^3..2^6");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
    set(window, "Runs", runs);
}

#[test]
fn runs_are_summarised_and_an_emulated_gpu_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    choose(&mut window, "Device", "GPU");
    let complete = |window: &Window| workspace(window).report().and_then(|report| report.outcome()).is_some_and(|outcome| outcome.complete);
    wait(&mut window, "there is no comparison", complete);
    window.run_steps(2);
    for words in ["quartiles", "Launch 1", "Upload", "Download", "First run: preparation", "while idle", "CPU, strided loops", "n = "] {
        assert!(window.query_all_by_label_contains(words).next().is_some(), "{words} is missing");
    }
    let outcome = workspace(&window).report().unwrap().outcome().unwrap().clone();
    assert!(outcome.copy_micros.is_some_and(|copy| copy > 0.0));
    assert_eq!(outcome.launch_copies.len(), outcome.schedule.as_ref().unwrap().launches.len(), "every launch has a floor");
    assert!(outcome.launch_copies.iter().all(|copy| *copy > 0.0));
    // The current transform is timed in the same manner as the comparisons, and is among them.
    let least_upload = outcome.again.iter().map(|times| times.upload_micros).fold(f64::INFINITY, f64::min);
    assert!(outcome.as_set.as_ref().is_some_and(|case| case.micros >= least_upload && case.n_runs > 0));
    for words in ["from the samples to the whole result in host memory", "As set, "] {
        assert!(window.query_all_by_label_contains(words).next().is_some(), "{words} is missing");
    }
    assert!(window.query_by_label_contains("must be read and written once").is_some(), "the memory bound is missing");
    assert_eq!(outcome.software_gpu, window.query_by_label_contains("is emulated by software: correct, but no guide to speed").is_some());
    // The bar of the newest run begins with the upload, and the launches follow.
    let bar = window.get_by_label_contains("Parts of the newest run").rect();
    let newest = outcome.again.last().unwrap();
    for (micros, is_launch) in [(newest.upload_micros / 2.0, false), (newest.upload_micros + newest.kernel_micros() / 2.0, true)] {
        let share = (micros / newest.total_micros) as f32;
        window.hover_at(egui::pos2(bar.left() + bar.width() * share, bar.center().y));
        window.run_steps(2);
        assert_eq!(workspace(&window).lit_launch().is_some(), is_launch, "{micros} µs of {newest:?}");
    }
}

#[test]
fn a_sweep_is_measured_plotted_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    small_sweep(&mut window, 2.0);
    click(&mut window, "Run sweep");
    settle(&mut window);
    wait(&mut window, "the record is not written", |_| files(folder.path()).len() == 1);
    let record = Record::load(&files(folder.path())[0]).unwrap();
    assert_eq!((record.end, record.measurements.len(), record.failures.len()), (SweepEnd::Complete, 20, 0));
    assert!(record.measurements.iter().all(|case| case.is_right() && case.kernel().n == 2));
    let plot = |window: &Window, words: &str| window.query_by_label_contains(words).is_some();
    assert!(plot(&window, "5 curves, 20 points"));
    for (tab, words) in [
        ("Speed-up", "speed-up against"),
        ("GB/s", "bytes that have to be moved"),
        ("Transfers", "share of the transfers"),
        ("Error", "relative error"),
    ] {
        click(&mut window, tab);
        assert!(plot(&window, words), "{tab}");
    }
    if window.query_by_label("Values").is_none() {
        click(&mut window, "More in Measurements");
    }
    click(&mut window, "Values");
    assert!(window.query_all_by_label_contains("kernels µs").next().is_some());
    click(&mut window, "Values");
    click(&mut window, "Records");
    click(&mut window, "Rename");
    window.get_by_label("New name").type_text(" again");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(3);
    wait(&mut window, "the record is not renamed", |_| {
        files(folder.path()).first().and_then(|path| Record::load(path).ok()).is_some_and(|record| record.sweep.name.contains("again"))
    });
    click(&mut window, "Delete");
    wait(&mut window, "the record is not deleted", |_| files(folder.path()).is_empty());
    click(&mut window, "Restore");
    wait(&mut window, "the record is not restored", |_| files(folder.path()).len() == 1);
    assert!(window.query_by_label("Restore").is_none() && window.query_by_label("Delete").is_some());
}

#[test]
fn a_cancelled_sweep_keeps_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    small_sweep(&mut window, 1000.0);
    click(&mut window, "Run sweep");
    wait(&mut window, "no results stream in", |window| window.query_by_label_contains(" curves, ").is_some());
    wait(&mut window, "the progress is not shown", |window| window.query_by_label("Cancel sweep").is_some());
    run(&mut window, Command::Cancel);
    settle(&mut window);
    assert!(window.query_by_label_contains("cancelled: what was measured").is_some());
}

#[test]
fn an_experiment_of_a_paper_is_one_click() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    click(&mut window, "Papers");
    set(&mut window, "Up to", 7.0);
    for words in ["Run gajic-2011-fig-4a", "Run sorman-2016-fig-6-1", "Tesla M2070"] {
        assert!(window.query_all_by_label_contains(words).next().is_some(), "{words} is missing");
    }
    click(&mut window, "Run gajic-2012-table-2");
    settle(&mut window);
    assert!(window.query_by_label_contains("GPU, memory time, ms").is_some(), "the table of the paper is not shown");
    let claims: Vec<f32> = window.query_all_by_label_contains("the paper: the GPU is up to").map(|claim| claim.rect().right()).collect();
    assert!(claims.len() == 2 && claims.iter().all(|end| *end < 1280.0), "its claims are missing or cut: {claims:?}");
    if window.query_by_label("Values").is_none() {
        click(&mut window, "More in Measurements");
    }
    click(&mut window, "Plot");
    assert!(window.query_by_label_contains("Plot, gajic-2012-table-2").is_some());
    wait(&mut window, "the record is not written", |_| files(folder.path()).len() == 1);
    let record = Record::load(&files(folder.path())[0]).unwrap();
    assert_eq!((record.sweep.experiment.as_deref(), record.measurements.len()), (Some("gajic-2012-table-2"), 8));
}

#[test]
fn no_column_is_cut_in_a_narrow_pane() {
    // The preset with the smallest pane *Timing*.
    let mut window = super::window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    let complete = |window: &Window| workspace(window).report().and_then(|report| report.outcome()).is_some_and(|outcome| outcome.complete);
    wait(&mut window, "there is no comparison", complete);
    window.run_steps(3);
    for label in ["newest", "median", "First run: preparation"] {
        assert!(window.get_by_label(label).rect().right() < 1280.0, "{label} is cut");
    }
    let ends: Vec<f32> = window.query_all_by_label_contains(" ×").map(|ratio| ratio.rect().right()).collect();
    assert!(ends.len() >= 4 && ends.iter().all(|end| *end < 1276.0), "a ratio is cut: {ends:?}");
}
