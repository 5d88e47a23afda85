//! A request of the window: a job, and the visible part of its result.

use super::Job;
use crate::display::{DisplayFrame, Look, Scale, ValuePart};

/// The visible part of a row of samples or of a 1-D spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlotFrame {
    /// The row of a batch, or the column of a result whose columns were transformed.
    pub row: usize,
    /// First visible position, in samples or bins; positions are shifted when `shifted` says so.
    pub first: f64,
    /// One past the last visible position.
    pub last: f64,
    /// Pixels across.
    pub pixels: usize,
    /// The quantity that is plotted.
    pub quantity: ValuePart,
    /// The scale of the values.
    pub scale: Scale,
    /// Whether bin 0 is at n/2.
    pub shifted: bool,
    /// The position of 0 on a logarithmic axis, which shows only the positions behind it; `None` for a linear axis.
    pub log_origin: Option<f64>,
    /// Whether peaks are looked for.
    pub peaks: bool,
}

impl PlotFrame {
    /// A part of a row of plain values: neither scaled nor shifted, over a linear axis, without peaks.
    pub fn plain(row: usize, [first, last]: [f64; 2], pixels: usize) -> Self {
        let (quantity, scale) = (ValuePart::Real, Scale::Linear);
        Self { row, first, last, pixels, quantity, scale, shifted: false, log_origin: None, peaks: false }
    }

    /// Whether so few values are visible that one thread reduces them in less than a millisecond.
    pub fn has_few_values(&self) -> bool {
        self.last - self.first <= FEW_VALUES
    }
}

/// The most values of a plot that are few.
const FEW_VALUES: f64 = 65_536.0;

/// The visible parts of source and result; `None` for a closed pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VisibleParts {
    /// The colours of spectrum images.
    pub look: Look,
    /// The visible part of the image of the result.
    pub image: Option<DisplayFrame>,
    /// The visible part of the image of the source, always gray and linear.
    pub source: Option<DisplayFrame>,
    /// The visible part of the image of the second signal, shown as that of the source.
    pub second: Option<DisplayFrame>,
    /// The visible part of one row of the result.
    pub line: Option<PlotFrame>,
    /// Index (row, column) of the value that is read exactly, not shifted.
    pub probe: Option<[usize; 2]>,
}

/// A job and the visible part of its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The job.
    pub job: Job,
    /// The visible part of its result.
    pub view: VisibleParts,
}
