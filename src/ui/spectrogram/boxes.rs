//! Boxes over the spectrogram: drawn by a drag with Shift, selected by a click, moved, and dragged by their edges and corners one by one.

use super::places::Places;
use super::strokes;
use crate::filter::Effect;
use crate::spectra::{NamedBox, RecordingExtent, TimeFrequencyBox};
use crate::ui::gestures::{self, Grip, has_keys, keep_arrows, nudge, removes};
use crate::ui::settings::BoxesLook;
use crate::ui::theme::Tokens;
use egui::{
    Align2, Color32, CursorIcon, Event, FontId, Id, PointerButton, Pos2, Rect, Response, Stroke, StrokeKind, Theme, Ui, Vec2, pos2, vec2,
};

/// A drag of boxes.
#[derive(Clone)]
enum Drag {
    /// A new box, from the sample and the frequency where it began.
    Draw([f64; 2], bool),
    /// A new stroke: the samples and frequencies of its path, its width in both, and whether it is in the list.
    Stroke(Vec<[f64; 2]>, [f64; 2], bool),
    /// All of a box, from the sample and the frequency where it was grabbed.
    Move([f64; 2], TimeFrequencyBox),
}

/// The edges and corners of a box: their name, which ends they move (−1 the first, 1 the last, 0 none), and the cursor.
const HANDLES: [(&str, [i8; 2], CursorIcon); 8] = [
    ("Beginning", [-1, 0], CursorIcon::ResizeHorizontal),
    ("End", [1, 0], CursorIcon::ResizeHorizontal),
    ("Lowest frequency", [0, -1], CursorIcon::ResizeVertical),
    ("Highest frequency", [0, 1], CursorIcon::ResizeVertical),
    ("Lower left corner", [-1, -1], CursorIcon::ResizeNeSw),
    ("Lower right corner", [1, -1], CursorIcon::ResizeNwSe),
    ("Upper left corner", [-1, 1], CursorIcon::ResizeNwSe),
    ("Upper right corner", [1, 1], CursorIcon::ResizeNeSw),
];
/// Half the side of a painted handle in points.
const HANDLE: f32 = 3.0;

/// The stroke along places, each a sample and a frequency, with a width in both; `None` where it covers nothing.
fn stroke(of: RecordingExtent, path: &[[f64; 2]], [samples, width]: [f64; 2]) -> Option<TimeFrequencyBox> {
    let cycles = |frequency: f64| frequency / of.rate.per_unit;
    let points: Vec<[f64; 2]> = path.iter().map(|[sample, frequency]| [*sample, cycles(*frequency)]).collect();
    TimeFrequencyBox::of_stroke(&points, [samples, cycles(width)], &of, Effect::Pass)
}

/// The lower left and the upper right corner of a box: a sample and a frequency each.
fn corners(of: RecordingExtent, part: &TimeFrequencyBox) -> [[f64; 2]; 2] {
    let [low, high] = part.frequencies(of.rate);
    [[part.samples.start as f64, low], [part.samples.end as f64, high]]
}

/// Where a box lies on the screen; what is beyond the picture ends a little outside.
fn rect_of(places: &Places<'_>, of: RecordingExtent, part: &TimeFrequencyBox) -> Rect {
    let Places { canvas, view, all, .. } = places;
    let room = canvas.expand(20.0);
    let point = |[sample, frequency]: [f64; 2]| {
        let y = view.y(*canvas, all.share(frequency));
        // A logarithmic axis has no 0.
        let y = if y.is_finite() { y.clamp(room.top(), room.bottom()) } else { room.bottom() };
        pos2(view.x(*canvas, sample).clamp(room.left(), room.right()), y)
    };
    let [low, high] = corners(of, part).map(point);
    Rect::from_two_pos(low, high)
}

