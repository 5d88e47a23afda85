//! The stretch of a recording that its wave and its spectrogram show together: what one of them is zoomed to, the other shows from the next frame on.

use super::relayout::lay_out_again;
use crate::signal::Signal;
use egui::{Id, Ui};
use std::sync::Arc;

/// The smallest change, as a share of what is seen, that is passed on.
const LEAST_CHANGE: f64 = 1e-6;

/// In this number of frames a view has done what is asked.
const FRAMES: u8 = 2;

/// The state of a view of the stretch that all share.
#[derive(Debug, Default)]
pub(super) struct VisibleTime {
    /// The stretch that all views have been asked to show.
    asked: Option<[f64; 2]>,
    /// The stretch that this view showed in the last frame, of a signal of so many samples.
    seen: Option<(usize, [f64; 2])>,
    /// For how many frames it does what another view has asked for.
    follows: u8,
}

impl VisibleTime {
    /// The first sample and one past the last that another view asks to be shown, where it does.
    pub(super) fn asked(&mut self, ui: &Ui, signal: &Arc<Signal>) -> Option<[f64; 2]> {
        let newest = ui.data(|data| data.get_temp::<[f64; 2]>(key(signal)));
        if newest == self.asked {
            return None;
        }
        self.asked = newest;
        self.follows = if newest.is_some() { FRAMES } else { 0 };
        newest
    }

    /// Says what this view shows; where it has moved by itself, the others follow.
    pub(super) fn show(&mut self, ui: &Ui, signal: &Arc<Signal>, [from, to]: [f64; 2]) {
        let n = signal.columns;
        let shown = [from.clamp(0.0, n as f64), to.clamp(0.0, n as f64)];
        let before = self.seen.replace((n, shown)).filter(|(known, _)| *known == n).map_or([0.0, n as f64], |(_, seen)| seen);
        let least = LEAST_CHANGE * (shown[1] - shown[0]);
        let has_moved = (before[0] - shown[0]).abs() > least || (before[1] - shown[1]).abs() > least;
        let follows = self.follows > 0;
        self.follows = self.follows.saturating_sub(1);
        if has_moved && !follows {
            self.asked = Some(shown);
            ui.data_mut(|data| data.insert_temp(key(signal), shown));
            ui.request_repaint();
        }
    }
}

/// Says where the times of the spectrogram begin and end on the screen.
pub(super) fn set_ends(ui: &Ui, signal: &Arc<Signal>, ends: [f32; 2]) {
    let (known, pass) = (ends_of(ui, signal), ui.ctx().cumulative_pass_nr());
    ui.data_mut(|data| data.insert_temp(key(signal).with("ends"), (pass, ends)));
    if known != Some(ends) {
        lay_out_again(ui);
    }
}

/// Where they do, while it is shown: its wave has the same times above them.
pub(super) fn ends_of(ui: &Ui, signal: &Arc<Signal>) -> Option<[f32; 2]> {
    let (pass, ends) = ui.data(|data| data.get_temp::<(u64, [f32; 2])>(key(signal).with("ends")))?;
    (ui.ctx().cumulative_pass_nr() <= pass + 1).then_some(ends)
}

fn key(signal: &Arc<Signal>) -> Id {
    Id::unique(("visible time", Arc::as_ptr(signal) as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;
    use egui_kittest::Harness;

    #[test]
    fn what_moves_is_followed_and_what_follows_moves_nothing() {
        let signal = Arc::new(Signal::row("a", Samples::F64(vec![0.0; 100])));
        type Views = ([VisibleTime; 2], [[f64; 2]; 2]);
        let own = signal.clone();
        let frame = move |ui: &mut Ui, (views, seen): &mut Views| {
            for (view, seen) in views.iter_mut().zip(seen.iter_mut()) {
                if let Some(asked) = view.asked(ui, &own) {
                    *seen = asked;
                }
                view.show(ui, &own, *seen);
            }
        };
        let mut harness = Harness::new_ui_state(frame, (Default::default(), [[-1.0, 101.0]; 2]));
        harness.run_steps(3);
        assert_eq!(harness.state().1, [[-1.0, 101.0]; 2], "a margin is no zoom");
        for (mover, part) in [(0, [10.0, 20.0]), (1, [40.0, 90.0]), (0, [0.0, 100.0])] {
            harness.state_mut().1[mover] = part;
            harness.run_steps(3);
            assert_eq!(harness.state().1, [part; 2]);
        }
    }
}
