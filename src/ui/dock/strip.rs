//! The strip of tabs above panes that share a place: the tabs that fit, and a list of the others.

use super::{Dock, command_button, name};
use crate::ui::action::Action;
use crate::ui::command::Command;
use crate::ui::pane_id::PaneId;
use crate::ui::theme::GRID;
use crate::ui::widgets::text_width;
use egui::containers::menu::MenuButton;
use egui::{Align, Button, Id, Layout, Rect, Response, Role, Sense, TextStyle, TextWrapMode, Ui, UiBuilder, Vec2, WidgetInfo, vec2};
use egui_tiles::{Behavior as _, TabState, Tabs, TileId, Tiles};

/// The list of the tabs that do not fit has this width with its text, in points.
const MORE_WIDTH: f32 = 60.0;

/// The width and the height of a button of a pane, in points.
const BUTTON: f32 = 6.0 * GRID;

/// The width of both buttons of a pane, in points.
pub(super) const BUTTONS: f32 = 2.0 * BUTTON + GRID;

/// The commands in the menu of every pane.
const MENU: [Command; 5] = [Command::ExportView, Command::ExportValues, Command::CopyView, Command::Fit, Command::ActualPixels];

impl Dock<'_> {
    /// Keeps room at the right of a strip for its buttons, and finds the tabs that do not fit into the rest.
    pub(super) fn corner_ui(&mut self, ui: &mut Ui, tiles: &Tiles<PaneId>, tabs: &Tabs) -> Rect {
        let panes: Vec<(TileId, PaneId)> =
            tabs.children.iter().filter(|id| tiles.is_visible(**id)).filter_map(|id| Some((*id, *tiles.get_pane(id)?))).collect();
        let spacing = 2.0 * self.tab_title_spacing(ui.visuals());
        let widths: Vec<f32> = panes.iter().map(|(_, pane)| text_width(ui, pane.info().title) + spacing).collect();
        let active = panes.iter().position(|(id, _)| tabs.is_active(*id)).unwrap_or(0);
        let shown = fitting(&widths, active, ui.available_width() - BUTTONS - GRID);
        self.hidden_tabs = (0..panes.len()).filter(|index| !shown.contains(index)).map(|index| panes[index]).collect();
        let list = if self.hidden_tabs.is_empty() { 0.0 } else { MORE_WIDTH };
        let (bar, taken) = (ui.available_rect_before_wrap(), shown.iter().map(|index| widths[*index]).sum::<f32>());
        let free = Rect::from_x_y_ranges(bar.left() + taken..=bar.right() - BUTTONS - list, bar.y_range());
        if let Some((_, pane)) = panes.get(active) {
            ui.data_mut(|data| data.insert_temp(pane.free_strip(), free));
        }
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.allocate_space(vec2(BUTTONS + list, ui.available_height())).1
    }

    /// Shows the list of the tabs that do not fit, the help and the menu of the pane in front.
    pub(super) fn strip_buttons_ui(&mut self, ui: &mut Ui, corner: Rect, pane: PaneId) {
        let mut ui = ui.new_child(UiBuilder::new().max_rect(corner).layout(Layout::left_to_right(Align::Center)).id_salt("corner"));
        // The strip is above the pane that draws it.
        ui.set_clip_rect(corner);
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.visuals_mut().button_frame = false;
        self.overflow_ui(&mut ui);
        let button = |sign| Button::new(sign).min_size(Vec2::splat(BUTTON));
        let help = MenuButton::from_button(button("?")).ui(&mut ui, |ui| {
            ui.set_max_width(320.0);
            ui.strong(pane.info().title);
            for line in pane.info().help {
                ui.label(*line);
            }
        });
        name(&help.0, format!("Help for {}", pane.info().title));
        let menu = MenuButton::from_button(button("…")).ui(&mut ui, |ui| {
            for command in MENU {
                if command_button(ui, command) {
                    self.scene.out.actions.push(Action::RunIn(pane, command));
                }
            }
        });
        name(&menu.0, format!("Menu of {}", pane.info().title));
    }

    /// Lists the tabs that do not fit under a button.
    fn overflow_ui(&mut self, ui: &mut Ui) {
        if self.hidden_tabs.is_empty() {
            return;
        }
        let button = Button::new(format!("{} more", self.hidden_tabs.len())).min_size(vec2(MORE_WIDTH, BUTTON));
        let (more, _) = MenuButton::from_button(button).ui(ui, |ui| {
            for (_, pane) in &self.hidden_tabs {
                if ui.add(Button::new(pane.info().title)).on_hover_text(pane.info().help[0]).clicked() {
                    self.scene.out.actions.push(Action::Reveal(*pane));
                    ui.close();
                }
            }
        });
        let titles: Vec<&str> = self.hidden_tabs.iter().map(|(_, pane)| pane.info().title).collect();
        name(&more, format!("More panes: {}", titles.join(", ")));
    }

    /// Shows the tab of a pane, unless it is in the list.
    pub(super) fn strip_tab_ui(&mut self, tiles: &mut Tiles<PaneId>, ui: &mut Ui, id: Id, tile: TileId, state: &TabState) -> Response {
        if self.hidden_tabs.iter().any(|(hidden, _)| *hidden == tile) {
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
