//! The facts that a flow graph and the page around it leave out while a question about it is open.

use super::drawing::{GraphDrawing, Label, LabelKind};
use super::request::GraphRequest;

/// The facts that would answer an open question, so that a graph and the page around it leave them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HiddenParts {
    /// Whether the plan needs one buffer or two.
    pub buffers: bool,
    /// Which result is on which lane.
    pub results: bool,
    /// The values of nodes that have not run.
    pub values: bool,
    /// The distances that are in the names of stages.
    pub strides: bool,
    /// The numbers of stages, launches and butterflies in texts.
    pub counts: bool,
    /// The frames of launches and tiles, and the times of launches.
    pub frames: bool,
    /// The entries of matrices.
    pub entries: bool,
    /// Times.
    pub times: bool,
}

impl HiddenParts {
    /// Whether a question mark is in place of a text of this drawing.
    pub fn asks_for(&self, drawing: &GraphDrawing, label: &Label) -> bool {
        match label.kind {
            LabelKind::Output { .. } => self.results,
            LabelKind::Stage { stage } => self.strides && drawing.request.plan.stages[stage].tells_distance(),
            _ => false,
        }
    }

    /// The request without launches where their number is asked for: the space between their frames would tell it.
    pub fn asked(&self, mut request: GraphRequest) -> GraphRequest {
        if self.frames {
            request.schedule.launches.clear();
        }
        request
    }

    /// The drawing without these parts.
    pub(super) fn removed_from(&self, mut drawing: GraphDrawing) -> GraphDrawing {
        if self.counts {
            drawing.labels.retain(|label| !matches!(label.kind, LabelKind::Launch { .. }));
        }
        let mut labels = std::mem::take(&mut drawing.labels);
        labels.iter_mut().filter(|label| self.asks_for(&drawing, label)).for_each(|label| label.text = "?".into());
        drawing.labels = labels;
        drawing
    }
}
