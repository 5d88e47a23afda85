//! The sections of split and merge as trapezoids, samples across and steps upwards, in the place of the graph.

use super::colors::section_colors;
use super::texts::LEAST_SIZE;
use crate::graph::{SectionOutline, Trapezoids};
use crate::numerals::counted;
use crate::schedule::SectionKind;
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use egui::accesskit::Role;
use egui::{Align2, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, vec2};

/// Room at the left for the names of the steps, and below for the samples, in points.
const NAMES: f32 = 120.0;
const BELOW: f32 = 22.0;
/// The greatest height of a step, in points.
const MOST_STEP: f32 = 72.0;

/// Shows the sections; steps that have not run at the cursor are faint.
pub(super) fn ui(ui: &mut Ui, found: &Trapezoids, n_run: usize) {
    widgets::weak(ui, "Blue: split, what a tile finishes alone. Orange: merge, what it finishes at the boundaries afterwards.");
    for caption in &found.captions {
        widgets::weak(ui, caption.clone());
    }
    let size = ui.available_size();
    let (response, painter) = ui.allocate_painter(size, Sense::hover());
    let (tokens, font) = (Tokens::current(ui), FontId::proportional(LEAST_SIZE));
    let n_steps = found.names.len() as f32;
    let area = Rect::from_min_max(response.rect.min + vec2(NAMES, 8.0), response.rect.max - vec2(12.0, BELOW));
    let step_height = (area.height() / n_steps).min(MOST_STEP);
    let across = area.width() / found.n_samples as f32;
    let bottom = area.top() + n_steps * step_height;
    let at = |[sample, step]: [f32; 2]| Pos2::new(area.left() + sample * across, bottom - step * step_height);
    for (step, name) in found.names.iter().enumerate() {
        let y = at([0.0, step as f32 + 1.0]).y;
        painter.hline(area.x_range(), y, Stroke::new(0.5, tokens.hairline));
        let color = if step < n_run { tokens.text } else { tokens.weak };
        let text = format!("{}  {name}", step + 1);
        painter.text(Pos2::new(area.left() - 8.0, y + step_height / 2.0), Align2::RIGHT_CENTER, text, font.clone(), color);
    }
    painter.hline(area.x_range(), bottom, Stroke::new(1.0, tokens.rule));
    let [split, merge] = section_colors(ui.visuals());
    let mut told = None;
    for outline in &found.outlines {
        let color = if outline.kind == SectionKind::Split { split } else { merge };
        let corners: Vec<Pos2> = outline.corners().into_iter().map(at).collect();
        let n = outline.steps.len();
        for (index, (step, _)) in outline.steps.iter().enumerate() {
            let quad = vec![corners[index], corners[index + 1], corners[2 * n - index], corners[2 * n + 1 - index]];
            let fill = color.gamma_multiply(if *step < n_run { 0.45 } else { 0.22 });
            painter.add(Shape::convex_polygon(quad, fill, Stroke::NONE));
        }
        painter.add(Shape::closed_line(corners, Stroke::new(1.5, color)));
        told = told.or_else(|| response.hover_pos().and_then(|pointer| text_at(outline, pointer, at)));
    }
    for sample in [0, found.n_samples / 2, found.n_samples - 1] {
        let place = at([sample as f32 + 0.5, 0.0]) + vec2(0.0, 3.0);
        let galley = painter.layout_no_wrap(format!("sample {sample}"), font.clone(), tokens.weak);
        let rect = Align2::CENTER_TOP.anchor_size(place, galley.size());
        // The last one ends at the edge of the pane.
        let left = rect.left().min(response.rect.right() - rect.width());
        painter.galley(Pos2::new(left, rect.top()), galley, tokens.weak);
    }
    let count = |kind, name| counted(found.outlines.iter().filter(|outline| outline.kind == kind).count(), name);
    let label = format!("Sections, {}, {}", count(SectionKind::Split, "split"), count(SectionKind::Merge, "merge"));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &label));
    if let Some(text) = told {
        response.on_hover_text_at_pointer(text);
    }
}

/// The thing under the pointer.
fn text_at(outline: &SectionOutline, pointer: Pos2, at: impl Fn([f32; 2]) -> Pos2) -> Option<String> {
    let kind = if outline.kind == SectionKind::Split { "Split" } else { "Merge" };
    outline.steps.iter().find_map(|&(step, [first, last])| {
        let rect = Rect::from_two_pos(at([first as f32, step as f32]), at([last as f32 + 1.0, step as f32 + 1.0]));
        let launch = if outline.kind == SectionKind::Split { outline.launch + 1 } else { outline.launch + 2 };
        rect.contains(pointer).then(|| format!("{kind}, launch {launch}, step {}: samples {first} to {last}", step + 1))
    })
}
