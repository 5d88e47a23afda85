//! A figure as a page of PDF, with vectors for lines and texts.

use super::layout::{Figure, Ink, Mark, Position, Symbol, TextAnchor};
use super::page::PdfPage;

/// Distance of the baseline below the middle of a text, in ems, as in SVG files.
const BASELINE: f32 = 0.35;

/// The bytes of the file.
pub fn pdf(figure: &Figure, title: &str) -> Vec<u8> {
    let mut page = PdfPage::new(figure.size);
    figure.marks.iter().for_each(|mark| draw(&mut page, mark));
    page.finish(title)
}

fn draw(page: &mut PdfPage, mark: &Mark) {
    match mark {
        Mark::Fill { corners: [[left, top], [right, bottom]], ink } => {
            fill(page, *ink, &[[*left, *top], [*right, *top], [*right, *bottom], [*left, *bottom]]);
        }
        Mark::Path { points, ink, width, dash } => stroke(page, (*ink, *width, *dash), &[points.as_slice()]),
        Mark::Segments { segments, ink, width } => {
            let lines: Vec<&[Position]> = segments.iter().map(|segment| segment.as_slice()).collect();
            stroke(page, (*ink, *width, None), &lines);
        }
        Mark::Image { corners, raster } => page.image(*corners, raster),
        Mark::Polygon { points, ink } => fill(page, *ink, points),
        Mark::Symbol { at, symbol, radius, ink } => match symbol.outline(*at, *radius) {
            Some(lines) if *symbol == Symbol::Cross => stroke(page, (*ink, 2.0, None), &lines.chunks(2).collect::<Vec<_>>()),
            Some(corners) => fill(page, *ink, &corners),
            None => {
                let [x, y] = *at;
                set_pen(page, (*ink, 1.4, None));
                page.rounded([[x - radius, y - radius], [x + radius, y + radius]], *radius);
                if *symbol == Symbol::Ring {
                    page.content.stroke()
                } else {
                    page.content.fill_nonzero()
                };
            }
        },
        Mark::Text { at: [x, y], anchor, size, text, ink, upwards } => {
            set_pen(page, (*ink, 1.0, None));
            let width = text.chars().map(|c| page.ems(c)).sum::<f32>() * size;
            let before = match anchor {
                TextAnchor::Left => 0.0,
                TextAnchor::Centre => 0.5 * width,
                TextAnchor::Right => width,
            };
            // A text that runs upwards has its baseline at its right.
            let at = if *upwards { [x + BASELINE * size, y + before] } else { [x - before, y + BASELINE * size] };
            page.write(text, *size, at, *upwards);
        }
    }
}

fn fill(page: &mut PdfPage, ink: Ink, points: &[Position]) {
    set_pen(page, (ink, 1.0, None));
    page.path(points);
    page.content.fill_nonzero();
}

fn stroke(page: &mut PdfPage, pen: (Ink, f32, Option<[f32; 2]>), lines: &[&[Position]]) {
    set_pen(page, pen);
    lines.iter().for_each(|line| page.path(line));
    page.content.stroke();
}

/// The colour of lines and areas, and the width and dashes of lines.
fn set_pen(page: &mut PdfPage, (ink, width, dash): (Ink, f32, Option<[f32; 2]>)) {
    let [r, g, b] = ink.on_paper().map(|level| f32::from(level) / 255.0);
    let content = &mut page.content;
    content.set_fill_rgb(r, g, b).set_stroke_rgb(r, g, b).set_line_width(width).set_dash_pattern(dash.into_iter().flatten(), 0.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Raster;
    use std::sync::Arc;

    #[test]
    fn a_page_is_as_large_as_its_figure_and_holds_texts_and_images() {
        let text =
            |upwards| Mark::Text {
                at: [20.0, 50.0], anchor: TextAnchor::Centre, size: 12.0, text: "∞ Hz".into(), ink: Ink::Text, upwards
            };
        let raster = Raster { size: [2, 1], rgb: Arc::new(vec![255, 0, 0, 0, 0, 255]) };
        let marks = vec![
            Mark::Image { corners: [[10.0, 10.0], [30.0, 20.0]], raster },
            Mark::Symbol { at: [5.0, 5.0], symbol: Symbol::Ring, radius: 2.0, ink: Ink::Line },
            text(false),
            text(true),
        ];
        let bytes = pdf(&Figure { size: [120.0, 80.0], marks, ..Figure::default() }, "A figure");
        let plain = String::from_utf8_lossy(&bytes);
        assert!(plain.starts_with("%PDF-") && plain.trim_end().ends_with("%%EOF"));
        assert!(plain.contains("/MediaBox [0 0 120 80]") && plain.contains("/Title (A figure)"));
        assert!(plain.contains("/Subtype /Image") && plain.contains("/Width 2") && plain.contains("/Height 1"));
        assert!(plain.contains("PAPILN+Ubuntu-Light"));
        // Nothing that a figure lacks is embedded.
        assert!(!String::from_utf8_lossy(&pdf(&Figure::default(), "")).contains("/XObject"));
    }
}
