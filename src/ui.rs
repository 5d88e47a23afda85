//! The window: bars, docked panes and their look.
//!
//! The window shows what the engine reports and requests what is visible. It never waits and never computes a transform.
//! No two files use each other. At the bottom stand what panes share: `theme`, `widgets`, `command`, `settings`, `scene`; above them the panes; then `panes`, the list of them, and `layout`; on top `workspace` and `app`.

mod app;
mod bars;
mod canvas;
mod colour_bar;
mod command;
mod costs;
mod dock;
mod drop_zone;
mod export;
mod first_frame;
pub mod flow_graph;
mod graph_pane;
mod help;
mod layout;
mod line_plot;
mod loader;
mod logic;
mod looks;
mod memory;
mod origin;
mod pace;
mod palette;
mod pane;
mod panes;
mod parameters;
mod path_prompt;
mod preset;
mod recent;
mod remedy;
mod result_looks;
mod run_history;
mod scene;
mod second_signal;
mod sections;
mod session;
mod settings;
mod size_field;
mod snapshot;
mod source;
mod spectrum;
mod spectrum_image;
mod system;
mod tasks;
mod theme;
mod timing;
mod transform;
mod wavelet;
mod widgets;
mod window;
mod workspace;

pub use command::Command;
pub use egui::Theme;
pub use looks::{FrequencyUnit, LineLook, LogicLook, LogicTab, SystemLook, TruthLook, WaveletLook, WaveletTab};
pub use memory::Memory;
pub use origin::{Origin, SecondOrigin};
pub use panes::PaneId;
pub use preset::Preset;
pub use result_looks::{ResultLook, ResultLooks};
pub use session::{SessionError, is_session, load_session, save_session};
pub use settings::Settings;
pub use snapshot::{Snapshot, SnapshotError, snapshot};
pub use window::{WindowError, measured_path, run};
pub use workspace::Workspace;
