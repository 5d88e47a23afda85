//! `bench`: sweeps, their files, and records looked at again.

use super::*;
use papillon::bench::{Record, SweepEnd};
use papillon::engine::Cut;

/// The rows of a table by the names of its columns.
fn rows(csv: &[u8]) -> Vec<std::collections::HashMap<String, String>> {
    csv::Reader::from_reader(csv).deserialize().map(Result::unwrap).collect()
}

#[test]
fn a_bench_measures_and_checks() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench -t dft,dft2 --sizes 8..16 -d cpu,cpu-parallel,gpu --repeat 2 -o times.csv");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(table.lines().count(), 1 + 2 * 2 * 3, "{table}");
    let rows = rows(&read(&folder, "times.csv"));
    assert_eq!(rows.len(), 12);
    for row in &rows {
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        assert!(number("relative_error") < 1e-6 && row["right"] == "true");
        assert!(number("kernel_min_us") > 0.0 && number("kernel_low_us") <= number("kernel_median_us"));
        assert!(number("kernel_median_us") <= number("kernel_high_us") && number("kernel_high_us") <= number("kernel_max_us"));
        // Times of the same runs can be compared however busy the machine is.
        assert!(number("run_kernel_min_us") > 0.0 && number("run_kernel_median_us") <= number("total_median_us") * 1.01);
        assert!(number("upload_median_us") <= number("total_median_us") && number("download_median_us") <= number("total_median_us"));
        assert_eq!(row["moved_bytes"].parse::<u64>().is_ok_and(|bytes| bytes > 0), number("launches") > 0.0);
        assert_eq!(number("runs"), 2.0);
        assert_eq!(number("upload_median_us") > 0.0, row["on_gpu"] == "true", "only a GPU has uploads");
        assert!(number("copy_median_us") > 0.0 && number("bytes_once") > 0.0);
    }
    assert!(rows.iter().any(|row| (&row["transform"][..], &row["rows"][..], &row["columns"][..]) == ("dft2", "16", "16")));
}

#[test]
fn a_moved_shape_is_timed_on_every_device() {
    let folder = TempDir::new().unwrap();
    let told = papillon(&folder, "bench --moves --sizes 16,32 -d cpu-parallel --repeat 2");
    let text = String::from_utf8(told.stdout).unwrap();
    assert!(told.status.success() && text.lines().count() == 2, "{text}");
    assert!(
        text.starts_with("16 × 16: ") && text.contains("\n32 × 32: ") && text.contains(" ms (") && text.contains(", 2 moves) on CPU"),
        "{text}"
    );
    assert_eq!(papillon(&folder, "bench --moves -o moves.csv").status.code(), Some(2), "no record is written");
}

#[test]
fn a_record_is_shown_again_as_it_was() {
    let folder = TempDir::new().unwrap();
    let line = "bench -t walsh --rows 3 --sizes 32 -a constant-geometry,cooley-tukey -d cpu,cpu-strided --schedule stages --repeat 4 -o times.json";
    let first = papillon(&folder, line);
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let record = Record::load(&folder.path().join("times.json")).unwrap();
    assert_eq!((record.end, record.measurements.len(), record.failures.len()), (SweepEnd::Complete, 4, 0));
    assert_eq!((record.measurements[0].shape.rows, record.measurements[0].n_launches), (3, 5));
    assert_eq!(record.measurements[0].kernel_micros.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1, 1], "in rounds");
    assert!(record.measurements.iter().any(|case| case.device.ends_with("strided loops")));
    assert!(record.machine.n_threads >= 1 && record.taken_at > 1_700_000_000);
    let again = papillon(&folder, "bench --record times.json -o times.csv");
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(Record::load(&folder.path().join("times.csv")).unwrap(), record);
    let third = papillon(&folder, "bench --record times.csv");
    assert_eq!(third.stdout, first.stdout);
}

