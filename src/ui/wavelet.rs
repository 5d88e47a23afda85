//! The pane *Wavelet*: the coefficients of the current wavelet transform, the packets of a row, and the sections of tiles.
//!
//! A worker computes them; the pane shows its newest answer, dimmed while the worker computes another.

mod packets;
mod pyramid;
mod sections;

use super::action::Action;
use super::canvas::ZoomTo;
use super::export::painted;
use super::pane::{Pane, PaneInfo};
use super::pictures::{ImageTextures, LinkedZoom};
use super::scene::Scene;
use super::settings::{Settings, WaveletLook, WaveletTab};
use super::studied::{Answer, Studied};
use super::threshold_controls::share_ui;
use super::toolbar::{Toolbar, toolbar};
use super::widgets;
use crate::choice::Named as _;
use crate::engine::StudyReply;
use crate::engine::wavelet::{WaveletReport, WaveletRequest, WaveletStudy, WaveletView};
use crate::plan::Direction;
use crate::signal::SignalKind;
use crate::transforms::{Family, Transform};
use egui::Ui;
use packets::PacketCurves;

impl WaveletLook {
    /// The request to the engine; sections follow from the plan that ran and need none.
    fn wanted(&self, row: usize) -> Option<WaveletView> {
        Some(match self.tab {
            WaveletTab::Pyramid => WaveletView::Pyramid { row, one_scale: self.one_scale, share: self.percent / 100.0 },
            WaveletTab::Packets => WaveletView::Packets {
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
    help: &[
        "Pyramid: the coefficients of the current wavelet transform; hover one for its band and value. Beside them is the image that the largest make.",
        "The pane Coefficients has thresholds, the signal that they leave, and its export.",
        "Packets: the tree of one row; click a block, then split it, merge it, or take the best basis.",
    ],
    empty: "Wavelet coefficients appear here once there is a signal",
    has_content: |scene| scene.settings.transform().family == Family::Wavelets,
    tells_values: true,
    ..PaneInfo::new("Wavelet", "Wavelet", |services| {
        Box::new(WaveletPane {
            studied: Studied::new(&services.studies, WaveletStudy::default),
            textures: ImageTextures::default(),
            zoom: LinkedZoom::default(),
            curves: PacketCurves::default(),
        })
    })
};

/// The tab that shows a report.
fn tab_of(report: &WaveletReport) -> WaveletTab {
    match report {
        WaveletReport::Pyramid(_) => WaveletTab::Pyramid,
        WaveletReport::Packets(_) => WaveletTab::Packets,
    }
}

/// The pane.
struct WaveletPane {
    studied: Studied<WaveletStudy>,
    textures: ImageTextures,
    /// The part of the image beside the coefficients that is visible.
    zoom: LinkedZoom,
    curves: PacketCurves,
}

impl Pane for WaveletPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let Settings { wavelet: look, row, parameters, cut, algorithm, .. } = &mut *scene.settings;
        let Some(signal) = shown.signal else { return widgets::empty_state(ui, PANE.empty) };
        let newest = self.studied.newest();
        toolbar(ui, PANE.title, |bar| tools_ui(bar, look, newest.as_deref()));
        // Packets always use D4; sections follow from the plan that ran.
        let is_shown = match (look.tab, shown.transform.wavelet()) {
            (WaveletTab::Packets, _) => true,
            (WaveletTab::Sections, Some(wavelet)) => wavelet.name == shown.transform.name,
            (_, wavelet) => wavelet.is_some(),
        };
        if !is_shown {
            return offer_ui(ui, (shown.transform, signal.kind), &mut parameters.direction, &mut out.actions);
        }
        let Some(wanted) = look.wanted(*row) else {
            return sections::ui(ui, &shown, cut, algorithm);
        };
        let request = shown.job.cloned().map(|job| WaveletRequest { job, wanted });
        let is_of_tab = |report: &WaveletReport| tab_of(report) == look.tab;
        let answer = self.studied.result_ui(ui, request.as_ref(), is_of_tab, "The coefficients are being computed");
        let Some(Answer { reply, is_newest, .. }) = answer else { return };
        if !is_newest {
            ui.set_opacity(0.5);
        }
        painted::begin(ui);
        match &reply.result {
            Ok(WaveletReport::Pyramid(seen)) => {
                pyramid::ui(ui, &mut self.textures, &mut self.zoom, look.one_scale, seen, &mut out.read_out);
            }
            Ok(WaveletReport::Packets(seen)) => packets::ui(ui, look, seen, &mut self.curves, &mut out.read_out),
            // It was shown above.
            Err(_) => {}
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.zoom.order(zoom);
    }

    fn kept(&self) -> serde_json::Value {
        self.zoom.kept()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.zoom = LinkedZoom::restored(kept);
    }

    fn forget(&mut self) {
        self.studied.forget();
    }
}

/// The controls above the coefficients.
fn tools_ui(bar: &mut Toolbar<'_>, look: &mut WaveletLook, newest: Option<&StudyReply<WaveletStudy>>) {
    bar.views("View of the coefficients", &mut look.tab, &WaveletTab::offered());
    let seen = newest.and_then(|newest| newest.result.as_ref().ok());
    match look.tab {
        WaveletTab::Pyramid => {
            pyramid::tools_ui(bar, look);
            if let Some(WaveletReport::Pyramid(seen)) = seen
                && let Some(left) = &seen.left
            {
                bar.item("amount", |ui| share_ui(ui, &mut look.percent, Some(left.kept)));
            }
        }
        WaveletTab::Packets => {
            let seen = if let Some(WaveletReport::Packets(seen)) = seen { Some(&**seen) } else { None };
            packets::tools_ui(bar, look, seen);
        }
        WaveletTab::Sections => {}
    }
}

/// Offers a wavelet transform where the current transform is none.
fn offer_ui(ui: &mut Ui, (transform, kind): (&Transform, SignalKind), direction: &mut Direction, actions: &mut Vec<Action>) {
    let text = format!("{} has no wavelet coefficients.", transform.title);
    if widgets::offer(ui, &text, "Take CDF 9/7", "Sets the transform; undo brings the old one back") {
        *direction = Direction::Forward;
        actions.push(Action::SetTransform(if kind.is_image() { "cdf97-2" } else { "cdf97" }));
    }
}
