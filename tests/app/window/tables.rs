//! Tables as a person with a spreadsheet reads them: the bar over the source, its other readings, and the way back from each.

use super::*;
use egui_kittest::kittest::NodeT as _;
use papillon::signal::{ChannelChoice, Layout, TimeChoice, Uneven};
use std::f64::consts::TAU;

/// A window with a file of this text.
fn opened(folder: &tempfile::TempDir, name: &str, text: &str) -> Window {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    window(Memory::default(), vec![path])
}

/// The same with the transform of its values in place of the measured spectrum.
fn transformed(folder: &tempfile::TempDir, name: &str, text: &str) -> Window {
    let mut shown = opened(folder, name, text);
    if shown.query_by_label("Raw").is_none() {
        click(&mut shown, "More in Spectrum");
    }
    click(&mut shown, "Raw");
    settle(&mut shown);
    shown
}

/// Eight weeks of daily values with a wave of a week, and two other columns.
fn house() -> String {
    let row = |k: i32| {
        let (month, day) = if k < 31 { (1, k + 1) } else { (2, k - 30) };
        format!("2021-{month:02}-{day:02},{:.3},{},{}\n", 20.0 + (TAU * f64::from(k) / 7.0).sin(), k % 5, k % 3)
    };
    "date,warmth (°C),people,doors\n".to_owned() + &(0..56).map(row).collect::<String>()
}

/// The names of the channels that are shown.
fn channels(window: &Window) -> Vec<String> {
    let job = &workspace(window).report().unwrap().request.job;
    job.signal.channels.iter().map(|channel| channel.name.clone()).collect()
}

fn undo(window: &mut Window, command: Command) {
    run(window, command);
    settle(window);
}

/// Frames until a change of the settings is a step of its own for undo.
fn rest(window: &mut Window) {
    window.run_steps(80);
}

#[test]
fn every_reading_is_undone_and_redone() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    let is_daily = |window: &Window| says(window, "frequency (1/day)");
    assert!(is_daily(&window) && says(&window, "times of the samples: 1 per day"));
    rest(&mut window);
    click(&mut window, "Count the samples");
    settle(&mut window);
    assert!(!is_daily(&window) && says(&window, "frequency (cycles per sample)"));
    rest(&mut window);
    undo(&mut window, Command::Undo);
    assert!(is_daily(&window), "undo reads the table as it was opened");
    undo(&mut window, Command::Redo);
    assert!(!is_daily(&window));
    click(&mut window, "Use the times");
    settle(&mut window);
    assert!(is_daily(&window));
    rest(&mut window);
    choose(&mut window, "Time axis", "None");
    assert_eq!(workspace(&window).memory().settings.table.as_ref().unwrap().time, TimeChoice::None);
    undo(&mut window, Command::Undo);
    assert!(is_daily(&window));
}

#[test]
fn rows_as_signals_have_a_way_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    click(&mut window, "Reading");
    click(&mut window, "Rows are signals");
    settle(&mut window);
    assert_eq!(workspace(&window).report().unwrap().request.job.signal.rows, 56);
    assert!(says(&window, "Every row is a signal of its own."));
    click(&mut window, "Columns are channels");
    settle(&mut window);
    assert_eq!(channels(&window), ["warmth", "people", "doors"]);
}

#[test]
fn columns_without_names_are_channels_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |n: usize| (0..24).map(move |k| (0..n).map(|c| format!("{}", (k * k + 3 * c) % 17)).collect::<Vec<_>>().join(",") + "\n");
    let mut three = opened(&folder, "three.csv", &rows(3).collect::<String>());
    assert!(says(&three, "Every row is a signal of its own."));
    click(&mut three, "Columns are channels");
    settle(&mut three);
    assert_eq!(channels(&three).len(), 3);
    assert_eq!(workspace(&three).memory().settings.table.as_ref().unwrap().layout, Layout::Columns);
    let mut four = opened(&folder, "four.csv", &rows(4).collect::<String>());
    assert_eq!(workspace(&four).memory().preset, Preset::System, "rows of four may be equations");
    assert!(says(&four, "Every row is an equation."));
    click(&mut four, "Columns are channels");
    settle(&mut four);
    assert_eq!((workspace(&four).memory().preset, channels(&four).len()), (Preset::Signal, 4));
}

#[test]
fn a_pasted_table_is_read_in_another_way() {
    let mut window = window(memory(Preset::Signal, small_image(), "dft"), Vec::new());
    window.event(egui::Event::Paste(house()));
    window.run_steps(2);
    settle(&mut window);
    assert!(says(&window, "frequency (1/day)"));
    rest(&mut window);
    choose(&mut window, "Time axis", "Index");
    assert!(says(&window, "frequency (cycles per sample)"));
    click(&mut window, "Channels: 3 of 3");
    click(&mut window, "people");
    settle(&mut window);
    assert_eq!(channels(&window), ["warmth", "doors"]);
    window.key_press(egui::Key::Escape);
    rest(&mut window);
    undo(&mut window, Command::Undo);
    undo(&mut window, Command::Undo);
    assert!(says(&window, "frequency (1/day)") && channels(&window).len() == 3);
}

