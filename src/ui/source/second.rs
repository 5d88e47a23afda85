//! The second signal of a convolution, below the first: the list of its origins, its plot or its image, and its controls.

use super::Fields;
use super::boolean::Draft;
use super::facts::facts_ui;
use super::generators;
use super::waves::WavePlot;
use crate::signal::generate::{GENERATORS, Generator};
use crate::signal::{ChannelChoice, Signal, SignalKind};
use crate::transforms::filtering::takes_factors;
use crate::transforms::{Input, Shape};
use crate::ui::action::Action;
use crate::ui::canvas::{Canvas, ZoomTo};
use crate::ui::command::Command;
use crate::ui::line_plot::PlotLook;
use crate::ui::origin::{Origin, SecondOrigin};
use crate::ui::studies::Studies;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Rect, ScrollArea, Ui, UiBuilder};
use std::sync::Arc;

/// Height of the list alone, in points.
const LIST: f32 = 8.0 * GRID;
/// Height of the list and of the text of a function.
const TEXT: f32 = 32.0 * GRID;
/// Share of the pane for a second signal that is plotted.
const SHARE: f32 = 0.5;
/// In a wider pane the plot is beside a column of controls, in points.
const WIDE: f32 = 400.0;
/// Width of that column.
const COLUMN: f32 = 208.0;
/// The name of the factors of a mask.
const MASK: &str = "The mask";
/// Smallest height of the plot in points.
const LEAST_PLOT: f32 = 48.0;

/// The state of the pane for the second signal.
pub(super) struct SecondView {
    canvas: Canvas,
    plot: WavePlot,
    draft: Draft,
}

/// The parts of the pane for both signals: side by side in a wide pane, else the second one below. It has none for a transform of one signal.
pub(super) fn split(Fields { shown, second_origin, .. }: &Fields<'_>, area: Rect) -> (Rect, Rect) {
    let height = if shown.transform.input == Input::TwoSignals { height(second_origin, area.height()) } else { 0.0 };
    if height > LIST && area.width() > 2.0 * WIDE {
        return area.split_left_right_at_fraction(0.5);
    }
    area.split_top_bottom_at_y(area.bottom() - height)
}

fn height(origin: &SecondOrigin, height: f32) -> f32 {
    match origin {
        SecondOrigin::Itself | SecondOrigin::Mask => LIST,
        SecondOrigin::Other(Origin::Generator(Generator::Boolean(_))) => TEXT.max(0.4 * height),
        SecondOrigin::Other(_) => SHARE * height,
    }
}

impl SecondView {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { canvas: Canvas::default(), plot: WavePlot::new(studies), draft: Draft::default() }
    }

    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.canvas.order(ZoomTo::Fit);
        self.plot.reset();
    }

    /// Shows the list, and the plot and controls of another signal.
    pub(super) fn ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>) {
        ui.separator();
        let area = ui.available_rect_before_wrap();
        if area.width() < WIDE {
            return self.column_ui(ui, fields, true);
        }
        // The list and the controls beside the plot.
        let (left, right) = area.split_left_right_at_x(area.left() + COLUMN);
        ui.scope_builder(UiBuilder::new().max_rect(left), |ui| self.column_ui(ui, fields, false));
        let signal = fields.second.filter(|_| matches!(fields.second_origin, SecondOrigin::Other(_)));
        if let Some(signal) = signal.filter(|_| right.height() >= LEAST_PLOT) {
            let rect = right.with_min_x(right.left() + GRID);
            ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| self.samples_ui(ui, fields, rect, signal));
        }
    }

    /// The list, the controls, and below them the plot unless it is beside them.
    fn column_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, has_plot: bool) {
        list_ui(ui, fields);
        let SecondOrigin::Other(origin) = &mut *fields.second_origin else { return };
        let has_controls = matches!(origin, Origin::Generator(_));
        let room = ui.available_height();
        // Where both do not fit, the controls replace the plot.
        let controls = if !has_plot || has_controls && room < 2.0 * LEAST_PLOT { room } else { 0.5 * room };
        if has_controls {
            ScrollArea::vertical().id_salt("second").max_height(controls).show(ui, |ui| match origin {
                Origin::Generator(Generator::Boolean(function)) => self.draft.ui(ui, "Second Boolean function", function),
                Origin::Generator(generator) => generators::parameters_ui(ui, generator),
                _ => {}
            });
        }
        let Some(signal) = fields.second else { return };
        if !has_controls {
            facts_ui(ui, signal, signal.description());
        }
        let rect = ui.available_rect_before_wrap();
        if has_plot && rect.height() >= LEAST_PLOT {
            self.samples_ui(ui, fields, rect, signal);
        }
    }

    /// The samples as an image or a plot.
    fn samples_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, rect: Rect, signal: &Arc<Signal>) {
        if signal.kind == SignalKind::Rows {
            return self.plot_ui(ui, fields, rect, signal);
        }
        let image = fields.shown.results.report.and_then(|report| report.second.clone());
        let shape = Shape { rows: signal.rows, columns: signal.columns };
        fields.out.view.second = self.canvas.ui(ui, "Second image", rect, shape, image.as_ref(), false).frame;
    }

    fn plot_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, rect: Rect, signal: &Arc<Signal>) {
        let look = PlotLook { stems: false, ..PlotLook::over_index(ui, "Second signal plot", "sample", "g") };
        let row = if signal.rows > 1 { fields.row } else { 0 };
        self.plot.ui(ui, rect, &look, (signal, ChannelChoice::default(), row));
    }
}

/// The signal itself, generators, and the button that opens a file.
fn list_ui(ui: &mut Ui, Fields { shown, second_origin: chosen, out, .. }: &mut Fields<'_>) {
    let length = shown.signal.map_or(1, |signal| signal.columns);
    ui.horizontal(|ui| {
        widgets::weak(ui, "with");
        let title = match &**chosen {
            SecondOrigin::Itself => "The signal itself".to_owned(),
            SecondOrigin::Other(origin) => origin.title(),
            SecondOrigin::Mask => MASK.to_owned(),
        };
        let itself = (SecondOrigin::Itself, "The signal itself".to_owned(), "g = f".to_owned());
        let mask = takes_factors(shown.transform)
            .then(|| (SecondOrigin::Mask, MASK.to_owned(), "The factors that the pane Filtered applies to this spectrum".to_owned()));
        let lines = GENERATORS.iter().filter(|entry| entry.kind == SignalKind::Rows);
        let generators = lines.filter(|entry| !matches!((entry.default)(), Generator::Equations(_))).map(|entry| {
            let made = match &**chosen {
                SecondOrigin::Other(Origin::Generator(generator)) if generator.entry().name == entry.name => generator.clone(),
                _ => (entry.default)().of_length(length),
            };
            (SecondOrigin::Other(Origin::Generator(made)), entry.name.to_owned(), entry.about.to_owned())
        });
        let choices: Vec<_> = mask.into_iter().chain([itself]).chain(generators).collect();
        let width = ui.available_width() - 72.0;
        widgets::combo_of_name(ui, "Second signal", width, &title, *chosen, choices).on_hover_text("The signal to convolve with");
        if ui.button("Open…").on_hover_text(Command::OpenSecond.tooltip()).clicked() {
            out.actions.push(Action::Run(Command::OpenSecond));
        }
    });
}
