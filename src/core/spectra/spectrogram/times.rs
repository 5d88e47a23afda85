//! The time axis of a picture: which frames each column shows.

use super::super::Frames;
use std::ops::Range;

/// The columns of a picture, from the first time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeAxis {
    /// The left edge of the first column and the right edge of the last one, in samples from the beginning of the selection.
    pub ends: [f64; 2],
    /// Number of columns.
    pub columns: usize,
}

impl TimeAxis {
    /// That of a whole selection.
    pub fn whole(samples: usize, columns: usize) -> Self {
        Self { ends: [0.0, samples as f64], columns }
    }

    /// The axis on which each frame that is seen between two times has a column of its own, of the width of a hop.
    pub fn of_frames(frames: &Frames, n: usize, [from, to]: [f64; 2]) -> Self {
        let hop = frames.hop.max(1) as f64;
        let edge = |frame: usize| frames.middle(frame) - 0.5 * hop;
        let place = |time: f64| (time - frames.middle(0)) / hop + 0.5;
        let first = (place(from).floor().max(0.0) as usize).min(n.saturating_sub(1));
        let last = (place(to).ceil().max(0.0) as usize).clamp(first + 1, n.max(first + 1));
        Self { ends: [edge(first), edge(last)], columns: last - first }
    }

    /// Samples of a column.
    pub fn width(&self) -> f64 {
        (self.ends[1] - self.ends[0]) / self.columns.max(1) as f64
    }

    /// The place of a time in columns; below 0 or from their number on outside.
    pub fn column(&self, time: f64) -> f64 {
        (time - self.ends[0]) / self.width()
    }

    /// The frames, of `n`, whose middles lie between the ends.
    pub fn frames(&self, frames: &Frames, n: usize) -> Range<usize> {
        let [from, to] = self.ends.map(|end| first_from(frames, n, end));
        from..to.max(from)
    }

    /// The frames, of `n`, whose middles lie in each column; the nearest one where none does.
    pub(super) fn groups(&self, frames: &Frames, n: usize) -> Vec<Range<usize>> {
        let width = self.width();
        let edge = |column: usize| self.ends[0] + column as f64 * width;
        let range = |column: usize| {
            let (from, to) = (first_from(frames, n, edge(column)), first_from(frames, n, edge(column + 1)));
            if from < to {
                return from..to;
            }
            let nearest = ((edge(column) + 0.5 * width - frames.length as f64 / 2.0) / frames.hop as f64).round().max(0.0) as usize;
            let nearest = nearest.min(n - 1);
            nearest..nearest + 1
        };
        (0..self.columns).map(range).collect()
    }
}

/// The first frame, of `n`, whose middle is not before a time.
fn first_from(frames: &Frames, n: usize, time: f64) -> usize {
    (((time - frames.length as f64 / 2.0) / frames.hop as f64).ceil().max(0.0) as usize).min(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectra::Overlap;

    #[test]
    fn every_frame_belongs_to_a_column() {
        for (samples, length, hop, columns) in
            [(100_000, 2048, 512, 37), (5000, 2048, 512, 100), (48_000, 256, 256, 188), (2048, 2048, 512, 9)]
        {
            let frames = Frames { hop, ..Frames::new(length, Overlap::Samples(0)) };
            let n = frames.count(samples);
            let found = TimeAxis::whole(samples, columns).groups(&frames, n);
            let mut is_seen = vec![false; n];
            found.iter().for_each(|range| is_seen[range.clone()].fill(true));
            assert!(found.len() == columns && found.iter().all(|range| !range.is_empty()), "{found:?}");
            assert!(is_seen.iter().all(|seen| *seen), "{samples} {length} {hop} {columns}: {found:?}");
        }
    }

    #[test]
    fn a_part_shows_the_frames_of_the_whole() {
        let frames = Frames::new(256, Overlap::Share(0.75));
        let n = frames.count(100_000);
        let part = TimeAxis { ends: [40_000.0, 60_000.0], columns: 20 };
        let shown = part.frames(&frames, n);
        let groups = part.groups(&frames, n);
        assert!(
            groups.windows(2).all(|pair| pair[0].end == pair[1].start) && groups[0].start == shown.start && groups[19].end == shown.end
        );
        assert!((shown.start..shown.end).all(|frame| (40_000.0..60_000.0).contains(&frames.middle(frame))));
        let each = TimeAxis::of_frames(&frames, n, part.ends);
        let own = each.groups(&frames, n);
        assert!(own.iter().all(|group| group.len() == 1) && own.windows(2).all(|pair| pair[0].end == pair[1].start), "{own:?}");
        assert!(each.ends[0] <= part.ends[0] && each.ends[1] >= part.ends[1] && each.width() == frames.hop as f64);
        let outside = TimeAxis::of_frames(&frames, 1, [5000.0, 6000.0]);
        assert_eq!((outside.columns, outside.ends), (1, [96.0, 160.0]));
    }
}
