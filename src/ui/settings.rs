//! Everything that the user sets and can undo: the signal, the transform, and how the result is shown.

mod beside;
mod boxes_look;
mod drawn;
mod earlier;
mod filter;
mod looks;
mod measures;
mod results;
mod signal_look;
mod slice;
mod spectrogram_look;
mod suiting;
mod transfer_look;
mod typed_axis;

pub use beside::Beside;
pub(crate) use boxes_look::NARROWEST;
pub use boxes_look::{BoxView, BoxesLook};
pub use drawn::Drawn;
pub(crate) use drawn::drawn_channel;
pub use earlier::{Act, Acting, Earlier};
pub(super) use filter::presets;
pub use filter::{FilterLook, FilteredView, MaskTool, PaintedLook, SplitEdge};
pub use looks::{KeepBy, LogicLook, LogicTab, SynthesisLook, SystemLook, TruthLook, WaveletLook, WaveletTab};
pub(super) use looks::{MemoryLook, MemoryView, SpectrumKind, TableKind};
pub use measures::{BlurForm, MeasureLook, PairLook, PairTask, ProfileTab};
pub use results::{FrequencyUnit, LineLook, ResultLook, ResultLooks};
pub(super) use results::{value_label, value_label_in};
pub use signal_look::{FrameLength, SignalLook, SignalMarks};
pub use slice::{Line, Part, Slice};
pub use spectrogram_look::{PictureLength, SpectrogramLook};
pub use transfer_look::{PairedWith, TransferLook, TransferView};
pub use typed_axis::{TypedPixel, TypedRate};

use crate::engine::filter::axes;
use crate::engine::{Cut, DeviceChoice, Job};
use crate::numerals::counted;
use crate::plan::{Direction, Precision};
use crate::prepare::{Extent, Preparation};
use crate::signal::built_in::CHORD;
use crate::signal::generate::{Boolean, Equations, Generator, NoiseSignal, SquareWave};
use crate::signal::{ChannelChoice as Channel, ReadOptions, Signal, System, Watch};
use crate::transforms::filtering;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Family, Input, Parameters, Shape, TRANSFORMS, Transform, transform};
use std::sync::Arc;

use super::origin::{Origin, SecondOrigin, TableReading};
use super::preset::Preset;

/// Everything that can be undone.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The origin of the signal.
    pub origin: Origin,
    /// How the table of the signal is read; `None` leaves it to its content, and to what was chosen for tables with the same header.
    pub table: Option<ReadOptions>,
    /// The part of the source that is shown; `None` leaves it to the layout.
    pub slice: Option<Slice>,
    /// The drawing on the signal.
    pub drawn: Option<Drawn>,
    /// The preparation of the samples before the transform.
    pub preparation: Preparation,
    /// The second signal of a convolution.
    pub second: SecondOrigin,
    /// The sampling that was typed for a signal.
    pub typed_rate: Option<TypedRate>,
    /// The size of a pixel that was typed for an image. Older sessions keep the step of the samples of a signal in a length here.
    pub typed_pixel: Option<TypedPixel>,
    /// The channel of the first signal.
    pub channel: Channel,
    /// Name of the transform in the table.
    pub transform: String,
    /// Name of the algorithm; `None` takes the fastest.
    pub algorithm: Option<String>,
    /// The parameters of the transform.
    pub parameters: Parameters,
    /// The second flow graph, where one is shown.
    pub beside: Option<Beside>,
    /// How a schedule cuts the plan into launches.
    pub cut: Cut,
    /// The device.
    pub device: DeviceChoice,
    /// The precision of real and complex numbers; `None` as [`Job::precision`] says.
    pub precision: Option<Precision>,
    /// The row of a batch or an image that is plotted.
    pub row: usize,
    /// How results are shown, by their family.
    pub looks: ResultLooks,
    /// How the spectrum of a recording is measured and shown.
    pub signal_look: SignalLook,
    /// How its spectrogram is computed and shown.
    pub spectrogram: SpectrogramLook,
    /// The boxes of time and frequency, and the filter by them.
    pub boxes: BoxesLook,
    /// How two channels are measured against each other.
    pub transfer: TransferLook,
    /// How the values of a Boolean function are shown.
    pub truth: TruthLook,
    /// How the properties of a Boolean function are shown.
    pub logic: LogicLook,
    /// How wavelet coefficients are shown and thresholded.
    pub wavelet: WaveletLook,
    /// The operation on the coefficients.
    pub synthesis: SynthesisLook,
    /// The filter of images, and how it is shown.
    pub filter: FilterLook,
    /// How a tridiagonal system is solved and shown.
    pub system: SystemLook,
    /// Markers and profiles of an image.
    pub measure: MeasureLook,
    /// The view of the pane *Memory*.
    pub memory: MemoryLook,
    /// The settings of an earlier source or run that act, and its offers.
    pub earlier: Earlier,
}

