//! `papillon solve`: solves the tridiagonal system in a file.

use super::arguments::{ComputeArguments, ValuesOutput, cut};
use super::choices::Choices;
use super::cutting::{CutsOfSystems, check_steps};
use super::progress::Progress;
use super::{Failure, check_memory, load_numbers, load_telling, output, say};
use crate::engine::{Accuracy, Cut, Job, Outcome, Solution, solve, solve_cyclic};
use crate::numerals::counted;
use crate::plan::Precision;
use crate::remedy::ending_list;
use crate::signal::{Channel, OutputFormat, RIGHT_SIDE_NOTE, SYSTEM_NOTE, Samples, Signal, SignalKind, System};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Shape};
use std::path::PathBuf;

/// Solves a tridiagonal system of equations and writes the solution.
///
/// Row i, (a, b, c, d), says a·x[i−1] + b·x[i] + c·x[i+1] = d; the first a and the last c are ignored, unless --cyclic makes the ends neighbours.
/// Prints the residual, and a warning if the system is badly conditioned; refuses a singular system.
#[derive(Debug, clap::Args)]
pub(super) struct SolveArguments {
    /// CSV, TSV, NPY or NPZ with N rows of four numbers a, b, c, d; a header row may be above them. Or a tridiagonal matrix: a Matrix Market file, or rows of a, b, c.
    #[arg(value_name = "SYSTEM")]
    system: PathBuf,
    /// The right-hand sides d, one row or column of N numbers, instead of those in the system.
    #[arg(long, value_name = "FILE")]
    right: Option<PathBuf>,
    /// Makes the ends neighbours: the first a multiplies the last unknown, and the last c the first one.
    #[arg(long)]
    cyclic: bool,
    #[command(flatten)]
    compute: ComputeArguments,
    /// How the plan is cut into launches: tiles, tiles:LANES (of at most LANES lanes), stages (one launch each) or split-merge.
    #[arg(long, default_value = "tiles", value_parser = cut, value_name = "SCHEDULE")]
    schedule: Cut,
    #[command(flatten)]
    cutting: Choices<CutsOfSystems>,
    #[command(flatten)]
    output: ValuesOutput,
}

/// Numbers in memory per equation: the rows in two precisions, their factors and intermediate results.
const NUMBERS_PER_ROW: usize = 16;

/// Solves the system in a file.
pub(super) fn run(arguments: &SolveArguments) -> Result<(), Failure> {
    let algorithm = arguments.compute.algorithm.as_deref().map(|name| TRIDIAGONAL.algorithm(name)).transpose()?;
    let format = output::values_format(&arguments.output, false)?;
    if !format.holds.reals {
        let name = arguments.output.output.display();
        return Err(Failure::Call(format!(
            "cannot write {name}: unknowns are real numbers, and {} holds whole ones from 0 to 65535: write {}",
            format.name,
            ending_list(&OutputFormat::endings_where(|holds| holds.reals))
        )));
    }
    let mut devices = super::devices::here().opening(&arguments.compute.device);
    // A person who solves a system knows that it is one; an error says where its right-hand side is missing.
    let signal = load_telling(&arguments.system, |note| ![SYSTEM_NOTE, RIGHT_SIDE_NOTE].contains(&note))?;
    let system = match &arguments.right {
        Some(right) => System::with_right(&signal, &load_numbers(right)?)?,
        None => System::of(&signal)?,
    };
    drop(signal);
    check_memory(Shape { rows: system.rows.len(), columns: NUMBERS_PER_ROW })?;
    let (name, n) = (system.name.clone(), system.rows.len());
    let cut = arguments.cutting.cut(arguments.schedule, &TRIDIAGONAL, algorithm)?;
    check_steps(cut, &TRIDIAGONAL, n)?;
    check_cut(cut, algorithm)?;
    let job = Job {
        algorithm: algorithm.map(|algorithm| algorithm.name),
        cut,
        device: arguments.compute.device.clone(),
        precision: arguments.compute.numbers.precision,
        ..Job::of_system(&system)
    };
    let solution = {
        let _progress = Progress::start(format!("solving {n} equations of {name}"));
        let cancel = super::cancel();
        if arguments.cyclic { solve_cyclic(&system, &job, &mut devices, cancel)? } else { solve(&job, &mut devices, cancel)? }
    };
    drop(system);
    say_how(&solution);
    if cut != Cut::default() {
        super::transform::say_launches(cut, &solution.outcome);
    }
    let samples = match solution.outcome.precision {
        Precision::Single => Samples::F32(solution.x.iter().map(|&value| value as f32).collect()),
        Precision::Double => Samples::F64(solution.x),
    };
    let result = Signal::from_channels(name, SignalKind::Rows, (1, n), vec![Channel::new("x", samples)]);
    let result = super::real::fitted(result, format)?;
    output::values(&arguments.output, format, result)
}

/// Refuses a schedule that the algorithm does not support.
fn check_cut(cut: Cut, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
    let refused = match cut {
        Cut::SplitAndMerge(_) if !algorithm.is_some_and(|algorithm| algorithm.schedules().offer_sections()) => {
            "split-merge belongs to -a cyclic-reduction, parallel-cyclic-reduction or recursive-doubling: ask for one of them, or leave it out"
        }
        Cut::Overlapped(_) => "systems have no overlapped tiles: take --schedule tiles, stages or split-merge",
        _ => return Ok(()),
    };
    Err(Failure::Call(refused.into()))
}

/// Prints algorithm, device, residual and warnings to standard error.
fn say_how(solution: &Solution) {
    let Solution { x, accuracy: Accuracy { residual, condition, .. }, outcome } = solution;
    let Outcome { algorithm, device, reason, .. } = outcome;
    let emulated = if outcome.software_gpu { " (a GPU emulated by software)" } else { "" };
    let precision = outcome.precision.name();
    let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    let equations = counted(x.len(), "equation");
    let launches = match outcome.schedule.as_ref().map(|schedule| schedule.launches.len()) {
        None => String::new(),
        Some(1) => ", in 1 launch".into(),
        Some(n) => format!(", in {n} launches"),
    };
    say(&format!("{equations} by {algorithm} on {device}{emulated}{launches}, in {precision} precision{why}"));
    say(&format!(
        "residual at most {:.1e}, relative to its terms {:.1e}; condition number about {condition:.0e}",
        residual.largest, residual.relative
    ));
    for warning in solution.warnings() {
        say(&format!("warning: {}", super::remedy::in_words(&warning)));
    }
}
