//! The window: what happens in every frame. It draws bars and panes, reads input, and runs the actions that panes ask for.

use super::action::{Action, PaneOutput};
use super::bars;
use super::command::Command;
use super::dock::Dock;
use super::drop_zone;
use super::filtered;
use super::first_frame::frame_time;
use super::focus;
use super::help::{Facts, card_ui};
use super::layout::{self, Part};
use super::origin::{Origin, load_signal};
use super::palette::Entry;
use super::pane_id::PaneId;
use super::preset::Preset;
use super::relayout;
use super::scene::Scene;
use super::second_graph;
use super::shown::{Results, ShownJob};
use super::theme::background;
use super::toolbar;
use super::workspace::{DIM_AFTER, Workspace};
use crate::filter::MaskForm;
use crate::numerals::integer;
use crate::schedule::CutParameters;
use crate::signal::drawing::MOST_STROKES;
use crate::signal::short_name;
use crate::transforms::{Axes, Input, Shape, transform};
use egui::{CentralPanel, Context, Frame, Key, Popup, Ui};
use std::time::Duration;

/// The key of the remembered state. A new number discards what an older version wrote.
pub(super) const MEMORY_KEY: &str = "papillon-1";

/// The key under which eframe looks for the memory of egui. Only the scale is there.
const EGUI_KEY: &str = "egui";

