//! The controls of a stream: pause, traces, frames, what is kept, trigger and saving.

use super::PANE;
use super::looking::Looking;
use crate::choice::Named as _;
use crate::engine::{Counted, LiveSettings, LiveStream, Trigger};
use crate::numerals::integer;
use crate::signal::ChannelChoice;
use crate::spectra::Trace;
use crate::ui::toolbar::{Toolbar, toolbar};
use crate::ui::widgets;
use egui::{DragValue, Role, Ui, WidgetInfo};
use std::ops::RangeInclusive;

/// The lengths of frames that are offered, as powers of two.
const LENGTHS: RangeInclusive<u32> = 7..=14;

/// The settings of streams, which are kept for the next one.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub(super) struct StreamLook {
    pub(super) settings: LiveSettings,
    pub(super) trace: Trace,
    /// Whether the holds are behind the trace.
    pub(super) has_holds: bool,
    /// Whether the frequencies of the trace are on a logarithmic axis.
    pub(super) log_axis: bool,
    /// The levels of the first and the last colour; `None` follows the picture.
    pub(super) range: Option<[f32; 2]>,
}

/// The control that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressed {
    Save,
    Open,
}

/// The row of controls, which the stream follows; returns what was pressed, and whether the frames are other ones from now on.
pub(super) fn controls_ui(
    ui: &mut Ui,
    look: &mut StreamLook,
    (stream, looking): (&LiveStream, &mut Looking),
    counted: Option<&Counted>,
) -> (Option<Pressed>, bool) {
    let before = look.settings.length;
    let pressed = toolbar(ui, PANE.title, |bar| {
        bar.kept("pause", |ui| {
            let name = if looking.held().is_some() { "Go on" } else { "Pause" };
            if ui.button(name).on_hover_text("Holds what is shown; the stream goes on and is kept (Space)").clicked() {
                looking.toggle(&stream.state());
            }
        });
        traces_ui(bar, look, stream);
        if counted.is_some_and(|counted| !counted.is_complex) {
            bar.log_axis(&mut look.log_axis);
        }
        let pressed = bar.kept("save", save_ui).flatten();
        frames_ui(bar, look, counted);
        if let Some(counted) = counted {
            trigger_ui(bar, &mut look.settings.trigger, (looking, counted));
        }
        pressed
    });
    stream.set(look.settings);
    (pressed, look.settings.length != before)
}

fn save_ui(ui: &mut Ui) -> Option<Pressed> {
    let save = ui.button("Save part…").on_hover_text("Writes the samples that are marked, or that are seen, as far as they are kept");
    let open =
        ui.button("Open part").on_hover_text("Makes the same samples a source, for the spectrum, the spectrogram and every other pane");
    [(save, Pressed::Save), (open, Pressed::Open)].into_iter().find(|(button, _)| button.clicked()).map(|(_, pressed)| pressed)
}

fn traces_ui(bar: &mut Toolbar<'_>, look: &mut StreamLook, stream: &LiveStream) {
    bar.item("trace", |ui| {
        let offered = Trace::offered().into_iter().map(|(trace, title, about)| (trace, title.to_owned(), about.to_owned()));
        widgets::combo_of_width(ui, "Trace of the stream", 112.0, look.trace.title(), &mut look.trace, offered)
            .on_hover_text(look.trace.about())
    });
    bar.item("holds", |ui| {
        widgets::toggle(ui, &mut look.has_holds, "Holds").on_hover_text("The largest and the smallest power behind the trace");
        if ui.button("Reset").on_hover_text("Means and holds begin anew").clicked() {
            stream.reset();
        }
    });
    bar.item("memory", |ui| {
        let settings = &mut look.settings;
        drag(
            ui,
            (&mut settings.memory, 0.0..=60.0, " s"),
            ("mean ", "Memory of the recent mean in seconds"),
            "A frame loses all but 1/e of its weight in this time",
        );
        drag(
            ui,
            (&mut settings.decay, 0.0..=200.0, " dB/s"),
            ("decay ", "Decay of the holds in decibels a second"),
            "How fast holds are given up; 0 holds for ever",
        );
    });
}

