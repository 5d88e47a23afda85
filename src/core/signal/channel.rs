//! From stored samples to the array of numbers that a transform takes: one channel, or the luminance.
//!
//! Every conversion is one pass without branches, in blocks over all cores, because an image of 4096×4096 is converted whenever another channel is chosen.

use super::conversion::min_max;
use super::{Channel, Samples, Signal};
use crate::threads::{self, convert};
use num_complex::{Complex32, Complex64};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Number of samples in one task: large enough that starting the task costs nothing compared to the work.
const BLOCK: usize = 1 << 16;

/// Rec. 601 weights of red, green and blue, applied to the stored values.
pub(super) const LUMA: [f64; 3] = [0.299, 0.587, 0.114];

/// The channel of a signal that is transformed, or the luminance of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum ChannelChoice {
    /// Luminance of a colour image, the first channel of any other signal.
    #[default]
    Luma,
    /// The red channel.
    Red,
    /// The green channel.
    Green,
    /// The blue channel.
    Blue,
    /// The two channels of a recording as the real and the imaginary parts of complex samples.
    Iq,
    /// The mean of all channels.
    Mix,
    /// The channel of this index, from 0. In text, channels count from 1.
    Channel(usize),
}

/// A word that names no channel.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is no channel: use luma, red, green, blue, iq, mix, or a number from 1")]
pub struct UnknownChannel(String);

/// A channel that the signal does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} has no channel “{choice}”: it has {has}")]
pub struct NoSuchChannel {
    name: String,
    choice: String,
    has: String,
}

impl FromStr for ChannelChoice {
    type Err = UnknownChannel;

    fn from_str(word: &str) -> Result<Self, UnknownChannel> {
        match word.to_ascii_lowercase().as_str() {
            "luma" | "luminance" | "gray" => Ok(Self::Luma),
            "red" => Ok(Self::Red),
            "green" => Ok(Self::Green),
            "blue" => Ok(Self::Blue),
            "iq" => Ok(Self::Iq),
            "mix" => Ok(Self::Mix),
            number => match number.parse::<usize>() {
                Ok(n) if n >= 1 => Ok(Self::Channel(n - 1)),
                _ => Err(UnknownChannel(word.to_owned())),
            },
        }
    }
}

/// Samples modulo 2, bit-packed 64 to a word.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedBits {
    /// The first sample is bit 0 of the first word; the last word is filled with zeros.
    pub words: Vec<u64>,
    /// Whether all samples are 0 or 1.
    pub is_binary: bool,
}

impl PackedBits {
    /// The remainders of numbers; `None` where one is not whole.
    fn of<T: Copy + Sync>(samples: &[T], whole: impl Fn(T) -> Option<i64> + Sync) -> Option<Self> {
        let word = |samples: &[T]| {
            let (mut word, mut is_binary) = (0, true);
            for (index, &sample) in samples.iter().enumerate() {
                let value = whole(sample)?;
                word |= ((value & 1) as u64) << index;
                is_binary &= (0..=1).contains(&value);
            }
            Some((word, is_binary))
        };
        let words = |block: Range<usize>| samples[block].chunks(64).map(word).collect::<Option<Vec<_>>>();
        let words: Vec<_> = threads::map_blocks(samples.len(), &words).into_iter().collect::<Option<_>>()?;
        let (words, are_binary): (Vec<u64>, Vec<bool>) = words.into_iter().flatten().unzip();
        Some(Self { words, is_binary: are_binary.into_iter().all(|is_binary| is_binary) })
    }
}

impl fmt::Display for ChannelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Luma => write!(f, "luma"),
            Self::Red => write!(f, "red"),
            Self::Green => write!(f, "green"),
            Self::Blue => write!(f, "blue"),
            Self::Iq => write!(f, "iq"),
            Self::Mix => write!(f, "mix"),
            Self::Channel(index) => write!(f, "{}", index + 1),
        }
    }
}

/// A whole number that double precision keeps exactly.
fn whole(x: f64) -> Option<i64> {
    const LARGEST: f64 = (1_u64 << 53) as f64;
    (x.fract() == 0.0 && x.abs() < LARGEST).then_some(x as i64)
}

