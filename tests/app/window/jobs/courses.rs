//! Jobs of a person who learns.

use super::super::{says, workspace};
use super::{Hands, begin};
use std::path::Path;

pub(super) fn course_step(_: &Path) -> Hands {
    let mut hands = begin(&[]);
    hands.press("Learn");
    hands.press("Lesson Constant geometry");
    hands.press("1");
    hands.wait_until("no answer", |window| says(window, "1: as you predicted"));
    hands.press("Next");
    assert!(says(&hands.window, "2 of 12"));
    hands
}

pub(super) fn pin(_: &Path) -> Hands {
    let mut hands = begin(&[]);
    hands.press("Flow graph");
    let canvas = hands.place_with("Flow graph, dft");
    let cursor = hands.place_with("Step cursor, ");
    let places = (0..60).map(|k| egui::pos2(cursor.center().x, canvas.top() + canvas.height() * k as f32 / 60.0));
    let result = places.clone().find(|at| {
        hands.look_at(*at);
        workspace(&hands.window).lit_node().is_some()
    });
    hands.press_at(result.expect("a result is drawn"), "the first result of the graph");
    hands.look_at(canvas.left_top());
    // The second graph names the value, too.
    assert_eq!(workspace(&hands.window).lit_node().map(|node| (node.column, node.lane)), Some((3, 0)));
    hands
}
