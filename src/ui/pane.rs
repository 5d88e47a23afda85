//! A pane as the frame knows it: its entry in the list of panes, and the methods that the frame calls.

use super::canvas::ZoomTo;
use super::chips::{ChipPress, HeldResult};
use super::command::Command;
use super::export::Export;
use super::pane_id::PaneId;
use super::scene::Scene;
use super::settings::Act;
use super::studies::Studies;
use crate::engine::Measured;
use egui::{Context, Ui};
use std::path::PathBuf;

/// The source of the data that a pane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PaneData {
    /// The plan and the settings, or what has a name of its own.
    Plan,
    /// The samples of the source.
    Samples,
    /// The newest result of the engine.
    Result,
}

/// The entry of a pane in the list; title, help card, accessible names, menus and names of exported files follow from it.
pub(super) struct PaneInfo {
    /// The name in sessions and settings, which stays when the title changes.
    pub name: &'static str,
    /// The title.
    pub title: &'static str,
    /// The help of the pane: its content and the uses of the mouse, a line each.
    pub help: &'static [&'static str],
    /// The text of the pane while there is nothing to show.
    pub empty: &'static str,
    /// Whether it shows the result of the engine, so that a line of progress runs over it while that is out of date.
    pub shows_result: bool,
    /// Whether it tells the values of a result, which an open question may hide; the spectrum image and the flow graph hide numbers alone.
    pub tells_values: bool,
    /// Commands whose keys the pane reads itself while the pointer is over it.
    pub keys: &'static [Command],
    /// The source of its data.
    pub data: PaneData,
    /// The settings that act in it besides the transform, so that it says which of them are from an earlier source or run.
    pub acts: &'static [Act],
    /// Whether it has something to show; without that, its tab is not offered.
    pub has_content: fn(&Scene<'_>) -> bool,
    /// Makes the pane.
    pub create: fn(&PaneServices) -> Box<dyn Pane>,
}

impl PaneInfo {
    /// An entry that is always offered; help and text of the empty pane, and what is special, are added to it.
    pub(super) const fn new(name: &'static str, title: &'static str, create: fn(&PaneServices) -> Box<dyn Pane>) -> Self {
        Self {
            name,
            title,
            help: &[],
            empty: "",
            shows_result: false,
            tells_values: false,
            keys: &[],
            data: PaneData::Result,
            acts: &[],
            has_content: |_| true,
            create,
        }
    }
}

impl PaneId {
    /// The pane of an entry.
    pub(super) fn of(info: &'static PaneInfo) -> Self {
        Self(info.name)
    }
}

/// The services that the frame passes to panes when it makes them.
#[derive(Default)]
pub(super) struct PaneServices {
    /// The earlier measurements.
    pub measured: Measured,
    /// The folder of records, and the context to repaint when one is read or written.
    pub records: Option<(PathBuf, Context)>,
    /// The studies of the window, with the results of the engine that they read.
    pub studies: Studies,
}

/// A pane with what it remembers from frame to frame.
pub(super) trait Pane {
    /// Takes the fields of the pane from the scene, before anything else, and shows it; a pane of several parts hands them on as its `Fields`.
    /// Writes into `scene.out.view` what the engine must compute for it.
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>);

    /// Zooms at the next frame.
    fn zoom(&mut self, _zoom: ZoomTo) {}

    /// Plays what the pane can play, or shows the next or previous stage; `now` is in seconds.
    fn play(&mut self, _command: Command, _now: f64) {}

    /// Measures the experiment that it shows, at the next frame.
    fn measure(&mut self) {}

    /// The view of the data besides the settings: zoom, cursor, pinned node. `Null` where the pane keeps nothing.
    fn kept(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    /// Shows the data again as they were kept; `Null` shows them as at first.
    fn restore(&mut self, _kept: &serde_json::Value) {}

    /// Forgets what belongs to results of the session before.
    fn forget(&mut self) {}

    /// The result of another signal than the newest one that the pane holds.
    fn held_of_other(&self) -> Option<HeldResult> {
        None
    }

    /// Does what a press on the chip of that says.
    fn press_held(&mut self, _press: ChipPress) {}

    /// The values that it shows in place of those of the result, for a file; `None` where it shows the result.
    fn values(&self) -> Option<Export> {
        None
    }

    /// Whether the pane computes nothing besides its studies now.
    fn is_settled(&self) -> bool {
        true
    }

    /// Takes a pin away, or cancels what the pane computes besides its studies; returns whether there was something.
    fn cancel(&mut self) -> bool {
        false
    }
}
