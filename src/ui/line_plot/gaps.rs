//! Marks of values that were filled, because the file does not have them.

use super::PlotLook;
use crate::ui::theme::Tokens;
use egui::{Rect, Ui, pos2};
use egui_plot::PlotTransform;
use std::ops::Range;

/// The least width of a mark, and the height of its foot, in points.
const LEAST_WIDTH: f32 = 2.0;
const FOOT: f32 = 4.0;
/// The share of its colour that a mark lays over the values.
const WEIGHT: f32 = 0.16;

/// Paints a band over every stretch of filled positions, with a foot that is seen where the band is narrow.
pub(super) fn paint(ui: &Ui, transform: &PlotTransform, look: &PlotLook<'_>, gaps: &[Range<usize>]) {
    let (frame, tokens) = (*transform.frame(), Tokens::current(ui));
    let painter = ui.painter().with_clip_rect(frame);
    let at = |position: f64| transform.position_from_point_x(look.x(position));
    let mut painted = f32::NEG_INFINITY;
    for gap in gaps {
        let [left, right] = [at(gap.start as f64 - 0.5), at(gap.end as f64 - 0.5)];
        // Many gaps share a pixel of a long row.
        if right < frame.left() || left > frame.right() || right <= painted {
            continue;
        }
        let right = right.max(left + LEAST_WIDTH);
        painted = right;
        let band = Rect::from_min_max(pos2(left, frame.top()), pos2(right, frame.bottom()));
        painter.rect_filled(band, 0.0, tokens.warning.gamma_multiply(WEIGHT));
        painter.rect_filled(Rect::from_min_max(pos2(left, frame.bottom() - FOOT), band.max), 0.0, tokens.warning);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{PlotData, PlotFrame};
    use crate::ui::line_plot::LinePlot;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn filled_samples_are_marked_and_counted() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let line = PlotData::of_reals(&values, PlotFrame::plain(0, [0.0, 40.0], 400));
        let mut plot = LinePlot::default();
        plot.set_gaps(&[3..5, 20..21]);
        let mut counts = Vec::new();
        let mut harness = Harness::new_ui_state(
            |ui, (plot, counts): &mut (LinePlot, Vec<usize>)| {
                let rect = ui.available_rect_before_wrap();
                let look = PlotLook::over_index(ui, "plot", "sample", "value");
                let before = ui.painter().add(egui::Shape::Noop).0;
                plot.ui(ui, rect, 40, &look, Some(&line), &[]);
                counts.push(ui.painter().add(egui::Shape::Noop).0 - before);
            },
            (plot, std::mem::take(&mut counts)),
        );
        harness.run_steps(3);
        assert!(harness.query_by_label_contains("plot, 40 values, 3 of them filled, largest 39 at 39").is_some());
        let marked = *harness.state().1.last().expect("it was drawn");
        harness.state_mut().0.set_gaps(&[]);
        harness.run_steps(3);
        let plain = *harness.state().1.last().expect("it was drawn");
        assert_eq!(marked, plain + 4, "two bands and their feet");
        assert!(harness.query_by_label_contains("plot, 40 values, largest 39 at 39").is_some());
    }
}
