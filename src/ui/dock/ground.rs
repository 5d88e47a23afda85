//! Paints the ground around panes, and nothing where panes are: the window begins in their colour. A software driver takes 40 ms to paint a layer of the first
//! window.

use super::Dock;
use crate::ui::pane_id::PaneId;
use crate::ui::theme::Tokens;
use egui::{Color32, Rect, Shape, Ui};
use egui_tiles::Tree;

impl Dock<'_> {
    /// Shows the panes, and the ground around them.
    pub(in crate::ui) fn on_ground_ui(&mut self, ui: &mut Ui, tree: &mut Tree<PaneId>) {
        let (area, below) = (ui.max_rect(), ui.painter().add(Shape::Noop));
        self.ui(ui, tree);
        ui.painter().set(below, around(area, self.rects.values(), Tokens::current(ui).ground));
    }
}

/// An area but for the panes in it, in one colour.
fn around<'a>(area: Rect, panes: impl Iterator<Item = &'a Rect>, colour: Color32) -> Shape {
    let parts = panes.fold(vec![area], |parts, pane| parts.into_iter().flat_map(|part| without(part, *pane)).collect());
    Shape::Vec(parts.into_iter().map(|part| Shape::rect_filled(part, 0.0, colour)).collect())
}

/// The parts of an area above, below, left and right of a hole.
fn without(area: Rect, hole: Rect) -> Vec<Rect> {
    let hole = hole.intersect(area);
    if !hole.is_positive() {
        return vec![area];
    }
    let parts = [
        area.with_max_y(hole.top()),
        area.with_min_y(hole.bottom()),
        Rect::from_x_y_ranges(area.left()..=hole.left(), hole.y_range()),
        Rect::from_x_y_ranges(hole.right()..=area.right(), hole.y_range()),
    ];
    parts.into_iter().filter(Rect::is_positive).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    #[test]
    fn the_ground_is_painted_once_and_only_where_no_pane_is() {
        let area = Rect::from_min_size(pos2(10.0, 20.0), vec2(100.0, 60.0));
        let tile = |x: f32, y: f32, width: f32, height: f32| Rect::from_min_size(pos2(x, y), vec2(width, height));
        let cases = [
            vec![],
            vec![tile(10.0, 20.0, 100.0, 60.0)],
            vec![tile(15.0, 25.0, 30.0, 20.0), tile(50.0, 25.0, 55.0, 50.0), tile(0.0, 60.0, 40.0, 100.0)],
            vec![tile(200.0, 0.0, 5.0, 5.0)],
        ];
        for panes in cases {
            let Shape::Vec(shapes) = around(area, panes.iter(), Color32::RED) else { panic!("it is a list") };
            let parts: Vec<Rect> = shapes.iter().map(Shape::visual_bounding_rect).collect();
            for x in 0..130 {
                for y in 0..100 {
                    let at = pos2(x as f32 + 0.5, y as f32 + 0.5);
                    let is_ground = area.contains(at) && panes.iter().all(|pane| !pane.contains(at));
                    let n = parts.iter().filter(|part| part.contains(at)).count();
                    assert_eq!(n, usize::from(is_ground), "{at:?} with {panes:?}");
                }
            }
        }
    }
}
