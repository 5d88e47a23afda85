//! The newest request wins, cancelled work says so, and a panic is reported.

use super::*;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::thread::ThreadId;

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
    Worker::answering("test", usage(false), answer, || {})
}

fn usage(is_long: bool) -> Usage<u32> {
    Usage { is_long: if is_long { |_| true } else { |_| false }, group: 1 }
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

/// Workers of a group that answer when they are cancelled, each with the number of times that it has begun.
fn endless(n: usize, usage: impl Fn() -> Usage<u32>, threads: &Arc<Mutex<HashSet<ThreadId>>>) -> Vec<(Endless, Arc<AtomicUsize>)> {
    let worker = |_| {
        let (threads, n_begun) = (threads.clone(), Arc::new(AtomicUsize::new(0)));
        let begun = n_begun.clone();
        let answer = move |_: &u32, cancel: &AtomicBool, _: &dyn Fn(&str, f32)| {
            locked(&threads).insert(std::thread::current().id());
            begun.fetch_add(1, Ordering::Relaxed);
            while !cancel.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(Ended::GivenUp)
        };
        (Worker::answering("study", usage(), answer, || {}), n_begun)
    };
    (0..n).map(worker).collect()
}

type Endless = Worker<u32, Reply<u32, Result<u32, Ended>>>;

/// The pool is one for all: tests that fill it run one after the other.
static POOL: Mutex<()> = Mutex::new(());

fn wait(what: &str, mut is_there: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_there() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn long_studies_share_few_threads_and_leave_one_to_what_takes_a_moment() {
    let _pool = locked(&POOL);
    let threads = Arc::default();
    let studies = endless(12, || usage(true), &threads);
    studies.iter().for_each(|(study, _)| study.request(1));
    let quick = slow(0);
    quick.request(7);
    assert_eq!(settled(&quick), Some((7, Ok(7))));
    // The newest goes first, and those that gave way wait to begin again.
    wait("the newest has begun", || studies[11].1.load(Ordering::Relaxed) > 0);
    assert!(studies.iter().all(|(study, _)| !study.is_idle() && study.latest().is_none()), "nobody hears of giving way");
    // Those that wait are cancelled before they begin, and say so.
    studies.iter().for_each(|(study, _)| study.cancel());
    for (study, _) in &studies {
        assert_eq!(settled(study), Some((1, Err(Ended::GivenUp))));
    }
    assert!(locked(&threads).len() <= 3, "{threads:?}");
}

#[test]
fn work_that_turns_out_to_be_long_gives_way_and_is_long_from_then_on() {
    let _pool = locked(&POOL);
    let studies = endless(3, || usage(false), &Arc::default());
    studies.iter().for_each(|(study, _)| study.request(1));
    wait("all threads are taken", || studies.iter().all(|(_, n_begun)| n_begun.load(Ordering::Relaxed) == 1));
    std::thread::sleep(Duration::from_millis(250));
    let quick = slow(0);
    (1..=50).for_each(|request| {
        quick.request(request);
        assert_eq!(settled(&quick), Some((request, Ok(request))));
    });
    assert!(studies.iter().map(|(_, n_begun)| n_begun.load(Ordering::Relaxed)).sum::<usize>() <= 4, "one of them gave way, once");
    studies.iter().for_each(|(study, _)| study.cancel());
    wait("the studies end", || studies.iter().all(|(study, _)| study.is_idle()));
}

#[test]
fn long_studies_of_a_group_give_way_to_what_goes_first() {
    let _pool = locked(&POOL);
    let (ours, theirs) = (endless(1, || usage(true), &Arc::default()), endless(1, || Usage { group: 2, ..usage(true) }, &Arc::default()));
    for (study, n_begun) in ours.iter().chain(&theirs) {
        study.request(1);
        wait("the study begins", || n_begun.load(Ordering::Relaxed) == 1);
    }
    let first = go_first(1);
    ours[0].0.request(2);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!([&ours, &theirs].map(|studies| studies[0].1.load(Ordering::Relaxed)), [1, 1], "one waits, and the other goes on");
    drop(first);
    wait("the study begins again", || ours[0].1.load(Ordering::Relaxed) == 2);
}
