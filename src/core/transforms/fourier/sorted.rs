//! Constant geometry in all stages and then a bit reversal of its own, as the thesis of T. Sörman (2016) computes on the CPU.

use super::stages::{bit_reversal, pease};
use super::{Algorithm, Build, Parameters, Plan, ResultOrder, along_both, along_rows, complex, power_of_two};

const NAME: &str = "constant-geometry-sorted";

/// Along every row.
pub(super) const ALONG_ROWS: Algorithm = Algorithm {
    name: NAME,
    about: "Every stage has the same edges, then a permutation to natural order",
    source: "T. Sörman 2016, Figure 5.10",
    build: Build::Plan(|shape, parameters| along_rows(shape, parameters, |n, p, d| power_of_two(NAME, n, p, d, line))),
};

/// Along both axes of an image.
pub(super) const ALONG_BOTH: Algorithm = Algorithm {
    name: NAME,
    about: "Constant geometry and a permutation along rows, transpose, the same again, transpose",
    source: "T. Sörman 2016, section 5.1.2, Figure 5.10",
    build: Build::Plan(|shape, parameters| along_both(shape, parameters, |n, p, d| power_of_two(NAME, n, p, d, line))),
};

fn line(n: usize, parameters: Parameters) -> Plan {
    let mut stages = pease(n, parameters.direction);
    stages.extend(bit_reversal(n));
    complex(n, stages, ResultOrder::Natural)
}
