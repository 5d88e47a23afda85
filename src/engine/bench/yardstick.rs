//! A yardstick: the same small piece of work again and again. Its times show whether the processor slows down.

use super::record::rounded;
use super::statistics::drift;
use std::hint::black_box;
use std::time::Instant;

/// Dependent steps of the work, about one millisecond.
const N_STEPS: u64 = 1 << 18;

/// Does the work once and returns its time in µs.
pub(super) fn micros() -> f64 {
    let start = Instant::now();
    let mut state = black_box(1_u64);
    for step in 0..N_STEPS {
        state = black_box(state).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step);
    }
    black_box(state);
    rounded(start.elapsed().as_secs_f64() * 1e6)
}

/// A warning if the processor was not equally fast all the time.
pub(super) fn warning(micros: &[f64]) -> Option<String> {
    if micros.len() < LEAST {
        return None;
    }
    let mut sorted = micros.to_vec();
    sorted.sort_by(f64::total_cmp);
    // A low quantile instead of the minimum, which may be luck.
    let fast = sorted[sorted.len() / 20];
    if let Some(drift) = drift(micros).filter(|drift| *drift > SLOW) {
        return Some(format!(
            "the processor became slower: the same small work took {drift:.2} times as long at the end as at the beginning; it is throttled, or busy with something else"
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

/// Smallest number of repetitions for a warning.
const LEAST: usize = 9;
/// Ratio of times that counts as slow.
const SLOW: f64 = 1.1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_that_slows_down_or_is_disturbed_is_noticed() {
        let steady: Vec<f64> = (0..60).map(|k| 1000.0 + f64::from(k % 7)).collect();
        assert_eq!(warning(&steady), None);
        let throttled: Vec<f64> = (0..60).map(|k| if k < 30 { 1000.0 } else { 1600.0 }).collect();
        assert!(warning(&throttled).is_some_and(|words| words.contains("became slower") && words.contains("1.60 times")));
        let disturbed: Vec<f64> = (0..60).map(|k| if k % 4 == 0 { 2000.0 } else { 1000.0 }).collect();
        assert!(warning(&disturbed).is_some_and(|words| words.contains("was disturbed") && words.contains("1.25 times")));
        assert_eq!(warning(&throttled[25..32]), None, "a few repetitions show nothing");
    }

    #[test]
    fn the_work_takes_its_time() {
        assert!(micros() > 10.0, "a quarter of a million steps are not optimised away");
    }
}
