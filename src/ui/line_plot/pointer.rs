//! Moves and zooms a plot as the pointer over it and over its axes asks.

use crate::ui::gestures::Navigation;
use egui::{Id, Rect, Response, Ui, Vec2b};
use egui_plot::{Plot, PlotUi};

/// The pointer over a plot and its axes in a frame.
pub(crate) struct PlotPointer {
    /// Where the frame of the plot is kept, whose axes lie around it.
    id: Id,
    axes: [Navigation; 2],
    asked: Navigation,
}

impl PlotPointer {
    /// Reads the gestures over the axes of the plot with a name that fills `outer`, as they lay in the last frame.
    pub(crate) fn over_axes(ui: &Ui, name: &str, outer: Rect) -> Self {
        let id = ui.scope_id().with((name, "frame"));
        let inner = ui.data(|data| data.get_temp::<Rect>(id)).filter(|inner| outer.contains_rect(*inner));
        let axes = inner.map_or_else(Default::default, |inner| Navigation::over_axes(ui, name, outer, inner));
        Self { id, axes, asked: Navigation::default() }
    }

    /// The plot without gestures of its own.
    pub(crate) fn moves<'a>(&self, plot: Plot<'a>) -> Plot<'a> {
        let plot = plot.allow_scroll(false).allow_zoom(false).allow_drag(false).allow_boxed_zoom(false);
        plot.allow_axis_zoom_drag(false).allow_double_click_reset(false)
    }

    /// Does what the gestures ask. The wheel over the plot zooms its horizontal axis: the values keep their scale.
    pub(crate) fn apply(&mut self, plot: &mut PlotUi<'_>, pans: bool) {
        let own = Navigation::of(plot.response(), pans);
        self.asked = own;
        let (transform, auto) = (*plot.transform(), plot.auto_bounds());
        let [across, down] = self.axes;
        if own.resets || across.resets || down.resets {
            let is_all = own.resets;
            let auto = Vec2b::new(is_all || across.resets || auto.x, is_all || down.resets || auto.y);
            return plot.set_auto_bounds(auto);
        }
        let pan = own.pan + across.pan + down.pan;
        let zooms = [own.zoom.or(across.zoom), down.zoom];
        let range = |axis: usize| {
            let (low, high) = (transform.bounds().min()[axis], transform.bounds().max()[axis]);
            let value = |at: egui::Pos2| {
                let value = transform.value_from_position(at);
                [value.x, value.y][axis]
            };
            if let Some(part) = own.boxed {
                let ends = [value(part.min), value(part.max)];
                return Some([ends[0].min(ends[1]), ends[0].max(ends[1])]);
            }
            let by = f64::from([pan.x, pan.y][axis]) / transform.dpos_dvalue()[axis];
            let (low, high) = (low - by, high - by);
            match zooms[axis] {
                Some((factor, at)) => {
                    let (fixed, factor) = (value(at), f64::from(factor));
                    Some([fixed - (fixed - low) / factor, fixed + (high - fixed) / factor])
                }
                None => (by != 0.0).then_some([low, high]),
            }
        };
        let is_sound = |[low, high]: &[f64; 2]| low.is_finite() && high.is_finite() && low < high;
        if let Some([low, high]) = range(0).filter(is_sound) {
            plot.set_plot_bounds_x(low..=high);
        }
        if let Some([low, high]) = range(1).filter(is_sound) {
            plot.set_plot_bounds_y(low..=high);
        }
    }

    /// Keeps where the plot lies, and shows the box that is being drawn.
    pub(crate) fn finish(&self, ui: &Ui, response: &Response) {
        self.asked.paint(ui);
        ui.data_mut(|data| data.insert_temp(self.id, response.rect));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Event, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, pos2, vec2};
    use egui_kittest::Harness;

    /// The ends of both axes of a plot after its last frame.
    type Seen = [[f64; 2]; 2];

    fn plot() -> Harness<'static, Seen> {
        let show = |ui: &mut Ui, seen: &mut Seen| {
            let rect = ui.max_rect();
            let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect));
            let mut pointer = PlotPointer::over_axes(&child, "plot", rect);
            let plot = pointer.moves(Plot::new("plot")).include_x(0.0).include_x(10.0).include_y(0.0).include_y(1.0);
            let shown = plot.width(rect.width()).height(rect.height()).show(&mut child, |plot| pointer.apply(plot, true));
            pointer.finish(&child, &shown.response);
            let bounds = *shown.transform.bounds();
            *seen = [0, 1].map(|axis| [bounds.min()[axis], bounds.max()[axis]]);
        };
        let mut harness = Harness::builder().with_size(vec2(400.0, 300.0)).build_ui_state(show, Seen::default());
        harness.run_steps(3);
        harness
    }

    fn drag(harness: &mut Harness<'_, Seen>, button: PointerButton, from: Pos2, by: Vec2) {
        let press = |pos: Pos2, pressed: bool| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
        for event in [Event::PointerMoved(from), press(from, true)] {
            harness.event(event);
            harness.step();
        }
        for part in 1..=4 {
            harness.event(Event::PointerMoved(from + by * (part as f32 / 4.0)));
            harness.step();
        }
        harness.event(press(from + by, false));
        harness.run_steps(2);
    }

    #[test]
    fn every_gesture_moves_the_axes_that_it_belongs_to() {
        let middle = pos2(220.0, 130.0);
        let (below, beside) = (pos2(220.0, 292.0), pos2(12.0, 130.0));
        for (name, button, from, moves) in [
            ("drag", PointerButton::Primary, middle, [true, true]),
            ("middle drag", PointerButton::Middle, middle, [true, true]),
            ("horizontal axis", PointerButton::Primary, below, [true, false]),
            ("vertical axis", PointerButton::Primary, beside, [false, true]),
        ] {
            let mut harness = plot();
            let before = *harness.state();
            drag(&mut harness, button, from, vec2(-60.0, 40.0));
            let after = *harness.state();
            let span = |[low, high]: [f64; 2]| high - low;
            for axis in 0..2 {
                assert_eq!(after[axis] != before[axis], moves[axis], "{name}, axis {axis}: {before:?} and {after:?}");
                assert!((span(after[axis]) / span(before[axis]) - 1.0).abs() < 1e-6, "{name} does not zoom");
            }
        }
        let mut harness = plot();
        let before = *harness.state();
        drag(&mut harness, PointerButton::Secondary, middle, vec2(60.0, 40.0));
        let boxed = *harness.state();
        let is_within = |axis: usize| boxed[axis][0] > before[axis][0] && boxed[axis][1] < before[axis][1];
        assert!(is_within(0) && is_within(1), "a box zooms: {boxed:?}");
        harness.event(Event::PointerMoved(beside));
        harness.event(Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, 100.0),
            modifiers: Modifiers::NONE,
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
        });
        harness.run_steps(20);
        let zoomed = *harness.state();
        assert!(zoomed[0] == boxed[0] && zoomed[1] != boxed[1], "the wheel over an axis zooms it alone");
    }
}
