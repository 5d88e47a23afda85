//! Lessons: lays out the state of a step, keeps what the user changed in it, and leaves the lesson with it.

use super::Workspace;
use crate::engine::DeviceChoice;
use crate::graph::GraphNode;
use crate::lesson::{Lesson, State, lesson};
use crate::plan::Precision;
use crate::ui::command::Command;
use crate::ui::layout::lesson_tree;
use crate::ui::learn::settings_of;
use crate::ui::pane_id::PaneId;
use crate::ui::preset::Preset;
use crate::ui::settings::Settings;
use crate::ui::{graph_pane, timing};
use egui::Context;
use egui_tiles::Tree;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// The state of the open lesson that ends with the program.
#[derive(Default)]
pub(crate) struct OpenLesson {
    /// The settings with which the step began.
    begun: Option<Settings>,
    /// The settings of other steps, as the user left them, by lesson and step.
    left: HashMap<(String, usize), Settings>,
    /// The device and the precision that were set before the first step.
    own: Option<(DeviceChoice, Option<Precision>)>,
    /// Whether the step was laid out before the first frame told the width of the window.
    waits_for_width: bool,
}

impl Workspace {
    /// Opens a lesson by its name at a step from 0, or where it was left; returns whether there is one.
    pub fn show_lesson(&mut self, ctx: &Context, name: &str, step: Option<usize>) -> bool {
        let Some(lesson) = lesson(name) else { return false };
        self.open_lesson(ctx, lesson, step);
        true
    }

