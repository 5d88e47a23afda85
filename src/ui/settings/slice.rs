//! The part of a source that a layout shows: one row or column of an image or of a table of rows, and 2^k of its samples.

use crate::numerals::integer;
use crate::signal::{Axis, PixelSize, Sampling, Signal, SignalKind, picks};
use std::sync::Arc;

/// The part of a source that is shown; nothing set is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Slice {
    /// The row or column.
    pub line: Option<Line>,
    /// The samples of it.
    pub part: Option<Part>,
}

/// A row or a column of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Line {
    /// Whether it is a column.
    pub is_column: bool,
    /// Its index, from 0 on.
    pub index: usize,
}

/// Samples that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Part {
    /// The first one.
    pub first: usize,
    /// Their number, a power of two.
    pub n: usize,
}

impl Slice {
    /// The number of samples of a flow graph at first: its edges are seen, and its values are read.
    pub(crate) const LANES: usize = 16;

    /// The row in the middle of an image, or the first one of other signals with several.
    pub(crate) fn row_of(signal: &Signal) -> Self {
        let index = if signal.kind.is_image() { signal.rows / 2 } else { 0 };
        let line = (signal.kind.is_image() || signal.rows > 1).then_some(Line { is_column: false, index });
        Self { line, part: None }
    }

    /// The first 2^k samples of a row, at most [`Self::LANES`].
    pub(crate) fn part_of(signal: &Signal) -> Self {
        let row = Self::row_of(signal);
        let n = 1 << row.length(signal).clamp(1, Self::LANES).ilog2();
        let is_whole = row.line.is_none() && n == signal.columns;
        Self { part: (!is_whole).then_some(Part { first: 0, n }), ..row }
    }

    /// Whether it is all of a source.
    pub(crate) fn is_whole(&self) -> bool {
        *self == Self::default()
    }

    /// The number of samples of the row or column, before a part is taken.
    pub(crate) fn length(&self, signal: &Signal) -> usize {
        if self.line.is_some_and(|line| line.is_column) { signal.rows } else { signal.columns }
    }

    /// The nearest slice that a signal has, which may have become smaller.
    pub(crate) fn within(mut self, signal: &Signal) -> Self {
        if let Some(line) = &mut self.line {
            line.index = line.index.min(if line.is_column { signal.columns } else { signal.rows }.saturating_sub(1));
        }
        let length = self.length(signal).max(1);
        if let Some(part) = &mut self.part {
            part.n = part.n.clamp(1, 1 << length.ilog2());
            part.first = part.first.min(length - part.n);
        }
        self
    }

    /// The slice of a signal, as a signal of its own.
    pub(crate) fn cut(self, whole: &Arc<Signal>) -> Arc<Signal> {
        let slice = self.within(whole);
        if slice.is_whole() {
            return whole.clone();
        }
        let (length, is_column) = (slice.length(whole), slice.line.is_some_and(|line| line.is_column));
        let Part { first, n } = slice.part.unwrap_or(Part { first: 0, n: length });
        let along = picks(n, |index| Some(first + index));
        let line = slice.line.map(|line| vec![Some(line.index)]);
        let all_rows = || picks(whole.rows, Some);
        let picked = match (is_column, line) {
            (true, Some(column)) => whole.picked(&along, &column),
            (_, line) => whole.picked(&line.unwrap_or_else(all_rows), &along),
        };
        if whole.kind == SignalKind::Rows {
            return Arc::new(picked.with_axis_of(whole, first));
        }
        let step = whole.pixel_size.map(|PixelSize { width, height, unit }| if is_column { (height, unit) } else { (width, unit) });
        let axis = step.map(|(side, unit)| {
            let sampling = Sampling::at(PixelSize { width: side, height: side, unit });
            Axis { start: first as f64 / sampling.per_unit, ..Axis::new("", sampling) }
        });
        Arc::new(Signal { kind: SignalKind::Rows, rows: 1, columns: n, axis, pixel_size: None, ..picked })
    }

    /// The shown part of a signal, in words.
    pub(crate) fn words(self, whole: &Signal) -> String {
        let slice = self.within(whole);
        let line = slice.line.map(|line| {
            let (name, n) = if line.is_column { ("Column", whole.columns) } else { ("Row", whole.rows) };
            format!("{name} {} of {n}", line.index)
        });
        let part = slice.part.map(|part| {
            format!("samples {} to {} of {}", integer(part.first), integer(part.first + part.n - 1), integer(slice.length(whole)))
        });
        line.into_iter().chain(part).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Channel, Samples};

    #[test]
    fn rows_columns_and_parts_hold_the_samples_of_the_source() {
        let values: Vec<i64> = (0..15).collect();
        let image = Arc::new(Signal::from_channels("i", SignalKind::Image, (3, 5), vec![Channel::new("gray", Samples::I64(values))]));
        let line = |is_column, index| Some(Line { is_column, index });
        let part = |first, n| Some(Part { first, n });
        for (line, part, expected) in [
            (line(false, 1), None, &[5, 6, 7, 8, 9][..]),
            (line(true, 2), None, &[2, 7, 12]),
            (line(false, 2), part(1, 4), &[11, 12, 13, 14]),
            (line(true, 9), part(9, 2), &[9, 14]),
        ] {
            let cut = Slice { line, part }.cut(&image);
            assert_eq!((cut.kind, cut.rows, cut.columns), (SignalKind::Rows, 1, expected.len()), "{line:?} {part:?}");
            assert_eq!(cut.channels[0].samples, Samples::I64(expected.to_vec()), "{line:?} {part:?}");
        }
        assert!(Arc::ptr_eq(&Slice::default().cut(&image), &image));
        assert_eq!(Slice::part_of(&image).words(&image), "Row 1 of 3, samples 0 to 3 of 5");
        let recording = Signal { axis: Some(Axis::of_rate(2.0)), ..Signal::row("r", Samples::F32(vec![0.0; 100])) };
        let cut = Slice { line: None, part: part(50, 8) }.cut(&Arc::new(recording));
        assert_eq!((cut.columns, cut.axis.as_ref().map(|axis| axis.start)), (8, Some(25.0)));
    }
}
