//! How the panes are laid out: one preset for each kind of work. The user may rearrange the panes.

use super::pane::PaneInfo;
use super::pane_id::PaneId;
use super::panes::PANES;
use super::preset::Preset;
use super::{
    coefficients, filtered, graph_pane, kernel, learn, logic, markers, matrix, memory_access, pair, profile, second_graph, source,
    spectrogram, spectrum, spectrum_image, system, timing, transform, wavelet,
};
use egui::{Vec2, vec2};
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};

mod images;
mod lesson;

pub(super) use lesson::tree as lesson_tree;

/// The share of the width of the window that the left column takes, until the user moves its edge.
const SHARE_OF_LEFT: f32 = 0.25;
/// The width that it takes in a narrow window, as with large text, in points: its largest share, and what its controls need.
const USUAL_LEFT: f32 = 320.0;
const LARGEST_LEFT: f32 = 0.295;
const LEAST_LEFT: f32 = 256.0;
/// The width that it takes at most, in points.
const MOST_LEFT: f32 = 420.0;
/// Where it would take a larger share of the window, it is folded until its key opens it.
const MOST_OF_WINDOW: f32 = 1.0 / 3.0;

/// How a preset arranges the panes right of the source and the transform; panes of one place are tabs, the first in front.
struct Arrangement {
    preset: Preset,
    /// The pane that the layout is for. It takes the room that the left column and the drawer leave.
    hero: &'static PaneInfo,
    /// The two places of the drawer below. The panes that the preset does not name follow: those of plans in the first one, all others in the last one.
    drawer: [&'static [&'static PaneInfo]; 2],
    /// The share of the height that the drawer takes.
    height: f32,
    /// The share of the left column that the source takes.
    source: f32,
}

/// The heights of the wave and of the spectrogram of a recording above its spectrum, relative to that of spectrum and drawer together.
const WAVE: f32 = 0.38;
const SPECTROGRAM: f32 = 0.52;
/// The usual share of the left column that the source takes.
const SOURCE: f32 = 0.52;

static ARRANGEMENTS: [Arrangement; 8] = [
    // Its panes follow from the step of the lesson; these are beside the list of lessons.
    Arrangement { preset: Preset::Learn, hero: &learn::PANE, drawer: [&[&spectrum_image::PANE], &[]], height: 0.4, source: SOURCE },
    Arrangement {
        preset: Preset::Image,
        hero: &spectrum_image::PANE,
        drawer: [&[&spectrum::PANE, &markers::PANE, &graph_pane::PANE], &[&timing::PANE, &profile::PANE, &pair::PANE]],
        height: 0.4,
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::Signal,
        hero: &spectrum::PANE,
        drawer: [&[&graph_pane::PANE, &filtered::PANE], &[&timing::PANE, &coefficients::PANE]],
        height: 0.5,
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::FlowGraph,
        hero: &graph_pane::PANE,
        drawer: [
            &[&matrix::PANE, &memory_access::PANE, &kernel::PANE],
            &[&timing::PANE, &spectrum::PANE, &spectrum_image::PANE, &coefficients::PANE],
        ],
        height: 0.38,
        source: SOURCE,
    },
    // A truth table is below the text of its function.
    Arrangement {
        preset: Preset::Logic,
        hero: &logic::PANE,
        drawer: [&[&graph_pane::PANE, &spectrum::PANE, &spectrum_image::PANE], &[&timing::PANE]],
        height: 0.4,
        source: 0.6,
    },
    Arrangement {
        preset: Preset::Wavelet,
        hero: &wavelet::PANE,
        drawer: [&[&graph_pane::PANE, &coefficients::PANE], &[&timing::PANE]],
        height: 0.36,
        source: SOURCE,
    },
    Arrangement {
        preset: Preset::System,
        hero: &system::PANE,
        drawer: [&[&graph_pane::PANE], &[&timing::PANE]],
        height: 0.46,
        // The equations are in the hero; here are only their generator and their number.
        source: 0.3,
    },
    Arrangement {
        preset: Preset::Benchmark,
        hero: &timing::PANE,
        drawer: [&[&graph_pane::PANE], &[&spectrum_image::PANE, &spectrum::PANE]],
        height: 0.34,
        source: SOURCE,
    },
];

