//! Which panes there are, and how they are laid out: a preset for every kind of work, each of which the user may rearrange.

use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};

/// The left column, where nobody has moved its edge, in points.
pub(super) const LEFT_WIDTH: f32 = 320.0;
/// It never takes more of the window.
const LARGEST_LEFT: f32 = 0.4;

/// A pane of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, strum::EnumIter)]
pub enum Pane {
    /// What is transformed.
    Source,
    /// How it is transformed.
    Transform,
    /// The plan that ran.
    FlowGraph,
    /// A row of the result as a plot.
    Spectrum,
    /// The result as a picture.
    SpectrumPicture,
    /// Where the time went.
    Timing,
    /// What is known of a Boolean function.
    Logic,
    /// Wavelet coefficients, and what is done with them.
    Wavelet,
    /// A tridiagonal system and its solution.
    System,
}

/// A layout for one kind of work.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
pub enum Preset {
    /// For pictures.
    #[default]
    Image,
    /// For lines of samples.
    Signal,
    /// For the structure of the algorithm.
    FlowGraph,
    /// For Boolean functions.
    Logic,
    /// For wavelet coefficients.
    Wavelet,
    /// For tridiagonal systems.
    System,
    /// For the time it takes.
    Benchmark,
}

impl Pane {
    /// The title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Source => "Source",
            Self::Transform => "Transform",
            Self::FlowGraph => "Flow graph",
            Self::Spectrum => "Spectrum",
            Self::SpectrumPicture => "Spectrum picture",
            Self::Timing => "Timing",
            Self::Logic => "Logic",
            Self::Wavelet => "Wavelet",
            Self::System => "System",
        }
    }

    /// What the pane shows and what the mouse does in it, a line each.
    pub const fn help(self) -> &'static [&'static str] {
        match self {
            Self::Source => &[
                "What is transformed: a file, a generator or a sample.",
                "Drop a file anywhere, paste, or open one.",
                "A convolution takes a second signal, chosen below the first; drop two files to convolve them.",
                "Wheel zooms at the cursor, drag pans, double-click fits.",
            ],
            Self::Transform => &[
                "Which transform, by which algorithm, on which device.",
                "Automatic takes the fastest and says which it took.",
                "Counts follow from the plan that ran.",
            ],
            Self::FlowGraph => &[
                "The plan that ran: lanes from left to right, a column a stage, boxes round launches and tiles.",
                "Solid edges add, dashed edges subtract, chips carry other coefficients.",
                "Hover a node for its formula and its cone, click to pin; wheel zooms, drag pans, right-drag boxes.",
            ],
            Self::Spectrum => &[
                "One row of the result.",
                "Wheel zooms at the cursor, drag pans, right-drag boxes, double-click resets.",
                "Above two values a pixel, the smallest and the largest of each pixel are drawn.",
            ],
            Self::SpectrumPicture => &[
                "The result as a picture; the complex data are kept, only the look changes.",
                "Wheel zooms at the cursor, drag pans, double-click fits.",
                "Where several values share a pixel the strongest is shown, so that no peak is lost.",
            ],
            Self::Timing => &[
                "Live: where the time of every run went; hover a bar, and its box lights up in the flow graph. Runs that warm up, or beside which the window was painted, are faint and do not count.",
                "Sweep: transforms, algorithms and devices over sizes, in rounds and shuffled, every result checked.",
                "Papers: their experiments on this machine, beside the numbers that they print.",
                "Records: what was measured before, to look at, compare, rename and delete. Click a name in the legend to hide its line.",
            ],
            Self::Logic => &[
                "What is known of a Boolean function, or of the S-box that it comes from.",
                "Every number says on hover what it means and why it has this value.",
                "Flip a value in the truth table of the source, and everything follows.",
            ],
            Self::Wavelet => &[
                "Pyramid: the coefficients of the wavelet transform that is set; hover one for its band and value.",
                "Threshold: what is left of the signal without the small coefficients, and what that costs.",
                "Packets: the tree of one row; click a block, then split it, merge it, or take the best basis.",
            ],
            Self::System => &[
                "A source of N rows of four numbers a, b, c, d is solved: a·x[i−1] + b·x[i] + c·x[i+1] = d.",
                "Move the stage: marked rows have just lost their neighbours, faint ones are solved.",
                "The residual and the condition number say how far the solution can be trusted.",
                "Algorithm, device and launches are set in Transform.",
            ],
        }
    }
}

