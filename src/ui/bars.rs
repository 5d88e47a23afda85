//! The bar at the top (files, layouts, device, theme) and the status bar at the bottom (result, time, messages).

mod fitting;

use super::chips::chip_ui;
use super::command::{Command, MENUS, Menu};
use super::dock::{command_button, command_switch, name};
use super::icons;
use super::layout::{self, Part};
use super::learn::LearnMemory;
use super::origin::Origin;
use super::pane_id::PaneId;
use super::remedy::in_words;
use super::spectrogram;
use super::theme::{GRID, Tokens};
use super::toolbar::toolbar;
use super::widgets;
use super::workspace::Workspace;
use crate::engine::{Job, Outcome, Progress};
use crate::lesson::Topic;
use crate::numerals::{counted, counted_as, duration, integer, number};
use egui::accesskit::Live;
use egui::{
    Align, Button, Color32, Frame, Label, Layout, Margin, Panel, Rect, Response, RichText, Role, Spinner, Ui, UiBuilder, WidgetInfo, vec2,
};
use fitting::{fitting_message, fitting_read_out};
use std::time::{Duration, Instant};

/// Work that takes longer is shown with a button that cancels it.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// The bar at the top names the device in a window that is as wide, in points.
const LEAST_WIDTH_WITH_DEVICE: f32 = 960.0;
/// The status bar sums up a closed drawer in a window that is as wide, in points.
const LEAST_WIDTH_WITH_SUM: f32 = 1200.0;
/// An error or a hint keeps this width beside what is at the right, in points.
const LEAST_SUMMARY: f32 = 120.0;
/// The largest share of the status bar that a message takes from the summary.
const SHARE_OF_MESSAGE: f32 = 0.6;
/// A message is shown for this time before what is under the pointer takes its place.
const NEWS: Duration = Duration::from_secs(4);
/// The width of the name of the device, in points.
const MOST_WIDTH_OF_DEVICE: f32 = 240.0;

/// The width of the name of a file in a menu, in points.
const MOST_WIDTH_OF_NAME: f32 = 320.0;

fn frame(ui: &Ui) -> Frame {
    Frame::new().fill(Tokens::current(ui).ground).inner_margin(Margin::symmetric(8, 4))
}

/// The bar at the top.
pub(super) fn top_ui(workspace: &mut Workspace, ui: &mut Ui) {
    let mut chosen = Vec::new();
    Panel::top("top").frame(frame(ui)).show_separator_line(false).resizable(false).show(ui, |ui| {
        let id = ui.scope_id().with("right");
        let right = ui.data(|data| data.get_temp::<f32>(id)).unwrap_or(0.0);
        let row = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), ui.spacing().interact_size.y));
        let left = UiBuilder::new().max_rect(row.with_max_x(row.right() - right - GRID));
        ui.scope_builder(left, |ui| {
            toolbar(ui, "Papillon", |bar| {
                bar.item("menu", |ui| {
                    let menu = widgets::menu(ui, icons::MENU, |ui| MENUS.iter().for_each(|menu| menu_ui(workspace, ui, menu, &mut chosen)));
                    name(&menu.response, "All commands".into());
                });
                bar.item("files", |ui| {
                    if tool(ui, Command::Open) {
                        chosen.push(Command::Open);
                    }
                    recent_ui(workspace, ui);
                });
                for command in Command::all() {
                    let Command::Preset(preset) = command else { continue };
                    let is_chosen = workspace.memory.preset == preset;
                    bar.choice(command.text(), is_chosen, |ui| {
                        let tab = ui.selectable_label(is_chosen, command.text());
                        if tab.on_hover_text(tooltip(ui, command)).clicked() {
                            chosen.push(command);
                        }
                    });
                }
            });
        });
        let right = ui.scope_builder(UiBuilder::new().max_rect(row).layout(Layout::right_to_left(Align::Center)), |ui| {
            right_ui(workspace, ui, &mut chosen);
            row.right() - ui.min_rect().left()
        });
        ui.data_mut(|data| data.insert_temp(id, right.inner));
    });
    for command in chosen {
        workspace.run(&ui.ctx().clone(), command);
    }
}

/// A menu that opens beside the list of menus.
fn menu_ui(workspace: &Workspace, ui: &mut Ui, menu: &Menu, chosen: &mut Vec<Command>) {
    let button = widgets::menu(ui, menu.title, |ui| {
        ui.set_min_width(240.0);
        for command in menu.commands() {
            let is_chosen = match workspace.is_on(ui.ctx(), command) {
                Some(is_on) => command_switch(ui, command, is_on),
                None => command_button(ui, command),
            };
            if is_chosen {
                chosen.push(command);
            }
        }
    });
    button.response.on_hover_text(menu.about);
}

