//! The region on the source image: drawn, moved and resized with the mouse, nudged with the arrows, and its numbers.

use crate::numerals::{integer, number};
use crate::prepare::{Outline, Region, Snap};
use crate::signal::{Sampling, SignalKind};
use crate::transforms::Shape;
use crate::ui::canvas::Placement;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::{Color32, CursorIcon, EventFilter, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

/// The side of a handle, in points; it can be grabbed within twice that.
const HANDLE: f32 = 7.0;
/// Steps of the arrow keys, without and with Shift, in pixels.
const NUDGES: [i64; 2] = [1, 10];

/// What the mouse has grabbed: −1 and 1 are the sides of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Grip {
    /// Nothing is there yet: a corner follows the mouse.
    Draw(Outline),
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
    /// Whether the next drag draws a region.
    draws: bool,
    drag: Option<Drag>,
    /// How the samples of the signal follow each other, so that a part has a duration.
    pub(super) sampling: Option<Sampling>,
}

impl RegionTool {
    /// Shows the region over an image of `shape`, and lets the mouse change it.
    pub(super) fn ui(&mut self, ui: &Ui, placement: &Placement, region: &mut Option<Region>, shape: Shape) {
        let area = placement.canvas.intersect(placement.whole(shape));
        let outline = region.map_or(Outline::Rectangle, |region| region.outline);
        if let Some(shown) = *region {
            paint(ui, placement, shown, shape, &self.size_text(shown, shape));
            let body = on_screen(placement, shown);
            let whole = ui.interact(body.intersect(area), ui.scope_id().with("region"), Sense::click_and_drag());
            whole.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Region {shown}")));
            let whole = whole.on_hover_cursor(CursorIcon::Move);
            if whole.clicked() || whole.drag_started() {
                whole.request_focus();
            }
            self.keys_ui(ui, &whole, region, shape);
            self.follow(ui, &whole, Grip::Move, placement, region, shape);
            for (sides, name) in SIDES {
                let at = Rect::from_center_size(handle(body, sides), vec2(2.0 * HANDLE, 2.0 * HANDLE));
                let grip = ui.interact(at.intersect(placement.canvas), ui.scope_id().with(("region", sides)), Sense::drag());
                grip.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
                self.follow(ui, &grip.on_hover_cursor(cursor(sides)), Grip::Side(sides), placement, region, shape);
            }
        }
        let is_drawing = self.drag.is_some_and(|drag| matches!(drag.grip, Grip::Draw(_)));
        if self.draws || is_drawing || ui.input(|input| input.modifiers.shift) {
            let sheet = ui.interact(area, ui.scope_id().with("new region"), Sense::drag()).on_hover_cursor(CursorIcon::Crosshair);
            sheet.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "New region"));
            self.follow(ui, &sheet, Grip::Draw(outline), placement, region, shape);
        }
    }

    /// Shows the part of a signal over its plot, and lets the mouse change its ends; all rows have the same part.
    pub(super) fn line_ui(&mut self, ui: &Ui, placement: &Placement, region: &mut Option<Region>, signal: Shape) {
        let before = region.map(|region| Region { y: 0, height: 1, ..region });
        let mut part = before;
        self.ui(ui, placement, &mut part, Shape::line(signal.columns));
        if part != before {
            let rows = region.map_or((0, signal.rows), |region| (region.y, region.height));
            *region = part.map(|part| Region { y: rows.0, height: rows.1, ..part });
        }
    }

    /// Lets the region follow the mouse while a part of it is dragged.
    fn follow(&mut self, ui: &Ui, response: &Response, grip: Grip, placement: &Placement, region: &mut Option<Region>, shape: Shape) {
        if response.drag_started()
            && let Some(at) = ui.input(|input| input.pointer.press_origin())
        {
            self.drag = Some(Drag { grip, from: placement.to_data(at), region: region.unwrap_or(Region::whole(shape)) });
        }
        let Some(drag) = self.drag.filter(|drag| drag.grip == grip) else { return };
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            *region = Some(dragged(drag, placement.to_data(at), shape));
        }
        if response.drag_stopped() {
            (self.drag, self.draws) = (None, false);
        }
    }

    /// Arrows move the region that has the focus; Delete takes the whole image.
    fn keys_ui(&self, ui: &Ui, whole: &Response, region: &mut Option<Region>, shape: Shape) {
        if !whole.has_focus() {
            return;
        }
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(whole.id, filter));
        for (key, way) in [(Key::ArrowLeft, [-1, 0]), (Key::ArrowRight, [1, 0]), (Key::ArrowUp, [0, -1]), (Key::ArrowDown, [0, 1])] {
            let [alone, with_shift] = ui.input(|input| [false, true].map(|shift| input.key_pressed(key) && input.modifiers.shift == shift));
            for (is_pressed, by) in [(alone, NUDGES[0]), (with_shift, NUDGES[1])] {
                if is_pressed {
                    *region = region.map(|region| region.moved(way.map(|way| way * by), shape));
                }
            }
        }
        // The key of the whole image works while the region has the focus, too.
        if ui.input(|input| [Key::Delete, Key::Backspace, Key::W].iter().any(|key| input.modifiers.is_none() && input.key_pressed(*key))) {
            *region = None;
        }
    }

    /// The size of a region beside its outline: the duration of a part where the sampling is known, otherwise samples or pixels.
    fn size_text(&self, region: Region, image: Shape) -> String {
        match (image.rows, self.sampling) {
            (1, Some(Sampling { per_unit, unit })) => format!("{} {}", number(region.width as f64 / per_unit, 5), unit.symbol()),
            (1, None) => integer(region.width),
            _ => format!("{} × {}", integer(region.width), integer(region.height)),
        }
    }

    /// The outline, the numbers, and sizes to snap to.
    pub(super) fn numbers_ui(&mut self, ui: &mut Ui, region: &mut Option<Region>, shape: Shape, kind: SignalKind) {
        widgets::row(ui, "Region", |ui| ui.horizontal_wrapped(|ui| outline_ui(ui, region, shape, kind)).inner);
        self.fields_ui(ui, region, shape, kind);
    }

    /// The numbers, and sizes to snap to, a row each.
    pub(super) fn fields_ui(&mut self, ui: &mut Ui, region: &mut Option<Region>, shape: Shape, kind: SignalKind) {
        let Some(shown) = region else { return };
        let before = *shown;
        if let Some(sampling) = self.sampling.filter(|_| !kind.is_image()) {
            ui.horizontal_wrapped(|ui| part_ui(ui, shown, sampling, shape.columns));
        }
        ui.horizontal_wrapped(|ui| {
            let fields = [
                ("x", "Region x", &mut shown.x, shape.columns - 1),
                ("y", "Region y", &mut shown.y, shape.rows - 1),
                ("w", "Region width", &mut shown.width, shape.columns),
                ("h", "Region height", &mut shown.height, shape.rows),
            ];
            // A single row has one axis.
            let n_axes = if shape.rows > 1 { 2 } else { 1 };
            for (prefix, name, value, most) in
                fields.into_iter().enumerate().filter(|(index, _)| index % 2 < n_axes).map(|(_, field)| field)
            {
                let field = ui.add(egui::DragValue::new(value).range(0..=most).speed(0.5).prefix(format!("{prefix} ")));
                field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
            }
        });
        ui.horizontal_wrapped(|ui| {
            if kind.is_image() {
                let about = "The next drag on the image draws a region, as with Shift held";
                widgets::toggle(ui, &mut self.draws, "Draw").on_hover_text(about);
            }
            for (snap, name, about) in [
                (Snap::Fast, "Fast", "Snaps to sides that are products of 2, 3, 5 and 7"),
                (Snap::Power, "2^n", "Snaps to sides that are powers of two"),
            ] {
                if ui.button(name).on_hover_text(about).clicked() {
                    *shown = shown.snapped(snap, shape);
                }
            }
        });
        if *shown != before {
            *shown = shown.within(shape);
        }
    }
}

