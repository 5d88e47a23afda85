//! The choices of a sweep: transforms, algorithms, devices, sizes and runs.

use super::super::parameters::{Room, parameters_ui};
use super::super::size_field;
use super::super::theme::GRID;
use super::super::widgets::{self, row};
use crate::bench::{CacheState, Sweep, SweepLine, SweepSettings};
use crate::choice::Named as _;
use crate::engine::{Cut, DeviceChoice, NAMED_DEVICES};
use crate::gpu::AdapterInfo;
use crate::transforms::{Axes, Parameters, Shape, TRANSFORMS, Transform, linear_transforms};
use egui::{Button, DragValue, Role, Ui, WidgetInfo};
use serde::{Deserialize, Deserializer};

/// The button that measures the transform of the pane *Transform*, and what it does.
const MEASURE: &str = "Measure this transform";
const ABOUT_MEASURE: &str = "Sets the choices of the tab Sweep, and runs it";

/// The sizes to choose from are 2 to these powers, in samples.
const EXPONENTS: std::ops::RangeInclusive<u32> = 2..=26;

/// The choices of a sweep.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub(super) struct SweepForm {
    #[serde(deserialize_with = "known_transforms")]
    transforms: Vec<&'static str>,
    /// Names of algorithms; `None` stands for the fastest one.
    #[serde(deserialize_with = "known_algorithms")]
    algorithms: Vec<Option<&'static str>>,
    parameters: Parameters,
    devices: Vec<DeviceChoice>,
    cut: Cut,
    /// The smallest and the largest exponent of 2.
    sizes: [u32; 2],
    settings: SweepSettings,
    has_budget: bool,
    budget_secs: f64,
}

/// The transforms of a session that this version has.
fn known_transforms<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<&'static str>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    Ok(linear_transforms().map(|transform| transform.name).filter(|name| names.iter().any(|kept| kept == name)).collect())
}

/// The algorithms of a session that this version has, or the fastest one.
fn known_algorithms<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Option<&'static str>>, D::Error> {
    let names = Vec::<Option<String>>::deserialize(from)?;
    let all = || linear_transforms().flat_map(|transform| transform.algorithms).map(|algorithm| algorithm.name);
    let known = names.iter().filter_map(|name| match name {
        None => Some(None),
        Some(name) => all().find(|known| known == name).map(Some),
    });
    let known: Vec<_> = known.collect();
    Ok(if known.is_empty() { vec![None] } else { known })
}

impl Default for SweepForm {
    fn default() -> Self {
        Self {
            transforms: vec![TRANSFORMS[0].name],
            algorithms: vec![None],
            parameters: Parameters::default(),
            devices: vec![
                DeviceChoice::Gpu,
                DeviceChoice::Cpu,
                DeviceChoice::CpuParallel,
                DeviceChoice::CpuLocal,
                DeviceChoice::CpuStrided,
            ],
            cut: Cut::Tiles,
            sizes: [10, 18],
            settings: SweepSettings::default(),
            has_budget: false,
            budget_secs: 60.0,
        }
    }
}

impl SweepForm {
    /// Chooses one transform with its parameters.
    pub(super) fn use_transform(&mut self, transform: &Transform, parameters: Parameters) {
        (self.transforms, self.algorithms, self.parameters) = (vec![transform.name], vec![None], parameters);
    }

    /// Offers a sweep before there are results; returns it where the user takes it.
    pub(super) fn first_ui(&mut self, ui: &mut Ui, transform: &Transform, parameters: Parameters, is_busy: bool) -> Option<Sweep> {
        if !linear_transforms().any(|linear| linear.name == transform.name) {
            widgets::empty_state(ui, "Measurements appear here as they arrive: choose a sweep, a paper or a record at the left");
            return None;
        }
        let text = "Measurements appear here as they arrive. Choose a sweep, a paper or a record at the left, or measure the transform that is set at several sizes.";
        let is_taken = widgets::offer(ui, text, MEASURE, ABOUT_MEASURE) && !is_busy;
        is_taken.then(|| self.sweep_of(transform, parameters))
    }

