//! The memory traffic of a stage that is a launch of its own.

use super::Stage;
use super::coef::gcd;

impl Stage {
    /// Bytes that are read and written, every touched lane once, where a lane takes `lane_bytes`.
    ///
    /// A lane counts as [`Stage::bytes_of_a_lane`] says.
    pub fn bytes_moved(&self, lane_bytes: usize) -> u64 {
        let bytes = |spacing: usize| Self::bytes_of_a_lane(spacing, lane_bytes);
        let (taps, rows) = (self.matrix().taps.min(self.read.len), self.matrix().rows);
        let [advance, hop] = [self.read.advance, self.read.hop].map(|coordinates| coordinates.unsigned_abs() as usize);
        // Neighbouring positions share taps.
        let new_taps =
            if taps > 1 && hop > 0 && advance % hop == 0 && self.positions > 1 { taps.min((advance / hop).max(1)) } else { taps };
        let loops = [self.group, self.outer].map(|of| if of.n > 1 { [of.read, of.write] } else { [0, 0] });
        let spacing = |side: usize, [advance, hop]: [usize; 2], n: usize| {
            let along = [if self.positions > 1 { advance } else { 0 }, if n > 1 { hop } else { 0 }];
            along
                .into_iter()
                .chain(loops.map(|strides| strides[side]))
                .filter(|&strides| strides > 0)
                .fold(0, |a, b| gcd(a as u64, b as u64) as usize)
        };
        let read = spacing(0, [advance, hop].map(|coordinates| coordinates * self.read.step), taps);
        let written = if self.write.scatters() { 1 } else { spacing(1, [self.write.advance, self.write.hop], rows) };
        (self.n_butterflies() * (bytes(read) * new_taps + bytes(written) * rows)) as u64
    }

    /// Bytes that memory moves for a lane of `lane_bytes`, where the next lane that is touched is `spacing` lanes away.
    ///
    /// A lane whose neighbours are not touched counts 64 bytes, a line of a CPU's caches, and 128 bytes where the next one is 256 bytes away or farther:
    /// on an NVIDIA H200 it takes as long there as 110 neighbouring bytes, and nearer to the next one as long as 44 to 70 (`docs/performance.md`).
    pub fn bytes_of_a_lane(spacing: usize, lane_bytes: usize) -> usize {
        match spacing.max(1) * lane_bytes {
            far @ 256.. => far.min(lane_bytes.max(128)),
            near => near.min(lane_bytes.max(64)),
        }
    }
}
