//! `papillon transform`: transforms a file of samples into a file of values.

use super::arguments::{ComputeArguments, Size, ValuesOutput, cut};
use super::basis::BasisArguments;
use super::choices::Choices;
use super::cutting::EveryCut;
use super::parameters::{EveryParameter, check_lines};
use super::preparation::{PreparationArguments, say_preparation};
use super::progress::Progress;
use super::remedy::in_words;
use super::resize::resized;
use super::stopwatch::Stopwatch;
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, check_memory_of, output, real, say};
use crate::choice::Chosen as _;
use crate::engine::{Cut, EngineError, Job, Loss, Outcome, compute_to_memory};
use crate::numerals::{counted_as, integer};
use crate::plan::{Direction, Precision, Twiddle};
use crate::remedy::ending_list;
use crate::schedule::CutParameters;
use crate::signal::{Axis, Channel, ChannelChoice, OutputFormat, Samples, Signal};
use crate::transforms::{Axes, BatchAxis, Input, Numbers, Parameter, Parameters, Shape, Transform, transform};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Transforms a file and writes the values.
///
/// Results are written in natural order, whatever the order of the algorithm.
#[derive(Debug, Args)]
pub(super) struct TransformArguments {
    /// A recording, an image, an array or a table (docs/file-formats.md); or a function as 'f:x1 & x2' (see papillon logic --help).
    pub(super) input: PathBuf,
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    pub(super) transform: String,
    #[command(flatten)]
    pub(super) compute: ComputeArguments,
    /// How the plan is cut into launches: tiles, tiles:LANES (of at most LANES lanes), stages (one launch each), split-merge or overlapped [default: tiles].
    #[arg(long, value_parser = cut, value_name = "SCHEDULE")]
    pub(super) schedule: Option<Cut>,
    #[command(flatten)]
    pub(super) cutting: Choices<EveryCut>,
    #[command(flatten)]
    pub(super) parameters: Choices<EveryParameter>,
    #[command(flatten)]
    pub(super) basis: BasisArguments,
    #[command(flatten)]
    pub(super) channel: ChannelArguments,
    #[command(flatten)]
    pub(super) table: TableArguments,
    /// Crops, or pads with zeros at the end, to N values per row (per column with --axis columns), or to ROWSxCOLUMNS.
    /// With --inverse of a half spectrum: the number of samples, because 126 and 127 samples both have 64 values [default: the odd number if the last value is complex, else the even one].
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(super) size: Option<Size>,
    /// Residues modulo q from −(q − 1)/2 to (q − 1)/2, and not from 0 to q − 1.
    #[arg(long)]
    pub(super) signed: bool,
    #[command(flatten)]
    pub(super) preparation: PreparationArguments,
    #[command(flatten)]
    pub(super) output: ValuesOutput,
}

