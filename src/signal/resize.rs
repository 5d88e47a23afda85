//! Crops a signal, or pads it with zeros.

use super::{Channel, Samples, Signal};

impl Signal {
    /// The signal with other numbers of rows and columns: cropped, or padded with zeros, at the end of rows and columns.
    #[must_use]
    pub fn resized(&self, rows: usize, columns: usize) -> Self {
        let (from, to) = ([self.rows, self.columns], [rows, columns]);
        let channels = self.channels.iter().map(|channel| Channel::new(channel.name.clone(), samples(&channel.samples, from, to)));
        let mut resized = Self::from_channels(self.name.clone(), self.kind, (rows, columns), channels.collect());
        resized.sample_rate_hz = self.sample_rate_hz;
        resized
    }
}

fn samples(samples: &Samples, from: [usize; 2], to: [usize; 2]) -> Samples {
    match samples {
        Samples::U8(v) => Samples::U8(plane(v, from, to)),
        Samples::U16(v) => Samples::U16(plane(v, from, to)),
        Samples::I32(v) => Samples::I32(plane(v, from, to)),
        Samples::I64(v) => Samples::I64(plane(v, from, to)),
        Samples::F32(v) => Samples::F32(plane(v, from, to)),
        Samples::F64(v) => Samples::F64(plane(v, from, to)),
        Samples::Complex32(v) => Samples::Complex32(plane(v, from, to)),
        Samples::Complex64(v) => Samples::Complex64(plane(v, from, to)),
    }
}

/// The values of one channel; sizes are rows and columns.
fn plane<T: Copy + Default>(values: &[T], from: [usize; 2], to: [usize; 2]) -> Vec<T> {
    let mut resized = vec![T::default(); to[0] * to[1]];
    let width = from[1].min(to[1]);
    for (target, source) in resized.chunks_exact_mut(to[1]).zip(values.chunks_exact(from[1])) {
        target[..width].copy_from_slice(&source[..width]);
    }
    resized
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_rows() {
        assert_eq!(plane(&[1, 2, 3, 4, 5, 6], [2, 3], [3, 2]), [1, 2, 4, 5, 0, 0]);
        assert_eq!(plane(&[1, 2, 4, 5, 0, 0], [3, 2], [2, 3]), [1, 2, 0, 4, 5, 0]);
    }
}
