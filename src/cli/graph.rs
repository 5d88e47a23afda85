//! `papillon graph`: writes the flow graph of a plan.

use super::arguments::no_format;
use super::cutting::check_steps;
use super::parameters::check_lines;
use super::plan::{MOST_PRINTED_RADIX_2, PlanArguments};
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, check_memory, load_numbers, output, say};
use crate::engine::{Cut, DRAWN_LANES, DeviceChoice, Devices, Job, compute, drawn_schedule, note_on_schedule};
use crate::graph::{
    self, GraphFormat, GraphLayout, GraphOptions, GraphRequest, GraphStyle, MOST_DATA_BYTES, VectorFormat, data_bytes, vectors,
};
use crate::numerals::integer;
use crate::plan::{LaneValue, Plan};
use crate::schedule::Schedule;
use crate::signal::Signal;
use crate::transforms::{Algorithm, Input, Parameters, Shape, Transform, transform};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strum::IntoEnumIterator as _;

/// Writes the flow graph of an algorithm, as a drawing or as data.
///
/// The graph is drawn from the plan that runs; JSON holds every stage as a list of edges.
#[derive(Debug, Args)]
pub(super) struct GraphArguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// Runs the plan on this file, or on a function as 'f:x1 & x2', and adds the value of every lane after every stage.
    #[arg(long, value_name = "INPUT")]
    values: Option<PathBuf>,
    /// The second signal of a convolution, for --values.
    #[arg(long, value_name = "INPUT", requires = "values")]
    with: Option<PathBuf>,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    /// Device for --values: auto, gpu, cpu, cpu-parallel, cpu-local, cpu-strided, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    device: DeviceChoice,
    #[arg(short, long, value_name = "OUTPUT", help = output::endings_help(&GraphFormat::endings(), "; with --values also .csv or .hex, the golden vectors of every stage"))]
    output: PathBuf,
    /// The format on standard output, by the ending of its files.
    #[arg(long, default_value = "json", value_parser = graph_format, value_name = "FORMAT")]
    format: GraphFormat,
    /// The style of a drawing: launches (frames around launches and tiles, names of stages), or plain, as textbooks print it.
    #[arg(long, default_value = "launches", value_parser = graph_style, value_name = "STYLE")]
    style: GraphStyle,
    /// Leaves a permutation at the end out of a drawing, and names the results on the lanes where they arise.
    #[arg(long)]
    fold: bool,
    /// Where results are in a drawing: plan (on the lanes of the plan), in-place (where their butterflies have read, sorted at the end, as papers draw filter banks), or sections (split and merge as trapezoids instead).
    #[arg(long, default_value = "plan", value_parser = graph_layout, value_name = "LAYOUT")]
    layout: GraphLayout,
}

/// Parses the layout of a drawing.
fn graph_layout(name: &str) -> Result<GraphLayout, String> {
    GraphLayout::iter()
        .find(|layout| layout.name() == name)
        .ok_or_else(|| format!("'{name}' is no layout: take plan, in-place or sections"))
}

/// Parses the style of a drawing.
fn graph_style(name: &str) -> Result<GraphStyle, String> {
    GraphStyle::iter().find(|style| style.name() == name).ok_or_else(|| format!("'{name}' is no style: take launches or plain"))
}

/// Parses the format of a flow graph file.
pub(super) fn graph_format(ending: &str) -> Result<GraphFormat, String> {
    GraphFormat::all().find(|format| format.ending() == ending).ok_or_else(|| no_format(ending, &GraphFormat::endings()))
}

