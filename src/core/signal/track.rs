//! The samples of a channel as numbers, a block at a time: a long recording is never converted as a whole.

use super::{ChannelChoice, NoSuchChannel, Samples, Signal};
use num_complex::Complex64;

/// The samples of a channel, of the mean of all channels, or of two channels as complex samples.
#[derive(Debug, Clone)]
pub struct Track<'a> {
    /// Samples whose weighted sum it is.
    terms: Vec<(&'a Samples, f64)>,
    /// The imaginary parts, where another channel has them.
    imaginary: Option<&'a Samples>,
    /// Samples before its first one, which it leaves out.
    skipped: usize,
}

impl<'a> Track<'a> {
    /// A weighted sum of samples.
    pub(super) fn sum(terms: Vec<(&'a Samples, f64)>) -> Self {
        Self { terms, imaginary: None, skipped: 0 }
    }

    /// Complex samples whose parts are those of two channels.
    pub(super) fn pair([real, imaginary]: [&'a Samples; 2]) -> Self {
        Self { terms: vec![(real, 1.0)], imaginary: Some(imaginary), skipped: 0 }
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.terms.first().map_or(0, |(samples, _)| samples.len()).saturating_sub(self.skipped)
    }

    /// The samples from one on.
    #[must_use]
    pub fn after(&self, skipped: usize) -> Self {
        Self { skipped: self.skipped + skipped, ..self.clone() }
    }

    /// Whether it has no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its samples are complex numbers.
    pub fn is_complex(&self) -> bool {
        self.imaginary.is_some() || self.terms.iter().any(|(samples, _)| samples.is_complex())
    }

    /// Whether single precision does not hold every sample.
    pub fn is_double(&self) -> bool {
        self.terms.iter().map(|(samples, _)| *samples).chain(self.imaginary).any(Samples::is_double)
    }

    /// Whether samples have exponents, so that they may be infinite or not a number.
    pub fn has_exponents(&self) -> bool {
        let of = |samples: &Samples| match samples {
            Samples::Pcm(pcm) => pcm.is_float(),
            Samples::F32(_) | Samples::F64(_) | Samples::Complex32(_) | Samples::Complex64(_) => true,
            Samples::U8(_) | Samples::U16(_) | Samples::I32(_) | Samples::I64(_) => false,
        };
        self.terms.iter().map(|(samples, _)| *samples).chain(self.imaginary).any(of)
    }

    /// The change of the file of the samples since it was opened, as [`Signal::fault`] says it.
    pub fn fault(&self) -> Option<String> {
        self.terms.iter().map(|(samples, _)| *samples).chain(self.imaginary).find_map(Samples::fault)
    }

    /// Writes the real parts (`part` 0) or the imaginary parts (1) of the samples from index `first` on, in single precision.
    ///
    /// # Panics
    /// When there are fewer samples.
    pub fn read_f32(&self, first: usize, part: usize, to: &mut [f32]) {
        self.read(first, part, to, Samples::read_f32, |sum, value, weight| sum + (f64::from(value) * weight) as f32);
    }

    /// As [`Self::read_f32`], in double precision.
    ///
    /// # Panics
    /// When there are fewer samples.
    pub fn read_f64(&self, first: usize, part: usize, to: &mut [f64]) {
        self.read(first, part, to, Samples::read_f64, |sum, value, weight| sum + value * weight);
    }

    fn read<T: Copy + Default>(
        &self,
        first: usize,
        part: usize,
        to: &mut [T],
        read: fn(&Samples, usize, usize, &mut [T]),
        add: impl Fn(T, T, f64) -> T,
    ) {
        let first = first + self.skipped;
        match (self.imaginary, part, &self.terms[..]) {
            (Some(imaginary), 1, _) => read(imaginary, first, 0, to),
            (_, _, [(samples, 1.0)]) => read(samples, first, part, to),
            (_, _, terms) => {
                let mut values = vec![T::default(); to.len()];
                to.fill(T::default());
                for (samples, weight) in terms {
                    read(samples, first, part, &mut values);
                    to.iter_mut().zip(&values).for_each(|(sum, value)| *sum = add(*sum, *value, *weight));
                }
            }
        }
    }
}

impl Samples {
    /// Whether they are in memory, and not in the file of a large recording.
    pub(super) fn is_in_memory(&self) -> bool {
        if let Self::Pcm(pcm) = self { pcm.is_in_memory() } else { true }
    }

    /// The change of the file of a large recording since it was opened.
    fn fault(&self) -> Option<String> {
        if let Self::Pcm(pcm) = self { pcm.fault() } else { None }
    }

    /// Writes one part of the samples from index `first` on in single precision; real samples have imaginary parts of zero.
    fn read_f32(&self, first: usize, part: usize, to: &mut [f32]) {
        self.read_as(first, part, to, super::Pcm::read_f32, |value| value as f32);
    }

    /// As [`Self::read_f32`], in double precision.
    fn read_f64(&self, first: usize, part: usize, to: &mut [f64]) {
        self.read_as(first, part, to, super::Pcm::read_f64, |value| value);
    }

    fn read_as<T: Copy + Default>(
        &self,
        first: usize,
        part: usize,
        to: &mut [T],
        of_recording: fn(&super::Pcm, usize, usize, &mut [T]),
        number: fn(f64) -> T,
    ) {
        fn copy<A: Copy, T>(from: &[A], to: &mut [T], convert: impl Fn(A) -> T) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = convert(*from));
        }
        let part_of = |z: Complex64| number(if part == 0 { z.re } else { z.im });
        if part == 1 && !self.is_complex() {
            to.fill(T::default());
            return;
        }
        match self {
            Self::U8(v) => copy(&v[first..], to, |x| number(x.into())),
            Self::U16(v) => copy(&v[first..], to, |x| number(x.into())),
            Self::I32(v) => copy(&v[first..], to, |x| number(x.into())),
            Self::I64(v) => copy(&v[first..], to, |x| number(x as f64)),
            Self::F32(v) => copy(&v[first..], to, |x| number(x.into())),
            Self::F64(v) => copy(&v[first..], to, number),
            Self::Complex32(v) => copy(&v[first..], to, |z| part_of(Complex64::new(z.re.into(), z.im.into()))),
            Self::Complex64(v) => copy(&v[first..], to, part_of),
            Self::Pcm(v) => of_recording(v, first, part, to),
        }
    }
}

