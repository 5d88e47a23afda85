//! The mask over the spectrum image: its shapes are drawn, and the mouse draws, selects, moves and resizes them.

use crate::filter::{MaskForm, MaskShape};
use crate::transforms::Shape;
use crate::ui::canvas::Placement;
use crate::ui::settings::{FilterLook, MaskTool};
use crate::ui::theme::Tokens;
use egui::{Color32, CursorIcon, Key, Painter, Pos2, Response, Role, Sense, Shape as Drawing, Stroke, Ui, WidgetInfo};

/// A handle is grabbed within this distance, in points.
const GRAB: f32 = 9.0;
/// The radius of a spot that is clicked, and of the brush, in values.
const SMALL: [f64; 2] = [3.0, 4.0];

/// What a drag does.
#[derive(Debug, Clone, PartialEq)]
enum MaskDrag {
    /// It draws the last shape from this frequency on.
    Draws([f64; 2]),
    /// It moves a shape, which was so at the start, from this frequency on.
    Moves(usize, MaskForm, [f64; 2]),
    /// It moves the handle of a shape.
    Resizes(usize),
}

/// The tools.
#[derive(Default)]
pub(super) struct MaskTools {
    drag: Option<MaskDrag>,
}

/// Where frequencies lie in a centred spectrum image of this shape.
#[derive(Clone, Copy)]
struct Frequencies<'a> {
    placement: &'a Placement,
    shape: Shape,
}

impl Frequencies<'_> {
    fn to_screen(self, [u, v]: [f64; 2]) -> Pos2 {
        let Shape { rows, columns } = self.shape;
        // A value stands in the middle of its pixel; v points upwards.
        let at = [u * columns as f64 + (columns / 2) as f64 + 0.5, -v * rows as f64 + (rows / 2) as f64 + 0.5];
        self.placement.to_screen(at)
    }

    fn of_screen(self, at: Pos2) -> [f64; 2] {
        let Shape { rows, columns } = self.shape;
        let [x, y] = self.placement.to_data(at);
        let u = (x - 0.5 - (columns / 2) as f64) / columns as f64;
        let v = -(y - 0.5 - (rows / 2) as f64) / rows as f64;
        [u.clamp(-0.5, 0.5), v.clamp(-0.5, 0.5)]
    }

    /// The distance of two values, the larger one.
    fn step(self) -> f64 {
        1.0 / self.shape.rows.min(self.shape.columns).max(1) as f64
    }
}

impl MaskTools {
    /// Shows the mask over a centred spectrum image, and lets the mouse change it.
    pub(super) fn ui(&mut self, ui: &Ui, placement: &Placement, look: &mut FilterLook, shape: Shape) {
        let frequencies = Frequencies { placement, shape };
        let area = placement.canvas.intersect(placement.whole(shape));
        if look.tool != MaskTool::Pan {
            let sheet = ui.interact(area, ui.scope_id().with("mask"), Sense::click_and_drag());
            let sheet = sheet.on_hover_cursor(if look.tool == MaskTool::Select { CursorIcon::Move } else { CursorIcon::Crosshair });
            sheet.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, format!("Mask tool: {}", look.tool.title())));
            self.follow(ui, &sheet, frequencies, look);
        }
        let painter = ui.painter().with_clip_rect(area);
        for (index, shape) in look.mask.shapes.iter().enumerate() {
            paint(&painter, ui, frequencies, shape, (look.selected == Some(index), false));
        }
        for shape in &look.proposed {
            paint(&painter, ui, frequencies, shape, (false, true));
        }
    }

    /// Follows the mouse over the sheet.
    fn follow(&mut self, ui: &Ui, sheet: &Response, frequencies: Frequencies<'_>, look: &mut FilterLook) {
        let step = frequencies.step();
        let press = ui.input(|input| input.pointer.press_origin()).or(sheet.interact_pointer_pos());
        if let Some(at) = press.filter(|_| sheet.drag_started()) {
            self.drag = grabbed(look, frequencies, at);
        }
        let here = sheet.interact_pointer_pos().map(|at| frequencies.of_screen(at));
        if let (Some(drag), Some(to)) = (&self.drag, here.filter(|_| sheet.dragged())) {
            let tool = look.tool;
            let changed = match drag {
                MaskDrag::Draws(from) => {
                    look.mask.shapes.last_mut().map(|shape| (drawn(tool, &shape.form, *from, to, step), &mut shape.form))
                }
                MaskDrag::Moves(index, start, from) => {
                    look.mask.shapes.get_mut(*index).map(|shape| (start.moved(*from, to), &mut shape.form))
                }
                MaskDrag::Resizes(index) => {
                    look.mask.shapes.get_mut(*index).map(|shape| (shape.form.resized(to, step / 2.0), &mut shape.form))
                }
            };
            if let Some((form, kept)) = changed {
                *kept = form;
            }
        }
        if sheet.drag_stopped() {
            self.drag = None;
        }
        if let Some(at) = sheet.interact_pointer_pos().filter(|_| sheet.clicked()) {
            let at = frequencies.of_screen(at);
            match look.tool {
                MaskTool::Select => look.selected = hit(look, at),
                MaskTool::Spots => add(look, MaskForm::Spots { u: at[0], v: at[1], radius: SMALL[0] * step }),
                MaskTool::Brush => add(look, MaskForm::Brush { points: vec![at], radius: SMALL[1] * step }),
                _ => {}
            }
        }
        let removes = ui.input(|input| input.key_pressed(Key::Delete) || input.key_pressed(Key::Backspace));
        if let Some(index) = look.selected.filter(|_| removes && sheet.contains_pointer()) {
            look.remove(index);
        }
    }
}

