//! Colour maps as tables of colours, made from the gradients of the crate colorgrad.

use colorgrad::Gradient as _;

/// Number of colours in a table.
pub const LUT_LEN: usize = 256;

/// A colour map.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    strum::EnumIter,
    strum::IntoStaticStr,
    strum::EnumString,
    strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub enum Colormap {
    /// Black to white.
    Gray,
    /// Perceptual, blue to yellow.
    #[default]
    Viridis,
    /// Perceptual, black to cream through purple.
    Magma,
    /// Perceptual, black to yellow through red.
    Inferno,
    /// Perceptual, blue to yellow through red.
    Plasma,
    /// Perceptual, also for colour-blind eyes.
    Cividis,
    /// Cyclic, for phases.
    Sinebow,
    /// Diverging, for signed values.
    RdBu,
}

impl Colormap {
    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gray => "Gray",
            Self::Viridis => "Viridis",
            Self::Magma => "Magma",
            Self::Inferno => "Inferno",
            Self::Plasma => "Plasma",
            Self::Cividis => "Cividis",
            Self::Sinebow => "Sinebow (cyclic)",
            Self::RdBu => "Red to blue (diverging)",
        }
    }

    /// The colours from the smallest to the largest value, opaque.
    pub fn lut(self) -> [[u8; 4]; LUT_LEN] {
        let color = |t: f32| match self {
            Self::Gray => {
                let level = (255.0 * t).round() as u8;
                [level, level, level, u8::MAX]
            }
            Self::Viridis => colorgrad::preset::viridis().at(t).to_rgba8(),
            Self::Magma => colorgrad::preset::magma().at(t).to_rgba8(),
            Self::Inferno => colorgrad::preset::inferno().at(t).to_rgba8(),
            Self::Plasma => colorgrad::preset::plasma().at(t).to_rgba8(),
            Self::Cividis => colorgrad::preset::cividis().at(t).to_rgba8(),
            Self::Sinebow => colorgrad::preset::sinebow().at(t).to_rgba8(),
            Self::RdBu => colorgrad::preset::rd_bu().at(1.0 - t).to_rgba8(),
        };
        std::array::from_fn(|i| color(i as f32 / (LUT_LEN - 1) as f32))
    }

    /// The entry of the table for `value`; `low` and `high` are the values of the first and the last entry.
    #[inline]
    pub fn index(value: f32, [low, high]: [f32; 2]) -> usize {
        let span = high - low;
        let t = if span > 0.0 { (value - low) / span } else { 0.0 };
        // Adding a half rounds a number that is not negative, without a library call for every pixel.
        (t.clamp(0.0, 1.0) * (LUT_LEN - 1) as f32 + 0.5) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gray_is_the_eight_bit_image() {
        for value in 0..=255 {
            let index = Colormap::index(value as f32, [0.0, 255.0]);
            assert_eq!(Colormap::Gray.lut()[index], [value, value, value, 255]);
        }
        assert_eq!(Colormap::index(3.0, [3.0, 3.0]), 0);
        assert_eq!(Colormap::index(f32::NAN, [0.0, 1.0]), 0);
    }
}
