//! The region on the source image: drawn, moved and resized with the mouse, nudged with the arrows, and its numbers.

mod controls;

use crate::numerals::{integer, number};
use crate::prepare::{Outline, Region};
use crate::signal::Sampling;
use crate::transforms::Shape;
use crate::ui::canvas::Placement;
use crate::ui::gestures::{self, keep_arrows, nudge, removes};
use crate::ui::theme::{GRID, Tokens};
pub(super) use controls::{duration_ui, numbers_ui, outline_ui, samples_ui, visible_ui};
use egui::{Color32, CursorIcon, Key, Pos2, Rect, Response, Stroke, Ui, vec2};

/// The side of a handle, in points; it can be grabbed within twice that.
const HANDLE: f32 = 7.0;

/// The sides that the mouse has grabbed: −1 and 1 on each axis.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Grip {
    /// A new one is drawn: a corner follows the mouse. Shift squares it, unless Shift has begun it.
    Draw(Outline, bool),
    /// The whole region.
    Move,
    /// A side or a corner.
    Side([i8; 2]),
}

/// A drag: what was grabbed, where, and the region then.
#[derive(Debug, Clone, Copy)]
struct Drag {
    grip: Grip,
    from: [f64; 2],
    region: Region,
}

/// The tool.
#[derive(Default)]
pub(super) struct RegionTool {
    drag: Option<Drag>,
    /// How the samples of the signal follow each other, so that a part has a duration.
    pub(super) sampling: Option<Sampling>,
}

/// The effect of a drag on an empty place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EmptyPlace {
    /// It draws a region.
    Draws,
    /// It draws one if there is one already, or if Shift is held; otherwise it belongs to the image.
    Redraws,
}

impl RegionTool {
    /// Shows the region over an image of `shape`, and lets the mouse change it.
    pub(super) fn ui(&mut self, ui: &Ui, placement: &Placement, region: &mut Option<Region>, shape: Shape) {
        self.body_ui(ui, placement, region, shape, EmptyPlace::Redraws);
        self.handles_ui(ui, placement, region, shape);
    }

    /// Shows the region, and lets all of it be dragged, or another one be drawn.
    fn body_ui(&mut self, ui: &Ui, placement: &Placement, region: &mut Option<Region>, shape: Shape, empty: EmptyPlace) {
        let area = placement.canvas.intersect(placement.whole(shape));
        let outline = region.map_or(Outline::Rectangle, |region| region.outline);
        let has_shift = ui.input(|input| input.modifiers.shift);
        let known = self.drag.map(|drag| drag.grip).filter(|grip| matches!(grip, Grip::Draw(..)));
        if region.is_some() || known.is_some() || has_shift || empty == EmptyPlace::Draws {
            // Visible things lie above it, and are grabbed first.
            let grip = known.unwrap_or(Grip::Draw(outline, has_shift && region.is_none()));
            self.follow(ui, ("new region", area, "New region"), (CursorIcon::Crosshair, grip), placement, region, shape);
        }
        let Some(shown) = *region else { return };
        paint(ui, placement, shown, shape, &self.size_text(shown, shape));
        let body = on_screen(placement, shown);
        let name = format!("Region {shown}");
        let whole = self.follow(ui, ("region", body.intersect(area), &name), (CursorIcon::Move, Grip::Move), placement, region, shape);
        if whole.is_taken() {
            whole.response.request_focus();
        }
        keys_ui(&whole.response, region, step(placement, shape), shape);
    }

    /// Lets the sides and the corners of the region be dragged.
    fn handles_ui(&mut self, ui: &Ui, placement: &Placement, region: &mut Option<Region>, shape: Shape) {
        let Some(body) = region.map(|shown| on_screen(placement, shown)) else { return };
        for (sides, name) in SIDES.into_iter().filter(|(sides, _)| shape.rows > 1 || sides[1] == 0) {
            let at = Rect::from_center_size(handle(body, sides), vec2(2.0 * HANDLE, 2.0 * HANDLE));
            // All of the edge of a part of a signal is its handle.
            let at = if shape.rows > 1 { at } else { at.union(at.with_min_y(body.top()).with_max_y(body.bottom())) };
            if at.intersects(placement.canvas) {
                let grip = Grip::Side(sides);
                let side = self.follow(ui, (name, at, name), (cursor(sides), grip), placement, region, shape);
                if !side.is_taken() && side.response.has_focus() {
                    side_keys_ui(&side.response, grip, region, step(placement, shape), shape);
                }
            }
        }
    }

