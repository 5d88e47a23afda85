//! Samples that come as a stream, such as a recording that still goes on: parts that follow each other, each a signal of its own.

use super::formats::{WAV, WavHead};
use super::load::decoded;
use super::reading::Content;
use super::{FileError, RawFormat, ReadOptions, Reading, Sampling, Signal};
use std::io::{Chain, Cursor, Read};

/// How the samples of a stream are stored, so that any part of their bytes is a signal.
#[derive(Debug, Clone)]
pub struct StreamForm {
    name: String,
    /// The bytes that are before those of every part, so that both are a file.
    head: Vec<u8>,
    how: Reading,
    /// Bytes of a frame: a sample of every channel.
    pub frame: usize,
    /// How the samples follow each other, where the stream or a person says it.
    pub sampling: Option<Sampling>,
}

/// Bytes by which a WAV is recognised.
const MARK: u64 = 12;

/// A stream of samples: plain ones whose type a person says, or a WAV.
pub struct SampleStream<R> {
    stream: Chain<Cursor<Vec<u8>>, R>,
    form: StreamForm,
    /// Bytes of samples that are still to come, where the stream says how many.
    left: Option<u64>,
    /// Bytes of a sample that the end of the stream cuts.
    cut: usize,
    is_overruled: bool,
}

impl StreamForm {
    /// The form of plain samples of this type; `name` is for titles and messages.
    pub fn of_raw(name: &str, raw: RawFormat) -> Self {
        let how = Reading { options: ReadOptions { raw: Some(raw), ..Default::default() }, ..Default::default() };
        let frame = usize::from(raw.channels.max(1)) * raw.encoding.bytes();
        Self { name: name.to_owned(), head: Vec::new(), how, frame, sampling: raw.rate }
    }

    /// The signal of some bytes of the stream, which are whole frames.
    ///
    /// # Errors
    /// When there are none, or the head of the stream does not fit them.
    pub fn signal(&self, bytes: &[&[u8]]) -> Result<Signal, FileError> {
        let mut content = Vec::with_capacity(self.head.len() + bytes.iter().map(|part| part.len()).sum::<usize>());
        content.extend_from_slice(&self.head);
        bytes.iter().for_each(|part| content.extend_from_slice(part));
        self.decoded(content)
    }

    fn decoded(&self, content: Vec<u8>) -> Result<Signal, FileError> {
        let mut signal = decoded(&self.name, &Content::new(content), &self.how)?;
        // Notes on the head would come with every part.
        signal.notes.clear();
        Ok(signal)
    }
}

impl<R: Read> SampleStream<R> {
    /// Begins a stream of samples that are stored as `raw` says, or of a WAV, whose header is surer; `name` is for titles and messages.
    ///
    /// # Errors
    /// Without `raw`, when the stream does not begin as a WAV of plain samples, or reading fails.
    pub fn open(name: &str, mut stream: R, raw: Option<RawFormat>) -> Result<Self, FileError> {
        let mut mark = Vec::new();
        let read = (&mut stream).take(MARK).read_to_end(&mut mark);
        read.map_err(|source| FileError::Io { verb: "read", path: name.into(), source })?;
        let is_wave = WAV.recognises(&mark);
        let mut stream = Cursor::new(mark).chain(stream);
        if let Some(raw) = raw.filter(|_| !is_wave) {
            return Ok(Self { stream, form: StreamForm::of_raw(name, raw), left: None, cut: 0, is_overruled: false });
        }
        let content = |cause| FileError::Content { name: name.to_owned(), format: WAV.name, cause };
        let WavHead { bytes: head, frame, sampling, samples: left } = WavHead::read(&mut stream).map_err(content)?;
        let form = StreamForm { name: name.to_owned(), head, how: Reading::default(), frame, sampling: Some(sampling) };
        Ok(Self { stream, form, left, cut: 0, is_overruled: raw.is_some() })
    }

