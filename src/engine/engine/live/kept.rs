//! The newest samples of a stream, as the bytes in which they came: pieces that are shared with whoever looks at them, so that nothing is copied under a lock.

use crate::signal::{FileError, Signal, StreamForm};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// A piece grows up to this number of bytes, where few come at a time.
const PIECE: usize = 1 << 16;

/// The newest samples of a stream.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// Whole frames, which nobody changes once they are shared.
    pieces: VecDeque<Arc<Vec<u8>>>,
    /// Bytes of a frame.
    frame: usize,
    /// The number of the first sample, and one past the last, from the beginning of the stream.
    samples: Range<u64>,
}

impl Kept {
    /// Keeps nothing yet of frames of this number of bytes.
    pub(super) fn new(frame: usize) -> Self {
        Self { frame: frame.max(1), ..Self::default() }
    }

    /// The samples that are kept, counted from the beginning of the stream.
    pub fn samples(&self) -> Range<u64> {
        self.samples.clone()
    }

    /// Appends whole frames, and gives up the oldest pieces that are not needed for the newest `most` samples.
    pub(super) fn push(&mut self, bytes: &[u8], most: u64) {
        self.samples.end += (bytes.len() / self.frame) as u64;
        // Pieces are given up as a whole.
        let piece = PIECE.min(most as usize * self.frame / 16);
        let last = self.pieces.back_mut().filter(|last| last.len() + bytes.len() <= piece).and_then(Arc::get_mut);
        match last {
            Some(last) => last.extend_from_slice(bytes),
            None => self.pieces.push_back(Arc::new(bytes.to_vec())),
        }
        while let Some(first) = self.pieces.front() {
            let next = self.samples.start + (first.len() / self.frame) as u64;
            if self.samples.end - next.min(self.samples.end) < most {
                break;
            }
            self.samples.start = next;
            self.pieces.pop_front();
        }
    }

    /// The pieces that hold these samples, as far as they are kept.
    pub fn part(&self, samples: Range<u64>) -> Self {
        let mut at = self.samples.start;
        let mut part = Self { frame: self.frame, ..Self::default() };
        for piece in &self.pieces {
            let end = at + (piece.len() / self.frame) as u64;
            if end > samples.start && at < samples.end {
                if part.pieces.is_empty() {
                    part.samples.start = at;
                }
                part.pieces.push_back(piece.clone());
                part.samples.end = end;
            }
            at = end;
        }
        part
    }

    /// These samples as a signal, as far as they are kept.
    ///
    /// # Errors
    /// When none of them is kept, or the head of the stream does not fit them.
    pub fn signal(&self, form: &StreamForm, samples: Range<u64>) -> Result<Signal, FileError> {
        let mut at = self.samples.start;
        let mut bytes: Vec<&[u8]> = Vec::new();
        for piece in &self.pieces {
            let end = at + (piece.len() / self.frame) as u64;
            let [from, to] = [samples.start, samples.end].map(|sample| (sample.clamp(at, end) - at) as usize * self.frame);
            if from < to {
                bytes.push(&piece[from..to]);
            }
            at = end;
        }
        form.signal(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::ChannelChoice;

    fn numbered(samples: Range<u64>) -> Vec<u8> {
        samples.flat_map(|n| (n as u16).to_le_bytes()).collect()
    }

    #[test]
    fn the_newest_samples_stay_and_any_part_of_them_is_a_signal() {
        let form = StreamForm::of_raw("numbers", "s16,1,1000".parse().unwrap());
        let mut kept = Kept::new(2);
        for from in (0..30_000).step_by(30) {
            kept.push(&numbered(from..from + 30), 1 << 20);
        }
        let seen = kept.clone();
        kept.push(&numbered(30_000..31_000), 1 << 20);
        assert_eq!((kept.samples(), seen.samples()), (0..31_000, 0..30_000));
        let values = kept.signal(&form, 20_010..30_500).unwrap().samples_f64(ChannelChoice::Luma).unwrap();
        let is_right = |(n, value): (usize, &f64)| *value == (n + 20_010) as f64 / 32_768.0;
        assert!(values.len() == 10_490 && values.iter().enumerate().all(is_right));
        let part = kept.part(20_010..20_020);
        assert!(part.pieces.len() == 1 && part.samples().start <= 20_010 && part.samples().end >= 20_020);
        assert_eq!(part.signal(&form, 20_010..20_012).unwrap().columns, 2);
        for from in 1..200 {
            kept.push(&numbered(0..30_000), 50_000);
            assert!((50_000..=80_000).contains(&(kept.samples().end - kept.samples().start)) || from < 2, "{:?}", kept.samples());
        }
        assert!(seen.signal(&form, 0..10).is_ok() && kept.signal(&form, 0..10).is_err(), "what is looked at stays");
    }
}
