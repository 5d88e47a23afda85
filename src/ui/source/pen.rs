//! The pen draws on the samples, and the values of a short signal are dragged up and down. The engine gets a copy, and the file stays as it is.

use super::Fields;
use crate::numerals::{counted, number};
use crate::signal::drawing::{MOST_DRAWN_ON, Stroke};
use crate::signal::generate::Generator;
use crate::signal::{Samples, Signal, SignalKind};
use crate::transforms::Input;
use crate::ui::action::Action;
use crate::ui::canvas::Placement;
use crate::ui::gestures::{Grip, dragged_to, keep_arrows, nudge};
use crate::ui::line_plot::PlotReply;
use crate::ui::origin::Origin;
use crate::ui::settings::drawn_channel;
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::{CursorIcon, DragValue, Label, Pos2, Rect, Role, Stroke as Line, Ui, Vec2, WidgetInfo, pos2};

/// Up to this number of visible values, each can be dragged.
const MOST_POINTS: usize = 64;
/// A step of the arrow keys, as a part of the height of the plot.
const STEP: f64 = 0.01;
/// The width of the pen over an image, at first and at most, in pixels.
const WIDTH: f64 = 3.0;
const MOST_WIDTH: f64 = 256.0;

/// The pen.
pub(super) struct Pen {
    /// Whether drags over the samples draw.
    is_on: bool,
    /// The value that it draws on an image; `None` is the largest one.
    value: Option<f64>,
    width: f64,
    /// Where the stroke has come, and the value there.
    last: Option<([usize; 2], f64)>,
    /// Whether a value over a plot is dragged or drawn, so that its vertical axis stays as it is.
    pub(super) holds_heights: bool,
}

impl Default for Pen {
    fn default() -> Self {
        Self { is_on: false, value: None, width: WIDTH, last: None, holds_heights: false }
    }
}

impl Pen {
    /// Puts the pen away; returns whether it was out.
    pub(super) fn put_away(&mut self) -> bool {
        self.last = None;
        std::mem::take(&mut self.is_on)
    }

    /// The switch of the pen with its value and its width, and what has been drawn.
    pub(super) fn controls_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Signal) {
        if !can_be_drawn_on(fields, signal) {
            self.is_on = false;
            return;
        }
        let about = "Drags over the samples draw on them, until Escape; the transform follows, and the file stays as it is. Values of a short signal can be dragged without it";
        let toggle = widgets::toggle(ui, &mut self.is_on, "Draw").on_hover_text(about);
        toggle.widget_info(|| WidgetInfo::selected(Role::Button, true, self.is_on, "Draw on the signal"));
        if self.is_on && signal.kind.is_image() {
            let mut value = self.value.unwrap_or(largest(fields, signal));
            let field = ui.add(DragValue::new(&mut value).prefix("value ").speed(0.01 * largest(fields, signal).abs().max(1e-3)));
            field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Value of the pen"));
            if field.changed() {
                self.value = Some(value);
            }
            let field = ui.add(DragValue::new(&mut self.width).prefix("width ").suffix(" px").range(1.0..=MOST_WIDTH).speed(0.1));
            field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Width of the pen"));
        }
        if signal.drawn > 0 {
            ui.add(Label::new(format!("Edited: {}", counted(signal.drawn, "value"))).extend());
            if ui.button("Undo the drawing").on_hover_text("Takes away all that is drawn; undo brings it back").clicked() {
                fields.out.actions.push(Action::UndoDrawing);
            }
        }
    }

    /// Draws on an image.
    pub(super) fn image_ui(&mut self, ui: &Ui, fields: &Fields<'_>, placement: &Placement, signal: &Signal) -> Option<Stroke> {
        let shape = crate::transforms::Shape { rows: signal.rows, columns: signal.columns };
        let value = self.value.unwrap_or(largest(fields, signal));
        let most = [signal.columns, signal.rows].map(|n| n.saturating_sub(1) as f64);
        let pixel = |at: Pos2| {
            let [x, y] = placement.to_data(at);
            ([x.clamp(0.0, most[0]) as usize, y.clamp(0.0, most[1]) as usize], value)
        };
        self.follow(ui, fields, (placement.canvas.intersect(placement.whole(shape)), placement.canvas), signal, pixel)
    }

    /// Draws on a plot, or lets the values of a short signal be dragged.
    pub(super) fn line_ui(&mut self, ui: &Ui, fields: &Fields<'_>, reply: &PlotReply, signal: &Signal) -> Option<Stroke> {
        self.holds_heights = false;
        if !can_be_drawn_on(fields, signal) {
            return None;
        }
        if !self.is_on {
            let (stroke, is_dragged) = points_ui(ui, fields, reply, signal);
            self.holds_heights = is_dragged;
            return stroke;
        }
        let (row, frame) = (fields.row.min(signal.rows.saturating_sub(1)), reply.placement.canvas);
        let is_whole = is_whole(fields, signal);
        let most = signal.columns.saturating_sub(1) as f64;
        let sample = |at: Pos2| {
            let value = reply.value(at);
            ([reply.placement.to_data(at)[0].clamp(0.0, most) as usize, row], if is_whole { value.round() } else { value })
        };
        let stroke = self.follow(ui, fields, (frame, frame), signal, sample);
        self.holds_heights = self.last.is_some();
        stroke
    }

    /// The stroke since the last frame while the mouse draws, whose points `place` brings to samples.
    fn follow(
        &mut self,
        ui: &Ui,
        fields: &Fields<'_>,
        (area, clip): (Rect, Rect),
        signal: &Signal,
        place: impl Fn(Pos2) -> ([usize; 2], f64),
    ) -> Option<Stroke> {
        if !self.is_on {
            return None;
        }
        let sheet = Grip::new(ui, (ui.scope_id().with("pen"), area, clip), CursorIcon::Crosshair, "Pen");
        let began = sheet.began().map(&place);
        let dot = sheet.response.interact_pointer_pos().filter(|_| sheet.response.clicked()).map(&place);
        let next = sheet.to().map(&place);
        let from = began.or(dot).or(self.last);
        self.last = next.or(began).or(self.last).filter(|_| !sheet.response.drag_stopped());
        let ((from, first), (to, second)) = from.zip(next.or(began).or(dot))?;
        let channel = drawn_channel(fields.shown.channel, signal);
        Some(Stroke { channel, ends: [from, to], values: [first, second], width: self.width, imaginary: false })
    }
}

