//! What the user chooses for a sweep.

use super::super::parameters::parameters_ui;
use super::super::theme::GRID;
use super::super::widgets::{self, row};
use crate::bench::{Caches, Line, Settings, Sweep};
use crate::engine::{Cut, DeviceChoice};
use crate::gpu::AdapterInfo;
use crate::transforms::{Axes, Parameters, Shape, TRANSFORMS, Transform};
use egui::{Button, DragValue, Role, Ui, WidgetInfo};

/// Exponents of the sizes that can be chosen, in samples.
const EXPONENTS: std::ops::RangeInclusive<u32> = 2..=26;

/// What the user chooses for a sweep.
pub(super) struct Form {
    transforms: Vec<&'static str>,
    /// Names of algorithms; `None` is the fastest.
    algorithms: Vec<Option<&'static str>>,
    parameters: Parameters,
    devices: Vec<DeviceChoice>,
    cut: Cut,
    sizes: [u32; 2],
    settings: Settings,
    is_timed: bool,
    budget_secs: f64,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            transforms: vec![TRANSFORMS[0].name],
            algorithms: vec![None],
            parameters: Parameters::default(),
            devices: vec![DeviceChoice::Gpu, DeviceChoice::Cpu, DeviceChoice::CpuStrided, DeviceChoice::CpuParallel],
            cut: Cut::Tiles,
            sizes: [10, 18],
            settings: Settings::default(),
            is_timed: false,
            budget_secs: 60.0,
        }
    }
}

impl Form {
    /// Takes the transform of the work at hand.
    pub(super) fn take(&mut self, transform: &Transform, parameters: Parameters) {
        (self.transforms, self.algorithms, self.parameters) = (vec![transform.name], vec![None], parameters);
    }

    /// The transforms that are chosen, in the order of the table.
    fn chosen(&self) -> impl Iterator<Item = &'static Transform> + '_ {
        TRANSFORMS.iter().filter(|transform| self.transforms.contains(&transform.name))
    }

    /// What is to be measured.
    pub(super) fn sweep(&self) -> Sweep {
        let mut lines = Vec::new();
        for transform in self.chosen() {
            let shapes: Vec<Shape> = (self.sizes[0]..=self.sizes[1]).filter_map(|k| shape(transform, k)).collect();
            for algorithm in &self.algorithms {
                // What one transform is computed by need not suit another.
                if algorithm.is_some_and(|name| transform.algorithm(name).is_err()) {
                    continue;
                }
                for device in &self.devices {
                    lines.push(Line {
                        algorithm: algorithm.map(Into::into),
                        parameters: self.parameters,
                        cut: self.cut,
                        ..Line::new(transform.name, device.clone(), shapes.clone())
                    });
                }
            }
        }
        let budget_secs = self.is_timed.then_some(self.budget_secs);
        Sweep { name: self.transforms.join(", "), experiment: None, lines, settings: Settings { budget_secs, ..self.settings } }
    }