fn frames_ui(bar: &mut Toolbar<'_>, look: &mut StreamLook, counted: Option<&Counted>) {
    let settings = &mut look.settings;
    bar.item("length", |ui| {
        let offered = LENGTHS.map(|power| 1_usize << power).map(|n| (n, integer(n), String::new()));
        widgets::combo_of_width(ui, "Samples of a frame of the stream", 72.0, integer(settings.length), &mut settings.length, offered)
            .on_hover_text("Samples of a frame; another number begins the waterfall anew")
    });
    bar.item("keeps", |ui| {
        drag(
            ui,
            (&mut settings.keeps, 1.0..=3600.0, " s"),
            ("keep ", "Seconds of the stream that are kept"),
            "The time that can be scrolled back and saved; another one begins the waterfall anew",
        );
    });
    let n = counted.map_or(1, |counted| counted.n_channels);
    if n > 1 {
        bar.item("channel", |ui| {
            let title = |channel: ChannelChoice| match channel {
                ChannelChoice::Channel(index) => format!("channel {}", index + 1),
                _ => "channel 1".to_owned(),
            };
            let choice = |index: usize| if index == 0 { ChannelChoice::default() } else { ChannelChoice::Channel(index) };
            let offered = (0..n).map(|index| (choice(index), title(choice(index)), String::new()));
            widgets::combo_of_width(ui, "Channel of the stream", 88.0, title(settings.channel), &mut settings.channel, offered)
        });
    }
}

fn trigger_ui(bar: &mut Toolbar<'_>, trigger: &mut Option<Trigger>, (looking, counted): (&mut Looking, &Counted)) {
    bar.item("trigger", |ui| {
        let mut kind = trigger.map_or(0, |trigger| 1 + usize::from(trigger.band.is_some()));
        let before = kind;
        let choices = [
            (0, "No trigger", "The stream runs on"),
            (1, "Level", "Pauses where a sample reaches a level"),
            (2, "Band", "Pauses where a line in a band reaches a level"),
        ];
        let offered = choices.map(|(kind, title, about)| (kind, title.to_owned(), about.to_owned()));
        widgets::combo_of_width(ui, "Trigger", 88.0, choices[kind].1, &mut kind, offered).on_hover_text(choices[kind].2);
        if kind != before {
            let level = trigger.map_or(-20.0, |trigger| trigger.level);
            let band = (kind == 2).then_some([0.05 * counted.rate, 0.25 * counted.rate]);
            *trigger = (kind > 0).then_some(Trigger { level, band });
            looking.arm(counted);
        }
        let Some(Trigger { level, band }) = trigger else { return };
        drag(ui, (level, -200.0..=20.0, " dBFS"), ("", "Level of the trigger in dBFS"), "The level that is waited for");
        if let Some([low, high]) = band {
            let ends = if counted.is_complex { -0.5 * counted.rate..=0.5 * counted.rate } else { 0.0..=0.5 * counted.rate };
            let end = *ends.end();
            drag(ui, (low, ends, " Hz"), ("", "Lower end of the band of the trigger"), "The lower end of the band");
            drag(ui, (high, *low..=end, " Hz"), ("to ", "Upper end of the band of the trigger"), "The upper end of the band");
        }
    });
}

/// A field of a number, with its name for screen readers.
fn drag(ui: &mut Ui, (value, range, unit): (&mut f64, RangeInclusive<f64>, &str), (prefix, name): (&str, &str), about: &str) {
    let speed = 0.005 * (range.end() - range.start());
    let field = ui.add(DragValue::new(value).range(range).speed(speed).max_decimals(2).prefix(prefix).suffix(unit));
    field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    field.on_hover_text(about);
}
