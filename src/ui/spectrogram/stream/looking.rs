//! The part of a stream that is looked at: the newest samples as they come, or a part that stays while the stream goes on. It needs no window.

use super::super::view::View;
use crate::engine::{Counted, LiveState};
use std::ops::Range;

/// The time that is seen at first, in seconds.
const AT_FIRST: f64 = 10.0;
/// A view whose end is nearer to the newest sample than this share of it goes on with the stream.
const NEAR: f64 = 1e-3;

/// The part of a stream that is looked at.
#[derive(Default)]
pub(super) struct Looking {
    /// The visible part, in samples from the beginning of the stream; `None` before the first frame.
    view: Option<View>,
    /// Whether the view stays where it is while the stream goes on.
    stays: bool,
    /// The state that is shown during a pause. The stream itself goes on.
    paused: Option<Box<LiveState>>,
    /// The samples that are marked.
    pub(super) marked: Option<Range<u64>>,
    /// The trigger that was answered last.
    answered: Option<u64>,
}

impl Looking {
    /// Whether what is shown stays as it is.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Why what is shown does not go on with the stream; `None` while it does.
    pub(super) fn held(&self) -> Option<&'static str> {
        self.paused.as_ref().map(|_| "paused").or(self.stays.then_some("scrolled back"))
    }

    /// Holds what is shown, or goes on with what is there now.
    pub(super) fn toggle(&mut self, now: &LiveState) {
        self.paused = self.held().is_none().then(|| Box::new(now.clone()));
        self.stays = false;
    }

    /// The state to show: the held one, or that of now. A trigger holds it once as much has come behind its sample as before it.
    pub(super) fn shown(&mut self, now: LiveState) -> LiveState {
        if let Some(paused) = &self.paused {
            // The samples are held, but not how the stream goes on.
            return LiveState { end: now.end, pace: now.pace, ..LiveState::clone(paused) };
        }
        let fired = now.counted.as_ref().and_then(|counted| Some((counted.triggered?, newest(counted)?)));
        if let Some((at, newest)) = fired.filter(|(at, _)| self.answered != Some(*at)) {
            let half = 0.5 * self.view.map_or(0.0, |view| view.time[1] - view.time[0]);
            if newest >= at as f64 + half || now.end.is_some() {
                (self.answered, self.stays) = (Some(at), true);
                self.view.iter_mut().for_each(|view| view.time = [at as f64 - half, at as f64 + half]);
                self.paused = Some(Box::new(now.clone()));
            }
        }
        now
    }

    /// Triggers so far are not answered.
    pub(super) fn arm(&mut self, counted: &Counted) {
        self.answered = counted.triggered;
    }

    /// The visible part: the newest samples, unless the view stays.
    pub(super) fn view(&mut self, counted: &Counted) -> View {
        let span = AT_FIRST.min(counted.settings.keeps) * counted.rate;
        let mut view = self.view.unwrap_or(View { time: [-span, 0.0], band: [0.0, 1.0] });
        self.view = Some(view);
        view.time = self.times()(counted);
        self.view = Some(view);
        view
    }

    /// The visible part of a stream that has gone on, in samples.
    pub(super) fn times(&self) -> impl Fn(&Counted) -> [f64; 2] + Send + use<> {
        let (seen, stays) = (self.view.map_or([0.0, 1.0], |view| view.time), self.stays);
        move |counted| {
            let newest = newest(counted).unwrap_or(0.0);
            if stays { seen } else { [newest - (seen[1] - seen[0]), newest] }
        }
    }

    /// Takes a view that a person has moved or zoomed; one that reaches the newest sample goes on with the stream, and does so when it is zoomed.
    pub(super) fn set(&mut self, mut view: View, zooms: bool, counted: &Counted) {
        let newest = newest(counted).unwrap_or(0.0);
        let width = view.time[1] - view.time[0];
        if zooms && self.held().is_none() {
            view.time = [newest - width, newest];
        }
        self.stays = view.time[1] < newest - NEAR * width;
        self.view = Some(view);
    }

    /// Everything that is kept.
    pub(super) fn fit(&mut self, counted: &Counted) {
        let first = counted.rows.front().map_or(0, |row| row.samples.start) as f64;
        let time = [first, newest(counted).unwrap_or(0.0).max(first + 1.0)];
        (self.view, self.stays) = (Some(View { time, band: [0.0, 1.0] }), false);
    }

    /// The samples to save: those that are marked, or that are seen, as far as they are kept.
    pub(super) fn part(&self, counted: &Counted) -> Option<Range<u64>> {
        let kept = counted.kept.samples();
        let seen = self.view.map(|view| view.time[0].max(0.0).round() as u64..view.time[1].max(0.0).round() as u64);
        let wanted = self.marked.clone().or(seen)?;
        let part = wanted.start.max(kept.start)..wanted.end.min(kept.end);
        (part.start < part.end).then_some(part)
    }
}

