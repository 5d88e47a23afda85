//! The pane *Kernel* as a person uses it.

use super::*;
use papillon::engine::DeviceChoice;
use papillon::signal::generate::Impulse;

/// Eight samples of an impulse, transformed on a CPU, with the pane in front of the drawer.
fn eight(transform: &str, algorithm: &str) -> Window {
    let impulse = Generator::Impulse(Impulse { length: 8, position: 1, height: 1.0 });
    let mut memory = memory(Preset::FlowGraph, Origin::Generator(impulse), transform);
    (memory.settings.algorithm, memory.settings.device) = (Some(algorithm.into()), DeviceChoice::Cpu);
    let mut window = window(memory, Vec::new());
    click(&mut window, "Kernel");
    settle(&mut window);
    window
}

#[test]
fn a_plan_that_ran_on_the_cpu_shows_what_a_gpu_would_get() {
    let mut window = eight("walsh", "constant-geometry");
    assert!(says(&window, "The CPU ran this plan"));
    click(&mut window, "A kernel a stage");
    settle(&mut window);
    assert!(says(&window, "let t = id.x;") && says(&window, "output[t + 4u] = u - v;"));
    window.get_by_label("3 constant geometry 3");
    assert!(says(&window, "dst1 = t mod step + 2·step·(t div step)"), "the paper's steps");
}

#[test]
fn the_lines_of_a_lit_butterfly_have_its_numbers() {
    let mut window = eight("walsh", "constant-geometry");
    click(&mut window, "A kernel a stage");
    click(&mut window, "2 constant geometry 2");
    settle(&mut window);
    window.get_by_label("Step cursor, after stage 2 of 3");
    // The last row of the result: lane 7 on the last column of the flow graph.
    let graph = window.get_by_label_contains("Flow graph, walsh").rect();
    let mut found = false;
    for step in 0..80 {
        let x = graph.left() + graph.width() * (0.3 + 0.008 * step as f32);
        for y in [0.82, 0.85, 0.88, 0.9] {
            window.hover_at(egui::pos2(x, graph.top() + y * graph.height()));
            window.run_steps(2);
            if says(&window, "Thread 3 reads lanes 6, 7 and writes lanes 3, 7") {
                found = true;
                break;
            }
        }
        if found {
            break;
        }
    }
    assert!(found, "no node of the last thread is lit");
    settle(&mut window);
    assert!(says(&window, "let t = id.x;◂ = 3"), "the line has its number");
}

#[test]
fn two_launches_are_compared_and_searched() {
    let mut window = eight("walsh", "cooley-tukey");
    click(&mut window, "A kernel a stage");
    settle(&mut window);
    window.get_by_label("Search in the kernel").focus();
    window.run_steps(2);
    window.get_by_label("Search in the kernel").type_text("output[");
    settle(&mut window);
    assert!(says(&window, "lines contain “output[”"));
}
