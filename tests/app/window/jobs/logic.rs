//! Jobs with functions, systems and times.

use super::super::says;
use super::{Hands, begin, text, window_of};
use egui::{Key, Modifiers};
use papillon::ui::{Memory, Workspace};
use std::path::Path;

pub(super) fn bit_flip(_: &Path) -> Hands {
    let mut hands = begin(&[]);
    hands.press("Logic");
    assert_eq!(hands.text_of("Nonlinearity"), "");
    hands.press("f(5) = 0");
    hands
}

pub(super) fn solve(folder: &Path) -> Hands {
    let rows: String = (0..8).map(|k| format!("{},2.5,{},{}\n", -f64::from(u8::from(k > 0)), -f64::from(u8::from(k < 7)), k % 3)).collect();
    let file = text(folder, "system.csv", &format!("a,b,c,d\n{rows}"));
    let mut hands = begin(&[]);
    hands.drop_file(&file);
    hands.wait_until("it is not solved", |window| says(window, "8 equations by "));
    assert_eq!(hands.text_of("row 1"), "");
    hands
}

pub(super) fn sweep(folder: &Path) -> Hands {
    let measured = folder.join("measured.json");
    let window = window_of(move |ctx| Workspace::new(ctx, Memory::default(), Vec::new()).remembering(measured).prompting_always());
    let mut hands = Hands::on(window);
    hands.press("Benchmark");
    hands.press("Sweep");
    hands.press("Sizes from");
    hands.write("3");
    hands.key(Modifiers::NONE, Key::Enter);
    hands.press("to");
    hands.write("6");
    hands.key(Modifiers::NONE, Key::Enter);
    hands.press("Run sweep");
    hands.press("Export");
    hands
}
