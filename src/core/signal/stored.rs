//! Samples as the integers of a recording, as many bits as its source has.

use super::encoding::{Encoding, SampleType};
use super::pcm::Pcm;
use super::reading::Content;
use super::{Channel, Samples, Signal};

impl Signal {
    /// Bits of the integers that real samples are stored as; `None` of floats, of both logarithmic types, of complex samples and of what is not a recording.
    pub fn integer_bits(&self) -> Option<u32> {
        let of_type = |channel: &Channel| match &channel.samples {
            Samples::Pcm(pcm) => pcm.encoding().sample_type.integer_bits(),
            _ => None,
        };
        self.channels.first().and_then(of_type).or(self.stored_bits).filter(|_| self.is_recording() && !self.is_complex())
    }

    /// The signal with its real samples as integers of at least `bits` bits, of which full scale is ±1.
    ///
    /// # Errors
    /// With the number of samples beyond full scale, or that are not numbers, if any.
    pub fn in_bits(&self, bits: u32) -> Result<Self, usize> {
        let types = [SampleType::U8, SampleType::S16, SampleType::S24, SampleType::S32];
        let sample_type = types.into_iter().find(|known| known.integer_bits() >= Some(bits)).unwrap_or(SampleType::S32);
        let (n_channels, bytes) = (self.channels.len(), sample_type.bytes());
        let half = f64::from(8 * bytes as u32 - 1).exp2();
        let mut content = vec![0; self.columns * n_channels * bytes];
        let mut beyond = 0;
        for (index, channel) in self.channels.iter().enumerate() {
            for (frame, value) in channel.samples.to_f64().into_iter().enumerate() {
                let whole = (value * half).round_ties_even();
                beyond += usize::from(!(-half..half).contains(&whole));
                // Integers of 8 bits are unsigned.
                let whole = whole as i64 + if bytes == 1 { 128 } else { 0 };
                let at = (frame * n_channels + index) * bytes;
                content[at..at + bytes].copy_from_slice(&whole.to_le_bytes()[..bytes]);
            }
        }
        if beyond > 0 {
            return Err(beyond);
        }
        let (content, encoding) = (Content::new(content), Encoding::of(sample_type, false));
        let stored = Pcm::interleaved(&content, 0, encoding, n_channels, n_channels * bytes, self.columns);
        let channels = self.channels.iter().zip(stored).map(|(channel, pcm)| Channel { samples: Samples::Pcm(pcm), ..channel.clone() });
        Ok(Self { channels: channels.collect(), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Axis, OutputFormat, load_bytes};

    #[test]
    fn a_recording_keeps_its_bits_in_a_wav() {
        let format = OutputFormat::of_ending("wav").unwrap();
        for (bits, stored) in [(8, 8), (12, 16), (16, 16), (24, 24), (32, 32)] {
            let half = f64::from(stored - 1).exp2();
            let values: Vec<f64> = [-half, -1.0, 0.0, 1.0, 100.0, half - 1.0].iter().map(|whole| whole / half).collect();
            let other: Vec<f64> = values.iter().map(|value| -0.5 * value).map(|value| (value * half).trunc() / half).collect();
            let channels = vec![Channel::new("left", Samples::F64(values.clone())), Channel::new("right", Samples::F64(other.clone()))];
            let signal = Signal::from_channels("s", crate::signal::SignalKind::Rows, (1, 6), channels);
            let signal = Signal { axis: Some(Axis::of_rate(8000.0)), ..signal };
            let mut file = Vec::new();
            crate::signal::write(&mut file, &signal.in_bits(bits).unwrap(), format).unwrap();
            let read = load_bytes("s.wav", &file).unwrap();
            assert_eq!((read.integer_bits(), read.rate_hz()), (Some(stored as u32), Some(8000.0)));
            assert_eq!((read.channels[0].samples.to_f64(), read.channels[1].samples.to_f64()), (values, other), "{bits}");
        }
        let loud = Signal::row("loud", Samples::F64(vec![0.0, 1.0, f64::NAN, -1.0, -1.1]));
        assert_eq!(loud.in_bits(16), Err(3));
    }
}
