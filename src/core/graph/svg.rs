//! A drawing as SVG: black on white, sections in two colours, in printer's points. The file refers to nothing outside it.

use super::drawing::Drawing;
use super::geometry::{Point, Rect};
use super::print::{Dash, PrintMark, marks};
use super::runs::{PlacedRun, helvetica, placed_runs};
use crate::plot::xml_escaped;
use crate::schedule::SectionKind;
use std::fmt::Write;

/// CSS pixels in a printer's point: not every renderer takes a size in points.
const PIXELS_PER_POINT: f32 = 96.0 / 72.0;

/// The text of the file.
pub(super) fn write(drawing: &Drawing) -> String {
    let (marks, bounds) = marks(drawing);
    write_marks(&marks, bounds, &drawing.request.options.title)
}

/// A page of marks as the text of a file.
pub(super) fn write_marks(marks: &[PrintMark], bounds: Rect, title: &str) -> String {
    let (width, height) = (bounds.width(), bounds.height());
    let mut svg = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"{:.1}\" height=\"{:.1}\" \
         viewBox=\"{:.1} {:.1} {width:.1} {height:.1}\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'Nimbus Sans', Arimo, 'DejaVu Sans', sans-serif\">\n",
        PIXELS_PER_POINT * width,
        PIXELS_PER_POINT * height,
        bounds.min.x,
        bounds.min.y
    );
    if !title.is_empty() {
        line(&mut svg, format_args!("<title>{}</title>", xml_escaped(title)));
    }
    line(&mut svg, format_args!("<rect {} fill=\"white\"/>", rect_attributes(bounds)));
    for mark in marks {
        write_mark(&mut svg, mark);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_mark(svg: &mut String, mark: &PrintMark) {
    match mark {
        PrintMark::Path { lines, dash, width, tint } => {
            let coordinates = |line: &Vec<Point>| line.iter().map(|Point { x, y }| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ");
            let shape = match &lines[..] {
                [line] => format!("polyline points=\"{}\"", coordinates(line)),
                lines => format!("path d=\"M{}\"", lines.iter().map(coordinates).collect::<Vec<_>>().join("M")),
            };
            let (colour, dash) = (colour(*tint), dash_attribute(*dash));
            line(svg, format_args!("<{shape} fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"));
        }
        PrintMark::Frame { rect, dash, radius, width } => {
            let (rect, dash) = (rect_attributes(*rect), dash_attribute(*dash));
            line(svg, format_args!("<rect {rect} rx=\"{radius}\" fill=\"none\" stroke=\"black\" stroke-width=\"{width}\"{dash}/>"));
        }
        PrintMark::Dot { at, radius } => line(svg, format_args!("<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius}\"/>", at.x, at.y)),
        PrintMark::Text { at, anchor, size, text, on_line } => {
            if let Some(rect) = on_line {
                line(svg, format_args!("<rect {} fill=\"white\"/>", rect_attributes(*rect)));
            }
            svg.push_str("<text>");
            for PlacedRun { at: Point { x, y }, size, text } in placed_runs(text, *size, *at, *anchor, helvetica) {
                let run = xml_escaped(&text);
                write!(svg, "<tspan x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size:.1}\">{run}</tspan>").expect("a String takes any text");
            }
            line(svg, format_args!("</text>"));
        }
    }
}

fn line(svg: &mut String, element: std::fmt::Arguments<'_>) {
    writeln!(svg, "{element}").expect("a String takes any text");
}

fn rect_attributes(rect: Rect) -> String {
    format!("x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\"", rect.min.x, rect.min.y, rect.width(), rect.height())
}

/// Black, or the colour of a section; colour-blind readers can tell the two apart.
fn colour(tint: Option<SectionKind>) -> &'static str {
    match tint {
        None => "black",
        Some(SectionKind::Split) => "#0072b2",
        Some(SectionKind::Merge) => "#d55e00",
    }
}

fn dash_attribute(dash: Dash) -> String {
    let lengths: Vec<_> = dash.pattern().iter().map(f32::to_string).collect();
    if lengths.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", lengths.join(" ")) }
}
