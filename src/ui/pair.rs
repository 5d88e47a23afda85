//! The pane *Two images*: the shift of another image with its phase correlation, and deconvolution of a blur.

use super::action::Action;
use super::canvas::{Canvas, ZoomTo};
use super::command::Command;
use super::export::Export;
use super::origin::SecondOrigin;
use super::pane::{Pane, PaneInfo};
use super::scene::Scene;
use super::settings::{BlurForm, PairLook, PairTask};
use super::studied::{Answer, Studied};
use super::theme::GRID;
use super::toolbar::toolbar;
use super::widgets;
use crate::choice::Named as _;
use crate::engine::measure::{Blur, PairReport, PairRequest, PairStudy, PairWanted};
use crate::measure::{BlurKernel, Shift};
use crate::numerals::number;
use crate::signal::{OutputFormat, Signal, write};
use egui::{DragValue, Role, Slider, Ui, WidgetInfo};

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Shift: where the second image lies against the first, and the phase correlation with shift 0 in the middle.",
        "Deblur: the image before a blur, by the filter of Wiener; more noise gives a smoother image.",
    ],
    empty: "Two images are compared here once there is one",
    has_content: |scene| scene.shown().has_markers() && scene.signal.is_some_and(|signal| signal.kind.is_image()),
    ..PaneInfo::new("TwoImages", "Two images", |services| {
        Box::new(PairPane { studied: Studied::new(&services.studies, PairStudy::default), canvas: Canvas::default() })
    })
};

/// The pane.
struct PairPane {
    studied: Studied<PairStudy>,
    canvas: Canvas,
}

impl Pane for PairPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, look, out) = (scene.shown(), &mut scene.settings.measure.pair, &mut *scene.out);
        // The first image cannot be the second one, too.
        let second = scene.second.filter(|_| scene.settings.second != SecondOrigin::Itself);
        if shown.signal.is_none_or(|signal| !signal.kind.is_image()) {
            return widgets::empty_state(ui, PANE.empty);
        }
        let (opens, exports) = controls_ui(ui, look);
        if opens {
            open_second(look, &mut out.actions);
        }
        let second = second.filter(|_| look.has_second).cloned();
        let wanted = match (look.task, look.blur, second) {
            (PairTask::Shift, _, Some(second)) => PairWanted::Shift(second),
            (PairTask::Deblur, BlurForm::Image, Some(second)) => PairWanted::Deconvolution(Blur::Image(second), look.noise()),
            (PairTask::Shift, ..) | (_, BlurForm::Image, None) => {
                if widgets::offer(ui, "There is no second image yet.", "Open a second image…", "An image of a file") {
                    open_second(look, &mut out.actions);
                }
                return;
            }
            (PairTask::Deblur, ..) => PairWanted::Deconvolution(Blur::Kernel(look.kernel()), look.noise()),
        };
        let request = shown.job.cloned().map(|job| PairRequest { job, wanted });
        let is_of_task = |report: &PairReport| report.shift.is_some() == (look.task == PairTask::Shift);
        let answer = self.studied.result_ui(ui, request.as_ref(), is_of_task, "The images are being compared");
        if let Some(Answer { reply, is_newest, .. }) = &answer
            && let Ok(report) = &reply.result
        {
            self.report_ui(ui, report, *is_newest, &mut out.read_out);
            if let Some(samples) = report.samples.as_deref().filter(|_| exports) {
                out.actions.push(export(samples));
            }
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.canvas.order(zoom);
    }
}

impl PairPane {
    fn report_ui(&mut self, ui: &mut Ui, report: &PairReport, is_newest: bool, read_out: &mut String) {
        if let Some(Shift { dx, dy, peak, deviation }) = report.shift {
            let with_deviation = |value: f64, deviation: Option<f64>| match deviation {
                Some(deviation) => format!("{} ± {} px", number(value, 5), number(deviation, 2)),
                None => "unknown".to_owned(),
            };
            ui.horizontal_wrapped(|ui| {
                widgets::fact_in_line(ui, "dx", &with_deviation(dx, deviation[0]));
                widgets::fact_in_line(ui, "dy", &with_deviation(dy, deviation[1]));
                widgets::fact_in_line(ui, "peak", &number(peak, 4));
            });
            for warning in &report.warnings {
                ui.horizontal_wrapped(|ui| {
                    widgets::warning_sign(ui);
                    ui.label(warning.to_string());
                });
            }
        }
        let area = ui.available_rect_before_wrap();
        let name = if report.shift.is_some() { "Phase correlation" } else { "Deblurred image" };
        let reply = self.canvas.ui(ui, name, area, report.shape, Some(&report.image), !is_newest);
        let middle = [report.shape.columns / 2, report.shape.rows / 2].map(|n| n as f64);
        if let Some(Shift { dx, dy, .. }) = report.shift {
            let at = reply.placement.to_screen([middle[0] + dx + 0.5, middle[1] + dy + 0.5]);
            let painter = ui.painter().with_clip_rect(area);
            painter.circle_stroke(at, 2.0 * GRID, (3.0, egui::Color32::from_black_alpha(150)));
            painter.circle_stroke(at, 2.0 * GRID, (1.4, egui::Color32::WHITE));
            if let Some([x, y]) = reply.hovered {
                *read_out = format!("shift ({}, {}) px", number(x as f64 - middle[0], 6), number(y as f64 - middle[1], 6));
            }
        }
    }
}

