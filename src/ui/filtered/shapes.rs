//! The list of the shapes of a mask with their numbers; each can be switched off and removed.

use crate::filter::{Effect, MaskForm, MaskShape, SampleSpacing, ShapeEdge, WrittenFrequency};
use crate::numerals::number;
use crate::signal::Sampling;
use crate::ui::icons;
use crate::ui::settings::{FilterLook, PaintedLook};
use crate::ui::toolbar::toolbar;
use crate::ui::widgets;
use egui::{DragValue, Response, Role, Ui, WidgetInfo};

/// A number of a shape: its name, the number, its limits and its unit.
type ShapeNumber<'a> = (&'static str, &'a mut f64, [f64; 2], &'static str);

/// Shows all shapes of an image or a signal.
pub(super) fn shapes_ui(ui: &mut Ui, look: &mut FilterLook, is_image: bool, spacing: SampleSpacing) {
    let mut removed = None;
    for (index, shape) in look.mask.shapes.iter_mut().enumerate() {
        let n = index + 1;
        toolbar(ui, &format!("shape {n}"), |bar| {
            removed = bar
                .item("shape", |ui| shape_ui(ui, n, shape, &mut look.selected))
                .filter(|is_removed| *is_removed)
                .map(|_| index)
                .or(removed);
            // A signal has one frequency.
            for (what, value, limits, unit) in numbers(&mut shape.form).into_iter().filter(|(what, ..)| is_image || *what != "v") {
                let name = format!("{what} of shape {n}");
                bar.item(what, |ui| match is_frequency(what, unit) {
                    true => frequency_ui(ui, &name, what, (value, limits), is_image, spacing),
                    false => number_ui(ui, &name, what, value, limits, unit),
                });
            }
            let effects = [(Effect::Cut, "Cut", "What it covers is removed"), (Effect::Pass, "Pass", "Only what it covers stays")];
            bar.item("effect", |ui| {
                let choice = ui.push_id(("effect", index), |ui| widgets::segmented(ui, &mut shape.effect, &effects));
                widgets::named(&format!("Effect of shape {n}"), choice.inner)
            });
            bar.item("edge", |ui| edge_ui(ui, n, shape));
        });
    }
    if let Some(index) = removed {
        look.remove(index);
    }
    if look.painted.as_mut().is_some_and(|painted| painted_ui(ui, painted)) {
        look.painted = None;
    }
}

/// The row of a painted mask; returns whether it is to be removed.
fn painted_ui(ui: &mut Ui, painted: &mut PaintedLook) -> bool {
    let name = painted.path.file_name().unwrap_or(painted.path.as_os_str()).to_string_lossy().into_owned();
    let row = ui.horizontal(|ui| {
        let mut on = !painted.off;
        let check = ui.checkbox(&mut on, "");
        check.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, "Painted mask on"));
        if check.on_hover_text("Switches the painted mask off and on").changed() {
            painted.off = !on;
        }
        let remove = ui.button(icons::CLOSE).on_hover_text("Removes the painted mask; undo brings it back");
        remove.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Remove the painted mask"));
        ui.add(egui::Label::new(format!("Painted mask {name}")).truncate()).on_hover_text(painted.path.display().to_string());
        remove.clicked()
    });
    row.inner
}

/// The switch of a shape, its name, and the button that removes it; returns whether that was clicked.
fn shape_ui(ui: &mut Ui, n: usize, shape: &mut MaskShape, selected: &mut Option<usize>) -> bool {
    let mut on = !shape.off;
    let name = format!("Shape {n}: {}", shape.form.name());
    let check = ui.checkbox(&mut on, "");
    check.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, format!("{name} on")));
    if check.on_hover_text("Switches the shape off and on").changed() {
        shape.off = !on;
    }
    let is_selected = *selected == Some(n - 1);
    let label = ui.selectable_label(is_selected, format!("{n} {}", shape.form.name()));
    label.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &name));
    if label.on_hover_text(shape.to_string()).clicked() {
        *selected = if is_selected { None } else { Some(n - 1) };
    }
    let remove = ui.button(icons::CLOSE).on_hover_text("Removes the shape; undo brings it back");
    remove.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Remove shape {n}")));
    remove.clicked()
}

/// The choice of the edge of a shape.
fn edge_ui(ui: &mut Ui, n: usize, shape: &mut MaskShape) {
    let mut edge = shape.edge;
    let choices = [
        (ShapeEdge::Ideal, "Ideal", "Ends at once"),
        (ShapeEdge::Soft { pixels: 3.0 }, "Soft", "Half a cosine; its width is in pixels of the spectrum"),
        (ShapeEdge::Gaussian, "Gaussian", "exp(−½q²), where q is the distance as a part of the radius"),
        (ShapeEdge::Butterworth { order: 2.0 }, "Butterworth", "1/(1 + q^(2·order))"),
    ];
    let is_kind = |a: &ShapeEdge, b: &ShapeEdge| std::mem::discriminant(a) == std::mem::discriminant(b);
    let shown = choices.iter().find(|(choice, ..)| is_kind(choice, &edge)).map_or("", |(_, name, _)| name);
    // The kind that is set keeps its number.
    let entries =
        choices.map(|(choice, name, about)| (if is_kind(&choice, &edge) { edge } else { choice }, name.to_owned(), about.to_owned()));
    widgets::combo_of_width(ui, &format!("Edge of shape {n}"), 84.0, shown, &mut edge, entries);
    shape.edge = edge;
    match &mut shape.edge {
        ShapeEdge::Soft { pixels } => number_ui(ui, &format!("width of the edge of shape {n}"), "", pixels, [0.0, 256.0], " px"),
        ShapeEdge::Butterworth { order } => number_ui(ui, &format!("order of shape {n}"), "order ", order, [0.25, 32.0], ""),
        ShapeEdge::Ideal | ShapeEdge::Gaussian => {}
    }
}

