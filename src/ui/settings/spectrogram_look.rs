//! How the spectrogram of a recording is computed and shown.

use crate::display::Colormap;
use crate::prepare::{Detrend, Window, Windowing};
use crate::spectra::{Frames, FrequencyScale, Method, Overlap, Pool, Quantity};

/// The samples of a frame of a spectrogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum PictureLength {
    /// This number, or fewer where the recording has room for few of them.
    Samples(usize),
    /// A power of two, so that a frame is as sharp across the pixels as along them.
    Follows,
}

/// How the spectrogram of a recording is computed and shown.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SpectrogramLook {
    /// Whether there is one; `None` as suits the source.
    pub shown: Option<bool>,
    /// The length of a frame.
    pub length: PictureLength,
    /// The share of a frame that the next one has too.
    pub overlap: f64,
    /// The window of each frame.
    pub window: Windowing,
    /// How the power of a frame is distributed.
    pub method: Method,
    /// The pooling of the powers that fall into a pixel.
    pub pool: Pool,
    /// The quantity that is shown in decibels: the power or the density.
    pub quantity: Quantity,
    /// How frequencies are placed along the axis.
    pub scale: FrequencyScale,
    /// The decibels of the first and of the last colour; `None` takes 80 dB below the largest value.
    pub range: Option<[f32; 2]>,
    /// The colours.
    pub colormap: Colormap,
    /// Whether the strongest frequency of each column is marked.
    pub ridge: bool,
}

/// The fewest frames of a spectrogram, side by side, and the shortest and the longest that follow the zoom.
const LEAST_FRAMES: usize = 8;
const FOLLOWING: [usize; 2] = [16, 1 << 16];

impl Default for SpectrogramLook {
    fn default() -> Self {
        Self {
            shown: None,
            length: PictureLength::Samples(Frames::of_spectrogram().length),
            overlap: 0.75,
            window: Window::Hann.into(),
            method: Method::default(),
            pool: Pool::default(),
            quantity: Quantity::Power,
            scale: FrequencyScale::default(),
            range: None,
            colormap: Colormap::default(),
            ridge: false,
        }
    }
}

impl SpectrogramLook {
    /// Leaves out what the samples or the method do not have.
    pub(crate) fn suit(&mut self, is_complex: bool) {
        if is_complex {
            self.scale = FrequencyScale::Linear;
            self.method = if self.method == Method::Scalogram { Method::Plain } else { self.method };
        }
        if self.method == Method::Scalogram {
            self.quantity = Quantity::Power;
        }
    }

    /// The frames of so many samples in a picture with pixels of this many samples and this share of the rate.
    pub(crate) fn frames(&self, samples: usize, [across, up]: [f64; 2]) -> Frames {
        let wanted = match self.length {
            PictureLength::Samples(length) => length,
            // A frame covers length/across pixels, and its resolution 1/(length·up).
            PictureLength::Follows => {
                let length = (across / up.max(f64::MIN_POSITIVE)).sqrt().clamp(FOLLOWING[0] as f64, FOLLOWING[1] as f64);
                1 << length.log2().round() as u32
            }
        };
        let room = (samples / LEAST_FRAMES).max(2);
        let length = if wanted <= room { wanted } else { 1 << room.ilog2() };
        let frames = Frames::new(length.max(2), Overlap::Share(self.overlap.clamp(0.0, 0.99)));
        Frames { window: self.window, detrend: Detrend::None, hop: frames.hop.max(1), ..frames }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_fit_the_recording_and_follow_the_zoom() {
        let look = SpectrogramLook::default();
        for (samples, length, hop) in [(1 << 20, 2048, 512), (16_384, 2048, 512), (16_383, 1024, 256), (100, 8, 2), (3, 2, 1), (1, 2, 1)] {
            let frames = look.frames(samples, [1.0; 2]);
            assert_eq!((frames.length, frames.hop), (length, hop), "{samples}");
        }
        let follows = SpectrogramLook { length: PictureLength::Follows, ..look };
        let pixels = 400.0;
        let length = |across: f64| follows.frames(1 << 28, [across, 0.5 / pixels]).length;
        assert_eq!([28_800.0, 4.8, 0.01].map(length), [4096, 64, 16]);
    }
}
