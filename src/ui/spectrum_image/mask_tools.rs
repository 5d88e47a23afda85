//! The mask over the spectrum image: its shapes are drawn, and the mouse draws, selects, moves and resizes them.
//!
//! Every visible part of a shape can be grabbed, whatever the tool. An empty place belongs to the tool.

use crate::filter::{MaskForm, MaskShape};
use crate::transforms::Shape;
use crate::ui::canvas::{CanvasResponse, Placement};
use crate::ui::gestures::{REACH, began, dragged_to, has_keys, nudge, removes};
use crate::ui::settings::{FilterLook, MaskTool};
use crate::ui::theme::Tokens;
use egui::{Color32, CursorIcon, Painter, Pos2, Rect, Response, Shape as Drawing, Stroke, Ui};

/// The radius of a spot that is clicked, and of the brush, in values.
const SMALL: [f64; 2] = [3.0, 4.0];
/// The room inside an outline of which a shape is grabbed as a whole, in points.
const BODY: f32 = 4.0;

/// The effect of a drag.
#[derive(Debug, Clone, PartialEq)]
enum MaskDrag {
    /// It draws the last shape from this frequency on.
    Draws([f64; 2]),
    /// It moves a shape, which was so at the start, from this frequency on.
    Moves(usize, MaskForm, [f64; 2]),
    /// It drags the outline of a shape in the same way.
    Stretches(usize, MaskForm, [f64; 2]),
    /// It moves the handle of a shape.
    Resizes(usize),
}

/// The tools.
#[derive(Default)]
pub(crate) struct MaskTools {
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
        // A value is in the middle of its pixel; v points upwards.
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
    /// Whether a drag that begins at a point of a centred spectrum image is for the mask: on a shape, or anywhere with a tool that draws.
    pub(crate) fn holds(look: &FilterLook, (placement, shape): (&Placement, Shape), at: Pos2) -> bool {
        look.tool != MaskTool::Point || grip_at(look, Frequencies { placement, shape }, at).is_some()
    }

    /// Shows the mask over a centred spectrum image, and lets the mouse change it. Returns whether the mask takes a click.
    pub(crate) fn ui(&mut self, ui: &Ui, reply: &CanvasResponse, look: &mut FilterLook, shape: Shape) -> bool {
        let (placement, sheet) = (&reply.placement, &reply.response);
        let frequencies = Frequencies { placement, shape };
        let area = placement.canvas.intersect(placement.whole(shape));
        self.follow(ui, sheet, frequencies, look);
        let takes_click = clicked(sheet, frequencies, look);
        keys(sheet, frequencies, look);
        let pointer = sheet.hover_pos().filter(|at| self.drag.is_none() && area.contains(*at));
        let near = pointer.and_then(|at| grip_at(look, frequencies, at));
        let lit = self.drag.as_ref().or(near.as_ref());
        if let Some(drag) = lit {
            ui.ctx().set_cursor_icon(drag.cursor());
        } else if look.tool != MaskTool::Point && pointer.is_some() {
            ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
        }
        let lit = lit.and_then(MaskDrag::shape);
        let painter = ui.painter().with_clip_rect(area);
        for (index, shape) in look.mask.shapes.iter().enumerate() {
            paint(&painter, ui, frequencies, shape, [look.selected == Some(index), lit == Some(index), false]);
        }
        for shape in &look.proposed {
            paint(&painter, ui, frequencies, shape, [false, false, true]);
        }
        takes_click
    }

