//! Flow graphs agree with their plans: the stages of a file multiply to the definition, figures of the papers are reproduced, and no two texts overlap.

use num_complex::Complex64;
use papillon::figure::FigureFormat;
use papillon::graph::{EdgeStyle, GraphDrawing, GraphError, GraphFormat, GraphNode, GraphOptions, GraphRequest, Label, layout};
use papillon::plan::{Direction, LaneValue, Plan};
use papillon::schedule::Schedule;
use papillon::transforms::{Family, Parameters, Shape, linear_transforms, transform};
use serde_json::Value;
use std::path::Path;

/// A file that is text.
pub(super) fn export(
    format: impl Into<GraphFormat>,
    request: &GraphRequest,
    values: Option<&[Vec<LaneValue>]>,
) -> Result<String, GraphError> {
    papillon::graph::export(format, request, values).map(|bytes| String::from_utf8(bytes).unwrap())
}

pub(super) fn plan(algorithm: &str, n: usize, tile_lanes: Option<usize>) -> Plan {
    let build = transform("dft").unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape::line(n), Parameters { tile_lanes, ..Parameters::default() }).unwrap()
}

pub(super) fn request(algorithm: &str, n: usize) -> GraphRequest {
    let plan = plan(algorithm, n, None);
    let options = GraphOptions {
        transform: "dft".into(),
        algorithm: algorithm.into(),
        title: format!("{algorithm}, n < {n} & more"),
        ..GraphOptions::default()
    };
    GraphRequest { schedule: Schedule::by_stage(&plan), plan, options }
}

/// Sörman's Figure 5.2: 16 points, tiles of 4 lanes.
fn figure_5_2() -> GraphDrawing {
    let plan = plan("global-local", 16, Some(4));
    layout(GraphRequest { schedule: Schedule::tiled(&plan, 4), plan, options: GraphOptions::default() })
}

fn identity(n: usize) -> Vec<Vec<Complex64>> {
    (0..n).map(|row| (0..n).map(|column| Complex64::from(if row == column { 1.0 } else { 0.0 })).collect()).collect()
}

/// Applies one stage to the rows; lanes without an incoming edge keep theirs.
fn multiply(rows: &[Vec<Complex64>], edges: &[(usize, usize, Complex64)]) -> Vec<Vec<Complex64>> {
    let mut after = rows.to_vec();
    for &(_, to, _) in edges {
        after[to].fill(Complex64::default());
    }
    for &(from, to, weight) in edges {
        for (sum, value) in after[to].iter_mut().zip(&rows[from]) {
            *sum += weight * value;
        }
    }
    after
}

fn assert_close(found: &[Vec<Complex64>], expected: &[Vec<Complex64>], what: &str) {
    let error = found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && error < 1e-12, "{what}: off by {error}");
}

#[test]
fn json_multiplies_back_to_the_definition() {
    for transform in linear_transforms().filter(|transform| ["dft", "dft2"].contains(&transform.name)) {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            for (rows, columns) in [(1, 1), (1, 2), (1, 8), (1, 64), (4, 8), (1, 3), (1, 7), (1, 12), (1, 17), (1, 30), (3, 5)] {
                let shape = if transform.name == "dft" { Shape::line(rows * columns) } else { Shape { rows, columns } };
                for direction in [Direction::Forward, Direction::Inverse] {
                    let Ok(plan) = build(shape, Parameters { direction, tile_lanes: Some(4), ..Parameters::default() }) else { continue };
                    let request = GraphRequest { schedule: Schedule::tiled(&plan, 8), plan, options: GraphOptions::default() };
                    let file: Value = serde_json::from_str(&export(GraphFormat::Json, &request, None).unwrap()).unwrap();
                    assert_close(
                        &matrix_of(&file),
                        &transform.definition.unwrap()(shape, Parameters { direction, ..Parameters::default() }),
                        algorithm.name,
                    );
                    assert_eq!(file["launches"].as_array().unwrap().len(), request.schedule.launches.len());
                }
            }
        }
    }
}

