//! Opus by `opus-decoder`: RFC 6716 in the pages of RFC 7845. It always gives 48,000 samples a second, of 16 bits.

use crate::signal::Cause;
use opus_decoder::OpusMultistreamDecoder;

/// Samples a second, whatever was recorded.
const RATE_HZ: u32 = 48_000;
/// Samples of the longest packet, 120 ms.
const LONGEST: usize = RATE_HZ as usize * 120 / 1000;
/// Steps of the gain in 20 dB, which are a factor of ten.
const GAIN_STEPS: f32 = 20.0 * 256.0;

/// The decoder of a stream.
pub(super) struct Opus {
    decoder: OpusMultistreamDecoder,
    n_channels: usize,
    /// The factor of all samples.
    gain: f32,
    /// Samples that are still to be left out: the decoder needs them to settle.
    to_skip: usize,
    /// The samples of a packet, all channels of a moment side by side.
    samples: Vec<f32>,
}

impl Opus {
    /// The decoder that the first packet of a stream describes (RFC 7845, section 5.1).
    pub(super) fn new(head: &[u8]) -> Result<Self, Cause> {
        let incomplete = || Cause::truncated("its header is not complete");
        let (fixed, rest) = head.split_first_chunk::<19>().ok_or_else(incomplete)?;
        let n_channels = usize::from(fixed[9]);
        let standard: Vec<u8> = vec![1, fixed[9].saturating_sub(1), 0, 1];
        let table = if fixed[18] == 0 { &standard[..2 + n_channels.min(2)] } else { rest };
        let (&[streams, coupled], mapping) = table.split_first_chunk().ok_or_else(incomplete)?;
        let mapping = mapping.get(..n_channels).ok_or_else(incomplete)?;
        let decoder = OpusMultistreamDecoder::new(RATE_HZ, n_channels, streams.into(), coupled.into(), mapping);
        Ok(Self {
            decoder: decoder.map_err(Cause::undecodable)?,
            n_channels,
            gain: 10f32.powf(f32::from(i16::from_le_bytes([fixed[16], fixed[17]])) / GAIN_STEPS),
            to_skip: u16::from_le_bytes([fixed[10], fixed[11]]).into(),
            samples: vec![0.0; LONGEST * n_channels],
        })
    }

    /// Decodes a packet, of whose end some samples are left out, into one vector for each channel.
    pub(super) fn decode(&mut self, packet: &[u8], trim_end: usize, planes: &mut Vec<Vec<f32>>) -> Result<(), Cause> {
        let frames = self.decoder.decode_float(packet, &mut self.samples, false).map_err(Cause::undecodable)?;
        let first = self.to_skip.min(frames);
        self.to_skip -= first;
        let kept = first..frames.saturating_sub(trim_end).max(first);
        let of_channel = |channel| self.samples[channel..].iter().step_by(self.n_channels);
        *planes = (0..self.n_channels)
            .map(|channel| of_channel(channel).take(kept.end).skip(kept.start).map(|value| value * self.gain).collect())
            .collect();
        Ok(())
    }
}
