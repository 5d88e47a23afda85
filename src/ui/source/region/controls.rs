//! The numbers of a region: its outline, its place and size, the duration of a part, and sizes to snap to.

use crate::prepare::{Outline, Region, Snap};
use crate::signal::{Sampling, SignalKind};
use crate::transforms::Shape;
use crate::ui::widgets;
use egui::{Response, Role, Ui, WidgetInfo};

/// The outline, the numbers, and sizes to snap to.
pub(crate) fn numbers_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape, kind: SignalKind, sampling: Option<Sampling>) {
    widgets::row(ui, "Region", |ui| ui.horizontal_wrapped(|ui| outline_ui(ui, region, shape, kind)).inner);
    fields_ui(ui, region, shape, sampling.filter(|_| !kind.is_image()));
}

/// The numbers, and sizes to snap to, a row each.
fn fields_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape, sampling: Option<Sampling>) {
    duration_ui(ui, region, shape, sampling);
    samples_ui(ui, region, shape);
}

/// Where a part begins and how long it is, in the unit of its axis.
pub(crate) fn duration_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape, sampling: Option<Sampling>) {
    let (Some(shown), Some(sampling)) = (region, sampling) else { return };
    let before = *shown;
    ui.horizontal_wrapped(|ui| part_ui(ui, shown, sampling, shape.columns));
    if *shown != before {
        *shown = shown.within(shape);
    }
}

/// The numbers in samples or pixels, and sizes to snap to.
pub(crate) fn samples_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape) {
    let Some(shown) = region else { return };
    let before = *shown;
    ui.horizontal_wrapped(|ui| {
        let fields = [
            ("x", "Region x", &mut shown.x, shape.columns - 1),
            ("y", "Region y", &mut shown.y, shape.rows - 1),
            ("w", "Region width", &mut shown.width, shape.columns),
            ("h", "Region height", &mut shown.height, shape.rows),
        ];
        // A single row has one axis.
        let n_axes = if shape.rows > 1 { 2 } else { 1 };
        for (prefix, name, value, most) in fields.into_iter().enumerate().filter(|(index, _)| index % 2 < n_axes).map(|(_, field)| field) {
            let field = ui.add(egui::DragValue::new(value).range(0..=most).speed(0.5).prefix(format!("{prefix} ")));
            field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
        }
    });
    ui.horizontal_wrapped(|ui| {
        for (snap, name, about) in [
            (Snap::Fast, "Fast", "Snaps to sides that are products of 2, 3, 5 and 7"),
            (Snap::Power, "2^n", "Snaps to sides that are powers of two"),
        ] {
            if ui.button(name).on_hover_text(about).clicked() {
                *shown = shown.snapped(snap, shape);
            }
        }
    });
    if *shown != before {
        *shown = shown.within(shape);
    }
}

/// Where a part of a signal begins and how long it is, in the unit of its axis.
fn part_ui(ui: &mut Ui, part: &mut Region, Sampling { per_unit, unit }: Sampling, n: usize) {
    let fields = [("from", "Part begins", &mut part.x, 0, n - 1), ("for", "Length of the part", &mut part.width, 1, n)];
    for (prefix, name, samples, least, most) in fields {
        let mut length = *samples as f64 / per_unit;
        let field = egui::DragValue::new(&mut length)
            .range(least as f64 / per_unit..=most as f64 / per_unit)
            .speed(n as f64 / per_unit / 1000.0)
            .max_decimals(6)
            .prefix(format!("{prefix} "))
            .suffix(format!(" {}", unit.symbol()));
        let field = ui.add(field);
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
        if field.changed() {
            *samples = ((length * per_unit).round() as usize).clamp(least, most);
        }
    }
}

/// The choice of the outline; without one, the whole signal is transformed.
pub(crate) fn outline_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape, kind: SignalKind) -> Response {
    let of_image = [
        (None, "Whole", "The whole image is transformed"),
        (Some(Outline::Rectangle), "Rectangle", "A rectangle of the image is transformed"),
        (Some(Outline::Ellipse), "Ellipse", "An ellipse is transformed; outside stands the mean of its inside"),
    ];
    let of_signal =
        [(None, "Whole", "The whole signal is transformed"), (Some(Outline::Rectangle), "Part", "A part of the samples is transformed")];
    let choices: &[_] = if kind.is_image() { &of_image } else { &of_signal };
    let mut chosen = region.map(|region| region.outline);
    let response = widgets::segmented(ui, &mut chosen, choices);
    if response.changed() {
        *region = chosen.map(|outline| Region { outline, ..region.unwrap_or(middle(shape, kind)) });
    }
    response
}

/// A button that selects the part of a wave that is seen.
pub(crate) fn visible_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape, visible: Option<[f64; 2]>) {
    let about = "Selects the part of the wave that is seen";
    let button = ui.button("Visible part").on_hover_text(about);
    if let Some([first, last]) = visible.filter(|_| button.clicked()) {
        let (x, width) = (first.max(0.0) as usize, (last - first).max(1.0) as usize);
        *region = Some(Region { x, y: 0, width, height: shape.rows, outline: Outline::Rectangle }.within(shape));
    }
}

/// Half the image in each direction, about its middle; half of every row of a signal.
fn middle(shape: Shape, kind: SignalKind) -> Region {
    let [width, height] = [shape.columns.div_ceil(2), if kind.is_image() { shape.rows.div_ceil(2) } else { shape.rows }];
    Region { x: (shape.columns - width) / 2, y: (shape.rows - height) / 2, width, height, outline: Outline::Rectangle }
}