    /// The same as a button alone, where a narrow pane has no room for results.
    pub(super) fn button_ui(&mut self, ui: &mut Ui, transform: &Transform, parameters: Parameters, is_busy: bool) -> Option<Sweep> {
        let can = !is_busy && linear_transforms().any(|linear| linear.name == transform.name);
        let button = ui.add_enabled(can, Button::new(MEASURE)).on_hover_text(ABOUT_MEASURE);
        button.clicked().then(|| self.sweep_of(transform, parameters))
    }

    fn sweep_of(&mut self, transform: &Transform, parameters: Parameters) -> Sweep {
        self.use_transform(transform, parameters);
        self.sweep()
    }

    /// The chosen transforms, in the order of the table.
    fn chosen(&self) -> impl Iterator<Item = &'static Transform> + '_ {
        linear_transforms().filter(|transform| self.transforms.contains(&transform.name))
    }

    /// The sweep that these choices describe.
    pub(super) fn sweep(&self) -> Sweep {
        let mut lines = Vec::new();
        for transform in self.chosen() {
            let shapes: Vec<Shape> = (self.sizes[0]..=self.sizes[1]).filter_map(|k| shape(transform, k)).collect();
            for algorithm in &self.algorithms {
                // Another transform may not have this algorithm.
                if algorithm.is_some_and(|name| transform.algorithm(name).is_err()) {
                    continue;
                }
                for device in &self.devices {
                    lines.push(SweepLine {
                        algorithm: algorithm.map(Into::into),
                        parameters: self.parameters,
                        cut: self.cut,
                        ..SweepLine::new(transform.name, device.clone(), shapes.clone())
                    });
                }
            }
        }
        let budget_secs = self.has_budget.then_some(self.budget_secs);
        Sweep {
            name: self.transforms.join(", "),
            experiment: None,
            differences: Vec::new(),
            lines,
            settings: SweepSettings { budget_secs, ..self.settings },
        }
    }

    /// Shows the choices; returns whether the user starts the sweep.
    pub(super) fn ui(&mut self, ui: &mut Ui, adapters: &[AdapterInfo], is_busy: bool) -> bool {
        row(ui, "Transforms", |ui| {
            let text = menu_text(&self.transforms);
            let menu = widgets::menu(ui, text.as_str(), |ui| {
                for transform in linear_transforms() {
                    toggle(ui, &mut self.transforms, transform.name, transform.title, transform.about);
                }
            });
            named(&menu.response, "Transforms of the sweep", &text);
            menu.response
        });
        row(ui, "Algorithms", |ui| {
            let text = menu_text(&self.algorithms.iter().map(|name| name.unwrap_or("fastest")).collect::<Vec<_>>());
            let menu = widgets::menu(ui, text.as_str(), |ui| {
                toggle(ui, &mut self.algorithms, None, "fastest", "The algorithm that the program chooses by itself");
                let mut seen: Vec<&str> = Vec::new();
                for algorithm in
                    linear_transforms().filter(|transform| self.transforms.contains(&transform.name)).flat_map(|t| t.algorithms)
                {
                    if !seen.contains(&algorithm.name) {
                        seen.push(algorithm.name);
                        toggle(ui, &mut self.algorithms, Some(algorithm.name), algorithm.name, algorithm.about);
                    }
                }
            });
            named(&menu.response, "Algorithms of the sweep", &text);
            menu.response
        });
        if let [only] = self.chosen().collect::<Vec<_>>()[..] {
            parameters_ui(ui, &mut self.parameters, only, Room::default());
        }
        self.devices_ui(ui, adapters);
        let cuts = [
            (Cut::Tiles, "Tiles", "As few launches as possible"),
            (Cut::Stages, "By stage", "One launch for each stage, as in the papers"),
        ];
        row(ui, "Launches", |ui| widgets::segmented(ui, &mut self.cut, &cuts));
        row(ui, "Sizes", |ui| size_field::exponent_range(ui, "Sizes", &mut self.sizes, EXPONENTS));
        self.runs_ui(ui);
        ui.add_space(GRID);
        let n_cases: usize = self.sweep().lines.iter().map(|line| line.shapes.len()).sum();
        let run = ui.add_enabled(!is_busy && n_cases > 0, Button::new("Run sweep"));
        let run = run.on_hover_text(format!("Measure {n_cases} cases in rounds, each in another order"));
        widgets::weak(ui, format!("{n_cases} cases"));
        run.clicked()
    }

