//! The help card, and what the program is.

use super::command::{Command, MENUS, Menu};
use super::panes::PANES;
use super::theme::GRID;
use super::widgets;
use crate::gpu::AdapterInfo;
use crate::numerals::duration;
use egui::{Align2, Context, ScrollArea, Ui, Window, vec2};
use std::time::Duration;

/// A card over the panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Card {
    /// The keys and the mouse.
    Help,
    /// Version, devices and licence.
    About,
}

/// The facts on the running program that the cards show.
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
            ui.vertical(|ui| {
                let keys = |ui: &Ui, command: Command| command.shortcut_text(ui.ctx());
                let widths = MENUS
                    .iter()
                    .flat_map(Menu::commands)
                    .map(|command| [keys(ui, command), command.text().to_owned()].map(|text| widgets::text_width(ui, &text)));
                let [of_keys, of_texts] = widths.fold([0.0_f32; 2], |[a, b], [keys, text]| [a.max(keys), b.max(text)]);
                ui.set_width(of_keys + of_texts + 4.0 * GRID);
                for menu in MENUS {
                    ui.strong(menu.title);
                    for command in menu.commands() {
                        widgets::fact_row(ui, of_keys + GRID, &keys(ui, command), command.text()).on_hover_text(command.tooltip());
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

fn about_ui(ui: &mut Ui, facts: &Facts<'_>) {
    ui.set_max_width(440.0);
    ui.heading(concat!("Papillon ", env!("CARGO_PKG_VERSION")));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.add_space(2.0 * GRID);
    let device = |adapter: &AdapterInfo| {
        let software = if adapter.software { ", software" } else { "" };
        ("Device", format!("{} ({}{software}), {}", adapter.name, adapter.backend, adapter.driver))
    };
    let mut shown = vec![("Licence", env!("CARGO_PKG_LICENSE").to_owned())];
    shown.extend(facts.computes.map(|device| ("Computes now", device.to_owned())));
    shown.extend(facts.adapters.iter().map(device));
    shown.extend(facts.first_frame.map(|time| ("First frame", format!("{} after the start", duration(time.as_secs_f64() * 1e6)))));
    widgets::facts(ui, &shown);
}
