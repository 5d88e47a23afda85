//! The pane *Source*: the signal from a sample, a generator or a file, as an image or a plot, with its description.

mod boolean;
mod facts;
mod figure;
mod function;
mod generators;
mod open;
mod pen;
mod pixel;
mod rate;
mod reading;
mod reading_bar;
mod region;
mod second;
mod truth_table;
mod typed;
mod waves;

use super::action::{Action, PaneOutput};
use super::canvas::{self, Canvas, Zoom, ZoomTo};
use super::command::Command;
use super::line_plot::KeptPlot;
use super::origin::{Origin, SecondOrigin, is_truth_table};
use super::pane::{Pane, PaneData, PaneInfo};
use super::profile_line;
use super::relayout::lay_out_again;
use super::scale_bar;
use super::scene::Scene;
use super::settings::{Act, MeasureLook, Settings, TruthLook, description};
use super::shown::ShownJob;
use super::studies::Studies;
use super::theme::GRID;
use super::toolbar::toolbar;
use super::visible_time::VisibleTime;
use super::widgets;
use crate::engine::RenderedImage;
use crate::prepare::Region;
use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{GENERATORS, Generator, Polynomial};
use crate::signal::{ChannelChoice, ReadOptions, Signal, SignalKind, System};
use crate::transforms::{Input, Shape};
use egui::{Rect, ScrollArea, Ui, UiBuilder, vec2};
pub(super) use reading_bar::raw_ui;
use std::sync::Arc;
use waves::{OtherWaves, WavePlot};

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The signal that is transformed: a file, a generator or a sample.",
        "Drop a file anywhere, paste, or open one; several files at once become several sources, and Ctrl+Tab goes through them in the order of use. Every layout shows the one that was used last where it can.",
        "A convolution takes a second signal, chosen below the first; drop two files to convolve them.",
        "Wheel zooms at the cursor; drag on an image pans, as the middle button and Space with a drag do everywhere; right-drag boxes; double-click fits.",
        "Drag over a signal to select a part; on an image, Shift and a drag draws a region, and a drag beside it another one. Drag it or its handles, move it with the arrows (Shift: 10 pixels); W takes the whole image.",
    ],
    empty: "Drop a file here, open one, or choose a sample or a generator",
    acts: &[Act::Region],
    data: PaneData::Samples,
    ..PaneInfo::new("Source", "Source", |services| Box::new(SourcePane::new(&services.studies)))
};

/// A plot is beside its controls from this width on, in points; and the least and the greatest width of these.
const LEAST_WIDTH_SIDE_BY_SIDE: f32 = 520.0;
const CONTROLS_WIDTH: (f32, f32) = (272.0, 360.0);
/// The share of a wide pane that its controls take.
const SHARE_OF_CONTROLS: f32 = 0.28;
/// The least share of the height that samples keep above their controls; the height of a row of these, and of the facts.
const LEAST_SHARE: f32 = 0.35;
const ROW_HEIGHT: f32 = 28.0;
const FACTS_HEIGHT: f32 = 40.0;
/// The width of the list of signals, also where all controls are in one row; and that of the list of channels.
const MOST_WIDTH_OF_LIST: f32 = 320.0;
const WIDTH_OF_LIST_IN_ROW: f32 = 176.0;
const CHANNEL_WIDTH: f32 = 96.0;

/// The pane *Source*.
pub(super) struct SourcePane {
    canvas: Canvas,
    wave: WavePlot,
    others: OtherWaves,
    shape: Option<(SignalKind, Shape)>,
    function: function::FunctionView,
    second: second::SecondView,
    region: region::RegionTool,
    pen: pen::Pen,
    /// The notes on how a signal was read.
    reading_bar: reading_bar::ReadingBar,
    /// The size of a pixel while it is typed.
    typed_pixel: Option<String>,
    /// The height of all controls in the last frame.
    height_of_controls: f32,
    /// Whether all controls are in one row above the samples.
    has_row: bool,
    /// The signal, and whether it holds the values of a Boolean function, which takes a while to see in a long one.
    truth_table: Option<(Arc<Signal>, bool)>,
    /// The shape of the signal to which the zoom of a session belongs.
    restored: Option<Shape>,
    /// The first sample that was seen in the last frame, and one past the last.
    visible: Option<[f64; 2]>,
    /// The visible part, which the spectrogram shows, too.
    time: VisibleTime,
}

/// The state of the pane that a session keeps.
#[derive(Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct KeptSource {
    shape: Option<[usize; 2]>,
    zoom: Option<Zoom>,
    plot: Option<KeptPlot>,
    all_channels: bool,
}

