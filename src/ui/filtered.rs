//! The pane *Filtered*: an image or a signal after the mask, beside its spectrum and at once.
//!
//! A study filters and reduces what is visible to pixels; the pane shows its newest answer.

mod read_out;
mod shapes;
mod signal;
mod tools;

use super::action::{Action, PaneOutput};
use super::canvas::{Canvas, ZoomTo};
use super::command::Command;
use super::export::{Export, painted};
use super::gestures::{Grip, keep_arrows, nudge};
use super::pane::{Pane, PaneInfo};
use super::scene::Scene;
use super::settings::{Act, FilterLook, FilteredView, Settings, SplitEdge};
use super::shown::ShownJob;
use super::spectrum_image::{self, MaskTools};
use super::studied::Studied;
use super::theme::{GRID, Tokens};
use super::toolbar::toolbar;
use super::widgets;
use crate::engine::filter::{FilterRequest, FilterShown, FilterStudy, FilterView, mask_shape};
use crate::engine::{DeviceChoice, EngineError, RenderedImage, StudyReply};
use crate::filter::{MaskFile, SampleSpacing};
use crate::signal::{Signal, short_name};
use crate::transforms::filtering::takes_factors;
use crate::transforms::{Family, Shape, Transform};
use egui::{Rect, ScrollArea, Stroke, Ui, UiBuilder, vec2};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tools::{HintedSource, Wanted, edges_ui, making_ui, proposal_ui, result_ui, take_spots, tools_ui};

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The image or signal after the mask. Draw shapes over the spectrum image, add one here, or let periodic noise be found.",
        "Colour images are filtered channel by channel. The preparation comes before the mask, and is undone after it.",
        "Mask: its shapes are drawn and dragged as on the spectrum image. Split: drag the edge. Flicker: source and result in turn. Wheel zooms, drag pans, double-click fits.",
    ],
    empty: "The filtered image or signal appears here once there is one",
    tells_values: true,
    has_content: |scene| scene.signal.is_none_or(|signal| can_be_filtered(signal, scene.settings.transform())),
    acts: &[Act::Mask],
    ..PaneInfo::new("Filtered", "Filtered", |services| {
        Box::new(FilteredPane {
            study: Studied::new(&services.studies, FilterStudy::default),
            filters: None,
            canvas: Canvas::default(),
            mask_tools: MaskTools::default(),
            shape: None,
            plot: signal::FilteredPlot::default(),
            finds: false,
            without_noise: None,
            cut_in: None,
            last: None,
        })
    })
};

/// Half a period of the flicker in seconds.
const FLICKER: f64 = 0.6;
/// The likeness to the source is measured once the filter has been the same during this time.
const REST: Duration = Duration::from_millis(120);
/// The list of shapes takes at most this share of the pane.
const LIST: f32 = 0.34;

/// The pane.
struct FilteredPane {
    study: Studied<FilterStudy>,
    /// The newest request with another filter than the one before, and its time.
    filters: Option<(FilterRequest, Instant)>,
    canvas: Canvas,
    /// The state of the tools on the mask where that is shown, as on the spectrum image.
    mask_tools: MaskTools,
    /// The shape of what the canvas shows.
    shape: Option<Shape>,
    plot: signal::FilteredPlot,
    /// Whether periodic noise is looked for.
    finds: bool,
    /// The signal in which none was found.
    without_noise: Option<Arc<Signal>>,
    /// The signal whose noise was just cut, so that what is left at its edges can be treated.
    cut_in: Option<Arc<Signal>>,
    /// The last image, which stays while another one is computed.
    last: Option<Arc<RenderedImage>>,
}

struct Fields<'a> {
    shown: ShownJob<'a>,
    look: &'a mut FilterLook,
    row: usize,
    /// Whether the smooth part is removed before the mask.
    periodic: &'a mut bool,
    device: &'a DeviceChoice,
    out: &'a mut PaneOutput,
}

