//! The level of samples: their root mean square and their largest magnitude.

use super::Real;
use crate::cpu::with_vectors;
use crate::signal::Track;
use crate::threads;
use std::ops::Range;

/// Sums that grow side by side: a single one waits for its own last term.
const LANES: usize = 8;

/// The level of some samples, in their unit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Level {
    /// The root of the mean square; of complex samples that of their magnitudes.
    pub rms: f64,
    /// The largest magnitude.
    pub peak: f64,
    /// Samples that are not numbers, and do not count.
    pub left_out: usize,
}

/// The level of the samples of a track.
///
/// # Panics
/// When there are fewer samples.
pub fn level(track: &Track<'_>, samples: Range<usize>) -> Level {
    let n = samples.len();
    let blocks = threads::map_blocks(n, &|block| {
        let first = samples.start + block.start;
        if track.is_double() { of_block::<f64>(track, first, block.len()) } else { of_block::<f32>(track, first, block.len()) }
    });
    let (sum, most, count) = blocks.into_iter().fold((0.0, 0.0, 0), |a, b| (a.0 + b.0, f64::max(a.1, b.1), a.2 + b.2));
    Level { rms: if count == 0 { 0.0 } else { (sum / count as f64).sqrt() }, peak: most.sqrt(), left_out: n - count }
}

/// The sum of the squares of some samples, the largest one, and their number, without those that are not numbers.
fn of_block<T: Real + Into<f64>>(track: &Track<'_>, first: usize, n: usize) -> (f64, f64, usize) {
    let mut squares = vec![0.0_f64; n];
    let mut values = vec![T::default(); n];
    for part in 0..if track.is_complex() { 2 } else { 1 } {
        T::read(track, first, part, &mut values);
        squares.iter_mut().zip(&values).for_each(|(square, value)| {
            let value: f64 = (*value).into();
            *square += value * value;
        });
    }
    squares.resize(n.next_multiple_of(LANES), f64::NAN);
    let (mut sums, mut most, mut counts) = ([0.0_f64; LANES], [0.0_f64; LANES], [0_usize; LANES]);
    with_vectors(
        #[inline(always)]
        || {
            for squares in squares.as_chunks::<LANES>().0 {
                for (lane, square) in squares.iter().enumerate() {
                    let (is_number, square) = (square.is_finite(), if square.is_finite() { *square } else { 0.0 });
                    sums[lane] += square;
                    most[lane] = if square > most[lane] { square } else { most[lane] };
                    counts[lane] += usize::from(is_number);
                }
            }
        },
    );
    (sums.iter().sum(), most.into_iter().fold(0.0, f64::max), counts.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{ChannelChoice, Samples, Signal};
    use num_complex::Complex32;

    #[test]
    fn a_level_is_that_of_its_definition() {
        let of = |samples: Samples, range: Range<usize>| {
            let signal = Signal::row("", samples);
            level(&signal.track(ChannelChoice::Luma).unwrap(), range)
        };
        assert_eq!(of(Samples::F64(vec![9.0, 3.0, -4.0, f64::NAN]), 1..4), Level { rms: 12.5_f64.sqrt(), peak: 4.0, left_out: 1 });
        assert_eq!(of(Samples::Complex32(vec![Complex32::new(3.0, 4.0); 40_000]), 0..40_000), Level { rms: 5.0, peak: 5.0, left_out: 0 });
        assert_eq!(of(Samples::F64(vec![f64::NAN; 3]), 0..3), Level { rms: 0.0, peak: 0.0, left_out: 3 });
    }
}
