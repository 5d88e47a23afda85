//! The text of the status bar about the pixel under the pointer.

use crate::display::unshifted_index;
use crate::engine::filter::{FilterProbe, FilterView};
use crate::numerals::number;
use crate::transforms::Shape;

/// Place and values of a pixel: samples with those of the source, a factor with its frequency, or a difference.
/// Without `probe` the values are still on their way.
pub(super) fn text(shows: FilterView, shape: Shape, [column, row]: [usize; 2], probe: Option<&FilterProbe>) -> String {
    let values = |values: &[f32]| values.iter().map(|&value| number(value.into(), 5)).collect::<Vec<_>>().join(", ");
    let shown = probe.map_or_else(String::new, |probe| values(&probe.values));
    match shows {
        FilterView::Mask => {
            let frequency = |place: usize, n: usize| {
                let index = unshifted_index(place, n) as f64;
                (if 2.0 * index >= n as f64 && n > 1 { index - n as f64 } else { index }) / n.max(1) as f64
            };
            // Rows count downwards, and v points upwards.
            let [u, v] = [frequency(column, shape.columns), 0.0 - frequency(row, shape.rows)].map(|at| number(at, 4));
            format!("mask   u {u}, v {v} cycles per pixel   factor {shown}")
        }
        FilterView::Difference => format!("difference   row {row}, column {column}   filtered minus source {shown}"),
        FilterView::Source | FilterView::Result | FilterView::Split(_) => {
            let before = probe.map_or_else(String::new, |probe| format!(", source {}", values(&probe.before)));
            format!("filtered image   row {row}, column {column}   value {shown}{before}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_view_says_what_its_values_are() {
        let shape = Shape { rows: 8, columns: 16 };
        let probe = |values: &[f32], before: &[f32]| FilterProbe { at: [12, 1], values: values.to_vec(), before: before.to_vec() };
        let mask = text(FilterView::Mask, shape, [12, 1], Some(&probe(&[0.5], &[])));
        assert_eq!(mask, "mask   u 0.25, v 0.375 cycles per pixel   factor 0.5");
        let result = text(FilterView::Result, shape, [12, 1], Some(&probe(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0])));
        assert_eq!(result, "filtered image   row 1, column 12   value 1, 2, 3, source 4, 5, 6");
        let difference = text(FilterView::Difference, shape, [12, 1], Some(&probe(&[-2.0], &[])));
        assert_eq!(difference, "difference   row 1, column 12   filtered minus source − 2".replace("− ", "−"));
        assert_eq!(text(FilterView::Result, shape, [0, 0], None), "filtered image   row 0, column 0   value ");
    }
}
