//! The field for the sampling of a signal whose file has none, or a wrong one.

use crate::signal::Sampling;
use crate::ui::action::Action;
use crate::ui::size_field::{heard, refusal_ui};
use crate::ui::widgets;
use egui::{DragValue, Ui};
use std::cell::{Cell, RefCell};

/// Shows the sampling rate, in a row of its own or among other controls, and lets the user type another one.
pub(super) fn rate_ui(ui: &mut Ui, before: Option<Sampling>, has_row: bool, actions: &mut Vec<Action>) {
    let (parsed, typed) = (RefCell::new(None), Cell::new(None));
    let about = "Samples in a second as 8000 or 44.1 kHz, or in a length as 10 per mm; or the step of a sample as 0.5 ms or 0.1 mm. \
        Empty goes back to the rate of the file";
    let mut per_unit = before.map_or(0.0, |sampling| sampling.per_unit);
    let field = DragValue::new(&mut per_unit)
        .range(0.0..=1e15)
        .speed(0.0)
        .custom_formatter(|_, _| before.map_or("unknown".into(), |sampling| sampling.to_string()))
        .custom_parser(|text| {
            let found = Sampling::written(text);
            typed.set(found.clone().ok());
            heard(found.map(|found| found.map_or(0.0, |sampling| sampling.per_unit)), &parsed)
        });
    let add = |ui: &mut Ui| ui.add(field).on_hover_text(about);
    let response = if has_row { widgets::row(ui, "Rate", add) } else { widgets::labelled(ui, "Rate", add) };
    refusal_ui(ui, response.id, &response, parsed.into_inner());
    // The number may be the same in another unit.
    if let Some(sampling) = typed.get().filter(|sampling| *sampling != before) {
        actions.push(Action::SetSampling(sampling));
    }
}
