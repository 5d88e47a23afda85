//! The flow graph pane as a person uses it, found by its accessible names.

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use papillon::figure::FigureFormat;
use papillon::graph::{GraphFormat, GraphStyle, HiddenParts};
use papillon::plan::{Direction, Plan};
use papillon::schedule::Schedule;
use papillon::signal::generate::{Generator, Impulse};
use papillon::transforms::{Parameters, Shape, transform};
use papillon::ui::flow_graph::{FlowGraphView, GraphContent, NodeValues};
use papillon::ui::{Command, Memory, Origin, Preset};

struct State {
    pane: FlowGraphView,
    plan: Plan,
    schedule: Schedule,
    ran: (Plan, Schedule),
    rows: Vec<Vec<papillon::plan::LaneValue>>,
    export: Option<(GraphFormat, GraphStyle)>,
}

fn harness() -> Harness<'static, State> {
    harness_of(8, [1100.0, 700.0])
}

/// A pane of this size with the graph of `n` values.
fn harness_of(n: usize, size: [f32; 2]) -> Harness<'static, State> {
    let build = transform("dft").unwrap().algorithm("stockham-2").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(n), Parameters { direction: Direction::Forward, ..Parameters::default() }).unwrap();
    let large = build(Shape::line(1 << 18), Parameters::default()).unwrap();
    let ran = (large.clone(), Schedule::by_stage(&large));
    let input: Vec<_> = (0..n).map(|i| num_complex::Complex64::from(i as f64)).collect();
    let rows = (0..=plan.stages.len()).map(|n| plan.run_stages(&input, n).into_iter().map(Into::into).collect()).collect();
    let state = State { pane: FlowGraphView::default(), schedule: Schedule::by_stage(&plan), plan, ran, rows, export: None };
    let mut harness = Harness::builder().with_size(size).build_ui_state(
        |ui, state: &mut State| {
            let content = GraphContent {
                plan: &state.plan,
                schedule: &state.schedule,
                transform: "dft",
                algorithm: "stockham-2",
                title: "Stockham radix 2",
                why: "",
                is_second: false,
                shared: None,
                miniature_of: Some((&state.ran.0, &state.ran.1)),
                is_shrunk: false,
                launch_micros: Some(&[1.5, 3.0, 2.0, 1.0]),
                lit: None,
                hidden: HiddenParts::default(),
                samples: None,
                values: Some(NodeValues { device: Some(&state.rows), reference: Some(&state.rows) }),
                words: None,
            };
            state.export = state.pane.ui(ui, &content).or(state.export);
        },
        state,
    );
    harness.run();
    harness
}

#[test]
fn the_graph_is_described_in_words() {
    let harness = harness();
    harness.get_by_label("Flow graph, Stockham radix 2, 8 lanes, 3 stages, 3 launches");
    harness.get_by_label(
        "Miniature: 8 of 262\u{2009}144 lanes. The run has 18 stages (18 × radix 2) in 18 launches, the miniature 3 stages (3 × radix 2) in 3 launches",
    );
    harness.get_by_label("Step cursor, after stage 3 of 3");
}

#[test]
fn the_cursor_steps_by_buttons_and_keys() {
    let mut harness = harness();
    assert_eq!(harness.state().pane.cursor(), 3);
    harness.get_by_label("Step back").click();
    harness.run();
    harness.get_by_label("Step back").click();
    harness.run();
    assert_eq!(harness.state().pane.cursor(), 1);
    harness.get_by_label("Step forward").click();
    harness.run();
    assert_eq!(harness.state().pane.cursor(), 2);
    harness.get_by_label("after stage 2 of 3");
    let canvas = harness.get_by_label_contains("Flow graph, Stockham");
    let centre = canvas.rect().center();
    canvas.click();
    harness.run();
    harness.hover_at(centre);
    harness.key_press(egui::Key::ArrowLeft);
    harness.run();
    assert_eq!(harness.state().pane.cursor(), 1);
}

/// All texts that a frame paints.
fn painted(harness: &Harness<'static, State>) -> Vec<String> {
    fn collect(shape: &egui::Shape, texts: &mut Vec<String>) {
        match shape {
            egui::Shape::Text(text) => texts.push(text.galley.text().to_owned()),
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, texts)),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| collect(&clipped.shape, &mut texts));
    texts
}

#[test]
fn sixteen_lanes_have_room_for_their_values() {
    // The pane in a window of 1280 × 800 points.
    let texts = painted(&harness_of(16, [950.0, 430.0]));
    let has = |value: &str| texts.iter().any(|text| text == value);
    assert!(["11", "13", "15", "120"].into_iter().all(has), "{texts:?}");
    assert!(texts.iter().filter(|text| text.ends_with('i')).count() > 16, "complex values too: {texts:?}");
}

