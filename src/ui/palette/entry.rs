//! The entries of the palette.

use crate::choice::{Choice, Chosen as _, Named as _, NamedValue};
use crate::display::Colormap;
use crate::engine::{DeviceChoice, NAMED_DEVICES};
use crate::gpu::AdapterInfo;
use crate::lesson::{Lesson, lessons};
use crate::schedule::{Cut, CutParameters};
use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{GENERATORS, GeneratorEntry};
use crate::transforms::{Algorithm, Parameters, TRANSFORMS, Transform};
use crate::ui::command::Command;
use crate::ui::pane_id::PaneId;
use crate::ui::panes::PANES;
use crate::ui::preset::Preset;
use egui::Context;

/// Something to do or to choose.
#[derive(Clone)]
pub(crate) enum Entry {
    /// Runs a command.
    Command(Command),
    /// Brings a pane to the front.
    Pane(PaneId),
    /// Opens a lesson.
    Lesson(&'static Lesson),
    /// Sets a transform.
    Transform(&'static Transform),
    /// Sets an algorithm, of another transform than the one that is set, if any.
    Algorithm(Option<&'static Transform>, &'static Algorithm),
    /// Sets a parameter of the transform.
    Parameter(&'static Choice<Parameters>, &'static NamedValue),
    /// Sets a parameter of the schedule.
    CutParameter(&'static Choice<CutParameters>, &'static NamedValue),
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
    pub(super) fn all((transform, cut): (&'static Transform, Cut), adapters: &[AdapterInfo]) -> Vec<Self> {
        let commands = Command::all().filter(|command| *command != Command::Palette).map(Self::Command);
        let devices = NAMED_DEVICES.iter().map(|row| row.device.clone());
        let adapters = adapters.iter().map(|adapter| DeviceChoice::Adapter(adapter.name.clone()));
        let parameters = Parameters::CHOICES.iter().filter(|choice| transform.has(choice.id));
        let of_cut = CutParameters::CHOICES.iter().filter(|choice| choice.id.is_of(cut, transform, None));
        let others = TRANSFORMS.iter().filter(|other| other.name != transform.name);
        commands
            .chain(PANES.iter().map(|pane| Self::Pane(PaneId::of(pane))))
            .chain(TRANSFORMS.iter().map(Self::Transform))
            .chain(transform.algorithms.iter().map(|algorithm| Self::Algorithm(None, algorithm)))
            .chain(parameters.flat_map(|choice| choice.kind.values().iter().map(move |value| Self::Parameter(choice, value))))
            .chain(of_cut.flat_map(|choice| choice.kind.values().iter().map(move |value| Self::CutParameter(choice, value))))
            .chain(others.flat_map(|other| other.algorithms.iter().map(|algorithm| Self::Algorithm(Some(other), algorithm))))
            .chain(BUILT_IN.iter().map(|sample| Self::Sample(sample.name, sample.about)))
            .chain(GENERATORS.iter().map(Self::Generator))
            .chain(Colormap::ALL.iter().copied().map(Self::Colormap))
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
            Self::Algorithm(None, algorithm) => algorithm.name.into(),
            Self::Algorithm(Some(transform), algorithm) => format!("{} · {}", algorithm.name, transform.title),
            Self::Parameter(choice, value) => format!("{}: {}", choice.title, value.title),
            Self::CutParameter(choice, value) => format!("{}: {}", choice.title, value.title),
            Self::Sample(name, _) => (*name).into(),
            Self::Generator(generator) => generator.name.into(),
            Self::Colormap(map) => map.title().into(),
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
            Self::Algorithm(_, algorithm) => algorithm.about,
            Self::Parameter(_, value) | Self::CutParameter(_, value) => value.about(),
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
            Self::Algorithm(..) => "algorithm".into(),
            Self::Parameter(..) | Self::CutParameter(..) => "parameter".into(),
            Self::Sample(..) => "sample".into(),
            Self::Generator(_) => "generator".into(),
            Self::Colormap(_) => "colour map".into(),
            Self::Device(..) => "device".into(),
        }
    }

    /// Other words that people search for.
    pub(super) fn synonyms(&self) -> &'static str {
        match self {
            Self::Command(Command::Open) => "load file import jpeg tiff wav",
            Self::Command(Command::Record) => "microphone live stream sound input",
            Self::Command(Command::ExportView) => "save image picture png svg screenshot",
            Self::Command(Command::ExportValues) => "save data csv npy tiff numbers",
            Self::Command(Command::CopyView) => "clipboard screenshot",
            Self::Command(Command::SaveSession) => "project workspace store",
            Self::Command(Command::OpenSession) => "project workspace restore",
            Self::Command(Command::ReduceMotion) => "animation accessibility still",
            Self::Command(Command::SwitchTheme) => "dark light night colours",
            Self::Command(Command::ScaleUp) => "bigger font zoom interface scale 150 200 percent",
            Self::Command(Command::ScaleDown) => "smaller font zoom interface scale",
            Self::Command(Command::LogAxis) => "logarithmic frequency decades",
            Self::Command(Command::Fit) => "whole reset zoom",
            Self::Command(Command::ActualPixels) => "actual pixels original size",
            Self::Command(Command::CompareGraphs) => "second graph beside algorithms difference",
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
            Self::Command(Command::SwitchPaper) => "a4 letter print format",
            Self::Command(Command::ExportHandoutTex) => "latex print worksheet",
            Self::Command(Command::ResetLayout) => "default restore panels",
            Self::Command(Command::Lessons) => "tutorial course teach",
            Self::Command(Command::Play) => "animate start",
            Self::Command(Command::Fullscreen) => "maximise presentation",
            Self::Command(Command::WholeImage) => "deselect region",
            Self::Command(Command::Preset(Preset::Logic)) => "boolean truth table sbox s-box",
            Self::Pane(pane) => pane_synonyms(pane.info().name),
            Self::Transform(transform) => transform_synonyms(transform.name),
            Self::Generator(generator) if generator.name == "Boolean function" => "truth table sbox s-box",
            Self::Lesson(lesson) => &lesson.name,
            _ => "",
        }
    }
}

/// Other words for a transform, by its name, which is one of them.
fn transform_synonyms(name: &'static str) -> &'static str {
    match name {
        "dft" => "dft fft spectrum frequencies",
        "dft2" => "dft2 fft2 fft spectrum frequencies",
        "rdft" => "rdft rfft fft spectrum frequencies",
        "rdft2" => "rdft2 rfft2 fft spectrum frequencies",
        "walsh" => "walsh wht fwht hadamard sequency",
        "walsh2" => "walsh2 wht fwht hadamard sequency",
        "reed-muller" => "reed-muller anf algebraic polynomial",
        "arithmetic" => "arithmetic polynomial",
        "cdf97" | "cdf97-2" => "cdf97 cdf97-2 dwt wavelet lifting jpeg2000",
        "d2" | "d2-2" => "d2 d2-2 dwt wavelet",
        "d4" | "d4-2" => "d4 d4-2 dwt wavelet",
        "d4-packet" => "d4-packet dwt wavelet best basis",
        "tridiagonal" => "tridiagonal solve equations",
        _ => name,
    }
}

/// Other words for a pane, by its name.
fn pane_synonyms(name: &str) -> &'static str {
    match name {
        "Spectrum" => "frequencies peaks decibels tone distortion level band",
        "Spectrogram" => "waterfall sonogram time frequency stft box tone hum notches band remove filter cut listen play call",
        "SpectrumPicture" => "frequencies heatmap",
        "Filtered" => "mask notch denoise remove stripes moire low pass high pass",
        "Timing" => "benchmark speed performance",
        "FlowGraph" => "butterfly diagram signal",
        "Wavelet" => "compress denoise threshold",
        "System" => "solve equations tridiagonal",
        "Logic" => "boolean truth nonlinearity sbox s-box",
        "Source" => "input samples signal",
        _ => "",
    }
}
