//! The pane *System*: a tridiagonal system, its reduction stage by stage, its solution, and the accuracy of the solution.
//!
//! The pane shows the newest solution, dimmed while another one is computed.

mod table;

use super::action::Action;
use super::canvas::ZoomTo;
use super::export::painted;
use super::line_plot::{PlotLook, ReducedPlot};
use super::origin::Origin;
use super::pane::{Pane, PaneInfo};
use super::scene::Scene;
use super::settings::{Settings, SystemLook};
use super::studied::{Answer, Studied};
use super::theme::{GRID, Tokens};
use super::toolbar::{Toolbar, toolbar};
use super::widgets;
use crate::engine::{Accuracy, EngineError, Job, MOST_STEPPED, PlotData, Reduction, Solution, SystemReport, SystemRequest, SystemStudy};
use crate::numerals::{counted, duration, integer, number};
use crate::plan::Precision;
use crate::signal::generate::{Equations, Generator};
use crate::transforms::Input;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use egui::{Rect, RichText, Ui, UiBuilder, vec2};
use table::EquationTable;

/// Table and plot are side by side from this width on, in points.
const LEAST_WIDTH_SIDE_BY_SIDE: f32 = 720.0;
/// Width of the slider of the stage, in points.
const SLIDER_WIDTH: f32 = 160.0;
/// Width of the table beside the plot, in points.
const TABLE_WIDTH: f32 = 460.0;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The source holds N rows of four numbers a, b, c, d, which stand for a·x[i−1] + b·x[i] + c·x[i+1] = d.",
        "Move the stage: marked rows have just lost a neighbour, faint rows are solved.",
        "The residual and the condition number show the accuracy of the solution.",
        "Choose algorithm, device and launches in the pane Transform.",
    ],
    empty: "The solution of a tridiagonal system appears here once there is one",
    has_content: |scene| scene.settings.transform().input == Input::Equations,
    tells_values: true,
    ..PaneInfo::new("System", "System", |services| {
        Box::new(SystemPane {
            solved: Studied::new(&services.studies, SystemStudy::default),
            table: EquationTable::default(),
            plot: ReducedPlot::new(&services.studies),
            residuals: ReducedPlot::new(&services.studies),
        })
    })
};

/// The pane.
struct SystemPane {
    solved: Studied<SystemStudy>,
    table: EquationTable,
    plot: ReducedPlot<Solution>,
    residuals: ReducedPlot<Vec<f64>>,
}

impl Pane for SystemPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let Settings { system: look, device, precision, .. } = &mut *scene.settings;
        let Some(signal) = shown.signal else { return widgets::empty_state(ui, PANE.empty) };
        // Other settings belong to another transform unless the system is the transform.
        let job = if shown.transform.input == Input::Equations {
            shown.job.cloned()
        } else {
            Some(Job { device: device.clone(), precision: *precision, prefer_plan: true, ..Job::new(signal.clone(), TRIDIAGONAL.name) })
        };
        let request = job.map(|job| SystemRequest { job, n_stages: look.n_stages });
        let Some(Answer { reply, .. }) = self.solved.ask_ui(ui, request.as_ref()) else {
            return widgets::empty_state(ui, "The system is being solved");
        };
        if let Err(error) = &reply.result.system {
            return no_system_ui(ui, &mut out.actions, &super::remedy::in_words(error));
        }
        if request.is_none_or(|request| request.job != reply.request.job) {
            ui.set_opacity(0.5);
        }
        self.solved_ui(ui, look, &reply.result, &mut out.read_out);
    }

    fn zoom(&mut self, _zoom: ZoomTo) {
        self.plot.reset();
        self.residuals.reset();
    }

    fn kept(&self) -> serde_json::Value {
        self.plot.kept()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.plot.restore(kept);
    }
}

impl SystemPane {
    fn solved_ui(&mut self, ui: &mut Ui, look: &mut SystemLook, solved: &SystemReport, read_out: &mut String) {
        let solution = solved.solution.as_ref().ok();
        // Above the texts, so that no warning moves it.
        toolbar(ui, PANE.title, |bar| {
            let views = [
                (false, "Solution", "x, one value for every equation"),
                (true, "Residual", "The residual of every equation: a·x[i−1] + b·x[i] + c·x[i+1] − d, in double precision"),
            ];
            bar.views("View of the system", &mut look.residual, &views);
            if let Some(reduction) = &solved.reduction {
                stage_ui(bar, look, reduction);
            }
        });
        painted::begin(ui);
        match &solved.solution {
            Ok(solution) => solution_ui(ui, solution),
            Err(EngineError::Cancelled) => {
                widgets::weak(ui, "The solution was cancelled; change the system or the algorithm to start again");
            }
            Err(error) => {
                widgets::error(ui, &super::remedy::in_words(error));
            }
        }
        let Some(reduction) = &solved.reduction else {
            widgets::weak(ui, format!("The reduction is shown for up to {} equations", integer(MOST_STEPPED)));
            return self.plot_ui(ui, look.residual, solved, ui.available_rect_before_wrap(), read_out);
        };
        let area = ui.available_rect_before_wrap();
        let wide = area.width() > LEAST_WIDTH_SIDE_BY_SIDE;
        let first = if wide { vec2(TABLE_WIDTH, area.height()) } else { vec2(area.width(), 0.55 * area.height()) };
        let list = Rect::from_min_size(area.min, first);
        let start = if wide { list.right_top() + vec2(2.0 * GRID, 0.0) } else { list.left_bottom() + vec2(0.0, GRID) };
        ui.scope_builder(UiBuilder::new().max_rect(list), |ui| self.table.ui(ui, reduction, solution.map(|solution| &**solution)));
        self.plot_ui(ui, look.residual, solved, Rect::from_min_max(start, area.max), read_out);
    }

