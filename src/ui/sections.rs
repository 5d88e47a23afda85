//! The controls of split and merge, and of the kernels of single stages, with the names of the paper: levels, width, tiles, threads and the memory of the merge.

use super::widgets::{self, row};
use crate::engine::Cut;
use crate::numerals::integer;
use crate::plan::Plan;
use crate::schedule::{BlockScheme, IndexArithmetic, KernelVariant, SectionMemory, SplitAndMerge, ThreadsPerSample, TwiddleSource};
use crate::transforms::{Algorithm, Axes, ScheduleKind, Sections};
use egui::Ui;

/// Lanes of the largest tile that can be set.
pub(super) const LARGEST_TILE: usize = 4096;

/// Shows how the plan is cut into launches, with the parameters of that schedule. `has_schedule` says whether the result has a schedule of ours, where there is a result.
pub(super) fn launches_ui(ui: &mut Ui, cut: &mut Cut, axes: Axes, algorithm: Option<&Algorithm>, asked: bool, has_schedule: Option<bool>) {
    let offers_sections = algorithm.is_some_and(|algorithm| algorithm.schedules().offer_sections());
    let mut cuts = vec![
        (Cut::Tiles, "Tiles", "The fewest launches that tiles in workgroup memory allow"),
        (Cut::Stages, "By stage", "One launch per stage, as in the papers"),
    ];
    if offers_sections {
        let sections = if let Cut::SplitAndMerge(_) = *cut { *cut } else { Cut::SplitAndMerge(SplitAndMerge::default()) };
        cuts.push((sections, "Sections", "Split and merge: tiles finish their sections alone, and a merge finishes the boundaries"));
    }
    // The parameters of sections and of blocks are chosen below.
    let mut shown = match *cut {
        Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) => Cut::Stages,
        Cut::TilesOf(_) | Cut::Overlapped(_) => Cut::Tiles,
        Cut::SplitAndMerge(_) if !offers_sections => Cut::Tiles,
        cut => cut,
    };
    // A library makes its own schedule.
    let row = |ui: &mut Ui| row(ui, "Launches", |ui| widgets::segmented(ui, &mut shown, &cuts));
    if ui.add_enabled_ui(has_schedule.unwrap_or(true), row).inner.changed() {
        *cut = shown;
    }
    // A job without a result has what mends it here instead.
    if has_schedule == Some(true) && matches!(cut, Cut::Tiles | Cut::TilesOf(_)) {
        tile_ui(ui, cut);
    }
    sections_ui(ui, cut, axes, algorithm, asked);
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
/// An algorithm that was not chosen by name (`asked`) may run in tiles, which have no blocks.
pub(super) fn sections_ui(ui: &mut Ui, cut: &mut Cut, axes: Axes, algorithm: Option<&Algorithm>, asked: bool) {
    let Some(algorithm) = algorithm else { return };
    let schedules = algorithm.schedules();
    let is_foreign = match cut {
        Cut::SplitAndMerge(_) => schedules.usual != ScheduleKind::Sections && !schedules.offer_sections(),
        Cut::StagesOf(_) => axes == Axes::Both || schedules.usual != ScheduleKind::Stages && !schedules.offer_sections(),
        Cut::StagesIn(_) => axes == Axes::Rows || schedules.usual == ScheduleKind::Tiles,
        _ => false,
    };
    if is_foreign {
        *cut = Cut::Tiles;
    }
    let by_stage = matches!(cut, Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_)) || asked && schedules.usual == ScheduleKind::Stages;
    if by_stage && axes == Axes::Both && schedules.usual != ScheduleKind::Tiles {
        blocks_ui(ui, cut);
    }
    if by_stage && axes == Axes::Rows && (schedules.usual == ScheduleKind::Stages || schedules.offer_sections()) {
        threads_ui(ui, cut);
    }
    if by_stage || schedules.usual != ScheduleKind::Sections && !matches!(cut, Cut::SplitAndMerge(_)) {
        return;
    }
    let mut how = match *cut {
        Cut::SplitAndMerge(how) => how,
        _ => SplitAndMerge::default(),
    };
    let before = how;
    if axes == Axes::Rows {
        row(ui, "L, levels", |ui| {
            widgets::whole_slider(ui, &mut how.levels, 1..=6, "").on_hover_text("Levels that one split and one merge compute")
        });
    } else {
        row(ui, "L, levels", |ui| {
            ui.label("1").on_hover_text("The rows of a level need the columns that the merge of the level before finishes")
        });
    }
    let most_width = how.samples() / 2;
    row(ui, "W, width", |ui| {
        let hint = "Samples around every section boundary that go from the split to the merge";
        widgets::whole_slider(ui, &mut how.width, 0..=most_width, "").on_hover_text(hint)
    });
    row(ui, "Threads", |ui| widgets::power_of_two(ui, &mut how.block, 3..=10).on_hover_text("Threads of a tile"));
    threads_and_memory_ui(ui, &mut how);
    if axes == Axes::Both && schedules.sections == Sections::Squares {
        let schemes = [
            (BlockScheme::RowColumn, "Row-column", "Rows in tiles of one row, columns in squares, each with a split and a merge"),
            (BlockScheme::Square, "Square", "Squares for both: one split, a merge for rows and a merge for columns"),
        ];
        row(ui, "Images", |ui| widgets::segmented(ui, &mut how.scheme, &schemes));
    }
    if how != before {
        how.width = how.width.min(how.samples() / 2);
        *cut = Cut::SplitAndMerge(how);
    }
}

