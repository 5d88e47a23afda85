//! The address space that drivers need where the process limits it. A driver may end the program when an allocation fails inside it, so it is asked for before.

use super::error::GpuError;
use crate::heap::return_freed_memory;
use crate::signal::address_space_left;
use std::num::NonZeroUsize;

/// The memory that loading the drivers, opening a device and compiling its first kernels take: Mesa's software driver took 930 MB on two cores.
const TO_OPEN: u64 = 1200 << 20;

/// The memory of each further device, once the drivers are loaded.
const FURTHER: u64 = 640 << 20;

/// The memory that a software driver reserves for each of its threads, one a core.
const OF_A_THREAD: u64 = 72 << 20;

/// The memory of an open device that stays free, for the kernels that it compiles and its allocations besides buffers.
const TO_WORK: u64 = 256 << 20;

/// Whether `devices` more devices can be opened.
///
/// # Errors
/// [`GpuError::Room`] where the limit of the process leaves too little.
pub fn to_open(devices: u64) -> Result<(), GpuError> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64;
    left_for(TO_OPEN + devices.saturating_sub(1) * FURTHER + devices * cores * OF_A_THREAD)
}

/// Whether an open device can take `bytes` more.
///
/// # Errors
/// [`GpuError::Room`] where the limit of the process leaves too little.
pub(super) fn to_work(bytes: u64) -> Result<(), GpuError> {
    left_for(TO_WORK.saturating_add(bytes))
}

/// Whether a driver can take `needed` bytes, if need be after the program has given back the memory that it keeps.
fn left_for(needed: u64) -> Result<(), GpuError> {
    fits(address_space_left(), needed).or_else(|_| {
        return_freed_memory();
        fits(address_space_left(), needed)
    })
}

fn fits(left: Option<u64>, needed: u64) -> Result<(), GpuError> {
    match left {
        Some(left) if left < needed => Err(GpuError::Room { needed_mib: needed >> 20, left_mib: left >> 20 }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_is_asked_for_only_what_is_left() {
        assert_eq!([fits(None, u64::MAX), fits(Some(5), 5)], [Ok(()), Ok(())]);
        let error = fits(Some(500 << 20), TO_OPEN).expect_err("it is too little").to_string();
        assert!(error.contains("1200 MiB") && error.contains("500 MiB") && !error.contains('\n'), "{error}");
    }
}
