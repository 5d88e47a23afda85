//! The description and the notes of a signal, and the choice of a channel.

use crate::signal::{ChannelChoice as Channel, Signal};
use crate::ui::widgets;
use egui::Ui;

/// Shows a description and the notes of a signal.
pub(super) fn facts_ui(ui: &mut Ui, signal: &Signal, description: String) {
    ui.add(egui::Label::new(description).wrap());
    notes_ui(ui, signal);
}

/// Shows the notes that a signal carries, a line each.
pub(super) fn notes_ui(ui: &mut Ui, signal: &Signal) {
    for note in &signal.notes {
        ui.horizontal_top(|ui| {
            widgets::note_sign(ui);
            ui.add(egui::Label::new(&note.text).wrap());
        });
    }
}

/// Shows the choice of a channel, `width` points wide: luminance and colours of a colour image, or the channels of another signal.
pub(super) fn channel_ui(ui: &mut Ui, width: Option<f32>, channel: &mut Channel, signal: &Signal) {
    if signal.channels.len() < 2 {
        return;
    }
    if signal.is_colour() {
        let choices = [
            (Channel::Luma, "Luminance", "0.299 R + 0.587 G + 0.114 B"),
            (Channel::Red, "Red", "The red channel"),
            (Channel::Green, "Green", "The green channel"),
            (Channel::Blue, "Blue", "The blue channel"),
        ];
        let shown = choices.iter().find(|(choice, ..)| choice == channel).map_or(choices[0].1, |(_, name, _)| name);
        let others = (3..signal.channels.len()).map(Channel::Channel);
        let shown = if others.clone().any(|other| other == *channel) { signal.channel_name(*channel) } else { shown.to_owned() };
        let others = others.map(|other| (other, signal.channel_name(other), String::new()));
        let choices = choices.map(|(choice, name, about)| (choice, name.to_owned(), about.to_owned())).into_iter().chain(others);
        widgets::row(ui, "Channel", |ui| {
            widgets::combo_of_width(ui, "Channel", width.unwrap_or(ui.available_width()), shown, channel, choices)
        });
        return;
    }
    let iq =
        signal.iq().map(|_| (Channel::Iq, "I/Q".to_owned(), "The channels as the real and imaginary parts of complex samples".to_owned()));
    let mix = (signal.rows == 1).then(|| (Channel::Mix, "Mix".to_owned(), "The mean of all channels".to_owned()));
    let mut chosen = match *channel {
        Channel::Iq if iq.is_some() => Channel::Iq,
        Channel::Mix if mix.is_some() => Channel::Mix,
        Channel::Channel(index) if index < signal.channels.len() => Channel::Channel(index),
        _ => Channel::Channel(0),
    };
    let own = signal.channels.iter().enumerate().map(|(index, channel)| (Channel::Channel(index), channel.label(), String::new()));
    let choices: Vec<_> = own.chain(mix).chain(iq).collect();
    let name = choices.iter().find(|(choice, ..)| *choice == chosen).map_or_else(String::new, |(_, name, _)| name.clone());
    let list = |ui: &mut Ui| widgets::combo_of_width(ui, "Channel", width.unwrap_or(ui.available_width()), name, &mut chosen, choices);
    // Among other controls the name takes no column.
    let response = if width.is_some() { widgets::labelled(ui, "Channel", list) } else { widgets::row(ui, "Channel", list) };
    if response.changed() {
        *channel = chosen;
    }
}
