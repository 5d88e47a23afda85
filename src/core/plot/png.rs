//! A figure as PNG on white, rasterised by vello, which also rasterises the glyphs of the window.

use super::Raster;
use super::layout::{Figure, Ink, Mark, Position, Symbol, TextAnchor};
use crate::signal::{FileError, encode_image_png};
use ab_glyph::{Font, FontRef, OutlineCurve};
use std::io::Write;
use std::sync::Arc;
use vello_cpu::color::{AlphaColor, PremulRgba8};
use vello_cpu::kurbo::{Affine, BezPath, Circle, Point, Rect, Shape as _, Stroke};
use vello_cpu::peniko::{ImageQuality, ImageSampler};
use vello_cpu::{Image, ImageSource, Pixmap, RenderContext, Resources};

/// Pixels per point, for screens of high resolution.
const PIXELS: f32 = 2.0;
/// The longest side in pixels.
const LONGEST: f32 = 16_384.0;
/// Largest distance between a circle and its outline, in points.
const FLATNESS: f64 = 0.01;

/// Why a figure cannot be written as PNG.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The figure has too many pixels.
    #[error("a plot of {width} × {height} points is too large: its sides are at most {} points", LONGEST / PIXELS)]
    Size {
        /// Width in points.
        width: f32,
        /// Height in points.
        height: f32,
    },
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Writes the file.
///
/// # Errors
/// When the figure is too large, or the file cannot be written.
pub fn png(figure: &Figure, out: &mut dyn Write) -> Result<(), PlotError> {
    let [width, height] = figure.size;
    if !(width * PIXELS <= LONGEST && height * PIXELS <= LONGEST) {
        return Err(PlotError::Size { width, height });
    }
    let [columns, rows] = [width, height].map(|side| (side * PIXELS) as u16);
    let mut painter = Painter::new(columns, rows);
    figure.marks.iter().for_each(|mark| painter.mark(mark));
    let mut pixels = Pixmap::new(columns, rows);
    painter.context.render(&mut pixels, &mut Resources::new());
    let rgb: Vec<u8> = pixels.take_unpremultiplied().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    let done = encode_image_png(out, rows.into(), columns.into(), &rgb, "");
    done.map_err(|source| FileError::Io { verb: "write", path: "the image".into(), source }.into())
}

/// Paints marks in points.
struct Painter {
    context: RenderContext,
    /// The fonts of the window; the second one has the mathematical signs that the first one lacks.
    fonts: [FontRef<'static>; 2],
}

impl Painter {
    fn new(columns: u16, rows: u16) -> Self {
        let font = |bytes| FontRef::try_from_slice(bytes).expect("the fonts in the program are well-formed");
        let fonts = [font(epaint_default_fonts::UBUNTU_LIGHT), font(epaint_default_fonts::HACK_REGULAR)];
        Self { context: RenderContext::new(columns, rows), fonts }
    }

    fn mark(&mut self, mark: &Mark) {
        self.context.set_transform(Affine::scale(PIXELS.into()));
        match mark {
            Mark::Fill { corners: [from, to], ink } => self.fill(*ink, &Rect::from_points(point(*from), point(*to)).to_path(FLATNESS)),
            Mark::Path { points, ink, width, dash } => self.stroke(*ink, *width, *dash, &polyline(points)),
            Mark::Segments { segments, ink, width } => {
                let mut path = BezPath::new();
                for [from, to] in segments {
                    path.move_to(point(*from));
                    path.line_to(point(*to));
                }
                self.stroke(*ink, *width, None, &path);
            }
            Mark::Image { corners, raster } => self.image(*corners, raster),
            Mark::Polygon { points, ink } => self.fill(*ink, &polyline(points)),
            Mark::Symbol { at, symbol, radius, ink } => match symbol.outline(*at, *radius) {
                Some(lines) if *symbol == Symbol::Cross => lines.chunks(2).for_each(|ends| self.stroke(*ink, 2.0, None, &polyline(ends))),
                Some(corners) => self.fill(*ink, &polyline(&corners)),
                None => {
                    let circle = Circle::new(point(*at), f64::from(*radius)).to_path(FLATNESS);
                    if *symbol == Symbol::Ring { self.stroke(*ink, 1.4, None, &circle) } else { self.fill(*ink, &circle) }
                }
            },
            Mark::Text { at, anchor, size, text, ink, upwards } => {
                let (path, width) = self.outlined(text, *size);
                let before = match anchor {
                    TextAnchor::Left => 0.0,
                    TextAnchor::Centre => 0.5,
                    TextAnchor::Right => 1.0,
                };
                let rotation = if *upwards { -std::f64::consts::FRAC_PI_2 } else { 0.0 };
                // The text is centred vertically as in SVG files.
                let to_anchor = Affine::translate((-before * width, 0.35 * f64::from(*size)));
                self.fill(*ink, &(Affine::translate(point(*at).to_vec2()) * Affine::rotate(rotation) * to_anchor * path));
            }
        }
    }

