//! The controls of every generator: mostly sliders.

use super::typed::typed_ui;
use crate::choice::Named;
use crate::signal::generate::{
    Checkerboard, Chirp, Distribution, Equations, Generator, Grating, Gratings, Impulse, NoiseColour, NoiseImage, NoiseSignal, Polynomial,
    SineSum, SineTerm, SquareWave, SystemExample, TextImage, ZonePlate,
};
use crate::ui::size_field;
use crate::ui::theme::GRID;
use crate::ui::widgets::{self, row};
use egui::{DragValue, TextEdit, Ui};

/// Lengths that sliders offer, as powers of two.
const LINE_EXPONENTS: std::ops::RangeInclusive<u32> = 0..=24;
/// The longest side of an image, in pixels.
const LONGEST_SIDE: usize = 1 << 13;
/// Largest number of equations of a system.
const MOST_EQUATIONS: usize = 1 << 24;
/// Largest number of terms of a sum.
const MOST_TERMS: usize = 8;

/// The controls of a generator.
pub(super) fn parameters_ui(ui: &mut Ui, generator: &mut Generator) {
    ui.add_space(GRID);
    match generator {
        Generator::SineSum(SineSum { length, terms }) => sine_sum_ui(ui, length, terms),
        Generator::Chirp(Chirp { length, amplitude, start, end, law }) => {
            length_ui(ui, length);
            choice_ui(ui, "Law", law);
            row(ui, "Start", |ui| widgets::slider(ui, start, 0.0..=half(*length), " cycles"));
            row(ui, "End", |ui| widgets::slider(ui, end, 0.0..=half(*length), " cycles"));
            row(ui, "Amplitude", |ui| widgets::slider(ui, amplitude, 0.0..=2.0, ""));
        }
        Generator::Noise(NoiseSignal { length, amplitude, distribution, seed, colour }) => {
            length_ui(ui, length);
            choice_ui(ui, "Colour", colour);
            // Pink noise is normal.
            noise_ui(ui, amplitude, (*colour == NoiseColour::White).then_some(distribution), seed);
        }
        Generator::Impulse(Impulse { length, position, height }) => {
            length_ui(ui, length);
            *position = (*position).min(length.saturating_sub(1));
            row(ui, "Position", |ui| widgets::whole_slider(ui, position, 0..=length.saturating_sub(1), ""));
            row(ui, "Height", |ui| widgets::slider(ui, height, -2.0..=2.0, ""));
        }
        Generator::Square(SquareWave { length, amplitude, frequency, duty }) => {
            length_ui(ui, length);
            row(ui, "Frequency", |ui| widgets::slider(ui, frequency, 0.0..=half(*length), " cycles"));
            row(ui, "Duty", |ui| widgets::slider(ui, duty, 0.0..=1.0, ""));
            row(ui, "Amplitude", |ui| widgets::slider(ui, amplitude, 0.0..=2.0, ""));
        }
        // A Boolean function has its controls above its truth table.
        Generator::Boolean(_) => {}
        Generator::Typed(typed) => typed_ui(ui, typed),
        Generator::Equations(equations) => equations_ui(ui, equations),
        Generator::Polynomial(polynomial) => polynomial_ui(ui, polynomial),
        Generator::Gratings(Gratings { rows, columns, terms }) => gratings_ui(ui, rows, columns, terms),
        Generator::ZonePlate(ZonePlate { rows, columns, limit }) => {
            sides_ui(ui, rows, columns);
            row(ui, "Limit", |ui| widgets::slider(ui, limit, 0.0..=1.0, ""))
                .on_hover_text("Frequency at the middle of the sides, relative to the Nyquist frequency");
        }
        Generator::Checkerboard(Checkerboard { rows, columns, square }) => {
            sides_ui(ui, rows, columns);
            let longest = (*rows).max(*columns).max(1);
            row(ui, "Square", |ui| widgets::whole_slider(ui, square, 1..=longest.min(128), " px"));
        }
        Generator::Text(TextImage { rows, columns, text, height }) => {
            sides_ui(ui, rows, columns);
            row(ui, "Text", |ui| ui.add(TextEdit::singleline(text).align(egui::Align2::LEFT_CENTER).desired_width(ui.available_width())));
            let tallest = (*rows).max(8) as f64;
            row(ui, "Height", |ui| widgets::slider(ui, height, 4.0..=tallest, " px"));
        }
        Generator::NoiseImage(NoiseImage { rows, columns, amplitude, distribution, seed }) => {
            sides_ui(ui, rows, columns);
            noise_ui(ui, amplitude, Some(distribution), seed);
        }
    }
}

