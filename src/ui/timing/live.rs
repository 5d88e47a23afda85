//! The tab *Live*: the latest runs as stacked bars in the colours of the flow graph, their medians, and other devices and libraries for the same transform.

mod comparisons;
mod parts;
mod parts_table;

use super::super::run_history::{RunHistory, RunQuality, TimedRun};
use super::super::theme::{GRID, Tokens};
use super::super::widgets;
use super::Fields;
use super::chart::frame;
use crate::engine::{Outcome, Times};
use crate::lesson::Topic;
use crate::numerals::{bytes, counted, duration, number};
use egui::{Align2, FontId, Rect, RichText, Role, ScrollArea, Sense, Shape, Stroke, Theme, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use parts::{LaunchDetail, RunPart, color, name, parts};

/// The plot has room for at least this many runs, so that the first bar is not too wide.
const LEAST_RUNS: usize = 20;
/// The greatest width of a bar, in points.
const MOST_BAR_WIDTH: f32 = 14.0;
/// Opacity of the bars of runs that do not count.
const FAINT_OPACITY: f32 = 0.4;
/// Bars are cut off above this multiple of the median.
const MOST_MEDIANS: f64 = 3.0;
/// The height of the arrowhead on a bar that is cut off, in points.
const ARROWHEAD: f32 = 8.0;
/// A narrow pane shows the runs above the tables only from this height on, in points.
const LEAST_HEIGHT_WITH_HISTORY: f32 = 240.0;
/// The least height of the runs there, in points, and the share of the height that they take; the tables below scroll.
const LEAST_HEIGHT_OF_HISTORY: f32 = 132.0;
const SHARE_OF_HISTORY: f32 = 0.38;

/// The state of the tab.
#[derive(Default)]
pub(super) struct Live {
    lit: Option<usize>,
    detail: LaunchDetail,
}

impl Live {
    /// Shows the tab.
    pub(super) fn ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, outcome: &Outcome) {
        // The names of stages tell distances, and the bars how many launches there are.
        self.detail = match () {
            () if fields.learn.hides_launches() => LaunchDetail::Together,
            () if fields.learn.hides_in(Topic::Strides, false) => LaunchDetail::Unnamed,
            () => LaunchDetail::Full,
        };
        let before = self.lit.take();
        let area = ui.available_rect_before_wrap();
        if area.width() > 560.0 {
            let (left, right) = area.split_left_right_at_fraction(0.42);
            ui.scope_builder(UiBuilder::new().max_rect(left), |ui| self.history_ui(ui, fields, left.height()));
            let right = right.with_min_x(right.left() + 2.0 * GRID);
            ui.scope_builder(UiBuilder::new().max_rect(right), |ui| self.tables_ui(ui, fields, outcome));
        } else {
            if area.height() > LEAST_HEIGHT_WITH_HISTORY {
                self.history_ui(ui, fields, (SHARE_OF_HISTORY * area.height()).max(LEAST_HEIGHT_OF_HISTORY));
            }
            self.tables_ui(ui, fields, outcome);
        }
        fields.out.lit_launch = self.lit;
        if self.lit != before {
            // The flow graph may have been drawn before this pane.
            ui.ctx().request_repaint();
        }
    }

    /// The runs so far as stacked bars.
    fn history_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, height: f32) {
        let (history, theme) = (fields.history, ui.theme());
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let tokens = Tokens::of(theme);
        let plot = Rect::from_min_max(pos2(rect.left() + 52.0, rect.top() + 4.0), pos2(rect.right() - 4.0, rect.bottom() - 34.0));
        let Some(total) = history.summary(|times| times.total_micros) else { return };
        // An outlier is cut off, so that the other runs remain visible.
        let longest = history.counted().map(|times| times.total_micros).fold(0.0, f64::max).min(MOST_MEDIANS * total.median);
        let scale = plot.height() / (1.06 * longest.max(f64::MIN_POSITIVE)) as f32;
        let painter = ui.painter();
        painter.rect_filled(plot, 0.0, tokens.well);
        let small = FontId::proportional(11.0);
        for value in crate::plot::round_values(0.0, longest, f64::from(plot.height() / 36.0).max(2.0)) {
            let y = plot.bottom() - value as f32 * scale;
            painter.hline(plot.x_range(), y, (1.0, tokens.hairline));
            painter.text(pos2(plot.left() - 4.0, y), Align2::RIGHT_CENTER, duration(value), small.clone(), tokens.text);
        }
        let pitch = plot.width() / history.runs().len().max(LEAST_RUNS) as f32;
        let pointer = response.hover_pos();
        for (index, run) in history.runs().iter().enumerate() {
            let column =
                Rect::from_x_y_ranges(plot.left() + index as f32 * pitch..=plot.left() + (index + 1) as f32 * pitch, plot.y_range());
            let counts = history.counts(index);
            let Some((part, micros)) = column_ui(painter, column, (run, counts, self.detail), scale, pointer, theme) else { continue };
            self.light(part);
            let about = match run.quality {
                _ if counts => "",
                RunQuality::WarmUp => " (it made kernels and buffers)",
                RunQuality::Requested => " (while the window was painted)",
                RunQuality::Idle => " (of an earlier result)",
            };
            fields.out.read_out = format!("run {}{about}, {}: {}", history.n_forgotten() + index + 1, name(part), duration(micros));
        }
        let n_cut = history.runs().iter().filter(|run| is_cut(&run.times, scale, plot.height())).count();
        let cut = if n_cut > 0 { "; arrow: longer than the scale" } else { "" };
        let label = history.label();
        // A narrow chart says less.
        for text in [format!("{label}; faint: not counted{cut}"), format!("{label}{cut}"), label] {
            let galley = painter.layout_no_wrap(text, small.clone(), tokens.text);
            if galley.size().x <= plot.width() {
                painter.galley(pos2(plot.center().x, plot.bottom() + 10.0) - 0.5 * galley.size(), galley, tokens.text);
                break;
            }
        }
        legend(painter, pos2(plot.left(), plot.bottom() + 26.0), theme, (history, self.detail));
        response.widget_info(|| {
            let cut = if n_cut > 0 { format!(", {n_cut} of them longer than the scale") } else { String::new() };
            WidgetInfo::labeled(Role::Image, true, format!("Times of the last {} runs{cut}", history.runs().len()))
        });
    }

    fn light(&mut self, part: RunPart) {
        if let RunPart::Launch(launch) = part {
            self.lit = Some(launch);
        }
    }

    fn tables_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, outcome: &Outcome) {
        // The scroll bar covers the right end of the area.
        let width = ui.available_width() - 2.0 * GRID;
        ScrollArea::both().id_salt("timing").auto_shrink([false, false]).show(ui, |ui| {
            clock_ui(ui, outcome);
            if let Some(newest) = fields.history.newest() {
                self.newest_ui(ui, newest);
                if let Some(part) = parts_table::ui(ui, (fields.read_time, fields.history), outcome, self.detail, width) {
                    self.light(part);
                }
            }
            // A table may be wider than the pane, but texts wrap.
            ui.scope(|ui| {
                ui.set_max_width(width);
                if fields.history.newest().is_some() {
                    counted_ui(ui, fields.history, outcome);
                }
                // The bytes of all launches over those of one tell their number.
                if self.detail != LaunchDetail::Together {
                    memory_bound_ui(ui, outcome);
                }
            });
            ui.add_space(2.0 * GRID);
            comparisons::ui(ui, outcome, width);
        });
    }

    /// The newest run as one bar, its parts in the order of time.
    fn newest_ui(&mut self, ui: &mut Ui, times: &Times) {
        let theme = ui.theme();
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 3.0 * GRID), Sense::hover());
        let mut x = rect.left();
        for (part, micros) in parts(times, self.detail) {
            let width = rect.width() * (micros / times.total_micros.max(f64::MIN_POSITIVE)) as f32;
            let end = (x + width).min(rect.right());
            // A gap of one point separates two launches.
            let bar = Rect::from_min_max(pos2(x, rect.top()), pos2((end - 1.0).max(x), rect.bottom()));
            ui.painter().rect_filled(bar, 0.0, color(part, theme));
            // A short launch beside long transfers can still be pointed at.
            let target = bar.with_max_x(end.max(x + GRID));
            if response.hover_pos().is_some_and(|at| target.contains(at)) {
                frame(ui.painter(), bar, theme);
                self.light(part);
            }
            x = end;
        }
        response
            .widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Parts of the newest run, {}", duration(times.total_micros))));
    }
}

