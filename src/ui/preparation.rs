//! The chain that prepares samples, as a section of the pane *Transform*: every part off by default, each with its numbers.

use super::theme::{GRID, Tokens};
use super::widgets::{self, row};
use crate::choice::Named as _;
use crate::engine::Outcome;
use crate::prepare::{Detrend, Extent, Fill, Preparation, Window, Windowing};
use crate::transforms::{Axes, Family, Shape, Transform};
use egui::{DragValue, RichText, Ui};

/// Width of the arrow before the title and of the room after it, in points.
const HEADER: f32 = 32.0;

/// Whether the window is chosen most, so that it is among the choices of the transform: where frequencies are looked at.
pub(super) fn leads_with_window(transform: &Transform) -> bool {
    transform.family == Family::Fourier
}

/// Shows the chain; it opens by itself where something is prepared.
pub(super) fn preparation_ui(
    ui: &mut Ui,
    preparation: &mut Preparation,
    (transform, axes, shape): (&Transform, Axes, Shape),
    outcome: Option<&Outcome>,
) {
    let is_used = !preparation.is_none();
    let names = outcome.and_then(|outcome| outcome.preparation).map_or_else(Vec::new, |facts| facts.names());
    let title = if names.is_empty() { "Preparation".to_owned() } else { format!("Preparation: {}", names.join(", ")) };
    let header = egui::CollapsingHeader::new(widgets::elided(ui, &title, ui.available_width() - HEADER))
        .id_salt("preparation")
        .default_open(is_used);
    let header = header.show(ui, |ui| {
        trend_ui(ui, preparation, axes);
        if !leads_with_window(transform) {
            window_ui(ui, &mut preparation.window, axes);
        }
        padding_ui(ui, preparation, [shape.rows, shape.columns]);
        // Above the steps, whose number changes.
        let none = ui.add_enabled(is_used, egui::Button::new("No preparation"));
        if none.on_hover_text("The samples are transformed as they are; undo brings the chain back").clicked() {
            *preparation = Preparation::default();
        }
        let steps = outcome.and_then(|outcome| outcome.preparation).map_or_else(Vec::new, |facts| facts.steps());
        let color = Tokens::current(ui).weak;
        for step in steps {
            ui.add(egui::Label::new(RichText::new(step).color(color).small()).wrap());
        }
    });
    let about = "What happens to the samples before the transform: region, trend, smooth part, window, padding";
    header.header_response.on_hover_text(if names.is_empty() { about.to_owned() } else { format!("{about}\n{title}") });
    ui.add_space(GRID);
}

fn trend_ui(ui: &mut Ui, preparation: &mut Preparation, axes: Axes) {
    let is_plane = axes == Axes::Both;
    let (plane, about) =
        if is_plane { ("Plane", "Removes the plane that fits best") } else { ("Line", "Removes the straight line that fits best") };
    let of_axes = |(detrend, title, text)| if detrend == Detrend::Plane { (detrend, plane, about) } else { (detrend, title, text) };
    let choices: Vec<_> = Detrend::offered().into_iter().map(of_axes).collect();
    row(ui, "Remove", |ui| widgets::segmented(ui, &mut preparation.detrend, &choices));
    let about = "Removes the smooth part that makes the samples jump from edge to edge (periodic plus smooth, Moisan): no cross in the spectrum, and no window needed";
    row(ui, "Edges", |ui| widgets::toggle(ui, &mut preparation.periodic, "Periodic plus smooth").on_hover_text(about));
}

/// Shows the window and its parameters.
pub(super) fn window_ui(ui: &mut Ui, window: &mut Windowing, axes: Axes) {
    let choices = Window::ALL.iter().map(|shape| (*shape, shape.title().to_owned(), shape.about().to_owned()));
    let before = window.shape;
    row(ui, "Window", |ui| widgets::combo(ui, "Window", window.shape.title(), &mut window.shape, choices));
    if window.shape != before {
        window.parameter = None;
    }
    if window.shape == Window::None {
        return;
    }
    if let Some((name, usual, [low, high])) = window.shape.parameter() {
        let mut value = window.parameter.unwrap_or(usual);
        let field = DragValue::new(&mut value).range(low..=high).speed(0.02).max_decimals(3).prefix(format!("{name} "));
        if row(ui, "Parameter", |ui| ui.add(field)).changed() {
            window.parameter = Some(value);
        }
    }
    if axes == Axes::Both {
        let choices = [
            (false, "Along axes", "The product of a window along x and one along y"),
            (true, "Radially", "Fades with the distance from the middle"),
        ];
        row(ui, "Fades", |ui| widgets::segmented(ui, &mut window.radial, &choices));
    }
}

fn padding_ui(ui: &mut Ui, preparation: &mut Preparation, [rows, columns]: [usize; 2]) {
    let padding = &mut preparation.padding;
    let name = |extent: Extent| match extent {
        Extent::None => "None".to_owned(),
        Extent::Fast => "Next fast size".to_owned(),
        Extent::Power => "Next power of two".to_owned(),
        Extent::Factor(factor) => format!("{factor} × the size"),
        Extent::To(_) => "A size".to_owned(),
    };
    let to = if let Extent::To(_) = padding.extent { padding.extent } else { Extent::To([rows, columns]) };
    let extents = [Extent::None, Extent::Fast, Extent::Power, Extent::Factor(2), Extent::Factor(4), to];
    let choices = extents.map(|extent| (extent, name(extent), String::new()));
    row(ui, "Padding", |ui| widgets::combo(ui, "Padding", name(padding.extent), &mut padding.extent, choices));
    if padding.extent == Extent::None {
        return;
    }
    if let Extent::To([rows, columns]) = &mut padding.extent {
        row(ui, "Columns", |ui| ui.add(DragValue::new(columns).range(1..=1 << 24)));
        row(ui, "Rows", |ui| ui.add(DragValue::new(rows).range(1..=1 << 24)));
    }
    row(ui, "Pad with", |ui| widgets::segmented(ui, &mut padding.fill, &Fill::offered()));
}