fn right_ui(workspace: &Workspace, ui: &mut Ui, chosen: &mut Vec<Command>) {
    let sign = if ui.theme() == egui::Theme::Dark { icons::LIGHT_MODE } else { icons::DARK_MODE };
    for (sign, command) in [(sign, Command::SwitchTheme), (icons::HELP, Command::Help)] {
        let button = ui.add(Button::new(sign).min_size(vec2(6.0 * GRID, 6.0 * GRID)));
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, command.text()));
        if button.on_hover_text(tooltip(ui, command)).clicked() {
            chosen.push(command);
        }
    }
    if tool(ui, Command::Palette) {
        chosen.push(Command::Palette);
    }
    // The status bar names the device too.
    if let Some(outcome) = workspace.content.finished.as_ref().and_then(|report| report.outcome())
        && ui.ctx().content_rect().width() >= LEAST_WIDTH_WITH_DEVICE
    {
        device_chip(ui, outcome);
    }
}

/// The device that computed what is shown.
fn device_chip(ui: &mut Ui, outcome: &Outcome) {
    let tokens = Tokens::current(ui);
    let (color, about) = if outcome.software_gpu {
        (tokens.warning, "This GPU is emulated by software: correct, but no guide to speed")
    } else {
        (tokens.weak, "The device that computed what is shown")
    };
    // Information has neither the outline of a toggle nor the fill of a button.
    let chip = Frame::new().inner_margin(Margin::symmetric(8, 2));
    let shown = chip.show(ui, |ui| {
        // The bar runs from right to left.
        ui.set_max_width(MOST_WIDTH_OF_DEVICE);
        ui.add(Label::new(RichText::new(&outcome.device).color(color)).truncate());
        if outcome.software_gpu {
            widgets::warning_sign(ui);
        }
    });
    let response = shown.response;
    let why = if outcome.reason.is_empty() { String::new() } else { format!("\nWhy: {}", outcome.reason) };
    response.on_hover_text(format!("{}: {about}{why}", outcome.device));
}

fn tooltip(ui: &Ui, command: Command) -> String {
    match command.shortcut_text(ui.ctx()) {
        keys if keys.is_empty() => command.tooltip().to_owned(),
        keys => format!("{} ({keys})", command.tooltip()),
    }
}

fn tool(ui: &mut Ui, command: Command) -> bool {
    let tip = tooltip(ui, command);
    ui.button(command.text()).on_hover_text(tip).clicked()
}

fn recent_ui(workspace: &mut Workspace, ui: &mut Ui) {
    let mut opened = None;
    ui.add_enabled_ui(!workspace.memory.recent.is_empty(), |ui| {
        widgets::menu(ui, "Recent", |ui| {
            for path in &workspace.memory.recent {
                let title = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                if ui.button(widgets::name_of_width(ui, &title, MOST_WIDTH_OF_NAME)).on_hover_text(path.display().to_string()).clicked() {
                    opened = Some(path.clone());
                    ui.close();
                }
            }
        });
    });
    if let Some(path) = opened {
        workspace.memory.settings.open(Origin::File(path));
    }
}

/// The status bar.
pub(super) fn status_ui(workspace: &mut Workspace, ui: &mut Ui) {
    let (mut cancelled, mut chosen, chips) = (false, Vec::new(), workspace.chips());
    let mut pressed = None;
    Panel::bottom("status").frame(frame(ui)).show_separator_line(false).resizable(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(5.0 * GRID);
            folds_ui(ui, workspace, &mut chosen);
            pressed = chips.iter().filter_map(|chip| Some((chip, chip_ui(ui, chip)?))).last();
            // The sum of what a closed drawer holds.
            let is_closed = layout::is_open(&workspace.memory.tree, Part::Drawer) == Some(false);
            let is_sum = is_closed && ui.ctx().content_rect().width() >= LEAST_WIDTH_WITH_SUM;
            let back = workspace.way_back.map(|preset| format!("Back to {}", preset.title()));
            let back_width = back.as_ref().map_or(0.0, |text| widgets::text_width(ui, text) + 6.0 * GRID);
            let room = ui.available_width() - back_width - progress(workspace).map_or(0.0, |shown| shown.width(ui));
            let said = said(workspace, ui, room);
            let right = widgets::text_width(ui, &said.text).min(if said.is_read_out { f32::INFINITY } else { SHARE_OF_MESSAGE * room });
            let room = room - right - 4.0 * GRID;
            result_ui(ui, workspace, is_sum, room);
            cancelled = progress_ui(workspace, ui);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(back) = back
                    && ui.button(back).on_hover_text(tooltip(ui, Command::BackToLayout)).clicked()
                {
                    chosen.push(Command::BackToLayout);
                }
                said.show(ui);
            });
        });
    });
    if cancelled {
        workspace.cancel();
    }
    if let Some((chip, press)) = pressed {
        workspace.press(chip, press);
    }
    for command in chosen {
        workspace.run(&ui.ctx().clone(), command);
    }
}

