//! The buffers of a prepared plan: how they are made, and which of them an upload fills.

use super::array::Array;
use super::command::{BufferSlot, Lowered};
use super::device::Device;
use super::error::GpuError;
use super::family::MOST_LANES;
use super::prepared::Prepared;
use crate::plan::{Plan, Precision};
use std::time::Instant;
use wgpu::BufferUsages;

crate::choice! {
    /// The buffers to which samples are uploaded.
    #[serde(rename_all = "lowercase")]
    pub enum Uploads {
        /// The buffer that the first launch reads.
        #[default]
        Once = "Once", "once";
        /// Both buffers between which launches alternate, as in Algorithms 2 and 4 of Gajić and Stanković 2011: two uploads.
        Both = "Both", "both";
    }
}

/// The name of such an array in errors.
const ALL_LANES: &str = "an array of all lanes";
/// The most bytes of a plan whose lanes are copied: the copy counts words of 4 bytes in 32 bits.
const MOST_COPIED_BYTES: u64 = 4 * u32::MAX as u64;

/// The buffers for input, ping and pong; those that no command uses are missing.
pub(super) type Slots = [Option<Array>; 3];

impl Device {
    /// Refuses lanes that kernels cannot count, before any kernel is chosen for them.
    pub(super) fn check_countable(&self, plan: &Plan, precision: Precision) -> Result<(), GpuError> {
        let lane_bytes = precision.bytes_per_lane(plan.ring) as u64;
        self.check_bytes(plan.lanes as u64 * lane_bytes, MOST_LANES as u64 * lane_bytes)
    }

    fn check_bytes(&self, needed: u64, limit: u64) -> Result<(), GpuError> {
        match needed > limit {
            true => Err(GpuError::TooLarge { what: ALL_LANES, needed, limit, adapter: self.info().name.clone() }),
            false => Ok(()),
        }
    }

    /// Makes the buffers of a lowered plan, or shares those behind the input with another that was prepared, and gives the time that it took in µs.
    pub(super) fn make_buffers(&self, plan: &Plan, lowered: &Lowered, other: Option<&Prepared>) -> Result<(Slots, f64), GpuError> {
        let start = Instant::now();
        let used = |slot| slot == BufferSlot::Input || lowered.commands.iter().any(|command| command.sink == slot);
        let (bytes, lane_bytes) = (lowered.array_bytes(), lowered.precision.bytes_per_lane(plan.ring) as u64);
        let copies = lowered.commands.iter().any(|command| command.copied_lanes() > 0);
        self.check_bytes(bytes, if copies { MOST_COPIED_BYTES } else { MOST_LANES as u64 * lane_bytes })?;
        let allocate = |slot| {
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            used(slot).then(|| self.array(ALL_LANES, bytes, usage)).transpose()
        };
        let shared = |slot: BufferSlot| match other {
            Some(other) => Ok(other.slots[slot as usize].clone()),
            None => allocate(slot),
        };
        let slots = [allocate(BufferSlot::Input)?, shared(BufferSlot::Ping)?, shared(BufferSlot::Pong)?];
        Ok((slots, start.elapsed().as_secs_f64() * 1e6))
    }
}

/// A buffer that an upload fills, and its first lane.
pub(super) type Target = (BufferSlot, usize);

impl Lowered {
    /// Bytes of an array of all lanes.
    pub(super) fn array_bytes(&self) -> u64 {
        (self.lanes as u64 * self.precision.bytes_per_lane(self.ring) as u64).next_multiple_of(16)
    }

    /// The buffers that an upload fills, each with its first lane: the input, or where the host does the first stage, the lanes to which that copies;
    /// and the buffer that the first launch writes, where both are filled.
    pub fn targets(&self, plan: &Plan, uploads: Uploads) -> Vec<Target> {
        match (self.commands.first(), plan.stages.first(), uploads) {
            (Some(command), Some(stage), _) if command.stages.start > 0 => {
                (0..stage.group.n).map(|q| (BufferSlot::Input, stage.write_lane(0, q, 0, 0))).collect()
            }
            (Some(command), _, Uploads::Both) => vec![(BufferSlot::Input, 0), (command.sink, 0)],
            _ => vec![(BufferSlot::Input, 0)],
        }
    }
}

impl Prepared {
    /// The same plan with the samples uploaded to these buffers.
    pub(crate) fn uploading(mut self, uploads: Uploads) -> Self {
        self.uploads = uploads;
        self
    }

    /// The buffers that an upload fills.
    pub(super) fn targets(&self) -> &[Target] {
        &self.targets[self.uploads as usize]
    }

    /// How many times an upload brings all samples to the device.
    pub fn n_uploads(&self) -> usize {
        self.targets().len()
    }

    /// Time in µs that the making of the kernels took; buffers are made beside it.
    pub fn compile_micros(&self) -> f64 {
        self.compile_micros
    }

    /// Time in µs that the making of the buffers took.
    pub fn buffers_micros(&self) -> f64 {
        self.buffers_micros
    }
}
