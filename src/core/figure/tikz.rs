//! A figure as TikZ: a complete file of the class `standalone`, whose `tikzpicture` can be copied into another document.

use super::text::{Script, baseline, script_runs};
use super::{Anchor, Figure, FigureError, Ink, Mark, Pen, Position, Raster, SymbolShape};
use crate::numerals::SPACE;
use std::collections::BTreeMap;

/// The smallest size of a font, in points.
const LEAST_SIZE: f32 = 8.0;
/// The most pixels of an image, each of which is a rectangle.
const MOST_PIXELS: usize = 1 << 12;

/// The bytes of the file.
pub(super) fn write(figure: &Figure) -> Result<Vec<u8>, FigureError> {
    let mut picture = Picture::default();
    figure.marks.iter().try_for_each(|mark| picture.mark(mark))?;
    let mut tex = if figure.title.is_empty() { String::new() } else { format!("% {}\n", latex(&figure.title)) };
    tex += "\\documentclass[border=4pt]{standalone}\n\
            \\usepackage{tikz}\n\
            \\begin{document}\n\
            \\begin{tikzpicture}[x=1bp, y=-1bp, font=\\sffamily]\n";
    for ([red, green, blue], name) in &picture.colors {
        tex += &format!("\\definecolor{{{name}}}{{RGB}}{{{red},{green},{blue}}}\n");
    }
    tex += &picture.commands;
    tex += "\\end{tikzpicture}\n\\end{document}\n";
    Ok(tex.into_bytes())
}

/// The picture while its marks are added.
#[derive(Default)]
struct Picture {
    commands: String,
    /// The names of the colours that are neither black nor white.
    colors: BTreeMap<[u8; 3], String>,
}

impl Picture {
    fn mark(&mut self, mark: &Mark) -> Result<(), FigureError> {
        match mark {
            Mark::Fill { corners, ink } => self.fill(*ink, &rectangle(*corners)),
            Mark::Frame { corners, radius, pen } => {
                let round = if *radius > 0.0 { format!(", rounded corners={radius}bp") } else { String::new() };
                self.draw(*pen, &round, &rectangle(*corners));
            }
            Mark::Lines { lines, pen } => self.draw(*pen, "", &lines.iter().map(|line| path(line)).collect::<Vec<_>>().join(" ")),
            Mark::Image { corners, raster } => self.image(*corners, raster)?,
            Mark::Polygon { points, ink } => self.fill(*ink, &(path(points) + " -- cycle")),
            Mark::Symbol { at, symbol, radius, ink } => {
                let circle = || format!("{} circle[radius={radius}bp]", coordinates(*at));
                match symbol.shape(*at, *radius, *ink) {
                    SymbolShape::Disc => self.fill(*ink, &circle()),
                    SymbolShape::Ring(pen) => self.draw(pen, "", &circle()),
                    SymbolShape::Polygon(corners) => self.fill(*ink, &(path(&corners) + " -- cycle")),
                    SymbolShape::Strokes(lines, pen) => lines.iter().for_each(|line| self.draw(pen, "", &path(line))),
                }
            }
            Mark::Text { at, anchor, size, text, ink, upwards } => self.node((*at, *anchor, *upwards), *size, text, *ink),
        }
        Ok(())
    }

    fn fill(&mut self, ink: Ink, shape: &str) {
        let color = self.color(ink);
        let option = if color == "black" { String::new() } else { format!("[{color}]") };
        self.commands += &format!("\\fill{option} {shape};\n");
    }

    fn draw(&mut self, Pen { ink, width, dash }: Pen, options: &str, shape: &str) {
        let parts = dash.iter().enumerate().map(|(index, length)| format!(" {} {length}bp", if index % 2 == 0 { "on" } else { "off" }));
        let dash = if dash.is_empty() { String::new() } else { format!(", dash pattern={}", parts.collect::<String>().trim_start()) };
        let color = self.color(ink);
        let color = if color == "black" { String::new() } else { format!(", {color}") };
        self.commands += &format!("\\draw[line width={width}bp{dash}{color}{options}] {shape};\n");
    }

    /// A small image, whose pixels are rectangles.
    fn image(
        &mut self,
        [[left, top], [right, bottom]]: [Position; 2],
        Raster { size: [columns, rows], rgb }: &Raster,
    ) -> Result<(), FigureError> {
        if columns * rows > MOST_PIXELS {
            return Err(FigureError::Image { columns: *columns, rows: *rows });
        }
        let at = |column: usize, row: usize| {
            [left + (right - left) * column as f32 / *columns as f32, top + (bottom - top) * row as f32 / *rows as f32]
        };
        for (index, pixel) in rgb.chunks_exact(3).enumerate() {
            let (column, row) = (index % columns, index / columns);
            self.fill(Ink::Rgb([pixel[0], pixel[1], pixel[2]]), &rectangle([at(column, row), at(column + 1, row + 1)]));
        }
        Ok(())
    }

    /// A text on its baseline.
    fn node(&mut self, (at, anchor, upwards): (Position, Anchor, bool), size: f32, text: &str, ink: Ink) {
        let side = match anchor {
            Anchor::Left => "base west",
            Anchor::Centre => "base",
            Anchor::Right => "base east",
        };
        // TeX has no characters below its smallest size: they are reduced.
        let scale = if size < LEAST_SIZE { format!(", scale={:.3}", size / LEAST_SIZE) } else { String::new() };
        let color = self.color(ink);
        let color = if color == "black" { String::new() } else { format!(", text={color}") };
        let turned = if upwards { ", rotate=90" } else { "" };
        let (at, words) = (coordinates(baseline(at, size, upwards)), latex(text));
        let size = size.max(LEAST_SIZE);
        let font = format!("\\sffamily\\fontsize{{{size}}}{{{size}}}\\selectfont");
        self.commands += &format!("\\node[anchor={side}, inner sep=0bp{scale}{turned}{color}, font={font}] at {at} {{{words}}};\n");
    }

    /// The name of a colour.
    fn color(&mut self, ink: Ink) -> String {
        match ink.on_paper() {
            [0, 0, 0] => "black".into(),
            [255, 255, 255] => "white".into(),
            rgb => {
                let number = self.colors.len() + 1;
                self.colors.entry(rgb).or_insert_with(|| format!("papillon{number}")).clone()
            }
        }
    }
}

fn coordinates([x, y]: Position) -> String {
    format!("({x:.2}, {y:.2})")
}

fn path(points: &[Position]) -> String {
    points.iter().map(|&point| coordinates(point)).collect::<Vec<_>>().join(" -- ")
}

fn rectangle([from, to]: [Position; 2]) -> String {
    format!("{} rectangle {}", coordinates(from), coordinates(to))
}

/// The text for LaTeX: superscripts and subscripts become mathematics, special characters are escaped, and a character that pdflatex cannot set becomes a question mark.
pub fn latex(text: &str) -> String {
    let words: String = script_runs(text)
        .into_iter()
        .map(|(level, run)| match level {
            Script::Baseline => run.chars().map(latex_char).collect(),
            Script::Super => format!("$^{{{}}}$", in_formula(&run)),
            Script::Sub => format!("$_{{{}}}$", in_formula(&run)),
        })
        .collect();
    // Adjacent formulas become one, so that a subscript is below the superscript before it, and two hyphens stay two.
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
        SPACE => "\\,",
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
        'ζ' => "$\\zeta$",
        'ψ' => "$\\psi$",
        'ω' => "$\\omega$",
        'Δ' => "$\\Delta$",
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
