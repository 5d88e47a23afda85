//! Stages of recursive doubling, which solves tridiagonal systems by scans.

use super::every_lane;
use crate::plan::{Doubling, Extension, Operation, ReadPattern, Stage, WritePattern};

/// Three scans of ⌈log2 N⌉ stages each, in lanes 0 to N: the maps of the pivots, then the unknowns before, then those behind.
///
/// While maps compose, the equations stay in lanes N to 2·N.
pub fn recursive_doubling(n: usize) -> Vec<Stage> {
    let of =
        |label: String, step: Doubling, read: ReadPattern| Stage { label, read, operation: Operation::Doubling(step), ..every_lane(n) };
    // Taps a distance apart, of which the second or the first is the own lane.
    let taps =
        |distance: usize, first: i64| ReadPattern { first, hop: distance as i64, extension: Extension::Zero, ..ReadPattern::in_order(n) };
    let scan = move |name: &'static str, step: Doubling| {
        (0..n.next_power_of_two().ilog2()).map(move |stage| {
            let distance = 1_usize << stage;
            let first = if step == Doubling::Backward { 0 } else { -(distance as i64) };
            of(format!("{name} {}", stage + 1), step, taps(distance, first))
        })
    };
    let maps =
        Stage { write: WritePattern { hop: n, ..WritePattern::IN_ORDER }, ..of("pivot maps".into(), Doubling::PivotMap, taps(1, -1)) };
    let division = of("division by pivots".into(), Doubling::Divide, ReadPattern { hop: n as i64, ..ReadPattern::in_order(2 * n) });
    std::iter::once(maps)
        .chain(scan("pivots", Doubling::Compose))
        .chain([division])
        .chain(scan("forward", Doubling::Forward))
        .chain(scan("backward", Doubling::Backward))
        .collect()
}
