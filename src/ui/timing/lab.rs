//! Sweeps, papers and records at the left, and what was measured at the right: plots, remarks, values.

use super::super::export::Export;
use super::super::scene::{Action, Scene};
use super::super::theme::{GRID, Tokens};
use super::super::widgets::{self, row};
use super::figure;
use super::form::Form;
use super::shelf::{Shelf, date};
use crate::bench::{self, Bench, Experiment, Part, Plot, Quantity, Record, Settings, Sweep};
use crate::plot::{Chart, layout, png, svg};
use egui::{Button, Color32, Context, Label, RichText, Role, ScrollArea, TextEdit, Ui, UiBuilder, WidgetInfo};
use std::path::PathBuf;
use std::sync::Arc;
use strum::IntoEnumIterator as _;

/// The left column, in points.
const LEFT: f32 = 264.0;
/// Where there is less room, one of the columns fills it.
const WIDE: f32 = 640.0;
/// Remarks on a record, and lines of what a paper says beside it, that stand above its plot; more would leave it no room.
const MOST_REMARKS: usize = 3;
const MOST_BESIDE: usize = 2;
/// Width and height of an exported plot, in points.
const EXPORTED: [f32; 2] = [960.0, 540.0];

/// What the three tabs of sweeps share.
#[derive(Default)]
pub(super) struct Lab {
    form: Form,
    shelf: Shelf,
    shown: Option<Arc<Record>>,
    /// Laid over what is shown.
    other: Option<Arc<Record>>,
    plot: Plot,
    hidden: Vec<bool>,
    as_table: bool,
    drawn: Option<Drawn>,
    /// Whether what the thread of the sweeps has is still growing.
    is_growing: bool,
    /// Whether results are shown where there is no room for them beside the choices.
    is_turned: bool,
    /// The record that is being renamed, and its name so far.
    renamed: Option<(usize, String)>,
    most_exponent: u32,
}

/// A chart, and what it is of.
struct Drawn {
    of: Arc<Record>,
    over: Option<Arc<Record>>,
    plot: Plot,
    chart: Arc<Chart>,
}

impl Lab {
    /// Keeps records in a folder.
    pub(super) fn keep_in(&mut self, folder: PathBuf, ctx: &Context) {
        self.shelf.keep_in(folder, ctx);
    }

