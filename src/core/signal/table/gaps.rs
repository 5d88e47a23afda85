//! Missing values: codes that stand for them, and straight lines that take their places.

use super::Values;
use crate::signal::{Cause, memory};
use std::ops::Range;

/// Makes values that equal a code missing; returns how many, and whether integers are rounded by it.
pub(super) fn decode(values: &mut Values, codes: &[f64]) -> (usize, bool) {
    let is_code = |value: f64| codes.contains(&value);
    let n = (0..values.len()).filter(|&index| is_code(values.at(index))).count();
    if n == 0 {
        return (0, false);
    }
    let rounds = values.widen();
    if let Values::Real(v) = values {
        v.iter_mut().filter(|value| is_code(**value)).for_each(|value| *value = f64::NAN);
    }
    (n, rounds)
}

/// The codes of a file that can stand for a missing value in this column. A code near 0 may be a value where other values are negative, too.
pub(super) fn plausible(values: &Values, codes: &[f64]) -> Vec<f64> {
    const CLEAR: f64 = 9.0;
    let is_natural = |code: f64| (0..values.len()).map(|index| values.at(index)).any(|value| value < 0.0 && value != code);
    codes.iter().copied().filter(|code| code.abs() >= CLEAR || !is_natural(*code)).collect()
}

/// Whether a value is a code.
pub(super) fn has(values: &Values, code: f64) -> bool {
    (0..values.len()).any(|index| values.at(index) == code)
}

/// Whether all values are missing.
pub(super) fn is_empty(values: &Values) -> bool {
    matches!(values, Values::Real(v) if v.len() > 1 && v.iter().all(|value| value.is_nan()))
}

/// The rows whose value is missing.
pub(super) fn missing(values: &Values) -> Vec<Range<usize>> {
    let Values::Real(v) = values else { return Vec::new() };
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (row, _) in v.iter().enumerate().filter(|(_, value)| value.is_nan()) {
        match ranges.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => ranges.push(row..row + 1),
        }
    }
    ranges
}

/// Puts the rows at their places on an even grid, with missing values between them.
pub(super) fn spread(values: &Values, places: &[u32]) -> Result<Values, Cause> {
    let n = places.last().map_or(0, |last| *last as usize + 1);
    memory::checked_bytes(&[n as u64, 8], || format!("{n} values"))?;
    let mut all = Vec::new();
    memory::reserve(&mut all, n)?;
    all.resize(n, f64::NAN);
    places.iter().enumerate().for_each(|(row, place)| all[*place as usize] = values.at(row));
    Ok(Values::Real(all))
}

/// Fills missing values by straight lines between their neighbours; those at the ends take the value of the nearest one.
///
/// `positions` of the rows, where they are uneven. Fewer than two values draw no line, and stay as they are.
pub(super) fn fill(values: &mut Values, positions: Option<&[f64]>) -> bool {
    let Values::Real(v) = values else { return false };
    if v.iter().filter(|value| !value.is_nan()).count() < 2 {
        return false;
    }
    let at = |row: usize| positions.map_or(row as f64, |positions| positions[row]);
    let mut last: Option<usize> = None;
    let mut row = 0;
    while row < v.len() {
        if !v[row].is_nan() {
            last = Some(row);
            row += 1;
            continue;
        }
        let next = (row..v.len()).find(|&next| !v[next].is_nan());
        let end = next.unwrap_or(v.len());
        for between in row..end {
            v[between] = match (last, next) {
                (Some(last), Some(next)) => {
                    let share = (at(between) - at(last)) / (at(next) - at(last));
                    v[last] * (1.0 - share) + v[next] * share
                }
                (Some(near), None) | (None, Some(near)) => v[near],
                (None, None) => f64::NAN,
            };
        }
        row = end;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: f64 = f64::NAN;

    fn filled(values: &[f64], positions: Option<&[f64]>) -> Vec<f64> {
        let mut values = Values::Real(values.to_vec());
        fill(&mut values, positions);
        values.into_reals()
    }

    #[test]
    fn straight_lines_fill_gaps() {
        assert_eq!(filled(&[1.0, GAP, GAP, 4.0], None), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(filled(&[GAP, 1.0, 2.0, GAP], None), [1.0, 1.0, 2.0, 2.0]);
        assert_eq!(filled(&[0.0, GAP, 4.0], Some(&[0.0, 3.0, 4.0])), [0.0, 3.0, 4.0]);
        assert!(filled(&[1.0, GAP], None)[1].is_nan(), "one value draws no line");
    }

    #[test]
    fn codes_become_missing_and_rows_find_their_places() {
        let mut values = Values::Integer(vec![1, -9999, 3]);
        assert_eq!(decode(&mut values, &[-9999.0]), (1, false));
        let plausible = |values: &[i64]| plausible(&Values::Integer(values.to_vec()), &[-1.0, -9999.0]);
        assert_eq!(plausible(&[1, -1, 3]), [-1.0, -9999.0], "a count is not negative");
        assert_eq!(plausible(&[1, -1, -3]), [-9999.0], "an anomaly may be");
        let found: Vec<_> = missing(&values).into_iter().map(|range| (range.start, range.end)).collect();
        assert_eq!(found, [(1, 2)]);
        let spread = spread(&Values::Integer(vec![1, 2, 5]), &[0, 1, 3]).expect("it fits").into_reals();
        assert_eq!((spread.len(), spread[3], spread[2].is_nan()), (4, 5.0, true));
    }
}
