//! The filtered signal as a plot, over its source where both are shown, and the factor of every frequency.

use super::Fields;
use crate::engine::filter::{FilterStudy, FilterView, mask_shape};
use crate::engine::{PlotData, PlotFrame, StudyReply};
use crate::numerals::number;
use crate::signal::{Axis, Channel, Sampling, Signal};
use crate::ui::line_plot::{LinePlot, Periods, PlotLook, RowBehind};
use crate::ui::theme::Tokens;
use egui::{Rect, Ui};
use std::sync::Arc;

/// The plot.
#[derive(Default)]
pub(super) struct FilteredPlot {
    plot: LinePlot,
    /// The newest plots with the view that they show; they stay while others are computed.
    last: Option<(FilterView, Arc<[Option<PlotData>; 2]>)>,
    axis: FilteredAxis,
}

/// The horizontal axis: frequencies of a mask, or samples.
#[derive(Clone, Default)]
struct FilteredAxis {
    /// Positions of a unit, and the name with the unit.
    per_unit: f64,
    label: String,
    /// The name of the values with their unit.
    values: String,
    /// The periods of frequencies.
    periods: Option<Periods>,
    /// When or where samples were taken.
    sampled: Option<Axis>,
    /// Number of values.
    n: usize,
}

impl FilteredAxis {
    /// The axis of the frequencies of rows of `n` samples.
    fn of_mask(n: usize, sampling: Option<Sampling>) -> Self {
        let unit = sampling.map_or("cycles per sample", Sampling::frequency);
        let periods = match sampling {
            Some(Sampling { unit, .. }) => Periods { of_one: 1.0, unit: Some(unit), name: unit.symbol() },
            None => Periods { of_one: 1.0, unit: None, name: "sample" },
        };
        let per_unit = n as f64 / sampling.map_or(1.0, |sampling| sampling.per_unit);
        Self { per_unit, label: format!("frequency ({unit})"), values: "factor".to_owned(), periods: Some(periods), sampled: None, n }
    }

    /// The axis of samples of a channel of this name.
    fn of_samples(n: usize, sampled: Option<Axis>, values: String) -> Self {
        let sampled = sampled.filter(|axis| axis.per_unit.is_some());
        let per_unit = sampled.as_ref().and_then(|axis| axis.per_unit).unwrap_or(1.0);
        let label = sampled.as_ref().map_or("sample".to_owned(), |axis| axis.label_of_ticks(n));
        Self { per_unit, label, values, periods: None, sampled, n }
    }

    /// A position as a person reads it, with the period of a frequency.
    fn place(&self, position: usize) -> String {
        let value = position as f64 / self.per_unit;
        match (&self.periods, &self.sampled) {
            (Some(periods), _) => format!("{} {}   period {}", self.label, number(value, 6), periods.text(value, 6)),
            (None, Some(axis)) => axis.place(axis.start + value, self.per_unit.recip()),
            (None, None) => format!("{} {}", self.label, number(value, 6)),
        }
    }
}

impl FilteredPlot {
    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.plot.reset();
    }

    /// Shows the visible part of a row, and returns that part.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        Fields { shown: job, row, out, .. }: &mut Fields<'_>,
        rect: Rect,
        (signal, shows): (&Signal, FilterView),
        report: Option<&StudyReply<FilterStudy>>,
    ) -> PlotFrame {
        let newest = report.and_then(|report| Some((report.request.shows, report.result.as_ref().ok()?.plots.clone()?)));
        self.last = newest.or(self.last.take());
        let is_mask = shows == FilterView::Mask;
        let n = match is_mask {
            true => mask_shape(signal, &job.preparation).columns,
            false => signal.columns,
        };
        self.axis = match is_mask {
            true => FilteredAxis::of_mask(n, job.sampling()),
            false => {
                let name = signal.channel(job.channel).map_or("value".to_owned(), Channel::label);
                FilteredAxis::of_samples(n, job.axis.clone(), name)
            }
        };
        let axis = self.axis.clone();
        let look = look(ui, &axis);
        // A plot of frequencies is none of samples; what is there is of the other kind until the next answer.
        let shown = self.last.as_ref().filter(|(view, _)| (*view == FilterView::Mask) == is_mask).map(|(_, plots)| plots.clone());
        let [line, behind] = shown.as_deref().map_or([None, None], |[line, behind]| [line.as_ref(), behind.as_ref()]);
        let color = Tokens::current(ui).weak;
        let behind = behind.map(|data| RowBehind { data: data.clone(), scale: [look.origin, look.per_unit], color });
        self.plot.set_behind(behind.into_iter().collect());
        let shown = if is_mask { n / 2 + 1 } else { n };
        let reply = self.plot.ui(ui, rect, shown, &look, line, &[]);
        if let Some(position) = reply.hovered {
            let value = line.and_then(|line| line.columns.iter().find(|column| column[0] as usize == position));
            let value = value.map_or(String::new(), |column| format!("   value {}", number(column[2], 6)));
            out.read_out = format!("filtered   {}{value}", axis.place(position));
        }
        PlotFrame::plain((*row).min(signal.rows.max(1) - 1), reply.visible, reply.pixels)
    }
}

fn look<'a>(ui: &Ui, axis: &'a FilteredAxis) -> PlotLook<'a> {
    PlotLook {
        origin: axis.sampled.as_ref().map_or(0.0, |sampled| -sampled.start * axis.per_unit),
        per_unit: axis.per_unit,
        stems: false,
        color: Tokens::current(ui).line,
        dates: axis.sampled.as_ref().and_then(|sampled| sampled.on_clock(axis.n)),
        periods: axis.periods,
        ..PlotLook::over_index(ui, "Filtered plot", &axis.label, &axis.values)
    }
}
