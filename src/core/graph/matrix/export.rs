//! A matrix as a file: TeX for papers, CSV for programs, a figure as it is shown.

use super::color::{entry_rgb, is_bright};
use super::entries::{entry_tex, entry_text, tex};
use super::formula::Formula;
use super::sparse::SparseMatrix;
use crate::figure::{Anchor, Figure, FigureError, FigureFormat, Ink, Mark, Pen, Position, text_width};
use crate::plan::Coef;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use strum::IntoEnumIterator as _;

/// The most rows and columns of a matrix in TeX: a page holds no more.
const MOST_IN_TEX: usize = 64;
/// The side of a cell with a number, in points, and of the whole of a matrix without numbers.
const CELL: f32 = 24.0;
const WHOLE: f32 = 640.0;
/// Up to this number of columns a drawing has numbers.
const MOST_WITH_NUMBERS: usize = 32;
/// Room for the indices and the title, in points.
const MARGIN: f32 = 28.0;
/// Font sizes of the numbers and of the heading, in points.
const NUMBER_SIZE: f32 = 10.0;
const HEADING_SIZE: f32 = 13.0;

/// A file format of matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatrixFormat {
    /// A formula and a matrix for LaTeX.
    Tex,
    /// Numbers, a line for each row.
    Csv,
    /// The matrix as it is shown.
    Drawing(FigureFormat),
}

impl MatrixFormat {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Tex, Self::Csv].into_iter().chain(FigureFormat::iter().map(Self::Drawing))
    }

    /// The endings of all formats.
    pub fn endings() -> Vec<&'static str> {
        Self::all().map(Self::ending).collect()
    }

    /// The ending of its file names, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Tex => "tex",
            Self::Csv => "csv",
            Self::Drawing(format) => format.ending_beside_tex(),
        }
    }

    /// The name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tex => "TeX",
            Self::Csv => "CSV",
            Self::Drawing(format) => format.name(),
        }
    }

    /// The format that the ending of a file name selects, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::all().find(|format| format.ending() == ending)
    }
}

/// A matrix with what a file says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixFile {
    /// The title, such as `walsh by constant-geometry, stage 2 of 3`.
    pub title: String,
    /// The symbol of the matrix, such as `A₂`.
    pub symbol: String,
    /// The formula, if any.
    pub formula: Option<Formula>,
    /// The entries.
    pub matrix: SparseMatrix,
    /// The right-hand side of a system.
    pub right: Option<Vec<f64>>,
    /// Blocks to outline: rows and columns of each.
    pub blocks: Vec<[Range<usize>; 2]>,
}

