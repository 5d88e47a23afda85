//! Studies: questions that are answered from the results of jobs, by workers.

use super::store::Store;
use super::worker::{Ask, Cancellable, Reply, Worker};
use super::{Devices, EngineError, Job, SharedResult};
use crate::signal::Signal;
use std::sync::atomic::AtomicBool;

/// A kind of question about jobs, and what it keeps from one question to the next.
pub trait Study: Send + 'static {
    /// A question.
    type Request: Ask + PartialEq + Sync;
    /// The answer, or the reason why there is none.
    type Report: Cancellable;

    /// The name of its worker.
    const NAME: &'static str;

    /// The jobs whose results the answer reads.
    ///
    /// # Errors
    /// When the request makes no sense.
    fn needs(&self, _request: &Self::Request) -> Result<Vec<Job>, EngineError> {
        Ok(Vec::new())
    }

    /// The answer from these results, in the order of the jobs, or from the error of one of them.
    fn answer(
        &mut self,
        request: &Self::Request,
        results: Result<Vec<SharedResult>, EngineError>,
        mailbox: StudyMailbox<'_>,
    ) -> Self::Report;
}

/// What a study works with.
pub struct StudyMailbox<'a> {
    /// Devices for jobs whose results nobody else needs.
    pub devices: &'a mut Devices,
    /// Raised when the work is to be given up.
    pub cancel: &'a AtomicBool,
    /// Takes what begins, and the part from 0 to 1 that is done.
    pub progress: &'a dyn Fn(&str, f32),
}

/// An answer with its request.
pub type StudyReply<S> = Reply<<S as Study>::Request, <S as Study>::Report>;

/// The worker of a study.
pub type StudyWorker<S> = Worker<<S as Study>::Request, StudyReply<S>>;

/// Starts the worker of a study that reads the results of a store; `notify` is called whenever there is something new to see.
pub fn start_study<S: Study>(mut study: S, store: Store, notify: impl Fn() + Send + Sync + 'static) -> StudyWorker<S> {
    let mut devices = Devices::default();
    let answer = move |request: &S::Request, cancel: &AtomicBool, progress: &dyn Fn(&str, f32)| {
        answered(&mut study, request, &store, StudyMailbox { devices: &mut devices, cancel, progress })
    };
    Worker::answering(S::NAME, answer, notify)
}

/// The answer of a study to one request.
fn answered<S: Study>(study: &mut S, request: &S::Request, store: &Store, mailbox: StudyMailbox<'_>) -> S::Report {
    let result = |job: &Job| {
        store.result_by(job, mailbox.cancel, || {
            let Signal { kind, rows, columns, .. } = *job.signal;
            (mailbox.progress)(&format!("{} of {}", job.transform, kind.size(rows, columns)), 0.0);
            SharedResult::compute(job, mailbox.devices, mailbox.cancel)
        })
    };
    let results = study.needs(request).and_then(|jobs| jobs.iter().map(result).collect());
    study.answer(request, results, mailbox)
}

/// The answer of a study to one request, on the thread of the caller.
pub fn asked<S: Study>(study: &mut S, request: &S::Request, store: &Store) -> S::Report {
    let mailbox = StudyMailbox { devices: &mut Devices::default(), cancel: &AtomicBool::new(false), progress: &|_, _| {} };
    answered(study, request, store, mailbox)
}
