//! Paints a figure in the colours of the theme.

use super::theme::{Tokens, series_color};
use crate::figure::{Figure, Ink, Mark, Pen, PlacedRun, Position, Raster, SymbolShape, placed_runs};
use egui::epaint::{Mesh, TextShape};
use egui::{Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Theme, vec2};

/// Paints a figure that fills `rect`, larger or smaller than it is where the rectangle is.
pub(super) fn paint(painter: &Painter, rect: Rect, figure: &Figure, theme: Theme) {
    let screen = Screen { painter, corner: rect.min, scale: rect.width() / figure.size[0].max(1.0), theme };
    figure.marks.iter().for_each(|mark| screen.mark(mark));
}

/// Where a position of a figure is on the screen, whose figure fills `rect`.
pub(super) fn at(rect: Rect, figure: &Figure, [x, y]: Position) -> Pos2 {
    rect.min + rect.width() / figure.size[0].max(1.0) * vec2(x, y)
}

/// The place of a figure on the screen.
struct Screen<'a> {
    painter: &'a Painter,
    corner: Pos2,
    scale: f32,
    theme: Theme,
}

impl Screen<'_> {
    fn mark(&self, mark: &Mark) {
        match mark {
            Mark::Fill { corners, ink } => drop(self.painter.rect_filled(self.rect(*corners), 0.0, self.color(*ink))),
            Mark::Frame { corners, radius, pen } => {
                let radius = CornerRadius::same((self.scale * radius).round() as u8);
                self.painter.rect_stroke(self.rect(*corners), radius, self.stroke(*pen), StrokeKind::Middle);
            }
            Mark::Lines { lines, pen } => self.lines(lines, *pen),
            Mark::Image { corners, raster } => self.image(self.rect(*corners), raster),
            Mark::Polygon { points, ink } => self.polygon(points, *ink),
            Mark::Symbol { at, symbol, radius, ink } => {
                let (middle, pixels) = (self.at(*at), self.scale * radius);
                match symbol.shape(*at, *radius, *ink) {
                    SymbolShape::Disc => drop(self.painter.circle_filled(middle, pixels, self.color(*ink))),
                    SymbolShape::Ring(pen) => drop(self.painter.circle_stroke(middle, pixels, self.stroke(pen))),
                    SymbolShape::Polygon(corners) => self.polygon(&corners, *ink),
                    SymbolShape::Strokes(lines, pen) => self.lines(&lines, pen),
                }
            }
            Mark::Text { at, anchor, size, text, ink, upwards } => {
                let color = self.color(*ink);
                for run in placed_runs(text, *size, *at, *anchor, *upwards) {
                    self.run(&run, color, *upwards);
                }
            }
        }
    }

    fn at(&self, [x, y]: Position) -> Pos2 {
        self.corner + self.scale * vec2(x, y)
    }

    fn rect(&self, [from, to]: [Position; 2]) -> Rect {
        Rect::from_min_max(self.at(from), self.at(to))
    }

    fn points(&self, points: &[Position]) -> Vec<Pos2> {
        points.iter().map(|point| self.at(*point)).collect()
    }

    fn stroke(&self, pen: Pen) -> Stroke {
        Stroke::new(self.scale * pen.width, self.color(pen.ink))
    }

    fn lines(&self, lines: &[Vec<Position>], pen: Pen) {
        let (stroke, lengths) =
            (self.stroke(pen), |first: usize| pen.dash.iter().skip(first).step_by(2).map(|length| self.scale * length).collect::<Vec<_>>());
        for line in lines {
            let points = self.points(line);
            match pen.dash {
                [] => drop(self.painter.add(Shape::line(points, stroke))),
                _ => self.painter.extend(Shape::dashed_line_with_offset(&points, stroke, &lengths(0), &lengths(1), 0.0)),
            }
        }
    }

    fn polygon(&self, corners: &[Position], ink: Ink) {
        self.painter.add(Shape::convex_polygon(self.points(corners), self.color(ink), Stroke::NONE));
    }

    /// An image, a rectangle for each pixel.
    fn image(&self, rect: Rect, Raster { size: [columns, rows], rgb }: &Raster) {
        let (mut mesh, step) = (Mesh::default(), rect.size() / vec2(*columns as f32, *rows as f32));
        for (index, pixel) in rgb.chunks_exact(3).enumerate() {
            let corner = rect.min + step * vec2((index % columns) as f32, (index / columns) as f32);
            mesh.add_colored_rect(Rect::from_min_size(corner, step), Color32::from_rgb(pixel[0], pixel[1], pixel[2]));
        }
        self.painter.add(mesh);
    }

    /// Characters on one baseline.
    fn run(&self, run: &PlacedRun, color: Color32, upwards: bool) {
        let galley = self.painter.layout_no_wrap(run.text.clone(), FontId::proportional(self.scale * run.size), color);
        let Some(row) = galley.rows.first() else { return };
        let baseline = row.pos.y + row.glyphs.first().map_or(0.0, |glyph| glyph.pos.y);
        let (at, angle) = match upwards {
            true => (self.at(run.at) - vec2(baseline, 0.0), -std::f32::consts::FRAC_PI_2),
            false => (self.at(run.at) - vec2(0.0, baseline), 0.0),
        };
        // Fonts of the screen are a little narrower or wider: the middle stays.
        let shift = 0.5 * (self.scale * run.width - galley.size().x);
        let shift = if upwards { vec2(0.0, -shift) } else { vec2(shift, 0.0) };
        self.painter.add(TextShape::new(at + shift, galley, color).with_angle(angle));
    }

    fn color(&self, ink: Ink) -> Color32 {
        let tokens = Tokens::of(self.theme);
        match ink {
            Ink::Ground => tokens.pane,
            Ink::Black | Ink::Text => tokens.text,
            Ink::Weak => tokens.weak,
            Ink::Grid => tokens.hairline,
            Ink::Rule => tokens.rule,
            Ink::Error => tokens.error,
            Ink::Line => tokens.line,
            Ink::Peak => tokens.warning,
            Ink::Series(series) => series_color(series, self.theme),
            Ink::Rgb([red, green, blue]) => Color32::from_rgb(red, green, blue),
        }
    }
}
