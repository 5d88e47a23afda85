//! Other ways to compute the same as the work at hand, beside it.

use super::super::super::theme::{GRID, Series, Tokens};
use super::super::super::ticks::{duration, number};
use super::super::super::widgets;
use crate::engine::{Comparison, Outcome};
use egui::{Grid, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// Width and height of the longest bar, in points.
const BAR: egui::Vec2 = vec2(96.0, 12.0);

/// The work at hand and other ways to compute the same, as bars and numbers, all timed in the same manner.
pub(super) fn ui(ui: &mut Ui, outcome: &Outcome) {
    ui.strong("The same, other ways");
    let Some(this) = &outcome.as_set else {
        let why = if outcome.complete { "Not timed unasked: so much would take long" } else { "Timed as soon as nothing else is to do" };
        widgets::weak(ui, why);
        return;
    };
    let manner = "Each from the samples to the whole result in memory, transfers included, while nothing else is done: median and quartiles of n runs";
    ui.add(egui::Label::new(RichText::new(manner).color(Tokens::current(ui).weak)).wrap());
    let all = || std::iter::once(this).chain(&outcome.comparisons);
    let longest = all().map(|way| way.quartiles_micros[1]).fold(f64::MIN_POSITIVE, f64::max);
    Grid::new("comparisons").num_columns(4).spacing([3.0 * GRID, GRID]).show(ui, |ui| {
        way_ui(ui, this, series_here(outcome), longest, None);
        for way in &outcome.comparisons {
            way_ui(ui, way, series_of(&way.name), longest, Some(way.micros / this.micros));
        }
    });
}

/// A row: its name, a bar with a line from quartile to quartile, numbers, and how many times as long as the work at hand it takes.
fn way_ui(ui: &mut Ui, way: &Comparison, series: Series, longest: f64, ratio: Option<f64>) {
    let theme = ui.theme();
    ui.label(&way.name);
    let (rect, response) = ui.allocate_exact_size(BAR, Sense::hover());
    let x = |micros: f64| rect.left() + rect.width() * (micros / longest) as f32;
    let bar = Rect::from_min_max(rect.min, pos2(x(way.micros).max(rect.left() + 1.0), rect.bottom()));
    ui.painter().rect_filled(bar, 2.0, series.color(theme));
    let [low, high] = way.quartiles_micros;
    ui.painter().hline(x(low)..=x(high), rect.center().y, (2.0, Tokens::of(theme).text));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{}: {}", way.name, duration(way.micros))));
    ui.horizontal(|ui| {
        ui.label(duration(way.micros));
        let spread = if way.n_runs > 1 { format!("{} – {}, ", duration(low), duration(high)) } else { String::new() };
        ui.label(RichText::new(format!("{spread}n = {}", way.n_runs)).color(Tokens::current(ui).weak).small());
    });
    ui.label(ratio.map_or(String::new(), |ratio| format!("{} ×", number(ratio, 3))));
    ui.end_row();
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
