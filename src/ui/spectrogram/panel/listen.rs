//! Listening to the source, to what the filter shows, or to what a box holds.

use super::super::result::is_filtering;
use super::wanted::of_box;
use super::{Known, Panel, Set};
use crate::engine::{BoxFilter, RecordingPart};
use crate::plan::Precision;
use crate::signal::{ChannelChoice, Signal};
use crate::ui::player::{ComputeSamples, Sound};
use crate::ui::settings::BoxView;
use crate::ui::widgets;
use egui::{Button, Role, Ui, WidgetInfo};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

impl Panel {
    /// The buttons that let something be heard.
    pub(super) fn listen_ui(&mut self, ui: &mut Ui, known: &Known<'_>, set: &Set<'_>) {
        let RecordingPart { signal, channel, samples, rate } = known.part;
        let refused = self.player.refused(rate.hertz());
        let heard = self.player.heard(ui.ctx());
        let part = set.part(samples.len());
        let shown = set.boxes.shown().map(|(_, own)| own.part.clone());
        let filtered = known.result.signal().filter(|_| is_filtering(set.boxes)).cloned();
        let view = if set.boxes.view == BoxView::Difference { BoxView::Difference } else { BoxView::Result };
        let (source, channel) = (signal.clone(), *channel);
        let moved = part.start + samples.start..part.end + samples.start;
        let whole = known.part.clone();
        let sounds: [(&str, Option<(usize, ComputeSamples)>); 3] = [
            ("Source", Some((part.start, Box::new(move |_| read(&source, channel, moved))))),
            (view.title(), filtered.map(|signal| (part.start, of_signal(signal, part.clone())))),
            (
                "Box",
                shown.map(|own| {
                    let filter =
                        BoxFilter { channels: vec![channel], precision: Some(Precision::Single), ..of_box(&whole, &own, set.boxes) };
                    (own.samples.start, Box::new(move |stop: &AtomicBool| held(&filter, &whole.signal, stop)) as ComputeSamples)
                }),
            ),
        ];
        ui.horizontal_wrapped(|ui| {
            for (what, sound) in sounds {
                let is_heard = heard == Some(what);
                let is_on = refused.is_none() && (sound.is_some() || is_heard);
                let button = ui.add_enabled(is_on, Button::selectable(is_heard, if is_heard { "Stop" } else { what }));
                button.widget_info(|| {
                    WidgetInfo::labeled(
                        Role::Button,
                        is_on,
                        if is_heard { "Stop listening".into() } else { format!("Listen to {}", what.to_lowercase()) },
                    )
                });
                let about = refused.clone().unwrap_or_else(|| "The shown channel of the selected part; a box is heard alone".to_owned());
                let button =
                    button.on_hover_text(&about).on_disabled_hover_text(if refused.is_some() { about } else { "There is none yet".into() });
                match sound.filter(|_| button.clicked()) {
                    _ if is_heard && button.clicked() => self.player.stop(),
                    Some((first, samples)) => {
                        self.player.play(ui.ctx(), Sound { what, first, rate: rate.hertz().unwrap_or_default(), samples })
                    }
                    None => {}
                }
            }
            let mut is_looped = self.player.is_looped.load(Relaxed);
            if widgets::toggle(ui, &mut is_looped, "Loop").on_hover_text("Begins again at the end").changed() {
                self.player.is_looped.store(is_looped, Relaxed);
            }
        });
        if let Some(text) = refused {
            widgets::weak(ui, text);
        }
        if let Some(text) = self.player.error() {
            widgets::error(ui, &text);
        }
    }
}

fn of_signal(signal: Arc<Signal>, part: Range<usize>) -> ComputeSamples {
    Box::new(move |_| read(&signal, ChannelChoice::Channel(0), part))
}

/// The real samples of a channel.
fn read(signal: &Signal, channel: ChannelChoice, samples: Range<usize>) -> Result<Vec<f32>, String> {
    let track = signal.track(channel).map_err(|error| error.to_string())?;
    let mut values = vec![0.0; samples.len()];
    track.read_f32(samples.start, 0, &mut values);
    Ok(values)
}

/// The first channel of what a filter leaves.
fn held(filter: &BoxFilter, signal: &Signal, stop: &AtomicBool) -> Result<Vec<f32>, String> {
    let found = filter.run(signal, stop).map_err(|error| error.to_string())?;
    read(&found.signal, ChannelChoice::Channel(0), 0..filter.samples.len())
}