    /// Shows the part of a signal over its plot, and lets the mouse select another one or change its ends; all rows have the same part.
    /// The drawing of `inside` lies over the part and below its ends.
    pub(super) fn line_ui<T>(
        &mut self,
        ui: &Ui,
        placement: &Placement,
        (region, signal): (&mut Option<Region>, Shape),
        inside: impl FnOnce() -> T,
    ) -> T {
        let before = region.map(|region| Region { y: 0, height: 1, ..region });
        let (mut part, line) = (before, Shape::line(signal.columns));
        self.body_ui(ui, placement, &mut part, line, EmptyPlace::Draws);
        let shown = inside();
        self.handles_ui(ui, placement, &mut part, line);
        if part != before {
            let rows = region.map_or((0, signal.rows), |region| (region.y, region.height));
            *region = part.map(|part| Region { y: rows.0, height: rows.1, ..part });
        }
        shown
    }

    /// The size of a region beside its outline: the duration of a part where the sampling is known, otherwise samples or pixels.
    fn size_text(&self, region: Region, image: Shape) -> String {
        match (image.rows, self.sampling) {
            (1, Some(Sampling { per_unit, unit })) => format!("{} {}", number(region.width as f64 / per_unit, 5), unit.symbol()),
            (1, None) => integer(region.width),
            _ => format!("{} × {}", integer(region.width), integer(region.height)),
        }
    }

    /// Lets the region follow the mouse while a part of it is dragged, which lies in a rectangle.
    fn follow(
        &mut self,
        ui: &Ui,
        (id, rect, name): (&str, Rect, &str),
        (cursor, grip): (CursorIcon, Grip),
        placement: &Placement,
        region: &mut Option<Region>,
        shape: Shape,
    ) -> gestures::Grip {
        let grabbed = gestures::Grip::new(ui, (ui.scope_id().with(("region", id)), rect, placement.canvas), cursor, name);
        if let Some(at) = grabbed.began() {
            self.drag = Some(Drag { grip, from: placement.to_data(at), region: region.unwrap_or(Region::whole(shape)) });
        }
        if let Some(drag) = self.drag.filter(|drag| drag.grip == grip) {
            if let Some(at) = grabbed.to() {
                let (shift, alt) = ui.input(|input| (input.modifiers.shift, input.modifiers.alt));
                *region = Some(dragged(drag, placement.to_data(at), [shift, alt], shape));
            }
            if grabbed.response.drag_stopped() {
                self.drag = None;
            }
        }
        grabbed
    }
}

/// A step of the arrows: a pixel of an image, and what a point of the screen shows of a signal.
fn step(placement: &Placement, shape: Shape) -> i64 {
    if shape.rows > 1 { 1 } else { (1.0 / placement.scale[0]).max(1.0) as i64 }
}

/// Arrows move the side that has the focus.
fn side_keys_ui(side: &Response, grip: Grip, region: &mut Option<Region>, step: i64, shape: Shape) {
    keep_arrows(side);
    if let (Some(by), Some(shown)) = (nudge(&side.ctx), *region) {
        let to = by.map(|by| (i64::from(by) * step) as f64);
        *region = Some(dragged(Drag { grip, from: [0.0; 2], region: shown }, to, [false; 2], shape));
    }
}

/// Arrows move the region that has the focus; Delete takes the whole image.
fn keys_ui(whole: &Response, region: &mut Option<Region>, step: i64, shape: Shape) {
    if !whole.has_focus() {
        return;
    }
    keep_arrows(whole);
    if let Some(by) = nudge(&whole.ctx) {
        *region = region.map(|region| region.moved(by.map(|by| i64::from(by) * step), shape));
    }
    // The key of the whole image works while the region has the focus, too.
    if removes(&whole.ctx) || whole.ctx.input(|input| input.modifiers.is_none() && input.key_pressed(Key::W)) {
        *region = None;
    }
}

/// The handles: their sides, and their names for those who do not see them.
const SIDES: [([i8; 2], &str); 8] = [
    ([-1, -1], "Region, top left"),
    ([0, -1], "Region, top"),
    ([1, -1], "Region, top right"),
    ([1, 0], "Region, right"),
    ([1, 1], "Region, bottom right"),
    ([0, 1], "Region, bottom"),
    ([-1, 1], "Region, bottom left"),
    ([-1, 0], "Region, left"),
];

