//! `papillon memory`: which memory the threads of a stage, of a launch or of a CPU loop touch, and in how many transactions. No GPU is needed.

mod drawings;

use super::arguments::one_of;
use super::plan::{PlanArguments, Planned};
use super::{Failure, output, say};
use crate::engine::{AccessBy, AccessChoice, AccessStudy, note_on_schedule, schedule_on_gpu, time_padding};
use crate::figure::{Figure, FigureFormat};
use crate::gpu::Limits;
use crate::graph::access::{AccessCount, AccessPanel, AccessRequest, AccessedMemory, access_figure};
use crate::numerals::{counted_as, duration, integer, number};
use crate::plan::{Plan, Precision};
use crate::remedy::ending_list;
use crate::schedule::Schedule;
use clap::Args;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Size of the drawing, in points.
const FIGURE: [f32; 2] = [1000.0, 520.0];

/// Counts the memory transactions of an algorithm, stage by stage and launch by launch, or lists and draws the accesses of one subgroup.
///
/// A subgroup of 32 threads loads and stores in transactions of 128 bytes; loops of a CPU touch cache lines of 64 bytes.
#[derive(Debug, Args)]
pub(super) struct MemoryArguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// The stage whose accesses are listed, from 1 on; without it and --launch every stage and launch is counted.
    #[arg(long, value_name = "NUMBER", conflicts_with = "launch")]
    stage: Option<usize>,
    /// The launch whose kernel is followed, from 1 on.
    #[arg(long, value_name = "NUMBER")]
    launch: Option<usize>,
    /// Whose accesses to the stage: butterflies (one thread for each), cpu-strided (loop A of Gajić and Stanković 2011) or cpu-local (loop B).
    #[arg(long, value_name = "WHO", value_parser = one_of::<AccessBy>(), ignore_case = true, requires = "stage")]
    by: Option<AccessBy>,
    /// The subgroup, or the run of 32 iterations of a loop, from 1 on.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    subgroup: usize,
    /// The pitch of the square in workgroup memory through which a launch transposes, from its side on; the kernel pads a row by one lane.
    #[arg(long, value_name = "LANES", requires = "launch", value_parser = clap::value_parser!(u16).range(16..=96))]
    pitch: Option<u16>,
    /// Measures the transposition of a launch on the GPU with padding of one lane and without, and counts its bank conflicts.
    #[arg(long, requires = "launch", conflicts_with = "pitch")]
    measure: bool,
    /// Draws the tiles of the launch over the image, or without --launch those of all launches that differ.
    #[arg(long, conflicts_with_all = ["stage", "pitch", "measure", "host_device"])]
    on_image: bool,
    /// Runs on the GPU, and draws host, device and the data between them with the times of the run.
    #[arg(long, conflicts_with_all = ["stage", "launch"])]
    host_device: bool,
    #[arg(short, long, default_value = "-", value_name = "OUTPUT", help = format!("A file that ends in .csv (every access), {} (the drawing), or - for the counts on standard output", ending_list(&FigureFormat::endings())))]
    output: PathBuf,
}

