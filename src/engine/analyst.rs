//! The thread that studies Boolean functions: the newest signal wins, and the work for an older one is given up.

use super::Progress;
use super::desk::Desk;
use super::logic::{Study, StudyError, study};
use crate::signal::{Signal, View};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What came of a study.
#[derive(Debug, Clone)]
pub struct Studied {
    /// What was studied.
    pub signal: Arc<Signal>,
    /// Which channel of it.
    pub channel: View,
    /// What is known of it, or one line on why nothing is.
    pub result: Result<Arc<Study>, StudyError>,
}

impl Studied {
    /// Whether it is of this signal.
    pub fn is_of(&self, signal: &Arc<Signal>, channel: View) -> bool {
        Arc::ptr_eq(&self.signal, signal) && self.channel == channel
    }
}

/// What is to be studied.
#[derive(Clone)]
struct Subject {
    signal: Arc<Signal>,
    channel: View,
}

impl PartialEq for Subject {
    /// Signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && self.channel == other.channel
    }
}

/// A handle on the thread; dropping it ends the thread and waits for it.
pub struct Analyst(Desk<Subject, Studied>);

impl Analyst {
    /// Starts the thread; `notify` is called from it whenever there is something new to see.
    pub fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Desk::start("analyst", notify, |Subject { signal, channel }: &Subject, stale: &AtomicBool, tell: &dyn Fn(&str, f32)| {
            let result = study(signal, *channel, stale, &tell).map(Arc::new);
            Studied { signal: signal.clone(), channel: *channel, result }
        }))
    }

    /// Asks for the study of a signal, unless it is known or under way.
    pub fn request(&self, signal: &Arc<Signal>, channel: View) {
        self.0.request(Subject { signal: signal.clone(), channel });
    }

    /// The newest study.
    pub fn latest(&self) -> Option<Arc<Studied>> {
        self.0.latest()
    }

    /// What the thread is busy with.
    pub fn progress(&self) -> Option<Progress> {
        self.0.progress()
    }

    /// Whether nothing is asked for that is not known.
    pub fn is_idle(&self) -> bool {
        self.0.is_idle()
    }

    /// Gives up the running study; its result says so.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}