#[test]
fn playing_runs_to_the_end() {
    let mut harness = harness();
    harness.get_by_label("Play").click();
    harness.step();
    harness.step();
    assert_eq!(harness.state().pane.cursor(), 0);
    harness.get_by_label("Pause");
    for _ in 0..200 {
        harness.step();
    }
    assert_eq!(harness.state().pane.cursor(), 3);
    harness.get_by_label("Play");
}

/// Eight samples.
fn short_signal() -> Origin {
    Origin::Generator(Generator::Impulse(Impulse { length: 8, ..Impulse::default() }))
}

#[test]
fn the_permutation_at_the_end_folds_away() {
    let mut window = super::window(super::memory(Preset::FlowGraph, short_signal(), "dft"), Vec::new());
    let says = |window: &super::Window, words: &str| super::says(window, words);
    assert!(says(&window, "Flow graph, dft, cooley-tukey, 8 lanes, 4 stages"), "short lines have radix 2");
    assert!(says(&window, "Automatic: radix 2, to be read in the flow graph"), "and the pane says why");
    assert!(says(&window, "ω_N = e^(−2πi/N)"));
    super::click(&mut window, "View");
    super::click(&mut window, "Fold permutation");
    super::settle(&mut window);
    assert!(says(&window, "Flow graph, dft, cooley-tukey, 8 lanes, 3 stages"));
}

#[test]
fn the_table_lists_the_edges() {
    let mut harness = harness();
    harness.get_by_label("View").click();
    harness.run();
    harness.get_by_label("As table").click();
    harness.run();
    harness.get_by_label("48 edges, stage by stage");
    harness.get_by_label("Factor of the result");
    assert!(harness.query_all_by_label("lane 4, x₄").count() >= 2);
    assert!(harness.query_all_by_label("ω¹₈").count() >= 1);
    assert!(harness.query_by_label_contains("Flow graph, Stockham").is_none());
}

#[test]
fn a_clicked_node_stays_explained_until_it_is_unpinned() {
    let mut harness = harness();
    let canvas = harness.get_by_label_contains("Flow graph, Stockham").rect();
    let request = harness.state().pane.request().unwrap().clone();
    let drawing = papillon::graph::layout(request);
    // The pane fits the bounds, with room for the times and the cursor, into the canvas, and stretches them to its width.
    let (height, width) = (drawing.bounds.height() + 14.0, drawing.bounds.width());
    let room = egui::vec2(canvas.width() - 20.0, canvas.height() - 34.0);
    let scale = (room.x / 0.45 / width).min(room.y / height).min(2.4);
    let across = room.x.min(3.0 * scale * height) / width;
    let node = drawing.position(1, 3);
    let middle = ((drawing.bounds.min.x + drawing.bounds.max.x) / 2.0, (drawing.bounds.min.y - 14.0 + drawing.bounds.max.y) / 2.0);
    let at = canvas.center() + egui::vec2((node.x - middle.0) * across, (node.y - middle.1) * scale - 7.0);
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run();
    assert_eq!(harness.state().pane.formula().as_deref(), Some("a₃ = (x₁ − x₅)·ω¹₈"), "for the status bar");
    let formula = harness.get_by_label("a₃ = (x₁ − x₅)·ω¹₈").rect();
    assert!(formula.left() >= canvas.right(), "the card stands beside the graph");
    harness.get_by_label("exact");
    harness.get_by_label_contains("tap k = 1 reads");
    harness.hover_at(canvas.left_bottom() + egui::vec2(3.0, -3.0));
    harness.run();
    harness.get_by_label("a₃ = (x₁ − x₅)·ω¹₈");
    harness.key_press(egui::Key::Escape);
    harness.run();
    assert!(harness.query_by_label("a₃ = (x₁ − x₅)·ω¹₈").is_none());
}

#[test]
fn a_narrow_graph_explains_a_node_where_its_legend_stands() {
    let mut window = super::window(Memory::default(), Vec::new());
    super::run(&mut window, Command::Preset(Preset::FlowGraph));
    super::settle(&mut window);
    let canvas = |window: &super::Window| window.get_by_label_contains("Flow graph, dft").rect();
    let before = canvas(&window);
    assert!(super::says(&window, "dashed: ×(−1)"));
    let buffer = window.get_by_label_contains("One buffer: after stage").rect();
    window.hover_at(buffer.right_center() - egui::vec2(8.0, 0.0));
    window.run_steps(4);
    assert!(super::says(&window, "\n= ") && !super::says(&window, "frame: launch"));
    assert_eq!(canvas(&window), before, "the graph stays where it is");
}

