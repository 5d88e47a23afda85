//! A figure as SVG on white, in printer's points. The file refers to nothing outside it.

use super::png::outlined;
use super::text::placed_runs;
use super::{Anchor, Figure, FigureError, Ink, Mark, Pen, PlacedRun, Position, Raster, SymbolShape};
use crate::signal::encode_image_png;
use std::fmt::{self, Display, Formatter};
use vello_cpu::kurbo::{PathEl, Point};

/// CSS pixels in a printer's point: not every renderer takes a size in points.
const PIXELS_PER_POINT: f32 = 96.0 / 72.0;
const FONTS: &str = "Ubuntu, Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', Arimo, 'DejaVu Sans', sans-serif";

/// The bytes of the file.
pub(super) fn write(figure: &Figure) -> Result<Vec<u8>, FigureError> {
    Ok(with_texts(figure, Texts::Characters))
}

/// The bytes of the file with texts as paths.
pub(super) fn write_paths(figure: &Figure) -> Result<Vec<u8>, FigureError> {
    Ok(with_texts(figure, Texts::Paths))
}

/// How texts are in a file.
#[derive(Clone, Copy, PartialEq)]
enum Texts {
    Characters,
    Paths,
}

fn with_texts(figure: &Figure, texts: Texts) -> Vec<u8> {
    let [width, height] = figure.size;
    let [across, down] = figure.size.map(|side| Number(PIXELS_PER_POINT * side));
    let [wide, high] = [width, height].map(Number);
    let mut svg = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" xml:space=\"preserve\" \
         width=\"{across}\" height=\"{down}\" viewBox=\"0 0 {wide} {high}\" font-family=\"{FONTS}\">\n"
    );
    if !figure.title.is_empty() {
        svg += &format!("<title>{}</title>\n", escaped(&figure.title));
    }
    svg += &format!("<rect {} fill=\"white\"/>\n", sides([[0.0; 2], [width, height]]));
    for mark in &figure.marks {
        svg += &element(mark, texts);
        svg.push('\n');
    }
    svg += "</svg>\n";
    svg.into_bytes()
}

