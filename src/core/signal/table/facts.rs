//! How a file is read: the decisions that a person can take, the columns of a table, and the decisions that were taken.

use crate::remedy::{Remedies, Remedy};
use crate::signal::raw_format::RawFormat;
use std::fmt;
use std::num::NonZeroUsize;

/// The decisions of a person about how a file is read. By default its content decides everything.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ReadOptions {
    /// How samples without a header are stored; `None` where the content says it, or the ending.
    pub raw: Option<RawFormat>,
    /// The column that gives the axis.
    pub time: TimeChoice,
    /// Whether rows are samples or signals.
    pub layout: Layout,
    /// How uneven steps of the axis are treated; `None` keeps the samples as they are, with their positions.
    pub uneven: Option<Uneven>,
    /// How missing values are treated.
    pub missing: Missing,
    /// Numbers that stand for missing values, such as −9999.
    pub missing_codes: Vec<f64>,
    /// The sign before the fractions of numbers; `None` where the content says it.
    pub decimal: Option<DecimalMark>,
    /// Columns of numbers that are not channels, by their names.
    pub left_out: Vec<String>,
    /// Whether numbers without names in a few long columns are channels, and not an image or signals in rows.
    pub prefers_tables: bool,
    /// The page, slice or frame of a file that has several, from 1; `None` takes the first.
    pub page: Option<NonZeroUsize>,
    /// Whether rows and columns of an image stay as the file stores them, where it asks to turn them upright.
    pub as_stored: bool,
}

/// Which column gives the positions of the samples.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub enum TimeChoice {
    /// The column that looks like times, if there is one.
    #[default]
    Auto,
    /// None: a column of times that are numbers is a channel like the others.
    None,
    /// The samples are counted; the column of times is left out.
    Index,
    /// The column of this name, or of this number from 1.
    Column(String),
}

/// The meaning of the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Layout {
    /// The names and the number of the columns decide.
    #[default]
    Auto,
    /// Every row is a signal of its own.
    Batch,
    /// Every column is a channel, also where none has a name.
    Columns,
    /// Numbers in rows, of which none is a time and none may be missing: systems of equations and Boolean functions.
    Matrix,
}

crate::choice! {
    /// How uneven steps of the axis are treated.
    pub enum Uneven {
        /// The samples are taken as if they followed each other evenly.
        Even = "Take them as even", "even";
        /// Straight lines between the samples are sampled evenly.
        Linear = "Resample along straight lines", "linear";
        /// A smooth curve through the samples is sampled evenly.
        Cubic = "Resample along a smooth curve", "cubic";
        /// The table is refused.
        #[default]
        Refuse = "Refuse the table", "refuse";
    }
}

crate::choice! {
    /// The sign before the fraction of a number.
    pub enum DecimalMark {
        /// A point, as in 1.5; commas separate thousands.
        #[default]
        Point = "Point", "point";
        /// A comma, as in 1,5; points separate thousands.
        Comma = "Comma", "comma";
    }
}

crate::choice! {
    /// How missing values are treated.
    pub enum Missing {
        /// Straight lines between the neighbours take their places.
        #[default]
        Interpolate = "Interpolate", "interpolate";
        /// The table is refused.
        Refuse = "Refuse the table", "refuse";
    }
}

/// The content of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers: a channel.
    Number,
    /// Times or positions, of which one column gives the axis.
    Time,
    /// Numbers that only count the rows.
    Index,
    /// Text, which is left out.
    Text,
}

/// A column, as a person chooses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnFacts {
    /// The name in the header, where there may be none; "column 3" in a table without a header.
    pub name: String,
    /// The unit of its values, where the name or a row below it says one.
    pub unit: Option<String>,
    /// Its content.
    pub kind: ColumnKind,
    /// The channel that it became.
    pub channel: Option<usize>,
}

/// The content of a table and the decisions about it, for the person who chooses.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFacts {
    /// All columns, also those that are not channels.
    pub columns: Vec<ColumnFacts>,
    /// The column that gives the axis.
    pub time: Option<usize>,
    /// The first rows as the file writes them.
    pub first_rows: Vec<Vec<String>>,
    /// The options with which it was read.
    pub options: ReadOptions,
    /// Whether every row is a signal of its own, so that there is neither an axis nor a channel to choose.
    pub rows_are_signals: bool,
}

/// Something that was decided or changed when a file was read, and how to read it otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// One sentence, with its full stop.
    pub text: String,
    /// The other readings; none where nothing was decided.
    pub others: Vec<Remedy>,
}

impl TableFacts {
    /// The mark of tables with the same columns, by which decisions are remembered for them.
    pub fn header(&self) -> String {
        self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join("\t")
    }
}

impl ColumnFacts {
    /// The text by which a person chooses the column at `index`: its name, or its number from 1 where it has none.
    pub fn choice(&self, index: usize) -> String {
        if self.name.is_empty() { (index + 1).to_string() } else { self.name.clone() }
    }
}

impl Note {
    /// A sentence, whose full stop may be left out, and the other readings.
    pub(crate) fn new(text: impl Into<String>, others: impl Into<Vec<Remedy>>) -> Self {
        let mut text = text.into();
        if !text.ends_with('.') {
            text.push('.');
        }
        Self { text, others: others.into() }
    }
}

impl<T: Into<String>> From<T> for Note {
    fn from(text: T) -> Self {
        Self::new(text, [])
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end_matches('.'))
    }
}

impl Remedies for Note {
    fn remedies(&self) -> Vec<Remedy> {
        self.others.clone()
    }
}
