//! The second signal of a convolution: where it comes from, and the thread that brings it.

use super::loader::Loader;
use super::origin::{Origin, SecondOrigin};
use super::settings::Settings;
use crate::signal::Signal;
use std::sync::Arc;

/// The second signal as it is brought.
pub(super) struct SecondSignal {
    loader: Loader,
    wished: Option<Origin>,
    loaded: Option<(Origin, Arc<Signal>)>,
}

impl SecondSignal {
    /// None yet; `notify` is called from another thread whenever there is something new.
    pub(super) fn new(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self { loader: Loader::start(notify), wished: None, loaded: None }
    }

    /// Takes in what was brought and sends for what is set; one line where it cannot be had, and the last one stays.
    pub(super) fn logic(&mut self, settings: &mut Settings) -> Option<String> {
        let error = self.loader.take().and_then(|loaded| match loaded.result {
            Ok((signal, _)) => {
                self.loaded = Some((loaded.origin, signal));
                None
            }
            Err(error) => {
                settings.second = self.loaded.as_ref().map_or(SecondOrigin::Itself, |(origin, _)| SecondOrigin::Other(origin.clone()));
                self.wished = self.loaded.as_ref().map(|(origin, _)| origin.clone());
                Some(error)
            }
        });
        if let SecondOrigin::Other(origin) = &settings.second
            && settings.transform().takes_two()
            && self.wished.as_ref() != Some(origin)
            && let Some((label, make)) = origin.load()
        {
            self.wished = Some(origin.clone());
            self.loader.load(origin.clone(), label, make);
        }
        error
    }

    /// What `first` is convolved with, once it is there; while a slider moves the last one stays.
    pub(super) fn signal(&self, second: &SecondOrigin, first: &Arc<Signal>) -> Option<Arc<Signal>> {
        match second {
            SecondOrigin::Itself => Some(first.clone()),
            SecondOrigin::Other(_) => self.loaded.as_ref().map(|(_, signal)| signal.clone()),
        }
    }

    /// Whether what is set is there, or not wanted.
    pub(super) fn is_settled(&self, settings: &Settings) -> bool {
        match &settings.second {
            SecondOrigin::Other(origin) if settings.transform().takes_two() => {
                self.loaded.as_ref().is_some_and(|(loaded, _)| loaded == origin)
            }
            _ => true,
        }
    }

    /// What is being loaded.
    pub(super) fn loading(&self) -> Option<crate::engine::Progress> {
        self.loader.loading()
    }
}
