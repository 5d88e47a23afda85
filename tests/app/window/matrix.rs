//! The pane *Matrix* as a person uses it.

use super::*;
use papillon::signal::generate::Impulse;

/// Eight samples of an impulse in the layout of flow graphs, where the pane is in front of the drawer.
fn eight(transform: &str, algorithm: &'static str) -> Window {
    let impulse = Generator::Impulse(Impulse { length: 8, position: 1, height: 1.0 });
    let mut memory = memory(Preset::FlowGraph, Origin::Generator(impulse), transform);
    memory.settings.algorithm = Some(algorithm.into());
    window(memory, Vec::new())
}

#[test]
fn the_factor_of_the_last_stage_stands_with_its_formula() {
    let mut window = eight("walsh", "constant-geometry");
    window.get_by_label_contains("Matrix A₃ = L(8, 2)·(I₄ ⊗ W), 8 × 8, 16 entries other than 0. Stage 3 of 3: ");
    assert!(says(&window, "A₃ = L(8, 2)·(I₄ ⊗ W)"));
    assert!(says(&window, "reads 8 values with stride 2: 0, 2, 4, 6, 1, 3"));
    click(&mut window, "A₁ = L(8, 2)·(I₄ ⊗ W)");
    settle(&mut window);
    window.get_by_label_contains("Matrix A₁ = L(8, 2)·(I₄ ⊗ W), 8 × 8, 16 entries other than 0. Stage 1 of 3: ");
    window.get_by_label("Step cursor, after stage 1 of 3");
}

#[test]
fn the_product_grows_and_the_whole_equals_the_definition() {
    let mut window = eight("walsh", "cooley-tukey");
    click(&mut window, "Product");
    click(&mut window, "One stage back");
    settle(&mut window);
    window.get_by_label("Matrix A₂·A₁, 8 × 8, 32 entries other than 0. The first 2 stages of 3");
    click(&mut window, "All stages");
    settle(&mut window);
    window.get_by_label("Definition, 8 × 8");
    window.get_by_label("Equal to the definition, entry by entry");
}

#[test]
fn an_entry_lights_its_node_in_the_flow_graph() {
    let mut window = eight("walsh", "constant-geometry");
    let matrix = window.get_by_label_contains("Matrix A₃").rect();
    // Row 0, column 1 is an edge; the place stays inside the first cells.
    let cell = (matrix.width() - 22.0) / 8.0;
    window.hover_at(matrix.min + egui::vec2(22.0 + 1.5 * cell, 22.0 + 0.5 * cell));
    window.run_steps(3);
    assert!(says(&window, "A₃[0, 1] = 1, from lane 1 to lane 0"), "the status bar");
    assert!(says(&window, "X₀ = "), "the card of the flow graph shows the node");
}

#[test]
fn an_entry_of_a_product_tells_its_paths_through_the_graph() {
    let mut window = eight("walsh", "cooley-tukey");
    click(&mut window, "Product");
    settle(&mut window);
    let matrix = window.get_by_label_contains("Matrix A₃·A₂·A₁").rect();
    let cell = (matrix.width() - 22.0) / 8.0;
    window.hover_at(matrix.min + egui::vec2(22.0 + 3.5 * cell, 22.0 + 1.5 * cell));
    window.run_steps(3);
    assert!(says(&window, "A₃·A₂·A₁[1, 3] = −1, from input 3 to lane 1, along one path of the flow graph"), "the status bar");
}

#[test]
fn what_has_no_matrix_says_why() {
    let mut memory = memory(
        Preset::FlowGraph,
        Origin::Generator(Generator::Impulse(Impulse { length: 8, ..Impulse::default() })),
        "dyadic-autocorrelation",
    );
    memory.settings.algorithm = None;
    let mut window = window(memory, Vec::new());
    click(&mut window, "All stages");
    settle(&mut window);
    assert!(says(&window, "is not linear and has no matrix"));
}

#[test]
fn an_edge_of_the_graph_is_told_under_the_pointer() {
    let mut window = eight("walsh", "constant-geometry");
    let graph = window.get_by_label_contains("Flow graph, ").rect();
    // Somewhere on a level line through the graph an edge is crossed.
    let is_told = (20..80).any(|percent| {
        window.hover_at(graph.min + egui::vec2(graph.width() * percent as f32 / 100.0, 0.5 * graph.height()));
        window.run_steps(2);
        says(&window, "Stage 1: from lane ") || window.query_by_label_contains("Stage 1: from lane ").is_some()
    });
    assert!(is_told, "the status bar names an edge with its coefficient");
}
