//! The meaning of the values of a spectrum: quantities, their units, and decibels.

use super::Frames;
use crate::numerals::number;
use std::f64::consts::FRAC_1_SQRT_2;

crate::choice! {
    /// The quantity that a spectrum of a recording shows.
    pub enum Quantity {
        /// The magnitude of the transform of the windowed samples.
        Magnitude = "Magnitude", "magnitude";
        /// The peak amplitude of a sine.
        #[default]
        Amplitude = "Amplitude", "amplitude";
        /// The root mean square of a sine.
        Rms = "RMS", "rms";
        /// The mean square of a sine; SciPy calls it spectrum.
        Power = "Power", "power";
        /// The power in a bandwidth of 1.
        Density = "Density", "density";
        /// The root of the density.
        DensityRoot = "Density root", "density-root";
        /// The phase in radians of a cosine at the first sample.
        Phase = "Phase", "phase";
    }
}

/// The reference of decibels.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Reference {
    /// A sine of this peak amplitude, full scale, is 0 dBFS (AES17).
    FullScale(f64),
    /// This value in the unit of the samples is 0 dB; the unit may be unknown.
    Value(f64, Option<String>),
}

/// The factors from squared magnitudes to quantities.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// The sum of the factors of the window.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// Samples in a unit.
    pub rate: f64,
    /// Samples of a frame.
    pub length: usize,
    /// Points of a transform.
    pub points: usize,
    /// Whether the samples are complex, so that the spectrum has two sides.
    pub is_complex: bool,
}

impl Quantity {
    /// Whether it grows with the square of the samples, so that its decibels are 10·log10.
    pub fn is_power(self) -> bool {
        matches!(self, Self::Power | Self::Density)
    }

    /// Its unit, for samples of a unit at a rate whose frequencies have a unit.
    pub fn unit(self, samples: Option<&str>, frequency: &str) -> String {
        let unit = samples.unwrap_or("unit");
        match self {
            Self::Magnitude => String::new(),
            Self::Amplitude | Self::Rms => unit.to_owned(),
            Self::Power => format!("{unit}²"),
            Self::Density => format!("{unit}²/{frequency}"),
            Self::DensityRoot => format!("{unit}/√{frequency}"),
            Self::Phase => "rad".to_owned(),
        }
    }
}

impl Default for Reference {
    fn default() -> Self {
        Self::FullScale(1.0)
    }
}

impl Reference {
    /// The value of a quantity at 0 dB.
    pub fn of(&self, quantity: Quantity, calibration: &Calibration) -> f64 {
        match self {
            Self::Value(value, _) => {
                if quantity.is_power() {
                    value * value
                } else {
                    *value
                }
            }
            Self::FullScale(amplitude) => {
                // A complex tone has all its power at one frequency.
                let (side, rms) = if calibration.is_complex { (1.0, 1.0) } else { (0.5, FRAC_1_SQRT_2) };
                match quantity {
                    Quantity::Magnitude => amplitude * calibration.sum * side,
                    Quantity::Amplitude | Quantity::Phase => *amplitude,
                    Quantity::Rms | Quantity::DensityRoot => amplitude * rms,
                    Quantity::Power | Quantity::Density => (amplitude * rms).powi(2),
                }
            }
        }
    }

    /// A value of a quantity in decibels; 0 is −∞.
    pub fn decibels(&self, value: f64, quantity: Quantity, calibration: &Calibration) -> f64 {
        let factor = if quantity.is_power() { 10.0 } else { 20.0 };
        factor * (value / self.of(quantity, calibration)).log10()
    }

    /// The decibels of a sine, by its peak amplitude.
    pub fn level(&self, amplitude: f64) -> f64 {
        let (Self::FullScale(zero) | Self::Value(zero, _)) = self;
        20.0 * (amplitude / zero).log10()
    }

    /// The level of the square of a quantity in decibels; a power is its own square here, as pixels of spectrograms have it.
    pub fn level_of_square(&self, square: f64, quantity: Quantity, calibration: &Calibration) -> f64 {
        self.decibels(if quantity.is_power() { square } else { square.sqrt() }, quantity, calibration)
    }

