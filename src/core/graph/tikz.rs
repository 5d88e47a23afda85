//! A drawing as TikZ: a complete file of the class `standalone`, whose `tikzpicture` can be copied into another document.

use super::drawing::Drawing;
use super::geometry::{Anchor, Point, Rect};
use super::print::{Dash, PrintMark, marks};
use super::text::{Script, script_runs};
use crate::schedule::SectionKind;
use std::fmt::Write;

/// The smallest size of a font, in points.
const LEAST_SIZE: f32 = 8.0;

/// The text of the file.
pub(super) fn write(drawing: &Drawing) -> String {
    write_marks(&marks(drawing).0)
}

/// A page of marks as the text of a file.
pub(super) fn write_marks(marks: &[PrintMark]) -> String {
    let mut tex = String::from(
        "\\documentclass[border=4pt]{standalone}\n\
         \\usepackage{tikz}\n\
         \\begin{document}\n\
         \\begin{tikzpicture}[x=1bp, y=-1bp, font=\\sffamily, dashed line/.style={dash pattern=on 4bp off 2.5bp}, dotted line/.style={dash pattern=on 0.8bp off 1.6bp}, dash-dotted line/.style={dash pattern=on 5bp off 1.5bp on 0.8bp off 1.5bp}]\n",
    );
    for mark in marks {
        write_mark(&mut tex, mark);
    }
    tex.push_str("\\end{tikzpicture}\n\\end{document}\n");
    tex
}

fn write_mark(tex: &mut String, mark: &PrintMark) {
    match mark {
        PrintMark::Path { lines, dash, width, tint } => {
            let points = |line: &Vec<Point>| line.iter().map(|&point| coordinates(point)).collect::<Vec<_>>().join(" -- ");
            let lines: Vec<_> = lines.iter().map(points).collect();
            let (dash, colour) = (dash_option(*dash), colour(*tint));
            line(tex, format_args!("\\draw[line width={width}bp{dash}{colour}] {};", lines.join(" ")));
        }
        PrintMark::Frame { rect: Rect { min, max }, dash, radius, width } => {
            let (dash, min, max) = (dash_option(*dash), coordinates(*min), coordinates(*max));
            line(tex, format_args!("\\draw[line width={width}bp, rounded corners={radius}bp{dash}] {min} rectangle {max};"));
        }
        PrintMark::Dot { at, radius } => line(tex, format_args!("\\fill {} circle[radius={radius}bp];", coordinates(*at))),
        PrintMark::Text { at, anchor, size, text, on_line } => {
            let anchor = match anchor {
                Anchor::Left => "west",
                Anchor::Centre => "center",
                Anchor::Right => "east",
            };
            let fill = if on_line.is_some() { ", fill=white" } else { "" };
            // TeX has no characters below its smallest size: they are reduced.
            let (size, scale) =
                if *size < LEAST_SIZE { (LEAST_SIZE, format!(", scale={:.3}", size / LEAST_SIZE)) } else { (*size, String::new()) };
            let (font, at, words) = (format!("\\fontsize{{{size}}}{{{size}}}\\selectfont"), coordinates(*at), latex(text));
            line(tex, format_args!("\\node[anchor={anchor}, inner sep=1bp{fill}{scale}, font=\\sffamily{font}] at {at} {{{words}}};"));
        }
    }
}

fn line(tex: &mut String, command: std::fmt::Arguments<'_>) {
    writeln!(tex, "{command}").expect("a String takes any text");
}

fn coordinates(Point { x, y }: Point) -> String {
    format!("({x:.2}, {y:.2})")
}

/// The colour of a section, mixed from the base colours of xcolor.
fn colour(tint: Option<SectionKind>) -> &'static str {
    match tint {
        None => "",
        Some(SectionKind::Split) => ", draw=blue!70!black",
        Some(SectionKind::Merge) => ", draw=orange!90!black",
    }
}

fn dash_option(dash: Dash) -> &'static str {
    match dash {
        Dash::Solid => "",
        Dash::Dashed => ", dashed line",
        Dash::Dotted => ", dotted line",
        Dash::LongShort => ", dash-dotted line",
    }
}

/// The text for LaTeX: superscripts and subscripts become mathematics, special characters are escaped, and a character that pdflatex cannot set becomes a question mark.
fn latex(text: &str) -> String {
    let words: String = script_runs(text)
        .into_iter()
        .map(|(level, run)| match level {
            Script::Baseline => run.chars().map(latex_char).collect(),
            Script::Super => format!("$^{{{}}}$", in_formula(&run)),
            Script::Sub => format!("$_{{{}}}$", in_formula(&run)),
        })
        .collect();
    // Adjacent formulas become one, so that a subscript stands below the superscript before it, and two hyphens stay two.
    words.replace("$$", "").replace("--", "-{}-")
}

/// Characters inside a formula.
fn in_formula(run: &str) -> String {
    run.chars().map(|c| latex_char(c).replace('$', "")).collect()
}

fn latex_char(c: char) -> String {
    let command = match c {
        '\\' => "$\\backslash$",
        '^' => "\\^{}",
        '~' => "\\~{}",
        '{' => "\\{",
        '}' => "\\}",
        '#' => "\\#",
        '$' => "\\textdollar{}",
        '%' => "\\%",
        '&' => "\\&",
        '_' => "\\_",
        '<' => "$<$",
        '>' => "$>$",
        '|' => "$|$",
        '−' => "$-$",
        '·' => "$\\cdot$",
        '×' => "$\\times$",
        '→' => "$\\to$",
        '\u{2002}' => "\\enspace{}",
        '…' => "\\dots{}",
        '–' => "\\textendash{}",
        '`' => "\\textasciigrave{}",
        '“' | '”' => "\"",
        '’' => "'",
        'é' => "\\'e",
        'ć' => "\\'c",
        'í' => "\\'{\\i}",
        'ó' => "\\'o",
        'ö' => "\\\"o",
        'ü' => "\\\"u",
        'Σ' => "$\\Sigma$",
        'Π' => "$\\Pi$",
        '′' => "$'$",
        '°' => "$^\\circ$",
        '±' => "$\\pm$",
        '≤' => "$\\le$",
        '≥' => "$\\ge$",
        '∞' => "$\\infty$",
        'α' => "$\\alpha$",
        'β' => "$\\beta$",
        'γ' => "$\\gamma$",
        'δ' => "$\\delta$",
        'ω' => "$\\omega$",
        'π' => "$\\pi{}$",
        'µ' | 'μ' => "$\\mu$",
        '√' => "$\\surd$",
        '½' => "$\\frac12$",
        '¼' => "$\\frac14$",
        '⊕' => "$\\oplus$",
        '⊗' => "$\\otimes$",
        c if c.is_ascii() => return c.into(),
        _ => "?",
    };
    command.into()
}
