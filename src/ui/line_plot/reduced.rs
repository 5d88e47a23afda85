//! A plot of values that the window has itself, reduced to the pixels across.

use super::{KeptPlot, LinePlot, Mark, PlotLook, PlotReply};
use crate::engine::{Ask, EngineError, PlotData, PlotFrame, SharedResult, Study, StudyMailbox};
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use egui::{Rect, Ui};
use std::marker::PhantomData;
use std::sync::Arc;

/// Brings the visible part of values to pixels.
type Reduce<T> = fn(&T, PlotFrame) -> PlotData;

/// Values, and the visible part to which they are reduced.
pub(crate) struct Wanted<T: ?Sized> {
    values: Arc<T>,
    frame: PlotFrame,
    reduce: Reduce<T>,
}

impl<T: ?Sized> Clone for Wanted<T> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), ..*self }
    }
}

impl<T: ?Sized> PartialEq for Wanted<T> {
    /// Values are compared by identity, which is cheap; the same values have one way to be reduced.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.values, &other.values) && self.frame == other.frame
    }
}

impl<T: ?Sized + Send + Sync + 'static> Ask for Wanted<T> {}

/// Reduces values to pixels.
pub(crate) struct Reduction<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized + Send + Sync + 'static> Study for Reduction<T> {
    type Request = Wanted<T>;
    type Report = Result<Arc<Reduced<T>>, EngineError>;

    const NAME: &'static str = "plot";

    fn answer(&mut self, request: &Wanted<T>, _: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> Self::Report {
        Ok(request.clone().reduced())
    }
}

/// The visible part, reduced to pixels, with the values that it was made from.
pub(crate) struct Reduced<T: ?Sized> {
    wanted: Wanted<T>,
    data: PlotData,
    /// Whether it is a first impression, which stands for the whole until a worker has reduced that.
    is_glimpse: bool,
}

impl<T: ?Sized> Wanted<T> {
    fn reduced(self) -> Arc<Reduced<T>> {
        let data = (self.reduce)(&self.values, self.frame);
        Arc::new(Reduced { wanted: self, data, is_glimpse: false })
    }
}

/// A plot of real values that the window has itself. The window's thread reduces few values to pixels, and a worker reduces many.
pub(crate) struct ReducedPlot<T: ?Sized + Send + Sync + 'static> {
    plot: LinePlot,
    marks: Vec<Mark>,
    reduced: Option<Arc<Reduced<T>>>,
    studied: Studied<Reduction<T>>,
    /// How many values are reduced to a first impression, at once.
    glimpse: Option<Reduce<T>>,
}

