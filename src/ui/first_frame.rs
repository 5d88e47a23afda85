//! How long the window took to appear, and how long it paints.

use egui::{Context, Id};
use std::time::{Duration, Instant};

/// Where the time that the frame before took, to its last pixel, is found.
pub(super) fn frame_time() -> Id {
    Id::unique("frame time")
}

/// When the window was first on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FirstFrame {
    /// Not shown yet; the program started at this time.
    Awaited(Instant),
    /// The first frame is on its way to the screen.
    Drawn(Instant),
    /// Shown after this time.
    Shown(Duration),
}

impl FirstFrame {
    /// Counts from `start`, when the program was started.
    pub(super) const fn awaited(start: Instant) -> Self {
        Self::Awaited(start)
    }

    /// Call this once a frame. The first frame has been shown when the second begins.
    pub(super) fn clock(&mut self, ctx: &Context) {
        *self = match *self {
            Self::Awaited(start) => {
                ctx.request_repaint();
                Self::Drawn(start)
            }
            Self::Drawn(start) => Self::Shown(start.elapsed()),
            Self::Shown(time) => Self::Shown(time),
        };
    }

    /// Time from the start to the first frame on the screen, once it is known.
    pub(super) const fn shown_after(self) -> Option<Duration> {
        match self {
            Self::Shown(time) => Some(time),
            Self::Awaited(_) | Self::Drawn(_) => None,
        }
    }
}