    /// The label of an axis of decibels: "dBFS", "dB re 1 V", "dBFS/Hz".
    pub fn label(&self, quantity: Quantity, frequency: &str) -> String {
        let per = if matches!(quantity, Quantity::Density | Quantity::DensityRoot) { format!("/{frequency}") } else { String::new() };
        match self {
            Self::FullScale(1.0) => format!("dBFS{per}"),
            Self::FullScale(amplitude) => format!("dBFS{per}, full scale {}", number(*amplitude, 6)),
            Self::Value(value, unit) => {
                let unit = unit.as_deref().unwrap_or("unit");
                match quantity {
                    Quantity::Density => format!("dB re {} {unit}²/{frequency}", number(value * value, 6)),
                    Quantity::DensityRoot => format!("dB re {} {unit}/√{frequency}", number(*value, 6)),
                    Quantity::Power => format!("dB re {} {unit}²", number(value * value, 6)),
                    _ => format!("dB re {} {unit}", number(*value, 6)),
                }
            }
        }
    }
}

impl Calibration {
    /// That of frames of samples at a rate.
    pub fn of(frames: &Frames, rate: f64, is_complex: bool) -> Self {
        let factors = frames.window.factors(frames.length);
        let parts = crate::threads::map_blocks(frames.length, &|block| {
            let mut weights = vec![0.0; block.len()];
            factors.fill(block.start, &mut weights);
            Self::sums(&weights)
        });
        Self::of_sums(frames, parts, rate, is_complex)
    }

    /// The sum of some factors of a window, and that of their squares.
    pub(super) fn sums(weights: &[f64]) -> [f64; 2] {
        // Several sums side by side: a single one waits for its own last term.
        let (blocks, rest) = weights.as_chunks::<8>();
        let (mut last, mut sums) = ([0.0; 8], [[0.0; 8]; 2]);
        last[..rest.len()].copy_from_slice(rest);
        for weights in blocks.iter().chain([&last]) {
            for (lane, weight) in weights.iter().enumerate() {
                sums[0][lane] += weight;
                sums[1][lane] += weight * weight;
            }
        }
        sums.map(|sums| sums.iter().sum())
    }

    /// That of frames, by the sums of blocks of their window.
    pub(super) fn of_sums(frames: &Frames, parts: Vec<[f64; 2]>, rate: f64, is_complex: bool) -> Self {
        let [sum, squares] = parts.into_iter().fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
        Self { sum, squares, rate, length: frames.length, points: frames.points, is_complex }
    }

    /// The distance of two values in frequency.
    pub fn step(&self) -> f64 {
        self.rate / self.points as f64
    }

    /// The equivalent noise bandwidth in units of frequency.
    pub fn noise_bandwidth(&self) -> f64 {
        self.rate * self.squares / (self.sum * self.sum)
    }

    /// The mean factor of the window.
    pub fn gain(&self) -> f64 {
        self.sum / self.length as f64
    }

    /// Whether the power of a value, by its natural index, stands for that of its mate too.
    pub fn is_doubled(&self, bin: usize) -> bool {
        !self.is_complex && bin > 0 && 2 * bin != self.points
    }

    /// The factor of a squared magnitude: the product is the quantity, or its square where it is not a power.
    pub fn factor(&self, quantity: Quantity, bin: usize) -> f64 {
        let sides = if self.is_doubled(bin) { 2.0 } else { 1.0 };
        match quantity {
            Quantity::Magnitude | Quantity::Phase => 1.0,
            Quantity::Amplitude => sides * sides / (self.sum * self.sum),
            Quantity::Rms | Quantity::Power => sides / (self.sum * self.sum),
            Quantity::Density | Quantity::DensityRoot => sides / (self.rate * self.squares),
        }
    }

    /// The quantity of a squared magnitude at a natural index; of the phase nothing is known.
    pub fn value(&self, quantity: Quantity, power: f64, bin: usize) -> f64 {
        match quantity {
            Quantity::Phase => f64::NAN,
            _ if quantity.is_power() => power * self.factor(quantity, bin),
            _ => (power * self.factor(quantity, bin)).sqrt(),
        }
    }
}