    /// Shows the choices; whether the sweep is to run.
    pub(super) fn ui(&mut self, ui: &mut Ui, adapters: &[AdapterInfo], is_busy: bool) -> bool {
        row(ui, "Transforms", |ui| {
            let text = menu_text(&self.transforms);
            let menu = ui.menu_button(text, |ui| {
                for transform in TRANSFORMS {
                    toggle(ui, &mut self.transforms, transform.name, transform.title, transform.about);
                }
            });
            named(&menu.response, "Transforms of the sweep");
            menu.response
        });
        row(ui, "Algorithms", |ui| {
            let text = menu_text(&self.algorithms.iter().map(|name| name.unwrap_or("fastest")).collect::<Vec<_>>());
            let menu = ui.menu_button(text, |ui| {
                toggle(ui, &mut self.algorithms, None, "fastest", "The one that is taken automatically");
                let mut seen: Vec<&str> = Vec::new();
                for algorithm in TRANSFORMS.iter().filter(|transform| self.transforms.contains(&transform.name)).flat_map(|t| t.algorithms)
                {
                    if !seen.contains(&algorithm.name) {
                        seen.push(algorithm.name);
                        toggle(ui, &mut self.algorithms, Some(algorithm.name), algorithm.name, algorithm.about);
                    }
                }
            });
            named(&menu.response, "Algorithms of the sweep");
            menu.response
        });
        if let [only] = self.chosen().collect::<Vec<_>>()[..] {
            parameters_ui(ui, &mut self.parameters, only, None);
        }
        row(ui, "Devices", |ui| {
            let text = menu_text(&self.devices.iter().map(ToString::to_string).collect::<Vec<_>>());
            let menu = ui.menu_button(text, |ui| {
                toggle(ui, &mut self.devices, DeviceChoice::Gpu, "GPU", "The first adapter");
                for adapter in adapters.iter().skip(1) {
                    toggle(ui, &mut self.devices, DeviceChoice::Adapter(adapter.index.to_string()), &adapter.name, &adapter.driver);
                }
                toggle(ui, &mut self.devices, DeviceChoice::Cpu, "CPU, one thread", "Loops that stay local (CPU B)");
                toggle(
                    ui,
                    &mut self.devices,
                    DeviceChoice::CpuStrided,
                    "CPU, one thread, strided loops",
                    "Loops that stride through memory (CPU A)",
                );
                toggle(ui, &mut self.devices, DeviceChoice::CpuParallel, "CPU, all cores", "The work is shared");
            });
            named(&menu.response, "Devices of the sweep");
            menu.response
        });
        let cuts = [(Cut::Tiles, "Tiles", "As few launches as possible"), (Cut::Stages, "Stages", "One launch a stage, as in the papers")];
        row(ui, "Launches", |ui| widgets::segmented(ui, &mut self.cut, &cuts));
        self.sizes_ui(ui);
        self.method_ui(ui);
        ui.add_space(GRID);
        let n_cases: usize = self.sweep().lines.iter().map(|line| line.shapes.len()).sum();
        let run = ui.add_enabled(!is_busy && n_cases > 0, Button::new("Run sweep"));
        let run = run.on_hover_text(format!("Measure {n_cases} cases in rounds, each in another order"));
        widgets::weak(ui, format!("{n_cases} cases"));
        run.clicked()
    }

    fn sizes_ui(&mut self, ui: &mut Ui) {
        let [low, high] = &mut self.sizes;
        row(ui, "Sizes from", |ui| ui.add(DragValue::new(low).range(EXPONENTS).prefix("2^")));
        *high = (*high).max(*low);
        row(ui, "to", |ui| ui.add(DragValue::new(high).range(*low..=*EXPONENTS.end()).prefix("2^")));
    }

    fn method_ui(&mut self, ui: &mut Ui) {
        row(ui, "Runs", |ui| {
            let runs = ui.add(DragValue::new(&mut self.settings.repeat).range(1..=1000));
            runs.on_hover_text("Runs of every case that count, spread over six rounds")
        });
        row(ui, "Budget", |ui| {
            let check = ui.checkbox(&mut self.is_timed, "");
            check.widget_info(|| WidgetInfo::labeled(Role::CheckBox, true, "Budget of time"));
            ui.add_enabled(self.is_timed, DragValue::new(&mut self.budget_secs).range(1.0..=3600.0).suffix(" s"))
        });
        let caches = [
            (Caches::Cold, "Cold", "Several inputs in turn, so that no run finds its own in the caches"),
            (Caches::Warm, "Warm", "The same input again and again"),
        ];
        row(ui, "Caches", |ui| widgets::segmented(ui, &mut self.settings.caches, &caches));
    }
}

/// The shape of 2^k samples, where the transform has one.
fn shape(transform: &Transform, k: u32) -> Option<Shape> {
    match transform.axes {
        Axes::Rows | Axes::Columns => Some(Shape::line(1 << k)),
        Axes::Both => k.is_multiple_of(2).then(|| Shape { rows: 1 << (k / 2), columns: 1 << (k / 2) }),
    }
}

/// The first names, and how many more there are.
fn short(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => "none".into(),
        [one] => one.as_ref().to_owned(),
        [one, two] => format!("{}, {}", one.as_ref(), two.as_ref()),
        [one, rest @ ..] => format!("{} and {} more", one.as_ref(), rest.len()),
    }
}

/// The same on a button that lets choose.
fn menu_text(names: &[impl AsRef<str>]) -> String {
    format!("{} …", short(names))
}

/// An entry of a menu that is chosen or not.
fn toggle<T: PartialEq>(ui: &mut Ui, chosen: &mut Vec<T>, value: T, title: &str, about: &str) {
    let mut is_chosen = chosen.contains(&value);
    if ui.checkbox(&mut is_chosen, title).on_hover_text(about).changed() {
        match is_chosen {
            true => chosen.push(value),
            false => chosen.retain(|other| *other != value),
        }
    }
}

fn named(response: &egui::Response, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_becomes_the_lines_that_can_be() {
        let mut form = Form { sizes: [4, 7], ..Form::default() };
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
