//! A plot of values that the window has itself, reduced to the pixels across.

use super::{LinePlot, PlotLook};
use crate::engine::{PlotData, PlotFrame};
use crate::plot::View;
use egui::{Rect, Ui};
use std::sync::Arc;

/// A plot of real values that the window has itself, so that no thread reduces them to pixels.
pub(in crate::ui) struct ReducedPlot<T: ?Sized> {
    plot: LinePlot,
    /// The visible part, reduced to pixels, with the values that it was made from.
    reduced: Option<(PlotFrame, Arc<T>, Arc<PlotData>)>,
}

impl<T: ?Sized> Default for ReducedPlot<T> {
    fn default() -> Self {
        Self { plot: LinePlot::default(), reduced: None }
    }
}

impl<T: ?Sized> ReducedPlot<T> {
    /// Shows everything at the next frame.
    pub(in crate::ui) fn reset(&mut self) {
        self.plot.reset();
    }

    /// Draws a second line, in coordinates of the axes.
    pub(in crate::ui) fn set_overlay(&mut self, overlay: Vec<[f64; 2]>) {
        self.plot.overlay = overlay;
    }

    /// What the last frame showed, as a figure.
    pub(in crate::ui) fn view(&self, look: &PlotLook<'_>, title_and_notes: (String, Vec<String>)) -> Option<View> {
        self.plot.view(look, &self.reduced.as_ref()?.2, &[], title_and_notes)
    }

    /// What a session keeps.
    pub(in crate::ui) fn kept(&self) -> serde_json::Value {
        serde_json::to_value(self.plot.kept()).unwrap_or_default()
    }

    /// Shows the next values of the same number as they were kept.
    pub(in crate::ui) fn restore(&mut self, kept: &serde_json::Value) {
        self.plot.restore(serde_json::from_value(kept.clone()).unwrap_or_default());
    }

    /// Shows the `n` values of `source`, which `reduce` brings to pixels; returns the position under the pointer.
    pub(in crate::ui) fn ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        look: &PlotLook<'_>,
        (source, n): (&Arc<T>, usize),
        reduce: impl Fn(PlotFrame) -> PlotData,
    ) -> Option<usize> {
        let line = self.reduced.as_ref().filter(|(_, known, _)| Arc::ptr_eq(known, source)).map(|(.., line)| line.clone());
        let reply = self.plot.ui(ui, rect, n, look, line.as_deref(), &[]);
        let frame = PlotFrame::plain(0, reply.visible, reply.pixels);
        if line.is_none() || self.reduced.as_ref().is_none_or(|(shown, ..)| *shown != frame) {
            self.reduced = Some((frame, source.clone(), Arc::new(reduce(frame))));
            ui.request_repaint();
        }
        reply.hovered
    }
}
