//! Where the time of the work at hand goes: the runs so far as stacked bars, a colour a launch as in the flow graph, what they come to, and other ways to compute the same.

use super::super::scene::Scene;
use super::super::theme::{GRID, Series, Tokens, launch_color};
use super::super::ticks::{bytes, duration, number};
use super::super::widgets;
use super::figure::frame;
use super::history::{History, Summary};
use crate::engine::{Comparison, Outcome, Times};
use egui::{Color32, Grid, Rect, RichText, Role, ScrollArea, Sense, Theme, Ui, UiBuilder, WidgetInfo, pos2, vec2};

/// Launches that are told apart.
const N_LAUNCHES: usize = 48;
/// The plot has room for so many runs at least, so that the first bar is a bar and no wall.
const LEAST_RUNS: usize = 20;
/// The widest bar of a run, in points.
const WIDEST_BAR: f32 = 14.0;
/// The runs are shown only where there is as much room, in points, below each other.
const ROOM_FOR_HISTORY: f32 = 320.0;

/// What a part of a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Upload,
    Launch(usize),
    Download,
    Other,
}

/// What the tab remembers from frame to frame.
#[derive(Default)]
pub(super) struct Live {
    lit: Option<usize>,
}

impl Live {
    /// The launch under the pointer.
    pub(super) fn lit(&self) -> Option<usize> {
        self.lit
    }