/// Says which runs count, and how accurate the newest one is.
fn counted_ui(ui: &mut Ui, history: &RunHistory, outcome: &Outcome) {
    let (n, of) = (history.counted().count(), history.runs().len());
    let when = if history.is_at_rest() { " while idle" } else { "" };
    let others = match of - n {
        0 => String::new(),
        others => {
            format!(" Not counted: {} of earlier results, that warmed up, or during which the window was painted.", counted(others, "run"))
        }
    };
    let text = format!("Medians and quartiles of {}{when}.{others}", counted(n, "run"));
    ui.add(egui::Label::new(RichText::new(text).color(Tokens::current(ui).weak)).wrap());
    let error = match outcome.error {
        Some(0.0) => "Exact: no error against double precision".into(),
        Some(error) => format!("Relative error {} against double precision", number(error, 2)),
        None if outcome.complete => "Relative error not computed: it would take too long".into(),
        None => "Relative error not known yet".into(),
    };
    widgets::weak(ui, error);
}

/// Paints the bar of a run; returns the part under the pointer and its time in µs.
fn column_ui(
    painter: &egui::Painter,
    column: Rect,
    (run, counts, detail): (&TimedRun, bool, LaunchDetail),
    scale: f32,
    pointer: Option<egui::Pos2>,
    theme: Theme,
) -> Option<(RunPart, f64)> {
    let half = (column.width() * 0.425).clamp(0.5, MOST_BAR_WIDTH / 2.0);
    let is_cut = is_cut(&run.times, scale, column.height());
    let highest = column.top() + if is_cut { ARROWHEAD } else { 0.0 };
    if is_cut {
        let (tip, wide) = (column.center_top(), half.max(ARROWHEAD / 4.0));
        let corners = vec![tip, tip + vec2(wide, ARROWHEAD - 1.0), tip + vec2(-wide, ARROWHEAD - 1.0)];
        painter.add(Shape::convex_polygon(corners, Tokens::of(theme).text, Stroke::NONE));
    }
    let (mut y, mut found) = (column.bottom(), None);
    for (part, micros) in parts(&run.times, detail).filter(|(_, micros)| *micros > 0.0) {
        let top = (y - micros as f32 * scale).max(highest);
        let bar = Rect::from_x_y_ranges(column.center().x - half..=column.center().x + half, top..=y);
        painter.rect_filled(bar, 0.0, color(part, theme).gamma_multiply(if counts { 1.0 } else { FAINT_OPACITY }));
        if pointer.is_some_and(|at| Rect::from_x_y_ranges(column.x_range(), top..=y).contains(at)) {
            frame(painter, bar, theme);
            found = Some((part, micros));
        }
        y = top;
    }
    found
}