#[test]
fn convolutions_are_timed_and_checked() {
    let folder = TempDir::new().unwrap();
    done(&folder, "bench -t dyadic-convolution,cyclic-convolution --sizes 16 -d cpu,gpu --repeat 1 -o times.json");
    let record = Record::load(&folder.path().join("times.json")).unwrap();
    assert_eq!(record.measurements.len(), 4);
    assert!(record.measurements.iter().all(|case| case.is_right() && case.operations > 0.0));
}

#[test]
fn parameters_of_a_transform_are_measured_as_they_are_typed() {
    let folder = TempDir::new().unwrap();
    done(&folder, "bench -t cdf97 -a direct --sizes 64 --levels 2 --boundary periodic --inverse -d gpu --repeat 2 -o two.json");
    let record = Record::load(&folder.path().join("two.json")).unwrap();
    let parameters = record.sweep.lines[0].parameters;
    assert_eq!((parameters.levels, parameters.direction), (Some(2), papillon::plan::Direction::Inverse));
    done(&folder, "bench -t cdf97 -a direct --sizes 64 --levels 4 -d gpu --repeat 2 -o four.json");
    let more = Record::load(&folder.path().join("four.json")).unwrap();
    assert!(record.measurements[0].is_right() && record.measurements[0].n_launches < more.measurements[0].n_launches);
}

#[test]
fn what_takes_no_time_has_no_rates() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench -t dft -a stockham --sizes 1 -d cpu --repeat 2 -o one.csv");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains('–') && !table.contains("NaN") && !table.contains("inf"), "{table}");
}

#[test]
fn a_budget_of_time_is_kept() {
    let folder = TempDir::new().unwrap();
    let begin = std::time::Instant::now();
    done(&folder, "bench -t walsh --sizes 2^4..2^12 -d cpu,cpu-parallel --budget 3 -o times.json");
    let record = Record::load(&folder.path().join("times.json")).unwrap();
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
    assert!(record.measurements.iter().all(|case| case.is_right()));
    assert!(record.measurements.iter().any(|case| case.kernel().n > 9), "what is quick has more runs");
    let told = done(&folder, "bench -t walsh,haar --sizes 2^16..2^18 -d cpu --budget 0.001");
    assert!(told.contains("not measured in that time: ") && told.contains("haar") && told.contains("262144"), "{told}");
}

#[test]
fn an_interrupted_bench_keeps_what_it_has() {
    let folder = TempDir::new().unwrap();
    let words = "bench -t walsh --sizes 2^3..2^10 -d cpu --repeat 20000 -o times.json";
    let output = folder.path().join("times.json");
    // A busy machine needs longer for its first round; what is interrupted before has nothing to keep.
    for secs in [4, 12, 30] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_papillon"));
        let mut child = command.current_dir(&folder).args(words.split_whitespace()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(secs));
        let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(told.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        if output.exists() {
            break;
        }
    }
    let record = Record::load(&output).unwrap();
    assert_eq!(record.end, SweepEnd::Cancelled);
    assert!(!record.measurements.is_empty());
}

#[test]
fn what_cannot_be_measured_leaves_the_rest() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench -t walsh --sizes 12,16 -d cpu --repeat 1 -o times.json");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("no power of two") && told.lines().last().unwrap().contains("1 of 2 cases could not be measured"), "{told}");
    let record = Record::load(&folder.path().join("times.json")).unwrap();
    assert_eq!((record.measurements.len(), record.failures.len()), (1, 1));
    write(&folder, "strange.json", "{\"format\": \"papillon record\", \"version\": 99}");
    for (line, code, word) in [
        ("bench --record strange.json", 1, "version"),
        ("bench --record nowhere.json", 1, "nowhere.json"),
        ("bench --record times.txt", 2, ".json"),
        ("bench -t walsh --sizes 2^20..2^24 --against 7 --plot times.svg", 2, "--against 7 names no line"),
        ("bench --budget=-3", 2, "seconds"),
        ("bench --caches luke", 2, "warm"),
        ("bench -a stockham -t walsh --sizes 8", 2, "stockham"),
        ("bench -t dyadic-convolutions --sizes 8", 2, "dyadic-convolutions"),
    ] {
        assert!(refused(&folder, line, code).contains(word), "{line}");
    }
}

