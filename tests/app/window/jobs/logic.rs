//! Jobs with functions, systems and times.

use super::super::says;
use super::files::name_file;
use super::{Hands, begin, text, window_of};
use egui::{Key, Modifiers};
use papillon::ui::{Memory, Workspace};
use std::path::Path;

pub(super) fn bit_flip(_: &Path) -> Hands {
    let mut hands = begin(&[]);
    hands.press("Logic");
    assert_eq!(["Bent", "Nonlinearity"].map(|name| hands.text_after(name)), ["yes", "6"]);
    hands.press("f(5) = 0");
    assert_eq!(["Bent", "Nonlinearity"].map(|name| hands.text_after(name)), ["no", "5"]);
    hands
}

pub(super) fn solve(folder: &Path) -> Hands {
    // The solution is 1, 2, 4, 8, …
    let x = |k: i32| if (0..8).contains(&k) { 2_f64.powi(k) } else { 0.0 };
    let row = |k: i32| format!("{},3,{},{}\n", -i32::from(k > 0), -i32::from(k < 7), 3.0 * x(k) - x(k - 1) - x(k + 1));
    let rows: String = (0..8).map(row).collect();
    let file = text(folder, "system.csv", &format!("a,b,c,d\n{rows}"));
    let mut hands = begin(&[]);
    hands.drop_file(&file);
    hands.wait_until("it is not solved", |window| says(window, "8 equations by "));
    assert!(says(&hands.window, "Solution plot, 8 values, largest 128 at 7 equation"), "{}", hands.text_of("Solution plot, "));
    hands
}

pub(super) fn sweep(folder: &Path) -> Hands {
    let measured = folder.join("measured.json");
    let window = window_of(move |ctx| Workspace::new(ctx, Memory::default(), Vec::new()).remembering(measured).prompting_always());
    let mut hands = Hands::on(window);
    hands.press("Benchmark");
    hands.press("Sweep");
    hands.press("Sizes");
    hands.write("2^3..2^6");
    hands.key(Modifiers::NONE, Key::Enter);
    hands.press("Run sweep");
    hands.press("Export");
    hands.press("The record as CSV…");
    name_file(&mut hands, &folder.join("times.csv"));
    let text = std::fs::read_to_string(folder.join("times.csv")).unwrap();
    // A comma in quotes is part of its cell.
    let unquoted = |(k, part): (usize, &str)| if k % 2 == 1 { part.replace(',', ";") } else { part.to_owned() };
    let plain = text.lines().map(|line| line.split('"').enumerate().map(unquoted).collect::<String>());
    let mut lines = plain.map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|head| *head == name).unwrap();
    let (size, time) = (column("columns"), column("kernel_median_us"));
    let rows: Vec<_> = lines.collect();
    for n in ["8", "16", "32", "64"] {
        let times: Vec<f64> = rows.iter().filter(|row| row[size] == n).map(|row| row[time].parse().unwrap()).collect();
        assert!(times.len() == 5 && times.iter().all(|time| *time > 0.0), "{n} values: {times:?}");
    }
    hands
}
