//! The thread that reads files and generates signals: the newest wish wins, and the window never waits.

use super::origin::Origin;
use crate::display::{Colormap, Frame, Look, Quantity, Scale, extremes, picture_from_afar};
use crate::engine::Picture;
use crate::signal::{Kind, Signal};
use crate::transforms::Shape;
use num_complex::Complex32;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// How a signal is come by.
pub(super) type Make = Box<dyn FnOnce() -> Result<Signal, String> + Send>;

/// What the loader brings.
pub(super) struct Loaded {
    /// What was wished for.
    pub origin: Origin,
    /// The signal and a small picture of it, or one line on why not.
    pub result: Result<(Arc<Signal>, Option<Arc<Picture>>), String>,
}

/// What is being loaded, and since when.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loading {
    /// "Reading photo.png", …
    pub label: String,
    /// Since when.
    pub since: Instant,
}

struct Wish {
    origin: Origin,
    label: String,
    make: Make,
}

#[derive(Default)]
struct Desk {
    wish: Option<Wish>,
    loading: Option<Loading>,
    loaded: Option<Loaded>,
    closed: bool,
}

struct Shared {
    desk: Mutex<Desk>,
    wake: Condvar,
    notify: Box<dyn Fn() + Send + Sync>,
}

/// A handle on the thread; dropping it ends the thread.
pub(super) struct Loader {
    shared: Arc<Shared>,
}

impl Loader {
    /// Starts the thread; `notify` is called from it whenever there is something new.
    pub(super) fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared { desk: Mutex::default(), wake: Condvar::new(), notify: Box::new(notify) });
        let worker = shared.clone();
        std::thread::Builder::new().name("loader".into()).spawn(move || work(&worker)).expect("the system starts a thread");
        Self { shared }
    }

    /// Wishes for a signal; an older wish that is not begun is forgotten, and the result of one that is begun is dropped.
    pub(super) fn load(&self, origin: Origin, label: String, make: Make) {
        locked(&self.shared.desk).wish = Some(Wish { origin, label, make });
        self.shared.wake.notify_one();
    }

    /// What came since the last time, once.
    pub(super) fn take(&self) -> Option<Loaded> {
        locked(&self.shared.desk).loaded.take()
    }

    /// What is being loaded.
    pub(super) fn loading(&self) -> Option<Loading> {
        locked(&self.shared.desk).loading.clone()
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        locked(&self.shared.desk).closed = true;
        self.shared.wake.notify_one();
    }
}

fn work(shared: &Shared) {
    loop {
        let mut desk = locked(&shared.desk);
        let wish = loop {
            if desk.closed {
                return;
            }
            match desk.wish.take() {
                Some(wish) => break wish,
                None => desk = shared.wake.wait(desk).unwrap_or_else(PoisonError::into_inner),
            }
        };
        desk.loading = Some(Loading { label: wish.label, since: Instant::now() });
        drop(desk);
        (shared.notify)();
        let result = (wish.make)().map(|signal| {
            let preview = preview(&signal);
            (Arc::new(signal), preview)
        });
        let mut desk = locked(&shared.desk);
        desk.loading = None;
        desk.loaded = Some(Loaded { origin: wish.origin, result });
        drop(desk);
        (shared.notify)();
    }
}

/// Pixels of the longer side of a preview.
const PREVIEW: usize = 512;

/// A small gray picture of a signal, shown from the moment that it is decoded until the engine has rendered the visible part.
fn preview(signal: &Signal) -> Option<Arc<Picture>> {
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    if signal.kind != Kind::Picture || shape.is_empty() {
        return None;
    }
    let samples = signal.plane(Default::default()).ok()?;
    let at = |row: usize, column: usize| Complex32::new(samples[row * shape.columns + column], 0.0);
    let look = Look { quantity: Quantity::Real, scale: Scale::Linear, range: None, shifted: false, colormap: Colormap::Gray };
    let shrink = (shape.rows.max(shape.columns) as f64 / PREVIEW as f64).max(1.0);
    let pixels = |n: usize| (n as f64 / shrink).round().max(1.0) as usize;
    let frame = Frame { width: pixels(shape.columns), height: pixels(shape.rows), ..Frame::whole(shape) };
    let range = extremes(at, shape, &look);
    Some(Arc::new(Picture { frame, rgba: picture_from_afar(at, shape, &look, range, frame), range, is_blank: false, values: Vec::new() }))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;
    use std::time::Duration;

    #[test]
    fn the_newest_wish_wins() {
        let loader = Loader::start(|| {});
        for n in 1..=20 {
            let make = move || {
                std::thread::sleep(Duration::from_millis(2));
                Ok(Signal::line(format!("{n}"), Samples::U8(vec![0; n])))
            };
            loader.load(Origin::Pasted(n as u64), format!("{n}"), Box::new(make));
        }
        let deadline = Instant::now() + Duration::from_secs(10);
        let mut last = 0;
        while last != 20 && Instant::now() < deadline {
            if let Some(loaded) = loader.take() {
                last = loaded.result.expect("it is made").0.columns;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(last, 20);
        assert_eq!(loader.loading(), None);
    }
}
