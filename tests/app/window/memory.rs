//! The pane *Memory*: accesses, banks, threads and tiles of the stage at the cursor.

use super::*;
use papillon::engine::DeviceChoice;
use papillon::signal::generate::{Checkerboard, Impulse};

/// A window with the pane in front; `looks` is the JSON form of its settings.
fn shown(origin: Origin, transform: &str, algorithm: &str, looks: &str) -> Window {
    let mut memory = memory(Preset::FlowGraph, origin, transform);
    memory.settings.algorithm = Some(algorithm.into());
    memory.settings.device = DeviceChoice::CpuParallel;
    memory.settings.memory = serde_json::from_str(looks).unwrap();
    let mut window = window(memory, Vec::new());
    window.get_by_label("Memory").click();
    settle(&mut window);
    window
}

/// The Walsh transform of 1,024 values by constant geometry.
fn walsh(looks: &str) -> Window {
    let origin = Origin::Generator(Generator::Impulse(Impulse { length: 1024, position: 0, height: 1.0 }));
    shown(origin, "walsh", "constant-geometry", looks)
}

#[test]
fn accesses_are_counted_and_follow_the_cursor() {
    let mut window = walsh("{}");
    assert!(says(&window, "Stage 10 of 10"));
    assert!(says(
        &window,
        "Memory accesses, Loads: 4 transactions of 128 bytes, at least 2; Stores: 2 transactions of 128 bytes, at least 2"
    ));
    assert!(says(&window, "96 transactions of 16 subgroups, at least 64"));
    run(&mut window, Command::StepBack);
    settle(&mut window);
    assert!(says(&window, "Stage 9 of 10"));
    click(&mut window, "More in Memory");
    choose(&mut window, "Accesses by", "CPU loop B");
    settle(&mut window);
    assert!(says(&window, "Memory accesses, Loads: 8 cache lines of 64 bytes, at least 4; Stores: 4 cache lines of 64 bytes, at least 4"));
}

#[test]
fn threads_and_banks_of_the_kernel_are_shown() {
    let mut window = walsh(r#"{"view": "threads", "by": "kernel"}"#);
    assert!(says(&window, "Threads of a workgroup of launch 1 that work"));
    click(&mut window, "Banks");
    settle(&mut window);
    assert!(says(&window, "Banks of workgroup memory") && says(&window, "no conflict"));
}

#[test]
fn idle_threads_of_haar_are_counted_stage_by_stage() {
    let origin = Origin::Generator(Generator::Impulse(Impulse { length: 16, position: 0, height: 1.0 }));
    let window = shown(origin, "haar", "cooley-tukey", r#"{"view": "threads"}"#);
    assert!(says(&window, "Threads that work, distance 1: 8 of 8, distance 2: 4 of 8, distance 4: 2 of 8, distance 8: 1 of 8"));
}

#[test]
fn the_thread_under_the_pointer_is_told() {
    let mut window = walsh("{}");
    let drawing = window.get_by_label_contains("Memory accesses, Loads").rect();
    // The first cell is behind the numbers of the threads, below two lines of text.
    window.hover_at(drawing.min + egui::vec2(56.0, 33.0));
    window.run_steps(4);
    assert!(says(&window, "loads lane "), "the status bar says what the thread does");
}

#[test]
fn the_padding_of_a_transposition_can_be_taken_away() {
    let image = || {
        let Origin::Generator(Generator::Checkerboard(board)) = small_image() else { unreachable!() };
        Origin::Generator(Generator::Checkerboard(Checkerboard { rows: 64, columns: 64, ..board }))
    };
    let window = shown(image(), "dft2", "row-column", r#"{"view": "banks"}"#);
    // The last launch transposes back.
    assert!(says(&window, "no conflict, passes 2, at least 2"));
    let window = shown(image(), "dft2", "row-column", r#"{"view": "banks", "padded": false}"#);
    assert!(says(&window, "16-way conflict, passes 32, at least 2"));
}

#[test]
fn tiles_lie_over_the_image() {
    let mut window = shown(small_image(), "cdf97-2", "overlapped", r#"{"view": "tiles"}"#);
    for _ in 0..40 {
        run(&mut window, Command::StepBack);
    }
    settle(&mut window);
    assert!(says(&window, "Tiles of launch 1") && says(&window, "over 32 × 32 pixels") && says(&window, "Workgroup 1 reads"));
}