/// Where a part of a signal begins and how long it is, in the unit of its axis.
fn part_ui(ui: &mut Ui, part: &mut Region, Sampling { per_unit, unit }: Sampling, n: usize) {
    let fields = [("from", "Part begins", &mut part.x, 0, n - 1), ("for", "Length of the part", &mut part.width, 1, n)];
    for (prefix, name, samples, least, most) in fields {
        let mut length = *samples as f64 / per_unit;
        let field = egui::DragValue::new(&mut length)
            .range(least as f64 / per_unit..=most as f64 / per_unit)
            .speed(n as f64 / per_unit / 1000.0)
            .max_decimals(6)
            .prefix(format!("{prefix} "))
            .suffix(format!(" {}", unit.symbol()));
        let field = ui.add(field);
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
        if field.changed() {
            *samples = ((length * per_unit).round() as usize).clamp(least, most);
        }
    }
}

/// The choice of the outline; without one, the whole signal is transformed.
pub(super) fn outline_ui(ui: &mut Ui, region: &mut Option<Region>, shape: Shape, kind: SignalKind) -> Response {
    let of_image = [
        (None, "Whole", "The whole image is transformed"),
        (Some(Outline::Rectangle), "Rectangle", "A rectangle of the image is transformed"),
        (Some(Outline::Ellipse), "Ellipse", "An ellipse is transformed; outside stands the mean of its inside"),
    ];
    let of_signal =
        [(None, "Whole", "The whole signal is transformed"), (Some(Outline::Rectangle), "Part", "A part of the samples is transformed")];
    let choices: &[_] = if kind.is_image() { &of_image } else { &of_signal };
    let mut chosen = region.map(|region| region.outline);
    let response = widgets::segmented(ui, &mut chosen, choices);
    if response.changed() {
        *region = chosen.map(|outline| Region { outline, ..region.unwrap_or(middle(shape, kind)) });
    }
    response
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

/// Half the image in each direction, about its middle; half of every row of a signal.
fn middle(shape: Shape, kind: SignalKind) -> Region {
    let [width, height] = [shape.columns.div_ceil(2), if kind.is_image() { shape.rows.div_ceil(2) } else { shape.rows }];
    Region { x: (shape.columns - width) / 2, y: (shape.rows - height) / 2, width, height, outline: Outline::Rectangle }
}

/// The region after a drag to a point of the image.
fn dragged(Drag { grip, from, region }: Drag, to: [f64; 2], image: Shape) -> Region {
    let by = [to[0] - from[0], to[1] - from[1]].map(|by| by.round() as i64);
    let span = |[a, b]: [i64; 2], n: usize| {
        let [a, b] = [a, b].map(|end| end.clamp(0, n as i64));
        let (low, high) = (a.min(b), a.max(b).max(a.min(b) + 1));
        let low = low.min(n as i64 - 1);
        (low as usize, (high.min(n as i64) - low) as usize)
    };
    let (across, down, outline) = match grip {
        Grip::Move => return region.moved(by, image),
        Grip::Draw(outline) => ([from[0].round() as i64, to[0].round() as i64], [from[1].round() as i64, to[1].round() as i64], outline),
        Grip::Side(sides) => {
            let ends = |first: usize, n: usize, side: i8, by: i64| {
                let (low, high) = (first as i64, (first + n) as i64);
                [low + if side < 0 { by } else { 0 }, high + if side > 0 { by } else { 0 }]
            };
            (ends(region.x, region.width, sides[0], by[0]), ends(region.y, region.height, sides[1], by[1]), region.outline)
        }
    };
    let ((x, width), (y, height)) = (span(across, image.columns), span(down, image.rows));
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
    for (sides, _) in SIDES {
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
        dragged(Drag { grip, from, region }, to, IMAGE).to_string()
    }

    #[test]
    fn a_drag_moves_resizes_and_draws() {
        assert_eq!(after(Grip::Move, [15.0, 25.0], [20.4, 20.0]), "15,15,30,20");
        assert_eq!(after(Grip::Move, [15.0, 25.0], [500.0, 500.0]), "70,40,30,20");
        assert_eq!(after(Grip::Side([1, 1]), [40.0, 40.0], [45.0, 50.0]), "10,20,35,30");
        assert_eq!(after(Grip::Side([-1, 0]), [10.0, 30.0], [5.0, 0.0]), "5,20,35,20");
        assert_eq!(after(Grip::Side([-1, 0]), [10.0, 30.0], [60.0, 0.0]), "40,20,20,20", "a side goes past the other one");
        assert_eq!(after(Grip::Draw(Outline::Ellipse), [80.2, 50.0], [50.0, 5.4]), "50,5,30,45:ellipse");
        assert_eq!(after(Grip::Draw(Outline::Rectangle), [80.0, 50.0], [400.0, -9.0]), "80,0,20,50");
        assert_eq!(after(Grip::Draw(Outline::Rectangle), [99.9, 59.9], [100.0, 60.0]), "99,59,1,1", "a region has at least one pixel");
    }
}
