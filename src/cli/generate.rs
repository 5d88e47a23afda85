//! `papillon generate`: test signals, as a file or for the next program in a pipe.

use super::arguments::{ValuesOutput, one_of};
use super::tone::frequency;
use super::{Failure, output};
use crate::engine::{SoundPlayer, unplayable};
use crate::numerals::number;
use crate::signal::generate::{
    Chirp, Distribution, Generator, Impulse, MAX_SAMPLES, NoiseColour, NoiseSignal, SineSum, SineTerm, SquareWave, SweepLaw,
};
use crate::signal::{Axis, OutputFormat, Sampling, Signal};
use crate::spectra::{Place, Rate};
use clap::Args;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// Writes a test signal: a tone, a sweep, noise, an impulse or a square wave.
///
/// The same call always writes the same samples. Played through a room and recorded, a sweep or noise gives its transfer function by `papillon transfer`.
///
/// Example: papillon generate tone --frequency 440 --duration 2s -o a.wav
/// Example: papillon generate sweep --frequency 20..20000 --law exponential --duration 10s -o sweep.wav
/// Example: papillon generate noise --colour pink --amplitude 0.1 --rate 96kHz -o pink.wav
/// Example: papillon generate noise --colour pink --duration 5s --play
/// Example: papillon generate impulse --at 10ms --duration 100ms -o click.npy
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct GenerateArguments {
    /// tone (one sine, or a sum), sweep, noise, impulse or square.
    #[arg(value_parser = one_of::<Kind>(), ignore_case = true)]
    kind: Kind,
    /// How long it is: a time, as 10s, or a number of samples.
    #[arg(long, value_name = "PLACE", default_value = "1s", allow_hyphen_values = true)]
    duration: Place,
    /// The frequencies of a tone, as 440 or 440,880; the ends of a sweep, as 20..20000; the frequency of a square wave [default: 440, of a sweep 20..20000 or up to half the rate].
    #[arg(long, value_name = "F|F,F|A..B", allow_hyphen_values = true)]
    frequency: Option<Frequencies>,
    /// The peak of each sine, of the impulse or the square wave; the standard deviation of normal noise, or the largest value of uniform noise. Full scale is 1.
    #[arg(long, value_name = "A", default_value = "0.5", value_parser = finite, allow_hyphen_values = true)]
    amplitude: f64,
    /// How the frequency of a sweep goes from its start to its end: linear or exponential.
    #[arg(long, value_parser = one_of::<SweepLaw>(), ignore_case = true)]
    law: Option<SweepLaw>,
    /// How the power of noise is spread over frequencies: white or pink.
    #[arg(long, value_parser = one_of::<NoiseColour>(), ignore_case = true)]
    colour: Option<NoiseColour>,
    /// How the values of white noise are distributed: uniform or normal [default: normal].
    #[arg(long, value_parser = one_of::<Distribution>(), ignore_case = true)]
    distribution: Option<Distribution>,
    /// The seed of noise: another one gives other noise of the same kind [default: 1].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Where the impulse is: a time, as 10ms, or the number of a sample [default: 0].
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    at: Option<Place>,
    /// The fraction of each cycle in which a square wave is high, from 0 to 1 [default: 0.5].
    #[arg(long, value_name = "D", value_parser = fraction, allow_hyphen_values = true)]
    duty: Option<f64>,
    /// Samples in a second, as 48kHz.
    #[arg(long, value_name = "RATE", default_value = "48kHz", allow_hyphen_values = true)]
    rate: Sampling,
    /// Plays it through the player of the system (pw-play, paplay, aplay, afplay or PowerShell).
    #[arg(long)]
    play: bool,
    /// A file that ends in .wav, .npy, .csv or another ending that is written, or - for standard output, which gets a WAV; --play needs none.
    #[arg(short, long, value_name = "OUTPUT", required_unless_present = "play")]
    output: Option<PathBuf>,
}

