//! What outlives the program: the settings, the layout, the files that were opened, and the look of the window.

use super::panes::PaneId;
use super::preset::Preset;
use super::settings::Settings;
use egui::ThemePreference;
use egui_tiles::Tree;
use std::path::PathBuf;

/// What outlives the program.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Memory {
    /// What the user set.
    pub settings: Settings,
    /// The preset that is laid out.
    pub preset: Preset,
    /// The panes as the user left them.
    pub tree: Tree<PaneId>,
    /// Whether the user has moved a pane or an edge: from then on the window moves none by itself.
    pub rearranged: bool,
    /// Files that were opened, newest first.
    pub recent: Vec<PathBuf>,
    /// Dark, light, or as the system.
    pub theme: ThemePreference,
    /// Size of everything.
    pub scale: f32,
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
