//! The options that replace values of the paper in an experiment: they go to every line that has the parameter, and are refused where none has.

use super::super::Failure;
use super::super::cutting::{check_kind, with_parameter};
use super::BenchArguments;
use crate::bench::{BufferTime, Experiment, SweepData, SweepLine};
use crate::choice::{Choice, Chosen};
use crate::engine::{Cut, DeviceChoice};
use crate::gpu::Uploads;
use crate::plan::Precision;
use crate::schedule::CutParameters;
use crate::transforms::{Algorithm, Axes, Input, Numbers, Parameter, Parameters, Transform, transform};

/// A value in place of the paper's.
#[derive(Clone, Copy)]
enum Change<'a> {
    Schedule(Cut),
    /// A parameter of the schedule, and the text of its value.
    OfCut(&'static str, &'a str),
    /// A parameter of the transform, and the text of its value.
    OfTransform(&'static str, &'a str),
    Precision(Precision),
    /// Rows of a batch, at every size.
    Rows(usize),
    CpuThreads(usize),
    Uploads(Uploads),
    Buffers(BufferTime),
}

/// The experiment with the values of the options.
///
/// # Errors
/// If no line has a parameter, or none takes its value.
pub(super) fn changed(experiment: &Experiment, arguments: &BenchArguments) -> Result<Experiment, Failure> {
    let mut changed = experiment.clone();
    for change in asked(arguments) {
        changed = change.applied(changed)?;
    }
    // Further numbers of threads are lines of their own.
    for n in arguments.cpu_threads.iter().skip(1) {
        let parallel = changed.lines.iter().take(experiment.lines.len()).filter(|line| line.device == DeviceChoice::CpuParallel);
        let more = parallel.map(|line| SweepLine {
            cpu_threads: Some(n.get()),
            label: line.label.as_ref().map(|label| format!("{label} (with {n} threads)")),
            ..line.clone()
        });
        let more: Vec<SweepLine> = more.collect();
        changed.lines.extend(more);
    }
    Ok(changed)
}

/// The values that were given. The schedule comes first, since its parameters depend on it.
fn asked(arguments: &BenchArguments) -> Vec<Change<'_>> {
    let BenchArguments { schedule, cutting, parameters, numbers, rows, cpu_threads, uploads, buffers, .. } = arguments;
    let mut changes: Vec<Change<'_>> = schedule.map(Change::Schedule).into_iter().collect();
    changes.extend(cutting.given.iter().map(|(key, text)| Change::OfCut(key, text)));
    changes.extend(parameters.given.iter().map(|(key, text)| Change::OfTransform(key, text)));
    changes.extend(numbers.precision.map(Change::Precision));
    changes.extend(rows.map(Change::Rows));
    changes.extend(uploads.map(Change::Uploads));
    changes.extend(buffers.map(Change::Buffers));
    changes.extend(cpu_threads.first().map(|n| Change::CpuThreads(n.get())));
    changes
}