#[test]
fn exports_are_asked_of_the_caller() {
    let mut harness = harness();
    harness.get_by_label("Export").click();
    harness.run();
    harness.get_by_label("TikZ").click();
    harness.run();
    assert_eq!(harness.state().export, Some((FigureFormat::Tikz.into(), GraphStyle::Launches)));
    harness.get_by_label("Export").click();
    harness.run();
    assert!(harness.query_by_label("JSON, plain").is_none(), "data have no style");
    harness.get_by_label("PDF, plain").click();
    harness.run();
    assert_eq!(harness.state().export, Some((FigureFormat::Pdf.into(), GraphStyle::Plain)));
    assert_eq!(harness.state().pane.request().unwrap().options.algorithm, "stockham-2");
}

#[test]
fn fit_brings_the_graph_back() {
    let mut harness = harness();
    let canvas = harness.get_by_label_contains("Flow graph, Stockham").rect();
    let cursor_x = |harness: &Harness<'static, State>| harness.get_by_label_contains("Step cursor").rect().center().x;
    let fitted = cursor_x(&harness);
    harness.drag_at(canvas.left_bottom() + egui::vec2(40.0, -40.0));
    harness.step();
    harness.hover_at(canvas.left_bottom() + egui::vec2(-60.0 + 40.0, -40.0));
    harness.step();
    harness.drop_at(canvas.left_bottom() + egui::vec2(-60.0 + 40.0, -40.0));
    harness.run();
    assert!((cursor_x(&harness) - fitted).abs() > 20.0);
    harness.get_by_label("Fit").click();
    harness.run();
    assert!((cursor_x(&harness) - fitted).abs() < 1.0);
    assert!(!harness.get_by_label("Fit").accesskit_node().is_disabled());
}

#[test]
fn a_library_offers_an_algorithm_that_has_a_flow_graph() {
    let mut window = super::window(super::memory(Preset::FlowGraph, super::small_image(), "dft2"), Vec::new());
    let ran = |window: &super::Window| super::workspace(window).report().unwrap().outcome().unwrap().algorithm;
    super::choose(&mut window, "Algorithm", "rustfft");
    // Choices become points to go back to once they have stood for a second.
    window.run_steps(20);
    assert!(window.query_by_label_contains("Flow graph, ").is_none());
    window.get_by_label("rustfft has no plan, so it has no flow graph.");
    super::click(&mut window, "Take stockham");
    super::settle(&mut window);
    assert_eq!(ran(&window), "stockham");
    assert!(window.query_by_label_contains("Flow graph, dft2, stockham").is_some());
    window.run_steps(20);
    super::run(&mut window, Command::Undo);
    super::settle(&mut window);
    assert_eq!(ran(&window), "rustfft");
}

/// The shapes that a frame paints: bundles and frames, lines, dots of nodes.
fn counts(harness: &Harness<'static, State>) -> [usize; 3] {
    fn count(shape: &egui::Shape, counts: &mut [usize; 3]) {
        match shape {
            egui::Shape::Mesh(mesh) => counts[0] += mesh.vertices.len() / 4,
            egui::Shape::LineSegment { .. } => counts[1] += 1,
            egui::Shape::Circle(_) => counts[2] += 1,
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| count(shape, counts)),
            _ => {}
        }
    }
    let mut counts_of = [0; 3];
    harness.output().shapes.iter().for_each(|clipped| count(&clipped.shape, &mut counts_of));
    counts_of
}

/// Zooms in around the middle of the canvas by so many steps of 5/4.
fn zoom_in(harness: &mut Harness<'static, State>, n_steps: usize) {
    harness.get_by_label_contains("Flow graph, Stockham").click();
    harness.run();
    harness.key_press(egui::Key::Escape);
    // A node under the pointer would fade the others.
    let canvas = harness.get_by_label_contains("Flow graph, Stockham").rect();
    harness.hover_at(canvas.left_bottom() + egui::vec2(3.0, -3.0));
    harness.run();
    for _ in 0..n_steps {
        harness.key_press(egui::Key::Plus);
        harness.step();
    }
    harness.run();
}

#[test]
fn a_thousand_lanes_show_bundles_then_edges_then_nodes_with_values() {
    let mut harness = harness_of(1024, [950.0, 600.0]);
    let [bundles, lines, dots] = counts(&harness);
    assert!(bundles == 40 && lines < 100 && dots == 0, "far: {bundles} bundles, {lines} lines, {dots} dots");
    zoom_in(&mut harness, 9);
    let [_, lines, dots] = counts(&harness);
    assert!(lines > 1000 && dots == 0, "nearer: {lines} lines, {dots} dots");
    zoom_in(&mut harness, 8);
    let ([bundles, lines, dots], texts) = (counts(&harness), painted(&harness));
    assert!(bundles == 0 && lines > 20 && dots > 20, "near: {bundles} bundles, {lines} lines, {dots} dots");
    let is_value = |text: &&String| text.ends_with('i') && text.contains(['+', '−']);
    assert!(texts.iter().filter(is_value).count() > 10, "{texts:?}");
}

