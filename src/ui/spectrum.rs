//! The pane *Spectrum*: a plot of one row of the result, with quantity, scale, frequency unit, peaks, and the exact value under the pointer.

mod axis;
mod controls;
mod hold;
mod measured;
mod peaks;
mod periodogram;

use super::action::PaneOutput;
use super::canvas::ZoomTo;
use super::chips::{ChipPress, HeldResult};
use super::command::Command;
use super::export::{Export, painted};
use super::line_plot::{LinePlot, PlotLook};
use super::pane::{Pane, PaneInfo};
use super::pane_id::PaneId;
use super::scene::Scene;
use super::settings::{LineLook, Settings, value_label_in};
use super::shown::ShownJob;
use super::theme::{GRID, Tokens};
use super::widgets;
use crate::display::{Scale, ValuePart, unshifted_index};
use crate::engine::{Contents, PlotData, PlotFrame, Value};
use crate::numerals::number;
use crate::plan::Precision;
use crate::prepare::Detrend;
use crate::transforms::{Axes, Family, Input, Numbers, Transform};
use axis::SpectrumAxis;
use controls::{controls_ui, job_of};
use egui::{Color32, Rect, Ui, pos2, vec2};
use hold::LineHold;
use measured::{Looks, MeasuredView};
use peaks::{largest, lit_mark, marks, peaks, peaks_ui};
use periodogram::PeriodogramView;
use std::ops::Range;

/// Room for the table of peaks, in points.
const TABLE: f32 = 216.0;
/// Peaks in the table, and with a mark in the plot.
const N_PEAKS: usize = 8;
const N_MARKS: usize = 4;
/// Depth of the plot below the largest value in dB.
const DEPTH_DB: f64 = 160.0;
/// In single precision, values so far below the mean power are rounding errors, in dB.
const ROUNDING_DB: f64 = 120.0;
/// Values that hardly differ keep an axis of this depth, so that a lone tone stands out and zeros are far below it, in dB.
const LEAST_DEPTH_DB: f64 = 40.0;
/// Zeros are drawn this far below the least other value: a share of the range of the other values, and this many dB more.
const BELOW_LEAST: f64 = 0.1;
const LEAST_BELOW_DB: f64 = 6.0;

/// The help of peaks.
const CLEAR_PEAK: &str =
    "A peak stands at least 12 dB above the medians on both sides, more in long rows, and 6 dB above the valleys beside it";

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "One row of the result.",
        "Wheel zooms at the cursor, drag pans, right-drag boxes, double-click resets.",
        "Above two values a pixel, the smallest and the largest of each pixel are drawn.",
        "Hold keeps this spectrum, and the newest is shown against it: over it, as a difference, or in turn.",
        "A recording is measured: frames under a window, averaged, in units or decibels; Raw shows the values of the transform, those of the flow graph, instead.",
        "Drag the cursors, the band and the cursor of harmonics, or move them by the arrows; a click on a value shows its basis function.",
    ],
    empty: "A row of the spectrum appears here once there is a signal",
    shows_result: true,
    tells_values: true,
    // The arrows move a cursor that has the focus.
    keys: &[Command::StepForward, Command::StepBack],
    ..PaneInfo::new("Spectrum", "Spectrum", |services| {
        let (hold, periodogram) = (LineHold::new(&services.studies), PeriodogramView::new(&services.studies));
        Box::new(SpectrumPane { plot: LinePlot::default(), hold, periodogram, measured: MeasuredView::new(&services.studies) })
    })
};

/// The pane *Spectrum*.
pub(super) struct SpectrumPane {
    plot: LinePlot,
    hold: LineHold,
    periodogram: PeriodogramView,
    measured: MeasuredView,
}

/// The content of the frequencies below 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sides {
    /// The mirror of the others: the row of a DFT of real samples.
    Mirrored,
    /// Values of their own.
    Different,
    /// The result has no frequencies below 0.
    None,
}

impl Sides {
    fn of(shown: &ShownJob<'_>) -> Self {
        let is_real = shown.signal.is_some_and(|signal| !signal.is_complex_in(shown.channel));
        let is_along_one_axis = shown.shape().is_some_and(|(_, axes)| axes != Axes::Both);
        match shown.transform.gives {
            _ if !shown.has_frequencies() => Self::None,
            // A half spectrum begins at frequency 0.
            Numbers::HalfSpectrum => Self::None,
            Numbers::Complex if is_real && is_along_one_axis => Self::Mirrored,
            _ => Self::Different,
        }
    }

    /// Whether the frequencies below 0 are shown before the others.
    fn are_shown(self, look: &LineLook) -> bool {
        match self {
            Self::Mirrored => look.shifted,
            Self::Different => look.centred,
            Self::None => false,
        }
    }
}

