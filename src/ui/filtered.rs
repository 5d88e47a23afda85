//! The pane *Filtered*: the image after the mask that is drawn over its spectrum image, beside it and at once.
//!
//! A thread filters and renders what is visible; the pane shows its newest answer.

mod look;
mod shapes;

pub use look::{FilterLook, FilteredView, MaskTool, SplitEdge};

use super::canvas::{Canvas, ZoomTo};
use super::export::{Export, title_and_notes};
use super::pane::{Pane, PaneInfo};
use super::scene::{Action, Scene};
use super::theme::{GRID, Tokens};
use super::toolbar::{Toolbar, toolbar};
use super::widgets;
use crate::engine::RenderedImage;
use crate::engine::filter::{FilterReport, FilterRequest, FilterShown, FilterView, FilterWorker, start_filter_worker};
use crate::numerals::number;
use crate::plot::{Raster, View, ViewAxis, ViewItem};
use crate::signal::SignalKind;
use crate::transforms::Shape;
use egui::{Rect, ScrollArea, Sense, Stroke, Ui, vec2};
use std::sync::Arc;
use strum::IntoEnumIterator as _;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "Filtered",
    title: "Filtered",
    help: &[
        "The image after the mask. Draw shapes over the spectrum image, add one here, or let periodic noise be found.",
        "Colour images are filtered channel by channel, and the whole image, not the prepared part.",
        "Split: drag the edge. Flicker: source and result in turn. Wheel zooms, drag pans, double-click fits.",
    ],
    empty: "The filtered image appears here once there is an image",
    shows_result: false,
    keys: &[],
    has_content: |scene| scene.signal.is_none_or(|signal| signal.kind == SignalKind::Image),
    create: |_| Box::<FilteredPane>::default(),
};

/// Half a period of the flicker in seconds.
const FLICKER: f64 = 0.6;
/// The list of shapes takes at most this share of the pane.
const LIST: f32 = 0.34;

/// What a button of the toolbar asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Periodic noise is to be found.
    Noise,
    /// All values are to be exported.
    Values,
    /// The mask is to be exported.
    Mask,
}

/// The pane.
#[derive(Default)]
pub(super) struct FilteredPane {
    /// Started when the pane is first seen.
    worker: Option<FilterWorker>,
    canvas: Canvas,
    shape: Option<Shape>,
    /// Whether periodic noise is looked for.
    finds: bool,
    /// The last image, which stays while another one is computed.
    last: Option<Arc<RenderedImage>>,
    exports: bool,
}

