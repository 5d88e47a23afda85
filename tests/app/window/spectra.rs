//! The panes *Spectrum* and *Spectrum image*: units, labels, and results without finite values.

use super::{Window, choose, click, memory, run, says, settle, small_image, wait, window, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::display::{Look, Scale};
use papillon::plan::Precision;
use papillon::signal::generate::{GENERATORS, Generator};
use papillon::ui::{Command, FrequencyUnit, Origin, Preset, Workspace};
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
    for preset in [Preset::Signal, Preset::Benchmark] {
        let mut shown = window_of(preset, &folder, "line.csv", b"value\n1\n2\ninf\n4\n5\n6\n");
        assert!(says(&shown, "No value is finite: a sample is infinite, not a number"), "{preset:?}");
        click(&mut shown, "Remove the mean");
        settle(&mut shown);
        let steps = workspace(&shown).report().unwrap().outcome().unwrap().preparation.unwrap().steps();
        assert_eq!(steps, ["mean removed", "the mean in place of 1 infinite or NaN sample"], "{preset:?}");
        assert!(!says(&shown, "No value is finite"), "{preset:?}");
    }
    let shown = window_of(Preset::Signal, &folder, "zeros.csv", b"value\n0\n0\n0\n0\n");
    assert!(!says(&shown, "No value is finite"), "nothing is wrong with zeros");
    // Double precision holds what single precision, in which pictures are drawn, does not.
    let path = folder.path().join("large.csv");
    std::fs::write(&path, "value\n1e60\n-2e60\n3e60\n5e60\n").unwrap();
    let mut double = memory(Preset::Signal, Origin::default(), "dft");
    double.settings.precision = Some(Precision::Double);
    assert!(says(&window(double, vec![path]), "The values are above 3.4·10^38"));
}

#[test]
fn frequencies_count_as_the_signal_does() {
    let folder = tempfile::tempdir().unwrap();
    let unit = |window: &Window| workspace(window).memory().settings.result_look().unit;
    let mut line = window_of(Preset::Benchmark, &folder, "lines.csv", b"1,2,3\n4,5,6\n");
    click(&mut line, "More in Spectrum image");
    assert!(line.query_by_label("Cycles per sample").is_some() && line.query_by_label("Hertz").is_none());
    assert!(line.query_by_label("Cycles per pixel").is_none());
    choose(&mut line, "Transform", "Fourier of an image (2-D DFT)");
    settle(&mut line);
    if line.query_by_label("Cycles per sample").is_none() {
        click(&mut line, "More in Spectrum image");
    }
    assert!(line.query_by_label("Cycles per sample").is_some(), "a line has no pixels along any axis");
    let recording = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pcm16.wav")).unwrap();
    let recording = window_of(Preset::Benchmark, &folder, "tone.wav", &recording);
    assert!(recording.query_by_label("Cycles per pixel").is_none(), "one row is no image");
    assert_eq!(unit(&recording), FrequencyUnit::Hertz);
    let plot = window_of(Preset::Signal, &folder, "again.wav", &std::fs::read(folder.path().join("tone.wav")).unwrap());
    assert!(plot.query_by_label_contains("frequency (Hz)").is_some());
    let mut image = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    click(&mut image, "More in Spectrum image");
    assert!(image.query_by_label("Cycles per pixel").is_some() && image.query_by_label_contains("frequency (cycles per pixel)").is_some());
}

#[test]
fn a_signal_with_a_rate_is_shown_over_hertz_after_one_without() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = window_of(Preset::Signal, &folder, "line.csv", b"value\n1\n2\n3\n4\n5\n7\n");
    assert!(shown.query_by_label_contains("frequency (cycles per sample)").is_some());
    choose(&mut shown, "Signal", "Chord");
    assert!(shown.query_by_label_contains("frequency (Hz)").is_some());
    choose(&mut shown, "Signal", "Impulse");
    assert!(shown.query_by_label_contains("frequency (cycles per sample)").is_some());
}