impl Preset {
    /// The pane that the layout is for.
    pub(super) fn hero(self) -> PaneId {
        PaneId::of(self.arrangement().hero)
    }

    fn arrangement(self) -> &'static Arrangement {
        ARRANGEMENTS.iter().find(|arrangement| arrangement.preset == self).expect("every preset is arranged")
    }

    /// The panes as the preset arranges them, with an open drawer.
    pub fn tree(self) -> Tree<PaneId> {
        if self == Self::Learn {
            return lesson::tree(&[PaneId::of(&spectrum_image::PANE)], &[], 0.0);
        }
        let Arrangement { hero, drawer, height, source, .. } = *self.arrangement();
        let companion = match self {
            // The result of a mask lies beside the spectrum image that it is drawn over.
            Self::Image => Some(&filtered::PANE),
            // Another algorithm beside it shows what an algorithm does.
            Self::FlowGraph => Some(&second_graph::PANE),
            // A recording is seen over time, too.
            Self::Signal => Some(&spectrogram::PANE),
            _ => None,
        };
        let named: Vec<PaneId> = drawer.iter().copied().flatten().copied().chain([hero]).chain(companion).map(PaneId::of).collect();
        let beside = [PaneId::of(&source::PANE), PaneId::of(&transform::PANE)];
        // Panes that show a plan stand together; all others follow in the last place.
        let of_plans = [&graph_pane::PANE, &second_graph::PANE, &matrix::PANE, &memory_access::PANE, &kernel::PANE].map(PaneId::of);
        let others = PANES.iter().map(|pane| PaneId::of(pane)).filter(|pane| !named.contains(pane) && !beside.contains(pane));
        let (plans, others): (Vec<_>, Vec<_>) = others.partition(|pane| of_plans.contains(pane));
        let mut tiles = Tiles::default();
        let mut tabs = |panes: Vec<PaneId>| {
            let panes = panes.into_iter().map(|pane| tiles.insert_pane(pane)).collect();
            tiles.insert_tab_tile(panes)
        };
        let ids = |panes: &[&'static PaneInfo]| panes.iter().map(|pane| PaneId::of(pane)).collect::<Vec<_>>();
        let [source_tile, transform_tile] = beside.map(|pane| tabs(vec![pane]));
        let hero = tabs(vec![PaneId::of(hero)]);
        let beside_hero = companion.map(|pane| tabs(vec![PaneId::of(pane)]));
        let drawer = [
            (tabs(ids(drawer[0]).into_iter().chain(plans).collect()), 0.5),
            (tabs(ids(drawer[1]).into_iter().chain(others).collect()), 0.5),
        ];
        let hero = match beside_hero {
            Some(other) if self != Self::Signal => split(&mut tiles, LinearDir::Horizontal, &[(hero, 0.5), (other, 0.5)]),
            _ => hero,
        };
        let drawer = split(&mut tiles, LinearDir::Horizontal, &drawer);
        let (left, right) = match (self, beside_hero) {
            // The wave and the spectrogram have the whole width above the spectrum, so that one time is above the other.
            (Self::Signal, Some(spectrogram)) => {
                let right = [(source_tile, WAVE), (spectrogram, SPECTROGRAM), (hero, 1.0 - height), (drawer, height)];
                (transform_tile, split(&mut tiles, LinearDir::Vertical, &right))
            }
            _ => {
                let left = split(&mut tiles, LinearDir::Vertical, &[(source_tile, source), (transform_tile, 1.0 - source)]);
                (left, split(&mut tiles, LinearDir::Vertical, &[(hero, 1.0 - height), (drawer, height)]))
            }
        };
        let root = split(&mut tiles, LinearDir::Horizontal, &[(left, 0.26), (right, 0.74)]);
        Tree::new(egui::Id::unique("panes"), root, tiles)
    }

    /// The panes as a layout shows them first: with a closed drawer, so that the hero has most of the window.
    pub(super) fn first_tree(self) -> Tree<PaneId> {
        let mut tree = self.tree();
        set_open(&mut tree, Part::Drawer, false);
        tree
    }
}