    /// Runs a command of the menu *Lesson*.
    pub(super) fn run_in_lesson(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Lessons => self.list_lessons(),
            Command::NextLessonStep => self.walk_lesson(ctx, true),
            Command::PreviousLessonStep => self.walk_lesson(ctx, false),
            Command::RestoreLessonStep => self.restore_step(ctx),
            Command::MeasureExperiment => self.measure_experiment(),
            _ => self.play_freely(),
        }
    }

    /// Opens a lesson at a step, or where it was left.
    pub(crate) fn open_lesson(&mut self, ctx: &Context, lesson: &'static Lesson, step: Option<usize>) {
        self.show_preset(Preset::Learn);
        self.keep_step();
        let step = step.unwrap_or_else(|| self.memory.learn.step_of(lesson));
        self.memory.learn.go_to(lesson, step);
        self.enter_step(ctx);
    }

    /// Goes to another step of the open lesson.
    pub(crate) fn go_to_step(&mut self, ctx: &Context, step: usize) {
        if let Some((lesson, _)) = self.memory.learn.open() {
            self.open_lesson(ctx, lesson, Some(step));
        }
    }

    /// Goes a step on or back, or to the list after the last one.
    pub(crate) fn walk_lesson(&mut self, ctx: &Context, is_forward: bool) {
        match self.memory.learn.open() {
            None => self.show_preset(Preset::Learn),
            Some((lesson, step)) if is_forward && step + 1 == lesson.steps.len() => self.list_lessons(),
            Some((_, step)) => self.go_to_step(ctx, if is_forward { step + 1 } else { step.saturating_sub(1) }),
        }
    }

    /// Shows the list of lessons.
    pub(crate) fn list_lessons(&mut self) {
        self.show_preset(Preset::Learn);
        self.keep_step();
        self.memory.learn.close();
        self.reveal(Preset::Learn.hero());
    }

    /// Keeps what the user changed in the step that is left.
    fn keep_step(&mut self) {
        let begun = self.lesson.begun.take();
        if let Some((lesson, step)) = self.memory.learn.open()
            && begun.is_some_and(|begun| begun != self.memory.settings)
        {
            self.lesson.left.insert((lesson.name.clone(), step), self.memory.settings.clone());
        }
    }

    /// Lays out the step of the open lesson, with what the user had changed in it.
    fn enter_step(&mut self, ctx: &Context) {
        let Some((lesson, step)) = self.memory.learn.open() else { return };
        let state = &lesson.steps[step].state;
        self.lay_out_lesson(ctx);
        match self.settings_of_step(state) {
            Ok(settings) => {
                let shown = self.lesson.left.remove(&(lesson.name.clone(), step)).unwrap_or_else(|| settings.clone());
                self.lesson.begun = Some(settings);
                self.set_step(shown, state);
            }
            Err(error) => self.show_error(format!("{}: {error}", lesson.name)),
        }
    }

    /// Restores the state with which the step began.
    pub(crate) fn restore_step(&mut self, ctx: &Context) {
        let Some((lesson, step)) = self.memory.learn.open() else {
            return self.show_message("no lesson is open".into());
        };
        self.lesson.left.remove(&(lesson.name.clone(), step));
        self.lesson.begun = None;
        self.show_preset(Preset::Learn);
        self.enter_step(ctx);
    }

    /// Measures the experiment of the open step, in the pane that shows it.
    fn measure_experiment(&mut self) {
        let has_experiment = self.memory.learn.open().is_some_and(|(lesson, step)| lesson.steps[step].state.experiment.is_some());
        if !has_experiment {
            return self.show_message("this step has no figure to measure".into());
        }
        let pane = PaneId::of(&timing::PANE);
        self.reveal(pane);
        self.panes.of(pane).measure();
    }

    /// The settings of a state; the device stays where the state names none.
    fn settings_of_step(&mut self, state: &State) -> Result<Settings, String> {
        let mut settings = settings_of(state)?;
        let set = &self.memory.settings;
        let own = self.lesson.own.get_or_insert_with(|| (set.device.clone(), set.precision));
        if state.plan.device.is_none() {
            settings.device = own.0.clone();
        }
        Ok(settings)
    }

    /// Gives new panes what the step shows that was opened with the program.
    pub(super) fn restore_step_views(&mut self) {
        if let Some((lesson, step)) = self.memory.learn.open().filter(|_| self.lesson.begun.is_some()) {
            self.panes.restore(&views_of(&lesson.steps[step].state));
        }
    }

    /// Sets settings, views, cursor and node of a state.
    fn set_step(&mut self, settings: Settings, state: &State) {
        self.content.at_rest = Some(settings.clone());
        self.content.undoer = egui::util::undoer::Undoer::default();
        self.memory.settings = settings;
        self.panes.restore(&views_of(state));
        let node = state.node.map(|node| GraphNode { column: node.stage, lane: node.lane });
        // The plan that is shown is that of the step before until the settings are compared with it.
        self.content.stale_since.get_or_insert_with(Instant::now);
        self.focus.set_when_run(state.stage.unwrap_or(usize::MAX), node);
    }

    /// Lays out the panes of the step of the open lesson.
    pub(crate) fn lay_out_lesson(&mut self, ctx: &Context) {
        (self.memory.tree, self.memory.rearranged, self.maximised) = (self.tree_of_step(ctx), false, None);
        self.lesson.waits_for_width = ctx.cumulative_pass_nr() == 0;
    }

    /// Lays out a step that was opened before the first frame, now that the width of the window is known.
    pub(crate) fn fit_lesson(&mut self, ctx: &Context) {
        if std::mem::take(&mut self.lesson.waits_for_width) {
            (self.memory.tree, self.memory.rearranged) = (self.tree_of_step(ctx), false);
        }
    }

    fn tree_of_step(&self, ctx: &Context) -> Tree<PaneId> {
        let Some((lesson, step)) = self.memory.learn.open() else { return Preset::Learn.first_tree() };
        let state = &lesson.steps[step].state;
        let named = |names: &[String]| names.iter().filter_map(|name| PaneId::named(name)).collect::<Vec<_>>();
        let beside = if state.panes.is_empty() { vec![PaneId::of(&graph_pane::PANE)] } else { named(&state.panes) };
        lesson_tree(&beside, &named(&state.lower), ctx.content_rect().width())
    }

    /// Whether something differs from the state with which the step began.
    pub(crate) fn has_left_step(&self) -> bool {
        self.lesson.begun.as_ref().is_none_or(|begun| *begun != self.memory.settings)
    }

    /// Leaves the lesson for the layout that it names, with everything that is shown.
    pub(crate) fn play_freely(&mut self) {
        let Some((lesson, step)) = self.memory.learn.open().filter(|_| self.memory.preset == Preset::Learn) else {
            return self.show_message("no lesson is open".into());
        };
        let state = &lesson.steps[step].state;
        let preset = state.layout.as_deref().and_then(|name| name.parse().ok()).unwrap_or(Preset::FlowGraph);
        let (settings, views, focus) = (self.memory.settings.clone(), self.panes.kept(), self.focus.clone());
        self.show_preset(preset);
        // Device and precision belong to the machine.
        let (device, precision) = (self.memory.settings.device.clone(), self.memory.settings.precision);
        let settings = Settings { device, precision, ..settings };
        self.content.at_rest = Some(settings.clone());
        self.content.followed = Some(settings.origin.clone());
        self.memory.settings = settings;
        self.panes.restore(&views);
        self.focus.set_when_run(focus.n_run, focus.pinned);
        self.show_message(format!("{}: left at step {}; Learn goes on there", lesson.head.title, step + 1));
    }

    /// Gives back the device and the precision that the lesson has replaced, before another layout takes them over.
    pub(crate) fn give_back_device(&mut self) {
        if let Some((device, precision)) = self.lesson.own.take() {
            (self.memory.settings.device, self.memory.settings.precision) = (device, precision);
        }
    }
}

/// The kept state of the panes.
fn views_of(state: &State) -> BTreeMap<String, Value> {
    let json = serde_json::to_value(&state.views).unwrap_or_default();
    let mut views: BTreeMap<String, Value> = serde_json::from_value(json).unwrap_or_default();
    if let Some(name) = &state.experiment {
        views.insert(timing::PANE.name.into(), serde_json::json!({ "experiment": name }));
    }
    views
}
