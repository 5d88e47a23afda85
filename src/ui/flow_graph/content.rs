//! The input of the flow graph pane.

use super::values::NodeValues;
use crate::plan::Plan;
use crate::schedule::Schedule;

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
    /// The plan that ran and its schedule, where `plan` is only a miniature of it.
    pub miniature_of: Option<(&'a Plan, &'a Schedule)>,
    /// Time of every launch, in µs.
    pub launch_micros: Option<&'a [f64]>,
    /// The launch to highlight, because its bar is under the pointer.
    pub lit: Option<usize>,
    /// Values of every lane before the first stage and after every stage.
    pub values: Option<NodeValues<'a>>,
}
