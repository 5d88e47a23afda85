//! Typed text as an image, in the typeface Hack, which the window uses for code.

use super::super::Signal;
use super::image;
use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use serde::{Deserialize, Serialize};

/// The largest number of characters that are drawn.
const MAX_CHARACTERS: usize = 10_000;

/// White text on black, in the middle of the image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextImage {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The text, with its line breaks.
    pub text: String,
    /// Height of a line of text in pixels.
    pub height: f64,
}

impl Default for TextImage {
    fn default() -> Self {
        Self { rows: 512, columns: 512, text: "Papillon".to_owned(), height: 96.0 }
    }
}

impl TextImage {
    pub(super) fn signal(&self) -> Signal {
        let (rows, columns) = (self.rows.max(1), self.columns.max(1));
        let font = FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR).expect("the font in the program is well-formed");
        let mut strokes: Vec<(i64, i64, f32)> = Vec::new();
        for glyph in self.layout(&font, rows as f32, columns as f32) {
            let Some(outline) = font.outline_glyph(glyph) else {
                continue;
            };
            let corner = outline.px_bounds().min;
            let (left, top) = (corner.x as i64, corner.y as i64);
            outline.draw(|x, y, coverage| strokes.push((top + i64::from(y), left + i64::from(x), coverage)));
        }
        strokes.retain(|&(y, x, coverage)| coverage > 0.0 && (0..rows as i64).contains(&y) && (0..columns as i64).contains(&x));
        strokes.sort_by_key(|&(y, x, _)| (y, x));
        image("Text", (rows, columns), |row, pixels| {
            let start = strokes.partition_point(|stroke| stroke.0 < row as i64);
            for &(_, x, coverage) in strokes[start..].iter().take_while(|stroke| stroke.0 == row as i64) {
                // Neighbouring characters may share a pixel.
                if let Some(pixel) = pixels.get_mut(x as usize) {
                    *pixel = pixel.max(coverage.min(1.0));
                }
            }
        })
    }

    /// All characters at their positions, each line centred.
    fn layout(&self, font: &FontRef<'_>, rows: f32, columns: f32) -> Vec<Glyph> {
        let scale = PxScale::from(if self.height.is_nan() { 1.0 } else { self.height.clamp(1.0, 4096.0) as f32 });
        let scaled = font.as_scaled(scale);
        let text: String = self.text.chars().take(MAX_CHARACTERS).collect();
        let lines: Vec<&str> = text.lines().collect();
        let line_height = scaled.height() + scaled.line_gap();
        let top = (rows - line_height * lines.len() as f32) / 2.0;
        let mut glyphs = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let width: f32 = line.chars().map(|c| scaled.h_advance(scaled.glyph_id(c))).sum();
            let mut x = (columns - width) / 2.0;
            let y = top + line_height * index as f32 + scaled.ascent();
            for c in line.chars() {
                let id = scaled.glyph_id(c);
                glyphs.push(id.with_scale_and_position(scale, point(x, y)));
                x += scaled.h_advance(id);
            }
        }
        glyphs
    }
}
