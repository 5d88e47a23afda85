//! The pane *Profile*: the power of a spectrum by frequency or direction, and the values along a line, as a plot.

use super::action::{Action, PaneOutput};
use super::canvas::ZoomTo;
use super::export::{Export, painted};
use super::line_plot::{PlotLook, ReducedPlot};
use super::measurer::{MeasureReply, Measurer, length_unit};
use super::pane::{Pane, PaneInfo};
use super::profile_line::line_of;
use super::scene::Scene;
use super::settings::{MeasureLook, ProfileTab};
use super::shown::ShownJob;
use super::studied::Answer;
use super::theme::Tokens;
use super::toolbar::toolbar;
use super::widgets;
use crate::choice::Named as _;
use crate::engine::PlotData;
use crate::engine::measure::{MeasureReport, Measurement};
use crate::measure::LineFit;
use crate::numerals::number;
use crate::transforms::Shape;
use egui::{DragValue, Role, Ui, WidgetInfo};
use std::sync::Arc;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Radial: the mean power over the frequency, in rings one step wide, with the line through its logarithms.",
        "By angle: the mean power over the direction, anticlockwise from x.",
        "Along a line: values of the image, or the power of its spectrum image, averaged across the width of the line. Drag its ends there.",
    ],
    empty: "The profiles of an image appear here once there is one",
    has_content: |scene| scene.shown().has_markers() && scene.signal.is_none_or(|signal| signal.rows > 1),
    ..PaneInfo::new("Profile", "Profile", |services| {
        Box::new(ProfilePane { measurer: Measurer::new(&services.studies), plot: ReducedPlot::new(&services.studies), shown: None })
    })
};

/// The pane.
struct ProfilePane {
    measurer: Measurer,
    plot: ReducedPlot<Vec<f64>>,
    /// The newest answer with the values that are plotted from it.
    shown: Option<(Arc<MeasureReply>, bool, Curve)>,
}

/// A profile as it is plotted.
#[derive(Clone)]
struct Curve {
    /// The value at every position; not a number without one.
    values: Arc<Vec<f64>>,
    /// The position of 0, and the positions per unit.
    axis: (f64, f64),
    /// The slope of the line through the logarithms of a radial profile.
    fit: Option<LineFit>,
    csv: Arc<String>,
}

impl Curve {
    fn new(reply: &MeasureReply, is_log: bool, size: [usize; 2]) -> Option<Self> {
        let scaled = |power: f64| if is_log { power.log10() } else { power };
        let (values, axis, fit, csv) = match (reply.result.as_ref().ok()?, &reply.request.wanted) {
            (MeasureReport::Profile(profile), wanted) => {
                let first = if *wanted == Measurement::Radial { 0.0 } else { -89.0 };
                let position = |at: f64| ((at - first) / profile.step).round() as usize;
                let mut values = vec![f64::NAN; profile.at.last().map_or(0, |at| position(*at) + 1)];
                profile.at.iter().zip(&profile.power).for_each(|(at, power)| values[position(*at)] = scaled(*power));
                let is_radial = *wanted == Measurement::Radial;
                let fit = profile.log_log_fit().filter(|_| is_radial);
                (values, (-first / profile.step, 1.0 / profile.step), fit, profile.csv(if is_radial { "frequency" } else { "angle" }))
            }
            (MeasureReport::Line(line), Measurement::Spectrum(_)) => {
                (line.values.iter().copied().map(scaled).collect(), (0.0, 1.0), None, line.spectrum_csv(size))
            }
            (MeasureReport::Line(line), _) => (line.values.clone(), (0.0, 1.0), None, line.csv()),
            (MeasureReport::Peaks(..), _) => return None,
        };
        Some(Self { values: Arc::new(values), axis, fit, csv: Arc::new(csv) })
    }
}

