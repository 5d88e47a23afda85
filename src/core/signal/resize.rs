//! Picks rows and columns of a signal: crops it, and pads it with zeros or with samples from elsewhere.

use super::{Channel, Samples, Signal};
use crate::threads;
use std::ops::Range;

impl Signal {
    /// The signal with other numbers of rows and columns: cropped, or padded with zeros, at the end of rows and columns.
    #[must_use]
    pub fn resized(&self, rows: usize, columns: usize) -> Self {
        let within = |n: usize| move |index: usize| (index < n).then_some(index);
        self.picked(&picks(rows, within(self.rows)), &picks(columns, within(self.columns)))
    }

    /// The signal of these rows and columns, in their type; `None` gives zeros.
    #[must_use]
    pub fn picked(&self, rows: &[Option<usize>], columns: &[Option<usize>]) -> Self {
        macro_rules! of_type {
            ($samples:expr; $($kind:ident)*) => {
                match $samples {
                    $(Samples::$kind(v) => Samples::$kind(picked(v, self.columns, rows, columns, Default::default())),)*
                    Samples::Pcm(_) => unreachable!("they are in an array"),
                }
            };
        }
        let samples = |samples: &Samples| match samples {
            Samples::Pcm(v)
                if self.rows == 1
                    && rows == [Some(0)]
                    && let Some(part) = consecutive(columns) =>
            {
                Samples::Pcm(v.part(part))
            }
            _ => of_type!(&*samples.in_array(); U8 U16 I32 I64 F32 F64 Complex32 Complex64),
        };
        let channel =
            |channel: &Channel| Channel { unit: channel.unit.clone(), ..Channel::new(channel.name.clone(), samples(&channel.samples)) };
        let channels = self.channels.iter().map(channel).collect();
        let (rows, n_columns, first) = (rows.len(), columns.len(), columns.first().copied().flatten().unwrap_or(0));
        let (kind, pixel_size, stored_bits) = (self.kind, self.pixel_size, self.stored_bits);
        let name = self.name.clone();
        let picked = Self {
            rows,
            columns: n_columns,
            channels,
            name,
            kind,
            axis: None,
            pixel_size,
            stored_bits,
            raw: self.raw,
            table: self.table.clone(),
            notes: Vec::new(),
            pages: self.pages,
            drawn: self.drawn,
            centre_hz: self.centre_hz,
        };
        picked.with_axis_of(self, first)
    }
}

impl Samples {
    /// `n` samples in their type: the one at the place that `at` gives for each index.
    #[must_use]
    pub(super) fn gathered(&self, n: usize, at: impl Fn(usize) -> usize + Sync) -> Self {
        macro_rules! of_type {
            ($samples:expr; $($kind:ident)*) => {
                match $samples {
                    $(Self::$kind(v) => Self::$kind(threads::tabulate(n, |index| v[at(index)])),)*
                    Self::Pcm(_) => unreachable!("they are in an array"),
                }
            };
        }
        of_type!(&*self.in_array(); U8 U16 I32 I64 F32 F64 Complex32 Complex64)
    }
}

/// The range of indices that follow each other.
fn consecutive(indices: &[Option<usize>]) -> Option<Range<usize>> {
    let first = indices.first().copied()??;
    indices.iter().zip(first..).all(|(index, wanted)| *index == Some(wanted)).then(|| first..first + indices.len())
}

/// The source of every one of `n` indices.
pub fn picks(n: usize, from: impl FnMut(usize) -> Option<usize>) -> Vec<Option<usize>> {
    (0..n).map(from).collect()
}

/// These rows and columns of values in rows of `width`; without a source, `other`.
pub fn picked<T: Copy + Send + Sync>(values: &[T], width: usize, rows: &[Option<usize>], columns: &[Option<usize>], other: T) -> Vec<T> {
    let mut picked = vec![other; rows.len() * columns.len()];
    threads::for_each_chunk(&mut picked, columns.len().max(1), &|row, target| {
        let Some(row) = rows[row].map(|row| &values[row * width..(row + 1) * width]) else { return };
        for (value, column) in target.iter_mut().zip(columns) {
            *value = column.map_or(other, |column| row[column]);
        }
    });
    picked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::SignalKind;

    #[test]
    fn rows_stay_rows() {
        let signal = |shape, values: &[i64]| {
            Signal::from_channels("s", SignalKind::Rows, shape, vec![Channel::new("value", Samples::I64(values.to_vec()))])
        };
        assert_eq!(signal((2, 3), &[1, 2, 3, 4, 5, 6]).resized(3, 2), signal((3, 2), &[1, 2, 4, 5, 0, 0]));
        assert_eq!(signal((3, 2), &[1, 2, 4, 5, 0, 0]).resized(2, 3), signal((2, 3), &[1, 2, 0, 4, 5, 0]));
    }
}