/// Adds a shape of the effect and the edge that are set.
fn add(look: &mut FilterLook, form: MaskForm) {
    look.add(MaskShape { edge: look.edge, ..MaskShape::new(form, look.effect) });
}

/// The last shape at a frequency.
fn hit(look: &FilterLook, at: [f64; 2]) -> Option<usize> {
    look.mask.shapes.iter().rposition(|shape| shape.form.contains(at))
}

/// What a drag from here does.
fn grabbed(look: &mut FilterLook, frequencies: Frequencies<'_>, at: Pos2) -> Option<MaskDrag> {
    let from = frequencies.of_screen(at);
    if look.tool != MaskTool::Select {
        let form = drawn(look.tool, &MaskForm::Brush { points: Vec::new(), radius: 0.0 }, from, from, frequencies.step());
        add(look, form);
        return Some(MaskDrag::Draws(from));
    }
    let is_near = |handle: [f64; 2]| frequencies.to_screen(handle).distance(at) <= GRAB;
    if let Some(index) = look.selected
        && look.mask.shapes.get(index).and_then(|shape| shape.form.handle()).is_some_and(is_near)
    {
        return Some(MaskDrag::Resizes(index));
    }
    look.selected = hit(look, from);
    look.selected.map(|index| MaskDrag::Moves(index, look.mask.shapes[index].form.clone(), from))
}

/// The shape of a tool between two frequencies; the brush goes on with its stroke.
fn drawn(tool: MaskTool, before: &MaskForm, from: [f64; 2], to: [f64; 2], step: f64) -> MaskForm {
    let radius = |at: [f64; 2]| at[0].hypot(at[1]);
    let [width, height] = [0, 1].map(|k| (to[k] - from[k]).abs().max(step));
    let [u, v] = [0, 1].map(|k| (to[k] + from[k]) / 2.0);
    match tool {
        MaskTool::Ring => {
            let [a, b] = [radius(from), radius(to)];
            let inner = a.min(b);
            MaskForm::Ring { from: if inner < 2.0 * step { 0.0 } else { inner }, to: a.max(b).max(inner + step).min(0.7) }
        }
        MaskTool::Wedge => {
            let [a, b] = [from, to].map(|at| at[1].atan2(at[0]).to_degrees());
            let turn = (b - a + 90.0).rem_euclid(180.0) - 90.0;
            MaskForm::Wedge { angle: (a + turn / 2.0 + 90.0).rem_euclid(180.0) - 90.0, width: turn.abs().max(1.0) }
        }
        MaskTool::Rectangle => MaskForm::Rectangle { u, v, width, height },
        MaskTool::Ellipse => MaskForm::Ellipse { u, v, width, height },
        MaskTool::Brush => {
            let mut points = if let MaskForm::Brush { points, .. } = before { points.clone() } else { Vec::new() };
            let brush = SMALL[1] * step;
            let is_new = points.last().is_none_or(|last| (last[0] - to[0]).hypot(last[1] - to[1]) > brush / 2.0);
            points.extend(is_new.then_some(to));
            MaskForm::Brush { points, radius: brush }
        }
        MaskTool::Spots | MaskTool::Pan | MaskTool::Select => {
            let radius = (to[0] - from[0]).hypot(to[1] - from[1]).max(step);
            MaskForm::Spots { u: from[0], v: from[1], radius }
        }
    }
}