/// The kind of a signal: its samples, or equations where it is a system that is solved.
pub(super) fn description(transform: &Transform, signal: &Signal) -> String {
    match transform.input == Input::Equations && System::may_be_in(signal) {
        true => format!("{}, each a row of a, b, c and d", counted(signal.rows, "equation")),
        false => signal.description(),
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            origin: Origin::default(),
            table: None,
            slice: Some(Slice::default()),
            drawn: None,
            preparation: Preparation::default(),
            second: SecondOrigin::default(),
            typed_rate: None,
            typed_pixel: None,
            channel: Channel::default(),
            transform: "dft2".into(),
            algorithm: None,
            parameters: Parameters::default(),
            beside: None,
            cut: Cut::default(),
            device: DeviceChoice::default(),
            precision: None,
            row: 0,
            looks: ResultLooks::default(),
            signal_look: SignalLook::default(),
            spectrogram: SpectrogramLook::default(),
            boxes: BoxesLook::default(),
            transfer: TransferLook::default(),
            truth: TruthLook::default(),
            logic: LogicLook::default(),
            wavelet: WaveletLook::default(),
            synthesis: SynthesisLook::default(),
            filter: FilterLook::default(),
            system: SystemLook::default(),
            measure: MeasureLook::default(),
            memory: MemoryLook::default(),
            earlier: Earlier::default(),
        }
    }
}

impl Settings {
    /// Reads or generates the signals, which a window does later.
    ///
    /// # Errors
    /// In one line, if one cannot be loaded.
    pub fn check_origins(&self) -> Result<(), String> {
        let second = if let SecondOrigin::Other(origin) = &self.second { Some(origin) } else { None };
        let chosen = TableReading { chosen: self.table.clone(), ..TableReading::default() };
        let first = self.origin.load(&chosen);
        let second = second.and_then(|origin| origin.load(&TableReading::default()));
        first.into_iter().chain(second).try_for_each(|(_, load)| load(&Watch::default()).map(drop).map_err(|refusal| refusal.words))
    }

