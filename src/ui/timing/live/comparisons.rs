//! The current transform beside other devices and libraries that compute the same.

use super::super::super::theme::{GRID, Series, Tokens, series_color};
use super::super::super::widgets;
use crate::cpu::{CpuBackend, LoopOrder};
use crate::engine::{Comparison, Outcome};
use crate::numerals::{duration, number};
use egui::{Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

/// The least and the greatest width of the longest bar, in points.
const BAR_WIDTHS: [f32; 2] = [24.0, 96.0];
/// Height of a bar, in points.
const BAR_HEIGHT: f32 = 12.0;

/// Shows all comparisons as bars and numbers in `width` points; all of them are timed in the same manner.
pub(super) fn ui(ui: &mut Ui, outcome: &Outcome, width: f32) {
    ui.strong("The same on other devices and by libraries");
    let Some(this) = &outcome.as_set else {
        let why = if outcome.complete { "Not timed: it would take too long" } else { "Timed as soon as the program is idle" };
        widgets::weak(ui, why);
        return;
    };
    let manner = "Each from the samples to the whole result in host memory, with all transfers, while the program is idle: median, and quartiles of n runs";
    ui.add(egui::Label::new(RichText::new(manner).color(Tokens::current(ui).weak)).wrap());
    let all: Vec<&Comparison> = std::iter::once(this).chain(&outcome.comparisons).collect();
    let longest = all.iter().map(|case| case.quartiles_micros[1]).fold(f64::MIN_POSITIVE, f64::max);
    let ratio =
        |case: &Comparison| if std::ptr::eq(case, this) { String::new() } else { format!("{} ×", number(case.micros / this.micros, 3)) };
    let layout = RowLayout::of(ui, &all, width);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(SPACING, GRID);
        ui.horizontal(|ui| {
            for (heading, width) in [("", layout.name), ("", layout.bar), (layout.times_heading(), layout.times), (RATIO, 0.0)] {
                widgets::cell(ui, width, |ui| widgets::weak(ui, heading));
            }
        });
        for case in all {
            let series = if std::ptr::eq(case, this) { current_series(outcome) } else { series_of(&case.name) };
            ui.horizontal(|ui| {
                case_ui(ui, case, series, longest, layout);
                ui.label(ratio(case));
            });
        }
    });
}

/// The heading of the last column: "1.5 ×" as set.
const RATIO: &str = "as set";
/// A name keeps at least this width before it is cut, in points.
const LEAST_NAME: f32 = 64.0;
/// Distance between two columns, in points.
const SPACING: f32 = 3.0 * GRID;
/// The longest usual texts of a time, of quartiles and of a ratio. Columns have room for them from the first row on, so that no later row moves them.
const LONGEST_TIME: &str = "88.8 ms";
const LONGEST_SPREAD: &str = "88.8 ms – 88.8 ms, n = 88";
const LONGEST_RATIO: &str = "88.8 ×";

/// The layout of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RowLayout {
    /// Width of the names, in points.
    name: f32,
    /// Width of the longest bar, in points.
    bar: f32,
    /// Width of the times, in points.
    times: f32,
    /// Whether the quartiles are beside the median; otherwise a hover shows them.
    has_spread: bool,
}

impl RowLayout {
    fn of(ui: &Ui, cases: &[&Comparison], width: f32) -> Self {
        let texts = |longest: &str, text: fn(&Comparison) -> String| {
            cases.iter().map(|case| widgets::text_width(ui, &text(case))).fold(widgets::text_width(ui, longest), f32::max)
        };
        let names = texts(CpuBackend::ByStage(LoopOrder::Strided).name(), |case| case.name.clone());
        let medians = texts(LONGEST_TIME, |case| duration(case.micros));
        let spreads = texts(LONGEST_SPREAD, spread) + ui.spacing().item_spacing.x;
        let ratios = widgets::widest(ui, [LONGEST_RATIO, RATIO]);
        Self::within(width - ratios - 3.0 * SPACING, names, medians, spreads)
    }

