//! The drawing on the signal that is set.

use super::Settings;
use crate::signal::drawing::{Drawing, Stroke};
use crate::signal::generate::{Generator, Typed};
use crate::signal::{ChannelChoice, ReadOptions, Signal, SignalKind};
use crate::ui::origin::Origin;

/// A drawing, and the signal for which it holds.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Drawn {
    /// The origin of the signal.
    pub origin: Origin,
    /// How its table is read: in another reading, other samples are at these places.
    #[serde(default)]
    pub table: Option<ReadOptions>,
    /// The strokes.
    pub drawing: Drawing,
}

impl Settings {
    /// The drawing on the signal that is set.
    pub fn drawing(&self) -> Drawing {
        let own = self.drawn.as_ref().filter(|drawn| drawn.origin == self.origin && drawn.table == self.table);
        own.map_or_else(Drawing::default, |drawn| drawn.drawing.clone())
    }

    /// Draws on the signal that is set; returns whether the drawing had room. Typed numbers change themselves.
    pub(crate) fn draw(&mut self, strokes: &[Stroke], signal: &Signal) -> bool {
        if let Origin::Generator(Generator::Typed(typed)) = &mut self.origin {
            let Ok(newest) = typed.signal() else { return true };
            let drawn = Drawing::from(strokes.to_vec()).applied(&newest);
            if let Ok(samples) = drawn.samples_complex64(ChannelChoice::default()) {
                *typed = Typed::of_samples(&samples, drawn.columns, signal.kind == SignalKind::Image);
            }
            return true;
        }
        let mut drawing = self.drawing();
        let has_room = strokes.iter().all(|stroke| drawing.add(*stroke));
        self.drawn = Some(Drawn { origin: self.origin.clone(), table: self.table.clone(), drawing });
        has_room
    }
}

/// The channel of strokes on what is shown: all of them where that is a mixture, as luminance is.
pub(crate) fn drawn_channel(channel: ChannelChoice, signal: &Signal) -> Option<usize> {
    (0..signal.channels.len()).find(|&index| signal.channel(channel).is_some_and(|shown| std::ptr::eq(shown, &signal.channels[index])))
}
