//! The window: bars, docked panes and their look.
//!
//! The window shows what the engine reports and requests what is visible. It never waits and never computes a transform.
//! At the bottom is what panes share: `theme` and `widgets`; `command`; `settings` holds what is set and undone, `session` what outlives the program,
//! `shown` what panes read, `action` what they give, and `scene` all that a frame shows. Above them are the panes; then `panes`, the list of them, and `layout`; on top `workspace` and `app`.
//! Files use each other only within a module and its children, which a test keeps.

mod action;
mod app;
mod bars;
mod canvas;
mod chips;
mod coefficients;
mod colour_bar;
mod command;
mod costs;
mod dock;
mod drawn_plan;
mod drop_zone;
mod export;
mod figure;
mod filtered;
mod first_frame;
pub mod flow_graph;
mod focus;
mod folder;
mod gestures;
mod graph_pane;
mod held;
mod help;
mod hints;
mod icons;
mod kernel;
mod layout;
mod learn;
mod lesson_check;
mod line_plot;
mod loader;
mod logic;
mod markers;
mod matrix;
mod measurer;
mod memory_access;
mod origin;
mod pace;
mod pair;
mod palette;
mod pane;
mod pane_id;
mod panes;
mod parameters;
mod path_prompt;
mod pictures;
mod plan_focus;
mod player;
mod preparation;
mod preset;
mod profile;
mod profile_line;
mod raw_prompt;
mod recent;
mod recording_command;
mod relayout;
mod remedy;
mod run_history;
mod scale_bar;
mod scene;
mod second_graph;
mod second_signal;
mod sections;
mod session;
mod settings;
mod shown;
mod size_field;
mod snapshot;
mod source;
mod sources;
mod spectrogram;
mod spectrum;
mod spectrum_image;
mod studied;
mod studies;
mod system;
mod tasks;
mod theme;
mod threshold_controls;
mod timing;
mod toolbar;
mod transfer;
mod transform;
mod veil;
mod visible_time;
mod wavelet;
mod widgets;
mod window;
mod workspace;

pub use command::Command;
pub use egui::Theme;
pub use hints::Hints;
pub use learn::{LearnMemory, jobs_of, read_answer, settings_of as settings_of_lesson, subjects_of as subjects_of_lesson};
pub use lesson_check::verify as verify_lesson;
pub use origin::{Origin, SecondOrigin};
pub use pane_id::PaneId;
pub use preset::Preset;
pub use session::{Memory, SessionError, is_session, lesson_of, load_session, save_session};
pub use settings::{
    Act, Acting, Beside, BlurForm, BoxView, BoxesLook, Drawn, Earlier, FilterLook, FilteredView, FrameLength, FrequencyUnit, KeepBy, Line,
    LineLook, LogicLook, LogicTab, MaskTool, MeasureLook, PaintedLook, PairLook, PairTask, PairedWith, Part, PictureLength, ProfileTab,
    ResultLook, ResultLooks, Settings, SignalLook, SignalMarks, Slice, SpectrogramLook, SplitEdge, SynthesisLook, SystemLook, TransferLook,
    TransferView, TruthLook, TypedPixel, TypedRate, WaveletLook, WaveletTab,
};
pub use snapshot::{Snapshot, SnapshotError, snapshot};
pub use sources::{Shown, Source, SourceKind, SourceSettings, Sources};
pub use window::{WindowError, measured_path, run};
pub use workspace::{Opening, StreamSource, Workspace};
