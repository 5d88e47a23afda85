//! The fast Fourier kernel: which runs of stages it serves, and how a workgroup shares them.
//!
//! A run of consecutive Stockham stages whose radices multiply to R is, in every algorithm, a set of separate transforms of R points, the *lines*.
//! Before the run the points of a line stand N/R lanes apart in a row of N; after it, its results stand `span` lanes apart, `span` being the product of the radices before the run.
//! A whole row is the case R = N; a long row is two or three runs; the columns of a picture are lines of a "row" that is the whole picture, with the picture's width as the first span.
//! A shape is recognised from the numbers of the stages alone, so that the kernel serves every algorithm that comes to the same stages.

mod halves;
mod placement;
mod radix;
mod recognise;
mod text;
mod weights;

pub(super) use halves::Half;
pub(super) use placement::{Placement, Side};
pub(super) use recognise::recognise;
pub(super) use text::{Body, source};
pub(super) use weights::Weights;

use super::Limits;
use super::numbers::FINE;
use crate::plan::{Direction, Precision, Ring};

/// Threads of a workgroup that every adapter has.
pub(super) const PORTABLE_THREADS: usize = 256;
/// Points of the longest line.
pub(super) const MAX_POINTS: usize = 8192;
/// Points of the longest row whose turns load every power of a root where its accuracy asks for it: the caches next to the threads hold so short a table.
const SHORT_ROW: usize = 256;
/// Threads at least of a workgroup that holds whole rows.
const ROW_THREADS: usize = 128;
/// Rounds of a trade at most.
const MOST_ROUNDS: usize = 4;
/// Workgroup memory of 256 threads, in bytes, above which points trade places in more rounds. Drivers leave a workgroup's memory to the caches: of 48 KiB a processor holds four such workgroups.
const ROOM: usize = 12 << 10;
/// Workgroup memory that the kernel takes at most without further rounds, in bytes.
const MOST_BYTES: usize = 32 << 10;
/// Lanes that caches hold: where nobody waits for global memory, further rounds only cost.
const CACHED_LANES: usize = 1 << 20;
/// Lanes of an array that caches do not hold.
pub(super) const LARGE: usize = 1 << 23;
/// Columns of a strip: a row of it fills 64 bytes, which was measured to be the fastest for those who write it and those who read half of it.
pub(super) const STRIP: usize = 8;
/// Neighbouring results that fill 128 bytes: where fewer stand side by side, a workgroup gathers them before it stores them.
const SEGMENT_LINES: usize = 16;

/// How neighbouring threads stand to the lines: on neighbouring points of one line, or on one point of neighbouring lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Along {
    /// Neighbouring threads take neighbouring points.
    Line,
    /// Neighbouring threads take neighbouring lines.
    Across,
}

/// The side of a launch on which the array stands in strips of [`STRIP`] neighbouring columns, one strip after the other, row after row.
///
/// The launch that leaves it so writes longer pieces than the next one would read of every row, and that one, which takes a few whole columns, reads within a strip alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strips {
    /// Where points are loaded.
    Source,
    /// Where results are stored.
    Sink,
}

/// The constants of one kernel: what a workgroup does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinesShape {
    /// Radices of the stages; their product is the number of points of a line.
    pub radices: Vec<usize>,
    /// Sign of the angle.
    pub direction: Direction,
    /// Bits of the number that every result is multiplied by at the end.
    scale: u64,
    /// How real numbers are held.
    pub precision: Precision,
    /// Lines of one workgroup.
    pub lines: usize,
    /// Parts of a line that trade places one after the other, so that they share workgroup memory.
    pub rounds: usize,
    /// Who loads what.
    pub load: Along,
    /// Who stores what.
    pub store: Along,
    /// Whether results are gathered in workgroup memory, so that they are written side by side.
    pub gathers: bool,
    /// Whether the results of the last stage are turned: rows go on after this run.
    pub goes_on: bool,
    /// Whether results go where the points came from, in the same buffer.
    pub in_place: bool,
    /// Whether roots come from two tables, coarse and fine.
    pub long: bool,
    /// Whether every power of a root is loaded, and none is the product of others.
    pub loads_powers: bool,
    /// Whether points are multiplied by a factor of their lane as they are loaded.
    pub weighs_in: bool,
    /// Whether results are, as they are stored.
    pub weighs_out: bool,
    /// Which end of the lines holds half the spectrum of real samples.
    pub half: Option<Half>,
    /// The side on which the array stands in strips, if it does.
    pub strips: Option<Strips>,
    /// Where the lines stand, once the launch is lowered.
    pub placement: Placement,
}

