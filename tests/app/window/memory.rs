//! The pane *Memory*: accesses, banks, threads and tiles of the stage at the cursor.

use super::*;
use papillon::engine::DeviceChoice;
use papillon::signal::generate::Impulse;

/// The Walsh transform of 1,024 values by constant geometry, with the pane in front.
fn walsh() -> Window {
    let origin = Origin::Generator(Generator::Impulse(Impulse { length: 1024, position: 0, height: 1.0 }));
    let mut memory = memory(Preset::FlowGraph, origin, "walsh");
    memory.settings.algorithm = Some("constant-geometry".into());
    memory.settings.device = DeviceChoice::CpuParallel;
    let mut window = window(memory, Vec::new());
    window.get_by_label("Memory").click();
    settle(&mut window);
    window
}

#[test]
fn accesses_are_counted_and_follow_the_cursor() {
    let mut window = walsh();
    assert!(says(&window, "Stage 10 of 10"));
    assert!(says(
        &window,
        "Memory accesses, Loads: 4 transactions of 128 bytes, at least 2; Stores: 2 transactions of 128 bytes, at least 2"
    ));
    assert!(says(&window, "stride 2"));
    run(&mut window, Command::StepBack);
    settle(&mut window);
    assert!(says(&window, "Stage 9 of 10"));
    choose(&mut window, "Accesses by", "CPU loop B");
    settle(&mut window);
    assert!(says(&window, "cache lines of 64 bytes"));
}

#[test]
fn threads_and_banks_of_the_kernel_are_shown() {
    let mut window = walsh();
    choose(&mut window, "Accesses by", "Kernel");
    settle(&mut window);
    click(&mut window, "Threads");
    settle(&mut window);
    assert!(says(&window, "Threads of a workgroup of launch 1 that work"));
    click(&mut window, "Banks");
    settle(&mut window);
    assert!(says(&window, "Banks of workgroup memory") || says(&window, "uses no workgroup memory"));
}

#[test]
fn the_padding_of_a_transposition_can_be_taken_away() {
    let mut memory = memory(Preset::FlowGraph, small_image(), "dft2");
    memory.settings.algorithm = Some("row-column".into());
    memory.settings.device = DeviceChoice::CpuParallel;
    let mut window = window(memory, Vec::new());
    window.get_by_label("Memory").click();
    settle(&mut window);
    click(&mut window, "Banks");
    settle(&mut window);
    // The last launch transposes back.
    assert!(says(&window, "no conflict, passes 2, at least 2"));
    click(&mut window, "Padding");
    settle(&mut window);
    assert!(says(&window, "16-way conflict, passes 32, at least 2"));
}

#[test]
fn tiles_lie_over_the_image() {
    let mut memory = memory(Preset::FlowGraph, small_image(), "cdf53-2");
    memory.settings.algorithm = Some("overlapped".into());
    memory.settings.device = DeviceChoice::CpuParallel;
    let mut window = window(memory, Vec::new());
    window.get_by_label("Memory").click();
    settle(&mut window);
    for _ in 0..40 {
        run(&mut window, Command::StepBack);
    }
    settle(&mut window);
    click(&mut window, "Tiles");
    settle(&mut window);
    assert!(says(&window, "Tiles of launch 1") && says(&window, "over 32 × 32 pixels"));
}
