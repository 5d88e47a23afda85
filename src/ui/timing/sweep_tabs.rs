//! The tabs *Sweep*, *Papers* and *Records* at the left, and the results that they share at the right: plot, notes, values.

use super::super::export::{Export, painted};
use super::super::theme::{GRID, Tokens};
use super::super::toolbar::toolbar;
use super::super::widgets;
use super::Fields;
use super::chart;
use super::papers::PaperTables;
use super::record_store::{RecordStore, date};
use super::record_texts::{RecordTexts, lines_ui};
use super::sweep_form::SweepForm;
use crate::bench::{self, Experiment, PlotQuantity, PlotRequest, Record, Sweep, SweepWorker, TimedPart};
use crate::choice::Named as _;
use crate::figure::{Figure, FigureFormat};
use crate::plot::{Chart, layout};
use crate::ui::action::Action;
use egui::{Button, Context, Label, RichText, Role, ScrollArea, TextEdit, Ui, UiBuilder, WidgetInfo};
use std::path::PathBuf;
use std::sync::Arc;
use strum::IntoEnumIterator as _;

/// Width of the left column, in points.
const LEFT_WIDTH: f32 = 264.0;
/// A narrower pane shows only one of the two columns, in points.
const LEAST_WIDTH_OF_BOTH: f32 = 640.0;
/// The most notes above the plot of a record; more would leave it no room.
const MOST_NOTES: usize = 3;
/// The most lines from a paper above the plot.
const MOST_PAPER_LINES: usize = 2;
/// Width and height of an exported plot, in points.
const EXPORTED_SIZE: [f32; 2] = [960.0, 540.0];

/// The state that the three tabs share.
#[derive(Default)]
pub(super) struct SweepTabs {
    form: SweepForm,
    pub(super) store: RecordStore,
    /// The record in the results.
    pub(super) shown: Option<Arc<Record>>,
    /// A record to compare with it.
    compared: Option<Arc<Record>>,
    plot: PlotRequest,
    /// `hidden[curve]`: whether the user hid the curve.
    hidden: Vec<bool>,
    view: ResultsView,
    /// The tables and claims of the paper that the shown record repeats.
    paper: PaperTables,
    drawn: Option<DrawnChart>,
    texts: RecordTexts,
    /// Whether the newest record of the thread is still growing.
    is_growing: bool,
    /// Whether a narrow pane shows the results instead of the choices.
    shows_results: bool,
    /// The index of the record that is being renamed, and the name so far.
    renamed: Option<(usize, String)>,
    /// The experiment of the lesson that is open; *Papers* shows it alone.
    pub(super) experiment: Option<&'static Experiment>,
    /// The papers' sizes are limited to 2 to this power; 0 before the tab is first shown.
    pub(super) most_exponent: u32,
}

/// The view of the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ResultsView {
    #[default]
    Plot,
    /// The table of the paper.
    Paper,
    Values,
}

/// A chart with the records and settings that it shows.
struct DrawnChart {
    record: Arc<Record>,
    compared: Option<Arc<Record>>,
    plot: PlotRequest,
    chart: Arc<Chart>,
}

impl SweepTabs {
    /// The choices of the next sweep.
    pub(super) fn form(&self) -> &SweepForm {
        &self.form
    }

    /// Sets the choices of the next sweep.
    pub(super) fn set_form(&mut self, form: SweepForm) {
        self.form = form;
    }

    /// Whether one experiment is shown alone.
    pub(super) fn has_experiment(&self) -> bool {
        self.experiment.is_some()
    }

    /// Keeps records in a folder.
    pub(super) fn keep_in(&mut self, folder: PathBuf, ctx: &Context) {
        self.store.keep_in(folder, ctx);
    }

