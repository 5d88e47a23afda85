//! The words that choose how levels are cut into launches: the parameters of split and merge, and of overlapped tiles.

use super::Failure;
use super::arguments::{from_one, from_zero, one_of};
use crate::engine::{Cut, most_overlapped_levels, takes_sections, takes_squares};
use crate::schedule::{Memory, Scheme, SplitAndMerge, Threads};
use crate::transforms::{Algorithm, Axes, Method, Transform};
use clap::Args;
use std::num::NonZeroUsize;

/// How lines and pictures are cut.
#[derive(Debug, Args)]
pub(super) struct CutArguments {
    #[command(flatten)]
    lines: LineCutArguments,
    /// How pictures are shared out among blocks of threads: row-column (256×1 along rows; along columns 1×256 launch by launch, 16×16 in sections), rows (256×1 along both, launch by launch only) or square (16×16 along both; in sections one split and two merges) [default: row-column].
    #[arg(long, value_name = "SCHEME", value_parser = one_of::<Scheme>(), ignore_case = true)]
    scheme: Option<Scheme>,
}

/// Parameters of the algorithms split-merge and overlapped; those of split and merge ask for it in cyclic reduction.
#[derive(Debug, Args)]
pub(super) struct LineCutArguments {
    /// Levels that one split and one merge of lines take, or one launch of overlapped tiles: L of Argüello et al. 2012 [default: 2 for split-merge of lines, 1 of pictures, and what is fastest for overlapped].
    #[arg(long, value_name = "L", value_parser = from_one, allow_negative_numbers = true)]
    levels_per_stage: Option<NonZeroUsize>,
    /// Where a merge holds its values: workgroup or global (memory) [default: workgroup].
    #[arg(long, value_name = "MEMORY", value_parser = one_of::<Memory>(), ignore_case = true)]
    merge: Option<Memory>,
    /// Threads a sample, for split-merge: 1 or 1/2 [default: 1/2].
    #[arg(long, value_name = "T", value_parser = one_of::<Threads>())]
    threads: Option<Threads>,
    /// Samples around a border that go from the split to the merge: W [default: 0]; on the way back of packets rounded up to a multiple of 2^L.
    #[arg(long, value_name = "W", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    width: Option<usize>,
    /// Threads of a tile, for split-merge: a power of two from 8 to 1024 [default: 256].
    #[arg(long, value_name = "THREADS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    block: Option<usize>,
}

impl CutArguments {
    /// How the plan of `algorithm` is cut, where `schedule` was asked for or is the usual one.
    ///
    /// # Errors
    /// When a parameter was given that the cut does not have, or does not take this value.
    pub(super) fn of(&self, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<Cut, Failure> {
        self.lines.within(self.scheme, schedule, transform, algorithm)
    }
}

impl LineCutArguments {
    /// The same of what has no pictures.
    ///
    /// # Errors
    /// As [`CutArguments::of`].
    pub(super) fn of(&self, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<Cut, Failure> {
        self.within(None, schedule, transform, algorithm)
    }

    fn within(&self, scheme: Option<Scheme>, schedule: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<Cut, Failure> {
        let given = [
            (self.levels_per_stage.is_some(), "--levels-per-stage", true),
            (self.merge.is_some(), "--merge", false),
            (self.threads.is_some(), "--threads", false),
            (self.width.is_some(), "--width", false),
            (self.block.is_some(), "--block", false),
        ];
        let is_any_given = given.iter().any(|&(is_given, ..)| is_given);
        let cut = match (schedule, algorithm.and_then(Algorithm::method)) {
            (Cut::Tiles, Some(Method::SplitAndMerge)) => Cut::SplitAndMerge(SplitAndMerge::default()),
            (Cut::Tiles, Some(Method::Overlapped)) => Cut::Overlapped(0),
            (Cut::Tiles, None) if is_any_given && algorithm.is_some_and(takes_sections) => Cut::SplitAndMerge(SplitAndMerge::default()),
            (Cut::Tiles, Some(Method::Direct)) if scheme.is_some() => Cut::Stages,
            _ => schedule,
        };
        check_scheme(scheme, cut, transform, algorithm)?;
        let takes = |overlaps: bool| matches!(cut, Cut::SplitAndMerge(_)) || overlaps && matches!(cut, Cut::Overlapped(_));
        if let Some((_, name, overlaps)) = given.into_iter().find(|&(is_given, _, overlaps)| is_given && !takes(overlaps)) {
            let owners = match overlaps {
                _ if transform.takes_equations() => "-a cyclic-reduction",
                true => "-a split-merge or -a overlapped",
                false => "-a split-merge",
            };
            return Err(Failure::Call(format!("{name} belongs to {owners}: ask for one of them, or leave it out")));
        }
        Ok(match cut {
            Cut::SplitAndMerge(usual) => Cut::SplitAndMerge(self.sections(scheme, usual, transform)?),
            Cut::Overlapped(usual) => Cut::Overlapped(self.overlapped_levels(usual, transform, algorithm)?),
            Cut::Stages => scheme.map_or(Cut::Stages, Cut::StagesIn),
            cut => cut,
        })
    }

    /// The parameters of sections.
    fn sections(&self, scheme: Option<Scheme>, usual: SplitAndMerge, transform: &Transform) -> Result<SplitAndMerge, Failure> {
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
        if self.levels_per_stage.is_some() && how.levels > 1 && transform.axes == Axes::Both {
            return Err(Failure::Call(format!(
                "--levels-per-stage {} is for lines: rows and columns of a picture take turns, so that one level is split at a time: leave it out",
                how.levels
            )));
        }
        if how.width >= how.samples() {
            let samples = how.samples();
            return Err(Failure::Call(format!("--width {} leaves nothing of tiles of {samples} samples: take less", how.width)));
        }
        Ok(how)
    }

    /// Levels of a launch of overlapped tiles.
    fn overlapped_levels(&self, usual: usize, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<usize, Failure> {
        let levels = self.levels_per_stage.map_or(usual, NonZeroUsize::get);
        let algorithm = algorithm.unwrap_or_else(|| transform.first_plan());
        let most = most_overlapped_levels(algorithm).unwrap_or(levels);
        if levels > most {
            let (name, of) = (algorithm.name, if transform.axes == Axes::Rows { "lines" } else { "pictures" });
            return Err(Failure::Call(format!(
                "--levels-per-stage {levels} is more than a launch of {name} takes of {of}, {most}: take --levels-per-stage {most}, or leave it out"
            )));
        }
        Ok(levels)
    }
}

/// Refuses a scheme where nothing is shared out by it.
fn check_scheme(scheme: Option<Scheme>, cut: Cut, transform: &Transform, algorithm: Option<&Algorithm>) -> Result<(), Failure> {
    let Some(scheme) = scheme else { return Ok(()) };
    if transform.axes == Axes::Rows {
        return Err(Failure::Call(format!("--scheme shares out pictures, and {} takes lines: leave it out", transform.name)));
    }
    match (cut, scheme) {
        (Cut::SplitAndMerge(_), Scheme::Rows) => {
            Err(Failure::Call("--scheme rows has a launch a stage: take row-column or square for sections, or another -a".into()))
        }
        (Cut::SplitAndMerge(_), Scheme::Square) if algorithm.is_some_and(|algorithm| !takes_squares(algorithm)) => Err(Failure::Call(
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
