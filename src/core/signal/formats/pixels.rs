//! From the interleaved pixels of a decoder to the channels of an image; transparency is left out.

use crate::signal::{Cause, Channel, Samples, Signal, SignalKind};
use crate::threads;

/// The note on an image with transparency.
pub(super) const ALPHA: &str = "Transparency (alpha) is left out: colours are taken as stored.";

/// The note on an image with a palette.
pub(super) const PALETTE: &str = "The palette is expanded to red, green and blue.";

/// The image in one channel where its palette holds grays alone, as most programs write gray images into BMP and GIF.
pub(super) fn gray_of_palette(mut signal: Signal) -> Signal {
    let has_palette = signal.notes.iter().any(|note| note.text == PALETTE);
    if has_palette && signal.channels.windows(2).all(|two| two[0].samples == two[1].samples) {
        signal.notes.retain(|note| note.text != PALETTE);
        signal.channels.truncate(1);
        signal.channels[0].name = "gray".to_owned();
    }
    signal
}

/// How the samples of one pixel follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PixelLayout {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
    /// This many channels without a known meaning.
    Bands(usize),
}

impl PixelLayout {
    /// Samples of a pixel.
    pub(super) fn samples(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
            Self::Bands(n) => n,
        }
    }

    fn names(self) -> Vec<String> {
        match self {
            Self::Gray | Self::GrayAlpha => vec!["gray".to_owned()],
            Self::Rgb | Self::Rgba => ["red", "green", "blue"].map(str::to_owned).to_vec(),
            Self::Bands(n) => (1..=n).map(|band| format!("band {band}")).collect(),
        }
    }

    fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba)
    }
}

/// An image of `shape` (rows, columns) from interleaved pixels; `wrap` is the variant of [`Samples`] for this type.
pub(super) fn image<T: Copy + Default + PartialEq + Send + Sync>(
    pixels: Vec<T>,
    shape: (usize, usize),
    layout: PixelLayout,
    wrap: fn(Vec<T>) -> Samples,
) -> Signal {
    let names = layout.names();
    let stride = layout.samples();
    // Pixels that are all as opaque as the first one hide nothing.
    let is_transparent = layout.has_alpha() && pixels.chunks_exact(stride).any(|pixel| pixel[stride - 1] != pixels[stride - 1]);
    let channels = if stride == 1 {
        names.into_iter().zip([pixels]).map(|(name, plane)| Channel::new(name, wrap(plane))).collect()
    } else {
        let plane = |index| take_plane(&pixels, index, stride);
        names.into_iter().enumerate().map(|(index, name)| Channel::new(name, wrap(plane(index)))).collect()
    };
    let mut signal = Signal::from_channels("", SignalKind::Image, shape, channels);
    signal.notes.extend(is_transparent.then(|| ALPHA.into()));
    signal
}

/// An image whose channels follow each other, `rows · columns` samples each.
pub(super) fn image_from_planes<T: Copy>(planes: &[T], shape: (usize, usize), layout: PixelLayout, wrap: fn(Vec<T>) -> Samples) -> Signal {
    let planes = planes.chunks_exact(shape.0 * shape.1);
    let channels = layout.names().into_iter().zip(planes).map(|(name, plane)| Channel::new(name, wrap(plane.to_vec())));
    Signal::from_channels("", SignalKind::Image, shape, channels.collect())
}

/// Every `stride`-th sample from `index` on.
fn take_plane<T: Copy + Default + Send + Sync>(pixels: &[T], index: usize, stride: usize) -> Vec<T> {
    const BLOCK: usize = 1 << 16;
    let mut plane = vec![T::default(); pixels.len() / stride];
    threads::for_each_chunk(&mut plane, BLOCK, &|block, plane| {
        for (to, pixel) in plane.iter_mut().zip(pixels[block * BLOCK * stride..].chunks_exact(stride)) {
            *to = pixel[index];
        }
    });
    plane
}

/// Unsigned 64-bit numbers as signed ones; refuses those that do not fit.
pub(super) fn to_i64(values: &[u64]) -> Result<Vec<i64>, Cause> {
    let convert = |&value: &u64| {
        i64::try_from(value).map_err(|_| {
            Cause::unsupported(format!("its value {value} is beyond the largest of 64 bits with a sign, 2^63 − 1; convert it to floats"))
        })
    };
    values.iter().map(convert).collect()
}
