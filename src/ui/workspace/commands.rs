//! Runs the commands of the user.

use super::{LayoutContent, Workspace};
use crate::engine::Measured;
use crate::figure::{FigureFormat, PaperSize};
use crate::graph::GraphNode;
use crate::plan::Direction;
use crate::transforms::ResultIndex;
use crate::ui::canvas::ZoomTo;
use crate::ui::command::Command;
use crate::ui::export::ValueScale;
use crate::ui::help::Card;
use crate::ui::layout::{self, Part};
use crate::ui::origin::Origin;
use crate::ui::pane::PaneServices;
use crate::ui::pane_id::PaneId;
use crate::ui::panes::Panes;
use crate::ui::preset::Preset;
use crate::ui::session::Memory;
use crate::ui::settings::{Beside, MaskTool, Settings};
use crate::ui::studies::Studies;
use crate::ui::{graph_pane, recent, second_graph, spectrum, spectrum_image, theme};
use egui::util::undoer::Undoer;
use egui::{Context, ThemePreference};
use std::path::PathBuf;

impl Workspace {
    /// The launch under the pointer in the pane *Timing*; its box is lit in the flow graph.
    pub fn lit_launch(&self) -> Option<usize> {
        self.lit_launch
    }

    /// The node of the flow graph that is pinned or under the pointer in any view of the plan.
    pub fn lit_node(&self) -> Option<GraphNode> {
        self.focus.lit
    }

    /// Reads earlier measurements from `path`, lets them guide the automatic choices, and adds new ones to the file.
    #[must_use]
    pub fn remembering(mut self, path: PathBuf) -> Self {
        let records = path.with_file_name("records");
        let list = path.with_file_name("recent.json");
        for file in recent::read(&list).iter().rev() {
            recent::put_first(file, &mut self.memory.recent);
        }
        self.recent_list = Some(list);
        let (measured, warning) = Measured::load(path);
        let records = Some((records, self.tasks.context().clone()));
        self.panes = Panes::new(&PaneServices { measured: measured.clone(), records, studies: Studies::of(self.engine.store()) });
        self.panes.restore(&self.memory.views);
        self.restore_step_views();
        self.engine.know(measured);
        if let Some(warning) = warning {
            self.show_error(warning);
        }
        self
    }

    /// Asks for paths by a prompt in the window, whatever file dialogs the system has.
    #[must_use]
    pub fn prompting_always(mut self) -> Self {
        self.tasks.prompt_always();
        self
    }