impl Pane for FilteredPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let exports = std::mem::take(&mut self.exports);
        let Some(signal) = scene.signal.filter(|signal| signal.kind == SignalKind::Image) else {
            return widgets::empty_state(ui, PANE.empty);
        };
        let shape = Shape { rows: signal.rows, columns: signal.columns };
        if self.shape != Some(shape) {
            (self.shape, self.last) = (Some(shape), None);
            self.canvas.order(ZoomTo::Fit);
        }
        let worker = self.worker.get_or_insert_with(|| {
            let ctx = ui.ctx().clone();
            start_filter_worker(move || ctx.request_repaint())
        });
        let report = worker.latest().filter(|report| Arc::ptr_eq(&report.request.signal, signal));
        let wanted = toolbar(ui, PANE.title, |bar| tools_ui(bar, &mut scene.settings.filter));
        self.finds |= wanted == Some(Wanted::Noise);
        if self.finds && take_spots(&mut scene.settings.filter, report.as_deref()) {
            self.finds = false;
        }
        let look = &mut scene.settings.filter;
        proposal_ui(ui, look);
        let shown = report.as_deref().map(|report| report.result.as_ref());
        facts_ui(ui, look, shown);
        let area = ui.available_rect_before_wrap();
        let list = if look.mask.shapes.is_empty() { 0.0 } else { (28.0 * look.mask.shapes.len() as f32 + 12.0).min(LIST * area.height()) };
        let canvas = area.with_max_y(area.bottom() - list);
        if canvas.width() < 32.0 || canvas.height() < 32.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the image");
        }
        if let Some(Ok(FilterShown { image: Some(image), .. })) = shown {
            self.last = Some(image.clone());
        }
        let (channel, device) = (scene.settings.channel, scene.settings.device.clone());
        let look = &mut scene.settings.filter;
        self.canvas.set_sides(None);
        let reply = self.canvas.ui(ui, "Filtered image", canvas, shape, self.last.as_ref(), false);
        if look.shows == FilteredView::Split {
            split_ui(ui, &mut look.split, reply.placement.whole(shape).intersect(canvas), &reply.placement, shape);
        }
        let request = FilterRequest {
            signal: signal.clone(),
            channel,
            mask: look.mask.clone(),
            device,
            shows: view(ui, look),
            frame: reply.frame,
            finds: self.finds,
        };
        worker.request_once(&request);
        if let Some(Err(error)) = shown {
            widgets::in_place_of(ui, canvas, &super::remedy::in_words(error));
        }
        if let Some([column, row]) = reply.hovered {
            *scene.read_out = format!("filtered image   row {row}, column {column}");
        }
        if list > 0.0 {
            list_ui(ui, area.with_min_y(canvas.bottom() + GRID), &mut scene.settings.filter);
        }
        self.export_ui(scene, exports, wanted, signal);
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.canvas.order(zoom);
    }

    fn kept(&self) -> serde_json::Value {
        self.canvas.kept(self.shape)
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.shape = self.canvas.restore(kept);
    }

    fn export(&mut self) -> bool {
        self.exports = true;
        true
    }

    fn is_settled(&self) -> bool {
        let lacks_quality = |report: &FilterReport| report.result.as_ref().is_ok_and(|shown| shown.quality.is_none());
        let is_done = |worker: &FilterWorker| worker.is_idle() && !worker.latest().is_some_and(|report| lacks_quality(&report));
        self.worker.as_ref().is_none_or(|worker| is_done(worker) && !self.finds)
    }
}

impl FilteredPane {
    /// Exports what is shown, or all values.
    fn export_ui(&self, scene: &mut Scene<'_>, exports: bool, wanted: Option<Wanted>, signal: &Arc<crate::signal::Signal>) {
        if wanted == Some(Wanted::Mask) {
            let bytes = serde_json::to_vec_pretty(&scene.settings.filter.mask).unwrap_or_default();
            scene.actions.push(Action::Export(Box::new(Export::File { name: "mask.json".into(), ending: "json", bytes })));
        }
        if wanted == Some(Wanted::Values) {
            let export = Export::Filtered { signal: signal.clone(), mask: Box::new(scene.settings.filter.mask.clone()) };
            scene.actions.push(Action::Export(Box::new(export)));
        }
        if exports {
            let export = self.last.as_deref().map(|image| as_shown(scene, image));
            scene.actions.push(match export {
                Some(export) => Action::Export(Box::new(export)),
                None => Action::ShowError("there is no filtered image to export yet".into()),
            });
        }
    }
}

/// The list of shapes below the image.
fn list_ui(ui: &mut Ui, rect: Rect, look: &mut FilterLook) {
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect).id_salt("shapes"), |ui| {
        ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| shapes::shapes_ui(ui, look));
    });
}