fn matrix_of(file: &Value) -> Vec<Vec<Complex64>> {
    let lanes = file["lanes"].as_u64().unwrap() as usize;
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let n_inputs = file["inputs"].as_array().unwrap().len();
    let mut rows: Vec<Vec<Complex64>> = identity(lanes).into_iter().map(|row| row[..n_inputs].to_vec()).collect();
    for stage in file["stages"].as_array().unwrap() {
        assert_eq!(stage["operation"], "linear");
        let edges = stage["edges"].as_array().unwrap().iter();
        let edge = |edge: &Value| {
            (index(&edge["from"]), index(&edge["to"]), Complex64::new(edge["re"].as_f64().unwrap(), edge["im"].as_f64().unwrap()))
        };
        rows = multiply(&rows, &edges.map(edge).collect::<Vec<_>>());
    }
    let outputs = file["outputs"].as_array().unwrap();
    let mut sorted = rows[..outputs.len()].to_vec();
    for (row, output) in rows.into_iter().zip(outputs) {
        sorted[index(output)] = row;
    }
    sorted
}

#[test]
fn json_is_as_documented() {
    let text = export(
        GraphFormat::Json,
        &request("stockham-2", 2),
        Some(&[vec![Complex64::new(1.0, -2.0).into(), Complex64::new(0.5, 0.0).into()]]),
    )
    .unwrap();
    let expected = concat!(
        r#"{"transform":"dft","algorithm":"stockham-2","ring":"complex","lanes":2,"inputs":["x0","x1"],"#,
        r#""stages":[{"label":"radix 2","launch":0,"operation":"linear","edges":["#,
        r#"{"from":0,"to":0,"re":1.0,"im":0.0,"text":"1"},{"from":1,"to":0,"re":1.0,"im":0.0,"text":"1"},"#,
        r#"{"from":0,"to":1,"re":1.0,"im":0.0,"text":"1"},{"from":1,"to":1,"re":-1.0,"im":0.0,"text":"−1"}]}],"#,
        r#""launches":[{"tile":null,"section":null}],"outputs":[0,1],"values":[[[1.0,-2.0],[0.5,0.0]]]}"#,
        "\n"
    );
    assert_eq!(text, expected);
    let wrong = export(GraphFormat::Json, &request("stockham-2", 4), Some(&[vec![Complex64::default().into(); 4]]));
    assert_eq!(wrong, Err(GraphError::Values { lanes: 4, stages: 2 }));
}

#[test]
fn the_drawn_edges_are_the_plan() {
    for algorithm in
        ["stockham", "stockham-8", "stockham-4", "stockham-dit-4", "cooley-tukey", "cooley-tukey-dit", "constant-geometry", "global-local"]
    {
        let drawing = layout(request(algorithm, 32));
        let mut rows = identity(32);
        for stage in 0..drawing.spans.len() {
            let factor = |to: usize| drawing.results.iter().find(|tail| tail.stage == stage && tail.to == to).unwrap().factor.value();
            let lines = drawing.edges.iter().filter(|line| line.stage == stage);
            let edges: Vec<_> = lines.map(|line| (line.from, line.to, line.weight.value() * factor(line.to))).collect();
            rows = multiply(&rows, &edges);
        }
        let plan = &drawing.request.plan;
        assert_close(&plan.output.natural(&rows), &plan.matrix(), algorithm);
    }
}

/// The two lanes that every butterfly reads and the two that it writes, stage by stage.
fn pairs(drawing: &GraphDrawing) -> Vec<Vec<[usize; 4]>> {
    let stages = drawing.request.plan.stages.iter();
    let four = |butterfly: papillon::plan::Butterfly| {
        [butterfly.reads[0].unwrap(), butterfly.reads[1].unwrap(), butterfly.writes[0], butterfly.writes[1]]
    };
    stages.map(|stage| stage.butterflies().map(four).collect()).collect()
}

fn factor_texts(drawing: &GraphDrawing, stage: usize) -> Vec<(usize, String)> {
    let results = drawing.results.iter().filter(|tail| tail.stage == stage && tail.factor.text() != "1");
    let mut texts: Vec<_> = results.map(|tail| (tail.to, tail.factor.text())).collect();
    texts.sort();
    texts
}

fn outputs(drawing: &GraphDrawing) -> Vec<usize> {
    (0..drawing.request.plan.lanes).map(|lane| drawing.request.plan.output.index(lane)).collect()
}

