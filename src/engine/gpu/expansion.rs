//! Numbers that take fewer bytes on their way up than in the lanes of a plan: real numbers for complex lanes, and integers as files store them.
//! They arrive in a buffer of their own, and a kernel makes lanes of them.

use super::array::Array;
use super::bindings::Bindings;
use super::command::{BufferSlot, folded_groups};
use super::device::Device;
use super::error::GpuError;
use super::prepared::Prepared;
use super::services::{expand, widen};
use super::source::Source;
use crate::plan::Ring;
use crate::signal::{IntegerFormat, IntegerMeaning, StoredIntegers};
use bytemuck::Pod;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use wgpu::BufferUsages;

/// Most bytes of integers that a kernel counts.
const MOST_BYTES: usize = u32::MAX as usize - 3;

/// The form in which numbers arrive on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arriving {
    /// Real numbers, each of which becomes a complex lane.
    Reals,
    /// Integers, each of which becomes a real lane, a complex lane, or where they are `in_pairs` half of a complex lane.
    Integers { format: IntegerFormat, in_pairs: bool },
}

/// Lanes that are made on the device of what arrived there.
pub(super) struct Expansion {
    bindings: Bindings,
    pipeline: wgpu::ComputePipeline,
    groups: [u32; 2],
}

/// The buffer in which something arrives, and what makes the lanes of each target of it.
pub(super) struct Expansions {
    of: Arriving,
    scratch: Array,
    each: Vec<Expansion>,
}

impl Expansion {
    /// Submits the work, which runs before all that is submitted later.
    pub(super) fn submit(&self, device: &Device) -> Result<(), GpuError> {
        device.guarded(|| {
            let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("expand") });
            self.bindings.dispatch(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), &self.pipeline, self.groups);
            device.queue().submit([encoder.finish()]);
            Ok(())
        })
    }
}

impl Prepared {
    /// Brings integers to the device as a file stores them, and gives the time that it took. Where there are two for each complex lane, they are its real
    /// and its imaginary part.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    ///
    /// # Panics
    /// When the plan [does not take](Self::takes_integers) them.
    pub fn upload_integers(&self, integers: &StoredIntegers<'_>, cancel: &AtomicBool) -> Result<Duration, GpuError> {
        assert!(self.takes_integers(integers), "{} integers for {} lanes", integers.n, self.inputs);
        let in_pairs = integers.n != self.inputs;
        let n_words = integers.n_bytes().div_ceil(4);
        let read = |first: usize, to: &mut [u32]| integers.read(4 * first, bytemuck::cast_slice_mut(to));
        self.upload_through(Arriving::Integers { format: integers.format, in_pairs }, &Source::read(n_words, &read), cancel, |word| word)
    }

    /// Whether these are the numbers of its lanes: one for each real or complex lane, or two for each complex one.
    pub fn takes_integers(&self, integers: &StoredIntegers<'_>) -> bool {
        let fits = match self.ring {
            Ring::Real => integers.n == self.inputs,
            Ring::Complex => integers.n == self.inputs || integers.n == 2 * self.inputs,
            _ => false,
        };
        fits && integers.n_bytes() <= MOST_BYTES
    }

    /// Writes real numbers, of which the device makes complex lanes.
    pub(super) fn upload_expanded<V: Pod + Sync, R: Pod>(
        &self,
        values: &Source<'_, V>,
        cancel: &AtomicBool,
        real: impl Fn(V) -> R + Sync,
    ) -> Result<Duration, GpuError> {
        self.check_length(values.len())?;
        self.upload_through(Arriving::Reals, values, cancel, real)
    }

    /// Writes values to the buffer in which they arrive, once for each target, and makes lanes of them.
    fn upload_through<V: Pod + Sync, L: Pod>(
        &self,
        of: Arriving,
        values: &Source<'_, V>,
        cancel: &AtomicBool,
        value: impl Fn(V) -> L + Sync,
    ) -> Result<Duration, GpuError> {
        self.timed(values.len() * size_of::<L>() * self.targets().len(), || {
            let Expansions { scratch, each, .. } = &*self.expansions(of)?;
            each.iter().try_for_each(|expansion| {
                self.device.write(scratch, 0, values, &value, cancel)?;
                expansion.submit(&self.device)?;
                self.device.guarded(|| self.device.wait_for(None, cancel))
            })
        })
    }

    /// Where values arrive, and what makes the lanes of each target of them: kept from one upload to the next, as making it takes as long as a small one.
    fn expansions(&self, of: Arriving) -> Result<Arc<Expansions>, GpuError> {
        let mut kept = self.transfers.expansions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.as_ref().filter(|known| known.of == of) {
            return Ok(known.clone());
        }
        let scratch = self.scratch(of)?;
        let expansion = |&(slot, lane): &(BufferSlot, usize)| self.expansion(of, &scratch, slot, lane..lane + self.inputs);
        let each = self.targets().iter().map(expansion).collect::<Result<_, _>>()?;
        Ok(kept.insert(Arc::new(Expansions { of, scratch, each })).clone())
    }

    /// A buffer that holds nothing yet and has room for what arrives: that of the first launch, or a new one.
    pub(super) fn scratch(&self, of: Arriving) -> Result<Array, GpuError> {
        let bytes = match of {
            Arriving::Reals => self.inputs * self.bytes_per_lane() / 2,
            // The last integer may end in a word of its own, which is read with the one behind it.
            Arriving::Integers { format, in_pairs } => self.inputs * if in_pairs { 2 } else { 1 } * format.bytes + 8,
        };
        let bytes = bytes.next_multiple_of(16) as u64;
        let new = || self.device.array("a buffer of numbers on their way", bytes, BufferUsages::STORAGE | BufferUsages::COPY_DST);
        // A second upload fills that buffer.
        self.slots[1].clone().filter(|slot| self.targets().len() == 1 && slot.size() >= bytes).map_or_else(new, Ok)
    }

    /// The kernel that makes lanes of what arrived in `scratch`.
    pub(super) fn expansion(&self, of: Arriving, scratch: &Array, to: BufferSlot, lanes: Range<usize>) -> Result<Expansion, GpuError> {
        let each = if matches!(of, Arriving::Integers { in_pairs: true, .. }) { 2 } else { 1 };
        let (n, first) = (each * lanes.len(), each * lanes.start);
        let (kernel, words) = match of {
            Arriving::Reals => (expand(self.precision), vec![]),
            Arriving::Integers { format, in_pairs } => {
                let is_fraction = format.meaning != IntegerMeaning::Unsigned;
                let inverted = if format.meaning == IntegerMeaning::OffsetFraction { 1 << 31 } else { 0 };
                let words = vec![format.bytes as u32, u32::from(format.is_big_endian), u32::from(is_fraction), inverted];
                (widen(self.precision, self.ring == Ring::Complex && !in_pairs), words)
            }
        };
        let launch = [&[n as u32, first as u32], &words[..]].concat();
        let device = &self.device;
        let bindings = Bindings::simple(device, [scratch, self.slot(to)], [&[]; 2], bytemuck::cast_slice(&launch))?;
        let pipeline = device.guarded(|| Ok(device.pipelines().get(device.wgpu(), (&kernel, bindings.division))))?;
        Ok(Expansion { bindings, pipeline, groups: folded_groups(n.div_ceil(256), device.limits().max_groups) })
    }
}