    /// Takes in what threads have brought.
    pub(super) fn follow(&mut self, bench: Option<&Bench>, scene: &mut Scene<'_>) {
        for trouble in self.shelf.take() {
            scene.actions.push(Action::ShowError(trouble));
        }
        let Some(bench) = bench else { return };
        let was_growing = std::mem::replace(&mut self.is_growing, bench.is_busy());
        let Some(latest) = bench.latest().filter(|_| was_growing || self.is_growing) else { return };
        if self.shown.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, &latest)) {
            if self.shown.as_ref().is_none_or(|shown| shown.sweep != latest.sweep) {
                self.hidden.clear();
            }
            self.look_at(latest.clone());
        }
        if was_growing && !self.is_growing {
            self.shelf.add(latest);
        }
    }

    fn look_at(&mut self, record: Arc<Record>) {
        let is_other_sweep = self.shown.as_ref().is_none_or(|shown| shown.sweep != record.sweep);
        self.is_turned |= is_other_sweep;
        if let Some((_, experiment)) = record.sweep.experiment.as_deref().and_then(bench::experiment).filter(|_| is_other_sweep) {
            self.plot = Plot { quantity: experiment.plot, part: Part::Kernels, against: experiment.against };
        }
        if self.plot.against >= record.sweep.lines.len() {
            self.plot.against = 0;
        }
        self.shown = Some(record);
    }

    /// Shows one of the columns, and what was measured; gives the sweep that is to run.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        scene: &mut Scene<'_>,
        is_busy: bool,
        column: fn(&mut Self, &mut Ui, &mut Scene<'_>, bool) -> Option<Sweep>,
    ) -> Option<Sweep> {
        let area = ui.available_rect_before_wrap();
        if area.width() < WIDE {
            if self.shown.is_some() {
                let sides = [(false, "Choices", "What can be measured, or was"), (true, "Results", "What was measured")];
                ui.horizontal(|ui| widgets::segmented(ui, &mut self.is_turned, &sides));
                if self.is_turned {
                    self.results_ui(ui, scene);
                    return None;
                }
            }
            let all = ScrollArea::vertical().id_salt("lab").auto_shrink([false, false]);
            return all.show(ui, |ui| column(self, ui, scene, is_busy)).inner;
        }
        let (left, right) = area.split_left_right_at_x(area.left() + LEFT);
        let wanted = ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            ScrollArea::vertical().id_salt("lab").auto_shrink([false, false]).show(ui, |ui| column(self, ui, scene, is_busy)).inner
        });
        let right = right.with_min_x(right.left() + 2.0 * GRID);
        ui.scope_builder(UiBuilder::new().max_rect(right), |ui| self.results_ui(ui, scene));
        wanted.inner
    }

    /// The choices of a sweep.
    pub(super) fn form_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, is_busy: bool) -> Option<Sweep> {
        if ui.button("Take the work at hand").on_hover_text("The transform that is set in the pane Transform").clicked() {
            self.form.take(scene.settings.transform(), scene.settings.parameters);
        }
        self.form.ui(ui, scene.adapters, is_busy).then(|| self.form.sweep())
    }

    /// The experiments of the papers.
    pub(super) fn papers_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, is_busy: bool) -> Option<Sweep> {
        let mut wanted = None;
        // What the papers measured at most is a lot for a processor of one's own.
        self.most_exponent = if self.most_exponent == 0 { 18 } else { self.most_exponent };
        row(ui, "Up to", |ui| {
            let most = ui.add(egui::DragValue::new(&mut self.most_exponent).range(8..=27).prefix("2^").suffix(" samples"));
            most.on_hover_text("Larger sizes of the papers are left out")
        });
        for paper in bench::papers() {
            ui.add_space(GRID);
            ui.add(Label::new(RichText::new(&paper.title).strong()).wrap());
            ui.add(Label::new(RichText::new(format!("On {}", paper.hardware)).color(Tokens::current(ui).weak).small()).wrap());
            for experiment in &paper.experiments {
                wanted = wanted.or(self.experiment_ui(ui, scene, experiment, is_busy));
            }
        }
        wanted
    }

    fn experiment_ui(&self, ui: &mut Ui, scene: &Scene<'_>, experiment: &Experiment, is_busy: bool) -> Option<Sweep> {
        let shapes = experiment.shapes(self.most_exponent);
        let can_run = !is_busy && !shapes.is_empty();
        let run = ui.add_enabled(can_run, Button::new(format!("{}: {}", experiment.place, experiment.title)).wrap());
        run.widget_info(|| WidgetInfo::labeled(Role::Button, can_run, format!("Run {}", experiment.name)));
        let clicked = run.clicked();
        run.on_hover_text(format!("{}\n{}", experiment.about, experiment.claims.join("\n")))
            .on_disabled_hover_text("A sweep runs already, or all sizes of the paper are larger");
        clicked.then(|| experiment.sweep(&shapes, scene.adapters, Settings::default()))
    }

    /// What was measured before.
    pub(super) fn records_ui(&mut self, ui: &mut Ui, _scene: &mut Scene<'_>, _is_busy: bool) -> Option<Sweep> {
        if self.shelf.kept().is_empty() {
            widgets::weak(ui, "Sweeps are kept here once they have run");
        }
        self.put_back_ui(ui);
        let mut deleted = None;
        for index in 0..self.shelf.kept().len() {
            let record = self.shelf.kept()[index].record.clone();
            let is_shown = self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &record));
            if let Some((_, name)) = self.renamed.as_mut().filter(|(renamed, _)| *renamed == index) {
                let edit = ui.add(TextEdit::singleline(name).desired_width(LEFT - 16.0));
                edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New name"));
                if edit.lost_focus() || ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                    if let Some((_, name)) = self.renamed.take().filter(|(_, name)| !name.trim().is_empty()) {
                        self.shelf.rename(index, name.trim());
                    }
                } else {
                    edit.request_focus();
                }
            } else {
                let title = format!("{}\n{}, {} cases", record.sweep.name, date(record.taken_at), record.measurements.len());
                if ui.add(Button::selectable(is_shown, title).wrap()).clicked() {
                    self.hidden.clear();
                    self.look_at(record.clone());
                    self.is_turned = true;
                }
            }
            ui.horizontal(|ui| {
                let is_other = self.other.as_ref().is_some_and(|other| Arc::ptr_eq(other, &record));
                if ui.selectable_label(is_other, "Compare").on_hover_text("Lay it over what is shown").clicked() {
                    self.other = (!is_other).then(|| record.clone());
                }
                if ui.small_button("Rename").clicked() {
                    self.renamed = Some((index, record.sweep.name.clone()));
                }
                if ui.small_button("Delete").clicked() {
                    deleted = Some(index);
                }
            });
        }
        if let Some(index) = deleted {
            self.shelf.delete(index);
            self.renamed = None;
        }
        None
    }

    /// Offers to put back what was deleted last.
    fn put_back_ui(&mut self, ui: &mut Ui) {
        let Some(name) = self.shelf.deleted().map(|record| record.sweep.name.clone()) else { return };
        ui.horizontal(|ui| {
            if ui.small_button("Put back").on_hover_text("Keep the record that was deleted last").clicked() {
                self.shelf.put_back();
                self.renamed = None;
            }
            ui.add(Label::new(RichText::new(format!("{name} is deleted")).color(Tokens::current(ui).weak)).truncate());
        });
    }

    /// What was measured.
    fn results_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let Some(record) = self.shown.clone() else {
            return widgets::empty_state(ui, "Run a sweep or choose a record at the left: what was measured appears here, as it comes");
        };
        ui.horizontal_wrapped(|ui| {
            for quantity in Quantity::iter() {
                let tab = ui.selectable_label(self.plot.quantity == quantity, quantity.title());
                if tab.clicked() {
                    self.plot.quantity = quantity;
                }
            }
            ui.separator();
            let parts =
                [(Part::Kernels, "Kernels", "Without transfers"), (Part::Total, "Total", "From the samples to the result in memory")];
            widgets::segmented(ui, &mut self.plot.part, &parts);
            if self.plot.quantity == Quantity::SpeedUp {
                let lines = (0..record.sweep.lines.len()).map(|line| (line, bench::legend_name(&record, line), String::new()));
                let shown = bench::legend_name(&record, self.plot.against);
                ui.horizontal(|ui| {
                    widgets::weak(ui, "against");
                    widgets::combo_of_width(ui, "Against", 160.0, shown, &mut self.plot.against, lines.collect::<Vec<_>>());
                });
            }
            ui.checkbox(&mut self.as_table, "Values").on_hover_text("The numbers as a table");
            self.export_ui(ui, scene, &record);
        });
        let tokens = Tokens::current(ui);
        lines_ui(
            ui,
            &bench::remarks(&record),
            MOST_REMARKS,
            |remark| {
                if remark.starts_with("WRONG") { tokens.error } else { tokens.warning }
            },
        );
        lines_ui(ui, &bench::beside(&record), MOST_BESIDE, |_| tokens.weak);
        if self.as_table {
            ScrollArea::both().id_salt("values").auto_shrink([false, false]).show(ui, |ui| {
                ui.add(Label::new(RichText::new(bench::table(&record)).monospace()).extend());
            });
            return;
        }
        let chart = self.chart(&record);
        let reply = figure::ui(ui, &chart, &self.hidden);
        if let Some(curve) = reply.clicked {
            self.hidden.resize(chart.curves.len().max(self.hidden.len()), false);
            self.hidden[curve] = !self.hidden[curve];
        }
        if let Some((curve, point)) = reply.hovered {
            *scene.read_out = told(&chart, curve, point);
        }
    }

    /// The chart of what is shown, made anew where something has changed.
    fn chart(&mut self, record: &Arc<Record>) -> Arc<Chart> {
        let other = self.other.clone().filter(|other| !Arc::ptr_eq(other, record));
        let is_over = |known: &Option<Arc<Record>>| match (known, &other) {
            (Some(known), Some(other)) => Arc::ptr_eq(known, other),
            (known, other) => known.is_none() && other.is_none(),
        };
        let is_it = |drawn: &&Drawn| Arc::ptr_eq(&drawn.of, record) && is_over(&drawn.over) && drawn.plot == self.plot;
        if let Some(drawn) = self.drawn.as_ref().filter(is_it) {
            return drawn.chart.clone();
        }
        let chart = Arc::new(bench::chart(record, other.as_deref(), self.plot));
        self.drawn = Some(Drawn { of: record.clone(), over: other, plot: self.plot, chart: chart.clone() });
        chart
    }

    fn export_ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>, record: &Arc<Record>) {
        ui.menu_button("Export", |ui| {
            for (ending, about) in
                [("svg", "The plot as SVG…"), ("png", "The plot as PNG…"), ("json", "The record as JSON…"), ("csv", "The record as CSV…")]
            {
                if !ui.button(about).clicked() {
                    continue;
                }
                let bytes = match ending {
                    "json" => record.to_json().into_bytes(),
                    "csv" => record.to_csv().into_bytes(),
                    _ => {
                        let chart = self.chart(record);
                        let figure = layout(&chart, EXPORTED, &self.hidden);
                        let mut bytes = svg(&figure, &chart.title).into_bytes();
                        if ending == "png" {
                            bytes.clear();
                            if let Err(error) = png(&figure, &mut bytes) {
                                scene.actions.push(Action::ShowError(error.to_string()));
                            }
                        }
                        bytes
                    }
                };
                let name = format!("{}.{ending}", record.sweep.name.replace(['/', '\\', ' ', ','], "-"));
                scene.actions.push(Action::Export(Box::new(Export::File { name, ending, bytes })));
                ui.close();
            }
        });
    }
}

