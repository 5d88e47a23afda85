//! The pane *Coefficients*: the part of one coefficient in the signal, its share of the energy, and the signal that changed or fewer coefficients make.

mod bars;

use super::action::{Action, PaneOutput};
use super::canvas::ZoomTo;
use super::colour_bar::colour_bar;
use super::export::Export;
use super::pane::{Pane, PaneInfo};
use super::pictures::{ImageTextures, LinkedZoom, curves, fitted};
use super::scene::Scene;
use super::settings::{KeepBy, SynthesisLook};
use super::shown::ShownJob;
use super::studied::Studied;
use super::theme::{GRID, Tokens};
use super::threshold_controls::{share, threshold_ui};
use super::toolbar::toolbar;
use super::widgets;
use crate::display::Colormap;
use crate::engine::{Pixels, Synthesis, SynthesisRequest, SynthesisStudy, SynthesisView};
use crate::numerals::{integer, number};
use crate::transforms::Axes;
use bars::Bars;
use egui::{Button, Rect, Role, Ui, WidgetInfo, vec2};

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Click a coefficient here or in the spectrum: its part of the signal appears below, with its share of the energy, and its path is pinned in the flow graph.",
        "Drag a coefficient up or down, or use the arrow keys, and see the signal that it makes.",
        "Keep only the largest coefficients, to compress or to denoise, and see what they make and what is lost. Wheel and drag zoom all images at once.",
    ],
    empty: "Coefficients appear here once a transform with an inverse has run",
    has_content: |scene| scene.settings.transform().has_coefficients(),
    tells_values: true,
    ..PaneInfo::new("Coefficients", "Coefficients", |services| {
        let studied = Studied::new(&services.studies, SynthesisStudy::default);
        Box::new(CoefficientsPane { studied, bars: Bars::default(), textures: ImageTextures::default(), zoom: LinkedZoom::default() })
    })
};

/// Width of the colour bar of a difference with its numbers, in points.
const BAR_WIDTH: f32 = 64.0;

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
    /// The part of the images that is visible, the same in all of them.
    zoom: LinkedZoom,
}