/// The controls above the image.
fn tools_ui(bar: &mut Toolbar<'_>, look: &mut FilterLook) -> Option<Wanted> {
    let views = [
        (FilteredView::Result, "Result", "The image after the mask"),
        (FilteredView::Mask, "Mask", "The factors, black for 0 and white for 1, with frequency 0 in the middle"),
        (FilteredView::Difference, "Difference", "The image after the mask minus the source: blue less, red more"),
        (FilteredView::Split, "Split", "The source left of a movable edge, the result right of it"),
        (FilteredView::Flicker, "Flicker", "Source and result in turn"),
    ];
    bar.item("shows", |ui| {
        let shown = views.iter().find(|(view, ..)| *view == look.shows).map_or("", |(_, name, _)| name);
        let choices = views.map(|(view, name, about)| (view, name.to_owned(), about.to_owned()));
        widgets::combo_of_width(ui, "View of the filter", 96.0, shown, &mut look.shows, choices)
    });
    bar.item("tool", |ui| {
        let tools = MaskTool::iter().map(|tool| (tool, tool.name().to_owned(), tool.about().to_owned()));
        let about = format!("What the mouse does in the spectrum image. {}", look.tool.about());
        widgets::combo_of_width(ui, "Mask tool", 88.0, look.tool.name(), &mut look.tool, tools).on_hover_text(about)
    });
    bar.item("add", |ui| {
        ui.menu_button("Add", |ui| {
            for (name, about, shape) in look::presets() {
                if ui.button(name).on_hover_text(about).clicked() {
                    look.add(shape);
                    ui.close();
                }
            }
        })
        .response
        .on_hover_text("Adds a shape to the mask: stripes, a low or a high pass, a band, a wedge, a lattice")
    });
    let find = "Finds the spots of a moiré, a screen or stripes in the spectrum, and shows them before anything is cut";
    let finds = bar.item("find", |ui| {
        let button = ui.button("Find noise");
        button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Find periodic noise"));
        button.on_hover_text(find).clicked()
    });
    let all = "Writes the filtered image in every channel: 8 and 16 bits as PNG, values as TIFF or NPY";
    let values = bar.item("values", |ui| ui.button("Export image…").on_hover_text(all).clicked());
    bar.rare("mean", |ui| ui.checkbox(&mut look.mask.keep_mean, "Keep the mean").on_hover_text("Frequency 0 passes, whatever is cut"));
    bar.rare("clear", |ui| {
        if ui.button("Remove all shapes").on_hover_text("Undo brings them back").clicked() {
            (look.mask.shapes, look.proposed, look.selected) = (Vec::new(), Vec::new(), None);
        }
    });
    let about = "Writes the shapes as JSON; drop such a file on the window to open it, or give it to papillon filter";
    let saves = bar.rare("save", |ui| ui.button("Save mask…").on_hover_text(about).clicked());
    let asked = [(finds, Wanted::Noise), (values, Wanted::Values), (saves, Wanted::Mask)];
    asked.into_iter().find(|(clicked, _)| *clicked == Some(true)).map(|(_, wanted)| wanted)
}

/// Takes the spots that were found as proposals; returns whether they have come.
fn take_spots(look: &mut FilterLook, report: Option<&FilterReport>) -> bool {
    let Some(Ok(FilterShown { spots: Some(spots), .. })) = report.map(|report| &report.result) else {
        return report.is_some_and(|report| report.request.finds && report.result.is_err());
    };
    look.proposed = spots.iter().map(|spot| spot.notch().with_edge(look.edge)).collect();
    true
}

/// Offers to cut what was found.
fn proposal_ui(ui: &mut Ui, look: &mut FilterLook) {
    if look.proposed.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        let n = look.proposed.len();
        ui.label(if n == 1 { "1 pair of spots found".to_owned() } else { format!("{n} pairs of spots found") });
        if ui.button("Cut them").on_hover_text("Adds the spots to the mask; the dashed circles in the spectrum image show them").clicked() {
            look.mask.shapes.append(&mut look.proposed);
            look.selected = None;
        }
        if ui.button("Dismiss").on_hover_text("Forgets what was found").clicked() {
            look.proposed.clear();
        }
    });
}

