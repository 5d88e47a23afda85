//! How an image is turned upright, as the camera or the scanner noted it; the eight ways are those of EXIF and TIFF.

use super::directory::Tag;
use crate::signal::{Channel, PixelSize, Signal, picks};

/// The tag of TIFF and EXIF.
pub(super) const ORIENTATION: Tag = Tag(274, "Orientation");

/// How stored rows and columns become upright ones: first rows and columns change places, then rows and columns are reversed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Orientation {
    /// Whether stored rows are columns.
    is_transposed: bool,
    reverses_rows: bool,
    reverses_columns: bool,
}

impl Orientation {
    /// The orientation of a number from 2 to 8; `None` for 1, which is upright, and for what is not an orientation.
    pub(super) fn of(number: u64) -> Option<Self> {
        let (is_transposed, reverses_rows, reverses_columns) = match number {
            2 => (false, false, true),
            3 => (false, true, true),
            4 => (false, true, false),
            5 => (true, false, false),
            6 => (true, false, true),
            7 => (true, true, true),
            8 => (true, true, false),
            _ => return None,
        };
        Some(Self { is_transposed, reverses_rows, reverses_columns })
    }

    /// In words, how the stored rows were turned.
    pub(super) fn words(self) -> &'static str {
        match (self.is_transposed, self.reverses_rows, self.reverses_columns) {
            (false, true, true) => "turned by 180°",
            (false, true, false) => "mirrored from top to bottom",
            (false, false, _) => "mirrored from left to right",
            (true, false, false) => "mirrored at its diagonal",
            (true, false, true) => "turned clockwise by 90°",
            (true, true, true) => "mirrored at its other diagonal",
            (true, true, false) => "turned counter-clockwise by 90°",
        }
    }

    /// The image turned upright.
    pub(super) fn applied(self, signal: &Signal) -> Signal {
        let stored = if self.is_transposed { transposed(signal) } else { signal.clone() };
        let reversed = |n: usize, is_reversed: bool| picks(n, |index| Some(if is_reversed { n - 1 - index } else { index }));
        if !self.reverses_rows && !self.reverses_columns {
            return stored;
        }
        stored.picked(&reversed(stored.rows, self.reverses_rows), &reversed(stored.columns, self.reverses_columns))
    }
}

/// Rows as columns.
fn transposed(signal: &Signal) -> Signal {
    let stored_at = |index: usize| index % signal.rows * signal.columns + index / signal.rows;
    let channel = |channel: &Channel| channel.with_samples(channel.samples.gathered(signal.len(), stored_at));
    let channels = signal.channels.iter().map(channel).collect();
    let pixel_size = signal.pixel_size.map(|size| PixelSize { width: size.height, height: size.width, unit: size.unit });
    let turned = Signal::from_channels("", signal.kind, (signal.columns, signal.rows), channels);
    Signal { pixel_size, ..turned }
}