impl Pane for SpectrumPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let Settings { looks, row, synthesis, preparation, origin, signal_look, spectrogram, boxes, .. } = &mut *scene.settings;
        let look = &mut looks.of_mut(shown.transform, shown.parameters.direction).line;
        let shows_periodogram = look.periodogram && periodogram::is_offered(&shown);
        if !shows_periodogram && measured::is_measured(&shown, signal_look, origin) {
            out.measures = true;
            return self.measured.ui(
                ui,
                &shown,
                &mut Looks { signal: signal_look, line: look, spectrogram, boxes, row: *row, origin },
                out,
            );
        }
        self.measured.leave();
        let measures = measured::is_offered(&shown).then_some(signal_look);
        let rows = controls_ui(ui, &shown, (look, row, measures), &mut self.hold);
        if look.periodogram && periodogram::is_offered(&shown) {
            return self.periodogram.ui(ui, &shown, look, out);
        }
        self.row_ui(ui, &shown, (*look, (*row).min(rows - 1)), (&mut synthesis.picked, &mut preparation.detrend), out);
    }

    fn zoom(&mut self, _zoom: ZoomTo) {
        self.plot.reset();
        self.periodogram.reset();
        self.measured.reset();
    }

    fn kept(&self) -> serde_json::Value {
        let plot = self.plot.kept();
        match self.measured.kept() {
            pinned if pinned.as_array().is_some_and(|all| !all.is_empty()) => serde_json::json!({ "plot": plot, "pinned": pinned }),
            _ => serde_json::to_value(plot).unwrap_or_default(),
        }
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.plot.restore(serde_json::from_value(kept.get("plot").unwrap_or(kept).clone()).unwrap_or_default());
        self.measured.restore(kept.get("pinned").unwrap_or(&serde_json::Value::Null));
    }

    fn values(&self) -> Option<Export> {
        self.measured.values()
    }

    fn forget(&mut self) {
        self.hold.release();
    }

    fn held_of_other(&self) -> Option<HeldResult> {
        self.hold.held().of_other()
    }

    fn press_held(&mut self, press: ChipPress) {
        self.hold.held_mut().press(press);
    }
}

impl SpectrumPane {
    /// Shows a row of the result.
    fn row_ui(
        &mut self,
        ui: &mut Ui,
        shown: &ShownJob<'_>,
        (line, row): (LineLook, usize),
        (picked, detrend): (&mut Option<[usize; 2]>, &mut Detrend),
        out: &mut PaneOutput,
    ) {
        let (transform, forward, results) = (shown.transform, shown.is_forward(), shown.results);
        let Some((shape, axes)) = shown.shape() else { return widgets::empty_state(ui, &results.empty_text(PANE.empty)) };
        let sides = Sides::of(shown);
        let shifted = sides.are_shown(&line);
        let look = LineLook { shifted, ..line };
        let n = if axes.along_rows() { shape.columns } else { shape.rows };
        // From 0 to half the sampling rate.
        let n_shown = if sides == Sides::Mirrored && !shifted { n / 2 + 1 } else { n };
        let (axis, area) = (SpectrumAxis::of(shown, &look, shape, axes), ui.available_rect_before_wrap());
        let wants_peaks = look.peaks && forward;
        let has_table = wants_peaks && area.width() > 3.0 * TABLE;
        let plot = Rect::from_min_max(area.min, area.max - vec2(if has_table { TABLE } else { 0.0 }, 0.0));
        if plot.width() < 64.0 || plot.height() < 48.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the plot");
        }
        let line = results.report.and_then(|report| report.line.clone()).filter(|line| is_of(line, &look));
        if let Some(whole) = line.as_deref().filter(|line| is_blank(line, n_shown)) {
            out.view.line = Some(PlotFrame { row, ..whole.frame });
            return widgets::not_finite(ui, area, results.is_finite(), detrend);
        }
        let (line, against) = self.hold.shown(ui.ctx(), job_of(shown, axes), line);
        let first = if sides == Sides::Mirrored { axis.origin } else { 0.0 };
        // Until the values of a new part come, those from before hold peaks that have left the plot.
        let visible = self.plot.visible_of(n_shown);
        let listed = visible.start.max(first)..visible.end;
        let peaks = line.as_deref().map_or(Vec::new(), |line| peaks(line, listed.clone(), &axis));
        let mut marks = if wants_peaks { marks(&peaks, &axis) } else { Vec::new() };
        let lit = out.focus.lit_elsewhere(PaneId::of(&PANE)).and_then(|node| results.place_of(node));
        marks.extend(lit_mark(lit, line.as_deref(), axes, shifted));
        let letter = letter(transform, forward);
        let unit = unit_of_values(shown);
        let precision = results.outcome().map_or(Precision::Single, |outcome| outcome.precision);
        let y_label = value_label_in(unit, look.scale, look.quantity, transform, letter);
        let plot_look = PlotLook {
            origin: axis.origin,
            per_unit: axis.per_unit,
            log_axis: look.log_axis && shown.has_frequencies(),
            color: line_color(ui, results.stale),
            stems: look.scale != Scale::Db && forward,
            floor: floor(&look, line.as_deref(), precision).filter(|_| !against.is_difference),
            whole: Some(n),
            to_half: axis.unit.starts_with("cycles"),
            periods: axis.periods,
            has_periods_above: look.periods,
            ..PlotLook::over_index(ui, "Spectrum plot", &axis.label, &y_label)
        };
        self.plot.set_behind(against.behind(&axis, n, shifted, Tokens::current(ui).weak));
        let reply = self.plot.ui(ui, plot, n_shown, &plot_look, line.as_deref(), &marks);
        let LineLook { quantity, scale, .. } = look;
        let (log_origin, frame) = (plot_look.log_axis.then_some(axis.origin), PlotFrame::plain(row, reply.visible, reply.pixels));
        out.view.line = Some(PlotFrame { quantity, scale, shifted, log_origin, peaks: wants_peaks, ..frame });
        let of_row = if shape.rows > 1 { format!(", row {row}") } else { String::new() };
        painted::note(ui, format!("{}, {}{of_row}", quantity.title(), scale.title().to_lowercase()));
        // Nothing is said of peaks before there is a spectrum.
        if let Some(line) = line.as_deref().filter(|_| has_table) {
            let table = Rect::from_min_max(pos2(plot.right() + 2.0 * GRID, area.top()), pos2(area.right(), plot.bottom()));
            table_ui(ui, table, (line, &peaks), listed, (&axis, &y_label));
        }
        hover_ui(ui, shown, (&axis, letter), (reply.hovered, n), (shifted, axes, row), picked, out);
        out.read_out.push_str(&self.hold.read_out(reply.hovered, &against));
    }
}

