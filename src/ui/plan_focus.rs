//! The state that the views of one plan share: the step cursor, and the node that the user asks about.

use super::pane_id::PaneId;
use crate::graph::GraphNode;
use crate::plan::Plan;
use std::sync::Arc;

/// The paths of an entry of a matrix, from one node to a later one. Between neighbouring columns this is an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LitPath {
    /// The value that is read.
    pub from: GraphNode,
    /// The result.
    pub to: GraphNode,
}

impl LitPath {
    /// The edge of a stage between two lanes.
    pub fn edge(stage: usize, from: usize, to: usize) -> Self {
        Self { from: GraphNode { column: stage, lane: from }, to: GraphNode { column: stage + 1, lane: to } }
    }
}

/// The step cursor and the node that every view of the plan lights.
///
/// A view draws this and writes here what the user does in it; the next frame shows that in every other view.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PlanFocus {
    /// Number of stages that have run, at the step cursor; 0 is the input.
    pub n_run: usize,
    /// The pinned node, or else the node under the pointer in any view. Its column counts the stages that have run, 0 for the inputs.
    pub lit: Option<GraphNode>,
    /// The node that stays lit when the pointer leaves a view.
    pub pinned: Option<GraphNode>,
    /// The view that set `lit`, where it is not pinned.
    set_by: Option<PaneId>,
    /// The edge under the pointer, or the paths of an entry of a matrix, and the view that has it there.
    path: Option<(PaneId, LitPath)>,
    /// The plan that ran.
    plan: Option<Arc<Plan>>,
    /// The focus that is set as soon as the plan of the present settings has run.
    awaited: Option<Awaited>,
}

/// A cursor and a node for a plan that has yet to run.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Awaited {
    n_run: usize,
    pinned: Option<GraphNode>,
}

impl PlanFocus {
    /// Says which node is under the pointer in a view. `None` takes back only what that view has lit.
    pub(super) fn light(&mut self, view: PaneId, node: Option<GraphNode>) {
        if node.is_some() {
            self.set_by = Some(view);
        } else if self.set_by == Some(view) {
            self.set_by = None;
        } else {
            return;
        }
        self.lit = self.pinned.or(node);
    }

    /// Pins a node, or takes the pin away.
    pub(super) fn pin(&mut self, node: Option<GraphNode>) {
        (self.pinned, self.lit, self.set_by) = (node, node, None);
    }

    /// The node that another view has lit.
    pub(super) fn lit_elsewhere(&self, view: PaneId) -> Option<GraphNode> {
        self.lit.filter(|_| self.set_by != Some(view))
    }

    /// Says which edge or entry is under the pointer in a view. `None` takes back only what that view has lit.
    pub(super) fn light_path(&mut self, view: PaneId, path: Option<LitPath>) {
        if path.is_some() || self.path.is_some_and(|(by, _)| by == view) {
            self.path = path.map(|path| (view, path));
        }
    }

    /// The edge or the paths that another view has lit.
    pub(super) fn path_elsewhere(&self, view: PaneId) -> Option<LitPath> {
        self.path.filter(|(by, _)| *by != view).map(|(_, path)| path)
    }

    /// Sets cursor and pin once the plan of the settings of this frame has run; `usize::MAX` runs all stages.
    pub(super) fn set_when_run(&mut self, n_run: usize, pinned: Option<GraphNode>) {
        self.awaited = Some(Awaited { n_run, pinned });
    }

    /// Takes the plan that ran at the beginning of a frame. Another plan is shown with all its stages and no node lit.
    /// `is_current` says that it is the plan of the present settings.
    pub(super) fn follow(&mut self, plan: Option<&Arc<Plan>>, is_current: bool) {
        let is_same = match (&self.plan, plan) {
            (Some(before), Some(plan)) => Arc::ptr_eq(before, plan) || before == plan,
            (before, plan) => before.is_none() && plan.is_none(),
        };
        let n_stages = plan.map_or(0, |plan| plan.stages.len());
        if !is_same {
            *self = Self { n_run: n_stages, awaited: self.awaited, ..Self::default() };
        }
        self.plan = plan.cloned();
        if let Some(Awaited { n_run, pinned }) = self.awaited.take_if(|_| is_current && plan.is_some()) {
            self.n_run = n_run.min(n_stages);
            self.pin(pinned);
        }
        let exists = |node: &GraphNode| plan.is_some_and(|plan| node.column <= n_stages && node.lane < plan.lanes);
        (self.lit, self.pinned) = (self.lit.filter(exists), self.pinned.filter(exists));
        self.n_run = self.n_run.min(n_stages);
    }
}

