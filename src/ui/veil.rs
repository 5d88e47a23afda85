//! The veil over panes that still show an earlier source, while the one that is set is read or computed.

use super::pane::PaneData;
use super::theme::{GRID, Tokens};
use egui::{Align, Frame, Label, Layout, ProgressBar, Rect, Stroke, Ui, UiBuilder, vec2};
use std::time::Duration;

/// The share of the old picture that the veil hides.
const OPACITY: f32 = 0.7;
/// The greatest width of the text, in points.
const MOST_WIDTH: f32 = 320.0;

/// Why panes still show an earlier source.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Veil {
    /// The work under way; empty before it has taken a moment.
    pub text: String,
    /// How far it is, where that is known.
    pub fraction: Option<f32>,
    /// Whether the samples are being read, so that no pane has them.
    pub is_reading: bool,
}

impl Veil {
    /// Whether it lies over what shows these data.
    pub(super) fn covers(&self, data: PaneData) -> bool {
        match data {
            PaneData::Plan => false,
            PaneData::Samples => self.is_reading,
            PaneData::Result => true,
        }
    }

    /// Dims a pane, and says in its middle why.
    pub(super) fn ui(&self, ui: &mut Ui, pane: Rect) {
        let tokens = Tokens::current(ui);
        ui.painter().rect_filled(pane, 0.0, tokens.pane.gamma_multiply(OPACITY));
        // Work under way tells when it ends, but not how far it is.
        ui.request_repaint_after(Duration::from_millis(100));
        if self.text.is_empty() {
            return;
        }
        let place = Rect::from_center_size(pane.center(), vec2((0.8 * pane.width()).min(MOST_WIDTH), 12.0 * GRID));
        ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Center)), |ui| {
            let frame = Frame::new().fill(tokens.pane).stroke(Stroke::new(1.0, tokens.rule)).inner_margin(2.0 * GRID).corner_radius(GRID);
            frame.show(ui, |ui| {
                ui.add(Label::new(&self.text).selectable(false).wrap());
                self.fraction.into_iter().for_each(|fraction| drop(ui.add(ProgressBar::new(fraction).desired_height(GRID))));
            });
        });
    }
}