/// The region after a drag to a point of the image, with equal sides or about its centre where that is asked for.
fn dragged(Drag { grip, from, region }: Drag, to: [f64; 2], [squares, centred]: [bool; 2], image: Shape) -> Region {
    let by = [to[0] - from[0], to[1] - from[1]].map(|by| by.round() as i64);
    let (sides, outline, squares) = match grip {
        Grip::Move => return region.moved(by, image),
        Grip::Draw(outline, by_shift) => ([1, 1], outline, squares && !by_shift),
        Grip::Side(sides) => (sides, region.outline, squares && !sides.contains(&0)),
    };
    // The ends of both axes, of which the second one follows the mouse.
    let before = match grip {
        Grip::Draw(..) => from.map(|at| [at.round() as i64; 2]),
        _ => [(region.x, region.width, sides[0]), (region.y, region.height, sides[1])].map(|(first, n, side)| {
            let (low, high) = (first as i64, (first + n) as i64);
            if side < 0 { [high, low] } else { [low, high] }
        }),
    };
    let moved = [0, 1].map(|axis| if sides[axis] == 0 { before[axis][1] } else { before[axis][1] + by[axis] });
    let moved = if matches!(grip, Grip::Draw(..)) { to.map(|at| at.round() as i64) } else { moved };
    let mut spans = [0, 1].map(|axis| moved[axis] - before[axis][0]);
    if squares {
        let side = spans[0].abs().max(spans[1].abs());
        spans = spans.map(|span| if span < 0 { -side } else { side });
    }
    let ends = [0, 1].map(|axis| {
        let [fixed, end] = before[axis];
        match centred && sides[axis] != 0 {
            // The other end moves as far the other way.
            true if matches!(grip, Grip::Draw(..)) => [fixed - spans[axis], fixed + spans[axis]],
            true => [fixed - (fixed + spans[axis] - end), fixed + spans[axis]],
            false => [fixed, fixed + spans[axis]],
        }
    });
    let span = |[a, b]: [i64; 2], n: usize| {
        let [a, b] = [a, b].map(|end| end.clamp(0, n as i64));
        let (low, high) = (a.min(b), a.max(b).max(a.min(b) + 1));
        let low = low.min(n as i64 - 1);
        (low as usize, (high.min(n as i64) - low) as usize)
    };
    let ((x, width), (y, height)) = (span(ends[0], image.columns), span(ends[1], image.rows));
    Region { x, y, width, height, outline }
}

/// The rectangle of a region on the screen.
fn on_screen(placement: &Placement, Region { x, y, width, height, .. }: Region) -> Rect {
    Rect::from_min_max(placement.to_screen([x as f64, y as f64]), placement.to_screen([(x + width) as f64, (y + height) as f64]))
}

/// The middle of a handle.
fn handle(body: Rect, [x, y]: [i8; 2]) -> Pos2 {
    let at = |side: i8, low: f32, high: f32| low + (high - low) * (f32::from(side) + 1.0) / 2.0;
    Pos2::new(at(x, body.left(), body.right()), at(y, body.top(), body.bottom()))
}

fn cursor(sides: [i8; 2]) -> CursorIcon {
    match sides {
        [0, _] => CursorIcon::ResizeVertical,
        [_, 0] => CursorIcon::ResizeHorizontal,
        [a, b] if a == b => CursorIcon::ResizeNwSe,
        _ => CursorIcon::ResizeNeSw,
    }
}

