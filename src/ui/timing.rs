//! The pane that shows where the time went: the runs so far as stacked bars, the newest run launch by launch, and other ways to compute the same.

use super::scene::Scene;
use super::theme::{GRID, Series, Tokens};
use super::ticks::{duration, number};
use super::widgets;
use crate::engine::{Comparison, Outcome, Times};
use crate::transforms::Shape;
use egui::{Grid, Rect, RichText, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use egui_plot::{Bar, BarChart, GridMark, HoverPosition, Plot};
use std::collections::VecDeque;

/// Runs that are remembered.
const N_RUNS: usize = 200;
/// The plot has room for so many, so that the first bar is a bar and no wall.
const LEAST_RUNS: usize = 20;
/// Launches that are listed one by one.
const N_LAUNCHES: usize = 64;

/// The pane shows the runs so far only where there is as much room, in points, below each other.
const ROOM_FOR_HISTORY: f32 = 320.0;

/// The runs of one transform at one size so far, oldest first: others would need another scale.
#[derive(Debug, Default)]
pub(super) struct History {
    of: Option<(&'static str, Shape)>,
    runs: VecDeque<Times>,
    n_seen: usize,
}

impl History {
    /// Remembers a run of a transform at a size, unless it is the one that was remembered last.
    pub(super) fn push(&mut self, transform: &'static str, shape: Shape, times: &Times) {
        if self.of != Some((transform, shape)) {
            *self = Self { of: Some((transform, shape)), ..Self::default() };
        }
        if self.runs.back() == Some(times) {
            return;
        }
        self.runs.push_back(times.clone());
        self.n_seen += 1;
        if self.runs.len() > N_RUNS {
            self.runs.pop_front();
        }
    }
}

/// The pane *Timing*.
#[derive(Default)]
pub(super) struct TimingPane;

impl TimingPane {
    /// Shows the pane.
    pub(super) fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(outcome) = scene.outcome() else {
            return widgets::empty_state(ui, "Times appear here once something was computed");
        };
        let available = ui.available_size();
        if available.x > 560.0 {
            let area = ui.available_rect_before_wrap();
            let (left, right) = area.split_left_right_at_fraction(0.5);
            ui.scope_builder(UiBuilder::new().max_rect(left), |ui| history_ui(ui, scene.history, available.y));
            let right = right.with_min_x(right.left() + 2.0 * GRID);
            ui.scope_builder(UiBuilder::new().max_rect(right), |ui| tables_ui(ui, outcome));
        } else {
            if available.y > ROOM_FOR_HISTORY && scene.history.runs.len() > 1 {
                history_ui(ui, scene.history, available.y * 0.42);
            }
            tables_ui(ui, outcome);
        }
    }
}

/// The runs so far as stacked bars.
fn history_ui(ui: &mut Ui, history: &History, height: f32) {
    let theme = ui.theme();
    let first = history.n_seen - history.runs.len();
    // One unit for the whole plot, that of the longest run.
    let longest = history.runs.iter().map(|times| times.total_micros).fold(0.0, f64::max);
    let (unit, micros) = if longest >= 1e6 {
        ("s", 1e6)
    } else if longest >= 1e3 {
        ("ms", 1e3)
    } else {
        ("µs", 1.0)
    };
    let chart = |name: &str, series: Series, part: fn(&Times) -> f64| {
        let bars = history.runs.iter().enumerate().map(|(run, times)| Bar::new((first + run + 1) as f64, part(times) / micros).width(0.8));
        let bars = bars.map(|bar| bar.fill(series.color(theme)).stroke(Stroke::NONE));
        BarChart::new(name, bars.collect()).color(series.color(theme)).allow_hover(false)
    };
    let upload = chart("upload", Series::Upload, |times| times.upload_micros);
    let kernel = chart("launches", Series::Kernel, Times::kernel_micros).stack_on(&[&upload]);
    let download = chart("download", Series::Download, |times| times.download_micros).stack_on(&[&upload, &kernel]);
    let rest = chart("other", Series::Library, other_micros).stack_on(&[&upload, &kernel, &download]);
    let label = history.of.map_or("run".into(), |(transform, shape)| format!("run of {transform} at {}", size(shape)));
    let plot = Plot::new("history")
        .height(height)
        .width(ui.available_width())
        .x_axis_label(label)
        .y_axis_label(format!("time ({unit})"))
        .include_y(0.0)
        .include_x(first as f64 + 0.5)
        .include_x((first + history.runs.len().max(LEAST_RUNS)) as f64 + 0.5)
        .set_margin_fraction(vec2(0.02, 0.08))
        .allow_scroll(false)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .auto_bounds([true, true])
        .grid_color(Tokens::current(ui).hairline)
        .label_formatter(|_: &HoverPosition<'_>| None)
        .x_axis_formatter(|mark: GridMark, _| if mark.value.fract() == 0.0 { number(mark.value, 6) } else { String::new() })
        .y_axis_formatter(|mark: GridMark, _| if mark.value < 0.0 { String::new() } else { number(mark.value, 4) });
    let response = plot
        .show(ui, |plot| {
            plot.set_auto_bounds([true, true]);
            for chart in [upload, kernel, download, rest] {
                plot.bar_chart(chart);
            }
        })
        .response;
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Times of the last {} runs", history.runs.len())));
}

/// What is left of the whole: waiting, and work of the host between the parts.
fn other_micros(times: &Times) -> f64 {
    (times.total_micros - times.upload_micros - times.kernel_micros() - times.download_micros).max(0.0)
}

fn tables_ui(ui: &mut Ui, outcome: &Outcome) {
    ScrollArea::vertical().id_salt("timing").auto_shrink([false, false]).show(ui, |ui| {
        run_ui(ui, outcome);
        accuracy_ui(ui, outcome);
        ui.add_space(2.0 * GRID);
        comparisons_ui(ui, outcome);
    });
}

/// The newest run, part by part.
fn run_ui(ui: &mut Ui, outcome: &Outcome) {
    let times = &outcome.times;
    let theme = ui.theme();
    let clock = if times.device_clock { "launches by the clock of the device" } else { "launches by the wall clock" };
    ui.horizontal_wrapped(|ui| {
        ui.strong("Newest run");
        widgets::weak(ui, clock);
    });
    parts_ui(ui, times);
    Grid::new("run").num_columns(4).spacing([3.0 * GRID, 2.0]).show(ui, |ui| {
        let line = |ui: &mut Ui, series: Option<Series>, name: String, micros: f64, bytes: Option<u64>| {
            ui.horizontal(|ui| {
                match series {
                    Some(series) => widgets::swatch(ui, series.color(theme)),
                    None => ui.add_space(10.0 + ui.spacing().item_spacing.x),
                }
                ui.label(name);
            });
            ui.label(duration(micros));
            ui.label(bytes.map_or(String::new(), super::ticks::bytes));
            ui.label(bytes.filter(|_| micros > 0.0).map_or(String::new(), |bytes| rate(bytes, micros)));
            ui.end_row();
        };
        // A CPU has nothing to upload and to download.
        if times.upload_micros > 0.0 {
            line(ui, Some(Series::Upload), "Upload".into(), times.upload_micros, None);
        }
        for (index, &micros) in times.launch_micros.iter().enumerate().take(N_LAUNCHES) {
            line(ui, Some(Series::Kernel), launch_name(outcome, index), micros, outcome.launch_bytes(index));
        }
        if times.launch_micros.len() > N_LAUNCHES {
            let rest = times.launch_micros[N_LAUNCHES..].iter().sum();
            line(ui, Some(Series::Kernel), format!("{} more launches", times.launch_micros.len() - N_LAUNCHES), rest, None);
        }
        if times.download_micros > 0.0 {
            line(ui, Some(Series::Download), "Download".into(), times.download_micros, None);
        }
        line(ui, Some(Series::Library), "Other".into(), other_micros(times), None);
        line(ui, None, "Total".into(), times.total_micros, None);
        line(ui, None, "First run: preparation".into(), times.prepare_micros, None);
    });
}

/// How exact the newest run is: speed alone is worth nothing.
fn accuracy_ui(ui: &mut Ui, outcome: &Outcome) {
    let text = match outcome.error {
        Some(0.0) => "Exact: no error against double precision".into(),
        Some(error) => format!("Relative error {} against double precision", number(error, 2)),
        None => "Relative error not known yet".into(),
    };
    widgets::weak(ui, text);
}

/// The newest run as one bar, its parts in the order in which they happen.
fn parts_ui(ui: &mut Ui, times: &Times) {
    let theme = ui.theme();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 3.0 * GRID), Sense::hover());
    let kernels = times.launch_micros.iter().map(|&micros| (Series::Kernel, micros));
    let parts = std::iter::once((Series::Upload, times.upload_micros))
        .chain(kernels)
        .chain([(Series::Download, times.download_micros), (Series::Library, other_micros(times))]);
    let mut x = rect.left();
    for (series, micros) in parts {
        let width = rect.width() * (micros / times.total_micros.max(f64::MIN_POSITIVE)) as f32;
        let end = (x + width).min(rect.right());
        // A hair between two launches tells them apart.
        let part = Rect::from_min_max(pos2(x, rect.top()), pos2((end - 1.0).max(x), rect.bottom()));
        ui.painter().rect_filled(part, 0.0, series.color(theme));
        x = end;
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Parts of the newest run, {}", duration(times.total_micros))));
}

/// Bytes a second with a decimal unit.
fn rate(bytes: u64, micros: f64) -> String {
    let rate = bytes as f64 / micros;
    if rate < 1e3 { format!("{} MB/s", number(rate, 3)) } else { format!("{} GB/s", number(rate / 1e3, 3)) }
}

/// Rows and columns; one row is not worth a word.
fn size(shape: Shape) -> String {
    if shape.rows == 1 { shape.columns.to_string() } else { format!("{} × {}", shape.rows, shape.columns) }
}

fn launch_name(outcome: &Outcome, index: usize) -> String {
    match (&outcome.plan, &outcome.schedule) {
        (Some(plan), Some(schedule)) if index < schedule.launches.len() => {
            let launch = &schedule.launches[index];
            let labels: Vec<_> = plan.stages[launch.stages.clone()].iter().map(|stage| stage.label.to_string()).collect();
            match labels.as_slice() {
                [one] => format!("Launch {}: {one}", index + 1),
                [first, .., last] => {
                    // What both begin with is said once.
                    let (words, number) = first.rsplit_once(' ').unwrap_or((first, ""));
                    let last = last.strip_prefix(words).map_or(last.as_str(), str::trim_start);
                    format!("Launch {}: {} … {last}", index + 1, format!("{words} {number}").trim_end())
                }
                [] => format!("Launch {}", index + 1),
            }
        }
        _ => "Library".into(),
    }
}

/// Other ways to compute the same, as bars and numbers.
fn comparisons_ui(ui: &mut Ui, outcome: &Outcome) {
    ui.horizontal_wrapped(|ui| {
        ui.strong("The same, other ways");
        widgets::weak(ui, "median of n runs");
    });
    if outcome.comparisons.is_empty() {
        widgets::weak(ui, "Timed as soon as nothing else is to do");
        return;
    }
    let this = Comparison { name: format!("This run, {}", outcome.device), micros: outcome.times.total_micros, n_runs: 1 };
    let all: Vec<_> = std::iter::once(&this).chain(&outcome.comparisons).collect();
    let longest = all.iter().map(|comparison| comparison.micros).fold(f64::MIN_POSITIVE, f64::max);
    let theme = ui.theme();
    Grid::new("comparisons").num_columns(3).spacing([3.0 * GRID, GRID]).show(ui, |ui| {
        for comparison in all {
            ui.label(&comparison.name);
            let (rect, response) = ui.allocate_exact_size(vec2(96.0, 12.0), Sense::hover());
            let width = rect.width() * (comparison.micros / longest) as f32;
            let bar = Rect::from_min_max(rect.min, pos2(rect.left() + width.max(1.0), rect.bottom()));
            ui.painter().rect_filled(bar, 2.0, series_of(&comparison.name).color(theme));
            response
                .widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{}: {}", comparison.name, duration(comparison.micros))));
            ui.horizontal(|ui| {
                ui.label(duration(comparison.micros));
                ui.label(RichText::new(format!("n = {}", comparison.n_runs)).color(Tokens::current(ui).weak).small());
            });
            ui.end_row();
        }
    });
}

/// The colour of a way by its name in the engine.
fn series_of(name: &str) -> Series {
    match name {
        name if name.starts_with("This run") => Series::Kernel,
        name if name.contains("rustfft") => Series::Library,
        name if name.contains("parallel") => Series::CpuParallel,
        name if name.contains("local") => Series::CpuLocal,
        _ => Series::CpuStrided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_forgets_what_is_old_and_counts_on() {
        let mut history = History::default();
        let shape = Shape { rows: 1, columns: 8 };
        for run in 0..N_RUNS + 5 {
            let times = Times { total_micros: run as f64, ..Times::default() };
            history.push("dft", shape, &times);
            history.push("dft", shape, &times);
        }
        assert_eq!((history.runs.len(), history.n_seen), (N_RUNS, N_RUNS + 5));
        assert_eq!(history.runs[0].total_micros, 5.0);
        history.push("dft", Shape { columns: 16, ..shape }, &Times::default());
        assert_eq!((history.runs.len(), history.n_seen), (1, 1));
    }

    #[test]
    fn rates_have_a_readable_unit() {
        assert_eq!(rate(4 << 20, 1e6), "4.19 MB/s");
        assert_eq!(rate(4 << 20, 1e3), "4.19 GB/s");
    }
}