    /// Switches what belongs to the person.
    fn switch(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::SwitchTheme => self.switch_theme(ctx),
            Command::ReduceMotion => self.switch_motion(ctx),
            _ => self.switch_paper(),
        }
    }

    /// Writes the values that a visible pane shows in place of those of the result, otherwise these.
    fn export_values(&mut self) {
        if let Some(export) = self.panes.values(|id| self.rects.contains_key(&id)) {
            return self.tasks.export(export);
        }
        let Some(job) = self.job() else { return self.show_error("there are no values yet: open a signal first".into()) };
        let settings = &self.memory.settings;
        let scale = ValueScale { axis: settings.axis(&job.signal), pixel: settings.pixel_size(&job.signal) };
        self.tasks.export_values(job, self.engine.store(), scale);
    }

    /// Runs a command.
    pub fn run(&mut self, ctx: &Context, command: Command) {
        match command {
            Command::Preset(preset) => self.show_preset(preset),
            Command::Open => self.tasks.open(),
            Command::Record => self.record(ctx),
            Command::OpenSecond if self.memory.settings.takes_second() => self.tasks.open_second(),
            Command::OpenSecond => self.show_error(
                "this transform takes one signal: choose a convolution in Transform, or Second signal in the pane Transfer".into(),
            ),
            Command::Paste => ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste),
            Command::CopyView => self.copy_view(ctx),
            Command::ExportView => self.export_view(ctx),
            Command::ExportValues => self.export_values(),
            Command::ExportHandout => self.export_handout(FigureFormat::Svg),
            Command::ExportHandoutTex => self.export_handout(FigureFormat::Tikz),
            Command::SaveSession => match &self.session_file {
                Some(file) => self.tasks.save_session_to(file.clone(), self.kept_memory()),
                None => self.tasks.save_session(self.kept_memory()),
            },
            Command::SaveSessionAs => self.tasks.save_session(self.kept_memory()),
            Command::OpenSession => self.tasks.open_session(),
            Command::OpenMask => self.tasks.open_mask(),
            Command::Undo => self.undo(|undoer, now| undoer.undo(now).cloned(), "nothing to undo"),
            Command::Redo => self.undo(|undoer, now| undoer.redo(now).cloned(), "nothing to redo"),
            Command::Lessons | Command::NextLessonStep | Command::PreviousLessonStep => self.run_in_lesson(ctx, command),
            Command::RestoreLessonStep | Command::MeasureExperiment | Command::PlayFreely => self.run_in_lesson(ctx, command),
            Command::BackToLayout => match self.way_back {
                Some(preset) => self.show_preset(preset),
                None => self.show_message("no file has gone to another layout".into()),
            },
            Command::ResetLayout => self.lay_out(self.memory.preset),
            Command::ToggleLeft | Command::ToggleDrawer => self.toggle(ctx, command),
            Command::CompareGraphs => self.compare_graphs(),
            Command::Maximise => self.maximised = if self.maximised.is_some() { None } else { Some(self.active) },
            Command::NextPane | Command::PreviousPane => self.walk(ctx, command),
            Command::SwitchTheme | Command::ReduceMotion | Command::SwitchPaper => self.switch(ctx, command),
            Command::ScaleUp | Command::ScaleDown => self.set_scale(ctx, next_scale(self.memory.scale, command == Command::ScaleUp)),
            Command::ScaleReset => self.set_scale(ctx, 1.0),
            Command::Fit | Command::ActualPixels | Command::ZoomIn | Command::ZoomOut => self.zoom(command),
            Command::NextTab | Command::PreviousTab => self.step_source(if command == Command::NextTab { 1 } else { -1 }),
            Command::NextFile | Command::PreviousFile | Command::Reload => self.read_other(command),
            Command::LogAxis => self.switch_log_axis(),
            Command::WholeImage => self.memory.settings.preparation.region = None,
            Command::Measure if self.content.signal.is_some() => self.engine.measure(),
            Command::Measure => self.show_error("there is nothing to measure yet: open a signal first".into()),
            Command::Cancel if self.palette.is_open() => self.palette.close(ctx),
            Command::Cancel if self.card.is_some() => self.card = None,
            Command::Cancel if self.maximised.is_some() => self.maximised = None,
            Command::Cancel if self.leaves_tool() || self.panes.cancel() => {}
            Command::Cancel => self.cancel(),
            Command::Fullscreen => switch_full_screen(ctx),
            Command::Palette => self.palette.open(),
            Command::Help => self.card = toggled(self.card, Card::Help),
            Command::About => self.card = toggled(self.card, Card::About),
            Command::Play | Command::StepForward | Command::StepBack => self.panes.play(command, ctx.input(|input| input.time)),
        }
    }

    /// Goes back to pointing; returns whether there was a tool to leave.
    fn leaves_tool(&mut self) -> bool {
        let settings = &mut self.memory.settings;
        std::mem::take(&mut settings.boxes.is_tool)
            | std::mem::take(&mut settings.boxes.is_brush)
            | (std::mem::take(&mut settings.filter.tool) != MaskTool::Point)
    }

    /// Zooms in the pane that has the keys.
    fn zoom(&mut self, command: Command) {
        if let Some(zoom) = ZoomTo::of(command) {
            self.panes.of(self.active).zoom(zoom);
        }
    }

    /// Makes the frequency axis logarithmic, or linear again; only spectra have one.
    fn switch_log_axis(&mut self) {
        let settings = &mut self.memory.settings;
        let has_frequencies = settings.transform().index == ResultIndex::Frequency && settings.parameters.direction == Direction::Forward;
        if !has_frequencies {
            self.show_message("a logarithmic axis is for frequencies: choose a Fourier transform, forwards".into());
            return;
        }
        let look = &mut settings.result_look_mut().line;
        look.log_axis = !look.log_axis;
        self.reveal(PaneId::of(&spectrum::PANE));
    }

    /// Dark where it was light, and light where it was dark.
    fn switch_theme(&mut self, ctx: &Context) {
        self.memory.theme = if ctx.theme() == egui::Theme::Dark { ThemePreference::Light } else { ThemePreference::Dark };
        ctx.set_theme(self.memory.theme);
    }

    /// Opens the next or the previous file of the folder with all settings, or reads the same one again.
    fn read_other(&mut self, command: Command) {
        match (&self.memory.settings.origin, command) {
            (_, Command::Reload) => self.reload(),
            (Origin::File(path), _) => self.tasks.page(path.clone(), if command == Command::NextFile { 1 } else { -1 }),
            _ => self.show_message("open a file first: then the keys page through its folder".into()),
        }
    }

    fn copy_view(&self, ctx: &Context) {
        let pane = self.seen_pane();
        self.tasks.copy_view(ctx, self.rects.get(&pane).copied(), pane.info().title);
    }

    /// Exports the view of a pane as a figure; its next frame offers what it paints where it has none of its own.
    fn export_view(&mut self, ctx: &Context) {
        self.exported = Some(self.seen_pane());
        ctx.request_repaint();
    }

    /// The pane that was used last if it can be seen, otherwise one that shows the result.
    fn seen_pane(&self) -> PaneId {
        let results = [&spectrum_image::PANE, &spectrum::PANE].map(PaneId::of);
        let seen = std::iter::once(self.active).chain(results).find(|pane| self.rects.contains_key(pane));
        seen.unwrap_or(self.active)
    }

    /// Whether the window is too narrow for the left column. A column to which the user has moved a view does not fold by itself.
    pub(crate) fn is_narrow(&self, ctx: &Context) -> bool {
        layout::is_narrow(self.memory.preset, ctx.content_rect().width()) && layout::left_holds_choices(&self.memory.tree)
    }

    /// Whether the left column is shown; `None` where the user has moved panes so that there is none.
    pub(crate) fn left_is_open(&self, ctx: &Context) -> Option<bool> {
        let kept = layout::is_open(&self.memory.tree, Part::LeftColumn)?;
        Some(if self.is_narrow(ctx) { self.opens_narrow } else { kept })
    }

    /// Brings a pane to the front, and opens what holds it.
    pub(crate) fn reveal(&mut self, pane: PaneId) {
        self.opens_narrow |= layout::is_in(&self.memory.tree, Part::LeftColumn, pane);
        layout::reveal(&mut self.memory.tree, pane);
    }

    /// Shows the second flow graph, or the first one alone.
    /// Whether what a command switches is on; `None` for commands that switch nothing.
    pub(crate) fn is_on(&self, ctx: &Context, command: Command) -> Option<bool> {
        match command {
            Command::ToggleLeft => self.left_is_open(ctx),
            Command::ToggleDrawer => layout::is_open(&self.memory.tree, Part::Drawer),
            Command::CompareGraphs => Some(self.memory.settings.beside.is_some()),
            Command::Maximise => Some(self.maximised.is_some()),
            Command::ReduceMotion => Some(self.memory.reduces_motion),
            _ => None,
        }
    }

    fn compare_graphs(&mut self) {
        match self.memory.settings.beside.take() {
            Some(_) => self.reveal(PaneId::of(&graph_pane::PANE)),
            None => self.show_second_graph(),
        }
    }

    /// Shows the second flow graph, with another algorithm where none is set.
    pub(crate) fn show_second_graph(&mut self) {
        let settings = &mut self.memory.settings;
        if settings.beside.is_none() {
            settings.beside = Some(Beside::partner_of(settings.transform(), settings.algorithm.as_deref()));
        }
        self.reveal(PaneId::of(&second_graph::PANE));
    }

    /// Opens or closes a part of the window.
    fn toggle(&mut self, ctx: &Context, command: Command) {
        self.maximised = None;
        let part = if command == Command::ToggleLeft { Part::LeftColumn } else { Part::Drawer };
        match layout::is_open(&self.memory.tree, part) {
            Some(_) if part == Part::LeftColumn && self.is_narrow(ctx) => self.opens_narrow = !self.opens_narrow,
            Some(open) => layout::set_open(&mut self.memory.tree, part, !open),
            None => self.show_message("the panes have been moved, so there is nothing to fold: Reset layout puts them back".into()),
        }
    }

    fn undo(&mut self, step: impl FnOnce(&mut Undoer<Settings>, &Settings) -> Option<Settings>, nothing: &str) {
        match step(&mut self.content.undoer, &self.memory.settings) {
            Some(settings) => {
                self.keep_source();
                if settings.origin != self.memory.settings.origin && self.memory.preset != Preset::Learn {
                    self.memory.sources.use_now(&settings.origin);
                }
                self.content.followed = Some(settings.origin.clone());
                self.memory.settings = settings;
            }
            None => self.show_message(nothing.into()),
        }
    }

    /// Switches motion off or on.
    fn switch_paper(&mut self) {
        self.memory.paper = if self.memory.paper == PaperSize::A4 { PaperSize::Letter } else { PaperSize::A4 };
        self.show_message(format!("Handouts are on {}", self.memory.paper.title()));
    }

    fn switch_motion(&mut self, ctx: &Context) {
        self.memory.reduces_motion = !self.memory.reduces_motion;
        theme::set_motion(ctx, !self.memory.reduces_motion);
        self.show_message(if self.memory.reduces_motion { "Motion is off" } else { "Motion is on" }.into());
    }

    /// Takes everything from a session except the list of recent files and the choices of motion, paper and hints, which belong to the person.
    pub(super) fn take_session(&mut self, ctx: &Context, file: PathBuf, memory: Memory) {
        let recent = std::mem::take(&mut self.memory.recent);
        let (reduces_motion, paper, hints) = (self.memory.reduces_motion, self.memory.paper, std::mem::take(&mut self.memory.hints));
        self.memory = Memory { recent, reduces_motion, paper, hints, ..memory };
        self.panes.restore(&self.memory.views);
        self.panes.forget();
        self.content = LayoutContent::default();
        self.other_content.clear();
        self.note_earlier_run();
        ctx.set_theme(self.memory.theme);
        self.set_scale(ctx, self.memory.scale);
        self.show_message(format!("Opened {}", file.display()));
        self.session_file = Some(file);
    }

    /// Gives up the work of the engine and of the loader.
    pub(crate) fn cancel(&self) {
        let [computes, loads] = [self.engine.progress(), self.loader.loading()].map(|progress| progress.is_some());
        self.engine.cancel();
        if loads {
            self.loader.cancel();
        }
        if !computes && !loads {
            self.panes.cancel_studies();
        }
    }

    fn set_scale(&mut self, ctx: &Context, scale: f32) {
        self.memory.scale = scale_within(scale);
        ctx.set_zoom_factor(self.memory.scale);
        self.show_message(format!("interface at {} %", (100.0 * self.memory.scale).round()));
    }
}

