//! The Lomb-Scargle periodogram in the place of the spectrum, for samples at uneven positions or with some missing.

use super::axis::SpectrumAxis;
use super::peaks::{marks, peaks_ui};
use super::{N_PEAKS, TABLE, line_color};
use crate::engine::{PeriodogramRequest, PeriodogramStudy, PlotData};
use crate::numerals::{counted, number};
use crate::periodogram::Periodogram;
use crate::signal::{AxisUnit, short_name};
use crate::ui::action::PaneOutput;
use crate::ui::export::painted;
use crate::ui::line_plot::{Periods, PlotLook, ReducedPlot};
use crate::ui::remedy::in_words;
use crate::ui::settings::LineLook;
use crate::ui::shown::ShownJob;
use crate::ui::studied::{Answer, Studied};
use crate::ui::studies::Studies;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Rect, Ui, pos2, vec2};
use std::sync::Arc;

/// The name of the vertical axis.
const POWER: &str = "power (share of the variance)";

/// The help of the level across the plot.
const FALSE_ALARM: &str = "Noise alone has a peak above this level in one of a hundred periodograms (Baluev 2008)";

/// The periodogram, and the study that computes it.
pub(super) struct PeriodogramView {
    plot: ReducedPlot<Periodogram>,
    studied: Studied<PeriodogramStudy>,
    /// The newest one, which stays while another is computed.
    newest: Option<(PeriodogramRequest, Arc<Periodogram>)>,
}

/// Whether a periodogram says more than the spectrum: the samples are at uneven positions, or some are missing.
pub(super) fn is_offered(shown: &ShownJob<'_>) -> bool {
    shown.signal.is_some_and(|signal| {
        let is_uneven = shown.axis.as_ref().is_some_and(|axis| axis.positions.is_some());
        let has_gaps = signal.channel(shown.channel).is_some_and(|channel| !channel.missing.is_empty());
        shown.has_frequencies()
            && signal.rows == 1
            && !signal.kind.is_image()
            && !signal.is_complex_in(shown.channel)
            && (is_uneven || has_gaps)
    })
}

/// The axis of the frequencies of a periodogram; without a unit positions count samples.
fn axis_of(unit: Option<AxisUnit>, found: &Periodogram) -> SpectrumAxis {
    let frequency = unit.map_or("cycles per sample", AxisUnit::frequency);
    let name = unit.map_or("sample", AxisUnit::symbol);
    let periods = Some(Periods { of_one: 1.0, unit, name });
    // The first value is a step above frequency 0.
    SpectrumAxis { origin: -1.0, per_unit: found.grid.step.recip(), label: format!("frequency ({frequency})"), unit: frequency, periods }
}

impl PeriodogramView {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { plot: ReducedPlot::new(studies), studied: Studied::new(studies, || PeriodogramStudy), newest: None }
    }

    /// Shows the periodogram of the signal.
    pub(super) fn ui(&mut self, ui: &mut Ui, shown: &ShownJob<'_>, look: &LineLook, out: &mut PaneOutput) {
        let area = ui.available_rect_before_wrap();
        let Some(signal) = shown.signal else { return };
        let request = PeriodogramRequest { signal: signal.clone(), channel: shown.channel, axis: shown.axis.clone() };
        match self.studied.ask_ui(ui, Some(&request)).filter(|answer| answer.is_newest) {
            Some(Answer { reply, .. }) => match &reply.result {
                Ok(found) if self.newest.as_ref().is_some_and(|(_, newest)| Arc::ptr_eq(newest, found)) => {}
                Ok(found) => self.newest = Some((request, found.clone())),
                Err(error) => return widgets::in_place_of(ui, area, &in_words(error)),
            },
            None if self.newest.is_none() => return widgets::empty_state(ui, "The periodogram appears here once it is computed"),
            None => {}
        }
        self.plot_ui(ui, shown, look, area, out);
    }

    fn plot_ui(&mut self, ui: &mut Ui, shown: &ShownJob<'_>, look: &LineLook, area: Rect, out: &mut PaneOutput) {
        let Some((request, found)) = self.newest.clone() else { return };
        let axis = axis_of(request.axis.as_ref().map(|axis| axis.unit), &found);
        let position = |frequency: f64| frequency * axis.per_unit + axis.origin;
        // Noise alone has many peaks below the false-alarm level; the largest stands for them where none is above it.
        let n_clear = found.peaks.iter().filter(|peak| peak.power > found.one_percent).count();
        let listed = found.peaks.iter().take(n_clear.clamp(1, N_PEAKS));
        let peaks: Vec<(f64, f64)> = listed.map(|peak| (position(peak.frequency), peak.power)).collect();
        let has_table = look.peaks && area.width() > 3.0 * TABLE;
        let rect = Rect::from_min_max(area.min, area.max - vec2(if has_table { TABLE } else { 0.0 }, 0.0));
        let plot_look = PlotLook {
            name: "Lomb-Scargle periodogram",
            origin: axis.origin,
            per_unit: axis.per_unit,
            color: line_color(ui, shown.results.stale),
            stems: false,
            periods: axis.periods,
            has_periods_above: look.periods,
            ..PlotLook::over_index(ui, "Lomb-Scargle periodogram", &axis.label, POWER)
        };
        let clear: Vec<(f64, f64)> = peaks.iter().copied().filter(|(_, power)| *power > found.one_percent).collect();
        self.plot.set_marks(if look.peaks { marks(&clear, &axis) } else { Vec::new() });
        let ends = [0, found.grid.n.saturating_sub(1)].map(|index| [found.grid.frequency(index), found.one_percent]);
        self.plot.set_overlay(ends.to_vec());
        let level = format!("1 % false-alarm level {} (Baluev 2008)", number(found.one_percent, 3));
        let (title, notes) = title_and_notes(shown, &found, &level);
        painted::describe(ui, title, notes);
        let reply = self.plot.ui(ui, rect, &plot_look, &found, found.grid.n, |found, frame| PlotData::of_reals(&found.power, frame));
        if has_table {
            let table = Rect::from_min_max(pos2(rect.right() + 2.0 * GRID, area.top()), area.max);
            let said = (n_clear == 0).then_some("No peak above the 1 % false-alarm level: this is the largest");
            peaks_ui(ui, table, &peaks, said, FALSE_ALARM, &axis, "Power");
        }
        out.read_out = match reply.hovered.and_then(|at| Some((at, *found.power.get(at)?))) {
            Some((at, power)) => {
                let (place, period) = (axis.place(at as f64, 6), axis.period(at as f64, 6).unwrap_or_default());
                format!("{place} {}   period {period}   power {}   {level}", axis.unit, number(power, 4))
            }
            None => level,
        };
    }

    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.plot.reset();
    }
}

/// The title of an exported periodogram, and what it is computed from.
fn title_and_notes(shown: &ShownJob<'_>, found: &Periodogram, level: &str) -> (String, Vec<String>) {
    let name = shown.signal.map_or_else(String::new, |signal| short_name(&signal.name));
    let channel = shown.signal.map_or(String::new(), |signal| signal.channel_name(shown.channel));
    let notes = vec![
        format!("{name}: {channel}, {} at the positions of the file", counted(found.n_samples, "sample")),
        "a constant, a cosine and a sine fitted at every frequency (Zechmeister & Kürster 2009); power from 0 to 1".to_owned(),
        format!("the line across is the {level}"),
    ];
    (format!("Lomb-Scargle periodogram of {name}"), notes)
}