/// Whether a number is a frequency in cycles per sample or pixel.
fn is_frequency(what: &str, unit: &str) -> bool {
    unit.is_empty() && what != "tolerance"
}

/// A frequency in cycles, or in hertz where the rate is known; it can be typed as a period, too.
fn frequency_ui(ui: &mut Ui, name: &str, what: &str, (value, [low, high]): (&mut f64, [f64; 2]), is_image: bool, spacing: SampleSpacing) {
    let sampling = spacing.sampling.filter(|_| !is_image);
    let (scale, symbol) = sampling.map_or((1.0, ""), |sampling| (sampling.per_unit, sampling.frequency()));
    let parsed = move |text: &str| match text.trim().trim_end_matches(symbol).trim().replace('−', "-").parse::<f64>() {
        Ok(plain) => Some(plain),
        Err(_) => Some(text.parse::<WrittenFrequency>().ok()?.cycles(spacing).ok()? * scale),
    };
    let mut shown = *value * scale;
    let decimals = if scale > 1.0 { 3 } else { 5 };
    let field = DragValue::new(&mut shown).range(low * scale..=high * scale).speed(0.0005 * scale).max_decimals(decimals);
    let response = ui.add(
        field
            .prefix(format!("{} ", what.trim()))
            .suffix(if symbol.is_empty() { String::new() } else { format!(" {symbol}") })
            .custom_parser(parsed),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    if response.changed() {
        *value = shown / scale;
    }
    let cycles = if is_image { "pixel" } else { "sample" };
    let period = match (spacing.pixel_metres, sampling) {
        (Some(metres), _) => format!(" or {} m", number(metres / *value, 4)),
        (_, Some(Sampling { per_unit, unit })) => format!(" or {}", unit.amount(1.0 / (*value * per_unit), 4)),
        _ => String::new(),
    };
    let period = if *value > 0.0 { format!(": a period of {} px{period}", number(1.0 / *value, 4)) } else { String::new() };
    let typed =
        if is_image { "12px, or 2nm where the size of a pixel is known" } else { "12px, or 50Hz, 5ms or 2mm where the rate is known" };
    response.on_hover_text(format!("{name}, {} cycles per {cycles}{period}\nA period can be typed: {typed}", number(*value, 5)));
}

fn number_ui(ui: &mut Ui, name: &str, what: &str, value: &mut f64, [low, high]: [f64; 2], unit: &str) {
    let speed = if high > 1.0 { 0.25 } else { 0.0005 };
    let prefix = if what.is_empty() { String::new() } else { format!("{} ", what.trim()) };
    let response: Response = ui.add(DragValue::new(value).range(low..=high).speed(speed).max_decimals(5).prefix(prefix).suffix(unit));
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    response.on_hover_text(name);
}

/// The numbers of a shape.
fn numbers(form: &mut MaskForm) -> Vec<ShapeNumber<'_>> {
    const PLACE: [f64; 2] = [-0.5, 0.5];
    const LENGTH: [f64; 2] = [0.0005, 0.70];
    const ANGLE: [f64; 2] = [-180.0, 180.0];
    match form {
        MaskForm::Spots { u, v, radius } => vec![("u", u, PLACE, ""), ("v", v, PLACE, ""), ("radius", radius, LENGTH, "")],
        MaskForm::Wedge { angle, width } => vec![("angle", angle, ANGLE, "°"), ("width", width, [0.1, 179.0], "°")],
        MaskForm::Ring { from, to } => vec![("from", from, [0.0, 0.70], ""), ("to", to, LENGTH, "")],
        MaskForm::Rectangle { u, v, width, height } | MaskForm::Ellipse { u, v, width, height } => {
            vec![("u", u, PLACE, ""), ("v", v, PLACE, ""), ("width", width, LENGTH, ""), ("height", height, LENGTH, "")]
        }
        MaskForm::Brush { radius, .. } => vec![("radius", radius, LENGTH, "")],
        MaskForm::Lattice { a: [au, av], b: [bu, bv], radius } => vec![
            ("a along u", au, PLACE, ""),
            ("a along v", av, PLACE, ""),
            ("b along u", bu, PLACE, ""),
            ("b along v", bv, PLACE, ""),
            ("radius", radius, LENGTH, ""),
        ],
        MaskForm::Stripes { angle, tolerance, from } => {
            vec![("angle", angle, ANGLE, "°"), ("tolerance", tolerance, [0.0, 1.0], ""), ("from", from, [0.0, 0.5], "")]
        }
    }
}