/// A part of the window that folds away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The column at the left.
    LeftColumn,
    /// The row below the hero.
    Drawer,
}

/// The tile of a part; `None` where the user has moved its panes away.
fn tile_of(tree: &Tree<PaneId>, part: Part) -> Option<TileId> {
    let linear = |id: TileId, wanted: LinearDir| match tree.tiles.get(id) {
        Some(Tile::Container(Container::Linear(linear))) if linear.dir == wanted => Some(linear.children.as_slice()),
        _ => None,
    };
    let &[left, right] = linear(tree.root?, LinearDir::Horizontal)? else { return None };
    match (part, linear(right, LinearDir::Vertical)) {
        (Part::LeftColumn, _) => Some(left),
        (Part::Drawer, Some([_, below] | [_, _, below] | [_, _, _, below])) => Some(*below),
        (Part::Drawer, _) => None,
    }
}

/// The panes of a part.
fn panes_of(tree: &Tree<PaneId>, part: Part) -> Vec<PaneId> {
    let mut left: Vec<TileId> = tile_of(tree, part).into_iter().collect();
    let mut panes = Vec::new();
    while let Some(id) = left.pop() {
        match tree.tiles.get(id) {
            Some(Tile::Pane(pane)) => panes.push(*pane),
            Some(Tile::Container(container)) => left.extend(container.children()),
            None => {}
        }
    }
    panes
}

/// Whether a pane is in a part.
pub(super) fn is_in(tree: &Tree<PaneId>, part: Part, pane: PaneId) -> bool {
    panes_of(tree, part).contains(&pane)
}

/// Whether the left column holds nothing but what presets put there; the user may have moved a view to it.
pub(super) fn left_holds_choices(tree: &Tree<PaneId>) -> bool {
    let choices = [&source::PANE, &transform::PANE].map(PaneId::of);
    panes_of(tree, Part::LeftColumn).iter().all(|pane| choices.contains(pane))
}

/// Whether a part is open; `None` where the layout lacks that part.
pub(super) fn is_open(tree: &Tree<PaneId>, part: Part) -> Option<bool> {
    tile_of(tree, part).map(|id| tree.tiles.is_visible(id))
}

/// Opens or closes a part that the layout has.
pub(super) fn set_open(tree: &mut Tree<PaneId>, part: Part, open: bool) {
    if let Some(id) = tile_of(tree, part) {
        tree.tiles.set_visible(id, open);
    }
}

/// Brings a pane to the front, and opens what holds it.
pub(super) fn reveal(tree: &mut Tree<PaneId>, wanted: PaneId) {
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == wanted));
    let of_pane = tree.tiles.iter().find(|(_, tile)| matches!(tile, Tile::Pane(pane) if *pane == wanted)).map(|(id, _)| *id);
    let above: Vec<_> = std::iter::successors(of_pane, |id| tree.tiles.parent_of(*id)).collect();
    for id in above {
        tree.tiles.set_visible(id, true);
    }
}

/// Shows the tabs of the panes that have something to show, and hides the others.
pub(super) fn show_where(tree: &mut Tree<PaneId>, has_content: impl Fn(PaneId) -> bool) {
    let panes: Vec<_> =
        tree.tiles.iter().filter_map(|(id, tile)| if let Tile::Pane(pane) = tile { Some((*id, *pane)) } else { None }).collect();
    for (id, pane) in panes {
        tree.tiles.set_visible(id, has_content(pane));
    }
}

fn split(tiles: &mut Tiles<PaneId>, dir: LinearDir, parts: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, parts.iter().map(|(id, _)| *id).collect());
    for (id, share) in parts {
        linear.shares.set_share(*id, *share);
    }
    tiles.insert_container(Container::Linear(linear))
}

/// The width of the left column in a window of `whole` points. It follows from the window alone, so that nothing moves it while one works.
fn left_width(preset: Preset, whole: f32) -> f32 {
    match preset {
        Preset::Learn => lesson::text_width(whole),
        _ => (SHARE_OF_LEFT * whole).max(USUAL_LEFT).min(LARGEST_LEFT * whole).clamp(LEAST_LEFT, MOST_LEFT),
    }
}

