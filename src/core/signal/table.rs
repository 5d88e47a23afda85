//! Tables: columns with names, units and kinds; what a person can decide about them; and what was decided.
//!
//! CSV, TSV and text, record arrays and archives of arrays all become a [`Columns`], and [`assemble()`] makes a signal of it:
//! one column gives the axis, columns of numbers become channels, and columns of text are named and left out.

mod assemble;
mod axis;
mod counters;
mod dates;
mod facts;
mod gaps;
mod names;
mod resample;
mod said;
mod stamp_formats;
mod stamps;
mod steps;
mod values;

pub(super) use assemble::{MOST_CHANNELS, ROUNDED, assemble};
pub use facts::{ColumnFacts, ColumnKind, DecimalMark, Layout, Missing, Note, ReadOptions, TableFacts, TimeChoice, Uneven};
pub(super) use names::{Name, is_imaginary, is_real};
pub use stamp_formats::seconds_of_clock;
pub(super) use stamp_formats::{DAY as DAY_IN_NANOSECONDS, StampFormat, midnight};
pub(super) use stamps::{StampKind, Stamps};
pub(super) use values::{Values, is_rounded};

/// Whether numbers in `n` columns of `length` rows are rather a table than an image.
pub(super) fn is_narrow(length: usize, n: usize) -> bool {
    const MOST: usize = 16;
    const FEWEST_ROWS: usize = 64;
    (2..=MOST).contains(&n) && length >= FEWEST_ROWS.max(10 * n)
}

/// A table as a format reads it, before anything is decided.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The columns, in the order of the file.
    pub columns: Vec<Column>,
    /// Whether the file names the columns.
    pub is_named: bool,
    /// The first rows as the file writes them.
    pub first_rows: Vec<Vec<String>>,
    /// The other texts of the file: titles above its columns, single numbers of an archive.
    pub titles: Vec<String>,
    /// Numbers that stand for missing values, as the file says.
    pub missing_codes: Vec<f64>,
    /// Whether integers were rounded on the way.
    pub is_rounded: bool,
    /// How the format read the cells, where they could mean something else.
    pub notes: Vec<Note>,
}

/// A column as a format reads it.
#[derive(Debug)]
pub(super) struct Column {
    /// Its name; without characters where the header leaves it out.
    pub name: Name,
    /// A value in each row.
    pub cells: Cells,
}

impl Cells {
    /// Number of values, 0 for text.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Stamps(stamps) => stamps.seconds.len(),
            Self::Text => 0,
        }
    }
}

/// The cells of a column.
#[derive(Debug)]
pub(super) enum Cells {
    /// Numbers; NaN where one is missing.
    Numbers(Values),
    /// Dates and times.
    Stamps(Stamps),
    /// Text, of which nothing is kept.
    Text,
}
