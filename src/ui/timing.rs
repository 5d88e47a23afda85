//! The pane *Timing*: the times of the current transform, sweeps over sizes and devices, the experiments of the papers, and earlier records.

mod chart;
mod live;
mod papers;
mod record_store;
mod record_texts;
mod sweep_form;
mod sweep_tabs;

pub(super) use papers::measure_text;

use super::action::PaneOutput;
use super::export::painted;
use super::figure;
use super::learn::LearnMemory;
use super::pane::{Pane, PaneData, PaneInfo, PaneServices};
use super::run_history::RunHistory;
use super::scene::Scene;
use super::theme::GRID;
use super::toolbar::{Toolbar, toolbar};
use super::widgets;
use crate::bench::{Sweep, SweepRequest, SweepWorker, start_sweeps};
use crate::choice::Named as _;
use crate::engine::{Measured, Outcome, Store, host_device};
use crate::gpu::AdapterInfo;
use crate::graph::access::host_device_figure;
use crate::transforms::{Parameters, Transform};
use egui::{Context, Ui};
use std::time::Duration;
use sweep_form::SweepForm;
use sweep_tabs::SweepTabs;

crate::choice! {
    /// A tab of the pane.
    enum TimingTab {
        /// Where the time of the current transform goes.
        #[default]
        Live = "Live";
        /// Host, device, and the data between them, with the times of the latest run.
        HostDevice = "Host and device";
        /// Transforms, algorithms and devices over sizes.
        Sweep = "Sweep";
        /// The experiments of the papers, on this machine.
        Papers = "Papers";
        /// Earlier measurements.
        Records = "Records";
    }
}

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Live: where the time of every run went. Hover a bar to highlight its launch in the flow graph. Runs that warm up, and runs while the window was painted, are faint and do not count.",
        "Host and device: the data that travel, and the launches, with the times of the latest run.",
        "Sweep: transforms, algorithms and devices over sizes, in shuffled rounds; every result is checked.",
        "Papers: their experiments on this machine, beside the numbers in print.",
        "Records: earlier measurements to view, compare, rename and delete. Click a name in the legend to hide its curve.",
    ],
    empty: "Times appear here once a transform has run",
    data: PaneData::Plan,
    ..PaneInfo::new("Timing", "Timing", create)
};

/// The pane *Timing*.
#[derive(Default)]
pub(super) struct TimingPane {
    tab: TimingTab,
    live: live::Live,
    sweeps: SweepTabs,
    /// The thread that measures sweeps, started by the first sweep.
    bench: Option<SweepWorker>,
    measured: Measured,
    store: Store,
    /// Whether the experiment is to be measured at the next frame.
    measures_experiment: bool,
}

fn create(services: &PaneServices) -> Box<dyn Pane> {
    let mut pane = TimingPane { store: services.studies.store.clone(), measured: services.measured.clone(), ..TimingPane::default() };
    if let Some((folder, ctx)) = &services.records {
        pane.sweeps.keep_in(folder.clone(), ctx);
    }
    Box::new(pane)
}

struct Fields<'a> {
    transform: &'static Transform,
    parameters: Parameters,
    adapters: &'a [AdapterInfo],
    read_time: Option<Duration>,
    history: &'a RunHistory,
    learn: &'a LearnMemory,
    out: &'a mut PaneOutput,
}

