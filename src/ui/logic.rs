//! The pane *Logic*: the properties of a Boolean function or an S-box, each with its reason.
//!
//! A worker computes the study; the pane shows the newest one, dimmed while the worker computes another.

mod heat_map;
mod numbers;
mod spectra;

use super::canvas::ZoomTo;
use super::export::painted;
use super::looks::LogicTab;
use super::origin::Origin;
use super::pane::{Pane, PaneInfo};
use super::scene::{Action, Scene};
use super::widgets;
use crate::engine::logic::{LogicRequest, Study, StudyError, study};
use crate::engine::{EngineError, Reply, Worker};
use crate::logic::{SBox, box_text};
use crate::signal::generate::{Boolean, Generator};
use crate::transforms::Family;
use egui::Ui;
use heat_map::HeatMap;
use spectra::SpectraView;
use std::sync::Arc;

/// The most input bits of an S-box that can be written as text.
const MOST_WRITTEN_BITS: u32 = 10;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "Logic",
    title: "Logic",
    help: &[
        "The properties of a Boolean function, or of the S-box that it comes from.",
        "Hover a number for its meaning and for the reason of its value.",
        "Flip a value in the truth table of the source to see what changes.",
    ],
    empty: "The properties of a Boolean function appear here once there is one",
    shows_result: false,
    keys: &[],
    has_content: |scene| scene.settings.transform().family == Family::SpectralLogic,
    create: |_| Box::<LogicPane>::default(),
};

/// The thread that analyses functions.
type StudyWorker = Worker<LogicRequest, Reply<LogicRequest, Result<Arc<Study>, StudyError>>>;

/// The pane.
#[derive(Default)]
pub(super) struct LogicPane {
    /// Started when the pane is first seen.
    worker: Option<StudyWorker>,
    spectra: SpectraView,
    heat_map: HeatMap,
}

impl Pane for LogicPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(signal) = scene.signal else { return widgets::empty_state(ui, PANE.empty) };
        let worker = self.worker.get_or_insert_with(|| {
            let ctx = ui.ctx().clone();
            let answer = |request: &LogicRequest, cancel: &_, progress: &dyn Fn(&str, f32)| {
                study(&request.signal, request.channel, cancel, progress).map(Arc::new)
            };
            Worker::answering("logic", answer, move || ctx.request_repaint())
        });
        let request = LogicRequest { signal: signal.clone(), channel: scene.settings.channel };
        let studied = widgets::answer_ui(ui, worker, &request);
        let is_newest = studied.as_ref().is_some_and(|studied| studied.request == request);
        match studied.as_deref().map(|studied| &studied.result) {
            Some(Ok(study)) => {
                let study = study.clone();
                if !is_newest {
                    ui.set_opacity(0.5);
                }
                self.study_ui(ui, scene, &study);
            }
            Some(Err(error)) if is_newest => error_ui(ui, scene, error),
            _ => widgets::empty_state(ui, "The function is being studied"),
        }
    }

    fn is_settled(&self) -> bool {
        self.worker.as_ref().is_none_or(Worker::is_idle)
    }

    fn zoom(&mut self, _zoom: ZoomTo) {
        self.spectra.reset();
    }
}

impl LogicPane {
    fn study_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, study: &Arc<Study>) {
        let look = &mut scene.settings.logic;
        let mut tabs = Vec::new();
        if study.function.is_some() {
            tabs.push((LogicTab::Numbers, "Numbers", "Polynomials, nonlinearity, immunity and others, each with its reason"));
            tabs.push((
                LogicTab::Spectra,
                "Spectra",
                "Walsh, Reed-Muller, arithmetic and Haar spectrum, and autocorrelation, with exact integers",
            ));
        }
        if study.sbox.is_some() {
            tabs.push((LogicTab::Tables, "S-box", "Linear approximations and differences"));
        }
        let mut tab = if tabs.iter().any(|(tab, ..)| *tab == look.tab) { look.tab } else { tabs[0].0 };
        ui.horizontal(|ui| {
            if widgets::tabs(ui, "View of the function", &mut tab, &tabs).changed() {
                look.tab = tab;
            }
        });
        painted::begin(ui);
        match (tab, &study.function, &study.sbox) {
            (LogicTab::Spectra, Some(function), _) => self.spectra.ui(ui, look, function, study, scene.read_out),
            (LogicTab::Tables, function, Some(sbox)) => {
                if function.is_none() {
                    component_ui(ui, &sbox.sbox, scene.actions);
                }
                self.heat_map.ui(ui, look, sbox, study, scene.read_out);
            }
            (_, Some(function), _) => numbers::ui(ui, function),
            _ => {}
        }
    }
}

/// Offers to study one output bit of an S-box as a function.
fn component_ui(ui: &mut Ui, sbox: &SBox, actions: &mut Vec<Action>) {
    let button = ui.add_enabled(sbox.n() <= MOST_WRITTEN_BITS, egui::Button::new("Study a component"));
    if button.on_hover_text("Takes the lowest output bit as the source; choose others there").clicked() {
        actions.push(Action::SetOrigin(Origin::Generator(Generator::Boolean(Boolean { text: box_text(sbox, 1) }))));
    }
}

/// Says why there is no study, and offers a function.
fn error_ui(ui: &mut Ui, scene: &mut Scene<'_>, error: &StudyError) {
    let (text, is_offered) = match error {
        StudyError::NoFunction { .. } | StudyError::NoIntegers { .. } => (error.to_string(), true),
        StudyError::Engine(EngineError::Cancelled) => ("The study was cancelled; change the function to start another".to_owned(), false),
        StudyError::Engine(error) => (super::remedy::in_words(error), false),
        other @ StudyError::TooLarge { .. } => (other.to_string(), false),
    };
    if !is_offered {
        return widgets::empty_state(ui, &text);
    }
    if widgets::offer(ui, &text, "Start with a bent function", "Takes x1x2 ⊕ x3x4 as the source; undo brings the old one back") {
        scene.actions.push(Action::SetOrigin(Origin::Generator(Generator::Boolean(Boolean::default()))));
    }
}
