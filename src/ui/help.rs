//! The help card, and what the program is.

use super::command::{Command, MENUS};
use super::panes::PANES;
use super::theme::GRID;
use super::widgets;
use crate::gpu::AdapterInfo;
use crate::numerals::duration;
use egui::{Align2, Context, Grid, ScrollArea, Ui, Window, vec2};
use std::time::Duration;

/// A card over the panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Card {
    /// What keys and mouse do.
    Help,
    /// Version, devices and licence.
    About,
}

/// What the cards tell of the running program.
pub(super) struct Facts<'a> {
    /// The time from the start to the first frame.
    pub first_frame: Option<Duration>,
    /// The device that computed what is shown.
    pub computes: Option<&'a str>,
    /// The adapters of this machine.
    pub adapters: &'a [AdapterInfo],
}

/// Shows a card; returns whether it stays open.
pub(super) fn card_ui(ctx: &Context, card: Card, facts: &Facts<'_>) -> bool {
    let mut open = true;
    let title = match card {
        Card::Help => "Keys and mouse",
        Card::About => "About Papillon",
    };
    let window = Window::new(title).open(&mut open).collapsible(false).resizable(false).anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0));
    window.show(ctx, |ui| match card {
        Card::Help => help_ui(ui),
        Card::About => about_ui(ui, facts),
    });
    open
}

fn help_ui(ui: &mut Ui) {
    let height = ui.ctx().content_rect().height() - 128.0;
    ScrollArea::vertical().min_scrolled_height(height).max_height(height).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            Grid::new("keys").num_columns(2).spacing([4.0 * GRID, GRID]).show(ui, |ui| {
                for menu in MENUS {
                    ui.strong(menu.title);
                    ui.end_row();
                    for command in menu.commands() {
                        widgets::weak(ui, keys(ui.ctx(), command));
                        ui.label(command.text()).on_hover_text(command.tooltip());
                        ui.end_row();
                    }
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
            });
        });
    });
}

fn keys(ctx: &Context, command: Command) -> String {
    command.shortcut_text(ctx)
}

fn about_ui(ui: &mut Ui, facts: &Facts<'_>) {
    ui.set_max_width(440.0);
    ui.heading(concat!("Papillon ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.add_space(2.0 * GRID);
    Grid::new("about").num_columns(2).spacing([4.0 * GRID, GRID]).show(ui, |ui| {
        let mut fact = |name: &str, text: String| {
            widgets::weak(ui, name);
            ui.label(text);
            ui.end_row();
        };
        fact("Licence", env!("CARGO_PKG_LICENSE").into());
        if let Some(device) = facts.computes {
            fact("Computes now", device.to_owned());
        }
        for adapter in facts.adapters {
            let software = if adapter.software { ", software" } else { "" };
            fact("Device", format!("{} ({}{software}), {}", adapter.name, adapter.backend, adapter.driver));
        }
        if let Some(time) = facts.first_frame {
            fact("First frame", format!("{} after the start", duration(time.as_secs_f64() * 1e6)));
        }
    });
}