    /// Follows the mouse over the sheet.
    fn follow(&mut self, ui: &Ui, sheet: &Response, frequencies: Frequencies<'_>, look: &mut FilterLook) {
        let (step, tool) = (frequencies.step(), look.tool);
        if let Some(at) = began(sheet) {
            self.drag = grabbed(look, frequencies, at);
        }
        let (squares, centred) = ui.input(|input| (input.modifiers.shift, input.modifiers.alt));
        if let (Some(drag), Some(to)) = (&self.drag, dragged_to(sheet).map(|at| frequencies.of_screen(at))) {
            let index = drag.shape().unwrap_or(look.mask.shapes.len().wrapping_sub(1));
            if let Some(shape) = look.mask.shapes.get_mut(index) {
                let form = match drag {
                    MaskDrag::Draws(from) => drawn(tool, &shape.form, *from, centred, to, step),
                    MaskDrag::Moves(_, start, from) => start.moved(*from, to),
                    MaskDrag::Stretches(_, start, from) => start.stretched(*from, to, step / 2.0),
                    MaskDrag::Resizes(_) => shape.form.resized(to, step / 2.0),
                };
                shape.form = if squares && !matches!(drag, MaskDrag::Moves(..)) { form.squared() } else { form };
            }
        }
        // A tool that has drawn one shape goes back to pointing.
        if sheet.drag_stopped() && matches!(self.drag.take(), Some(MaskDrag::Draws(_))) {
            look.tool = MaskTool::Point;
        }
    }
}

impl MaskDrag {
    /// The shape that is grabbed, unless it is drawn.
    fn shape(&self) -> Option<usize> {
        match self {
            Self::Draws(_) => None,
            Self::Moves(index, ..) | Self::Stretches(index, ..) | Self::Resizes(index) => Some(*index),
        }
    }

    fn cursor(&self) -> CursorIcon {
        match self {
            Self::Draws(_) => CursorIcon::Crosshair,
            Self::Moves(..) => CursorIcon::Move,
            Self::Stretches(..) | Self::Resizes(_) => CursorIcon::PointingHand,
        }
    }
}

/// A click selects a shape, or lets a tool draw a small one; returns whether it did. Outside all shapes it selects none.
fn clicked(sheet: &Response, frequencies: Frequencies<'_>, look: &mut FilterLook) -> bool {
    let Some(at) = sheet.interact_pointer_pos().filter(|_| sheet.clicked()) else { return false };
    let (here, step) = (frequencies.of_screen(at), frequencies.step());
    match look.tool {
        MaskTool::Spots => add(look, MaskForm::Spots { u: here[0], v: here[1], radius: SMALL[0] * step }),
        MaskTool::Brush => add(look, MaskForm::Brush { points: vec![here], radius: SMALL[1] * step }),
        _ => {
            look.selected = grip_at(look, frequencies, at).and_then(|drag| drag.shape());
            return look.selected.is_some() || look.tool != MaskTool::Point;
        }
    }
    look.tool = MaskTool::Point;
    true
}

/// Arrows move the selected shape by a value, with Shift by ten; Delete removes it.
fn keys(sheet: &Response, frequencies: Frequencies<'_>, look: &mut FilterLook) {
    let Some(index) = look.selected.filter(|index| *index < look.mask.shapes.len() && has_keys(sheet)) else { return };
    if removes(&sheet.ctx) {
        return look.remove(index);
    }
    if let Some([right, down]) = nudge(&sheet.ctx) {
        let (shape, step) = (&mut look.mask.shapes[index], frequencies.step());
        let from = shape.form.handle().unwrap_or([0.25, 0.0]);
        shape.form = shape.form.moved(from, [from[0] + f64::from(right) * step, from[1] - f64::from(down) * step]);
    }
}

/// Adds a shape of the effect and the edge that are set.
fn add(look: &mut FilterLook, form: MaskForm) {
    look.add(MaskShape { edge: look.edge, ..MaskShape::new(form, look.effect) });
}

