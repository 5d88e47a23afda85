//! The helper functions that a kernel calls, and no others.

use super::butterfly::ButterflyLines;
use super::sums::Register;
use super::weights::NamedRoots;
use crate::gpu::doubling::doubling;
use crate::plan::{BitOrder, Direction, Extension, Operation, PyramidLayout, Ring, Stage};
use serde::Serialize;

const EXTENSIONS: [Extension; 6] =
    [Extension::Periodic, Extension::Symmetric, Extension::HalfSymmetric, Extension::Zero, Extension::Negative, Extension::PeriodicHalves];

/// The variables of `stage_helpers.wgsl`.
#[derive(Debug, Clone, Serialize, Default)]
pub(super) struct Helpers {
    complex: bool,
    real: &'static str,
    equation: bool,
    /// Whether lanes are residues.
    residues: bool,
    times: bool,
    times_i: bool,
    conjugate: bool,
    eliminates: bool,
    /// The functions of recursive doubling.
    doubling: Vec<&'static str>,
    product_modulo: bool,
    coefs: bool,
    roots: Vec<NamedRoots>,
    /// Whether a root comes from a table.
    reads_roots: bool,
    extensions: Vec<&'static str>,
    /// Bits that number the rows of the Haar matrix of a direct sum.
    haar_bits: Option<usize>,
    reversal: Option<Reversal>,
    pyramid: Option<Pyramid>,
}

/// A permutation of the lowest bits of a lane.
#[derive(Debug, Clone, Copy, Serialize)]
struct Reversal {
    n_bits: u32,
    order: &'static str,
}

/// The layout of a pyramid.
#[derive(Debug, Clone, Copy, Serialize)]
struct Pyramid {
    is_forward: bool,
    rows: usize,
    columns: usize,
    levels: u32,
    rotation: usize,
}

impl Helpers {
    /// Those that the lines of these stages call.
    pub(super) fn of<'a>(
        lines: impl IntoIterator<Item = &'a ButterflyLines> + Clone,
        stages: &[&Stage],
        roots: &[NamedRoots],
        register: Register,
    ) -> Self {
        let calls = |name: &str| lines.clone().into_iter().flat_map(ButterflyLines::expressions).any(|text| text.contains(name));
        let write = |find: fn(&Stage) -> bool| stages.iter().copied().find(|stage| find(stage));
        let roots: Vec<NamedRoots> = roots.iter().filter(|roots| calls(&format!("{}(", roots.name))).cloned().collect();
        let root = !roots.is_empty();
        Self {
            complex: register.ring == Ring::Complex || root || calls("coefs["),
            real: register.real(),
            equation: register.ring == Ring::Equation,
            residues: register.ring.field().is_some(),
            times: calls("times(") || register.ring.field().is_none() && roots.iter().any(|roots| roots.table.is_long),
            times_i: calls("times_i("),
            conjugate: calls("conjugate("),
            eliminates: stages.iter().any(|stage| stage.operation == Operation::Eliminate),
            doubling: steps(stages),
            product_modulo: calls("product_modulo("),
            coefs: calls("coefs["),
            reads_roots: roots.iter().any(NamedRoots::is_read),
            roots,
            extensions: extensions().filter(|name| calls(&format!("{name}("))).collect(),
            haar_bits: stages.iter().find_map(|stage| stage.direct_sum()).filter(|_| calls("haar_factor(")).map(|sum| sum.n_bits().max(1)),
            reversal: write(|stage| stage.write.reversed_bits > 0)
                .filter(|_| calls("rearranged("))
                .map(|stage| Reversal { n_bits: stage.write.reversed_bits, order: order_name(stage.write.bit_order) }),
            pyramid: write(|stage| stage.write.pyramid.is_some()).and_then(|stage| stage.write.pyramid).map(Pyramid::from),
        }
    }
}

/// The functions of all boundary extensions.
fn extensions() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.into_iter().flat_map(|extension| [false, true].map(|is_near| extended(extension, is_near)))
}

/// The function that applies a boundary extension, to coordinates that may be `is_near`.
pub(super) fn extended(extension: Extension, is_near: bool) -> &'static str {
    match (extension, is_near) {
        (Extension::None, _) => "",
        (Extension::Periodic, true) => "extended_periodic_near",
        (Extension::Periodic, false) => "extended_periodic",
        (Extension::Symmetric, true) => "extended_symmetric_near",
        (Extension::Symmetric, false) => "extended_symmetric",
        (Extension::HalfSymmetric, _) => "extended_half_symmetric",
        (Extension::Zero, _) => "extended_zero",
        (Extension::Negative, _) => "extended_negative",
        (Extension::PeriodicHalves, _) => "extended_periodic_halves",
    }
}

/// The functions of the steps of recursive doubling among these stages.
fn steps(stages: &[&Stage]) -> Vec<&'static str> {
    let step = |stage: &&Stage| if let Operation::Doubling(step) = stage.operation { Some(doubling(step)) } else { None };
    stages.iter().filter_map(step).collect()
}

impl From<PyramidLayout> for Pyramid {
    fn from(layout: PyramidLayout) -> Self {
        let PyramidLayout { rows, columns, levels, rotation, direction } = layout;
        Self { is_forward: direction == Direction::Forward, rows, columns, levels, rotation }
    }
}

fn order_name(order: BitOrder) -> &'static str {
    match order {
        BitOrder::Kept => "kept",
        BitOrder::GrayDecoded => "gray",
        BitOrder::BelowLeading => "below",
        BitOrder::AboveTrailing => "above",
    }
}
