//! The thread that reads files and generates signals: the newest request wins, and the window never waits.

use super::origin::{LoadSignal, Origin, Refusal};
use crate::engine::{Ask, Mailbox, Progress, RenderedImage, Worker};
use crate::fault::caught;
use crate::numerals;
use crate::signal::{Signal, Watch};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A signal that the loader has loaded, or its error.
#[derive(Clone)]
pub(super) struct Loaded<K> {
    /// The key of the request: where the signal comes from.
    pub origin: K,
    /// How long it took.
    pub time: Duration,
    /// The signal and a small image of it, or why there is none.
    pub result: Result<(Arc<Signal>, Option<Arc<RenderedImage>>), Refusal>,
}

/// A request for a signal.
#[derive(Clone)]
struct LoadRequest<K> {
    origin: K,
    label: String,
    load: LoadSignal,
}

impl<K: Clone + Send + 'static> Ask for LoadRequest<K> {}

/// A handle on the thread; dropping it ends the thread.
pub(super) struct Loader<K = Origin> {
    worker: Worker<LoadRequest<K>, Loaded<K>>,
}

impl<K: Clone + Send + Sync + 'static> Loader<K> {
    /// Starts the thread; `notify` is called from it whenever there is something new.
    pub(super) fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self { worker: Worker::start("loader", load, notify).detached() }
    }

    /// Requests a signal; it replaces an older request.
    pub(super) fn load(&self, origin: K, label: String, load: LoadSignal) {
        self.worker.request(LoadRequest { origin, label, load });
    }

    /// The newest signal that was loaded, once.
    pub(super) fn take(&self) -> Option<Loaded<K>> {
        self.worker.take().map(Arc::unwrap_or_clone)
    }

    /// Gives up loading.
    pub(super) fn cancel(&self) {
        self.worker.cancel();
    }

    /// The progress of loading.
    pub(super) fn loading(&self) -> Option<Progress> {
        self.worker.progress()
    }
}

fn load<K: Clone>(request: LoadRequest<K>, mailbox: &Mailbox<LoadRequest<K>, Loaded<K>>) {
    let (since, watch) = (Instant::now(), Watch::default());
    mailbox.set_progress(Some(Progress { label: request.label.clone(), fraction: None, since }));
    mailbox.notify();
    // On a thread of its own: a pipe may never deliver, and is left alone then.
    let (send, receive) = channel();
    let (watched, make) = (watch.clone(), request.load.clone());
    let work = move || {
        let load = || {
            let signal = Arc::new((make)(&watched)?);
            let preview = RenderedImage::preview(&signal, PREVIEW).map(Arc::new);
            Ok((signal, preview))
        };
        // Nobody listens after a cancellation.
        let _ = send.send(
            caught(load).unwrap_or_else(|fault| Err(format!("the program failed at this signal ({fault}): please report it").into())),
        );
    };
    let spawned = std::thread::Builder::new().name("load".into()).spawn(work);
    let result = loop {
        match receive.recv_timeout(GLANCE) {
            Ok(result) => break result,
            Err(RecvTimeoutError::Disconnected) => break Err(spawned.err().map_or_else(String::new, |error| error.to_string()).into()),
            Err(RecvTimeoutError::Timeout) if !mailbox.cancel().load(Ordering::Relaxed) => {
                if let Some((done, total)) = watch.bytes() {
                    let [read, all] = [done, total].map(numerals::bytes);
                    // Columns of a table, for example, are made once all of it is read.
                    let (label, fraction) = match done < total {
                        true => (format!("{}: {read} of {all}", request.label), Some(done as f32 / total as f32)),
                        false => (format!("{}: all {all} are read, and being decoded", request.label), None),
                    };
                    mailbox.set_progress(Some(Progress { label, fraction, since }));
                }
            }
            Err(RecvTimeoutError::Timeout) if mailbox.has_newer(|_| true) => {
                // A generator that is given up still runs to its end and holds its memory. While a hand drags, many would run.
                if watch.bytes().is_some() || since.elapsed() > PATIENCE {
                    return watch.cancel();
                }
            }
            Err(RecvTimeoutError::Timeout) => break Err("Loading is cancelled".to_owned().into()),
        }
    };
    watch.cancel();
    mailbox.set_progress(None);
    mailbox.publish(Some(Arc::new(Loaded { origin: request.origin, time: since.elapsed(), result })));
}

/// The loader checks this often whether it is cancelled.
const GLANCE: Duration = Duration::from_millis(50);

/// A signal that is made, or whose pipe has sent nothing yet, has this long before it is given up for another one.
const PATIENCE: Duration = Duration::from_secs(2);

/// Pixels of the longer side of a preview, which is shown until the engine has rendered the visible part.
const PREVIEW: usize = 512;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn the_newest_request_wins() {
        let loader = Loader::start(|| {});
        for n in 1..=20 {
            let make = move |_: &Watch| {
                std::thread::sleep(Duration::from_millis(2));
                Ok(Signal::row(format!("{n}"), Samples::U8(vec![0; n])))
            };
            loader.load(Origin::Pasted(n as u64), format!("{n}"), Arc::new(make));
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
        assert!(loader.loading().is_none());
    }

    #[test]
    fn signals_that_take_long_are_made_one_after_the_other() {
        let (loader, alive, most) = (Loader::start(|| {}), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        for n in 1..=30 {
            let (alive, most) = (alive.clone(), most.clone());
            let make = move |_: &Watch| {
                most.fetch_max(1 + alive.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
                std::thread::sleep(3 * GLANCE);
                alive.fetch_sub(1, Ordering::Relaxed);
                Ok(Signal::row(format!("{n}"), Samples::U8(vec![0; n])))
            };
            loader.load(Origin::Pasted(n as u64), format!("{n}"), Arc::new(make));
            std::thread::sleep(Duration::from_millis(16));
        }
        let (deadline, mut loaded) = (Instant::now() + Duration::from_secs(10), 0);
        while loaded != 30 && Instant::now() < deadline {
            loaded = loader.take().map_or(loaded, |loaded| loaded.result.expect("it is made").0.columns);
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!((loaded, most.load(Ordering::Relaxed)), (30, 1), "the newest one, and no two at a time");
    }

    #[test]
    fn what_never_comes_is_cancelled_and_a_fault_is_a_message() {
        let loader = Loader::start(|| {});
        let result = |cancels: bool| {
            let deadline = Instant::now() + Duration::from_secs(10);
            loop {
                if let Some(loaded) = loader.take() {
                    break loaded.result.map(|(signal, _)| signal.columns).map_err(|refusal| refusal.words);
                }
                assert!(Instant::now() < deadline);
                if cancels && loader.loading().is_some() {
                    loader.cancel();
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let never = |_: &Watch| {
            std::thread::sleep(Duration::from_secs(1000));
            Err(String::new().into())
        };
        loader.load(Origin::Pasted(1), "never".into(), Arc::new(never));
        assert_eq!(result(true), Err("Loading is cancelled".into()));
        loader.load(Origin::Pasted(2), "fault".into(), Arc::new(|_| panic!("a fault of a decoder")));
        assert!(result(false).is_err_and(|message| message.contains("a fault of a decoder")));
        loader.load(Origin::Pasted(3), "fine".into(), Arc::new(|_| Ok(Signal::row("fine", Samples::U8(vec![0; 3])))));
        assert_eq!(result(false), Ok(3));
    }
}
