//! The few numbers that stand for several runs.

/// Median, extremes and number of measured values.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Statistics {
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// How many there are.
    pub n: usize,
}

impl Statistics {
    /// Of at least one value.
    ///
    /// # Panics
    /// When there is none.
    pub fn of(values: &[f64]) -> Self {
        assert!(!values.is_empty(), "statistics of no value");
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        Self { median: (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0, min: sorted[0], max: sorted[n - 1], n }
    }

    /// From the smallest to the largest, as a part of the median.
    pub fn spread(&self) -> f64 {
        (self.max - self.min) / self.median
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_in_the_middle() {
        assert_eq!(Statistics::of(&[3.0, 1.0, 2.0]), Statistics { median: 2.0, min: 1.0, max: 3.0, n: 3 });
        assert_eq!(Statistics::of(&[4.0, 1.0, 2.0, 3.0]).median, 2.5);
        assert_eq!(Statistics::of(&[4.0, 1.0, 2.0, 1.0]).spread(), 2.0);
        assert_eq!(Statistics::of(&[7.0]), Statistics { median: 7.0, min: 7.0, max: 7.0, n: 1 });
    }
}
