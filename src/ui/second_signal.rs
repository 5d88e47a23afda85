//! The second signal of a convolution, and the thread that loads it.

use super::loader::Loader;
use super::origin::{Origin, SecondOrigin, TableReading};
use super::settings::Settings;
use crate::signal::Signal;
use std::sync::Arc;

/// The second signal.
pub(super) struct SecondSignal {
    /// Started when a second signal is loaded first.
    loader: Option<Loader>,
    notify: Arc<dyn Fn() + Send + Sync>,
    requested: Option<Origin>,
    loaded: Option<(Origin, Arc<Signal>)>,
}

impl SecondSignal {
    /// No signal yet; `notify` is called from another thread whenever there is something new.
    pub(super) fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self { loader: None, notify: Arc::new(notify), requested: None, loaded: None }
    }

    /// Takes what was loaded and requests what is set. When loading fails, the last signal stays, and the error is returned as one line.
    pub(super) fn update(&mut self, settings: &mut Settings) -> Option<String> {
        let error = self.loader.as_ref().and_then(Loader::take).and_then(|loaded| match loaded.result {
            Ok((signal, _)) => {
                self.loaded = Some((loaded.origin, signal));
                None
            }
            Err(error) => {
                settings.second = self.loaded.as_ref().map_or(SecondOrigin::Itself, |(origin, _)| SecondOrigin::Other(origin.clone()));
                self.requested = self.loaded.as_ref().map(|(origin, _)| origin.clone());
                Some(error)
            }
        });
        if let SecondOrigin::Other(origin) = &settings.second
            && settings.takes_second()
            && self.requested.as_ref() != Some(origin)
            && let Some((label, load)) = origin.load(&TableReading::default())
        {
            self.requested = Some(origin.clone());
            let notify = self.notify.clone();
            self.loader.get_or_insert_with(|| Loader::start(move || notify())).load(origin.clone(), label, load);
        }
        error
    }

    /// The signal that `first` is convolved with, once it is there; while a slider moves, the last one stays.
    pub(super) fn signal(&self, second: &SecondOrigin, first: &Arc<Signal>) -> Option<Arc<Signal>> {
        match second {
            SecondOrigin::Itself => Some(first.clone()),
            SecondOrigin::Other(_) => self.loaded.as_ref().map(|(_, signal)| signal.clone()),
        }
    }

    /// Whether the second signal that is set is loaded, or not needed.
    pub(super) fn is_settled(&self, settings: &Settings) -> bool {
        match &settings.second {
            SecondOrigin::Other(origin) if settings.takes_second() => self.loaded.as_ref().is_some_and(|(loaded, _)| loaded == origin),
            _ => true,
        }
    }

    /// The progress of loading.
    pub(super) fn loading(&self) -> Option<crate::engine::Progress> {
        self.loader.as_ref().and_then(Loader::loading)
    }
}
