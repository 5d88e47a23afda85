//! The entries of the palette.

use crate::display::Colormap;
use crate::engine::DeviceChoice;
use crate::gpu::AdapterInfo;
use crate::lesson::{Lesson, lessons};
use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{GENERATORS, GeneratorEntry};
use crate::transforms::{Algorithm, TRANSFORMS, Transform};
use crate::ui::command::Command;
use crate::ui::panes::{PANES, PaneId};
use egui::Context;
use strum::IntoEnumIterator as _;

/// Something to do or to choose.
#[derive(Clone)]
pub(in crate::ui) enum Entry {
    /// Runs a command.
    Command(Command),
    /// Brings a pane to the front.
    Pane(PaneId),
    /// Opens a lesson.
    Lesson(&'static Lesson),
    /// Sets a transform.
    Transform(&'static Transform),
    /// Sets an algorithm of the transform that is set.
    Algorithm(&'static Algorithm),
    /// Loads a sample, by its name.
    Sample(&'static str, &'static str),
    /// Generates a signal.
    Generator(&'static GeneratorEntry),
    /// Sets the colours of the spectrum image.
    Colormap(Colormap),
    /// Sets the device.
    Device(DeviceChoice, String),
}

impl Entry {
    /// Every entry, in the order in which they are listed without a query.
    pub(super) fn all(transform: &'static Transform, adapters: &[AdapterInfo]) -> Vec<Self> {
        let commands = Command::all().filter(|command| *command != Command::Palette).map(Self::Command);
        let devices = [DeviceChoice::Auto, DeviceChoice::Gpu, DeviceChoice::Cpu, DeviceChoice::CpuStrided, DeviceChoice::CpuParallel];
        let adapters = adapters.iter().map(|adapter| DeviceChoice::Adapter(adapter.name.clone()));
        commands
            .chain(PANES.iter().map(|pane| Self::Pane(PaneId::of(pane))))
            .chain(TRANSFORMS.iter().map(Self::Transform))
            .chain(transform.algorithms.iter().map(Self::Algorithm))
            .chain(BUILT_IN.iter().map(|sample| Self::Sample(sample.name, sample.about)))
            .chain(GENERATORS.iter().map(Self::Generator))
            .chain(Colormap::iter().map(Self::Colormap))
            .chain(lessons().iter().map(Self::Lesson))
            .chain(devices.into_iter().chain(adapters).map(|device| Self::Device(device.clone(), device.title())))
            .collect()
    }

    /// The name in the list.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Command(command) => command.text().into(),
            Self::Pane(pane) => format!("Show {}", pane.info().title),
            Self::Lesson(lesson) => lesson.head.title.clone(),
            Self::Transform(transform) => transform.title.into(),
            Self::Algorithm(algorithm) => algorithm.name.into(),
            Self::Sample(name, _) => (*name).into(),
            Self::Generator(generator) => generator.name.into(),
            Self::Colormap(map) => map.name().into(),
            Self::Device(_, title) => title.clone(),
        }
    }

    /// A sentence on what it does.
    pub(super) fn about(&self) -> &'static str {
        match self {
            Self::Command(command) => command.tooltip(),
            Self::Pane(pane) => pane.info().help[0],
            Self::Lesson(lesson) => &lesson.head.summary,
            Self::Transform(transform) => transform.about,
            Self::Algorithm(algorithm) => algorithm.about,
            Self::Sample(_, about) => about,
            Self::Generator(generator) => generator.about,
            Self::Colormap(_) => "The colours of the spectrum image",
            Self::Device(..) => "The device that computes",
        }
    }

    /// The text at the right: the keys of a command, the place of a lesson, or the kind of the entry.
    pub(super) fn aside(&self, ctx: &Context) -> String {
        match self {
            Self::Command(command) => command.shortcut_text(ctx),
            Self::Pane(_) => "pane".into(),
            Self::Lesson(lesson) => lesson.source(),
            Self::Transform(_) => "transform".into(),
            Self::Algorithm(_) => "algorithm".into(),
            Self::Sample(..) => "sample".into(),
            Self::Generator(_) => "generator".into(),
            Self::Colormap(_) => "colour map".into(),
            Self::Device(..) => "device".into(),
        }
    }

    /// Other words that people search for.
    pub(super) fn synonyms(&self) -> &'static str {
        match self {
            Self::Command(Command::Open) => "load file import",
            Self::Command(Command::ExportView) => "save image picture png svg screenshot",
            Self::Command(Command::ExportValues) => "save data csv npy tiff numbers",
            Self::Command(Command::CopyView) => "clipboard screenshot",
            Self::Command(Command::SaveSession) => "project workspace store",
            Self::Command(Command::OpenSession) => "project workspace restore",
            Self::Command(Command::ReduceMotion) => "animation accessibility still",
            Self::Command(Command::SwitchTheme) => "dark light night colours",
            Self::Command(Command::ScaleUp) => "bigger font zoom interface",
            Self::Command(Command::ScaleDown) => "smaller font zoom interface",
            Self::Command(Command::Fit) => "whole reset zoom",
            Self::Command(Command::ActualPixels) => "actual pixels original size",
            Self::Command(Command::Maximise) => "enlarge full window",
            Self::Command(Command::ToggleLeft) => "sidebar inspector",
            Self::Command(Command::ToggleDrawer) => "bottom panel timing",
            Self::Command(Command::Measure) => "tune benchmark fastest",
            Self::Command(Command::Cancel) => "stop abort",
            Self::Command(Command::Help) => "shortcuts manual",
            Self::Command(Command::About) => "version licence",
            Self::Command(Command::Undo) => "revert back",
            Self::Command(Command::Redo) => "repeat forward",
            Self::Command(Command::Paste) => "insert clipboard",
            Self::Command(Command::Reload) => "refresh update",
            Self::Command(Command::OpenSecond) => "kernel convolve",
            Self::Command(Command::OpenMask) => "filter shapes",
            Self::Command(Command::ExportHandout) => "print worksheet report",
            Self::Command(Command::ExportHandoutTex) => "latex print worksheet",
            Self::Command(Command::ResetLayout) => "default restore panels",
            Self::Command(Command::Lessons) => "tutorial course teach",
            Self::Command(Command::Play) => "animate start",
            Self::Command(Command::Fullscreen) => "maximise presentation",
            Self::Command(Command::WholeImage) => "deselect region",
            Self::Pane(pane) => pane_synonyms(pane.info().name),
            Self::Transform(transform) => transform.name,
            Self::Lesson(lesson) => &lesson.name,
            _ => "",
        }
    }
}

/// Other words for a pane, by its name.
fn pane_synonyms(name: &str) -> &'static str {
    match name {
        "Spectrum" => "fft frequencies peaks",
        "SpectrumPicture" => "fft frequencies heatmap",
        "Filtered" => "mask notch denoise",
        "Timing" => "benchmark speed performance",
        "FlowGraph" => "butterfly diagram signal",
        "Wavelet" => "compress denoise threshold",
        "System" => "solve equations tridiagonal",
        "Logic" => "boolean truth nonlinearity",
        "Source" => "input samples signal",
        _ => "",
    }
}
