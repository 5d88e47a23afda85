//! The second signal of a convolution or a filter, and the thread that loads it.

use super::loader::Loader;
use super::origin::{LoadSignal, Origin, SecondOrigin, TableReading};
use super::settings::Settings;
use crate::engine::filter::factors_signal;
use crate::filter::Mask;
use crate::prepare::Preparation;
use crate::signal::{Signal, Watch};
use std::path::PathBuf;
use std::sync::Arc;

/// The second signal.
pub(super) struct SecondSignal {
    /// Started when a second signal is loaded first.
    loader: Option<Loader<Wanted>>,
    notify: Arc<dyn Fn() + Send + Sync>,
    requested: Option<Wanted>,
    loaded: Option<(Wanted, Arc<Signal>)>,
    /// The factors that could not be made last.
    failed: Option<Wanted>,
}

/// The loaded signal.
#[derive(Clone, PartialEq)]
enum Wanted {
    Origin(Origin),
    Factors(Box<Factors>),
}

/// Factors for the spectrum of a signal.
#[derive(Clone)]
struct Factors {
    signal: Arc<Signal>,
    preparation: Preparation,
    mask: Mask,
    painted: Option<PathBuf>,
}

impl PartialEq for Factors {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal)
            && (self.preparation, &self.mask, &self.painted) == (other.preparation, &other.mask, &other.painted)
    }
}

impl Wanted {
    /// The second signal that the settings ask for; `None` where that is the first signal itself, or where no second one is taken.
    fn of(settings: &Settings, first: Option<&Arc<Signal>>) -> Option<Self> {
        match &settings.second {
            _ if !settings.takes_second() => None,
            SecondOrigin::Itself => None,
            SecondOrigin::Other(origin) => Some(Self::Origin(origin.clone())),
            SecondOrigin::Mask => {
                let (signal, filter) = (first?.clone(), &settings.filter);
                let (preparation, mask, painted) = (settings.preparation, filter.mask.clone(), filter.painted_file());
                Some(Self::Factors(Box::new(Factors { signal, preparation, mask, painted })))
            }
        }
    }

    /// The message during loading, and the function that loads.
    fn load(&self) -> Option<(String, LoadSignal)> {
        match self.clone() {
            Self::Origin(origin) => origin.load(&TableReading::default()),
            Self::Factors(of) => {
                let factors = move |_: &Watch| factors_signal(&of.signal, &of.preparation, (&of.mask, of.painted.as_deref()));
                let load = move |watch: &Watch| factors(watch).map_err(|error| super::remedy::in_words(&error).into());
                Some(("Making the factors of the mask".into(), Arc::new(load)))
            }
        }
    }
}

impl SecondSignal {
    /// No signal yet; `notify` is called from another thread whenever there is something new.
    pub(super) fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self { loader: None, notify: Arc::new(notify), requested: None, loaded: None, failed: None }
    }

    /// Takes what was loaded and requests what is set beside the first signal. When loading fails, the last signal stays, and the error is returned as one line.
    pub(super) fn update(&mut self, settings: &mut Settings, first: Option<&Arc<Signal>>) -> Option<String> {
        let error = self.loader.as_ref().and_then(Loader::take).and_then(|loaded| match loaded.result {
            Ok((signal, _)) => {
                self.loaded = Some((loaded.origin, signal));
                None
            }
            // The mask stays the second signal: the next change of it may be right again.
            Err(error) if matches!(loaded.origin, Wanted::Factors(_)) => {
                self.failed = Some(loaded.origin);
                Some(error.words)
            }
            Err(error) => {
                settings.second = match &self.loaded {
                    Some((Wanted::Origin(origin), _)) => SecondOrigin::Other(origin.clone()),
                    _ => SecondOrigin::Itself,
                };
                self.requested = self.loaded.as_ref().map(|(wanted, _)| wanted.clone());
                Some(error.words)
            }
        });
        if let Some(wanted) = Wanted::of(settings, first)
            && self.requested.as_ref() != Some(&wanted)
            && let Some((label, load)) = wanted.load()
        {
            self.requested = Some(wanted.clone());
            let notify = self.notify.clone();
            self.loader.get_or_insert_with(|| Loader::start(move || notify())).load(wanted, label, load);
        }
        error
    }

    /// The second signal beside `first`, once it is there; while a slider moves, the last one stays.
    pub(super) fn signal(&self, second: &SecondOrigin, first: &Arc<Signal>) -> Option<Arc<Signal>> {
        let is_of = |wanted: &Wanted| match wanted {
            Wanted::Origin(_) => matches!(second, SecondOrigin::Other(_)),
            Wanted::Factors(of) => *second == SecondOrigin::Mask && Arc::ptr_eq(&of.signal, first),
        };
        match second {
            SecondOrigin::Itself => Some(first.clone()),
            _ => self.loaded.as_ref().filter(|(wanted, _)| is_of(wanted)).map(|(_, signal)| signal.clone()),
        }
    }

    /// Whether the second signal that is set is loaded, cannot be made, or is not needed.
    pub(super) fn is_settled(&self, settings: &Settings, first: Option<&Arc<Signal>>) -> bool {
        let known = || self.loaded.iter().map(|(loaded, _)| loaded).chain(&self.failed);
        Wanted::of(settings, first).is_none_or(|wanted| known().any(|known| *known == wanted))
    }

    /// The progress of loading.
    pub(super) fn loading(&self) -> Option<crate::engine::Progress> {
        self.loader.as_ref().and_then(Loader::loading)
    }
}