/// A run of Stockham stages, as found in a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub(super) radices: Vec<usize>,
    pub(super) direction: Direction,
    /// What every result is multiplied by at the end.
    pub(super) scale: f64,
    /// Number of rows.
    pub(super) rows: usize,
    /// Lanes of a row.
    pub(super) row: usize,
    /// Product of the radices before the run, times the width of a picture whose columns are transformed.
    pub(super) span: usize,
    /// Factors on the way in: the first stage of the run.
    pub(super) before: Option<Weights>,
    /// Factors on the way out: the last stage of the run.
    pub(super) after: Option<Weights>,
    /// How real numbers are held; single unless said otherwise.
    pub(super) precision: Precision,
    /// Workgroup memory that there is, in bytes; 32 KiB unless said otherwise.
    pub(super) workgroup_bytes: usize,
    /// Which end of the rows holds half the spectrum of real samples: a stage at that end of the run.
    pub(super) half: Option<Half>,
}

impl Run {
    /// The run on a device of these limits.
    pub(super) fn on(self, limits: Limits) -> Self {
        Self { precision: limits.precision, workgroup_bytes: limits.workgroup_bytes, ..self }
    }

    /// Points of a line.
    pub(super) fn points(&self) -> usize {
        self.radices.iter().product()
    }

    /// Lines of one row.
    pub(super) fn lines_per_row(&self) -> usize {
        self.row / self.points()
    }

    /// The order of the root whose powers turn the results.
    pub(super) fn order(&self) -> usize {
        self.row / self.span
    }

    /// The order of the root whose table serves: half a spectrum belongs to twice as many samples as there are points.
    pub(super) fn table_order(&self) -> usize {
        if self.half.is_some() { 2 * self.order() } else { self.order() }
    }

    /// Lanes of a line on the longer side.
    pub(super) fn lanes_of_line(&self) -> usize {
        self.points() + usize::from(self.half.is_some())
    }

    /// Lanes from one row to the next where lines are read, and where they are written.
    pub(super) fn pitches(&self) -> [usize; 2] {
        let of = |weights: Option<Weights>, half| match weights {
            Some(weights) => weights.pitch,
            None => self.row + usize::from(self.half == Some(half)),
        };
        [of(self.before, Half::Joined), of(self.after, Half::Parted)]
    }

    /// Whether the lines are whole columns of the one picture, or of what a long row is after its first run.
    pub(super) fn ends_columns(&self) -> bool {
        self.rows == 1 && self.span > 1 && self.span * self.points() == self.row
    }

    /// Whether this run leaves the array in strips to the next one, of which a workgroup takes so many lines:
    /// where no cache holds it, these are whole columns, fewer than a strip has, and the results of each line of this run stand side by side.
    pub(super) fn leaves_strips(&self, next: &Self, lines: usize) -> bool {
        let rows = self.span == 1 && self.points() == next.span && self.rows * self.row == next.row && next.row > LARGE;
        let columns = next.ends_columns() && next.span.is_multiple_of(STRIP) && STRIP.is_multiple_of(lines) && lines < STRIP;
        rows && columns && self.half.is_none() && self.after.is_none() && next.before.is_none() && next.half.is_none()
    }

    /// Whether this run, the last of several down the columns of a picture, leaves its rows permuted to the next one, which takes rows.
    ///
    /// Its results stand as many rows apart as the product of the radices before. Where no cache holds the array it costs less to write them to neighbouring rows
    /// and to read every row from where it stands then: row k1 + d·k2, of d results of the runs before, in place k1·points + k2.
    pub(super) fn permutes_rows(&self, next: &Self) -> bool {
        let columns = self.ends_columns() && self.row > LARGE && self.span > next.row && self.span.is_multiple_of(next.row);
        let rows = next.span == 1 && next.rows * next.row == self.row;
        columns && rows && [self, next].into_iter().all(|run| run.before.is_none() && run.half.is_none()) && self.after.is_none()
    }

    /// Whether products of powers of roots would cost too much accuracy: in short rows few roots are in use, so that their rounding errors do not average out,
    /// and the powers of one root share its error. Rows of 2^n points have room for that, and many of them wait for memory alone.
    fn loads_powers(&self) -> bool {
        let whole_row = self.span == 1 && self.points() == self.row;
        let weighed = self.before.is_some() || self.after.is_some();
        whole_row && self.row <= SHORT_ROW && (weighed || !self.row.is_power_of_two())
    }

    /// The kernel in which a workgroup holds whole rows, as many as give it enough threads.
    pub(super) fn rows_shape(&self) -> LinesShape {
        let lines = (ROW_THREADS / threads_per_line(&self.radices)).max(1);
        self.shape(lines, Along::Line, Along::Line, false)
    }

    /// Whether a group of lines writes just the lanes that it reads, so that one buffer is enough.
    pub(super) fn in_place(&self) -> bool {
        self.span > 1 && self.span * self.points() == self.row && self.before.is_none() && self.after.is_none()
    }

    /// The kernel in which a workgroup takes `lines` neighbouring lines, perhaps in place.
    pub(super) fn columns_shape(&self, lines: usize, in_place: bool) -> LinesShape {
        // The results of neighbouring lines stand side by side where the span is long; where it is 1, those of one line do.
        let short = self.span < SEGMENT_LINES;
        let store = if short && self.span == 1 && self.radices.len() > 1 { Along::Line } else { Along::Across };
        let threads = threads_per_line(&self.radices) * lines;
        let even = self.radices.iter().all(|radix| (self.points() / radix * lines).is_multiple_of(threads));
        let gathers = short && store == Along::Across && lines.is_multiple_of(self.span) && even && self.after.is_none();
        LinesShape { in_place, ..self.shape(lines, Along::Across, store, gathers) }
    }

