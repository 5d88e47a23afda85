//! Colour maps as tables of colours, made from the gradients of the crate colorgrad.

use colorgrad::Gradient as _;

/// Number of colours in a table.
pub const LUT_LEN: usize = 256;

crate::choice! {
    /// A colour map.
    pub enum Colormap {
        /// Black to white.
        Gray = "Gray", "gray";
        /// Perceptual, blue to yellow.
        #[default]
        Viridis = "Viridis", "viridis";
        /// Perceptual, black to cream through purple.
        Magma = "Magma", "magma";
        /// Perceptual, black to yellow through red.
        Inferno = "Inferno", "inferno";
        /// Perceptual, blue to yellow through red.
        Plasma = "Plasma", "plasma";
        /// Perceptual, also for colour-blind eyes.
        Cividis = "Cividis", "cividis";
        /// Perceptual, of many hues.
        Turbo = "Turbo", "turbo";
        /// Brightness grows evenly along a helix of hues.
        Cubehelix = "Cubehelix", "cubehelix";
        /// Cyclic, for phases.
        Sinebow = "Sinebow (cyclic)", "sinebow";
        /// Cyclic, less bright.
        Rainbow = "Rainbow (cyclic)", "rainbow";
        /// Diverging, for signed values.
        RdBu = "Red to blue (diverging)", "rdbu";
        /// Diverging, also for colour-blind eyes.
        PuOr = "Purple to orange (diverging)", "puor";
        /// The phase as hue, the value as brightness.
        Hue = "Hue by phase", "hue";
    }
}

crate::choice! {
    /// Colour maps of one kind.
    pub enum ColormapGroup {
        /// Perceptual, for values that are never negative.
        #[default]
        Perceptual = "Perceptual";
        /// Cyclic, for phases.
        Cyclic = "Cyclic";
        /// Diverging, for values with a sign.
        Diverging = "Diverging";
        /// The phase as hue, and the value as brightness.
        Complex = "Phase and value";
    }
}

/// Hues of [`Colormap::Hue`].
const HUES: usize = 64;

impl Colormap {
    /// The kind.
    pub fn group(self) -> ColormapGroup {
        match self {
            Self::Sinebow | Self::Rainbow => ColormapGroup::Cyclic,
            Self::RdBu | Self::PuOr => ColormapGroup::Diverging,
            Self::Hue => ColormapGroup::Complex,
            _ => ColormapGroup::Perceptual,
        }
    }

    /// Whether its middle stands for 0.
    pub fn is_diverging(self) -> bool {
        self.group() == ColormapGroup::Diverging
    }

    /// Number of hues beside each other in a table of colours; 1 where the phase has none.
    pub fn n_hues(self) -> usize {
        if self == Self::Hue { HUES } else { 1 }
    }

    /// The hue of a phase in radians.
    #[inline]
    pub fn hue(self, phase: f32) -> usize {
        let turns = phase / std::f32::consts::TAU;
        ((turns - turns.floor()) * self.n_hues() as f32 + 0.5) as usize % self.n_hues()
    }

    /// A gray level of a hue.
    pub fn tinted(self, [level, _, _, alpha]: [u8; 4], hue: usize) -> [u8; 4] {
        let [red, green, blue, _] = colorgrad::preset::sinebow().at(hue as f32 / self.n_hues() as f32).to_rgba8();
        let part = |channel: u8| (u16::from(channel) * u16::from(level) / 255) as u8;
        [part(red), part(green), part(blue), alpha]
    }

    /// The colours from the smallest to the largest value, opaque.
    pub fn lut(self) -> [[u8; 4]; LUT_LEN] {
        let color = |t: f32| match self {
            Self::Gray | Self::Hue => {
                let level = (255.0 * t).round() as u8;
                [level, level, level, u8::MAX]
            }
            Self::Viridis => colorgrad::preset::viridis().at(t).to_rgba8(),
            Self::Magma => colorgrad::preset::magma().at(t).to_rgba8(),
            Self::Inferno => colorgrad::preset::inferno().at(t).to_rgba8(),
            Self::Plasma => colorgrad::preset::plasma().at(t).to_rgba8(),
            Self::Cividis => colorgrad::preset::cividis().at(t).to_rgba8(),
            Self::Sinebow => colorgrad::preset::sinebow().at(t).to_rgba8(),
            Self::Turbo => colorgrad::preset::turbo().at(t).to_rgba8(),
            Self::Cubehelix => colorgrad::preset::cubehelix_default().at(t).to_rgba8(),
            Self::Rainbow => colorgrad::preset::rainbow().at(t).to_rgba8(),
            Self::RdBu => colorgrad::preset::rd_bu().at(1.0 - t).to_rgba8(),
            Self::PuOr => colorgrad::preset::pu_or().at(1.0 - t).to_rgba8(),
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