impl Pane for FilteredPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let Settings { filter: look, row, device, preparation, .. } = &mut *scene.settings;
        let fields = &mut Fields { shown, look, row: *row, periodic: &mut preparation.periodic, device, out };
        let Some(signal) = fields.shown.signal.filter(|signal| can_be_filtered(signal, fields.shown.transform)) else {
            return widgets::empty_state(ui, PANE.empty);
        };
        let is_image = signal.kind.is_image();
        let report = self.study.newest().filter(|report| Arc::ptr_eq(&report.request.signal, signal));
        let wanted = toolbar(ui, PANE.title, |bar| tools_ui(bar, fields.look, is_image));
        self.finds |= wanted == Some(Wanted::Noise);
        let source = HintedSource { is_image, has_no_noise: self.found_none(fields.look, report.as_deref(), signal) };
        let shown = report.as_deref().map(|report| report.result.as_ref());
        let area = self.facts_ui(ui, fields, signal, shown, source);
        let look = &*fields.look;
        let list = if look.n_listed() == 0 { 0.0 } else { (28.0 * look.n_listed() as f32 + 12.0).min(LIST * area.height()) };
        let canvas = area.with_max_y(area.bottom() - list);
        if canvas.width() < 32.0 || canvas.height() < 32.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the result");
        }
        let request = FilterRequest {
            signal: signal.clone(),
            channel: fields.shown.channel,
            preparation: fields.shown.preparation,
            shown: fields.shown.job.cloned(),
            mask: look.mask.clone(),
            painted: look.painted_file(),
            device: fields.device.clone(),
            shows: view(ui, look),
            frame: None,
            plot: None,
            finds: self.finds,
            probe: None,
            quality: false,
        };
        begin_figure(ui, fields, canvas);
        let request = if is_image {
            self.image_ui(ui, fields, canvas, request, shown)
        } else {
            let plot = self.plot.ui(ui, fields, canvas, (signal, request.shows), report.as_deref());
            FilterRequest { plot: Some(plot), ..request }
        };
        // The spectrum that is shown is transformed by the engine: a mask over another image waits for it.
        let needs_spectrum = request.finds || !request.is_open();
        let is_awaited = needs_spectrum && request.shown.is_none() && fields.shown.has_markers();
        let knows = |report: &StudyReply<FilterStudy>| {
            (report.request.channel, report.request.preparation) == (request.channel, request.preparation)
        };
        let request = FilterRequest { quality: self.rests(ui, &request), ..request };
        let asks = !is_awaited || report.as_deref().is_some_and(knows);
        self.study.ask(ui.ctx(), asks.then_some(&request));
        if let Some(Err(error)) = shown {
            widgets::in_place_of(ui, canvas, &super::remedy::in_words(error));
        }
        if list > 0.0 {
            let spacing = crate::engine::filter::sample_spacing(fields.shown.pixel_size, fields.shown.sampling());
            list_ui(ui, area.with_min_y(canvas.bottom() + GRID), fields.look, is_image, spacing);
        }
        take_wanted(fields, wanted, signal);
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.canvas.order(zoom);
        self.plot.reset();
    }

    fn kept(&self) -> serde_json::Value {
        self.canvas.kept(self.shape)
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.shape = self.canvas.restore(kept);
    }

    fn is_settled(&self) -> bool {
        let lacks_quality = |reply: Arc<StudyReply<FilterStudy>>| reply.result.as_ref().is_ok_and(|shown| shown.quality.is_none());
        self.study.is_hidden() || !(self.finds || self.study.newest().is_some_and(lacks_quality))
    }
}

impl FilteredPane {
    /// Shows the facts in two lines, and returns the room for the result. Those of an image are where the spectrum image beside it has its axes, so that both images are at one height.
    fn facts_ui(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields<'_>,
        signal: &Arc<Signal>,
        shown: Option<Result<&FilterShown, &EngineError>>,
        source: HintedSource,
    ) -> Rect {
        let is_image = source.is_image;
        let area = ui.available_rect_before_wrap();
        let Self { cut_in, .. } = self;
        let (look, periodic) = (&mut *fields.look, &mut *fields.periodic);
        let mut first = |ui: &mut Ui, look: &mut FilterLook| match look.proposed.is_empty() {
            true => result_ui(ui, look, shown, is_image),
            false if proposal_ui(ui, look, is_image) => *cut_in = Some(signal.clone()),
            false => {}
        };
        if !is_image {
            first(ui, look);
            self.last_ui(ui, (look, periodic), signal, shown, source);
            return ui.available_rect_before_wrap();
        }
        let (above, below) = (area.top() + spectrum_image::ABOVE, area.bottom() - spectrum_image::BELOW);
        ui.scope_builder(UiBuilder::new().max_rect(area.with_max_y(above)), |ui| first(ui, look));
        if below - above >= 32.0 {
            let last = UiBuilder::new().max_rect(area.with_min_y(below + GRID));
            ui.scope_builder(last, |ui| self.last_ui(ui, (look, periodic), signal, shown, source));
        }
        area.with_min_y(above).with_max_y(below)
    }

