//! The declarations of a row of the table besides its name: plain data that window, command line, engine and tests read.

use super::Transform;
use crate::plan::Direction;
use std::borrow::Cow;

/// A group of transforms in menus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Sums over the powers of a root of unity.
    Fourier,
    /// Transforms of Boolean and integer functions.
    SpectralLogic,
    /// Low-pass and high-pass halves, level after level.
    Wavelets,
    /// Products of a signal with another one, or with itself.
    Convolution,
    /// Systems of equations.
    Equations,
}

impl Family {
    /// The title in the window.
    pub fn title(self) -> &'static str {
        match self {
            Self::Fourier => "Fourier",
            Self::SpectralLogic => "Spectral logic",
            Self::Wavelets => "Wavelets",
            Self::Convolution => "Convolution",
            Self::Equations => "Equations",
        }
    }
}

/// The input of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// A signal or an image; in the inverse direction its spectrum.
    Signal,
    /// Two signals of the same length; in every row the second is behind the first.
    TwoSignals,
    /// The equations of a tridiagonal system, one row (a, b, c, d) for each unknown.
    Equations,
}

/// Which numbers a transform takes or gives in the forward direction; the inverse gives what the forward direction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// Real or complex numbers: the result is real where the samples are.
    Any,
    /// Complex numbers, real ones among them.
    Complex,
    /// Real numbers only, even where the lanes of the plan are complex.
    Real,
    /// The first N/2 + 1 values (integer division) of the complex spectrum of N real samples, which determine the others.
    HalfSpectrum,
    /// Integers modulo 2.
    Bits,
    /// Integers modulo a prime.
    Residues,
}

/// The meaning of the index of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultIndex {
    /// Frequencies, so that the result has a middle.
    Frequency,
    /// Steps of the sampling interval, under this label.
    Lag(&'static str),
    /// Results without a unit, under this label.
    Number(&'static str),
}

impl Numbers {
    /// Whether the values are complex, whatever the samples are.
    pub fn is_complex(self) -> bool {
        matches!(self, Self::Complex | Self::HalfSpectrum)
    }
}

/// The schedules that the plan of an algorithm supports besides tiles and a launch per stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedules {
    /// The schedule that is taken unless the user asks for another one.
    pub usual: ScheduleKind,
    /// How the plan is cut into split sections and merge sections.
    pub sections: Sections,
    /// The most levels that a launch takes in overlapped tiles; `None` without such tiles.
    pub overlapped_levels: Option<usize>,
}

/// A kind of schedule: how a plan is cut into launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleKind {
    /// As few launches as tiles in workgroup memory allow.
    Tiles,
    /// A launch per stage, in global memory.
    Stages,
    /// A launch for the stages that fit a block of consecutive lanes, and one for every other stage.
    Blocks,
    /// A launch for what tiles finish alone in some levels, and a launch for the rest at their boundaries.
    Sections,
    /// A launch for some levels, in tiles that recompute the halo that they need of their neighbours.
    Overlapped,
}

/// How a plan is cut into split sections and merge sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sections {
    /// Not at all.
    None,
    /// Along lines; rows and columns of an image one after the other.
    Lines,
    /// Along lines, or both axes of an image at once in squares.
    Squares,
}

impl Schedules {
    /// Tiles and a launch per stage only.
    pub const TILES: Self = Self { usual: ScheduleKind::Tiles, sections: Sections::None, overlapped_levels: None };

    /// The same schedules with another usual one.
    pub(super) const fn by(self, usual: ScheduleKind) -> Self {
        Self { usual, ..self }
    }

    /// Whether sections can be asked for in place of tiles.
    pub fn offer_sections(self) -> bool {
        self.usual == ScheduleKind::Tiles && self.sections != Sections::None
    }
}

impl Transform {
    /// The formula of a direction.
    pub fn formula_of(&self, direction: Direction) -> Cow<'static, str> {
        match (direction, self.inverse_formula) {
            (Direction::Forward, _) => self.formula.into(),
            (Direction::Inverse, Some(formula)) => formula.into(),
            (Direction::Inverse, None) => format!("the inverse of {}", self.formula).into(),
        }
    }
}