#[test]
fn sormans_figure_3_3_is_drawn() {
    let drawing = layout(request("cooley-tukey-dif", 8));
    let in_place = |pairs: &[[usize; 2]]| pairs.iter().map(|&[a, b]| [a, b, a, b]).collect::<Vec<_>>();
    let expected = [
        in_place(&[[0, 4], [1, 5], [2, 6], [3, 7]]),
        in_place(&[[0, 2], [1, 3], [4, 6], [5, 7]]),
        in_place(&[[0, 1], [2, 3], [4, 5], [6, 7]]),
    ];
    assert_eq!(pairs(&drawing), expected);
    let texts = |pairs: &[(usize, &str)]| pairs.iter().map(|&(lane, text)| (lane, text.to_string())).collect::<Vec<_>>();
    assert_eq!(factor_texts(&drawing, 0), texts(&[(5, "ω¹₈"), (6, "ω²₈"), (7, "ω³₈")]));
    assert_eq!(factor_texts(&drawing, 1), texts(&[(3, "ω¹₄"), (7, "ω¹₄")]));
    assert_eq!(factor_texts(&drawing, 2), []);
    assert_eq!(outputs(&drawing), [0, 4, 2, 6, 1, 5, 3, 7]);
    let dashed: Vec<_> = drawing.edges.iter().filter(|line| line.style() == EdgeStyle::Dashed).map(|line| (line.from, line.to)).collect();
    assert_eq!(dashed[..4], [(4, 4), (5, 5), (6, 6), (7, 7)]);
    assert_eq!(dashed.len(), 12);
}

#[test]
fn sormans_figure_3_4_is_drawn() {
    let drawing = layout(request("constant-geometry", 8));
    for stage in pairs(&drawing) {
        let mut stage = stage;
        stage.sort_unstable();
        assert_eq!(stage, [[0, 4, 0, 1], [1, 5, 2, 3], [2, 6, 4, 5], [3, 7, 6, 7]]);
    }
    assert_eq!(outputs(&drawing), [0, 4, 2, 6, 1, 5, 3, 7]);
}

#[test]
fn sormans_figure_5_2_is_drawn() {
    let drawing = figure_5_2();
    let launches: Vec<_> = drawing.request.schedule.launches.iter().map(|launch| launch.stages.clone()).collect();
    assert_eq!(launches, [0..1, 1..2, 2..4]);
    let frames: Vec<_> = drawing.tiles.iter().map(|tile| (tile.launch, tile.first_lane, tile.n_lanes)).collect();
    assert_eq!(frames, [(2, 0, 4), (2, 4, 4), (2, 8, 4), (2, 12, 4)]);
    let pairs = pairs(&drawing);
    assert_eq!(pairs[0][..3], [[0, 8, 0, 8], [1, 9, 1, 9], [2, 10, 2, 10]]);
    assert_eq!(pairs[1][..3], [[0, 4, 0, 4], [1, 5, 1, 5], [2, 6, 2, 6]]);
    assert_eq!(pairs[2][..3], [[0, 2, 0, 1], [1, 3, 2, 3], [4, 6, 4, 5]]);
    assert_eq!(pairs[3][..3], [[0, 2, 0, 8], [1, 3, 4, 12], [4, 6, 2, 10]]);
    assert_eq!(outputs(&drawing), Vec::from_iter(0..16));
    for line in drawing.edges.iter().filter(|line| line.stage >= 2) {
        let tile = drawing.tiles[line.from / 4];
        for end in line.ends {
            let inside = tile.rect.min.x <= end.x && end.x <= tile.rect.max.x && tile.rect.min.y < end.y && end.y < tile.rect.max.y;
            assert!(inside, "{line:?} leaves {tile:?}");
        }
    }
    assert!(drawing.labels.iter().any(|label| label.text == "4 workgroups"));
}

#[test]
fn cones_and_formulas_follow_the_edges() {
    let drawing = layout(request("cooley-tukey-dif", 8));
    let node = GraphNode { column: 1, lane: 5 };
    assert_eq!(drawing.formula(node), "a₅ = (x₁ − x₅)·ω¹₈");
    assert_eq!(drawing.formula(GraphNode { column: 3, lane: 1 }), "X₄ = b₀ − b₁");
    assert_eq!(drawing.formula(GraphNode { column: 0, lane: 2 }), "x₂, input 2");
    let cone = drawing.cone(node);
    assert_eq!(cone.sources(0), [1, 5]);
    assert_eq!(cone.targets(2), [5, 7]);
    assert_eq!(cone.targets(3), [4, 5, 6, 7]);
    assert!(cone.contains(node) && !cone.contains(GraphNode { column: 1, lane: 4 }));
    let addresses = drawing.addresses(node).unwrap();
    assert_eq!(addresses.reads[1], "tap k = 1 reads p + 4·k = lane 5");
    assert_eq!(addresses.write, "result j = 1 goes to p + 4·j = lane 5");
    let last = figure_5_2().addresses(GraphNode { column: 4, lane: 10 }).unwrap();
    assert_eq!(last.launch, "launch 3, workgroup 2 (lanes 4 to 7)");
    assert!(last.write.contains("reverse of 4 bits (j + 2·q + 4·b) = lane 10"), "{}", last.write);
}

