//! How the spectrum image and the filtered image share their room: as the shapes of both need it.

use super::{Part, tile_of};
use crate::ui::pane_id::PaneId;
use crate::ui::spectrum_image;
use crate::ui::theme::STRIP;
use egui::{Vec2, vec2};
use egui_tiles::{Container, LinearDir, Tile, Tree};

/// The room of a pane besides its image, in points: the spectrum image has axes and a colour bar, too.
const BESIDE: [Vec2; 2] = [
    vec2(spectrum_image::MARGINS + 16.0, spectrum_image::ABOVE + spectrum_image::BELOW + BARS),
    vec2(16.0, spectrum_image::ABOVE + spectrum_image::BELOW + BARS),
];
/// The titles and the toolbar of a pane.
const BARS: f32 = STRIP + 48.0;
/// No image is smaller than this share of the other one, nor its pane narrower than the tools of either pane or lower than this, in points.
const LEAST_SHARE: f32 = 0.34;
const WIDTH_OF_TOOLS: [f32; 2] = [440.0, 404.0];
const LEAST_HEIGHT: f32 = 400.0;
/// The shares that are tried.
const N_SHARES: u16 = 96;

/// The direction in which both images follow, and the share of the first, so that they cover most of `room`. `aspects` are their widths over their heights.
///
/// Images of one shape in a wide room are a large one and a small one beside it; long ones are above each other.
fn arranged(room: Vec2, aspects: [f32; 2]) -> (LinearDir, f32) {
    let mut best = (0.0, (LinearDir::Horizontal, 0.5));
    // Where the tools of both do not fit, the images go first.
    let has_tools = room.x >= WIDTH_OF_TOOLS.iter().sum();
    let least_widths = if has_tools { WIDTH_OF_TOOLS } else { [LEAST_SHARE * room.x; 2] };
    for dir in [LinearDir::Horizontal, LinearDir::Vertical] {
        for share in (1..N_SHARES).map(|step| f32::from(step) / f32::from(N_SHARES)) {
            let part = |share: f32| match dir {
                LinearDir::Horizontal => vec2(share * room.x, room.y),
                LinearDir::Vertical => vec2(room.x, share * room.y),
            };
            let parts = [part(share), part(1.0 - share)];
            let size = |index: usize| {
                let room = (parts[index] - BESIDE[index]).max(Vec2::ZERO);
                let width = room.x.min(room.y * aspects[index]);
                vec2(width, width / aspects[index])
            };
            let areas = [size(0), size(1)].map(|size| size.x * size.y);
            // The spectrum is not the smaller one, as shapes are drawn over it. Above the other one, its axes may take some of its width.
            let least = if dir == LinearDir::Horizontal { 1.0 } else { 0.8 };
            let is_balanced = areas[1] >= LEAST_SHARE.powi(2) * areas[0] && size(0).min_elem() >= least * size(1).min_elem();
            let has_room = parts.iter().zip(least_widths).all(|(part, least)| part.x >= least && part.y >= LEAST_HEIGHT);
            if is_balanced && has_room && areas[0] + areas[1] > 1.001 * best.0 {
                best = (areas[0] + areas[1], (dir, share));
            }
        }
    }
    best.1
}

/// Divides `room` between both images, whose widths over their heights are `aspects`.
pub(super) fn fit(tree: &mut Tree<PaneId>, room: Vec2, aspects: [f32; 2]) {
    let hero = PaneId::of(&spectrum_image::PANE);
    let pane = tree.tiles.iter().find(|(_, tile)| matches!(tile, Tile::Pane(pane) if *pane == hero)).map(|(id, _)| *id);
    let images = pane.and_then(|pane| tree.tiles.parent_of(pane)).and_then(|tabs| tree.tiles.parent_of(tabs));
    // The drawer is below the images, and takes its share only while it is open.
    let drawer = tile_of(tree, Part::Drawer).filter(|drawer| tree.tiles.is_visible(*drawer));
    let column = images.and_then(|images| tree.tiles.parent_of(images));
    let share_of_images = match (column.and_then(|column| tree.tiles.get(column)), drawer, images) {
        (Some(Tile::Container(Container::Linear(column))), Some(drawer), Some(images)) => {
            column.shares[images] / (column.shares[images] + column.shares[drawer])
        }
        _ => 1.0,
    };
    let Some(Tile::Container(Container::Linear(row))) = images.and_then(|images| tree.tiles.get_mut(images)) else { return };
    if let &[first, second] = row.children.as_slice() {
        let (dir, share) = arranged(vec2(room.x, share_of_images * room.y), aspects);
        row.dir = dir;
        row.shares.set_share(first, share);
        row.shares.set_share(second, 1.0 - share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of the height of its pane that the spectrum takes.
    fn height_of_first(room: Vec2, aspects: [f32; 2]) -> f32 {
        let (dir, share) = arranged(room, aspects);
        let pane = if dir == LinearDir::Horizontal { vec2(share * room.x, room.y) } else { vec2(room.x, share * room.y) };
        let inner = pane - BESIDE[0];
        inner.x.min(inner.y * aspects[0]) / aspects[0] / pane.y
    }

    #[test]
    fn a_square_image_has_most_of_the_height_of_its_pane() {
        for (room, least) in [([768.0, 690.0], 0.42), ([960.0, 710.0], 0.56), ([1200.0, 870.0], 0.6), ([2140.0, 1350.0], 0.8)] {
            let room = Vec2::from(room);
            for aspect in [1.0, 0.75, 1.5] {
                let height = height_of_first(room, [1.0, aspect]);
                assert!(height > least, "{height} of {room:?} beside {aspect}");
            }
        }
        assert!(height_of_first(vec2(1200.0, 870.0), [1.0; 2]) > 0.7);
    }

    #[test]
    fn long_images_stand_above_each_other() {
        assert_eq!(arranged(vec2(1200.0, 870.0), [4.0, 4.0]).0, LinearDir::Vertical);
        assert_eq!(arranged(vec2(1200.0, 870.0), [0.25, 0.25]).0, LinearDir::Horizontal);
        assert_eq!(arranged(Vec2::ZERO, [1.0; 2]), (LinearDir::Horizontal, 0.5), "no room is divided evenly");
    }

    #[test]
    fn the_images_of_the_preset_are_divided() {
        let mut tree = crate::ui::preset::Preset::Image.first_tree();
        let room = vec2(1200.0, 870.0);
        fit(&mut tree, room, [1.0; 2]);
        let (_, share) = arranged(room, [1.0; 2]);
        let rows = tree.tiles.tiles().filter_map(|tile| if let Tile::Container(Container::Linear(row)) = tile { Some(row) } else { None });
        assert_eq!(rows.filter(|row| row.children.iter().any(|id| row.shares[*id] == share)).count(), 1);
    }
}
