//! The identity of a pane: what the scene, the focus and sessions hold of it. It knows neither a pane nor their list.

use egui::Id;

/// A pane of the list, by the name that sessions hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub struct PaneId(pub(super) &'static str);

impl PaneId {
    /// Where the rectangle between the tabs above the pane and their buttons is found.
    pub(super) fn free_strip(self) -> Id {
        Id::unique(("free strip", self.0))
    }
}
