//! The options of the schedule: the parameters of the table, and which schedules take them.

use super::choices::{Choices, Offer};
use super::{Failure, say};
use crate::choice::Chosen as _;
use crate::numerals::counted;
use crate::schedule::{BlockScheme, Cut, CutParameter, CutParameters, SplitAndMerge};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Axes, Input, Sections, Transform};

/// All parameters of schedules.
#[derive(Debug, Clone)]
pub(super) struct EveryCut;

impl Offer for EveryCut {
    type Of = CutParameters;
}

/// The parameters of schedules of systems.
#[derive(Debug, Clone)]
pub(super) struct CutsOfSystems;

impl Offer for CutsOfSystems {
    type Of = CutParameters;

    fn offers(id: CutParameter) -> bool {
        [Cut::Stages, Cut::SplitAndMerge(SplitAndMerge::default())].iter().any(|cut| id.is_of(*cut, &TRIDIAGONAL, None))
    }
}

impl<O: Offer<Of = CutParameters>> Choices<O> {
    /// The schedule of the plan of `algorithm`, from the --schedule given or its default.
    ///
    /// # Errors
    /// If the schedule does not take a given parameter, or not this value.
    pub(super) fn cut(&self, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<Cut, Failure> {
        let cut = self.all().usual(schedule, algorithm);
        if let (Some((key, _)), Some(library)) = (self.given.first(), algorithm.filter(|algorithm| algorithm.plan_fn().is_none())) {
            return Err(Failure::Call(format!("{} divides its work itself: leave --{key} out, or take another algorithm", library.name)));
        }
        check_kind(cut, transform, algorithm)?;
        if let Some(refusal) = self.given.iter().find_map(|(key, text)| refusal(key, text, cut, transform, algorithm)) {
            return Err(refusal);
        }
        let parameters = self.all();
        let is_by_stage = matches!(cut, Cut::Stages);
        if is_by_stage && parameters.has_variant() && (parameters.threads.is_some() || parameters.scheme.is_some()) {
            return Err(Failure::Call(
                "--twiddles, --index, --butterflies and --square vary a kernel that has its own threads: leave --threads and --scheme out"
                    .into(),
            ));
        }
        let cut = parameters.applied(cut);
        check_applied(cut, parameters, transform, algorithm)?;
        Ok(cut)
    }

    /// The schedules of several algorithms; each parameter goes to those that take it.
    ///
    /// # Errors
    /// If no algorithm takes a given parameter, or one does not take its value.
    pub(super) fn among(
        &self,
        schedule: Option<Cut>,
        algorithms: &[(&'static Transform, Option<&'static Algorithm>)],
    ) -> Result<Vec<Cut>, Failure> {
        let schedule = schedule.unwrap_or_default();
        let refused = |key: &str, text: &str, (transform, algorithm): (&Transform, Option<&Algorithm>)| {
            refusal(key, text, self.all().usual(schedule, algorithm), transform, algorithm)
        };
        for (key, text) in &self.given {
            let (takers, others): (Vec<_>, Vec<_>) = algorithms.iter().copied().partition(|owner| refused(key, text, *owner).is_none());
            match (&takers[..], &others[..]) {
                // The message is about the first algorithm.
                ([], [first, ..]) => return refused(key, text, *first).map_or(Ok(Vec::new()), Err),
                (_, []) => {}
                _ => {
                    let [takers, others] = [takers, others].map(|of| names(of.iter().map(|(_, algorithm)| *algorithm)));
                    say(&format!("--{key} goes to {takers}, and not to {others}"));
                }
            }
        }
        let own = |owner: (&Transform, Option<&Algorithm>)| self.only(|key, text| refused(key, text, owner).is_none());
        algorithms.iter().map(|&owner| own(owner).cut(schedule, owner.0, owner.1)).collect()
    }
}

/// A schedule with one parameter more, on a CPU or a GPU; `None` if it has no such parameter there.
///
/// # Errors
/// If the schedule does not take this value.
pub(super) fn with_parameter(
    cut: Cut,
    (key, text): (&str, &str),
    (transform, algorithm): (&Transform, Option<&Algorithm>),
    on_cpu: bool,
) -> Result<Option<Cut>, Failure> {
    let mut rows = CutParameters::with_key(key).filter(|choice| !on_cpu || choice.id.is_read_on_cpu());
    let Some(choice) = rows.find(|choice| choice.id.is_of(cut, transform, algorithm)) else { return Ok(None) };
    if let Some(refusal) = refusal(key, text, cut, transform, algorithm) {
        return Err(refusal);
    }
    let mut parameters = CutParameters::of(cut);
    choice.set(&mut parameters, Some(text)).map_err(Failure::Call)?;
    let cut = parameters.applied(cut);
    check_applied(cut, parameters, transform, algorithm)?;
    Ok(Some(cut))
}

/// Refuses values that a schedule cannot have together.
fn check_applied(cut: Cut, parameters: CutParameters, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
    match cut {
        Cut::SplitAndMerge(how) => check_sections(how, parameters, transform),
        Cut::Overlapped(levels) => check_overlapped(levels, transform, algorithm),
        _ => Ok(()),
    }
}

/// The names of the algorithms, each once.
fn names(algorithms: impl Iterator<Item = Option<&'static Algorithm>>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for algorithm in algorithms {
        let name = algorithm.map_or("the fastest", |algorithm| algorithm.name);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

/// The error for a parameter that a schedule does not take, or not with this value.
fn refusal(key: &str, text: &str, cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Option<Failure> {
    let Some(choice) = CutParameters::with_key(key).find(|choice| choice.id.is_of(cut, transform, algorithm)) else {
        return Some(foreign(key, transform));
    };
    let mut parameters = CutParameters::default();
    let has_squares = algorithm.is_none_or(|algorithm| algorithm.schedules().sections == Sections::Squares);
    match choice.set(&mut parameters, Some(text)) {
        Err(instead) => Some(Failure::Call(format!("this schedule has no --{key} {text}: {instead}"))),
        Ok(()) if choice.id == CutParameter::Scheme && parameters.scheme == Some(BlockScheme::Square) && !has_squares => Some(Failure::Call(
            "--scheme square splits along both axes before it merges along either, which needs steps in place, and the halves of a filter bank go elsewhere: take row-column, or -a split-merge, which is lifting"
                .into(),
        )),
        Ok(()) => None,
    }
}

/// The error for a parameter that the schedule does not take.
fn foreign(key: &str, transform: &Transform) -> Failure {
    let owners = match key {
        "scheme" if transform.axes == Axes::Rows => {
            return Failure::Call(format!("--scheme divides images, and {} takes signals: leave it out", transform.name));
        }
        "scheme" => "a launch a stage, as -a direct or lifting has, and to -a split-merge",
        "index" => "--schedule stages",
        "square" if transform.axes == Axes::Rows => {
            return Failure::Call(format!("--square transposes images, and {} takes signals: leave it out", transform.name));
        }
        "square" => "--schedule stages or blocks of an algorithm that transposes",
        "twiddles" | "butterflies" => "--schedule stages or blocks",
        _ if transform.input == Input::Equations => "-a cyclic-reduction, parallel-cyclic-reduction or recursive-doubling",
        "threads" if transform.axes == Axes::Rows => "-a split-merge, or a launch a stage as -a direct or lifting has",
        "levels-per-stage" => "-a split-merge or -a overlapped",
        _ => "-a split-merge",
    };
    Failure::Call(format!("--{key} belongs to {owners}: ask for one of them, or leave it out"))
}

/// Refuses sections that leave nothing of a tile, and several levels of an image.
fn check_sections(how: SplitAndMerge, asked: CutParameters, transform: &Transform) -> Result<(), Failure> {
    if let Some(levels) = asked.levels.filter(|levels| *levels > 1 && transform.axes == Axes::Both) {
        return Err(Failure::Call(format!(
            "--levels-per-stage {levels} is for signals: on an image L is 1, since the rows of a level need the merged columns of the level before: leave it out"
        )));
    }
    if how.width >= how.samples() {
        let samples = how.samples();
        return Err(Failure::Call(format!("--width {} leaves nothing of tiles of {samples} samples: take less", how.width)));
    }
    Ok(())
}

/// Refuses more levels than a launch of overlapped tiles takes.
fn check_overlapped(levels: usize, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
    let algorithm = algorithm.unwrap_or_else(|| transform.first_plan());
    match algorithm.schedules().overlapped_levels {
        Some(most) if levels > most => {
            let (name, of) = (algorithm.name, if transform.axes == Axes::Rows { "signals" } else { "images" });
            Err(Failure::Call(format!(
                "--levels-per-stage {levels} is more than a launch of {name} takes of {of}, {most}: take --levels-per-stage {most}, or leave it out"
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses a schedule that no plan of the algorithm has; without an algorithm, of the transform.
pub(super) fn check_kind(cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
    if let Some(library) = algorithm.filter(|algorithm| algorithm.plan_fn().is_none() && cut != Cut::default()) {
        return Err(Failure::Call(format!(
            "{} divides its work itself: leave --schedule {} out, or take another algorithm",
            library.name,
            cut.kind()
        )));
    }
    let (what, has): (&str, fn(&Algorithm) -> bool) = match cut {
        Cut::SplitAndMerge(_) => ("sections", |algorithm| algorithm.schedules().sections != Sections::None),
        Cut::Overlapped(_) => ("overlapped tiles", |algorithm| algorithm.schedules().overlapped_levels.is_some()),
        _ => return Ok(()),
    };
    if algorithm.map_or_else(|| transform.algorithms.iter().any(has), has) {
        return Ok(());
    }
    let owners = transform.algorithms.iter().filter(|algorithm| has(algorithm)).map(|algorithm| algorithm.name);
    let (name, owners) = (algorithm.map_or(transform.name, |algorithm| algorithm.name), owners.collect::<Vec<_>>().join(", "));
    let instead = if owners.is_empty() { String::new() } else { format!("-a {owners}, or ") };
    Err(Failure::Call(format!("{name} has no {what}: take {instead}--schedule tiles or stages")))
}

/// Refuses more levels of a split than the reduction of `n` equations has steps.
pub(super) fn check_steps(cut: Cut, transform: &Transform, n: usize) -> Result<(), Failure> {
    let steps = n.next_power_of_two().trailing_zeros() as usize;
    match cut {
        Cut::SplitAndMerge(how) if transform.input == Input::Equations && how.levels > steps.max(SplitAndMerge::default().levels) => {
            let equations = counted(n, "equation");
            Err(Failure::Call(format!(
                "--levels-per-stage {} is more than the {steps} steps of {equations}: take at most {steps}, or leave it out",
                how.levels
            )))
        }
        _ => Ok(()),
    }
}
