//! The controls of split and merge: levels, width, tiles, threads and the memory of the merge, as the paper names them.

use super::widgets::{self, row};
use crate::engine::{Cut, takes_sections};
use crate::schedule::{Memory, SplitAndMerge, Threads};
use crate::transforms::{Algorithm, Method};
use egui::Ui;

/// Shows the parameters of the cut where the algorithm has some; a cut that belongs to another algorithm is given up.
pub(super) fn sections_ui(ui: &mut Ui, cut: &mut Cut, algorithm: Option<&Algorithm>) {
    let Some(algorithm) = algorithm else { return };
    let mut how = match (*cut, algorithm.method()) {
        (Cut::SplitAndMerge(how), Some(Method::SplitAndMerge)) => how,
        (Cut::SplitAndMerge(how), None) if takes_sections(algorithm) => how,
        (Cut::SplitAndMerge(_), _) => {
            *cut = Cut::Tiles;
            return;
        }
        (Cut::Stages, _) => return,
        (_, Some(Method::SplitAndMerge)) => SplitAndMerge::default(),
        _ => return,
    };
    let before = how;
    row(ui, "Levels a stage L", |ui| {
        widgets::whole_slider(ui, &mut how.levels, 1..=6, "").on_hover_text("Levels that one split and one merge take")
    });
    let most_width = how.samples() / 2;
    row(ui, "Width W", |ui| {
        let hint = "Samples around every border that go from the split to the merge";
        widgets::whole_slider(ui, &mut how.width, 0..=most_width, "").on_hover_text(hint)
    });
    row(ui, "Threads of a tile", |ui| widgets::power_of_two(ui, &mut how.block, 3..=10));
    let threads = [
        (Threads::Half, "1/2", "A thread for two samples, one of which is updated in every step"),
        (Threads::One, "1", "A thread for every sample; half of them idle in every step"),
    ];
    row(ui, "Threads a sample T", |ui| widgets::segmented(ui, &mut how.threads, &threads));
    let memories = [
        (Memory::Workgroup, "Workgroup", "A merge holds its samples in workgroup memory"),
        (Memory::Global, "Global", "A merge reads and writes global memory in every step"),
    ];
    row(ui, "Merge in", |ui| widgets::segmented(ui, &mut how.merge, &memories));
    if how != before {
        how.width = how.width.min(how.samples() / 2);
        *cut = Cut::SplitAndMerge(how);
    }
}
