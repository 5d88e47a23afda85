//! The identity of a pane: what the scene, the focus and sessions hold of it. It knows neither a pane nor their list.

/// A pane of the list, by the name that sessions hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub struct PaneId(pub(super) &'static str);
