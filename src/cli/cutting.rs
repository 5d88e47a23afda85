//! The options of the schedule: the parameters of split and merge and of overlapped tiles.

use super::arguments::{from_one, from_zero, one_of};
use super::{Failure, say};
use crate::engine::Cut;
use crate::numerals::counted;
use crate::schedule::{BlockScheme, IndexArithmetic, KernelVariant, SectionMemory, SplitAndMerge, ThreadsPerSample, TwiddleSource};
use crate::transforms::{Algorithm, Axes, Input, ScheduleKind, Schedules, Sections, Transform};
use clap::Args;
use std::num::NonZeroUsize;

/// Schedule options for signals and images.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct CutArguments {
    #[command(flatten)]
    lines: LineCutArguments,
    /// Thread blocks of an image: row-column (256×1 along rows; along columns 1×256 launch by launch, 16×16 in sections), rows (256×1 along both axes, launch by launch only) or square (16×16 along both axes; in sections one split and two merges) [default: row-column].
    #[arg(long, value_name = "SCHEME", value_parser = one_of::<BlockScheme>(), ignore_case = true)]
    scheme: Option<BlockScheme>,
}

/// Parameters of split-merge and overlapped. For cyclic reduction those of split-merge also select it.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct LineCutArguments {
    /// Levels of one split and merge, or of one launch of overlapped tiles: L of Argüello et al. 2012 [default: 2 for split-merge of signals, and the fastest for overlapped]; split-merge of an image takes one level, since the rows of a level need the merged columns of the level before.
    #[arg(long, value_name = "L", value_parser = from_one, allow_negative_numbers = true)]
    levels_per_stage: Option<NonZeroUsize>,
    /// Memory for the values of a merge: workgroup or global [default: workgroup].
    #[arg(long, value_name = "MEMORY", value_parser = one_of::<SectionMemory>(), ignore_case = true)]
    merge: Option<SectionMemory>,
    /// Threads per sample, for split-merge and for a launch a stage of signals: 1 or 1/2 [default: 1/2 for split-merge].
    #[arg(long, value_name = "T", value_parser = one_of::<ThreadsPerSample>())]
    threads: Option<ThreadsPerSample>,
    /// Samples around a section boundary that move from the split to the merge: W [default: 0]; for the inverse of packets rounded up to a multiple of 2^L.
    #[arg(long, value_name = "W", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    width: Option<usize>,
    /// Threads per tile, for split-merge: a power of two from 8 to 1024 [default: 256].
    #[arg(long, value_name = "THREADS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    block: Option<usize>,
    /// Twiddles of the kernel made for a stage: table, computed (sine and cosine in every thread) or quarter-table (N/2 cosines); takes a launch a stage.
    #[arg(long, value_name = "SOURCE", value_parser = one_of::<TwiddleSource>(), ignore_case = true)]
    twiddles: Option<TwiddleSource>,
    /// Indices of the kernel made for a stage: shifts (and masks) or division (and modulo); takes a launch a stage.
    #[arg(long, value_name = "HOW", value_parser = one_of::<IndexArithmetic>(), ignore_case = true)]
    index: Option<IndexArithmetic>,
}

