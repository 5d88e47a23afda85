//! A drawing as a page of PDF, as large as the drawing, with the used characters of its font inside.

use super::drawing::Drawing;
use super::geometry::{Point, Rect};
use super::print::{Dash, PrintMark, marks};
use super::runs::placed_runs;
use crate::plot::PdfPage;
use crate::schedule::SectionKind;

/// The bytes of the file.
pub(super) fn write(drawing: &Drawing) -> Vec<u8> {
    let (marks, bounds) = marks(drawing);
    write_marks(&marks, bounds, &drawing.request.options.title)
}

/// A page of marks as the bytes of a file.
pub(super) fn write_marks(marks: &[PrintMark], bounds: Rect, title: &str) -> Vec<u8> {
    let mut page = Page { page: PdfPage::new([bounds.width(), bounds.height()]), bounds };
    marks.iter().for_each(|mark| page.add(mark));
    page.page.finish(title)
}

/// The page while its marks are added.
struct Page {
    page: PdfPage,
    bounds: Rect,
}

impl Page {
    /// A point of the drawing, from the upper left corner of the page.
    fn at(&self, Point { x, y }: Point) -> [f32; 2] {
        [x - self.bounds.min.x, y - self.bounds.min.y]
    }

    fn corners(&self, rect: Rect) -> [[f32; 2]; 2] {
        [self.at(rect.min), self.at(rect.max)]
    }

    fn add(&mut self, mark: &PrintMark) {
        match mark {
            PrintMark::Path { lines, dash, width, tint } => {
                self.pen(*width, *dash, *tint);
                for line in lines {
                    let points: Vec<_> = line.iter().map(|&point| self.at(point)).collect();
                    self.page.path(&points);
                }
                self.page.content.stroke();
            }
            PrintMark::Frame { rect, dash, radius, width } => {
                self.pen(*width, *dash, None);
                self.page.rounded(self.corners(*rect), *radius);
                self.page.content.stroke();
            }
            PrintMark::Dot { at, radius } => {
                let corner = |sign: f32| Point::new(at.x + sign * radius, at.y + sign * radius);
                self.page.rounded(self.corners(Rect::new(corner(-1.0), corner(1.0))), *radius);
                self.page.content.fill_nonzero();
            }
            PrintMark::Text { at, anchor, size, text, on_line } => {
                if let Some(rect) = on_line {
                    let [x, y] = self.page.at(self.at(Point::new(rect.min.x, rect.max.y)));
                    self.page.content.set_fill_gray(1.0).rect(x, y, rect.width(), rect.height()).fill_nonzero().set_fill_gray(0.0);
                }
                for run in placed_runs(text, *size, *at, *anchor, |c| self.page.ems(c)) {
                    self.page.write(&run.text, run.size, self.at(run.at), false);
                }
            }
        }
    }

    fn pen(&mut self, width: f32, dash: Dash, tint: Option<SectionKind>) {
        let [r, g, b] = match tint {
            None => [0.0, 0.0, 0.0],
            Some(SectionKind::Split) => [0.0, 0.447, 0.698],
            Some(SectionKind::Merge) => [0.835, 0.369, 0.0],
        };
        self.page.content.set_line_width(width).set_stroke_rgb(r, g, b).set_dash_pattern(dash.pattern().iter().copied(), 0.0);
    }
}
