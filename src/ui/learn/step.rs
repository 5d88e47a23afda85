//! A lesson: the text of its step, its question, and the way through it.

use super::list::{needs_ui, next_ui};
use super::text::text_ui;
use super::{LearnMemory, LearnPane};
use crate::bench::{self, Experiment};
use crate::lesson::Lesson;
use crate::ui::action::{Action, PaneOutput};
use crate::ui::command::Command;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::timing::measure_text;
use crate::ui::widgets;
use egui::{Align, Button, Label, Layout, ProgressBar, RichText, ScrollArea, Ui, vec2};

/// The size of the text of a lesson, which is read at arm's length.
const TEXT_SIZE: f32 = 15.0;
/// The height of the row of buttons below the text.
const FOOTER: f32 = 11.0 * GRID;

impl LearnPane {
    pub(super) fn lesson_ui(
        &mut self,
        ui: &mut Ui,
        (learn, has_left_step): (&mut LearnMemory, bool),
        lesson: &'static Lesson,
        index: usize,
        out: &mut PaneOutput,
    ) {
        header_ui(ui, &mut out.actions, lesson, index);
        let place = (lesson.name.clone(), index);
        let is_new = self.shown.as_ref() != Some(&place);
        let area = ScrollArea::vertical().id_salt(&place).auto_shrink([false, false]);
        self.shown = Some(place);
        let area = if is_new { area.vertical_scroll_offset(0.0) } else { area };
        area.max_height(ui.available_height() - FOOTER).show(ui, |ui| {
            ui.style_mut().text_styles.entry(egui::TextStyle::Body).and_modify(|font| font.size = TEXT_SIZE);
            ui.style_mut().text_styles.entry(egui::TextStyle::Button).and_modify(|font| font.size = TEXT_SIZE);
            self.step_ui(ui, learn, lesson, index, out);
        });
        footer_ui(ui, &mut out.actions, lesson, index, has_left_step);
    }

    fn step_ui(&mut self, ui: &mut Ui, learn: &mut LearnMemory, lesson: &'static Lesson, index: usize, out: &mut PaneOutput) {
        let step = &lesson.steps[index];
        if index == 0 {
            needs_ui(ui, &mut out.actions, lesson);
        }
        ui.add_space(GRID);
        ui.add(Label::new(RichText::new(&step.title).strong().size(TEXT_SIZE + 2.0)).wrap());
        ui.add_space(GRID);
        text_ui(ui, &step.blocks);
        ui.add_space(GRID);
        self.questions.ui(ui, learn, &mut out.focus, lesson, index);
        let shows_times = step.state.panes.iter().chain(&step.state.lower).any(|pane| pane == "Timing");
        if let Some((_, experiment)) = step.state.experiment.as_deref().and_then(bench::experiment).filter(|_| shows_times) {
            experiment_ui(ui, &mut out.actions, experiment);
        }
        if index + 1 == lesson.steps.len() {
            ui.add_space(2.0 * GRID);
            next_ui(ui, &mut out.actions, lesson);
        }
        if let Some(later) = lesson.head.later.as_deref().filter(|_| index + 1 == lesson.steps.len()) {
            ui.add_space(2.0 * GRID);
            ui.add(Label::new(RichText::new(later).color(Tokens::current(ui).weak).italics()).wrap());
        }
    }
}

/// The figure that this machine has to measure before its curves or its columns are there.
fn experiment_ui(ui: &mut Ui, actions: &mut Vec<Action>, experiment: &Experiment) {
    ui.add_space(2.0 * GRID);
    ui.horizontal_wrapped(|ui| {
        widgets::weak(ui, "Timing fills once you press");
        if ui.button(measure_text(experiment)).on_hover_text(tip(ui, Command::MeasureExperiment)).clicked() {
            actions.push(Action::Run(Command::MeasureExperiment));
        }
    });
}

/// The way back to the list, the title, and how far the lesson has gone.
fn header_ui(ui: &mut Ui, actions: &mut Vec<Action>, lesson: &Lesson, index: usize) {
    let n_steps = lesson.steps.len();
    ui.horizontal(|ui| {
        if ui.button("All lessons").on_hover_text(tip(ui, Command::Lessons)).clicked() {
            actions.push(Action::Run(Command::Lessons));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::weak(ui, format!("{} of {n_steps}", index + 1));
        });
    });
    let bar = ProgressBar::new((index + 1) as f32 / n_steps as f32).desired_height(3.0).desired_width(ui.available_width());
    ui.add(bar.fill(Tokens::current(ui).accent));
    ui.add_space(GRID);
    ui.add(Label::new(RichText::new(&lesson.head.title).heading()).wrap());
    let minutes = if lesson.head.place == "Course" { format!(", {} min", lesson.head.minutes) } else { String::new() };
    widgets::weak(ui, lesson.source() + &minutes);
}

/// The buttons below the text.
fn footer_ui(ui: &mut Ui, actions: &mut Vec<Action>, lesson: &'static Lesson, index: usize, has_left_step: bool) {
    ui.add_space(GRID);
    ui.separator();
    ui.horizontal(|ui| {
        let size = vec2(16.0 * GRID, 7.0 * GRID);
        let before = ui.add_enabled(index > 0, Button::new("Back").min_size(size));
        if before.on_hover_text(tip(ui, Command::PreviousLessonStep)).clicked() {
            actions.push(Action::GoToStep(index.saturating_sub(1)));
        }
        let is_last = index + 1 == lesson.steps.len();
        let fill = Tokens::current(ui).selected;
        let next = ui.add(Button::new(if is_last { "Finish" } else { "Next" }).fill(fill).min_size(size));
        let about = if is_last { "Go back to the list of lessons".into() } else { tip(ui, Command::NextLessonStep) };
        if next.on_hover_text(about).clicked() {
            actions.push(if is_last { Action::Run(Command::Lessons) } else { Action::GoToStep(index + 1) });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for command in [Command::PlayFreely, Command::RestoreLessonStep] {
                let is_offered = command == Command::PlayFreely || has_left_step;
                if ui.add_enabled(is_offered, Button::new(command.text())).on_hover_text(tip(ui, command)).clicked() {
                    actions.push(Action::Run(command));
                }
            }
        });
    });
}

/// The tooltip of a command with its keys.
fn tip(ui: &Ui, command: Command) -> String {
    match command.shortcut_text(ui.ctx()) {
        keys if keys.is_empty() => command.tooltip().to_owned(),
        keys => format!("{} ({keys})", command.tooltip()),
    }
}
