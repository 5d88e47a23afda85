//! What the window asks of the engine: a job, and the part of its result that is visible.

use super::Job;
use crate::display::{Frame, Look, Quantity, Scale};

/// The visible part of a line of samples or of a 1-D spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineFrame {
    /// Which row of a batch, or of a result which column, where columns were transformed.
    pub row: usize,
    /// First visible position, in samples or bins; positions are shifted when `shifted` says so.
    pub first: f64,
    /// One past the last visible position.
    pub last: f64,
    /// Pixels across.
    pub pixels: usize,
    /// What of the value is plotted.
    pub quantity: Quantity,
    /// How it is scaled.
    pub scale: Scale,
    /// Whether bin 0 stands at n/2.
    pub shifted: bool,
}

/// What of the result is visible; `None` where a pane is closed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// How spectrum pictures are coloured.
    pub look: Look,
    /// The visible part of the picture of the result.
    pub picture: Option<Frame>,
    /// The visible part of the picture of the source, always gray and linear.
    pub source: Option<Frame>,
    /// The visible part of one row of the result.
    pub line: Option<LineFrame>,
    /// The visible part of one row of the source.
    pub source_line: Option<LineFrame>,
    /// The same of the second signal of a convolution.
    pub second_line: Option<LineFrame>,
    /// Index (row, column) of the result, not shifted, whose exact value is wanted.
    pub probe: Option<[usize; 2]>,
}

/// What to compute and what to show of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What is to be computed.
    pub job: Job,
    /// What of the result is visible.
    pub view: View,
}
