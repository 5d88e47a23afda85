//! Slow units, periods and the names of axes, as a person sees them.

use super::{Window, click, enter, memory, says, settle, wait, window, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use papillon::ui::{Command, Origin, Preset};
use std::f64::consts::TAU;

/// A table with one column, a wave of 7 samples about a large mean.
fn week(folder: &tempfile::TempDir) -> Window {
    let path = folder.path().join("week.csv");
    let text = (0..140).fold("visitors\n".to_owned(), |text, k| format!("{text}{:.3}\n", 900.0 + 40.0 * (TAU * f64::from(k) / 7.0).sin()));
    std::fs::write(&path, text).unwrap();
    window(memory(Preset::Signal, Origin::default(), "dft"), vec![path])
}

#[test]
fn every_frequency_has_its_period_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = week(&folder);
    assert!(says(&shown, "7 samples"), "the peak has its period in samples while nothing else is known");
    for (rate, unit, period) in
        [("1 day", "1/day", "7 days"), ("1/h", "1/h", "7 h"), ("12 per year", "1/year", "0.58333 years"), ("1 s", "Hz", "7 s")]
    {
        enter(&mut shown, "Rate", rate);
        assert!(says(&shown, &format!("frequency ({unit})")), "{rate}");
        assert!(shown.query_by_label(period).is_some(), "{rate}: the table of peaks has no {period}");
        assert!(shown.query_by_label("∞").is_none() && shown.query_by_label("0").is_none(), "{rate}: frequency 0 is no peak");
    }
    let field = shown.get_by_role_and_label(Role::SpinButton, "Rate").value();
    assert_eq!(field.as_deref(), Some("1 Hz"));
    enter(&mut shown, "Rate", "1 day");
    let field = shown.get_by_role_and_label(Role::SpinButton, "Rate").value();
    assert_eq!(field.as_deref(), Some("1 per day"));
}

#[test]
fn a_second_axis_of_periods_stands_above_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = week(&folder);
    enter(&mut shown, "Rate", "1 day");
    let svg = |window: &mut Window, name: &str| {
        let middle = window.get_by_label_contains("Spectrum plot, ").rect().center();
        window.hover_at(middle);
        window.run_steps(3);
        let path = folder.path().join(name);
        super::spectra::export(window, Command::ExportView, &path);
        std::fs::read_to_string(&path).unwrap()
    };
    let before = svg(&mut shown, "before.svg");
    if shown.query_by_label("Periods").is_none() {
        click(&mut shown, "More in Spectrum");
    }
    click(&mut shown, "Periods");
    settle(&mut shown);
    assert!(workspace(&shown).memory().settings.result_look().line.periods);
    let after = svg(&mut shown, "after.svg");
    assert!(!before.contains("period (days)") && after.contains(">period (days)<"), "{after}");
    assert!(after.contains(">frequency (1/day)<") && after.contains(">10<"), "0.1 per day is a period of 10 days");
}

#[test]
fn the_source_has_the_name_of_its_column_and_reads_out_its_samples() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = week(&folder);
    enter(&mut shown, "Rate", "1 day");
    let plot = shown.get_by_label_contains("Source plot, ").rect();
    shown.hover_at(plot.center());
    wait(&mut shown, "the read-out does not name the column", |shown| says(shown, "visitors "));
    let path = folder.path().join("source.svg");
    super::spectra::export(&mut shown, Command::ExportView, &path);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(">visitors over time (days)<") && !text.contains(">value<"), "{text}");
}

#[test]
fn uneven_samples_have_a_periodogram_and_even_ones_need_none() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!says(&week(&folder), "Lomb-Scargle"), "even samples have a spectrum");
    let path = folder.path().join("star.csv");
    let time = |k: i32| f64::from(k) * 0.2 + 0.09 * (f64::from(k * k) * 0.7).sin();
    let row = |k: i32| format!("{:.4},{:.5}\n", time(k), 5.0 + 2.0 * (TAU * 0.8 * time(k)).cos());
    std::fs::write(&path, "t,light\n".to_owned() + &(0..300).map(row).collect::<String>()).unwrap();
    let mut shown = window(memory(Preset::Signal, Origin::default(), "dft"), vec![path]);
    if shown.query_by_label("Lomb-Scargle").is_none() {
        click(&mut shown, "More in Spectrum");
    }
    click(&mut shown, "Lomb-Scargle");
    settle(&mut shown);
    assert!(workspace(&shown).memory().settings.result_look().line.periodogram);
    let plot = shown.get_by_label_contains("Lomb-Scargle periodogram, ").rect();
    assert!(says(&shown, "frequency (Hz), period 1.2"), "the plot says its strongest period");
    assert!(shown.query_by_label("1.25 s").is_some(), "the table lists it");
    shown.hover_at(plot.center());
    wait(&mut shown, "the level is not read out", |shown| says(shown, "1 % false-alarm level") && says(shown, "(Baluev 2008)"));
    let svg = folder.path().join("periodogram.svg");
    super::spectra::export(&mut shown, Command::ExportView, &svg);
    let text = std::fs::read_to_string(&svg).unwrap();
    assert!(text.contains("Lomb-Scargle periodogram of star.csv") && text.contains("Zechmeister"), "{text}");
}

#[test]
fn dates_stand_along_the_samples_and_what_is_missing_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("house.csv");
    // A week in daily values of a year, with a month from 2021 to 2022 in the middle; two days are missing.
    let day = |k: i32| {
        let (month, day) = if k < 31 { (12, k + 1) } else { (1, k - 30) };
        format!("{}-{month:02}-{day:02}", if k < 31 { 2021 } else { 2022 })
    };
    let value = |k: i32| if (20..22).contains(&k) { String::new() } else { format!("{:.3}", 20.0 + (TAU * f64::from(k) / 7.0).sin()) };
    let rows: String = (0..62).map(|k| format!("{},{}\n", day(k), value(k))).collect();
    std::fs::write(&path, "date,warmth (°C)\n".to_owned() + &rows).unwrap();
    let mut shown = window(memory(Preset::Signal, Origin::default(), "dft"), vec![path]);
    assert!(says(&shown, "Source plot, 62 values, 2 of them filled"), "the marks are told");
    assert!(says(&shown, "frequency (1/day)"), "the unit of frequencies");
    let plot = shown.get_by_label_contains("Source plot, ").rect();
    shown.hover_at(plot.center());
    // The frame of the axes decides which day is in the middle.
    let is_read = |shown: &Window| ["2021-12-29", "2021-12-30", "2021-12-31", "2022-01-01"].iter().any(|day| says(shown, day));
    wait(&mut shown, "the date is not read out", is_read);
    assert!(says(&shown, "warmth ") && says(&shown, " °C"), "the value with its unit");
    let svg = folder.path().join("source.svg");
    super::spectra::export(&mut shown, Command::ExportView, &svg);
    let text = std::fs::read_to_string(&svg).unwrap();
    for words in [">date<", ">warmth (°C) over date<", ">2021-12-27<"] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
    // The periodogram takes the samples without those that were filled.
    if shown.query_by_label("Lomb-Scargle").is_none() {
        click(&mut shown, "More in Spectrum");
    }
    click(&mut shown, "Lomb-Scargle");
    settle(&mut shown);
    assert!(says(&shown, "Lomb-Scargle periodogram, ") && shown.query_by_label("7 days").is_some(), "the table has the week");
}