#[test]
fn plots_are_drawn_of_what_was_measured_and_of_records() {
    let folder = TempDir::new().unwrap();
    done(&folder, "bench -t walsh --sizes 2^4..2^8 -d gpu,cpu --repeat 3 -o times.json --plot time.svg");
    let svg = String::from_utf8(read(&folder, "time.svg")).unwrap();
    assert!(svg.contains("walsh") && svg.contains(">6</tspan>") && svg.contains(" µs</text>"), "{svg}");
    done(&folder, "bench -t walsh --sizes 2^4..2^8 -d cpu --repeat 3 -o other.csv");
    for quantity in ["time", "speed-up", "flops", "bandwidth", "transfers", "error"] {
        done(&folder, &format!("bench --record times.json --compare other.csv --quantity {quantity} --part total --plot {quantity}.png"));
        let (width, height, _, pixels) = read_png(&folder.path().join(format!("{quantity}.png")));
        assert!((width, height) == (1920, 1080) && pixels.iter().any(|byte| *byte < 60), "{quantity}");
    }
    for (line, word) in [
        ("bench --record times.json --plot x.gif", ".svg"),
        ("bench --record times.json --against 9 --plot x.svg", "1 to 2"),
        ("bench --record times.json --quantity colour --plot x.svg", "quantity"),
    ] {
        let output = papillon(&folder, line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(String::from_utf8(output.stderr).unwrap().contains(word), "{line}");
    }
}

#[test]
fn uploads_and_buffers_are_as_in_the_paper_or_as_asked() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench --experiment gajic-2011-fig-4d --sizes 64 --repeat 1 -o haar.json");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    for words in ["every run makes its buffers", "numbers: i32", "two buffers, one upload (ours)"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let record = Record::load(&folder.path().join("haar.json")).unwrap();
    let uploads: Vec<[usize; 2]> = record.measurements.iter().map(|found| [found.n_launches, found.n_uploads]).collect();
    assert_eq!(uploads, [[6, 0], [6, 0], [6, 1], [6, 2], [7, 1], [6, 1]]);
    assert!(record.measurements.iter().all(|found| found.on_gpu == (found.runs[0][0].buffers > 0.0) && found.lanes == "i32"));
    let output = papillon(&folder, "bench --experiment gajic-2011-fig-4d --sizes 64 --repeat 1 --uploads once --buffers once -o haar.json");
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    for words in ["no time counts that", "uploads once (the paper: both)", "making of buffers once (the paper: each-run)"] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let record = Record::load(&folder.path().join("haar.json")).unwrap();
    assert!(record.measurements.iter().all(|found| found.runs[0][0].buffers == 0.0 && found.n_uploads < 2));
    assert!(refused(&folder, "bench --experiment sorman-2016-table-6-2 --uploads twice", 2).contains("both"));
}