/// Shows the boxes and lets them be drawn and changed; returns whether the pointer is taken, so that it selects neither a part nor a frame.
pub(super) fn boxes_ui(ui: &mut Ui, places: &Places<'_>, response: &Response, look: &mut BoxesLook, of: RecordingExtent) -> bool {
    let id = response.id.with("drag of a box");
    let is_taken = drag_ui(ui, places, response, look, of, id);
    for (index, own) in look.list.iter().enumerate() {
        let (rect, is_selected) = (rect_of(places, of, &own.part), look.selected == Some(index));
        if let Some(stroke) = &own.part.stroke {
            strokes::paint(ui, places, (&own.part, stroke), of.rate, is_selected);
        }
        paint(ui, places, rect, own, is_selected);
    }
    let is_grabbed = handles_ui(ui, places, response, look, of);
    if look.selected.is_some() && has_keys(response) && removes(ui.ctx()) {
        look.remove();
    }
    let clicked = response.interact_pointer_pos().filter(|_| response.clicked() && !response.double_clicked());
    let hit = clicked.and_then(|at| box_at(places, of, look, at)).filter(|hit| look.selected != Some(*hit));
    if let Some(hit) = hit {
        look.selected = Some(hit);
        response.request_focus();
    }
    is_taken || is_grabbed || hit.is_some()
}

/// The smallest box under a point of the screen.
fn box_at(places: &Places<'_>, of: RecordingExtent, look: &BoxesLook, at: Pos2) -> Option<usize> {
    let rects = look.list.iter().map(|own| rect_of(places, of, &own.part)).enumerate().filter(|(_, rect)| rect.contains(at));
    rects.min_by(|a, b| a.1.area().total_cmp(&b.1.area())).map(|(index, _)| index)
}

/// A drag over the picture draws a box or moves the selected one; returns whether it does.
fn drag_ui(ui: &Ui, places: &Places<'_>, response: &Response, look: &mut BoxesLook, of: RecordingExtent, id: Id) -> bool {
    // The box under the pointer at the press counts: a drag begins later, once the pointer has moved.
    let held = id.with("held at the press");
    let press = |event: &Event| match event {
        Event::PointerButton { button: PointerButton::Primary, pressed: true, modifiers, .. } => Some(modifiers.shift),
        _ => None,
    };
    if let Some(shift) = ui.input(|input| input.events.iter().find_map(press)) {
        ui.data_mut(|data| data.insert_temp(held, shift));
    }
    if let Some(at) = gestures::began(response) {
        let draws = look.is_tool || ui.data(|data| data.get_temp::<bool>(held)).unwrap_or_default();
        let grabbed = look.shown().filter(|(_, own)| !draws && !look.is_brush && rect_of(places, of, &own.part).contains(at));
        let drag = match grabbed {
            _ if look.is_brush => Some(Drag::Stroke(vec![places.place(at)], strokes::width(places, at, look, of), false)),
            _ if draws => Some(Drag::Draw(places.place(at), false)),
            Some((_, own)) => Some(Drag::Move(places.place(at), own.part.clone())),
            None => None,
        };
        ui.data_mut(|data| data.insert_temp(id, drag));
        response.request_focus();
    }
    let Some(drag) = ui.data(|data| data.get_temp::<Option<Drag>>(id)).flatten() else { return false };
    if !response.dragged() && !response.drag_stopped() {
        ui.data_mut(|data| data.remove::<Option<Drag>>(id));
        return false;
    }
    if let Some(at) = gestures::dragged_to(response) {
        let to = places.place(at);
        match drag {
            Drag::Draw(from, is_there) => {
                let Some(part) = of.part([from, to], Effect::Pass) else { return true };
                match look.selected.filter(|_| is_there).and_then(|index| look.list.get_mut(index)) {
                    Some(own) => own.part = TimeFrequencyBox { effect: own.part.effect, ..part },
                    None => look.add(NamedBox { name: format!("Box {}", look.list.len() + 1), part }),
                }
                ui.data_mut(|data| data.insert_temp(id, Some(Drag::Draw(from, true))));
            }
            Drag::Stroke(mut path, width, is_there) => {
                let before = path.last().map_or(at, |last| strokes::point(places, *last));
                if before.distance(at) >= strokes::STEP || path.len() == 1 {
                    path.push(to);
                }
                let Some(part) = stroke(of, &path, width) else { return true };
                match look.selected.filter(|_| is_there).and_then(|index| look.list.get_mut(index)) {
                    Some(own) => own.part = part,
                    None => look.add(NamedBox { name: format!("Stroke {}", look.list.len() + 1), part }),
                }
                ui.data_mut(|data| data.insert_temp(id, Some(Drag::Stroke(path, width, true))));
            }
            Drag::Move(from, part) => {
                if let Some(own) = look.selected.and_then(|index| look.list.get_mut(index)) {
                    own.part = moved(of, &part, [to[0] - from[0], (to[1] - from[1]) / of.rate.per_unit]);
                }
            }
        }
    }
    true
}

