//! The pane *Markers*: the markers on the spectrum image as a table, with the lattice that they span.

use super::action::Action;
use super::export::Export;
use super::measurer::{Measurer, in_units, length_unit};
use super::pane::{Pane, PaneInfo};
use super::scene::Scene;
use super::settings::MeasureLook;
use super::toolbar::toolbar;
use super::widgets::{self, Head, TableRow, TextTable};
use crate::choice::Named as _;
use crate::measure::{Frequency, HiddenPeaks, Lattice, Peak, Refinement, markers_csv};
use crate::numerals::number;
use crate::prepare::{Window, Windowing};
use crate::signal::PixelSize;
use egui::{DragValue, Role, Ui, WidgetInfo};

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The markers on the spectrum image; a click on a row selects its marker.",
        "A deviation is what noise of the level round the marker causes.",
        "Two markers in different directions span a lattice, and more markers fit it better.",
    ],
    empty: "Click on the spectrum image to pin a marker, or press Find",
    has_content: |scene| scene.shown().has_markers() && scene.shown().has_rows(),
    ..PaneInfo::new("Markers", "Markers", |services| Box::new(MarkersPane { measurer: Measurer::new(&services.studies) }))
};

/// The pane.
struct MarkersPane {
    measurer: Measurer,
}

impl Pane for MarkersPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, actions) = (scene.shown(), &mut scene.out.actions);
        let (look, window) = (&mut scene.settings.measure, &mut scene.settings.preparation.window);
        if !shown.has_markers() || shown.signal.is_none() {
            return widgets::empty_state(ui, PANE.empty);
        }
        let known = self.measurer.markers(ui.ctx(), shown.job, look, actions);
        let peaks = known.as_ref().map(|(peaks, _)| peaks.as_slice());
        let asked = toolbar(ui, PANE.title, |bar| {
            let mut asked = bar.item("find", |ui| find_ui(ui, look)).unwrap_or_default();
            bar.item("refinement", |ui| refinement_ui(ui, look));
            bar.item("guides", |ui| guides_ui(ui, look));
            let has_markers = !look.markers.is_empty();
            let file = |ui: &mut Ui| {
                let button = |ui: &mut Ui, name: &str, about: &str| {
                    ui.add_enabled(has_markers, egui::Button::new(name)).on_hover_text(about).clicked()
                };
                let copy = button(ui, "Copy table", "Copies the table as CSV");
                [
                    copy,
                    button(ui, "Export table", "Writes the table as CSV"),
                    button(ui, "Remove all", "Removes every marker; undo brings them back"),
                ]
            };
            let [copies, exports, clears] = bar.item("file", file).unwrap_or_default();
            if clears {
                look.markers.clear();
                look.selected = None;
            }
            (asked.copies, asked.exports) = (copies, exports);
            asked
        });
        if asked.finds {
            self.measurer.find_peaks();
        }
        if let Some(peaks) = peaks {
            if asked.copies {
                ui.ctx().copy_text(markers_csv(peaks));
            }
            if asked.exports {
                let bytes = markers_csv(peaks).into_bytes();
                actions.push(Action::Export(Box::new(Export::File { name: "markers.csv".into(), ending: "csv", bytes })));
            }
        }
        let pixel = shown.pixel_size;
        if look.markers.is_empty() {
            return widgets::empty_state(ui, PANE.empty);
        }
        if let Some(lattice) = known.as_ref().and_then(|(_, lattice)| lattice.as_ref()) {
            lattice_ui(ui, lattice, pixel);
        }
        if let Some(hidden) = peaks.and_then(HiddenPeaks::among).filter(|_| window.shape == Window::None) {
            hidden_ui(ui, hidden, window);
        }
        match peaks {
            Some(peaks) => table_ui(ui, look, peaks, pixel),
            None => widgets::empty_state(ui, "The markers are being measured"),
        }
    }
}

/// Says that edges hide peaks, with a button that takes a window.
fn hidden_ui(ui: &mut Ui, hidden: HiddenPeaks, window: &mut Windowing) {
    ui.horizontal_wrapped(|ui| {
        widgets::note_sign(ui);
        ui.label(super::remedy::in_words(&hidden));
        if ui.button("Use a Hann window").on_hover_text("Multiplies the image by a Hann window before the transform").clicked() {
            window.shape = Window::Hann;
        }
    });
}

/// The button that was clicked in the row of controls.
#[derive(Default)]
struct Asked {
    finds: bool,
    copies: bool,
    exports: bool,
}