    /// Paints an image without smoothing its pixels.
    fn image(&mut self, [from, to]: [Position; 2], Raster { size: [columns, rows], rgb }: &Raster) {
        let pixels = rgb.chunks_exact(3).map(|rgb| PremulRgba8 { r: rgb[0], g: rgb[1], b: rgb[2], a: u8::MAX }).collect();
        let pixels = Pixmap::from_parts_with_opacity(pixels, *columns as u16, *rows as u16, false);
        let sampler = ImageSampler { quality: ImageQuality::Low, ..ImageSampler::default() };
        self.context.set_paint(Image { image: ImageSource::Pixmap(Arc::new(pixels)), sampler });
        let rect = Rect::from_points(point(from), point(to));
        let scale = Affine::scale_non_uniform(rect.width() / *columns as f64, rect.height() / *rows as f64);
        self.context.set_paint_transform(Affine::translate(rect.origin().to_vec2()) * scale);
        self.context.fill_rect(&rect);
        self.context.set_paint_transform(Affine::IDENTITY);
    }

    fn fill(&mut self, ink: Ink, path: &BezPath) {
        self.set_ink(ink);
        self.context.fill_path(path);
    }

    fn stroke(&mut self, ink: Ink, width: f32, dash: Option<[f32; 2]>, path: &BezPath) {
        self.set_ink(ink);
        let dashes = dash.iter().flatten().map(|&length| f64::from(length));
        self.context.set_stroke(Stroke::new(width.into()).with_dashes(0.0, dashes));
        self.context.stroke_path(path);
    }

    fn set_ink(&mut self, ink: Ink) {
        let [red, green, blue] = ink.on_paper();
        self.context.set_paint(AlphaColor::from_rgb8(red, green, blue));
    }

    /// The outlines of a text that starts at the origin of the baseline, and its width; y grows downwards.
    fn outlined(&self, text: &str, size: f32) -> (BezPath, f64) {
        let (mut path, mut x) = (BezPath::new(), 0.0);
        for c in text.chars() {
            let font = self.fonts.iter().find(|font| font.glyph_id(c).0 != 0).unwrap_or(&self.fonts[0]);
            let (id, scale) = (font.glyph_id(c), size / font.units_per_em().unwrap_or(1000.0));
            let at = |place: ab_glyph::Point| point([x + scale * place.x, -scale * place.y]);
            let mut last = None;
            for curve in font.outline(id).map_or(Vec::new(), |outline| outline.curves) {
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
            x += scale * font.h_advance_unscaled(id);
        }
        (path, x.into())
    }
}

fn point([x, y]: Position) -> Point {
    Point::new(x.into(), y.into())
}

fn polyline(points: &[Position]) -> BezPath {
    let mut path = BezPath::new();
    for (index, &place) in points.iter().enumerate() {
        if index == 0 { path.move_to(point(place)) } else { path.line_to(point(place)) }
    }
    path
}