/// Where the step cursor is; `hides_counts` leaves out what would tell the number of stages.
pub(super) fn cursor_text(n_run: usize, n_stages: usize, hides_counts: bool) -> String {
    match hides_counts {
        true if n_run == n_stages => "after the last stage".into(),
        true => format!("after stage {n_run}"),
        false => format!("after stage {n_run} of {n_stages}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};
    use crate::ui::{graph_pane, timing};

    fn plan(n: usize) -> Arc<Plan> {
        let build = transform("walsh").unwrap().algorithm("constant-geometry").unwrap().plan_fn().unwrap();
        Arc::new(build(Shape::line(n), Parameters::default()).unwrap())
    }

    fn node(column: usize, lane: usize) -> Option<GraphNode> {
        Some(GraphNode { column, lane })
    }

    #[test]
    fn a_view_takes_back_only_what_it_lit_and_a_pin_stays() {
        let [graph, times] = [&graph_pane::PANE, &timing::PANE].map(PaneId::of);
        let mut focus = PlanFocus::default();
        focus.light(graph, node(1, 2));
        focus.light(times, None);
        assert_eq!((focus.lit_elsewhere(graph), focus.lit_elsewhere(times)), (None, node(1, 2)));
        focus.light(graph, None);
        assert_eq!(focus.lit, None);
        focus.pin(node(2, 0));
        focus.light(times, node(0, 0));
        focus.light(times, None);
        assert_eq!(focus.lit_elsewhere(graph), node(2, 0));
    }

    #[test]
    fn an_edge_is_lit_in_the_other_views_until_its_own_takes_it_back() {
        let [graph, times] = [&graph_pane::PANE, &timing::PANE].map(PaneId::of);
        let (mut focus, edge) = (PlanFocus::default(), Some(LitPath::edge(1, 2, 3)));
        focus.light_path(graph, edge);
        focus.light_path(times, None);
        assert_eq!((focus.path_elsewhere(graph), focus.path_elsewhere(times)), (None, edge));
        focus.light_path(graph, None);
        assert_eq!(focus.path_elsewhere(times), None);
    }

    #[test]
    fn another_plan_begins_with_all_stages_and_the_same_plan_keeps_the_cursor() {
        let mut focus = PlanFocus::default();
        focus.follow(Some(&plan(8)), true);
        assert_eq!(focus.n_run, 3);
        (focus.n_run, focus.lit) = (1, node(3, 7));
        focus.follow(Some(&plan(8)), true);
        assert_eq!((focus.n_run, focus.lit), (1, node(3, 7)));
        focus.follow(Some(&plan(4)), true);
        assert_eq!((focus.n_run, focus.lit), (2, None));
    }

    #[test]
    fn the_text_of_the_cursor_keeps_the_number_of_stages_to_itself() {
        assert_eq!(cursor_text(3, 3, false), "after stage 3 of 3");
        assert_eq!([2, 3].map(|n_run| cursor_text(n_run, 3, true)), ["after stage 2", "after the last stage"]);
    }

    #[test]
    fn what_is_awaited_is_set_when_the_plan_of_the_settings_has_run() {
        let mut focus = PlanFocus::default();
        focus.set_when_run(1, node(1, 3));
        focus.follow(Some(&plan(8)), false);
        assert_eq!((focus.n_run, focus.lit), (3, None), "an older plan");
        focus.follow(Some(&plan(16)), true);
        assert_eq!((focus.n_run, focus.pinned), (1, node(1, 3)));
        focus.n_run = 2;
        focus.follow(Some(&plan(16)), true);
        assert_eq!(focus.n_run, 2, "it is set once");
    }
}