/// The first lines of a list, each cut to the width that there is; all of them are read where the pointer rests.
fn lines_ui(ui: &mut Ui, lines: &[String], most: usize, color: impl Fn(&str) -> Color32) {
    let shown = if lines.len() > most { most - 1 } else { lines.len() };
    for line in &lines[..shown] {
        ui.add(Label::new(RichText::new(line).color(color(line)).small()).truncate()).on_hover_text(line);
    }
    if let [first, rest @ ..] = &lines[shown..] {
        let text = format!("and {} more: {first}", rest.len() + 1);
        ui.add(Label::new(RichText::new(text).color(color(first)).small()).truncate()).on_hover_text(lines[shown..].join("\n"));
    }
}

/// A point of a chart in words.
fn told(chart: &Chart, curve: usize, point: usize) -> String {
    let (curve, point) = match chart.curves.get(curve).and_then(|curve| Some((curve, curve.points.get(point)?))) {
        Some(found) => found,
        None => return String::new(),
    };
    if !point.is_right {
        return format!("{}: {}: WRONG", curve.name, (chart.x.text)(point.x));
    }
    let [low, high] = point.interval.map(chart.y.text);
    format!("{}: {}: {} ({low} to {high})", curve.name, (chart.x.text)(point.x), (chart.y.text)(point.y))
}
