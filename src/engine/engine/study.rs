//! Studies: questions that are answered from the results of jobs, by workers.

use super::store::Store;
use super::timing_lock::WorkGuard;
use super::worker::{Ask, Cancellable, Reply, Usage, Worker};
use super::{Devices, EngineError, Job, SharedResult, TimingGuard, TimingReason};
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

    /// Whether the answer may take longer than a fifth of a second: long studies leave a thread to the others, and give way to the engine and to newer ones.
    fn is_long(_request: &Self::Request) -> bool {
        false
    }

    /// The answer from these results, in the order of the jobs, or from the error of one of them.
    fn answer(
        &mut self,
        request: &Self::Request,
        results: Result<Vec<SharedResult>, EngineError>,
        mailbox: StudyMailbox<'_>,
    ) -> Self::Report;
}

/// The means of a study.
pub struct StudyMailbox<'a> {
    /// Devices for jobs whose results nobody else needs.
    pub devices: &'a mut Devices,
    /// Raised when the work is to be given up.
    pub cancel: &'a AtomicBool,
    /// Takes what begins, and the part from 0 to 1 that is done.
    pub progress: &'a dyn Fn(&str, f32),
    store: &'a Store,
    /// Tells sweeps to pause.
    work: Option<WorkGuard>,
}

impl StudyMailbox<'_> {
    /// Waits until nobody else measures. From now on the study does nothing but measure.
    ///
    /// # Errors
    /// When the work is given up first.
    pub fn lock_timing(&mut self, reason: TimingReason) -> Result<TimingGuard, EngineError> {
        // A sweep that pauses for this study would keep it waiting.
        self.work = None;
        self.store.timing_lock().lock(reason, self.cancel).ok_or(EngineError::Cancelled)
    }
}

/// An answer with its request.
pub type StudyReply<S> = Reply<<S as Study>::Request, <S as Study>::Report>;

/// The worker of a study.
pub type StudyWorker<S> = Worker<<S as Study>::Request, StudyReply<S>>;

/// Starts the worker of a study that reads the results of a store; `notify` is called whenever there is something new to see.
pub fn start_study<S: Study>(mut study: S, store: Store, notify: impl Fn() + Send + Sync + 'static) -> StudyWorker<S> {
    let (mut devices, usage) = (Devices::default(), Usage { is_long: S::is_long, group: store.group() });
    let answer = move |request: &S::Request, cancel: &AtomicBool, progress: &dyn Fn(&str, f32)| {
        answered(&mut study, request, &store, &mut devices, cancel, progress)
    };
    Worker::answering(S::NAME, usage, answer, notify)
}

/// The answer of a study to one request.
fn answered<S: Study>(
    study: &mut S,
    request: &S::Request,
    store: &Store,
    devices: &mut Devices,
    cancel: &AtomicBool,
    progress: &dyn Fn(&str, f32),
) -> S::Report {
    let work = Some(store.timing_lock().at_work());
    devices.count_in(None);
    let result = |job: &Job| {
        store.result_by(job, cancel, || {
            let Signal { kind, rows, columns, .. } = *job.signal;
            progress(&format!("{} of {}", job.transform, kind.size(rows, columns)), 0.0);
            SharedResult::compute(job, devices, cancel)
        })
    };
    let results = study.needs(request).and_then(|jobs| jobs.iter().map(result).collect());
    // The store has counted its own runs.
    devices.count_in(Some(store.counter()));
    study.answer(request, results, StudyMailbox { devices, cancel, progress, store, work })
}

/// The answer of a study to one request, on the thread of the caller.
pub fn asked<S: Study>(study: &mut S, request: &S::Request, store: &Store) -> S::Report {
    answered(study, request, store, &mut Devices::default(), &AtomicBool::new(false), &|_, _| {})
}
