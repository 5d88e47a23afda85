//! The controls of split and merge, and of the kernels of single stages, with the names of the paper: levels, width, tiles, threads and the memory of the merge.

use super::parameters::choice_ui;
use super::widgets::{self, row};
use crate::choice::Chosen as _;
use crate::numerals::integer;
use crate::plan::Plan;
use crate::schedule::{BlockKernels, Cut, CutParameter, CutParameters, SplitAndMerge};
use crate::transforms::{Algorithm, Axes, ScheduleKind, Sections, Transform};
use egui::Ui;

/// The levels of a split and its merge that are offered.
const LEVELS: std::ops::RangeInclusive<usize> = 1..=6;

/// Lanes of the largest tile that can be set.
pub(super) const LARGEST_TILE: usize = 4096;

/// Shows how the plan is cut into launches, with the parameters of that schedule. `has_schedule` says whether the result, if any, has a schedule of ours.
pub(super) fn launches_ui(
    ui: &mut Ui,
    cut: &mut Cut,
    transform: &Transform,
    (algorithm, asked): (Option<&Algorithm>, bool),
    (plan, has_schedule): (Option<&Plan>, Option<bool>),
) {
    let offers_sections = algorithm.is_some_and(|algorithm| algorithm.schedules().offer_sections());
    let has_blocks = algorithm.is_some_and(|algorithm| algorithm.schedules().usual == ScheduleKind::Blocks);
    let usual = match has_blocks {
        true => "A launch for the stages that fit a block, and one for every other stage",
        false => "The fewest launches that tiles in workgroup memory allow",
    };
    let mut cuts = vec![(Cut::Tiles, "Tiles", usual), (Cut::Stages, "By stage", "One launch per stage, as in the papers")];
    if offers_sections {
        let sections = if let Cut::SplitAndMerge(_) = *cut { *cut } else { Cut::SplitAndMerge(SplitAndMerge::default()) };
        cuts.push((sections, "Sections", "Split and merge: tiles finish their sections alone, and a merge finishes the boundaries"));
    }
    if let (Cut::Blocks(_), false) = (*cut, has_blocks) {
        cuts.push((*cut, "Blocks", "A launch for the stages that fit a block, and one for every other stage"));
    }
    // The parameters of sections and of blocks are chosen below.
    let mut shown = match *cut {
        Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) => Cut::Stages,
        Cut::TilesOf(_) | Cut::Overlapped(_) => Cut::Tiles,
        Cut::Blocks(_) if has_blocks => Cut::Tiles,
        Cut::SplitAndMerge(_) if !offers_sections => Cut::Tiles,
        cut => cut,
    };
    // A library makes its own schedule.
    let row = |ui: &mut Ui| row(ui, "Launches", |ui| widgets::segmented(ui, &mut shown, &cuts));
    if ui.add_enabled_ui(has_schedule.unwrap_or(true), row).inner.changed() {
        *cut = shown;
    }
    // A job without a result has what mends it here instead.
    if has_schedule == Some(true) && !has_blocks && matches!(cut, Cut::Tiles | Cut::TilesOf(_)) {
        tile_ui(ui, cut);
    }
    sections_ui(ui, cut, transform, algorithm, asked, plan);
}

/// The most lanes of a tile in workgroup memory: as many as it holds, or fewer.
fn tile_ui(ui: &mut Ui, cut: &mut Cut) {
    let whole = "As large as fits";
    let named = |lanes: usize| format!("{} lanes at most", integer(lanes));
    let shown = if let Cut::TilesOf(lanes) = *cut { named(lanes) } else { whole.to_owned() };
    let few =
        (1..=LARGEST_TILE.ilog2()).map(|bits| (Cut::TilesOf(1 << bits), named(1 << bits), "Smaller tiles take more launches".to_owned()));
    let all = std::iter::once((Cut::Tiles, whole.to_owned(), "The fewest launches".to_owned())).chain(few);
    row(ui, "Tile", |ui| widgets::combo(ui, "Tile", shown, cut, all));
}

/// Shows the parameters of the schedule where the algorithm has some. A schedule of another algorithm is dropped.
///
/// An algorithm that was not chosen by name (`asked`) may run in tiles, which have no blocks. Kernels of single stages have variants where the `plan` is given.
pub(super) fn sections_ui(
    ui: &mut Ui,
    cut: &mut Cut,
    transform: &Transform,
    algorithm: Option<&Algorithm>,
    asked: bool,
    plan: Option<&Plan>,
) {
    let Some(algorithm) = algorithm else { return };
    let schedules = algorithm.schedules();
    let is_of = |id: CutParameter, cut| id.is_of(cut, transform, Some(algorithm));
    let is_foreign = match *cut {
        Cut::SplitAndMerge(_) => schedules.usual != ScheduleKind::Sections && !schedules.offer_sections(),
        Cut::StagesOf(_) => !is_of(CutParameter::StageThreads, *cut),
        Cut::StagesIn(_) => !is_of(CutParameter::StageScheme, *cut),
        _ => false,
    };
    if is_foreign {
        *cut = Cut::Tiles;
    }
    let kind = match (*cut, schedules.usual) {
        (Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) | Cut::Blocks(_) | Cut::SplitAndMerge(_), _) => *cut,
        (Cut::Tiles, ScheduleKind::Blocks) => Cut::Blocks(BlockKernels::default()),
        (_, ScheduleKind::Stages) if asked => Cut::Stages,
        (_, ScheduleKind::Sections) => Cut::SplitAndMerge(SplitAndMerge::default()),
        _ => return,
    };
    let mut parameters = CutParameters::of(kind);
    let before = parameters;
    for choice in CutParameters::CHOICES.iter().filter(|choice| is_of(choice.id, kind)) {
        let is_shown = match choice.id {
            CutParameter::Scheme => schedules.sections == Sections::Squares,
            CutParameter::Twiddles => plan.is_some_and(|plan| plan.stages.iter().any(|stage| stage.root_order().is_some())),
            CutParameter::Index | CutParameter::Butterflies | CutParameter::Square => plan.is_some(),
            _ => true,
        };
        match (choice.id, kind) {
            _ if !is_shown => {}
            (CutParameter::Levels, _) if transform.axes == Axes::Both => {
                let why = "The rows of a level need the columns that the merge of the level before finishes";
                row(ui, choice.title, |ui| ui.label("1").on_hover_text(why));
            }
            (CutParameter::Width, Cut::SplitAndMerge(how)) => drop(choice_ui(ui, &mut parameters, choice, Some(0..=how.samples() / 2))),
            // The number of levels that is taken depends on the algorithm alone, and its slider shows the usual one.
            (CutParameter::Levels, _) => drop(choice_ui(ui, &mut parameters, choice, Some(LEVELS))),
            _ => drop(choice_ui(ui, &mut parameters, choice, None)),
        }
    }
    if parameters != before {
        // The fastest kernel has none of these choices.
        if matches!(kind, Cut::StagesBy(_)) && (parameters.twiddles.is_none() || parameters.index.is_none()) {
            parameters = CutParameters::default();
        }
        *cut = parameters.applied(kind);
        if let Cut::SplitAndMerge(how) = cut {
            how.width = how.width.min(how.samples() / 2);
        }
    }
}
