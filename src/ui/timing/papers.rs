//! The tab *Papers*: the experiments of the papers, and their tables filled with what was measured here.

use super::super::figure;
use super::super::size_field;
use super::super::theme::{GRID, Tokens};
use super::super::widgets::row;
use super::Fields;
use super::chart;
use super::sweep_tabs::SweepTabs;
use crate::bench::{self, ComparisonTable, Experiment, Record, Sweep, SweepSettings, TestedClaim};
use crate::figure::Figure;
use crate::plot::Chart;
use egui::{Button, Label, RichText, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo, vec2};
use std::sync::Arc;

/// The papers' sizes are limited to 2 to this power at first.
const USUAL_EXPONENT: u32 = 18;

/// The most that a table is enlarged to fill its pane.
const LARGEST_SCALE: f32 = 1.4;

/// The least height of a figure that nothing was measured for, and of a line of text below it, in points.
const LEAST_FIGURE: f32 = 260.0;
const LINE_OF_CLAIM: f32 = 22.0;

/// The tables and claims of an experiment, made again only when the record has changed.
#[derive(Default)]
pub(super) struct PaperTables {
    experiment: Option<&'static Experiment>,
    record: Option<Arc<Record>>,
    /// Another record, whose lines are among those of the first.
    other: Option<Arc<Record>>,
    tables: Vec<ComparisonTable>,
    figure: Figure,
    claims: Vec<TestedClaim>,
    notes: Vec<String>,
    /// The figure before anything is measured.
    chart: Option<Chart>,
    /// `hidden[curve]`: whether the user hid the curve there.
    hidden: Vec<bool>,
}

impl PaperTables {
    /// Takes an experiment, with a record of it and the lines of another one if there are any.
    pub(super) fn of(&mut self, experiment: &'static Experiment, record: Option<&Arc<Record>>, other: Option<&Arc<Record>>) {
        let is_same = |known: &Option<Arc<Record>>, now: Option<&Arc<Record>>| known.as_ref().map(Arc::as_ptr) == now.map(Arc::as_ptr);
        let is_known = self.experiment.is_some_and(|known| std::ptr::eq(known, experiment));
        if is_known && is_same(&self.record, record) && is_same(&self.other, other) {
            return;
        }
        (self.experiment, self.record, self.other) = (Some(experiment), record.cloned(), other.cloned());
        let joined = record.zip(other).map(|(record, other)| record.as_ref().clone().with(other.as_ref().clone()));
        let record = joined.as_ref().or(record.map(AsRef::as_ref));
        self.tables = bench::comparison(experiment, record);
        self.figure = bench::tables_as_figure(&self.tables);
        self.claims = bench::tested_claims(experiment, record);
        self.notes = record.map_or_else(Vec::new, bench::paper_notes);
        let paper = bench::experiment(&experiment.name).filter(|_| record.is_none());
        self.chart = paper.map(|(paper, _)| bench::paper_chart(paper, experiment));
        self.hidden.clear();
    }

    pub(super) fn tables(&self) -> &[ComparisonTable] {
        &self.tables
    }

    pub(super) fn figure(&self) -> &Figure {
        &self.figure
    }

    /// The hardware of the paper and its claims, one line each.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Before the first run: the table with what the paper prints, or the figure with what it states, and what fills it.
    pub(super) fn unmeasured_ui(&mut self, ui: &mut Ui, experiment: &Experiment) {
        let has_rows = experiment.table.as_ref().is_some_and(|table| !table.rows.is_empty());
        let is_table = has_rows && !experiment.is_figure();
        let has_curves = self.chart.as_ref().is_some_and(|chart| !chart.curves.is_empty());
        let about = match (is_table, has_curves) {
            (true, _) => "The numbers of the paper stand here",
            (false, true) => "The lines are the numbers that the paper prints",
            (false, false) if experiment.is_figure() => "The paper draws curves here and prints no numbers of them",
            (false, false) => "The paper prints no times here",
        };
        let what = if is_table { "fills the columns named here" } else { "draws those of this machine" };
        ui.add_space(GRID);
        ui.add(Label::new(format!("{about}. The button {} {what}.", measure_text(experiment))).wrap());
        let Some(chart) = self.chart.as_ref().filter(|_| !is_table) else { return self.ui(ui) };
        let texts = LINE_OF_CLAIM * (self.claims.len() as f32 + 1.0);
        ScrollArea::vertical().id_salt("figure of the paper").auto_shrink([false, false]).show(ui, |ui| {
            // In a low pane the figure is seen whole, and the claims are scrolled to.
            let least = LEAST_FIGURE.min(ui.available_height());
            let room = vec2(ui.available_width(), (ui.available_height() - texts).max(least));
            let clicked = ui.allocate_ui(room, |ui| chart::ui(ui, chart, &self.hidden)).inner.clicked;
            if let Some(curve) = clicked {
                self.hidden.resize(chart.curves.len().max(self.hidden.len()), false);
                self.hidden[curve] = !self.hidden[curve];
            }
            for claim in &self.claims {
                ui.add(Label::new(format!("The paper: {}", claim.says)).wrap());
            }
        });
    }

