//! A figure as SVG on white. The file refers to nothing outside it.

use super::Raster;
use super::layout::{Figure, Ink, Mark, Position, Symbol, TextAnchor};
use crate::signal::encode_image_png;
use std::fmt::Write as _;

/// The text of the file.
pub fn svg(figure: &Figure, title: &str) -> String {
    let [width, height] = figure.size;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Ubuntu, Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<title>{}</title>\n",
        xml_escaped(title)
    );
    for mark in &figure.marks {
        let done = writeln!(text, "{}", element(mark));
        done.expect("a String takes any text");
    }
    text + "</svg>\n"
}

fn element(mark: &Mark) -> String {
    match mark {
        Mark::Fill { corners: [[left, top], [right, bottom]], ink } => {
            let (width, height, color) = (right - left, bottom - top, color(*ink));
            format!("<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>")
        }
        Mark::Path { points, ink, width, dash } => {
            let dash = dash.map_or(String::new(), |[dash, gap]| format!(" stroke-dasharray=\"{dash} {gap}\""));
            let color = color(*ink);
            format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\"{dash}/>", list(points))
        }
        Mark::Segments { segments, ink, width } => {
            let path: String = segments.iter().map(|[[x, y], [to_x, to_y]]| format!("M{x:.2} {y:.2}L{to_x:.2} {to_y:.2}")).collect();
            format!("<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>", color(*ink))
        }
        Mark::Image { corners: [[left, top], [right, bottom]], raster } => {
            let (width, height) = (right - left, bottom - top);
            format!(
                "<image x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" preserveAspectRatio=\"none\" \
                 image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" xlink:href=\"data:image/png;base64,{}\"/>",
                base64(&encoded(raster))
            )
        }
        Mark::Polygon { points, ink } => format!("<polygon points=\"{}\" fill=\"{}\"/>", list(points), color(*ink)),
        Mark::Symbol { at: [x, y], symbol, radius, ink } => {
            let color = color(*ink);
            match symbol.outline([*x, *y], *radius) {
                None if *symbol == Symbol::Ring => {
                    format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.4\"/>")
                }
                None => format!("<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"{color}\"/>"),
                Some(lines) if *symbol == Symbol::Cross => lines
                    .chunks(2)
                    .map(|ends| format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>", list(ends)))
                    .collect(),
                Some(corners) => format!("<polygon points=\"{}\" fill=\"{color}\"/>", list(&corners)),
            }
        }
        Mark::Text { at: [x, y], anchor, size, text, ink, upwards } => {
            let anchor = match anchor {
                TextAnchor::Left => "start",
                TextAnchor::Centre => "middle",
                TextAnchor::Right => "end",
            };
            let (color, words) = (color(*ink), xml_escaped(text));
            let turned = if *upwards { format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"") } else { String::new() };
            let base = y + 0.35 * size;
            format!(
                "<text x=\"{x:.1}\" y=\"{base:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{color}\"{turned}>{words}</text>"
            )
        }
    }
}

/// The pixels as a PNG file.
fn encoded(Raster { size: [columns, rows], rgb }: &Raster) -> Vec<u8> {
    let mut file = Vec::new();
    encode_image_png(&mut file, *rows, *columns, rgb, "").expect("memory takes any file");
    file
}

/// Bytes in base 64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().enumerate().fold(0_u32, |bits, (index, byte)| bits | u32::from(*byte) << (16 - 8 * index));
        for digit in 0..4 {
            let is_there = digit <= three.len();
            text.push(if is_there { char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]) } else { '=' });
        }
    }
    text
}

impl Symbol {
    /// The corners of a symbol, or the ends of the two strokes of a cross; `None` if it is round.
    pub fn outline(self, [x, y]: Position, radius: f32) -> Option<Vec<Position>> {
        let at = |dx: f32, dy: f32| [x + dx * radius, y + dy * radius];
        match self {
            Self::Disc | Self::Ring => None,
            Self::Square => Some(vec![at(-0.9, -0.9), at(0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9)]),
            Self::Triangle => Some(vec![at(0.0, -1.2), at(1.1, 0.9), at(-1.1, 0.9)]),
            Self::Diamond => Some(vec![at(0.0, -1.3), at(1.3, 0.0), at(0.0, 1.3), at(-1.3, 0.0)]),
            Self::Cross => Some(vec![at(-1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0), at(1.0, -1.0)]),
        }
    }
}

impl Ink {
    /// The colour on white.
    pub(super) fn on_paper(self) -> [u8; 3] {
        match self {
            Self::Ground => [255; 3],
            Self::Text => [28; 3],
            Self::Weak => [92; 3],
            Self::Grid => [222; 3],
            Self::Rule => [130; 3],
            Self::Error => [0xb0, 0x3a, 0x00],
            Self::Line => [0x00, 0x5f, 0x99],
            Self::Peak => [0x8a, 0x55, 0x00],
            Self::Series(series) => series.rgb(false),
            Self::Rgb(rgb) => rgb,
        }
    }
}

fn color(ink: Ink) -> String {
    let [red, green, blue] = ink.on_paper();
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn list(points: &[Position]) -> String {
    points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

/// A text as XML has it between tags.
pub fn xml_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