    /// Shows the tab.
    pub(super) fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(outcome) = scene.outcome() else {
            return widgets::empty_state(ui, "Times appear here once something was computed");
        };
        let before = self.lit.take();
        let area = ui.available_rect_before_wrap();
        if area.width() > 560.0 {
            let (left, right) = area.split_left_right_at_fraction(0.42);
            ui.scope_builder(UiBuilder::new().max_rect(left), |ui| self.history_ui(ui, scene, left.height()));
            let right = right.with_min_x(right.left() + 2.0 * GRID);
            ui.scope_builder(UiBuilder::new().max_rect(right), |ui| self.tables_ui(ui, scene, outcome));
        } else {
            if area.height() > ROOM_FOR_HISTORY && scene.history.runs().len() > 1 {
                self.history_ui(ui, scene, area.height() * 0.38);
            }
            self.tables_ui(ui, scene, outcome);
        }
        if self.lit != before {
            // The flow graph may have been drawn before this pane.
            ui.ctx().request_repaint();
        }
    }

    /// The runs so far as stacked bars.
    fn history_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, height: f32) {
        let (history, theme) = (scene.history, ui.theme());
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let tokens = Tokens::of(theme);
        let plot = Rect::from_min_max(pos2(rect.left() + 52.0, rect.top() + 4.0), pos2(rect.right() - 4.0, rect.bottom() - 34.0));
        // The first run compiles and touches memory: it may be cut off, so that the others are seen.
        let warm = history.runs().iter().skip(history.n_warming()).map(|times| times.total_micros);
        let longest = warm.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let scale = plot.height() / (1.06 * longest) as f32;
        let painter = ui.painter();
        painter.rect_filled(plot, 0.0, tokens.well);
        for value in super::super::ticks::ticks(0.0, longest, f64::from(plot.height() / 36.0).max(2.0)) {
            let y = plot.bottom() - value as f32 * scale;
            painter.hline(plot.x_range(), y, (1.0, tokens.hairline));
            painter.text(
                pos2(plot.left() - 4.0, y),
                egui::Align2::RIGHT_CENTER,
                duration(value),
                egui::FontId::proportional(11.0),
                tokens.text,
            );
        }
        let pitch = plot.width() / history.runs().len().max(LEAST_RUNS) as f32;
        let width = (pitch * 0.85).clamp(1.0, WIDEST_BAR);
        let pointer = response.hover_pos();
        for (run, times) in history.runs().iter().enumerate() {
            let x = plot.left() + (run as f32 + 0.5) * pitch;
            let mut y = plot.bottom();
            for (part, micros) in parts(times) {
                let top = (y - micros as f32 * scale).max(plot.top());
                let bar = Rect::from_min_max(pos2(x - width / 2.0, top), pos2(x + width / 2.0, y));
                painter.rect_filled(bar, 0.0, color(part, theme));
                let column = Rect::from_x_y_ranges(x - pitch / 2.0..=x + pitch / 2.0, top..=y);
                if pointer.is_some_and(|at| column.contains(at)) && micros > 0.0 {
                    frame(painter, bar, theme);
                    self.light(part);
                    *scene.read_out = format!("run {}, {}: {}", history.n_forgotten() + run + 1, name(part), duration(micros));
                }
                y = top;
            }
        }
        let (first, last) = (history.n_forgotten() + 1, history.n_forgotten() + history.runs().len());
        let text = format!("{} {first} to {last}", history.label());
        painter.text(
            pos2(plot.center().x, plot.bottom() + 10.0),
            egui::Align2::CENTER_CENTER,
            text,
            egui::FontId::proportional(11.0),
            tokens.text,
        );
        legend(painter, pos2(plot.left(), plot.bottom() + 26.0), theme, history.n_launches());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Times of the last {} runs", history.runs().len())));
    }

    fn light(&mut self, part: Part) {
        if let Part::Launch(launch) = part {
            self.lit = Some(launch);
        }
    }

    fn tables_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, outcome: &Outcome) {
        ScrollArea::both().id_salt("timing").auto_shrink([false, false]).show(ui, |ui| {
            clock_ui(ui, outcome);
            self.newest_ui(ui, &outcome.times);
            self.runs_ui(ui, scene.history, outcome);
            floor_ui(ui, scene.history, outcome);
            ui.add_space(2.0 * GRID);
            comparisons_ui(ui, outcome);
        });
    }

    /// The newest run as one bar, its parts in the order in which they happen.
    fn newest_ui(&mut self, ui: &mut Ui, times: &Times) {
        let theme = ui.theme();
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 3.0 * GRID), Sense::hover());
        let mut x = rect.left();
        for (part, micros) in parts(times) {
            let width = rect.width() * (micros / times.total_micros.max(f64::MIN_POSITIVE)) as f32;
            let end = (x + width).min(rect.right());
            // A hair between two launches tells them apart.
            let bar = Rect::from_min_max(pos2(x, rect.top()), pos2((end - 1.0).max(x), rect.bottom()));
            ui.painter().rect_filled(bar, 0.0, color(part, theme));
            if response.hover_pos().is_some_and(|at| bar.contains(at)) {
                frame(ui.painter(), bar, theme);
                self.light(part);
            }
            x = end;
        }
        response
            .widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Parts of the newest run, {}", duration(times.total_micros))));
    }

    /// Every part: the newest run, and what the last runs come to.
    fn runs_ui(&mut self, ui: &mut Ui, history: &History, outcome: &Outcome) {
        let theme = ui.theme();
        let times = &outcome.times;
        Grid::new("run").num_columns(6).spacing([3.0 * GRID, 2.0]).show(ui, |ui| {
            for heading in ["", "newest", "median", "quartiles", "moved", ""] {
                widgets::weak(ui, heading);
            }
            ui.end_row();
            for (part, micros) in parts(times) {
                // A CPU has nothing to upload and to download.
                if micros == 0.0 && matches!(part, Part::Upload | Part::Download) {
                    continue;
                }
                let moved = if let Part::Launch(launch) = part { outcome.launch_bytes(launch) } else { None };
                let label = if let Part::Launch(launch) = part { launch_name(outcome, launch) } else { capital(name(part)) };
                let summary = history.summary(|times| parts(times).find(|(other, _)| *other == part).map_or(0.0, |(_, micros)| micros));
                let row = line_ui(ui, Some(color(part, theme)), &label, micros, summary, moved);
                if row.is_some_and(|row| ui.rect_contains_pointer(row)) {
                    self.light(part);
                }
            }
            let total = history.summary(|times| times.total_micros);
            line_ui(ui, None, "Total", times.total_micros, total, None);
            line_ui(ui, None, "First run: preparation", history.first().0, None, None);
            line_ui(ui, None, "First run: the rest", history.first().1, None, None);
        });
        if let Some(total) = history.summary(|times| times.total_micros) {
            let first = if history.n_warming() > 0 { ", the first one left out" } else { "" };
            widgets::weak(ui, format!("medians and quartiles of n = {} runs{first}", total.n));
        }
        let error = match outcome.error {
            Some(0.0) => "Exact: no error against double precision".into(),
            Some(error) => format!("Relative error {} against double precision", number(error, 2)),
            None => "Relative error not known yet".into(),
        };
        widgets::weak(ui, error);
    }
}

