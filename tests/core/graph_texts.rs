//! The texts of a drawing: −1, −i and the letters of wavelets and systems; the plain style, folded permutations, and pages of PDF.

use super::graph::{assert_apart, export, plan, request};
use papillon::figure::FigureFormat;
use papillon::graph::{
    EdgeStyle, GraphDrawing, GraphFormat, GraphNode, GraphOptions, GraphRequest, GraphStyle, Original, ends_with_permutation, is_named_as,
    layout, shrunk, shrunk_into,
};
use papillon::plan::{Direction, Stage};
use papillon::schedule::Schedule;
use papillon::transforms::{Parameters, Shape, transform};

/// The labels of coefficients, stage by stage in the order of the drawing.
fn coefficients(drawing: &GraphDrawing) -> Vec<&str> {
    drawing.labels.iter().filter(|label| label.is_coefficient()).map(|label| label.text.as_str()).collect()
}

/// α is negative, and its name has no sign of its own.
#[test]
fn formulas_name_the_factors_of_lifting() {
    let drawing = wavelet("cdf97", "direct");
    assert_eq!(drawing.formula(GraphNode { column: 1, lane: 7 }), "a₇ = α·x₆ + x₇ + α·x₈");
}

#[test]
fn minus_one_and_minus_i_are_written_as_such() {
    let drawing = layout(request("cooley-tukey-dif", 8));
    let count = |text: &str| coefficients(&drawing).iter().filter(|label| **label == text).count();
    assert_eq!((count("−1"), count("−i"), count("ω²₈"), count("ω¹₄"), count("ω¹₈")), (12, 3, 0, 0, 1));
    assert_eq!(drawing.definitions(), ["ω_N = e^(−2πi/N),  −i = ω¹₄"]);
    assert_eq!(drawing.formula(GraphNode { column: 1, lane: 6 }), "a₆ = (x₂ − x₆)·(−i)");
    assert!(layout(request("cooley-tukey-dif", 2)).definitions().is_empty(), "two values need no root");
}

#[test]
fn labels_leave_the_starts_of_lines_free() {
    for algorithm in ["cooley-tukey", "cooley-tukey-dit", "stockham-2", "stockham-4", "stockham-dit-2", "constant-geometry"] {
        for n in [4, 8, 16, 32] {
            let drawing = layout(request(algorithm, n));
            for label in drawing.labels.iter().filter(|label| label.is_coefficient()) {
                let (min, max) = (label.bounds().min, label.bounds().max);
                for start in drawing.edges.iter().map(|edge| edge.ends[0]) {
                    let is_inside = min.x < start.x && start.x < max.x && min.y < start.y && start.y < max.y;
                    assert!(!is_inside, "{algorithm} {n}: '{}' lies on the start of a line", label.text);
                }
            }
        }
    }
}

#[test]
fn the_plain_style_has_the_graph_alone() {
    let plain = |n: usize| {
        let mut request = request("cooley-tukey", n);
        request.options.style = GraphStyle::Plain;
        request.options.fold = true;
        request
    };
    for n in [4, 8, 16, 32] {
        let drawing = layout(plain(n));
        assert!(drawing.frames.is_empty() && drawing.tiles.is_empty());
        assert_eq!(drawing.spans.len(), n.ilog2() as usize, "the permutation is folded away");
        let svg = export(FigureFormat::Svg, &plain(n), None).unwrap();
        assert!(!svg.contains("stroke-dasharray") && !svg.contains("launch") && !svg.contains("blocks of"), "{n}: {svg}");
        assert_eq!(svg.matches(">−1</t").count(), n / 2 * n.ilog2() as usize);
        assert_apart(&drawing.labels, "plain");
    }
}

