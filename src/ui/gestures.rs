//! The gestures of pointer and keys in every view: how it is moved and zoomed, and how a thing in it is grabbed and nudged.
//!
//! Each view reads its gestures here, so that one table holds for the whole window.

use super::theme::Tokens;
use egui::{Color32, Context, CursorIcon, EventFilter, Id, Key, Modifiers, PointerButton, Pos2, Rect, Response, Role, Sense, Ui, Vec2};
use egui::{Stroke, StrokeKind, WidgetInfo, pos2, vec2};

/// A thing is grabbed within this distance, in points.
pub(super) const REACH: f32 = 8.0;
/// Points of the wheel for a factor of e.
const WHEEL: f32 = 200.0;
/// A smaller box is a click, in points.
const LEAST_BOX: f32 = 4.0;

/// The wish of the pointer in a view.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Navigation {
    /// How far the contents move, in points.
    pub pan: Vec2,
    /// The factor by which the contents grow, and the point that stays where it is.
    pub zoom: Option<(f32, Pos2)>,
    /// The box that the view shows from now on.
    pub boxed: Option<Rect>,
    /// Whether everything is to be shown.
    pub resets: bool,
    /// The box that is being drawn.
    band: Option<Rect>,
}

/// A gesture that goes on while its button is held.
#[derive(Debug, Clone, Copy)]
enum Held {
    Pan(PointerButton),
    Box(Pos2),
}

impl Navigation {
    /// Reads the gestures over a view; `pans` says whether a plain drag from where it began moves the contents.
    ///
    /// The middle button, Space and the right button belong to the view also over what lies on it.
    pub(super) fn of(response: &Response, pans: bool) -> Self {
        let (ctx, id) = (&response.ctx, response.id.with("held gesture"));
        let is_over = response.contains_pointer();
        let (pointer, space, is_pressed, wheel) = ctx.input(|input| {
            let wheel = (input.smooth_scroll_delta().y / WHEEL).exp() * input.zoom_delta();
            (input.pointer.clone(), input.key_down(Key::Space), input.key_pressed(Key::Space), wheel)
        });
        let known = ctx.data(|data| data.get_temp::<Option<Held>>(id)).flatten();
        let at = pointer.latest_pos().filter(|_| is_over);
        let begun = match at {
            Some(_) if pointer.button_pressed(PointerButton::Middle) => Some(Held::Pan(PointerButton::Middle)),
            Some(at) if pointer.button_pressed(PointerButton::Secondary) => Some(Held::Box(at)),
            Some(_) if pointer.button_pressed(PointerButton::Primary) && space => Some(Held::Pan(PointerButton::Primary)),
            _ => None,
        };
        let mut asked = Self { resets: is_over && pointer.button_double_clicked(PointerButton::Primary), ..Self::default() };
        let mut held = known.or(begun);
        match held {
            Some(Held::Pan(button)) if pointer.button_down(button) => {
                if known.is_some() {
                    asked.pan = pointer.delta();
                }
                if button == PointerButton::Primary {
                    ctx.data_mut(|data| data.insert_temp(Id::unique(SPACE), true));
                }
                ctx.set_cursor_icon(CursorIcon::Grabbing);
            }
            Some(Held::Box(from)) => {
                let to = pointer.latest_pos().unwrap_or(from);
                let drawn = Rect::from_two_pos(from, to).intersect(response.rect);
                if pointer.button_down(PointerButton::Secondary) {
                    asked.band = Some(drawn);
                } else {
                    asked.boxed = Some(drawn).filter(|drawn| drawn.width().min(drawn.height()) > LEAST_BOX);
                    held = None;
                }
            }
            _ => held = None,
        }
        if is_pressed && held.is_none() {
            ctx.data_mut(|data| data.remove_temp::<bool>(Id::unique(SPACE)));
        }
        if held.is_some() || known.is_some() {
            ctx.data_mut(|data| data.insert_temp(id, held));
        }
        if held.is_none() && pans && response.dragged_by(PointerButton::Primary) {
            asked.pan = response.drag_delta();
        }
        if (wheel - 1.0).abs() > 1e-6 {
            asked.zoom = at.map(|at| (wheel, at));
        }
        if space && is_over && held.is_none() {
            ctx.set_cursor_icon(CursorIcon::Grab);
        }
        asked
    }

    /// Shows the box that is being drawn.
    pub(super) fn paint(&self, ui: &Ui) {
        if let Some(band) = self.band {
            let accent = Tokens::current(ui).accent;
            ui.painter().rect(band, 0.0, accent.gamma_multiply(0.12), Stroke::new(1.5, accent), StrokeKind::Inside);
            ui.painter().rect_stroke(band.expand(1.0), 0.0, Stroke::new(1.0, Color32::from_black_alpha(120)), StrokeKind::Outside);
        }
    }

