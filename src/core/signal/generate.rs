//! Signals and images from a formula, for the window, the command line and the tests.
//!
//! A generator is data, so that a session can keep it. Signals swing about 0; images lie in 0..=1.
//! The same parameters always give the same samples, noise included.

mod boolean;
mod images;
mod polynomial;
mod random;
mod signals;
mod systems;
mod text;
mod typed;

pub use boolean::{Boolean, LogicReading};
pub use images::{Checkerboard, Grating, Gratings, NoiseImage, ZonePlate};
pub use polynomial::Polynomial;
pub use random::Distribution;
pub use signals::{Chirp, Impulse, NoiseColour, NoiseSignal, SineSum, SineTerm, SquareWave, SweepLaw};
pub use systems::{Equations, SystemExample};
pub use text::TextImage;
pub use typed::{Typed, typed_numbers};

pub(super) use boolean::channel;

use super::{Channel, Samples, Signal, SignalKind};
use crate::logic::LogicError;
use crate::threads;
use serde::{Deserialize, Serialize};

/// The longest side and the largest number of samples of a generator, so that a typing error does not fill the memory.
pub const MAX_SAMPLES: usize = 1 << 27;
/// Samples that a thread computes at a time.
const CHUNK: usize = 1 << 12;

/// A formula and its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Generator {
    /// A sum of sines.
    SineSum(SineSum),
    /// A sine whose frequency rises or falls.
    Chirp(Chirp),
    /// White or pink noise.
    Noise(NoiseSignal),
    /// One sample that is not zero.
    Impulse(Impulse),
    /// A square wave.
    Square(SquareWave),
    /// A Boolean function of n variables.
    Boolean(Boolean),
    /// Typed numbers.
    Typed(Typed),
    /// A tridiagonal system, one equation in every row.
    Equations(Equations),
    /// Residues at random.
    Polynomial(Polynomial),
    /// A sum of sinusoidal gratings.
    Gratings(Gratings),
    /// Rings that become finer outwards.
    ZonePlate(ZonePlate),
    /// Alternating black and white squares.
    Checkerboard(Checkerboard),
    /// Typed words.
    Text(TextImage),
    /// White noise in two dimensions.
    #[serde(rename = "NoisePicture")]
    NoiseImage(NoiseImage),
}

/// Why a generator makes no signal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The text of a Boolean function is wrong.
    #[error(transparent)]
    Function(#[from] LogicError),
    /// Typed numbers are wrong; in one line.
    #[error("{0}")]
    Numbers(String),
}

/// The name of Boolean functions in [`GENERATORS`].
pub const BOOLEAN: &str = "Boolean function";

/// A row of [`GENERATORS`].
#[derive(Debug, Clone, Copy)]
pub struct GeneratorEntry {
    /// Its name in a list.
    pub name: &'static str,
    /// A hint at something to look for in its spectrum, a sentence.
    pub about: &'static str,
    /// Whether it makes a signal or an image.
    pub kind: SignalKind,
    /// The generator with parameters of which the result is worth a look.
    pub default: fn() -> Generator,
}

/// All generators: signals first, then images.
pub const GENERATORS: &[GeneratorEntry] = &[
    GeneratorEntry {
        name: "Sine sum",
        about: "A sum of sines: each is a pair of peaks in the spectrum.",
        kind: SignalKind::Rows,
        default: || Generator::SineSum(SineSum::default()),
    },
    GeneratorEntry {
        name: "Chirp",
        about: "A sine that sweeps a band: its spectrum is nearly flat there.",
        kind: SignalKind::Rows,
        default: || Generator::Chirp(Chirp::default()),
    },
    GeneratorEntry {
        name: "Noise",
        about: "White noise: equal power at all frequencies, on average; or pink noise: equal power in all octaves.",
        kind: SignalKind::Rows,
        default: || Generator::Noise(NoiseSignal::default()),
    },
    GeneratorEntry {
        name: "Impulse",
        about: "One sample: its magnitude is flat and its phase a ramp.",
        kind: SignalKind::Rows,
        default: || Generator::Impulse(Impulse::default()),
    },
    GeneratorEntry {
        name: "Square wave",
        about: "A square wave: odd harmonics, or all of them with another duty.",
        kind: SignalKind::Rows,
        default: || Generator::Square(SquareWave::default()),
    },
    GeneratorEntry {
        name: BOOLEAN,
        about: "A Boolean function, typed or well known: its Walsh spectrum says how far it is from affine functions.",
        kind: SignalKind::Rows,
        default: || Generator::Boolean(Boolean::default()),
    },
    GeneratorEntry {
        name: "Typed values",
        about: "A few numbers of your own, as 1 0 1 1: small enough to follow through the flow graph.",
        kind: SignalKind::Rows,
        default: || Generator::Typed(Typed::default()),
    },
    GeneratorEntry {
        name: "Tridiagonal system",
        about: "Equations of three unknowns each, rows of four numbers: the pane System solves them.",
        kind: SignalKind::Rows,
        default: || Generator::Equations(Equations::default()),
    },
    GeneratorEntry {
        name: "Polynomial",
        about: "Random residues of a published scheme, such as ML-KEM: a number-theoretic transform takes them, with the preset of the same name.",
        kind: SignalKind::Rows,
        default: || Generator::Polynomial(Polynomial::default()),
    },
    GeneratorEntry {
        name: "Gratings",
        about: "Sinusoidal stripes: each is a pair of points in the spectrum.",
        kind: SignalKind::Image,
        default: || Generator::Gratings(Gratings::default()),
    },
    GeneratorEntry {
        name: "Zone plate",
        about: "Rings with every frequency up to the limit, and aliases beyond.",
        kind: SignalKind::Image,
        default: || Generator::ZonePlate(ZonePlate::default()),
    },
    GeneratorEntry {
        name: "Checkerboard",
        about: "Squares: a lattice of points on the diagonals of the spectrum.",
        kind: SignalKind::Image,
        default: || Generator::Checkerboard(Checkerboard::default()),
    },
    GeneratorEntry {
        name: "Text",
        about: "A typed word: strokes become streaks across their direction.",
        kind: SignalKind::Image,
        default: || Generator::Text(TextImage::default()),
    },
    GeneratorEntry {
        name: "Noise image",
        about: "White noise in two dimensions: a spectrum without any direction.",
        kind: SignalKind::Image,
        default: || Generator::NoiseImage(NoiseImage::default()),
    },
];

