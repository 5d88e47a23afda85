//! A prompt to type a path into, where the system has no file dialog.

mod listing;

use super::relayout::lay_out_again;
use super::theme::{GRID, Tokens};
use super::widgets;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, Id, Key, Modal, Role, ScrollArea, TextEdit, Ui, WidgetInfo};
use listing::{Listing, begin_of_name, common_beginning};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The prompt for a path that a task waits for.
pub(super) struct PathPrompt {
    title: String,
    text: String,
    /// The ending of the proposed name with its dot, which stays behind the stem that is typed over.
    ending: String,
    /// The folder of the proposed name with its separator, which gives way to a whole path that is typed behind it.
    folder: String,
    /// The endings that a new file may have, with their dots.
    endings: Vec<String>,
    wanted: Wanted,
    answer: Sender<Vec<PathBuf>>,
    /// Whether it has yet to be shown.
    is_new: bool,
    listing: Listing,
}

/// The height of the list of names, in points: it stays, so that nothing moves while one types.
const HEIGHT_OF_NAMES: f32 = 176.0;

/// The purpose of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A file that exists.
    Existing,
    /// One or several of them.
    Several,
    /// A file that will be written.
    New,
}

impl PathPrompt {
    /// A prompt, and the channel on which the paths arrive. The channel closes without any when the user cancels.
    pub(super) fn new(title: &str, name: &str, wanted: Wanted, endings: Vec<String>) -> (Self, Receiver<Vec<PathBuf>>) {
        let (answer, answers) = channel();
        let ending = name.chars().skip(stem(name).end).collect();
        let folder = name.chars().take(stem(name).start).collect();
        (
            Self {
                title: title.into(),
                text: name.into(),
                ending,
                folder,
                endings,
                wanted,
                answer,
                is_new: true,
                listing: Listing::default(),
            },
            answers,
        )
    }

    /// Shows the prompt; returns whether it is still open.
    pub(super) fn ui(&mut self, ctx: &Context) -> bool {
        let modal = Modal::new(Id::unique("path")).show(ctx, |ui| self.line_ui(ui));
        !modal.inner && !modal.should_close()
    }

    /// Title, line and buttons; returns whether the prompt is done.
    fn line_ui(&mut self, ui: &mut Ui) -> bool {
        ui.set_width(480.0);
        ui.strong(&self.title);
        let why = "No file dialog opens here: neither a desktop portal nor zenity answers. Type the path of the file";
        let several = if self.wanted == Wanted::Several { "; semicolons stand between several." } else { "." };
        widgets::weak(ui, format!("{why}{several}"));
        ui.add_space(GRID);
        let edit = ui.add(
            TextEdit::singleline(&mut self.text)
                .align(egui::Align2::LEFT_CENTER)
                .hint_text("folder/name")
                .desired_width(f32::INFINITY)
                // Tab completes the name.
                .lock_focus(true),
        );
        edit.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of the file"));
        if std::mem::take(&mut self.is_new) {
            select(ui.ctx(), edit.id, stem(&self.text));
        }
        let length = length_without(&self.ending, &self.text, &self.endings);
        if edit.changed() && length < self.text.len() {
            self.text.truncate(length);
            // The field has been painted with both endings.
            lay_out_again(ui);
        }
        let typed = self.text.strip_prefix(&self.folder).filter(|typed| !self.folder.is_empty() && Path::new(typed).is_absolute());
        if let Some(typed) = typed.filter(|_| edit.changed()).map(ToOwned::to_owned) {
            let end = typed.strip_suffix(&self.ending).unwrap_or(&typed).chars().count();
            self.text = typed;
            select(ui.ctx(), edit.id, end..end);
            lay_out_again(ui);
        }
        self.names_ui(ui, edit.id);
        let is_entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let paths = paths_of(&self.text, self.wanted);
        let verdicts: Vec<_> = paths.iter().map(|path| verdict(path, self.wanted == Wanted::New)).collect();
        let wrong = verdicts.iter().find(|(_, is_right)| !is_right).or(verdicts.last());
        let (note, is_right) = wrong.cloned().unwrap_or_default();
        let tokens = Tokens::current(ui);
        ui.colored_label(if is_right { tokens.weak } else { tokens.warning }, note);
        ui.add_space(GRID);
        let (mut is_done, mut is_wanted) = (false, is_entered);
        ui.horizontal(|ui| {
            is_wanted |= ui.add_enabled(is_right, egui::Button::new(if self.wanted == Wanted::New { "Write" } else { "Open" })).clicked();
            is_done = ui.button("Cancel").clicked();
        });
        if is_wanted && is_right {
            // The task no longer waits when the program ends.
            let _ = self.answer.send(paths);
            return true;
        }
        if !is_done && !edit.has_focus() {
            edit.request_focus();
        }
        is_done
    }
}

