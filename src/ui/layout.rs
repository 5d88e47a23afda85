//! How the panes are laid out: one preset for each kind of work. The user may rearrange the panes.

use super::pane::PaneInfo;
use super::panes::{PANES, PaneId};
use super::preset::Preset;
use super::{graph_pane, logic, source, spectrum, spectrum_image, system, timing, transform, wavelet};
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};

/// Width of the left column in points, until the user moves its edge.
pub(super) const LEFT_WIDTH: f32 = 320.0;
/// The left column takes at most this share of the window.
const LARGEST_LEFT: f32 = 0.4;

/// How a preset arranges the panes right of the source and the transform; panes of one place are tabs, the first in front.
struct Arrangement {
    preset: Preset,
    /// The places of the upper row, each with its share of the width.
    above: &'static [(&'static [&'static PaneInfo], f32)],
    /// The share of the height that the upper row takes.
    height: f32,
    /// The two places of the lower row. The panes that the preset does not name follow in the last one.
    below: [&'static [&'static PaneInfo]; 2],
    /// The share of the left column that the source takes.
    source: f32,
}

/// The usual share of the left column that the source takes.
const SOURCE: f32 = 0.52;

static ARRANGEMENTS: [Arrangement; 7] = [
    Arrangement {
        preset: Preset::Image,
        above: &[(&[&spectrum_image::PANE], 0.54), (&[&graph_pane::PANE], 0.46)],
        height: 0.6,
        below: [&[&spectrum::PANE], &[&timing::PANE]],
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::Signal,
        above: &[(&[&spectrum::PANE], 1.0)],
        height: 0.5,
        below: [&[&graph_pane::PANE], &[&timing::PANE]],
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::FlowGraph,
        above: &[(&[&graph_pane::PANE], 1.0)],
        height: 0.62,
        below: [&[&spectrum_image::PANE, &spectrum::PANE], &[&timing::PANE]],
        source: SOURCE,
    },
    // A truth table stands below the text of its function.
    Arrangement {
        preset: Preset::Logic,
        above: &[(&[&logic::PANE], 0.55), (&[&graph_pane::PANE], 0.45)],
        height: 0.62,
        below: [&[&spectrum::PANE, &spectrum_image::PANE], &[&timing::PANE]],
        source: 0.6,
    },
    Arrangement {
        preset: Preset::Wavelet,
        above: &[(&[&wavelet::PANE], 1.0)],
        height: 0.64,
        below: [&[&graph_pane::PANE], &[&timing::PANE]],
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::System,
        above: &[(&[&system::PANE], 1.0)],
        height: 0.54,
        below: [&[&graph_pane::PANE], &[&timing::PANE]],
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::Benchmark,
        above: &[(&[&timing::PANE], 1.0)],
        height: 0.66,
        below: [&[&graph_pane::PANE], &[&spectrum_image::PANE, &spectrum::PANE]],
        source: SOURCE,
    },
];

impl Preset {
    /// The panes as the preset arranges them.
    pub fn tree(self) -> Tree<PaneId> {
        let arrangement = ARRANGEMENTS.iter().find(|arrangement| arrangement.preset == self);
        let Arrangement { above, height, below, source, .. } = *arrangement.expect("every preset is arranged");
        let named: Vec<PaneId> = above.iter().map(|(panes, _)| *panes).chain(below).flatten().map(|pane| PaneId::of(pane)).collect();
        let beside = [PaneId::of(&source::PANE), PaneId::of(&transform::PANE)];
        let others = PANES.iter().map(|pane| PaneId::of(pane)).filter(|pane| !named.contains(pane) && !beside.contains(pane));
        let mut tiles = Tiles::default();
        let mut tabs = |panes: Vec<PaneId>| {
            let panes = panes.into_iter().map(|pane| tiles.insert_pane(pane)).collect();
            tiles.insert_tab_tile(panes)
        };
        let ids = |panes: &[&'static PaneInfo]| panes.iter().map(|pane| PaneId::of(pane)).collect::<Vec<_>>();
        let [source_tile, transform_tile] = beside.map(|pane| tabs(vec![pane]));
        let above: Vec<_> = above.iter().map(|(panes, share)| (tabs(ids(panes)), *share)).collect();
        let below = [(tabs(ids(below[0])), 0.5), (tabs(ids(below[1]).into_iter().chain(others).collect()), 0.5)];
        let left = split(&mut tiles, LinearDir::Vertical, &[(source_tile, source), (transform_tile, 1.0 - source)]);
        let above = split(&mut tiles, LinearDir::Horizontal, &above);
        let below = split(&mut tiles, LinearDir::Horizontal, &below);
        let right = split(&mut tiles, LinearDir::Vertical, &[(above, height), (below, 1.0 - height)]);
        let root = split(&mut tiles, LinearDir::Horizontal, &[(left, 0.26), (right, 0.74)]);
        Tree::new(egui::Id::unique("panes"), root, tiles)
    }
}

fn split(tiles: &mut Tiles<PaneId>, dir: LinearDir, parts: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, parts.iter().map(|(id, _)| *id).collect());
    for (id, share) in parts {
        linear.shares.set_share(*id, *share);
    }
    tiles.insert_container(Container::Linear(linear))
}

/// Makes the left column `left` of `whole` points wide, so that the views get the rest of a large screen.
pub(super) fn set_left_width(tree: &mut Tree<PaneId>, left: f32, whole: f32) {
    let Some(Tile::Container(Container::Linear(root))) = tree.root.and_then(|id| tree.tiles.get_mut(id)) else { return };
    let &[first, second] = root.children.as_slice() else { return };
    if root.dir == LinearDir::Horizontal && whole > left {
        let share = (left / whole).min(LARGEST_LEFT);
        root.shares.set_share(first, share);
        root.shares.set_share(second, 1.0 - share);
    }
}

/// Whether a remembered layout holds every pane once. Otherwise another version wrote it, and the preset replaces it.
pub(super) fn is_whole(tree: &Tree<PaneId>) -> bool {
    let held = |wanted: PaneId| tree.tiles.tiles().filter(|tile| matches!(tile, Tile::Pane(pane) if *pane == wanted)).count();
    tree.root.is_some() && PANES.iter().all(|pane| held(PaneId::of(pane)) == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn the_left_column_keeps_its_width() {
        let mut tree = Preset::Image.tree();
        for (whole, share) in [(1280.0, 0.25), (2560.0, 0.125), (640.0, LARGEST_LEFT)] {
            set_left_width(&mut tree, LEFT_WIDTH, whole);
            let Some(Tile::Container(Container::Linear(root))) = tree.root.and_then(|id| tree.tiles.get(id)) else {
                panic!("the root is a row")
            };
            assert_eq!(root.shares[root.children[0]], share);
        }
    }

    #[test]
    fn every_preset_holds_every_pane() {
        for preset in Preset::iter() {
            assert!(is_whole(&preset.tree()), "{preset:?}");
        }
    }
}
