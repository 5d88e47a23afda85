//! The same small work again and again: how long it takes tells whether the processor is as fast as it was.

use super::record::rounded;
use super::statistics::course;
use std::hint::black_box;
use std::time::Instant;

/// Steps of the work, each of which waits for the one before: about a millisecond.
const N_STEPS: u64 = 1 << 18;

/// What the work takes now, in microseconds.
pub(super) fn micros() -> f64 {
    let start = Instant::now();
    let mut state = black_box(1_u64);
    for step in 0..N_STEPS {
        state = black_box(state).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step);
    }
    black_box(state);
    rounded(start.elapsed().as_secs_f64() * 1e6)
}

/// What the course of the work says of the processor, where it was not the same all the time.
pub(super) fn remark(micros: &[f64]) -> Option<String> {
    if micros.len() < LEAST {
        return None;
    }
    let mut sorted = micros.to_vec();
    sorted.sort_by(f64::total_cmp);
    // The very fastest one may be luck.
    let fast = sorted[sorted.len() / 20];
    if let Some(course) = course(micros).filter(|course| *course > SLOW) {
        return Some(format!(
            "the processor became slower: the same small work took {course:.2} times as long at the end as at the beginning; it is throttled, or busy with something else"
        ));
    }
    let mean = micros.iter().sum::<f64>() / (micros.len() as f64 * fast);
    (mean > SLOW).then(|| {
        let worst = sorted[sorted.len() - 1] / fast;
        format!(
            "the processor was disturbed: the same small work, repeated before every case, took {mean:.2} times as long as at best on average, and up to {worst:.1} times; something else ran, or it is throttled"
        )
    })
}

/// Fewer repetitions show nothing.
const LEAST: usize = 9;
/// So many times as long is slow.
const SLOW: f64 = 1.1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_that_slows_down_or_is_disturbed_is_noticed() {
        let steady: Vec<f64> = (0..60).map(|k| 1000.0 + f64::from(k % 7)).collect();
        assert_eq!(remark(&steady), None);
        let throttled: Vec<f64> = (0..60).map(|k| if k < 30 { 1000.0 } else { 1600.0 }).collect();
        assert!(remark(&throttled).is_some_and(|words| words.contains("became slower") && words.contains("1.60 times")));
        let disturbed: Vec<f64> = (0..60).map(|k| if k % 4 == 0 { 2000.0 } else { 1000.0 }).collect();
        assert!(remark(&disturbed).is_some_and(|words| words.contains("was disturbed") && words.contains("1.25 times")));
        assert_eq!(remark(&throttled[25..32]), None, "a few repetitions show nothing");
    }

    #[test]
    fn the_work_takes_its_time() {
        assert!(micros() > 10.0, "a quarter of a million steps are not optimised away");
    }
}