    fn shape(&self, lines: usize, load: Along, store: Along, gathers: bool) -> LinesShape {
        let mut shape = LinesShape {
            radices: self.radices.clone(),
            direction: self.direction,
            scale: self.scale.to_bits(),
            precision: self.precision,
            lines,
            rounds: 1,
            load,
            store,
            gathers,
            in_place: false,
            goes_on: self.span * self.points() < self.row,
            long: self.table_order() > FINE,
            loads_powers: self.loads_powers(),
            weighs_in: self.before.is_some(),
            weighs_out: self.after.is_some(),
            half: self.half,
            strips: None,
            placement: Placement::default(),
        };
        let room = if self.rows * self.row > CACHED_LANES { ROOM * shape.threads() / PORTABLE_THREADS } else { MOST_BYTES };
        let room = room.min(self.workgroup_bytes);
        while shape.half.is_none() && shape.workgroup_bytes() > room && shape.rounds < MOST_ROUNDS && shape.takes_rounds(2 * shape.rounds) {
            shape.rounds *= 2;
        }
        shape
    }
}

impl LinesShape {
    /// Points of a line.
    pub fn points(&self) -> usize {
        self.radices.iter().product()
    }

    /// Threads that share a line.
    pub fn threads_per_line(&self) -> usize {
        threads_per_line(&self.radices)
    }

    /// Threads of one workgroup.
    pub fn threads(&self) -> usize {
        self.lines * self.threads_per_line()
    }

    /// Places of one line in workgroup memory. Every 16 points leave one place free, and lines begin 32 / `lines` banks apart, so that threads that run across lines meet no bank twice.
    pub fn pitch(&self) -> usize {
        let points = self.points() / self.rounds;
        let padded = points + points / 16;
        if self.load == Along::Line {
            return padded;
        }
        let apart = 32 / self.lines.clamp(1, 32);
        padded + (apart + 32 - padded % 32) % 32
    }

    /// Places in workgroup memory: for all lines between two stages, and for all results where they are gathered.
    pub fn places(&self) -> usize {
        let traded = if self.radices.len() > 1 || self.half.is_some() { self.lines * self.pitch() } else { 0 };
        let results = self.lines * self.points();
        let gathered = if self.gathers { results + results / 16 } else { 0 };
        traded.max(gathered) + 1
    }

    /// Whether every trade splits into so many rounds: a part is a run of butterflies before it, and the same points of every thread after it.
    fn takes_rounds(&self, rounds: usize) -> bool {
        let (points, threads) = (self.points(), self.threads_per_line());
        let even = self.radices.iter().all(|radix| (points / radix).is_multiple_of(threads));
        let mut rest = points;
        let trades = self.radices.iter().take(self.radices.len() - 1).all(|radix| {
            rest /= radix;
            let turns = points / radix / threads;
            rest.is_multiple_of(rounds) && (turns == 1 || turns.is_multiple_of(rounds))
        });
        even && trades && threads.is_multiple_of(rounds) && (points / rounds).is_multiple_of(threads.max(16))
    }

    /// The kernel with strips on one side.
    pub(super) fn with_strips(self, strips: Strips) -> Self {
        // Neighbouring lines are neighbouring rows of a strip.
        let (store, gathers) =
            if strips == Strips::Sink && self.load == Along::Across { (Along::Across, false) } else { (self.store, self.gathers) };
        Self { store, gathers, in_place: false, strips: Some(strips), ..self }
    }

    /// The kernel of a launch whose lines stand there.
    pub(super) fn placed(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    /// Workgroup memory, in bytes.
    pub fn workgroup_bytes(&self) -> usize {
        self.precision.bytes_per_lane(Ring::Real) * self.places()
    }

    /// What every result is multiplied by.
    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }

    /// Whether the butterfly itself scales its results: as three points do, of which so few are rounded so often.
    fn divides_by_three(&self) -> bool {
        self.radices == [3] && self.scale() == 1.0 / 3.0 && self.precision == Precision::Single
    }

    /// What the number of this precision that is nearest to the scale leaves of it.
    pub(super) fn rest_of_scale(&self) -> f64 {
        match self.precision {
            Precision::Single => self.scale() - f64::from(self.scale() as f32),
            Precision::Double => 0.0,
        }
    }
}

/// Threads of a line: one for every butterfly of the largest radix, as far as a workgroup has them, evenly filled.
fn threads_per_line(radices: &[usize]) -> usize {
    let points: usize = radices.iter().product();
    let butterflies = points / radices.iter().copied().max().unwrap_or(1);
    butterflies.div_ceil(butterflies.div_ceil(PORTABLE_THREADS))
}

#[cfg(test)]
mod tests;
