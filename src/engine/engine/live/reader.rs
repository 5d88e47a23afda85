//! The thread that reads a stream, and files that still grow.

use super::super::worker::locked;
use super::{Counted, LiveEnd, Shared};
use crate::signal::{RawFormat, SampleStream, memory_limit};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

/// Bytes that are read at a time, at most.
const BLOCK: usize = 1 << 18;
/// Bytes that are remembered until the stream is known as one of samples: at least those before the samples of a WAV.
const REMEMBERED: usize = (1 << 20) + 64;

/// Remembers the first bytes of a stream.
struct Remembering<R> {
    stream: R,
    bytes: Vec<u8>,
}

impl<R: Read> Read for Remembering<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.stream.read(to)?;
        if self.bytes.len() < REMEMBERED {
            self.bytes.extend_from_slice(&to[..n]);
        }
        Ok(n)
    }
}

/// A file to whose end more is written: reading waits for it.
pub struct Follow {
    file: File,
    read: u64,
}

impl Follow {
    /// Follows the file at a path from its beginning.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, read: 0 })
    }
}

impl Read for Follow {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        /// The file is looked at again after this time.
        const GLANCE: Duration = Duration::from_millis(5);
        loop {
            let n = self.file.read(to)?;
            self.read += n as u64;
            if n > 0 || to.is_empty() {
                return Ok(n);
            }
            if self.file.metadata()?.len() < self.read {
                return Err(io::Error::other("it became shorter while it was followed"));
            }
            std::thread::sleep(GLANCE);
        }
    }
}

/// Reads a stream to its end, or until nobody needs it any longer.
pub(super) fn read(name: &str, stream: Box<dyn Read + Send>, raw: Option<RawFormat>, shared: &Shared) -> LiveEnd {
    let mut stream = Remembering { stream, bytes: Vec::new() };
    let opened = SampleStream::open(name, &mut stream, raw);
    let error = match opened {
        Ok(samples) => return keep(name, samples, shared),
        Err(error) => error,
    };
    // No stream of samples: what else it is, its whole content says.
    let mut bytes = std::mem::take(&mut stream.bytes);
    let limit = memory_limit();
    match stream.stream.take(limit).read_to_end(&mut bytes) {
        Ok(n) if (n as u64) < limit && !bytes.is_empty() => LiveEnd::Other(Arc::new(bytes)),
        _ => LiveEnd::Failed(error.to_string()),
    }
}

/// Keeps the samples of a stream as they come.
fn keep<R: Read>(name: &str, mut stream: SampleStream<R>, shared: &Shared) -> LiveEnd {
    let form = stream.form().clone();
    let Some(rate) = form.sampling.and_then(|sampling| sampling.rate_hz()) else {
        return LiveEnd::Failed(format!("{name} does not say its rate: add it to the type, as s16,1,44100"));
    };
    let (frame, mut block, mut filled) = (form.frame, vec![0; BLOCK.next_multiple_of(form.frame)], 0);
    while !shared.stops.load(Ordering::Relaxed) {
        match stream.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) => return LiveEnd::Failed(error.to_string()),
        }
        let whole = filled - filled % frame;
        if whole == 0 {
            continue;
        }
        let now = Instant::now();
        let mut state = locked(&shared.state);
        if state.counted.is_none() {
            let (is_complex, n_channels) = match form.signal(&[&block[..whole]]) {
                Ok(signal) => (signal.is_complex(), signal.channels.len()),
                Err(error) => return LiveEnd::Failed(error.to_string()),
            };
            state.pace.said(&form);
            (state.begun, state.is_overruled) = (Some(SystemTime::now()), stream.is_overruled());
            state.counted = Some(Counted::new(form.clone(), rate, is_complex, n_channels, *locked(&shared.settings)));
        }
        state.pace.count(whole, now);
        state.counted.iter_mut().for_each(|counted| counted.push(&block[..whole], now));
        drop(state);
        shared.news.notify_all();
        block.copy_within(whole..filled, 0);
        filled -= whole;
    }
    LiveEnd::Whole(filled)
}
