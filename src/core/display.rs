//! From complex values to colours: quantity, scale, range, quadrant shift, colour map.
//!
//! `shaders/display.wgsl` does the same for data on the GPU, and a test compares the two.

mod colormap;
mod levels;
mod render;

pub use colormap::{Colormap, ColormapGroup, LUT_LEN};
pub use levels::{arranged, levels};
pub use render::covered;
pub use render::{DisplayFrame, ImageRect, extremes, real_extremes, render, render_mean, shifted_index, unshifted_index};

use num_complex::Complex32;
use std::f32::consts::LOG10_E;

crate::choice! {
    /// The part of a complex value that is shown.
    pub enum ValuePart {
        /// |X|.
        #[default]
        Magnitude = "Magnitude", "magnitude";
        /// The angle of X in radians, −π to π.
        Phase = "Phase", "phase";
        /// The real part of X.
        Real = "Real part", "real";
        /// The imaginary part of X.
        Imaginary = "Imaginary part", "imaginary";
        /// |X|².
        Power = "Power", "power";
    }
}

crate::choice! {
    /// How a quantity is scaled.
    pub enum Scale {
        /// Unchanged.
        Linear = "Linear", "linear";
        /// log10(1 + v), odd for signed quantities.
        #[default]
        Log = "Logarithmic", "log";
        /// 20·log10 v, 10·log10 v for the power; never below −200.
        Db = "Decibels", "db";
        /// √v, odd for signed quantities.
        Sqrt = "Square root", "sqrt";
    }
}

/// The smallest decibels; zero has these.
pub const DB_FLOOR: f32 = -200.0;

/// How values become colours.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Look {
    /// The part of the value that is shown.
    pub quantity: ValuePart,
    /// How it is scaled; the phase is always linear.
    pub scale: Scale,
    /// Scaled values of the first and the last colour; `None` takes the extremes of the data.
    pub range: Option<[f32; 2]>,
    /// Whether index 0 is in the middle, at ⌊n/2⌋.
    pub shifted: bool,
    /// The colours.
    pub colormap: Colormap,
    /// The exponent of the share of the range, before it becomes a colour: below 1, small values are brighter.
    pub gamma: f32,
    /// Whether the smallest value has the last colour.
    pub inverted: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { quantity: ValuePart::default(), scale: Scale::default(), range: None, shifted: true, ..Self::of_samples() }
            .with(Colormap::default())
    }
}

impl Look {
    /// Gray from the smallest to the largest sample, as images of samples are shown.
    pub const fn of_samples() -> Self {
        Self {
            quantity: ValuePart::Real,
            scale: Scale::Linear,
            range: None,
            shifted: false,
            colormap: Colormap::Gray,
            gamma: 1.0,
            inverted: false,
        }
    }

    /// The same look in another colour map.
    #[must_use]
    pub fn with(self, colormap: Colormap) -> Self {
        Self { colormap, ..self }
    }

    /// The colours from the first to the last value, without hues.
    pub fn bar(&self) -> [[u8; 4]; LUT_LEN] {
        let lut = self.colormap.lut();
        let last = (LUT_LEN - 1) as f32;
        std::array::from_fn(|index| {
            let share = (index as f32 / last).powf(self.gamma.clamp(0.05, 20.0));
            lut[((if self.inverted { 1.0 - share } else { share }) * last + 0.5) as usize]
        })
    }

    /// The table of colours: those of the bar, once for every hue.
    pub fn colours(&self) -> Vec<[u8; 4]> {
        let bar = self.bar();
        match self.colormap.n_hues() {
            1 => bar.to_vec(),
            n => (0..n).flat_map(|hue| bar.map(|colour| self.colormap.tinted(colour, hue))).collect(),
        }
    }

    /// The index of the colour of a value in this table.
    #[inline]
    pub fn colour_index(&self, value: Complex32, range: [f32; 2]) -> usize {
        self.tinted_index(value, Colormap::index(self.scale.apply(self.quantity, value), range))
    }

    /// The same for a value of this level.
    #[inline]
    fn tinted_index(&self, value: Complex32, level: usize) -> usize {
        if self.colormap == Colormap::Hue { self.colormap.hue(value.arg()) * LUT_LEN + level } else { level }
    }
}

impl ValuePart {
    /// The quantity of one value, before it is scaled.
    #[inline]
    pub fn of(self, value: Complex32) -> f32 {
        match self {
            Self::Magnitude => magnitude(value),
            Self::Phase => value.arg(),
            Self::Real => value.re,
            Self::Imaginary => value.im,
            Self::Power => value.norm_sqr(),
        }
    }

    /// Whether X and its conjugate have the same quantity, so that half the spectrum of a real image shows all of it.
    pub fn is_even(self) -> bool {
        matches!(self, Self::Magnitude | Self::Power | Self::Real)
    }

    /// Where several values share one pixel, the value with the largest strength is shown.
    pub fn strength(self, value: Complex32) -> f32 {
        match self {
            Self::Magnitude | Self::Phase | Self::Power => value.norm_sqr(),
            Self::Real => value.re.abs(),
            Self::Imaginary => value.im.abs(),
        }
    }
}

impl Scale {
    /// The scaled quantity of one value.
    #[inline]
    pub fn apply(self, quantity: ValuePart, value: Complex32) -> f32 {
        self.of(quantity, quantity.of(value))
    }

    /// Whether a larger quantity has a larger scaled value. Decibels of signed quantities depend on the magnitude only.
    pub fn is_monotonic(self, quantity: ValuePart) -> bool {
        self != Self::Db || matches!(quantity, ValuePart::Magnitude | ValuePart::Power | ValuePart::Phase)
    }

    /// The scaled value of a quantity.
    #[inline]
    pub fn of(self, quantity: ValuePart, plain: f32) -> f32 {
        match (self, quantity) {
            (_, ValuePart::Phase) | (Self::Linear, _) => plain,
            (Self::Log, _) => (plain.abs().ln_1p() * LOG10_E).copysign(plain),
            (Self::Sqrt, _) => plain.abs().sqrt().copysign(plain),
            (Self::Db, ValuePart::Power) => floored(10.0 * plain.log10()),
            (Self::Db, _) => floored(20.0 * plain.abs().log10()),
        }
    }

    /// The label of the axis of a quantity, with its unit.
    pub fn label(self, quantity: ValuePart) -> String {
        let symbol = match quantity {
            ValuePart::Magnitude => "|X|",
            ValuePart::Phase => return "arg X (rad)".into(),
            ValuePart::Real => "Re X",
            ValuePart::Imaginary => "Im X",
            ValuePart::Power => "|X|²",
        };
        match self {
            Self::Linear => symbol.into(),
            Self::Log => format!("log₁₀(1 + {symbol})"),
            Self::Db => format!("{symbol} (dB)"),
            Self::Sqrt => format!("√{symbol}"),
        }
    }
}

/// Decibels, at least [`DB_FLOOR`]. Unlike `max`, this keeps NaN.
#[inline]
fn floored(decibels: f32) -> f32 {
    if decibels < DB_FLOOR { DB_FLOOR } else { decibels }
}

/// |X|, by the slow and careful formula only where the square leaves the range of single precision.
#[inline]
fn magnitude(value: Complex32) -> f32 {
    let square = value.norm_sqr();
    if square.is_normal() { square.sqrt() } else { value.norm() }
}
