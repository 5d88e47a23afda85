//! The strip of tabs above panes that share a place: the tabs that fit, and a list of the others.

use super::{Dock, name};
use crate::ui::panes::PaneId;
use crate::ui::scene::Action;
use crate::ui::theme::GRID;
use crate::ui::widgets::text_width;
use egui::{Button, Id, Rect, Response, Role, Sense, TextStyle, TextWrapMode, Ui, Vec2, WidgetInfo, vec2};
use egui_tiles::{Behavior as _, TabState, Tabs, TileId, Tiles};

/// The list of the tabs that do not fit has this width with its text, in points.
const MORE_WIDTH: f32 = 60.0;

impl Dock<'_> {
    /// Finds the tabs that do not fit into what is left of the strip, and lists them under a button.
    pub(super) fn overflow_ui(&mut self, ui: &mut Ui, tiles: &Tiles<PaneId>, tabs: &Tabs) {
        let panes: Vec<(TileId, PaneId)> =
            tabs.children.iter().filter(|id| tiles.is_visible(**id)).filter_map(|id| Some((*id, *tiles.get_pane(id)?))).collect();
        let spacing = 2.0 * self.tab_title_spacing(ui.visuals());
        let widths: Vec<f32> = panes.iter().map(|(_, pane)| text_width(ui, pane.info().title) + spacing).collect();
        let active = panes.iter().position(|(id, _)| tabs.is_active(*id)).unwrap_or(0);
        let shown = fitting(&widths, active, ui.available_width() - GRID);
        let hidden: Vec<_> = (0..panes.len()).filter(|index| !shown.contains(index)).map(|index| panes[index]).collect();
        self.hidden_tabs = hidden.iter().map(|(id, _)| *id).collect();
        if hidden.is_empty() {
            return;
        }
        let more = ui.menu_button(format!("{} more", hidden.len()), |ui| {
            for (_, pane) in &hidden {
                if ui.add(Button::new(pane.info().title)).on_hover_text(pane.info().help[0]).clicked() {
                    self.scene.actions.push(Action::Reveal(*pane));
                    ui.close();
                }
            }
        });
        let titles: Vec<&str> = hidden.iter().map(|(_, pane)| pane.info().title).collect();
        name(&more.response, format!("More panes: {}", titles.join(", ")));
    }

    /// Shows the tab of a pane, unless it stands in the list.
    pub(super) fn strip_tab_ui(&mut self, tiles: &mut Tiles<PaneId>, ui: &mut Ui, id: Id, tile: TileId, state: &TabState) -> Response {
        if self.hidden_tabs.contains(&tile) {
            return ui.interact(Rect::from_min_size(ui.cursor().min, Vec2::ZERO), id, Sense::hover());
        }
        let title = self.tab_title_for_tile(tiles, tile);
        let galley = title.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Button.resolve(ui.style()));
        let spacing = self.tab_title_spacing(ui.visuals());
        let (_, rect) = ui.allocate_space(vec2(galley.size().x + 2.0 * spacing, ui.available_height()));
        let response = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(self.tab_hover_cursor_icon());
        response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), state.active, galley.text()));
        if !state.is_being_dragged {
            ui.painter().rect_filled(rect.shrink(0.5), 0.0, self.tab_bg_color(ui.visuals(), tiles, tile, state));
            let color = self.tab_text_color(ui.visuals(), tiles, tile, state);
            ui.painter().galley(rect.left_center() + vec2(spacing, -0.5 * galley.size().y), galley, color);
        }
        self.on_tab_button(tiles, tile, response)
    }
}

/// The indices of the tabs that fit into `room` points: the first ones, and always the active one.
fn fitting(widths: &[f32], active: usize, room: f32) -> Vec<usize> {
    if widths.iter().sum::<f32>() <= room {
        return (0..widths.len()).collect();
    }
    let mut left = room - MORE_WIDTH - widths.get(active).copied().unwrap_or(0.0);
    let fits = |index: &usize| {
        if *index == active {
            return true;
        }
        left -= widths[*index];
        left >= 0.0
    };
    (0..widths.len()).filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tabs_and_the_active_one_fit() {
        let widths = [50.0, 60.0, 70.0, 40.0];
        assert_eq!(fitting(&widths, 0, 220.0), [0, 1, 2, 3]);
        assert_eq!(fitting(&widths, 0, 219.0), [0, 1]);
        assert_eq!(fitting(&widths, 3, 219.0), [0, 1, 3]);
        assert_eq!(fitting(&widths, 2, 219.0), [0, 2], "the active one takes the room of another");
        assert_eq!(fitting(&widths, 2, 10.0), [2]);
        assert_eq!(fitting(&[], 0, 10.0), [0; 0]);
    }
}