crate::choice! {
    /// A test signal.
    enum Kind {
        /// One sine, or a sum of sines.
        #[default]
        Tone = "Tone", "tone";
        /// A sine whose frequency goes from one to another.
        Sweep = "Sweep", "sweep";
        /// White or pink noise.
        Noise = "Noise", "noise";
        /// One sample that is not zero.
        Impulse = "Impulse", "impulse";
        /// A wave that is high in a part of each cycle, and low in the rest.
        Square = "Square wave", "square";
    }
}

/// Frequencies as they are typed.
#[derive(Debug, Clone)]
struct Frequencies {
    all: Vec<f64>,
    are_ends: bool,
}

impl FromStr for Frequencies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once("..");
        let parts: Vec<&str> = ends.map_or_else(|| text.split(',').collect(), |(low, high)| vec![low, high]);
        Ok(Self { all: parts.into_iter().map(frequency).collect::<Result<_, _>>()?, are_ends: ends.is_some() })
    }
}

fn finite(text: &str) -> Result<f64, String> {
    let value = text.trim().parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| format!("'{text}' is no number"))
}

fn fraction(text: &str) -> Result<f64, String> {
    let value = finite(text).ok().filter(|value| (0.0..=1.0).contains(value));
    value.ok_or_else(|| format!("'{text}' is no fraction: take a number from 0 to 1"))
}

pub(super) fn run(arguments: &GenerateArguments) -> Result<(), Failure> {
    arguments.refuse_others()?;
    let rate = Rate::from(Some(arguments.rate));
    let length = arguments.duration.sample(rate)?;
    if !(1..=MAX_SAMPLES).contains(&length) {
        return Err(Failure::Call(format!("--duration {} is {length} samples: take 1 to {MAX_SAMPLES}", arguments.duration)));
    }
    let generator = arguments.generator(length, rate)?;
    let to = arguments.output.as_ref().map(|path| arguments.output(path)).transpose()?;
    let to = to.map(|to| Ok::<_, Failure>((output::values_format(&to, true)?, to))).transpose()?;
    let player = arguments.play.then(|| arguments.player()).transpose()?;
    let signal = generator.signal().map_err(|error| Failure::Work(error.to_string()))?;
    let sound = player.map(|(player, hertz)| (player, hertz, signal.channels[0].samples.to_f32()));
    if let Some((format, to)) = to {
        output::values(&to, format, Signal { axis: Some(Axis::new("", arguments.rate)), ..signal })?;
    }
    let Some((player, hertz, samples)) = sound else { return Ok(()) };
    player.play(&samples, hertz, (super::cancel(), &AtomicBool::new(false)), || ()).map_err(Failure::Work)
}

impl GenerateArguments {
    /// The kinds that have each option, where not all have it.
    fn refuse_others(&self) -> Result<(), Failure> {
        use Kind::{Impulse, Noise, Square, Sweep, Tone};
        let given: [(&str, bool, &[Kind]); 7] = [
            ("frequency", self.frequency.is_some(), &[Tone, Sweep, Square]),
            ("law", self.law.is_some(), &[Sweep]),
            ("colour", self.colour.is_some(), &[Noise]),
            ("distribution", self.distribution.is_some(), &[Noise]),
            ("seed", self.seed.is_some(), &[Noise]),
            ("at", self.at.is_some(), &[Impulse]),
            ("duty", self.duty.is_some(), &[Square]),
        ];
        match given.into_iter().find(|(_, is_given, kinds)| *is_given && !kinds.contains(&self.kind)) {
            Some((name, ..)) => Err(Failure::Call(format!("{} has no --{name}: leave it out", self.kind.name()))),
            None if self.colour == Some(NoiseColour::Pink) && self.distribution.is_some() => {
                Err(Failure::Call("pink noise is normal: leave --distribution out".into()))
            }
            None => Ok(()),
        }
    }

