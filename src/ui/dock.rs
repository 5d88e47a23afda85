//! How the docked panes look and behave: titles, help cards, menus.

mod ground;
mod splitters;
mod strip;

use super::action::Action;
use super::chips::{self, Chip, chip_ui};
use super::command::Command;
use super::export::{Export, painted};
use super::focus;
use super::pane::PaneData;
use super::pane_id::PaneId;
use super::panes::Panes;
use super::scene::Scene;
use super::settings::Settings;
use super::theme::{GRID, STRIP, Tokens};
use super::widgets;
use crate::figure::FigureFormat;
use crate::lesson::Topic;
use crate::signal::short_name;
use egui::{Color32, Frame, Id, Margin, Rect, Role, Stroke, Ui, Visuals, WidgetInfo, WidgetText};
use egui_tiles::{Behavior, EditAction, SimplificationOptions, TabState, Tabs, TileId, Tiles, Tree, UiResponse};
use std::collections::HashMap;

/// The panes, and what they need during one frame.
pub(super) struct Dock<'a> {
    /// The data for the panes.
    pub scene: Scene<'a>,
    /// The panes.
    pub panes: &'a mut Panes,
    /// Where each pane was last seen.
    pub rects: &'a mut HashMap<PaneId, Rect>,
    /// The pane whose figure is to be exported.
    pub exported: &'a mut Option<PaneId>,
    /// Whether the user has moved something.
    pub edited: bool,
    /// The pane that fills the window.
    pub maximised: Option<PaneId>,
    /// The width of the window, in points.
    pub width: f32,
    /// The tabs that do not fit into the strip that is drawn; a list has them.
    pub hidden_tabs: Vec<(TileId, PaneId)>,
    /// Where the buttons of the strip that is drawn are.
    pub corner: Option<Rect>,
}

/// From this width of the window on, the titles of tabs are well apart, in points.
const ROOMY: f32 = 1200.0;

/// The greatest width of the note over a result of other settings, in points.
const MOST_OF_NOTE: f32 = 320.0;