pub(super) fn run(arguments: &MemoryArguments) -> Result<(), Failure> {
    let endings: Vec<&str> = ["txt", "csv"].into_iter().chain(FigureFormat::endings()).collect();
    let ending = output::table_format(&arguments.output, &endings)?;
    let planned = arguments.plan.planned()?;
    if arguments.host_device {
        return drawings::host_and_device(arguments, &planned);
    }
    let Planned { transform, algorithm, shape, plan, cut } = &planned;
    let schedule = schedule_on_gpu(plan, *cut, Limits::DESKTOP);
    let note = note_on_schedule(*cut, transform.axes, plan, &schedule);
    if !note.is_empty() && arguments.stage.is_none() {
        say(&note);
    }
    if arguments.plan.algorithm.is_none() {
        say(&format!("{} by {}, its first algorithm that takes this size", transform.name, algorithm.name));
    }
    if arguments.on_image {
        within(arguments.launch, schedule.launches.len(), ["launch", "launches"])?;
        return drawings::on_image(arguments, &planned, &schedule);
    }
    let Some(study) = study(arguments, plan, &schedule)? else {
        if ending != "txt" {
            return Err(Failure::Call(format!("a .{ending} holds the accesses of one stage or launch: add --stage 1 or --launch 1")));
        }
        let counts = format!("{}\n{}", stages(plan), launches(plan, &schedule));
        return output::bytes(&arguments.output, |out| out.write_all(counts.as_bytes()));
    };
    if arguments.measure {
        return measured(arguments, plan, &schedule);
    }
    let title = format!("Memory accesses of {}, {}, {} values", transform.name, algorithm.name, integer(shape.len()));
    match ending {
        "csv" => output::bytes(&arguments.output, |out| out.write_all(accesses(&study).as_bytes())),
        "txt" => output::bytes(&arguments.output, |out| out.write_all(requests(&study).as_bytes())),
        _ => {
            let rows = if study.choice.by.loop_order().is_some() { "iteration" } else { "thread" };
            let panels = AccessPanel::of_lanes(&study.requests, study.choice.by.segment_bytes(), study.lane_bytes, rows);
            let figure = Figure { title, ..access_figure(&panels, FIGURE).figure };
            let bytes = figure.bytes(output::figure_format(&arguments.output, "a drawing")?)?;
            output::bytes(&arguments.output, |out| out.write_all(&bytes))
        }
    }
}

/// A number from 1 to `n`, counted from 0 on.
fn within(number: Option<usize>, n: usize, [name, plural]: [&str; 2]) -> Result<Option<usize>, Failure> {
    match number {
        Some(number) if !(1..=n).contains(&number) => {
            Err(Failure::Call(format!("--{name} {number} is not among the {}", counted_as(n, name, plural))))
        }
        number => Ok(number.map(|number| number - 1)),
    }
}

/// The accesses asked for; `None` where all stages and launches are counted.
fn study(arguments: &MemoryArguments, plan: &Plan, schedule: &Schedule) -> Result<Option<AccessStudy>, Failure> {
    let stage = within(arguments.stage, plan.stages.len(), ["stage", "stages"])?;
    let launch = within(arguments.launch, schedule.launches.len(), ["launch", "launches"])?;
    if stage.or(launch).is_none() {
        return Ok(None);
    }
    let by = match (launch, arguments.by) {
        (Some(_), _) => AccessBy::Kernel,
        (None, None) => AccessBy::Butterflies,
        (None, Some(AccessBy::Kernel)) => {
            return Err(Failure::Call("--by kernel follows a launch: take --launch instead of --stage".into()));
        }
        (None, Some(by)) => by,
    };
    let choice = AccessChoice {
        by,
        launch: launch.unwrap_or(0),
        stage: stage.unwrap_or(0),
        subgroup: arguments.subgroup.saturating_sub(1),
        pitch: arguments.pitch.map(usize::from),
        ..AccessChoice::default()
    };
    let study = AccessStudy::new(plan, schedule, Limits::DESKTOP, choice).map_err(|error| Failure::Work(error.to_string()))?;
    if arguments.subgroup > study.n_subgroups || arguments.subgroup == 0 {
        return Err(Failure::Call(format!("--subgroup {} is not among the {}", arguments.subgroup, integer(study.n_subgroups))));
    }
    match (arguments.pitch, study.kernel.as_ref().and_then(|kernel| kernel.pitch)) {
        (Some(pitch), None) => {
            Err(Failure::Call(format!("--pitch {pitch} is for a launch that transposes: take another --launch, or leave it out")))
        }
        (Some(pitch), Some(least)) if usize::from(pitch) < least => {
            Err(Failure::Call(format!("--pitch {pitch} is shorter than a row of {least} lanes: take at least {least}")))
        }
        _ => Ok(()),
    }?;
    Ok(Some(study))
}

