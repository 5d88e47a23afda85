//! Writes the names of stages: all in one size, in one or two lines, or their numbers.

use super::paint::GraphPainter;
use super::texts::{GAP, HEIGHT, LEAST_SIZE, PlacedText, TextPage};
use crate::graph::{LabelKind, Point};
use egui::{Color32, FontId, Pos2};

/// The least distance of the names of two stages, which would read as one name, in points.
const NAME_GAP: f32 = 8.0;
/// The greatest width of a stage's name where the stage has no room for values, relative to the stage: a wider name would reach into the next stages.
const MOST_NAME_WIDTH: f32 = 1.5;

/// A text in two lines, divided at the space nearest to its middle; `None` for a single word.
fn in_two_lines(text: &str) -> Option<[&str; 2]> {
    let middle = text.len() / 2;
    let space = text.match_indices(' ').map(|(at, _)| at).min_by_key(|at| at.abs_diff(middle))?;
    Some([&text[..space], &text[space + 1..]])
}

impl GraphPainter<'_> {
    /// Writes the names of all stages in one size, the largest at which every name fits, else the smallest, and then in two lines where one is
    /// too short; where two are too short, their numbers are in their place.
    pub(super) fn write_stages(&self, page: &mut TextPage) {
        let labels = self.drawing.labels.iter().filter(|label| matches!(label.kind, LabelKind::Stage { .. }));
        let names: Vec<PlacedText> = labels.map(|label| self.placed(label, self.label_colour(label))).collect();
        let width = |text: &str, size| self.painter.layout_no_wrap(text.into(), FontId::proportional(size), Color32::WHITE).size().x;
        let widest = |name: &PlacedText, size: f32, in_two: bool| match in_two_lines(&name.text).filter(|_| in_two) {
            Some([first, second]) => width(first, size).max(width(second, size)),
            None => width(&name.text, size),
        };
        let fit = |size: f32, in_two: bool| {
            let half = |name: &PlacedText| widest(name, size, in_two) / 2.0;
            names.iter().all(|name| name.most_width.is_none_or(|most| 2.0 * half(name) <= most))
                && names.windows(2).all(|pair| pair[1].at.x - pair[0].at.x >= half(&pair[0]) + half(&pair[1]) + NAME_GAP)
        };
        let usual = names.first().map_or(LEAST_SIZE, |name| name.size);
        let sizes = [1.0, 0.75, 0.5, 0.25].map(|part| LEAST_SIZE + part * (usual - LEAST_SIZE));
        let size = sizes.into_iter().find(|&size| fit(size, false)).unwrap_or(LEAST_SIZE);
        let in_one = fit(size, false);
        let in_none = !in_one && !fit(size, true);
        if in_none {
            return self.number_stages(page, &names, width(&names.len().to_string(), size));
        }
        for name in names {
            match in_two_lines(&name.text).filter(|_| !in_one) {
                Some(lines) => {
                    for (line, down) in lines.into_iter().zip([-0.5, 0.5]) {
                        let at = name.at + egui::vec2(0.0, down * size * HEIGHT);
                        page.write(self, PlacedText { text: line.to_owned(), at, size, ..name.clone() });
                    }
                }
                None => drop(page.write(self, PlacedText { size, ..name })),
            }
        }
    }

    /// Writes the numbers of stages that are too narrow for their names, `widest` points wide at most, at regular distances.
    fn number_stages(&self, page: &mut TextPage, names: &[PlacedText], widest: f32) {
        // An open question may ask for the number of stages.
        if self.content.hidden.counts {
            return;
        }
        let apart = names.windows(2).map(|pair| pair[1].at.x - pair[0].at.x).fold(f32::INFINITY, f32::min).max(1.0);
        let step = ((widest + NAME_GAP) / apart).ceil().max(1.0) as usize;
        for (stage, name) in names.iter().enumerate().step_by(step) {
            page.write(self, PlacedText { text: (stage + 1).to_string(), size: LEAST_SIZE, ..name.clone() });
        }
    }

    /// Where the name of a stage is, and its greatest width: over the stage with the room for its values, and behind the last one that for the
    /// values of the results.
    pub(super) fn place_of_stage(&self, stage: usize, at: Pos2) -> (Pos2, Option<f32>) {
        let Some(span) = self.drawing.spans.get(stage) else { return (at, None) };
        let across = self.viewport.across();
        if span.entry >= span.start {
            return (at, Some(across * (span.end - span.entry) * MOST_NAME_WIDTH));
        }
        let is_last = stage + 1 == self.drawing.spans.len();
        let behind = if is_last { self.room_for_value(self.drawing.spans.len()) } else { 0.0 };
        let width = across * (span.end - span.entry) + behind;
        let left = self.at(Point { x: span.entry, ..Point::default() }).x;
        (Pos2::new(left + width / 2.0, at.y), Some(width - GAP))
    }
}
