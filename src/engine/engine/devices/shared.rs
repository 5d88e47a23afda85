//! The devices that are open in this program, which all who compute share.

use crate::gpu::{AdapterChoice, Device, GpuError, WeakDevice, check_room};
use crate::signal::memory_limit;
use std::time::{Duration, Instant};

/// After this time an opening that failed is tried again, and a device that was given up.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(10);

/// No driver is opened where a signal could take less than this: a driver may end the program when an allocation fails inside it.
const LEAST_MEMORY: u64 = 128 << 20;

/// The devices that are open in this program. Whoever uses one keeps it open.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) open: Vec<(AdapterChoice, WeakDevice)>,
    /// The same, so that they stay open until the process ends; `None` where nobody asks for that.
    pub(super) kept: Option<Vec<Device>>,
    /// The opening that failed last, its error and its time.
    pub(super) failed: Option<(AdapterChoice, GpuError, Instant)>,
    /// When a device was lost or ran out of memory, so that automatic choices take the CPU for a while.
    pub(super) gave_up: Option<Instant>,
}

impl Shared {
    /// Whether automatic choices take the CPU for a while.
    pub(super) fn has_given_up(&self) -> bool {
        self.gave_up.is_some_and(|since| since.elapsed() < RETRY_AFTER)
    }

    /// The device of a selection: one that is open, or else it is opened.
    pub(super) fn device(&mut self, selection: &AdapterChoice) -> Result<Device, GpuError> {
        let usable = |device: &WeakDevice| device.upgrade().filter(|device| !device.is_lost());
        self.open.retain(|(_, device)| usable(device).is_some());
        if let Some(opened) = self.open.iter().find_map(|(known, device)| usable(device).filter(|_| known == selection)) {
            return Ok(opened);
        }
        if let Some((failed, error, since)) = &self.failed
            && failed == selection
            && since.elapsed() < RETRY_AFTER
        {
            return Err(error.clone());
        }
        if memory_limit() < LEAST_MEMORY {
            check_room(1)?;
            let reason = format!("{} MiB of memory are free, and its driver may take {}", memory_limit() >> 20, LEAST_MEMORY >> 20);
            return Err(GpuError::Open { adapter: "the GPU".into(), reason });
        }
        let others: Vec<_> = self.open.iter().filter_map(|(_, device)| usable(device)).collect();
        match Device::open_beside(selection, &others) {
            Ok(opened) => {
                self.open.push((selection.clone(), opened.downgrade()));
                if let Some(kept) = &mut self.kept {
                    kept.retain(|device| !device.is_lost());
                    kept.push(opened.clone());
                }
                Ok(opened)
            }
            Err(error) => {
                self.failed = Some((selection.clone(), error.clone(), Instant::now()));
                Err(error)
            }
        }
    }
}