#[test]
fn carried_lanes_go_straight_on() {
    let mut plan = plan("cooley-tukey-dif", 8, None);
    plan.stages[2].outer.n = 2;
    let drawing = layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() });
    let node = GraphNode { column: 3, lane: 6 };
    assert_eq!(drawing.formula(node), "X₃ = b₆, carried");
    assert_eq!(drawing.cone(node).sources(2), [6]);
    assert_eq!(drawing.cone(GraphNode { column: 2, lane: 6 }).targets(3), [6]);
    let (start, end) = (drawing.spans[2].start, drawing.spans[2].end);
    let carried: Vec<_> =
        drawing.lane_segments.iter().filter(|rail| rail.ends.map(|end| end.x) == [start, end]).map(|rail| rail.lane).collect();
    assert_eq!(carried, [4, 5, 6, 7]);
}

#[test]
fn no_two_texts_overlap() {
    for transform in linear_transforms().filter(|transform| transform.family == Family::Fourier) {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            for shape in
                [(1, 1), (1, 8), (2, 8), (1, 64), (8, 8), (1, 15), (3, 7), (1, 17), (5, 6)].map(|(rows, columns)| Shape { rows, columns })
            {
                let parameters = Parameters { direction: Direction::Inverse, tile_lanes: Some(4), ..Parameters::default() };
                let Ok(plan) = build(shape, parameters) else { continue };
                for schedule in [Schedule::by_stage(&plan), Schedule::tiled(&plan, 4)] {
                    let options = GraphOptions { binary: true, ..GraphOptions::default() };
                    let drawing = layout(GraphRequest { plan: plan.clone(), schedule, options });
                    assert_apart(&drawing.labels, algorithm.name);
                }
            }
        }
    }
}

pub(super) fn assert_apart(labels: &[Label], what: &str) {
    let boxes: Vec<_> = labels.iter().map(|label| (label.bounds(), &label.text)).collect();
    for (index, (rect, text)) in boxes.iter().enumerate() {
        for (other, words) in &boxes[index + 1..] {
            assert!(!rect.overlaps(*other), "{what}: '{text}' overlaps '{words}'");
        }
    }
}