#[test]
fn a_permutation_at_the_end_can_be_folded_away() {
    let mut asked = request("cooley-tukey", 8);
    assert!(ends_with_permutation(&asked.plan) && !ends_with_permutation(&plan("stockham-2", 8, None)));
    let unfolded = layout(asked.clone());
    asked.options.fold = true;
    let folded = layout(asked.clone());
    assert_eq!((unfolded.spans.len(), folded.spans.len(), folded.frames.len()), (4, 3, 3));
    assert_eq!((0..8).map(|lane| folded.output_index(lane)).collect::<Vec<_>>(), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(folded.name(GraphNode { column: 3, lane: 1 }), "X₄");
    let file = |request: &GraphRequest| export(GraphFormat::Json, request, None).unwrap();
    asked.options.fold = false;
    let whole = file(&asked);
    asked.options.fold = true;
    assert_eq!(file(&asked), whole, "data hold the plan as it runs");
}

fn wavelet(name: &str, algorithm: &str) -> GraphDrawing {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(16), Parameters { levels: Some(1), ..Parameters::default() }).unwrap();
    layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() })
}

#[test]
fn lifting_steps_are_named_once_and_filters_have_line_styles() {
    let lifting = wavelet("cdf97", "direct");
    let mut names = coefficients(&lifting);
    names.sort_unstable();
    assert_eq!(names, ["1/K", "K", "K²δ", "α", "β", "γ/K"]);
    assert_eq!(lifting.definitions(), ["α = −1.5861,  β = −0.05298,  γ = 0.88291,  δ = 0.44351,  K = 1.1496"]);
    let filters = wavelet("d4", "filter-bank");
    assert!(coefficients(&filters).is_empty());
    let count = |k: usize| filters.edges.iter().filter(|edge| edge.style() == EdgeStyle::Filter(k)).count();
    assert_eq!([0, 1, 2, 3].map(count), [16; 4]);
    let [_, taps @ ..] = &filters.taps()[..] else { panic!("there are four filter coefficients") };
    assert_eq!(taps[0].1, "times h₁,  h₁ = 0.8365");
    let longer = wavelet("cdf97", "filter-bank").taps();
    assert_eq!(longer[0], (0, "times h₀,  h₀ = 0.8527; times g₀,  g₀ = 0.7885".into()));
    assert_eq!(longer.iter().map(|(style, _)| *style).collect::<Vec<_>>(), [0, 1, 2, 3], "the taps far out share a style");
}

#[test]
fn systems_have_unknowns_and_right_hand_sides() {
    let build = transform("tridiagonal").unwrap().algorithm("cyclic-reduction").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(3), Parameters::default()).unwrap();
    let drawing = layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() });
    assert!(["d₀", "x₂"].iter().all(|name| drawing.labels.iter().any(|label| label.text == *name)));
    assert_eq!(drawing.formula(GraphNode { column: 1, lane: 1 }), "d¹₁ = d₁ without d₀ and d₂");
    assert_eq!(drawing.formula(GraphNode { column: 2, lane: 0 }), "x₀ = d¹₀ without d¹₁");
}