    /// Shows the tables, and the claims below.
    pub(super) fn ui(&self, ui: &mut Ui) {
        let room = ui.available_width() - 4.0 * GRID;
        ScrollArea::both().id_salt("tables of the paper").auto_shrink([false, false]).show(ui, |ui| {
            // A wide pane has room for larger letters.
            let scale = (room / self.figure.size[0].max(1.0)).clamp(1.0, LARGEST_SCALE);
            let (rect, response) = ui.allocate_exact_size(scale * Vec2::from(self.figure.size), Sense::hover());
            figure::paint(&ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())), rect, &self.figure, ui.theme());
            let text: String = self.tables.iter().map(ComparisonTable::text).collect();
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
            let weak = Tokens::current(ui).weak;
            // Sentences end at the edge of the pane, however wide the table is.
            ui.allocate_ui(vec2(room, 0.0), |ui| {
                ui.set_max_width(room);
                for claim in &self.claims {
                    let color = if claim.here.is_ok() { Tokens::current(ui).text } else { weak };
                    let text = if self.record.is_some() { claim.text() } else { format!("the paper: {}", claim.says) };
                    ui.add(Label::new(RichText::new(text).color(color)).wrap());
                }
            });
        });
    }
}

impl SweepTabs {
    /// Shows one experiment alone, by its name, or all.
    pub(super) fn set_experiment(&mut self, name: Option<&str>) {
        self.experiment = name.and_then(bench::experiment).map(|(_, experiment)| experiment);
        if self.experiment.is_some() {
            let kept = || self.store.records().iter().map(|stored| &stored.record).find(|record| self.is_asked_for(record)).cloned();
            let shown = self.shown.clone().filter(|record| self.is_asked_for(record)).or_else(kept);
            self.shown = None;
            shown.into_iter().for_each(|record| self.show(record));
        }
    }

    /// Whether a record is one of the experiment that is shown alone, or none is: the record of another figure must not stand for it.
    pub(super) fn is_asked_for(&self, record: &Record) -> bool {
        self.experiment.is_none_or(|experiment| record.sweep.experiment.as_deref() == Some(experiment.name.as_str()))
    }

    /// The tab *Papers*.
    pub(super) fn papers_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, is_busy: bool) -> Option<Sweep> {
        let mut requested = None;
        self.most_ui(ui);
        for paper in bench::papers() {
            ui.add_space(GRID);
            ui.add(Label::new(RichText::new(&paper.title).strong()).wrap());
            ui.add(Label::new(RichText::new(format!("On {}", paper.hardware)).color(Tokens::current(ui).weak).small()).wrap());
            for experiment in &paper.experiments {
                requested = requested.or(self.experiment_ui(ui, fields, experiment, is_busy));
            }
        }
        requested
    }

    /// The experiment of a lesson: what measures it is above its table, which has the whole width.
    pub(super) fn alone_ui(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields<'_>,
        experiment: &'static Experiment,
        is_busy: bool,
    ) -> Option<Sweep> {
        let requested = ui.horizontal_wrapped(|ui| {
            let requested = self.experiment_ui(ui, fields, experiment, is_busy);
            self.most_ui(ui);
            if ui.button("All experiments").on_hover_text("Show the experiments of all papers").clicked() {
                self.experiment = None;
            }
            requested
        });
        ui.add(Label::new(RichText::new(&experiment.about).color(Tokens::current(ui).weak)).wrap());
        ui.add_space(GRID);
        self.results_ui(ui, fields);
        requested.inner
    }

    /// The sweep of the experiment of a lesson, where one is open.
    pub(super) fn sweep_of_experiment(&mut self, fields: &Fields<'_>) -> Option<Sweep> {
        self.set_most_exponent();
        let experiment = self.experiment?;
        Some(experiment.sweep(&experiment.shapes(self.most_exponent), fields.adapters, SweepSettings::default()))
    }

    /// The largest sizes of the papers take long on an ordinary processor.
    fn set_most_exponent(&mut self) {
        self.most_exponent = if self.most_exponent == 0 { USUAL_EXPONENT } else { self.most_exponent };
    }

    /// The largest size of the papers that is measured.
    fn most_ui(&mut self, ui: &mut Ui) {
        self.set_most_exponent();
        row(ui, "Up to", |ui| {
            let most = size_field::exponent(ui, &mut self.most_exponent, 8..=27);
            most.on_hover_text("Samples; leaves out the larger sizes of the papers. A table of one larger size is measured at this one")
        });
    }

    fn experiment_ui(&self, ui: &mut Ui, fields: &Fields<'_>, experiment: &Experiment, is_busy: bool) -> Option<Sweep> {
        let shapes = experiment.shapes(self.most_exponent);
        // Alone it is above its title.
        let is_alone = self.experiment.is_some();
        let text = if is_alone { measure_text(experiment) } else { format!("{}: {}", experiment.place, experiment.title) };
        let run = ui.add_enabled(!is_busy, Button::new(text).wrap().selected(is_alone));
        run.widget_info(|| WidgetInfo::labeled(Role::Button, !is_busy, format!("Run {}", experiment.name)));
        let clicked = run.clicked();
        let claims: Vec<&str> = experiment.claims.iter().map(|claim| claim.says.as_str()).collect();
        run.on_hover_text(format!("{}\n{}", experiment.about, claims.join("\n"))).on_disabled_hover_text("A sweep is already running");
        clicked.then(|| experiment.sweep(&shapes, fields.adapters, SweepSettings::default()))
    }
}

/// The words of the button that measures an experiment.
pub(crate) fn measure_text(experiment: &Experiment) -> String {
    format!("Measure {}", experiment.place)
}