impl Signal {
    /// The samples of a channel, which are read a block at a time.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    pub fn track(&self, choice: ChannelChoice) -> Result<Track<'_>, NoSuchChannel> {
        let parts = self.parts(choice)?;
        Ok(match (choice, &parts[..]) {
            (ChannelChoice::Iq, &[real, imaginary]) => Track::pair([real, imaginary]),
            (ChannelChoice::Mix, all) => {
                let weight = 1.0 / all.len() as f64;
                Track::sum(all.iter().map(|samples| (*samples, weight)).collect())
            }
            (_, &[samples]) => Track::sum(vec![(samples, 1.0)]),
            (_, rgb) => Track::sum(rgb.iter().copied().zip(super::channel::LUMA).collect()),
        })
    }

    /// The change of the file of a large recording since it was opened, by which samples are missing or have changed.
    pub fn fault(&self) -> Option<String> {
        self.channels.iter().find_map(|channel| channel.samples.fault())
    }

    /// Whether the samples are those of a recording, whose full scale is ±1: of a WAV or another file of sound, or without a header.
    pub fn is_recording(&self) -> bool {
        let is_sound = self.axis.is_some()
            && self.table.is_none()
            && matches!(self.channels[..], [super::Channel { samples: Samples::F32(_), .. }, ..]);
        self.rows == 1
            && !self.kind.is_image()
            && (is_sound || self.channels.iter().any(|channel| matches!(channel.samples, Samples::Pcm(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Channel, SignalKind};

    #[test]
    fn blocks_are_the_samples_of_each_choice() {
        let channels =
            vec![Channel::new("left", Samples::F64(vec![1.0, 2.0, 3.0, 4.0])), Channel::new("right", Samples::U8(vec![5, 6, 7, 8]))];
        let signal = Signal::from_channels("two", SignalKind::Rows, (1, 4), channels);
        for (choice, part, expected) in [
            (ChannelChoice::Luma, 0, [2.0, 3.0]),
            (ChannelChoice::Channel(1), 0, [6.0, 7.0]),
            (ChannelChoice::Channel(1), 1, [0.0, 0.0]),
            (ChannelChoice::Mix, 0, [4.0, 5.0]),
            (ChannelChoice::Iq, 0, [2.0, 3.0]),
            (ChannelChoice::Iq, 1, [6.0, 7.0]),
        ] {
            let track = signal.track(choice).unwrap();
            let (mut double, mut single) = ([0.0; 2], [0.0; 2]);
            track.read_f64(1, part, &mut double);
            track.read_f32(1, part, &mut single);
            assert_eq!((double, single.map(f64::from)), (expected, expected), "{choice} {part}");
            assert_eq!(track.is_complex(), choice == ChannelChoice::Iq);
            if part == 0 {
                assert_eq!(signal.samples_f64(choice).unwrap()[1..3], expected, "{choice}");
            }
        }
        assert!(signal.track(ChannelChoice::Channel(2)).is_err());
    }
}
