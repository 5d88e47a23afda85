//! The controls of choices: one for each parameter that the table gives a transform.

use super::theme::GRID;
use super::widgets::{self, row};
use crate::choice::{Choice, Chosen, Kind, NamedValue};
use crate::transforms::{Base, Parameter, Parameters, Transform};
use egui::{DragValue, Response, Role, Ui, WidgetInfo};
use std::ops::RangeInclusive;

/// Exponents of powers of two that are offered where nothing bounds them.
const MOST_EXPONENT: u32 = 12;
/// More values than this are in a list that opens.
const MOST_SIDE_BY_SIDE: usize = 4;
/// Larger numbers are typed.
const MOST_OF_A_SLIDER: usize = 1 << 16;
/// The levels that are offered before a signal sets a limit.
const LEVELS: RangeInclusive<usize> = 1..=24;

/// The limits that a signal sets.
#[derive(Default)]
pub(super) struct Room {
    /// The number of levels that the signal allows, once it is known.
    pub(super) most_levels: Option<usize>,
    /// Whether the signal has several rows, so that its columns can be transformed too.
    pub(super) is_batch: bool,
}

/// Shows one control for each parameter of the transform that the signal leaves open.
pub(super) fn parameters_ui(ui: &mut Ui, parameters: &mut Parameters, transform: &Transform, Room { most_levels, is_batch }: Room) {
    for &id in transform.parameters.iter().filter(|id| is_batch || **id != Parameter::Lines) {
        let levels = (id == Parameter::Levels).then(|| most_levels.map_or(LEVELS, |most| most.min(1)..=most));
        choice_ui(ui, parameters, Parameters::choice(id), levels);
    }
}

/// Shows the control of a parameter, within a range of numbers where the caller knows one; says whether the user changed it.
pub(super) fn choice_ui<S: Chosen>(ui: &mut Ui, of: &mut S, choice: &Choice<S>, range: Option<RangeInclusive<usize>>) -> bool {
    let before = choice.text(of);
    let mut text = before.clone();
    row(ui, choice.title, |ui| match &choice.kind {
        Kind::Named(values) if values.len() > MOST_SIDE_BY_SIDE => {
            let named = values.iter().map(|value| (Some(value.name.to_owned()), value.title.to_owned(), value.about().to_owned()));
            let shown = values.iter().find(|value| Some(value.name) == text.as_deref()).unwrap_or(&values[0]).title;
            widgets::combo(ui, choice.title, shown, &mut text, named).on_hover_text(choice.about())
        }
        Kind::Named(values) => named_ui(ui, &mut text, values, choice.automatic),
        Kind::Switch(values) => named_ui(ui, &mut text, values, None),
        // A slider would show a number, and only a range that is known tells which one the algorithm takes.
        Kind::Number { least, most, usual } if *most > MOST_OF_A_SLIDER || range.is_none() && choice.automatic.is_some() => {
            let usual = choice.automatic.map(|automatic| (automatic, *usual));
            number_ui(ui, &mut text, *least..=*most, usual).on_hover_text(choice.about())
        }
        Kind::Number { least, most, usual } => {
            let range = range.unwrap_or((*least).max(1).min(*usual)..=*most);
            let mut shown = number_of(text.as_deref()).unwrap_or(*usual).min(*range.end());
            let response = widgets::whole_slider(ui, &mut shown, range, "");
            if response.changed() {
                text = Some(shown.to_string());
            }
            response.on_hover_text(choice.about())
        }
        Kind::PowerOfTwo { least, most, .. } => {
            let range = range.unwrap_or(*least..=most.unwrap_or(1 << MOST_EXPONENT));
            power_of_two_ui(ui, &mut text, range, choice.automatic).on_hover_text(choice.about())
        }
        Kind::Matrix => matrix_ui(ui, &mut text),
    });
    // A control offers only what the parameter takes.
    text != before && choice.set(of, text.as_deref()).is_ok()
}

