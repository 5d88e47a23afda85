//! Tests of the launches and uploads of the experiments against the papers: Gajić and Stanković 2011 and 2012, Li 2012.

use super::*;
use crate::engine::schedule_on_gpu;
use crate::gpu::lower::lower;
use crate::gpu::{KernelChoice, Limits, Uploads};
use crate::plan::{IntegerWidth, Plan, Ring};
use crate::schedule::{Cut, IndexArithmetic, KernelVariant, TwiddleSource};

/// log2 of the number of values of a row.
const EXPONENT: u32 = 12;
const N: usize = 1 << EXPONENT;

/// Threads of a launch by its number: half the values, or half as many in every further launch.
fn half(_: usize) -> usize {
    N / 2
}

fn halved(launch: usize) -> usize {
    N >> (launch + 1)
}

/// Two transforms, the product, a transform back, the scaling.
fn of_a_convolution(launch: usize) -> usize {
    let steps = EXPONENT as usize;
    if [2 * steps, 3 * steps + 1].contains(&launch) { N } else { N / 2 }
}

/// Lines by experiment and index: launches, uploads, threads, twiddles and indices as the paper has them.
type Row = (&'static str, usize, usize, usize, fn(usize) -> usize, TwiddleSource, IndexArithmetic);

const ROWS: [Row; 14] = {
    use IndexArithmetic::{Division, Shifts};
    use TwiddleSource::{Computed, Table};
    let n = EXPONENT as usize;
    [
        ("gajic-2011-fig-4a", 2, n, 1, half, Table, Shifts),
        ("gajic-2011-fig-4a", 3, n, 2, half, Table, Shifts),
        ("gajic-2011-fig-4b", 2, n, 1, half, Table, Shifts),
        ("gajic-2011-fig-4c", 2, n, 1, half, Table, Shifts),
        ("gajic-2011-fig-4d", 2, n, 1, halved, Table, Shifts),
        ("gajic-2011-fig-4d", 3, n, 2, halved, Table, Shifts),
        ("gajic-2011-section-5-1", 0, n, 1, half, Table, Shifts),
        ("gajic-2011-section-5-1", 1, n, 1, half, Table, Division),
        ("gajic-2012-table-2", 1, 3 * n + 2, 1, of_a_convolution, Table, Shifts),
        ("gajic-2012-fig-3", 1, 3 * n + 2, 1, of_a_convolution, Table, Shifts),
        ("li-2012-table-1", 0, n, 1, half, Computed, Shifts),
        ("li-2012-table-1", 2, n / 2, 1, |_| N / 4, Computed, Shifts),
        ("li-2012-table-1", 4, n / 3, 1, |_| N / 8, Computed, Shifts),
        ("li-2012-table-2", 0, n / 3, 1, |_| N / 8, Computed, Shifts),
    ]
};

/// The plan of a line, over integers as its samples are.
fn plan(experiment: &Experiment, line: &SweepLine) -> Plan {
    let algorithm = line.algorithm.as_deref().expect("a line of a paper names its algorithm");
    let found = transform(&line.transform).and_then(|transform| transform.algorithm(algorithm)).expect("it is in the table");
    let plan = found.plan_fn().expect("it has a plan")(Shape::line(N), line.parameters).expect("it takes a power of two");
    let is_integer = experiment.data == SweepData::Bits && plan.ring != Ring::Gf2;
    if is_integer { plan.over(Ring::Integer(IntegerWidth::Bits32)) } else { plan }
}

#[test]
fn the_lines_of_the_papers_launch_and_upload_what_the_papers_do() {
    for (name, index, launches, uploads, threads, twiddles, arithmetic) in ROWS {
        let (_, experiment) = experiment(name).expect("it is there");
        let line = &experiment.lines[index];
        assert_eq!(
            line.cut,
            Cut::StagesBy(KernelVariant { twiddles, index: arithmetic, butterflies: Some(1), ..KernelVariant::default() }),
            "{name}, {index}"
        );
        let plan = plan(experiment, line);
        let schedule = schedule_on_gpu(&plan, line.cut, Limits::DESKTOP).after_upload(&plan, line.uploads == Uploads::Both);
        assert_eq!(schedule.check(&plan), Ok(()), "{name}, {index}");
        let lowered = lower(&plan, &schedule, Limits::DESKTOP, KernelChoice::Fast).expect("it is lowered");
        assert_eq!((lowered.commands.len(), lowered.targets(&plan, line.uploads).len()), (launches, uploads), "{name}, {index}");
        for (launch, command) in lowered.commands.iter().enumerate() {
            assert_eq!((command.kernel.family, command.copied_lanes()), ("stage", 0), "{name}, {index}, launch {launch}");
            let of_a_group = command.kernel.data["threads"].as_u64().expect("its text has a number of threads") as usize;
            let [x, y] = command.groups.map(|groups| groups as usize);
            assert_eq!(x * y, threads(launch).div_ceil(of_a_group), "{name}, {index}, launch {launch}: workgroups");
            let text = command.kernel.text();
            assert_eq!(
                text.contains("sin("),
                twiddles == TwiddleSource::Computed && launch > 0,
                "{name}, {index}, launch {launch}:\n{text}"
            );
        }
    }
}

#[test]
fn lines_that_a_paper_does_not_have_are_named_as_ours() {
    for (_, experiment) in ROWS.iter().map(|row| row.0).filter_map(experiment) {
        for (index, line) in experiment.lines.iter().enumerate().filter(|(_, line)| line.device == DeviceChoice::Gpu) {
            let is_of_the_paper = ROWS.iter().any(|row| (row.0, row.1) == (experiment.name.as_str(), index));
            let label = line.label.as_deref().unwrap_or_default();
            assert_eq!(label.ends_with("(ours)"), !is_of_the_paper, "{}: {label}", experiment.name);
        }
    }
}
