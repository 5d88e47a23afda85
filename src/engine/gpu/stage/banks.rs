//! Where the elements of a tile are in workgroup memory, so that neighbouring threads use different banks: `banks.wgsl` says the same.

/// Bits of the number of a bank of 4 bytes: an element moves by its index divided by 32, and by 1024.
pub(crate) const RESIDUES: u32 = 5;

/// Where an element of a tile is.
pub(super) fn padded(index: usize, residues: u32) -> usize {
    index + (index >> residues) + (index >> (2 * residues))
}

/// Elements of workgroup memory for a tile of `n`.
pub(crate) fn places(n: usize, residues: u32) -> usize {
    padded(n - 1, residues) + 1
}
