//! Reassignment: each power of a frame moves to the centre of what it comes from, in time and in frequency.
//!
//! F. Auger and P. Flandrin, Improving the readability of time-frequency and time-scale representations by the reassignment method, 1995.
//! The shift in time is the real part of X_t/X, with the window times its own time; that in frequency the negative imaginary part of X_d/X, with its derivative.

use super::super::rows::{Fold, fold, grouped, weights};
use super::super::{Real, SpectraError, SpectraJob};
use super::is_finite;
use num_complex::Complex;
use std::f64::consts::TAU;
use std::ops::Range;

/// Where powers fall.
pub(super) struct Grid<'a> {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Frames of a column.
    pub(super) frames: f64,
    /// The column of a time in samples from the beginning of the selection.
    pub(super) column: &'a (dyn Fn(f64) -> f64 + Sync),
    /// The row of a frequency in steps of the spectrum.
    pub(super) row: &'a (dyn Fn(f64) -> f64 + Sync),
}

/// Frames are divided into this number of groups, each with the columns that its power can reach.
const GROUPS: usize = 64;

/// The power in each cell, of the frames `seen` and those whose power reaches their times: the sums of what falls there, over the number of frames of a column.
/// Power that falls outside the grid is left out.
pub(super) fn power<T: Real>(job: &SpectraJob<'_>, seen: Range<usize>, grid: &Grid<'_>) -> Result<Vec<Vec<f32>>, SpectraError> {
    let frames = job.frames;
    let beyond = frames.length.div_ceil(2 * frames.hop);
    let all = seen.start.saturating_sub(beyond)..(seen.end + beyond).min(job.count());
    let window = weights::<f64>(&frames);
    let length = frames.length;
    let half = length as f64 / 2.0;
    let rounded = |of: &dyn Fn(usize) -> f64| -> Vec<T> { (0..length).map(|index| T::rounded(of(index))).collect() };
    let windows = [
        rounded(&|index| window[index]),
        rounded(&|index| (index as f64 - half) * window[index]),
        rounded(&|index| 0.5 * (window[(index + 1) % length] - window[(index + length - 1) % length])),
    ];
    let groups: Vec<Range<usize>> = grouped(all.len(), GROUPS).into_iter().map(|own| own.start + all.start..own.end + all.start).collect();
    // The columns that the frames of a group reach: no power moves by more than half a frame.
    let reach = |group: usize| {
        let range = &groups[group];
        let first = (grid.column)(frames.middle(range.start) - half).clamp(0.0, (grid.columns - 1) as f64) as usize;
        let last = (grid.column)(frames.middle(range.end - 1) + half).clamp(0.0, (grid.columns - 1) as f64) as usize;
        (first, last - first + 1)
    };
    let parts = fold(
        job,
        &windows,
        &groups,
        &Fold {
            start: &|group| {
                let (first, n) = reach(group);
                (first, vec![0.0_f32; n * grid.rows])
            },
            add: &|(first, cells): &mut (usize, Vec<f32>), frame, spectra: &[Vec<Complex<T>>]| {
                if is_finite(&spectra[0]) {
                    reassign(job, grid, *first, cells, frame, spectra);
                }
            },
            finish: &|_, part| part,
        },
    )?;
    let share = grid.frames.max(1.0).recip() as f32;
    let mut columns = vec![vec![0.0; grid.rows]; grid.columns];
    for (first, cells) in parts {
        for (column, cells) in columns[first..].iter_mut().zip(cells.chunks(grid.rows)) {
            column.iter_mut().zip(cells).for_each(|(sum, cell)| *sum += cell * share);
        }
    }
    Ok(columns)
}

/// Adds the powers of a frame to the cells of the columns from `first` on.
fn reassign<T: Real>(job: &SpectraJob<'_>, grid: &Grid<'_>, first: usize, cells: &mut [f32], frame: usize, spectra: &[Vec<Complex<T>>]) {
    let (frames, is_complex) = (job.frames, job.is_complex());
    let (half, points) = (frames.length as f64 / 2.0, frames.points as f64);
    let inside = |place: f64, n: usize| (place >= 0.0 && place < n as f64).then_some(place as usize);
    for (bin, z) in spectra[0].iter().enumerate() {
        let [z, timed, derived] = [*z, spectra[1][bin], spectra[2][bin]].map(T::wide);
        let power = z.norm_sqr();
        if power == 0.0 {
            continue;
        }
        let time = frames.middle(frame) + ((timed * z.conj()).re / power).clamp(-half, half);
        // Frequencies of complex samples above half the rate are negative.
        let own = if is_complex && bin >= frames.points.div_ceil(2) { bin as f64 - points } else { bin as f64 };
        let steps = own - (derived * z.conj()).im / power * points / TAU;
        let column = inside((grid.column)(time), grid.columns).and_then(|column| column.checked_sub(first));
        if let (Some(column), Some(row)) = (column, inside((grid.row)(steps), grid.rows))
            && let Some(cell) = cells.get_mut(column * grid.rows + row)
        {
            *cell += power as f32;
        }
    }
}
