//! Files that are dropped on the window, and data from the clipboard.

use super::origin::{LoadTable, Origin, SecondOrigin, TableReading, load_from_bytes};
use super::session::is_session;
use super::theme::Tokens;
use super::workspace::Workspace;
use crate::signal::{Channel, Samples, Signal, SignalKind};
use crate::transforms::Input;
use egui::{Align2, ColorImage, Context, Event, FontId, HoveredFile, Id, LayerId, Order, Stroke, StrokeKind};
use std::path::PathBuf;
use std::sync::Arc;

/// Says what a drop will do while files hover over the window. With `takes_two`, a second file is convolved with the first.
pub(super) fn overlay_ui(ctx: &Context, takes_two: bool) {
    let hovered = ctx.input(|input| input.raw.hovered_files.clone());
    let Some(first) = hovered.first() else { return };
    let tokens = Tokens::of(ctx.theme());
    let name = |file: &HoveredFile| Some(file.path.as_ref()?.file_name()?.to_string_lossy().into_owned());
    let second = hovered.get(1).filter(|_| takes_two).and_then(name);
    let text = match (name(first), second, hovered.len()) {
        (Some(name), _, 1) => format!("Drop to open {name}"),
        (Some(name), Some(second), _) => format!("Drop to open {name} and convolve it with {second}"),
        (Some(name), None, n) => format!("Drop to open {name}, the first of {n} files"),
        (None, ..) => "Drop to open".to_owned(),
    };
    let painter = ctx.layer_painter(LayerId::new(Order::Foreground, Id::unique("drop zone")));
    let rect = ctx.content_rect();
    painter.rect_filled(rect, 0.0, tokens.ground.gamma_multiply(0.85));
    painter.rect_stroke(rect.shrink(12.0), 8.0, Stroke::new(2.0, tokens.accent), StrokeKind::Inside);
    painter.text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(20.0), tokens.text);
}

/// Opens the dropped files as tabs; for a convolution the first, and the second as its second signal.
pub(super) fn take_dropped(workspace: &mut Workspace, ctx: &Context) {
    let dropped = ctx.input(|input| input.raw.dropped_files.clone());
    let mut files = dropped.iter();
    let Some(first) = files.next() else { return };
    if workspace.memory.settings.transform().input == Input::TwoSignals
        && let Some(second) = files.clone().next().filter(|second| second.path().is_absolute())
    {
        workspace.memory.settings.second = SecondOrigin::Other(Origin::File(second.path().to_owned()));
    }
    for other in files {
        workspace.memory.recent.insert(0, other.path().to_owned());
    }
    let paths: Vec<PathBuf> = dropped.iter().map(|file| file.path().to_owned()).collect();
    let are_signals = paths.iter().all(|path| path.is_absolute() && !is_session(path));
    if paths.len() > 1 && are_signals && workspace.memory.settings.transform().input != Input::TwoSignals {
        return workspace.open_several(paths);
    }
    if first.path().is_absolute() {
        return workspace.open_file(first.path().to_owned());
    }
    let (name, first) = (first.path().display().to_string(), first.clone());
    workspace.take_pasted(&format!("Reading {name}"), load_from_bytes(name, move || Ok(first.bytes()?.into())));
}

/// Takes an image, numbers or a file name from the clipboard, unless a text field has the focus.
pub(super) fn take_clipboard(workspace: &mut Workspace, ctx: &Context) {
    if ctx.text_edit_focused() {
        return;
    }
    let events = ctx.input(|input| input.events.clone());
    for event in events {
        match event {
            Event::Paste(text) => match pasted_file(&text) {
                Some(path) => workspace.memory.settings.open(Origin::File(path)),
                None => {
                    let bytes: Arc<[u8]> = text.into_bytes().into();
                    workspace.take_pasted("Reading the clipboard", load_from_bytes("Clipboard".into(), move || Ok(bytes.clone())));
                }
            },
            Event::PasteImage(image) => workspace.take_pasted("Reading the clipboard", load_from_image(image)),
            _ => {}
        }
    }
}

/// File managers put names of files into the clipboard.
fn pasted_file(text: &str) -> Option<PathBuf> {
    let line = text.lines().next()?.trim();
    let path = PathBuf::from(line.strip_prefix("file://").unwrap_or(line));
    (path.is_absolute() && path.is_file()).then_some(path)
}

fn load_from_image(image: Arc<ColorImage>) -> LoadTable {
    Arc::new(move |_: &TableReading| {
        let image = image.clone();
        Arc::new(move |_: &_| Ok(signal_of_image(&image)?))
    })
}

/// The channels of an image of the clipboard; one where it is gray.
fn signal_of_image(image: &ColorImage) -> Result<Signal, String> {
    let [columns, rows] = image.size;
    if rows == 0 || columns == 0 {
        return Err("the image in the clipboard has no pixels".into());
    }
    let channel = |name: &str, of: fn(&egui::Color32) -> u8| Channel::new(name, Samples::U8(image.pixels.iter().map(of).collect()));
    let is_gray = image.pixels.iter().all(|pixel| pixel.r() == pixel.g() && pixel.g() == pixel.b());
    let channels = if is_gray {
        vec![channel("gray", egui::Color32::r)]
    } else {
        vec![channel("red", egui::Color32::r), channel("green", egui::Color32::g), channel("blue", egui::Color32::b)]
    };
    Ok(Signal::from_channels("Clipboard", SignalKind::Image, (rows, columns), channels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Color32;

    #[test]
    fn a_gray_image_has_one_channel() {
        let gray = ColorImage::new([2, 1], vec![Color32::from_gray(7), Color32::from_gray(9)]);
        let signal = signal_of_image(&gray).expect("it is an image");
        assert_eq!(signal.channels, [Channel::new("gray", Samples::U8(vec![7, 9]))]);
        let colour = ColorImage::new([1, 1], vec![Color32::from_rgb(1, 2, 3)]);
        assert!(signal_of_image(&colour).expect("it is an image").is_colour());
    }

    #[test]
    fn numbers_are_not_mistaken_for_a_file() {
        assert_eq!(pasted_file("1\n2\n3"), None);
        assert_eq!(pasted_file("/no/such/file"), None);
    }
}