impl Change<'_> {
    /// The experiment with this value in every line that takes it.
    fn applied(self, mut experiment: Experiment) -> Result<Experiment, Failure> {
        let (mut is_taken, mut refusal) = (false, None);
        for index in 0..experiment.lines.len() {
            if !self.is_of(&experiment, &experiment.lines[index]) {
                continue;
            }
            match self.with(experiment.lines[index].clone()) {
                Ok(line) => (experiment.lines[index], is_taken) = (line, true),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        match (is_taken, refusal) {
            (true, _) => {}
            (false, Some(refusal)) => return Err(refusal),
            (false, None) => return Err(self.foreign(&experiment)),
        }
        match self {
            Self::Rows(rows) => experiment.rows = Some(rows),
            Self::Buffers(buffers) => experiment.buffers = buffers,
            _ => {}
        }
        Ok(experiment)
    }

    /// The name of the option.
    fn key(self) -> &'static str {
        match self {
            Self::Schedule(_) => "schedule",
            Self::OfCut(key, _) | Self::OfTransform(key, _) => key,
            Self::Precision(_) => "precision",
            Self::Rows(_) => "rows",
            Self::CpuThreads(_) => "cpu-threads",
            Self::Uploads(_) => "uploads",
            Self::Buffers(_) => "buffers",
        }
    }

    /// Whether a line has the parameter.
    fn is_of(self, experiment: &Experiment, line: &SweepLine) -> bool {
        let Some((transform, algorithm)) = owner(line) else { return false };
        match self {
            Self::Schedule(_) => algorithm.is_none_or(|algorithm| algorithm.plan_fn().is_some()),
            Self::OfCut(key, _) => {
                let is_of = |choice: &Choice<CutParameters>| {
                    (!is_on_cpu(line) || choice.id.is_read_on_cpu()) && choice.id.is_of(line.own_cut(algorithm), transform, algorithm)
                };
                CutParameters::with_key(key).any(is_of)
            }
            Self::OfTransform(key, _) => row(key, transform, algorithm).is_some(),
            Self::Precision(_) => transform.takes != Numbers::Bits && (experiment.data == SweepData::Noise || line.parameters.normalized),
            Self::Rows(_) => !experiment.square && transform.axes == Axes::Rows && transform.input != Input::Equations,
            Self::CpuThreads(_) => line.device == DeviceChoice::CpuParallel,
            Self::Uploads(_) | Self::Buffers(_) => !is_on_cpu(line),
        }
    }

    /// A line that has the parameter, with this value.
    fn with(self, line: SweepLine) -> Result<SweepLine, Failure> {
        let Some((transform, algorithm)) = owner(&line) else { return Ok(line) };
        Ok(match self {
            Self::Schedule(cut) => {
                check_kind(cut, transform, algorithm)?;
                // Sections that stay sections keep the values of the paper.
                let kept = cut.kind() == line.cut.kind() && !matches!(cut, Cut::TilesOf(_));
                SweepLine { cut: if kept { line.cut } else { cut }, ..line }
            }
            Self::OfCut(key, text) => {
                let cut = with_parameter(line.own_cut(algorithm), (key, text), (transform, algorithm), is_on_cpu(&line))?;
                SweepLine { cut: cut.unwrap_or(line.cut), ..line }
            }
            Self::OfTransform(key, text) => {
                let mut parameters = line.parameters;
                if let Some(choice) = row(key, transform, algorithm) {
                    let refusal = |instead| Failure::Call(format!("{} has no --{key} {text}: {instead}", transform.name));
                    choice.set(&mut parameters, Some(text)).map_err(refusal)?;
                }
                SweepLine { parameters, ..line }
            }
            Self::Precision(precision) => SweepLine { precision: Some(precision), ..line },
            Self::Rows(0) => return Err(Failure::Call("--rows 0 leaves nothing to transform: take 1 or more".into())),
            Self::Rows(_) | Self::Buffers(_) => line,
            Self::Uploads(uploads) => SweepLine { uploads, ..line },
            Self::CpuThreads(n) => SweepLine { cpu_threads: Some(n), ..line },
        })
    }

    /// The error where no line has the parameter: what else can be changed.
    fn foreign(self, experiment: &Experiment) -> Failure {
        let own = [Change::Schedule(Cut::Stages), Change::Precision(Precision::Double), Change::Rows(1), Change::CpuThreads(1)];
        let of_gpus = [Change::Uploads(Uploads::Once), Change::Buffers(BufferTime::Once)];
        let every = own
            .into_iter()
            .chain(of_gpus)
            .chain(CutParameters::CHOICES.iter().map(|choice| Change::OfCut(choice.key, "")))
            .chain(Parameters::CHOICES.iter().map(|choice| Change::OfTransform(choice.key, "")));
        let mut keys: Vec<String> = Vec::new();
        for change in every.filter(|change| experiment.lines.iter().any(|line| change.is_of(experiment, line))) {
            let key = format!("--{}", change.key());
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        Failure::Call(format!("no line of {} has --{}: it takes {}", experiment.name, self.key(), keys.join(", ")))
    }
}

/// The transform and the algorithm of a line.
fn owner(line: &SweepLine) -> Option<(&'static Transform, Option<&'static Algorithm>)> {
    let transform = transform(&line.transform).ok()?;
    Some((transform, line.algorithm.as_deref().and_then(|name| transform.algorithm(name).ok())))
}

/// The parameter of this name that a transform by an algorithm has.
fn row(key: &str, transform: &Transform, algorithm: Option<&Algorithm>) -> Option<&'static Choice<Parameters>> {
    let has = |choice: &&Choice<Parameters>| match choice.id {
        Parameter::TileLanes => algorithm.is_some_and(Algorithm::takes_tile_lanes),
        id => transform.has(id),
    };
    Parameters::with_key(key).find(has)
}

fn is_on_cpu(line: &SweepLine) -> bool {
    line.device.cpu().is_some()
}

#[cfg(test)]
mod tests {
    use super::super::super::{Command, read};
    use super::*;
    use crate::bench::papers;

    /// The options that take the place of values of a paper, each with values of which no paper has all.
    const OPTIONS: [(&str, &[&str]); 18] = [
        ("schedule", &["stages", "tiles:8"]),
        ("tile", &["8", "16"]),
        ("twiddles", &["table", "computed"]),
        ("index", &["division", "incremental"]),
        ("precision", &["single", "double"]),
        ("rows", &["2", "3"]),
        ("levels", &["1", "2"]),
        ("levels-per-stage", &["1", "3"]),
        ("merge", &["global", "local"]),
        ("width", &["4", "8"]),
        ("block", &["16", "32"]),
        ("scheme", &["square", "rows"]),
        ("order", &["natural", "sequency"]),
        ("inverse", &[""]),
        ("threads", &["1", "1/2"]),
        ("uploads", &["once", "both"]),
        ("buffers", &["once", "each-run"]),
        ("cpu-threads", &["1", "2"]),
    ];

    /// A call with an option; none for a value that the parser refuses, before it looks at an experiment.
    fn call(option: &str, value: &str) -> Option<BenchArguments> {
        let option = format!("--{option}");
        let words = ["papillon", "bench", "--experiment", "any", &option].into_iter().chain((!value.is_empty()).then_some(value));
        match read(words.map(Into::into)).ok()?.0.command {
            Some(Command::Bench(arguments)) => Some(arguments),
            _ => None,
        }
    }

    #[test]
    fn every_option_changes_every_experiment_or_is_refused_by_name() {
        let mut takers: Vec<&str> = Vec::new();
        for (option, values) in OPTIONS {
            let calls: Vec<BenchArguments> = values.iter().filter_map(|value| call(option, value)).collect();
            for experiment in papers().iter().flat_map(|paper| &paper.experiments) {
                for call in &calls {
                    match changed(experiment, call) {
                        Ok(changed) if changed != *experiment => takers.push(option),
                        Ok(_) => {}
                        Err(Failure::Call(message)) => {
                            let is_named = message.contains(&format!("--{option}")) || message.contains(values[0]);
                            assert!(is_named, "{} --{option}: {message}", experiment.name);
                        }
                        Err(other) => panic!("{}: {other:?}", experiment.name),
                    }
                }
            }
        }
        for (option, _) in OPTIONS {
            assert!(takers.contains(&option), "no experiment takes --{option}");
        }
    }
}