    /// How its samples are stored.
    pub fn form(&self) -> &StreamForm {
        &self.form
    }

    /// How the samples follow each other, where the stream or a person says it.
    pub fn sampling(&self) -> Option<Sampling> {
        self.form.sampling
    }

    /// Whether the stream is a WAV, so that its header counts and not what a person said.
    pub fn is_overruled(&self) -> bool {
        self.is_overruled
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
        let (head, frame) = (self.form.head.len(), self.form.frame);
        let wanted = (samples.max(1) as u64).saturating_mul(frame as u64).min(self.left.unwrap_or(u64::MAX));
        let mut content = self.form.head.clone();
        let n = (&mut self.stream).take(wanted).read_to_end(&mut content).map_err(|source| self.failure(source))?;
        self.left = self.left.map(|left| left - n as u64);
        // Behind the end, nothing more is cut.
        self.cut = if n == 0 { self.cut } else { n % frame };
        if n < frame {
            return Ok(None);
        }
        content.truncate(head + n - self.cut);
        self.form.decoded(content).map(Some)
    }

    /// Puts the bytes that have come into `to`, at most those that fit: their number, 0 where none fit, or at the end of the stream. It waits for the first one alone.
    ///
    /// # Errors
    /// When reading fails.
    pub fn read(&mut self, to: &mut [u8]) -> Result<usize, FileError> {
        let most = to.len().min(self.left.map_or(usize::MAX, |left| usize::try_from(left).unwrap_or(usize::MAX)));
        loop {
            match self.stream.read(&mut to[..most]) {
                Ok(n) => {
                    self.left = self.left.map(|left| left - n as u64);
                    return Ok(n);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(source) => return Err(self.failure(source)),
            }
        }
    }

    fn failure(&self, source: std::io::Error) -> FileError {
        FileError::Io { verb: "read", path: self.form.name.clone().into(), source }
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
        for (bytes, raw) in [(wave.clone(), None), (tagged, None), (endless, None), (wave, "s16,1,8000".parse().ok())] {
            let stream = SampleStream::open("wave", Drops(&bytes), raw).unwrap();
            assert_eq!(stream.is_overruled(), raw.is_some(), "a header is surer than what a person says");
            assert_eq!(stream.sampling().and_then(Sampling::rate_hz), Some(44_100.0));
            assert_eq!(all(stream, 50), (numbers.clone(), vec![50, 50, 3]));
        }
    }

    #[test]
    fn bytes_as_they_come_are_the_samples_of_their_form() {
        let raw: Vec<u8> = (0..40_i16).flat_map(i16::to_le_bytes).collect();
        let mut stream = SampleStream::open("raw", Drops(&raw), "s16,2,8000".parse().ok()).unwrap();
        let (mut bytes, mut some) = (Vec::new(), [0; 16]);
        while let n @ 1.. = stream.read(&mut some).unwrap() {
            assert!(n <= 12, "nothing is waited for behind the mark of a WAV");
            bytes.extend_from_slice(&some[..n]);
        }
        assert_eq!(bytes, raw);
        let signal = stream.form().signal(&[&bytes[4..40], &bytes[40..80]]).unwrap();
        assert_eq!((signal.columns, signal.channels.len(), signal.rate_hz()), (19, 2, Some(8000.0)));
        assert_eq!(signal.channels[1].samples.to_f32()[0], 3.0 / 32_768.0);
    }

    #[test]
    fn a_stream_that_ends_inside_a_sample_says_so() {
        let mut stream = SampleStream::open("cut", &[0_u8, 1, 2, 3, 4, 5, 6][..], "s16,2".parse().ok()).unwrap();
        let signal = stream.next(10).unwrap().unwrap();
        assert_eq!((signal.columns, stream.cut()), (1, 3));
        assert!(stream.next(10).unwrap().is_none());
        assert_eq!(stream.cut(), 3, "it is still said");
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
