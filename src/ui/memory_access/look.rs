//! What the pane *Memory* shows. These are settings, so that they are undone, remembered and saved.

use crate::engine::AccessBy;

/// How memory accesses are shown.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MemoryLook {
    /// The view.
    pub view: MemoryView,
    /// Whose accesses.
    pub by: AccessBy,
    /// The workgroup, from 0 on.
    pub group: usize,
    /// The subgroup or the run of iterations, from 0 on.
    pub subgroup: usize,
    /// Whether workgroup memory is padded, where that can be chosen.
    pub padded: bool,
}

impl Default for MemoryLook {
    fn default() -> Self {
        Self { view: MemoryView::default(), by: AccessBy::default(), group: 0, subgroup: 0, padded: true }
    }
}

impl MemoryLook {
    /// Whose accesses the view shows: only kernels have workgroup memory and tiles.
    pub(crate) fn shown_by(&self) -> AccessBy {
        if matches!(self.view, MemoryView::Banks | MemoryView::Tiles) { AccessBy::Kernel } else { self.by }
    }
}

/// A view of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryView {
    /// Threads against addresses.
    #[default]
    Accesses,
    /// Workgroup memory with its banks.
    Banks,
    /// Which threads work.
    Threads,
    /// The tiles over an image.
    Tiles,
}
