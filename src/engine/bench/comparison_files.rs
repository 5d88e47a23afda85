//! Filled tables of papers as text for a terminal, CSV, TeX and SVG.

use super::ComparisonTable;
use crate::plot::{Figure, Ink, Mark, TextAnchor, svg};
use std::fmt::Write as _;

/// Height of a row of the drawn table and width of a character, in points.
const ROW: f32 = 18.0;
const CHARACTER: f32 = 6.2;
/// Font size of the drawn table, its margin, and the gap between its columns, in points.
const FONT: f32 = 11.0;
const MARGIN: f32 = 14.0;
const GAP: f32 = 14.0;
/// Characters that a line of a drawn note may have, however narrow the table is.
const LEAST_NOTE: usize = 80;

impl ComparisonTable {
    /// The widths of the columns in characters; a group widens its last column where its heading needs more room.
    pub fn widths(&self) -> Vec<usize> {
        let width = |text: &String| text.chars().count();
        let cells = |column: usize| self.rows.iter().map(move |row| width(&row[column]));
        let mut widths: Vec<usize> =
            (0..self.headings.len()).map(|column| cells(column).max().unwrap_or(0).max(width(&self.headings[column]))).collect();
        let mut first = 0;
        for (heading, n) in &self.groups {
            let room: usize = widths[first..first + n].iter().sum::<usize>() + 2 * (n - 1);
            widths[first + n - 1] += width(heading).saturating_sub(room);
            first += n;
        }
        widths
    }

    /// The table for a terminal.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let mut text = format!("{}\n", self.title);
        let mut first = 0;
        let mut line = String::new();
        for (heading, n) in &self.groups {
            let room = widths[first..first + n].iter().sum::<usize>() + 2 * (n - 1);
            // A heading stands above the right end of its columns, as numbers do.
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
            (heading, n) => format!("\\multicolumn{{{n}}}{{c}}{{{}}}", in_tex(heading)),
        });
        let mut line =
            |cells: Vec<String>, rule: &str| writeln!(text, "{} \\\\{rule}", cells.join(" & ")).expect("a String takes any text");
        line(groups.collect(), "");
        line(self.headings.iter().map(|cell| in_tex(cell)).collect(), " \\midrule");
        self.rows.iter().for_each(|row| line(row.iter().map(|cell| in_tex(cell)).collect(), ""));
        text += "\\bottomrule\n\\end{tabular}\n";
        self.notes.iter().for_each(|note| text += &format!("% {note}\n"));
        text
    }

    /// The table as a figure.
    fn figure(&self, top: f32) -> (Vec<Mark>, [f32; 2]) {
        let widths: Vec<f32> = self.widths().iter().map(|width| *width as f32 * CHARACTER + GAP).collect();
        let whole: f32 = widths.iter().sum();
        let left = |column: usize| MARGIN + widths[..column].iter().sum::<f32>();
        let mut marks = Vec::new();
        let mut put = |x: f32, row: f32, anchor, text: &str, ink| {
            let at = [x, top + (row + 0.5) * ROW];
            marks.push(Mark::Text { at, anchor, size: FONT, text: text.to_owned(), ink, upwards: false });
        };
        put(MARGIN, 0.0, TextAnchor::Left, &self.title, Ink::Text);
        let mut first = 0;
        for (heading, n) in &self.groups {
            put(left(first + n) - GAP, 1.2, TextAnchor::Right, heading, Ink::Text);
            first += n;
        }
        for (index, row) in std::iter::once(&self.headings).chain(&self.rows).enumerate() {
            for (column, cell) in row.iter().enumerate() {
                let ink = if index == 0 || self.headings[column] == "paper" { Ink::Weak } else { Ink::Text };
                let at = 2.2 + index as f32 + if index > 0 { 0.3 } else { 0.0 };
                match column < self.n_names {
                    true => put(left(column), at, TextAnchor::Left, cell, ink),
                    false => put(left(column + 1) - GAP, at, TextAnchor::Right, cell, ink),
                }
            }
        }
        let n = self.rows.len() as f32;
        let room = ((whole / CHARACTER) as usize).max(LEAST_NOTE);
        let notes: Vec<String> = self.notes.iter().flat_map(|note| lines_of(note, room)).collect();
        notes.iter().enumerate().for_each(|(index, note)| put(MARGIN, n + 4.0 + index as f32, TextAnchor::Left, note, Ink::Weak));
        let rule = |row: f32| [[MARGIN, top + row * ROW], [MARGIN + whole - GAP, top + row * ROW]];
        marks.push(Mark::Segments { segments: vec![rule(1.1), rule(3.35), rule(n + 3.7)], ink: Ink::Rule, width: 1.0 });
        let longest = notes.iter().chain([&self.title]).map(|text| text.chars().count()).max().unwrap_or(0);
        let width = (whole - GAP).max(longest as f32 * CHARACTER) + 2.0 * MARGIN;
        (marks, [width, (n + 5.0 + notes.len() as f32) * ROW])
    }
}

/// Tables as CSV, each with a header; several stand below one another, parted by an empty line.
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

/// Tables as a drawing, below one another, as a file.
pub fn tables_as_svg(tables: &[ComparisonTable]) -> String {
    svg(&tables_as_figure(tables), tables.first().map_or("", |table| &table.title))
}

/// Tables as a drawing, below one another.
pub fn tables_as_figure(tables: &[ComparisonTable]) -> Figure {
    let mut figure = Figure { size: [0.0, MARGIN], ..Figure::default() };
    for table in tables {
        let (marks, [width, height]) = table.figure(figure.size[1]);
        figure.marks.extend(marks);
        figure.size = [figure.size[0].max(width), figure.size[1] + height];
    }
    figure
}

/// A text in lines of at most `room` characters, broken at spaces.
fn lines_of(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            *line = word.to_owned();
        } else if line.chars().count() + 1 + word.chars().count() <= room {
            *line += " ";
            *line += word;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// A text with the signs of TeX written out.
fn in_tex(text: &str) -> String {
    let mut out = String::new();
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '^' if signs.peek().is_some_and(char::is_ascii_digit) => {
                let digits: String = std::iter::from_fn(|| signs.next_if(char::is_ascii_digit)).collect();
                out += &format!("$^{{{digits}}}$");
            }
            '×' => out += "$\\times$",
            '–' => out += "--",
            '²' => out += "$^2$",
            '∞' => out += "$\\infty$",
            '^' => out += "\\^{}",
            crate::numerals::SPACE => out += "\\,",
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', sign]),
            _ => out.push(sign),
        }
    }
    out
}
