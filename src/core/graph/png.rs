//! A drawing as PNG on white: the marks of the page as a figure, which the module of plots rasterises.

use super::GraphError;
use super::drawing::Drawing;
use super::geometry::{Point, Rect};
use super::print::{Dash, PrintMark, marks};
use super::runs::placed_runs;
use crate::plot::{Figure, Ink, Mark, PdfPage, Position, Symbol, TextAnchor, png};
use crate::schedule::SectionKind;

/// Distance of the baseline below the middle of a text of a figure, in ems.
const BASELINE: f32 = 0.35;
/// Strokes of a quarter of a circle, at the corners of frames.
const CORNER_STROKES: usize = 6;
/// What is left of a dash below this length counts as none, in points.
const SHORTEST: f32 = 1e-2;
const BLACK: Ink = Ink::Rgb([0; 3]);

/// The bytes of the file.
pub(super) fn write(drawing: &Drawing) -> Result<Vec<u8>, GraphError> {
    let (marks, bounds) = marks(drawing);
    write_marks(&marks, bounds)
}

/// A page of marks as the bytes of a file.
pub(super) fn write_marks(marks: &[PrintMark], bounds: Rect) -> Result<Vec<u8>, GraphError> {
    let size = [bounds.width(), bounds.height()];
    let mut page = Page { marks: vec![Mark::Fill { corners: [[0.0; 2], size], ink: Ink::Ground }], bounds, fonts: PdfPage::new(size) };
    marks.iter().for_each(|mark| page.add(mark));
    let figure = Figure { size, marks: page.marks, ..Figure::default() };
    let mut bytes = Vec::new();
    png(&figure, &mut bytes).map_err(|error| GraphError::Pixels(error.to_string()))?;
    Ok(bytes)
}

/// The page while its marks are added.
struct Page {
    marks: Vec<Mark>,
    bounds: Rect,
    /// The widths of characters: a page of PDF has the same fonts.
    fonts: PdfPage,
}

impl Page {
    /// A point of the drawing, from the upper left corner of the page.
    fn at(&self, Point { x, y }: Point) -> Position {
        [x - self.bounds.min.x, y - self.bounds.min.y]
    }

    fn add(&mut self, mark: &PrintMark) {
        match mark {
            PrintMark::Path { lines, dash, width, tint } => {
                let ink = match tint {
                    None => BLACK,
                    Some(SectionKind::Split) => Ink::Rgb([0, 114, 178]),
                    Some(SectionKind::Merge) => Ink::Rgb([213, 94, 0]),
                };
                for line in lines {
                    let points = line.iter().map(|&point| self.at(point)).collect();
                    self.line(points, *dash, *width, ink);
                }
            }
            PrintMark::Frame { rect, dash, radius, width } => self.line(self.outline(*rect, *radius), *dash, *width, BLACK),
            PrintMark::Dot { at, radius } => {
                let at = self.at(*at);
                self.marks.push(Mark::Symbol { at, symbol: Symbol::Disc, radius: *radius, ink: BLACK });
            }
            PrintMark::Text { at, anchor, size, text, on_line } => {
                if let Some(rect) = on_line {
                    self.marks.push(Mark::Fill { corners: [self.at(rect.min), self.at(rect.max)], ink: Ink::Ground });
                }
                for run in placed_runs(text, *size, *at, *anchor, |c| self.fonts.ems(c)) {
                    let [x, baseline] = self.at(run.at);
                    let (at, size) = ([x, baseline - BASELINE * run.size], run.size);
                    self.marks.push(Mark::Text { at, anchor: TextAnchor::Left, size, text: run.text, ink: BLACK, upwards: false });
                }
            }
        }
    }

    fn line(&mut self, points: Vec<Position>, dash: Dash, width: f32, ink: Ink) {
        self.marks.push(match dash {
            Dash::Solid => Mark::Path { points, ink, width, dash: None },
            _ => Mark::Segments { segments: dashes(&points, dash.pattern()), ink, width },
        });
    }

    /// The outline of a rectangle with round corners.
    fn outline(&self, rect: Rect, radius: f32) -> Vec<Position> {
        let ([left, top], [right, bottom]) = (self.at(rect.min), self.at(rect.max));
        let centres = [
            (right - radius, bottom - radius),
            (left + radius, bottom - radius),
            (left + radius, top + radius),
            (right - radius, top + radius),
        ];
        let corner = |(quarter, (x, y)): (usize, (f32, f32))| {
            (0..=CORNER_STROKES).map(move |step| {
                let angle = (quarter as f32 + step as f32 / CORNER_STROKES as f32) * std::f32::consts::FRAC_PI_2;
                [x + radius * angle.cos(), y + radius * angle.sin()]
            })
        };
        let mut points: Vec<Position> = centres.into_iter().enumerate().flat_map(corner).collect();
        points.push(points[0]);
        points
    }
}

/// The dashes along a polyline, in a pattern of dashes and gaps.
fn dashes(points: &[Position], pattern: &[f32]) -> Vec<[Position; 2]> {
    let (mut found, mut index, mut left) = (Vec::new(), 0, pattern[0]);
    for ends in points.windows(2) {
        let ([x, y], [dx, dy]) = (ends[0], [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]]);
        let length = dx.hypot(dy);
        let at = |along: f32| [x + dx * along / length, y + dy * along / length];
        let mut along = 0.0;
        while along < length {
            let end = (along + left).min(length);
            if index % 2 == 0 {
                found.push([at(along), at(end)]);
            }
            left -= end - along;
            along = end;
            // Rounding may leave a length that no longer moves the pen.
            if left < SHORTEST {
                index = (index + 1) % pattern.len();
                left = pattern[index];
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_on_around_corners() {
        let line = [[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]];
        assert_eq!(dashes(&line, &[4.0, 2.0]), [[[0.0, 0.0], [4.0, 0.0]], [[5.0, 1.0], [5.0, 5.0]]], "the gap turns the corner");
        // Many lengths that are no sums of powers of two.
        let slanted = dashes(&[[4321.7, 0.3], [1.9, 977.1]], &[5.0, 1.5, 0.8, 1.5]);
        assert!((900..1100).contains(&slanted.len()), "{}", slanted.len());
    }
}
