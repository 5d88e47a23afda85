//! The pane *Logic*: the properties of a Boolean function or an S-box, each with its reason.
//!
//! A worker computes the study; the pane shows the newest one, dimmed while the worker computes another.

mod heat_map;
mod numbers;
mod spectra;

use super::action::{Action, PaneOutput};
use super::canvas::ZoomTo;
use super::export::painted;
use super::origin::Origin;
use super::pane::{Pane, PaneInfo};
use super::relayout::lay_out_again;
use super::scene::Scene;
use super::settings::{LogicLook, LogicTab};
use super::studied::Studied;
use super::theme::GRID;
use super::toolbar::{Toolbar, toolbar};
use super::widgets;
use crate::engine::EngineError;
use crate::engine::logic::{FunctionStudy, LogicRequest, LogicStudy, SignalStudy, StudyError};
use crate::lesson::Topic;
use crate::logic::{SBox, box_text};
use crate::signal::generate::{Boolean, Generator};
use crate::transforms::Family;
use egui::{Ui, UiBuilder};
use heat_map::HeatMap;
use spectra::SpectraView;
use std::sync::Arc;

/// The most input bits of an S-box that can be written as text.
const MOST_WRITTEN_BITS: u32 = 10;
/// A spectrum is below the numbers from this height of the pane on, in points. In a lower pane it has the tab *Spectra*.
const LEAST_HEIGHT_WITH_PLOT: f32 = 240.0;
/// The least height of that spectrum, in points, and the share of the height that the numbers take where they leave it more; they scroll.
const LEAST_HEIGHT_OF_PLOT: f32 = 136.0;
const SHARE_OF_NUMBERS: f32 = 0.42;
/// The height of the numbers above a spectrum, at most, in points.
const MOST_HEIGHT_OF_NUMBERS: f32 = 320.0;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The properties of a Boolean function, or of the S-box that it comes from.",
        "Hover a number for its meaning and for the reason of its value.",
        "Flip a value in the truth table of the source to see what changes.",
    ],
    empty: "The properties of a Boolean function appear here once there is one",
    has_content: |scene| scene.settings.transform().family == Family::SpectralLogic,
    ..PaneInfo::new("Logic", "Logic", |services| {
        let studied = Studied::new(&services.studies, || LogicStudy);
        Box::new(LogicPane { studied, spectra: SpectraView::new(&services.studies), heat_map: HeatMap::default(), numbers: None })
    })
};

/// The pane.
struct LogicPane {
    studied: Studied<LogicStudy>,
    spectra: SpectraView,
    heat_map: HeatMap,
    /// The greatest height that the numbers of functions of this number of variables have taken, in points.
    numbers: Option<(u32, f32)>,
}

impl Pane for LogicPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        // The spectra answer a question about the result.
        let hides = scene.learn.hides(Topic::Values);
        let (signal, channel, look, out) = (scene.signal, scene.settings.channel, &mut scene.settings.logic, &mut *scene.out);
        let Some(signal) = signal else { return widgets::empty_state(ui, PANE.empty) };
        let request = LogicRequest { signal: signal.clone(), channel };
        let answer = self.studied.ask_ui(ui, Some(&request));
        match answer.as_ref().map(|answer| (&answer.reply.result, answer.is_newest)) {
            Some((Ok(study), is_newest)) => {
                if !is_newest {
                    ui.set_opacity(0.5);
                }
                self.study_ui(ui, look, hides, study, out);
            }
            Some((Err(error), true)) => error_ui(ui, &mut out.actions, error),
            _ => widgets::empty_state(ui, "The function is being studied"),
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.spectra.reset();
        self.heat_map.order(zoom);
    }

    fn kept(&self) -> serde_json::Value {
        self.spectra.kept()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.spectra.restore(kept);
    }
}