/// Shows the current source and what was computed of it, or why nothing is there.
fn result_ui(ui: &mut Ui, workspace: &Workspace, is_sum: bool, room: f32) {
    let tokens = Tokens::current(ui);
    if let Some(stream) = workspace.shown_stream() {
        return widgets::parts(ui, &spectrogram::stream::summary(stream), room, RichText::from);
    }
    match workspace.content.answer().map(|report| (&report.request.job, report.outcome.as_ref())) {
        Some((job, Some(Ok(outcome)))) => widgets::parts(ui, &summary(job, outcome, is_sum, &workspace.memory.learn), room, RichText::from),
        // The pane says it in full.
        Some((_, Some(Err(_)))) if workspace.rects.contains_key(&PaneId::of(&super::transform::PANE)) => {
            state_ui(ui, "No result: Transform says why, and what helps", tokens.error, room);
        }
        Some((_, Some(Err(error)))) => state_ui(ui, &in_words(error), tokens.error, room),
        _ if workspace.rests() => state_ui(ui, "Measured frame by frame; Raw transforms the whole", tokens.weak, room),
        _ => state_ui(ui, "Nothing computed yet", tokens.weak, room),
    }
}

/// The right part of the status bar.
struct Said {
    text: String,
    /// The text with the parts that gave way.
    full: String,
    is_read_out: bool,
    is_news: bool,
}

impl Said {
    fn show(self, ui: &mut Ui) {
        let tokens = Tokens::current(ui);
        let color = if self.is_read_out { tokens.text } else { tokens.weak };
        let shown = ui.add(Label::new(RichText::new(self.text).color(color)).truncate()).on_hover_text(self.full);
        if self.is_news {
            read_aloud(&shown);
        }
    }
}

/// Only this bar shows the value under the pointer: it takes the place of the last message, and the summary makes room for it.
fn said(workspace: &Workspace, ui: &Ui, room: f32) -> Said {
    let width = |text: &str| widgets::text_width(ui, text);
    let is_news = has_news(workspace, ui);
    if workspace.read_out.is_empty() || is_news {
        // A message on the source before says nothing of a stream.
        let full = if workspace.shown_stream().is_some() && !is_news { String::new() } else { workspace.message.clone() };
        let text = fitting_message(&full, |text| width(text) <= SHARE_OF_MESSAGE * room);
        return Said { text, full, is_read_out: false, is_news };
    }
    let text = fitting_read_out(&workspace.read_out, |text| width(text) <= room - 4.0 * GRID);
    Said { full: text.clone(), text, is_read_out: true, is_news }
}

/// Whether the message is so new that what is under the pointer does not take its place yet; asks for the frame in which it does, where something waits.
fn has_news(workspace: &Workspace, ui: &Ui) -> bool {
    let rest = workspace.told_at.and_then(|told| NEWS.checked_sub(told.elapsed()));
    rest.into_iter().filter(|_| !workspace.read_out.is_empty()).for_each(|rest| ui.request_repaint_after(rest));
    rest.is_some()
}

/// The buttons that fold the left column and the drawer.
fn folds_ui(ui: &mut Ui, workspace: &Workspace, chosen: &mut Vec<Command>) {
    let drawer = layout::is_open(&workspace.memory.tree, Part::Drawer);
    for (open, sign, command) in [
        (workspace.left_is_open(ui.ctx()), icons::DOCK_TO_RIGHT, Command::ToggleLeft),
        (drawer, icons::DOCK_TO_BOTTOM, Command::ToggleDrawer),
    ] {
        let Some(open) = open else { continue };
        let button = ui.add(Button::selectable(open, sign).min_size(vec2(6.0 * GRID, 5.0 * GRID)));
        button.widget_info(|| WidgetInfo::selected(Role::Button, true, open, command.text()));
        if button.on_hover_text(tooltip(ui, command)).clicked() {
            chosen.push(command);
        }
    }
}

