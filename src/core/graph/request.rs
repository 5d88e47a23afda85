//! The request for a flow graph: the plan, its schedule, texts, the file format; and the errors.

use super::arrangement::has_in_place_layout;
use super::trapezoids::trapezoids;
use crate::figure::{FigureError, FigureFormat};
use crate::plan::{Plan, Stage};
use crate::remedy::ending_list;
use crate::schedule::Schedule;
use std::path::Path;
use strum::IntoEnumIterator as _;

/// The most lanes that an SVG, TikZ or PDF drawing shows.
pub const MAX_DRAWN_LANES: usize = 1024;

/// The most lanes of a graph on a handout, which has a row for each.
pub(super) const MAX_PAGE_LANES: usize = 64;

/// The largest file of data. A reader or a browser takes a multiple of it.
pub const MOST_DATA_BYTES: usize = 256 << 20;
/// Bytes of an edge in the largest format, and in memory while it is written.
const BYTES_PER_EDGE: usize = 160;

/// The bytes that a plan takes as data, about.
pub fn data_bytes(plan: &Plan) -> usize {
    let of_stage = |stage: &Stage| {
        let matrix = stage.matrix();
        stage.n_butterflies().saturating_mul(matrix.rows * matrix.taps)
    };
    let carried = plan.lanes.saturating_mul(plan.stages.len() + 1);
    plan.stages.iter().map(of_stage).fold(carried, usize::saturating_add).saturating_mul(BYTES_PER_EDGE)
}

/// Everything that a drawing depends on: equal requests give equal drawings.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphRequest {
    /// The plan to draw.
    pub plan: Plan,
    /// How the plan is cut into launches.
    pub schedule: Schedule,
    /// Names and texts around the plan.
    pub options: GraphOptions,
}

/// Names and texts around a plan; the default has none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GraphOptions {
    /// The transform's name in the table, such as `dft`.
    pub transform: String,
    /// The algorithm's name in the table, such as `stockham-2`.
    pub algorithm: String,
    /// The heading of drawings; an empty one is left out.
    pub title: String,
    /// Whether the indices of inputs and outputs are also written in binary.
    pub binary: bool,
    /// Whether launches and stages are drawn.
    pub style: GraphStyle,
    /// Whether a permutation at the end is left out, so that the results are named on the lanes where they arise.
    pub fold: bool,
    /// Where results are.
    pub layout: GraphLayout,
    /// The run that a miniature stands for.
    pub original: Option<Original>,
    /// Whether every column has room for values beside its nodes.
    pub has_values: bool,
}

/// The note of a miniature on its run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// The indices of the last input and of the last result.
    pub last: [usize; 2],
    /// The number of workgroups of every launch, or of its butterflies without tiles.
    pub n_tiles: Vec<usize>,
}

/// The parts of a drawing around its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter)]
pub enum GraphStyle {
    /// Launches, tiles, the names of stages, and a legend of lines.
    #[default]
    Launches,
    /// The graph alone, as textbooks print it.
    Plain,
}

/// Where results are in a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumIter, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphLayout {
    /// On the lanes of the plan.
    #[default]
    Plan,
    /// Where their butterflies have read, with a permutation at the end, where the plan can be drawn so.
    InPlace,
    /// Not at all: the sections of split and merge as trapezoids, where the schedule has some.
    Sections,
}

/// A file format of flow graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GraphFormat {
    /// A drawing, black on white with coloured sections.
    Drawing(FigureFormat),
    /// The plan as data.
    Json,
}

impl From<FigureFormat> for GraphFormat {
    fn from(format: FigureFormat) -> Self {
        Self::Drawing(format)
    }
}

/// Why a flow graph cannot be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// The ending of the file name belongs to no format.
    #[error("'{path}' names no kind of flow graph: end it with {}", ending_list(&GraphFormat::endings()))]
    Ending {
        /// The file name.
        path: String,
    },
    /// The plan has more lanes than a drawing or a handout shows.
    #[error("a drawing of {lanes} lanes is not readable: draw at most {most}, or write .json, which takes any number")]
    Lanes {
        /// Lanes of the plan.
        lanes: usize,
        /// The most lanes of this drawing.
        most: usize,
    },
    /// The format does not hold the drawing.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The values belong to another plan.
    #[error("the values do not belong to this plan: it needs {lanes} of them after each of its {stages} stages")]
    Values {
        /// Lanes of the plan.
        lanes: usize,
        /// Stages of the plan.
        stages: usize,
    },
}

impl GraphStyle {
    /// The name on the command line and in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Launches => "launches",
            Self::Plain => "plain",
        }
    }
}

impl GraphLayout {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::InPlace => "in-place",
            Self::Sections => "sections",
        }
    }

    /// Whether a plan with its schedule can be drawn so.
    pub fn suits(self, plan: &Plan, schedule: &Schedule) -> bool {
        match self {
            Self::Plan => true,
            Self::InPlace => has_in_place_layout(plan),
            Self::Sections => trapezoids(plan, schedule).is_some(),
        }
    }
}

impl GraphFormat {
    /// All formats, those of drawings first.
    pub fn all() -> impl Iterator<Item = Self> {
        FigureFormat::iter().map(Self::Drawing).chain([Self::Json])
    }

    /// The endings of all formats.
    pub fn endings() -> Vec<&'static str> {
        Self::all().map(Self::ending).collect()
    }

    /// The format that the ending of a file name selects, in upper or lower case.
    ///
    /// # Errors
    /// When the ending belongs to no format.
    pub fn from_path(path: &Path) -> Result<Self, GraphError> {
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let found = if is_json { Some(Self::Json) } else { FigureFormat::from_path(path).map(Self::Drawing) };
        found.ok_or_else(|| GraphError::Ending { path: path.display().to_string() })
    }

    /// The ending of its file names, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Drawing(format) => format.ending(),
            Self::Json => "json",
        }
    }

    /// The name in menus.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drawing(format) => format.name(),
            Self::Json => "JSON",
        }
    }
}