/// Times and bank conflicts of a transposition with both pitches, one line each.
fn measured(arguments: &MemoryArguments, plan: &Plan, schedule: &Schedule) -> Result<(), Failure> {
    let launch = arguments.launch.map_or(0, |number| number - 1);
    let of_pitch = |pitch: usize| {
        let choice = AccessChoice { by: AccessBy::Kernel, launch, pitch: Some(pitch), ..AccessChoice::default() };
        let study = AccessStudy::new(plan, schedule, Limits::DESKTOP, choice).map_err(|error| Failure::Work(error.to_string()))?;
        let kernel = study.kernel.filter(|kernel| kernel.pitch.is_some());
        kernel.ok_or_else(|| Failure::Call(format!("--measure is for a launch that transposes, and launch {} does not", launch + 1)))
    };
    let plain = of_pitch(0)?;
    let side = plain.pitch.unwrap_or(0);
    let kernels = [of_pitch(side + 1)?, plain];
    let times = time_padding(plan, &schedule.launches[launch], Precision::Single, 0, &mut super::devices::here(), super::cancel())?;
    let mut text = String::from("pitch\tmedian\tquartiles\tpasses over banks of a workgroup\tat least\n");
    for ((pitch, kernel), [median, low, high]) in times.pitches.into_iter().zip(&kernels).zip(times.micros) {
        let [median, low, high] = [median, low, high].map(duration);
        let done = writeln!(text, "{pitch}\t{median}\t{low} to {high}\t{}\t{}", kernel.banks.passes, kernel.banks.least);
        done.expect("writing to a string does not fail");
    }
    let verdict = match times.gain() {
        None => "no measurable gain, as the quartiles overlap".to_owned(),
        Some(gain) => format!("{} times as fast with pitch {}", number(gain, 3), times.pitches[0]),
    };
    text += &format!("{} runs of each on {}: {verdict}\n", times.n, times.adapter);
    output::bytes(&arguments.output, |out| out.write_all(text.as_bytes()))
}

/// One line a stage: strides and transactions of the first 32 threads, and cache lines of 32 iterations of both loops.
fn stages(plan: &Plan) -> String {
    let mut text = String::from("stage\tname\tbutterflies\tloads\tstores\ttransactions\tat least\tloop A: cache lines\tloop B\tat least\n");
    let lane_bytes = plan.ring.bytes_per_lane();
    for (index, stage) in plan.stages.iter().enumerate() {
        let of = |by| {
            let choice = AccessChoice { by, stage: index, subgroup_size: crate::graph::access::SUBGROUP, ..AccessChoice::default() };
            AccessStudy::of_stage(plan, choice, lane_bytes)
        };
        let (threads, lines) = (of(AccessBy::Butterflies), [AccessBy::CpuStrided, AccessBy::CpuLocal].map(of));
        let AccessCount { touched, least, .. } = threads.count(false).plus(threads.count(true));
        let strides = [false, true].map(|is_write| stride_of(&threads.requests, is_write, lane_bytes));
        let [a, b] = lines.each_ref().map(|study| study.count(false).plus(study.count(true)));
        let done = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{touched}\t{least}\t{}\t{}\t{}",
            index + 1,
            stage.label,
            integer(stage.n_butterflies()),
            strides[0],
            strides[1],
            a.distinct,
            b.distinct,
            least_lines(&lines[1])
        );
        done.expect("writing to a string does not fail");
    }
    text
}

/// Cache lines that suffice for what iterations load, and for what they store.
fn least_lines(study: &AccessStudy) -> usize {
    let side = |is_write: bool| {
        let spans = study.requests.iter().filter(|request| request.is_write == is_write).flat_map(|request| request.spans.clone());
        let Some(request) = study.requests.first() else { return 0 };
        AccessRequest { spans: spans.collect(), ..request.clone() }.least_segments(study.choice.by.segment_bytes())
    };
    side(false) + side(true)
}