    /// Plots the solution, or its residual.
    fn plot_ui(&mut self, ui: &mut Ui, residual: bool, solved: &SystemReport, rect: Rect, read_out: &mut String) {
        let Ok(solution) = &solved.solution else { return };
        if rect.width() < 64.0 || rect.height() < 48.0 {
            return;
        }
        if residual {
            let (residuals, look) = (&solved.residuals, PlotLook::over_index(ui, "Residual plot", "equation", "residual"));
            let reduce = |residuals: &Vec<f64>, frame| PlotData::of_reals(residuals, frame);
            if let Some(index) = self.residuals.ui(ui, rect, &look, residuals, residuals.len(), reduce).hovered {
                *read_out = format!("residual of equation {index} = {}", number(residuals[index], 6));
            }
            return;
        }
        let look = PlotLook::over_index(ui, "Solution plot", "equation", "x");
        let reduce = |solution: &Solution, frame| PlotData::of_reals(&solution.x, frame);
        if let Some(index) = self.plot.ui(ui, rect, &look, solution, solution.x.len(), reduce).hovered {
            *read_out = format!("x[{index}] = {}", number(solution.x[index], 12));
        }
    }
}

/// Says why there is no system, and offers one.
fn no_system_ui(ui: &mut Ui, actions: &mut Vec<Action>, error: &str) {
    let about = "Takes the equations of a string as the source; undo brings the old one back";
    if widgets::offer(ui, error, "Start with a bent string", about) {
        actions.push(Action::SetOrigin(Origin::Generator(Generator::Equations(Equations::default()))));
    }
}

/// Shows how the system was solved, the accuracy of the solution, and warnings.
fn solution_ui(ui: &mut Ui, solution: &Solution) {
    let Solution { x, accuracy: Accuracy { residual, condition, .. }, outcome } = solution;
    let emulated = if outcome.software_gpu { " (a GPU emulated by software)" } else { "" };
    let precision = if outcome.precision == Precision::Double { "double" } else { "single" };
    let equations = counted(x.len(), "equation");
    let time = format!("{} for its launches", duration(outcome.kernel_median()));
    let how = format!("{equations} by {} on {}{emulated}, {precision} precision, {time}", outcome.algorithm, outcome.device);
    let why = if outcome.reason.is_empty() { String::new() } else { format!(": {}", outcome.reason) };
    widgets::weak(ui, how + &why);
    let digits = solution.digits().max(0.0);
    let trust = format!(
        "Residual at most {}, relative {}   condition about {}   {digits:.0} digits of x are correct",
        number(residual.largest, 2),
        number(residual.relative, 2),
        number(*condition, 2),
    );
    ui.add(egui::Label::new(trust).wrap()).on_hover_text(
        "The residual is |a·x[i−1] + b·x[i] + c·x[i+1] − d|, computed in double precision; the relative residual is divided by the size of the terms. The condition number is the factor by which relative errors of the equations can grow in x.",
    );
    for warning in solution.warnings() {
        ui.horizontal_top(|ui| {
            widgets::warning_sign(ui);
            let color = Tokens::current(ui).warning;
            ui.add(egui::Label::new(RichText::new(super::remedy::in_words(&warning)).color(color)).wrap());
        });
    }
}

/// The slider of the stage.
fn stage_ui(bar: &mut Toolbar<'_>, look: &mut SystemLook, reduction: &Reduction) {
    let n_stages = reduction.plan.stages.len();
    // A new system begins where half of the reduction is done.
    if look.n_stages > n_stages {
        look.n_stages = n_stages / 2;
    }
    bar.item("stage", |ui| {
        ui.spacing_mut().slider_width = SLIDER_WIDTH;
        widgets::labelled(ui, "Stage", |ui| ui.add(egui::Slider::new(&mut look.n_stages, 0..=n_stages)))
            .on_hover_text("Shows the equations after this many stages; arrow keys step")
    });
    bar.info(&match reduction.n_stages.checked_sub(1) {
        None => "as given".to_owned(),
        Some(last) => format!("after {} of {}", reduction.plan.stages[last].label, reduction.algorithm),
    });
}
