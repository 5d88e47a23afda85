//! The state that outlives the program: settings, layout, recent files, and the look of the window.

use super::panes::PaneId;
use super::preset::Preset;
use super::result_looks::move_old_looks;
use super::settings::Settings;
use egui::ThemePreference;
use egui_tiles::Tree;
use std::path::PathBuf;

/// The state that outlives the program.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Memory {
    /// The settings.
    pub settings: Settings,
    /// The preset that is laid out.
    pub preset: Preset,
    /// The panes as the user has arranged them.
    pub tree: Tree<PaneId>,
    /// Whether the user has moved a pane or an edge. After that the window moves none by itself.
    pub rearranged: bool,
    /// Files that were opened, newest first.
    pub recent: Vec<PathBuf>,
    /// Dark, light, or as the system is set.
    pub theme: ThemePreference,
    /// Zoom factor of the whole window.
    pub scale: f32,
}

impl Memory {
    /// Reads what this version or an older one kept.
    ///
    /// # Errors
    /// When a value has another type, or names something that this program does not know.
    pub(super) fn from_json(mut kept: serde_json::Value) -> serde_json::Result<Self> {
        kept.get_mut("settings").map(move_old_looks);
        serde_json::from_value(kept)
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            preset: Preset::default(),
            tree: Preset::default().tree(),
            rearranged: false,
            recent: Vec::new(),
            theme: ThemePreference::System,
            scale: 1.0,
        }
    }
}