struct Fields<'a> {
    shown: ShownJob<'a>,
    second: Option<&'a Arc<Signal>>,
    second_origin: &'a mut SecondOrigin,
    row: usize,
    out: &'a mut PaneOutput,
    origin: &'a mut Origin,
    channel: &'a mut ChannelChoice,
    region: &'a mut Option<Region>,
    measure: &'a mut MeasureLook,
    truth: &'a mut TruthLook,
    reading: Option<&'a ReadOptions>,
    preview: Option<&'a Arc<RenderedImage>>,
}

impl Pane for SourcePane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Scene { sources, stream, stand_in, second, preview, whole, .. } = *scene;
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let Settings { origin, second: second_origin, channel, row, preparation, measure, truth, table, slice, .. } = &mut *scene.settings;
        let (row, region, reading) = (*row, &mut preparation.region, table.as_ref());
        let fields = &mut Fields { shown, second, preview, second_origin, row, out, origin, channel, region, measure, truth, reading };
        open::sources_ui(ui, (sources, stream, fields.origin), stand_in, &mut fields.out.actions);
        open::slice_ui(ui, slice, whole);
        let Some(signal) = fields.shown.signal else {
            ui.horizontal(|ui| origin_ui(ui, fields, MOST_WIDTH_OF_LIST));
            return widgets::empty_state(ui, PANE.empty);
        };
        let shape = Shape { rows: signal.rows, columns: signal.columns };
        self.region.sampling = fields.shown.sampling();
        self.has_row = ui.available_width() > LEAST_WIDTH_SIDE_BY_SIDE && self.is_recording(fields, signal);
        match self.has_row {
            true => self.row_ui(ui, fields, signal, shape),
            false => {
                ui.horizontal(|ui| origin_ui(ui, fields, MOST_WIDTH_OF_LIST));
            }
        }
        if self.shape != Some((signal.kind, shape)) {
            self.shape = Some((signal.kind, shape));
            if self.restored.take() != Some(shape) {
                self.zoom(ZoomTo::Fit);
            }
        }
        let area = ui.available_rect_before_wrap();
        let (above, below) = second::split(fields, area);
        ui.scope_builder(UiBuilder::new().max_rect(above), |ui| {
            ui.set_clip_rect(ui.clip_rect().intersect(above));
            if !self.function.ui(ui, fields) {
                self.sample_ui(ui, fields, signal, shape);
            }
        });
        if below.is_positive() {
            ui.scope_builder(UiBuilder::new().max_rect(below), |ui| self.second.ui(ui, fields));
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.canvas.order(zoom);
        if zoom == ZoomTo::Fit {
            self.wave.reset();
            self.others.reset();
            self.second.reset();
        }
    }

    fn cancel(&mut self) -> bool {
        self.pen.put_away()
    }

    fn kept(&self) -> serde_json::Value {
        let shape = self.shape.map(|(_, shape)| [shape.rows, shape.columns]);
        let (plot, all_channels) = (self.wave.kept(), self.others.are_shown);
        serde_json::to_value(KeptSource { shape, zoom: self.canvas.zoom(), plot, all_channels }).unwrap_or_default()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        let KeptSource { shape, zoom, plot, all_channels } = serde_json::from_value(kept.clone()).unwrap_or_default();
        self.restored = shape.map(|[rows, columns]| Shape { rows, columns });
        self.canvas.set_zoom(zoom);
        self.wave.plot().restore(plot);
        self.others.are_shown = all_channels;
    }
}

impl SourcePane {
    fn new(studies: &Studies) -> Self {
        Self {
            canvas: Canvas::default(),
            wave: WavePlot::new(studies),
            others: OtherWaves::new(studies),
            shape: None,
            function: function::FunctionView::default(),
            second: second::SecondView::new(studies),
            region: region::RegionTool::default(),
            pen: pen::Pen::default(),
            reading_bar: reading_bar::ReadingBar::default(),
            typed_pixel: None,
            height_of_controls: 0.0,
            has_row: false,
            truth_table: None,
            restored: None,
            visible: None,
            time: VisibleTime::default(),
        }
    }