impl Generator {
    /// The row of the table that this generator belongs to.
    pub fn entry(&self) -> &'static GeneratorEntry {
        &GENERATORS[match self {
            Self::SineSum(_) => 0,
            Self::Chirp(_) => 1,
            Self::Noise(_) => 2,
            Self::Impulse(_) => 3,
            Self::Square(_) => 4,
            Self::Boolean(_) => 5,
            Self::Typed(_) => 6,
            Self::Equations(_) => 7,
            Self::Polynomial(_) => 8,
            Self::Gratings(_) => 9,
            Self::ZonePlate(_) => 10,
            Self::Checkerboard(_) => 11,
            Self::Text(_) => 12,
            Self::NoiseImage(_) => 13,
        }]
    }

    /// The same formula for a signal of `n` samples, where the length is a parameter or follows from the number of variables.
    #[must_use]
    pub fn of_length(mut self, n: usize) -> Self {
        match &mut self {
            Self::SineSum(SineSum { length, .. })
            | Self::Chirp(Chirp { length, .. })
            | Self::Noise(NoiseSignal { length, .. })
            | Self::Impulse(Impulse { length, .. })
            | Self::Square(SquareWave { length, .. })
            | Self::Polynomial(Polynomial { length, .. }) => *length = n,
            Self::Boolean(function) => function.set_length(n),
            _ => {}
        }
        self
    }

    /// Computes the samples: one channel of single precision, the channels of [`Boolean::signal`], or the numbers of [`Typed::signal`].
    ///
    /// Sizes of 0 become 1, and sizes beyond [`MAX_SAMPLES`] are reduced to it.
    ///
    /// # Errors
    /// When the text of a Boolean function or of numbers is wrong.
    pub fn signal(&self) -> Result<Signal, GenerateError> {
        Ok(match self {
            Self::SineSum(signal) => signal.signal(),
            Self::Chirp(signal) => signal.signal(),
            Self::Noise(signal) => signal.signal(),
            Self::Impulse(signal) => signal.signal(),
            Self::Square(signal) => signal.signal(),
            Self::Boolean(function) => function.signal()?,
            Self::Typed(typed) => typed.signal().map_err(GenerateError::Numbers)?,
            Self::Equations(equations) => equations.signal(),
            Self::Polynomial(polynomial) => polynomial.signal(),
            Self::Gratings(image) => image.signal(),
            Self::ZonePlate(image) => image.signal(),
            Self::Checkerboard(image) => image.signal(),
            Self::Text(image) => image.signal(),
            Self::NoiseImage(image) => image.signal(),
        })
    }
}

/// A signal of `length` samples; sample n is `value(n)`.
fn row(name: &str, length: usize, value: impl Fn(usize) -> f64 + Sync) -> Signal {
    let length = length.clamp(1, MAX_SAMPLES);
    let mut samples = vec![0.0; length];
    threads::for_each_chunk(&mut samples, CHUNK, &|chunk, samples| {
        samples.iter_mut().enumerate().for_each(|(n, sample)| *sample = value(chunk * CHUNK + n) as f32);
    });
    Signal::row(name, Samples::F32(samples))
}

/// An image made row by row; `fill(row, pixels)` computes one row.
fn image(name: &str, (rows, columns): (usize, usize), fill: impl Fn(usize, &mut [f32]) + Sync) -> Signal {
    let columns = columns.clamp(1, MAX_SAMPLES);
    let rows = rows.clamp(1, (MAX_SAMPLES / columns).max(1));
    let mut samples = vec![0.0; rows * columns];
    threads::for_each_chunk(&mut samples, columns, &fill);
    let channel = Channel::new("gray", Samples::F32(samples));
    Signal::from_channels(name, SignalKind::Image, (rows, columns), vec![channel])
}