/// What is known of the result, in one line.
fn facts_ui(ui: &mut Ui, look: &FilterLook, shown: Option<Result<&FilterShown, &crate::engine::EngineError>>) {
    ui.horizontal_wrapped(|ui| {
        let Some(Ok(FilterShown { energy, quality, gaps, millis, adapter, .. })) = shown else {
            return widgets::fact_in_line(ui, "Filter", "being computed");
        };
        if look.mask.is_open() {
            return widgets::fact_in_line(ui, "Mask", "empty");
        }
        widgets::fact_in_line(ui, "Energy", &format!("{} %", number(100.0 * energy, 4)));
        if let Some([psnr, similar]) = quality {
            let psnr = if psnr.is_finite() { format!("{} dB", number(*psnr, 4)) } else { "∞".into() };
            widgets::fact_in_line(ui, "PSNR", &psnr);
            widgets::fact_in_line(ui, "SSIM", &number(*similar, 4));
        }
        // Every shape stands with its mate.
        widgets::fact_in_line(ui, "Symmetric", "100 %");
        if *gaps > 0 {
            widgets::fact_in_line(ui, "No numbers", &crate::numerals::integer(*gaps));
        }
        let device = adapter.as_deref().unwrap_or("CPU");
        widgets::fact_in_line(ui, "Time", &format!("{} ms on {device}", number(*millis, 3)));
    });
}

/// What the engine renders now.
fn view(ui: &Ui, look: &FilterLook) -> FilterView {
    match look.shows {
        FilteredView::Result => FilterView::Result,
        FilteredView::Mask => FilterView::Mask,
        FilteredView::Difference => FilterView::Difference,
        FilteredView::Split => FilterView::Split(look.split.0),
        FilteredView::Flicker => {
            let half = ui.input(|input| input.time) / FLICKER;
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(FLICKER * (1.0 - half.fract())));
            if (half as u64).is_multiple_of(2) { FilterView::Result } else { FilterView::Source }
        }
    }
}

/// The movable edge between the source and the result.
fn split_ui(ui: &Ui, split: &mut SplitEdge, seen: Rect, placement: &super::canvas::Placement, shape: Shape) {
    let x = placement.to_screen([split.0 * shape.columns as f64, 0.0]).x.clamp(seen.left(), seen.right());
    let grip = Rect::from_center_size(egui::pos2(x, seen.center().y), vec2(12.0, seen.height()));
    let edge = ui.interact(grip, ui.scope_id().with("split edge"), Sense::drag()).on_hover_cursor(egui::CursorIcon::ResizeHorizontal);
    edge.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Edge between source and result"));
    if let Some(at) = edge.interact_pointer_pos().filter(|_| edge.dragged()) {
        split.0 = (placement.to_data(at)[0] / shape.columns as f64).clamp(0.0, 1.0);
    }
    ui.painter().vline(x, seen.y_range(), Stroke::new(2.0, Tokens::current(ui).accent));
}

/// The visible part as a figure.
fn as_shown(scene: &Scene<'_>, image: &RenderedImage) -> Export {
    /// The longer side in points.
    const SIDE: f64 = 480.0;
    let part = image.frame.rect;
    let scale = SIDE / part.width.max(part.height);
    let area = [part.width, part.height].map(|side| (side * scale) as f32);
    let (_, mut notes) = title_and_notes(scene);
    notes.extend(scene.settings.filter.mask.shapes.iter().filter(|shape| !shape.off).map(|shape| format!("filter: {shape}")));
    let name = scene.signal.map_or("", |signal| signal.name.as_str());
    let axis = |name: &str, ends: [f64; 2]| ViewAxis { name: name.into(), ends, ticks: Vec::new() };
    let view = View {
        title: format!("{name}, filtered"),
        notes,
        x: axis("column", [part.left, part.left + part.width]),
        y: axis("row", [part.top + part.height, part.top]),
        content: vec![ViewItem::Image(Raster::of(image.frame.width, image.frame.height, &image.rgba))],
        bar: None,
    };
    Export::View { name: "filtered".into(), view: Box::new(view), area }
}