#[test]
fn the_numbers_of_the_axis_keep_clear_of_the_peaks() {
    let folder = tempfile::tempdir().unwrap();
    let shown = window_of(Preset::Signal, &folder, "line.csv", b"value\n1\n2\n3\n4\n5\n7\n");
    let plot = shown.get_by_label_contains("Spectrum plot, ").rect();
    let table = shown.get_by_label("cycles per\nsample").rect();
    assert!(table.left() - plot.right() > 16.0, "half of the last number reaches beyond the plot: {plot:?} {table:?}");
}

/// A mono recording of 16 bits.
pub(super) fn recording(rate: u32, samples: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = samples.iter().flat_map(|sample| ((sample * 32767.0).round() as i16).to_le_bytes()).collect();
    let length = data.len() as u32;
    let mut file = b"RIFF".to_vec();
    file.extend((36 + length).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(rate.to_le_bytes());
    file.extend((2 * rate).to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend(length.to_le_bytes());
    file.extend(data);
    file
}

/// A window with the transform of a recording of three tones, of which one lies between two bins.
fn three_tones(folder: &tempfile::TempDir) -> Window {
    let rate = 22_050;
    let sample = |i: u32| {
        let tone = |hertz: f64| (std::f64::consts::TAU * hertz * f64::from(i) / f64::from(rate)).sin();
        0.4 * tone(440.0) + 0.3 * tone(1234.5) + 0.2 * tone(7000.0)
    };
    let path = folder.path().join("tones.wav");
    std::fs::write(&path, recording(rate, &(0..rate).map(sample).collect::<Vec<_>>())).unwrap();
    let mut memory = memory(Preset::Signal, Origin::default(), "dft");
    memory.settings.signal_look.measures = Some(false);
    window(memory, vec![path])
}

#[test]
fn the_transform_of_a_recording_is_one_sided_in_decibels_and_lists_its_tones() {
    let folder = tempfile::tempdir().unwrap();
    let shown = three_tones(&folder);
    let report = workspace(&shown).report().unwrap().clone();
    let line = report.line.clone().unwrap();
    assert!(line.frame.scale == Scale::Db && !line.frame.shifted && line.frame.last <= 11_026.0, "{:?}", line.frame);
    assert!(shown.query_by_label_contains("Spectrum plot, 11026 values").is_some(), "from 0 to half the rate");
    for tone in ["440", "1234.5", "7000"] {
        assert_eq!(shown.query_all_by_label(tone).count(), 1, "{tone} is listed once");
    }
    let visible: Vec<f64> = line.peaks.iter().map(|peak| peak.0).filter(|position| *position <= 11_025.0).collect();
    assert_eq!(visible.len(), 3, "{visible:?}");
}

#[test]
fn a_row_is_held_and_read_out_beside_the_newest() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut window = three_tones(&folder);
    click(&mut window, "Hold the row");
    settle(&mut window);
    let at = window.get_by_label_contains("Spectrum plot").rect().center();
    window.hover_at(at);
    wait(&mut window, "the held value is not read out", |window| says(window, "held "));
    let session = folder.path().join("held.json");
    papillon::ui::save_session(workspace(&window).memory(), &session).unwrap();
    click(&mut window, "Difference");
    settle(&mut window);
    click(&mut window, "Release");
    settle(&mut window);
    window.hover_at(at);
    window.run_steps(3);
    assert!(!says(&window, "held "));
    assert!(window.query_by_label("Hold the row").is_some(), "another row can be held");
    click(&mut window, "Hold the row");
    settle(&mut window);
    window.input_mut().dropped_files.push(std::sync::Arc::new(super::layouts::Dropped(session)));
    wait(&mut window, "a session takes over the row of another one", |window| window.query_by_label("Hold the row").is_some());
}

#[test]
fn two_sided_shows_the_mirrored_half_and_off_takes_it_away() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = three_tones(&folder);
    click(&mut shown, "Two-sided");
    settle(&mut shown);
    let line = workspace(&shown).report().unwrap().line.clone().unwrap();
    assert!(line.frame.shifted && line.frame.last == 22_050.0 && shown.query_by_label_contains("Spectrum plot, 22050 values").is_some());
    assert_eq!(shown.query_all_by_label("1234.5").count(), 1, "the mirrored peak is not listed");
    click(&mut shown, "Two-sided");
    settle(&mut shown);
    let line = workspace(&shown).report().unwrap().line.clone().unwrap();
    assert!(!line.frame.shifted && line.frame.last <= 11_026.0);
    click(&mut shown, "Log axis");
    settle(&mut shown);
    let line = workspace(&shown).report().unwrap().line.clone().unwrap();
    assert_eq!(line.frame.log_origin, Some(0.0));
    assert!(shown.get_by_label("Two-sided").accesskit_node().is_disabled(), "a logarithmic axis has no frequencies below 0");
    assert!(line.columns[..60].iter().enumerate().all(|(k, column)| column[0] == k as f64 + 1.0), "low frequencies are not thinned out");
    assert_eq!(shown.query_all_by_label("440").count(), 1);
    let mut image = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    click(&mut image, "More in Spectrum");
    assert!(image.query_by_label("Two-sided").is_none(), "the rows of an image's spectrum are no mirror of themselves");
    assert!(image.query_by_label("Centred plot").is_some());
}