fn element(mark: &Mark, texts: Texts) -> String {
    match mark {
        Mark::Fill { corners, ink } => format!("<rect {} fill=\"{}\"/>", sides(*corners), color(*ink)),
        Mark::Frame { corners, radius, pen } => format!("<rect {} rx=\"{}\" {}/>", sides(*corners), Number(*radius), stroke(*pen)),
        Mark::Lines { lines, pen } => strokes(lines, *pen),
        Mark::Image { corners, raster } => format!(
            "<image {} preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
             xlink:href=\"data:image/png;base64,{}\"/>",
            sides(*corners),
            base64(&encoded(raster))
        ),
        Mark::Polygon { points, ink } => polygon(points, *ink),
        Mark::Symbol { at, symbol, radius, ink } => {
            let circle = format!("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Number(at[0]), Number(at[1]), Number(*radius));
            match symbol.shape(*at, *radius, *ink) {
                SymbolShape::Disc => format!("{circle} fill=\"{}\"/>", color(*ink)),
                SymbolShape::Ring(pen) => format!("{circle} {}/>", stroke(pen)),
                SymbolShape::Polygon(corners) => polygon(&corners, *ink),
                SymbolShape::Strokes(lines, pen) => strokes(&lines, pen),
            }
        }
        Mark::Text { at, anchor, size, text, ink, upwards } if texts == Texts::Paths => {
            let runs = placed_runs(text, *size, *at, *anchor, *upwards);
            let path = |run: &PlacedRun| {
                let ([x, y], turn) = (run.at.map(Number), if *upwards { " rotate(-90)" } else { "" });
                format!("<path transform=\"translate({x} {y}){turn}\" d=\"{}\"/>", outline(&run.text, run.size))
            };
            let paths: String = runs.iter().map(path).collect();
            format!("<g role=\"img\" aria-label=\"{}\" fill=\"{}\">{paths}</g>", quoted(text), color(*ink))
        }
        Mark::Text { at, anchor, size, text, ink, upwards } => {
            let [x, y] = at.map(Number);
            let turned = if *upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
            let runs = placed_runs(text, *size, *at, *anchor, false);
            let fill = color(*ink);
            match &runs[..] {
                // In a font of other widths a text keeps its anchor; where the reader can, it also keeps its width.
                [run] => {
                    let [anchor, width] = [text_anchor(*anchor), &Number(run.width).to_string()];
                    let fixed = format!("text-anchor=\"{anchor}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"");
                    format!("<text x=\"{x}\" {} {fixed} fill=\"{fill}\"{turned}>{}</text>", line_of(run), escaped(&run.text))
                }
                runs => {
                    let part =
                        |run: &PlacedRun| format!("<tspan x=\"{}\" {}>{}</tspan>", Number(run.at[0]), line_of(run), escaped(&run.text));
                    format!("<text fill=\"{fill}\"{turned}>{}</text>", runs.iter().map(part).collect::<String>())
                }
            }
        }
    }
}

/// A length with at most two decimals.
struct Number(f32);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

fn sides([[left, top], [right, bottom]]: [Position; 2]) -> String {
    let [x, y, width, height] = [left, top, right - left, bottom - top].map(Number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

fn strokes(lines: &[Vec<Position>], pen: Pen) -> String {
    match lines {
        [line] => format!("<polyline points=\"{}\" {}/>", list(line), stroke(pen)),
        lines => format!("<path d=\"M{}\" {}/>", lines.iter().map(|line| list(line)).collect::<Vec<_>>().join("M"), stroke(pen)),
    }
}

fn polygon(points: &[Position], ink: Ink) -> String {
    format!("<polygon points=\"{}\" fill=\"{}\"/>", list(points), color(ink))
}

fn stroke(Pen { ink, width, dash }: Pen) -> String {
    let lengths: Vec<String> = dash.iter().map(f32::to_string).collect();
    let dash = if lengths.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", lengths.join(" ")) };
    format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"{dash}", color(ink))
}

/// The baseline and the size of a run.
fn line_of(run: &PlacedRun) -> String {
    format!("y=\"{}\" font-size=\"{}\"", Number(run.at[1]), Number(run.size))
}

fn text_anchor(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Left => "start",
        Anchor::Centre => "middle",
        Anchor::Right => "end",
    }
}

fn list(points: &[Position]) -> String {
    points.iter().map(|[x, y]| format!("{},{}", Number(*x), Number(*y))).collect::<Vec<_>>().join(" ")
}

fn color(ink: Ink) -> String {
    match ink.on_paper() {
        [0, 0, 0] => "black".into(),
        [255, 255, 255] => "white".into(),
        [red, green, blue] => format!("#{red:02x}{green:02x}{blue:02x}"),
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

/// The outlines of characters as the data of a path.
fn outline(text: &str, size: f32) -> String {
    let at = |Point { x, y }: Point| format!("{} {}", Number(x as f32), Number(y as f32));
    let part = |element: &PathEl| match *element {
        PathEl::MoveTo(to) => format!("M{}", at(to)),
        PathEl::LineTo(to) => format!("L{}", at(to)),
        PathEl::QuadTo(control, to) => format!("Q{} {}", at(control), at(to)),
        PathEl::CurveTo(first, second, to) => format!("C{} {} {}", at(first), at(second), at(to)),
        PathEl::ClosePath => "Z".into(),
    };
    outlined(text, size).elements().iter().map(part).collect()
}

/// A text as XML has it in an attribute.
fn quoted(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

/// A text as XML has it between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_as_paths_need_no_font() {
        let text = Mark::text([10.0, 20.0], Anchor::Centre, 12.0, "x₁ < \"ω\"", Ink::Black);
        let figure = Figure { size: [40.0; 2], title: String::new(), marks: vec![text], sheets: 1 };
        let [characters, paths] = [write, write_paths].map(|write| String::from_utf8(write(&figure).unwrap()).unwrap());
        assert!(characters.contains("<text") && !paths.contains("<text") && !paths.contains("<tspan"));
        assert!(paths.contains("aria-label=\"x₁ &lt; &quot;ω&quot;\"") && paths.matches("<path").count() >= 2);
        assert!(paths.contains('Q') && !paths.contains("NaN"), "the outlines are curves");
    }

    #[test]
    fn base_64_is_that_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
