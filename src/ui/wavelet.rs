//! The pane *Wavelet*: the coefficients of the wavelet transform that is set, what is left of the signal without the small ones, and the packets of a row.
//!
//! A thread of the engine computes it; the pane shows the newest answer, dimmed while another is under way.

mod filtered;
mod packets;
mod paint;
mod pyramid;
mod sections;

use super::export::Export;
use super::looks::{WaveletLook, WaveletTab};
use super::pane::{Pane, PaneInfo};
use super::scene::{Action, Scene};
use super::theme::Tokens;
use super::widgets;
use crate::engine::wavelet::{Question, Seen, Studio, Wanted};
use crate::engine::{EngineError, Reply, Worker};
use crate::signal::Kind;
use crate::transforms::{Transform, transform};
use crate::wavelet::{Keep, Thresholding};
use egui::{RichText, Ui};
use paint::Textures;

impl WaveletLook {
    /// What the engine is asked for; sections are read off the plan that ran.
    fn wanted(&self, row: usize) -> Option<Wanted> {
        let keep = if self.by_value { Keep::Above(self.value) } else { Keep::Share(self.percent / 100.0) };
        Some(match self.tab {
            WaveletTab::Pyramid => Wanted::Pyramid { row },
            WaveletTab::Threshold => Wanted::Filtered { thresholding: Thresholding { keep, shrink: self.shrink }, row },
            WaveletTab::Packets => Wanted::Packets {
                row,
                levels: self.packet_levels,
                cost: self.cost,
                tree: self.tree.clone(),
                part: self.node.filter(|_| self.alone),
            },
            WaveletTab::Sections => return None,
        })
    }
}

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "Wavelet",
    title: "Wavelet",
    help: &[
        "Pyramid: the coefficients of the wavelet transform that is set; hover one for its band and value.",
        "Threshold: what is left of the signal without the small coefficients, and what that costs.",
        "Packets: the tree of one row; click a block, then split it, merge it, or take the best basis.",
    ],
    empty: "Wavelet coefficients are shown here once there is a signal",
    shows_result: false,
    keys: &[],
    create: |_| Box::<WaveletPane>::default(),
};

/// The pane.
#[derive(Default)]
pub(super) struct WaveletPane {
    /// Started when the pane is first seen.
    analyst: Option<Worker<Question, Reply<Question, Result<Seen, EngineError>>>>,
    textures: Textures,
}

impl Pane for WaveletPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(signal) = scene.signal else {
            return widgets::empty_state(ui, PANE.empty);
        };
        tabs_ui(ui, &mut scene.settings.wavelet);
        let job = scene.settings.job(signal);
        // Packets are those of D4, whatever is set; sections are read off the plan that ran.
        let is_shown = match (scene.settings.wavelet.tab, transform(job.transform).ok().and_then(Transform::wavelet)) {
            (WaveletTab::Packets, _) => true,
            (WaveletTab::Sections, Some(wavelet)) => wavelet.name == job.transform,
            (_, wavelet) => wavelet.is_some(),
        };
        if !is_shown {
            return offer_ui(ui, scene, signal.kind);
        }
        let Some(wanted) = scene.settings.wavelet.wanted(scene.settings.line.row) else {
            return sections::ui(ui, scene);
        };
        let analyst = self.analyst.get_or_insert_with(|| {
            let (ctx, mut studio) = (ui.ctx().clone(), Studio::default());
            let answer = move |question: &Question, cancel: &_, progress: &dyn Fn(&str, f32)| studio.answer(question, cancel, progress);
            Worker::answering("wavelet", answer, move || ctx.request_repaint())
        });
        let question = Question { job, wanted };
        let studied = widgets::answer_ui(ui, analyst, &question);
        let is_newest = studied.as_ref().is_some_and(|studied| studied.request == question);
        let look = &mut scene.settings.wavelet;
        match (look.tab, studied.as_deref().map(|studied| &studied.result)) {
            (WaveletTab::Threshold, _) => filtered::choices_ui(ui, look),
            (WaveletTab::Packets, Some(Ok(Seen::Packets(packets)))) => packets::choices_ui(ui, look, packets),
            _ => {}
        }
        if !is_newest {
            ui.set_opacity(0.5);
        }
        match studied.as_deref().map(|studied| &studied.result) {
            Some(Ok(Seen::Pyramid(seen))) if look.tab == WaveletTab::Pyramid => pyramid::ui(ui, &mut self.textures, seen, scene.read_out),
            Some(Ok(Seen::Filtered(seen))) if look.tab == WaveletTab::Threshold => {
                if filtered::ui(ui, &mut self.textures, seen)
                    && let Wanted::Filtered { thresholding, .. } = question.wanted
                {
                    let export = Export::Thresholded { job: Box::new(question.job.clone()), thresholding };
                    scene.actions.push(Action::Export(Box::new(export)));
                }
            }
            Some(Ok(Seen::Packets(seen))) if look.tab == WaveletTab::Packets => packets::ui(ui, look, seen, scene.read_out),
            Some(Err(EngineError::Cancelled)) if is_newest => {
                widgets::empty_state(ui, "The work was given up; change something to start it anew")
            }
            Some(Err(error)) if is_newest => {
                ui.add(egui::Label::new(RichText::new(super::remedy::in_words(error)).color(Tokens::current(ui).error)).wrap());
            }
            _ => widgets::empty_state(ui, "The coefficients are being computed"),
        }
    }

    fn is_settled(&self) -> bool {
        self.analyst.as_ref().is_none_or(Worker::is_idle)
    }
}

fn tabs_ui(ui: &mut Ui, look: &mut WaveletLook) {
    let tabs = [
        (WaveletTab::Pyramid, "Pyramid", "The coefficients, band by band, in the Mallat layout"),
        (WaveletTab::Threshold, "Threshold", "What is left without the small coefficients: compression and denoising"),
        (WaveletTab::Packets, "Packets", "The tree of D4 packets of one row, and its best basis"),
        (WaveletTab::Sections, "Sections", "What tiles finish alone, and what is left at their borders: split and merge"),
    ];
    ui.horizontal(|ui| widgets::segmented(ui, &mut look.tab, &tabs));
}

/// The way to a wavelet transform where another one is set.
fn offer_ui(ui: &mut Ui, scene: &mut Scene<'_>, kind: Kind) {
    let text = format!("{} has no wavelet coefficients.", scene.settings.transform().title);
    ui.add_space(8.0);
    widgets::weak(ui, text);
    if ui.button("Take CDF 9/7").on_hover_text("Sets the transform; undo brings the old one back").clicked() {
        scene.settings.set_wavelet_transform(kind);
    }
}
