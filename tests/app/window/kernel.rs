//! The pane *Kernel* as a person uses it.

use super::*;
use papillon::engine::DeviceChoice;
use papillon::signal::generate::Impulse;

/// Eight samples of an impulse, transformed on a CPU, with the pane in front of the drawer.
fn eight(transform: &str, algorithm: &str) -> Window {
    eight_on(DeviceChoice::Cpu, transform, algorithm)
}

fn eight_on(device: DeviceChoice, transform: &str, algorithm: &str) -> Window {
    let impulse = Generator::Impulse(Impulse { length: 8, position: 1, height: 1.0 });
    let mut memory = memory(Preset::FlowGraph, Origin::Generator(impulse), transform);
    (memory.settings.algorithm, memory.settings.device) = (Some(algorithm.into()), device);
    let mut window = window(memory, Vec::new());
    click(&mut window, "Kernel");
    settle(&mut window);
    window
}

#[test]
fn a_plan_that_ran_on_a_gpu_shows_the_commands_that_ran() {
    let window = eight_on(DeviceChoice::Gpu, "dft", "stockham");
    assert!(says(&window, " got it") && !says(&window, "The CPU ran this plan"));
    assert!(says(&window, "@compute @workgroup_size("));
}

#[test]
fn a_plan_that_ran_on_the_cpu_shows_what_a_gpu_would_get() {
    let mut window = eight("walsh", "constant-geometry");
    assert!(says(&window, "The CPU ran this plan"));
    click(&mut window, "A kernel a stage");
    settle(&mut window);
    assert!(says(&window, "let t = id.x;") && says(&window, "output[t + 4u] = u - v;"));
    window.get_by_label("3 · constant geometry 3");
    assert!(says(&window, "dst1 = t mod step + 2·step·(t div step)"), "the paper's steps");
}

#[test]
fn the_pane_says_what_is_known_of_registers_and_why_the_rest_is_not() {
    let mut window = eight("dft", "stockham-8");
    click(&mut window, "A kernel a stage");
    settle(&mut window);
    for words in ["Registers and workgroup memory", "No workgroup memory.", "numbers of 32 bits in a thread", "cannot read its number"] {
        assert!(says(&window, words), "{words}");
    }
}

#[test]
fn the_lines_of_a_lit_butterfly_have_its_numbers() {
    let impulse = Generator::Impulse(Impulse { length: 8, position: 1, height: 1.0 });
    let mut memory = memory(Preset::FlowGraph, Origin::Generator(impulse), "walsh");
    (memory.settings.algorithm, memory.settings.device) = (Some("constant-geometry".into()), DeviceChoice::Cpu);
    // Lane 7 after the second stage is pinned in the flow graph.
    let pinned = serde_json::json!({
        "lanes": 8, "stages": 3, "viewport": null, "cursor": 2, "pinned": [2, 7],
        "as_table": false, "binary": false, "fold": false, "hides_card": false
    });
    memory.views.insert("FlowGraph".into(), pinned);
    memory.views.insert("Kernel".into(), serde_json::json!({ "shown": "Stages" }));
    let mut window = window(memory, Vec::new());
    click(&mut window, "Kernel");
    settle(&mut window);
    assert!(says(&window, "Thread 3 reads lanes 6, 7 and writes lanes 3, 7"));
    assert!(says(&window, "let t = id.x;◂ = 3"), "the line has its number");
    assert!(says(&window, "launch 2 of 3"));
}

#[test]
fn a_kernel_is_read_in_glsl_too() {
    let mut window = eight("walsh", "constant-geometry");
    click(&mut window, "A kernel a stage");
    if window.query_by_label("GLSL").is_none() {
        click(&mut window, "More in Kernel");
    }
    click(&mut window, "GLSL");
    settle(&mut window);
    assert!(says(&window, "#version 430 core") && says(&window, "void main() {"));
    assert!(says(&window, "Bindings") && !says(&window, "@compute"));
}

#[test]
fn the_lines_that_contain_a_word_are_counted() {
    let mut window = eight("walsh", "cooley-tukey");
    click(&mut window, "A kernel a stage");
    settle(&mut window);
    window.get_by_label("Search in the kernel").focus();
    window.run_steps(2);
    window.get_by_label("Search in the kernel").type_text("pair");
    settle(&mut window);
    assert!(says(&window, "3 lines contain “pair”"), "the load, and the two values in it");
}

#[test]
fn the_twiddles_and_indices_of_kernels_of_stages_are_chosen_beside_the_launches() {
    let mut window = eight("dft", "cooley-tukey-dif");
    for (choice, line) in [
        ("By stage", "return roots[1u + power];"),
        ("Computed", "cos(angle), sin(angle)"),
        ("Cosines", "root_cosine(row)"),
        ("Division", "t % launch."),
    ] {
        click(&mut window, choice);
        settle(&mut window);
        // The last launch has no twiddles, and the first no index to divide.
        click(&mut window, if choice == "Division" { "2 · blocks of 4" } else { "1 · blocks of 8" });
        settle(&mut window);
        assert!(says(&window, line), "after {choice} the kernel has no '{line}'");
    }
}
