//! The pane *Coefficients*: the part of one coefficient in the signal, its share of the energy, and the signal that other coefficients make.

mod bars;

use super::action::PaneOutput;
use super::pane::{Pane, PaneInfo};
use super::scene::Scene;
use super::settings::SynthesisLook;
use super::shown::ShownJob;
use super::studied::Studied;
use super::theme::{GRID, Tokens};
use super::toolbar::toolbar;
use super::wavelet::{ImageTextures, curves, fitted};
use super::widgets;
use crate::display::Colormap;
use crate::engine::{Synthesis, SynthesisRequest, SynthesisStudy, SynthesisView};
use crate::numerals::{integer, number};
use crate::transforms::{Axes, Family, Input, Transform};
use bars::Bars;
use egui::{Rect, Ui, UiBuilder, vec2};

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Click a coefficient here or in the spectrum: its part of the signal appears below, with its share of the energy, and its path is pinned in the flow graph.",
        "Drag a coefficient up or down, or use the arrow keys, and see the signal that it makes.",
        "Keep only the largest coefficients, and see what they make up.",
    ],
    empty: "Coefficients appear here once a transform with an inverse has run",
    has_content: |scene| has_coefficients(scene.settings.transform()),
    tells_values: true,
    ..PaneInfo::new("Coefficients", "Coefficients", |services| {
        let studied = Studied::new(&services.studies, SynthesisStudy::default);
        Box::new(CoefficientsPane { studied, bars: Bars::default(), textures: ImageTextures::default() })
    })
};

struct Fields<'a> {
    shown: ShownJob<'a>,
    row: usize,
    look: &'a mut SynthesisLook,
    out: &'a mut PaneOutput,
}

/// The pane.
struct CoefficientsPane {
    studied: Studied<SynthesisStudy>,
    bars: Bars,
    textures: ImageTextures,
}

impl Pane for CoefficientsPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, row, look, out) = (scene.shown(), scene.settings.row, &mut scene.settings.synthesis, &mut *scene.out);
        if shown.signal.is_none() || !has_coefficients(shown.transform) {
            return widgets::empty_state(ui, PANE.empty);
        }
        if !shown.is_forward() {
            return widgets::empty_state(ui, "The direction is inverse, so that the samples are coefficients: take Forward");
        }
        let SynthesisLook { picked, changed, keep } = look.clone();
        let request = shown.job.cloned().map(|job| SynthesisRequest { job, row, picked, changed, keep });
        let answer = self.studied.result_ui(ui, request.as_ref(), |_| true, PANE.empty);
        if let Some(Ok(report)) = answer.as_ref().map(|answer| &answer.reply.result) {
            self.report_ui(ui, Fields { shown, row, look, out }, report);
        }
    }
}

impl CoefficientsPane {
    fn report_ui(&mut self, ui: &mut Ui, fields: Fields<'_>, report: &Synthesis) {
        controls_ui(ui, fields.look, report);
        facts_ui(ui, report);
        let area = ui.available_rect_before_wrap();
        if area.width() < 120.0 || area.height() < 120.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the coefficients");
        }
        let is_image = matches!(report.view, SynthesisView::Images(_));
        let height = if is_image { 0.3 } else { 0.45 } * area.height();
        let (upper, lower) = (area.with_max_y(area.top() + height), area.with_min_y(area.top() + height + 2.0 * GRID));
        self.bars.ui(ui, upper, fields, report);
        match &report.view {
            SynthesisView::Curves { n, curves: [before, part, anew] } => {
                let tokens = Tokens::current(ui);
                let all = [
                    ("samples", &before[..], tokens.weak),
                    ("made by the coefficients", &anew[..], tokens.accent),
                    ("part of the picked one", &part[..], tokens.warning),
                ];
                curves(ui, "Signal and part of a coefficient", lower, *n, &all);
            }
            SynthesisView::Images(images) => {
                let titles = ["Image", "Part of the picked coefficient", "Made by the coefficients"];
                let each = vec2(lower.width() / 3.0 - GRID, lower.height() - 18.0);
                for (index, (title, pixels)) in titles.into_iter().zip(images).enumerate() {
                    let corner = lower.min + vec2(index as f32 * (each.x + GRID), 0.0);
                    let (font, color) = (egui::FontId::proportional(11.0), Tokens::current(ui).weak);
                    ui.painter().text(corner, egui::Align2::LEFT_TOP, title, font, color);
                    let rect = fitted(Rect::from_min_size(corner + vec2(0.0, 18.0), each), pixels.size);
                    if index == 1 && report.picked.is_none() {
                        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| widgets::empty_state(ui, "Pick a coefficient above"));
                        continue;
                    }
                    self.textures.image(ui, title, rect, pixels, Colormap::Gray);
                }
            }
        }
    }
}

/// Whether the results of a transform are coefficients of one signal.
fn has_coefficients(transform: &Transform) -> bool {
    transform.has_inverse && transform.family != Family::Convolution && transform.input == Input::Signal
}

fn controls_ui(ui: &mut Ui, look: &mut SynthesisLook, report: &Synthesis) {
    let n = report.shape.len();
    toolbar(ui, PANE.title, |bar| {
        bar.item("keep", |ui| {
            let mut kept = look.keep.unwrap_or(n).min(n);
            ui.spacing_mut().slider_width = 120.0;
            let slider = egui::Slider::new(&mut kept, 0..=n).logarithmic(n > 64).prefix("largest ");
            let response = ui.add(slider).on_hover_text("How many coefficients are kept, the largest ones");
            response.widget_info(|| egui::WidgetInfo::slider(true, kept as f64, "Coefficients that are kept"));
            if response.changed() {
                look.keep = (kept < n).then_some(kept);
            }
        });
        bar.item("reset", |ui| {
            let is_changed = look.keep.is_some() || !look.changed.is_empty();
            let button = ui.add_enabled(is_changed, egui::Button::new("All as computed"));
            if button.on_hover_text("Brings every coefficient back").clicked() {
                (look.keep, look.changed) = (None, Vec::new());
            }
        });
    });
}

fn facts_ui(ui: &mut Ui, report: &Synthesis) {
    let mut facts = Vec::new();
    if let Some(picked) = &report.picked {
        let [row, column] = picked.at;
        let is_line = report.shape.rows == 1;
        facts.push(("Picked", if is_line { column.to_string() } else { format!("{row}, {column}") }));
        let mirror = if picked.has_mirror { ", with its mirror" } else { "" };
        facts.push(("Share of the energy", format!("{} %{mirror}", number(100.0 * picked.share, 4))));
        facts.push(("Value", if report.is_real { number(picked.value.re, 6) } else { widgets::complex(picked.value) }));
    }
    let n_kept = report.kept.iter().filter(|kept| **kept).count();
    if n_kept < report.kept.len() {
        facts.push(("Kept", format!("{} of {}", integer(n_kept), integer(report.kept.len()))));
    }
    facts.push(("Difference of the samples", format!("{} %", number(100.0 * report.error, 3))));
    if report.picked.is_none() {
        facts.push(("Click", "a coefficient for its part of the signal; drag one to change it".into()));
    }
    widgets::facts_line(ui, &facts);
}

/// Row and column of coefficient `index` of the row that is shown.
fn place(report: &Synthesis, axes: Axes, row: usize, index: usize) -> [usize; 2] {
    let row = if axes == Axes::Rows { row.min(report.shape.rows - 1) } else { index / report.shape.columns };
    [row, index % report.shape.columns]
}
