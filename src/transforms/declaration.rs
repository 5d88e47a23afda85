//! What a row of the table declares beside its name: plain data that window, command line, engine and tests read.

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

/// What a transform takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// A signal or an image; in the inverse direction its spectrum.
    Signal,
    /// Two signals of the same length; in every row the second stands behind the first.
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
}

/// What the index of a result counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultIndex {
    /// Frequencies, so that the result has a middle.
    Frequency,
    /// Steps of the sampling interval, under this label.
    Lag(&'static str),
    /// Results without a unit, under this label.
    Number(&'static str),
}
