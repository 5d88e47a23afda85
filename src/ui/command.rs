//! The one table of commands: it feeds menus, shortcuts, the help card, the palette and the tests.

use super::gestures::taps_space;
use super::preset::Preset;
use egui::{Context, Key, KeyboardShortcut, Modifiers};

/// A command of the user to the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// Opens a file.
    Open,
    /// Records from the microphone.
    Record,
    /// Opens the next file of the folder.
    NextFile,
    /// Opens the previous file of the folder.
    PreviousFile,
    /// Shows the next signal that is open.
    NextTab,
    /// Shows the signal before it that is open.
    PreviousTab,
    /// Reads the file again.
    Reload,
    /// Opens a file to convolve the signal with.
    OpenSecond,
    /// Takes an image or numbers from the clipboard.
    Paste,
    /// Puts the pane under the pointer into the clipboard.
    CopyView,
    /// Writes the pane under the pointer as a figure.
    ExportView,
    /// Writes the values of the result.
    ExportValues,
    /// Writes a page with the flow graph, its values and its matrix.
    ExportHandout,
    /// The same as TeX.
    ExportHandoutTex,
    /// Their paper.
    SwitchPaper,
    /// Writes the session to its file.
    SaveSession,
    /// Writes the session to another file.
    SaveSessionAs,
    /// Opens a session.
    OpenSession,
    /// Opens a mask for the pane *Filtered*.
    OpenMask,
    /// Undoes the last change of the settings.
    Undo,
    /// Redoes the change that was undone.
    Redo,
    /// Lays out the panes for one kind of work.
    Preset(Preset),
    /// Shows the list of lessons.
    Lessons,
    /// Goes to the next step of the lesson.
    NextLessonStep,
    /// Goes to the step of the lesson before.
    PreviousLessonStep,
    /// Restores the state of the lesson's step.
    RestoreLessonStep,
    /// Measures the experiment of the lesson's step.
    MeasureExperiment,
    /// Leaves the lesson with its state.
    PlayFreely,
    /// Returns to the layout from which a file went to another one.
    BackToLayout,
    /// Puts the panes of the preset back where they were.
    ResetLayout,
    /// Opens or closes the left column.
    ToggleLeft,
    /// Opens or closes the drawer.
    ToggleDrawer,
    /// Shows another algorithm's flow graph beside the first, or the first alone.
    CompareGraphs,
    /// Shows one pane in the whole window, or all panes again.
    Maximise,
    /// Moves the focus to the next pane.
    NextPane,
    /// Moves the focus to the pane before.
    PreviousPane,
    /// Changes between dark and light.
    SwitchTheme,
    /// Switches motion off, or on again.
    ReduceMotion,
    /// Makes everything larger.
    ScaleUp,
    /// Makes everything smaller.
    ScaleDown,
    /// Shows everything in its usual size.
    ScaleReset,
    /// Transforms the whole image, without a region.
    WholeImage,
    /// Shows the whole image or plot.
    Fit,
    /// Makes the frequency axis logarithmic, or linear again.
    LogAxis,
    /// Shows one pixel of the data as one pixel of the screen.
    ActualPixels,
    /// Zooms in.
    ZoomIn,
    /// Zooms out.
    ZoomOut,
    /// Plays or pauses the flow graph.
    Play,
    /// Shows the next stage.
    StepForward,
    /// Shows the previous stage.
    StepBack,
    /// Measures every algorithm for the job that is shown.
    Measure,
    /// Cancels the computation.
    Cancel,
    /// Switches full screen on or off.
    Fullscreen,
    /// Opens the list of commands to search in.
    Palette,
    /// Opens the help card.
    Help,
    /// Opens the card with version, devices and licence.
    About,
}

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn ctrl_alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::ALT), key)
}

const SOURCES: [[KeyboardShortcut; 2]; 2] = [[ctrl(Key::Tab), ctrl(Key::PageDown)], [ctrl_shift(Key::Tab), ctrl(Key::PageUp)]];

/// The entry of a command in the table.
struct CommandInfo {
    command: Command,
    text: &'static str,
    tooltip: &'static str,
    shortcuts: &'static [KeyboardShortcut],
}

const fn row(command: Command, text: &'static str, tooltip: &'static str, shortcuts: &'static [KeyboardShortcut]) -> CommandInfo {
    CommandInfo { command, text, tooltip, shortcuts }
}

