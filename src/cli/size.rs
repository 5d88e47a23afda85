//! Sizes that fit into memory.

use super::Failure;
use crate::transforms::{Numbers, Shape, Transform};

/// Refuses a size whose transform does not fit into memory, before anything is allocated.
pub(crate) fn check_memory(shape: Shape) -> Result<(), Failure> {
    /// Samples and result as complex numbers in single precision.
    const BYTES_PER_LANE: u128 = 16;
    check_bytes(shape, BYTES_PER_LANE)
}

/// As [`check_memory`], but a transform over GF(2) holds a byte per sample and per result, and bits in the bit-packed algorithm.
pub(crate) fn check_memory_of(transform: &Transform, algorithm: Option<&str>, shape: Shape) -> Result<(), Failure> {
    const BYTES_PER_BIT: u128 = 3;
    let packed = transform.takes == Numbers::Bits && algorithm.is_none_or(|name| name == transform.first_plan().name);
    if packed { check_bytes(shape, BYTES_PER_BIT) } else { check_memory(shape) }
}

pub(crate) fn check_bytes(shape: Shape, bytes_per_value: u128) -> Result<(), Failure> {
    let needed = shape.rows as u128 * shape.columns as u128 * bytes_per_value;
    let free = crate::signal::memory_limit();
    if needed > u128::from(free) {
        return Err(Failure::Call(format!(
            "{} × {} values and their transform take {} MiB of memory, and {} MiB may be used: take a smaller size",
            shape.rows,
            shape.columns,
            needed >> 20,
            free >> 20
        )));
    }
    Ok(())
}
