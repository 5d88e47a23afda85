//! The values that the colours of an image begin and end at, unless the user sets them.
//!
//! The largest values of a spectrum are far from all others, so that colours up to them show the others all alike. Percentiles leave these few out.

use crate::display::{Colormap, Look, Scale, ValuePart};
use crate::transforms::Shape;

/// Smaller results are shown from the smallest to the largest value.
const LEAST_VALUES: usize = 4096;
/// At most about this number of values is looked at.
const MOST_CHOSEN: usize = 1 << 16;
/// Rows that are looked at where the result lies on a device.
const MOST_ROWS: usize = 64;
/// The shares of the values below the first colour, and below the last one.
const SHARES: [f64; 2] = [0.01, 0.998];
/// The share of the magnitudes below the last colour on both sides of 0: most of a signed spectrum is far smaller than its largest values.
const SHARE_OF_SIGNED: f64 = 0.98;
/// If the percentiles span less than this share of the extremes, samples are shown between the percentiles. The inverse of values that are not a spectrum has such samples.
const SPAN_OF_OUTLIERS: f32 = 0.1;
/// Percentiles closer together than this share of the extremes hold only rounding.
const LEAST_SPAN: f32 = 1e-5;
/// On a logarithmic scale, the colours reach at least to this share of the way to the largest value.
const LEAST_LOG_SHARE: f32 = 0.5;
/// Decibels deeper below the largest value are rounding.
const DEPTH_DB: f32 = 100.0;

/// Parts of a histogram.
const N_BINS: usize = 96;

/// The smallest and the largest scaled value of a result, and the range of colours that is taken without a choice of the user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ValueLimits {
    pub(super) extremes: [f32; 2],
    pub(super) automatic: [f32; 2],
    /// How many of the values that were looked at lie in equal parts of the extremes.
    pub(super) counts: [u32; N_BINS],
}

/// Whether a look is that of samples.
fn shows_samples(look: &Look) -> bool {
    look.colormap == Colormap::Gray && look.scale == Scale::Linear && look.quantity == ValuePart::Real
}

/// Indices of values that are spread evenly over `n`, whatever the length of the rows; all of them if they are few.
pub(super) fn chosen(n: usize) -> impl Iterator<Item = usize> {
    // Multiples of the golden ratio, modulo 1, are spread evenly.
    const GOLDEN: u32 = 0x9e37_79b9;
    let spread = move |k: u32| ((u128::from(k.wrapping_mul(GOLDEN)) * n as u128) >> 32) as usize;
    let is_all = n <= MOST_CHOSEN;
    (0..n.min(MOST_CHOSEN)).map(move |k| if is_all { k } else { spread(k as u32) })
}

/// Rows that are spread evenly over a result.
pub(super) fn chosen_rows(shape: Shape) -> impl Iterator<Item = usize> {
    let wanted = (MOST_CHOSEN.div_ceil(shape.columns.max(1))).clamp(1, MOST_ROWS).min(shape.rows);
    (0..wanted).map(move |k| k * shape.rows / wanted)
}

/// How many of the scaled values lie in equal parts of the extremes.
pub(super) fn counts(values: &[f32], [low, high]: [f32; 2]) -> [u32; N_BINS] {
    let parts = N_BINS as f32 / (high - low);
    let mut counts = [0; N_BINS];
    for value in values.iter().filter(|value| value.is_finite() && parts.is_finite()) {
        counts[(((value - low) * parts) as usize).min(N_BINS - 1)] += 1;
    }
    counts
}

impl ValueLimits {
    /// The limits of a result of this shape: between percentiles, or whole for phases, small results, and samples without outliers.
    pub(super) fn automatic(values: Vec<f32>, extremes: [f32; 2], shape: Shape, look: &Look) -> Self {
        let whole = Self::whole(extremes, look);
        if shape.len() < LEAST_VALUES || look.quantity == ValuePart::Phase {
            return whole;
        }
        let found = Self::of(values, extremes, look);
        let span = |[low, high]: [f32; 2]| high - low;
        let has_outliers = span(found.automatic) < SPAN_OF_OUTLIERS * span(extremes);
        if shows_samples(look) && !has_outliers { whole } else { found }
    }

    /// From the smallest to the largest value; a diverging map has its middle at 0.
    fn whole(extremes: [f32; 2], look: &Look) -> Self {
        let largest = extremes[0].abs().max(extremes[1].abs());
        let automatic = if look.colormap.is_diverging() { [-largest, largest] } else { extremes };
        Self { extremes, automatic, counts: [0; N_BINS] }
    }

