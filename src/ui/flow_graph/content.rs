//! The input of the flow graph pane.

use super::values::NodeValues;
use crate::graph::{GraphNode, HiddenParts, Original};
use crate::numerals::integer;
use crate::plan::{LazyLanes, Plan};
use crate::schedule::Schedule;
use crate::ui::plan_focus::LitPath;
use num_complex::Complex64;

/// The state that the views of one plan share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedFocus {
    /// Number of stages that have run.
    pub n_run: usize,
    /// The pinned node.
    pub pinned: Option<GraphNode>,
    /// The node under the pointer in another view.
    pub lit: Option<GraphNode>,
    /// The edge under the pointer in another view, or the paths of an entry of a matrix.
    pub path: Option<LitPath>,
}

/// Everything that the pane shows in one frame.
#[derive(Debug, Clone, Copy)]
pub struct GraphContent<'a> {
    /// The plan to draw: the plan that ran, or its miniature.
    pub plan: &'a Plan,
    /// How `plan` is cut into launches.
    pub schedule: &'a Schedule,
    /// The transform's name in the table.
    pub transform: &'a str,
    /// The algorithm's name in the table.
    pub algorithm: &'a str,
    /// The title above the graph, such as `Stockham radix 2`.
    pub title: &'a str,
    /// Why the algorithm was chosen; empty if it was asked for.
    pub why: &'a str,
    /// The plan that ran and its schedule, where `plan` is only a miniature of it.
    pub miniature_of: Option<(&'a Plan, &'a Schedule)>,
    /// Whether the miniature has the stages and the launches of the run, and only fewer lanes.
    pub is_shrunk: bool,
    /// Time of every launch, in µs.
    pub launch_micros: Option<&'a [f64]>,
    /// Whether it is the graph beside the first one, which steps with it.
    pub is_second: bool,
    /// The state that other views of the plan share with this one; `None` without any.
    pub shared: Option<SharedFocus>,
    /// The launch to highlight, because its bar is under the pointer.
    pub lit: Option<usize>,
    /// The facts that an open question asks for, so that they are not shown.
    pub hidden: HiddenParts,
    /// The samples, where each is the input of a lane and can be changed here.
    pub samples: Option<&'a [Complex64]>,
    /// Values of every lane before the first stage and after every stage.
    pub values: Option<NodeValues<'a>>,
    /// The same as words whose sums wait for their reduction, and which of them have overflowed.
    pub words: Option<&'a [LazyLanes]>,
}

impl GraphContent<'_> {
    /// The name of the view.
    pub(super) fn name(&self) -> &'static str {
        if self.is_second { "Second graph" } else { "Flow graph" }
    }

    /// The heading of an exported drawing, which says that it is a miniature.
    pub(super) fn heading(&self) -> String {
        match self.miniature_of {
            Some((plan, _)) => format!("{}, {} of {} lanes", self.title, integer(self.plan.lanes), integer(plan.lanes)),
            None => self.title.into(),
        }
    }

    /// The note on the run of which the drawing is a miniature.
    pub(super) fn original(&self) -> Option<Original> {
        let (plan, schedule) = self.miniature_of.filter(|_| self.is_shrunk)?;
        Some(Original::of(plan, schedule))
    }
}
