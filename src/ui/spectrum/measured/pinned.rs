//! Spectra that are kept behind the next ones, on one scale with them.

use super::curve::{Curve, Scaling};
use crate::engine::{PlotData, PlotFrame, RecordingPart};
use crate::signal::short_name;
use crate::spectra::Averaged;
use crate::ui::line_plot::RowBehind;
use crate::ui::theme::{Series, series_color};
use crate::ui::widgets;
use egui::{Color32, Ui};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A spectrum that is kept behind the next ones. A session keeps its name and its powers.
#[derive(Serialize, Deserialize)]
pub(super) struct Pinned {
    pub(super) name: String,
    #[serde(serialize_with = "written", deserialize_with = "read")]
    spectrum: Arc<Averaged>,
    /// Its curve as the newest one is scaled.
    #[serde(skip)]
    curve: Option<Arc<Curve>>,
    /// The visible part, with the curve that it is of.
    #[serde(skip)]
    reduced: Option<(Arc<Curve>, PlotData)>,
}

fn written<S: Serializer>(spectrum: &Arc<Averaged>, to: S) -> Result<S::Ok, S::Error> {
    spectrum.as_ref().serialize(to)
}

fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<Averaged>, D::Error> {
    Averaged::deserialize(from).map(Arc::new)
}

/// Those that a session keeps; it has no room for spectra of millions of values.
pub(super) fn kept(all: &[Pinned]) -> Vec<&Pinned> {
    const MOST_VALUES: usize = 1 << 17;
    all.iter().filter(|pinned| pinned.spectrum.power.len() <= MOST_VALUES).collect()
}

impl Pinned {
    /// Keeps the newest curve of a part, as the one of this number.
    pub(super) fn new(number: usize, part: &RecordingPart, curve: &Curve) -> Self {
        let name = format!("{number} {}: {}", short_name(&part.signal.name), part.signal.channel_name(part.channel));
        Self { name, spectrum: curve.spectrum.clone(), curve: None, reduced: None }
    }

    /// Brings it to the scale of the newest curve.
    pub(super) fn scale(&mut self, scaling: &Scaling) {
        if !self.curve.as_ref().is_some_and(|curve| curve.is_of(&self.spectrum, scaling)) {
            self.curve = Some(Arc::new(Curve::new(self.spectrum.clone(), scaling.clone())));
        }
    }

    /// Its colour.
    fn color(index: usize, ui: &Ui) -> Color32 {
        let theme = if ui.visuals().dark_mode { egui::Theme::Dark } else { egui::Theme::Light };
        series_color(Series::ALL[(index + 1) % Series::ALL.len()], theme)
    }

    /// Its row behind the newest curve, at the frequencies of the visible part of that one; it is reduced to pixels where that part is another one.
    pub(super) fn behind(&mut self, index: usize, newest: &Curve, frame: PlotFrame, ui: &Ui) -> Option<RowBehind> {
        let curve = self.curve.clone()?;
        let axis = curve.axis();
        let [first, last] = [frame.first, frame.last].map(|at| curve.position(newest.frequency(at)).clamp(0.0, curve.values.len() as f64));
        let frame = PlotFrame { first, last, log_origin: frame.log_origin.map(|_| axis.origin), ..frame };
        if !self.reduced.as_ref().is_some_and(|(of, data)| Arc::ptr_eq(of, &curve) && data.frame == frame) {
            self.reduced = Some((curve.clone(), PlotData::of_reals(&curve.values, frame)));
        }
        let data = self.reduced.as_ref().map(|(_, data)| data.clone())?;
        Some(RowBehind { data, scale: [axis.origin, axis.per_unit], color: Self::color(index, ui) })
    }
}

/// The names of the pinned spectra with their colours, each to be released.
pub(super) fn list_ui(ui: &mut Ui, all: &mut Vec<Pinned>) {
    let mut released = None;
    if !all.is_empty() {
        ui.horizontal(|ui| {
            for (index, pinned) in all.iter().enumerate() {
                let color = Pinned::color(index, ui);
                widgets::swatch(ui, color);
                ui.label(&pinned.name);
                let release = ui.small_button("×").on_hover_text("Forgets this spectrum");
                release.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Release {}", pinned.name)));
                if release.clicked() {
                    released = Some(index);
                }
            }
        });
    }
    released.map(|index| all.remove(index));
}