/// A window with an image of 60 rows and 90 columns, in which a grating runs.
fn oblong(preset: Preset) -> Window {
    let Generator::Gratings(mut gratings) = generator("Gratings") else { unreachable!() };
    (gratings.rows, gratings.columns) = (60, 90);
    window(memory(preset, Origin::Generator(Generator::Gratings(gratings)), "dft2"), Vec::new())
}

fn generator(name: &str) -> Generator {
    (GENERATORS.iter().find(|entry| entry.name == name).unwrap().default)()
}

#[test]
fn frequencies_have_one_scale_on_both_axes() {
    let mut shown = oblong(Preset::Image);
    let frame = workspace(&shown).report().unwrap().request.view.image.unwrap();
    assert_eq!((frame.rect.width, frame.rect.height), (90.0, 60.0), "all is visible");
    let middle = shown.get_by_role_and_label(Role::Image, "Spectrum image").rect().center();
    shown.hover_at(middle + egui::vec2(50.0, -50.0));
    shown.run_steps(3);
    let read_out = shown.get_by_label_contains("anticlockwise from x").accesskit_node().value().unwrap();
    let angle: f64 = read_out.split("angle ").nth(1).unwrap().split('°').next().unwrap().parse().unwrap();
    assert!((angle - 45.0).abs() < 4.0, "the angle on the screen is that of the read-out: {read_out}");
    assert!(says(&shown, "90 × 60 px image"), "an image is width × height");
}

#[test]
fn an_inverse_shows_samples_in_gray_with_its_formula() {
    let mut shown = oblong(Preset::Image);
    assert!(says(&shown, "X[k, l] = Σ Σ x[m, n]"));
    let spectrum = workspace(&shown).report().unwrap().request.view.look;
    click(&mut shown, "Inverse");
    settle(&mut shown);
    assert!(says(&shown, "x[m, n] = 1/(MN) · Σ Σ X[k, l]"));
    let view = workspace(&shown).report().unwrap().request.view.clone();
    assert_eq!(view.look, Look::of_samples());
    assert!(view.line.is_none_or(|line| line.scale == Scale::Linear && !line.shifted && !line.peaks));
    assert!(shown.query_by_label("Rings").is_none(), "samples have no frequencies");
    shown.get_by_label("Forward").scroll_to_me();
    shown.run_steps(40);
    click(&mut shown, "Forward");
    settle(&mut shown);
    assert_eq!(workspace(&shown).report().unwrap().request.view.look, spectrum);
}