#[test]
fn ticks_stay_in_reach_and_the_channel_keeps_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    choose(&mut window, "Channel", "doors");
    let plot = window.get_by_label_contains("Source plot, ").rect();
    click(&mut window, "Channels: 3 of 3");
    for name in ["warmth (°C)", "people"] {
        click(&mut window, name);
        settle(&mut window);
    }
    assert_eq!((channels(&window), workspace(&window).memory().settings.channel), (vec!["doors".to_owned()], ChannelChoice::default()));
    click(&mut window, "warmth (°C)");
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.channel, ChannelChoice::Channel(1), "the doors are the second channel");
    assert_eq!(window.get_by_label_contains("Source plot, ").rect(), plot, "nothing below the bar moves");
}

#[test]
fn the_first_rows_open_over_the_plot() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    let plot = window.get_by_label_contains("Source plot, ").rect();
    click(&mut window, "First rows");
    assert!(window.query_by_label("2021-01-08").is_some(), "the eighth row is there");
    assert_eq!(window.get_by_label_contains("Source plot, ").rect(), plot);
    window.key_press(egui::Key::Escape);
    window.run_steps(4);
    assert!(window.query_by_label("2021-01-08").is_none(), "Escape closes them");
}

#[test]
fn a_refused_reading_leaves_what_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    choose(&mut window, "Time axis", "people");
    let message = workspace(&window).message().to_owned();
    assert!(message.contains("“people”") && message.contains("choose another Time axis"), "{message}");
    assert!(says(&window, "frequency (1/day)"));
    assert_eq!(workspace(&window).memory().settings.table, None, "the list shows what is read");
    choose(&mut window, "Time axis", "Index");
    assert!(says(&window, "frequency (cycles per sample)"), "the next choice is taken");
}

#[test]
fn codes_for_missing_values_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let value = |k: i32| if k % 20 == 9 { -9999.0 } else { f64::from(k % 7) };
    let text = "time (h),level (m)\n".to_owned() + &(0..80).map(|k| format!("{k},{}\n", value(k))).collect::<String>();
    let mut window = opened(&folder, "tide.csv", &text);
    assert!(!says(&window, "of them filled"));
    click(&mut window, "Reading");
    window.get_by_label("Codes for missing values").focus();
    window.run_steps(2);
    window.get_by_label("Codes for missing values").type_text("-9999");
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    window.run_steps(2);
    settle(&mut window);
    assert!(says(&window, "Source plot, 80 values, 4 of them filled"));
    assert!(says(&window, "missing values of “level (m)” are interpolated"));
}

#[test]
fn a_choice_is_remembered_for_the_same_columns_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    click(&mut window, "Count the samples");
    settle(&mut window);
    let second = folder.path().join("second.csv");
    std::fs::write(&second, house()).unwrap();
    window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(second)));
    window.step();
    settle(&mut window);
    assert!(says(&window, "as you chose for one with the same columns") && says(&window, "frequency (cycles per sample)"));
    click(&mut window, "Read automatically");
    settle(&mut window);
    assert!(says(&window, "frequency (1/day)") && !says(&window, "as you chose"));
}

#[test]
fn uneven_samples_stand_at_their_times() {
    let folder = tempfile::tempdir().unwrap();
    // Samples at the squares: the largest value is at 50 of 400 s, and is the seventh of 21.
    let row = |k: i32| format!("{},{}\n", k * k, if k == 7 { 9 } else { k % 3 });
    let mut window = opened(&folder, "star.csv", &("t (s),light\n".to_owned() + &(0..=20).map(row).collect::<String>()));
    let notes = workspace(&window).report().unwrap().request.job.signal.notes.clone();
    assert!(says(&window, "straight lines"), "it is resampled, and this is said: {notes:?}");
    click(&mut window, "Reading");
    click(&mut window, "Keep them");
    settle(&mut window);
    window.key_press(egui::Key::Escape);
    window.run_steps(3);
    assert_eq!(workspace(&window).memory().settings.table.as_ref().unwrap().uneven, None);
    assert!(says(&window, "Source plot, 21 values, largest 9 at 49 s, over t (s)"));
    let plot = window.get_by_label_contains("Source plot, ").rect();
    window.hover_at(plot.left_center() + egui::vec2(0.5 * plot.width(), 0.0));
    // Half of the axis is 200 s, which lies next to 196.
    wait(&mut window, "the time is not read out", |window| says(window, "sample 14   196 s   light 2"));
    click(&mut window, "Reading");
    click(&mut window, "Resample along a smooth curve");
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.table.as_ref().unwrap().uneven, Some(Uneven::Cubic));
}

