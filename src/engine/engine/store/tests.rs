//! Many askers and one run, results that are read, errors, and work that is given up.

use super::*;
use crate::engine::DeviceChoice;
use crate::signal::{Samples, Signal};
use std::sync::Barrier;
use std::thread;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A Walsh transform of this number of samples.
fn job(n: usize) -> Job {
    let signal = Arc::new(Signal::row("samples", Samples::F32((0..n).map(|k| (k % 7) as f32).collect())));
    Job { device: DeviceChoice::Cpu, ..Job::new(signal, "walsh") }
}

fn computed(job: &Job) -> Result<SharedResult, EngineError> {
    SharedResult::compute(job, &mut Devices::default(), &GO_ON)
}

/// The answers to a job that five threads ask for at once, and how often `run` has run.
fn asked_by_many(
    store: &Store,
    job: &Job,
    run: impl Fn() -> Result<SharedResult, EngineError> + Sync,
) -> (Vec<Result<SharedResult, EngineError>>, usize) {
    let (start, n_runs) = (Barrier::new(5), AtomicUsize::new(0));
    let ask = || {
        start.wait();
        store.result_by(job, &GO_ON, || {
            n_runs.fetch_add(1, Ordering::Relaxed);
            // The others ask meanwhile.
            thread::sleep(Duration::from_millis(100));
            run()
        })
    };
    let answers = thread::scope(|scope| {
        let threads: Vec<_> = (0..5).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    (answers, n_runs.into_inner())
}

#[test]
fn many_who_ask_for_one_result_share_one_run() {
    let (store, job) = (Store::default(), job(64));
    let (answers, n_runs) = asked_by_many(&store, &job, || computed(&job));
    let first = answers[0].as_ref().unwrap();
    assert!(answers.iter().all(|answer| Arc::ptr_eq(&answer.as_ref().unwrap().values, &first.values)));
    assert_eq!((n_runs, store.n_runs()), (1, 1));
    let again = store.result(&job, &mut Devices::default(), &GO_ON).unwrap();
    assert!(Arc::ptr_eq(&again.values, &first.values) && store.n_runs() == 1, "it is known from then on");
}

#[test]
fn an_error_is_told_to_all_who_wait_and_the_next_one_tries_again() {
    let (store, job) = (Store::default(), job(64));
    let lost = EngineError::Fault { fault: "the device was lost".into() };
    let (answers, n_runs) = asked_by_many(&store, &job, || Err(lost.clone()));
    assert!(answers.iter().all(|answer| answer.as_ref().err() == Some(&lost)) && n_runs == 1);
    assert!(store.result(&job, &mut Devices::default(), &GO_ON).is_ok() && store.n_runs() == 2);
}

#[test]
fn one_who_gives_up_leaves_the_others_their_result() {
    let (store, job, is_begun) = (Store::default(), job(64), Barrier::new(2));
    let work = || {
        is_begun.wait();
        thread::sleep(Duration::from_millis(100));
        Err(EngineError::Cancelled)
    };
    let (given_up, waited) = thread::scope(|scope| {
        let given_up = scope.spawn(|| store.result_by(&job, &GO_ON, &work));
        is_begun.wait();
        let impatient = store.result_by(&job, &AtomicBool::new(true), || panic!("the work is under way"));
        assert_eq!(impatient.err(), Some(EngineError::Cancelled), "who waits can be told to give up");
        let waited = store.result_by(&job, &GO_ON, || computed(&job));
        (given_up.join().unwrap(), waited)
    });
    assert_eq!(given_up.err(), Some(EngineError::Cancelled));
    assert!(waited.is_ok() && store.n_runs() == 2, "the next one who waits computes it");
}

#[test]
fn a_panic_leaves_the_work_to_the_next() {
    let (store, job) = (Store::default(), job(64));
    let fault = crate::fault::caught(|| store.result_by(&job, &GO_ON, || panic!("a fault")));
    assert!(fault.is_err() && store.result(&job, &mut Devices::default(), &GO_ON).is_ok());
}

#[test]
fn what_is_read_is_never_taken_and_the_rest_only_where_it_is_too_much() {
    let store = Store(Arc::new(Shared { most_unread_bytes: 20_000, ..Shared::default() }));
    let jobs: Vec<Job> = (0..4).map(|_| job(1024)).collect();
    let ask = |index: usize| store.result(&jobs[index], &mut Devices::default(), &GO_ON).unwrap();
    // Each holds 16 KiB with its samples, so that one that nobody reads is kept beside the others.
    let read = ask(0);
    for index in 1..4 {
        drop(ask(index));
    }
    store.trim();
    assert_eq!(store.n_runs(), 4);
    assert!(Arc::ptr_eq(&read.values, &ask(0).values));
    drop(ask(3));
    assert_eq!(store.n_runs(), 4, "the one that is read and the newest are known");
    drop(ask(1));
    assert_eq!(store.n_runs(), 5, "the oldest that nobody reads was taken");
}

#[test]
fn a_result_larger_than_the_cache_is_shared_and_then_computed_anew() {
    let store = Store(Arc::new(Shared { most_unread_bytes: 0, ..Shared::default() }));
    let (large, other) = (job(1 << 12), job(64));
    let (answers, n_runs) = asked_by_many(&store, &large, || computed(&large));
    let first = answers[0].as_ref().unwrap();
    assert!(answers.iter().all(|answer| Arc::ptr_eq(&answer.as_ref().unwrap().values, &first.values)) && n_runs == 1);
    let values = first.values.clone();
    drop(answers);
    store.result(&other, &mut Devices::default(), &GO_ON).unwrap();
    assert!(Arc::ptr_eq(&values, &store.result(&large, &mut Devices::default(), &GO_ON).unwrap().values), "it is read");
    let before = values.fingerprint();
    drop(values);
    store.result(&other, &mut Devices::default(), &GO_ON).unwrap();
    store.trim();
    let n_runs = store.n_runs();
    let again = store.result(&large, &mut Devices::default(), &GO_ON).unwrap();
    assert_eq!((again.values.fingerprint(), store.n_runs()), (before, n_runs + 1), "nobody misses what was taken");
}
