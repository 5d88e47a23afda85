//! The panes with what they remember from frame to frame.

use super::canvas::ZoomTo;
use super::command::Command;
use super::graph_pane::GraphPane;
use super::layout::Pane;
use super::logic::LogicPane;
use super::scene::Scene;
use super::source::SourcePane;
use super::spectrum::SpectrumPane;
use super::spectrum_picture::SpectrumPicturePane;
use super::system::SystemPane;
use super::timing::TimingPane;
use super::transform::TransformPane;
use super::wavelet::WaveletPane;
use crate::engine::{Measured, Stopwatch};
use egui::{Context, Ui};
use std::path::PathBuf;

/// Commands whose keys the flow graph reads itself while the pointer is over it.
pub(super) const KEYS_OF_GRAPH: [Command; 7] =
    [Command::Fit, Command::ActualPixels, Command::ZoomIn, Command::ZoomOut, Command::Play, Command::StepForward, Command::StepBack];

/// Every pane of the window.
#[derive(Default)]
pub(super) struct Panes {
    source: SourcePane,
    transform: TransformPane,
    spectrum: SpectrumPane,
    picture: SpectrumPicturePane,
    timing: TimingPane,
    graph: GraphPane,
    logic: LogicPane,
    wavelet: WaveletPane,
    system: SystemPane,
}

impl Panes {
    /// Panes whose sweeps wait for the stopwatch.
    pub(super) fn new(stopwatch: Stopwatch) -> Self {
        Self { timing: TimingPane::new(stopwatch), ..Self::default() }
    }

    /// Shows one of them.
    pub(super) fn ui(&mut self, ui: &mut Ui, pane: Pane, scene: &mut Scene<'_>) {
        match pane {
            Pane::Source => self.source.ui(ui, scene),
            Pane::Transform => self.transform.ui(ui, scene),
            Pane::Spectrum => self.spectrum.ui(ui, scene),
            Pane::SpectrumPicture => self.picture.ui(ui, scene),
            Pane::Timing => self.timing.ui(ui, scene),
            Pane::FlowGraph => {
                self.graph.lit = self.timing.lit();
                self.graph.ui(ui, scene);
            }
            Pane::Logic => self.logic.ui(ui, scene),
            Pane::Wavelet => self.wavelet.ui(ui, scene),
            Pane::System => self.system.ui(ui, scene),
        }
    }

    /// Whether none of them waits for what it computes beside the transform.
    pub(super) fn is_settled(&self) -> bool {
        self.logic.is_settled() && self.wavelet.is_settled() && self.system.is_settled() && self.timing.is_settled()
    }

    /// The launch under the pointer in the pane of the times.
    pub(super) fn lit_launch(&self) -> Option<usize> {
        self.timing.lit()
    }

    /// Gives up a sweep that runs, and keeps what it has; whether there is one.
    pub(super) fn cancel(&self) -> bool {
        self.timing.cancel();
        self.timing.is_measuring()
    }

    /// Lets the pane of the times keep its records.
    pub(super) fn remember(&mut self, records: PathBuf, measured: Measured, ctx: &Context) {
        self.timing.remember(records, measured, ctx);
    }

    /// Zooms in one of them at the next frame.
    pub(super) fn order(&mut self, pane: Pane, zoom: ZoomTo) {
        match pane {
            Pane::Source => self.source.order(zoom),
            Pane::SpectrumPicture => self.picture.order(zoom),
            Pane::Spectrum => self.spectrum.reset(),
            Pane::FlowGraph => self.graph.pane.fit(),
            Pane::Logic => self.logic.reset(),
            Pane::System => self.system.reset(),
            Pane::Transform | Pane::Timing | Pane::Wavelet => {}
        }
    }

    /// Play, next and previous stage of the flow graph; `now` is in seconds.
    pub(super) fn play(&mut self, command: Command, now: f64) {
        match command {
            Command::StepForward => self.graph.pane.step_forward(),
            Command::StepBack => self.graph.pane.step_back(),
            _ => self.graph.pane.toggle_play(now),
        }
    }
}
