//! The line of a profile over an image or its spectrum: its ends are dragged, and the whole line.

use super::canvas::Placement;
use super::gestures::{Grip, keep_arrows, nudge};
use super::settings::{MeasureLook, ProfileTab};
use super::theme::Tokens;
use crate::measure::ProfileLine;
use crate::transforms::Shape;
use egui::{Color32, CursorIcon, Pos2, Rect, Stroke, Ui, vec2};

/// The side of the square around an end that can be grabbed, in points.
const GRIP: f32 = 14.0;

/// The line of the profile: the one that is set, or one across the middle.
pub(super) fn line_of(look: &MeasureLook, shape: Shape) -> ProfileLine {
    let middle = (shape.rows / 2) as f64;
    look.line.unwrap_or(ProfileLine { from: [0.0, middle], to: [shape.columns as f64 - 1.0, middle], width: 1.0 })
}

/// Shows the line where the profile is taken along one, and lets the mouse move it.
pub(super) fn line_ui(ui: &Ui, placement: &Placement, look: &mut MeasureLook, shape: Shape, is_spectrum: bool) {
    if look.profile != ProfileTab::Line || look.on_spectrum != is_spectrum || !look.shows_line {
        return;
    }
    let before = line_of(look, shape);
    let mut line = before;
    // Whole numbers are the middles of pixels.
    let screen = |[x, y]: [f64; 2]| placement.to_screen([x + 0.5, y + 0.5]);
    let inside = |[x, y]: [f64; 2]| [x.clamp(0.0, shape.columns as f64 - 1.0), y.clamp(0.0, shape.rows as f64 - 1.0)];
    let data = |at: Pos2| placement.to_data(at).map(|at| at - 0.5);
    let ends = [line.from, line.to].map(screen);
    let grips = [
        (ends[0], "First end of the profile line"),
        (ends[1], "Second end of the profile line"),
        (ends[0] + 0.5 * (ends[1] - ends[0]), "Profile line"),
    ];
    let points = [line.from, line.to, [0, 1].map(|k| 0.5 * (line.from[k] + line.to[k]))];
    let painter = ui.painter().with_clip_rect(placement.canvas);
    for (k, (at, name)) in grips.into_iter().enumerate() {
        let rect = Rect::from_center_size(at, vec2(GRIP, GRIP));
        let grip = Grip::new(ui, (ui.scope_id().with(("profile line", k)), rect, placement.canvas), CursorIcon::Move, name);
        grip.is_taken();
        keep_arrows(&grip.response);
        let steps = if grip.response.has_focus() { nudge(ui.ctx()) } else { None };
        let nudged = steps.map(|by| [0, 1].map(|axis| points[k][axis] + f64::from(by[axis])));
        let Some([x, y]) = grip.to().map(data).or(nudged) else { continue };
        match k {
            0 => line.from = inside([x, y]),
            1 => line.to = inside([x, y]),
            _ => {
                let [dx, dy] = [0, 1].map(|k| [x, y][k] - 0.5 * (line.from[k] + line.to[k]));
                let [from, to] = [line.from, line.to].map(|[x, y]| [x + dx, y + dy]);
                if inside(from) == from && inside(to) == to {
                    (line.from, line.to) = (from, to);
                }
            }
        }
    }
    // Images are dark or bright in any theme.
    let color = Tokens::of(egui::Theme::Dark).accent;
    let way = ends[1] - ends[0];
    let across =
        if way.length() > 0.0 { way.rot90() / way.length() * (0.5 * line.width * placement.scale[0]) as f32 } else { vec2(0.0, 0.0) };
    let sides: &[f32] = if line.width > 1.0 { &[-1.0, 1.0] } else { &[0.0] };
    for side in sides {
        let both = ends.map(|end| end + *side * across);
        painter.line_segment(both, Stroke::new(3.0, Color32::from_black_alpha(150)));
        painter.line_segment(both, Stroke::new(1.4, color));
    }
    for (at, _) in grips {
        painter.circle(at, 3.5, Color32::from_black_alpha(170), Stroke::new(1.4, color));
    }
    if line != before {
        look.line = Some(line);
    }
}