/// A menu with its commands.
pub(super) struct Menu {
    /// The title.
    pub title: &'static str,
    /// Its content.
    pub about: &'static str,
    rows: &'static [CommandInfo],
}

impl Menu {
    /// Its commands, in their order.
    pub(super) fn commands(&self) -> impl Iterator<Item = Command> {
        self.rows.iter().map(|info| info.command)
    }
}

/// Every command, in the order of the menus.
pub(super) static MENUS: &[Menu] = &[
    Menu {
        title: "File",
        about: "Files, sessions and exports",
        rows: &[
            row(Command::Open, "Open…", "Open an image, a signal or a table; several files become several sources", &[ctrl(Key::O)]),
            row(Command::Record, "Record", "Show the sound of the microphone while it is recorded, by the recorder of the system", &[]),
            row(Command::NextFile, "Next file", "Open the next file of the folder; all settings stay", &[plain(Key::PageDown)]),
            row(Command::PreviousFile, "Previous file", "Open the previous file of the folder; all settings stay", &[plain(Key::PageUp)]),
            row(Command::NextTab, "Next source", "Show the source used before; with Ctrl held, those before it", &SOURCES[0]),
            row(Command::PreviousTab, "Previous source", "Show the source used longest ago, or go back", &SOURCES[1]),
            row(Command::Reload, "Read the file again", "Read the file again; a change on disk is also seen by itself", &[plain(Key::F5)]),
            row(Command::OpenSecond, "Open second signal…", "Open a file to convolve the signal with", &[ctrl_shift(Key::O)]),
            row(Command::OpenSession, "Open session…", "Open a file that was written by Save session", &[ctrl_alt(Key::O)]),
            row(Command::OpenMask, "Open mask…", "Open a mask for Filtered: shapes as JSON, or an image as large as the spectrum", &[]),
            row(Command::SaveSession, "Save session", "Write settings, panes and the origin of the signal to its file", &[ctrl(Key::S)]),
            row(Command::SaveSessionAs, "Save session as…", "Write the session to a file with a new name", &[ctrl_shift(Key::S)]),
            row(
                Command::ExportView,
                "Export view…",
                "Write the pane under the pointer as SVG, PDF or PNG, with its axes and colour bar",
                &[ctrl_shift(Key::E)],
            ),
            row(Command::ExportValues, "Export values…", "Write the values of the result as NPY, CSV, PNG or TIFF", &[ctrl(Key::E)]),
            row(Command::ExportHandout, "Export handout…", "Write a page with flow graph, counts, times, values and matrix as SVG", &[]),
            row(Command::ExportHandoutTex, "Export handout as TeX…", "Write the same page for LaTeX", &[]),
            row(Command::SwitchPaper, "Paper of handouts", "Take US Letter instead of A4 for handouts, or A4 again", &[]),
        ],
    },
    Menu {
        title: "Edit",
        about: "Undo, redo and the clipboard",
        rows: &[
            row(Command::Undo, "Undo", "Undo the last change of the settings", &[ctrl(Key::Z)]),
            row(Command::Redo, "Redo", "Redo the change that was undone", &[ctrl_shift(Key::Z), ctrl(Key::Y)]),
            row(Command::Paste, "Paste", "Take an image or numbers from the clipboard", &[ctrl(Key::V)]),
            row(Command::CopyView, "Copy view", "Copy the pane under the pointer as an image", &[ctrl(Key::C)]),
        ],
    },
    Menu {
        title: "Layout",
        about: "Layouts, each with its own signal",
        rows: &[
            row(Command::Preset(Preset::Learn), Preset::Learn.title(), "Lessons: courses, and figures of papers", &[ctrl(Key::Num1)]),
            row(Command::Preset(Preset::Image), Preset::Image.title(), "Panes for images and their spectrum", &[ctrl(Key::Num2)]),
            row(Command::Preset(Preset::Signal), Preset::Signal.title(), "Panes for signals and their spectrum", &[ctrl(Key::Num3)]),
            row(Command::Preset(Preset::FlowGraph), Preset::FlowGraph.title(), "A large flow graph", &[ctrl(Key::Num4)]),
            row(
                Command::Preset(Preset::Logic),
                Preset::Logic.title(),
                "Panes for Boolean functions and their properties",
                &[ctrl(Key::Num5)],
            ),
            row(
                Command::Preset(Preset::Wavelet),
                Preset::Wavelet.title(),
                "Wavelet coefficients, thresholds and packets",
                &[ctrl(Key::Num6)],
            ),
            row(
                Command::Preset(Preset::System),
                Preset::System.title(),
                "Panes for tridiagonal systems and their solution",
                &[ctrl(Key::Num7)],
            ),
            row(Command::Preset(Preset::Benchmark), Preset::Benchmark.title(), "A large timing pane", &[ctrl(Key::Num8)]),
            row(
                Command::BackToLayout,
                "Back to the layout before",
                "Return to the layout from which the last file went to the one that suits it",
                &[KeyboardShortcut::new(Modifiers::ALT, Key::ArrowLeft)],
            ),
            row(Command::ResetLayout, "Reset layout", "Put the panes back where they were", &[ctrl_shift(Key::R)]),
        ],
    },
    Menu {
        title: "Lesson",
        about: "Lessons and their steps",
        rows: &[
            row(Command::Lessons, "All lessons", "Show the list of lessons: courses, and the figures of the papers", &[ctrl(Key::L)]),
            row(Command::NextLessonStep, "Next step", "Go to the next step of the lesson", &[ctrl(Key::ArrowRight)]),
            row(Command::PreviousLessonStep, "Step before", "Go to the step of the lesson before", &[ctrl(Key::ArrowLeft)]),
            row(
                Command::RestoreLessonStep,
                "Back to the lesson",
                "Set everything again as the step of the lesson begins",
                &[ctrl_shift(Key::L)],
            ),
            row(Command::MeasureExperiment, "Measure its figure", "Measure the figure or table of the paper on this machine", &[]),
            row(Command::PlayFreely, "Play freely", "Leave the lesson, and go on with what is shown", &[]),
        ],
    },
    Menu {
        title: "View",
        about: "Zoom, theme and screen",
        rows: &[
            row(Command::Fit, "Fit", "Show the whole image or plot", &[plain(Key::Num0)]),
            row(Command::ActualPixels, "100 %", "Show one pixel of the data as one pixel of the screen", &[plain(Key::Num1)]),
            row(
                Command::ZoomIn,
                "Zoom in",
                "Zoom in about the middle of the pane under the pointer",
                &[plain(Key::Plus), plain(Key::Equals)],
            ),
            row(Command::ZoomOut, "Zoom out", "Zoom out about the middle of the pane under the pointer", &[plain(Key::Minus)]),
            row(Command::LogAxis, "Log axis", "Make the frequency axis of Spectrum logarithmic, or linear again", &[]),
            row(Command::WholeImage, "Whole image", "Transform the whole image, without a region", &[plain(Key::W)]),
            row(Command::ToggleLeft, "Left column", "Open or close the column of source and transform", &[ctrl(Key::B)]),
            row(Command::ToggleDrawer, "Drawer", "Open or close the panes below: timing, flow graph, tables", &[ctrl(Key::J)]),
            row(Command::CompareGraphs, "Second flow graph", "Show another algorithm beside the flow graph, or the first alone", &[]),
            row(Command::Maximise, "Maximise", "Show the pane under the pointer in the whole window, or all panes again", &[plain(Key::M)]),
            row(Command::NextPane, "Next pane", "Move the focus to the next pane; Tab walks through its controls", &[plain(Key::F6)]),
            row(Command::PreviousPane, "Previous pane", "Focus the pane before", &[KeyboardShortcut::new(Modifiers::SHIFT, Key::F6)]),
            row(Command::SwitchTheme, "Switch theme", "Change between dark and light", &[ctrl_shift(Key::T)]),
            row(Command::ReduceMotion, "Reduce motion", "Switch motion off: lanes jump, and nothing fades; or on again", &[]),
            row(Command::ScaleUp, "Larger text", "Make everything larger", &[ctrl(Key::Plus), ctrl(Key::Equals)]),
            row(Command::ScaleDown, "Smaller text", "Make everything smaller", &[ctrl(Key::Minus)]),
            row(Command::ScaleReset, "Usual text size", "Show everything in its usual size", &[ctrl(Key::Num0)]),
            row(Command::Fullscreen, "Full screen", "Use the whole screen", &[plain(Key::F11)]),
        ],
    },
    Menu {
        title: "Run",
        about: "Play, measure and cancel",
        rows: &[
            row(Command::Play, "Play or pause", "Let the flow graph run stage by stage", &[plain(Key::Space)]),
            row(Command::StepForward, "Next stage", "Show the next stage of the flow graph", &[plain(Key::ArrowRight)]),
            row(Command::StepBack, "Previous stage", "Show the previous stage of the flow graph", &[plain(Key::ArrowLeft)]),
            row(
                Command::Measure,
                "Measure the algorithms",
                "Time every algorithm for this job on its device, and remember the fastest",
                &[ctrl_shift(Key::M)],
            ),
            row(Command::Cancel, "Cancel the computation", "Stop the computation that runs", &[plain(Key::Escape)]),
        ],
    },
    Menu {
        title: "Help",
        about: "Commands, keys and mouse",
        rows: &[
            row(Command::Palette, "Commands…", "Search all commands", &[ctrl(Key::K)]),
            row(Command::Help, "Keys and mouse", "Show what keys and mouse do", &[plain(Key::F1), plain(Key::Questionmark)]),
            row(Command::About, "About Papillon", "Show version, devices and licence", &[]),
        ],
    },
];

