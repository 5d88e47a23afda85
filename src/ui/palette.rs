//! The command palette, which searches the tables of commands and transforms, and the help card.

use super::command::Command;
use super::panes::PANES;
use super::theme::GRID;
use super::widgets;
use crate::numerals::duration;
use crate::transforms::{TRANSFORMS, Transform};
use egui::{Align2, Area, Context, Frame, Grid, Id, Key, Order, ScrollArea, TextEdit, Ui, Window, vec2};
use std::time::Duration;

/// An entry of the palette.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    /// Runs a command.
    Command(Command),
    /// Sets a transform.
    Transform(&'static Transform),
}

impl Entry {
    /// All commands except the one that opens the palette, and all transforms.
    fn all() -> impl Iterator<Item = Self> {
        let commands = Command::all().filter(|command| *command != Command::Palette).map(Self::Command);
        commands.chain(TRANSFORMS.iter().map(Self::Transform))
    }

    fn text(self) -> &'static str {
        match self {
            Self::Command(command) => command.text(),
            Self::Transform(transform) => transform.title,
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Command(command) => command.tooltip(),
            Self::Transform(transform) => transform.about,
        }
    }

    /// The text at the right: the keys of a command, or the word "transform".
    fn aside(self, ctx: &Context) -> String {
        match self {
            Self::Command(command) => command.shortcut_text(ctx),
            Self::Transform(_) => "transform".into(),
        }
    }
}

/// A list of commands and transforms to search in.
#[derive(Debug, Default)]
pub(super) struct Palette {
    open: bool,
    query: String,
    selected: usize,
}

impl Palette {
    /// Opens the list.
    pub(super) fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// Closes the list.
    pub(super) fn close(&mut self) {
        self.open = false;
    }

    /// Whether the list is open.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Shows the list while it is open; returns the chosen entry.
    pub(super) fn ui(&mut self, ctx: &Context) -> Option<Entry> {
        if !self.open {
            return None;
        }
        let found = matching(&self.query);
        ctx.input_mut(|input| {
            if input.consume_key(egui::Modifiers::NONE, Key::ArrowDown) {
                self.selected += 1;
            }
            if input.consume_key(egui::Modifiers::NONE, Key::ArrowUp) {
                self.selected = self.selected.saturating_sub(1);
            }
        });
        self.selected = self.selected.min(found.len().saturating_sub(1));
        let entered = ctx.input(|input| input.key_pressed(Key::Enter));
        let mut chosen = found.get(self.selected).copied().filter(|_| entered);
        let area = Area::new(Id::unique("palette")).order(Order::Foreground).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0));
        let shown = area.show(ctx, |ui| Frame::popup(ui.style()).show(ui, |ui| chosen = self.list_ui(ui, &found).or(chosen)));
        let clicked_beside = shown.response.clicked_elsewhere();
        if chosen.is_some() || clicked_beside || ctx.input(|input| input.key_pressed(Key::Escape)) {
            self.open = false;
        }
        chosen
    }

    fn list_ui(&mut self, ui: &mut Ui, found: &[Entry]) -> Option<Entry> {
        let mut chosen = None;
        ui.set_width(420.0);
        let edit = ui.add(TextEdit::singleline(&mut self.query).hint_text("Search commands and transforms").desired_width(f32::INFINITY));
        edit.widget_info(|| egui::WidgetInfo::labeled(egui::Role::SearchInput, true, "Search commands"));
        edit.request_focus();
        if edit.changed() {
            self.selected = 0;
        }
        ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for (index, entry) in found.iter().enumerate() {
                let selected = index == self.selected;
                let button = egui::Button::selectable(selected, entry.text()).shortcut_text(entry.aside(ui.ctx()));
                let response = ui.add(button.min_size(vec2(ui.available_width(), 6.0 * GRID)));
                if selected {
                    response.scroll_to_me(None);
                }
                if response.on_hover_text(entry.about()).clicked() {
                    chosen = Some(*entry);
                }
            }
            if found.is_empty() {
                widgets::weak(ui, "No command or transform has these letters");
            }
        });
        chosen
    }
}

/// The entries that hold the letters of the query in order, the best match first.
fn matching(query: &str) -> Vec<Entry> {
    let mut found: Vec<_> = Entry::all().filter_map(|entry| Some((score(query, entry)?, entry))).collect();
    found.sort_by_key(|(score, _)| *score);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// Distance of the letters of the query in the name, or else in the sentence; `None` where a letter is missing.
fn score(query: &str, entry: Entry) -> Option<usize> {
    let spread = |text: &str| {
        let text = text.to_lowercase();
        let mut places = text.chars().enumerate();
        let mut first = None;
        let mut last = 0;
        for letter in query.to_lowercase().chars().filter(|letter| !letter.is_whitespace()) {
            let (place, _) = places.find(|(_, other)| *other == letter)?;
            first.get_or_insert(place);
            last = place;
        }
        Some(last - first.unwrap_or(last) + first.unwrap_or(0))
    };
    const SENTENCE: usize = 1000;
    spread(entry.text()).or_else(|| spread(entry.about()).map(|spread| spread + SENTENCE))
}

/// Shows the help card, with the time from the start to the first frame; returns whether it stays open.
pub(super) fn help_ui(ctx: &Context, first_frame: Option<Duration>) -> bool {
    let mut open = true;
    let window =
        Window::new("Keys and mouse").open(&mut open).collapsible(false).resizable(false).anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0));
    window.show(ctx, |ui| {
        let height = ctx.content_rect().height() - 128.0;
        ScrollArea::vertical().min_scrolled_height(height).max_height(height).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                Grid::new("keys").num_columns(2).spacing([4.0 * GRID, GRID]).show(ui, |ui| {
                    for command in Command::all() {
                        widgets::weak(ui, command.shortcut_text(ctx));
                        ui.label(command.text()).on_hover_text(command.tooltip());
                        ui.end_row();
                    }
                });
                ui.add_space(4.0 * GRID);
                ui.vertical(|ui| {
                    ui.set_max_width(360.0);
                    for pane in PANES {
                        ui.strong(pane.title);
                        for line in pane.help {
                            ui.label(*line);
                        }
                        ui.add_space(2.0 * GRID);
                    }
                    let version = concat!("Papillon ", env!("CARGO_PKG_VERSION"));
                    let time = first_frame.map(|time| format!(", first frame after {}", duration(time.as_secs_f64() * 1e6)));
                    widgets::weak(ui, format!("{version}{}", time.unwrap_or_default()));
                });
            });
        });
    });
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_letters_find_the_command() {
        for (query, name) in [
            ("reslay", Command::ResetLayout.text()),
            ("undo", Command::Undo.text()),
            ("fg", "Flow graph"),
            ("dyadauto", "Dyadic autocorrelation"),
        ] {
            assert_eq!(matching(query)[0].text(), name);
        }
        assert_eq!(matching("").len(), Command::all().count() - 1 + TRANSFORMS.len());
        assert!(matching("qqq").is_empty());
    }
}
