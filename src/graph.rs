//! The flow graph of a plan, drawn from the very plan that runs: a pure function from a [`Request`] to a [`Drawing`], and the files made of it.
//!
//! This module knows no window, no device and no thread; it computes no transform, and it takes every lane and every coefficient from the plan.

mod geometry;
mod json;
mod labels;
mod layout;
mod names;
mod print;
mod query;
mod sections;
mod svg;
mod taps;
mod text;
mod tikz;

pub use geometry::{Anchor, Point, Rect};
pub use labels::{Label, LabelKind};
pub use layout::{Bundle, Drawing, Frame, Line, PITCH, Rail, Span, Style, Tail, TileFrame, layout};
pub use query::{Addresses, Cone, Node, Term};
pub use text::number;

use crate::plan::{LaneValue, Plan};
use crate::schedule::Schedule;
use std::path::Path;

/// What is to be drawn; a drawing is a function of its request, so that equal requests share one.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The plan.
    pub plan: Plan,
    /// How it is cut into launches.
    pub schedule: Schedule,
    /// What stands around it.
    pub options: Options,
}

/// What stands around the plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// The transform's name in the table, as `dft`.
    pub transform: String,
    /// The algorithm's name in the table, as `stockham-2`.
    pub algorithm: String,
    /// The heading of files that have one.
    pub title: String,
    /// Whether the indices of inputs and outputs are also written with binary digits.
    pub binary: bool,
}

/// The kinds of file that a flow graph becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum Format {
    /// A picture, black on white.
    Svg,
    /// The same picture for LaTeX.
    Tikz,
    /// The plan as data.
    Json,
}

/// Why there is no such file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A file name whose ending says nothing.
    #[error("'{path}' names no kind of flow graph: end it with .svg, .tex or .json")]
    Ending {
        /// The file name.
        path: String,
    },
    /// Too much for a page.
    #[error("a picture of {lanes} lanes is not readable: draw at most {MAX_DRAWN_LANES}, or write .json, which takes any number")]
    Lanes {
        /// How many lanes were asked for.
        lanes: usize,
    },
    /// Values of another plan.
    #[error("the values do not belong to this plan: it needs {lanes} of them after each of its {stages} stages")]
    Values {
        /// Lanes of the plan.
        lanes: usize,
        /// Stages of the plan.
        stages: usize,
    },
}

/// The most lanes that a picture shows.
pub const MAX_DRAWN_LANES: usize = 256;

impl Format {
    /// The kind that the file name's ending says.
    ///
    /// # Errors
    /// When the ending is none of `.svg`, `.tex` and `.json`.
    pub fn of(path: &Path) -> Result<Self, GraphError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("tex") => Ok(Self::Tikz),
            Some("json") => Ok(Self::Json),
            _ => Err(GraphError::Ending { path: path.display().to_string() }),
        }
    }

    /// The ending of its file names, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Tikz => "tex",
            Self::Json => "json",
        }
    }

    /// The name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "SVG",
            Self::Tikz => "TikZ",
            Self::Json => "JSON",
        }
    }
}

/// The text of a file of this kind; `values[k][lane]` are the values after stage k, and only JSON holds them.
///
/// # Errors
/// When a picture would have more than [`MAX_DRAWN_LANES`] lanes, or when the values do not fit the plan.
pub fn export(format: Format, request: &Request, values: Option<&[Vec<LaneValue>]>) -> Result<String, GraphError> {
    let lanes = request.plan.lanes;
    match format {
        Format::Json => json::write(request, values),
        _ if lanes > MAX_DRAWN_LANES => Err(GraphError::Lanes { lanes }),
        Format::Svg => Ok(svg::write(&layout(request.clone()))),
        Format::Tikz => Ok(tikz::write(&layout(request.clone()))),
    }
}
