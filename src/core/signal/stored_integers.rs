//! Samples as the bytes that store them, where a float would take more: fewer bytes go to a device, which makes numbers of them.

use super::encoding::SampleType;
use super::pcm::Pcm;
use super::samples::Samples;

/// How integers of fewer than four bytes are stored, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerFormat {
    /// Bytes of an integer: 1, 2 or 3.
    pub bytes: usize,
    /// Whether the byte of the highest bits comes first.
    pub is_big_endian: bool,
    /// The number that an integer stands for.
    pub meaning: IntegerMeaning,
}

/// The numbers that integers of few bytes stand for. Single precision holds all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntegerMeaning {
    /// The integer, which has no sign.
    Unsigned,
    /// A fraction of full scale, which is ±1: the integer has a sign (two's complement).
    Fraction,
    /// A fraction of full scale: the integer has no sign, and the middle of its range is 0.
    OffsetFraction,
}

/// Samples in such a format.
#[derive(Debug, Clone, Copy)]
pub struct StoredIntegers<'a> {
    /// How they are stored.
    pub format: IntegerFormat,
    /// How many integers there are: two for each complex sample.
    pub n: usize,
    bytes: Bytes<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Bytes<'a> {
    Image(&'a [u8]),
    Recording(&'a Pcm),
}

impl Samples {
    /// The bytes of the samples, where these are fewer than those of floats and follow each other; `None` for other samples.
    pub fn stored_integers(&self) -> Option<StoredIntegers<'_>> {
        let of_image = |content, n, bytes| {
            let format = IntegerFormat { bytes, is_big_endian: cfg!(target_endian = "big"), meaning: IntegerMeaning::Unsigned };
            Some(StoredIntegers { format, n, bytes: Bytes::Image(content) })
        };
        match self {
            Self::U8(values) => of_image(values, values.len(), 1),
            Self::U16(values) => of_image(bytemuck::cast_slice(values), values.len(), 2),
            Self::Pcm(pcm) => {
                let encoding = pcm.encoding();
                let meaning = match encoding.sample_type {
                    SampleType::U8 => IntegerMeaning::OffsetFraction,
                    SampleType::S8 | SampleType::S16 | SampleType::S24 => IntegerMeaning::Fraction,
                    SampleType::S32 | SampleType::F32 | SampleType::F64 | SampleType::ALaw | SampleType::MuLaw => return None,
                };
                let format = IntegerFormat { bytes: encoding.sample_type.bytes(), is_big_endian: encoding.is_big_endian, meaning };
                let n = if encoding.is_complex { 2 * pcm.len() } else { pcm.len() };
                pcm.is_dense().then_some(StoredIntegers { format, n, bytes: Bytes::Recording(pcm) })
            }
            _ => None,
        }
    }
}

impl StoredIntegers<'_> {
    /// Bytes of all integers.
    pub fn n_bytes(&self) -> usize {
        self.n * self.format.bytes
    }

    /// Fills `to` with the bytes from one on, and with zeros past the last one. Bytes that a file has lost since it was opened are zeros, too:
    /// [`Signal::fault`](super::Signal::fault) says so.
    pub fn read(&self, first: usize, to: &mut [u8]) {
        let n = to.len().min(self.n_bytes().saturating_sub(first));
        let (to, past) = to.split_at_mut(n);
        past.fill(0);
        match self.bytes {
            Bytes::Image(bytes) => to.copy_from_slice(&bytes[first..first + n]),
            Bytes::Recording(pcm) => pcm.copy_bytes(first, to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::encoding::Encoding;
    use super::super::reading::Content;
    use super::*;
    use crate::random::random_bits;

    /// The number that the bytes of an integer stand for, by the words above.
    fn number(format: IntegerFormat, stored: &[u8]) -> f64 {
        let mut bytes = stored.to_vec();
        if format.is_big_endian {
            bytes.reverse();
        }
        let integer = bytes.iter().rev().fold(0_i64, |integer, byte| integer << 8 | i64::from(*byte));
        let half = 1_i64 << (8 * format.bytes - 1);
        match format.meaning {
            IntegerMeaning::Unsigned => integer as f64,
            IntegerMeaning::Fraction => (if integer < half { integer } else { integer - 2 * half }) as f64 / half as f64,
            IntegerMeaning::OffsetFraction => (integer - half) as f64 / half as f64,
        }
    }

    #[test]
    fn bytes_stand_for_the_samples() {
        let file: Vec<u8> = (0..6 * 257 + 5).map(|index| random_bits(index) as u8).collect();
        let mut all = vec![
            Samples::U8((0..=255).collect()),
            Samples::U16((0..999).map(|index| random_bits(index) as u16).chain([0, 0x7fff, 0x8000, 0xffff]).collect()),
        ];
        for sample_type in [SampleType::U8, SampleType::S8, SampleType::S16, SampleType::S24] {
            for (is_big_endian, is_complex) in [(false, false), (true, false), (false, true), (true, true)] {
                let encoding = Encoding { sample_type, is_big_endian, is_complex };
                all.extend(Pcm::interleaved(&Content::new(file.clone()), 5, encoding, 1, encoding.bytes(), 257).pop().map(Samples::Pcm));
            }
        }
        for samples in all {
            let stored = samples.stored_integers().unwrap();
            let mut bytes = vec![1; stored.n_bytes() + 3];
            stored.read(0, &mut bytes);
            assert_eq!(bytes.split_off(stored.n_bytes()), [0; 3]);
            let found: Vec<f64> = bytes.chunks(stored.format.bytes).map(|bytes| number(stored.format, bytes)).collect();
            let parts: Vec<f64> = samples.to_complex64().iter().flat_map(|z| [z.re, z.im]).collect();
            let expected: Vec<f64> = if samples.is_complex() { parts } else { parts.into_iter().step_by(2).collect() };
            assert!(found == expected, "{:?}", stored.format);
            let mut some = [0; 7];
            stored.read(11, &mut some);
            assert_eq!(some, bytes[11..18]);
        }
    }

    #[test]
    fn other_samples_have_no_fewer_bytes() {
        let of = |sample_type, n_channels| {
            let encoding = Encoding::of(sample_type, false);
            Pcm::interleaved(&Content::new(vec![0; 96]), 0, encoding, n_channels, n_channels * encoding.bytes(), 4).pop().map(Samples::Pcm)
        };
        let recordings = [of(SampleType::S16, 2), of(SampleType::F32, 1), of(SampleType::S32, 1), of(SampleType::ALaw, 1)];
        for samples in recordings.into_iter().flatten().chain([Samples::F32(vec![0.0]), Samples::I32(vec![0]), Samples::F64(vec![0.0])]) {
            assert!(samples.stored_integers().is_none(), "{}", samples.type_name());
        }
    }
}