/// Draws a shape: white on black, so that it is seen on every colour; dashed where it is proposed.
fn paint(painter: &Painter, ui: &Ui, frequencies: Frequencies<'_>, shape: &MaskShape, (selected, proposed): (bool, bool)) {
    let tokens = Tokens::current(ui);
    let alpha = if shape.off { 90 } else { 255 };
    let color = if selected { tokens.accent } else { Color32::from_white_alpha(alpha) };
    for line in shape.form.outlines() {
        let points: Vec<Pos2> = line.into_iter().map(|at| frequencies.to_screen(at)).collect();
        painter.line(points.clone(), (3.0, Color32::from_black_alpha(alpha / 2)));
        if proposed {
            painter.extend(Drawing::dashed_line(&points, Stroke::new(1.5, color), 4.0, 3.0));
        } else {
            painter.line(points, (1.5, color));
        }
    }
    if let Some(handle) = shape.form.handle().filter(|_| selected) {
        painter.circle(frequencies.to_screen(handle), 4.0, tokens.accent, (1.0, Color32::WHITE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_draw_their_shapes() {
        let none = MaskForm::Brush { points: Vec::new(), radius: 0.0 };
        let of = |tool: MaskTool, from: [f64; 2], to: [f64; 2]| drawn(tool, &none, from, to, 0.01);
        let MaskForm::Spots { u, v, radius } = of(MaskTool::Spots, [0.2, 0.1], [0.23, 0.14]) else { panic!("spots") };
        assert!((u, v) == (0.2, 0.1) && (radius - 0.05).abs() < 1e-12);
        assert!(matches!(of(MaskTool::Ring, [0.3, 0.0], [0.0, 0.1]), MaskForm::Ring { from, to } if (from, to) == (0.1, 0.3)));
        assert!(matches!(of(MaskTool::Ring, [0.0, 0.0], [0.0, 0.1]), MaskForm::Ring { from: 0.0, .. }));
        let MaskForm::Wedge { angle, width } = of(MaskTool::Wedge, [0.1, 0.1], [0.0, 0.2]) else { panic!("a wedge") };
        assert!((angle - 67.5).abs() < 1e-9 && (width - 45.0).abs() < 1e-9);
        let MaskForm::Rectangle { u, width, height, .. } = of(MaskTool::Rectangle, [0.1, 0.1], [0.3, 0.1]) else { panic!("a box") };
        assert!((u - 0.2).abs() < 1e-12 && (width - 0.2).abs() < 1e-12 && height == 0.01, "never flat");
        let stroke = drawn(MaskTool::Brush, &of(MaskTool::Brush, [0.1, 0.1], [0.1, 0.1]), [0.1, 0.1], [0.2, 0.1], 0.01);
        assert!(matches!(stroke, MaskForm::Brush { points, .. } if points == [[0.1, 0.1], [0.2, 0.1]]));
    }

    #[test]
    fn frequencies_and_the_screen_agree() {
        let canvas = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(300.0, 200.0));
        let placement = Placement { canvas, center: [8.0, 6.0], scale: [10.0, 12.0] };
        let frequencies = Frequencies { placement: &placement, shape: Shape { rows: 12, columns: 16 } };
        for at in [[0.0, 0.0], [0.25, -0.3], [-0.5, 0.4]] {
            let back = frequencies.of_screen(frequencies.to_screen(at));
            assert!((back[0] - at[0]).abs() < 1e-6 && (back[1] - at[1]).abs() < 1e-6, "{at:?} and {back:?}");
        }
        assert!(frequencies.to_screen([0.0, 0.2]).y < frequencies.to_screen([0.0, 0.0]).y, "v points upwards");
    }
}
