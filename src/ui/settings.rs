//! Everything that the user set and can undo: what is transformed, how, and how it is looked at.

use crate::display::Look;
use crate::engine::logic::MOST_STUDIED;
use crate::engine::{Cut, DeviceChoice, Job};
use crate::plan::{Direction, Precision};
use crate::signal::generate::{Boolean, Equations, Generator};
use crate::signal::{Kind, Samples, Signal, System, View as Channel};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Axes, Parameter, Parameters, Shape, TRANSFORMS, Transform, every_transform};
use std::sync::Arc;

use super::looks::{FrequencyUnit, LineLook, LogicLook, SystemLook, TruthLook, WaveletLook};
use super::origin::{Origin, SecondOrigin};
use super::preset::Preset;

/// Everything that can be undone.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Where the signal comes from.
    pub origin: Origin,
    /// What it is convolved with, where the transform takes two signals.
    pub second: SecondOrigin,
    /// Which channel of the first signal.
    pub channel: Channel,
    /// Name of the transform in the table.
    pub transform: String,
    /// Name of the algorithm; `None` takes the fastest.
    pub algorithm: Option<String>,
    /// What the algorithm needs to know.
    pub parameters: Parameters,
    /// How the plan is cut into launches.
    pub cut: Cut,
    /// Where it runs.
    pub device: DeviceChoice,
    /// How real and complex numbers are held; `None` as [`Job::precision`] says.
    pub precision: Option<Precision>,
    /// How the spectrum picture is coloured.
    pub look: Look,
    /// The unit of the axes of the spectrum picture.
    pub picture_unit: FrequencyUnit,
    /// Whether rings of equal frequency lie over the spectrum picture.
    pub rings: bool,
    /// How the row of the spectrum is plotted.
    pub line: LineLook,
    /// The same of the result of a convolution, which has no frequencies.
    pub convolved: LineLook,
    /// How the values of a Boolean function are shown.
    pub truth: TruthLook,
    /// How what is known of a function is shown.
    pub logic: LogicLook,
    /// How wavelet coefficients are shown, and what is done with them.
    pub wavelet: WaveletLook,
    /// How a tridiagonal system is solved and shown.
    pub system: SystemLook,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            origin: Origin::default(),
            second: SecondOrigin::default(),
            channel: Channel::default(),
            transform: "dft2".into(),
            algorithm: None,
            parameters: Parameters::default(),
            cut: Cut::default(),
            device: DeviceChoice::default(),
            precision: None,
            look: Look::default(),
            picture_unit: FrequencyUnit::Cycles,
            rings: false,
            line: LineLook::default(),
            convolved: LineLook::default().of_plain_values(),
            truth: TruthLook::default(),
            logic: LogicLook::default(),
            wavelet: WaveletLook::default(),
            system: SystemLook::default(),
        }
    }
}