impl Dock<'_> {
    /// Shows the panes, or the one that fills the window.
    pub(super) fn ui(&mut self, ui: &mut Ui, tree: &mut Tree<PaneId>) {
        match self.maximised {
            Some(pane) => self.whole_ui(ui, pane),
            None => {
                tree.ui(self, ui);
                self.splitters_ui(ui, tree);
            }
        }
    }

    /// Shows one pane in the whole window.
    fn whole_ui(&mut self, ui: &mut Ui, mut pane: PaneId) {
        focus::begin_strip(ui, pane);
        let (strip, _) = ui.allocate_exact_size(egui::vec2(ui.available_width(), STRIP), egui::Sense::hover());
        let inner = egui::UiBuilder::new().max_rect(strip.shrink2(egui::vec2(2.0 * GRID, 0.0)));
        let row = &mut ui.new_child(inner.layout(egui::Layout::left_to_right(egui::Align::Center)));
        row.strong(pane.info().title);
        if row.button("All panes").on_hover_text("Shows the other panes again (Esc)").clicked() {
            self.maximised = None;
        }
        self.strip_buttons_ui(ui, strip.with_min_x(strip.right() - strip::BUTTONS), pane);
        self.content_ui(ui, &mut pane);
    }

    fn content_ui(&mut self, ui: &mut Ui, pane: &mut PaneId) {
        focus::begin(ui, *pane);
        let rect = ui.available_rect_before_wrap();
        self.rects.insert(*pane, rect);
        // Without a fill, as the window begins in the colour of panes.
        Frame::new().inner_margin(Margin::same(GRID as i8 * 2)).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            painted::forget(ui);
            self.scene.out.measures = false;
            self.scene.out.exports = self.exported.take_if(|asked| asked == pane).is_some();
            self.chips_ui(ui, *pane);
            if pane.info().tells_values && self.scene.learn.hides(Topic::Values) {
                widgets::hidden(ui, "The values");
            } else {
                self.drawn_ui(ui, *pane);
            }
            if std::mem::take(&mut self.scene.out.exports) {
                self.export(ui, *pane, rect);
            }
        });
        focus::finish(ui, *pane);
        let data = if self.scene.out.measures { PaneData::Samples } else { pane.info().data };
        if let Some(veil) = self.scene.veil.as_ref().filter(|veil| veil.covers(data)) {
            veil.ui(ui, rect);
        }
        widgets::noted_progress_line(ui, rect);
        if self.scene.results.stale && self.scene.results.failed.is_none() && pane.info().shows_result {
            widgets::progress_line(ui, rect);
        }
        if self.scene.results.failed.is_some() && pane.info().shows_result {
            self.origin_of_old_result_ui(ui, rect);
        }
    }

    /// A chip for each thing from an earlier source or run that acts in a pane. The status bar alone offers those that wait.
    fn chips_ui(&mut self, ui: &mut Ui, pane: PaneId) {
        let Settings { earlier, preparation, filter, .. } = &*self.scene.settings;
        let chips = chips::of_settings(earlier, preparation, filter).into_iter().chain(self.panes.held_chips());
        let chips: Vec<Chip> = chips.filter(|chip| !chip.is_offered && chip.is_on(pane)).collect();
        if chips.is_empty() {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            let pressed = chips.into_iter().filter_map(|chip| chip_ui(ui, &chip).map(|press| Action::PressChip(chip, press)));
            self.scene.out.actions.extend(pressed);
        });
    }

    /// Draws a pane. Where the settings give no result, what is still shown keeps the axes and the look of its own transform.
    fn drawn_ui(&mut self, ui: &mut Ui, pane: PaneId) {
        let before = self.scene.results.run().filter(|_| self.scene.results.failed.is_some() && pane.info().shows_result);
        let Some((job, _)) = before else { return self.panes.of(pane).ui(ui, &mut self.scene) };
        let settings = &mut *self.scene.settings;
        let transform = std::mem::replace(&mut settings.transform, job.transform.into());
        let parameters = std::mem::replace(&mut settings.parameters, job.parameters);
        self.panes.of(pane).ui(ui, &mut self.scene);
        (self.scene.settings.transform, self.scene.settings.parameters) = (transform, parameters);
    }

    /// Says which settings gave the result that is still shown, as those that are set give none.
    fn origin_of_old_result_ui(&self, ui: &mut Ui, pane: Rect) {
        let Some((job, outcome)) = self.scene.results.run() else { return };
        let size = job.signal.kind.size(outcome.shape.rows, outcome.shape.columns);
        let transform = crate::transforms::transform(job.transform).map_or(job.transform, |transform| transform.title);
        let text = format!("Before: {transform} by {} of {}, {size}", outcome.algorithm, short_name(&job.signal.name));
        let tokens = Tokens::current(ui);
        // Within the image: axes and colours surround it.
        let place = Rect::from_center_size(pane.center(), egui::vec2((0.5 * pane.width()).min(MOST_OF_NOTE), 16.0 * GRID));
        ui.scope_builder(egui::UiBuilder::new().max_rect(place).layout(egui::Layout::top_down(egui::Align::Center)), |ui| {
            let frame = Frame::new().fill(tokens.pane).stroke(Stroke::new(1.0, tokens.rule)).inner_margin(GRID * 2.0).corner_radius(4.0);
            frame.show(ui, |ui| ui.add(egui::Label::new(egui::RichText::new(text).color(tokens.text)).wrap()));
        });
    }
}

impl Dock<'_> {
    /// Exports what a pane has painted below its controls, or its pixels where it has no figure.
    fn export(&mut self, ui: &Ui, pane: PaneId, rect: Rect) {
        let title = pane.info().title;
        let name = title.to_lowercase().replace(' ', "-");
        let figure = painted::figure(ui, rect, title, self.scene.shown().title_and_notes());
        self.scene.out.actions.push(match figure {
            Some(figure) => Action::Export(Box::new(Export::Figure { name, format: FigureFormat::Svg, figure: Box::new(figure) })),
            None => Action::ExportPixels(pane),
        });
    }
}