/// Says why there is no result, in at least a little room.
fn state_ui(ui: &mut Ui, text: &str, color: Color32, room: f32) {
    ui.scope(|ui| {
        ui.set_max_width(room.max(LEAST_SUMMARY));
        read_aloud(&ui.add(Label::new(RichText::new(text).color(color)).truncate()).on_hover_text(text));
    });
}

/// Lets screen readers read a text when it changes, wherever the focus is.
fn read_aloud(text: &Response) {
    text.ctx.accesskit_node_builder(text.id, |node| node.set_live(Live::Polite));
}

/// Transform, algorithm, preparation, size, device, time and error of the result that is shown; `is_sum` adds what the drawer says of its plan, unless a lesson asks for it.
fn summary(job: &Job, outcome: &Outcome, is_sum: bool, learn: &LearnMemory) -> Vec<String> {
    let size = match outcome.shape.rows {
        1 => integer(outcome.shape.columns),
        rows => job.signal.kind.size(rows, outcome.shape.columns),
    };
    let error = match outcome.error {
        Some(0.0) => "exact".into(),
        Some(error) if !error.is_finite() => "no finite value".into(),
        Some(error) => format!("error {}", number(error, 2)),
        None if outcome.complete => "error not checked".into(),
        None => "error not known yet".into(),
    };
    let (total, kernels) = (duration(outcome.total_median()), outcome.kernel_median());
    let time = if is_sum && kernels > 0.0 && outcome.plan.is_some() { format!("launches {} of {total}", duration(kernels)) } else { total };
    let plan = match (&outcome.plan, &outcome.schedule) {
        (Some(plan), Some(schedule)) if is_sum && !learn.hides_in(Topic::Counts, false) => {
            let n = schedule.launches.len();
            let launches = counted_as(n, "launch", "launches");
            format!("{} in {launches}", counted(plan.stages.len(), "stage"))
        }
        _ => String::new(),
    };
    let prepared = outcome.preparation.map_or(String::new(), |facts| facts.names().join(", "));
    let parts = [job.transform, outcome.algorithm, &prepared, &size, &plan, &outcome.device, &time, &error];
    parts.into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Work that runs.
struct Shown {
    label: String,
    fraction: Option<f32>,
    since: Instant,
    can_cancel: bool,
}

impl Shown {
    /// The work that runs, and for how long.
    fn text(&self) -> String {
        let part = self.fraction.map_or(String::new(), |part| format!(", {:.0} %", (100.0 * part).floor()));
        format!("{}{part}, {:.0} s", self.label, self.since.elapsed().as_secs_f64())
    }

    /// The width that it takes in the status bar, in points.
    fn width(&self, ui: &Ui) -> f32 {
        let button = if self.can_cancel { widgets::text_width(ui, "Cancel") + 6.0 * GRID } else { 0.0 };
        let is_shown = self.since.elapsed() >= SHOWN_AFTER;
        if is_shown { widgets::text_width(ui, &self.text()) + button + 12.0 * GRID } else { 0.0 }
    }
}

/// The work that runs now: that of the engine, of the loader, or of a pane.
fn progress(workspace: &Workspace) -> Option<Shown> {
    let of = |can_cancel: bool| move |Progress { label, fraction, since }: Progress| Shown { label, fraction, since, can_cancel };
    let computing = workspace.engine.progress().or_else(|| workspace.loader.loading()).map(of(true));
    let second = || workspace.second.loading().map(of(false));
    computing.or_else(second).or_else(|| workspace.panes.progress().map(of(true)))
}

/// Shows work that takes long; returns whether the user cancels it.
fn progress_ui(workspace: &Workspace, ui: &mut Ui) -> bool {
    let Some(shown) = progress(workspace) else { return false };
    let elapsed = shown.since.elapsed();
    if elapsed < SHOWN_AFTER {
        ui.request_repaint_after(SHOWN_AFTER - elapsed);
        return false;
    }
    ui.request_repaint_after(Duration::from_millis(100));
    ui.separator();
    ui.add(Spinner::new().size(3.5 * GRID));
    // Before the text, which grows.
    let cancelled = shown.can_cancel && ui.button("Cancel").on_hover_text(Command::Cancel.tooltip()).clicked();
    ui.label(shown.text());
    cancelled
}