/// The effect of a drag from a point on the shapes: the handle of the selected one first, then outlines, then insides.
fn grip_at(look: &FilterLook, frequencies: Frequencies<'_>, at: Pos2) -> Option<MaskDrag> {
    let (from, shapes) = (frequencies.of_screen(at), &look.mask.shapes);
    let on_screen = |line: Vec<[f64; 2]>| line.into_iter().map(|at| frequencies.to_screen(at)).collect::<Vec<_>>();
    let outlines: Vec<Vec<_>> = shapes.iter().map(|shape| shape.form.outlines().into_iter().map(on_screen).collect()).collect();
    let is_inside = |index: usize| shapes[index].form.has_body() && shapes[index].form.contains(from);
    // Also a small shape is moved by its middle: there, handle and outline reach less far.
    let reach = |index: usize, inside: f32| {
        let sides = outlines[index].iter().map(|line| Rect::from_points(line).size().min_elem());
        if is_inside(index) { sides.fold(f32::INFINITY, f32::min).min(4.0 * inside) / 4.0 } else { REACH }
    };
    if let Some((index, handle)) = look.selected.and_then(|index| Some((index, shapes.get(index)?.form.handle()?)))
        && frequencies.to_screen(handle).distance(at) <= reach(index, REACH)
    {
        return Some(MaskDrag::Resizes(index));
    }
    let distance = |lines: &Vec<Vec<Pos2>>| lines.iter().map(|line| distance_to(line, at)).fold(f32::INFINITY, f32::min);
    let distances: Vec<f32> = outlines.iter().map(distance).collect();
    let nearest = (0..shapes.len()).filter(|&index| distances[index] <= reach(index, BODY));
    let nearest = nearest.min_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    let stretches = nearest.map(|index| MaskDrag::Stretches(index, shapes[index].form.clone(), from));
    stretches.or_else(|| {
        (0..shapes.len()).rfind(|&index| is_inside(index)).map(|index| MaskDrag::Moves(index, shapes[index].form.clone(), from))
    })
}

/// How far a point is from a line of segments.
fn distance_to(line: &[Pos2], at: Pos2) -> f32 {
    let of = |ends: &[Pos2]| {
        let along = ends[1] - ends[0];
        let t = ((at - ends[0]).dot(along) / along.length_sq().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        at.distance(ends[0] + along * t)
    };
    line.windows(2).map(of).fold(f32::INFINITY, f32::min)
}

/// The effect of a drag from here: it changes a shape, or the tool draws a new one.
fn grabbed(look: &mut FilterLook, frequencies: Frequencies<'_>, at: Pos2) -> Option<MaskDrag> {
    let known = grip_at(look, frequencies, at);
    if let Some(index) = known.as_ref().and_then(MaskDrag::shape) {
        look.selected = Some(index);
        return known;
    }
    if look.tool == MaskTool::Point {
        return None;
    }
    let from = frequencies.of_screen(at);
    let form = drawn(look.tool, &MaskForm::Brush { points: Vec::new(), radius: 0.0 }, from, false, from, frequencies.step());
    add(look, form);
    Some(MaskDrag::Draws(from))
}

/// The shape of a tool between two frequencies, or about the first one where it is `centred`; the brush goes on with its stroke.
fn drawn(tool: MaskTool, before: &MaskForm, begin: [f64; 2], centred: bool, to: [f64; 2], step: f64) -> MaskForm {
    let radius = |at: [f64; 2]| at[0].hypot(at[1]);
    let boxed = centred && matches!(tool, MaskTool::Rectangle | MaskTool::Ellipse);
    let from = if boxed { [0, 1].map(|k| 2.0 * begin[k] - to[k]) } else { begin };
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
        MaskTool::Spots | MaskTool::Point => {
            let radius = (to[0] - from[0]).hypot(to[1] - from[1]).max(step);
            MaskForm::Spots { u: from[0], v: from[1], radius }
        }
    }
}

