//! A matrix as a file: TeX for papers, CSV for programs, SVG as it is shown.

use super::color::{entry_rgb, is_bright};
use super::entries::{entry_tex, entry_text, tex};
use super::formula::Formula;
use super::sparse::SparseMatrix;
use crate::graph::text::width;
use crate::plan::Coef;
use crate::plot::xml_escaped;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// The most rows and columns of a matrix in TeX: a page holds no more.
const MOST_IN_TEX: usize = 64;
/// The side of a cell with a number, in points, and of the whole of a matrix without numbers.
const CELL: f32 = 24.0;
const WHOLE: f32 = 640.0;
/// Up to this number of columns a drawing has numbers.
const MOST_WITH_NUMBERS: usize = 32;
/// Room for the indices and the title, in points.
const MARGIN: f32 = 28.0;

/// A file format of matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum MatrixFormat {
    /// A formula and a matrix for LaTeX.
    Tex,
    /// Numbers, a line for each row.
    Csv,
    /// The matrix as it is shown.
    Svg,
}

impl MatrixFormat {
    /// The ending of its file names, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Tex => "tex",
            Self::Csv => "csv",
            Self::Svg => "svg",
        }
    }

    /// The name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tex => "TeX",
            Self::Csv => "CSV",
            Self::Svg => "SVG",
        }
    }

    /// The format that the ending of a file name selects, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        [Self::Tex, Self::Csv, Self::Svg].into_iter().find(|format| format.ending() == ending)
    }
}

/// A matrix with what a file says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixFile {
    /// The title, such as `walsh by constant-geometry, stage 2 of 3`.
    pub title: String,
    /// The symbol of the matrix, such as `A₂`.
    pub symbol: String,
    /// The formula, where there is one.
    pub formula: Option<Formula>,
    /// The entries.
    pub matrix: SparseMatrix,
    /// The right-hand side of a system.
    pub right: Option<Vec<f64>>,
    /// Blocks to outline: rows and columns of each.
    pub blocks: Vec<[Range<usize>; 2]>,
}

impl MatrixFile {
    /// The content of the file; `None` for TeX of a matrix that no page holds.
    pub fn bytes(&self, format: MatrixFormat) -> Option<Vec<u8>> {
        let text = match format {
            MatrixFormat::Tex => self.tex()?,
            MatrixFormat::Csv => self.csv(),
            MatrixFormat::Svg => self.svg(),
        };
        Some(text.into_bytes())
    }

    /// Why there is no TeX.
    pub fn too_large(&self) -> String {
        format!(
            "a matrix of {} × {} does not fit a page: write .csv or .svg, or take at most {MOST_IN_TEX} values",
            self.matrix.rows, self.matrix.columns
        )
    }

    fn tex(&self) -> Option<String> {
        let SparseMatrix { rows, columns, .. } = self.matrix;
        if rows.max(columns) > MOST_IN_TEX {
            return None;
        }
        let cell = |row: usize, column: usize| self.matrix.at(row, column).map_or_else(|| "\\cdot".into(), |entry| entry_tex(entry.weight));
        let line = |row: usize| {
            let cells: Vec<String> = (0..columns).map(|column| cell(row, column)).collect();
            let right = self.right.as_ref().map(|right| format!(" & {}", entry_tex(Coef::Real(right[row]))));
            cells.join(" & ") + &right.unwrap_or_default()
        };
        let lines = (0..rows).map(line).collect::<Vec<_>>().join(" \\\\\n");
        let bar = if self.right.is_some() { "|c" } else { "" };
        let formula = self.formula.as_ref().map(|formula| format!("{} = ", formula.tex())).unwrap_or_default();
        let mut text = format!("% {}\n", self.title);
        text.push_str("\\documentclass[border=4pt]{standalone}\n\\usepackage{amsmath}\n\\begin{document}\n");
        write!(
            text,
            "$\\displaystyle {} = {formula}\\left(\\begin{{array}}{{*{{{columns}}}{{c}}{bar}}}\n{lines}\n\\end{{array}}\\right)$\n",
            tex(&self.symbol)
        )
        .expect("a String takes any text");
        if let Some(formula) = &self.formula {
            for (symbol, meaning) in formula.symbols() {
                writeln!(text, "% {symbol}: {meaning}").expect("a String takes any text");
            }
        }
        text.push_str("\\end{document}\n");
        Some(text)
    }

