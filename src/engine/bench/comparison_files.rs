//! Filled tables of papers as text for a terminal, CSV, TeX and figures.

use super::ComparisonTable;
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, latex, text_width, wrapped};
use std::fmt::Write as _;

/// Height of a row of the drawn table, in points.
const ROW: f32 = 18.0;
/// Font size of the drawn table, its margin, and the gap between its columns, in points.
const FONT: f32 = 11.0;
const MARGIN: f32 = 14.0;
const GAP: f32 = 14.0;
/// Room of the lines of a drawn note, however narrow the table is, in points.
const LEAST_NOTE: f32 = 480.0;

impl ComparisonTable {
    /// The widths of the columns, which `gap` parts; a group widens its last column where its heading needs more room.
    fn widths(&self, width: impl Fn(&str) -> f32, gap: f32) -> Vec<f32> {
        let rows = || std::iter::once(&self.headings).chain(&self.rows);
        let widest = |column: usize| rows().map(|row| width(&row[column])).fold(0.0, f32::max);
        let mut widths: Vec<f32> = (0..self.headings.len()).map(widest).collect();
        let mut first = 0;
        for (heading, n) in &self.groups {
            let room = widths[first..first + n].iter().sum::<f32>() + gap * (n - 1) as f32;
            widths[first + n - 1] += (width(heading) - room).max(0.0);
            first += n;
        }
        widths
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        let n_letters = |text: &str| text.chars().count() as f32;
        let widths: Vec<usize> = self.widths(n_letters, 2.0).into_iter().map(|width| width as usize).collect();
        let mut text = format!("{}\n", self.title);
        let mut first = 0;
        let mut line = String::new();
        for (heading, n) in &self.groups {
            let room = widths[first..first + n].iter().sum::<usize>() + 2 * (n - 1);
            // A heading is above the right end of its columns, as numbers are.
            line += &format!("{heading:>room$}  ");
            first += n;
        }
        text += &format!("{}\n", line.trim_end());
        for row in std::iter::once(&self.headings).chain(&self.rows) {
            let cells = row.iter().enumerate().map(|(column, cell)| match column < self.n_names {
                true => format!("{cell:<0$}", widths[column]),
                false => format!("{cell:>0$}", widths[column]),
            });
            text += &format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        self.notes.iter().for_each(|note| text += &format!("{note}\n"));
        text
    }

    /// The heading of every column in one line: "Tesla M2070, Gflop/s: here".
    fn full_headings(&self) -> Vec<String> {
        let groups = self.groups.iter().flat_map(|(heading, n)| std::iter::repeat_n(heading, *n));
        let joined = |(group, heading): (&String, &String)| if group.is_empty() { heading.clone() } else { format!("{group}: {heading}") };
        groups.zip(&self.headings).map(joined).collect()
    }

    /// The table as TeX, for the package booktabs.
    pub fn tex(&self) -> String {
        let columns: String = (0..self.headings.len()).map(|column| if column < self.n_names { 'l' } else { 'r' }).collect();
        let mut text = format!("% {}\n% needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n", self.title);
        let groups = self.groups.iter().map(|(heading, n)| match (heading.as_str(), n) {
            ("", _) => String::new(),
            (heading, n) => format!("\\multicolumn{{{n}}}{{c}}{{{}}}", latex(heading)),
        });
        let mut line =
            |cells: Vec<String>, rule: &str| writeln!(text, "{} \\\\{rule}", cells.join(" & ")).expect("a String takes any text");
        line(groups.collect(), "");
        line(self.headings.iter().map(|cell| latex(cell)).collect(), " \\midrule");
        self.rows.iter().for_each(|row| line(row.iter().map(|cell| latex(cell)).collect(), ""));
        text += "\\bottomrule\n\\end{tabular}\n";
        self.notes.iter().for_each(|note| text += &format!("% {note}\n"));
        text
    }

    /// The table as a figure.
    fn figure(&self, top: f32) -> (Vec<Mark>, [f32; 2]) {
        let widths: Vec<f32> = self.widths(|text| text_width(text, FONT), GAP).into_iter().map(|width| width + GAP).collect();
        let whole: f32 = widths.iter().sum();
        let left = |column: usize| MARGIN + widths[..column].iter().sum::<f32>();
        let mut marks = Vec::new();
        let mut put = |x: f32, row: f32, anchor, text: &str, ink| {
            marks.push(Mark::text([x, top + (row + 0.5) * ROW], anchor, FONT, text, ink));
        };
        put(MARGIN, 0.0, Anchor::Left, &self.title, Ink::Text);
        let mut first = 0;
        for (heading, n) in &self.groups {
            put(left(first + n) - GAP, 1.2, Anchor::Right, heading, Ink::Text);
            first += n;
        }
        for (index, row) in std::iter::once(&self.headings).chain(&self.rows).enumerate() {
            for (column, cell) in row.iter().enumerate() {
                let ink = if index == 0 || self.headings[column] == "paper" { Ink::Weak } else { Ink::Text };
                let at = 2.2 + index as f32 + if index > 0 { 0.3 } else { 0.0 };
                match column < self.n_names {
                    true => put(left(column), at, Anchor::Left, cell, ink),
                    false => put(left(column + 1) - GAP, at, Anchor::Right, cell, ink),
                }
            }
        }
        let n = self.rows.len() as f32;
        let notes: Vec<String> = self.notes.iter().flat_map(|note| wrapped(note, FONT, whole.max(LEAST_NOTE))).collect();
        notes.iter().enumerate().for_each(|(index, note)| put(MARGIN, n + 4.0 + index as f32, Anchor::Left, note, Ink::Weak));
        let rule = |row: f32| vec![[MARGIN, top + row * ROW], [MARGIN + whole - GAP, top + row * ROW]];
        marks.push(Mark::Lines { lines: [1.1, 3.35, n + 3.7].map(rule).into(), pen: Pen::solid(Ink::Rule, 1.0) });
        let longest = notes.iter().chain([&self.title]).map(|text| text_width(text, FONT)).fold(0.0, f32::max);
        let width = (whole - GAP).max(longest) + 2.0 * MARGIN;
        (marks, [width, (n + 5.0 + notes.len() as f32) * ROW])
    }
}

/// Tables as CSV, each with a header; several are below one another, parted by an empty line.
pub fn tables_as_csv(tables: &[ComparisonTable]) -> String {
    let one = |table: &ComparisonTable| {
        let mut out = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&table.full_headings()).chain(&table.rows) {
            out.write_record(row).expect("every row has a cell for each column");
        }
        String::from_utf8(out.into_inner().expect("a list takes any number of bytes")).expect("texts are text")
    };
    tables.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// Tables as TeX.
pub fn tables_as_tex(tables: &[ComparisonTable]) -> String {
    tables.iter().map(ComparisonTable::tex).collect::<Vec<_>>().join("\n")
}

/// Tables as a drawing, below one another.
pub fn tables_as_figure(tables: &[ComparisonTable]) -> Figure {
    let title = tables.first().map_or_else(String::new, |table| table.title.clone());
    let mut figure = Figure { size: [0.0, MARGIN], title, marks: Vec::new(), sheets: 1 };
    for table in tables {
        let (marks, [width, height]) = table.figure(figure.size[1]);
        figure.marks.extend(marks);
        figure.size = [figure.size[0].max(width), figure.size[1] + height];
    }
    figure
}
