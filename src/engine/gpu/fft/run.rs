//! A run of Stockham stages, and the kernels that can take it.

use super::lane_factors::LaneFactors;
use super::placement::Placement;
use super::shape::{Along, FftShape, HalfSpectrum, MOST_BYTES, PORTABLE_THREADS, STRIP, threads_per_line};
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Precision};

/// Points of the longest line.
pub(crate) const MAX_POINTS: usize = 8192;
/// Points of the longest row whose twiddles load every power of a root where accuracy asks for it: a table this short stays in the caches next to the threads.
const SHORT_ROW: usize = 256;
/// The fewest threads of a workgroup that holds whole rows.
const ROW_THREADS: usize = 128;
/// The most rounds of an exchange.
const MOST_ROUNDS: usize = 4;
/// Workgroup memory of 256 threads, in bytes, above which an exchange takes more rounds. Drivers leave the rest to the caches: a processor holds four such workgroups in 48 KiB.
pub(super) const EXCHANGE_BYTES: usize = 12 << 10;
/// Lanes that caches hold: where no thread waits for global memory, further rounds only cost time.
const CACHED_LANES: usize = 1 << 20;
/// Lanes of an array that caches do not hold.
pub(crate) const LARGE: usize = 1 << 23;
/// Neighbouring results that fill 128 bytes: where fewer are adjacent, a workgroup gathers them before it stores them.
const SEGMENT_LINES: usize = 16;

/// A run of Stockham stages, as found in a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StockhamRun {
    pub(crate) radices: Vec<usize>,
    pub(crate) direction: Direction,
    /// The factor of every result at the end.
    pub(crate) scale: f64,
    /// Number of rows.
    pub(crate) rows: usize,
    /// Lanes of a row.
    pub(crate) row: usize,
    /// Product of the radices before the run, times the width of an image whose columns are transformed.
    pub(crate) span: usize,
    /// Pre-multiplication: the first stage of the run.
    pub(crate) before: Option<LaneFactors>,
    /// Post-multiplication: the last stage of the run.
    pub(crate) after: Option<LaneFactors>,
    /// Whether the stages are decimated in time: points are twiddled before the first stage, and no results after the last.
    pub(crate) in_time: bool,
    /// How real numbers are held; single unless said otherwise.
    pub(crate) precision: Precision,
    /// Available workgroup memory, in bytes; 48 KiB unless said otherwise.
    pub(crate) workgroup_bytes: usize,
    /// Which end of the rows holds half the spectrum of real samples: a stage at that end of the run.
    pub(crate) half: Option<HalfSpectrum>,
}

impl StockhamRun {
    /// The run on a device of these limits.
    pub(crate) fn on(self, limits: Limits) -> Self {
        Self { precision: limits.precision, workgroup_bytes: limits.workgroup_bytes, ..self }
    }

    /// Points of a line.
    pub(crate) fn points(&self) -> usize {
        self.radices.iter().product()
    }

    /// Lines of one row.
    pub(crate) fn lines_per_row(&self) -> usize {
        self.row / self.points()
    }

    /// The order of the root whose powers are the twiddles.
    pub(crate) fn order(&self) -> usize {
        if self.in_time { self.span * self.points() } else { self.row / self.span }
    }

    /// Whether values k and −k of half a spectrum are in different lines: a workgroup then takes both.
    pub(crate) fn mirrors(&self) -> bool {
        self.half.is_some() && self.points() < self.row
    }

    /// Whether a kernel takes the lines: mirrored ones come in pairs.
    pub(crate) fn suits(&self, shape: &FftShape) -> bool {
        !self.mirrors() || self.lines_per_row().is_multiple_of(2) && shape.takes_mirrored_lines()
    }

    /// Lanes of a line on the longer side.
    pub(crate) fn lanes_of_line(&self) -> usize {
        self.points() + usize::from(self.half.is_some() && !self.mirrors())
    }

    /// Lanes from one row to the next where lines are read, and where they are written.
    pub(crate) fn pitches(&self) -> [usize; 2] {
        let of = |weights: Option<LaneFactors>, half| match weights {
            Some(weights) => weights.pitch,
            None => self.row + usize::from(self.half == Some(half)),
        };
        [of(self.before, HalfSpectrum::Joined), of(self.after, HalfSpectrum::Parted)]
    }

    /// Whether the lines are whole columns of the only image, or of the image that a long row is after its first run.
    pub(crate) fn ends_columns(&self) -> bool {
        self.rows == 1 && self.span > 1 && self.span * self.points() == self.row
    }