#[test]
fn experiments_are_listed_and_repeated() {
    let folder = TempDir::new().unwrap();
    let list = String::from_utf8(papillon(&folder, "bench --experiments").stdout).unwrap();
    for words in ["gajic-2011-fig-4a", "Table 6.2", "Tesla M2070", "104 ×"] {
        assert!(list.contains(words), "{words} is missing in\n{list}");
    }
    let output = papillon(&folder, "bench --experiment li-2012-table-2 --sizes 8,64 --repeat 1 -o li.json --plot li.svg --table table.tex");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("use the CPU; here ") && told.contains("Xeon X5650"), "{told}");
    let shown = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<&str> = shown.lines().take_while(|line| !line.is_empty()).collect();
    assert!(
        rows[1].contains("Xeon X5650, Gflop/s")
            && rows[2].split_whitespace().eq("log N here paper ratio here paper ratio here here here here".split(' ')),
        "{shown}"
    );
    // Sizes that the paper does not have are among those that it has.
    assert!(rows[3].starts_with('3') && rows[4].starts_with('6') && rows[9].starts_with("27") && rows[9].contains("10.86"), "{shown}");
    let tex = String::from_utf8(read(&folder, "table.tex")).unwrap();
    assert!(tex.contains("\\multicolumn{3}{c}{Tesla M2070, Gflop/s}") && tex.contains("27 & \\textendash{} & 10.86"), "{tex}");
    for (name, words) in
        [("table.csv", "\"Xeon X5650, Gflop/s: paper\""), ("table.svg", "<svg"), ("table.tikz", "tikzpicture"), ("table.txt", "Table 2: ")]
    {
        let call = format!("bench --record li.json --with li.json --with li.json --table {name}");
        assert!(papillon(&folder, &call).status.success() && String::from_utf8(read(&folder, name)).unwrap().contains(words), "{name}");
    }
    assert!(refused(&folder, "bench -t dft --sizes 8 --table table.tex", 2).contains("--experiment"));
    let record = Record::load(&folder.path().join("li.json")).unwrap();
    assert_eq!(record.sweep.experiment.as_deref(), Some("li-2012-table-2"));
    assert_eq!(record.measurements.len(), 6);
    let svg = String::from_utf8(read(&folder, "li.svg")).unwrap();
    assert!(
        svg.contains("Gflop/s") && svg.contains("Xeon X5650") && svg.contains("Table 2 was measured on "),
        "the paper's numbers stand beside"
    );
    assert!(refused(&folder, "bench --experiment gajic-1999", 2).contains("--experiments"));
    // A budget that is too short for any case leaves the rows and numbers of the paper.
    let output = papillon(&folder, "bench --experiment li-2012-table-1 --budget 0.000001");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && shown.contains("radix-8") && shown.contains("47.28"), "{shown}");
    assert!(shown.contains("left out, as the time was up"), "{shown}");
}

#[test]
fn a_parameter_goes_to_the_algorithms_that_take_it() {
    let folder = TempDir::new().unwrap();
    let call = "bench -t cdf97 -a direct,split-merge,overlapped --sizes 4096 --levels 3 --levels-per-stage 3 --width 16 -d cpu --repeat 1 -o times.json";
    let told = done(&folder, call);
    assert!(told.contains("--levels-per-stage goes to split-merge, overlapped, and not to direct"), "{told}");
    assert!(told.contains("--width goes to split-merge, and not to direct, overlapped"), "{told}");
    let lines = Record::load(&folder.path().join("times.json")).unwrap().sweep.lines;
    let cuts: Vec<_> = lines.iter().map(|line| line.cut).collect();
    let how = papillon::schedule::SplitAndMerge { levels: 3, width: 16, ..Default::default() };
    assert_eq!(cuts, [Cut::Tiles, Cut::SplitAndMerge(how), Cut::Overlapped(3)]);
    for (call, word) in [
        ("bench -t cdf97 -a direct --sizes 64 --levels-per-stage 3", "--levels-per-stage belongs to -a split-merge or -a overlapped"),
        ("bench -t dft,walsh --sizes 64 --width 3", "--width belongs to -a split-merge"),
        ("bench -t cdf97 -a direct,split-merge --sizes 64 --block 7", "take a power of two from 8 to 1024"),
        ("bench -t cdf97 -a direct,overlapped --sizes 64 --levels-per-stage 1 --block 16", "--block belongs to -a split-merge"),
        ("bench -t dft --sizes 64 --axis columns", "--axis columns has nothing to do"),
    ] {
        assert!(refused(&folder, call, 2).contains(word), "{call}");
    }
}