impl Pane for ProfilePane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, look, out) = (scene.shown(), &mut scene.settings.measure, &mut *scene.out);
        let Some(signal) = shown.signal.filter(|signal| signal.rows > 1) else {
            return widgets::empty_state(ui, PANE.empty);
        };
        let size = [signal.rows, signal.columns];
        let slope = self.shown.as_ref().and_then(|(.., curve)| curve.fit);
        let exports_values = controls_ui(ui, look, size, slope);
        let line = line_of(look, Shape { rows: size[0], columns: size[1] });
        let wanted = match look.profile {
            ProfileTab::Radial => Measurement::Radial,
            ProfileTab::Angular => Measurement::Angular,
            ProfileTab::Line if look.on_spectrum => Measurement::Spectrum(line),
            ProfileTab::Line => Measurement::Samples(line),
        };
        let is_log = look.log_power && wanted != Measurement::Samples(line);
        let reply = self.measurer.ask(ui.ctx(), shown.job, wanted.clone());
        self.measurer.progress_ui(ui);
        if let Some(Answer { reply, is_newest: true, .. }) = &reply {
            if let Err(error) = &reply.result {
                return widgets::error(ui, &super::remedy::in_words(error));
            }
            if self.shown.as_ref().is_none_or(|(known, log, _)| !Arc::ptr_eq(known, reply) || *log != is_log) {
                self.shown = Curve::new(reply, is_log, size).map(|curve| (reply.clone(), is_log, curve));
            }
        }
        let Some((of, _, curve)) =
            self.shown.clone().filter(|(of, ..)| std::mem::discriminant(&of.request.wanted) == std::mem::discriminant(&wanted))
        else {
            return widgets::empty_state(ui, "The profile is being measured");
        };
        self.plot_ui(ui, &shown, look, (&curve, is_log), out);
        if exports_values {
            let name = format!("{}.csv", if look.profile == ProfileTab::Line { "line" } else { "profile" });
            let bytes = curve.csv.as_bytes().to_vec();
            out.actions.push(Action::Export(Box::new(Export::File { name, ending: "csv", bytes })));
        }
        drop(of);
    }

    fn zoom(&mut self, _zoom: ZoomTo) {
        self.plot.reset();
    }
}

impl ProfilePane {
    fn plot_ui(&mut self, ui: &mut Ui, shown: &ShownJob<'_>, look: &MeasureLook, (curve, is_log): (&Curve, bool), out: &mut PaneOutput) {
        let (origin, per_unit) = curve.axis;
        // Only square pixels have one length.
        let pixel = shown.pixel_size.filter(|pixel| pixel.width == pixel.height);
        let side = pixel.map_or(1.0, |pixel| pixel.width);
        let (cycles, length) = (pixel.map_or("cycles per pixel", |pixel| pixel.unit.frequency()), length_unit(pixel));
        let is_along_samples = look.profile == ProfileTab::Line && !look.on_spectrum;
        let (x_label, per_unit, length) = match look.profile {
            ProfileTab::Radial => (format!("frequency ({cycles})"), per_unit * side, length),
            ProfileTab::Angular => ("direction (°, anticlockwise from x)".to_owned(), per_unit, length),
            ProfileTab::Line if is_along_samples => (format!("distance ({length})"), per_unit / side, length),
            ProfileTab::Line => ("distance (px)".to_owned(), per_unit, "px"),
        };
        let is_power = look.profile != ProfileTab::Line || look.on_spectrum;
        let y_label = if !is_power {
            "value"
        } else if is_log {
            "log₁₀ of the mean |X|²"
        } else {
            "mean |X|²"
        };
        let log_axis = look.profile == ProfileTab::Radial && look.log_frequency;
        let color = Tokens::current(ui).line;
        let plot_look =
            PlotLook { origin, per_unit, log_axis, stems: false, color, ..PlotLook::over_index(ui, "Profile", &x_label, y_label) };
        // The line through the logarithms is straight where both axes are logarithmic.
        let overlay = curve
            .fit
            .filter(|_| log_axis && is_log)
            .map(|fit| [plot_look.x(1.0), (0.5 / side).log10()].map(|x| [x, fit.at_zero + fit.slope * (x + side.log10())]).to_vec());
        self.plot.set_overlay(overlay.unwrap_or_default());
        let values = curve.values.clone();
        let n = values.len();
        let area = ui.available_rect_before_wrap();
        let reply = self.plot.ui(ui, area, &plot_look, &values, n, |values, frame| PlotData::of_reals(values, frame));
        if let Some(position) = reply.hovered {
            let (at, value) = ((position as f64 - origin) / per_unit, values[position]);
            let value = if is_log { 10f64.powf(value) } else { value };
            out.read_out = match look.profile {
                ProfileTab::Radial => {
                    format!("f = {} {cycles}   period {} {length}   mean |X|² = {}", number(at, 5), number(1.0 / at, 5), number(value, 5))
                }
                ProfileTab::Angular => format!("direction {}°   mean |X|² = {}", number(at, 4), number(value, 5)),
                ProfileTab::Line => {
                    format!("distance {} {length}   {} {}", number(at, 5), if is_power { "|X|² =" } else { "value" }, number(value, 6))
                }
            };
        }
        curve.fit.iter().for_each(|fit| painted::note(ui, slope_text(fit)));
    }
}