impl PathPrompt {
    /// Lists what is in the folder that is typed. A click takes a name, and Tab takes what all of them begin with.
    fn names_ui(&mut self, ui: &mut Ui, field: Id) {
        let begin = begin_of_name(&self.text, self.wanted == Wanted::Several);
        let before = if self.wanted == Wanted::Several { self.text[..begin].rfind(';').map_or(0, |at| at + 1) } else { 0 };
        let names = self.listing.names(ui.ctx(), &path_of(&self.text[before..begin]), &self.text[begin..]);
        let has_tab = ui.memory(|memory| memory.has_focus(field)) && ui.input(|input| input.key_pressed(Key::Tab));
        let mut taken = common_beginning(&names).filter(|_| has_tab).map(str::to_owned);
        ScrollArea::vertical().max_height(HEIGHT_OF_NAMES).min_scrolled_height(HEIGHT_OF_NAMES).auto_shrink([false, false]).show(
            ui,
            |ui| {
                for name in &names {
                    if ui.selectable_label(false, name.as_str()).clicked() {
                        taken = Some(name.clone());
                    }
                }
            },
        );
        if let Some(name) = taken {
            self.text.truncate(begin);
            self.text.push_str(&name);
            let end = self.text.chars().count();
            select(ui.ctx(), field, end..end);
        }
    }
}

/// Selects characters of a text field, so that typing replaces them.
fn select(ctx: &Context, field: Id, characters: Range<usize>) {
    let mut state = TextEditState::load(ctx, field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(characters.start), CCursor::new(characters.end))));
    state.store(ctx, field);
}

/// The characters of a path that name the file, without its folder and its ending.
fn stem(path: &str) -> Range<usize> {
    let begin = path.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let end = path[begin..].rfind('.').filter(|at| *at > 0).map_or(path.len(), |at| begin + at);
    let count = |text: &str| text.chars().count();
    count(&path[..begin])..count(&path[..end])
}

/// The length of a path without the proposed ending, where the stem before it was typed over with a whole name.
fn length_without(ending: &str, path: &str, endings: &[String]) -> usize {
    let typed = path.strip_suffix(ending).filter(|typed| endings.iter().any(|known| typed.ends_with(known.as_str())));
    typed.map_or(path.len(), str::len)
}

/// The paths that were typed.
fn paths_of(text: &str, wanted: Wanted) -> Vec<PathBuf> {
    let whole = path_of(text);
    if wanted != Wanted::Several || whole.exists() {
        return vec![whole];
    }
    text.split(';').filter(|part| !part.trim().is_empty()).map(path_of).collect()
}

/// The path that was typed; a leading tilde means the home folder.
fn path_of(text: &str) -> PathBuf {
    let text = text.trim();
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => text.into(),
    }
}

/// A note on a path, and whether the path can be used.
fn verdict(path: &Path, is_new: bool) -> (String, bool) {
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
    fn an_unusable_path_is_named_before_it_is_tried() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let file = folder.path().join("a.csv");
        std::fs::write(&file, "1\n").expect("the folder is there");
        let checked = |path: &str, is_new: bool| verdict(&folder.path().join(path), is_new);
        assert!(checked("a.csv", false).1 && checked("b.csv", true).1);
        for (path, is_new, words, is_right) in [
            ("a.csv", true, "will be replaced", true),
            ("b.csv", false, "There is no", false),
            ("", true, "is a folder", false),
            ("none/b.csv", true, "in no folder", false),
        ] {
            let (note, right) = checked(path, is_new);
            assert!(note.contains(words) && right == is_right, "{path}: {note}");
        }
        assert!(!verdict(&path_of("  "), true).1);
        let several = format!("{} ; b.csv;", file.display());
        assert_eq!(paths_of(&several, Wanted::Several), [file, "b.csv".into()]);
        assert_eq!(paths_of("a;b", Wanted::Existing), [PathBuf::from("a;b")]);
        assert!(path_of("~/a.csv").is_absolute());
    }

    #[test]
    fn a_name_with_its_ending_replaces_the_proposed_one() {
        let endings = [".png", ".svg", ".tif", ".tiff"].map(str::to_owned);
        for (path, left) in [
            ("/tmp/view.png.png", "/tmp/view.png"),
            ("view.svg.png", "view.svg"),
            ("view.tif.png", "view.tif"),
            ("view.2.png", "view.2.png"),
            ("view.sv.png", "view.sv.png"),
            ("view.svg", "view.svg"),
            (".png", ".png"),
        ] {
            assert_eq!(&path[..length_without(".png", path, &endings)], left, "{path}");
        }
        assert_eq!(length_without("", "folder/a.svg", &endings), 12, "where nothing was proposed, nothing is taken away");
    }

    #[test]
    fn the_stem_is_the_name_without_folder_and_ending() {
        for (path, characters) in [("session.json", 0..7), ("/home/α.b/ω.c.csv", 10..13), (".hidden", 0..7), ("folder/", 7..7), ("", 0..0)]
        {
            assert_eq!(stem(path), characters, "{path}");
        }
    }
}
