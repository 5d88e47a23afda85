//! WGSL that is written line by line: the body of a function.

use crate::plan::Precision;
use std::fmt::Write as _;

/// Lines of a function's body.
pub(super) struct WgslBody {
    text: String,
}

impl WgslBody {
    pub(super) fn new(_: Precision) -> Self {
        Self { text: String::new() }
    }

    /// Writing into a string cannot fail.
    pub(super) fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "    {text}");
    }

    /// What was written.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

pub(super) fn literal(value: f64, precision: Precision) -> String {
    match precision {
        Precision::Single => format!("{:?}f", value as f32),
        Precision::Double => format!("{value:?}lf"),
    }
}