/// The strides of loads or stores, each once.
fn stride_of(requests: &[AccessRequest], is_write: bool, lane_bytes: usize) -> String {
    let strides = requests.iter().filter(|request| request.is_write == is_write);
    let mut strides: Vec<String> = strides.map(|request| request.stride(lane_bytes as u64).to_string()).collect();
    strides.dedup();
    strides.join("; ")
}

/// One line a launch: transactions of its first workgroup, and of all.
fn launches(plan: &Plan, schedule: &Schedule) -> String {
    let mut text = String::from(
        "launch\tstages\tkernel\tworkgroups\tthreads\ttransactions\tat least\tpasses over banks\tat least\tbytes without copies\n",
    );
    for (index, launch) in schedule.launches.iter().enumerate() {
        let choice = AccessChoice { by: AccessBy::Kernel, launch: index, ..AccessChoice::default() };
        let facts = match AccessStudy::new(plan, schedule, Limits::DESKTOP, choice) {
            Err(error) => error.to_string(),
            Ok(study) => study.kernel.map_or_else(String::new, |kernel| {
                let [touched, least] = kernel.of_launch();
                format!(
                    "{}\t{}\t{}\t{}\t{}\t{}\t{}",
                    kernel.family,
                    integer(kernel.groups),
                    kernel.threads,
                    integer(touched),
                    integer(least),
                    integer(kernel.banks.passes * kernel.groups),
                    integer(kernel.banks.least * kernel.groups)
                )
            }),
        };
        let stages = match launch.stages.len() {
            1 => format!("{}", launch.stages.end),
            _ => format!("{} to {}", launch.stages.start + 1, launch.stages.end),
        };
        let bytes = integer(launch.bytes_moved(plan, plan.ring.bytes_per_lane()) as usize);
        writeln!(text, "{}\t{stages}\t{facts}\t{bytes}", index + 1).expect("writing to a string does not fail");
    }
    text
}

/// One line a load or store of the subgroup.
fn requests(study: &AccessStudy) -> String {
    let what = if study.choice.by.loop_order().is_some() { "cache lines" } else { "transactions" };
    let mut text = format!("what\tmemory\tname\tthreads\tstride\t{what} or passes\tat least\n");
    for request in &study.requests {
        let (touched, least) = match request.memory {
            AccessedMemory::Workgroup => (request.banks().passes, request.banks().least),
            _ => (request.segments(study.choice.by.segment_bytes()).len(), request.least_segments(study.choice.by.segment_bytes())),
        };
        let done = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{touched}\t{least}",
            if request.is_write { "store" } else { "load" },
            request.memory.name(),
            request.name,
            request.n_threads(),
            request.stride(study.lane_bytes as u64)
        );
        done.expect("writing to a string does not fail");
    }
    let [loads, stores] = [false, true].map(|is_write| study.count(is_write));
    let AccessCount { touched, least, .. } = loads.plus(stores);
    text + &format!("{touched} {what}, at least {least}\n")
}

/// One line an access.
fn accesses(study: &AccessStudy) -> String {
    let mut text = String::from("access,memory,name,thread,first byte,bytes,first lane,segment\n");
    for request in &study.requests {
        for (thread, span) in request.spans.iter().enumerate() {
            let Some(span) = span else { continue };
            let (verb, memory) = (if request.is_write { "store" } else { "load" }, request.memory.name());
            let (lane, segment) = (span.first / study.lane_bytes as u64, span.first / study.choice.by.segment_bytes());
            let done = writeln!(text, "{verb},{memory},{},{thread},{},{},{lane},{segment}", request.name, span.first, span.bytes);
            done.expect("writing to a string does not fail");
        }
    }
    text
}
