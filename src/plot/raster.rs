//! A picture that marks are painted into, with smooth edges: every pixel takes as much of a colour as it is covered.

use super::Place;
use ab_glyph::{Font, FontRef, ScaleFont, point};

/// A picture.
pub(super) struct Raster {
    /// Columns and rows.
    pub(super) size: [usize; 2],
    /// Red, green and blue of every pixel, row after row.
    pub(super) rgb: Vec<u8>,
    /// Pixels of a point.
    scale: f32,
    fonts: [FontRef<'static>; 2],
}

impl Raster {
    /// A white one.
    pub(super) fn new(size: [usize; 2], scale: f32) -> Self {
        let font = |bytes| FontRef::try_from_slice(bytes).expect("the fonts in the program are well-formed");
        // What the first font lacks, mathematical signs above all, the second one has.
        let fonts = [font(epaint_default_fonts::UBUNTU_LIGHT), font(epaint_default_fonts::HACK_REGULAR)];
        Self { size, rgb: vec![255; 3 * size[0] * size[1]], scale, fonts }
    }

    /// Covers a part of a pixel.
    fn cover(&mut self, x: i64, y: i64, part: f32, color: [u8; 3]) {
        let [columns, rows] = self.size.map(|side| side as i64);
        if (0..columns).contains(&x) && (0..rows).contains(&y) && part > 0.0 {
            let first = 3 * (y * columns + x) as usize;
            for (pixel, color) in self.rgb[first..first + 3].iter_mut().zip(color) {
                let mixed = f32::from(*pixel) + part.min(1.0) * (f32::from(color) - f32::from(*pixel));
                *pixel = mixed.round() as u8;
            }
        }
    }

    /// Covers every pixel of a box, in pixels, by what `part` says of its middle.
    fn fill(&mut self, [left, top, right, bottom]: [f32; 4], color: [u8; 3], part: impl Fn(f32, f32) -> f32) {
        let [columns, rows] = self.size.map(|side| side as f32);
        let range = |low: f32, high: f32, side: f32| low.floor().clamp(0.0, side) as i64..high.ceil().clamp(0.0, side) as i64;
        for y in range(top, bottom, rows) {
            for x in range(left, right, columns) {
                self.cover(x, y, part(x as f32 + 0.5, y as f32 + 0.5), color);
            }
        }
    }

    /// A line through points, with dashes or without.
    pub(super) fn path(&mut self, points: &[Place], width: f32, dash: Option<[f32; 2]>, color: [u8; 3]) {
        let mut gone = 0.0;
        for ends in points.windows(2) {
            let [from, to] = [ends[0], ends[1]];
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            let at = |way: f32| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * (way / length.max(1e-6)));
            match dash {
                None => self.segment(from, to, width, color),
                Some([dash, gap]) => {
                    // Dashes go on round the corners.
                    let mut way = -(gone % (dash + gap));
                    while way < length {
                        let (start, end) = (way.max(0.0), (way + dash).min(length));
                        if start < end {
                            self.segment(at(start), at(end), width, color);
                        }
                        way += dash + gap;
                    }
                }
            }
            gone += length;
        }
    }

    fn segment(&mut self, from: Place, to: Place, width: f32, color: [u8; 3]) {
        let ([ax, ay], [bx, by]) = (from.map(|c| c * self.scale), to.map(|c| c * self.scale));
        let half = width * self.scale / 2.0;
        let (dx, dy) = (bx - ax, by - ay);
        let reach = half + 1.0;
        let around = [ax.min(bx) - reach, ay.min(by) - reach, ax.max(bx) + reach, ay.max(by) + reach];
        self.fill(around, color, |x, y| {
            let along = (((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
            let distance = (x - ax - along * dx).hypot(y - ay - along * dy);
            (half + 0.5 - distance).clamp(0.0, (2.0 * half).min(1.0))
        });
    }

    /// A circle, filled or not.
    pub(super) fn circle(&mut self, at: Place, radius: f32, is_ring: bool, color: [u8; 3]) {
        let ([x0, y0], radius) = (at.map(|c| c * self.scale), radius * self.scale);
        let half = 0.7 * self.scale;
        let reach = radius + half + 1.0;
        self.fill([x0 - reach, y0 - reach, x0 + reach, y0 + reach], color, |x, y| {
            let distance = (x - x0).hypot(y - y0);
            if is_ring { (half + 0.5 - (distance - radius).abs()).clamp(0.0, 1.0) } else { (radius + 0.5 - distance).clamp(0.0, 1.0) }
        });
    }

    /// A convex polygon, filled.
    pub(super) fn polygon(&mut self, corners: &[Place], color: [u8; 3]) {
        let corners: Vec<Place> = corners.iter().map(|corner| corner.map(|c| c * self.scale)).collect();
        let area: f32 = edges(&corners).map(|([ax, ay], [bx, by])| ax * by - bx * ay).sum();
        let end = |axis: usize, pick: fn(f32, f32) -> f32, first: f32| corners.iter().map(|corner| corner[axis]).fold(first, pick);
        let (low, high) = (f32::INFINITY, f32::NEG_INFINITY);
        let around = [end(0, f32::min, low) - 1.0, end(1, f32::min, low) - 1.0, end(0, f32::max, high) + 1.0, end(1, f32::max, high) + 1.0];
        self.fill(around, color, |x, y| {
            let inside = edges(&corners).map(|([ax, ay], [bx, by])| {
                let length = (bx - ax).hypot(by - ay).max(1e-6);
                ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length * area.signum()
            });
            (inside.fold(f32::INFINITY, f32::min) + 0.5).clamp(0.0, 1.0)
        });
    }

    /// Words whose place is a part of the way from their left to their right end, centred vertically.
    pub(super) fn text(&mut self, at: Place, part: f32, size: f32, text: &str, upwards: bool, color: [u8; 3]) {
        let [x0, y0] = at.map(|c| c * self.scale);
        let (mut glyphs, mut x) = (Vec::new(), 0.0);
        for c in text.chars() {
            let font = self.fonts.iter().find(|font| font.glyph_id(c).0 != 0).unwrap_or(&self.fonts[0]);
            // Sizes are those of the em, as in SVG.
            let em = font.height_unscaled() / font.units_per_em().unwrap_or(1000.0);
            let scaled = font.as_scaled(size * self.scale * em);
            let id = scaled.glyph_id(c);
            glyphs.extend(font.outline_glyph(id.with_scale_and_position(scaled.scale(), point(x, 0.35 * size * self.scale))));
            x += scaled.h_advance(id);
        }
        let start = -part * x;
        for glyph in glyphs {
            let corner = glyph.px_bounds().min;
            glyph.draw(|column, row, coverage| {
                let (along, down) = (corner.x + start + column as f32, corner.y + row as f32);
                let (x, y) = if upwards { (x0 + down, y0 - along) } else { (x0 + along, y0 + down) };
                self.cover(x.round() as i64, y.round() as i64, coverage, color);
            });
        }
    }
}

/// The sides of a polygon.
fn edges(corners: &[Place]) -> impl Iterator<Item = (Place, Place)> + '_ {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(from, to)| (*from, *to))
}