/// The twiddles and the indices of kernels of single stages, where a plan with tiles runs a launch a stage.
pub(super) fn variants_ui(ui: &mut Ui, cut: &mut Cut, plan: &Plan) {
    let before = match *cut {
        Cut::Stages => None,
        Cut::StagesBy(variant) => Some(variant),
        _ => return,
    };
    let (mut twiddles, mut index) = (before.map(|variant| variant.twiddles), before.map(|variant| variant.index));
    let mut is_changed = false;
    if plan.stages.iter().any(|stage| stage.root_order().is_some()) {
        let sources = [
            (None, "Fastest", "The fastest kernel of every stage"),
            (Some(TwiddleSource::Table), "Table", "The kernel made for the stage; roots come from a table in double precision"),
            (
                Some(TwiddleSource::QuarterTable),
                "Cosines",
                "From a table of N/2 cosines, of which a sine is one too (Sörman 2016, Table 5.5)",
            ),
            (Some(TwiddleSource::Computed), "Computed", "Every thread computes its sine and cosine"),
        ];
        is_changed |= row(ui, "Twiddles", |ui| widgets::segmented(ui, &mut twiddles, &sources)).changed();
    }
    let indices = [
        (None, "Fastest", "The fastest kernel of every stage"),
        (Some(IndexArithmetic::Shifts), "Shifts", "The kernel made for the stage; shifts and masks by powers of two"),
        (Some(IndexArithmetic::Division), "Division", "Division and modulo by numbers that the kernel reads (Gajić and Stanković 2011)"),
    ];
    is_changed |= row(ui, "Indices", |ui| widgets::segmented(ui, &mut index, &indices)).changed();
    if is_changed {
        // The fastest kernel has neither choice.
        let was_fastest = before.is_none();
        let is_fastest = if was_fastest { twiddles.is_none() && index.is_none() } else { twiddles.is_none() || index.is_none() };
        let variant = KernelVariant { twiddles: twiddles.unwrap_or_default(), index: index.unwrap_or_default() };
        *cut = if is_fastest { Cut::Stages } else { Cut::StagesBy(variant) };
    }
}

/// The thread blocks of images, one launch a stage.
fn blocks_ui(ui: &mut Ui, cut: &mut Cut) {
    let mut scheme = if let Cut::StagesIn(scheme) = *cut { scheme } else { BlockScheme::RowColumn };
    let schemes = [
        (BlockScheme::RowColumn, "1×256", "Blocks of 256 threads compute 256 neighbours of a row, or 256 of a column"),
        (BlockScheme::Rows, "256×1", "Blocks of 256 threads compute neighbours along rows, also for the transform of columns"),
        (BlockScheme::Square, "16×16", "Blocks of threads are squares, for rows and columns alike"),
    ];
    if row(ui, "Blocks", |ui| widgets::segmented(ui, &mut scheme, &schemes)).changed() {
        *cut = Cut::StagesIn(scheme);
    }
}

/// The threads per sample of signals, one launch a stage.
fn threads_ui(ui: &mut Ui, cut: &mut Cut) {
    let mut threads = if let Cut::StagesOf(threads) = *cut { Some(threads) } else { None };
    let choices = [
        (None, "Fastest", "The number of results per thread that keeps the memory busy"),
        (Some(ThreadsPerSample::Half), "1/2", "One thread for each sample that the stage changes: one for two samples"),
        (Some(ThreadsPerSample::One), "1", "One thread for each sample: those of samples that the stage keeps idle"),
    ];
    if row(ui, "T, threads", |ui| widgets::segmented(ui, &mut threads, &choices)).changed() {
        *cut = threads.map_or(Cut::Stages, Cut::StagesOf);
    }
}

/// Threads per sample, and the memory that a merge uses.
fn threads_and_memory_ui(ui: &mut Ui, how: &mut SplitAndMerge) {
    let threads = [
        (ThreadsPerSample::Half, "1/2", "One thread for two samples: a lifting step updates one of them, a filter bank computes both"),
        (
            ThreadsPerSample::One,
            "1",
            "One thread for each sample: half of the threads idle in a lifting step; in a filter bank each computes one value",
        ),
    ];
    row(ui, "T, threads", |ui| widgets::segmented(ui, &mut how.threads, &threads));
    let memories = [
        (SectionMemory::Workgroup, "Workgroup", "A merge holds its samples in workgroup memory"),
        (SectionMemory::Global, "Global", "A merge reads and writes global memory in every step"),
    ];
    row(ui, "Merge in", |ui| widgets::segmented(ui, &mut how.merge, &memories));
}
