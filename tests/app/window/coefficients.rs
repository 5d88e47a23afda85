//! The pane of coefficients: picked in a spectrum, dragged, truncated, and lit in the flow graph.

use super::{Window, click, run, says, settle, window, workspace};
use egui_kittest::kittest::Queryable as _;
use papillon::graph::GraphNode;
use papillon::ui::{Command, Memory, Preset, SynthesisLook};

/// The layout of the flow graph with eight samples and the pane in front.
fn opened() -> Window {
    let mut window = window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    run(&mut window, Command::ToggleDrawer);
    settle(&mut window);
    click(&mut window, "Coefficients");
    settle(&mut window);
    window
}

fn look(window: &Window) -> SynthesisLook {
    workspace(window).memory().settings.synthesis.clone()
}

#[test]
fn a_picked_coefficient_has_a_part_a_share_and_a_path() {
    let mut window = opened();
    click(&mut window, "Coefficient 3");
    settle(&mut window);
    assert_eq!(look(&window).picked, Some([0, 3]));
    // By hand: X3 of 1 1 1 −1 −1 −1 −1 −1 is 0.586 + 0.586i; with its mirror it has 2 · 0.686 of the 8 · 8.
    assert!(says(&window, "2.145 %, with its mirror"));
    let lit = workspace(&window).lit_node();
    assert_eq!(lit, Some(GraphNode { column: 3, lane: 6 }), "X3 stands on lane 6 of the bit-reversed results");
    click(&mut window, "Coefficient 3");
    settle(&mut window);
    assert_eq!((look(&window).picked, workspace(&window).lit_node().map(|node| node.lane)), (None, Some(6)), "the pointer still lights it");
}

#[test]
fn a_dragged_coefficient_makes_another_signal_and_undo_brings_it_back() {
    let mut window = opened();
    assert!(says(&window, "Difference of the samples"));
    let bar = window.get_by_label("Coefficient 2").rect();
    window.drag_at(bar.center_bottom() - egui::vec2(0.0, 4.0));
    window.step();
    window.hover_at(bar.center());
    window.step();
    window.drop_at(bar.center());
    settle(&mut window);
    let changed = look(&window).changed;
    assert!(changed.len() == 1 && changed[0].at == [0, 2] && changed[0].value[0].hypot(changed[0].value[1]) > 1.0, "{changed:?}");
    click(&mut window, "All as computed");
    settle(&mut window);
    assert_eq!(look(&window).changed, []);
}