/// Prints the time of a frame at every level of detail, with and without tessellation. Run it in a release build.
#[test]
#[ignore = "a measurement"]
fn the_time_of_a_frame_of_a_thousand_lanes() {
    let start = std::time::Instant::now();
    let mut harness = harness_of(1024, [1280.0, 800.0]);
    eprintln!("layout and first frames: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    for step in 0..20 {
        let mut millis = Vec::new();
        for _ in 0..9 {
            let start = std::time::Instant::now();
            harness.step();
            let painted = start.elapsed();
            let meshes = harness.ctx.tessellate(harness.output().shapes.clone(), 1.0);
            millis.push((start.elapsed().as_secs_f64() * 1e3, painted.as_secs_f64() * 1e3, meshes.len()));
        }
        millis.sort_by(|a, b| a.0.total_cmp(&b.0));
        eprintln!("zoom {step}: {:?} shapes, {:.1} ms, of them {:.1} ms before tessellation", counts(&harness), millis[4].0, millis[4].1);
        zoom_in(&mut harness, 1);
    }
}

/// The samples that the window transforms, drawn ones included.
fn samples(window: &super::Window) -> Vec<f64> {
    let signal = &super::workspace(window).report().unwrap().request.job.signal;
    signal.samples_complex64(papillon::signal::ChannelChoice::default()).unwrap().into_iter().map(|value| value.re).collect()
}

#[test]
fn a_sample_is_changed_in_the_graph_and_what_depends_on_it_lights_up() {
    let mut window = super::window(super::memory(Preset::FlowGraph, short_signal(), "walsh"), Vec::new());
    super::click(&mut window, "Change a sample");
    assert!(super::says(&window, "depends on 1 of the inputs, reaches 8 of the outputs"), "the first input is pinned");
    super::set(&mut window, "Value of x₀", 3.0);
    super::settle(&mut window);
    assert_eq!(samples(&window), [3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(super::says(&window, "device: 3"), "the card shows its value");
    let result = |window: &super::Window| super::workspace(window).report().unwrap().outcome().unwrap().values.clone().unwrap();
    assert_eq!(result(&window).device.last().unwrap()[5], papillon::plan::LaneValue::from(num_complex::Complex64::from(2.0)), "3 − 1");
    // By keyboard: the next input.
    let canvas = window.get_by_label_contains("Flow graph, walsh").rect();
    window.hover_at(canvas.right_top() + egui::vec2(-3.0, 3.0));
    window.run_steps(2);
    window.key_press(egui::Key::ArrowDown);
    window.run_steps(2);
    super::set(&mut window, "Value of x₁", -1.5);
    super::settle(&mut window);
    assert_eq!(samples(&window)[..2], [3.0, -1.5]);
    window.run_steps(20);
    super::run(&mut window, Command::Undo);
    super::settle(&mut window);
    assert_ne!(samples(&window)[..2], [3.0, -1.5], "undo takes it back");
}

#[test]
fn the_buffers_below_the_graphs_say_what_they_hold() {
    let mut window = super::window(Memory::of_preset(Preset::FlowGraph), Vec::new());
    let says = |window: &super::Window, words: &str| super::says(window, words);
    assert!(says(&window, "One buffer: after stage 3"), "Cooley-Tukey is in place");
    assert!(says(&window, "Pong of the second graph: after stage 3") && says(&window, "Ping of the second graph: old, of stage 2"));
    for _ in 0..3 {
        super::run(&mut window, Command::StepBack);
    }
    window.run_steps(3);
    assert!(says(&window, "One buffer: the input") && says(&window, "Pong of the second graph: empty"));
}

#[test]
fn the_lesson_of_figure_9_draws_trapezoids() {
    let mut window = super::window_of(|ctx| {
        let mut workspace = papillon::ui::Workspace::new(ctx, Memory::of_preset(Preset::Learn), Vec::new());
        assert!(workspace.show_lesson(ctx, "arguello-2012-figure-9", Some(2)));
        workspace
    });
    super::settle(&mut window);
    assert_eq!(window.query_all_by_label("Sections, 2 splits, 1 merge").count(), 2, "W = 0 beside W = 8");
    assert!(super::says(&window, "W = 0") && super::says(&window, "W = 8"), "the second graph has a width of its own");
}