#[test]
fn results_are_held_to_the_bound_of_their_transform() {
    let folder = TempDir::new().unwrap();
    // Every length up to 16, or one of each kind: no butterfly, radices, products of two, a convolution.
    let every: Vec<String> = (1..=16).map(|n| n.to_string()).collect();
    let (sizes, back) = match crate::whole_grid() {
        true => (every.join(",") + ",31,37,59,251,4096", every.join(",") + ",31,37,59,251,4096"),
        false => ("1,2,3,8,11,15,31,37,251,4096".to_owned(), "1,2,3,8,11,15,59,4096".to_owned()),
    };
    let calls = [
        format!("-t dft,rdft --sizes {sizes}"),
        format!("-t dft,rdft --sizes {back} --inverse"),
        "-t dft -a bluestein,rustfft --sizes 3,37,59,61,1009 --precision double".into(),
        "-t dft -a bluestein,stockham --sizes 2,3,4,5,7,16,31,100".into(),
        "-t dft2,rdft2 --sizes 1x2,3x1,3x3,9x3,15x10,37x53".into(),
        "-t dft2,rdft2 --sizes 1x2,3x1,3x3,9x3,15x10,37x53 --inverse".into(),
        "-t walsh,haar,arithmetic,cdf97,d2,d4,cyclic-convolution,cyclic-autocorrelation,dyadic-convolution,tridiagonal --sizes 1,16,1024"
            .into(),
        "-t walsh,haar,cdf97,d2,d4,d4-packet --sizes 2,64,4096 --inverse".into(),
        "-t walsh2,haar2,cdf97-2,d2-2,d4-2 --sizes 2x2,64x64".into(),
    ];
    for call in calls {
        let device = if call.contains("double") { "cpu" } else { "gpu,cpu" };
        let output = papillon(&folder, &format!("bench {call} -d {device} --repeat 1 -o times.csv"));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!told.contains("WRONG"), "{call}: {told}");
        for row in rows(&read(&folder, "times.csv")).iter().filter(|row| row["failure"].is_empty()) {
            let number = |name: &str| row[name].parse::<f64>().unwrap();
            let (n, points) = (number("columns"), number("columns") * number("rows"));
            let is_plain = row["transform"] == "dft" && row["on_gpu"] == "true" && !call.contains("bluestein");
            if is_plain && points > 128.0 {
                assert!((number("tolerance") - 3e-8 * n.log2()).abs() < 1e-9, "{row:?}");
            }
            let bound = if row["precision"] == "double" { 1e-14 } else { 2e-5 };
            assert!(number("relative_error") <= number("tolerance") && number("tolerance") < bound, "{row:?}");
        }
        // Long names leave no room for it.
        let heading = String::from_utf8(output.stdout).unwrap().lines().next().unwrap_or_default().to_owned();
        assert!(heading.contains(" ≤ bound") || !call.starts_with("-t dft,rdft"), "{heading}");
    }
}

#[test]
fn what_stops_every_case_is_said_once() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench -t dft -a rustfft -d gpu --sizes 8,16 --repeat 1");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len(), told.matches("runs on the CPU only").count()), (Some(1), 0, 1), "{told}");
}

#[test]
fn recordings_are_timed_beside_what_should_be_reached() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench --signals --share 0.1 --repeat 1 --json");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let cases = found["cases"].as_array().unwrap();
    // The goals of times are of whole recordings, the goal of a stream is a rate.
    let goals: Vec<Option<f64>> = cases.iter().map(|case| case["goal"].as_f64()).collect();
    assert_eq!(goals, [None, None, None, None, None, None, Some(20.0), None]);
    assert!(cases.iter().all(|case| case["value"].as_f64().unwrap() > 0.0 && case["samples"].as_u64().unwrap() > 0));
    let table = String::from_utf8(papillon(&folder, "bench --signals --share 0.1 --repeat 1").stdout).unwrap();
    assert_eq!(table.lines().count(), cases.len(), "{table}");
    assert!(table.contains("1 h stereo, every frame, 0.1 % of its length: ") && table.contains("to reach: 20 M samples/s"), "{table}");
    for (call, words) in
        [("bench --json", "--signals"), ("bench --signals -t walsh", "--transform"), ("bench --signals --share 0", "is no percentage")]
    {
        let told = String::from_utf8(papillon(&folder, call).stderr).unwrap();
        assert!(told.contains(words), "{call}: {told}");
    }
}
