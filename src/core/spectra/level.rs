//! The level of samples: their root mean square and their largest magnitude.

use crate::signal::Track;
use crate::threads;
use std::ops::Range;

/// The level of some samples, in their unit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Level {
    /// The root of the mean square; of complex samples that of their magnitudes.
    pub rms: f64,
    /// The largest magnitude.
    pub peak: f64,
    /// Samples that are no numbers, and do not count.
    pub left_out: usize,
}

/// The level of the samples of a track.
///
/// # Panics
/// When there are fewer samples.
pub fn level(track: &Track<'_>, samples: Range<usize>) -> Level {
    let n = samples.len();
    let blocks = threads::map_blocks(n, &|block| {
        let mut parts = [vec![0.0; block.len()], vec![0.0; if track.is_complex() { block.len() } else { 0 }]];
        for (part, values) in parts.iter_mut().enumerate().filter(|(_, values)| !values.is_empty()) {
            track.read_f64(samples.start + block.start, part, values);
        }
        let square = |index: usize| parts[0][index].powi(2) + parts[1].get(index).map_or(0.0, |imaginary| imaginary.powi(2));
        let squares = (0..block.len()).map(square).filter(|square| square.is_finite());
        squares.fold((0.0, 0.0, 0), |(sum, most, count), square| (sum + square, f64::max(most, square), count + 1))
    });
    let (sum, most, count) = blocks.into_iter().fold((0.0, 0.0, 0), |a, b| (a.0 + b.0, f64::max(a.1, b.1), a.2 + b.2));
    Level { rms: if count == 0 { 0.0 } else { (sum / count as f64).sqrt() }, peak: most.sqrt(), left_out: n - count }
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