fn slope_text(fit: &LineFit) -> String {
    format!("slope {} ± {}", number(fit.slope, 4), number(fit.slope_deviation, 2))
}

/// The controls above the plot; returns whether the values are to be exported.
fn controls_ui(ui: &mut Ui, look: &mut MeasureLook, size: [usize; 2], slope: Option<LineFit>) -> bool {
    toolbar(ui, PANE.title, |bar| {
        bar.segmented("Kind of profile", &mut look.profile, &ProfileTab::offered());
        if look.profile == ProfileTab::Line {
            let sources = [(false, "On image", "Samples along the line"), (true, "On spectrum", "|X|² along a line of the spectrum image")];
            bar.segmented("Values along the line", &mut look.on_spectrum, &sources);
            bar.item("line", |ui| line_ui(ui, look, size));
            let about = "Draws the line over the image or its spectrum, where its ends can be dragged";
            bar.item("shows", |ui| widgets::toggle(ui, &mut look.shows_line, "Show line").on_hover_text(about));
        }
        if look.profile != ProfileTab::Line || look.on_spectrum {
            bar.item("log power", |ui| {
                widgets::toggle(ui, &mut look.log_power, "Log power").on_hover_text("A logarithmic axis of the power")
            });
        }
        if look.profile == ProfileTab::Radial {
            let about = "A logarithmic axis of the frequency";
            bar.item("log frequency", |ui| widgets::toggle(ui, &mut look.log_frequency, "Log frequency").on_hover_text(about));
        }
        let exports = bar.item("export", |ui| ui.button("Export profile").on_hover_text("Writes the values as CSV").clicked());
        if let Some(fit) = slope.filter(|_| look.profile == ProfileTab::Radial) {
            bar.info(&slope_text(&fit));
        }
        exports.unwrap_or(false)
    })
}

/// The ends and the width of the line.
fn line_ui(ui: &mut Ui, look: &mut MeasureLook, [rows, columns]: [usize; 2]) {
    let before = line_of(look, Shape { rows, columns });
    let mut line = before;
    let mut field = |name: &str, prefix: &str, value: &mut f64, range: std::ops::RangeInclusive<f64>| {
        let drag = ui.add(DragValue::new(value).range(range).max_decimals(1).prefix(prefix));
        drag.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
        drag.on_hover_text(name);
    };
    let (right, bottom) = (columns as f64 - 1.0, rows as f64 - 1.0);
    field("Column of the first end", "x ", &mut line.from[0], 0.0..=right);
    field("Row of the first end", "y ", &mut line.from[1], 0.0..=bottom);
    field("Column of the second end", "to x ", &mut line.to[0], 0.0..=right);
    field("Row of the second end", "y ", &mut line.to[1], 0.0..=bottom);
    field("Width of the line in pixels", "width ", &mut line.width, 1.0..=rows.max(columns) as f64);
    if line != before {
        look.line = Some(line);
    }
}
