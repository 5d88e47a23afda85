//! A stream that runs: one thread reads it, another one counts every frame of it, and what a window shows of it is there at any time.
//!
//! The reader waits for nobody but the stream, so that a sound card or a receiver behind a pipe loses nothing while the window draws.

mod counted;
mod kept;
mod picture;
mod reader;
mod settings;

pub use counted::Counted;
pub use kept::Kept;
pub use picture::{LivePicture, LivePictureRequest, LivePictureStudy};
pub use reader::Follow;
pub use settings::{LiveSettings, Trigger};

use super::worker::locked;
use crate::fault::caught;
use crate::signal::RawFormat;
use reader::read;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant, SystemTime};

/// How a stream has ended.
#[derive(Debug, Clone, PartialEq)]
pub enum LiveEnd {
    /// After its last whole sample; this number of bytes was left over.
    Whole(usize),
    /// It is not a stream of samples: all of its bytes, for whoever knows other formats.
    Other(Arc<Vec<u8>>),
    /// It could not be read on; what was kept stays.
    Failed(String),
}

/// What a window shows of a stream.
#[derive(Debug, Clone)]
pub struct LiveState {
    /// The samples and frames so far; `None` before the stream says how its samples are stored.
    pub counted: Option<Counted>,
    /// Whether the stream is a WAV, whose header counts in place of what a person said.
    pub is_overruled: bool,
    /// How it has ended, once all its frames are counted.
    pub end: Option<LiveEnd>,
    /// When the stream was opened.
    pub opened: Instant,
    /// The clock when its first samples came.
    pub begun: Option<SystemTime>,
    /// When samples came last.
    pub heard: Instant,
}

/// What the threads share.
struct Shared {
    state: Mutex<LiveState>,
    settings: Mutex<LiveSettings>,
    /// There is something to count, or an end.
    news: Condvar,
    stops: Arc<AtomicBool>,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// A stream that runs; dropping it ends its threads, once the stream lets go of the reader.
pub struct LiveStream {
    name: String,
    shared: Arc<Shared>,
}

impl LiveStream {
    /// Begins to read a stream of samples that are stored as `raw` says, or of a WAV. `notify` is called from another thread whenever there is something new.
    ///
    /// # Errors
    /// When the system starts no thread.
    pub fn start(
        name: &str,
        stream: Box<dyn Read + Send>,
        raw: Option<RawFormat>,
        settings: LiveSettings,
        notify: impl Fn() + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let now = Instant::now();
        let state = LiveState { counted: None, is_overruled: false, end: None, opened: now, begun: None, heard: now };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            settings: Mutex::new(settings),
            news: Condvar::new(),
            stops: Arc::new(AtomicBool::new(false)),
            notify: Box::new(notify),
        });
        let (of_reader, of_counter, called) = (shared.clone(), shared.clone(), name.to_owned());
        let ended = Arc::new(Mutex::new(None));
        let told = ended.clone();
        Builder::new().name("stream".into()).spawn(move || {
            let end = caught(|| read(&called, stream, raw, &of_reader)).unwrap_or_else(LiveEnd::Failed);
            *locked(&told) = Some(end);
            of_reader.news.notify_all();
        })?;
        Builder::new().name("stream frames".into()).spawn(move || count(&of_counter, &ended))?;
        Ok(Self { name: name.to_owned(), shared })
    }

    /// Its name, for titles and messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is now. Samples and rows are shared, so that this takes no time.
    pub fn state(&self) -> LiveState {
        locked(&self.shared.state).clone()
    }

    /// Whether it has ended, and all its frames are counted.
    pub fn has_ended(&self) -> bool {
        locked(&self.shared.state).end.is_some()
    }

    /// Counts and keeps as these settings say from now on.
    pub fn set(&self, settings: LiveSettings) {
        *locked(&self.shared.settings) = settings;
        if let Some(counted) = &mut locked(&self.shared.state).counted
            && counted.settings != settings
        {
            counted.set(settings);
        }
    }

    /// Forgets the frames so far in means and holds.
    pub fn reset(&self) {
        locked(&self.shared.state).counted.iter_mut().for_each(Counted::reset);
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        self.shared.stops.store(true, Ordering::Relaxed);
        self.shared.news.notify_all();
    }
}

/// Counts frames until the stream has ended and all of them are counted.
fn count(shared: &Shared, ended: &Mutex<Option<LiveEnd>>) {
    /// Whoever waits looks again after this time.
    const GLANCE: Duration = Duration::from_millis(100);
    while !shared.stops.load(Ordering::Relaxed) {
        let end = locked(ended).clone();
        let mut state = locked(&shared.state);
        let work = state.counted.as_mut().and_then(|counted| counted.work(end.is_some()));
        match (work, end) {
            (Some(work), _) => {
                drop(state);
                match caught(|| work.done(&shared.stops)).unwrap_or_else(Err) {
                    Ok(done) => {
                        if let Some(counted) = &mut locked(&shared.state).counted {
                            counted.take(done);
                        }
                    }
                    Err(why) => {
                        shared.stops.store(true, Ordering::Relaxed);
                        locked(&shared.state).end = Some(LiveEnd::Failed(why));
                    }
                }
                (shared.notify)();
            }
            (None, Some(end)) => {
                state.end = Some(end);
                drop(state);
                return (shared.notify)();
            }
            // A poisoned lock is taken as it is; the loop looks again.
            (None, None) => drop(shared.news.wait_timeout(state, GLANCE)),
        }
    }
}
