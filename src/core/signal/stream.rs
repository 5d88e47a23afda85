//! Samples that come as a stream, such as a recording that still goes on: parts that follow each other, each a signal of its own.

use super::formats::{WAV, WavHead};
use super::load::decoded;
use super::reading::Content;
use super::{FileError, RawFormat, ReadOptions, Reading, Sampling, Signal};
use std::io::Read;

/// A stream of samples: plain ones whose type a person says, or a WAV.
pub struct SampleStream<R> {
    name: String,
    stream: R,
    /// The bytes that stand before those of every part, so that both are a file.
    head: Vec<u8>,
    how: Reading,
    /// Bytes of a frame: a sample of every channel.
    frame: usize,
    sampling: Option<Sampling>,
    /// Bytes of samples that are still to come, where the stream says how many.
    left: Option<u64>,
    /// Bytes of a sample that the end of the stream cuts.
    cut: usize,
}

impl<R: Read> SampleStream<R> {
    /// Begins a stream of samples that are stored as `raw` says, or of a WAV; `name` is for titles and messages.
    ///
    /// # Errors
    /// When there is no `raw` and the stream does not begin as a WAV of plain samples.
    pub fn open(name: &str, mut stream: R, raw: Option<RawFormat>) -> Result<Self, FileError> {
        let how = Reading { options: ReadOptions { raw, ..Default::default() }, ..Default::default() };
        let name = name.to_owned();
        Ok(match raw {
            Some(RawFormat { encoding, channels, rate }) => {
                let frame = usize::from(channels.max(1)) * encoding.bytes();
                Self { name, stream, head: Vec::new(), how, frame, sampling: rate, left: None, cut: 0 }
            }
            None => {
                let content = |cause| FileError::Content { name: name.clone(), format: WAV.name, cause };
                let WavHead { bytes, frame, sampling, samples } = WavHead::read(&mut stream).map_err(content)?;
                Self { name, stream, head: bytes, how, frame, sampling: Some(sampling), left: samples, cut: 0 }
            }
        })
    }

    /// How the samples follow each other, where the stream or a person says it.
    pub fn sampling(&self) -> Option<Sampling> {
        self.sampling
    }

    /// Bytes that the stream has behind its last whole sample, once it has ended.
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// The next `samples` of every channel; fewer at the end of the stream, and nothing behind it. It waits until they have come.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next(&mut self, samples: usize) -> Result<Option<Signal>, FileError> {
        let wanted = (samples.max(1) as u64).saturating_mul(self.frame as u64).min(self.left.unwrap_or(u64::MAX));
        let mut content = self.head.clone();
        let source = |source| FileError::Io { verb: "read", path: self.name.clone().into(), source };
        let n = (&mut self.stream).take(wanted).read_to_end(&mut content).map_err(source)?;
        self.left = self.left.map(|left| left - n as u64);
        self.cut = n % self.frame;
        if n < self.frame {
            return Ok(None);
        }
        content.truncate(self.head.len() + n - self.cut);
        let mut signal = decoded(&self.name, &Content::new(content), &self.how)?;
        // Notes on the head would come with every part.
        signal.notes.clear();
        Ok(Some(signal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{OutputFormat, Samples, write};

    /// Gives a few bytes at a time, as a pipe does.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let n = to.len().min(self.0.len()).min(7);
            to[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn all<R: Read>(mut stream: SampleStream<R>, part: usize) -> (Vec<f32>, Vec<usize>) {
        let (mut values, mut lengths) = (Vec::new(), Vec::new());
        while let Some(signal) = stream.next(part).unwrap() {
            lengths.push(signal.columns);
            values.extend(signal.channels[0].samples.to_f32());
        }
        (values, lengths)
    }

    #[test]
    fn the_parts_of_a_stream_are_its_samples_in_order() {
        let numbers: Vec<f32> = (0..103).map(|n| n as f32 / 128.0).collect();
        let raw: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).chain([1, 2]).collect();
        let format = "f32,1,1000".parse().ok();
        assert_eq!(all(SampleStream::open("raw", Drops(&raw), format).unwrap(), 25), (numbers.clone(), vec![25, 25, 25, 25, 3]));
        let mut wave = Vec::new();
        let format = OutputFormat::of_ending("wav").unwrap();
        write(&mut wave, &Signal::row("tone", Samples::F32(numbers.clone())), format).unwrap();
        // A chunk behind the samples belongs to none of them; a recording that goes on does not say how long it is.
        let tagged = [&wave[..], b"LIST\x04\0\0\0abcd"].concat();
        let at = wave.len() - 4 * numbers.len() - 4;
        let mut endless = wave.clone();
        endless[at..at + 4].fill(0xff);
        for bytes in [wave, tagged, endless] {
            let stream = SampleStream::open("wave", Drops(&bytes), None).unwrap();
            assert_eq!(stream.sampling().and_then(Sampling::rate_hz), Some(44_100.0));
            assert_eq!(all(stream, 50), (numbers.clone(), vec![50, 50, 3]));
        }
    }

    #[test]
    fn a_stream_that_ends_inside_a_sample_says_so() {
        let mut stream = SampleStream::open("cut", &[0_u8, 1, 2, 3, 4, 5, 6][..], "s16,2".parse().ok()).unwrap();
        let signal = stream.next(10).unwrap().unwrap();
        assert_eq!((signal.columns, stream.cut()), (1, 3));
        assert!(stream.next(10).unwrap().is_none());
    }

    #[test]
    fn what_is_no_stream_of_samples_is_refused_in_one_line() {
        for (bytes, words) in
            [(&b""[..], "ends before"), (b"RIFF\0\0\0\0WAVEfmt ", "ends before"), (b"hello, this is no sound", "s16,1,44100")]
        {
            let error = SampleStream::open("it", bytes, None).err().unwrap().to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{error}");
        }
    }
}
