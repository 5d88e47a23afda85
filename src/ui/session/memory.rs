//! The state that outlives the program: the layouts, recent files, and the look of the window.

use crate::figure::PaperSize;
use crate::signal::ReadOptions;
use crate::ui::hints::Hints;
use crate::ui::layout::is_whole;
use crate::ui::learn::LearnMemory;
use crate::ui::pane_id::PaneId;
use crate::ui::preset::Preset;
use crate::ui::settings::{Settings, presets};
use crate::ui::sources::Sources;
use egui::ThemePreference;
use egui_tiles::Tree;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The state that outlives the program. The first fields belong to the layout that is shown.
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
    /// The kept state of each pane besides the settings, by its name.
    pub views: BTreeMap<String, Value>,
    /// The sources that are open.
    pub sources: Sources,
    /// The other layouts, as they were left.
    pub others: BTreeMap<Preset, LayoutMemory>,
    /// Files that were opened, newest first.
    pub recent: Vec<PathBuf>,
    /// How tables were read that a person decided about, by their headers.
    pub tables: BTreeMap<String, ReadOptions>,
    /// Dark, light, or as the system is set.
    pub theme: ThemePreference,
    /// Zoom factor of the whole window.
    pub scale: f32,
    /// Whether nothing moves by itself: no lanes on their way, no fading.
    pub reduces_motion: bool,
    /// The paper of handouts.
    pub paper: PaperSize,
    /// Which lesson is open, and what was read.
    pub learn: LearnMemory,
    /// The hints that have yet to be closed.
    pub hints: Hints,
}

/// A layout as it was left.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LayoutMemory {
    /// The settings.
    pub settings: Settings,
    /// The panes as the user has arranged them.
    pub tree: Tree<PaneId>,
    /// Whether the user has moved a pane or an edge.
    pub rearranged: bool,
    /// The kept state of each pane besides the settings, by its name.
    #[serde(default)]
    pub views: BTreeMap<String, Value>,
}

impl LayoutMemory {
    /// A layout that was never shown.
    fn new(preset: Preset) -> Self {
        Self { settings: Settings::of_preset(preset), tree: preset.first_tree(), rearranged: false, views: BTreeMap::new() }
    }
}

impl Memory {
    /// A window that shows this layout for the first time.
    pub fn of_preset(preset: Preset) -> Self {
        let LayoutMemory { settings, tree, rearranged, views } = LayoutMemory::new(preset);
        Self {
            settings,
            preset,
            tree,
            rearranged,
            views,
            sources: Sources::default(),
            others: BTreeMap::new(),
            recent: Vec::new(),
            tables: BTreeMap::new(),
            theme: ThemePreference::System,
            scale: 1.0,
            reduces_motion: false,
            paper: PaperSize::default(),
            learn: LearnMemory::default(),
            hints: Hints::default(),
        }
    }

    /// The very first window: an image beside its spectrum, with a ring to drag, and hints.
    pub fn first() -> Self {
        let mut memory = Self { hints: Hints::all(), ..Self::of_preset(Preset::Image) };
        if let Some((_, _, low_pass)) = presets(true).into_iter().find(|(name, ..)| *name == "Low pass") {
            memory.settings.filter.add(low_pass);
        }
        memory
    }

    /// Reads what was kept.
    ///
    /// # Errors
    /// When a value has another type, or names something that this program does not know.
    pub(crate) fn from_json(kept: Value) -> serde_json::Result<Self> {
        // Older versions kept tabs in each layout, and with them the settings of each.
        let layouts = kept.get("others").and_then(Value::as_object).into_iter().flat_map(|others| others.values());
        let tabs = layouts.chain([&kept]).filter_map(|layout| layout.get("tabs")?.get("open")?.as_array().cloned()).flatten();
        let tabs = tabs.map(serde_json::from_value).collect::<serde_json::Result<Vec<Settings>>>()?;
        let mut memory: Self = serde_json::from_value(kept)?;
        let layouts = memory.others.values().map(|layout| &layout.settings);
        if memory.sources.open().is_empty() {
            memory.sources = Sources::of_tabs(tabs.iter().chain(layouts).chain([&memory.settings]));
        }
        // Another version had other panes.
        let trees = memory.others.iter_mut().map(|(preset, layout)| (*preset, &mut layout.tree));
        for (preset, tree) in trees.chain([(memory.preset, &mut memory.tree)]) {
            if !is_whole(tree) {
                *tree = preset.tree();
            }
        }
        Ok(memory)
    }

    /// Shows another layout as it was left. Device and precision belong to the machine, so they stay.
    pub(crate) fn switch_to(&mut self, preset: Preset) {
        let next = self.others.remove(&preset).unwrap_or_else(|| LayoutMemory::new(preset));
        let left = LayoutMemory {
            settings: std::mem::replace(&mut self.settings, next.settings),
            tree: std::mem::replace(&mut self.tree, next.tree),
            rearranged: std::mem::replace(&mut self.rearranged, next.rearranged),
            views: std::mem::replace(&mut self.views, next.views),
        };
        self.settings.device = left.settings.device.clone();
        self.settings.precision = left.settings.precision;
        self.others.insert(std::mem::replace(&mut self.preset, preset), left);
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::of_preset(Preset::default())
    }
}