impl LogicPane {
    fn study_ui(&mut self, ui: &mut Ui, look: &mut LogicLook, hides: bool, study: &Arc<SignalStudy>, out: &mut PaneOutput) {
        let mut tabs = Vec::new();
        if study.function.is_some() {
            tabs.push((
                LogicTab::Numbers,
                "Numbers",
                "Polynomials, nonlinearity, immunity and others, each with its reason, above a spectrum",
            ));
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
        let mut component = false;
        toolbar(ui, PANE.title, |bar| {
            if bar.views("View of the function", &mut tab, &tabs) {
                look.tab = tab;
            }
            match (tab, &study.function, &study.sbox) {
                (LogicTab::Tables, function, Some(sbox)) => {
                    heat_map::tools_ui(bar, look, sbox);
                    component = function.is_none() && component_ui(bar, &sbox.sbox);
                }
                (_, Some(function), _) => {
                    spectra::tools_ui(bar, look);
                    numbers::tools_ui(bar, function);
                }
                _ => {}
            }
        });
        painted::begin(ui);
        match (tab, &study.function, &study.sbox) {
            (LogicTab::Spectra, Some(_), _) if hides => {
                widgets::hidden(ui, "The spectrum");
            }
            (LogicTab::Spectra, Some(function), _) => self.spectra.ui(ui, look, function, study, &mut out.read_out),
            (LogicTab::Tables, _, Some(sbox)) => self.heat_map.ui(ui, look, sbox, study, &mut out.read_out),
            (_, Some(function), _) => self.numbers_ui(ui, look, function, study, (&mut out.read_out, hides)),
            _ => {}
        }
        if let Some(sbox) = study.sbox.as_ref().filter(|_| component) {
            let text = box_text(&sbox.sbox, 1);
            out.actions.push(Action::SetOrigin(Origin::Generator(Generator::Boolean(Boolean { text }))));
        }
    }

    /// Shows the numbers, and a spectrum below them if it has room. The numbers take what they need: a shorter polynomial leaves its line, so that the spectrum stays where it is.
    fn numbers_ui(
        &mut self,
        ui: &mut Ui,
        look: &LogicLook,
        function: &FunctionStudy,
        study: &Arc<SignalStudy>,
        (read_out, hides): (&mut String, bool),
    ) {
        let area = ui.available_rect_before_wrap();
        if hides || area.height() < LEAST_HEIGHT_WITH_PLOT {
            numbers::ui(ui, function);
            return;
        }
        let n = function.function.n();
        let known = self.numbers.filter(|(of, _)| *of == n).map(|(_, height)| height);
        let most = (SHARE_OF_NUMBERS * area.height()).min(MOST_HEIGHT_OF_NUMBERS).min(area.height() - LEAST_HEIGHT_OF_PLOT);
        let upper = area.with_max_y(area.top() + most.min(known.unwrap_or(most)));
        let needed = ui.scope_builder(UiBuilder::new().max_rect(upper), |ui| numbers::ui(ui, function)).inner;
        if known.is_none_or(|known| needed > known) {
            self.numbers = Some((n, needed));
            lay_out_again(ui);
        }
        let lower = area.with_min_y(upper.bottom() + 2.0 * GRID);
        ui.scope_builder(UiBuilder::new().max_rect(lower), |ui| self.spectra.ui(ui, look, function, study, read_out));
    }
}

/// Offers to study one output bit of an S-box as a function; returns whether the user wants it.
fn component_ui(bar: &mut Toolbar<'_>, sbox: &SBox) -> bool {
    let clicked = bar.item("component", |ui| {
        let button = ui.add_enabled(sbox.n() <= MOST_WRITTEN_BITS, egui::Button::new("Study a component"));
        button.on_hover_text("Takes the lowest output bit as the source; choose others there").clicked()
    });
    clicked == Some(true)
}

/// Says why there is no study, and offers a function.
fn error_ui(ui: &mut Ui, actions: &mut Vec<Action>, error: &StudyError) {
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
        actions.push(Action::SetOrigin(Origin::Generator(Generator::Boolean(Boolean::default()))));
    }
}