/// Opens a second image, which the window loads from then on.
fn open_second(look: &mut PairLook, actions: &mut Vec<Action>) {
    look.has_second = true;
    actions.push(Action::Run(Command::OpenSecond));
}

/// The samples as a file.
fn export(samples: &Signal) -> Action {
    let mut bytes = Vec::new();
    let format = OutputFormat::of_ending("tiff").expect("TIFF is written");
    match write(&mut bytes, samples, format) {
        Ok(()) => Action::Export(Box::new(Export::File { name: "deblurred.tiff".into(), ending: "tiff", bytes })),
        Err(error) => Action::ShowError(super::remedy::in_words(&error)),
    }
}

impl PairLook {
    /// The power of the noise as a share of that of the image.
    fn noise(&self) -> f64 {
        10f64.powf(self.noise_db / 10.0)
    }

    /// The kernel of a known form.
    fn kernel(&self) -> BlurKernel {
        match self.blur {
            BlurForm::Gauss | BlurForm::Image => BlurKernel::Gauss { sigma: self.size },
            BlurForm::Disc => BlurKernel::Disc { radius: self.size },
            BlurForm::Motion => BlurKernel::Motion { length: self.size, angle: self.angle },
        }
    }
}

/// The controls; returns whether a second image is to be opened, and whether the samples are to be exported.
fn controls_ui(ui: &mut Ui, look: &mut PairLook) -> (bool, bool) {
    toolbar(ui, PANE.title, |bar| {
        bar.segmented("Task of two images", &mut look.task, &PairTask::offered());
        let is_deblurring = look.task == PairTask::Deblur;
        if is_deblurring {
            bar.item("blur", |ui| {
                let shown = look.blur.title();
                let choices = BlurForm::offered().into_iter().map(|(blur, title, about)| (blur, title.to_owned(), about.to_owned()));
                widgets::combo_of_width(ui, "Blur", 72.0, shown, &mut look.blur, choices).on_hover_text("What blurred the image");
            });
            bar.item("noise", |ui| noise_ui(ui, look));
            bar.item("size", |ui| size_ui(ui, look));
        }
        let needs_second = !is_deblurring || look.blur == BlurForm::Image;
        let open = |ui: &mut Ui| ui.button("Second image…").on_hover_text("Opens another second image").clicked();
        let opens = look.has_second && needs_second && bar.item("second", open).unwrap_or(false);
        let save = |ui: &mut Ui| ui.button("Export image").on_hover_text("Writes the samples as float TIFF").clicked();
        (opens, is_deblurring && bar.item("export", save).unwrap_or(false))
    })
}

fn noise_ui(ui: &mut Ui, look: &mut PairLook) {
    ui.spacing_mut().slider_width = 80.0;
    let slider = ui.add(Slider::new(&mut look.noise_db, -80.0..=20.0).suffix(" dB").max_decimals(1));
    slider.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Noise"));
    slider.on_hover_text("The power of the noise beside that of the image: less sharpens more, and shows more noise");
}

fn size_ui(ui: &mut Ui, look: &mut PairLook) {
    if look.blur == BlurForm::Image {
        return;
    }
    let size = ui.add(DragValue::new(&mut look.size).range(0.1..=512.0).speed(0.05).max_decimals(2).suffix(" px"));
    size.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Size of the blur in pixels"));
    size.on_hover_text("The standard deviation, the radius, or the length, in pixels");
    if look.blur == BlurForm::Motion {
        let angle = ui.add(DragValue::new(&mut look.angle).range(-90.0..=90.0).max_decimals(1).suffix("°"));
        angle.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Direction of the motion in degrees"));
        angle.on_hover_text("The direction of the motion, anticlockwise from x");
    }
}