fn equations_ui(ui: &mut Ui, Equations { example, n }: &mut Equations) {
    let choices = SystemExample::offered().into_iter().map(|(example, title, about)| (example, title.to_owned(), about.to_owned()));
    row(ui, "Equations", |ui| widgets::combo(ui, "Equations", example.title(), example, choices)).on_hover_text(example.about());
    row(ui, "Number", |ui| ui.add(DragValue::new(n).range(1..=MOST_EQUATIONS).speed(0.2)));
}

fn polynomial_ui(ui: &mut Ui, Polynomial { scheme, length, seed }: &mut Polynomial) {
    choice_ui(ui, "Scheme", scheme);
    if scheme.length().is_none() {
        length_ui(ui, length);
    }
    row(ui, "Seed", |ui| ui.add(DragValue::new(seed)));
}

fn sine_sum_ui(ui: &mut Ui, length: &mut usize, terms: &mut Vec<SineTerm>) {
    length_ui(ui, length);
    let longest = half(*length);
    let new = SineTerm { amplitude: 0.5, frequency: longest / 4.0, phase: 0.0 };
    terms_ui(ui, "Sine", terms, new, |ui, term| {
        row(ui, "Frequency", |ui| widgets::slider(ui, &mut term.frequency, 0.0..=longest, " cycles"));
        row(ui, "Amplitude", |ui| widgets::slider(ui, &mut term.amplitude, 0.0..=2.0, ""));
        row(ui, "Phase", |ui| widgets::slider(ui, &mut term.phase, -180.0..=180.0, "°"));
    });
}

fn gratings_ui(ui: &mut Ui, rows: &mut usize, columns: &mut usize, terms: &mut Vec<Grating>) {
    sides_ui(ui, rows, columns);
    let longest = half((*rows).max(*columns));
    let new = Grating { frequency: longest / 8.0, angle: 45.0, phase: 0.0, contrast: 0.5 };
    terms_ui(ui, "Grating", terms, new, |ui, grating| {
        row(ui, "Frequency", |ui| widgets::slider(ui, &mut grating.frequency, 0.0..=longest, " cycles"));
        row(ui, "Angle", |ui| widgets::slider(ui, &mut grating.angle, -90.0..=90.0, "°"));
        row(ui, "Contrast", |ui| widgets::slider(ui, &mut grating.contrast, 0.0..=1.0, ""));
        row(ui, "Phase", |ui| widgets::slider(ui, &mut grating.phase, -180.0..=180.0, "°"));
    });
}

/// The highest frequency for a length.
fn half(length: usize) -> f64 {
    (length as f64 / 2.0).max(1.0)
}

fn length_ui(ui: &mut Ui, length: &mut usize) {
    row(ui, "Length", |ui| widgets::power_of_two(ui, length, LINE_EXPONENTS));
}

fn sides_ui(ui: &mut Ui, rows: &mut usize, columns: &mut usize) {
    row(ui, "Size", |ui| size_field::image_size(ui, [columns, rows], LONGEST_SIDE));
}

fn noise_ui(ui: &mut Ui, amplitude: &mut f64, distribution: Option<&mut Distribution>, seed: &mut u64) {
    row(ui, "Amplitude", |ui| widgets::slider(ui, amplitude, 0.0..=2.0, ""));
    if let Some(distribution) = distribution {
        choice_ui(ui, "Distribution", distribution);
    }
    row(ui, "Seed", |ui| ui.add(DragValue::new(seed)));
}

/// A list of the values of a choice.
fn choice_ui<C: Named + Copy + PartialEq + 'static>(ui: &mut Ui, name: &str, choice: &mut C) {
    let offered = C::offered();
    let shown = offered.iter().find(|(value, ..)| value == choice).map_or("", |offered| offered.1);
    let choices = offered.iter().map(|(value, title, about)| (*value, (*title).to_owned(), (*about).to_owned()));
    row(ui, name, |ui| widgets::combo(ui, name, shown, choice, choices));
}

/// The terms of a sum: their controls, and buttons that add and remove a term.
fn terms_ui<T: Clone>(ui: &mut Ui, name: &str, terms: &mut Vec<T>, new: T, mut controls: impl FnMut(&mut Ui, &mut T)) {
    let mut dropped = None;
    let n_terms = terms.len();
    for (index, term) in terms.iter_mut().enumerate() {
        ui.push_id(index, |ui| {
            ui.add_space(GRID);
            ui.horizontal(|ui| {
                ui.strong(format!("{name} {}", index + 1));
                let remove = ui.add_enabled(n_terms > 1, egui::Button::new("Remove"));
                if remove.on_hover_text("Remove this term from the sum").clicked() {
                    dropped = Some(index);
                }
            });
            controls(ui, term);
        });
    }
    if let Some(index) = dropped {
        terms.remove(index);
    }
    ui.add_space(GRID);
    if n_terms < MOST_TERMS && ui.button(format!("Add a {}", name.to_lowercase())).clicked() {
        terms.push(new);
    }
}
