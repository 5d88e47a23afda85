//! The constants of one Fourier kernel: what a workgroup does.

use super::placement::Placement;
use crate::plan::{Direction, Precision, Ring};
use serde::Serialize;

/// Threads of a workgroup that every adapter has.
pub(super) const PORTABLE_THREADS: usize = 256;
/// Workgroup memory in bytes above which an exchange takes more rounds, for arrays that the caches hold. A processor has one such workgroup, and each round adds barriers.
/// On an NVIDIA H200, 2^20 points take 15.4 µs with 35 KiB, and 16.4 µs in two rounds of half as much.
pub(super) const MOST_BYTES: usize = 48 << 10;
/// Columns of a strip: a row of it fills 64 bytes, which was measured to be the fastest for the launch that writes it and the one that reads half of it.
pub(super) const STRIP: usize = 8;

/// The values of neighbouring threads: neighbouring points of one line, or one point of neighbouring lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Along {
    /// Neighbouring threads take neighbouring points.
    Line,
    /// Neighbouring threads take neighbouring lines.
    Across,
}

/// The side of a launch on which the array is in strips of [`STRIP`] neighbouring columns, one strip after the other, row after row.
///
/// The launch that writes strips writes longer segments than the next launch would read of every row. The next launch, which takes a few whole columns, reads within one strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Strips {
    /// Where points are loaded.
    Source,
    /// Where results are stored.
    Sink,
}

/// Which end of a row holds half a spectrum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum HalfSpectrum {
    /// The beginning: half a spectrum becomes the spectrum of lanes with two samples each.
    Joined,
    /// The end: the spectrum of lanes with two samples each becomes half a spectrum.
    Parted,
}

/// The constants of one kernel: what a workgroup does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct FftShape {
    /// Radices of the stages; their product is the number of points of a line.
    pub(crate) radices: Vec<usize>,
    /// Sign of the angle.
    pub(crate) direction: Direction,
    /// The factor of every result at the end.
    pub(super) scale: f64,
    /// How real numbers are held.
    pub(crate) precision: Precision,
    /// Lines of one workgroup.
    pub(crate) lines: usize,
    /// Parts of a line that are exchanged one after the other, so that they share workgroup memory.
    pub(crate) rounds: usize,
    /// The values that neighbouring threads load.
    pub(crate) load: Along,
    /// The values that neighbouring threads store.
    pub(crate) store: Along,
    /// Whether results are gathered in workgroup memory, so that they are written in long segments.
    pub(crate) gathers: bool,
    /// Whether the results of the last stage are twiddled: rows go on after this run.
    pub(crate) goes_on: bool,
    /// Whether the points are twiddled before the first stage: the run is decimated in time.
    pub(crate) twiddles_points: bool,
    /// Whether results go where the points came from, in the same buffer.
    pub(crate) in_place: bool,
    /// Whether every power of a root is loaded, and none is the product of others.
    pub(crate) loads_powers: bool,
    /// Whether points are multiplied by a factor of their lane as they are loaded.
    pub(crate) pre_multiplies: bool,
    /// The same for results, as they are stored.
    pub(crate) post_multiplies: bool,
    /// Which end of the rows holds half the spectrum of real samples.
    pub(crate) half: Option<HalfSpectrum>,
    /// Whether line i and its mirror image, line −i of the row, follow one another in a workgroup: values k and −k of half a spectrum are in both.
    pub(crate) mirrors: bool,
    /// The side on which the array is in strips, if it is.
    pub(crate) strips: Option<Strips>,
    /// Where the lines are, once the launch is lowered.
    pub(crate) placement: Placement,
}

impl FftShape {
    /// Points of a line.
    pub(crate) fn points(&self) -> usize {
        self.radices.iter().product()
    }

    /// Threads that share a line.
    pub(crate) fn threads_per_line(&self) -> usize {
        threads_per_line(&self.radices)
    }

    /// Threads of one workgroup.
    pub(crate) fn threads(&self) -> usize {
        self.lines * self.threads_per_line()
    }

    /// The pitch of a line in workgroup memory, in elements. Every 16 points are followed by one element of padding, and lines begin 32 / `lines` banks apart, so that threads that run across lines meet no bank twice.
    pub(crate) fn pitch(&self) -> usize {
        let points = self.points() / self.rounds;
        let padded = points + points / 16;
        if self.load == Along::Line {
            return padded;
        }
        let apart = 32 / self.lines.clamp(1, 32);
        padded + (apart + 32 - padded % 32) % 32
    }

