//! The panes of a lesson's step: its text at the left, the panes that it names beside it, and the others as tabs.

use super::split;
use crate::ui::pane_id::PaneId;
use crate::ui::panes::PANES;
use crate::ui::{filtered, learn, second_graph, source, spectrum_image, transform};
use egui_tiles::{LinearDir, Tiles, Tree};

/// Width of the text of a lesson in points, and its largest share of the window, until the user moves its edge.
const TEXT_WIDTH: f32 = 400.0;
const LARGEST_TEXT: f32 = 0.4;
/// Two panes are side by side where each has this width in points, and one above the other elsewhere.
const LEAST_WIDTH: f32 = 560.0;
/// The same for panes of images, which are as high as they are wide.
const LEAST_WIDTH_OF_IMAGES: f32 = 420.0;
/// The share of the height that the panes below take.
const LOWER: f32 = 0.36;

/// The width of the text of a lesson in a window of `whole` points, wider in a large one.
pub(super) fn text_width(whole: f32) -> f32 {
    TEXT_WIDTH.max(super::SHARE_OF_LEFT * whole).min(LARGEST_TEXT * whole).min(super::MOST_LEFT)
}

/// The panes of a step in a window of `width` points. What the step does not name follows below, closed where it names nothing there or two graphs stand one above the other.
pub(crate) fn tree(beside: &[PaneId], lower: &[PaneId], width: f32) -> Tree<PaneId> {
    let text = [&learn::PANE, &source::PANE, &transform::PANE].map(PaneId::of);
    let beside: Vec<PaneId> = beside.iter().copied().filter(|pane| *pane != text[0]).collect();
    let lower: Vec<PaneId> = lower.iter().copied().filter(|pane| *pane != text[0] && !beside.contains(pane)).collect();
    let is_named = |pane: &PaneId| beside.contains(pane) || lower.contains(pane);
    let others = PANES.iter().map(|info| PaneId::of(info)).filter(|pane| !is_named(pane) && !text.contains(pane));
    let below: Vec<PaneId> = lower.iter().copied().chain(others).collect();
    let mut tiles = Tiles::default();
    let mut tabs = |panes: Vec<PaneId>| {
        let panes = panes.into_iter().map(|pane| tiles.insert_pane(pane)).collect();
        tiles.insert_tab_tile(panes)
    };
    let left = tabs(text.into_iter().filter(|pane| !is_named(pane)).collect());
    let views: Vec<_> = beside.iter().map(|pane| (tabs(vec![*pane]), 1.0)).collect();
    let drawer = tabs(below);
    let is_image = |pane: &PaneId| [&source::PANE, &spectrum_image::PANE, &filtered::PANE].map(PaneId::of).contains(pane);
    let least = if beside.iter().all(is_image) { LEAST_WIDTH_OF_IMAGES } else { LEAST_WIDTH };
    let is_wide = (width - text_width(width)) / views.len().max(1) as f32 >= least;
    let dir = if is_wide { LinearDir::Horizontal } else { LinearDir::Vertical };
    let views = match &views[..] {
        [] => None,
        [(only, _)] => Some(*only),
        several => Some(split(&mut tiles, dir, several)),
    };
    let right = match views {
        Some(views) => split(&mut tiles, LinearDir::Vertical, &[(views, 1.0 - LOWER), (drawer, LOWER)]),
        None => drawer,
    };
    // Two graphs one above the other need the whole height.
    let has_room = is_wide || !beside.contains(&PaneId::of(&second_graph::PANE));
    tiles.set_visible(drawer, has_room && !lower.is_empty() || views.is_none());
    let root = split(&mut tiles, LinearDir::Horizontal, &[(left, 0.32), (right, 0.68)]);
    Tree::new(egui::Id::unique("panes"), root, tiles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::layout::is_whole;
    use crate::ui::{graph_pane, timing};
    use egui_tiles::Tile;

    #[test]
    fn two_graphs_one_above_the_other_have_the_whole_height() {
        let [first, second, times] = [&graph_pane::PANE, &second_graph::PANE, &timing::PANE].map(PaneId::of);
        let shows = |beside: &[PaneId], width: f32| {
            let tree = tree(beside, &[times], width);
            let drawer = tree.tiles.iter().find(|(_, tile)| matches!(tile, Tile::Pane(pane) if *pane == times)).map(|(id, _)| *id);
            tree.tiles.is_visible(tree.tiles.parent_of(drawer.unwrap()).unwrap())
        };
        assert_eq!([shows(&[first, second], 1280.0), shows(&[first, second], 2560.0), shows(&[first], 1280.0)], [false, true, true]);
    }

    #[test]
    fn every_pane_stands_in_the_tree_once() {
        let [graph, times] = [&graph_pane::PANE, &timing::PANE].map(PaneId::of);
        let source = PaneId::of(&source::PANE);
        for (beside, lower) in [(&[graph][..], &[times][..]), (&[], &[]), (&[source, graph], &[]), (&[graph], &[graph, source])] {
            assert!(is_whole(&tree(beside, lower, 1280.0)), "{beside:?} over {lower:?}");
        }
    }
}