impl Command {
    /// Every command, in the order of the menus.
    pub fn all() -> impl Iterator<Item = Self> {
        MENUS.iter().flat_map(Menu::commands)
    }

    fn info(self) -> &'static CommandInfo {
        MENUS.iter().flat_map(|menu| menu.rows).find(|info| info.command == self).expect("every command stands in the table")
    }

    /// The name in menus, the palette and the help card.
    pub fn text(self) -> &'static str {
        self.info().text
    }

    /// One sentence on what the command does.
    pub fn tooltip(self) -> &'static str {
        self.info().tooltip
    }

    /// The keys, the first one shown in menus.
    pub fn shortcuts(self) -> &'static [KeyboardShortcut] {
        self.info().shortcuts
    }

    /// The first shortcut as the system writes it; empty without one.
    pub fn shortcut_text(self, ctx: &Context) -> String {
        self.shortcuts().first().map(|shortcut| ctx.format_shortcut(shortcut)).unwrap_or_default()
    }

    /// The commands whose keys were pressed in this frame, without those in `except`.
    ///
    /// Keys without a modifier belong to a text field that has the focus.
    /// They belong to any other control with the focus unless `view_first`: then the view under the pointer takes them.
    /// The key `closing`, where something is open that it closes, runs no command.
    pub fn pressed(ctx: &Context, except: &[Self], view_first: bool, closing: Option<Key>) -> Vec<Self> {
        let busy = ctx.text_edit_focused() || ctx.egui_wants_keyboard_input() && !view_first;
        let keys = |command: Self| command.shortcuts().iter().map(move |shortcut| (command, shortcut));
        let mut table: Vec<_> = Self::all().filter(|command| !except.contains(command)).flat_map(keys).collect();
        // Ctrl+Z would also match Ctrl+Shift+Z, so keys with more modifiers are checked first.
        table.sort_by_key(|(_, shortcut)| !(shortcut.modifiers.shift || shortcut.modifiers.alt));
        let mut pressed = Vec::new();
        for (command, shortcut) in table {
            if closing == Some(shortcut.logical_key) {
                continue;
            }
            let free = shortcut.modifiers != Modifiers::NONE || !busy || matches!(shortcut.logical_key, Key::F1 | Key::F6 | Key::F11);
            // Space with a drag moves a view, so Space alone counts when it is released.
            let is_space = *shortcut == plain(Key::Space);
            if free && (is_space && taps_space(ctx) || !is_space && ctx.input_mut(|input| input.consume_shortcut(shortcut))) {
                pressed.push(command);
            }
        }
        if !ctx.text_edit_focused() && ctx.input(|input| input.events.contains(&egui::Event::Copy)) {
            pressed.push(Self::CopyView);
        }
        pressed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use strum::IntoEnumIterator as _;

    #[test]
    fn no_two_commands_share_a_key_or_a_name() {
        let mut keys = HashMap::new();
        let mut names = HashMap::new();
        for command in Command::all() {
            for shortcut in command.shortcuts() {
                assert_eq!(keys.insert(*shortcut, command), None, "{shortcut:?}");
            }
            assert_eq!(names.insert(command.text(), command), None);
            assert!(!command.tooltip().is_empty() && !command.tooltip().ends_with('.'));
        }
        assert!(Preset::iter().all(|preset| Command::all().any(|command| command == Command::Preset(preset))));
    }
}
