//! A drawing as SVG: black on white, sections in two colours, in printer's points. The file refers to nothing outside it.

use super::drawing::Drawing;
use super::geometry::{Anchor, Point, Rect};
use super::print::{Dash, PrintMark, marks};
use super::text::{Script, script_runs};
use crate::plot::xml_escaped;
use crate::schedule::SectionKind;
use std::fmt::Write;

/// Font size of superscripts and subscripts, relative to the text.
const SCRIPT_SIZE: f32 = 0.72;
/// Width of a digit in Helvetica and similar fonts, in ems.
const DIGIT_EMS: f32 = 0.556;

/// The text of the file.
pub(super) fn write(drawing: &Drawing) -> String {
    let (marks, bounds) = marks(drawing);
    let (width, height) = (bounds.width(), bounds.height());
    let mut svg = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"{width:.1}pt\" height=\"{height:.1}pt\" \
         viewBox=\"{:.1} {:.1} {width:.1} {height:.1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
        bounds.min.x, bounds.min.y
    );
    let title = &drawing.request.options.title;
    if !title.is_empty() {
        line(&mut svg, format_args!("<title>{}</title>", xml_escaped(title)));
    }
    line(&mut svg, format_args!("<rect {} fill=\"white\"/>", rect_attributes(bounds)));
    for mark in &marks {
        write_mark(&mut svg, mark);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_mark(svg: &mut String, mark: &PrintMark) {
    match mark {
        PrintMark::Path { points, dash, width, tint } => {
            let points: Vec<_> = points.iter().map(|Point { x, y }| format!("{x:.2},{y:.2}")).collect();
            let (points, dash) = (points.join(" "), dash_attribute(*dash));
            let colour = colour(*tint);
            line(svg, format_args!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"));
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
            let anchor = match anchor {
                Anchor::Left => "start",
                Anchor::Centre => "middle",
                Anchor::Right => "end",
            };
            let (x, y, words) = (at.x, at.y + 0.35 * size, spans(text, *size));
            line(svg, format_args!("<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{words}</text>"));
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

fn dash_attribute(dash: Dash) -> &'static str {
    match dash {
        Dash::Solid => "",
        Dash::Dashed => " stroke-dasharray=\"4 2.5\"",
        Dash::Dotted => " stroke-dasharray=\"0.8 1.6\"",
    }
}

/// The text with superscripts and subscripts as shifted spans, because many fonts lack the characters; a subscript stands below the superscript before it.
fn spans(text: &str, size: f32) -> String {
    let (mut words, mut shift, mut raised_width) = (String::new(), 0.0, 0.0);
    for (level, run) in script_runs(text) {
        let wanted = match level {
            Script::Baseline => 0.0,
            Script::Super => -0.38 * size,
            Script::Sub => 0.22 * size,
        };
        if level == Script::Baseline && shift == 0.0 {
            words.push_str(&xml_escaped(&run));
        } else {
            let small = if level == Script::Baseline { size } else { SCRIPT_SIZE * size };
            let back = if level == Script::Sub && raised_width > 0.0 { format!(" dx=\"-{raised_width:.2}\"") } else { String::new() };
            let (dy, run) = (wanted - shift, xml_escaped(&run));
            write!(words, "<tspan{back} dy=\"{dy:.2}\" font-size=\"{small:.1}\">{run}</tspan>").expect("a String takes any text");
        }
        raised_width = if level == Script::Super { DIGIT_EMS * SCRIPT_SIZE * size * run.chars().count() as f32 } else { 0.0 };
        shift = wanted;
    }
    words
}