/// A box that has moved by some samples and cycles, and stays in the recording with its size.
fn moved(of: RecordingExtent, part: &TimeFrequencyBox, [samples, cycles]: [f64; 2]) -> TimeFrequencyBox {
    let n = part.samples.len();
    let start = (part.samples.start as f64 + samples).round().clamp(0.0, of.samples.saturating_sub(n) as f64) as usize;
    let ([lowest, highest], [low, high]) = ([of.lowest(), 0.5], part.cycles);
    let by = cycles.clamp(lowest - low, highest - high);
    TimeFrequencyBox { samples: start..start + n, cycles: [low + by, high + by], ..part.clone() }
}

/// Lets the edges and corners of the selected box be dragged, or moved by the arrows; returns whether one of them is held or was clicked.
fn handles_ui(ui: &Ui, places: &Places<'_>, response: &Response, look: &mut BoxesLook, of: RecordingExtent) -> bool {
    let Some((index, NamedBox { name, part })) = look.shown() else { return false };
    let rect = rect_of(places, of, part);
    let ([mut low, mut high], effect) = (corners(of, part), part.effect);
    let before = [low, high];
    let (mut is_taken, mut is_removed) = (false, false);
    let Places { canvas, view, .. } = places;
    let samples_per_point = ((view.time[1] - view.time[0]) / f64::from(canvas.width())).max(1.0);
    for (handle, [across, up], cursor) in HANDLES {
        let at = |way: i8, first: f32, last: f32| [first, first.midpoint(last), last][(way + 1) as usize];
        let centre = pos2(at(across, rect.left(), rect.right()), at(up, rect.bottom(), rect.top()));
        if !canvas.expand(1.0).contains(centre)
            && (across != 0 && up != 0 || !canvas.expand(1.0).intersects(Rect::from_center_size(centre, rect.size())))
        {
            continue;
        }
        let size = vec2(if across == 0 { rect.width() } else { 2.0 }, if up == 0 { rect.height() } else { 2.0 });
        let place = (response.id.with(("handle of a box", index, handle)), Rect::from_center_size(centre, size), *canvas);
        let grip = Grip::new(ui, place, cursor, &format!("{handle} of {name}"));
        let mut shift = [None, None];
        if let Some(to) = grip.to() {
            shift = places.place(to).map(Some);
        }
        is_taken |= grip.is_taken() || grip.response.dragged();
        if grip.response.has_focus() {
            keep_arrows(&grip.response);
            is_removed |= removes(ui.ctx());
            if let Some([right, down]) = nudge(ui.ctx()) {
                let from = pos2(centre.x.clamp(canvas.left(), canvas.right()), centre.y.clamp(canvas.top(), canvas.bottom()));
                let to = places.place(from + Vec2::new(0.0, down as f32));
                let corner = [if across < 0 { low[0] } else { high[0] }, 0.0];
                shift = [Some(corner[0] + f64::from(right) * samples_per_point).filter(|_| right != 0), Some(to[1]).filter(|_| down != 0)];
            }
        }
        for (axis, way) in [across, up].into_iter().enumerate() {
            if let (Some(value), true) = (shift[axis], way != 0) {
                if way < 0 { low[axis] = value } else { high[axis] = value }
            }
        }
    }
    if let Some(part) = Some([low, high]).filter(|ends| *ends != before).and_then(|ends| of.part(ends, effect)) {
        look.list[index].part.take_ends(part);
    }
    if is_removed {
        look.remove();
    }
    is_taken
}