#[test]
fn svg_is_well_formed_and_complete() {
    let svg = export(FigureFormat::Svg, &request("stockham-2", 8), None).unwrap();
    let mut reader = quick_xml::Reader::from_str(&svg);
    reader.config_mut().check_end_names = true;
    let (mut n_solid, mut n_dashed, mut depth) = (0, 0, 0);
    loop {
        use quick_xml::events::Event;
        match reader.read_event().unwrap() {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Empty(element) if element.name().as_ref() == b"polyline" => {
                let attributes: Vec<_> = element.attributes().map(Result::unwrap).collect();
                let has = |key: &str, value: &str| {
                    attributes.iter().any(|a| a.key.as_ref() == key.as_bytes() && a.value.as_ref() == value.as_bytes())
                };
                let points = attributes.iter().find(|a| a.key.as_ref() == b"points").unwrap();
                let is_line = has("stroke-width", "0.6") && points.value.iter().filter(|&&c| c == b' ').count() == 1;
                n_dashed += usize::from(is_line && has("stroke-dasharray", "4 2.5"));
                n_solid += usize::from(is_line && attributes.len() == 4);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    // 12 butterflies with 3 solid edges and a dashed one, the samples of the legend, and 16 results with a path for their factor.
    assert_eq!((n_solid, n_dashed), (36 + 1 + 16, 12 + 1));
    assert!(svg.contains("n &lt; 8 &amp; more") && svg.contains(">launch 3<"));
    // Two of the five factors are −i; ω is defined once, and −i by ω₄.
    let count = |text: &str| svg.matches(&format!(">{text}</t")).count();
    assert_eq!((count("ω"), count("−i"), count("−1")), (2 + 2, 3, 12), "{svg}");
    assert!(!svg.contains("baseline") && !svg.contains("dx="), "every run has its own position");
}

#[test]
fn tikz_is_ascii_and_balanced() {
    for algorithm in ["stockham-4", "constant-geometry"] {
        let tex = export(FigureFormat::Tikz, &request(algorithm, 16), None).unwrap();
        assert!(tex.is_ascii() && tex.contains("n $<$ 16 \\& more"), "{tex}");
        assert_eq!(tex.matches('{').count(), tex.matches('}').count());
        assert!(tex.contains("$\\omega^{1}_{16}$"));
    }
}

#[test]
fn endings_name_the_kind() {
    assert_eq!(GraphFormat::from_path(Path::new("a/b.SVG")), Ok(FigureFormat::Svg.into()));
    assert_eq!(GraphFormat::from_path(Path::new("b.tex")), Ok(FigureFormat::Tikz.into()));
    assert_eq!(GraphFormat::from_path(Path::new("b.json")), Ok(GraphFormat::Json));
    let error = GraphFormat::from_path(Path::new("b.gif")).unwrap_err();
    assert_eq!(error.to_string(), "'b.gif' names no kind of flow graph: end it with .svg, .paths.svg, .tex, .pdf, .png or .json");
    assert_eq!(export(FigureFormat::Svg, &request("stockham", 2048), None), Err(GraphError::Lanes { lanes: 2048, most: 1024 }));
    assert!(export(GraphFormat::Json, &request("stockham", 2048), None).is_ok());
}

/// 1,024 lanes have 20,480 edges of radix 2: all of them are in every file, in few paths, on a page that PDF and TeX take.
#[test]
fn a_drawing_of_1024_lanes_has_every_edge_and_fits_a_page() {
    let request = request("cooley-tukey", 1024);
    let n_edges: usize = request.plan.stages.iter().map(|stage| stage.edges().len()).sum();
    let [svg, tex] = [FigureFormat::Svg, FigureFormat::Tikz].map(|format| export(format, &request, None).unwrap());
    let n_lines = svg.lines().filter(|line| line.starts_with("<path")).map(|line| line.matches('M').count()).sum::<usize>();
    assert!(n_lines >= n_edges && svg.lines().filter(|line| line.starts_with("<path")).count() < n_lines / 50, "{n_lines} of {n_edges}");
    assert!(tex.matches(" -- ").count() >= n_edges);
    assert!(svg.len() < 4 << 20 && tex.len() < 4 << 20, "{} and {} bytes", svg.len(), tex.len());
    let largest = |text: &str| text.split([' ', '(', ')', ',']).filter_map(|word| word.parse::<f32>().ok()).fold(0.0, f32::max);
    assert!(tex.lines().filter(|line| line.starts_with("\\draw")).all(|line| largest(line) < 16_000.0));
    let pdf = papillon::graph::export(FigureFormat::Pdf, &request, None).unwrap();
    let page = String::from_utf8_lossy(&pdf).split("MediaBox [").nth(1).unwrap().split(']').next().unwrap().to_owned();
    assert!(pdf.len() < 2 << 20 && largest(&page) < 14_400.0, "{} bytes, page {page}", pdf.len());
}

#[test]
fn sections_are_named_and_drawn_in_two_colours() {
    use papillon::schedule::{SplitAndMerge, ThreadsPerSample};
    let build = transform("cdf97").unwrap().algorithm("split-merge").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(64), Parameters { levels: Some(2), ..Parameters::default() }).unwrap();
    let how = SplitAndMerge { levels: 2, block: 16, threads: ThreadsPerSample::Half, ..SplitAndMerge::default() };
    let schedule = Schedule::split_and_merge(&plan, how);
    let request = GraphRequest { plan, schedule, options: GraphOptions::default() };
    let file: Value = serde_json::from_str(&export(GraphFormat::Json, &request, None).unwrap()).unwrap();
    let parts: Vec<_> = file["launches"].as_array().unwrap().iter().map(|launch| launch["section"].as_str()).collect();
    assert_eq!(parts, [Some("split"), Some("merge"), None]);
    // Figure 4: 1, 2, 3, 4 and 3, 4, 5, 6 nodes at the boundary, with three edges each.
    let merged = |stage: usize| {
        let edges = file["stages"][stage]["edges"].as_array().unwrap();
        edges.iter().filter(|edge| edge["section"] == "merge").count() / 3
    };
    assert_eq!((0..8).map(merged).collect::<Vec<_>>(), [1, 2, 3, 4, 3, 4, 5, 6]);
    let svg = export(FigureFormat::Svg, &request, None).unwrap();
    assert!(["#0072b2", "#d55e00", "split: computed by a tile alone"].iter().all(|part| svg.contains(part)));
}