    /// Shows how the result was made; after noise was cut, the remedies for what is left.
    fn last_ui(
        &mut self,
        ui: &mut Ui,
        (look, periodic): (&mut FilterLook, &mut bool),
        signal: &Arc<Signal>,
        shown: Option<Result<&FilterShown, &EngineError>>,
        source: HintedSource,
    ) {
        let is_cut = self.cut_in.as_ref().is_some_and(|known| Arc::ptr_eq(known, signal));
        if !is_cut || look.mask.shapes.is_empty() {
            making_ui(ui, look, shown, source);
        } else if edges_ui(ui, look, periodic) {
            self.cut_in = None;
        }
    }

    /// Whether the filter has been the same for a while, so that what takes longer than the image does not hold up a drag.
    fn rests(&mut self, ui: &Ui, request: &FilterRequest) -> bool {
        if !self.filters.as_ref().is_some_and(|(known, _)| known.filters_as(request)) {
            self.filters = Some((request.clone(), Instant::now()));
        }
        let waits = self.filters.as_ref().and_then(|(_, since)| REST.checked_sub(since.elapsed()));
        waits.into_iter().for_each(|left| ui.ctx().request_repaint_after(left));
        waits.is_none()
    }

    /// Takes the noise that was looked for; returns whether the last search in this signal found none.
    fn found_none(&mut self, look: &mut FilterLook, report: Option<&StudyReply<FilterStudy>>, signal: &Arc<Signal>) -> bool {
        if self.finds && take_spots(look, report) {
            self.finds = false;
            let is_known = report.is_some_and(|report| report.result.is_ok());
            self.without_noise = (is_known && look.proposed.is_empty()).then(|| signal.clone());
        }
        !self.finds && self.without_noise.as_ref().is_some_and(|searched| Arc::ptr_eq(searched, signal))
    }

    /// Shows an image or its mask, and returns the request with the part that is visible.
    fn image_ui(
        &mut self,
        ui: &Ui,
        Fields { look, out, .. }: &mut Fields<'_>,
        canvas: Rect,
        request: FilterRequest,
        shown: Option<Result<&FilterShown, &EngineError>>,
    ) -> FilterRequest {
        let is_mask = request.shows == FilterView::Mask;
        let shape = match request.shows {
            FilterView::Mask => mask_shape(&request.signal, &request.preparation),
            _ => Shape { rows: request.signal.rows, columns: request.signal.columns },
        };
        if self.shape != Some(shape) {
            (self.shape, self.last) = (Some(shape), None);
            self.canvas.order(ZoomTo::Fit);
        }
        if let Some(Ok(FilterShown { image: Some(image), .. })) = shown {
            self.last = Some(image.clone());
        }
        self.canvas.set_sides(None);
        self.canvas.link(ui, if is_mask { "frequencies" } else { "samples" }, shape);
        self.canvas.yield_to(ui, canvas, shape, |placement, at| is_mask && MaskTools::holds(look, (placement, shape), at));
        let reply = self.canvas.ui(ui, "Filtered image", canvas, shape, self.last.as_ref(), false);
        if is_mask {
            self.mask_tools.ui(ui, &reply, look, shape);
        }
        if look.shows == FilteredView::Split {
            split_ui(ui, &mut look.split, reply.placement.whole(shape).intersect(canvas), &reply.placement, shape);
        }
        if let Some(at) = reply.hovered {
            let probe = shown.and_then(|shown| shown.ok()?.probe.as_ref()).filter(|probe| probe.at == at);
            out.read_out = read_out::text(request.shows, shape, at, probe);
        }
        FilterRequest { frame: reply.frame, probe: reply.hovered, ..request }
    }
}

