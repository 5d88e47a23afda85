//! Figures as data: a [`Figure`] is a size, a title and marks. One writer for each [`FigureFormat`] makes a file of it, and the window paints the same marks.
//!
//! Plots, flow graphs, matrices, memory figures, tables and handouts are laid out as figures, so each of them has all formats.
//! This module knows neither the window nor devices, and not what the marks mean.

mod ink;
mod mark;
mod page_font;
mod paper;
mod pdf;
mod png;
mod svg;
mod text;
mod tikz;

pub use ink::{Ink, Series};
pub use mark::{Anchor, Mark, Pen, Position, Raster, Symbol, SymbolShape};
pub use paper::PaperSize;
pub use text::{PlacedRun, Script, fitted, placed_runs, script_runs, subscript, superscript, text_width, wrapped};
pub use tikz::latex;

use std::path::Path;
use strum::IntoEnumIterator as _;

/// Marks on a sheet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figure {
    /// Width and height in points.
    pub size: [f32; 2],
    /// The name that the file gives it; drawn only where a mark does.
    pub title: String,
    /// The marks from back to front, in points from the upper left corner.
    pub marks: Vec<Mark>,
    /// The number of equal sheets that lie below each other; formats that have pages give each of them one.
    pub sheets: usize,
}

/// A file format of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumIter)]
pub enum FigureFormat {
    /// Vectors for browsers and drawing programs.
    Svg,
    /// The same with texts as outlines, for programs that lack the font; no text can be searched or edited then.
    SvgPaths,
    /// A picture for LaTeX.
    Tikz,
    /// A page.
    Pdf,
    /// Pixels.
    Png,
}

/// The function that makes a file of a figure.
type Writer = fn(&Figure) -> Result<Vec<u8>, FigureError>;

impl FigureFormat {
    /// The name in menus, the ending of file names, and the writer: a format is a line here.
    fn row(self) -> (&'static str, &'static str, Writer) {
        match self {
            Self::Svg => ("SVG", "svg", svg::write),
            Self::SvgPaths => ("SVG, texts as paths", "paths.svg", svg::write_paths),
            Self::Tikz => ("TikZ", "tex", tikz::write),
            Self::Pdf => ("PDF", "pdf", pdf::write),
            Self::Png => ("PNG", "png", png::write),
        }
    }

    /// The name in menus.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The ending of its file names, without the dot.
    pub fn ending(self) -> &'static str {
        self.row().1
    }

    /// The ending of its file names where `.tex` means something else, as for a matrix, which is a formula there.
    pub fn ending_beside_tex(self) -> &'static str {
        if self == Self::Tikz { "tikz" } else { self.ending() }
    }

    /// The format that the ending of a file name selects, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let has = |ending: &str| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.'));
        let named = Self::iter().filter(|format| has(format.ending()) || has(format.ending_beside_tex()));
        // `.paths.svg` ends as `.svg` does.
        named.max_by_key(|format| format.ending().len())
    }

    /// The endings of all formats.
    pub fn endings() -> Vec<&'static str> {
        Self::iter().map(Self::ending).collect()
    }
}

/// Why a figure has no file of a format.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FigureError {
    /// The figure has too many pixels.
    #[error("a figure of {width} × {height} points is too large: its sides are at most {} points", png::LONGEST / png::PIXELS)]
    Size {
        /// Width in points.
        width: f32,
        /// Height in points.
        height: f32,
    },
    /// TikZ draws each pixel of an image, so it takes only small ones.
    #[error("TikZ holds no image of {columns} × {rows} pixels: write .pdf, which LaTeX includes")]
    Image {
        /// Pixels across.
        columns: usize,
        /// Pixels down.
        rows: usize,
    },
}

impl Figure {
    /// The marks within a box, from its upper left to its lower right corner.
    pub fn within([[left, top], [right, bottom]]: [Position; 2], title: &str, marks: Vec<Mark>) -> Self {
        let marks = marks.into_iter().map(|mark| mark.placed(|[x, y]| [x - left, y - top])).collect();
        Self { size: [right - left, bottom - top], title: title.into(), marks, sheets: 1 }
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When the format does not hold the figure.
    pub fn bytes(&self, format: FigureFormat) -> Result<Vec<u8>, FigureError> {
        let (_, _, write) = format.row();
        write(self)
    }

    /// As [`Self::bytes`], for a picture whose size is meant in pixels: a point is one.
    ///
    /// # Errors
    /// When the format does not hold the figure.
    pub fn bytes_in_pixels(&self, format: FigureFormat) -> Result<Vec<u8>, FigureError> {
        if format == FigureFormat::Png { png::write_at(self, 1.0) } else { self.bytes(format) }
    }
}
