//! The power of short stretches of frames, so that a picture of hours is made again without their transforms.

use super::super::real::in_precision;
use super::super::{Real, SpectraError, SpectraJob};
use super::pooled::{Power, powers};
use super::{Method, Pool, TimeAxis, windows};
use std::ops::Range;

/// The power of stretches of at most [`Blocks::FRAMES`] frames, which follow each other.
#[derive(Debug)]
pub struct Blocks {
    pub(super) how: (Method, Pool),
    /// The first frame of each stretch, and one past the last of all.
    bounds: Vec<usize>,
    pub(super) powers: Vec<Power>,
}

impl Blocks {
    /// The most frames of a stretch. A picture gains where its columns have several times as many.
    pub const FRAMES: usize = 16;

    /// The bytes that those of a job take, about.
    pub fn bytes(job: &SpectraJob<'_>) -> u128 {
        (job.count() / Self::FRAMES) as u128 * job.bins() as u128 * size_of::<f32>() as u128
    }

    /// Those of all frames of a job; they end at the columns of a picture, too, which is made without further transforms then.
    ///
    /// # Errors
    /// When the selection or the frames do not fit, or the work is cancelled.
    pub fn new(job: &SpectraJob<'_>, how: (Method, Pool), times: &TimeAxis) -> Result<Self, SpectraError> {
        job.check()?;
        let n = job.count();
        let columns = times.groups(&job.frames, n).into_iter().map(|group| group.start);
        let mut bounds: Vec<usize> = (0..n).step_by(Self::FRAMES).chain(columns).chain([n]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let groups: Vec<Range<usize>> = bounds.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let powers = in_precision!(job, powers_of(job, how, &groups))?;
        Ok(Self { how, bounds, powers })
    }

    /// The stretches that lie within some frames, and the frames before and after them.
    pub(super) fn within(&self, frames: Range<usize>) -> ([Range<usize>; 2], Range<usize>) {
        let first = self.bounds.partition_point(|bound| *bound < frames.start);
        let last = self.bounds.partition_point(|bound| *bound <= frames.end).saturating_sub(1);
        if first >= last {
            return ([frames.clone(), frames.end..frames.end], 0..0);
        }
        ([frames.start..self.bounds[first], self.bounds[last]..frames.end], first..last)
    }
}

fn powers_of<T: Real>(job: &SpectraJob<'_>, (method, pool): (Method, Pool), groups: &[Range<usize>]) -> Result<Vec<Power>, SpectraError> {
    powers::<T, _>(job, &windows(job, method).0, pool, groups, &|power| power)
}