impl Settings {
    /// The row of the table that is set; a name that a newer version no longer knows falls back to the first.
    pub fn transform(&self) -> &'static Transform {
        every_transform().find(|transform| transform.name == self.transform).unwrap_or(&TRANSFORMS[0])
    }

    /// Takes another transform, and keeps the algorithm where the new one has it too.
    pub fn set_transform(&mut self, transform: &'static Transform) {
        self.transform = transform.name.into();
        if !transform.has_inverse {
            self.parameters.direction = Direction::Forward;
        }
        if self.algorithm.as_deref().is_some_and(|name| transform.algorithm(name).is_err()) {
            self.algorithm = None;
        }
    }

    /// How the row of the result is plotted; which row it is holds for all transforms.
    pub(super) fn line_look(&self) -> LineLook {
        let look = if self.transform().convolution().is_some() { self.convolved } else { self.line };
        LineLook { row: self.line.row, ..look }
    }

    /// Takes what was changed in [`Self::line_look`].
    pub(super) fn set_line_look(&mut self, look: LineLook) {
        self.line.row = look.row;
        if self.transform().convolution().is_some() {
            self.convolved = look;
        } else {
            self.line = look;
        }
    }

    /// Takes another source; a Boolean function is looked at as such, and a tridiagonal system is solved.
    pub(super) fn set_origin(&mut self, origin: Origin) {
        if matches!(origin, Origin::Generator(Generator::Boolean(_))) {
            self.look_at_function();
        }
        if let Origin::Generator(generator) = &origin {
            let is_system = |origin: &Origin| matches!(origin, Origin::Generator(Generator::Equations(_)));
            match (is_system(&self.origin), is_system(&origin)) {
                (false, true) => self.look_at_system(),
                (true, true) => {}
                (_, false) => self.fit_axes(generator.entry().kind),
            }
        }
        self.origin = origin;
    }

    /// What a layout is for: in place of a sample or a generated signal a Boolean function or a tridiagonal system, or a wavelet transform of signals of a kind. What the user brought stays.
    pub(super) fn adapt_to_preset(&mut self, preset: Preset, kind: Kind) {
        let generator = match preset {
            Preset::Logic => Generator::Boolean(Boolean::default()),
            Preset::System => Generator::Equations(Equations::default()),
            Preset::Wavelet => return self.offer_wavelet(kind),
            _ => return,
        };
        let is_there = matches!(&self.origin, Origin::Generator(known) if known.entry().name == generator.entry().name);
        if matches!(self.origin, Origin::Sample(_) | Origin::Generator(_)) && !is_there {
            self.set_origin(Origin::Generator(generator));
        }
    }

    /// The solution of the system in a signal, if it holds one, in place of a transform of its rows as samples.
    pub(super) fn offer_system(&mut self, signal: &Signal) {
        if System::may_be_in(signal) && !self.transform().takes_equations() {
            self.look_at_system();
        }
    }

    fn look_at_system(&mut self) {
        self.set_transform(&TRIDIAGONAL);
        self.plot_plain_values();
    }

    /// A wavelet transform in place of another one, along the axes of what there is.
    pub(super) fn offer_wavelet(&mut self, kind: Kind) {
        let name = if kind == Kind::Picture { "cdf97-2" } else { "cdf97" };
        if !self.transform().parameters.contains(&Parameter::Levels)
            && let Some(wavelet) = TRANSFORMS.iter().find(|transform| transform.name == name)
        {
            self.set_transform(wavelet);
            self.parameters.direction = Direction::Forward;
        }
    }

    /// The Walsh transform and its plain values, unless a transform of logic is set already.
    fn look_at_function(&mut self) {
        let walsh = TRANSFORMS.iter().find(|transform| transform.name == "walsh");
        if let Some(walsh) = walsh.filter(|walsh| walsh.family != self.transform().family || self.transform().axes != Axes::Rows) {
            self.set_transform(walsh);
        }
        self.plot_plain_values();
    }

    /// Values and no magnitudes over their index.
    fn plot_plain_values(&mut self) {
        self.line = self.line.of_plain_values();
    }

    /// After another signal came: a transform that fits its axes and the layout, a channel and a row that it has.
    pub fn adapt_to_signal(&mut self, signal: &Signal, preset: Preset) {
        if !(self.transform().takes_equations() && System::may_be_in(signal)) {
            self.fit_axes(signal.kind);
        }
        if preset == Preset::System {
            self.offer_system(signal);
        }
        // Bytes of 0 and 1 come from PLA files and arrays of bits; other numbers may happen to be 0 and 1. Only what is short enough is read through here.
        let may_be_bits =
            signal.columns <= 1 << MOST_STUDIED && signal.channels.first().is_some_and(|channel| matches!(channel.samples, Samples::U8(_)));
        if may_be_bits && signal.as_logic(Channel::default()).is_some_and(|reading| reading.function.is_some()) {
            self.look_at_function();
        }
        if signal.check_view(self.channel).is_err() {
            self.channel = Channel::default();
        }
        if self.line.row >= signal.rows {
            self.line.row = 0;
        }
        for unit in [&mut self.line.unit, &mut self.picture_unit] {
            *unit = match signal.sample_rate_hz {
                Some(_) => FrequencyUnit::Hertz,
                None if *unit == FrequencyUnit::Hertz => FrequencyUnit::Cycles,
                None => *unit,
            };
        }
    }

    /// A transform of the same family along the axes of such signals.
    fn fit_axes(&mut self, kind: Kind) {
        // Of a picture both axes are worth seeing first.
        let is_of_lines = kind == Kind::Picture && self.transform().convolution().is_some();
        if self.transform().takes_equations() || is_of_lines {
            self.set_transform(&TRANSFORMS[0]);
        }
        let wanted = match kind {
            Kind::Picture => Axes::Both,
            Kind::Lines => Axes::Rows,
        };
        let transform = self.transform();
        let alike = |other: &&Transform| (other.family, other.is_half(), other.axes) == (transform.family, transform.is_half(), wanted);
        // The same along the other axes, as d4 and d4-2, before any other one of the family.
        let base = |name: &'static str| name.trim_end_matches("-2");
        let same = |other: &&Transform| alike(other) && base(other.name) == base(transform.name);
        if transform.axes != wanted
            && let Some(other) = TRANSFORMS.iter().find(same).or_else(|| TRANSFORMS.iter().find(alike))
        {
            self.set_transform(other);
        }
    }

    /// What the engine is asked to compute, but for the second signal of a convolution.
    pub fn job(&self, signal: &Arc<Signal>) -> Job {
        let transform = self.transform();
        let algorithm = self.algorithm.as_deref().and_then(|name| transform.algorithm(name).ok());
        let shape = Shape { rows: signal.rows, columns: signal.columns };
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
        }
    }
}