/// Draws the outline with its handles, and a veil over what is left out.
fn paint(ui: &Ui, placement: &Placement, region: Region, image: Shape, size: &str) {
    let painter = ui.painter().with_clip_rect(placement.canvas);
    let (whole, body) = (placement.whole(image), on_screen(placement, region));
    // A wave keeps its contrast in both themes; pixels of an image may have any colour.
    let veil = if image.rows == 1 { Tokens::current(ui).pane.gamma_multiply(0.6) } else { Color32::from_black_alpha(110) };
    for rect in [
        Rect::from_min_max(whole.min, Pos2::new(whole.right(), body.top())),
        Rect::from_min_max(Pos2::new(whole.left(), body.bottom()), whole.max),
        Rect::from_min_max(Pos2::new(whole.left(), body.top()), body.left_bottom()),
        Rect::from_min_max(body.right_top(), Pos2::new(whole.right(), body.bottom())),
    ] {
        painter.rect_filled(rect, 0.0, veil);
    }
    let accent = Tokens::of(egui::Theme::Dark).accent;
    // A dark line below keeps the outline visible on bright pixels.
    for (width, color) in [(3.0, Color32::from_black_alpha(140)), (1.5, accent)] {
        painter.rect_stroke(body, 0.0, Stroke::new(width, color), egui::StrokeKind::Middle);
        if region.outline == Outline::Ellipse {
            painter.add(egui::epaint::EllipseShape::stroke(body.center(), body.size() / 2.0, Stroke::new(width, color)));
        }
    }
    for (sides, _) in SIDES.into_iter().filter(|(sides, _)| image.rows > 1 || sides[1] == 0) {
        painter.rect_filled(Rect::from_center_size(handle(body, sides), vec2(HANDLE, HANDLE)), 1.0, accent);
    }
    let text = painter.layout_no_wrap(size.to_owned(), egui::TextStyle::Small.resolve(ui.style()), Color32::WHITE);
    let at = body.left_top() + vec2(GRID, -text.size().y - GRID);
    let at = at.clamp(placement.canvas.min, (placement.canvas.max - text.size()).max(placement.canvas.min));
    // The ground is opaque, as a recording of a light theme lies below it.
    painter.rect_filled(Rect::from_min_size(at, text.size()).expand(2.0), 2.0, Color32::from_gray(24));
    painter.galley(at, text, Color32::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: Shape = Shape { rows: 60, columns: 100 };

    fn after(grip: Grip, from: [f64; 2], to: [f64; 2]) -> String {
        let region = "10,20,30,20".parse().expect("a region");
        dragged(Drag { grip, from, region }, to, [false; 2], IMAGE).to_string()
    }

    #[test]
    fn a_drag_moves_resizes_and_draws() {
        assert_eq!(after(Grip::Move, [15.0, 25.0], [20.4, 20.0]), "15,15,30,20");
        assert_eq!(after(Grip::Move, [15.0, 25.0], [500.0, 500.0]), "70,40,30,20");
        assert_eq!(after(Grip::Side([1, 1]), [40.0, 40.0], [45.0, 50.0]), "10,20,35,30");
        assert_eq!(after(Grip::Side([-1, 0]), [10.0, 30.0], [5.0, 0.0]), "5,20,35,20");
        assert_eq!(after(Grip::Side([-1, 0]), [10.0, 30.0], [60.0, 0.0]), "40,20,20,20", "a side goes past the other one");
        assert_eq!(after(Grip::Draw(Outline::Ellipse, false), [80.2, 50.0], [50.0, 5.4]), "50,5,30,45:ellipse");
        assert_eq!(after(Grip::Draw(Outline::Rectangle, false), [80.0, 50.0], [400.0, -9.0]), "80,0,20,50");
        assert_eq!(
            after(Grip::Draw(Outline::Rectangle, false), [99.9, 59.9], [100.0, 60.0]),
            "99,59,1,1",
            "a region has at least one pixel"
        );
    }

    #[test]
    fn shift_squares_and_alt_keeps_the_centre() {
        let after = |grip: Grip, from: [f64; 2], to: [f64; 2], keys: [bool; 2]| {
            let region = "10,20,30,20".parse().expect("a region");
            dragged(Drag { grip, from, region }, to, keys, IMAGE).to_string()
        };
        let draw = |by_shift| Grip::Draw(Outline::Rectangle, by_shift);
        let (from, to) = ([40.0, 30.0], [30.0, 45.0]);
        assert_eq!(after(draw(false), from, to, [true, false]), "25,30,15,15");
        assert_eq!(after(draw(true), from, to, [true, false]), "30,30,10,15", "Shift has begun it");
        assert_eq!(after(draw(false), from, to, [false, true]), "30,15,20,30");
        assert_eq!(after(Grip::Side([1, 1]), [40.0, 40.0], [45.0, 42.0], [true, false]), "10,20,35,35");
        assert_eq!(after(Grip::Side([1, 0]), [40.0, 30.0], [45.0, 30.0], [false, true]), "5,20,40,20", "both sides move");
        assert_eq!(after(Grip::Side([-1, -1]), [10.0, 20.0], [12.0, 25.0], [false, true]), "12,25,26,10");
    }
}