impl CutArguments {
    /// The schedule of the plan of `algorithm`, from the --schedule given or its default.
    ///
    /// # Errors
    /// If the schedule does not take a given parameter, or not this value.
    pub(super) fn of(&self, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<Cut, Failure> {
        self.lines.within(self.scheme, schedule, transform, algorithm)
    }

    /// The schedules of several algorithms; each parameter goes to those that take it.
    ///
    /// # Errors
    /// If no algorithm takes a given parameter, or one does not take its value.
    pub(super) fn among(
        &self,
        schedule: Cut,
        algorithms: &[(&'static Transform, Option<&'static Algorithm>)],
    ) -> Result<Vec<Cut>, Failure> {
        let owned: Vec<Self> = algorithms.iter().map(|&(transform, algorithm)| self.taken_by(schedule, transform, algorithm)).collect();
        for (option, is_given) in GIVEN.iter().filter(|(_, is_given)| is_given(self)) {
            let (takers, others): (Vec<_>, Vec<_>) = algorithms.iter().zip(&owned).partition(|(_, own)| is_given(own));
            match (takers.is_empty(), algorithms) {
                // The message is about the first algorithm.
                (true, [(transform, algorithm), ..]) => {
                    let scheme = self.scheme.filter(|_| *option == SCHEME);
                    check_scheme(scheme, self.lines.usual(scheme, schedule, *algorithm), transform, *algorithm)?;
                    return Err(foreign(option, transform));
                }
                _ if !others.is_empty() => {
                    let [takers, others] = [takers, others].map(|of| names(of.iter().map(|((_, algorithm), _)| *algorithm)));
                    say(&format!("{option} goes to {takers}, and not to {others}"));
                }
                _ => {}
            }
        }
        owned.iter().zip(algorithms).map(|(own, &(transform, algorithm))| own.of(schedule, transform, algorithm)).collect()
    }

    /// The options that an algorithm takes.
    fn taken_by(&self, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Self {
        let scheme = self.scheme.filter(|_| {
            let cut = self.lines.usual(self.scheme, schedule, algorithm);
            check_scheme(self.scheme, cut, transform, algorithm).is_ok()
        });
        Self { lines: self.lines.taken_by(self.lines.usual(scheme, schedule, algorithm), transform, algorithm), scheme }
    }
}

/// The option for images.
const SCHEME: &str = "--scheme";

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

/// The error for a parameter that the schedule does not take.
fn foreign(option: &str, transform: &Transform) -> Failure {
    let owners = match option {
        "--twiddles" | "--index" => "--schedule stages",
        _ if transform.input == Input::Equations => "-a cyclic-reduction",
        "--threads" if transform.axes == Axes::Rows => "-a split-merge, or a launch a stage as -a direct or lifting has",
        "--levels-per-stage" => "-a split-merge or -a overlapped",
        _ => "-a split-merge",
    };
    Failure::Call(format!("{option} belongs to {owners}: ask for one of them, or leave it out"))
}

/// Whether a launch a stage of the algorithm has threads for samples that a stage changes or keeps, which is so on signals that split and merge too.
fn has_samples(transform: &Transform, algorithm: Option<&Algorithm>) -> bool {
    let has = |algorithm: &Algorithm| algorithm.schedules().usual == ScheduleKind::Stages || algorithm.schedules().offer_sections();
    transform.axes == Axes::Rows && algorithm.map_or_else(|| transform.algorithms.iter().any(has), has)
}

/// An option as typed, and whether it was given.
type Given = (&'static str, fn(&CutArguments) -> bool);

/// All schedule options.
const GIVEN: [Given; 8] = [
    ("--levels-per-stage", |of| of.lines.levels_per_stage.is_some()),
    ("--merge", |of| of.lines.merge.is_some()),
    ("--threads", |of| of.lines.threads.is_some()),
    ("--width", |of| of.lines.width.is_some()),
    ("--block", |of| of.lines.block.is_some()),
    ("--twiddles", |of| of.lines.twiddles.is_some()),
    ("--index", |of| of.lines.index.is_some()),
    (SCHEME, |of| of.scheme.is_some()),
];

impl LineCutArguments {
    /// As [`CutArguments::of`], without the option for images.
    ///
    /// # Errors
    /// As [`CutArguments::of`].
    pub(super) fn of(&self, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<Cut, Failure> {
        self.within(None, schedule, transform, algorithm)
    }

    fn within(
        &self,
        scheme: Option<BlockScheme>,
        schedule: Cut,
        transform: &Transform,
        algorithm: Option<&Algorithm>,
    ) -> Result<Cut, Failure> {
        let cut = self.usual(scheme, schedule, algorithm);
        check_scheme(scheme, cut, transform, algorithm)?;
        check_kind(cut, transform, algorithm)?;
        let (whole, taken) =
            (CutArguments { lines: *self, scheme }, CutArguments { lines: self.taken_by(cut, transform, algorithm), scheme });
        if let Some((name, _)) = GIVEN.iter().find(|(_, is_given)| is_given(&whole) && !is_given(&taken)) {
            return Err(foreign(name, transform));
        }
        Ok(match cut {
            Cut::SplitAndMerge(usual) => Cut::SplitAndMerge(self.sections(scheme, usual, transform)?),
            Cut::Overlapped(usual) => Cut::Overlapped(self.overlapped_levels(usual, transform, algorithm)?),
            Cut::Stages if let Some(variant) = self.variant() => {
                if self.threads.is_some() || scheme.is_some() {
                    return Err(Failure::Call(
                        "--twiddles and --index vary a kernel that has its own threads: leave --threads and --scheme out".into(),
                    ));
                }
                Cut::StagesBy(variant)
            }
            Cut::Stages => self.threads.map(Cut::StagesOf).or(scheme.map(Cut::StagesIn)).unwrap_or(Cut::Stages),
            cut => cut,
        })
    }

    /// The variant of the kernel of a stage, where one is asked for.
    fn variant(&self) -> Option<KernelVariant> {
        let is_asked = self.twiddles.is_some() || self.index.is_some();
        is_asked.then(|| KernelVariant { twiddles: self.twiddles.unwrap_or_default(), index: self.index.unwrap_or_default() })
    }

    /// The schedule given, or the default of the algorithm.
    fn usual(&self, scheme: Option<BlockScheme>, schedule: Cut, algorithm: Option<&Algorithm>) -> Cut {
        let is_any_given = GIVEN.iter().any(|(_, is_given)| is_given(&CutArguments { lines: *self, scheme: None }));
        let schedules = algorithm.map_or(Schedules::TILES, Algorithm::schedules);
        match (schedule, schedules.usual) {
            (Cut::Tiles, _) if self.variant().is_some() => Cut::Stages,
            (Cut::Tiles, ScheduleKind::Sections) => Cut::SplitAndMerge(SplitAndMerge::default()),
            (Cut::Tiles, ScheduleKind::Overlapped) => Cut::Overlapped(0),
            (Cut::Tiles, _) if is_any_given && schedules.offer_sections() => Cut::SplitAndMerge(SplitAndMerge::default()),
            (Cut::Tiles, ScheduleKind::Stages) if scheme.is_some() || self.threads.is_some() => Cut::Stages,
            _ => schedule,
        }
    }

    /// The options that a schedule of an algorithm takes.
    fn taken_by(&self, cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Self {
        const NONE: LineCutArguments =
            LineCutArguments { levels_per_stage: None, merge: None, threads: None, width: None, block: None, twiddles: None, index: None };
        match cut {
            Cut::SplitAndMerge(_) => Self { twiddles: None, index: None, ..*self },
            Cut::Overlapped(_) => Self { levels_per_stage: self.levels_per_stage, ..NONE },
            Cut::Stages => {
                let threads = self.threads.filter(|_| has_samples(transform, algorithm));
                Self { threads, twiddles: self.twiddles, index: self.index, ..NONE }
            }
            _ => NONE,
        }
    }

    /// The parameters of split and merge.
    fn sections(&self, scheme: Option<BlockScheme>, usual: SplitAndMerge, transform: &Transform) -> Result<SplitAndMerge, Failure> {
        let how = SplitAndMerge {
            levels: self.levels_per_stage.map_or(usual.levels, NonZeroUsize::get),
            width: self.width.unwrap_or(usual.width),
            merge: self.merge.unwrap_or(usual.merge),
            threads: self.threads.unwrap_or(usual.threads),
            block: self.block.unwrap_or(usual.block),
            scheme: scheme.unwrap_or(usual.scheme),
        };
        if !how.block.is_power_of_two() || !(8..=1024).contains(&how.block) {
            return Err(Failure::Call(format!("--block takes a power of two from 8 to 1024, and {} is none", how.block)));
        }
        if let Some(asked) = self.levels_per_stage.filter(|asked| asked.get() > 1 && transform.axes == Axes::Both) {
            return Err(Failure::Call(format!(
                "--levels-per-stage {asked} is for signals: on an image L is 1, since the rows of a level need the merged columns of the level before: leave it out"
            )));
        }
        if how.width >= how.samples() {
            let samples = how.samples();
            return Err(Failure::Call(format!("--width {} leaves nothing of tiles of {samples} samples: take less", how.width)));
        }
        Ok(how)
    }

    /// The levels of one launch of overlapped tiles.
    fn overlapped_levels(&self, usual: usize, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<usize, Failure> {
        let levels = self.levels_per_stage.map_or(usual, NonZeroUsize::get);
        let algorithm = algorithm.unwrap_or_else(|| transform.first_plan());
        let most = algorithm.schedules().overlapped_levels.unwrap_or(levels);
        if levels > most {
            let (name, of) = (algorithm.name, if transform.axes == Axes::Rows { "signals" } else { "images" });
            return Err(Failure::Call(format!(
                "--levels-per-stage {levels} is more than a launch of {name} takes of {of}, {most}: take --levels-per-stage {most}, or leave it out"
            )));
        }
        Ok(levels)
    }
}

/// Refuses a schedule that no plan of the algorithm has; without an algorithm, of the transform.
fn check_kind(cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
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

/// Refuses --scheme if the schedule has no thread blocks of images.
fn check_scheme(scheme: Option<BlockScheme>, cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
    let Some(scheme) = scheme else { return Ok(()) };
    if transform.axes == Axes::Rows {
        return Err(Failure::Call(format!("--scheme divides images, and {} takes signals: leave it out", transform.name)));
    }
    match (cut, scheme) {
        (Cut::SplitAndMerge(_), BlockScheme::Rows) => {
            Err(Failure::Call("--scheme rows has a launch a stage: take row-column or square for sections, or another -a".into()))
        }
        (Cut::SplitAndMerge(_), BlockScheme::Square) if algorithm.is_some_and(|algorithm| algorithm.schedules().sections != Sections::Squares) => Err(Failure::Call(
            "--scheme square splits along both axes before it merges along either, which needs steps in place, and the halves of a filter bank go elsewhere: take row-column, or -a split-merge, which is lifting"
                .into(),
        )),
        (Cut::Stages | Cut::SplitAndMerge(_), _) => Ok(()),
        _ => {
            let owners = "a launch a stage, as -a direct or lifting has, and to -a split-merge";
            Err(Failure::Call(format!("--scheme belongs to {owners}: ask for one of them, or leave it out")))
        }
    }
}
