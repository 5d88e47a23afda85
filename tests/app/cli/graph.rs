//! `graph`: the stages in the JSON multiply to the definition, the images are well-formed, the values are those of the device.

use super::*;
use serde_json::Value;

fn lane(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// Runs the stages of the JSON on `input`; gives the lanes after every stage.
fn run(plan: &Value, input: &[Complex64]) -> Vec<Vec<Complex64>> {
    let mut lanes = input.to_vec();
    lanes.resize(lane(&plan["lanes"]), Complex64::default());
    let stage = |stage: &Value| {
        // A lane without an incoming edge keeps its value.
        let mut next = lanes.clone();
        let edges = stage["edges"].as_array().unwrap();
        for edge in edges {
            next[lane(&edge["to"])] = Complex64::default();
        }
        for edge in edges {
            let weight = Complex64::new(edge["re"].as_f64().unwrap(), edge["im"].as_f64().unwrap());
            let value = lanes[lane(&edge["from"])];
            next[lane(&edge["to"])] += weight * if edge["conjugated"] == true { value.conj() } else { value };
        }
        lanes = next;
        lanes.clone()
    };
    plan["stages"].as_array().unwrap().iter().map(stage).collect()
}

fn graph(folder: &TempDir, options: &str) -> Value {
    let output = papillon(folder, &format!("graph {options} -o -"));
    assert!(output.status.success(), "{options}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_stages_multiply_to_the_definition() {
    let folder = TempDir::new().unwrap();
    let samples = complex(&pixels(16));
    // The lanes of half spectra hold two samples each: tests/real.rs multiplies their stages.
    // Products of residues are wider than double precision: tests/core/ntt.rs multiplies theirs.
    use papillon::transforms::Numbers;
    for transform in
        papillon::transforms::linear_transforms().filter(|transform| ![Numbers::HalfSpectrum, Numbers::Residues].contains(&transform.gives))
    {
        let (size, rows, columns) = if transform.axes == Axes::Rows { ("16", 1, 16) } else { ("4x4", 4, 4) };
        let expected = match transform.name {
            "dft" | "dft2" => dft2(&samples, rows, columns),
            _ => by_definition(transform, &samples, rows, columns),
        };
        for algorithm in transform.algorithms.iter().filter(|algorithm| algorithm.plan_fn().is_some()) {
            let tile = if algorithm.takes_tile_lanes() { "--tile 4 " } else { "" };
            let options = format!("-t {} -a {} -n {size} {tile}--schedule tiles:8", transform.name, algorithm.name);
            let plan = graph(&folder, &options);
            let last = run(&plan, &samples).pop().unwrap();
            let mut result = vec![Complex64::default(); 16];
            for (value, index) in last.iter().zip(plan["outputs"].as_array().unwrap()) {
                result[lane(index)] = if plan["ring"] == "gf2" { (value.re % 2.0).into() } else { *value };
            }
            assert_near(&result, &expected, 1e-14);
            let launches = plan["launches"].as_array().unwrap().len();
            assert!(plan["stages"].as_array().unwrap().iter().all(|stage| lane(&stage["launch"]) < launches));
        }
    }
}

/// As docs/file-formats.md says: an even row packs two samples into a lane, and edges may conjugate.
#[test]
fn the_stages_of_half_spectra_multiply_to_the_definition() {
    let folder = TempDir::new().unwrap();
    for (name, rows, columns) in [("rdft", 1, 16), ("rdft", 1, 9), ("rdft2", 4, 6)] {
        let samples = complex(&pixels(rows * columns));
        let pair = |pair: &[Complex64]| Complex64::new(pair[0].re, pair[1].re);
        let lanes: Vec<Complex64> = if columns % 2 == 0 { samples.chunks(2).map(pair).collect() } else { samples.clone() };
        let size = if rows == 1 { columns.to_string() } else { format!("{rows}x{columns}") };
        let plan = graph(&folder, &format!("-t {name} -a stockham -n {size}"));
        assert_eq!(plan["inputs"].as_array().unwrap().len(), lanes.len());
        let is_hermitian = |stage: &Value| stage["operation"] == "hermitian";
        let conjugates = |stage: &Value| stage["edges"].as_array().unwrap().iter().any(|edge| edge["conjugated"] == true);
        let stages = plan["stages"].as_array().unwrap();
        assert!(stages.iter().all(|stage| is_hermitian(stage) == conjugates(stage)), "{name} {size}");
        let last = run(&plan, &lanes).pop().unwrap();
        let outputs = plan["outputs"].as_array().unwrap();
        let mut result = vec![Complex64::default(); outputs.len()];
        outputs.iter().zip(&last).for_each(|(index, value)| result[lane(index)] = *value);
        let half = columns / 2 + 1;
        let expected: Vec<Complex64> = dft2(&samples, rows, columns).chunks(columns).flat_map(|row| row[..half].to_vec()).collect();
        assert_near(&result, &expected, 1e-14);
    }
}

#[test]
fn values_come_from_the_device() {
    let folder = TempDir::new().unwrap();
    let line: Vec<String> = pixels(8).iter().map(u8::to_string).collect();
    write(&folder, "line.csv", line.join("\n"));
    for device in ["cpu", "cpu-parallel", "gpu"] {
        let plan = graph(&folder, &format!("-t dft -a cooley-tukey -n 8 --values line.csv -d {device}"));
        let expected = run(&plan, &complex(&pixels(8)));
        let values = plan["values"].as_array().unwrap();
        assert_eq!(values.len(), expected.len());
        for (values, expected) in values.iter().zip(&expected) {
            let part = |pair: &Value, index: usize| pair[index].as_f64().unwrap();
            let found: Vec<Complex64> =
                values.as_array().unwrap().iter().map(|pair| Complex64::new(part(pair, 0), part(pair, 1))).collect();
            assert_near(&found, expected, 1e-6);
        }
    }
}

#[test]
fn values_stand_in_drawings_and_a_convolution_takes_two_signals() {
    let folder = TempDir::new().unwrap();
    write(&folder, "f.csv", "1\n0\n1\n1");
    write(&folder, "g.csv", "1\n2\n3\n4");
    for ending in ["svg", "tex"] {
        let bare = format!("graph -t walsh -a constant-geometry -n 4 -o bare.{ending}");
        done(&folder, &bare);
        done(&folder, &format!("graph -t walsh -a constant-geometry -n 4 --values f.csv -d cpu -o full.{ending}"));
        let text = |name: &str| std::fs::read_to_string(folder.path().join(format!("{name}.{ending}"))).unwrap();
        // Four lanes before the first stage and after both.
        let n_texts = |text: &str| text.matches(if ending == "svg" { "<text" } else { "\\node" }).count();
        assert_eq!(n_texts(&text("full")), n_texts(&text("bare")) + 12, "{ending}");
    }
    let plan = graph(&folder, "-t dyadic-convolution --values f.csv --with g.csv -d cpu");
    let last = plan["values"].as_array().unwrap().last().unwrap().as_array().unwrap().clone();
    let found: Vec<f64> = last[..4].iter().map(|pair| pair[0].as_f64().unwrap()).collect();
    // By hand: z[0] = 1·1 + 1·3 + 1·4, z[1] = 1·2 + 1·4 + 1·3, and so on.
    assert_eq!(found, [8.0, 9.0, 6.0, 7.0]);
    assert!(refused(&folder, "graph -t walsh -n 4 --values f.csv --with g.csv -o x.json", 2).contains("leave --with out"));
}

#[test]
fn any_length_is_drawn_and_multiplies_to_the_definition() {
    let folder = TempDir::new().unwrap();
    for (n, algorithm) in [(15, "stockham"), (17, "stockham"), (37, "bluestein"), (49, "stockham"), (210, "stockham"), (97, "bluestein")] {
        let plan = graph(&folder, &format!("-t dft -n {n}"));
        assert_eq!((plan["algorithm"].as_str(), plan["inputs"].as_array().unwrap().len()), (Some(algorithm), n));
        let samples = complex(&pixels(n));
        let last = run(&plan, &samples).pop().unwrap();
        assert_near(&last[..plan["outputs"].as_array().unwrap().len()], &dft(&samples), 1e-13);
    }
    let line: Vec<String> = pixels(17).iter().map(u8::to_string).collect();
    write(&folder, "line.csv", line.join("\n"));
    let plan = graph(&folder, "-t dft -a bluestein -n 17 --values line.csv -d gpu");
    let values = plan["values"].as_array().unwrap();
    let (first, last) = (values[0].as_array().unwrap(), values.last().unwrap().as_array().unwrap());
    assert!(first.iter().all(|value| value.is_array()) && first.len() > 17);
    assert!(last[16].is_array() && last[17].is_null(), "the result has 17 values");
    let told = refused(&folder, "graph -t dft -n 1031 --values line.csv -o x.json", 2);
    assert!(told.contains("1024 lanes"), "{told}");
}

#[test]
fn schedules_cut_the_stages() {
    let folder = TempDir::new().unwrap();
    let n = |options: &str, part: &str| graph(&folder, options)[part].as_array().unwrap().len();
    let all = "-t dft -a stockham-2 -n 64";
    assert_eq!(n(&format!("{all} --schedule stages"), "launches"), n(all, "stages"));
    assert_eq!(n(&format!("{all} --schedule tiles"), "launches"), 1);
    assert!(n("-t dft -a cooley-tukey-dif -n 64 --schedule tiles:8", "launches") > 1);
}

#[test]
fn pictures_are_written_for_browsers_and_latex() {
    let folder = TempDir::new().unwrap();
    done(&folder, "graph -t dft -n 8 -a stockham-2 -o graph.svg");
    let svg = String::from_utf8(read(&folder, "graph.svg")).unwrap();
    assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    done(&folder, "graph -t dft2 -n 4 --inverse -o graph.tex");
    assert!(String::from_utf8(read(&folder, "graph.tex")).unwrap().contains("\\begin{tikzpicture}"));
    let output = papillon(&folder, "graph -t dft -n 8 -a stockham-2 -o - --format svg");
    assert_eq!(output.stdout, svg.as_bytes());
}

#[test]
fn papers_get_plain_drawings_without_the_permutation() {
    let folder = TempDir::new().unwrap();
    assert_eq!(graph(&folder, "-t dft -n 8")["algorithm"], "cooley-tukey", "short lines have radix 2");
    assert_eq!(graph(&folder, "-t dft -n 32")["algorithm"], "cooley-tukey");
    assert_eq!(graph(&folder, "-t dft -n 64")["algorithm"], "stockham");
    done(&folder, "graph -t dft -n 8 --style plain --fold -o plain.svg");
    let svg = String::from_utf8(read(&folder, "plain.svg")).unwrap();
    assert!(!svg.contains("launch") && !svg.contains("bit reversal") && svg.contains(">−i<"), "{svg}");
    for (options, name) in [("--style plain", "plain.pdf"), ("", "launches.pdf")] {
        done(&folder, &format!("graph -t cdf97 -n 16 --levels 2 {options} -o {name}"));
        assert!(read(&folder, name).starts_with(b"%PDF"), "{name}");
    }
    assert!(refused(&folder, "graph -t dft -n 8 --style fancy -o x.svg", 2).contains("launches or plain"));
    assert!(refused(&folder, "graph -t dft -n 8 -o x.gif", 2).contains(".pdf, .png"));
}

#[test]
fn filter_banks_and_sections_are_drawn_as_the_papers_do() {
    let folder = TempDir::new().unwrap();
    done(&folder, "graph -t d4 -a filter-bank -n 16 --levels 3 --layout in-place -o bank.svg");
    done(&folder, "graph -t cdf97 -a split-merge -n 64 --levels 1 --block 16 --width 8 --layout sections -o sections.svg");
    let text = std::fs::read_to_string(folder.path().join("sections.svg")).unwrap();
    // Two splits and a merge in their colours.
    assert_eq!([text.matches("stroke=\"#0072b2\"").count(), text.matches("stroke=\"#d55e00\"").count()], [2, 1], "{text}");
    for layout in ["in-place", "sections"] {
        let told = refused(&folder, &format!("graph -t walsh -a cooley-tukey -n 8 --layout {layout} -o x.svg"), 2);
        assert!(told.contains("--layout plan"), "{told}");
    }
}

#[test]
fn a_convolution_is_drawn_too() {
    let folder = TempDir::new().unwrap();
    let plan = graph(&folder, "-t dyadic-convolution -n 4");
    let operations: Vec<&str> = plan["stages"].as_array().unwrap().iter().map(|stage| stage["operation"].as_str().unwrap()).collect();
    assert_eq!(operations, ["linear", "linear", "product", "linear", "linear", "linear"]);
    assert_eq!(lane(&plan["lanes"]), 8);
    assert_eq!(plan["inputs"], serde_json::json!(["f0", "f1", "f2", "f3", "g0", "g1", "g2", "g3"]));
    let rows = graph(&folder, "-t dyadic-convolution -n 2x2");
    assert_eq!(rows["inputs"], serde_json::json!(["f0", "f1", "g0", "g1", "f2", "f3", "g2", "g3"]));
    done(&folder, "graph -t cyclic-convolution -n 8 -o cyclic.svg");
    assert!(
        String::from_utf8(read(&folder, "cyclic.svg"))
            .unwrap()
            .contains("Cyclic convolution of two lines of 8 values by convolution-theorem")
    );
    for (options, word) in
        [("-n 12", "power"), ("-n 4 -a stockham", "convolution-theorem"), ("-n 4 --inverse", "no --inverse"), ("-n 2^12", ".json")]
    {
        let told = refused(&folder, &format!("graph -t dyadic-convolution {options} -o x.svg"), 2);
        assert!(told.contains(word), "{options}: {told}");
    }
}