/// By which clock, and on what.
fn clock_ui(ui: &mut Ui, outcome: &Outcome) {
    let clock = match (outcome.times.upload_micros > 0.0, outcome.times.device_clock) {
        (_, true) => "launches by the timestamps of the device",
        (true, false) => "this adapter has no timestamps: launches by the wall clock of the host, in equal shares",
        (false, false) => "launches by the wall clock",
    };
    ui.horizontal_wrapped(|ui| {
        ui.strong("Newest run");
        widgets::weak(ui, clock);
        if outcome.software_gpu {
            widgets::warning_sign(ui);
            ui.label(
                RichText::new(format!("{} is software: right, but no guide to speed", outcome.device)).color(Tokens::current(ui).warning),
            );
        }
    });
}

/// A row of the table; gives where it stands.
fn line_ui(ui: &mut Ui, swatch: Option<Color32>, label: &str, micros: f64, summary: Option<Summary>, moved: Option<u64>) -> Option<Rect> {
    let row = ui.horizontal(|ui| {
        match swatch {
            Some(color) => widgets::swatch(ui, color),
            None => ui.add_space(10.0 + ui.spacing().item_spacing.x),
        }
        ui.label(label);
    });
    ui.label(duration(micros));
    ui.label(summary.map_or(String::new(), |summary| duration(summary.median)));
    ui.label(summary.map_or(String::new(), |summary| format!("{} – {}", duration(summary.quartiles[0]), duration(summary.quartiles[1]))));
    ui.label(moved.map_or(String::new(), bytes));
    let end = ui.label(moved.filter(|_| micros > 0.0).map_or(String::new(), |moved| rate(moved, micros)));
    ui.end_row();
    Some(row.response.rect.union(end.rect))
}

/// How far the launches are from what the memory allows.
fn floor_ui(ui: &mut Ui, history: &History, outcome: &Outcome) {
    let moved: Option<u64> =
        outcome.schedule.as_ref().and_then(|schedule| (0..schedule.launches.len()).map(|launch| outcome.launch_bytes(launch)).sum());
    let words = |bytes: u64| super::super::ticks::bytes(bytes);
    let needed = match moved {
        Some(moved) => format!("{} have to be read and written once, and {} are moved", words(outcome.bytes_once()), words(moved)),
        None => format!("{} have to be read and written once", words(outcome.bytes_once())),
    };
    let text = match outcome.copy_micros {
        Some(copy) if copy > 0.0 => {
            let kernel = history.summary(Times::kernel_micros).map_or(outcome.times.kernel_micros(), |kernel| kernel.median);
            let times = kernel / copy;
            format!("{needed}; a plain copy of as much takes {}, and the launches {} times as long", duration(copy), number(times, 3))
        }
        _ => needed,
    };
    ui.add(egui::Label::new(RichText::new(text).color(Tokens::current(ui).weak)).wrap());
}

/// The parts of a run, in the order in which they happen; launches beyond those that are told apart are one part.
fn parts(times: &Times) -> impl Iterator<Item = (Part, f64)> + '_ {
    let n = times.launch_micros.len().min(N_LAUNCHES);
    let launches = times.launch_micros[..n].iter().enumerate().map(|(launch, &micros)| (Part::Launch(launch), micros));
    let beyond: f64 = times.launch_micros[n..].iter().sum();
    std::iter::once((Part::Upload, times.upload_micros))
        .chain(launches)
        .chain([(Part::Download, times.download_micros), (Part::Other, other_micros(times) + beyond)])
}

/// What is left of the whole: waiting, and work of the host between the parts.
fn other_micros(times: &Times) -> f64 {
    (times.total_micros - times.upload_micros - times.kernel_micros() - times.download_micros).max(0.0)
}