    /// Reads the gestures over the axes of a view that lies in `inner`: the horizontal axis below it, and the vertical one beside it.
    /// Each moves and zooms its own direction.
    pub(super) fn over_axes(ui: &Ui, name: &str, outer: Rect, inner: Rect) -> [Self; 2] {
        let below = Rect::from_min_max(inner.left_bottom(), pos2(inner.right(), outer.bottom()));
        let beside = Rect::from_min_max(pos2(outer.left(), inner.top()), inner.left_bottom());
        let along = |rect: Rect, axis: &str, cursor: CursorIcon, keep: Vec2| {
            if !rect.is_positive() {
                return Self::default();
            }
            // An axis takes no keys, so it has no focus.
            let strip = ui.interact(rect, ui.scope_id().with((name, axis)), Sense::CLICK | Sense::DRAG).on_hover_cursor(cursor);
            strip.widget_info(|| WidgetInfo::labeled(Role::ScrollBar, true, format!("{axis} axis of {}", name.to_lowercase())));
            let asked = Self::of(&strip, true);
            Self { pan: asked.pan * keep, boxed: None, band: None, ..asked }
        };
        [
            along(below, "Horizontal", CursorIcon::ResizeHorizontal, vec2(1.0, 0.0)),
            along(beside, "Vertical", CursorIcon::ResizeVertical, vec2(0.0, 1.0)),
        ]
    }

    /// These gestures with those over the axes, for a view that zooms both directions at once.
    pub(super) fn with_axes(self, axes: [Self; 2]) -> Self {
        let [across, down] = axes;
        Self {
            pan: self.pan + across.pan + down.pan,
            zoom: self.zoom.or(across.zoom).or(down.zoom),
            resets: self.resets || across.resets || down.resets,
            ..self
        }
    }
}

/// Whether Space has moved a view since it was pressed.
const SPACE: &str = "space has moved a view";

/// Whether Space was pressed and released, and has moved no view meanwhile.
pub(super) fn taps_space(ctx: &Context) -> bool {
    let is_released = ctx.input(|input| input.modifiers.is_none() && input.key_released(Key::Space));
    is_released && !ctx.data(|data| data.get_temp(Id::unique(SPACE))).unwrap_or(false)
}

/// A thing that the first button grabs: a handle, a marker, an edge.
pub(super) struct Grip {
    /// The response of the place where it can be grabbed.
    pub response: Response,
}

impl Grip {
    /// Lets a thing in `rect` be grabbed, or somewhat beside it where it is small; its cursor says so.
    /// `name` is its accessible name. While Space is held, drags belong to the view.
    pub(super) fn new(ui: &Ui, (id, rect, clip): (Id, Rect, Rect), cursor: CursorIcon, name: &str) -> Self {
        let rect = Rect::from_center_size(rect.center(), rect.size().max(Vec2::splat(2.0 * REACH))).intersect(clip);
        // A sheet to draw on lies below all that is seen.
        let role = if cursor == CursorIcon::Crosshair { Role::Canvas } else { Role::Button };
        let is_free = ui.input(|input| !input.key_down(Key::Space)) || ui.ctx().is_being_dragged(id);
        let response = ui.interact(rect, id, if is_free { Sense::click_and_drag() } else { Sense::hover() });
        response.widget_info(|| WidgetInfo::labeled(role, true, name));
        Self { response: if is_free { response.on_hover_cursor(cursor) } else { response } }
    }

    /// Where a drag has just begun.
    pub(super) fn began(&self) -> Option<Pos2> {
        began(&self.response)
    }

    /// Where it is dragged to.
    pub(super) fn to(&self) -> Option<Pos2> {
        dragged_to(&self.response)
    }

    /// Takes the focus where it was clicked or grabbed; returns whether it was.
    pub(super) fn is_taken(&self) -> bool {
        let is_taken = self.response.clicked() || self.began().is_some();
        if is_taken {
            self.response.request_focus();
        }
        is_taken
    }
}

/// Where a drag of the first button over a response has just begun; while Space is held, none begins.
pub(super) fn began(response: &Response) -> Option<Pos2> {
    let is_free = response.drag_started_by(PointerButton::Primary) && response.ctx.input(|input| !input.key_down(Key::Space));
    response.ctx.input(|input| input.pointer.press_origin()).filter(|_| is_free)
}

/// Where the first button drags to, once it has moved.
pub(super) fn dragged_to(response: &Response) -> Option<Pos2> {
    let moves = response.dragged_by(PointerButton::Primary) && response.drag_delta() != Vec2::ZERO;
    response.interact_pointer_pos().filter(|_| moves)
}

/// Lets the arrows belong to a thing while it has the focus.
pub(super) fn keep_arrows(response: &Response) {
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    response.ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
}

/// Steps to the right and downwards that the arrows ask for: one each, and ten with Shift.
pub(super) fn nudge(ctx: &Context) -> Option<[i32; 2]> {
    let arrows = [(Key::ArrowLeft, [-1, 0]), (Key::ArrowRight, [1, 0]), (Key::ArrowUp, [0, -1]), (Key::ArrowDown, [0, 1])];
    let mut steps = [0, 0];
    for (key, way) in arrows {
        let n = ctx.input_mut(|input| {
            10 * input.count_and_consume_key(Modifiers::SHIFT, key) as i32 + input.count_and_consume_key(Modifiers::NONE, key) as i32
        });
        steps = [steps[0] + n * way[0], steps[1] + n * way[1]];
    }
    (steps != [0, 0]).then_some(steps)
}

/// Whether a key asks to remove the selected thing.
pub(super) fn removes(ctx: &Context) -> bool {
    ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Delete) || input.consume_key(Modifiers::NONE, Key::Backspace))
}

/// Whether keys belong to a view: it has the focus, or the pointer is over it and nothing else has the focus.
pub(super) fn has_keys(response: &Response) -> bool {
    response.has_focus() || response.contains_pointer() && response.ctx.memory(|memory| memory.focused().is_none())
}