    /// The formula of the signal.
    fn generator(&self, length: usize, rate: Rate) -> Result<Generator, Failure> {
        let amplitude = self.amplitude;
        let cycles = |frequency: f64| frequency * length as f64 / rate.per_unit;
        Ok(match self.kind {
            Kind::Tone => {
                let frequencies = self.frequencies(false, vec![440.0], rate)?;
                let terms = frequencies.into_iter().map(|frequency| SineTerm { amplitude, frequency: cycles(frequency), phase: 0.0 });
                Generator::SineSum(SineSum { length, terms: terms.collect() })
            }
            Kind::Sweep => {
                let frequencies = self.frequencies(true, vec![20.0, f64::min(20_000.0, rate.per_unit / 2.0)], rate)?;
                let law = self.law.unwrap_or_default();
                let [start, end] = [0, 1].map(|end| cycles(frequencies[end]));
                if law == SweepLaw::Exponential && (start <= 0.0 || end <= 0.0) {
                    return Err(Failure::Call("an exponential sweep has no frequency 0: take ends above 0 for --frequency".into()));
                }
                Generator::Chirp(Chirp { length, amplitude, start, end, law })
            }
            Kind::Noise => Generator::Noise(NoiseSignal {
                length,
                amplitude,
                distribution: self.distribution.unwrap_or(Distribution::Normal),
                seed: self.seed.unwrap_or(1),
                colour: self.colour.unwrap_or_default(),
            }),
            Kind::Impulse => {
                let position = self.at.map_or(Ok(0), |place| place.sample(rate))?;
                if position >= length {
                    return Err(Failure::Call(format!("--at {position} lies behind the {length} samples: take a longer --duration")));
                }
                Generator::Impulse(Impulse { length, position, height: amplitude })
            }
            Kind::Square => {
                let frequencies = self.frequencies(false, vec![440.0], rate)?;
                let &[frequency] = &frequencies[..] else {
                    return Err(Failure::Call("a square wave has one --frequency".into()));
                };
                Generator::Square(SquareWave { length, amplitude, frequency: cycles(frequency), duty: self.duty.unwrap_or(0.5) })
            }
        })
    }

    /// The frequencies that are asked for, or the usual ones, all up to half the rate.
    fn frequencies(&self, ends: bool, usual: Vec<f64>, rate: Rate) -> Result<Vec<f64>, Failure> {
        let frequencies = match &self.frequency {
            Some(typed) if typed.are_ends != ends => {
                let form = if ends { "ends, as 20..20000" } else { "a list, as 440 or 440,880" };
                return Err(Failure::Call(format!("--frequency of a {} is {form}", self.kind.title().to_lowercase())));
            }
            Some(typed) => typed.all.clone(),
            None => usual,
        };
        let most = rate.per_unit / 2.0;
        match frequencies.iter().find(|frequency| **frequency > most) {
            Some(frequency) => Err(Failure::Call(format!(
                "--frequency {} {unit} is above half the rate, {} {unit}: take a lower one, or a higher --rate",
                number(*frequency, 9),
                number(most, 9),
                unit = rate.frequency()
            ))),
            None => Ok(frequencies),
        }
    }

    /// The player of the signal, and its rate in Hz.
    fn player(&self) -> Result<(SoundPlayer, f64), Failure> {
        let hertz = self.rate.rate_hz();
        match (unplayable(hertz), hertz) {
            (None, Some(hertz)) => Ok((SoundPlayer::find().map_err(Failure::Work)?, hertz)),
            _ => Err(Failure::Call(format!("players do not take {}: leave --play out, or take a --rate from 1 kHz to 384 kHz", self.rate))),
        }
    }

    /// Where the signal goes.
    fn output(&self, path: &Path) -> Result<ValuesOutput, Failure> {
        let format = OutputFormat::of_ending("wav").ok_or_else(|| Failure::Work("WAV is not written".into()))?;
        Ok(ValuesOutput { output: path.to_owned(), format, rate: Some(self.rate) })
    }
}
