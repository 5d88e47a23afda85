//! The view of a flow graph, as a session keeps it.

use super::FlowGraphView;
use super::viewport::Viewport;
use crate::graph::{GraphLayout, GraphNode};
use serde_json::Value;

/// The zoom, the cursor and the pinned node, for a graph with these numbers of lanes and stages.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub(super) struct KeptGraphView {
    lanes: usize,
    stages: usize,
    /// Scale, stretch, and the origin across and down; `None` fits the graph.
    viewport: Option<[f32; 4]>,
    cursor: usize,
    /// Stage and lane.
    pinned: Option<[usize; 2]>,
    as_table: bool,
    binary: bool,
    lazy: usize,
    fold: bool,
    hides_card: bool,
    hides_buffers: bool,
    layout: GraphLayout,
}

impl FlowGraphView {
    /// The state that a session keeps; `Null` before a graph was shown.
    pub(crate) fn kept(&self) -> Value {
        serde_json::to_value(self.kept_view()).unwrap_or_default()
    }

    fn kept_view(&self) -> Option<KeptGraphView> {
        let plan = &self.request()?.plan;
        let viewport = self.viewport.map(|view| [view.scale, view.stretch, view.origin.x, view.origin.y]);
        Some(KeptGraphView {
            lanes: plan.lanes,
            stages: plan.stages.len(),
            viewport,
            cursor: self.cursor,
            pinned: self.pinned.map(|node| [node.column, node.lane]),
            as_table: self.as_table,
            binary: self.binary,
            lazy: self.lazy.stages,
            fold: self.fold,
            hides_card: self.hides_card,
            hides_buffers: self.hides_buffers,
            layout: self.layout,
        })
    }

    /// Shows the next graph of the same size as it was kept.
    pub(crate) fn restore(&mut self, kept: &Value) {
        let kept: Option<KeptGraphView> = serde_json::from_value(kept.clone()).unwrap_or_default();
        *self = Self { restored: kept, ..Self::default() };
        if let Some(kept) = kept {
            (self.as_table, self.binary, self.fold) = (kept.as_table, kept.binary, kept.fold);
            (self.hides_buffers, self.layout, self.lazy.stages) = (kept.hides_buffers, kept.layout, kept.lazy);
        }
    }

    /// Applies what was kept to the drawing, once.
    pub(super) fn apply_restored(&mut self) {
        let Some(kept) = self.restored.take() else { return };
        let is_same = self.request().is_some_and(|request| (request.plan.lanes, request.plan.stages.len()) == (kept.lanes, kept.stages));
        if is_same {
            let viewport = |[scale, stretch, x, y]: [f32; 4]| Viewport { scale, stretch, origin: egui::vec2(x, y) };
            self.viewport =
                kept.viewport.filter(|numbers| numbers.iter().all(|number| number.is_finite()) && numbers[0] > 0.0).map(viewport);
            self.cursor = kept.cursor.min(kept.stages);
            let node = |[column, lane]: [usize; 2]| GraphNode { column, lane };
            self.pinned = kept.pinned.map(node).filter(|node| node.column <= kept.stages && node.lane < kept.lanes);
            (self.hides_card, self.has_moved) = (kept.hides_card, true);
        }
    }
}
