//! A drawing as SVG: black on white, sections in two colours, in printer's points, with nothing outside the file.

use super::geometry::{Anchor, Point, Rect};
use super::layout::Drawing;
use super::print::{Dash, Mark, marks};
use super::text::{Level, runs};
use crate::schedule::Section;
use std::fmt::Write;

/// Size of raised and lowered digits, as a part of the text's.
const SMALL: f32 = 0.72;
/// Width of a digit in Helvetica and its like, in ems.
const DIGIT_EMS: f32 = 0.556;

/// The file's text.
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
        line(&mut svg, format_args!("<title>{}</title>", escaped(title)));
    }
    line(&mut svg, format_args!("<rect {} fill=\"white\"/>", rect_attributes(bounds)));
    for mark in &marks {
        write_mark(&mut svg, mark);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_mark(svg: &mut String, mark: &Mark) {
    match mark {
        Mark::Path { points, dash, width, tint } => {
            let points: Vec<_> = points.iter().map(|Point { x, y }| format!("{x:.2},{y:.2}")).collect();
            let (points, dash) = (points.join(" "), dash_attribute(*dash));
            let colour = colour(*tint);
            line(svg, format_args!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"));
        }
        Mark::Frame { rect, dash, radius, width } => {
            let (rect, dash) = (rect_attributes(*rect), dash_attribute(*dash));
            line(svg, format_args!("<rect {rect} rx=\"{radius}\" fill=\"none\" stroke=\"black\" stroke-width=\"{width}\"{dash}/>"));
        }
        Mark::Dot { at, radius } => line(svg, format_args!("<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"{radius}\"/>", at.x, at.y)),
        Mark::Text { at, anchor, size, text, on_line } => {
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

/// Black, or the colour of a section: two that colour-blind readers tell apart.
fn colour(tint: Option<Section>) -> &'static str {
    match tint {
        None => "black",
        Some(Section::Split) => "#0072b2",
        Some(Section::Merge) => "#d55e00",
    }
}

fn dash_attribute(dash: Dash) -> &'static str {
    match dash {
        Dash::Whole => "",
        Dash::Dashed => " stroke-dasharray=\"4 2.5\"",
        Dash::Dotted => " stroke-dasharray=\"0.8 1.6\"",
    }
}

/// The text with raised and lowered digits as shifted spans, because many fonts lack the characters; a lowered run stands below the raised one before it.
fn spans(text: &str, size: f32) -> String {
    let (mut words, mut shift, mut raised_width) = (String::new(), 0.0, 0.0);
    for (level, run) in runs(text) {
        let wanted = match level {
            Level::Line => 0.0,
            Level::Super => -0.38 * size,
            Level::Sub => 0.22 * size,
        };
        if level == Level::Line && shift == 0.0 {
            words.push_str(&escaped(&run));
        } else {
            let small = if level == Level::Line { size } else { SMALL * size };
            let back = if level == Level::Sub && raised_width > 0.0 { format!(" dx=\"-{raised_width:.2}\"") } else { String::new() };
            let (dy, run) = (wanted - shift, escaped(&run));
            write!(words, "<tspan{back} dy=\"{dy:.2}\" font-size=\"{small:.1}\">{run}</tspan>").expect("a String takes any text");
        }
        raised_width = if level == Level::Super { DIGIT_EMS * SMALL * size * run.chars().count() as f32 } else { 0.0 };
        shift = wanted;
    }
    words
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
