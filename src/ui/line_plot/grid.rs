//! Grid lines of a plot: round values with numbers, and fainter lines between them.

use super::PlotLook;
use crate::plot::{round_step, step_to_half};
use egui_plot::{GridInput, GridMark};

/// Distance of the numbers of an axis, in units of the smallest distance of grid lines. Numbers side by side need more room than stacked ones.
const ACROSS: f64 = 9.0;
const DOWN: f64 = 4.0;
/// Dates are longer than numbers.
const ACROSS_DATES: f64 = 11.0;

/// Grid lines at the decades of a logarithmic axis and at the digits between them.
pub(super) fn grid(input: GridInput, look: &PlotLook<'_>) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    if let Some(axis) = look.dates {
        let ticks = axis.date_ticks(low, high, input.base_step_size * ACROSS_DATES);
        if !ticks.is_empty() {
            return ticks.into_iter().map(|tick| GridMark { value: tick.position, step_size: tick.step }).collect();
        }
    }
    if !look.log_axis || high - low < 0.5 {
        let least = input.base_step_size * ACROSS;
        let step = if look.to_half && !look.log_axis { step_to_half(least) } else { round_step(least) };
        // There is nothing between two samples.
        return if look.per_unit == 1.0 && look.positions.is_none() {
            whole_lines(input.bounds, step)
        } else {
            fine_and_coarse(input.bounds, step)
        };
    }
    // Periods grow as frequencies fall.
    let (from, sign) = look.counted_periods().map_or((0.0, 1.0), |periods| (periods.of_one.log10(), -1.0));
    let ends = [low, high].map(|end| sign * (end - from));
    let decades = ends[0].min(ends[1]).floor() as i32..=ends[0].max(ends[1]).ceil() as i32;
    decades
        .flat_map(|decade| {
            (1..10).map(move |digit| {
                let value = from + sign * (f64::from(decade) + f64::from(digit).log10());
                GridMark { value, step_size: if digit == 1 { 1.0 } else { 0.1 } }
            })
        })
        .filter(|mark| (low..=high).contains(&mark.value))
        .collect()
}

/// Grid lines of a vertical axis. One number alone is not a scale, so that a low plot has them closer to each other.
pub(super) fn upright(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let [step, closer] = [DOWN, 0.5 * DOWN].map(|distance| round_step(input.base_step_size.abs() * distance));
    let has_two = (low / step).ceil() < (high / step).floor();
    fine_and_coarse(input.bounds, if has_two { step } else { closer })
}

/// Grid lines with numbers, `coarse` apart, and fainter lines between them.
fn fine_and_coarse((low, high): (f64, f64), coarse: f64) -> Vec<GridMark> {
    let fine = coarse / 5.0;
    let range = (low / fine).ceil() as i64..=(high / fine).floor() as i64;
    range.map(|k| GridMark { value: k as f64 * fine, step_size: if k % 5 == 0 { coarse } else { fine } }).collect()
}

/// The same on an axis of whole numbers.
fn whole_lines(bounds: (f64, f64), coarse: f64) -> Vec<GridMark> {
    let coarse = coarse.max(1.0);
    let mut lines = fine_and_coarse(bounds, coarse);
    lines.retain(|mark| mark.value.fract() == 0.0);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::line_plot::look::tests::look;

    #[test]
    fn a_logarithmic_axis_has_lines_at_the_digits() {
        let marks = grid(GridInput { bounds: (0.0, 2.0), base_step_size: 0.1 }, &look(true));
        assert_eq!(marks.iter().filter(|mark| mark.step_size == 1.0).count(), 3);
        assert_eq!(marks.len(), 19);
    }

    #[test]
    fn an_axis_of_periods_has_lines_at_round_periods() {
        let periods = Some(crate::ui::line_plot::Periods { of_one: 2.0, unit: None, name: "sample" });
        let look = PlotLook { by_period: true, periods, ..look(true) };
        let marks = grid(GridInput { bounds: (-1.0, 1.0), base_step_size: 0.1 }, &look);
        let found: Vec<f64> = marks.iter().filter(|mark| mark.step_size == 1.0).map(|mark| 2.0 / look.value(mark.value)).collect();
        assert!(found.len() == 2 && (found[0] - 1.0).abs() < 1e-9 && (found[1] - 10.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn one_half_has_a_line() {
        for base in [0.01, 0.015, 0.02, 0.03] {
            let look = PlotLook { to_half: true, ..look(false) };
            let marks = grid(GridInput { bounds: (-0.5, 0.5), base_step_size: base }, &look);
            let coarse = marks.iter().map(|mark| mark.step_size).fold(0.0, f64::max);
            assert!(marks.iter().any(|mark| mark.step_size == coarse && (mark.value - 0.5).abs() < 1e-9), "{base}: {marks:?}");
        }
    }

    #[test]
    fn an_axis_of_samples_has_lines_at_whole_numbers() {
        let look = PlotLook { per_unit: 1.0, ..look(false) };
        let values = |high: f64, base: f64| {
            let marks = grid(GridInput { bounds: (0.0, high), base_step_size: base }, &look);
            marks.iter().map(|mark| (mark.value, mark.step_size)).collect::<Vec<_>>()
        };
        assert_eq!(values(3.0, 0.02), [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (3.0, 1.0)]);
        assert_eq!(values(6.0, 0.5).iter().filter(|(_, step)| *step == 5.0).map(|(value, _)| *value).collect::<Vec<_>>(), [0.0, 5.0]);
    }

    #[test]
    fn a_low_axis_has_two_numbers() {
        let numbers = |bounds: (f64, f64), base_step_size: f64| {
            let marks = upright(GridInput { bounds, base_step_size });
            let coarse = marks.iter().map(|mark| mark.step_size).fold(0.0, f64::max);
            marks.iter().filter(|mark| mark.step_size == coarse).map(|mark| mark.value).collect::<Vec<_>>()
        };
        assert_eq!(numbers((-0.32, 0.32), 0.06), [-0.2, 0.0, 0.2]);
        assert_eq!(numbers((-60.0, 3.0), 5.0), [-60.0, -40.0, -20.0, 0.0], "with room they stay apart");
    }

    #[test]
    fn a_linear_axis_has_round_lines() {
        let marks = grid(GridInput { bounds: (-0.5, 0.5), base_step_size: 0.03 }, &look(false));
        let coarse: Vec<f64> = marks.iter().filter(|mark| mark.step_size > 0.2).map(|mark| mark.value).collect();
        assert_eq!(coarse, [-0.5, 0.0, 0.5]);
        assert_eq!(marks.len(), 11);
    }
}
