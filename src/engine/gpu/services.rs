//! Kernels that run beside those of plans: they move lanes, and show results.

use super::kernel::Kernel;
use crate::plan::{IntegerWidth, Precision, PrimeField, Ring};

/// Copies vectors of 16 bytes: as fast as any kernel that reads and writes everything once, in any precision.
pub(super) fn copy() -> Kernel {
    Kernel::new("copy", "copy.wgsl", Ring::Complex, ())
}

/// Copies words of 4 bytes from one buffer to the same place of another.
pub(super) fn copy_words() -> Kernel {
    Kernel { entry_point: "copy_words", ..copy() }
}

/// Makes complex numbers of real ones.
pub(super) fn expand(precision: Precision) -> Kernel {
    Kernel { precision, entry_point: "expand", ..copy() }
}

/// Makes real numbers of integers as files store them, or `expanded` complex numbers.
pub(super) fn widen(precision: Precision, expanded: bool) -> Kernel {
    let kernel = Kernel { precision, ..Kernel::new("widen", "widen.wgsl", Ring::Real, ()) };
    if expanded { Kernel { entry_point: "widen_expanded", ..kernel } } else { kernel }
}

/// Makes pixels of a result (`render`), or finds its least and greatest value (`extremes`).
pub(super) fn display(entry_point: &'static str, ring: Ring, precision: Precision) -> Kernel {
    Kernel { entry_point, precision, ..Kernel::new("display", "display.wgsl", ring, ()) }
}

/// The kernels that run beside those of plans, for lanes of every ring.
pub fn service_kernels(precision: Precision) -> Vec<Kernel> {
    let prime = Ring::Prime(PrimeField::USUAL);
    let rings = [
        prime,
        Ring::Real,
        Ring::Complex,
        Ring::Gf2,
        Ring::Integer(IntegerWidth::Bits32),
        Ring::Integer(IntegerWidth::Bits64),
        Ring::Equation,
    ];
    let shown = rings.into_iter().flat_map(|ring| ["render", "extremes"].map(|entry_point| display(entry_point, ring, precision)));
    [copy(), expand(precision), widen(precision, false), widen(precision, true)].into_iter().chain(shown).collect()
}
