//! Statistics of many runs: the median with its confidence interval, quartiles, extremes, outliers and drift.

use crate::random::Random;
use crate::statistics::{median, quantile};

/// Bootstrap resamplings for the interval of the median.
const RESAMPLINGS: usize = 400;
/// Share of the resamplings beyond each end of the interval, which holds 95 %.
const BEYOND: f64 = 0.025;
/// A value is an outlier if it lies farther beyond a quartile than this many times their distance (Tukey).
const FENCE: f64 = 1.5;
/// Late runs are slower if they take this many times as long as early ones.
const SLOWER: f64 = 1.1;
/// Share of the pairs of an early and a late run in which the late one must be slower.
const CLEARLY: f64 = 0.8;
/// Smallest number of runs that shows a drift.
const LEAST_FOR_A_DRIFT: usize = 6;

/// Statistics of several runs.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// The middle value, or the mean of the two in the middle.
    pub median: f64,
    /// The interval that holds the median in 95 % of the resamplings.
    pub interval: [f64; 2],
    /// The lower and the upper quartile.
    pub quartiles: [f64; 2],
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Number of runs.
    pub n: usize,
    /// Number of runs that lie more than 1.5 times the distance of the quartiles beyond them.
    pub n_outliers: usize,
}

impl Statistics {
    /// Statistics of runs that were taken in rounds; `None` if there are none.
    ///
    /// The interval comes from a bootstrap that draws rounds with replacement, and runs within each round, so that changes between rounds widen it.
    /// From k rounds it draws k − 1 (Rao and Wu 1988); drawing k would underestimate the variance by (k − 1)/k.
    pub fn of(rounds: &[Vec<f64>]) -> Option<Self> {
        let rounds: Vec<&Vec<f64>> = rounds.iter().filter(|round| !round.is_empty()).collect();
        let mut all: Vec<f64> = rounds.iter().flat_map(|round| round.iter().copied()).collect();
        if all.is_empty() {
            return None;
        }
        all.sort_by(f64::total_cmp);
        let quartiles = [quantile(&all, 0.25), quantile(&all, 0.75)];
        let reach = FENCE * (quartiles[1] - quartiles[0]);
        let is_outlier = |value: &&f64| **value < quartiles[0] - reach || **value > quartiles[1] + reach;
        Some(Self {
            median: quantile(&all, 0.5),
            interval: interval(&rounds),
            quartiles,
            min: all[0],
            max: all[all.len() - 1],
            n: all.len(),
            n_outliers: all.iter().filter(is_outlier).count(),
        })
    }

    /// The distance of the quartiles relative to the median.
    pub fn spread(&self) -> f64 {
        (self.quartiles[1] - self.quartiles[0]) / self.median
    }
}

/// Median time of the last third of the runs over that of the first third; `None` for fewer than three runs.
pub(super) fn drift(runs: &[f64]) -> Option<f64> {
    let third = runs.len() / 3;
    Some(median(runs[runs.len() - third..].to_vec())? / median(runs[..third].to_vec())?)
}

/// The [`drift`] if the runs clearly became slower, as on a hot processor that lowers its clocks.
pub(super) fn slowdown(rounds: &[Vec<f64>]) -> Option<f64> {
    let all = rounds.concat();
    let third = all.len() / 3;
    let (early, late) = (&all[..third], &all[all.len() - third..]);
    let later_slower: usize = late.iter().map(|late| early.iter().filter(|early| late > early).count()).sum();
    let is_clear = all.len() >= LEAST_FOR_A_DRIFT && later_slower as f64 >= CLEARLY * (third * third) as f64;
    drift(&all).filter(|ratio| is_clear && *ratio >= SLOWER)
}