/// The table of the peaks among the shown positions; where none is clear, the largest value stands for them.
fn table_ui(ui: &mut Ui, rect: Rect, (line, peaks): (&PlotData, &[(f64, f64)]), shown: Range<f64>, (axis, label): (&SpectrumAxis, &str)) {
    let largest = if peaks.is_empty() { largest(line, shown, axis) } else { None };
    let (listed, said) = match &largest {
        _ if !peaks.is_empty() => (peaks, None),
        Some(_) => (largest.as_slice(), Some("No narrow peak in this range: this is the largest value")),
        None => (peaks, Some("No narrow peak in this range")),
    };
    peaks_ui(ui, rect, listed, said, CLEAR_PEAK, axis, label);
}

/// The unit of the values of a result: that of the channel, where one signal is transformed.
fn unit_of_values<'a>(shown: &ShownJob<'a>) -> Option<&'a str> {
    let is_linear = !matches!(shown.transform.input, Input::TwoSignals | Input::Equations);
    shown.unit().filter(|_| is_linear)
}

/// The letter of a result: x for samples and solutions, z for convolutions, otherwise X.
fn letter(transform: &Transform, forward: bool) -> &'static str {
    match transform.family {
        Family::Convolution => "z",
        _ if forward && transform.has_inverse => "X",
        _ => "x",
    }
}

/// Reads out the value under the pointer, lights it in the flow graph, and picks it where it is clicked.
fn hover_ui(
    ui: &Ui,
    shown: &ShownJob<'_>,
    (axis, letter): (&SpectrumAxis, &str),
    (hovered, n): (Option<usize>, usize),
    (shifted, axes, row): (bool, Axes, usize),
    picked: &mut Option<[usize; 2]>,
    out: &mut PaneOutput,
) {
    let (results, forward) = (shown.results, shown.is_forward());
    let index = |position| if shifted { unshifted_index(position, n) } else { position };
    let at = |index| if axes.along_rows() { [row, index] } else { [index, row] };
    let node = hovered.filter(|_| forward).and_then(|position| results.node_at(at(index(position))));
    out.focus.light(PaneId::of(&PANE), node);
    let Some(position) = hovered else { return };
    let at = at(index(position));
    out.view.probe = Some(at);
    out.read_out = read_out(axis, position, index(position), &probed(shown, at, letter));
    if forward && ui.input(|input| input.pointer.primary_clicked()) {
        results.pick(at, picked, &mut out.focus);
    }
}