    /// The layout in a row with `left` points for the name, the bar, the median and the quartiles.
    fn within(left: f32, names: f32, medians: f32, spreads: f32) -> Self {
        let left = left - medians;
        let name = names.min((left - BAR_WIDTHS[0]).max(LEAST_NAME));
        let left = left - name;
        let has_spread = left - spreads >= BAR_WIDTHS[0];
        let spreads = if has_spread { spreads } else { 0.0 };
        Self { name, bar: (left - spreads).clamp(BAR_WIDTHS[0], BAR_WIDTHS[1]), times: medians + spreads, has_spread }
    }

    /// The heading above the times.
    fn times_heading(self) -> &'static str {
        if self.has_spread { "time, quartiles" } else { "time" }
    }
}

/// The quartiles and the number of runs, as text.
fn spread(case: &Comparison) -> String {
    let [low, high] = case.quartiles_micros;
    let quartiles = if case.n_runs > 1 { format!("{} – {}, ", duration(low), duration(high)) } else { String::new() };
    format!("{quartiles}n = {}", case.n_runs)
}

/// The first columns of a row: the name, a bar with a line from quartile to quartile, and the times.
fn case_ui(ui: &mut Ui, case: &Comparison, series: Series, longest: f64, layout: RowLayout) {
    let theme = ui.theme();
    widgets::cell(ui, layout.name, |ui| ui.add(egui::Label::new(&case.name).truncate()).on_hover_text(&case.name));
    let (rect, response) = ui.allocate_exact_size(vec2(layout.bar, BAR_HEIGHT), Sense::hover());
    let x = |micros: f64| rect.left() + rect.width() * (micros / longest) as f32;
    let bar = Rect::from_min_max(rect.min, pos2(x(case.micros).max(rect.left() + 1.0), rect.bottom()));
    ui.painter().rect_filled(bar, 2.0, series_color(series, theme));
    let [low, high] = case.quartiles_micros;
    ui.painter().hline(x(low)..=x(high), rect.center().y, (2.0, Tokens::of(theme).text));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{}: {}, {}", case.name, duration(case.micros), spread(case))));
    widgets::cell(ui, layout.times, |ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * GRID;
        let median = ui.label(duration(case.micros));
        if layout.has_spread {
            ui.label(RichText::new(spread(case)).color(Tokens::current(ui).weak).small());
        } else {
            median.on_hover_text(spread(case));
        }
    });
}

/// The colour of the current transform.
fn current_series(outcome: &Outcome) -> Series {
    match outcome.plan {
        None => Series::Library,
        Some(_) if outcome.times.upload_micros > 0.0 => Series::Kernel,
        Some(_) => series_of(&outcome.device),
    }
}

/// The colour of a comparison, by its name in the engine or the name of its device.
fn series_of(name: &str) -> Series {
    match name {
        name if name.contains("rustfft") => Series::Library,
        name if name.contains("all cores") || name.ends_with("threads") => Series::CpuParallel,
        name if name.contains("strided") => Series::CpuStrided,
        name if name.contains("local") => Series::CpuLocal,
        _ => Series::Cpu,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_left_out_before_a_bar_is_cut() {
        let within = |left: f32| RowLayout::within(left + 160.0, 100.0, 60.0, 150.0);
        assert_eq!(within(260.0), RowLayout { name: 100.0, bar: 96.0, times: 210.0, has_spread: true });
        assert_eq!(within(180.0), RowLayout { name: 100.0, bar: 30.0, times: 210.0, has_spread: true });
        assert_eq!(within(150.0), RowLayout { name: 100.0, bar: 96.0, times: 60.0, has_spread: false });
        let cut = RowLayout { name: 86.0, bar: 24.0, times: 60.0, has_spread: false };
        assert_eq!(within(10.0), cut, "a long name is cut before a bar covers it");
    }
}