    fn devices_ui(&mut self, ui: &mut Ui, adapters: &[AdapterInfo]) {
        row(ui, "Devices", |ui| {
            let text = menu_text(&self.devices.iter().map(ToString::to_string).collect::<Vec<_>>());
            let menu = widgets::menu(ui, text.as_str(), |ui| {
                toggle(ui, &mut self.devices, DeviceChoice::Gpu, "GPU", "The first adapter");
                for adapter in adapters.iter().skip(1) {
                    toggle(ui, &mut self.devices, DeviceChoice::Adapter(adapter.index.to_string()), &adapter.name, &adapter.driver);
                }
                for row in NAMED_DEVICES.iter().filter(|row| row.device.cpu().is_some()) {
                    toggle(ui, &mut self.devices, row.device.clone(), row.title, row.about);
                }
            });
            named(&menu.response, "Devices of the sweep", &text);
            menu.response
        });
    }

    fn runs_ui(&mut self, ui: &mut Ui) {
        row(ui, "Runs", |ui| {
            let runs = ui.add(DragValue::new(&mut self.settings.repeat).range(1..=1000));
            runs.on_hover_text("Counted runs of every case, spread over six rounds")
        });
        row(ui, "Budget", |ui| {
            let check = ui.checkbox(&mut self.has_budget, "");
            check.widget_info(|| WidgetInfo::labeled(Role::CheckBox, true, "Time budget"));
            ui.add_enabled(self.has_budget, DragValue::new(&mut self.budget_secs).range(1.0..=3600.0).suffix(" s"))
        });
        row(ui, "Caches", |ui| widgets::segmented(ui, &mut self.settings.caches, &CacheState::offered()));
    }
}

/// The shape of 2^k samples; an image must be square, so odd k have none.
fn shape(transform: &Transform, k: u32) -> Option<Shape> {
    match transform.axes {
        Axes::Rows | Axes::Columns => Some(Shape::line(1 << k)),
        Axes::Both => k.is_multiple_of(2).then(|| Shape { rows: 1 << (k / 2), columns: 1 << (k / 2) }),
    }
}

/// One or two names, or the first name and the number of the others.
fn short(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => "none".into(),
        [one] => one.as_ref().to_owned(),
        [one, two] => format!("{}, {}", one.as_ref(), two.as_ref()),
        [one, rest @ ..] => format!("{} and {} more", one.as_ref(), rest.len()),
    }
}

/// The text of a button that opens a menu of choices.
fn menu_text(names: &[impl AsRef<str>]) -> String {
    format!("{} …", short(names))
}

/// A check box in a menu for one value of a list.
fn toggle<T: PartialEq>(ui: &mut Ui, chosen: &mut Vec<T>, value: T, title: &str, about: &str) {
    let mut is_chosen = chosen.contains(&value);
    if ui.checkbox(&mut is_chosen, title).on_hover_text(about).changed() {
        match is_chosen {
            true => chosen.push(value),
            false => chosen.retain(|other| *other != value),
        }
    }
}

/// Names a list, and describes it by what is chosen.
fn named(response: &egui::Response, name: &str, chosen: &str) {
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(chosen));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_becomes_the_possible_lines() {
        let mut form = SweepForm { sizes: [4, 7], ..SweepForm::default() };
        form.transforms = vec!["walsh", "dft2"];
        form.algorithms = vec![None, Some("constant-geometry")];
        form.devices = vec![DeviceChoice::Cpu];
        let sweep = form.sweep();
        let lines: Vec<_> =
            sweep.lines.iter().map(|line| (line.transform.as_str(), line.algorithm.as_deref(), line.shapes.len())).collect();
        assert_eq!(lines, [("dft2", None, 2), ("walsh", None, 4), ("walsh", Some("constant-geometry"), 4)]);
        assert_eq!(short(&["a", "b", "c"]), "a and 2 more");
        assert!(sweep.lines.iter().all(|line| line.check().is_ok()));
    }
}