impl Workspace {
    /// Shows the window.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.first_frame.clock(&ctx);
        self.set_title(&ctx);
        self.take_input(&ctx);
        bars::top_ui(self, ui);
        bars::status_ui(self, ui);
        let mut out = self.panes_ui(ui);
        let has_ring = self.memory.settings.filter.mask.shapes.iter().any(|shape| matches!(shape.form, MaskForm::Ring { .. }));
        self.memory.hints.ui(&ctx, self.memory.preset, has_ring, &self.rects, &mut out.actions);
        self.palette_ui(&ctx);
        self.tasks.prompt_ui(&ctx);
        self.raw_prompt_ui(&ctx);
        drop_zone::overlay_ui(&ctx, self.memory.settings.transform().input == Input::TwoSignals);
        self.toasts.show(&ctx);
        focus::ring_ui(self, ui);
        relayout::finish(&ctx);
        for action in out.actions {
            self.act(&ctx, action);
        }
        // The changes that a new signal makes to the settings belong to the step that asked for the signal.
        if self.has_loaded() {
            self.content.undoer.feed_state(ctx.input(|input| input.time), &self.memory.settings);
        }
        self.load_signal(&ctx);
        self.request_result(&ctx, out.view);
    }

    /// Does what a pane asked for; the next frame shows what that has changed.
    fn act(&mut self, ctx: &Context, action: Action) {
        ctx.request_repaint();
        let (settings, signal) = (&mut self.memory.settings, self.content.signal.as_ref());
        match action {
            Action::Run(command) => self.run(ctx, command),
            Action::RunIn(pane, command) => {
                self.active = pane;
                self.run(ctx, command);
            }
            Action::Reveal(pane) => {
                self.active = pane;
                self.reveal(pane);
            }
            Action::SetOrigin(origin) => settings.set_origin(origin),
            Action::SetTransform(name) => transform(name).into_iter().for_each(|transform| settings.set_transform(transform)),
            Action::SetScheme(scheme) => settings.set_scheme(scheme),
            Action::FollowFilter => signal.into_iter().for_each(|signal| settings.follow_filter(signal)),
            Action::ShowPath { first, index } => self.show_path(first, index),
            Action::SetSampling(sampling) => signal.into_iter().for_each(|signal| settings.type_sampling(sampling, signal)),
            Action::SetPixelSize(size) => signal.into_iter().for_each(|signal| settings.type_pixel_size(size, signal)),
            Action::Draw(strokes) => {
                if signal.is_some_and(|signal| !settings.draw(&strokes, signal)) {
                    self.show_error(format!(
                        "The drawing is full: it has {} strokes. Save the signal and go on with its file",
                        integer(MOST_STROKES)
                    ));
                }
            }
            Action::UndoDrawing => settings.drawn = None,
            Action::ReadAs(options) => self.read_as(*options),
            Action::ShowSource(origin) => self.use_source(&origin),
            Action::CloseSource(origin) => self.close_source(&origin),
            Action::ShowStream => self.show_stream(),
            Action::CloseStream => self.close_stream(),
            Action::UseHere(origin) => self.use_here(&origin),
            Action::PressChip(chip, press) => self.press(&chip, press),
            Action::ExportPixels(pane) => self.tasks.export_view(ctx, self.rects.get(&pane).copied(), pane.info().title),
            Action::OpenSamples(signal) => {
                self.maximised = None;
                self.take_pasted("Opening the part of the stream", load_signal(signal));
            }
            Action::Export(export) => self.tasks.export(*export),
            Action::OpenBoxes(extent) => self.tasks.open_boxes(extent),
            Action::ShowError(text) => self.show_error(text),
            Action::OpenLesson(lesson) => self.open_lesson(ctx, lesson, None),
            Action::GoToStep(step) => self.go_to_step(ctx, step),
        }
    }

    /// Names the signal in the title of the window, on the screen and for screen readers.
    fn set_title(&mut self, ctx: &Context) {
        let name =
            self.shown_stream().map(crate::engine::LiveStream::name).or(self.content.signal.as_ref().map(|signal| signal.name.as_str()));
        let title = name.map_or_else(|| "Papillon".to_owned(), |name| format!("{} – Papillon", short_name(name)));
        ctx.accesskit_node_builder(egui::accesskit_root_id(), |window| window.set_label(title.as_str()));
        if self.title != title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn panes_ui(&mut self, ui: &mut Ui) -> PaneOutput {
        self.fit_lesson(ui.ctx());
        let left_open = self.left_is_open(ui.ctx());
        self.opens_narrow &= self.is_narrow(ui.ctx());
        let focus = self.follow_plan();
        let mut out = PaneOutput { focus: focus.clone(), lit_launch: self.lit_launch, ..PaneOutput::default() };
        let stale = self.content.failed.is_some() || self.content.stale_since.is_some_and(|since| since.elapsed() > DIM_AFTER);
        let has_left_step = self.has_left_step();
        self.memory.learn.set_away(self.memory.preset != Preset::Learn);
        let second = self.content.signal.as_ref().and_then(|signal| self.second.signal(&self.memory.settings.second, signal));
        let (content, stand_in, veil) = (&self.content, self.stand_in(), self.veil());
        let [report, finished, failed] = [&content.report, &content.finished, &content.failed].map(Option::as_ref);
        let scene = Scene {
            settings: &mut self.memory.settings,
            sources: &self.memory.sources,
            stand_in: stand_in.as_ref(),
            whole: content.whole.as_ref(),
            signal: content.signal.as_ref(),
            second: second.as_ref(),
            stream: self.stream.as_ref(),
            preview: content.preview.as_ref(),
            results: Results { report, finished, failed, stale },
            veil,
            adapters: &self.adapters,
            read_time: content.read_time,
            history: &content.history,
            learn: &mut self.memory.learn,
            has_left_step,
            out: &mut out,
        };
        self.rects.clear();
        let preset = self.memory.preset;
        layout::show_where(&mut self.memory.tree, |pane| pane == preset.hero() || (pane.info().has_content)(&scene));
        let aspects = aspects(&scene.shown());
        let (panes, rects, exported) = (&mut self.panes, &mut self.rects, &mut self.exported);
        let (width, hidden_tabs) = (ui.available_width(), Vec::new());
        let mut dock = Dock { scene, panes, rects, exported, edited: false, maximised: self.maximised, width, hidden_tabs, corner: None };
        let tree = &mut self.memory.tree;
        let kept_open = layout::is_open(tree, Part::LeftColumn);
        left_open.into_iter().for_each(|open| layout::set_open(tree, Part::LeftColumn, open));
        if !self.memory.rearranged {
            layout::fit_sizes(tree, preset, ui.available_size(), left_open == Some(false), aspects);
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| dock.on_ground_ui(ui, tree));
        self.memory.rearranged |= dock.edited;
        // The panes of a wide window are kept.
        kept_open.into_iter().for_each(|open| layout::set_open(tree, Part::LeftColumn, open));
        self.maximised = dock.maximised;
        let (at, moved) = ui.input(|input| (input.pointer.hover_pos(), input.time - f64::from(input.pointer.time_since_last_movement())));
        if let Some(at) = at.filter(|_| moved >= self.tabbed_at)
            && let Some((pane, _)) = self.rects.iter().find(|(_, rect)| rect.contains(at))
        {
            self.active = *pane;
        }
        if self.read_out != out.read_out || out.focus != focus {
            // The status bar and some panes were drawn before.
            ui.request_repaint();
        }
        (self.focus, self.lit_launch) = (out.focus.clone(), out.lit_launch);
        self.read_out.clone_from(&out.read_out);
        self.keep_step_of_system(focus.n_run);
        out
    }

    /// Reads keys, dropped files and the clipboard.
    fn take_input(&mut self, ctx: &Context) {
        let view_first = self.is_pointer_at_work(ctx);
        if !ctx.input(|input| input.modifiers.command) {
            self.memory.sources.end_walk();
        }
        // Escape closes what is open before it cancels a computation.
        let closing = (Popup::is_any_open(ctx) || toolbar::is_open(ctx)).then_some(Key::Escape);
        let is_prompting = self.tasks.is_prompting() || self.raw_prompt.is_some();
        let pressed = if is_prompting { Vec::new() } else { Command::pressed(ctx, self.active.info().keys, view_first, closing) };
        for command in pressed {
            self.run(ctx, command);
        }
        drop_zone::take_dropped(self, ctx);
        drop_zone::take_clipboard(self, ctx);
    }

    /// Whether the pointer is over a view, and has moved since Tab moved the focus.
    fn is_pointer_at_work(&mut self, ctx: &Context) -> bool {
        let (now, tabbed) = ctx.input(|input| (input.time, input.key_pressed(Key::Tab)));
        if tabbed {
            self.tabbed_at = now;
        }
        let (at, rested) = ctx.input(|input| (input.pointer.hover_pos(), f64::from(input.pointer.time_since_last_movement())));
        let is_view = |pane: &PaneId| pane.info().shows_result || *pane == PaneId::of(&filtered::PANE);
        let is_over = |at| self.rects.iter().any(|(pane, rect)| is_view(pane) && rect.contains(at));
        focus::is_on_pane(ctx, self.active) || at.is_some_and(is_over) && now - rested > self.tabbed_at
    }

    fn palette_ui(&mut self, ctx: &Context) {
        let mut palette = std::mem::take(&mut self.palette);
        let chosen = palette.ui(ctx, (self.memory.settings.transform(), self.memory.settings.cut), &self.adapters);
        self.palette = palette;
        if let Some(entry) = chosen {
            self.choose(ctx, entry);
        }
        let outcome = self.content.finished.as_ref().and_then(|report| report.outcome());
        let computes = outcome.map(|outcome| outcome.device.as_str());
        let facts = Facts { first_frame: self.first_frame.shown_after(), computes, adapters: &self.adapters };
        self.card = self.card.filter(|card| card_ui(ctx, *card, &facts));
    }

    /// Does what an entry of the palette says.
    fn choose(&mut self, ctx: &Context, entry: Entry) {
        let settings = &mut self.memory.settings;
        match entry {
            Entry::Command(command) => self.run(ctx, command),
            Entry::Lesson(lesson) => self.open_lesson(ctx, lesson, None),
            Entry::Pane(pane) => {
                self.maximised = None;
                if pane == PaneId::of(&second_graph::PANE) { self.show_second_graph() } else { self.reveal(pane) }
            }
            Entry::Transform(transform) => settings.set_transform(transform),
            Entry::Algorithm(transform, algorithm) => {
                transform.into_iter().for_each(|transform| settings.set_transform(transform));
                settings.algorithm = Some(algorithm.name.into());
            }
            // The table has the value, so it fits.
            Entry::Parameter(choice, value) => drop(choice.set(&mut settings.parameters, Some(value.name))),
            Entry::CutParameter(choice, value) => {
                let mut parameters = CutParameters::of(settings.cut);
                drop(choice.set(&mut parameters, Some(value.name)));
                settings.cut = parameters.applied(settings.cut);
            }
            Entry::Sample(name, _) => settings.set_origin(Origin::Sample(name.into())),
            Entry::Generator(generator) => settings.set_origin(Origin::Generator((generator.default)())),
            Entry::Colormap(colormap) => settings.result_look_mut().image.colormap = colormap,
            Entry::Device(device, _) => settings.device = device,
        }
    }
}

