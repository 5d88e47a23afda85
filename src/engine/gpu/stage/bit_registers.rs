//! The registers and the workgroup memory that a tile of bits needs.

use super::banks::{RESIDUES, places};
use super::bit_layout::THREAD_BITS;
use super::sums::Register;
use crate::gpu::limits::Limits;
use crate::plan::Ring;

/// The most bits that number the registers of a thread: 128 bytes.
pub(super) fn most_registers(register: Register) -> usize {
    (128 / register.bytes()).ilog2() as usize
}

/// The parts of a register that go through workgroup memory in turn: half of the memory serves a complex number, so that more workgroups run at a time.
pub(super) fn parts(register: Register) -> &'static [&'static str] {
    if register.ring == Ring::Complex { &[".x", ".y"] } else { &[""] }
}

/// Bytes of an element of workgroup memory.
fn element_bytes(register: Register) -> usize {
    register.bytes() / parts(register).len()
}

/// Padding keeps threads in different banks: an element moves by its index divided by 16 or 32, and by the square of that.
pub(super) fn residues(register: Register) -> u32 {
    if element_bytes(register) == 4 { RESIDUES } else { RESIDUES - 1 }
}

/// The most lanes of a tile of bits.
pub(crate) fn most_bit_lanes(ring: Ring, limits: Limits) -> usize {
    let register = Register { ring, precision: limits.precision, width: 1 };
    let fits = |bits: &usize| places(1 << bits, residues(register)) * element_bytes(register) <= limits.workgroup_bytes;
    1 << (0..=THREAD_BITS + most_registers(register)).rev().find(fits).unwrap_or(0)
}
