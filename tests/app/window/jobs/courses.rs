//! Jobs of a person who learns.

use super::super::{says, workspace};
use super::{Hands, begin};
use std::path::Path;

pub(super) fn course_step(_: &Path) -> Hands {
    let mut hands = begin(&[]);
    hands.press("Learn");
    hands.press("Lesson Constant geometry");
    hands.press("4");
    hands.wait_until("no answer", |window| says(window, "you "));
    hands
}

pub(super) fn pin(_: &Path) -> Hands {
    let mut hands = begin(&[]);
    hands.press("Flow graph");
    let canvas = hands.place_with("Flow graph, dft");
    let cursor = hands.place_with("Step cursor, ");
    for k in 0..40 {
        hands.look_at(egui::pos2(cursor.center().x, canvas.top() + canvas.height() * k as f32 / 40.0));
        if workspace(&hands.window).lit_node().is_some() {
            break;
        }
    }
    let at = egui::pos2(cursor.center().x, 0.0);
    hands.press_at(at, "the first result of the graph");
    hands
}
