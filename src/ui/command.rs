//! The one table of commands: it feeds menus, shortcuts, the help card, the palette and the tests.

use super::preset::Preset;
use egui::{Context, Key, KeyboardShortcut, Modifiers};
use strum::IntoEnumIterator as _;

/// What the user can ask the window to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::EnumIter)]
pub enum Command {
    /// Opens a file.
    Open,
    /// Opens a file to convolve the signal with.
    OpenSecond,
    /// Takes what the clipboard holds.
    Paste,
    /// Puts the pane under the pointer into the clipboard.
    CopyView,
    /// Writes the pane under the pointer as PNG.
    ExportView,
    /// Writes the numbers of the result.
    ExportValues,
    /// Writes a session.
    SaveSession,
    /// Opens a session.
    OpenSession,
    /// Takes back the last change of the settings.
    Undo,
    /// Makes it again.
    Redo,
    /// The layout for pictures.
    PresetImage,
    /// The layout for lines of samples.
    PresetSignal,
    /// The layout with a large flow graph.
    PresetFlowGraph,
    /// The layout for Boolean functions.
    PresetLogic,
    /// The layout for wavelet coefficients.
    PresetWavelet,
    /// The layout for tridiagonal systems.
    PresetSystem,
    /// The layout with a large timing pane.
    PresetBenchmark,
    /// Puts the panes of the preset back where they were.
    ResetLayout,
    /// Dark or light.
    SwitchTheme,
    /// Everything larger.
    ScaleUp,
    /// Everything smaller.
    ScaleDown,
    /// Everything in its usual size.
    ScaleReset,
    /// The whole picture or plot.
    Fit,
    /// One pixel of the data is one pixel of the screen.
    ActualPixels,
    /// Nearer.
    ZoomIn,
    /// Farther.
    ZoomOut,
    /// Lets the flow graph play.
    Play,
    /// One stage on.
    StepForward,
    /// One stage back.
    StepBack,
    /// Measures every algorithm for what is shown.
    Measure,
    /// Gives up what is being computed.
    Cancel,
    /// The window without its frame.
    Fullscreen,
    /// This table to search in.
    Palette,
    /// What keys and mouse do.
    Help,
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

impl Command {
    /// The name in menus, the palette and the help card.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Open => "Open…",
            Self::OpenSecond => "Open second signal…",
            Self::Paste => "Paste",
            Self::CopyView => "Copy view",
            Self::ExportView => "Export view…",
            Self::ExportValues => "Export values…",
            Self::SaveSession => "Save session…",
            Self::OpenSession => "Open session…",
            Self::Undo => "Undo",
            Self::Redo => "Redo",
            Self::PresetImage => "Image",
            Self::PresetSignal => "Signal",
            Self::PresetFlowGraph => "Flow graph",
            Self::PresetLogic => "Logic",
            Self::PresetWavelet => "Wavelet",
            Self::PresetSystem => "System",
            Self::PresetBenchmark => "Benchmark",
            Self::ResetLayout => "Reset layout",
            Self::SwitchTheme => "Switch theme",
            Self::ScaleUp => "Larger text",
            Self::ScaleDown => "Smaller text",
            Self::ScaleReset => "Usual text size",
            Self::Fit => "Fit",
            Self::ActualPixels => "100 %",
            Self::ZoomIn => "Zoom in",
            Self::ZoomOut => "Zoom out",
            Self::Play => "Play or pause",
            Self::StepForward => "Next stage",
            Self::StepBack => "Previous stage",
            Self::Measure => "Measure the algorithms",
            Self::Cancel => "Cancel the computation",
            Self::Fullscreen => "Full screen",
            Self::Palette => "Commands…",
            Self::Help => "Help",
        }
    }

    /// One sentence.
    pub const fn tooltip(self) -> &'static str {
        match self {
            Self::Open => "Open a picture, a recording, an array or a table of numbers",
            Self::OpenSecond => "Open a file to convolve the signal with",
            Self::Paste => "Take a picture or numbers from the clipboard",
            Self::CopyView => "Copy the pane under the pointer as a picture",
            Self::ExportView => "Write the pane under the pointer as a PNG, with its axes and colour bar",
            Self::ExportValues => "Write the numbers of the result as NPY, CSV, PNG or TIFF",
            Self::SaveSession => "Write everything that is set, the panes and where the signal comes from to a file",
            Self::OpenSession => "Open a file that was written by Save session",
            Self::Undo => "Take back the last change of the settings",
            Self::Redo => "Make the change that was taken back",
            Self::PresetImage => "Panes for pictures and their spectrum",
            Self::PresetSignal => "Panes for signals and their spectrum",
            Self::PresetFlowGraph => "A large flow graph",
            Self::PresetLogic => "Panes for Boolean functions and what is known of them",
            Self::PresetWavelet => "Wavelet coefficients, thresholds and packets",
            Self::PresetSystem => "Panes for tridiagonal systems and their solution",
            Self::PresetBenchmark => "A large timing pane",
            Self::ResetLayout => "Put the panes back where they were",
            Self::SwitchTheme => "Change between dark and light",
            Self::ScaleUp => "Make everything larger",
            Self::ScaleDown => "Make everything smaller",
            Self::ScaleReset => "Show everything in its usual size",
            Self::Fit => "Show the whole picture or plot",
            Self::ActualPixels => "One pixel of the data is one pixel of the screen",
            Self::ZoomIn => "Zoom in about the middle of the pane under the pointer",
            Self::ZoomOut => "Zoom out about the middle of the pane under the pointer",
            Self::Play => "Let the flow graph run stage by stage",
            Self::StepForward => "Show the next stage of the flow graph",
            Self::StepBack => "Show the previous stage of the flow graph",
            Self::Measure => "Time every algorithm for what is shown on its device, and remember the fastest",
            Self::Cancel => "Give up what is being computed",
            Self::Fullscreen => "Use the whole screen",
            Self::Palette => "Search all commands",
            Self::Help => "What keys and mouse do",
        }
    }

    /// The keys, the first one shown in menus.
    pub fn shortcuts(self) -> &'static [KeyboardShortcut] {
        match self {
            Self::Open => const { &[ctrl(Key::O)] },
            Self::OpenSecond => const { &[ctrl_shift(Key::O)] },
            Self::Paste => const { &[ctrl(Key::V)] },
            Self::CopyView => const { &[ctrl(Key::C)] },
            Self::ExportView => const { &[ctrl_shift(Key::E)] },
            Self::ExportValues => const { &[ctrl(Key::E)] },
            Self::SaveSession => const { &[ctrl(Key::S)] },
            Self::OpenSession => const { &[ctrl_shift(Key::S)] },
            Self::Undo => const { &[ctrl(Key::Z)] },
            Self::Redo => const { &[ctrl_shift(Key::Z), ctrl(Key::Y)] },
            Self::PresetImage => const { &[ctrl(Key::Num1)] },
            Self::PresetSignal => const { &[ctrl(Key::Num2)] },
            Self::PresetFlowGraph => const { &[ctrl(Key::Num3)] },
            Self::PresetLogic => const { &[ctrl(Key::Num4)] },
            Self::PresetWavelet => const { &[ctrl(Key::Num5)] },
            Self::PresetSystem => const { &[ctrl(Key::Num6)] },
            Self::PresetBenchmark => const { &[ctrl(Key::Num7)] },
            Self::ResetLayout => const { &[ctrl_shift(Key::R)] },
            Self::SwitchTheme => const { &[ctrl_shift(Key::T)] },
            Self::ScaleUp => const { &[ctrl(Key::Plus), ctrl(Key::Equals)] },
            Self::ScaleDown => const { &[ctrl(Key::Minus)] },
            Self::ScaleReset => const { &[ctrl(Key::Num0)] },
            Self::Fit => const { &[plain(Key::Num0)] },
            Self::ActualPixels => const { &[plain(Key::Num1)] },
            Self::ZoomIn => const { &[plain(Key::Plus), plain(Key::Equals)] },
            Self::ZoomOut => const { &[plain(Key::Minus)] },
            Self::Play => const { &[plain(Key::Space)] },
            Self::StepForward => const { &[plain(Key::ArrowRight)] },
            Self::StepBack => const { &[plain(Key::ArrowLeft)] },
            Self::Measure => const { &[ctrl_shift(Key::M)] },
            Self::Cancel => const { &[plain(Key::Escape)] },
            Self::Fullscreen => const { &[plain(Key::F11)] },
            Self::Palette => const { &[ctrl(Key::K)] },
            Self::Help => const { &[plain(Key::F1), plain(Key::Questionmark)] },
        }
    }

    /// The layout that a command sets.
    pub const fn preset(self) -> Option<Preset> {
        match self {
            Self::PresetImage => Some(Preset::Image),
            Self::PresetSignal => Some(Preset::Signal),
            Self::PresetFlowGraph => Some(Preset::FlowGraph),
            Self::PresetLogic => Some(Preset::Logic),
            Self::PresetWavelet => Some(Preset::Wavelet),
            Self::PresetSystem => Some(Preset::System),
            Self::PresetBenchmark => Some(Preset::Benchmark),
            _ => None,
        }
    }

    /// The first shortcut as people write it here, empty where there is none.
    pub fn shortcut_text(self, ctx: &Context) -> String {
        self.shortcuts().first().map(|shortcut| ctx.format_shortcut(shortcut)).unwrap_or_default()
    }

    /// The commands whose keys were pressed in this frame; keys without a modifier belong to a text field or slider that has the focus.
    ///
    /// `left` are commands whose keys the pane under the pointer reads itself.
    pub fn pressed(ctx: &Context, left: &[Self]) -> Vec<Self> {
        let busy = ctx.egui_wants_keyboard_input() || ctx.memory(|memory| memory.focused().is_some());
        let keys = |command: Self| command.shortcuts().iter().map(move |shortcut| (command, shortcut));
        let mut table: Vec<_> = Self::iter().filter(|command| !left.contains(command)).flat_map(keys).collect();
        // Ctrl+Z would take Ctrl+Shift+Z for itself, so the keys with more modifiers are asked for first.
        table.sort_by_key(|(_, shortcut)| !shortcut.modifiers.shift);
        let mut pressed = Vec::new();
        for (command, shortcut) in table {
            let free = shortcut.modifiers != Modifiers::NONE || !busy || matches!(shortcut.logical_key, Key::F1 | Key::F11);
            if free && ctx.input_mut(|input| input.consume_shortcut(shortcut)) {
                pressed.push(command);
            }
        }
        // The system's clipboard keys arrive as events of their own.
        if !ctx.egui_wants_keyboard_input() && ctx.input(|input| input.events.contains(&egui::Event::Copy)) {
            pressed.push(Self::CopyView);
        }
        pressed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_two_commands_share_a_key_or_a_name() {
        let mut keys = HashMap::new();
        let mut names = HashMap::new();
        for command in Command::iter() {
            for shortcut in command.shortcuts() {
                assert_eq!(keys.insert(*shortcut, command), None, "{shortcut:?}");
            }
            assert_eq!(names.insert(command.text(), command), None);
            assert!(!command.tooltip().is_empty() && !command.tooltip().ends_with('.'));
        }
    }
}
