//! Measures the ways to compute what is shown, when the user asks for it: one way at a time, so that anything newer goes before.

use super::{EngineDesk, Service};
use crate::engine::{EngineError, Progress, Tuning};
use std::time::Instant;

/// A measurement that was asked for.
pub(super) enum Measuring {
    /// It has not begun.
    Wanted,
    /// It is under way since then.
    Running(Box<Tuning>, Instant),
}

impl Service {
    /// Goes on with a measurement by one way.
    pub(super) fn measure(&mut self, measuring: Measuring, desk: &EngineDesk) {
        let Some(job) = self.current.as_ref().map(|current| current.request.job.clone()) else { return };
        let begun = match measuring {
            Measuring::Wanted => Tuning::new(&job, &mut self.devices).map(|tuning| (Box::new(tuning), Instant::now())),
            Measuring::Running(tuning, since) => Ok((tuning, since)),
        };
        let done = begun.and_then(|(mut tuning, since)| {
            let fraction = Some(tuning.n_done() as f32 / tuning.n_contenders().max(1) as f32);
            desk.set_progress(Some(Progress { label: tuning.label(), fraction, since }));
            desk.notify();
            match tuning.step(&mut self.devices, desk.cancel()) {
                // What is newer goes first; without anything newer it was the user who cancelled.
                Err(EngineError::Cancelled) if desk.has_newer(|_| true) => Ok((tuning, since)),
                stepped => stepped.map(|()| (tuning, since)),
            }
        });
        match done {
            Ok((tuning, _)) if tuning.next().is_none() => self.take_over(&tuning, desk),
            Ok((tuning, since)) => {
                if let Some(current) = &mut self.current {
                    current.measuring = Some(Measuring::Running(tuning, since));
                }
            }
            Err(error) => {
                if error != EngineError::Cancelled {
                    log::warn!("the algorithms were not measured: {error}");
                }
                self.publish(desk);
            }
        }
    }

    /// Remembers what was measured, and computes what is shown once more: another way may be taken now.
    fn take_over(&mut self, tuning: &Tuning, desk: &EngineDesk) {
        if let Some(Err(error)) = tuning.finish().map(|entry| self.devices.remember(entry)) {
            log::warn!("what was measured is forgotten when the program ends: {error}");
        }
        if let Some(current) = self.current.take() {
            self.show(current.request, desk);
        }
    }
}