    /// Between percentiles of scaled values, where these are more than rounding.
    fn of(mut values: Vec<f32>, extremes: [f32; 2], look: &Look) -> Self {
        let whole = Self::whole(extremes, look);
        let is_diverging = look.colormap.is_diverging();
        values.retain(|value| value.is_finite());
        if is_diverging {
            values.iter_mut().for_each(|value| *value = value.abs());
        }
        if values.is_empty() {
            return whole;
        }
        let shares = if is_diverging { [SHARES[0], SHARE_OF_SIGNED] } else { SHARES };
        let [mut low, mut high] = shares.map(|share| {
            let rank = (share * (values.len() - 1) as f64).round() as usize;
            *values.select_nth_unstable_by(rank, f32::total_cmp).1
        });
        let mut least = LEAST_SPAN * (extremes[1] - extremes[0]);
        if is_diverging {
            low = -high;
        } else if look.scale == Scale::Db {
            (low, least) = (low.max(extremes[1] - DEPTH_DB), 0.1 * DEPTH_DB);
        }
        if !is_diverging && matches!(look.scale, Scale::Log | Scale::Db) {
            // A few lines over a faint background stay brighter than it.
            high = high.max(low + LEAST_LOG_SHARE * (extremes[1] - low));
        }
        if high - low > least { Self { automatic: [low, high], ..whole } } else { whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { rows: 100, columns: 100 };

    #[test]
    fn one_large_value_does_not_hide_the_others() {
        let values: Vec<f32> = (0..10_000).map(|k| if k == 0 { 1e6 } else { (k % 100) as f32 }).collect();
        let look = Look { scale: Scale::Linear, ..Look::default() };
        let limits = ValueLimits::automatic(values.clone(), [0.0, 1e6], SHAPE, &look);
        assert_eq!((limits.extremes, limits.automatic), ([0.0, 1e6], [1.0, 99.0]));
        let counts = counts(&values, [0.0, 1e6]);
        assert_eq!((counts[0], counts[1], counts[N_BINS - 1]), (9999, 0, 1));
        let diverging = ValueLimits::of(values, [-5.0, 1e6], &Look { colormap: Colormap::RdBu, ..look });
        assert_eq!(diverging.automatic, [-98.0, 98.0]);
    }

    #[test]
    fn rounding_beside_few_lines_is_not_enlarged() {
        let values: Vec<f32> = (0..10_000).map(|k| if k < 4 { 1e4 } else { 1e-4 * (k % 7) as f32 }).collect();
        let look = Look { scale: Scale::Linear, ..Look::default() };
        assert_eq!(ValueLimits::of(values.clone(), [0.0, 1e4], &look).automatic, [0.0, 1e4]);
        let decibels = values.iter().map(|value| 20.0 * value.max(1e-10).log10()).collect();
        let look = Look { scale: Scale::Db, ..look };
        assert_eq!(
            ValueLimits::of(decibels, [-200.0, 80.0], &look).automatic,
            [-20.0, 30.0],
            "100 dB at most, and half of the way up at least"
        );
    }

    #[test]
    fn samples_phases_and_small_results_are_shown_whole() {
        let values: Vec<f32> = (0..10_000).map(|k| if k == 0 { 200.0 } else { (k % 100) as f32 }).collect();
        let limits = |values: &[f32], most, shape, look| ValueLimits::automatic(values.to_vec(), [0.0, most], shape, &look).automatic;
        assert_eq!(limits(&values, 200.0, SHAPE, Look::of_samples()), [0.0, 200.0]);
        assert_eq!(limits(&values, 200.0, SHAPE, Look { quantity: ValuePart::Phase, ..Look::default() }), [0.0, 200.0]);
        assert_eq!(limits(&values, 200.0, Shape { rows: 16, columns: 16 }, Look::default()), [0.0, 200.0]);
        let spoiled: Vec<f32> = values.iter().map(|&value| if value == 200.0 { 1e5 } else { value }).collect();
        assert_eq!(limits(&spoiled, 1e5, SHAPE, Look::of_samples()), [1.0, 99.0], "one huge value leaves the others in sight");
    }

    #[test]
    fn values_are_chosen_all_over_the_result() {
        assert_eq!(chosen(10).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        let n = 4096 * 4096;
        let mut tenths = [0; 10];
        let mut columns = [0; 16];
        for index in chosen(n) {
            assert!(index < n);
            tenths[index * 10 / n] += 1;
            columns[index % 4096 / 256] += 1;
        }
        assert!(tenths.iter().chain(&columns).all(|count| *count > 3000), "{tenths:?} {columns:?}");
        assert_eq!(chosen_rows(Shape { rows: 4, columns: 9 }).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(chosen_rows(Shape { rows: 4096, columns: 4096 }).last(), Some(3840));
    }
}
