//! The sheets of a handout: texts, graphs and tables one below the other, each whole on one sheet.

use super::super::geometry::{Point, Rect};
use super::super::print::{pen, words};
use crate::figure::{Anchor, Figure, Mark, PaperSize, text_width, wrapped};

/// Height of a line, relative to the size of its text.
pub(super) const LINE: f32 = 1.45;
pub(super) const TEXT_SIZE: f32 = 10.0;
/// The edge of a sheet that stays free, in points.
const MARGIN: f32 = 42.0;
/// Space between parts of the page.
pub(super) const GAP: f32 = 14.0;
/// Space between the columns of a table.
const COLUMN_GAP: f32 = 10.0;
/// Length of the ends of a bracket around a matrix, and line width, in points.
const BRACKET: f32 = 4.0;
const BRACKET_WIDTH: f32 = 0.8;
/// A graph is broken into at most this many rows.
const MOST_ROWS: usize = 4;
/// The rest of a sheet serves a graph if it has this share of a whole one; otherwise the graph has a sheet of its own.
const ENOUGH: f32 = 0.7;
/// Marks within this distance of a cut belong to it, in points.
const NEAR: f32 = 3.0;

/// Marks and the box that holds them.
pub(super) struct Block {
    pub marks: Vec<Mark>,
    pub bounds: Rect,
}

impl Block {
    fn text(&mut self, at: Point, size: f32, text: &str) {
        self.bounds = self.bounds.union(Rect::of_text(at, Anchor::Left, text_width(text, size), size));
        self.marks.push(words(at, Anchor::Left, size, text));
    }

    /// A heading, and rows of cells below it, in brackets where they are a matrix; every column is as wide as its widest cell.
    pub(super) fn table(heading: &str, rows: &[Vec<String>], is_matrix: bool) -> Self {
        let top = Point::new(0.0, 0.0);
        let mut block = Self { marks: Vec::new(), bounds: Rect::new(top, top) };
        block.text(top, TEXT_SIZE + 1.0, heading);
        let (first, height) = (LINE * (TEXT_SIZE + 1.0), LINE * TEXT_SIZE);
        let mut x = if is_matrix { COLUMN_GAP } else { 0.0 };
        for column in 0..rows.first().map_or(0, Vec::len) {
            let widest = rows.iter().map(|row| text_width(&row[column], TEXT_SIZE)).fold(0.0, f32::max);
            for (index, row) in rows.iter().enumerate() {
                block.text(Point::new(x, first + index as f32 * height), TEXT_SIZE, &row[column]);
            }
            x += widest + COLUMN_GAP;
        }
        if is_matrix {
            let (above, below) = (first - height / 2.0, first + (rows.len() as f32 - 0.5) * height);
            for (x, inwards) in [(0.0, BRACKET), (x, -BRACKET)] {
                let corners = [[x + inwards, above], [x, above], [x, below], [x + inwards, below]];
                block.bounds = block.bounds.union(Rect::new(Point::new(x, above), Point::new(x, below)));
                block.marks.push(Mark::line(corners, pen(BRACKET_WIDTH)));
            }
        }
        block
    }