/// Draws a shape: white on black, so that it is seen on every colour; wider where a drag would take it, dashed where it is proposed.
fn paint(painter: &Painter, ui: &Ui, frequencies: Frequencies<'_>, shape: &MaskShape, [selected, lit, proposed]: [bool; 3]) {
    let tokens = Tokens::current(ui);
    let width = if lit { 2.5 } else { 1.5 };
    let alpha = if shape.off { 90 } else { 255 };
    let color = if selected { tokens.accent } else { Color32::from_white_alpha(alpha) };
    for line in shape.form.outlines() {
        let points: Vec<Pos2> = line.into_iter().map(|at| frequencies.to_screen(at)).collect();
        painter.line(points.clone(), (3.0, Color32::from_black_alpha(alpha / 2)));
        if proposed {
            painter.extend(Drawing::dashed_line(&points, Stroke::new(width, color), 4.0, 3.0));
        } else {
            painter.line(points, (width, color));
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
        let of = |tool: MaskTool, from: [f64; 2], to: [f64; 2]| drawn(tool, &none, from, false, to, 0.01);
        let MaskForm::Spots { u, v, radius } = of(MaskTool::Spots, [0.2, 0.1], [0.23, 0.14]) else { panic!("spots") };
        assert!((u, v) == (0.2, 0.1) && (radius - 0.05).abs() < 1e-12);
        assert!(matches!(of(MaskTool::Ring, [0.3, 0.0], [0.0, 0.1]), MaskForm::Ring { from, to } if (from, to) == (0.1, 0.3)));
        assert!(matches!(of(MaskTool::Ring, [0.0, 0.0], [0.0, 0.1]), MaskForm::Ring { from: 0.0, .. }));
        let MaskForm::Wedge { angle, width } = of(MaskTool::Wedge, [0.1, 0.1], [0.0, 0.2]) else { panic!("a wedge") };
        assert!((angle - 67.5).abs() < 1e-9 && (width - 45.0).abs() < 1e-9);
        let MaskForm::Rectangle { u, width, height, .. } = of(MaskTool::Rectangle, [0.1, 0.1], [0.3, 0.1]) else { panic!("a box") };
        assert!((u - 0.2).abs() < 1e-12 && (width - 0.2).abs() < 1e-12 && height == 0.01, "never flat");
        let MaskForm::Ellipse { u, v, width, .. } = drawn(MaskTool::Ellipse, &none, [0.1, 0.1], true, [0.2, 0.15], 0.01) else {
            panic!("an ellipse")
        };
        assert!([u - 0.1, v - 0.1, width - 0.2].iter().all(|off| off.abs() < 1e-12), "about the centre");
        let stroke = drawn(MaskTool::Brush, &of(MaskTool::Brush, [0.1, 0.1], [0.1, 0.1]), [0.1, 0.1], false, [0.2, 0.1], 0.01);
        assert!(matches!(stroke, MaskForm::Brush { points, .. } if points == [[0.1, 0.1], [0.2, 0.1]]));
    }

    #[test]
    fn a_small_spot_is_moved_by_its_middle_and_sized_at_its_edge() {
        let canvas = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(256.0, 256.0));
        let placement = Placement { canvas, center: [128.0, 128.0], scale: [1.0, 1.0] };
        let frequencies = Frequencies { placement: &placement, shape: Shape { rows: 256, columns: 256 } };
        for points in [3.0, 12.0, 40.0] {
            let mut look = FilterLook::default();
            add(&mut look, MaskForm::Spots { u: 0.25, v: 0.0, radius: points / 256.0 });
            let middle = frequencies.to_screen([0.25, 0.0]);
            for (off, moves) in [(0.0, true), (0.3 * points, true), (points + 4.0, false)] {
                for selected in [None, Some(0)] {
                    look.selected = selected;
                    let grip = grip_at(&look, frequencies, middle + egui::vec2(off as f32, 0.0));
                    assert_eq!(matches!(grip, Some(MaskDrag::Moves(..))), moves, "{off} points beside the middle of {points}: {grip:?}");
                    assert!(grip.is_some());
                }
            }
        }
    }

    #[test]
    fn frequencies_and_the_screen_agree() {
        let canvas = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(300.0, 200.0));
        let placement = Placement { canvas, center: [8.0, 6.0], scale: [10.0, 12.0] };
        let frequencies = Frequencies { placement: &placement, shape: Shape { rows: 12, columns: 16 } };
        for at in [[0.0, 0.0], [0.25, -0.3], [-0.5, 0.4]] {
            let back = frequencies.of_screen(frequencies.to_screen(at));
            assert!((back[0] - at[0]).abs() < 1e-6 && (back[1] - at[1]).abs() < 1e-6, "{at:?} and {back:?}");
        }
        assert!(frequencies.to_screen([0.0, 0.2]).y < frequencies.to_screen([0.0, 0.0]).y, "v points upwards");
    }
}
