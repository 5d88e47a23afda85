//! Studies: work that answers every request once, and whose result may say that it was given up.

use super::pool::{PooledWork, Usage};
use super::{Ask, Mailbox, Place, Progress, Worker};
use crate::fault::caught;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A request and what came of it.
#[derive(Debug, Clone)]
pub struct Reply<Q, A> {
    /// The question.
    pub request: Q,
    /// The answer.
    pub result: A,
}

/// A result that may say that its work was given up.
pub trait Cancellable: Send + Sync + 'static {
    /// The report of work that ended in a panic with this message.
    fn failed(fault: String) -> Self;

    /// Whether the work was given up.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Whether the same work may succeed later, as after the loss of a device.
    fn may_pass(&self) -> bool {
        false
    }
}

/// An error that says that work was given up, or that it ended in a panic.
pub trait StudyFailure: Send + Sync + 'static {
    /// The error of work that ended in a panic with this message.
    fn fault(fault: String) -> Self;

    /// Whether the work was given up.
    fn is_cancelled(&self) -> bool;

    /// Whether the same work may succeed later, as after the loss of a device.
    fn may_pass(&self) -> bool {
        false
    }
}

impl<T: Send + Sync + 'static, E: StudyFailure> Cancellable for Result<T, E> {
    fn failed(fault: String) -> Self {
        Err(E::fault(fault))
    }

    fn is_cancelled(&self) -> bool {
        self.as_ref().is_err_and(E::is_cancelled)
    }

    fn may_pass(&self) -> bool {
        self.as_ref().is_err_and(E::may_pass)
    }
}

impl<Q: Ask + Sync, A: Cancellable> Worker<Q, Reply<Q, A>> {
    /// A worker that answers every request once, on the threads of the pool.
    /// `answer` gets the request, the flag that tells it to give up, and a function that takes what it begins and the part from 0 to 1 that is done.
    pub(crate) fn answering(
        name: &str,
        usage: Usage<Q>,
        mut answer: impl FnMut(&Q, &AtomicBool, &dyn Fn(&str, f32)) -> A + Send + 'static,
        notify: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let work = move |request: Q, mailbox: &Mailbox<Q, Reply<Q, A>>| {
            let since = Instant::now();
            let progress = |what: &str, part: f32| {
                mailbox.set_progress(Some(Progress { label: format!("Computing {what}"), fraction: Some(part), since }));
                mailbox.notify();
            };
            let result = caught(|| answer(&request, mailbox.cancel(), &progress)).unwrap_or_else(A::failed);
            if !(result.is_cancelled() && mailbox.has_newer(|_| true)) {
                mailbox.publish(Some(Arc::new(Reply { request, result })));
            }
        };
        let mailbox = Arc::new(Mailbox::new(name, notify));
        let pooled = Arc::new(PooledWork::new(mailbox.clone(), usage, work));
        Self { mailbox, place: Place::Pool(pooled), is_detached: false }
    }
}