    /// The samples as an image or a plot, and the controls below.
    fn sample_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Arc<Signal>, shape: Shape) {
        let has_controls = matches!(fields.origin, Origin::Generator(_));
        let available = ui.available_size();
        if self.has_row {
            let rect = ui.available_rect_before_wrap();
            return self.line_ui(ui, fields, rect, signal);
        }
        // The pane System shows the rows a, b, c, d as equations; one of them as a curve would say nothing.
        if fields.shown.transform.input == Input::Equations && System::may_be_in(signal) {
            return self.controls_ui(ui, fields, signal, shape);
        }
        if signal.kind == SignalKind::Rows && available.x > LEAST_WIDTH_SIDE_BY_SIDE {
            let area = ui.available_rect_before_wrap();
            let width = (SHARE_OF_CONTROLS * area.width()).clamp(CONTROLS_WIDTH.0, CONTROLS_WIDTH.1);
            let (controls, plot) = area.split_left_right_at_x(area.left() + width);
            ui.scope_builder(UiBuilder::new().max_rect(controls), |ui| self.controls_ui(ui, fields, signal, shape));
            return self.line_ui(ui, fields, plot.with_min_x(plot.left() + 2.0 * GRID), signal);
        }
        let share = if has_controls { 0.5 } else { 0.66 };
        // The controls and the facts below are seen without scrolling where the samples keep a share.
        let rows = [true, true, signal.channels.len() > 1, !signal.notes.is_empty(), signal.pages.is_some()];
        let n_rows = rows.into_iter().filter(|is_there| *is_there).count();
        let room = available.y - n_rows as f32 * ROW_HEIGHT - FACTS_HEIGHT;
        let most = room.clamp(LEAST_SHARE * available.y, share * available.y).max(64.0_f32.min(available.y));
        let height = if signal.kind == SignalKind::Image { canvas::fitting_height(available.x, most, shape) } else { most };
        let rect = Rect::from_min_size(ui.cursor().min, vec2(available.x, height));
        match signal.kind {
            SignalKind::Image => self.image_ui(ui, fields, rect, signal, shape),
            SignalKind::Rows => self.line_ui(ui, fields, rect, signal),
        }
        ui.advance_cursor_after_rect(rect);
        self.controls_ui(ui, fields, signal, shape);
    }

    /// All controls of a recording in one row, so that its wave has the whole width below.
    fn row_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Signal, shape: Shape) {
        toolbar(ui, PANE.title, |bar| {
            bar.item("origin", |ui| origin_ui(ui, fields, WIDTH_OF_LIST_IN_ROW));
            bar.item("region", |ui| region::outline_ui(ui, fields.region, shape, signal.kind));
            if fields.region.is_some() {
                bar.item("part", |ui| region::duration_ui(ui, fields.region, shape, fields.shown.sampling()));
            }
            bar.kept("pen", |ui| self.pen.controls_ui(ui, fields, signal));
            bar.item("visible", |ui| region::visible_ui(ui, fields.region, shape, self.visible));
            if signal.channels.len() > 1 {
                bar.item("channel", |ui| facts::channel_ui(ui, Some(CHANNEL_WIDTH), fields.channel, signal));
                bar.item("channels", |ui| self.others.switch_ui(ui));
            }
            bar.item("rate", |ui| rate::rate_ui(ui, fields.shown.sampling(), false, &mut fields.out.actions));
            if fields.region.is_some() {
                bar.item("samples of the part", |ui| region::samples_ui(ui, fields.region, shape));
            }
            bar.info(&description(fields.shown.transform, signal));
        });
        self.reading_ui(ui, fields, signal, 0.0);
    }

    /// How a signal was read, and the choice of another reading.
    fn reading_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Signal, below: f32) {
        let are_equations = fields.shown.transform.input == Input::Equations && System::may_be_in(signal);
        let about_rows = if are_equations { "Every row is an equation." } else { "Every row is a signal of its own." };
        if let Some(options) = self.reading_bar.ui(ui, fields, signal, about_rows, below) {
            fields.out.actions.push(Action::ReadAs(Box::new(options)));
        }
    }

    /// The kind of the samples, and how they are made.
    fn controls_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Signal, shape: Shape) {
        // Where not all fits, no row is cut: others are scrolled to.
        let room = ui.available_height();
        let height = if self.height_of_controls > room { (room / ROW_HEIGHT).floor() * ROW_HEIGHT } else { room };
        let controls = ScrollArea::vertical().auto_shrink([false, false]).max_height(height.max(ROW_HEIGHT)).show(ui, |ui| {
            // Notes on an image are seen first, as they may be all that is seen of its controls.
            if signal.kind == SignalKind::Image {
                self.reading_ui(ui, fields, signal, 3.0 * ROW_HEIGHT);
            }
            if fields.shown.transform.input != Input::Equations {
                region::numbers_ui(ui, fields.region, shape, signal.kind, fields.shown.sampling());
            }
            if pen::can_be_drawn_on(fields, signal) {
                widgets::row(ui, "Pen", |ui| ui.horizontal_wrapped(|ui| self.pen.controls_ui(ui, fields, signal)).response);
            } else {
                self.pen.put_away();
            }
            facts::channel_ui(ui, None, fields.channel, signal);
            if signal.kind == SignalKind::Rows {
                self.reading_ui(ui, fields, signal, 0.0);
            }
            match signal.kind {
                SignalKind::Rows if fields.shown.transform.input == Input::Equations => {}
                SignalKind::Rows => rate::rate_ui(ui, fields.shown.sampling(), true, &mut fields.out.actions),
                SignalKind::Image => pixel::pixel_ui(ui, fields.shown.pixel_size, &mut self.typed_pixel, &mut fields.out.actions),
            }
            let scheme = fields.origin.scheme();
            if let Origin::Generator(generator) = fields.origin {
                generators::parameters_ui(ui, generator);
            }
            if fields.origin.scheme() != scheme {
                // It brings its transform.
                fields.out.actions.push(Action::SetOrigin(fields.origin.clone()));
            }
            // Below the controls, which no longer text may move.
            ui.add(egui::Label::new(description(fields.shown.transform, signal)).wrap());
        });
        if std::mem::replace(&mut self.height_of_controls, controls.content_size.y) != controls.content_size.y {
            lay_out_again(ui);
        }
    }

    /// Whether a signal is a row of samples from a file or a sample, which has few controls.
    fn is_recording(&mut self, Fields { origin, shown, .. }: &Fields<'_>, signal: &Arc<Signal>) -> bool {
        if matches!(origin, Origin::Generator(_)) || signal.kind != SignalKind::Rows || shown.transform.input == Input::Equations {
            return false;
        }
        let known = self.truth_table.take().filter(|(known, _)| Arc::ptr_eq(known, signal));
        let (_, is_truth_table) = self.truth_table.insert(known.unwrap_or_else(|| (signal.clone(), is_truth_table(origin, signal))));
        !*is_truth_table
    }

    fn image_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, rect: Rect, signal: &Signal, shape: Shape) {
        let rendered = fields.shown.report_of_signal().and_then(|report| report.source.clone());
        // The preview is shown while the transform of a new signal is computed.
        let image = rendered.or_else(|| fields.preview.cloned());
        self.canvas.link(ui, "samples", shape);
        figure::begin(ui, &fields.shown, rect, image.as_deref().map(|image| figure::part_text(&fields.shown, image)));
        let reply = self.canvas.ui(ui, "Source image", rect, shape, image.as_ref(), false);
        fields.out.view.source = reply.frame;
        let pixel = fields.shown.pixel_size;
        self.region.ui(ui, &reply.placement, fields.region, shape);
        profile_line::line_ui(ui, &reply.placement, fields.measure, shape, false);
        let stroke = self.pen.image_ui(ui, fields, &reply.placement, signal);
        fields.out.actions.extend(stroke.map(|stroke| Action::Draw(vec![stroke])));
        if let Some(pixel) = pixel {
            let seen = reply.placement.whole(shape).intersect(rect);
            scale_bar::draw(&ui.painter().with_clip_rect(rect), seen, reply.placement.scale[0] / pixel.width, pixel.unit.symbol());
        }
        if let Some(at) = reply.hovered {
            fields.out.read_out = reading::pixel_text(signal, pixel, fields.shown.channel, at);
            reply.response.on_hover_text_at_pointer(fields.out.read_out.replace("   ", "\n"));
        }
    }
}