/// Paints a box: what passes with a full line, what is cut crossed out.
fn paint(ui: &Ui, places: &Places<'_>, rect: Rect, own: &NamedBox, is_selected: bool) {
    let (tokens, painter) = (Tokens::of(Theme::Dark), ui.painter().with_clip_rect(places.canvas));
    let color = if is_selected { tokens.accent } else { Color32::WHITE };
    let width = if is_selected { 2.0 } else { 1.0 };
    let is_outlined = own.part.stroke.is_none() || is_selected;
    for (width, color) in [(width + 2.0, Color32::from_black_alpha(150)), (width, color)].into_iter().filter(|_| is_outlined) {
        painter.rect_stroke(rect, 0.0, Stroke::new(width, color), StrokeKind::Middle);
        if own.part.effect == Effect::Cut && own.part.stroke.is_none() {
            painter.line_segment([rect.left_top(), rect.right_bottom()], Stroke::new(width, color));
            painter.line_segment([rect.left_bottom(), rect.right_top()], Stroke::new(width, color));
        }
    }
    if is_selected {
        let alpha = if own.part.stroke.is_some() { 0.0 } else { 0.10 };
        painter.rect_filled(rect, 0.0, tokens.accent.gamma_multiply(alpha));
        for corner in [rect.left_top(), rect.right_top(), rect.left_bottom(), rect.right_bottom()] {
            let handle = Rect::from_center_size(corner, Vec2::splat(2.0 * HANDLE));
            painter.rect(handle, 0.0, color, Stroke::new(1.0, Color32::BLACK), StrokeKind::Outside);
        }
    }
    let galley = painter.layout_no_wrap(own.name.clone(), FontId::proportional(11.0), color);
    let seen = rect.intersect(places.canvas);
    // A name is above its box, or within it if that lacks room.
    let outside = seen.top() - galley.size().y - 2.0 > places.canvas.top();
    let anchor = if outside { Align2::LEFT_BOTTOM } else { Align2::LEFT_TOP };
    let text = anchor.anchor_size(seen.left_top() + vec2(2.0, if outside { -2.0 } else { 2.0 }), galley.size());
    if seen.is_positive() {
        painter.rect_filled(text.expand(2.0), 2.0, Color32::from_black_alpha(150));
        painter.galley(text.min, galley, color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectra::Rate;

    const OF: RecordingExtent = RecordingExtent { samples: 1000, is_complex: false, rate: Rate { per_unit: 100.0, unit: None } };

    #[test]
    fn boxes_lie_within_the_recording() {
        let part = OF.part([[900.0, 40.0], [-5.0, 70.0]], Effect::Cut).unwrap();
        assert_eq!(part, TimeFrequencyBox { samples: 0..900, cycles: [0.4, 0.5], effect: Effect::Cut, stroke: None });
        assert_eq!(OF.part([[900.0, 40.0], [900.2, 45.0]], Effect::Pass), None);
        assert_eq!(OF.part([[0.0, 60.0], [900.2, 75.0]], Effect::Pass), None);
    }

    #[test]
    fn a_box_that_is_moved_keeps_its_size() {
        let part = TimeFrequencyBox { samples: 100..300, cycles: [0.25, 0.375], effect: Effect::Pass, stroke: None };
        let far = moved(OF, &part, [5000.0, -3.0]);
        assert_eq!((far.samples, far.cycles), (800..1000, [0.0, 0.125]));
        assert_eq!(moved(OF, &part, [-20.4, 0.0625]).cycles, [0.3125, 0.4375]);
    }
}
