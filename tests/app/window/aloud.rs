//! Jobs by names and keys alone, as a person does them who hears the window; and what is read aloud then, as a text.
//!
//! The texts are in `tests/app/window/aloud`: `cargo test --test app -- --ignored write_what_is_read_aloud` writes them anew.
//! They have the controls and pictures with their names and values. Other texts tell times and devices, which differ between machines.

use super::{Window, settle, window};
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::kittest::NodeT as _;
use papillon::ui::Memory;
use std::path::{Path, PathBuf};

/// A job: the name of its text, and how it is done by keys.
type Job = (&'static str, fn(&mut Keys));

const JOBS: [Job; 5] = [
    ("stripes", |keys| {
        keys.go("Filtered", "Add");
        keys.open_and_take("Horizontal stripes");
        keys.hears("Shape 1: stripes");
    }),
    ("transform", |keys| {
        keys.go("Transform", "Transform");
        keys.open_and_take("Walsh 2-D");
        keys.hears("Sequency");
    }),
    ("function", |keys| {
        keys.press(Modifiers::COMMAND, Key::Num5);
        keys.go("Source", "f(5) = 0");
        keys.press(Modifiers::NONE, Key::Space);
        keys.hears("f(5) = 1");
    }),
    ("system", |keys| {
        keys.press(Modifiers::COMMAND, Key::Num7);
        keys.go("System", "Residual");
        keys.press(Modifiers::NONE, Key::Space);
        keys.hears("Residual plot, ");
    }),
    ("course", |keys| {
        keys.press(Modifiers::COMMAND, Key::K);
        keys.0.event(egui::Event::Text("Constant geometry".into()));
        keys.0.run_steps(3);
        keys.press(Modifiers::NONE, Key::Enter);
        keys.go("Learn", "1");
        keys.press(Modifiers::NONE, Key::Enter);
        keys.hears("1: as you predicted");
    }),
];

/// A window that is worked with by keys.
struct Keys(Window);

impl Keys {
    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.0.key_press_modifiers(modifiers, key);
        self.0.run_steps(3);
        settle(&mut self.0);
    }

    /// The widget that has the focus.
    fn focused(&self) -> String {
        let node = self.0.root().children_recursive().find(|node| node.accesskit_node().is_focused());
        node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    }

    /// Presses a key until the control with this name has the focus.
    fn until(&mut self, key: Key, name: &str) {
        let mut heard = Vec::new();
        for _ in 0..120 {
            self.0.key_press(key);
            self.0.run_steps(2);
            heard.push(self.focused());
            if heard.last().is_some_and(|focused| focused == name) {
                return;
            }
        }
        panic!("{key:?} does not reach “{name}”: {heard:?}");
    }

    /// Goes to a control of a pane.
    fn go(&mut self, pane: &str, control: &str) {
        self.until(Key::F6, &format!("Pane: {pane}"));
        self.until(Key::Tab, control);
    }

    /// Opens the list or the menu that has the focus, and takes an entry.
    fn open_and_take(&mut self, entry: &str) {
        self.press(Modifiers::NONE, Key::Enter);
        self.until(Key::ArrowDown, entry);
        self.press(Modifiers::NONE, Key::Enter);
    }

    fn hears(&self, words: &str) {
        assert!(super::says(&self.0, words), "nothing is read with “{words}”:\n{}", read_aloud(&self.0));
    }
}

/// The text that is read aloud in the window: its controls and pictures, each with its role, name, value and state.
fn read_aloud(window: &Window) -> String {
    let line = |node: egui_kittest::Node<'_>| {
        let node = node.accesskit_node();
        if matches!(node.role(), Role::Label | Role::TextRun | Role::Unknown | Role::GenericContainer) {
            return None;
        }
        let (name, value) = (node.label().unwrap_or_default(), node.value().or(node.numeric_value().map(|value| value.to_string())));
        // An offer of the faster algorithm rests on times, too.
        if name.contains(" × as fast") || name.is_empty() && value.is_none() {
            return None;
        }
        let value = value.map(|value| format!(" = {value}")).unwrap_or_default();
        let state = [
            (node.toggled() == Some(Toggled::True), ", on"),
            (node.toggled() == Some(Toggled::False), ", off"),
            (node.is_disabled(), ", disabled"),
            (node.is_focused(), ", focused"),
        ];
        let state: String = state.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
        Some(format!("{:?} “{name}”{value}{state}\n", node.role()))
    };
    window.root().children_recursive().filter_map(line).collect()
}

/// The text that is read aloud after a job.
fn after(job: fn(&mut Keys)) -> String {
    let mut keys = Keys(window(Memory::default(), Vec::new()));
    job(&mut keys);
    read_aloud(&keys.0)
}

fn text_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/app/window/aloud/{name}.txt"))
}

#[test]
fn five_jobs_are_done_by_names_and_keys_alone() {
    for (name, job) in JOBS {
        let (expected, heard) = (std::fs::read_to_string(text_file(name)).unwrap_or_default(), after(job));
        assert!(heard == expected, "“{name}” is read in another way:\n{heard}");
    }
}

/// A control without a name is a riddle for somebody who hears the window.
#[test]
fn every_control_has_a_name() {
    for preset in <papillon::ui::Preset as strum::IntoEnumIterator>::iter() {
        let window = window(Memory::of_preset(preset), Vec::new());
        let nameless: Vec<_> = (window.root().children_recursive())
            .filter(|node| {
                let node = node.accesskit_node();
                let is_control = matches!(
                    node.role(),
                    Role::Button | Role::CheckBox | Role::ComboBox | Role::Slider | Role::SpinButton | Role::TextInput
                );
                is_control && node.label().unwrap_or_default().trim().is_empty()
            })
            .map(|node| format!("{:?} at {:?}", node.accesskit_node().role(), node.rect()))
            .collect();
        assert!(nameless.is_empty(), "{preset:?}: {nameless:?}");
    }
}

#[test]
#[ignore = "writes tests/app/window/aloud"]
fn write_what_is_read_aloud() {
    for (name, job) in JOBS {
        std::fs::write(text_file(name), after(job)).unwrap();
    }
}
