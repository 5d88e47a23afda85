//! The newest request wins, cancelled work says so, and a panic is reported.

use super::*;
use std::sync::atomic::AtomicBool;

impl Ask for u32 {}

/// Why work ended without a result.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ended {
    GivenUp,
    Panicked,
}

impl StudyFailure for Ended {
    fn fault(_: String) -> Self {
        Self::Panicked
    }

    fn is_cancelled(&self) -> bool {
        *self == Self::GivenUp
    }
}

/// A worker that answers a request with itself after some milliseconds, unless it is cancelled.
fn slow(millis: u64) -> Worker<u32, Reply<u32, Result<u32, Ended>>> {
    let answer = move |request: &u32, cancel: &AtomicBool, _: &dyn Fn(&str, f32)| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(millis) {
            if cancel.load(Ordering::Relaxed) {
                return Err(Ended::GivenUp);
            }
            assert_ne!(*request, 13, "a request that fails");
            std::thread::yield_now();
        }
        Ok(*request)
    };
    Worker::answering("test", answer, || {})
}

fn settled(worker: &Worker<u32, Reply<u32, Result<u32, Ended>>>) -> Option<(u32, Result<u32, Ended>)> {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !worker.is_idle() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    worker.latest().map(|reply| (reply.request, reply.result))
}

#[test]
fn the_newest_request_wins_and_is_answered_once() {
    let worker = slow(20);
    (1..=50).for_each(|request| worker.request_once(&request));
    assert_eq!(settled(&worker), Some((50, Ok(50))));
    let reply = worker.latest();
    worker.request_once(&50);
    assert!(worker.is_idle() && reply.zip(worker.latest()).is_some_and(|(a, b)| Arc::ptr_eq(&a, &b)), "it is known");
}

#[test]
fn cancelled_work_says_so_also_before_it_begins() {
    let worker = slow(60_000);
    worker.request(1);
    worker.cancel();
    assert_eq!(settled(&worker), Some((1, Err(Ended::GivenUp))));
    worker.request(2);
    std::thread::sleep(Duration::from_millis(20));
    worker.cancel();
    assert_eq!(settled(&worker), Some((2, Err(Ended::GivenUp))));
    worker.request(3);
    drop(worker);
}

#[test]
fn a_panic_is_reported_and_the_thread_goes_on() {
    let worker = slow(5);
    worker.request(13);
    assert_eq!(settled(&worker), Some((13, Err(Ended::Panicked))));
    worker.request(14);
    assert_eq!(settled(&worker), Some((14, Ok(14))));
}

#[test]
fn many_workers_share_few_threads_and_studies_leave_one_to_what_is_quick() {
    let threads = Arc::new(Mutex::new(std::collections::HashSet::new()));
    let studies: Vec<_> = (0..12)
        .map(|_| {
            let threads = threads.clone();
            let answer = move |request: &u32, cancel: &AtomicBool, _: &dyn Fn(&str, f32)| {
                locked(&threads).insert(std::thread::current().id());
                while !cancel.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                if *request == 1 { Err(Ended::GivenUp) } else { Ok(*request) }
            };
            Worker::<u32, Reply<u32, Result<u32, Ended>>>::answering("study", answer, || {})
        })
        .collect();
    studies.iter().for_each(|study| study.request(1));
    let quick =
        Worker::<u32, u32>::quick("quick", |request: u32, mailbox: &Mailbox<u32, u32>| mailbox.publish(Some(Arc::new(request))), || {});
    quick.request(7);
    let deadline = Instant::now() + Duration::from_secs(20);
    while quick.latest().is_none() {
        assert!(Instant::now() < deadline, "studies that never end take all threads");
        std::thread::sleep(Duration::from_millis(1));
    }
    // Those that wait are cancelled before they begin, and say so.
    studies.iter().for_each(Worker::cancel);
    for study in &studies {
        assert_eq!(settled(study), Some((1, Err(Ended::GivenUp))));
    }
    assert!(locked(&threads).len() <= 3, "{threads:?}");
}