    /// The block in as many rows, cut at some of these places, as leave it largest in a room of this width and height.
    pub(super) fn in_rows(self, cuts: &[f32], [width, height]: [f32; 2]) -> Vec<Self> {
        let Rect { min, max } = self.bounds;
        let ends = |n: usize| {
            let near = |at: f32| cuts.iter().copied().min_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs()));
            let inner = (1..n).filter_map(|row| near(min.x + row as f32 * self.bounds.width() / n as f32));
            std::iter::once(min.x).chain(inner).chain([max.x]).collect::<Vec<_>>()
        };
        let scale = |ends: &[f32]| {
            let widest = ends.windows(2).map(|row| row[1] - row[0] + 2.0 * NEAR).fold(0.0, f32::max);
            let rows = (ends.len() - 1) as f32;
            (width / widest).min((height / rows - GAP) / self.bounds.height()).min(1.0)
        };
        let is_cut = |ends: &Vec<f32>| ends.windows(2).all(|row| row[1] > row[0]);
        // Of several numbers of rows that serve as well, the smallest is taken.
        let choices = (1..=MOST_ROWS).rev().map(ends).filter(is_cut);
        let Some(ends) = choices.max_by(|a, b| scale(a).total_cmp(&scale(b))) else { return vec![self] };
        let scale = scale(&ends);
        let row = |row: &[f32]| {
            let [from, to] = [row[0] - NEAR, row[1] + NEAR];
            let marks = self.marks.iter().filter_map(|mark| mark.clone().between([from, to])).map(|mark| mark.scaled(scale));
            let marks = marks.map(|mark| mark.placed(|[x, y]| [scale * x, scale * y])).collect();
            let [least, most] = [Point::new(from, min.y), Point::new(to, max.y)].map(|at| Point::new(scale * at.x, scale * at.y));
            Self { marks, bounds: Rect::new(least, most) }
        };
        ends.windows(2).map(row).collect()
    }
}

/// Sheets that are filled from above.
pub(super) struct Sheets {
    paper: PaperSize,
    marks: Vec<Mark>,
    n: usize,
    /// Where the next part begins, from the top of the first sheet on.
    y: f32,
}

impl Sheets {
    pub(super) fn new(paper: PaperSize) -> Self {
        Self { paper, marks: Vec::new(), n: 1, y: MARGIN }
    }

    /// Width and height of what is left of this sheet above `below` lines of text, or of a whole sheet where much less is left.
    pub(super) fn room(&self, below: usize) -> [f32; 2] {
        let ([width, height], text) = (self.paper.size(), below as f32 * LINE * TEXT_SIZE + 2.0 * GAP);
        let [left, whole] = [self.n as f32 * height - MARGIN - self.y, height - 2.0 * MARGIN].map(|height| height - text);
        [width - 2.0 * MARGIN, if left > ENOUGH * whole { left } else { whole }]
    }

    pub(super) fn gap(&mut self) {
        self.y += GAP;
    }

    /// Begins another sheet where this one has less room left.
    fn needs(&mut self, height: f32) {
        let sheet = self.paper.size()[1];
        if self.y + height > self.n as f32 * sheet - MARGIN {
            self.y = self.n as f32 * sheet + MARGIN;
            self.n += 1;
        }
    }

    /// A text, broken into lines.
    pub(super) fn lines(&self, text: &str, size: f32) -> Vec<String> {
        wrapped(text, size, self.paper.size()[0] - 2.0 * MARGIN)
    }

    /// Writes a text, broken into lines.
    pub(super) fn paragraph(&mut self, text: &str, size: f32) {
        for line in self.lines(text, size) {
            self.needs(LINE * size);
            self.marks.push(words(Point::new(MARGIN, self.y + LINE * size / 2.0), Anchor::Left, size, &line));
            self.y += LINE * size;
        }
    }

    /// Places a block, made smaller where a sheet does not hold it.
    pub(super) fn block(&mut self, Block { marks, bounds }: Block) {
        let [width, height] = self.paper.size();
        let height = height - 2.0 * MARGIN;
        let scale = ((width - 2.0 * MARGIN) / bounds.width()).min((height - GAP) / bounds.height()).min(1.0);
        self.gap();
        self.needs(scale * bounds.height());
        let to = |[x, y]: [f32; 2]| [scale * (x - bounds.min.x) + MARGIN, scale * (y - bounds.min.y) + self.y];
        self.marks.extend(marks.into_iter().map(|mark| mark.scaled(scale).placed(to)));
        self.y += scale * bounds.height();
    }

    /// The sheets below each other.
    pub(super) fn figure(self, title: &str) -> Figure {
        let [width, height] = self.paper.size();
        Figure { size: [width, self.n as f32 * height], title: title.into(), marks: self.marks, sheets: self.n }
    }
}