fn color(part: Part, theme: Theme) -> Color32 {
    match part {
        Part::Upload => Series::Upload.color(theme),
        Part::Launch(launch) => launch_color(launch, theme),
        Part::Download => Series::Download.color(theme),
        Part::Other => Series::Library.color(theme),
    }
}

fn name(part: Part) -> String {
    match part {
        Part::Upload => "upload".into(),
        Part::Launch(launch) => format!("launch {}", launch + 1),
        Part::Download => "download".into(),
        Part::Other => "other".into(),
    }
}

fn capital(name: String) -> String {
    let mut characters = name.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

fn legend(painter: &egui::Painter, from: egui::Pos2, theme: Theme, n_launches: usize) {
    let tokens = Tokens::of(theme);
    let launches = if n_launches > 1 { "launches" } else { "launch" };
    let mut x = from.x;
    for (part, text) in [(Part::Upload, "upload"), (Part::Launch(0), launches), (Part::Download, "download"), (Part::Other, "other")] {
        painter.rect_filled(Rect::from_min_size(pos2(x, from.y - 4.0), vec2(8.0, 8.0)), 2.0, color(part, theme));
        let galley = painter.layout_no_wrap(text.into(), egui::FontId::proportional(11.0), tokens.text);
        painter.galley(pos2(x + 12.0, from.y - galley.size().y / 2.0), galley.clone(), tokens.text);
        x += 26.0 + galley.size().x;
    }
}

/// Bytes a second with a decimal unit.
fn rate(bytes: u64, micros: f64) -> String {
    let rate = bytes as f64 / micros;
    if rate < 1e3 { format!("{} MB/s", number(rate, 3)) } else { format!("{} GB/s", number(rate / 1e3, 3)) }
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
        widgets::weak(ui, "median and quartiles of n runs");
    });
    if outcome.comparisons.is_empty() {
        widgets::weak(ui, "Timed as soon as nothing else is to do");
        return;
    }
    let total = outcome.times.total_micros;
    let name = format!("This run, {}", outcome.device);
    let this = Comparison { name, micros: total, quartiles_micros: [total; 2], n_runs: 1 };
    let all: Vec<_> = std::iter::once(&this).chain(&outcome.comparisons).collect();
    let longest = all.iter().map(|comparison| comparison.quartiles_micros[1]).fold(f64::MIN_POSITIVE, f64::max);
    let theme = ui.theme();
    Grid::new("comparisons").num_columns(3).spacing([3.0 * GRID, GRID]).show(ui, |ui| {
        for comparison in all {
            ui.label(&comparison.name);
            let (rect, response) = ui.allocate_exact_size(vec2(96.0, 12.0), Sense::hover());
            let x = |micros: f64| rect.left() + rect.width() * (micros / longest) as f32;
            let bar = Rect::from_min_max(rect.min, pos2(x(comparison.micros).max(rect.left() + 1.0), rect.bottom()));
            ui.painter().rect_filled(bar, 2.0, series_of(&comparison.name).color(theme));
            let [low, high] = comparison.quartiles_micros;
            ui.painter().hline(x(low)..=x(high), rect.center().y, (2.0, Tokens::of(theme).text));
            response
                .widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("{}: {}", comparison.name, duration(comparison.micros))));
            ui.horizontal(|ui| {
                ui.label(duration(comparison.micros));
                let weak = Tokens::current(ui).weak;
                let spread = if comparison.n_runs > 1 { format!("{} – {}, ", duration(low), duration(high)) } else { String::new() };
                ui.label(RichText::new(format!("{spread}n = {}", comparison.n_runs)).color(weak).small());
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
    fn rates_have_a_readable_unit() {
        assert_eq!(rate(4 << 20, 1e6), "4.19 MB/s");
        assert_eq!(rate(4 << 20, 1e3), "4.19 GB/s");
    }

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let times =
            Times { upload_micros: 1.0, launch_micros: vec![0.5; 60], download_micros: 2.0, total_micros: 40.0, ..Times::default() };
        let sum: f64 = parts(&times).map(|(_, micros)| micros).sum();
        assert!((sum - 40.0).abs() < 1e-9);
        assert_eq!(parts(&times).filter(|(part, _)| matches!(part, Part::Launch(_))).count(), N_LAUNCHES);
    }
}