    /// A line for each row; the right-hand side of a system is the last number.
    fn csv(&self) -> String {
        let mut text = String::new();
        for (row, values) in self.matrix.dense().iter().enumerate() {
            let value = |value: &num_complex::Complex64| match value.im {
                0.0 => format!("{}", value.re + 0.0),
                im => format!("{}{im:+}i", value.re + 0.0),
            };
            let right = self.right.as_ref().map(|right| format!("{}", right[row] + 0.0));
            let cells: Vec<String> = values.iter().map(value).chain(right).collect();
            writeln!(text, "{}", cells.join(",")).expect("a String takes any text");
        }
        text
    }

    fn svg(&self) -> String {
        let (matrix, largest) = (&self.matrix, self.matrix.largest());
        let has_numbers = matrix.columns.max(matrix.rows) <= MOST_WITH_NUMBERS;
        let longest = matrix.entries.iter().map(|entry| width(&entry_text(entry.weight), 10.0)).fold(0.0, f32::max);
        let cell = if has_numbers { CELL.max(longest + 6.0) } else { WHOLE / matrix.columns.max(matrix.rows).max(1) as f32 };
        let formula = self.formula.as_ref().map(|formula| format!(" = {}", formula.text())).unwrap_or_default();
        let heading = format!("{}{formula}", self.symbol);
        let right = if self.right.is_some() { 2.5 * CELL } else { 0.0 };
        let size = [cell * matrix.columns as f32 + right, cell * matrix.rows as f32];
        let whole = [(size[0] + 2.0 * MARGIN).max(width(&heading, 13.0) + 2.0 * MARGIN), size[1] + 3.0 * MARGIN];
        let mut svg = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.1}\" height=\"{1:.1}\" viewBox=\"0 0 {0:.1} {1:.1}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"10\">\n<title>{2}</title>\n<rect width=\"{0:.1}\" height=\"{1:.1}\" fill=\"white\"/>\n<text x=\"{MARGIN}\" y=\"18\" font-size=\"13\">{3}</text>\n",
            whole[0],
            whole[1],
            xml_escaped(&self.title),
            xml_escaped(&heading)
        );
        let origin = [MARGIN, 2.0 * MARGIN];
        self.write_cells(&mut svg, origin, cell, largest, has_numbers);
        let mut frame = |[rows, columns]: &[Range<usize>; 2], stroke: f32| {
            let at = [origin[0] + cell * columns.start as f32, origin[1] + cell * rows.start as f32];
            let extent = [cell * columns.len() as f32, cell * rows.len() as f32];
            writeln!(
                svg,
                "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"none\" stroke=\"black\" stroke-width=\"{stroke}\"/>",
                at[0], at[1], extent[0], extent[1]
            )
            .expect("a String takes any text");
        };
        self.blocks.iter().for_each(|block| frame(block, 1.0));
        frame(&[0..matrix.rows, 0..matrix.columns], 0.5);
        svg.push_str("</svg>\n");
        svg
    }

    /// The cells with their numbers, the indices, and the right-hand side.
    fn write_cells(&self, svg: &mut String, [left, top]: [f32; 2], cell: f32, largest: f64, has_numbers: bool) {
        let mut text = |x: f32, y: f32, fill: &str, words: &str| {
            let words = xml_escaped(words);
            writeln!(svg, "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"middle\" fill=\"{fill}\">{words}</text>")
                .expect("a String takes any text");
        };
        if has_numbers {
            (0..self.matrix.columns).for_each(|k| text(left + cell * (k as f32 + 0.5), top - 4.0, "#666", &k.to_string()));
            (0..self.matrix.rows).for_each(|k| text(left - 12.0, top + cell * (k as f32 + 0.5) + 3.5, "#666", &k.to_string()));
            for (row, value) in self.right.iter().flatten().enumerate() {
                let x = left + cell * self.matrix.columns as f32 + 1.4 * CELL;
                text(x, top + cell * (row as f32 + 0.5) + 3.5, "black", &entry_text(Coef::Real(*value)));
            }
        }
        for entry in &self.matrix.entries {
            let rgb = entry_rgb(entry.weight.value(), largest, [255; 3]);
            let (x, y) = (left + cell * entry.column as f32, top + cell * entry.row as f32);
            let [red, green, blue] = rgb;
            writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{cell:.2}\" height=\"{cell:.2}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
            )
            .expect("a String takes any text");
            if has_numbers {
                let fill = if is_bright(rgb) { "black" } else { "white" };
                let (x, y, words) = (x + cell / 2.0, y + cell / 2.0 + 3.5, xml_escaped(&entry_text(entry.weight)));
                writeln!(svg, "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"middle\" fill=\"{fill}\">{words}</text>")
                    .expect("a String takes any text");
            }
        }
    }
}