    /// Takes in what threads have read and measured.
    pub(super) fn update(&mut self, bench: Option<&SweepWorker>, fields: &mut Fields<'_>) {
        for error in self.store.take_incoming() {
            fields.out.actions.push(Action::ShowError(error));
        }
        let Some(bench) = bench else { return };
        let was_growing = std::mem::replace(&mut self.is_growing, !bench.is_idle());
        let Some(latest) = bench.latest().filter(|_| was_growing || self.is_growing) else { return };
        let is_new = self.shown.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, &latest));
        if is_new && self.is_asked_for(&latest) {
            if self.shown.as_ref().is_none_or(|shown| shown.sweep != latest.sweep) {
                self.hidden.clear();
            }
            self.show(latest.clone());
        }
        if was_growing && !self.is_growing {
            self.store.add(latest);
        }
    }

    pub(super) fn show(&mut self, record: Arc<Record>) {
        let is_other_sweep = self.shown.as_ref().is_none_or(|shown| shown.sweep != record.sweep);
        self.shows_results |= is_other_sweep;
        if let Some((_, experiment)) = record.sweep.experiment.as_deref().and_then(bench::experiment).filter(|_| is_other_sweep) {
            self.plot = experiment.first_plot();
            let has_table = experiment.table.is_some() && !experiment.is_figure();
            self.view = if has_table { ResultsView::Paper } else { ResultsView::Plot };
        }
        if record.sweep.experiment.is_none() && self.view == ResultsView::Paper {
            self.view = ResultsView::Plot;
        }
        if self.plot.against >= record.sweep.lines.len() {
            self.plot.against = 0;
        }
        self.shown = Some(record);
    }

    /// Shows a column of choices and the results; returns the sweep that the user starts.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields<'_>,
        is_busy: bool,
        column: fn(&mut Self, &mut Ui, &mut Fields<'_>, bool) -> Option<Sweep>,
    ) -> Option<Sweep> {
        let area = ui.available_rect_before_wrap();
        if area.width() < LEAST_WIDTH_OF_BOTH {
            if self.shown.is_some() {
                let sides = [(false, "Choices", "Sweeps to run, and records"), (true, "Results", "The measurements")];
                ui.horizontal(|ui| widgets::named("Side of the sweep", widgets::segmented(ui, &mut self.shows_results, &sides)));
                if self.shows_results {
                    self.results_ui(ui, fields);
                    return None;
                }
            }
            let all = ScrollArea::vertical().id_salt("sweep tabs").auto_shrink([false, false]);
            let is_first = self.shown.is_none() && self.experiment.is_none();
            let offered = is_first.then(|| self.form.button_ui(ui, fields.transform, fields.parameters, is_busy)).flatten();
            return all.show(ui, |ui| column(self, ui, fields, is_busy)).inner.or(offered);
        }
        let (left, right) = area.split_left_right_at_x(area.left() + LEFT_WIDTH);
        let requested = ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
            ScrollArea::vertical().id_salt("sweep tabs").auto_shrink([false, false]).show(ui, |ui| column(self, ui, fields, is_busy)).inner
        });
        let right = right.with_min_x(right.left() + 2.0 * GRID);
        let offered = ui.scope_builder(UiBuilder::new().max_rect(right), |ui| {
            if self.shown.is_some() || self.experiment.is_some() {
                self.results_ui(ui, fields);
                return None;
            }
            self.form.first_ui(ui, fields.transform, fields.parameters, is_busy)
        });
        requested.inner.or(offered.inner)
    }

    /// The tab *Sweep*.
    pub(super) fn form_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, is_busy: bool) -> Option<Sweep> {
        if ui.button("Use the current transform").on_hover_text("Takes the transform of the pane Transform").clicked() {
            self.form.use_transform(fields.transform, fields.parameters);
        }
        self.form.ui(ui, fields.adapters, is_busy).then(|| self.form.sweep())
    }

    /// The tab *Records*.
    pub(super) fn records_ui(&mut self, ui: &mut Ui, _: &mut Fields<'_>, _is_busy: bool) -> Option<Sweep> {
        if self.store.records().is_empty() {
            widgets::weak(ui, "Finished sweeps are kept here");
        }
        self.restore_ui(ui);
        let mut deleted = None;
        for index in 0..self.store.records().len() {
            let record = self.store.records()[index].record.clone();
            let is_shown = self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &record));
            if let Some((_, name)) = self.renamed.as_mut().filter(|(renamed, _)| *renamed == index) {
                let edit = ui.add(TextEdit::singleline(name).desired_width(LEFT_WIDTH - 16.0));
                edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New name"));
                if edit.lost_focus() || ui.input(|input| input.key_pressed(egui::Key::Enter)) {
                    if let Some((_, name)) = self.renamed.take().filter(|(_, name)| !name.trim().is_empty()) {
                        self.store.rename(index, name.trim());
                    }
                } else {
                    edit.request_focus();
                }
            } else {
                let title = format!("{}\n{}, {} cases", record.sweep.name, date(record.taken_at), record.measurements.len());
                if ui.add(Button::selectable(is_shown, title).wrap()).clicked() {
                    self.hidden.clear();
                    self.show(record.clone());
                    self.shows_results = true;
                }
            }
            ui.horizontal(|ui| {
                let is_compared = self.compared.as_ref().is_some_and(|other| Arc::ptr_eq(other, &record));
                if ui
                    .selectable_label(is_compared, "Compare")
                    .on_hover_text("Draws it over the record that is shown, and adds its lines to the table of a paper")
                    .clicked()
                {
                    self.compared = (!is_compared).then(|| record.clone());
                }
                if ui.button("Rename").on_hover_text("Gives the record another name").clicked() {
                    self.renamed = Some((index, record.sweep.name.clone()));
                }
                if ui.button("Delete").on_hover_text("Removes the record; Restore brings it back").clicked() {
                    deleted = Some(index);
                }
            });
        }
        if let Some(index) = deleted {
            self.store.delete(index);
            self.renamed = None;
        }
        None
    }

    /// Offers to restore the record that was deleted last.
    fn restore_ui(&mut self, ui: &mut Ui) {
        let Some(name) = self.store.deleted().map(|record| record.sweep.name.clone()) else { return };
        ui.horizontal(|ui| {
            if ui.button("Restore").on_hover_text("Keeps the record that was deleted last").clicked() {
                self.store.restore();
                self.renamed = None;
            }
            ui.add(Label::new(RichText::new(format!("{name} is deleted")).color(Tokens::current(ui).weak)).truncate());
        });
    }

    /// Quantity, part, view and export.
    fn toolbar_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, record: &Arc<Record>) {
        toolbar(ui, "Measurements", |bar| {
            bar.item("quantity", |ui| {
                for (quantity, title, about) in PlotQuantity::offered() {
                    if ui.selectable_label(self.plot.quantity == quantity, title).on_hover_text(about).clicked() {
                        self.plot.quantity = quantity;
                    }
                }
            });
            bar.segmented("Timed part", &mut self.plot.part, &TimedPart::offered());
            if self.plot.quantity == PlotQuantity::SpeedUp {
                let lines = (0..record.sweep.lines.len()).map(|line| (line, bench::legend_name(record, line), String::new()));
                let shown = bench::legend_name(record, self.plot.against);
                bar.item("against", |ui| {
                    widgets::weak(ui, "against");
                    widgets::combo_of_width(ui, "Against", 160.0, shown, &mut self.plot.against, lines.collect::<Vec<_>>());
                });
            }
            let views = [
                (ResultsView::Plot, "Plot", "The measurements as curves"),
                (ResultsView::Values, "Values", "The numbers of every case"),
                (ResultsView::Paper, "As printed", "The table of the paper, with our numbers and its claims beside its own"),
            ];
            let views = if record.sweep.experiment.is_some() { &views[..] } else { &views[..2] };
            bar.segmented("View of the results", &mut self.view, views);
            bar.kept("export", |ui| self.export_ui(ui, fields, record));
        });
    }

    /// The results: plot, notes, values.
    pub(super) fn results_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>) {
        let Some(record) = self.shown.clone() else {
            // Before its first run, an experiment shows what the paper prints.
            if let Some(experiment) = self.experiment {
                self.paper.of(experiment, None, None);
                return self.paper.unmeasured_ui(ui, experiment);
            }
            return widgets::empty_state(ui, "Run a sweep or choose a record at the left; its measurements appear here as they arrive");
        };
        self.toolbar_ui(ui, fields, &record);
        painted::begin(ui);
        let tokens = Tokens::current(ui);
        lines_ui(
            ui,
            self.texts.warnings(&record),
            MOST_NOTES,
            |note| if note.starts_with("WRONG") { tokens.error } else { tokens.warning },
        );
        if let Some((_, experiment)) = record.sweep.experiment.as_deref().and_then(bench::experiment) {
            let other = self.compared.as_ref().filter(|other| !Arc::ptr_eq(other, &record));
            self.paper.of(experiment, Some(&record), other);
            if self.view == ResultsView::Paper {
                return self.paper.ui(ui);
            }
            lines_ui(ui, self.paper.notes(), MOST_PAPER_LINES, |_| tokens.weak);
        }
        if self.view == ResultsView::Values {
            return self.texts.table_ui(ui, &record);
        }
        let chart = self.chart(&record);
        let reply = chart::ui(ui, &chart, &self.hidden);
        if let Some(curve) = reply.clicked {
            self.hidden.resize(chart.curves.len().max(self.hidden.len()), false);
            self.hidden[curve] = !self.hidden[curve];
        }
        if let Some((curve, point)) = reply.hovered {
            fields.out.read_out = point_text(&chart, curve, point);
        }
    }

    /// The chart of a record, made again only when something has changed.
    fn chart(&mut self, record: &Arc<Record>) -> Arc<Chart> {
        let other = self.compared.clone().filter(|other| !Arc::ptr_eq(other, record));
        let is_compared = |known: &Option<Arc<Record>>| match (known, &other) {
            (Some(known), Some(other)) => Arc::ptr_eq(known, other),
            (known, other) => known.is_none() && other.is_none(),
        };
        let is_current =
            |drawn: &&DrawnChart| Arc::ptr_eq(&drawn.record, record) && is_compared(&drawn.compared) && drawn.plot == self.plot;
        if let Some(drawn) = self.drawn.as_ref().filter(is_current) {
            return drawn.chart.clone();
        }
        let chart = Arc::new(bench::chart(record, other.as_deref(), self.plot));
        self.drawn = Some(DrawnChart { record: record.clone(), compared: other, plot: self.plot, chart: chart.clone() });
        chart
    }

    fn export_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, record: &Arc<Record>) {
        widgets::menu(ui, "Export", |ui| {
            let name = record.sweep.name.replace(['/', '\\', ' ', ','], "-");
            let figure =
                |name: &str, format: FigureFormat, figure: Figure| Export::Figure { name: name.into(), format, figure: Box::new(figure) };
            let file =
                |ending: &'static str, text: String| Export::File { name: format!("{name}.{ending}"), ending, bytes: text.into_bytes() };
            let mut chosen =
                FigureFormat::iter().find(|format| ui.button(format!("The plot as {}…", format.name())).clicked()).map(|format| {
                    let chart = self.chart(record);
                    figure(&name, format, layout(&chart, EXPORTED_SIZE, &self.hidden).figure)
                });
            if ui.button("The record as JSON…").clicked() {
                chosen = Some(file("json", record.to_json()));
            }
            if ui.button("The record as CSV…").clicked() {
                chosen = Some(file("csv", record.to_csv()));
            }
            if record.sweep.experiment.is_some() {
                let tables = self.paper.tables();
                if ui.button("The table of the paper as TeX…").clicked() {
                    chosen = Some(file("tex", bench::tables_as_tex(tables)));
                }
                if ui.button("The table of the paper as CSV…").clicked() {
                    chosen = Some(file("csv", bench::tables_as_csv(tables)));
                }
                let drawn =
                    FigureFormat::iter().find(|format| ui.button(format!("The table of the paper as {}…", format.name())).clicked());
                chosen = drawn.map(|format| figure(&format!("{name}-table"), format, self.paper.figure().clone())).or(chosen);
            }
            if let Some(export) = chosen {
                fields.out.actions.push(Action::Export(Box::new(export)));
                ui.close();
            }
        });
    }
}

/// A point of a chart as text.
fn point_text(chart: &Chart, curve: usize, point: usize) -> String {
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
