//! The edges between panes, which the pointer moves. They have names, but are not stops of Tab.

use super::Dock;
use crate::ui::pane_id::PaneId;
use egui::{CursorIcon, Id, Pos2, Rect, Role, Sense, Ui, WidgetInfo, vec2};
use egui_tiles::{Behavior as _, Container, Linear, LinearDir, ResizeState, Tile, TileId, Tiles, Tree};

/// No pane gets smaller than this by its edge, in points.
const LEAST: f32 = 32.0;

/// An edge between two tiles of a row or a column.
struct Edge {
    container: TileId,
    dir: LinearDir,
    tiles: [TileId; 2],
    rects: [Rect; 2],
}

impl Dock<'_> {
    /// Draws the edges over the panes, and moves the one that is dragged; a double-click puts it into the middle.
    pub(super) fn splitters_ui(&mut self, ui: &Ui, tree: &mut Tree<PaneId>) {
        for edge in edges(tree) {
            let [before, after] = edge.tiles.map(|tile| title(&tree.tiles, tile));
            let response = ui.interact(edge.line(ui), edge.id(), Sense::CLICK | Sense::DRAG);
            response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, format!("Edge between {before} and {after}")));
            let dragged = response.dragged().then(|| response.interact_pointer_pos()).flatten();
            let state = match (response.dragged(), response.hovered()) {
                (true, _) => ResizeState::Dragging,
                (_, true) => ResizeState::Hovering,
                _ => ResizeState::Idle,
            };
            if state != ResizeState::Idle {
                ui.set_cursor_icon(if edge.is_upright() { CursorIcon::ResizeHorizontal } else { CursorIcon::ResizeVertical });
                edge.paint(ui, self.resize_stroke(ui.style(), state));
            }
            let share = if response.double_clicked() { Some(0.5) } else { dragged.map(|at| edge.share_at(at)) };
            if let Some(share) = share
                && let Some(Tile::Container(Container::Linear(row))) = tree.tiles.get_mut(edge.container)
            {
                edge.divide(row, share);
                self.edited = true;
            }
        }
    }
}

impl Edge {
    fn is_upright(&self) -> bool {
        self.dir == LinearDir::Horizontal
    }

    /// It stays the same edge while one of its tiles is dragged, so that the pointer keeps it.
    fn id(&self) -> Id {
        Id::unique(("edge between panes", self.container, self.tiles))
    }

    /// Where the pointer takes hold of it.
    fn line(&self, ui: &Ui) -> Rect {
        let [before, after] = self.rects;
        let reach = ui.style().interaction.resize_grab_radius_side;
        if self.is_upright() {
            Rect::from_min_max(before.right_top(), after.left_bottom()).expand2(vec2(reach, 0.0))
        } else {
            Rect::from_min_max(before.left_bottom(), after.right_top()).expand2(vec2(0.0, reach))
        }
    }

    fn paint(&self, ui: &Ui, stroke: egui::Stroke) {
        let line = self.line(ui);
        if self.is_upright() {
            ui.painter().vline(line.center().x, line.y_range(), stroke);
        } else {
            ui.painter().hline(line.x_range(), line.center().y, stroke);
        }
    }

    /// The share of both tiles that the first one takes where the edge is at `at`.
    fn share_at(&self, at: Pos2) -> f32 {
        let [before, after] = self.rects;
        let (from, to, at) = if self.is_upright() { (before.left(), after.right(), at.x) } else { (before.top(), after.bottom(), at.y) };
        let whole = (to - from).max(2.0 * LEAST);
        (at - from).clamp(LEAST, whole - LEAST) / whole
    }

    /// Gives the first tile this share of the room of both.
    fn divide(&self, row: &mut Linear, share: f32) {
        let [before, after] = self.tiles;
        let both = row.shares[before] + row.shares[after];
        row.shares.set_share(before, share * both);
        row.shares.set_share(after, (1.0 - share) * both);
    }
}

/// The edges between the tiles that are shown.
fn edges(tree: &Tree<PaneId>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for container in tree.active_tiles() {
        let Some(Tile::Container(Container::Linear(row))) = tree.tiles.get(container) else { continue };
        let shown = row.children.iter().filter(|id| tree.is_visible_in_layout(**id));
        let placed: Vec<(TileId, Rect)> = shown.filter_map(|id| Some((*id, tree.tiles.rect(*id)?))).collect();
        edges.extend(placed.windows(2).map(|pair| Edge {
            container,
            dir: row.dir,
            tiles: [pair[0].0, pair[1].0],
            rects: [pair[0].1, pair[1].1],
        }));
    }
    edges
}

/// The title of the pane that is seen first in a tile.
fn title(tiles: &Tiles<PaneId>, tile: TileId) -> &'static str {
    match tiles.get(tile) {
        Some(Tile::Pane(pane)) => pane.info().title,
        Some(Tile::Container(Container::Tabs(tabs))) => tabs.active.map_or("", |active| title(tiles, active)),
        Some(Tile::Container(Container::Linear(row))) => row.children.first().map_or("", |first| title(tiles, *first)),
        Some(Tile::Container(Container::Grid(_))) | None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::preset::Preset;

    #[test]
    fn an_edge_moves_the_two_tiles_beside_it_and_keeps_their_sum() {
        let mut tree = Preset::Signal.tree();
        let root = tree.root.expect("it has one");
        let Some(Tile::Container(Container::Linear(row))) = tree.tiles.get_mut(root) else { panic!("the root is a row") };
        let tiles = [row.children[0], row.children[1]];
        let rects =
            [Rect::from_min_max(Pos2::ZERO, Pos2::new(96.0, 50.0)), Rect::from_min_max(Pos2::new(100.0, 0.0), Pos2::new(400.0, 50.0))];
        let edge = Edge { container: root, dir: LinearDir::Horizontal, tiles, rects };
        let before = row.shares[tiles[0]] + row.shares[tiles[1]];
        edge.divide(row, edge.share_at(Pos2::new(200.0, 0.0)));
        assert_eq!(row.shares[tiles[0]], 0.5 * before);
        assert!((row.shares[tiles[0]] + row.shares[tiles[1]] - before).abs() < 1e-6);
        assert_eq!(edge.share_at(Pos2::new(-10.0, 0.0)), LEAST / 400.0, "a pane keeps a little room");
    }
}