/// Whether the pen draws on a signal: one with samples of its own, and not so long that copies of it take too much memory.
pub(super) fn can_be_drawn_on(fields: &Fields<'_>, signal: &Signal) -> bool {
    let is_function = matches!(fields.origin, Origin::Generator(Generator::Boolean(_)));
    signal.len() <= MOST_DRAWN_ON && !is_function && fields.shown.transform.input != Input::Equations
}

/// Whether the samples are whole numbers, so that those that are drawn are, too.
fn is_whole(fields: &Fields<'_>, signal: &Signal) -> bool {
    signal.channel(fields.shown.channel).is_some_and(|channel| channel.samples.is_integer())
}

/// The largest value that an image shows, which is white.
fn largest(fields: &Fields<'_>, signal: &Signal) -> f64 {
    let shown = fields.shown.report_of_signal().and_then(|report| report.source.as_ref()).map(|image| f64::from(image.range[1]));
    match signal.channels.first().map(|channel| &channel.samples) {
        Some(Samples::U8(_)) => f64::from(u8::MAX),
        Some(Samples::U16(_)) => f64::from(u16::MAX),
        _ => shown.unwrap_or(1.0),
    }
}

/// Lets the values of a short signal be dragged, and be changed by the arrow keys; returns the new value, and whether one is dragged.
fn points_ui(ui: &Ui, fields: &Fields<'_>, reply: &PlotReply, signal: &Signal) -> (Option<Stroke>, bool) {
    let [first, last] = reply.visible.map(|at| at as usize);
    let (is_whole, row) = (is_whole(fields, signal), fields.row.min(signal.rows.saturating_sub(1)));
    let Some(channel) = signal.channel(fields.shown.channel).filter(|_| signal.kind == SignalKind::Rows && last - first <= MOST_POINTS)
    else {
        return (None, false);
    };
    let (frame, mut stroke, mut is_dragged) = (reply.placement.canvas, None, false);
    let accent = Tokens::current(ui).accent;
    for column in first..last {
        let Some(value) = channel.samples.value(row * signal.columns + column) else { continue };
        let at = pos2(reply.placement.to_screen([column as f64 + 0.5, 0.0]).x, reply.height(value.re));
        if !frame.expand(1.0).contains(at) {
            continue;
        }
        let (id, place) = (ui.scope_id().with(("sample", column)), Rect::from_center_size(at, Vec2::ZERO));
        let name = format!("Sample {column}: {}", number(value.re, 6));
        let grip = Grip::new(ui, (id, place, frame), CursorIcon::ResizeVertical, &name);
        grip.is_taken();
        keep_arrows(&grip.response);
        if grip.response.hovered() || grip.response.dragged() || grip.response.has_focus() {
            ui.painter().circle_stroke(at, 5.0, Line::new(1.5, accent));
        }
        is_dragged |= grip.response.dragged();
        let nudged = if grip.response.has_focus() { nudge(ui.ctx()) } else { None };
        let step = if is_whole { 1.0 } else { STEP * (reply.heights[1] - reply.heights[0]) };
        let wanted = dragged_to(&grip.response).map(|at| reply.value(at)).or(nudged.map(|[_, down]| value.re - f64::from(down) * step));
        let wanted = wanted.map(|wanted| if is_whole { wanted.round() } else { wanted }).filter(|wanted| *wanted != value.re);
        if let Some(wanted) = wanted {
            let channel = drawn_channel(fields.shown.channel, signal);
            stroke = Some(Stroke::point(channel, [column, row], wanted));
        }
    }
    (stroke, is_dragged)
}