/// Why a matrix has no file of a format.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MatrixFileError {
    /// TeX has a page for it.
    #[error("a matrix of {rows} × {columns} does not fit a page: write .csv or .svg, or take at most {MOST_IN_TEX} values")]
    Page {
        /// Rows of the matrix.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// The format does not hold the figure.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

impl MatrixFile {
    /// The content of the file.
    ///
    /// # Errors
    /// When a page does not hold the TeX of the matrix, or the format does not hold the figure.
    pub fn bytes(&self, format: MatrixFormat) -> Result<Vec<u8>, MatrixFileError> {
        match format {
            MatrixFormat::Tex => Ok(self.tex()?.into_bytes()),
            MatrixFormat::Csv => Ok(self.csv().into_bytes()),
            MatrixFormat::Drawing(format) => Ok(self.figure().bytes(format)?),
        }
    }

    fn tex(&self) -> Result<String, MatrixFileError> {
        let SparseMatrix { rows, columns, .. } = self.matrix;
        if rows.max(columns) > MOST_IN_TEX {
            return Err(MatrixFileError::Page { rows, columns });
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
        Ok(text)
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

    /// The matrix as it is shown.
    pub fn figure(&self) -> Figure {
        let (matrix, largest) = (&self.matrix, self.matrix.largest());
        let has_numbers = matrix.columns.max(matrix.rows) <= MOST_WITH_NUMBERS;
        let longest = matrix.entries.iter().map(|entry| text_width(&entry_text(entry.weight), NUMBER_SIZE)).fold(0.0, f32::max);
        let cell = if has_numbers { CELL.max(longest + 6.0) } else { WHOLE / matrix.columns.max(matrix.rows).max(1) as f32 };
        let formula = self.formula.as_ref().map(|formula| format!(" = {}", formula.text())).unwrap_or_default();
        let heading = format!("{}{formula}", self.symbol);
        let right = if self.right.is_some() { 2.5 * CELL } else { 0.0 };
        let [width, height] = [cell * matrix.columns as f32 + right, cell * matrix.rows as f32];
        let size = [width.max(text_width(&heading, HEADING_SIZE)) + 2.0 * MARGIN, height + 3.0 * MARGIN];
        let mut marks = vec![Mark::text([MARGIN, 14.0], Anchor::Left, HEADING_SIZE, heading, Ink::Black)];
        let grid = Grid { origin: [MARGIN, 2.0 * MARGIN], cell };
        if has_numbers {
            marks.extend(self.indices(&grid));
        }
        for entry in &matrix.entries {
            let rgb = entry_rgb(entry.weight.value(), largest, [255; 3]);
            let ([row, column], ink) = ([entry.row, entry.column], if is_bright(rgb) { Ink::Black } else { Ink::Ground });
            marks.push(Mark::Fill { corners: grid.corners(&[row..row + 1, column..column + 1]), ink: Ink::Rgb(rgb) });
            if has_numbers {
                marks.push(number(grid.middle(row, column), &entry_text(entry.weight), ink));
            }
        }
        let frame = |block: &[Range<usize>; 2], width: f32| {
            let pen = Pen::solid(Ink::Black, width);
            Mark::Frame { corners: grid.corners(block), radius: 0.0, pen }
        };
        marks.extend(self.blocks.iter().map(|block| frame(block, 1.0)));
        marks.push(frame(&[0..matrix.rows, 0..matrix.columns], 0.5));
        Figure { size, title: self.title.clone(), marks, sheets: 1 }
    }

    /// The indices of columns and rows, and the right-hand side of a system.
    fn indices(&self, grid: &Grid) -> Vec<Mark> {
        let [left, top] = grid.origin;
        let above = |column: usize| number([grid.middle(0, column)[0], top - 7.5], &column.to_string(), Ink::Weak);
        let before = |row: usize| number([left - 12.0, grid.middle(row, 0)[1]], &row.to_string(), Ink::Weak);
        let right = grid.corners(&[0..0, 0..self.matrix.columns])[1][0] + 1.4 * CELL;
        let behind = |(row, value): (usize, &f64)| number([right, grid.middle(row, 0)[1]], &entry_text(Coef::Real(*value)), Ink::Black);
        let indices = (0..self.matrix.columns).map(above).chain((0..self.matrix.rows).map(before));
        indices.chain(self.right.iter().flatten().enumerate().map(behind)).collect()
    }
}

/// The square cells of a drawn matrix.
struct Grid {
    origin: Position,
    cell: f32,
}

impl Grid {
    /// The corners of a block of rows and columns.
    fn corners(&self, [rows, columns]: &[Range<usize>; 2]) -> [Position; 2] {
        let [left, top] = self.origin;
        [[columns.start, rows.start], [columns.end, rows.end]]
            .map(|[column, row]| [left + self.cell * column as f32, top + self.cell * row as f32])
    }

    fn middle(&self, row: usize, column: usize) -> Position {
        let [left, top] = self.origin;
        [left + self.cell * (column as f32 + 0.5), top + self.cell * (row as f32 + 0.5)]
    }
}

fn number(at: Position, text: &str, ink: Ink) -> Mark {
    Mark::text(at, Anchor::Centre, NUMBER_SIZE, text, ink)
}