impl Behavior<PaneId> for Dock<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut PaneId) -> UiResponse {
        // Behind the tabs in the order of Tab, as they are on the screen.
        if let Some(corner) = self.corner.take() {
            self.strip_buttons_ui(ui, corner, *pane);
        }
        self.content_ui(ui, pane);
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &PaneId) -> WidgetText {
        pane.info().title.into()
    }

    fn top_bar_right_ui(&mut self, tiles: &Tiles<PaneId>, ui: &mut Ui, _tile: TileId, tabs: &Tabs, _scroll: &mut f32) {
        let Some(pane) = tabs.active.and_then(|id| tiles.get_pane(&id)).copied() else { return };
        focus::begin_strip(ui, pane);
        self.corner = Some(self.corner_ui(ui, tiles, tabs));
    }

    fn tab_ui(&mut self, tiles: &mut Tiles<PaneId>, ui: &mut Ui, id: Id, tile: TileId, state: &TabState) -> egui::Response {
        self.strip_tab_ui(tiles, ui, id, tile, state)
    }

    fn on_tab_button(&mut self, tiles: &mut Tiles<PaneId>, tile: TileId, response: egui::Response) -> egui::Response {
        if response.double_clicked() {
            self.maximised = tiles.get_pane(&tile).copied();
        }
        response
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    /// Panes are dragged by their tabs; the strip behind the tabs would be a stop of Tab without a name.
    fn is_tile_draggable(&self, tiles: &Tiles<PaneId>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some()
    }

    /// The edges are drawn over the panes, without stops of Tab.
    fn is_container_resizable(&self, _tiles: &Tiles<PaneId>, _tile: TileId) -> bool {
        false
    }

    fn on_edit(&mut self, action: EditAction) {
        self.edited |= action == EditAction::TileDropped;
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        STRIP
    }

    fn tab_title_spacing(&self, _visuals: &Visuals) -> f32 {
        if self.width < ROOMY { GRID } else { 2.0 * GRID }
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        GRID
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> Color32 {
        tokens(visuals).ground
    }

    fn tab_bg_color(&self, visuals: &Visuals, _tiles: &Tiles<PaneId>, _tile: TileId, state: &TabState) -> Color32 {
        if state.active { tokens(visuals).pane } else { Color32::TRANSPARENT }
    }

    fn tab_outline_stroke(&self, _visuals: &Visuals, _tiles: &Tiles<PaneId>, _tile: TileId, _state: &TabState) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _visuals: &Visuals) -> Stroke {
        Stroke::NONE
    }

    fn tab_text_color(&self, visuals: &Visuals, _tiles: &Tiles<PaneId>, _tile: TileId, state: &TabState) -> Color32 {
        let tokens = tokens(visuals);
        if state.active { tokens.text } else { tokens.weak }
    }
}

fn tokens(visuals: &Visuals) -> Tokens {
    Tokens::of(if visuals.dark_mode { egui::Theme::Dark } else { egui::Theme::Light })
}

/// Names a button that shows only a sign.
pub(super) fn name(response: &egui::Response, name: String) {
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    response.clone().on_hover_text(name);
}

/// Shows a command that switches something on and off as a check box; returns whether it was chosen.
pub(super) fn command_switch(ui: &mut Ui, command: Command, mut is_on: bool) -> bool {
    let keys = command.shortcut_text(ui.ctx());
    let tip = if keys.is_empty() { command.tooltip().to_owned() } else { format!("{} ({keys})", command.tooltip()) };
    let chosen = ui.checkbox(&mut is_on, command.text()).on_hover_text(tip).clicked();
    if chosen {
        ui.close();
    }
    chosen
}

/// Shows a command in a menu, its keys at the right; returns whether it was chosen.
pub(super) fn command_button(ui: &mut Ui, command: Command) -> bool {
    let button = egui::Button::new(command.text()).shortcut_text(command.shortcut_text(ui.ctx()));
    let chosen = ui.add(button).on_hover_text(command.tooltip()).clicked();
    if chosen {
        ui.close();
    }
    chosen
}