/// Whether a window of `whole` points is so narrow that the left column is folded. The text of a lesson stays, as it says what to do.
pub(super) fn is_narrow(preset: Preset, whole: f32) -> bool {
    preset != Preset::Learn && left_width(preset, whole) > MOST_OF_WINDOW * whole
}

/// Fits the panes that the user has not moved to a window of `whole` points, and two images of these widths over their heights to their room.
pub(super) fn fit_sizes(tree: &mut Tree<PaneId>, preset: Preset, whole: Vec2, is_folded: bool, aspects: [f32; 2]) {
    let left = left_width(preset, whole.x);
    set_left_width(tree, left, whole.x);
    if preset == Preset::Image {
        images::fit(tree, vec2(whole.x - if is_folded { 0.0 } else { left }, whole.y), aspects);
    }
}

/// Makes the left column `left` of `whole` points wide, so that the views get the rest of a large screen.
fn set_left_width(tree: &mut Tree<PaneId>, left: f32, whole: f32) {
    let Some(Tile::Container(Container::Linear(root))) = tree.root.and_then(|id| tree.tiles.get_mut(id)) else { return };
    let &[first, second] = root.children.as_slice() else { return };
    if root.dir == LinearDir::Horizontal && whole > left {
        let share = left / whole;
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
    fn the_left_column_takes_a_share_of_the_window() {
        let mut tree = Preset::Image.tree();
        for (whole, left) in [(1280.0, 320.0), (1600.0, 400.0), (2560.0, MOST_LEFT), (1000.0, LARGEST_LEFT * 1000.0), (640.0, LEAST_LEFT)] {
            assert_eq!(left_width(Preset::Image, whole), left, "in a window of {whole} points");
            set_left_width(&mut tree, left, whole);
            let Some(Tile::Container(Container::Linear(root))) = tree.root.and_then(|id| tree.tiles.get(id)) else {
                panic!("the root is a row")
            };
            assert_eq!(root.shares[root.children[0]], left / whole);
        }
        assert_eq!([640.0, 1280.0, 2560.0].map(|whole| left_width(Preset::Learn, whole)), [256.0, 400.0, MOST_LEFT]);
        assert_eq!([640.0, 853.0, 1280.0].map(|whole| is_narrow(Preset::Image, whole)), [true, false, false]);
        assert!(!is_narrow(Preset::Learn, 640.0));
    }

    #[test]
    fn parts_fold_where_they_are() {
        let mut tree = Preset::Signal.first_tree();
        assert_eq!([Part::LeftColumn, Part::Drawer].map(|part| is_open(&tree, part)), [Some(true), Some(false)]);
        set_open(&mut tree, Part::Drawer, true);
        set_open(&mut tree, Part::LeftColumn, false);
        assert_eq!([Part::LeftColumn, Part::Drawer].map(|part| is_open(&tree, part)), [Some(false), Some(true)]);
        let mut tiles = Tiles::default();
        let only = tiles.insert_pane(Preset::Signal.hero());
        assert_eq!(is_open(&Tree::new(egui::Id::unique("one"), only, tiles), Part::Drawer), None);
    }

    #[test]
    fn the_left_column_of_presets_holds_choices_only() {
        for preset in Preset::iter().filter(|preset| *preset != Preset::Learn) {
            let mut tree = preset.tree();
            assert!(left_holds_choices(&tree), "{preset:?}");
            assert!(is_in(&tree, Part::LeftColumn, PaneId::of(&transform::PANE)), "{preset:?}");
            let left = tile_of(&tree, Part::LeftColumn).expect("presets have a left column");
            let hero = tree.tiles.find_pane(&preset.hero()).expect("presets hold every pane");
            tree.move_tile_to_container(hero, left, 0, true);
            assert!(!left_holds_choices(&tree) && is_in(&tree, Part::LeftColumn, preset.hero()), "{preset:?}");
        }
    }

    #[test]
    fn every_preset_holds_every_pane() {
        for preset in Preset::iter() {
            assert!(is_whole(&preset.tree()), "{preset:?}");
        }
    }
}