/// The end of the newest row.
pub(super) fn newest(counted: &Counted) -> Option<f64> {
    counted.rows.back().map(|row| row.samples.end as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{LiveSettings, LiveStream, Trigger};
    use std::time::{Duration, Instant};

    /// The state of a stream of silence with one loud sample, once it has ended.
    fn ended(samples: usize, loud: usize, settings: LiveSettings) -> LiveState {
        let bytes: Vec<u8> = (0..samples).flat_map(|n| if n == loud { i16::MAX } else { 0 }.to_le_bytes()).chain([1]).collect();
        let raw = "s16,1,8000".parse().ok();
        let stream = LiveStream::start("it", Box::new(std::io::Cursor::new(bytes)), raw, settings, || {}).unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while stream.state().end.is_none() {
            assert!(Instant::now() < deadline, "the stream does not end");
            std::thread::sleep(Duration::from_millis(2));
        }
        stream.state()
    }

    #[test]
    fn the_view_goes_on_with_the_stream_until_it_is_scrolled_back() {
        let [early, late] = [16_384, 81_920].map(|n| ended(n, 0, LiveSettings::default()).counted.unwrap());
        let mut looking = Looking::default();
        assert_eq!(looking.view(&early).time, [16_384.0 - 1024.0 - 80_000.0, 16_384.0 - 1024.0]);
        let view = looking.view(&late);
        assert_eq!(view.time[1], newest(&late).unwrap());
        looking.set(View { time: [40_000.0, 50_000.0], ..view }, true, &late);
        assert_eq!((looking.view(&late).time, looking.held()), ([newest(&late).unwrap() - 10_000.0, newest(&late).unwrap()], None));
        looking.set(View { time: [1000.0, 3000.0], ..view }, false, &early);
        assert_eq!(looking.held(), Some("scrolled back"));
        assert_eq!(looking.view(&late).time, [1000.0, 3000.0], "it stays while samples come");
        assert_eq!(looking.part(&late), Some(1000..3000));
        looking.marked = Some(2500..1_000_000);
        assert_eq!(looking.part(&late), Some(2500..81_920));
        looking.toggle(&LiveState { counted: Some(late.clone()), ..ended(16_384, 0, LiveSettings::default()) });
        assert_eq!((looking.held(), looking.view(&late).time[1]), (None, newest(&late).unwrap()), "Space goes on with the stream");
        looking.set(View { time: [50_000.0, newest(&late).unwrap()], ..view }, false, &late);
        assert!(!looking.stays);
        looking.fit(&late);
        assert_eq!(looking.view(&late).time, [0.0, newest(&late).unwrap()]);
    }

    #[test]
    fn a_pause_holds_what_is_shown_and_loses_nothing_of_it() {
        let [early, late] = [16_384, 81_920].map(|n| ended(n, 0, LiveSettings::default()));
        let mut looking = Looking::default();
        looking.toggle(&early);
        let version = |state: &LiveState| state.counted.as_ref().map(|counted| counted.kept.samples());
        assert!(looking.is_paused() && version(&looking.shown(late.clone())) == version(&early));
        let running = LiveState { end: None, ..early.clone() };
        looking.toggle(&running);
        looking.toggle(&running);
        assert_eq!(looking.shown(late.clone()).end, late.end, "an end is said during a pause");
        assert_eq!(looking.shown(late.clone()).pace, late.pace, "a stream that goes on does not stall");
        looking.toggle(&late);
        assert!(!looking.is_paused() && version(&looking.shown(late.clone())) == version(&late));
    }

    #[test]
    fn a_trigger_holds_once_with_its_sample_in_the_middle() {
        let settings = LiveSettings { trigger: Some(Trigger { level: -6.0, band: None }), ..LiveSettings::default() };
        let state = ended(40_000, 20_000, settings);
        let counted = state.counted.clone().unwrap();
        let at = counted.triggered.unwrap();
        assert!((18_900..=20_000).contains(&at), "{at}");
        let mut looking = Looking::default();
        looking.view(&counted);
        looking.shown(state.clone());
        assert!(looking.is_paused());
        let [from, to] = looking.view(&counted).time;
        assert_eq!(from.midpoint(to), at as f64);
        looking.toggle(&state);
        looking.shown(state.clone());
        assert!(!looking.is_paused(), "the same event holds once");
    }
}
