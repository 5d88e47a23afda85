//! The filtered signal as a plot, over its source where both are shown, and the factor of every frequency.

use super::filter_notes;
use crate::engine::filter::{FilterReport, FilterView, mask_shape};
use crate::engine::{PlotData, PlotFrame};
use crate::numerals::number;
use crate::signal::{Axis, Signal};
use crate::ui::export::Export;
use crate::ui::line_plot::{LinePlot, PlotLook};
use crate::ui::scene::Scene;
use crate::ui::theme::Tokens;
use egui::{Rect, Ui};
use std::sync::Arc;

/// Width and height of an exported plot inside its axes, in points.
const AREA: [f32; 2] = [640.0, 320.0];

/// The plot.
#[derive(Default)]
pub(super) struct FilteredPlot {
    plot: LinePlot,
    /// The newest plots with the view that they show; they stay while others are computed.
    last: Option<(FilterView, Arc<[Option<PlotData>; 2]>)>,
    /// Whether frequencies are shown, and how many positions a unit has.
    axis: (bool, f64, String),
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
        scene: &mut Scene<'_>,
        rect: Rect,
        (signal, shows): (&Signal, FilterView),
        report: Option<&FilterReport>,
    ) -> PlotFrame {
        let newest = report.and_then(|report| Some((report.request.shows, report.result.as_ref().ok()?.plots.clone()?)));
        self.last = newest.or(self.last.take());
        let is_mask = shows == FilterView::Mask;
        let n = match is_mask {
            true => mask_shape(signal, &scene.settings.preparation).columns,
            false => signal.columns,
        };
        let axis = scene.settings.axis(signal);
        let sampling = axis.as_ref().and_then(Axis::sampling);
        self.axis = match (is_mask, sampling) {
            (true, Some(sampling)) => (true, n as f64 / sampling.per_unit, format!("frequency ({})", sampling.frequency())),
            (true, None) => (true, n as f64, "frequency (cycles per sample)".to_owned()),
            (false, Some(sampling)) => (false, sampling.per_unit, axis.map_or(String::new(), |axis| axis.label())),
            (false, None) => (false, 1.0, "sample".to_owned()),
        };
        let axis = self.axis.clone();
        let look = look(ui, &axis);
        // A plot of frequencies is none of samples; what stands there is of the other kind until the next answer.
        let shown = self.last.as_ref().filter(|(view, _)| (*view == FilterView::Mask) == is_mask).map(|(_, plots)| plots.clone());
        let [line, behind] = shown.as_deref().map_or([None, None], |[line, behind]| [line.as_ref(), behind.as_ref()]);
        self.plot.set_behind(behind.map(|behind| (behind.clone(), [look.origin, look.per_unit])));
        let shown = if is_mask { n / 2 + 1 } else { n };
        let reply = self.plot.ui(ui, rect, shown, &look, line, &[]);
        if let Some(position) = reply.hovered {
            let value = line.and_then(|line| line.columns.iter().find(|column| column[0] as usize == position));
            let value = value.map_or(String::new(), |column| format!("   value {}", number(column[2], 6)));
            *scene.read_out = format!("filtered   {} {}{value}", look.x_label, number(position as f64 / look.per_unit, 6));
        }
        PlotFrame::plain(scene.settings.row.min(signal.rows.max(1) - 1), reply.visible, reply.pixels)
    }

    /// What the last frame showed, as a figure.
    pub(super) fn export(&self, scene: &Scene<'_>, ui: &Ui) -> Option<Export> {
        let (_, plots) = self.last.as_ref()?;
        let view = self.plot.view(&look(ui, &self.axis), plots[0].as_ref()?, &[], filter_notes(scene))?;
        Some(Export::View { name: "filtered".into(), view: Box::new(view), area: AREA })
    }
}

fn look<'a>(ui: &Ui, (is_mask, per_unit, x_label): &'a (bool, f64, String)) -> PlotLook<'a> {
    let y_label = if *is_mask { "factor" } else { "value" };
    PlotLook {
        per_unit: *per_unit,
        stems: false,
        color: Tokens::current(ui).line,
        ..PlotLook::over_index(ui, "Filtered plot", x_label, y_label)
    }
}