pub(super) fn run(arguments: &GraphArguments) -> Result<(), Failure> {
    let transform = transform(&arguments.plan.transform)?;
    let shape = shape(arguments, transform)?;
    let vector_format = arguments.output.extension().and_then(|ending| VectorFormat::of_ending(&ending.to_string_lossy()));
    let format = file_format(arguments, vector_format)?;
    output::check(&arguments.output)?;
    check_memory(shape)?;
    check_lines(shape, parameters(arguments, transform)?)?;
    let radix_2 = transform.radix_2_for(shape, parameters(arguments, transform)?, MOST_PRINTED_RADIX_2);
    let algorithm = match &arguments.plan.algorithm {
        Some(name) => transform.algorithm(name)?,
        None => {
            let parameters = parameters(arguments, transform)?;
            radix_2.unwrap_or_else(|| transform.first_plan_for(shape, parameters))
        }
    };
    if algorithm.plan_fn().is_none() {
        return Err(Failure::Call(format!("{} has no flow graph: take one of {}", algorithm.name, drawable(transform))));
    }
    arguments.plan.parameters.check_tile(transform, &[Some(algorithm)], shape)?;
    let Drawn { plan, schedule, values } = match &arguments.values {
        Some(path) => run_on(path, arguments, transform, algorithm, shape)?,
        None => planned(arguments, transform, algorithm, shape)?,
    };
    let n_bytes = data_bytes(&plan);
    if n_bytes > MOST_DATA_BYTES {
        return Err(Failure::Call(format!(
            "the flow graph takes about {} MiB, and {} MiB are the most: take a smaller --size",
            integer(n_bytes >> 20),
            MOST_DATA_BYTES >> 20
        )));
    }
    if !arguments.layout.suits(&plan, &schedule) {
        let why = match arguments.layout {
            GraphLayout::Sections => "has no split and merge of lines",
            _ => "has no in-place layout, or is in place already",
        };
        return Err(Failure::Call(format!("{} {why}: take --layout plan", algorithm.name)));
    }
    let request = GraphRequest { plan, schedule, options: options(arguments, transform, algorithm, shape) };
    if arguments.plan.algorithm.is_none() {
        let why = match radix_2 {
            Some(_) => format!("its first one of radix 2 in place: lines have at most {MOST_PRINTED_RADIX_2} values"),
            None => "its first algorithm that takes this size".into(),
        };
        say(&format!("{} by {}, {why}", transform.name, algorithm.name));
    }
    let bytes = match (vector_format, &values) {
        (Some(format), Some(values)) => vectors(format, &request.plan, values).into_bytes(),
        _ => graph::export(format, &request, values.as_deref())?,
    };
    output::bytes(&arguments.output, |out| out.write_all(&bytes))
}

/// The samples of a file, or the equations of a system.
fn values(path: &Path, arguments: &GraphArguments, transform: &Transform) -> Result<Signal, Failure> {
    if transform.input == Input::Equations { load_numbers(path) } else { arguments.table.load(path) }
}

/// The shape of one signal: as asked for, else that of the file of values.
fn shape(arguments: &GraphArguments, transform: &Transform) -> Result<Shape, Failure> {
    let Some(path) = arguments.values.as_deref().filter(|_| arguments.plan.size.is_none()) else { return arguments.plan.shape(transform) };
    let Signal { rows, columns, .. } = values(path, arguments, transform)?;
    // A system has one row per lane.
    Ok(if transform.input == Input::Equations { Shape::line(rows) } else { Shape { rows, columns } })
}

/// The format of the file; JSON stands for golden vectors, which need values too.
fn file_format(arguments: &GraphArguments, vector_format: Option<VectorFormat>) -> Result<GraphFormat, Failure> {
    if vector_format.is_some() {
        return match arguments.values {
            Some(_) => Ok(GraphFormat::Json),
            None => Err(Failure::Call("the values of every stage need an input: give --values FILE".into())),
        };
    }
    if output::is_standard(&arguments.output) { Ok(arguments.format) } else { Ok(GraphFormat::from_path(&arguments.output)?) }
}

fn parameters(arguments: &GraphArguments, transform: &Transform) -> Result<Parameters, Failure> {
    arguments.plan.parameters.of(transform)
}

/// A flow graph: its plan and schedule.
struct Drawn {
    plan: Plan,
    schedule: Schedule,
    /// The value of every lane before the first stage and after every stage.
    values: Option<Vec<Vec<LaneValue>>>,
}

/// How the plan is cut: as asked for, else as the algorithm runs on a GPU.
fn asked_cut(arguments: &GraphArguments, transform: &Transform, algorithm: &Algorithm, shape: Shape) -> Result<Cut, Failure> {
    let cut =
        arguments.plan.cutting.cut(arguments.plan.schedule, transform, Some(algorithm))?.of(algorithm, parameters(arguments, transform)?);
    check_steps(cut, transform, shape.columns)?;
    Ok(cut)
}