impl Pane for CoefficientsPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, row, look, out) = (scene.shown(), scene.settings.row, &mut scene.settings.synthesis, &mut *scene.out);
        if shown.signal.is_none() || !shown.transform.has_coefficients() {
            return widgets::empty_state(ui, PANE.empty);
        }
        if !shown.is_forward() {
            return widgets::empty_state(ui, "The direction is inverse, so that the samples are coefficients: take Forward");
        }
        let (picked, changed, thresholding) = (look.picked, look.changed.clone(), look.thresholding());
        let request = shown.job.cloned().map(|job| SynthesisRequest { job, row, picked, changed, thresholding });
        let kept = self.studied.newest().and_then(|newest| newest.result.as_ref().ok()?.kept);
        toolbar(ui, PANE.title, |bar| {
            threshold_ui(bar, look, kept);
            bar.item("reset", |ui| {
                let is_changed = look.keep_by != KeepBy::All || !look.changed.is_empty();
                if ui.add_enabled(is_changed, Button::new("All as computed")).on_hover_text("Brings every coefficient back").clicked() {
                    look.keep_all();
                }
            });
            let can_export = request.as_ref().is_some_and(|request| request.thresholding.is_some());
            let exports = bar.item("export", |ui| {
                let button = ui.add_enabled(can_export, Button::new("Export…"));
                button.widget_info(|| WidgetInfo::labeled(Role::Button, can_export, "Export the thresholded signal"));
                let about = "Writes the signal after the threshold to a file, in every channel and at full size; coefficients that were changed by hand count as computed";
                button.on_hover_text(about).on_disabled_hover_text("Take a share or a value first").clicked()
            });
            if let (Some(true), Some(SynthesisRequest { job, thresholding: Some(thresholding), .. })) = (exports, &request) {
                let (job, thresholding) = (Box::new(job.clone()), *thresholding);
                out.actions.push(Action::Export(Box::new(Export::Thresholded { job, thresholding })));
            }
        });
        let answer = self.studied.result_ui(ui, request.as_ref(), |_| true, PANE.empty);
        if let Some(Ok(report)) = answer.as_ref().map(|answer| &answer.reply.result) {
            self.report_ui(ui, Fields { shown, row, look, out }, report);
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

impl CoefficientsPane {
    fn report_ui(&mut self, ui: &mut Ui, fields: Fields<'_>, report: &Synthesis) {
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
            SynthesisView::Curves { n, curves: [before, anew, third] } => {
                let tokens = Tokens::current(ui);
                let third_name = if report.picked.is_some() { "part of the picked one" } else { "difference" };
                let all = [
                    ("samples", &before[..], tokens.weak),
                    ("made by the coefficients", &anew[..], tokens.accent),
                    (third_name, &third[..], tokens.warning),
                ];
                curves(ui, "Signal and part of a coefficient", lower, *n, &all);
            }
            SynthesisView::Images(images) => self.images_ui(ui, lower, images, report),
        }
    }

    /// The image, the image of the coefficients, and the part of the picked one or the difference.
    fn images_ui(&mut self, ui: &mut Ui, area: Rect, [before, anew, third]: &[Pixels; 3], report: &Synthesis) {
        let third = match report.picked {
            Some(_) => ("Part of the picked coefficient", third, Colormap::Gray),
            None => ("Difference", third, Colormap::Magma),
        };
        let all = [("Image", before, Colormap::Gray), ("Made by the coefficients", anew, Colormap::Gray), third];
        let gap = 2.0 * GRID;
        let each = vec2((area.width() - BAR_WIDTH + gap) / all.len() as f32 - gap, area.height() - 18.0);
        for (index, (title, pixels, colormap)) in all.into_iter().enumerate() {
            let corner = area.min + vec2(index as f32 * (each.x + gap), 0.0);
            let (font, color) = (egui::FontId::proportional(11.0), Tokens::current(ui).weak);
            ui.painter().text(corner, egui::Align2::LEFT_TOP, title, font, color);
            let rect = fitted(Rect::from_min_size(corner + vec2(0.0, 18.0), each), pixels.size);
            let response = self.textures.part(ui, title, rect, pixels, colormap, self.zoom.visible());
            self.zoom.interact(ui, &response);
            if colormap == Colormap::Magma {
                let bar = Rect::from_min_size(rect.right_top() + vec2(GRID, 0.0), vec2(10.0, rect.height()));
                colour_bar(ui, bar, colormap.lut(), [0.0, report.largest as f32], 40.0, false);
            }
        }
    }
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
    if let Some(kept) = report.kept {
        let percent = number(share(kept.n, kept.of), 4);
        facts.push(("Kept", format!("{} of {} coefficients ({percent} %)", integer(kept.n), integer(kept.of))));
        facts.push(("Energy", format!("{} %", number(100.0 * kept.energy, 6))));
        facts.push(("Dropped", format!("magnitudes up to {}", number(kept.threshold, 5))));
        facts
            .push(("PSNR", if report.psnr.is_finite() { format!("{} dB", number(report.psnr, 4)) } else { "∞, no sample changes".into() }));
        facts.push(("Largest difference", number(report.largest, 4)));
    }
    facts.push(("Difference of the samples", format!("{} %", number(100.0 * report.error, 3))));
    if report.picked.is_none() && report.kept.is_none() {
        facts.push(("Click", "a coefficient for its part of the signal; drag one to change it".into()));
    }
    widgets::facts_line(ui, &facts);
}

/// Row and column of coefficient `index` of the row that is shown.
fn place(report: &Synthesis, axes: Axes, row: usize, index: usize) -> [usize; 2] {
    let row = if axes == Axes::Rows { row.min(report.shape.rows - 1) } else { index / report.shape.columns };
    [row, index % report.shape.columns]
}