/// The samples of a choice: one channel as stored, the weighted sum of three, the real and imaginary parts in two, or the mean of all.
enum Source<'a> {
    One(&'a Samples),
    Weighted([&'a Samples; 3]),
    Pair([&'a Samples; 2]),
    Mean(Vec<&'a Samples>),
}

impl Signal {
    /// Checks that the signal has this channel.
    ///
    /// # Errors
    /// When it has not; the message names the channels that it has. All methods that take a choice fail so.
    pub fn check_channel(&self, choice: ChannelChoice) -> Result<(), NoSuchChannel> {
        self.source(choice).map(|_| ())
    }

    /// The channel of a name, of a number from 1, or of a word such as "luma"; names of the file come first.
    ///
    /// # Errors
    /// When the signal has none of them; the message names the channels that it has.
    pub fn choice(&self, text: &str) -> Result<ChannelChoice, NoSuchChannel> {
        let names: [fn(&Channel) -> String; 2] = [Channel::label, |channel| channel.name.clone()];
        let named = names.into_iter().find_map(|name| self.channels.iter().position(|channel| name(channel) == text));
        let none = || NoSuchChannel { name: self.name.clone(), choice: text.to_owned(), has: self.channel_names() };
        let choice = match named.filter(|_| !self.is_colour()) {
            Some(index) => ChannelChoice::Channel(index),
            None => text.parse().map_err(|_| none())?,
        };
        self.check_channel(choice).map(|()| choice)
    }

    /// The names of the first channels.
    fn channel_names(&self) -> String {
        const SHOWN: usize = 20;
        let names: Vec<String> = self.channels.iter().take(SHOWN).map(Channel::label).collect();
        let more = self.channels.len() - names.len();
        if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
    }

    /// The name of a channel: its own, or the heading of a column of a table.
    pub fn channel_name(&self, choice: ChannelChoice) -> String {
        let own = match choice {
            ChannelChoice::Luma if self.is_colour() => return "luminance".into(),
            ChannelChoice::Luma => self.channels.first(),
            ChannelChoice::Channel(index) => self.channels.get(index),
            ChannelChoice::Iq => return "I/Q".into(),
            ChannelChoice::Mix => return "mix".into(),
            ChannelChoice::Red | ChannelChoice::Green | ChannelChoice::Blue => None,
        };
        own.map(|channel| channel.name.clone()).filter(|name| !name.is_empty()).unwrap_or_else(|| choice.to_string())
    }

    /// The samples of a channel in single precision, rows × columns; of complex samples the real parts.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn samples_f32(&self, choice: ChannelChoice) -> Result<Vec<f32>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => samples.to_f32(),
            Source::Weighted([r, g, b]) => luma_f32(r, g, b),
            Source::Pair([real, _]) => real.to_f32(),
            Source::Mean(_) => {
                let track = self.track(choice)?;
                threads::fill_blocks(track.len(), &|first, to| track.read_f32(first, 0, to))
            }
        })
    }

    /// The samples of a channel in double precision, rows × columns; of complex samples the real parts.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn samples_f64(&self, choice: ChannelChoice) -> Result<Vec<f64>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => samples.to_f64(),
            Source::Weighted(rgb) => luma_f64(rgb),
            Source::Pair([real, _]) => real.to_f64(),
            Source::Mean(_) => {
                let track = self.track(choice)?;
                threads::fill_blocks(track.len(), &|first, to| track.read_f64(first, 0, to))
            }
        })
    }

    /// The samples of a channel as complex numbers of single precision, rows × columns; real samples get an imaginary part of zero.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn samples_complex32(&self, choice: ChannelChoice) -> Result<Vec<Complex32>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => samples.to_complex32(),
            Source::Pair([real, imaginary]) => real.paired(imaginary).to_complex32(),
            Source::Weighted([r, g, b]) => convert(&luma_f32(r, g, b), |x| Complex32::new(x, 0.0)),
            Source::Mean(_) => convert(&self.samples_complex64(choice)?, |z| Complex32::new(z.re as f32, z.im as f32)),
        })
    }

    /// The samples of a channel as complex numbers of double precision, rows × columns.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn samples_complex64(&self, choice: ChannelChoice) -> Result<Vec<Complex64>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => samples.to_complex64(),
            Source::Pair([real, imaginary]) => real.paired(imaginary).to_complex64(),
            Source::Weighted(rgb) => convert(&luma_f64(rgb), |x| Complex64::new(x, 0.0)),
            Source::Mean(_) => {
                let track = self.track(choice)?;
                let parts = [0, 1].map(|part| threads::fill_blocks(track.len(), &|first, to| track.read_f64(first, part, to)));
                threads::tabulate(track.len(), |index| Complex64::new(parts[0][index], parts[1][index]))
            }
        })
    }

    /// The samples of a channel that is stored as integers; `None` for other types, and for luminance, which has fractions.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn stored_integers(&self, choice: ChannelChoice) -> Result<Option<Vec<i64>>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => samples.to_i64(),
            Source::Weighted(_) | Source::Pair(_) | Source::Mean(_) => None,
        })
    }

    /// The samples of a channel where all are whole numbers that their type keeps exactly; `None` otherwise.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn whole_numbers(&self, choice: ChannelChoice) -> Result<Option<Vec<i64>>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(Samples::F32(v)) => all_whole(v, |x| whole(x.into())),
            Source::One(Samples::F64(v)) => all_whole(v, whole),
            Source::One(Samples::Pcm(v)) if !v.is_complex() => all_whole(&v.to_f64(), whole),
            Source::One(samples) => samples.to_i64(),
            Source::Weighted(_) | Source::Pair(_) | Source::Mean(_) => None,
        })
    }

    /// The samples of a channel modulo 2, where all are whole numbers; `None` otherwise.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn packed_bits(&self, choice: ChannelChoice) -> Result<Option<PackedBits>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(Samples::U8(v)) => PackedBits::of(v, |x| Some(x.into())),
            Source::One(Samples::U16(v)) => PackedBits::of(v, |x| Some(x.into())),
            Source::One(Samples::I32(v)) => PackedBits::of(v, |x| Some(x.into())),
            Source::One(Samples::I64(v)) => PackedBits::of(v, Some),
            Source::One(Samples::F32(v)) => PackedBits::of(v, |x| whole(x.into())),
            Source::One(Samples::F64(v)) => PackedBits::of(v, whole),
            Source::One(Samples::Pcm(v)) if !v.is_complex() => PackedBits::of(&v.to_f64(), whole),
            Source::One(_) | Source::Weighted(_) | Source::Pair(_) | Source::Mean(_) => None,
        })
    }

    /// Whether the samples of a channel are stored as integers.
    pub fn has_integers(&self, choice: ChannelChoice) -> bool {
        matches!(self.source(choice), Ok(Source::One(samples)) if samples.is_integer())
    }

    /// The samples that a channel is made of: its own, those of red, green and blue for the luminance of a colour image, or those of all channels that are mixed.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn parts(&self, choice: ChannelChoice) -> Result<Vec<&Samples>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => vec![samples],
            Source::Weighted(rgb) => rgb.to_vec(),
            Source::Pair(pair) => pair.to_vec(),
            Source::Mean(all) => all,
        })
    }

    /// Smallest and largest finite value of a channel, `None` if none is finite; of complex samples the magnitudes count.
    pub fn min_max(&self, choice: ChannelChoice) -> Result<Option<(f64, f64)>, NoSuchChannel> {
        Ok(match self.source(choice)? {
            Source::One(samples) => samples.min_max(),
            Source::Weighted(rgb) => min_max(&luma_f64(rgb), |x| x),
            Source::Pair([real, imaginary]) => real.paired(imaginary).min_max(),
            Source::Mean(_) => min_max(&self.samples_complex64(choice)?, |z| if z.im == 0.0 { z.re } else { z.norm() }),
        })
    }

    /// The channels that are the real and the imaginary parts of complex samples, if one wants: two of real samples in one row.
    pub fn iq(&self) -> Option<[&Samples; 2]> {
        let [real, imaginary] = &self.channels[..] else { return None };
        let is_recording = self.rows == 1 && !self.kind.is_image() && !self.is_complex();
        is_recording.then_some([&real.samples, &imaginary.samples])
    }

    /// Whether the samples of a channel are complex numbers. A channel that does not exist has none.
    pub fn is_complex_in(&self, choice: ChannelChoice) -> bool {
        match self.source(choice) {
            Ok(Source::One(samples)) => samples.is_complex(),
            Ok(Source::Pair(_)) => true,
            Ok(Source::Mean(all)) => all.iter().any(|samples| samples.is_complex()),
            Ok(Source::Weighted(_)) | Err(_) => false,
        }
    }

    fn source(&self, choice: ChannelChoice) -> Result<Source<'_>, NoSuchChannel> {
        let named = |name: &str| self.channels.iter().find(|channel| channel.name == name);
        let channel = match choice {
            ChannelChoice::Luma if self.is_colour() => {
                let [r, g, b] = [0, 1, 2].map(|index| &self.channels[index].samples);
                return Ok(Source::Weighted([r, g, b]));
            }
            ChannelChoice::Iq if let Some(pair) = self.iq() => return Ok(Source::Pair(pair)),
            ChannelChoice::Iq => None,
            ChannelChoice::Mix => return Ok(Source::Mean(self.channels.iter().map(|channel| &channel.samples).collect())),
            ChannelChoice::Luma => self.channels.first(),
            ChannelChoice::Red => named("red"),
            ChannelChoice::Green => named("green"),
            ChannelChoice::Blue => named("blue"),
            ChannelChoice::Channel(index) => self.channels.get(index),
        };
        channel.map(|channel: &Channel| Source::One(&channel.samples)).ok_or_else(|| NoSuchChannel {
            name: self.name.clone(),
            choice: choice.to_string(),
            has: self.channel_names(),
        })
    }
}

