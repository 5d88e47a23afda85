//! Errors in the text of a function: one line that points at the position.

/// The reason why a text describes no function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicError {
    /// Where it is wrong; `None` for the whole text.
    pub position: Option<TextPosition>,
    /// The problem there, and its remedy.
    pub problem: String,
}

/// A position in a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPosition {
    /// A character of a line.
    Column(usize),
    /// A line of a file.
    Line(usize),
}

impl LogicError {
    pub(super) fn whole(problem: impl Into<String>) -> Self {
        Self { position: None, problem: problem.into() }
    }

    pub(super) fn column(column: usize, problem: impl Into<String>) -> Self {
        Self { position: Some(TextPosition::Column(column)), problem: problem.into() }
    }

    /// The same error in a text that begins `columns` earlier.
    pub(super) fn shifted(self, columns: usize) -> Self {
        match self.position {
            Some(TextPosition::Column(column)) => Self { position: Some(TextPosition::Column(column + columns)), ..self },
            _ => self,
        }
    }

    pub(super) fn line(line: usize, problem: impl Into<String>) -> Self {
        Self { position: Some(TextPosition::Line(line)), problem: problem.into() }
    }
}

impl std::fmt::Display for LogicError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.position {
            Some(TextPosition::Column(column)) => write!(f, "column {column}: ")?,
            Some(TextPosition::Line(line)) => write!(f, "line {line}: ")?,
            None => {}
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for LogicError {}

/// Quotes a piece of input in a message: on one line, and at most 24 characters.
pub(super) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(24).collect();
    if text.chars().count() > 24 {
        short.push('…');
    }
    format!("“{short}”")
}
