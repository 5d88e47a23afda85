//! The texts of the ticks of a plot, and its horizontal axes.

use super::{Periods, PlotLook};
use crate::numerals::number;
use crate::signal::DateTick;
use egui_plot::{AxisHints, GridMark, VPlacement};

/// The text of a tick of the horizontal axis: a date on an axis of dates, else as many digits as tell it from its neighbours.
pub(super) fn tick_text(look: &PlotLook<'_>, at: f64, step: f64) -> String {
    let date = look.dates.and_then(|axis| axis.date_tick_text(DateTick { position: at, step }));
    date.unwrap_or_else(|| {
        let digits = if look.log_axis || step <= 0.0 { 5 } else { ((at / step).abs().max(1.0).log10().floor() as usize + 2).clamp(5, 12) };
        number(look.value(at), digits)
    })
}

/// As long a number as is at the end of the axis.
pub(super) fn number_at_end(look: &PlotLook<'_>, end: f64) -> String {
    if let Some(axis) = look.dates {
        if axis.origin.is_some() { "2021-03-05".into() } else { "10:00:00".into() }
    } else {
        number(look.value(end), 5)
    }
}

/// The horizontal axes: that below the plot, and one of periods above it on demand.
pub(super) fn across<'a>(look: &'a PlotLook<'_>) -> Vec<AxisHints<'a>> {
    let of_frequencies =
        || AxisHints::new_x().label(look.x_label).formatter(|mark: GridMark, _| tick_text(look, mark.value, mark.step_size));
    let of_periods = |periods: Periods| {
        AxisHints::new_x().label(periods.label()).formatter(move |mark: GridMark, _| periods.tick(look.value(mark.value)))
    };
    let above = look.periods.filter(|_| look.has_periods_above);
    let (below, above) = match look.counted_periods() {
        Some(periods) => (of_periods(periods), above.map(|_| of_frequencies())),
        None => (of_frequencies(), above.map(of_periods)),
    };
    std::iter::once(below).chain(above.map(|hints| hints.placement(VPlacement::Top))).collect()
}
