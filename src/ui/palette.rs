//! The command palette: a list of everything that can be done or chosen, to search in.

mod entry;
mod search;

pub(super) use entry::Entry;

use super::theme::GRID;
use super::widgets;
use crate::gpu::AdapterInfo;
use crate::schedule::Cut;
use crate::transforms::Transform;
use egui::{Align2, Area, Context, Frame, Id, Key, Order, ScrollArea, TextEdit, Ui, vec2};

/// The most entries that are remembered as chosen.
const N_RECENT: usize = 8;
/// Height of the list in points; a window of egui keeps the height that its first list had.
const LIST_HEIGHT: f32 = 360.0;

/// A list of entries to search in.
#[derive(Debug, Default)]
pub(super) struct Palette {
    open: bool,
    /// Whether it has yet to be shown: the click that opened it must not close it.
    is_new: bool,
    query: String,
    selected: usize,
    /// The widget that had the focus before.
    focused_before: Option<Id>,
    /// The titles of the entries that were chosen, newest first.
    recent: Vec<String>,
}

impl Palette {
    /// Opens the list.
    pub(super) fn open(&mut self) {
        *self = Self { open: true, is_new: true, recent: std::mem::take(&mut self.recent), ..Self::default() };
    }

    /// Closes the list; what had the focus before has it again.
    pub(super) fn close(&mut self, ctx: &Context) {
        self.open = false;
        if let Some(before) = self.focused_before {
            ctx.memory_mut(|memory| memory.request_focus(before));
        }
    }

    /// Whether the list is open.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Shows the list while it is open; returns the chosen entry. Algorithms and parameters are those of the transform and schedule that are `set`.
    pub(super) fn ui(&mut self, ctx: &Context, set: (&'static Transform, Cut), adapters: &[AdapterInfo]) -> Option<Entry> {
        if !self.open {
            return None;
        }
        if self.is_new {
            self.focused_before = ctx.memory(|memory| memory.focused());
        }
        let found = search::matching(&self.query, Entry::all(set, adapters), &self.recent);
        ctx.input_mut(|input| {
            if input.consume_key(egui::Modifiers::NONE, Key::ArrowDown) {
                self.selected += 1;
            }
            if input.consume_key(egui::Modifiers::NONE, Key::ArrowUp) {
                self.selected = self.selected.saturating_sub(1);
            }
        });
        self.selected = self.selected.min(found.len().saturating_sub(1));
        // The control that gets the focus back must not see the key.
        let entered = ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Enter));
        let mut chosen = found.get(self.selected).filter(|_| entered).cloned();
        let area = Area::new(Id::unique("palette")).order(Order::Foreground).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0));
        let shown = area.show(ctx, |ui| Frame::popup(ui.style()).show(ui, |ui| chosen = self.list_ui(ui, &found).or(chosen.take())));
        let clicked_beside = !std::mem::take(&mut self.is_new) && shown.response.clicked_elsewhere();
        let escaped = ctx.input(|input| input.key_pressed(Key::Escape));
        if escaped || entered && chosen.is_some() {
            self.close(ctx);
        } else if clicked_beside || chosen.is_some() {
            // A click leaves the focus where it went.
            self.open = false;
        }
        if let Some(entry) = &chosen {
            let title = entry.title();
            self.recent.retain(|known| *known != title);
            self.recent.insert(0, title);
            self.recent.truncate(N_RECENT);
        }
        chosen
    }

    fn list_ui(&mut self, ui: &mut Ui, found: &[Entry]) -> Option<Entry> {
        let mut chosen = None;
        ui.set_width(480.0);
        let hint = "Search commands, lessons, panes, transforms, parameters, samples, devices";
        let edit = ui.add(TextEdit::singleline(&mut self.query).align(Align2::LEFT_CENTER).hint_text(hint).desired_width(f32::INFINITY));
        edit.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Search commands"));
        edit.request_focus();
        if edit.changed() {
            self.selected = 0;
        }
        ScrollArea::vertical().min_scrolled_height(LIST_HEIGHT).max_height(LIST_HEIGHT).show(ui, |ui| {
            for (index, entry) in found.iter().enumerate() {
                let selected = index == self.selected;
                let button = egui::Button::selectable(selected, entry.title()).shortcut_text(entry.aside(ui.ctx()));
                let response = ui.add(button.min_size(vec2(ui.available_width(), 6.0 * GRID)));
                if selected {
                    response.scroll_to_me(None);
                    // Screen readers read the selected entry while the field has the keys.
                    ui.ctx().accesskit_node_builder(edit.id, |node| node.set_active_descendant(response.id.accesskit_id()));
                }
                if response.on_hover_text(entry.about()).clicked() {
                    chosen = Some(entry.clone());
                }
            }
            if found.is_empty() {
                widgets::weak(ui, "Nothing has this name");
            }
        });
        chosen
    }
}
