//! How a row is plotted: its axes, its line, and where its values are.

use super::Periods;
use crate::signal::Axis;
use crate::ui::theme::Tokens;
use egui::{Color32, Id, Ui};

/// How a row is plotted.
#[derive(Clone, Copy)]
pub(crate) struct PlotLook<'a> {
    /// The accessible name.
    pub name: &'static str,
    /// Name and unit of the horizontal axis.
    pub x_label: &'a str,
    /// Name and unit of the vertical axis.
    pub y_label: &'a str,
    /// The position of 0 on the horizontal axis.
    pub origin: f64,
    /// Positions per unit of the horizontal axis.
    pub per_unit: f64,
    /// Where the values are on the horizontal axis, in ascending order, if their steps are uneven; the two fields above are those of even ones then.
    pub positions: Option<&'a [f64]>,
    /// Whether the horizontal axis is logarithmic; it omits positions up to the origin.
    pub log_axis: bool,
    /// Colour of the line.
    pub color: Color32,
    /// Whether few values are drawn as stems.
    pub stems: bool,
    /// Smaller values are drawn at this level.
    pub floor: Option<f64>,
    /// The number of values of the whole row, where only the first ones are shown.
    pub whole: Option<usize>,
    /// The axis along the samples, where its ticks are dates or times of a clock.
    pub dates: Option<&'a Axis>,
    /// Whether the axis ends at ½, which then has a tick.
    pub to_half: bool,
    /// The periods of an axis of frequencies.
    pub periods: Option<Periods>,
    /// Whether the numbers of a logarithmic axis are periods; frequencies then are above the plot where periods would be.
    pub by_period: bool,
    /// Whether the periods are above the plot as a second axis.
    pub has_periods_above: bool,
    /// Plots with the same one share the visible part of their horizontal axis.
    pub linked: Option<Id>,
    /// Where the horizontal axis begins and ends on the screen, as what lies below it does.
    pub ends: Option<[f32; 2]>,
}

impl<'a> PlotLook<'a> {
    /// Stems over the index, in the colour of lines.
    pub(crate) fn over_index(ui: &Ui, name: &'static str, x_label: &'a str, y_label: &'a str) -> Self {
        let color = Tokens::current(ui).line;
        Self {
            name,
            x_label,
            y_label,
            origin: 0.0,
            per_unit: 1.0,
            positions: None,
            log_axis: false,
            color,
            stems: true,
            floor: None,
            whole: None,
            dates: None,
            to_half: false,
            periods: None,
            by_period: false,
            has_periods_above: false,
            linked: None,
            ends: None,
        }
    }
}

impl PlotLook<'_> {
    /// The periods that a logarithmic axis counts in place of frequencies.
    pub(super) fn counted_periods(&self) -> Option<Periods> {
        self.periods.filter(|_| self.by_period && self.log_axis)
    }

    /// The number at a horizontal coordinate.
    pub(super) fn value(&self, x: f64) -> f64 {
        if self.log_axis { 10f64.powf(x) } else { x }
    }

    /// The horizontal coordinate of a position.
    pub(crate) fn x(&self, position: f64) -> f64 {
        let value = match self.positions {
            Some(positions) => placed(positions, position),
            None => (position - self.origin) / self.per_unit,
        };
        if self.log_axis { value.max(f64::MIN_POSITIVE).log10() } else { value }
    }

    /// The position at a horizontal coordinate.
    pub(crate) fn position(&self, x: f64) -> f64 {
        match self.positions {
            Some(positions) => index_at(positions, self.value(x)),
            None => self.value(x) * self.per_unit + self.origin,
        }
    }

    /// Whether the axis has this position.
    pub(crate) fn is_shown(&self, position: f64) -> bool {
        !self.log_axis || position > self.origin
    }

    /// The whole extent of `n` values on the horizontal axis.
    pub(super) fn extent(&self, n: usize) -> [f64; 2] {
        let first = if self.log_axis { (self.origin + 1.0).min(n as f64 - 1.0) } else { 0.0 };
        [self.x(first), self.x((n as f64 - 1.0).max(first))]
    }
}

/// The place of an index among ascending positions; between two of them on the straight line.
fn placed(positions: &[f64], index: f64) -> f64 {
    let [.., last] = positions else { return index };
    if positions.len() < 2 {
        return last + index;
    }
    let low = (index.max(0.0) as usize).min(positions.len() - 2);
    positions[low] + (index - low as f64) * (positions[low + 1] - positions[low])
}

/// The index at a place, as [`placed`] gives it.
fn index_at(positions: &[f64], place: f64) -> f64 {
    let [.., last] = positions else { return place };
    if positions.len() < 2 {
        return place - last;
    }
    let low = positions.partition_point(|position| *position <= place).saturating_sub(1).min(positions.len() - 2);
    let step = positions[low + 1] - positions[low];
    low as f64 + if step > 0.0 { (place - positions[low]) / step } else { 0.0 }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The look of a plot from 8 on, with 16 positions per unit.
    pub(crate) fn look(log_axis: bool) -> PlotLook<'static> {
        let (origin, per_unit) = (8.0, 16.0);
        PlotLook {
            name: "plot",
            x_label: "",
            y_label: "",
            origin,
            per_unit,
            positions: None,
            log_axis,
            color: Color32::WHITE,
            stems: true,
            floor: None,
            whole: None,
            dates: None,
            to_half: false,
            periods: None,
            by_period: false,
            has_periods_above: false,
            linked: None,
            ends: None,
        }
    }

    #[test]
    fn axis_and_positions_agree() {
        for log_axis in [false, true] {
            let look = look(log_axis);
            for position in 9..16 {
                assert!((look.position(look.x(f64::from(position))) - f64::from(position)).abs() < 1e-9);
            }
        }
        assert_eq!(look(false).extent(16), [-0.5, 7.0 / 16.0]);
    }

    #[test]
    fn uneven_values_stand_at_their_positions() {
        let positions = [1.0, 2.0, 6.0, 6.5];
        let look = PlotLook { positions: Some(&positions), ..look(false) };
        for (index, place) in [(0.0, 1.0), (1.5, 4.0), (3.0, 6.5), (-1.0, 0.0), (4.0, 7.0)] {
            assert_eq!((look.x(index), look.position(place)), (place, index));
        }
        assert_eq!(look.extent(4), [1.0, 6.5]);
        let alone = PlotLook { positions: Some(&positions[..1]), ..look };
        assert_eq!((alone.x(0.0), alone.position(1.0)), (1.0, 0.0));
    }
}