    /// Whether this run leaves the array in strips to the next one, of which a workgroup takes `lines` lines:
    /// where no cache holds it, these are whole columns, fewer than a strip has, and the results of each line of this run are adjacent.
    pub(crate) fn leaves_strips(&self, next: &Self, lines: usize) -> bool {
        let rows = self.span == 1 && self.points() == next.span && self.rows * self.row == next.row && next.row > LARGE;
        let columns = next.ends_columns() && next.span.is_multiple_of(STRIP) && STRIP.is_multiple_of(lines) && lines < STRIP;
        rows && columns && self.half.is_none() && self.after.is_none() && next.before.is_none() && next.half.is_none()
    }

    /// Whether this run, the last of several down the columns of an image, leaves its rows permuted to the next one, which takes rows.
    ///
    /// Its results are as many rows apart as the product of the radices before. Where no cache holds the array, it costs less to write them to neighbouring rows
    /// and to read every row from there: row k1 + d·k2, of d results of the runs before, is at row k1·points + k2.
    pub(crate) fn permutes_rows(&self, next: &Self) -> bool {
        let columns = self.ends_columns() && self.row > LARGE && self.span > next.row && self.span.is_multiple_of(next.row);
        let rows = next.span == 1 && next.rows * next.row == self.row;
        columns && rows && [self, next].into_iter().all(|run| run.before.is_none() && run.half.is_none()) && self.after.is_none()
    }

    /// Whether products of powers of roots would cost too much accuracy: in short rows few roots are in use, so that their rounding errors do not average out,
    /// and the powers of one root share its error. Rows of 2^n points can afford that, and many of them wait for memory alone.
    fn loads_powers(&self) -> bool {
        let whole_row = self.span == 1 && self.points() == self.row;
        let multiplied = self.before.is_some() || self.after.is_some();
        whole_row && self.row <= SHORT_ROW && (multiplied || !self.row.is_power_of_two())
    }

    /// The kernel in which a workgroup holds whole rows, enough of them to fill its threads.
    pub(crate) fn rows_shape(&self) -> FftShape {
        let lines = (ROW_THREADS / threads_per_line(&self.radices)).max(1);
        self.shape(lines, Along::Line, Along::Line, false)
    }

    /// Whether a group of lines writes just the lanes that it reads, so that one buffer is enough.
    pub(crate) fn in_place(&self) -> bool {
        let ends = self.before.is_none() && self.after.is_none() && self.half.is_none();
        ends && self.span > 1 && self.span * self.points() == self.row
    }

    /// The kernel in which a workgroup takes `lines` neighbouring lines, perhaps in place.
    pub(crate) fn columns_shape(&self, lines: usize, in_place: bool) -> FftShape {
        // The results of neighbouring lines are adjacent where the span is long; where it is 1, those of one line are.
        let short = self.span < SEGMENT_LINES;
        let store = if short && self.span == 1 && self.radices.len() > 1 { Along::Line } else { Along::Across };
        let threads = threads_per_line(&self.radices) * lines;
        let even = self.radices.iter().all(|radix| (self.points() / radix * lines).is_multiple_of(threads));
        let plain = self.after.is_none() && self.half.is_none();
        let gathers = short && store == Along::Across && lines.is_multiple_of(self.span) && even && plain;
        FftShape { in_place, ..self.shape(lines, Along::Across, store, gathers) }
    }

    fn shape(&self, lines: usize, load: Along, store: Along, gathers: bool) -> FftShape {
        let mut shape = FftShape {
            radices: self.radices.clone(),
            direction: self.direction,
            scale: self.scale,
            precision: self.precision,
            lines,
            rounds: 1,
            load,
            store,
            gathers,
            in_place: false,
            goes_on: !self.in_time && self.span * self.points() < self.row,
            twiddles_points: self.in_time && self.span > 1,
            loads_powers: self.loads_powers(),
            pre_multiplies: self.before.is_some(),
            post_multiplies: self.after.is_some(),
            half: self.half,
            mirrors: self.mirrors(),
            strips: None,
            placement: Placement::default(),
        };
        let budget = if self.rows * self.row > CACHED_LANES { EXCHANGE_BYTES * shape.threads() / PORTABLE_THREADS } else { MOST_BYTES };
        let budget = budget.min(self.workgroup_bytes);
        let exchanges = shape.half.is_none() || shape.mirrors;
        while exchanges && shape.workgroup_bytes() > budget && shape.rounds < MOST_ROUNDS && shape.takes_rounds(2 * shape.rounds) {
            shape.rounds *= 2;
        }
        shape
    }
}