/// The samples as integers, if all are whole.
fn all_whole<A: Copy + Sync>(values: &[A], whole: impl Fn(A) -> Option<i64> + Sync) -> Option<Vec<i64>> {
    let blocks = threads::map_blocks(values.len(), &|block| values[block].iter().map(|&value| whole(value)).collect::<Option<Vec<_>>>());
    Some(blocks.into_iter().collect::<Option<Vec<_>>>()?.concat())
}

fn luma_f32(r: &Samples, g: &Samples, b: &Samples) -> Vec<f32> {
    match (r, g, b) {
        (Samples::U8(r), Samples::U8(g), Samples::U8(b)) => weigh(r, g, b, f32::from),
        (Samples::U16(r), Samples::U16(g), Samples::U16(b)) => weigh(r, g, b, f32::from),
        (Samples::F32(r), Samples::F32(g), Samples::F32(b)) => weigh(r, g, b, |x| x),
        _ => convert(&luma_f64([r, g, b]), |x| x as f32),
    }
}

/// Weighted sum in single precision, which holds 8- and 16-bit values exactly.
fn weigh<A: Copy + Sync>(r: &[A], g: &[A], b: &[A], f: impl Fn(A) -> f32 + Sync) -> Vec<f32> {
    let [wr, wg, wb] = LUMA.map(|weight| weight as f32);
    let mut to = vec![0.0; r.len()];
    threads::for_each_chunk(&mut to, BLOCK, &|block, to| {
        let [r, g, b] = [r, g, b].map(|part| &part[block * BLOCK..]);
        for (((y, &r), &g), &b) in to.iter_mut().zip(r).zip(g).zip(b) {
            *y = wr * f(r) + wg * f(g) + wb * f(b);
        }
    });
    to
}

fn luma_f64(rgb: [&Samples; 3]) -> Vec<f64> {
    let mut sum = vec![0.0; rgb[0].len()];
    for (samples, weight) in rgb.into_iter().zip(LUMA) {
        let values = samples.to_f64();
        threads::for_each_chunk(&mut sum, BLOCK, &|block, sum| {
            for (s, v) in sum.iter_mut().zip(&values[block * BLOCK..]) {
                *s += weight * v;
            }
        });
    }
    sum
}