pub(super) fn run(arguments: &TransformArguments) -> Result<(), Failure> {
    let transform = transform(&arguments.transform)?;
    if transform.input == Input::Equations {
        return Err(EngineError::NoSamples { transform: transform.name }.into());
    }
    let algorithm = arguments.compute.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
    let format = output::values_format(&arguments.output, false)?;
    arguments.basis.check(transform, arguments)?;
    if transform.gives.is_complex() && !arguments.parameters.is_inverse() {
        output::check_complex(&arguments.output, format, "a spectrum")?;
    }
    check_signed(arguments, transform)?;
    let (mut watch, mut devices) = (Stopwatch::start(), super::devices::here().opening(&arguments.compute.device));
    let (signal, channel, parameters) = samples(arguments, transform, arguments.parameters.of(transform)?)?;
    check_output(arguments, transform, (&signal, channel), parameters, format)?;
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    arguments.parameters.check_tile(transform, &[algorithm], shape)?;
    let (kind, name, rows, sampling) = (signal.kind, signal.name.clone(), signal.rows, signal.sampling());
    let result = |name: &str, shape: Shape, samples: Samples| {
        let result = Signal::from_channels(name, kind, (shape.rows, shape.columns), vec![Channel::new("value", samples)]);
        Signal { axis: sampling.filter(|_| arguments.parameters.is_inverse()).map(|sampling| Axis::new("", sampling)), ..result }
    };
    watch.lap("read");
    if arguments.basis.is_given() {
        let samples = arguments.basis.run(arguments, transform, (&signal, channel), parameters)?;
        watch.lap("transform");
        return written(arguments, format, result(&name, shape, samples), watch);
    }
    let job = Job {
        signal: Arc::new(signal),
        second: None,
        channel,
        transform: transform.name,
        algorithm: algorithm.map(|algorithm| algorithm.name),
        parameters,
        cut: arguments.cutting.cut(arguments.schedule.unwrap_or_default(), transform, algorithm)?,
        device: arguments.compute.device.clone(),
        precision: arguments.compute.numbers.precision,
        prefer_plan: false,
        preparation: arguments.preparation.before(transform, transform.axes(parameters), rows)?,
    };
    let cancel = super::cancel();
    let computed = {
        let _progress = Progress::start(format!("computing {} of {name}", transform.name));
        compute_to_memory(&job, &mut devices, cancel)?
    };
    say_how(transform, &computed.outcome);
    if arguments.schedule.is_some() || !arguments.cutting.given.is_empty() || parameters.tile_lanes.is_some() {
        say_launches(job.cut, &computed.outcome);
    }
    say_preparation(&computed.outcome);
    if transform.gives == Numbers::HalfSpectrum && parameters.direction == Direction::Inverse && parameters.columns.is_none() {
        say_samples(&computed.outcome);
    }
    watch.lap_of_run(&computed.outcome.times);
    let (shape, outcome) = (computed.outcome.shape, computed.outcome.clone());
    let samples = signed(computed.into_samples(cancel)?, arguments, &outcome);
    say_losses(&outcome.losses_of(&[&job.signal], &samples));
    watch.lap_of_values(&outcome.times);
    drop(job);
    written(arguments, format, result(&name, shape, samples), watch)
}

/// Refuses --signed where values are not residues.
fn check_signed(arguments: &TransformArguments, transform: &Transform) -> Result<(), Failure> {
    match arguments.signed && transform.gives != Numbers::Residues {
        true => Err(Failure::Call(format!("{} takes no --signed: its values are no residues", transform.name))),
        false => Ok(()),
    }
}

/// The residues nearest to 0 where --signed asks for them, and any other values as they are.
fn signed(samples: Samples, arguments: &TransformArguments, outcome: &Outcome) -> Samples {
    match (samples, outcome.plan.as_ref().filter(|_| arguments.signed).and_then(|plan| plan.ring.field())) {
        (Samples::I64(values), Some(field)) => Samples::I64(values.into_iter().map(|value| field.signed(value)).collect()),
        (samples, _) => samples,
    }
}

/// Refuses a result that the format cannot hold. A spectrum is checked before the samples are read; an inverse transform may turn out real.
fn check_output(
    arguments: &TransformArguments,
    transform: &Transform,
    (signal, channel): (&Signal, ChannelChoice),
    parameters: Parameters,
    format: &OutputFormat,
) -> Result<(), Failure> {
    let is_wavelet = transform.has(Parameter::Levels) && parameters.direction == Direction::Forward;
    if is_wavelet && !format.holds.reals {
        return Err(Failure::Call(format!(
            "cannot write {}: coefficients have signs and fractions, and {} holds whole numbers from 0 to 65535: write {}",
            arguments.output.output.display(),
            format.name,
            ending_list(&OutputFormat::endings_where(|holds| holds.reals && holds.rows))
        )));
    }
    let shape = transform.result_shape(Shape { rows: signal.rows, columns: signal.columns }, parameters);
    let (takes_complex, is_complex) = (format.holds.complex, signal.is_complex_in(channel));
    match transform.gives.is_complex() {
        true if takes_complex => Ok(()),
        is_spectrum => output::check_holds(&arguments.output, format, signal.kind, is_complex && !is_spectrum, shape, &["value"]),
    }
}

/// Writes the result and prints the times.
fn written(arguments: &TransformArguments, format: &OutputFormat, result: Signal, mut watch: Stopwatch) -> Result<(), Failure> {
    let result = real::fitted(result, format)?;
    {
        let _progress = Progress::start(format!("writing {}", arguments.output.output.display()));
        output::values(&arguments.output, format, result)?;
    }
    watch.lap("write");
    say(&watch.line());
    Ok(())
}

/// Prints what a result lost, and what helps.
pub(super) fn say_losses(losses: &[Loss]) {
    for loss in losses {
        say(&in_words(loss));
    }
}

