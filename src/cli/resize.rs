//! Crops or pads a signal to a size.

use crate::signal::{Channel, Samples, Signal};
use crate::transforms::Shape;

/// The signal cropped to `to`, or padded with zeros at the end of rows and columns, and a message that says so.
pub(super) fn resized(signal: &Signal, to: Shape) -> (Signal, String) {
    let from = Shape { rows: signal.rows, columns: signal.columns };
    let channels = signal.channels.iter().map(|channel| Channel::new(channel.name.clone(), samples(&channel.samples, from, to))).collect();
    let mut resized = Signal::from_channels(signal.name.clone(), signal.kind, (to.rows, to.columns), channels);
    resized.sample_rate_hz = signal.sample_rate_hz;
    let act = match (to.rows < from.rows || to.columns < from.columns, to.rows > from.rows || to.columns > from.columns) {
        (true, true) => "cropped and padded with zeros",
        (true, false) => "cropped",
        (false, true) => "padded with zeros",
        (false, false) => "left as it is",
    };
    (resized, format!("{} {act}: {} to {}", signal.name, signal.kind.size(from.rows, from.columns), signal.kind.size(to.rows, to.columns)))
}

fn samples(samples: &Samples, from: Shape, to: Shape) -> Samples {
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

fn plane<T: Copy + Default>(values: &[T], from: Shape, to: Shape) -> Vec<T> {
    let mut resized = vec![T::default(); to.len()];
    let width = from.columns.min(to.columns);
    for (target, source) in resized.chunks_exact_mut(to.columns).zip(values.chunks_exact(from.columns)) {
        target[..width].copy_from_slice(&source[..width]);
    }
    resized
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_rows() {
        let (from, to) = (Shape { rows: 2, columns: 3 }, Shape { rows: 3, columns: 2 });
        assert_eq!(plane(&[1, 2, 3, 4, 5, 6], from, to), [1, 2, 4, 5, 0, 0]);
        assert_eq!(plane(&[1, 2, 4, 5, 0, 0], to, from), [1, 2, 0, 4, 5, 0]);
    }
}
