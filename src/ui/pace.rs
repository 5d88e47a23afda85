//! Paints the window seldom while something is measured, whatever the mouse does.

use crate::engine::TimingLock;
use eframe::{EframeWinitApplication, UserEvent};
use std::cell::OnceCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

/// Time from one frame to the next while something is measured.
const PAUSE: Duration = Duration::from_millis(250);

/// The window, whose frames are delayed while something is measured. Painting would take processor and GPU from the measured work.
///
/// Events reach the window at once, and its thread never waits. A frame that comes too early is requested again later.
pub(super) struct PacedWindow<'a> {
    window: EframeWinitApplication<'a>,
    timing_lock: Rc<OnceCell<TimingLock>>,
    pace: Pace<WindowId>,
}

impl<'a> PacedWindow<'a> {
    /// The timing lock is there from the first frame on.
    pub(super) fn new(window: EframeWinitApplication<'a>, timing_lock: Rc<OnceCell<TimingLock>>) -> Self {
        Self { window, timing_lock, pace: Pace { last: None, held: None } }
    }
}

impl ApplicationHandler<UserEvent> for PacedWindow<'_> {
    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        let is_measuring = self.timing_lock.get().is_some_and(TimingLock::is_asked);
        if event != WindowEvent::RedrawRequested || self.pace.lets_through(id, is_measuring, Instant::now()) {
            self.window.window_event(event_loop, id, event);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        if let Some(id) = self.pace.due(Instant::now()) {
            self.window.window_event(event_loop, id, WindowEvent::RedrawRequested);
        }
        self.window.about_to_wait(event_loop);
        if let Some(due) = self.pace.next() {
            let due = if let ControlFlow::WaitUntil(other) = event_loop.control_flow() { due.min(other) } else { due };
            event_loop.set_control_flow(ControlFlow::WaitUntil(due));
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        self.window.new_events(event_loop, cause);
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        self.window.user_event(event_loop, event);
    }

    fn device_event(&mut self, event_loop: &ActiveEventLoop, id: DeviceId, event: DeviceEvent) {
        self.window.device_event(event_loop, id, event);
    }

    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.window.resumed(event_loop);
    }

    fn suspended(&mut self, event_loop: &ActiveEventLoop) {
        self.window.suspended(event_loop);
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        self.window.exiting(event_loop);
    }

    fn memory_warning(&mut self, event_loop: &ActiveEventLoop) {
        self.window.memory_warning(event_loop);
    }
}

/// When a window was painted last, and the window whose frame is delayed.
struct Pace<Id> {
    last: Option<Instant>,
    held: Option<Id>,
}

impl<Id> Pace<Id> {
    /// Whether a frame is painted now; otherwise it is delayed.
    fn lets_through(&mut self, id: Id, is_measuring: bool, now: Instant) -> bool {
        if is_measuring && self.last.is_some_and(|last| now < last + PAUSE) {
            self.held = Some(id);
            return false;
        }
        (self.last, self.held) = (Some(now), None);
        true
    }

    /// When the delayed frame must be painted.
    fn next(&self) -> Option<Instant> {
        self.last.filter(|_| self.held.is_some()).map(|last| last + PAUSE)
    }

    /// The window whose frame was delayed until now.
    fn due(&mut self, now: Instant) -> Option<Id> {
        if self.next().is_none_or(|next| now < next) {
            return None;
        }
        self.last = Some(now);
        self.held.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of painted frames when one is requested every 10 ms for 2 s.
    fn painted(is_measuring: bool) -> usize {
        let (mut pace, start) = (Pace { last: None, held: None }, Instant::now());
        let mut n = 0;
        for step in 0..200 {
            let now = start + Duration::from_millis(10 * step);
            n += usize::from(pace.lets_through((), is_measuring, now));
            n += usize::from(pace.due(now).is_some());
        }
        n
    }

    #[test]
    fn frames_are_seldom_only_while_something_is_measured() {
        assert_eq!(painted(false), 200);
        assert_eq!(painted(true), 8);
    }

    #[test]
    fn a_frame_that_is_put_off_is_painted_in_the_end() {
        let (mut pace, start) = (Pace { last: None, held: None }, Instant::now());
        assert!(pace.lets_through(7, true, start) && pace.next().is_none());
        assert!(!pace.lets_through(7, true, start + PAUSE / 5));
        assert_eq!((pace.next(), pace.due(start + PAUSE / 2)), (Some(start + PAUSE), None));
        assert_eq!((pace.due(start + PAUSE), pace.next()), (Some(7), None));
        assert!(!pace.lets_through(7, true, start + PAUSE), "it was painted a moment ago");
        assert!(pace.lets_through(7, false, start + PAUSE), "the sweep has ended");
    }
}