/// Whether the bar of a run, at `scale` points for a µs, is higher than a chart of `height` points.
fn is_cut(times: &Times, scale: f32, height: f32) -> bool {
    times.total_micros as f32 * scale > height
}

/// Says which clock took the times, and whether the GPU is emulated.
fn clock_ui(ui: &mut Ui, outcome: &Outcome) {
    let clock = match (outcome.times.upload_micros > 0.0, outcome.times.device_clock) {
        (_, true) => "launches timed by the device",
        (true, false) => "this adapter has no timestamps: launches share the wall-clock time of the host equally",
        (false, false) => "launches timed by the wall clock",
    };
    ui.horizontal_wrapped(|ui| {
        ui.strong("Newest run");
        widgets::weak(ui, clock);
        if outcome.software_gpu {
            widgets::warning_sign(ui);
            ui.label(
                RichText::new(format!("{} is emulated by software: correct, but no guide to speed", outcome.device))
                    .color(Tokens::current(ui).warning),
            );
        }
    });
}

/// Compares the launches with a plain copy of the same bytes.
fn memory_bound_ui(ui: &mut Ui, outcome: &Outcome) {
    let moved: Option<u64> =
        outcome.schedule.as_ref().and_then(|schedule| (0..schedule.launches.len()).map(|launch| outcome.launch_bytes(launch)).sum());
    let once = outcome.bytes_once();
    let needed = match moved.filter(|moved| *moved > 0) {
        Some(moved) => format!(
            "{} must be read and written once. The launches move {}, {}.",
            bytes(once),
            bytes(moved),
            times_as(moved as f64 / once.max(1) as f64, "much")
        ),
        None => format!("{} must be read and written once.", bytes(once)),
    };
    let text = match outcome.copy_micros {
        Some(copy) if copy > 0.0 && outcome.times.kernel_micros() > 0.0 => {
            let kernel = outcome.kernel_median();
            if kernel < copy {
                format!(
                    "{needed} A plain copy of the same bytes took {}, longer than the launches: their values stay in the caches, or the copy was disturbed.",
                    duration(copy)
                )
            } else {
                let times = times_as(kernel / copy, "long");
                format!("{needed} A plain copy of the same bytes takes {}; the launches take {times}.", duration(copy))
            }
        }
        _ => needed,
    };
    ui.add(egui::Label::new(RichText::new(text).color(Tokens::current(ui).weak)).wrap());
}

