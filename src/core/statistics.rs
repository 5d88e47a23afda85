//! The median, the quartiles and the largest of numbers.

/// The middle one of some numbers, or the mean of the two in the middle; `None` for no numbers.
pub fn median(mut numbers: Vec<f64>) -> Option<f64> {
    let n = numbers.len();
    if n == 0 {
        return None;
    }
    let (below, &mut high, _) = numbers.select_nth_unstable_by(n / 2, f64::total_cmp);
    let low = if n % 2 == 1 { high } else { below.iter().copied().max_by(f64::total_cmp).unwrap_or(high) };
    // The halves of the largest numbers have a sum.
    Some(0.5 * low + 0.5 * high)
}

/// The index of the value that is largest in magnitude; `None` for no numbers.
pub fn largest(numbers: &[f64]) -> Option<usize> {
    numbers.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|(index, _)| index)
}

/// The lower quartile, the median and the upper quartile; `None` for no numbers.
pub fn quartiles(mut numbers: Vec<f64>) -> Option<[f64; 3]> {
    numbers.sort_by(f64::total_cmp);
    (!numbers.is_empty()).then(|| [0.25, 0.5, 0.75].map(|part| quantile(&numbers, part)))
}

/// The quantile of sorted numbers, interpolated linearly.
///
/// # Panics
/// If there are not numbers.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_quartiles_are_those_of_the_textbook() {
        for (numbers, of_median, of_quartiles) in [
            (vec![], None, None),
            (vec![7.0], Some(7.0), Some([7.0; 3])),
            (vec![3.0, 1.0, 2.0], Some(2.0), Some([1.5, 2.0, 2.5])),
            (vec![4.0, 1.0, 2.0, 3.0], Some(2.5), Some([1.75, 2.5, 3.25])),
            (vec![f64::MAX, f64::MAX], Some(f64::MAX), Some([f64::MAX; 3])),
        ] {
            assert_eq!(median(numbers.clone()), of_median, "{numbers:?}");
            assert_eq!(quartiles(numbers.clone()), of_quartiles, "{numbers:?}");
        }
        assert_eq!(median(vec![f64::NEG_INFINITY, 1.0]), Some(f64::NEG_INFINITY));
    }
}