impl Pane for TimingPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (transform, parameters) = (scene.settings.transform(), scene.settings.parameters);
        let (adapters, history, learn, outcome) = (scene.adapters, scene.history, &*scene.learn, scene.results.outcome());
        let fields = &mut Fields { transform, parameters, adapters, read_time: scene.read_time, history, learn, out: scene.out };
        let mut tab = self.tab;
        toolbar(ui, PANE.title, |bar| {
            bar.views("View of the times", &mut tab, &TimingTab::offered());
            if self.tab != TimingTab::Live && self.is_measuring() {
                self.progress_ui(bar);
            }
        });
        self.tab = tab;
        ui.add_space(GRID);
        painted::begin(ui);
        self.sweeps.update(self.bench.as_ref(), fields);
        let is_busy = self.is_measuring();
        let requested = match self.tab {
            TimingTab::Live => {
                match outcome {
                    Some(outcome) => self.live.ui(ui, fields, outcome),
                    None => widgets::empty_state(ui, PANE.empty),
                }
                None
            }
            TimingTab::HostDevice => {
                host_device_ui(ui, fields, outcome.map(AsRef::as_ref));
                None
            }
            TimingTab::Sweep => self.sweeps.ui(ui, fields, is_busy, SweepTabs::form_ui),
            TimingTab::Papers => match self.sweeps.experiment {
                Some(experiment) => self.sweeps.alone_ui(ui, fields, experiment, is_busy),
                None => self.sweeps.ui(ui, fields, is_busy, SweepTabs::papers_ui),
            },
            TimingTab::Records => self.sweeps.ui(ui, fields, is_busy, SweepTabs::records_ui),
        };
        let asked = std::mem::take(&mut self.measures_experiment) && !is_busy;
        let asked = if asked { self.sweeps.sweep_of_experiment(fields) } else { None };
        if let Some(sweep) = requested.or(asked) {
            self.start(sweep, ui.ctx());
        }
    }

    fn kept(&self) -> serde_json::Value {
        serde_json::to_value((self.tab, self.sweeps.form())).unwrap_or_default()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        // A lesson names an experiment of a paper.
        self.sweeps.set_experiment(kept.get("experiment").and_then(serde_json::Value::as_str));
        if self.sweeps.has_experiment() {
            self.tab = TimingTab::Papers;
            return;
        }
        let (tab, form) = serde_json::from_value::<(TimingTab, SweepForm)>(kept.clone()).unwrap_or_default();
        self.tab = tab;
        self.sweeps.set_form(form);
    }

    fn measure(&mut self) {
        (self.tab, self.measures_experiment) = (TimingTab::Papers, true);
    }

    fn is_settled(&self) -> bool {
        !self.is_measuring() && !self.measures_experiment
    }

    fn cancel(&mut self) -> bool {
        self.cancel_sweep();
        self.is_measuring()
    }
}

/// Paints the figure of the latest run on a device.
fn host_device_ui(ui: &mut Ui, fields: &Fields<'_>, outcome: Option<&Outcome>) {
    let run = outcome.and_then(|outcome| host_device(outcome, outcome.again.last().unwrap_or(&outcome.times), false));
    let Some(run) = run else {
        return widgets::empty_state(ui, "No device ran this transform, so that no data travelled; take a GPU");
    };
    // A question may ask for the number of launches.
    if fields.learn.hides_launches() {
        widgets::hidden(ui, "The launches");
        return;
    }
    let size = ui.available_size().max(egui::vec2(360.0, 160.0));
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let drawn = host_device_figure(&run, rect.size().into());
    figure::paint(&ui.painter_at(rect), rect, &drawn, ui.theme());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &drawn.title));
}

impl TimingPane {
    /// Whether a sweep runs; the window must not disturb it.
    fn is_measuring(&self) -> bool {
        self.bench.as_ref().is_some_and(|bench| !bench.is_idle())
    }

    /// Cancels the running sweep; its measurements so far are kept.
    fn cancel_sweep(&self) {
        if let Some(bench) = &self.bench {
            bench.cancel();
        }
    }

    fn start(&mut self, sweep: Sweep, ctx: &Context) {
        let bench = self.bench.get_or_insert_with(|| {
            let ctx = ctx.clone();
            start_sweeps(self.store.timing_lock().clone(), move || ctx.request_repaint())
        });
        bench.take();
        bench.request(SweepRequest { sweep, measured: self.measured.clone() });
    }

    fn progress_ui(&self, bar: &mut Toolbar<'_>) {
        bar.item("cancel", |ui| {
            if ui.button("Cancel sweep").on_hover_text("Stop the sweep and keep its measurements (Esc)").clicked() {
                self.cancel_sweep();
            }
        });
        if let Some(progress) = self.bench.as_ref().and_then(SweepWorker::progress) {
            let part = progress.n_done as f32 / progress.n_all.max(1) as f32;
            let text = format!("{} of {}", progress.n_done, progress.n_all);
            bar.item("progress", |ui| ui.add(egui::ProgressBar::new(part).desired_width(120.0).text(text)));
            bar.info(&progress.label);
        }
    }
}