#[test]
fn a_spectrum_image_opens_between_percentiles() {
    let Generator::Checkerboard(mut board) = generator("Checkerboard") else { unreachable!() };
    (board.rows, board.columns, board.square) = (96, 80, 7);
    let origin = Origin::Generator(Generator::Checkerboard(board));
    let shown = window(memory(Preset::Image, origin, "dft2"), Vec::new());
    let report = workspace(&shown).report().unwrap().clone();
    let image = report.image.clone().unwrap();
    let largest = (1.0 + 96.0 * 80.0 / 2.0_f32).log10();
    assert!(image.range[1] < 0.95 * largest && image.range[0] < image.range[1], "{:?} of {largest}", image.range);
}

/// Exports the view under the pointer to a path that is typed.
pub(super) fn export(window: &mut Window, command: Command, path: &std::path::Path) {
    run(window, command);
    wait(window, "the window does not ask", |window| window.query_by_label("Path of the file").is_some());
    window.run_steps(3);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.step();
    window.get_by_label("Path of the file").type_text(path.to_str().unwrap());
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    let name = path.file_name().unwrap().to_str().unwrap();
    wait(window, "nothing is said", |window| {
        let message = workspace(window).message();
        ["Wrote", "cannot write"].iter().any(|word| message.starts_with(word)) && message.contains(name)
    });
}

#[test]
fn exports_are_what_their_ending_says() {
    let folder = tempfile::tempdir().unwrap();
    let image = oblong(Preset::Image);
    let memory = workspace(&image).memory().clone();
    let mut image = super::window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let middle = image.get_by_role_and_label(Role::Image, "Spectrum image").rect().center();
    image.hover_at(middle);
    image.run_steps(3);
    let svg = folder.path().join("view.svg");
    export(&mut image, Command::ExportView, &svg);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<?xml") && text.contains("data:image/png;base64,"), "{}", &text[..200]);
    for words in ["frequency along x (cycles per pixel)", "frequency along y", "(1 + |X|)", "90 × 60 px image", "Viridis", "Gratings"] {
        assert!(text.contains(words), "{words} is missing");
    }
    let png = folder.path().join("view.png");
    export(&mut image, Command::ExportView, &png);
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    export(&mut image, Command::ExportView, &folder.path().join("view.tiff"));
    assert!(
        workspace(&image).message().ends_with("a drawing is written as .svg, .paths.svg, .tex, .pdf or .png"),
        "{}",
        workspace(&image).message()
    );
    let csv = folder.path().join("values.csv");
    export(&mut image, Command::ExportValues, &csv);
    let text = std::fs::read_to_string(&csv).unwrap();
    assert!(text.starts_with("# transform: dft2 (forward)\n"));
    assert!(text.contains("row,column,frequency along y (cycles per pixel),frequency along x (cycles per pixel),real,imaginary\n"));
    assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 1 + 60 * 90);
}

#[test]
fn a_plot_is_exported_with_its_curve_and_axes() {
    let folder = tempfile::tempdir().unwrap();
    let tones = three_tones(&folder);
    let memory = workspace(&tones).memory().clone();
    let mut tones = super::window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let middle = tones.get_by_label_contains("Spectrum plot, ").rect().center();
    tones.hover_at(middle);
    tones.run_steps(3);
    let svg = folder.path().join("plot.svg");
    export(&mut tones, Command::ExportView, &svg);
    tones.hover_at(middle);
    tones.run_steps(3);
    assert!(says(&tones, "Wrote ") && !says(&tones, "index "), "the confirmation stays while the pointer is over the plot");
    wait(&mut tones, "the read-out does not come back", |tones| says(tones, "index ") && !says(tones, "Wrote "));
    let text = std::fs::read_to_string(&svg).unwrap();
    for words in [">frequency (Hz)<", ">|X| (dB)<", ">1234.5<", "16-bit", "<path d=\"M", "Fourier (DFT) of tones.wav"] {
        assert!(text.contains(words), "{words} is missing");
    }
    assert!(!text.contains("<image"));
}