fn find_ui(ui: &mut Ui, look: &mut MeasureLook) -> Asked {
    let about = "Pins markers on the strongest values that stand clear of their surroundings; they replace the present ones";
    let button = ui.button("Find");
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Find the strongest peaks"));
    let finds = button.on_hover_text(about).clicked();
    let drag = ui.add(DragValue::new(&mut look.n_peaks).range(1..=64).suffix(" peaks"));
    drag.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, "Number of peaks to find"));
    Asked { finds, ..Asked::default() }
}

fn refinement_ui(ui: &mut Ui, look: &mut MeasureLook) {
    let choices = Refinement::ALL.iter().map(|refinement| (*refinement, refinement.to_string(), refinement.about().to_owned()));
    let shown = look.refinement.to_string();
    widgets::combo_of_width(ui, "Position by", 88.0, shown, &mut look.refinement, choices)
        .on_hover_text(format!("How positions between values are found: {}", look.refinement.about()));
}

fn guides_ui(ui: &mut Ui, look: &mut MeasureLook) {
    let mut toggle = |name: &str, about: &str, value: &mut bool| widgets::toggle(ui, value, name).on_hover_text(about);
    toggle("Marker rings", "A ring of equal frequency through every marker", &mut look.rings);
    toggle("Harmonics", "The multiples of the selected marker", &mut look.harmonics);
    toggle("Lattice", "The points of the lattice that the markers span", &mut look.lattice);
}

/// The lattice in two lines.
fn lattice_ui(ui: &mut Ui, lattice: &Lattice, pixel: Option<PixelSize>) {
    let (unit, side) = (length_unit(pixel), pixel.map_or(1.0, |pixel| pixel.width));
    let vectors = lattice.vectors.map(|vector| in_units(vector, pixel));
    let lattice = &Lattice { vectors, deviation: lattice.deviation.map(|deviation| deviation / side), ..lattice.clone() };
    let ([a, b], angle) = lattice.cell();
    let n = lattice.indices.iter().flatten().count();
    let part = |vector: Frequency, deviation: f64| {
        let relative = deviation / vector.radius();
        let period = number(vector.period(), 5);
        // Two markers determine a lattice, and leave no deviation.
        let spread = if relative > 0.0 { format!(" ± {}", number(relative * vector.period(), 2)) } else { String::new() };
        format!("{period} {unit}{spread}, {}°", number(vector.angle(), 4))
    };
    let [first, second] = [0, 1].map(|k| part(lattice.vectors[k], lattice.deviation[k]));
    ui.horizontal_wrapped(|ui| {
        widgets::fact_in_line(ui, "Lattice of periods", &format!("{first} and {second}"));
        let vectors = format!("{} {unit} and {} {unit}, {}° apart", number(a, 5), number(b, 5), number(angle, 4));
        widgets::fact_in_line(ui, "vectors in the image", &vectors);
        widgets::fact_in_line(ui, "markers on it", &format!("{n} of {}", lattice.indices.len()));
    });
}

fn table_ui(ui: &mut Ui, look: &mut MeasureLook, peaks: &[Peak], pixel: Option<PixelSize>) {
    let cycles = pixel.map_or("cycles per pixel", |pixel| pixel.unit.frequency());
    let (u, period) = (format!("u ({cycles})"), format!("period ({})", length_unit(pixel)));
    let heads = ["", &u, "v (upwards)", "± u", "± v", &period, "angle (°)", "|X|", "phase (rad)"].map(Head::of_numbers);
    let table = TextTable::new("markers", heads).choosing(look.selected);
    let reply = table.scroll(ui, peaks.len(), |index| {
        let (peak, name) = (&peaks[index], (index + 1).to_string());
        let frequency = in_units(peak.frequency, pixel);
        let deviation = in_units(Frequency { u: peak.deviation[0], v: peak.deviation[1] }, pixel);
        let (Frequency { u, v }, Frequency { u: du, v: dv }) = (frequency, deviation);
        let (period, angle) = (frequency.period(), frequency.angle());
        let values = [(u, 6), (v, 6), (du, 2), (dv, 2), (period, 6), (angle, 5), (peak.value.norm(), 5), (peak.value.arg(), 4)];
        let cells = std::iter::once(name.clone()).chain(values.map(|(value, digits)| number(value, digits)));
        TableRow::of(cells).named(format!("Select marker {name}"))
    });
    look.selected = reply.clicked.or(look.selected);
}
