//! A figure as PNG on white, rasterised by vello, which also rasterises the glyphs of the window.

use super::text::{FONTS, font_of, placed_runs, width_of_run};
use super::{Figure, FigureError, Ink, Mark, Pen, Position, Raster, SymbolShape};
use crate::signal::encode_image_png;
use ab_glyph::{Font as _, OutlineCurve};
use std::sync::Arc;
use vello_cpu::color::{AlphaColor, PremulRgba8};
use vello_cpu::kurbo::{Affine, BezPath, Cap, Circle, Point, Rect, Shape as _, Stroke};
use vello_cpu::peniko::{ImageQuality, ImageSampler};
use vello_cpu::{Image, ImageSource, Pixmap, RenderContext, Resources};

/// Pixels per point, for screens of high resolution.
pub(super) const PIXELS: f32 = 2.0;
/// The longest side in pixels.
pub(super) const LONGEST: f32 = 16_384.0;
/// Largest distance between a curve and its outline, in points.
const FLATNESS: f64 = 0.01;

/// The bytes of the file.
pub(super) fn write(figure: &Figure) -> Result<Vec<u8>, FigureError> {
    write_at(figure, PIXELS)
}

/// The bytes of the file, at some pixels per point.
pub(super) fn write_at(figure: &Figure, density: f32) -> Result<Vec<u8>, FigureError> {
    let [width, height] = figure.size;
    if !(width * density <= LONGEST && height * density <= LONGEST) {
        return Err(FigureError::Size { width, height });
    }
    let [columns, rows] = [width, height].map(|side| (side * density) as u16);
    let mut painter = Painter { context: RenderContext::new(columns, rows), density };
    painter.mark(&Mark::Fill { corners: [[0.0; 2], figure.size], ink: Ink::Ground });
    figure.marks.iter().for_each(|mark| painter.mark(mark));
    let mut pixels = Pixmap::new(columns, rows);
    painter.context.render(&mut pixels, &mut Resources::new());
    let rgb: Vec<u8> = pixels.take_unpremultiplied().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    let mut file = Vec::new();
    encode_image_png(&mut file, rows.into(), columns.into(), &rgb, &figure.title).expect("memory takes any file");
    Ok(file)
}

/// Paints marks in points.
struct Painter {
    context: RenderContext,
    density: f32,
}

impl Painter {
    fn mark(&mut self, mark: &Mark) {
        self.context.set_transform(Affine::scale(self.density.into()));
        match mark {
            Mark::Fill { corners, ink } => self.fill(*ink, &rect(*corners).to_path(FLATNESS)),
            Mark::Frame { corners, radius, pen } => {
                self.stroke(*pen, &rect(*corners).to_rounded_rect(f64::from(*radius)).to_path(FLATNESS));
            }
            Mark::Lines { lines, pen } => self.stroke(*pen, &polylines(lines)),
            Mark::Image { corners, raster } => self.image(*corners, raster),
            Mark::Polygon { points, ink } => self.fill(*ink, &polyline(points)),
            Mark::Symbol { at, symbol, radius, ink } => {
                let circle = || Circle::new(point(*at), f64::from(*radius)).to_path(FLATNESS);
                match symbol.shape(*at, *radius, *ink) {
                    SymbolShape::Disc => self.fill(*ink, &circle()),
                    SymbolShape::Ring(pen) => self.stroke(pen, &circle()),
                    SymbolShape::Polygon(corners) => self.fill(*ink, &polyline(&corners)),
                    SymbolShape::Strokes(lines, pen) => self.stroke(pen, &polylines(&lines)),
                }
            }
            Mark::Text { at, anchor, size, text, ink, upwards } => {
                let rotation = if *upwards { -std::f64::consts::FRAC_PI_2 } else { 0.0 };
                for run in placed_runs(text, *size, *at, *anchor, *upwards) {
                    let place = Affine::translate(point(run.at).to_vec2()) * Affine::rotate(rotation);
                    self.fill(*ink, &(place * outlined(&run.text, run.size)));
                }
            }
        }
    }

    /// Paints an image without smoothing its pixels.
    fn image(&mut self, corners: [Position; 2], Raster { size: [columns, rows], rgb }: &Raster) {
        let pixels = rgb.chunks_exact(3).map(|rgb| PremulRgba8 { r: rgb[0], g: rgb[1], b: rgb[2], a: u8::MAX }).collect();
        let pixels = Pixmap::from_parts_with_opacity(pixels, *columns as u16, *rows as u16, false);
        let sampler = ImageSampler { quality: ImageQuality::Low, ..ImageSampler::default() };
        self.context.set_paint(Image { image: ImageSource::Pixmap(Arc::new(pixels)), sampler });
        let rect = rect(corners);
        let scale = Affine::scale_non_uniform(rect.width() / *columns as f64, rect.height() / *rows as f64);
        self.context.set_paint_transform(Affine::translate(rect.origin().to_vec2()) * scale);
        self.context.fill_rect(&rect);
        self.context.set_paint_transform(Affine::IDENTITY);
    }

    fn fill(&mut self, ink: Ink, path: &BezPath) {
        self.set_ink(ink);
        self.context.fill_path(path);
    }

    fn stroke(&mut self, Pen { ink, width, dash }: Pen, path: &BezPath) {
        self.set_ink(ink);
        let dashes = dash.iter().map(|&length| f64::from(length));
        self.context.set_stroke(Stroke::new(width.into()).with_caps(Cap::Butt).with_dashes(0.0, dashes));
        self.context.stroke_path(path);
    }

    fn set_ink(&mut self, ink: Ink) {
        let [red, green, blue] = ink.on_paper();
        self.context.set_paint(AlphaColor::from_rgb8(red, green, blue));
    }
}

/// The outlines of characters whose baseline begins at the origin; y grows downwards.
pub(super) fn outlined(text: &str, size: f32) -> BezPath {
    let (mut path, mut x) = (BezPath::new(), 0.0);
    for c in text.chars() {
        let font = &FONTS[font_of(c)];
        let (id, scale) = (font.face.glyph_id(c), size / font.units());
        let at = |place: ab_glyph::Point| point([x + scale * place.x, -scale * place.y]);
        let mut last = None;
        for curve in font.face.outline(id).map_or(Vec::new(), |outline| outline.curves) {
            let (OutlineCurve::Line(from, to) | OutlineCurve::Quad(from, _, to) | OutlineCurve::Cubic(from, _, _, to)) = curve;
            // Where a curve does not continue the last one, a contour begins.
            if last.replace(to) != Some(from) {
                path.move_to(at(from));
            }
            match curve {
                OutlineCurve::Line(_, to) => path.line_to(at(to)),
                OutlineCurve::Quad(_, control, to) => path.quad_to(at(control), at(to)),
                OutlineCurve::Cubic(_, first, second, to) => path.curve_to(at(first), at(second), at(to)),
            }
        }
        x += width_of_run(c.encode_utf8(&mut [0; 4]), size);
    }
    path
}

fn point([x, y]: Position) -> Point {
    Point::new(x.into(), y.into())
}

fn rect([from, to]: [Position; 2]) -> Rect {
    Rect::from_points(point(from), point(to))
}

fn polyline(points: &[Position]) -> BezPath {
    let mut path = BezPath::new();
    for (index, &place) in points.iter().enumerate() {
        if index == 0 { path.move_to(point(place)) } else { path.line_to(point(place)) }
    }
    path
}

fn polylines(lines: &[Vec<Position>]) -> BezPath {
    lines.iter().flat_map(|line| polyline(line)).collect()
}