impl Preset {
    /// The layout as it comes.
    pub fn tree(self) -> Tree<Pane> {
        let mut tiles = Tiles::default();
        let mut tabs = |panes: &[Pane]| {
            let panes = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
            tiles.insert_tab_tile(panes)
        };
        let (source, transform) = (tabs(&[Pane::Source]), tabs(&[Pane::Transform]));
        // What is in front of its own row, and what shares the row below it.
        let (above, share, below) = match self {
            Self::Image => (
                vec![(tabs(&[Pane::SpectrumPicture]), 0.54), (tabs(&[Pane::FlowGraph]), 0.46)],
                0.6,
                [tabs(&[Pane::Spectrum]), tabs(&[Pane::Timing, Pane::Logic, Pane::Wavelet, Pane::System])],
            ),
            Self::Signal => (
                vec![(tabs(&[Pane::Spectrum]), 1.0)],
                0.5,
                [tabs(&[Pane::FlowGraph]), tabs(&[Pane::Timing, Pane::SpectrumPicture, Pane::Logic, Pane::Wavelet, Pane::System])],
            ),
            Self::FlowGraph => (
                vec![(tabs(&[Pane::FlowGraph]), 1.0)],
                0.62,
                [tabs(&[Pane::SpectrumPicture, Pane::Spectrum]), tabs(&[Pane::Timing, Pane::Logic, Pane::Wavelet, Pane::System])],
            ),
            Self::Logic => (
                vec![(tabs(&[Pane::Logic]), 0.55), (tabs(&[Pane::FlowGraph]), 0.45)],
                0.62,
                [tabs(&[Pane::Spectrum, Pane::SpectrumPicture]), tabs(&[Pane::Timing, Pane::Wavelet, Pane::System])],
            ),
            Self::Wavelet => (
                vec![(tabs(&[Pane::Wavelet]), 1.0)],
                0.64,
                [tabs(&[Pane::FlowGraph]), tabs(&[Pane::Timing, Pane::Spectrum, Pane::SpectrumPicture, Pane::Logic, Pane::System])],
            ),
            Self::System => (
                vec![(tabs(&[Pane::System]), 1.0)],
                0.54,
                [tabs(&[Pane::FlowGraph]), tabs(&[Pane::Timing, Pane::Spectrum, Pane::SpectrumPicture, Pane::Logic, Pane::Wavelet])],
            ),
            Self::Benchmark => (
                vec![(tabs(&[Pane::Timing]), 1.0)],
                0.66,
                [tabs(&[Pane::FlowGraph]), tabs(&[Pane::SpectrumPicture, Pane::Spectrum, Pane::Logic, Pane::Wavelet, Pane::System])],
            ),
        };
        // A truth table stands below the text of its function.
        let upper = if self == Self::Logic { 0.6 } else { 0.52 };
        let left = split(&mut tiles, LinearDir::Vertical, &[(source, upper), (transform, 1.0 - upper)]);
        let above = split(&mut tiles, LinearDir::Horizontal, &above);
        let below = split(&mut tiles, LinearDir::Horizontal, &below.map(|id| (id, 0.5)));
        let right = split(&mut tiles, LinearDir::Vertical, &[(above, share), (below, 1.0 - share)]);
        let root = split(&mut tiles, LinearDir::Horizontal, &[(left, 0.26), (right, 0.74)]);
        Tree::new(egui::Id::unique("panes"), root, tiles)
    }
}

fn split(tiles: &mut Tiles<Pane>, dir: LinearDir, parts: &[(TileId, f32)]) -> TileId {
    let mut linear = Linear::new(dir, parts.iter().map(|(id, _)| *id).collect());
    for (id, share) in parts {
        linear.shares.set_share(*id, *share);
    }
    tiles.insert_container(Container::Linear(linear))
}

/// Gives the left column of a layout `left` of `whole` points, so that a large screen gives what it has to the views.
pub(super) fn set_left_width(tree: &mut Tree<Pane>, left: f32, whole: f32) {
    let Some(Tile::Container(Container::Linear(root))) = tree.root.and_then(|id| tree.tiles.get_mut(id)) else { return };
    let &[first, second] = root.children.as_slice() else { return };
    if root.dir == LinearDir::Horizontal && whole > left {
        let share = (left / whole).min(LARGEST_LEFT);
        root.shares.set_share(first, share);
        root.shares.set_share(second, 1.0 - share);
    }
}

/// Whether a remembered layout still holds every pane once; otherwise it is of another version and the preset is taken.
pub(super) fn is_whole(tree: &Tree<Pane>) -> bool {
    use strum::IntoEnumIterator as _;
    let held = |wanted: Pane| tree.tiles.tiles().filter(|tile| matches!(tile, Tile::Pane(pane) if *pane == wanted)).count();
    tree.root.is_some() && Pane::iter().all(|pane| held(pane) == 1)
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
