//! The pane *Timing*: where the time of the work at hand goes, sweeps over sizes and devices, the experiments of the papers, and the records of what was measured.

mod figure;
mod form;
mod history;
mod lab;
mod live;
mod shelf;

pub(super) use history::History;

use super::pane::{Pane, PaneInfo, PaneServices};
use super::scene::Scene;
use super::theme::GRID;
use super::widgets;
use crate::bench::{Bench, Sweep};
use crate::engine::{Measured, TimingLock};
use egui::{Context, Ui};
use lab::Lab;

/// What the pane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    #[default]
    Live,
    Sweep,
    Papers,
    Records,
}

const TABS: [(Tab, &str, &str); 4] = [
    (Tab::Live, "Live", "Where the time of the work at hand goes"),
    (Tab::Sweep, "Sweep", "Transforms, algorithms and devices over sizes"),
    (Tab::Papers, "Papers", "The experiments of the papers, on this machine"),
    (Tab::Records, "Records", "What was measured before"),
];

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    name: "Timing",
    title: "Timing",
    help: &[
        "Live: where the time of every run went; hover a bar, and its box lights up in the flow graph. Runs that warm up, or beside which the window was painted, are faint and do not count.",
        "Sweep: transforms, algorithms and devices over sizes, in rounds and shuffled, every result checked.",
        "Papers: their experiments on this machine, beside the numbers that they print.",
        "Records: what was measured before, to look at, compare, rename and delete. Click a name in the legend to hide its line.",
    ],
    empty: "Times appear here once something was computed",
    shows_result: false,
    keys: &[],
    create,
};

/// The pane *Timing*.
#[derive(Default)]
pub(super) struct TimingPane {
    tab: Tab,
    live: live::Live,
    lab: Lab,
    /// The thread of the sweeps, from the first one on.
    bench: Option<Bench>,
    measured: Measured,
    timing_lock: TimingLock,
}

fn create(services: &PaneServices) -> Box<dyn Pane> {
    let mut pane = TimingPane { timing_lock: services.timing_lock.clone(), measured: services.measured.clone(), ..TimingPane::default() };
    if let Some((folder, ctx)) = &services.records {
        pane.lab.keep_in(folder.clone(), ctx);
    }
    Box::new(pane)
}

impl Pane for TimingPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        ui.horizontal(|ui| {
            widgets::segmented(ui, &mut self.tab, &TABS);
            if self.tab != Tab::Live && self.is_measuring() {
                self.progress_ui(ui);
            }
        });
        ui.add_space(GRID);
        self.lab.follow(self.bench.as_ref(), scene);
        let is_busy = self.is_measuring();
        let wanted = match self.tab {
            Tab::Live => {
                match scene.outcome() {
                    Some(outcome) => self.live.ui(ui, scene, outcome),
                    None => widgets::empty_state(ui, PANE.empty),
                }
                None
            }
            Tab::Sweep => self.lab.ui(ui, scene, is_busy, Lab::form_ui),
            Tab::Papers => self.lab.ui(ui, scene, is_busy, Lab::papers_ui),
            Tab::Records => self.lab.ui(ui, scene, is_busy, Lab::records_ui),
        };
        if let Some(sweep) = wanted {
            self.start(sweep, ui.ctx());
        }
    }

    fn is_settled(&self) -> bool {
        !self.is_measuring()
    }

    fn cancel(&mut self) -> bool {
        self.cancel_sweep();
        self.is_measuring()
    }
}

impl TimingPane {
    /// Whether a sweep runs, which the window must not disturb.
    fn is_measuring(&self) -> bool {
        self.bench.as_ref().is_some_and(Bench::is_busy)
    }

    /// Gives up the running sweep; what it has measured is kept.
    fn cancel_sweep(&self) {
        if let Some(bench) = &self.bench {
            bench.cancel();
        }
    }

    fn start(&mut self, sweep: Sweep, ctx: &Context) {
        let bench = self.bench.get_or_insert_with(|| {
            let ctx = ctx.clone();
            Bench::start(self.timing_lock.clone(), move || ctx.request_repaint())
        });
        bench.run(sweep, self.measured.clone());
    }

    fn progress_ui(&self, ui: &mut Ui) {
        if ui.button("Cancel sweep").on_hover_text("Stop, and keep what was measured (Esc)").clicked() {
            self.cancel_sweep();
        }
        if let Some(progress) = self.bench.as_ref().and_then(Bench::progress) {
            let part = progress.n_done as f32 / progress.n_all.max(1) as f32;
            ui.add(egui::ProgressBar::new(part).desired_width(120.0).text(format!("{} of {}", progress.n_done, progress.n_all)));
            ui.add(egui::Label::new(progress.label).truncate());
        }
    }
}
