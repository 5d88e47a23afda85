//! Split and merge at the boundary of two tiles, step by step: what the tiles compute alone, what the merge computes, and the time of each.

use crate::engine::Cut;
use crate::numerals::{counted, duration};
use crate::plan::Plan;
use crate::schedule::{SectionRun, section_runs};
use crate::transforms::{Algorithm, ScheduleKind, Transform};
use crate::ui::export::painted;
use crate::ui::flow_graph::section_colors;
use crate::ui::sections::sections_ui;
use crate::ui::shown::ShownJob;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::{Align2, Color32, FontId, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

/// Width of the parameters, in points.
const CHOICES_WIDTH: f32 = 320.0;
/// Height of a step, in points.
const STEP_HEIGHT: f32 = 16.0;
/// Width of the names of the steps, in points.
const NAMES_WIDTH: f32 = 76.0;
/// Width of the numbers behind the steps, in points.
const NUMBERS_WIDTH: f32 = 64.0;
/// Every sample is a dot from this distance between samples on, in points.
const LEAST_SPACING_OF_DOTS: f32 = 5.0;

/// Shows the tab.
pub(super) fn ui(ui: &mut Ui, shown: &ShownJob<'_>, cut: &mut Cut, chosen: &mut Option<String>) {
    let transform = shown.transform;
    let has_sections = |algorithm: &Algorithm| algorithm.schedules().usual == ScheduleKind::Sections;
    let outcome = shown.results.outcome().filter(|outcome| transform.algorithm(outcome.algorithm).is_ok_and(has_sections));
    let Some((outcome, plan)) = outcome.and_then(|outcome| Some((outcome, outcome.plan.as_ref()?))) else {
        return offer_ui(ui, transform, chosen);
    };
    let found = outcome.schedule.as_ref().map(|schedule| section_runs(plan, schedule)).unwrap_or_default();
    let micros = outcome.launch_medians();
    let area = ui.available_rect_before_wrap();
    let (left, right) = area.split_left_right_at_x(area.left() + CHOICES_WIDTH.min(area.width() / 2.0));
    let mut choices = ui.new_child(egui::UiBuilder::new().max_rect(left.shrink2(vec2(0.0, GRID))).id_salt("choices"));
    ScrollArea::vertical().show(&mut choices, |ui| {
        sections_ui(ui, cut, transform, transform.algorithm(outcome.algorithm).ok(), true, None);
        if !outcome.reason.is_empty() {
            widgets::weak(ui, &outcome.reason);
        }
        times_ui(ui, &micros, &found);
        let n_runs = outcome.again.len();
        widgets::weak(ui, if n_runs == 0 { "Of the first run".into() } else { format!("Medians of {}", counted_runs(n_runs)) });
    });
    let mut drawings = ui.new_child(egui::UiBuilder::new().max_rect(right.shrink(GRID)).id_salt("drawings"));
    if found.is_empty() {
        return widgets::empty_state(&mut drawings, "There are no sections: the signal is too short, or every launch runs a single stage");
    }
    painted::begin(&drawings);
    ScrollArea::vertical().auto_shrink([false, false]).show(&mut drawings, |ui| {
        for (index, run) in found.iter().enumerate() {
            run_ui(ui, plan, &micros, run, index);
        }
    });
}

/// Offers the algorithm split-merge, which every wavelet transform has.
fn offer_ui(ui: &mut Ui, transform: &'static Transform, chosen: &mut Option<String>) {
    let sections = transform.algorithms.iter().find(|algorithm| algorithm.schedules().usual == ScheduleKind::Sections);
    let sections = sections.map(|algorithm| algorithm.name.to_owned());
    ui.add_space(2.0 * GRID);
    widgets::weak(ui, "Only the algorithm split-merge has sections");
    if *chosen == sections {
        widgets::weak(ui, "It is being computed");
    } else if ui.button("Take split-merge").on_hover_text("Sets the algorithm; undo brings the old one back").clicked() {
        *chosen = sections;
    }
}

/// Shows the times of split, merge and all other launches.
fn times_ui(ui: &mut Ui, micros: &[f64], runs: &[SectionRun]) {
    let of = |launch: usize| micros.get(launch).copied().unwrap_or_default();
    let mut splits: Vec<usize> = runs.iter().map(|run| run.split).collect();
    splits.dedup();
    let [split, merge] = [splits.iter().map(|&launch| of(launch)).sum::<f64>(), runs.iter().filter_map(|run| run.merge).map(of).sum()];
    let is_named = |launch: usize| runs.iter().any(|run| run.split == launch || run.merge == Some(launch));
    let others: Vec<f64> = (0..micros.len()).filter(|&launch| !is_named(launch)).map(of).collect();
    let [of_split, of_merge] = section_colors(ui.visuals());
    let mut shown = vec![(of_split, "Split", split), (of_merge, "Merge", merge)];
    if !others.is_empty() {
        shown.push((Tokens::current(ui).weak, "Other launches", others.iter().sum()));
    }
    ui.add_space(2.0 * GRID);
    let width = widgets::widest(ui, shown.iter().map(|(_, name, _)| *name));
    for (color, name, micros) in shown {
        ui.horizontal(|ui| {
            widgets::swatch(ui, color);
            widgets::fact_row(ui, width, name, duration(micros));
        });
    }
}

/// "1 run while idle", "9 runs while idle".
fn counted_runs(n: usize) -> String {
    format!("{} while idle", counted(n, "run"))
}

/// Shows the levels of one split: a row for each step, the samples around a boundary from left to right.
fn run_ui(ui: &mut Ui, plan: &Plan, micros: &[f64], run: &SectionRun, index: usize) {
    let time = |launch: Option<usize>| launch.and_then(|launch| micros.get(launch)).map(|&micros| duration(micros));
    let split = format!("launch {}, split {}", run.split + 1, time(Some(run.split)).unwrap_or_default());
    let merge = match run.merge {
        Some(launch) => format!("launch {}, merge {}", launch + 1, time(Some(launch)).unwrap_or_default()),
        None => "one tile holds the whole signal, so there is nothing to merge".into(),
    };
    ui.label(format!("Tiles of {} samples: {split}; {merge}", run.tile));
    if run.merge.is_none() {
        return;
    }
    let widest = (0..run.steps.len()).flat_map(|step| run.span(step)).map(i64::unsigned_abs).max().unwrap_or(1) as i64;
    let half = (2 * widest).clamp(16, 1 << 16).min(run.tile as i64);
    let width = ui.available_width();
    let (rect, response) = ui.allocate_exact_size(vec2(width, STEP_HEIGHT * (run.steps.len() as f32 + 1.0)), Sense::hover());
    let [of_split, of_merge] = section_colors(ui.visuals());
    let map = Rect::from_min_max(rect.min + vec2(NAMES_WIDTH, 0.0), rect.max - vec2(NUMBERS_WIDTH, STEP_HEIGHT));
    let x = |sample: f32| map.left() + (sample + half as f32) / (2 * half) as f32 * map.width();
    let (tokens, font) = (Tokens::current(ui), FontId::proportional(11.0));
    let painter = ui.painter_at(rect);
    let mut counts = Vec::new();
    for (row, step) in run.steps.iter().enumerate() {
        let label = &plan.stages[step.stage].label;
        let y = map.top() + (row as f32 + 0.5) * STEP_HEIGHT;
        painter.text(pos2(rect.left(), y), Align2::LEFT_CENTER, label, font.clone(), tokens.text);
        let [first, last] = run.span(row);
        let is_merged = |sample: i64| (first..=last).contains(&sample);
        let bar = |from: f32, to: f32, color: Color32| {
            painter.rect_filled(Rect::from_min_max(pos2(x(from), y - 0.3 * STEP_HEIGHT), pos2(x(to), y + 0.3 * STEP_HEIGHT)), 2.0, color);
        };
        let spacing = step.spacing as f32 * map.width() / (2 * half) as f32;
        if spacing >= LEAST_SPACING_OF_DOTS {
            let own = |sample: &i64| (sample - step.first).rem_euclid(step.spacing) == 0;
            for sample in (-half..half).filter(own) {
                let color = if is_merged(sample) { of_merge } else { of_split };
                painter.circle_filled(pos2(x(sample as f32 + 0.5), y), (0.3 * STEP_HEIGHT).min(0.4 * spacing), color);
            }
        } else {
            bar(-half as f32, half as f32, of_split);
            bar(first as f32, last as f32 + 1.0, of_merge);
        }
        let n = run.merged(row);
        painter.text(pos2(rect.right(), y), Align2::RIGHT_CENTER, format!("{n} merged"), font.clone(), tokens.weak);
        counts.push(format!("{label}: {n}"));
    }
    painter.vline(x(0.0), map.y_range(), egui::Stroke::new(1.0, tokens.rule));
    for (sample, text) in [(-half, format!("−{half}")), (0, "boundary".into()), (half, format!("{half} samples"))] {
        let align = [Align2::LEFT_BOTTOM, Align2::CENTER_BOTTOM, Align2::RIGHT_BOTTOM][(sample.signum() + 1) as usize];
        painter.text(pos2(x(sample as f32), rect.bottom()), align, text, font.clone(), tokens.weak);
    }
    let name = format!("Sections {}, samples merged at a boundary: {}", index + 1, counts.join(", "));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    ui.add_space(2.0 * GRID);
}