/// "2.5 times as much", and "just as much" where that is nearly so.
fn times_as(factor: f64, what: &str) -> String {
    match number(factor, 3) {
        one if one == "1" => format!("just as {what}"),
        times => format!("{times} times as {what}"),
    }
}

/// The legend of the parts that the runs have.
fn legend(painter: &egui::Painter, from: egui::Pos2, theme: Theme, (history, detail): (&RunHistory, LaunchDetail)) {
    let tokens = Tokens::of(theme);
    let launches = if history.n_launches() > 1 || detail == LaunchDetail::Together { "launches" } else { "launch" };
    let mut x = from.x;
    for (part, text) in
        [(RunPart::Upload, "upload"), (RunPart::Launch(0), launches), (RunPart::Download, "download"), (RunPart::Other, "other")]
    {
        // A CPU neither uploads nor downloads.
        if !history.runs().iter().any(|run| parts(&run.times, LaunchDetail::Full).any(|(other, micros)| other == part && micros > 0.0)) {
            continue;
        }
        painter.rect_filled(Rect::from_min_size(pos2(x, from.y - 4.0), vec2(8.0, 8.0)), 2.0, color(part, theme));
        let galley = painter.layout_no_wrap(text.into(), FontId::proportional(11.0), tokens.text);
        painter.galley(pos2(x + 12.0, from.y - galley.size().y / 2.0), galley.clone(), tokens.text);
        x += 26.0 + galley.size().x;
    }
}

#[cfg(test)]
mod tests {
    use super::{is_cut, times_as};
    use crate::engine::Times;

    #[test]
    fn a_bar_above_the_scale_is_marked() {
        let run = |total_micros| Times { total_micros, ..Times::default() };
        assert_eq!([50.0, 99.0, 101.0].map(|total| is_cut(&run(total), 2.0, 200.0)), [false, false, true]);
    }

    #[test]
    fn once_is_not_said_to_be_times() {
        assert_eq!([1.0, 1.0004, 2.5].map(|factor| times_as(factor, "much")), ["just as much", "just as much", "2.5 times as much"]);
    }
}