/// Does what the toolbar was asked for.
fn take_wanted(fields: &mut Fields<'_>, wanted: Option<Wanted>, signal: &Arc<Signal>) {
    let (mask, preparation) = (&fields.look.mask, fields.shown.preparation);
    if wanted == Some(Wanted::Mask) {
        let bytes = serde_json::to_vec_pretty(&MaskFile::new(mask.clone(), mask_shape(signal, &preparation))).unwrap_or_default();
        fields.out.actions.push(Action::Export(Box::new(Export::File { name: "mask.json".into(), ending: "json", bytes })));
    }
    if wanted == Some(Wanted::Open) {
        fields.out.actions.push(Action::Run(Command::OpenMask));
    }
    if wanted == Some(Wanted::Plan) {
        fields.out.actions.push(Action::FollowFilter);
    }
    if wanted == Some(Wanted::Values) {
        let (mask, painted) = (Box::new(mask.clone()), fields.look.painted_file());
        fields.out.actions.push(Action::Export(Box::new(Export::Filtered { signal: signal.clone(), preparation, mask, painted })));
    }
}

/// Whether the mask applies to a signal: to every image, and to a row where its frequencies are looked at.
fn can_be_filtered(signal: &Signal, transform: &Transform) -> bool {
    signal.kind.is_image() || transform.family == Family::Fourier || takes_factors(transform)
}

/// The list of shapes below the result.
fn list_ui(ui: &mut Ui, rect: Rect, look: &mut FilterLook, is_image: bool, spacing: SampleSpacing) {
    ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt("shapes"), |ui| {
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| shapes::shapes_ui(ui, look, is_image, spacing));
    });
}

/// The image that the engine renders now.
fn view(ui: &Ui, look: &FilterLook) -> FilterView {
    match look.shows {
        FilteredView::Result => FilterView::Result,
        FilteredView::Mask => FilterView::Mask,
        FilteredView::Difference => FilterView::Difference,
        FilteredView::Split => FilterView::Split(look.split.0),
        FilteredView::Flicker => {
            let half = ui.input(|input| input.time) / FLICKER;
            ui.ctx().request_repaint_after(Duration::from_secs_f64(FLICKER * (1.0 - half.fract())));
            if (half as u64).is_multiple_of(2) { FilterView::Result } else { FilterView::Source }
        }
    }
}

/// The movable edge between the source and the result.
fn split_ui(ui: &Ui, split: &mut SplitEdge, seen: Rect, placement: &super::canvas::Placement, shape: Shape) {
    let x = placement.to_screen([split.0 * shape.columns as f64, 0.0]).x.clamp(seen.left(), seen.right());
    let rect = Rect::from_center_size(egui::pos2(x, seen.center().y), vec2(12.0, seen.height()));
    let id = ui.scope_id().with("split edge");
    let grip = Grip::new(ui, (id, rect, seen), egui::CursorIcon::ResizeHorizontal, "Edge between source and result");
    let column = 1.0 / shape.columns as f64;
    grip.is_taken();
    keep_arrows(&grip.response);
    if let Some(at) = grip.to() {
        split.0 = (placement.to_data(at)[0] * column).clamp(0.0, 1.0);
    } else if let Some([right, _]) = Some(&grip.response).filter(|edge| edge.has_focus()).and_then(|edge| nudge(&edge.ctx)) {
        split.0 = (split.0 + f64::from(right) * column).clamp(0.0, 1.0);
    }
    ui.painter().vline(x, seen.y_range(), Stroke::new(2.0, Tokens::current(ui).accent));
}

/// Says of the figure, which lies in `canvas`, what was done: the signal, its preparation, and every shape.
fn begin_figure(ui: &Ui, Fields { shown, look, .. }: &Fields<'_>, canvas: Rect) {
    painted::begin_in(ui, canvas);
    let (_, mut notes) = shown.title_and_notes();
    notes.extend(look.mask.shapes.iter().filter(|shape| !shape.off).map(|shape| format!("filter: {shape}")));
    notes.extend(look.painted_file().map(|path| format!("filter: the painted mask {}", path.display())));
    painted::describe(ui, shown.signal.map_or_else(String::new, |signal| short_name(&signal.name)), notes);
}
