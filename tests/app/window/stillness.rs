//! Nothing jumps: no note, no warning and no longer number moves a control that the user is about to click.

use super::layouts::fixture;
use super::screens::controls;
use super::{Window, choose, click, memory, run, says, set, settle, small_image, wait, window, workspace};
use egui::Rect;
use egui_kittest::kittest::Queryable as _;
use papillon::signal::generate::{Equations, Generator, SystemExample};
use papillon::ui::{Command, Memory, Origin, Preset};
use std::collections::BTreeMap;

/// The largest distance that does not count as a jump, in points.
const SLACK: f32 = 0.5;

/// The width of the column of source and transform, in points.
const LEFT: f32 = 320.0;

/// Where the controls are that have a name and a role of their own.
fn places(window: &Window) -> BTreeMap<String, Rect> {
    let mut places = BTreeMap::new();
    let mut several = Vec::new();
    for control in controls(window) {
        let key = format!("{:?} {}", control.role, control.name);
        if places.insert(key.clone(), control.rect).is_some() {
            several.push(key);
        }
    }
    places.retain(|key, _| !several.contains(key));
    places
}

/// Changes something, and asserts that every control that is still there is where it was, except those that end in one of `but`.
fn stays(window: &mut Window, what: &str, but: &[&str], change: impl FnOnce(&mut Window)) {
    stays_left_of(window, f32::INFINITY, what, but, change);
}

/// The same for the controls left of `right`, in points.
fn stays_left_of(window: &mut Window, right: f32, what: &str, but: &[&str], change: impl FnOnce(&mut Window)) {
    window.run_steps(4);
    let before = places(window);
    change(window);
    settle(window);
    window.run_steps(4);
    let after = places(window);
    assert!(before.len() > 12, "{what}: {} controls", before.len());
    let is_compared = |name: &String| !but.iter().any(|but| name.ends_with(but));
    let moved: Vec<String> = before
        .iter()
        .filter(|(name, rect)| is_compared(name) && rect.right() < right)
        .filter_map(|(name, rect)| Some((name, rect, after.get(name)?)))
        // A longer text makes a control wider, and does not move it.
        .filter(|(_, before, after)| (before.min - after.min).length() > SLACK)
        .map(|(name, before, after)| format!("{name} from {:?} to {:?}", before.min, after.min))
        .collect();
    assert!(moved.is_empty(), "{what} moves\n{}", moved.join("\n"));
}

#[test]
fn a_flipped_value_moves_no_cell() {
    let mut window = window(Memory::default(), Vec::new());
    run(&mut window, Command::Preset(Preset::Logic));
    settle(&mut window);
    stays(&mut window, "flipping f(5)", &[], |window| click(window, "f(5) = 0"));
}

#[test]
fn a_typing_error_in_a_function_moves_nothing() {
    let mut window = window(Memory::default(), Vec::new());
    run(&mut window, Command::Preset(Preset::Logic));
    settle(&mut window);
    stays(&mut window, "an unfinished function", &[], |window| {
        window.get_by_label("Boolean function").focus();
        window.run_steps(2);
        window.get_by_label("Boolean function").type_text(" ^ (");
        window.run_steps(2);
        assert!(says(window, "the expression ends"), "the error is said");
    });
}

#[test]
fn a_measured_time_moves_no_control() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    stays(&mut window, "a comparison with libraries", &[], |window| {
        run(window, Command::Measure);
        wait(window, "nothing is measured", |window| {
            let outcome = workspace(window).report().and_then(|report| report.outcome().cloned());
            outcome.is_some_and(|outcome| outcome.reason.contains("measured") && !outcome.comparisons.is_empty())
        });
    });
    stays(&mut window, "another algorithm", &[], |window| choose(window, "Algorithm", "bluestein"));
    stays(&mut window, "noise that is found", &[], |window| {
        if window.query_by_label("Find periodic noise").is_none() {
            click(window, "More in Filtered");
        }
        click(window, "Find periodic noise");
        run(window, Command::Cancel);
    });
}

#[test]
fn what_mends_an_error_moves_nothing_above_it() {
    let mut window = window(memory(Preset::Image, Origin::File(fixture("gray8.png")), "walsh2"), Vec::new());
    // The remedies take the place of the tile and the preparation; the views get back their result.
    stays_left_of(&mut window, LEFT, "a size that Walsh takes", &["Preparation", "Candidates"], |window| {
        window.get_by_label_contains("Crop to ").click();
        window.run_steps(3);
    });
}

#[test]
fn a_longer_number_moves_no_control() {
    let mut wavelet = window(memory(Preset::Wavelet, small_image(), "cdf97-2"), Vec::new());
    stays(&mut wavelet, "a share of the coefficients", &[], |window| set(window, "Share", 37.25));
    stays(&mut wavelet, "another size", &[], |window| set(window, "Square", 13.0));
    let poisson = |example, n| Origin::Generator(Generator::Equations(Equations { example, n }));
    let mut system = window(memory(Preset::System, poisson(SystemExample::Poisson, 12), "tridiagonal"), Vec::new());
    stays(&mut system, "a system with a warning", &["Tile", "Tile size"], |window| choose(window, "Equations", "Zero pivots"));
}