#[test]
fn a_page_of_pdf_holds_its_font_and_its_text() {
    let bytes = papillon::graph::export(FigureFormat::Pdf, &request("cooley-tukey", 8), None).unwrap();
    assert!(bytes.starts_with(b"%PDF-1.7") && bytes.len() < 40_000, "{} bytes", bytes.len());
    let text = String::from_utf8_lossy(&bytes);
    for part in ["/FontFile2", "/ToUnicode", "PAPILN+Ubuntu-Light", "cooley-tukey, n < 8 & more", "%%EOF"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(text.contains("<03C9>") || text.contains("<03c9>"), "ω can be searched and copied");
}

#[test]
fn a_picture_keeps_the_stages_and_has_fewer_lanes() {
    for (name, algorithm, shape, lanes) in [
        ("dft", "stockham", Shape::line(1 << 20), 32),
        ("dft", "stockham-4", Shape::line(1 << 10), 16),
        ("dft", "cooley-tukey", Shape::line(1 << 20), 16),
        ("dft", "constant-geometry", Shape { rows: 8, columns: 1 << 12 }, 16),
        // Radices 7, 7, 5, 15, 15; 7, 6, 5, 7, 6, 5; 16, 12, 10; and those of both axes of an image.
        ("dft", "stockham", Shape::line(55_125), 105),
        ("dft", "stockham", Shape::line(44_100), 210),
        ("dft", "stockham", Shape::line(1920), 240),
        ("dft2", "stockham", Shape { rows: 480, columns: 640 }, 120),
        // Two radices whose multiple is too large.
        ("dft", "stockham", Shape::line(31 * 29), 0),
        ("dft2", "row-column", Shape { rows: 480, columns: 640 }, 120),
        ("dft2", "stockham", Shape { rows: 512, columns: 512 }, 16),
        ("walsh", "constant-geometry", Shape::line(1 << 20), 16),
    ] {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(shape, Parameters::default()).unwrap();
        let Some(small) = shrunk(&plan) else {
            assert_eq!(lanes, 0, "{name} {algorithm}");
            continue;
        };
        assert!(small.lanes == lanes, "{name} {algorithm}: {} lanes", small.lanes);
        assert_eq!(small.stages.len(), plan.stages.len());
        for (few, many) in small.stages.iter().zip(&plan.stages) {
            assert_eq!((&few.label, few.matrix()), (&many.label, many.matrix()));
            let mut written: Vec<usize> = few.written_lanes().collect();
            let mut read: Vec<usize> = few.butterflies().flat_map(|butterfly| butterfly.reads).flatten().collect();
            written.sort_unstable();
            read.sort_unstable();
            let all: Vec<usize> = (0..small.lanes).collect();
            assert!(written == all && read == all, "{name} {algorithm}, {}: every lane once", few.label);
        }
    }
    let haar = transform("haar").unwrap().plan(Shape::line(1 << 10), Parameters::default()).unwrap();
    assert!(shrunk(&haar).is_none(), "a pyramid has fewer butterflies in every stage");
}

#[test]
fn a_picture_keeps_the_stages_around_a_fourier_transform() {
    for (name, n, few, direction) in [
        ("rdft", 1 << 20, 64, Direction::Forward),
        ("rdft", 1 << 12, 64, Direction::Forward),
        ("hartley", 1 << 16, 32, Direction::Forward),
        ("dct", 1 << 20, 32, Direction::Forward),
        ("dct", 1 << 20, 32, Direction::Inverse),
    ] {
        let parameters = Parameters { direction, ..Parameters::default() };
        let [run, small] = [n, few].map(|n| transform(name).unwrap().plan(Shape::line(n), parameters).unwrap());
        let drawn = shrunk_into(&small, &run).unwrap_or_else(|| panic!("{name} of {n} has no miniature"));
        assert!(is_named_as(&drawn.stages, &run.stages), "{name}: {:?}", drawn.stages);
        assert_eq!((drawn.lanes, drawn.inputs, drawn.outputs), (small.lanes, small.inputs, small.outputs));
        assert!(drawn.stages.iter().flat_map(Stage::written_lanes).all(|lane| lane < drawn.lanes));
        let original = Original::of(&run, &Schedule::by_stage(&run));
        assert_eq!(original.last, [run.inputs - 1, run.outputs - 1]);
    }
    let [large, few] = [1 << 16, 16].map(|n| transform("rdft").unwrap().plan(Shape::line(n), Parameters::default()).unwrap());
    assert!(shrunk_into(&few, &large).is_none(), "8 points have no butterfly of 16 lanes");
    let [haar, few] = [1 << 10, 16].map(|n| transform("haar").unwrap().plan(Shape::line(n), Parameters::default()).unwrap());
    assert!(shrunk_into(&few, &haar).is_none(), "16 lanes have four levels");
}

#[test]
fn a_picture_names_the_first_and_the_last_lane_of_its_run() {
    let run = plan("cooley-tukey", 1024, None);
    let small = shrunk(&run).unwrap();
    let schedule = Schedule::by_stage(&small);
    let n_tiles = vec![512; schedule.launches.len()];
    let options = GraphOptions { original: Some(Original { last: [1023; 2], n_tiles }), ..GraphOptions::default() };
    let drawing = layout(GraphRequest { plan: small, schedule, options });
    let has = |text: &str| drawing.labels.iter().any(|label| label.text == text);
    assert!(["x₀", "x₁₀₂₃", "X₀", "X₁₀₂₃", "512 butterflies", "ω"].into_iter().all(has));
    assert!(!has("x₁") && !has("X₁₅") && !drawing.labels.iter().any(|label| label.text.starts_with("ω¹")));
}
