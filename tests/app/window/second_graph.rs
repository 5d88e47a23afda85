//! The graph beside the first one: another algorithm of the same data, in step, with the same values lit.

use super::{Window, answer, choose, click, run, says, settle, wait, window, window_of, workspace};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::graph::GraphNode;
use papillon::ui::{Beside, Command, Memory, Preset, Workspace};

fn beside(window: &Window) -> Option<Beside> {
    workspace(window).memory().settings.beside.clone()
}

#[test]
fn the_layout_opens_with_two_algorithms_that_step_together() {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    assert!(says(&window, "Flow graph, dft, cooley-tukey-dif, 8 lanes, 3 stages, 3 launches"));
    assert!(says(&window, "Second graph, dft, constant-geometry, 8 lanes, 3 stages, 3 launches"));
    for text in ["always N/2", "in place", "N/2, 2, 1"] {
        assert!(says(&window, text), "{text}");
    }
    run(&mut window, Command::StepBack);
    window.run_steps(3);
    assert!(says(&window, "Step cursor, after stage 2 of 3"));
    assert!(says(&window, "Step cursor of the second graph, after stage 2 of 3"));
}

#[test]
fn a_value_under_the_pointer_is_lit_in_both_graphs() {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    let canvas = window.get_by_label_contains("Second graph, dft").rect();
    let cursor = window.get_by_label_contains("Step cursor of the second graph").rect();
    // The results are at the cursor; the pointer looks for one of them.
    let mut lit = None;
    for y in 0..60 {
        window.hover_at(egui::pos2(cursor.center().x, canvas.top() + canvas.height() * y as f32 / 60.0));
        window.run_steps(2);
        lit = lit.or(workspace(&window).lit_node());
    }
    let GraphNode { column, lane } = lit.expect("a result is under the pointer");
    assert_eq!((column, lane), (3, 0), "X0 stands on the first lane of both graphs");
}

#[test]
fn another_algorithm_is_chosen_closed_and_undone() {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    choose(&mut window, "Second algorithm", "stockham-4");
    settle(&mut window);
    assert!(says(&window, "Second graph, dft, stockham-4, 8 lanes"));
    assert_eq!(beside(&window).and_then(|beside| beside.algorithm).as_deref(), Some("stockham-4"));
    window.run_steps(20);
    click(&mut window, "More in Second graph");
    click(&mut window, "No second graph");
    settle(&mut window);
    assert!(beside(&window).is_none() && !says(&window, "Second graph, dft"));
    window.run_steps(20);
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert!(says(&window, "Second graph, dft, stockham-4, 8 lanes"));
}

#[test]
fn one_command_shows_the_second_graph_and_takes_it_away() {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    assert!(says(&window, "Second graph, dft, constant-geometry, 8 lanes"));
    run(&mut window, Command::CompareGraphs);
    settle(&mut window);
    assert!(workspace(&window).memory().settings.beside.is_none() && !says(&window, "Second graph, dft"));
    // The check box in the menu of the graph is the same.
    click(&mut window, "View");
    window.get_by_role_and_label(egui::accesskit::Role::CheckBox, "Second graph").click();
    settle(&mut window);
    assert!(says(&window, "Second graph, dft, constant-geometry, 8 lanes"));
}

#[test]
fn lanes_move_from_the_first_graph_to_the_second() {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    click(&mut window, "Move lanes");
    // A drawing that moves asks for the next frame until it has arrived.
    window.run_steps(2);
    assert!(window.ctx.has_requested_repaint());
    window.run_steps(40);
    settle(&mut window);
    assert!(says(&window, "Second graph, dft, constant-geometry, 8 lanes"));
}

#[test]
fn reduced_motion_is_a_setting_that_the_lanes_obey() {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    click(&mut window, "Move lanes");
    window.run_steps(2);
    assert!(window.ctx.has_requested_repaint(), "lanes are on their way");
    run(&mut window, Command::ReduceMotion);
    settle(&mut window);
    assert!(workspace(&window).memory().reduces_motion);
    // A time that the engine has taken may ask for a frame of its own, a drawing that moves for every one of thirty.
    let rests = (0..10).any(|_| {
        window.step();
        !window.ctx.has_requested_repaint()
    });
    assert!(rests, "they have arrived at once: {:?}", window.ctx.repaint_causes());
    assert!(window.get_by_label("Move lanes").accesskit_node().is_disabled());
}

#[test]
fn a_handout_of_the_window_has_both_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let memory = Memory::of_preset(Preset::FlowGraph);
    let mut window = window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    let path = folder.path().join("page.svg");
    run(&mut window, Command::ExportHandout);
    answer(&mut window, path.to_str().unwrap());
    wait(&mut window, "no page is written", |_| path.exists());
    let text = std::fs::read_to_string(&path).unwrap();
    for words in ["cooley-tukey-dif: 8 lanes", "constant-geometry: 8 lanes", "in its launches, on CPU", "Values on the lanes"] {
        assert!(text.contains(words), "{words} is missing");
    }
}