fn planned(arguments: &GraphArguments, transform: &Transform, algorithm: &Algorithm, shape: Shape) -> Result<Drawn, Failure> {
    let build = algorithm.plan_fn().expect("checked before");
    let plan = build(shape, parameters(arguments, transform)?)?;
    let cut = asked_cut(arguments, transform, algorithm, shape)?;
    let schedule = drawn_schedule(&plan, cut).ok_or_else(|| Failure::Call(format!("{} has no overlapped tiles", algorithm.name)))?;
    let note = note_on_schedule(cut, transform.axes, &plan, &schedule);
    if !note.is_empty() {
        say(&note);
    }
    Ok(Drawn { plan, schedule, values: None })
}

fn options(arguments: &GraphArguments, transform: &Transform, algorithm: &Algorithm, shape: Shape) -> GraphOptions {
    let size = if shape.rows == 1 { shape.columns.to_string() } else { format!("{} × {}", shape.rows, shape.columns) };
    let size = if transform.input == Input::TwoSignals { format!("two lines of {size}") } else { size };
    let inverse = if arguments.plan.parameters.is_inverse() { ", inverse" } else { "" };
    let title = format!("{} of {size} values by {}{inverse}", transform.title, algorithm.name);
    GraphOptions {
        transform: transform.name.into(),
        algorithm: algorithm.name.into(),
        title,
        style: arguments.style,
        fold: arguments.fold,
        layout: arguments.layout,
        ..GraphOptions::default()
    }
}

fn drawable(transform: &Transform) -> String {
    let drawn = transform.algorithms.iter().filter(|algorithm| algorithm.plan_fn().is_some());
    drawn.map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
}

/// Runs the plan on the samples of a file, and returns it with the value of every lane after every stage.
fn run_on(
    path: &Path,
    arguments: &GraphArguments,
    transform: &'static Transform,
    algorithm: &'static Algorithm,
    shape: Shape,
) -> Result<Drawn, Failure> {
    let lanes = planned(arguments, transform, algorithm, shape)?.plan.lanes;
    if lanes > DRAWN_LANES {
        return Err(Failure::Call(format!("--values take at most {DRAWN_LANES} lanes, and {} needs {lanes} here", algorithm.name)));
    }
    let signal = values(path, arguments, transform)?;
    let channel = arguments.channel.of(&signal)?;
    // A system has one row per lane.
    let needed = if transform.input == Input::Equations { Shape { rows: shape.columns, columns: 4 } } else { shape };
    if (signal.rows, signal.columns) != (needed.rows, needed.columns) {
        return Err(Failure::Call(format!(
            "{} has {} × {} values, and the plan takes {} × {}",
            signal.name,
            integer(signal.rows),
            integer(signal.columns),
            integer(needed.rows),
            integer(needed.columns)
        )));
    }
    let job = Job {
        signal: Arc::new(signal),
        second: second(arguments, transform)?,
        channel,
        transform: transform.name,
        algorithm: Some(algorithm.name),
        parameters: parameters(arguments, transform)?,
        cut: asked_cut(arguments, transform, algorithm, shape)?,
        device: arguments.device.clone(),
        precision: None,
        prefer_plan: true,
        preparation: Default::default(),
    };
    let outcome = compute(&job, &mut Devices::default(), super::cancel())?.outcome;
    super::transform::say_how(transform, &outcome);
    let (Some(plan), Some(schedule), Some(values)) = (outcome.plan, outcome.schedule, outcome.values) else {
        return Err(Failure::Work(format!("{} gave no values on its lanes", algorithm.name)));
    };
    let values = values.shown().clone();
    Ok(Drawn { plan: Arc::unwrap_or_clone(plan), schedule: Arc::unwrap_or_clone(schedule), values: Some(values) })
}

/// The second signal, which only a convolution takes.
fn second(arguments: &GraphArguments, transform: &Transform) -> Result<Option<Arc<Signal>>, Failure> {
    match (&arguments.with, transform.input == Input::TwoSignals) {
        (Some(path), true) => Ok(Some(Arc::new(arguments.table.load(path)?))),
        (None, false) => Ok(None),
        (None, true) => Err(Failure::Call(format!("{} takes two signals: name the second one with --with", transform.name))),
        (Some(_), false) => Err(Failure::Call(format!("{} takes one signal: leave --with out", transform.name))),
    }
}