    /// The transform that is set; an unknown name falls back to the first row of the table.
    pub fn transform(&self) -> &'static Transform {
        TRANSFORMS.iter().find(|transform| transform.name == self.transform).unwrap_or(&TRANSFORMS[0])
    }

    /// The shape of the samples of a signal after their preparation.
    pub fn prepared_shape(&self, signal: &Signal) -> Shape {
        self.preparation.shape(Shape { rows: signal.rows, columns: signal.columns }, self.transform().axes(self.parameters))
    }

    /// Keeps the region for another signal only where it lies inside.
    pub(super) fn fit_region(&mut self, signal: &Signal) {
        let shape = Shape { rows: signal.rows, columns: signal.columns };
        self.preparation.region = self.preparation.region.filter(|region| region.check(shape, signal.kind).is_ok());
    }

    /// Forgets a size of the padding that was typed for one signal.
    pub(super) fn forget_typed_size(&mut self) {
        if let Extent::To(_) = self.preparation.padding.extent {
            self.preparation.padding = Default::default();
        }
    }

    /// Opens another signal: a size that was typed belongs to the one before.
    pub(super) fn open(&mut self, origin: Origin) {
        if origin != self.origin {
            (self.table, self.slice) = (None, None);
            self.signal_look.marks = SignalMarks::default();
            self.forget_typed_size();
        }
        self.origin = origin;
    }

    /// Sets another transform; the algorithm stays if the new transform has it too.
    pub fn set_transform(&mut self, transform: &'static Transform) {
        if self.transform != transform.name {
            // Its coefficients are others.
            (self.synthesis.picked, self.synthesis.changed) = (None, Vec::new());
        }
        self.transform = transform.name.into();
        if !transform.has_inverse {
            self.parameters.direction = Direction::Forward;
        }
        if self.algorithm.as_deref().is_some_and(|name| transform.algorithm(name).is_err()) {
            self.algorithm = None;
        }
    }

    /// Sets the filter of a signal by the mask as the transform, so that its plan is drawn, timed and followed.
    pub(super) fn follow_filter(&mut self, signal: &Signal) {
        self.set_transform(filtering::along(axes(signal)));
        self.second = SecondOrigin::Mask;
    }

    /// Whether a second signal is loaded.
    pub(super) fn takes_second(&self) -> bool {
        self.transform().input == Input::TwoSignals || self.measure.pair.has_second || self.transfer.with == PairedWith::Second
    }

    /// How the result is shown.
    pub fn result_look(&self) -> &ResultLook {
        self.looks.of(self.transform(), self.parameters.direction)
    }

    /// How the result is shown, to be changed.
    pub(super) fn result_look_mut(&mut self) -> &mut ResultLook {
        self.looks.of_mut(self.transform(), self.parameters.direction)
    }

    /// Shows another file of the folder; what was typed for the one before holds for it too.
    pub(super) fn page_to(&mut self, path: std::path::PathBuf) {
        let origin = Origin::File(path);
        let typed = [self.typed_rate.as_mut().map(|typed| &mut typed.origin), self.typed_pixel.as_mut().map(|typed| &mut typed.origin)];
        for of in typed.into_iter().flatten().filter(|of| **of == self.origin) {
            *of = origin.clone();
        }
        self.origin = origin;
    }

    /// The settings that a layout begins with: a signal made for it, and a transform that suits it.
    pub(super) fn of_preset(preset: Preset) -> Self {
        let generated = |generator: Generator, transform: &str| (Origin::Generator(generator), transform.to_owned());
        let (origin, transform) = match preset {
            Preset::Image | Preset::Learn => (Origin::default(), "dft2".to_owned()),
            Preset::Signal => (Origin::Sample(CHORD.to_owned()), "dft".to_owned()),
            Preset::FlowGraph => generated(Generator::Square(SquareWave { length: 8, amplitude: 1.0, frequency: 1.0, duty: 0.375 }), "dft"),
            Preset::Logic => generated(Generator::Boolean(Boolean::default()), "walsh"),
            Preset::Wavelet => (Origin::default(), "cdf97-2".to_owned()),
            Preset::System => generated(Generator::Equations(Equations::default()), TRIDIAGONAL.name),
            Preset::Benchmark => generated(Generator::Noise(NoiseSignal { length: 1 << 16, ..NoiseSignal::default() }), "walsh"),
        };
        let mut settings = Self { origin, transform, ..Self::default() };
        if preset == Preset::FlowGraph {
            // The same sums in two geometries, one launch a stage.
            settings.algorithm = Some("cooley-tukey-dif".into());
            settings.beside = Some(Beside::partner_of(settings.transform(), settings.algorithm.as_deref()));
            settings.cut = Cut::Stages;
        }
        // The recording has a rate.
        settings.looks.fit_units(preset == Preset::Signal);
        settings
    }

    /// Takes the fastest algorithm where the one that the layout came with supports no signal of this shape, and no second graph then.
    pub(super) fn fit_algorithms(&mut self, signal: &Arc<Signal>) {
        let supports = |job: Job| {
            let algorithm = transform(job.transform).ok()?.algorithm(job.algorithm?).ok()?;
            Some(algorithm.plan_fn()?(job.shape(), job.parameters).is_ok())
        };
        let [first, second] = [Some(self.job(signal)), self.job_beside(signal)].map(|job| job.and_then(supports).unwrap_or(true));
        if !first {
            self.algorithm = None;
        }
        if !second {
            self.beside = None;
        }
    }

    /// Takes the Fourier transform where the one that is set takes no signal of this shape: a layout for times shows some at once.
    pub(super) fn fit_transform(&mut self, signal: &Signal) {
        let (transform, shape) = (self.transform(), self.prepared_shape(signal));
        let supports = |algorithm: &Algorithm| algorithm.plan_fn().is_none_or(|plan| plan(shape, self.parameters).is_ok());
        if !transform.algorithms.iter().any(supports) {
            let fourier = TRANSFORMS.iter().find(|other| other.family == Family::Fourier && other.axes == transform.axes);
            fourier.into_iter().for_each(|fourier| self.set_transform(fourier));
        }
    }

    /// The job for the engine, without the second signal of a convolution.
    pub fn job(&self, signal: &Arc<Signal>) -> Job {
        let transform = self.transform();
        let algorithm = self.algorithm.as_deref().and_then(|name| transform.algorithm(name).ok());
        let shape = self.prepared_shape(signal);
        Job {
            signal: signal.clone(),
            second: None,
            channel: self.channel,
            transform: transform.name,
            algorithm: algorithm.map(|algorithm| algorithm.name),
            parameters: transform.within_levels(shape, transform.within_lines(shape, self.parameters)),
            cut: self.cut,
            device: self.device.clone(),
            precision: self.precision,
            prefer_plan: true,
            preparation: self.preparation,
        }
    }
}