#[test]
fn a_periodogram_lists_what_noise_has_not_and_leaves_other_controls_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let noise: Vec<f64> = std::iter::successors(Some(1_u32), |state| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)))
        .map(|state| f64::from(state >> 8) / f64::from(1 << 24))
        .take(400)
        .collect();
    let row = |k: usize, wave: f64| {
        let light = noise[2 * k] + wave * (TAU * 0.1 * k as f64).sin();
        format!("{:.3},{light:.4}\n", k as f64 + 0.4 * noise[2 * k + 1])
    };
    let text = |wave: f64| "t (s),light (mag)\n".to_owned() + &(0..200).map(|k| row(k, wave)).collect::<String>();
    for (name, wave, is_clear) in [("noise.csv", 0.0, false), ("wave.csv", 1.0, true)] {
        let mut window = transformed(&folder, name, &text(wave));
        if window.query_by_label("Lomb-Scargle").is_none() {
            click(&mut window, "More in Spectrum");
        }
        let place = window.get_by_label("Peaks").rect();
        click(&mut window, "Lomb-Scargle");
        settle(&mut window);
        assert_eq!(says(&window, "No peak above the 1 % false-alarm level"), !is_clear, "{name}");
        assert_eq!(window.get_by_label("Peaks").rect(), place, "the controls stay where they are");
        assert!(window.get_by_label("Log axis").accesskit_node().is_disabled(), "{name}");
    }
}

#[test]
fn the_spectrum_has_the_unit_of_its_channel() {
    let folder = tempfile::tempdir().unwrap();
    let measured = opened(&folder, "house.csv", &house());
    assert!(says(&measured, "amplitude (dB re 1 °C)"));
    let mut window = transformed(&folder, "house.csv", &house());
    assert!(says(&window, "(dB re 1 °C)"));
    choose(&mut window, "Plotted scale", "Linear");
    assert!(says(&window, "|X| (°C)"));
    choose(&mut window, "Plotted quantity", "Power");
    assert!(says(&window, "|X|² (°C²)"));
    choose(&mut window, "Channel", "people");
    assert!(says(&window, "|X|²") && !says(&window, "|X|² ("));
}

#[test]
fn the_head_of_the_peaks_stays_within_the_window_whatever_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    for unit in ["V", "kWh", "mm per day", "mW/cm²/nm/sr"] {
        let text = house().replace("(°C)", &format!("({unit})"));
        let measured = opened(&folder, "house.csv", &text);
        let period = measured.get_by_label("period").rect();
        assert!(period.right() <= measured.ctx.content_rect().right(), "{unit}: {period:?}");
        let mut window = transformed(&folder, "house.csv", &text);
        for reading in [None, Some("Count the samples")] {
            if let Some(button) = reading {
                click(&mut window, button);
                settle(&mut window);
                window.run_steps(3);
            }
            let width = window.ctx.content_rect().right();
            let heads: Vec<_> = window.query_all_by_label_contains("|X|\n(dB re").map(|head| head.rect()).collect();
            assert!(!heads.is_empty() && heads.iter().all(|head| head.right() <= width), "{unit}, {reading:?}: {heads:?} in {width}");
        }
    }
}

#[test]
fn the_sample_of_the_lesson_is_read_in_other_ways_too() {
    let mut window = window(memory(Preset::Signal, Origin::Sample("Daylight".into()), "dft"), Vec::new());
    let sampling = |window: &Window| workspace(window).report().unwrap().request.job.signal.sampling().map(|found| found.to_string());
    assert_eq!(sampling(&window).as_deref(), Some("1 per week"));
    choose(&mut window, "Time axis", "Index");
    assert_eq!(sampling(&window), None);
}

#[cfg(unix)]
#[test]
fn reading_that_takes_long_has_a_button_that_gives_it_up() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.csv");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut window = window(memory(Preset::Signal, small_image(), "dft"), Vec::new());
    window.input_mut().dropped_files.push(std::sync::Arc::new(layouts::Dropped(pipe)));
    wait(&mut window, "there is no button", |window| says(window, "Reading pipe.csv") && window.query_by_label("Cancel").is_some());
    click(&mut window, "Cancel");
    wait(&mut window, "the pipe is not given up", |window| workspace(window).message() == "Loading is cancelled");
}

#[test]
fn a_low_pane_keeps_its_plot_and_opens_the_notes() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&folder, "house.csv", &house());
    let high = window.get_by_label_contains("Source plot, ").rect().height();
    run(&mut window, Command::ToggleDrawer);
    window.set_size(egui::vec2(1280.0, 640.0));
    settle(&mut window);
    let low = window.get_by_label_contains("Source plot, ").rect().height();
    assert!(low < high && low >= 16.0, "{low} of {high}");
    assert!(says(&window, "times of the samples: 1 per day"));
    click(&mut window, "1 note");
    click(&mut window, "Count the samples");
    settle(&mut window);
    assert!(says(&window, "frequency (cycles per sample)"));
}