/// The list of samples and generators, and the button that opens a file.
fn origin_ui(ui: &mut Ui, fields: &mut Fields<'_>, most: f32) {
    let origin = &*fields.origin;
    let title = origin.title();
    let samples = BUILT_IN.iter().map(|sample| (Origin::Sample(sample.name.into()), sample.name.to_owned(), sample.about.to_owned()));
    let made = |generator: Generator, about: &str| {
        let origin = Origin::Generator(generator);
        (origin.clone(), origin.title(), about.to_owned())
    };
    let generators = GENERATORS.iter().flat_map(|entry| match (entry.default)() {
        // A sample for each scheme.
        Generator::Polynomial(_) => Polynomial::of_schemes().map(|of| made(Generator::Polynomial(of.clone()), of.scheme.about())).collect(),
        default => match origin {
            Origin::Generator(current) if current.entry().name == entry.name => vec![made(current.clone(), entry.about)],
            _ => vec![made(default, entry.about)],
        },
    });
    let mut chosen = origin.clone();
    let choices: Vec<_> = samples.chain(generators).collect();
    let spacing = 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x;
    let buttons: f32 = ["Open…", "Record"].map(|text| widgets::text_width(ui, text).ceil() + spacing).iter().sum();
    let width = (ui.available_width() - buttons).min(most);
    if widgets::combo_of_name(ui, "Signal", width, &title, &mut chosen, choices).changed() {
        fields.out.actions.push(Action::SetOrigin(chosen));
    }
    if ui.button("Open…").on_hover_text(Command::Open.tooltip()).clicked() {
        fields.out.actions.push(Action::Run(Command::Open));
    }
    if ui.button("Record").on_hover_text(Command::Record.tooltip()).clicked() {
        fields.out.actions.push(Action::Run(Command::Record));
    }
}
