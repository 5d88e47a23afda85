//! The two kernels of the thesis of T. Sörman (2016): a global kernel for each stage that does not fit a block, then a local kernel for the rest.
//!
//! The local kernel also scales the inverse and writes to bit-reversed lanes (Algorithm 2), so that neither takes a launch of its own.

use super::super::{ScheduleKind, Schedules};
use super::stages::global_local;
use super::{Algorithm, Build, Parameters, Plan, PlanFn, ResultOrder, Unsupported, along_both, along_rows, complex};
use crate::plan::{Coef, Matrix, Operation};

/// Lanes of the local kernel by default: two buffers of them fill 16 KiB of workgroup memory, which every adapter has.
pub const LOCAL_LANES: usize = 1024;

const NAME: &str = "global-local";
const ROWS: PlanFn = |shape, parameters| along_rows(shape, parameters, line);
const BOTH: PlanFn = |shape, parameters| along_both(shape, parameters, line);
const BLOCKS: Schedules = Schedules::TILES.by(ScheduleKind::Blocks);

/// Along every row, in the launches of the thesis.
pub(super) const ALONG_ROWS: Algorithm = Algorithm {
    name: NAME,
    about: "Cooley-Tukey, a launch a stage, until a block fits; then constant geometry in the block, with a bit-reversed write. A thread takes one butterfly and computes its twiddle",
    source: "T. Sörman 2016, Algorithms 1 and 2, Figure 5.2",
    build: Build::Scheduled(ROWS, BLOCKS),
};

/// Along both axes of an image, in the launches of the thesis.
pub(super) const ALONG_BOTH: Algorithm = Algorithm {
    about: "Global and local kernel along rows, transpose, the same again, transpose",
    source: "T. Sörman 2016, section 5.1.2, Algorithms 1 and 2",
    build: Build::Scheduled(BOTH, BLOCKS),
    ..ALONG_ROWS
};

/// The same stages along every row, by the kernels of this program.
pub(super) const REGISTERS_ALONG_ROWS: Algorithm = Algorithm {
    name: "global-local-registers",
    about: "The stages of global-local by kernels whose threads hold several values in registers and read twiddles from a table",
    build: Build::Plan(ROWS),
    ..ALONG_ROWS
};

/// The same stages along both axes of an image, by the kernels of this program.
pub(super) const REGISTERS_ALONG_BOTH: Algorithm =
    Algorithm { source: ALONG_BOTH.source, build: Build::Plan(BOTH), ..REGISTERS_ALONG_ROWS };

/// The plan of one line whose result is divided by `divisor`.
fn line(n: usize, parameters: Parameters, divisor: usize) -> Result<Plan, Unsupported> {
    if !n.is_power_of_two() {
        return Err(Unsupported::Length { algorithm: NAME, needs: "powers of two", length: n, instead: "bluestein" });
    }
    let tile = parameters.tile_lanes.unwrap_or(LOCAL_LANES).next_power_of_two().clamp(1, n);
    let mut stages = global_local(n, tile, parameters.direction);
    if let Some(last) = stages.iter_mut().rfind(|stage| stage.matrix().taps == 2).filter(|_| divisor > 1) {
        let (matrix, factor) = (last.matrix(), Coef::Real(1.0 / divisor as f64));
        last.operation = Operation::Linear(Matrix::from_fn(2, 2, |j, k| matrix.at(j, k).times(factor)));
    }
    Ok(complex(n, stages, ResultOrder::Natural).with_stages_apart((n / tile).ilog2() as usize))
}