    /// Elements in workgroup memory: all lines between two stages, and all results where they are gathered.
    pub(crate) fn workgroup_values(&self) -> usize {
        let exchanged = if self.radices.len() > 1 || self.half.is_some() { self.lines * self.pitch() } else { 0 };
        let results = self.lines * self.points();
        let gathered = if self.gathers { results + results / 16 } else { 0 };
        exchanged.max(gathered) + 1
    }

    /// Whether every exchange splits into `rounds` rounds: a part is a run of butterflies before it, and the same points of every thread after it.
    pub(super) fn takes_rounds(&self, rounds: usize) -> bool {
        let (points, threads) = (self.points(), self.threads_per_line());
        let even = self.radices.iter().all(|radix| (points / radix).is_multiple_of(threads));
        let mut rest = points;
        let exchanges = self.radices.iter().take(self.radices.len() - 1).all(|radix| {
            rest /= radix;
            let per_thread = points / radix / threads;
            rest.is_multiple_of(rounds) && (per_thread == 1 || per_thread.is_multiple_of(rounds))
        });
        let meets = !self.mirrors || self.points_per_thread().is_multiple_of(2 * rounds);
        even && exchanges && meets && threads.is_multiple_of(rounds) && (points / rounds).is_multiple_of(threads.max(16))
    }

    /// Points of a thread, where all threads have the same number of them.
    pub(super) fn points_per_thread(&self) -> usize {
        self.points() / self.threads_per_line()
    }

    /// Whether mirrored lines suit the kernel: it takes pairs of lines, and pairs of results where these are parted.
    /// Results of neighbouring lines are adjacent there, and those of one line where half a spectrum is joined.
    pub(super) fn takes_mirrored_lines(&self) -> bool {
        let (threads, last) = (self.threads_per_line(), self.radices.last().map_or(1, |radix| self.points() / radix));
        let suits = match self.half {
            Some(HalfSpectrum::Joined) => self.store == Along::Line,
            _ => self.store == Along::Across && last.is_multiple_of(threads) && self.points_per_thread().is_multiple_of(2 * self.rounds),
        };
        suits && self.lines.is_multiple_of(2)
    }

    /// The kernel with strips on one side.
    pub(super) fn with_strips(self, strips: Strips) -> Self {
        // Neighbouring lines are neighbouring rows of a strip.
        let (store, gathers) =
            if strips == Strips::Sink && self.load == Along::Across { (Along::Across, false) } else { (self.store, self.gathers) };
        Self { store, gathers, in_place: false, strips: Some(strips), ..self }
    }

    /// The kernel of a launch with this placement.
    pub(super) fn placed(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    /// Workgroup memory, in bytes.
    pub(crate) fn workgroup_bytes(&self) -> usize {
        self.precision.bytes_per_lane(Ring::Real) * self.workgroup_values()
    }

    /// Bytes that a launch with half a spectrum at one end moves; `None` for others.
    /// Every value is needed for two results of one workgroup, and the stage counts it twice.
    pub(super) fn half_spectrum_bytes(&self) -> Option<u64> {
        let [source, sink] = [self.placement.source, self.placement.sink];
        let rows = self.placement.n_lines / self.placement.lines_per_row.max(1);
        let lanes = u64::from(rows) * (u64::from(source.row) + u64::from(sink.row));
        self.half.map(|_| lanes * self.precision.bytes_per_lane(Ring::Complex) as u64)
    }

    /// Whether the butterfly itself scales its results: three points have so few roundings that one more counts.
    pub(super) fn divides_by_three(&self) -> bool {
        self.radices == [3] && self.scale == 1.0 / 3.0 && self.precision == Precision::Single
    }

    /// The difference between the scale and the nearest number of this precision.
    pub(super) fn scale_remainder(&self) -> f64 {
        match self.precision {
            Precision::Single => self.scale - f64::from(self.scale as f32),
            Precision::Double => 0.0,
        }
    }
}

/// Threads of a line: one for every butterfly of the largest radix, at most those of a workgroup, with equal shares.
/// With radix 4 a thread takes two, so that a workgroup holds more lines and touches 128 bytes side by side instead of 64.
pub(super) fn threads_per_line(radices: &[usize]) -> usize {
    let points: usize = radices.iter().product();
    let largest = radices.iter().copied().max().unwrap_or(1);
    let share = if largest == 4 && points.is_multiple_of(8) { 8 } else { largest };
    let butterflies = points / share;
    butterflies.div_ceil(butterflies.div_ceil(PORTABLE_THREADS))
}