/// The samples of the input, cropped or padded to --size. For a half spectrum --size is the number of samples, which the spectrum alone does not determine.
fn samples(
    arguments: &TransformArguments,
    transform: &Transform,
    mut parameters: Parameters,
) -> Result<(Signal, ChannelChoice, Parameters), Failure> {
    let algorithm = arguments.compute.algorithm.as_deref();
    let mut signal = arguments.table.load(&arguments.input)?;
    let channel = arguments.channel.of(&signal)?;
    if signal.channels.len() > 1 && channel == ChannelChoice::Luma {
        let what = if signal.is_colour() { "the luminance" } else { "the first channel" };
        say(&format!("{} has {} channels: {what} is taken, unless --channel says otherwise", signal.name, signal.channels.len()));
    }
    if let Some(size) = arguments.size {
        let mut shape = match (transform.axes(parameters), size.rows) {
            (Axes::Rows, None) => Shape { rows: signal.rows, columns: size.columns },
            (Axes::Columns, None) => Shape { rows: size.columns, columns: signal.columns },
            _ => size.shape(transform.axes),
        };
        if transform.gives == Numbers::HalfSpectrum && parameters.direction == Direction::Inverse {
            let length = if parameters.lines == BatchAxis::Columns { &mut shape.rows } else { &mut shape.columns };
            parameters.columns = Some(*length);
            *length = *length / 2 + 1;
        }
        check_memory_of(transform, algorithm, shape)?;
        // Setting the number of samples does not change the number of values of a half spectrum.
        if parameters.columns.is_none() || shape != (Shape { rows: signal.rows, columns: signal.columns }) {
            let (fitting, told) = resized(&signal, shape);
            say(&told);
            signal = fitting;
        }
    }
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    check_lines(shape, parameters)?;
    check_memory_of(transform, algorithm, shape)?;
    Ok((signal, channel, parameters))
}

/// Prints the number of samples that a half spectrum without --size stands for, and the other possible number.
fn say_samples(Outcome { shape, axes, .. }: &Outcome) {
    let (n, line) = if *axes == Axes::Columns { (shape.rows, "column") } else { (shape.columns, "row") };
    let size = |n: usize| if *axes == Axes::Both { format!("{}x{n}", shape.rows) } else { n.to_string() };
    match n {
        ..2 => {}
        _ if n % 2 == 0 => {
            say(&format!("{} samples a {line}: --size {} takes the odd number with the same number of values", integer(n), size(n + 1)))
        }
        _ => say(&format!(
            "{} samples a {line}, as no even number has such a last value: --size {} takes that number nevertheless",
            integer(n),
            size(n - 1)
        )),
    }
}

/// Prints to standard error which algorithm ran on which device, and why.
pub(super) fn say_how(transform: &Transform, outcome: &Outcome) {
    let emulated = if outcome.software_gpu { " (a GPU emulated by software)" } else { "" };
    let precision = if outcome.precision == Precision::Double { ", in double precision" } else { "" };
    let how = format!("{} by {}{} on {}{emulated}{precision}", transform.name, outcome.algorithm, convolved(outcome), outcome.device);
    say(&if outcome.reason.is_empty() { how } else { format!("{how}: {}", outcome.reason) });
}

/// Prints how many launches ran, by which schedule with which values.
pub(super) fn say_launches(cut: Cut, outcome: &Outcome) {
    let Some(schedule) = &outcome.schedule else { return };
    let parameters = CutParameters::of(cut);
    let mut words = vec![format!("--schedule {}", cut.kind())];
    for choice in CutParameters::CHOICES {
        let word = choice.text(&parameters).map(|text| format!("--{} {text}", choice.key));
        words.extend(word.filter(|word| !words.contains(word)));
    }
    say(&format!("{} by {}", counted_as(schedule.launches.len(), "launch", "launches"), words.join(" ")));
}

/// A note where an algorithm falls back on Bluestein's chirp, because a length has a prime factor without a radix.
fn convolved(outcome: &Outcome) -> &'static str {
    let has_chirp =
        outcome.plan.as_ref().is_some_and(|plan| plan.stages.iter().any(|stage| matches!(stage.twiddle, Some(Twiddle::Table(_)))));
    if has_chirp && outcome.algorithm != "bluestein" { ", and Bluestein's chirp where a length has a prime above 31," } else { "" }
}
