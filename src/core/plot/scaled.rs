//! A figure at another size: every position, width and text is multiplied.

use super::{Figure, Mark, Position};

impl Figure {
    /// The figure, `by` times as large.
    #[must_use]
    pub fn scaled(&self, by: f32) -> Self {
        let point = |position: &mut Position| position.iter_mut().for_each(|x| *x *= by);
        let mut figure = self.clone();
        point(&mut figure.size);
        figure.plot.iter_mut().chain(figure.legend.iter_mut().flatten()).for_each(point);
        figure.places.iter_mut().for_each(|(_, _, place)| point(place));
        for mark in &mut figure.marks {
            match mark {
                Mark::Fill { corners, .. } | Mark::Image { corners, .. } => corners.iter_mut().for_each(point),
                Mark::Polygon { points, .. } => points.iter_mut().for_each(point),
                Mark::Path { points, width, dash, .. } => {
                    points.iter_mut().for_each(point);
                    dash.iter_mut().flatten().chain([width]).for_each(|length| *length *= by);
                }
                Mark::Segments { segments, width, .. } => {
                    segments.iter_mut().flatten().for_each(point);
                    *width *= by;
                }
                Mark::Symbol { at, radius: size, .. } | Mark::Text { at, size, .. } => {
                    point(at);
                    *size *= by;
                }
            }
        }
        figure
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Ink, TextAnchor};

    #[test]
    fn positions_and_texts_grow_alike_and_shrink_back() {
        let text = Mark::Text { at: [8.0, 4.0], anchor: TextAnchor::Left, size: 11.0, text: "ms".into(), ink: Ink::Text, upwards: false };
        let path = Mark::Path { points: vec![[0.0, 2.0], [16.0, 2.0]], ink: Ink::Rule, width: 1.0, dash: Some([4.0, 2.0]) };
        let figure = Figure { size: [16.0, 8.0], marks: vec![text, path], places: vec![(0, 1, [2.0, 3.0])], ..Figure::default() };
        let large = figure.scaled(2.0);
        assert_eq!((large.size, large.places[0].2), ([32.0, 16.0], [4.0, 6.0]));
        assert!(matches!(&large.marks[0], Mark::Text { at: [16.0, 8.0], size: 22.0, .. }));
        assert!(matches!(&large.marks[1], Mark::Path { width: 2.0, dash: Some([8.0, 4.0]), .. }));
        assert_eq!(large.scaled(0.5), figure);
    }
}
