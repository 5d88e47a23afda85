//! The controls above the plot of a row.

use super::hold::LineHold;
use super::{PANE, Sides, letter, periodogram, unit_of_values};
use crate::choice::Named as _;
use crate::display::{Scale, ValuePart};
use crate::engine::Job;
use crate::signal::Sampling;
use crate::transforms::{Axes, Input, ResultIndex};
use crate::ui::settings::{FrequencyUnit, LineLook, SignalLook, value_label_in};
use crate::ui::shown::ShownJob;
use crate::ui::toolbar::{Toolbar, toolbar};
use crate::ui::widgets;
use egui::{DragValue, Response, Role, Ui, WidgetInfo};

/// The job whose rows can be held: forwards, of one signal, along rows.
pub(super) fn job_of(shown: &ShownJob<'_>, axes: Axes) -> Option<Job> {
    let is_held = shown.is_forward() && axes.along_rows() && shown.transform.input != Input::TwoSignals && shown.signal.is_some();
    shown.results.finished.filter(|_| is_held).map(|finished| finished.request.job.clone())
}

/// The controls above the plot, which set its look and its row; returns the number of rows that can be plotted.
pub(super) fn controls_ui(
    ui: &mut Ui,
    shown: &ShownJob<'_>,
    (look, row, measures): (&mut LineLook, &mut usize, Option<&mut SignalLook>),
    hold: &mut LineHold,
) -> usize {
    // After a transform of columns, the plot shows a column.
    let (rows, what) = match shown.shape() {
        Some((shape, Axes::Columns)) => (shape.columns, "column"),
        shape => (shape.map_or(1, |(shape, _)| shape.rows), "row"),
    };
    let axes = shown.shape().map_or(Axes::Rows, |(_, axes)| axes);
    let transform = shown.transform;
    let units = (transform.index == ResultIndex::Frequency).then(|| units(shown.sampling(), shown.cycles(axes, axes.along_rows())));
    let (newest, sides, unit) = (job_of(shown, axes), Sides::of(shown), unit_of_values(shown));
    let letter = letter(transform, shown.is_forward());
    let offers_periodogram = periodogram::is_offered(shown);
    toolbar(ui, PANE.title, |bar| {
        let name_of = |scale, quantity| value_label_in(unit, scale, quantity, transform, letter);
        let is_spectrum = !(offers_periodogram && look.periodogram);
        look_ui(bar, look, row, (rows, what), (units.as_deref(), sides), (is_spectrum, &name_of));
        if offers_periodogram {
            periodogram_ui(bar, look);
        }
        hold.controls(bar, newest);
        if let Some(measures) = measures {
            // One press leads back; a choice of two would take the room of the others.
            let about = "A spectrum in units or decibels, windowed and averaged, of the selected part";
            if bar.item("reading", |ui| ui.button("Measured").on_hover_text(about).clicked()).unwrap_or(false) {
                measures.measures = Some(true);
            }
        }
    });
    rows
}

/// The controls above the plot, for this number of rows or columns; `name_of` a scale and a quantity is what the axis says.
/// In a periodogram most of them have nothing to choose; they stay where they are.
fn look_ui(
    bar: &mut Toolbar<'_>,
    look: &mut LineLook,
    row: &mut usize,
    (rows, what): (usize, &str),
    (units, sides): (Option<&[(FrequencyUnit, String)]>, Sides),
    (is_spectrum, name_of): (bool, &dyn Fn(Scale, ValuePart) -> String),
) {
    bar.item("quantity", |ui| {
        ui.add_enabled_ui(is_spectrum, |ui| {
            let quantities = ValuePart::ALL.iter().map(|quantity| (*quantity, quantity.title().to_owned(), quantity.about().to_owned()));
            widgets::combo_of_width(ui, "Plotted quantity", 96.0, look.quantity.title(), &mut look.quantity, quantities)
                .on_hover_text("The quantity of the complex value that is plotted");
        })
    });
    bar.item("scale", |ui| {
        ui.add_enabled_ui(is_spectrum && look.quantity != ValuePart::Phase, |ui| {
            let quantity = look.quantity;
            let scales = Scale::ALL.iter().map(|&scale| (scale, scale.title().to_owned(), name_of(scale, quantity)));
            widgets::combo_of_width(ui, "Plotted scale", 96.0, look.scale.title(), &mut look.scale, scales)
                .on_hover_text("The scale of the values");
        })
    });
    if rows > 1 {
        bar.item("row", |ui| {
            let row = ui.add(DragValue::new(row).range(0..=rows - 1).prefix(format!("{what} ")));
            row.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Row of the spectrum"));
            row.on_hover_text(format!("Which of the {rows} {what}s is plotted"))
        });
    }
    if let Some(units) = units {
        frequencies_ui(bar, look, units, sides, is_spectrum);
    }
    bar.item("peaks", |ui| {
        widgets::toggle(ui, &mut look.peaks, "Peaks").on_hover_text("Mark and list the values that stand clear of those around them")
    });
}

