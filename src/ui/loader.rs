//! The thread that reads files and generates signals: the newest request wins, and the window never waits.

use super::origin::{LoadSignal, Origin};
use crate::display::{Colormap, DisplayFrame, Look, Quantity, Scale, extremes, render_mean};
use crate::engine::{Ask, Desk, Progress, RenderedImage, Worker};
use crate::signal::{Signal, SignalKind};
use crate::transforms::Shape;
use num_complex::Complex32;
use std::sync::Arc;
use std::time::Instant;

/// A signal that the loader has loaded, or its error.
#[derive(Clone)]
pub(super) struct Loaded {
    /// The origin that was requested.
    pub origin: Origin,
    /// The signal and a small image of it, or one line on why there is none.
    pub result: Result<(Arc<Signal>, Option<Arc<RenderedImage>>), String>,
}

/// A request for a signal.
#[derive(Clone)]
struct LoadRequest {
    origin: Origin,
    label: String,
    load: LoadSignal,
}

impl Ask for LoadRequest {}

/// A handle on the thread; dropping it ends the thread.
pub(super) struct Loader {
    worker: Worker<LoadRequest, Loaded>,
}

impl Loader {
    /// Starts the thread; `notify` is called from it whenever there is something new.
    pub(super) fn start(notify: impl Fn() + Send + Sync + 'static) -> Self {
        Self { worker: Worker::start("loader", load, notify).detached() }
    }

    /// Requests a signal; it replaces an older request.
    pub(super) fn load(&self, origin: Origin, label: String, load: LoadSignal) {
        self.worker.request(LoadRequest { origin, label, load });
    }

    /// The newest signal that was loaded, once.
    pub(super) fn take(&self) -> Option<Loaded> {
        self.worker.take().map(Arc::unwrap_or_clone)
    }

    /// The progress of loading.
    pub(super) fn loading(&self) -> Option<Progress> {
        self.worker.progress()
    }
}

fn load(request: LoadRequest, desk: &Desk<LoadRequest, Loaded>) {
    desk.set_progress(Some(Progress { label: request.label, fraction: None, since: Instant::now() }));
    desk.notify();
    let result = (request.load)().map(|signal| {
        let preview = preview(&signal);
        (Arc::new(signal), preview)
    });
    desk.set_progress(None);
    desk.publish(Some(Arc::new(Loaded { origin: request.origin, result })));
}

/// Pixels of the longer side of a preview.
const PREVIEW: usize = 512;

/// A small gray image of an image signal. It is shown until the engine has rendered the visible part.
fn preview(signal: &Signal) -> Option<Arc<RenderedImage>> {
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    if signal.kind != SignalKind::Image || shape.is_empty() {
        return None;
    }
    let samples = signal.samples_f32(Default::default()).ok()?;
    let at = |row: usize, column: usize| Complex32::new(samples[row * shape.columns + column], 0.0);
    let look = Look { quantity: Quantity::Real, scale: Scale::Linear, range: None, shifted: false, colormap: Colormap::Gray };
    let shrink = (shape.rows.max(shape.columns) as f64 / PREVIEW as f64).max(1.0);
    let pixels = |n: usize| (n as f64 / shrink).round().max(1.0) as usize;
    let frame = DisplayFrame { width: pixels(shape.columns), height: pixels(shape.rows), ..DisplayFrame::whole(shape) };
    let range = extremes(at, shape, &look);
    Some(Arc::new(RenderedImage { frame, rgba: render_mean(at, shape, &look, range, frame), range, is_blank: false, values: Vec::new() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;
    use std::time::Duration;

    #[test]
    fn the_newest_request_wins() {
        let loader = Loader::start(|| {});
        for n in 1..=20 {
            let make = move || {
                std::thread::sleep(Duration::from_millis(2));
                Ok(Signal::row(format!("{n}"), Samples::U8(vec![0; n])))
            };
            loader.load(Origin::Pasted(n as u64), format!("{n}"), Arc::new(make));
        }
        let deadline = Instant::now() + Duration::from_secs(10);
        let mut last = 0;
        while last != 20 && Instant::now() < deadline {
            if let Some(loaded) = loader.take() {
                last = loaded.result.expect("it is made").0.columns;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(last, 20);
        assert!(loader.loading().is_none());
    }
}