/// A number of a wide range, typed or dragged; where the algorithm can choose one, beside a toggle that leaves it to the algorithm.
fn number_ui(ui: &mut Ui, text: &mut Option<String>, range: RangeInclusive<usize>, usual: Option<(&str, usize)>) -> Response {
    let mut number = number_of(text.as_deref());
    let response = ui.horizontal(|ui| {
        let toggle = usual.map(|(automatic, first)| {
            let mut is_automatic = number.is_none();
            let toggle = widgets::toggle(ui, &mut is_automatic, "Auto").on_hover_text(format!("The default: {automatic}"));
            number = if is_automatic { None } else { number.or(Some(first)) };
            toggle
        });
        let field = number.as_mut().map(|number| ui.add(DragValue::new(number).range(range).update_while_editing(false)));
        field.or(toggle)
    });
    *text = number.map(|number| number.to_string());
    response.inner.unwrap_or(response.response)
}

fn number_of(text: Option<&str>) -> Option<usize> {
    text?.parse().ok()
}

/// Values side by side, after the one that the algorithm chooses where it can.
fn named_ui(ui: &mut Ui, text: &mut Option<String>, values: &[NamedValue], automatic: Option<&str>) -> Response {
    let about = automatic.map(|automatic| format!("The default: {automatic}"));
    let fastest = about.as_deref().map(|about| (None, "Fastest", about));
    let named = values.iter().map(|value| (Some(value.name), value.title, value.about()));
    let choices: Vec<_> = fastest.into_iter().chain(named).collect();
    let is_known = |(name, ..): &&(Option<&'static str>, &str, &str)| *name == text.as_deref();
    // A value that only another transform has stands for the default.
    let before = choices.iter().find(is_known).unwrap_or(&choices[0]).0;
    let mut shown = before;
    let response = widgets::segmented(ui, &mut shown, &choices);
    if shown != before {
        *text = shown.map(str::to_owned);
    }
    response
}

/// A power of two in a range; where the algorithm can choose one, beside a toggle that leaves it to the algorithm.
fn power_of_two_ui(ui: &mut Ui, text: &mut Option<String>, range: RangeInclusive<usize>, automatic: Option<&str>) -> Response {
    let exponents = range.start().ilog2()..=range.end().ilog2();
    let mut number = number_of(text.as_deref());
    let mut is_automatic = number.is_none();
    let response = ui.horizontal(|ui| {
        let toggle =
            automatic.map(|automatic| widgets::toggle(ui, &mut is_automatic, "Auto").on_hover_text(format!("The default: {automatic}")));
        match (is_automatic, number) {
            (true, _) => number = None,
            // A quarter of the largest shows both kinds of stages.
            (false, None) => number = Some((range.end() / 4).max(*range.start())),
            (false, Some(_)) => {}
        }
        let field = number.as_mut().map(|number| widgets::power_of_two(ui, number, exponents));
        toggle.or(field)
    });
    *text = number.map(|number| number.to_string());
    response.inner.unwrap_or(response.response)
}

/// The four entries of the matrix, row by row.
fn matrix_ui(ui: &mut Ui, text: &mut Option<String>) -> Response {
    let mut matrix: Base = text.as_deref().and_then(|text| text.parse().ok()).unwrap_or_default();
    let entries = matrix.0.iter_mut().zip(["a", "b", "c", "d"]);
    let responses = entries.map(|(entry, name)| {
        let response = ui.add(DragValue::new(entry).speed(0.05).range(-1e6..=1e6).max_decimals(6));
        response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, format!("Matrix {name}")));
        response.on_hover_text(format!("Entry {name} of [[a, b], [c, d]]"))
    });
    let all = responses.reduce(|all, next| all.union(next)).expect("a matrix has entries");
    ui.add_space(GRID);
    *text = Some(matrix.to_string());
    all
}