/// The widths of the spectrum image and of the filtered image over their heights. Both axes of a plane of frequencies have one scale.
fn aspects(shown: &ShownJob<'_>) -> [f32; 2] {
    let of = |shape: Shape| (shape.columns.max(1) as f32 / shape.rows.max(1) as f32).clamp(1.0 / 16.0, 16.0);
    let spectrum = shown.shape().filter(|(_, axes)| *axes != Axes::Both || !shown.has_frequencies());
    let signal = shown.signal.map_or(1.0, |signal| of(Shape { rows: signal.rows, columns: signal.columns }));
    [spectrum.map_or(1.0, |(shape, _)| of(shape)), signal]
}

impl eframe::App for Workspace {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        Self::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let took = frame.info().cpu_usage.map_or(Duration::ZERO, Duration::from_secs_f32);
        ui.data_mut(|data| data.insert_temp(frame_time(), took));
        Self::ui(self, ui);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        background(visuals)
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        match serde_json::to_string(&self.kept_memory()) {
            Ok(text) => storage.set_string(MEMORY_KEY, text),
            Err(error) => log::error!("the settings of the window are not kept: {error}"),
        }
        // eframe keeps the size of the window in points, and reads their scale from here before it opens the window.
        let scale = self.tasks.context().zoom_factor();
        storage.set_string(EGUI_KEY, format!("(options:(zoom_factor:{scale:?}))"));
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }
}