/// The choice of a periodogram in the place of the spectrum.
pub(super) fn periodogram_ui(bar: &mut Toolbar<'_>, look: &mut LineLook) {
    bar.item("periodogram", |ui| {
        let about = "The Lomb-Scargle periodogram of the samples where the file has them: nothing is resampled or filled";
        widgets::toggle(ui, &mut look.periodogram, "Lomb-Scargle").on_hover_text(about)
    });
}

/// The units of a frequency axis with their names, the usual unit first.
fn units(sampling: Option<Sampling>, cycles: &str) -> Vec<(FrequencyUnit, String)> {
    let title = |unit: &str| match unit.strip_prefix("cycles ") {
        Some(rest) => format!("Cycles {rest}"),
        None if unit == "Hz" => "Hertz".to_owned(),
        None => unit.to_owned(),
    };
    let hertz = sampling.map(|sampling| (FrequencyUnit::Hertz, title(sampling.frequency())));
    let cycles = title(cycles);
    hertz.into_iter().chain([(FrequencyUnit::Cycles, cycles), (FrequencyUnit::Bins, "Bins".to_owned())]).collect()
}

/// Why a choice of the spectrum cannot be made while a periodogram is in its place.
const ONLY_SPECTRUM: &str = "The periodogram has linear axes, and frequencies above 0: switch Lomb-Scargle off first";

/// Why frequencies below 0 cannot be chosen.
fn why_above_zero(look: &LineLook, is_spectrum: bool) -> Option<&'static str> {
    match is_spectrum {
        false => Some(ONLY_SPECTRUM),
        true => look.log_axis.then_some("A logarithmic axis shows frequencies above 0 only: switch Log axis off first"),
    }
}

/// A toggle that is disabled for a reason.
fn enabled_unless(ui: &mut Ui, why: Option<&str>, toggle: impl FnOnce(&mut Ui) -> Response) {
    let toggle = ui.add_enabled_ui(why.is_none(), toggle).inner;
    toggle.on_disabled_hover_text(why.unwrap_or_default());
}

/// The controls of a frequency axis.
fn frequencies_ui(bar: &mut Toolbar<'_>, look: &mut LineLook, units: &[(FrequencyUnit, String)], sides: Sides, is_spectrum: bool) {
    bar.item("unit", |ui| {
        let shown = units.iter().find(|(unit, _)| *unit == look.unit).unwrap_or(&units[0]).1.as_str();
        let choices = units.iter().map(|(unit, name)| (*unit, name.clone(), String::new()));
        ui.add_enabled_ui(is_spectrum, |ui| {
            widgets::combo_of_width(ui, "Frequency unit", 120.0, shown, &mut look.unit, choices)
                .on_hover_text("Unit of the frequency axis");
        })
    });
    match sides {
        Sides::Mirrored => drop(bar.item("sides", |ui| {
            let about = "Frequencies below 0 as well; real samples have the same spectrum there, mirrored";
            let why = why_above_zero(look, is_spectrum);
            enabled_unless(ui, why, |ui| widgets::toggle(ui, &mut look.shifted, "Two-sided").on_hover_text(about));
        })),
        Sides::Different => drop(bar.item("centred", |ui| {
            let why = why_above_zero(look, is_spectrum);
            enabled_unless(ui, why, |ui| {
                let toggle = widgets::toggle(ui, &mut look.centred, "Centred");
                let is_on = look.centred;
                toggle.widget_info(|| WidgetInfo::selected(Role::Button, why.is_none(), is_on, "Centred plot"));
                toggle.on_hover_text("Frequency 0 in the middle of the axis")
            });
        })),
        Sides::None => {}
    }
    bar.item("log axis", |ui| {
        let why = (!is_spectrum).then_some(ONLY_SPECTRUM);
        let about = "A logarithmic frequency axis, for frequencies above 0";
        enabled_unless(ui, why, |ui| widgets::toggle(ui, &mut look.log_axis, "Log axis").on_hover_text(about));
    });
    bar.item("periods", |ui| {
        widgets::toggle(ui, &mut look.periods, "Periods").on_hover_text("A second axis above the plot: the period of every frequency")
    });
}