impl<T: ?Sized + Send + Sync + 'static> ReducedPlot<T> {
    /// Shows nothing yet.
    pub(crate) fn new(studies: &Studies) -> Self {
        let studied = Studied::new(studies, || Reduction(PhantomData));
        Self { plot: LinePlot::default(), marks: Vec::new(), reduced: None, studied, glimpse: None }
    }

    /// As [`Self::new`]; what takes a worker a while is shown by a first impression meanwhile.
    pub(crate) fn glimpsing(studies: &Studies, glimpse: Reduce<T>) -> Self {
        Self { glimpse: Some(glimpse), ..Self::new(studies) }
    }

    /// The plot, to set what it shows besides the values.
    pub(crate) fn plot(&mut self) -> &mut LinePlot {
        &mut self.plot
    }

    /// The visible part of what is a first impression until the whole is there.
    pub(crate) fn glimpsed(&self) -> Option<&PlotFrame> {
        self.reduced.as_ref().filter(|reduced| reduced.is_glimpse).map(|reduced| &reduced.wanted.frame)
    }

    /// Shows everything at the next frame.
    pub(crate) fn reset(&mut self) {
        self.plot.reset();
    }

    /// Draws a second line, in coordinates of the axes.
    pub(crate) fn set_overlay(&mut self, overlay: Vec<[f64; 2]>) {
        self.plot.overlay = overlay;
    }

    /// Marks positions with their values and texts.
    pub(crate) fn set_marks(&mut self, marks: Vec<Mark>) {
        self.marks = marks;
    }

    /// The visible part as it was reduced last.
    pub(crate) fn frame(&self) -> Option<&PlotFrame> {
        self.reduced.as_ref().map(|reduced| &reduced.wanted.frame)
    }

    /// The state that a session keeps.
    pub(crate) fn kept(&self) -> serde_json::Value {
        serde_json::to_value(self.kept_plot()).unwrap_or_default()
    }

    /// The visible part, which a session keeps.
    pub(crate) fn kept_plot(&self) -> Option<KeptPlot> {
        self.plot.kept()
    }

    /// Shows the next values of the same number as they were kept.
    pub(crate) fn restore(&mut self, kept: &serde_json::Value) {
        self.plot.restore(serde_json::from_value(kept.clone()).unwrap_or_default());
    }

    /// Shows the `n` values of `source`, which `reduce` brings to pixels.
    ///
    /// Until a worker has reduced many values, what was shown before stays, or a first impression of the new ones is shown.
    pub(crate) fn ui(&mut self, ui: &mut Ui, rect: Rect, look: &PlotLook<'_>, source: &Arc<T>, n: usize, reduce: Reduce<T>) -> PlotReply {
        let shown = self.reduced.as_ref().map(|reduced| &reduced.data);
        let reply = self.plot.ui(ui, rect, n, look, shown, &self.marks);
        let wanted = Wanted { values: source.clone(), frame: PlotFrame::plain(0, reply.visible, reply.pixels), reduce };
        let wanted = Wanted { frame: PlotFrame { log_origin: look.log_axis.then_some(look.origin), ..wanted.frame }, ..wanted };
        if self.reduced.as_ref().is_none_or(|reduced| reduced.wanted != wanted || reduced.is_glimpse) {
            match wanted.frame.has_few_values() {
                true => {
                    self.reduced = Some(wanted.reduced());
                    ui.request_repaint();
                }
                false => self.ask(ui, &wanted),
            }
        }
        reply
    }

    /// Lets the worker reduce many values, and takes the newest of their parts that it has reduced.
    fn ask(&mut self, ui: &Ui, wanted: &Wanted<T>) {
        let newest = self.studied.ask(ui.ctx(), Some(wanted)).and_then(|answer| answer.reply.result.clone().ok());
        let is_known = |newest: &Arc<Reduced<T>>| self.reduced.as_ref().is_some_and(|known| Arc::ptr_eq(known, newest));
        let newest = newest.filter(|newest| Arc::ptr_eq(&newest.wanted.values, &wanted.values) && !is_known(newest));
        let has_own = |reduced: &Arc<Reduced<T>>| {
            Arc::ptr_eq(&reduced.wanted.values, &wanted.values) && (!reduced.is_glimpse || reduced.wanted == *wanted)
        };
        if newest.is_some() {
            self.reduced = newest;
            ui.request_repaint();
        } else if let Some(glimpse) = self.glimpse.filter(|_| !self.reduced.as_ref().is_some_and(has_own)) {
            let data = glimpse(&wanted.values, wanted.frame);
            self.reduced = Some(Arc::new(Reduced { wanted: wanted.clone(), data, is_glimpse: true }));
            ui.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::locked;
    use egui_kittest::Harness;
    use std::sync::Mutex;
    use std::thread::ThreadId;
    use std::time::Duration;

    /// Values, and the threads that reduced them.
    struct Watched {
        values: Vec<f64>,
        threads: Mutex<Vec<ThreadId>>,
    }

    impl Watched {
        fn new(value: f64, n: usize) -> Arc<Self> {
            Arc::new(Self { values: vec![value; n], threads: Mutex::default() })
        }

        fn reduced(&self, frame: PlotFrame) -> PlotData {
            locked(&self.threads).push(std::thread::current().id());
            PlotData::of_reals(&self.values, frame)
        }
    }

    /// A plot in a window, with its values and those that it showed last.
    type Shown = (ReducedPlot<Watched>, Arc<Watched>, Vec<f64>);

    fn window(values: Arc<Watched>) -> Harness<'static, Shown> {
        let plot = |ui: &mut Ui, (plot, values, heights): &mut Shown| {
            let (rect, look) = (ui.max_rect(), PlotLook::over_index(ui, "Plot", "equation", "x"));
            plot.ui(ui, rect, &look, values, values.values.len(), Watched::reduced);
            heights.extend(plot.reduced.iter().map(|reduced| reduced.data.columns[0][2]));
        };
        Harness::builder().with_max_steps(64).build_ui_state(plot, (ReducedPlot::new(&Studies::default()), values, Vec::new()))
    }

    /// Runs frames until the plot shows these values.
    fn wait(window: &mut Harness<'_, Shown>) {
        for _ in 0..2000 {
            window.step();
            let (plot, values, _) = window.state();
            if !plot.studied.is_busy() && plot.reduced.as_ref().is_some_and(|reduced| Arc::ptr_eq(&reduced.wanted.values, values)) {
                return window.run_steps(3);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the values are not shown");
    }

    #[test]
    fn a_worker_reduces_many_values_and_the_window_few() {
        let here = std::thread::current().id();
        let n = 1 << 18;
        let first = Watched::new(1.0, n);
        let mut window = window(first.clone());
        wait(&mut window);
        let next = Watched::new(2.0, n);
        window.state_mut().1 = next.clone();
        wait(&mut window);
        for many in [&first, &next] {
            let threads = locked(&many.threads);
            assert!(!threads.is_empty() && !threads.contains(&here), "{threads:?} beside {here:?}");
        }
        let heights = &window.state().2;
        assert!(
            heights.is_sorted() && heights.ends_with(&[2.0]) && heights.contains(&1.0),
            "the old values stay until the new: {heights:?}"
        );
        let few = Watched::new(3.0, 1 << 12);
        window.state_mut().1 = few.clone();
        window.run_steps(3);
        let threads = locked(&few.threads);
        assert!(!threads.is_empty() && threads.iter().all(|thread| *thread == here), "{threads:?} beside {here:?}");
        drop(threads);
        assert_eq!(window.state().2.last(), Some(&3.0));
        // The answer that the worker already has is shown again.
        window.state_mut().1 = next;
        wait(&mut window);
        assert_eq!(window.state().2.last(), Some(&2.0));
    }
}
