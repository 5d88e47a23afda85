//! A line to type a path into, where the system has no file dialog.

use super::theme::{GRID, Tokens};
use super::widgets;
use egui::{Context, Id, Key, Modal, Role, TextEdit, Ui, WidgetInfo};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A path that a thread waits for.
pub(super) struct Asked {
    title: String,
    text: String,
    /// Whether a file is to be written there.
    is_new: bool,
    answer: Sender<PathBuf>,
}

impl Asked {
    /// A question, and where its answer arrives; when the question goes without one, the user does not want it.
    pub(super) fn new(title: &str, name: &str, is_new: bool) -> (Self, Receiver<PathBuf>) {
        let (answer, answers) = channel();
        (Self { title: title.into(), text: name.into(), is_new, answer }, answers)
    }

    /// Shows the question; whether it is still open.
    pub(super) fn ui(&mut self, ctx: &Context) -> bool {
        let modal = Modal::new(Id::unique("path")).show(ctx, |ui| self.line_ui(ui));
        !modal.inner && !modal.should_close()
    }

    /// Title, line and buttons; whether that was all.
    fn line_ui(&mut self, ui: &mut Ui) -> bool {
        ui.set_width(480.0);
        ui.strong(&self.title);
        let why = "No file dialog opens here: neither a desktop portal nor zenity answers. Type the path of the file.";
        widgets::weak(ui, why);
        ui.add_space(GRID);
        let edit = ui.add(TextEdit::singleline(&mut self.text).hint_text("folder/name").desired_width(f32::INFINITY));
        edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of the file"));
        let is_entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let path = path_of(&self.text);
        let (note, is_right) = verdict(&path, self.is_new);
        let tokens = Tokens::current(ui);
        ui.colored_label(if is_right { tokens.weak } else { tokens.warning }, note);
        ui.add_space(GRID);
        let (mut is_done, mut is_wanted) = (false, is_entered);
        ui.horizontal(|ui| {
            is_wanted |= ui.add_enabled(is_right, egui::Button::new(if self.is_new { "Write" } else { "Open" })).clicked();
            is_done = ui.button("Cancel").clicked();
        });
        if is_wanted && is_right {
            // Nobody waits any more where the program ends.
            let _ = self.answer.send(path);
            return true;
        }
        if !is_done && !edit.has_focus() {
            edit.request_focus();
        }
        is_done
    }
}

/// The path that was typed; a tilde before it is the home of the user.
fn path_of(text: &str) -> PathBuf {
    let text = text.trim();
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => text.into(),
    }
}

/// What is to be said of a path, and whether it can be taken.
fn verdict(path: &std::path::Path, is_new: bool) -> (String, bool) {
    let shown = std::path::absolute(path).unwrap_or_else(|_| path.into()).display().to_string();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match is_new {
        _ if path.as_os_str().is_empty() => (String::new(), false),
        _ if path.is_dir() => (format!("{shown} is a folder: add the name of a file"), false),
        false if !path.exists() => (format!("There is no {shown}"), false),
        true if folder.is_some_and(|folder| !folder.is_dir()) => (format!("{shown} is in no folder that exists"), false),
        true if path.exists() => (format!("{shown} exists and will be replaced"), true),
        _ => (shown, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_said_before_it_is_tried() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let file = folder.path().join("a.csv");
        std::fs::write(&file, "1\n").expect("the folder is there");
        let told = |path: &str, is_new: bool| verdict(&folder.path().join(path), is_new);
        assert!(told("a.csv", false).1 && told("b.csv", true).1);
        for (path, is_new, words, is_right) in [
            ("a.csv", true, "will be replaced", true),
            ("b.csv", false, "There is no", false),
            ("", true, "is a folder", false),
            ("none/b.csv", true, "in no folder", false),
        ] {
            let (note, right) = told(path, is_new);
            assert!(note.contains(words) && right == is_right, "{path}: {note}");
        }
        assert_eq!(verdict(&path_of("  "), true).1, false);
        assert!(path_of("~/a.csv").is_absolute());
    }
}
