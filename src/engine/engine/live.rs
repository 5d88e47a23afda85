//! A stream that runs: one thread reads it, another one counts every frame of it, and what a window shows of it is there at any time.
//!
//! The reader waits for nobody but the stream, so that a sound card or a receiver behind a pipe loses nothing while the window draws.

mod counted;
mod kept;
mod pace;
mod picture;
mod reader;
mod settings;

pub use counted::Counted;
pub use kept::Kept;
pub use pace::Pace;
pub use picture::{LivePicture, LivePictureRequest, LivePictureStudy};
pub use reader::Follow;
pub use settings::{LiveSettings, Trigger};

use super::worker::locked;
use crate::fault::caught;
use crate::signal::RawFormat;
use reader::read;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
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

/// The part of a stream that a window shows.
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
    /// How fast its samples come.
    pub pace: Pace,
}

/// The state that the threads share.
struct Shared {
    state: Mutex<LiveState>,
    settings: Mutex<LiveSettings>,
    /// How the thread that reads has ended. It is set and read while the state is locked, so that nobody waits for what has come.
    ended: Mutex<Option<LiveEnd>>,
    /// There is something to count, or an end.
    news: Condvar,
    stops: Arc<AtomicBool>,
    /// Who asks for pixels as soon as frames are counted, and since when.
    hurry: Mutex<Option<(Instant, Hurry)>>,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// Asks for pixels of what is counted; it takes no time.
pub type Hurry = Box<dyn Fn(&Counted) + Send>;

/// Who has asked for longer than this without asking anew is not there any more.
const HURRIES: Duration = Duration::from_secs(1);

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
        let state = LiveState { counted: None, is_overruled: false, end: None, opened: now, begun: None, pace: Pace::new(now) };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            settings: Mutex::new(settings),
            ended: Mutex::new(None),
            news: Condvar::new(),
            stops: Arc::new(AtomicBool::new(false)),
            hurry: Mutex::new(None),
            notify: Box::new(notify),
        });
        let (of_reader, of_counter, called) = (shared.clone(), shared.clone(), name.to_owned());
        Builder::new().name("stream".into()).spawn(move || {
            let end = caught(|| read(&called, stream, raw, &of_reader)).unwrap_or_else(LiveEnd::Failed);
            of_reader.tell(|| *locked(&of_reader.ended) = Some(end));
        })?;
        Builder::new().name("stream frames".into()).spawn(move || count(&of_counter))?;
        Ok(Self { name: name.to_owned(), shared })
    }

    /// Its name, for titles and messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its present state. Samples and rows are shared, so that this takes no time.
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

    /// Calls `hurry` as soon as frames are counted, in place of telling that there is something new: pixels are made without a frame of the window before them.
    /// It is called for a second, so that a window that shows the stream says so again and again.
    pub fn hurry(&self, hurry: Option<Hurry>) {
        *locked(&self.shared.hurry) = hurry.map(|hurry| (Instant::now(), hurry));
    }

    /// Forgets the frames so far in means and holds.
    pub fn reset(&self) {
        locked(&self.shared.state).counted.iter_mut().for_each(Counted::reset);
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        self.shared.tell(|| self.shared.stops.store(true, Ordering::Relaxed));
    }
}

impl Shared {
    /// Changes something that the thread that counts waits for, and wakes it.
    fn tell(&self, change: impl FnOnce()) {
        let state = locked(&self.state);
        change();
        drop(state);
        self.news.notify_all();
    }

    /// Says that frames are counted.
    fn told(&self) {
        let state = locked(&self.state);
        match (&*locked(&self.hurry), &state.counted) {
            (Some((since, hurry)), Some(counted)) if since.elapsed() < HURRIES => hurry(counted),
            _ => (self.notify)(),
        }
    }
}

/// Counts frames until the stream has ended and all of them are counted.
fn count(shared: &Shared) {
    let mut state = locked(&shared.state);
    while !shared.stops.load(Ordering::Relaxed) {
        let end = locked(&shared.ended).clone();
        let work = state.counted.as_mut().and_then(|counted| counted.work(end.is_some()));
        match (work, end) {
            (Some(work), _) => {
                drop(state);
                let done = caught(|| work.done(&shared.stops)).unwrap_or_else(Err);
                state = locked(&shared.state);
                match done {
                    Ok(done) => drop(state.counted.as_mut().map(|counted| counted.take(done))),
                    Err(why) => {
                        shared.stops.store(true, Ordering::Relaxed);
                        state.end = Some(LiveEnd::Failed(why));
                    }
                }
                drop(state);
                shared.told();
                state = locked(&shared.state);
            }
            (None, Some(end)) => {
                state.end = Some(end);
                drop(state);
                return (shared.notify)();
            }
            (None, None) => state = shared.news.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }
}