/// The next larger or smaller scale of the interface, in the steps that people know.
fn next_scale(scale: f32, larger: bool) -> f32 {
    const STEPS: [f32; 12] = [0.5, 0.67, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0];
    let next = if larger {
        STEPS.into_iter().find(|step| *step > scale + 0.01)
    } else {
        STEPS.into_iter().rev().find(|step| *step < scale - 0.01)
    };
    next.unwrap_or(scale)
}

fn switch_full_screen(ctx: &Context) {
    let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
    ctx.send_viewport_cmd(egui::ViewportCommand::Fullscreen(!full));
}

/// Opens a card, or closes it where it is open.
fn toggled(open: Option<Card>, card: Card) -> Option<Card> {
    (open != Some(card)).then_some(card)
}

/// A zoom factor at which the window can be used; 1 for what is not a number.
pub(super) fn scale_within(scale: f32) -> f32 {
    if scale.is_nan() { 1.0 } else { scale.clamp(0.5, 4.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_go_in_known_steps() {
        assert_eq!([1.0, 1.1, 1.21, 2.0, 4.0].map(|scale| next_scale(scale, true)), [1.1, 1.25, 1.25, 2.5, 4.0]);
        assert_eq!([1.0, 1.21, 4.0, 0.5].map(|scale| next_scale(scale, false)), [0.9, 1.1, 3.0, 0.5]);
    }

    #[test]
    fn every_scale_shows_a_window() {
        assert_eq!([f32::NAN, 0.0, -1.0, f32::INFINITY, 1.25].map(scale_within), [1.0, 0.5, 0.5, 4.0, 1.25]);
    }
}