/// The interval of the medians of resampled runs.
fn interval(rounds: &[&Vec<f64>]) -> [f64; 2] {
    let mut random = Random::new(1);
    let n: usize = rounds.iter().map(|round| round.len()).sum();
    let mut drawn = Vec::with_capacity(2 * n);
    let mut medians: Vec<f64> = (0..RESAMPLINGS)
        .map(|_| {
            drawn.clear();
            for _ in 1..rounds.len().max(2) {
                let round = rounds[random.below(rounds.len())];
                drawn.extend(round.iter().map(|_| round[random.below(round.len())]));
            }
            drawn.sort_by(f64::total_cmp);
            quantile(&drawn, 0.5)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    [quantile(&medians, BEYOND), quantile(&medians, 1.0 - BEYOND)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Statistics {
        Statistics::of(&[values.to_vec()]).expect("there are values")
    }

    #[test]
    fn medians_and_quartiles_are_those_of_the_textbook() {
        let odd = of(&[3.0, 1.0, 2.0]);
        assert_eq!((odd.median, odd.min, odd.max, odd.n), (2.0, 1.0, 3.0, 3));
        let even = of(&[4.0, 1.0, 2.0, 3.0]);
        assert_eq!((even.median, even.quartiles), (2.5, [1.75, 3.25]));
        assert_eq!(even.spread(), 0.6);
        let one = of(&[7.0]);
        assert_eq!((one.median, one.interval, one.quartiles, one.n_outliers), (7.0, [7.0; 2], [7.0; 2], 0));
        assert_eq!(Statistics::of(&[]), None);
        assert_eq!(Statistics::of(&[Vec::new()]), None);
    }

    #[test]
    fn the_interval_covers_the_true_median_as_often_as_it_says() {
        let mut random = Random::new(5);
        let mut covered = 0;
        for _ in 0..200 {
            // Uniform between 0 and 1, so that the true median is a half.
            let values: Vec<f64> = (0..25).map(|_| f64::from(random.bits()) / f64::from(u32::MAX)).collect();
            let [low, high] = of(&values).interval;
            assert!(low <= high);
            covered += usize::from(low <= 0.5 && 0.5 <= high);
        }
        assert!((180..=200).contains(&covered), "{covered} of 200 intervals hold the median");
    }

    #[test]
    fn it_covers_the_true_median_where_rounds_differ_too() {
        let mut random = Random::new(11);
        // About normal, as a sum of twelve uniform numbers is.
        let mut normal = || (0..12).map(|_| f64::from(random.bits()) / f64::from(u32::MAX)).sum::<f64>() - 6.0;
        let mut covered = 0;
        for _ in 0..200 {
            let rounds: Vec<Vec<f64>> = [2, 2, 2, 1, 1, 1]
                .map(|n| {
                    let shift = 3.0 * normal();
                    (0..n).map(|_| shift + normal()).collect()
                })
                .into();
            let [low, high] = Statistics::of(&rounds).expect("there are runs").interval;
            covered += usize::from(low <= 0.0 && 0.0 <= high);
        }
        assert!(covered >= 176, "{covered} of 200 intervals hold the median");
    }

    #[test]
    fn what_differs_from_round_to_round_widens_the_interval() {
        let rounds = vec![vec![10.0, 10.1, 10.2], vec![12.0, 12.1, 12.2], vec![11.0, 11.1, 11.2]];
        let apart = Statistics::of(&rounds).expect("there are values");
        let steady = Statistics::of(&[vec![11.0, 11.1, 11.2], vec![11.0, 11.1, 11.2]]).expect("there are values");
        assert!(apart.interval[0] < 10.6 && apart.interval[1] > 11.6, "{apart:?}");
        assert!(steady.interval[0] >= 11.0 && steady.interval[1] <= 11.2, "{steady:?}");
    }

    #[test]
    fn outliers_are_counted_and_kept() {
        let found = of(&[10.0, 10.1, 9.9, 10.0, 10.2, 30.0]);
        assert_eq!((found.n, found.n_outliers, found.max), (6, 1, 30.0));
        assert!((found.median - 10.05).abs() < 1e-12);
    }

    #[test]
    fn becoming_slower_is_noticed_and_noise_is_not() {
        let hot: Vec<f64> = (0..12).map(|run| if run < 6 { 10.0 + 0.01 * f64::from(run) } else { 14.0 }).collect();
        assert!(slowdown(&[hot[..6].to_vec(), hot[6..].to_vec()]).is_some_and(|ratio| ratio > 1.3));
        let mut random = Random::new(9);
        let noisy: Vec<f64> = (0..60).map(|_| 10.0 + f64::from(random.bits()) / f64::from(u32::MAX)).collect();
        assert_eq!(slowdown(&[noisy]), None);
        assert_eq!(slowdown(&[vec![1.0, 2.0]]), None, "two runs show no course");
    }

    #[test]
    fn a_shuffle_keeps_everything_and_depends_on_its_seed() {
        let shuffled = |seed| {
            let mut values: Vec<usize> = (0..20).collect();
            Random::new(seed).shuffle(&mut values);
            values
        };
        let mut sorted = shuffled(3);
        assert_eq!(shuffled(3), sorted);
        assert!(shuffled(3) != shuffled(4) && sorted != (0..20).collect::<Vec<_>>());
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }
}
