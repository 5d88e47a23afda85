//! The pane *System*: solution, reduction stage by stage, and errors.

use super::{Window, click, run, says, settle};
use egui_kittest::kittest::Queryable as _;
use papillon::engine::Cut;
use papillon::schedule::{SplitAndMerge, ThreadsPerSample};
use papillon::signal::generate::{Equations, Generator, SystemExample};
use papillon::transforms::tridiagonal::TRIDIAGONAL;
use papillon::ui::{Command, Memory, Origin, Preset};

/// A window with the preset *System* and these equations.
fn window(example: SystemExample, n: usize, set: impl FnOnce(&mut Memory)) -> Window {
    let mut memory = super::memory(Preset::System, Origin::Generator(Generator::Equations(Equations { example, n })), "tridiagonal");
    memory.settings.system.n_stages = 0;
    set(&mut memory);
    super::window(memory, Vec::new())
}

#[test]
fn a_system_is_solved_and_reduced_stage_by_stage() {
    let mut window = window(SystemExample::Poisson, 3, |_| {});
    assert!(says(&window, "3 equations by cyclic-reduction") && says(&window, "Residual at most"), "it is solved at once");
    assert!(says(&window, "Solution plot, 3 values, largest 0.125 at 1 equation"));
    assert!(says(&window, "row 1: −1, 2, −1, 0.0625") && says(&window, "as given"));
    for (n_stages, expected) in [
        (1, ["row 0: 0, 2, −1, 0.0625", "row 1: 0, 1, 0, 0.125, solved", "after reduction 1"]),
        (2, ["row 0: 0, 1, 0, 0.09375, solved", "row 2: 0, 1, 0, 0.09375, solved", "after substitution 1"]),
    ] {
        // Only the slider has this name and role.
        window.get_by_role_and_label(egui::accesskit::Role::Slider, "Stage").focus();
        window.step();
        window.key_press(egui::Key::ArrowRight);
        settle(&mut window);
        for text in expected {
            assert!(says(&window, text), "after {n_stages} stages nothing says “{text}”");
        }
    }
}

#[test]
fn the_residual_of_every_equation_is_plotted() {
    let mut window = window(SystemExample::Poisson, 3, |_| {});
    assert!(says(&window, "3 equations, each a row of a, b, c and d") && !says(&window, "Rate"), "a system is no recording");
    click(&mut window, "Residual");
    settle(&mut window);
    // Quarters and eighths leave no rounding.
    assert!(says(&window, "Residual plot, 3 values, largest 0 at") && !says(&window, "Solution plot"));
}

#[test]
fn the_plots_of_a_long_system_come_from_a_worker() {
    let mut window = window(SystemExample::Poisson, 1 << 18, |_| {});
    assert!(says(&window, "Solution plot, 262144 values, largest"));
    click(&mut window, "Residual");
    settle(&mut window);
    assert!(says(&window, "Residual plot, 262144 values, largest") && !says(&window, "Solution plot"));
}

#[test]
fn system_and_flow_graph_share_one_cursor() {
    let mut window = window(SystemExample::Poisson, 3, |_| {});
    assert!(says(&window, "Step cursor, after stage 0 of 2") && says(&window, "as given"));
    click(&mut window, "Step forward");
    settle(&mut window);
    assert!(says(&window, "Step cursor, after stage 1 of 2") && says(&window, "after reduction 1"), "the table follows the graph");
    window.get_by_role_and_label(egui::accesskit::Role::Slider, "Stage").focus();
    window.step();
    window.key_press(egui::Key::ArrowRight);
    settle(&mut window);
    assert!(says(&window, "Step cursor, after stage 2 of 2"), "the graph follows the slider");
}

#[test]
fn every_algorithm_can_be_chosen_and_has_a_graph() {
    for algorithm in ["cyclic-reduction", "parallel-cyclic-reduction", "recursive-doubling", "thomas", "pivoted"] {
        let window = window(SystemExample::Dominant, 20, |memory| memory.settings.algorithm = Some(algorithm.into()));
        assert!(says(&window, &format!("20 equations by {algorithm}")), "{algorithm}");
        let has_plan = TRIDIAGONAL.algorithm(algorithm).unwrap().plan_fn().is_some();
        let drawn = if has_plan { "Flow graph, tridiagonal, " } else { "has no plan, so it has no flow graph" };
        assert!(says(&window, drawn), "{algorithm}");
    }
}

#[test]
fn reduction_follows_the_settings_of_split_and_merge() {
    let how = SplitAndMerge { levels: 2, block: 8, threads: ThreadsPerSample::One, ..SplitAndMerge::default() };
    let window = window(SystemExample::Dominant, 20, |memory| memory.settings.cut = Cut::SplitAndMerge(how));
    assert!(says(&window, "L, levels") && says(&window, "W, width") && says(&window, "Sections"));
    // A split and a merge of 20 rows, the remaining rows in one tile, and the way back.
    assert!(says(&window, "Flow graph, tridiagonal, cyclic-reduction, 20 lanes, 8 stages, 3 launches"));
    assert!(says(&window, "20 equations by cyclic-reduction"));
}

#[test]
fn an_inaccurate_solution_has_a_warning() {
    let singular = window(SystemExample::Singular, 12, |_| {});
    assert!(says(&singular, "is singular: no pivot is left for x[11]") && !says(&singular, "Solution plot"));
    let exchanged = window(SystemExample::ZeroPivots, 12, |_| {});
    assert!(says(&exchanged, "12 equations by pivoted") && says(&exchanged, "had to be exchanged"));
    let stopped = window(SystemExample::ZeroPivots, 12, |memory| memory.settings.algorithm = Some("cyclic-reduction".into()));
    assert!(says(&stopped, "came to no finite solution"));
}

#[test]
fn the_preset_offers_a_system_and_an_image_is_none() {
    let mut window = window(SystemExample::Poisson, 5, |memory| {
        memory.settings.origin = Origin::default();
        memory.settings.transform = "dft2".into();
    });
    assert!(says(&window, "is no tridiagonal system"));
    click(&mut window, "Start with a bent string");
    settle(&mut window);
    assert!(says(&window, "16 equations by cyclic-reduction"));
    run(&mut window, Command::Preset(Preset::System));
    settle(&mut window);
    assert!(says(&window, "16 equations by cyclic-reduction"), "a system that is there stays");
}
