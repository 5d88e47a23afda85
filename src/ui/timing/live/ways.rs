//! Other ways to compute the same as the work at hand, beside it.

use super::super::super::theme::{GRID, Series, Tokens};
use super::super::super::widgets;
use crate::engine::{Comparison, Outcome};
use crate::numerals::{duration, number};
use egui::{Grid, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// Width of the longest bar in points: the least and the most.
const BAR: [f32; 2] = [24.0, 96.0];
/// Height of a bar.
const THICK: f32 = 12.0;

/// The work at hand and other ways to compute the same, as bars and numbers `width` points wide, all timed in the same manner.
pub(super) fn ui(ui: &mut Ui, outcome: &Outcome, width: f32) {
    ui.strong("The same, other ways");
    let Some(this) = &outcome.as_set else {
        let why = if outcome.complete { "Not timed unasked: so much would take long" } else { "Timed as soon as nothing else is to do" };
        widgets::weak(ui, why);
        return;
    };
    let manner = "Each from the samples to the whole result in memory, transfers included, while nothing else is done: median and quartiles of n runs";
    ui.add(egui::Label::new(RichText::new(manner).color(Tokens::current(ui).weak)).wrap());
    let all: Vec<&Comparison> = std::iter::once(this).chain(&outcome.comparisons).collect();
    let longest = all.iter().map(|way| way.quartiles_micros[1]).fold(f64::MIN_POSITIVE, f64::max);
    let ratio =
        |way: &Comparison| if std::ptr::eq(way, this) { String::new() } else { format!("{} ×", number(way.micros / this.micros, 3)) };
    let room = Room::of(ui, &all, all.iter().map(|way| ratio(way)), width);
    Grid::new("comparisons").num_columns(4).spacing([SPACING, GRID]).show(ui, |ui| {
        for way in all {
            let series = if std::ptr::eq(way, this) { series_here(outcome) } else { series_of(&way.name) };
            way_ui(ui, way, series, longest, room);
            ui.label(ratio(way));
            ui.end_row();
        }
    });
}

/// Points between two columns.
const SPACING: f32 = 3.0 * GRID;

/// What a row has room for.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Room {
    /// The longest bar.
    bar: f32,
    /// Whether the quartiles stand beside the median; else they are told on hover.
    has_spread: bool,
}

impl Room {
    fn of(ui: &Ui, ways: &[&Comparison], ratios: impl Iterator<Item = String>, width: f32) -> Self {
        let widest = |texts: &mut dyn Iterator<Item = String>| texts.map(|text| widgets::text_width(ui, &text)).fold(0.0, f32::max);
        let names = widest(&mut ways.iter().map(|way| way.name.clone()));
        let medians = widest(&mut ways.iter().map(|way| duration(way.micros)));
        let spreads = widest(&mut ways.iter().map(|way| spread(way))) + ui.spacing().item_spacing.x;
        let ratios = widest(&mut { ratios });
        Self::within(width - names - medians - ratios - 3.0 * SPACING, spreads)
    }

    /// What is left for the bar and the quartiles.
    fn within(left: f32, spreads: f32) -> Self {
        let has_spread = left - spreads >= BAR[0];
        Self { bar: (if has_spread { left - spreads } else { left }).clamp(BAR[0], BAR[1]), has_spread }
    }
}

/// The quartiles, and of how many runs.
fn spread(way: &Comparison) -> String {
    let [low, high] = way.quartiles_micros;
    let quartiles = if way.n_runs > 1 { format!("{} – {}, ", duration(low), duration(high)) } else { String::new() };
    format!("{quartiles}n = {}", way.n_runs)
}

/// The first columns of a row: its name, a bar with a line from quartile to quartile, and numbers.
fn way_ui(ui: &mut Ui, way: &Comparison, series: Series, longest: f64, room: Room) {
    let theme = ui.theme();
    ui.label(&way.name);
    let (rect, response) = ui.allocate_exact_size(vec2(room.bar, THICK), Sense::hover());
    let x = |micros: f64| rect.left() + rect.width() * (micros / longest) as f32;
    let bar = Rect::from_min_max(rect.min, pos2(x(way.micros).max(rect.left() + 1.0), rect.bottom()));
    ui.painter().rect_filled(bar, 2.0, series.color(theme));
    let [low, high] = way.quartiles_micros;
    ui.painter().hline(x(low)..=x(high), rect.center().y, (2.0, Tokens::of(theme).text));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{}: {}, {}", way.name, duration(way.micros), spread(way))));
    ui.horizontal(|ui| {
        let median = ui.label(duration(way.micros));
        if room.has_spread {
            ui.label(RichText::new(spread(way)).color(Tokens::current(ui).weak).small());
        } else {
            median.on_hover_text(spread(way));
        }
    });
}

/// The colour of what the work at hand runs on.
fn series_here(outcome: &Outcome) -> Series {
    match outcome.plan {
        None => Series::Library,
        Some(_) if outcome.times.upload_micros > 0.0 => Series::Kernel,
        Some(_) => series_of(&outcome.device),
    }
}

/// The colour of a way by its name in the engine, or by that of its device.
fn series_of(name: &str) -> Series {
    match name {
        name if name.contains("rustfft") => Series::Library,
        name if name.contains("parallel") || name.ends_with("threads") => Series::CpuParallel,
        name if name.contains("strided") => Series::CpuStrided,
        _ => Series::CpuLocal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_give_way_before_anything_is_cut() {
        assert_eq!(Room::within(260.0, 150.0), Room { bar: 96.0, has_spread: true });
        assert_eq!(Room::within(180.0, 150.0), Room { bar: 30.0, has_spread: true });
        assert_eq!(Room::within(150.0, 150.0), Room { bar: 96.0, has_spread: false });
        assert_eq!(Room::within(10.0, 150.0), Room { bar: 24.0, has_spread: false });
    }
}