/// Index, frequency and value at a displayed position.
fn read_out(axis: &SpectrumAxis, position: usize, index: usize, value: &str) -> String {
    let period = axis.period(position as f64, 6).map_or(String::new(), |period| format!("   period {period}"));
    format!("index {index}   {} {}{period}   {value}", axis.place(position as f64, 6), axis.unit)
}

/// The value at an index of the result as text, once the engine has reported it.
fn probed(shown: &ShownJob<'_>, at: [usize; 2], letter: &str) -> String {
    let is_complex = shown.transform.gives.is_complex();
    let is_real = shown.results.outcome().is_some_and(|outcome| outcome.contents == Contents::Samples);
    let told = shown.results.report.and_then(|report| report.probe).filter(|(told, _)| *told == at);
    told.map_or(String::new(), |(_, value)| match value {
        Value::Integer(value) => widgets::exact(value),
        Value::Complex(value) if !is_real && (is_complex || value.im != 0.0) => widgets::polar(value),
        Value::Complex(value) => format!("{letter} = {}", number(value.re, 8)),
    })
}

/// Whether a line was made for the current choices; an older line has another frame.
fn is_of(line: &PlotData, look: &LineLook) -> bool {
    (line.frame.shifted, line.frame.quantity, line.frame.scale) == (look.shifted, look.quantity, look.scale)
}

/// Whether all of the `n` values that can be shown are visible, and none is finite.
fn is_blank(line: &PlotData, n: usize) -> bool {
    line.columns.is_empty() && line.frame.first <= 0.0 && line.frame.last >= n as f64
}

/// The lower end of the plot. Exact zeros and rounding errors lie far below the values; they are at the end of the axis and leave it to the others.
fn floor(look: &LineLook, line: Option<&PlotData>, precision: Precision) -> Option<f64> {
    if look.scale != Scale::Db || look.quantity == ValuePart::Phase {
        return None;
    }
    let columns = &line?.columns;
    let largest = columns.iter().map(|column| column[2]).fold(f64::NEG_INFINITY, f64::max);
    let mean = columns.iter().map(|column| 10f64.powf((column[2] - largest) / 10.0)).sum::<f64>() / columns.len() as f64;
    let rounding = match precision {
        Precision::Single => largest + 10.0 * mean.log10() - ROUNDING_DB,
        Precision::Double => f64::NEG_INFINITY,
    };
    let lowest = rounding.max(largest - DEPTH_DB);
    let least = columns.iter().flat_map(|column| [column[1], column[2]]).filter(|value| *value >= lowest).fold(largest, f64::min);
    let has_zeros = columns.iter().any(|column| column[1] < lowest);
    let end = (least - BELOW_LEAST * (largest - least) - LEAST_BELOW_DB).min(largest - LEAST_DEPTH_DB);
    let floor = if has_zeros { lowest.max(end) } else { lowest };
    floor.is_finite().then_some(floor)
}

/// The colour of the line; one that is out of date is dimmed, but opaque, as its strokes overlap.
fn line_color(ui: &Ui, is_stale: bool) -> Color32 {
    let tokens = Tokens::current(ui);
    if is_stale { tokens.well.lerp_to_gamma(tokens.line, 0.5) } else { tokens.line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_rounding_errors_leave_the_axis_to_the_values() {
        let line = |values: &[f64]| PlotData {
            columns: values.iter().enumerate().map(|(at, value)| [at as f64, *value, *value]).collect(),
            frame: PlotFrame::plain(0, [0.0, values.len() as f64], values.len()),
            n: values.len(),
            peaks: Vec::new(),
        };
        let look = LineLook::default();
        let floor_of = |values: &[f64], precision| floor(&look, Some(&line(values)), precision);
        let with_zeros = floor_of(&[40.0, 20.0, -118.0, -10.0, -140.0], Precision::Single);
        assert_eq!(with_zeros, Some(-10.0 - 5.0 - 6.0), "a tenth of the range and 6 dB below the least value");
        let tone = floor_of(&[40.0, -118.0, -140.0], Precision::Single);
        assert_eq!(tone, Some(0.0), "a lone tone stands high above the zeros");
        let whole = floor_of(&[40.0, 20.0, -60.0], Precision::Single).expect("decibels have one");
        assert!(whole < -60.0, "small values are no rounding errors: {whole}");
        assert_eq!(floor_of(&[40.0, -100.0], Precision::Double), Some(-120.0), "double precision rounds far less");
        let linear = LineLook { scale: Scale::Linear, ..look };
        assert_eq!(floor(&linear, Some(&line(&[1.0])), Precision::Single), None);
    }
}
