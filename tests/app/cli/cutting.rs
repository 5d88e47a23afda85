//! How levels are cut into launches: every parameter of `transform -a direct|split-merge|overlapped` gives the coefficients of the plain run, and wrong ones end in a line.

use super::*;

/// A signal whose tiles of 256 samples have boundaries, and an image with odd sides.
fn inputs() -> TempDir {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", (0..3000).map(|i| format!("{}\n", i * i % 211)).collect::<String>());
    write_png(&folder, "image.png", 75, 301, &pixels(75 * 301));
    write_png(&folder, "even.png", 72, 304, &pixels(72 * 304));
    folder
}

/// Every cut of the lines in `cuts` equals the plain run on the CPU in double precision.
fn equal_the_plain_run(input: &str, transform: &str, cuts: &[&str]) {
    let folder = inputs();
    done(&folder, &format!("transform {input} {transform} -a direct -d cpu --precision double -o plain.npy"));
    let expected = read_npy(&folder, "plain.npy");
    for cut in cuts {
        for (device, tolerance) in [("cpu", 1e-12), ("gpu", 3e-6)] {
            let precision = if device == "cpu" { " --precision double" } else { "" };
            done(&folder, &format!("transform {input} {transform} {cut} -d {device}{precision} -o cut.npy"));
            assert_near(&read_npy(&folder, "cut.npy"), &expected, tolerance);
        }
    }
}

#[test]
fn lines_are_the_same_however_they_are_cut() {
    equal_the_plain_run(
        "line.csv",
        "-t cdf97 --levels 5",
        &[
            "-a direct",
            "-a direct --threads 1",
            "-a direct --threads 1/2",
            "-a split-merge",
            "-a split-merge --levels-per-stage 1 --threads 1",
            "-a split-merge --levels-per-stage 3 --width 16 --merge global",
            "-a split-merge --block 64 --threads 1/2 --merge WORKGROUP",
            "-a overlapped",
            "-a overlapped --levels-per-stage 2",
        ],
    );
}

#[test]
fn the_way_back_is_the_same_however_it_is_cut() {
    let folder = inputs();
    for (transform, direct) in [("cdf97", "direct"), ("d4", "lifting"), ("d2", "direct")] {
        let inverse = format!("-t {transform} --levels 5 --inverse");
        done(&folder, &format!("transform line.csv -t {transform} --levels 5 -d cpu --precision double -o coefs.npy"));
        done(&folder, &format!("transform coefs.npy {inverse} -a {direct} -d cpu --precision double -o line.npy"));
        let expected = read_npy(&folder, "line.npy");
        for cut in
            ["--levels-per-stage 1 --threads 1", "--levels-per-stage 3 --width 16 --merge global", "--levels-per-stage 5 --block 128"]
        {
            done(&folder, &format!("transform coefs.npy {inverse} -a split-merge {cut} -d cpu --precision double -o cut.npy"));
            assert_near(&read_npy(&folder, "cut.npy"), &expected, 1e-12);
            let told = done(&folder, &format!("transform coefs.npy {inverse} -a split-merge {cut} -d gpu -o cut.npy"));
            assert!(!told.contains("no kernel"), "{told}");
            assert_near(&read_npy(&folder, "cut.npy"), &expected, 3e-6);
        }
    }
}

#[test]
fn sections_of_fewer_levels_than_were_asked_for_are_told() {
    let folder = inputs();
    for device in ["cpu", "gpu"] {
        let told = |cut: &str| done(&folder, &format!("transform line.csv -t cdf97 --levels 5 -a split-merge {cut} -d {device} -o x.npy"));
        for cut in ["", "--levels-per-stage 1", "--levels-per-stage 3", "--levels-per-stage 5 --block 256"] {
            let told = told(cut);
            assert!(!told.contains("at a time"), "{cut} on {device}: {told}");
        }
        let small = told("--levels-per-stage 3 --block 8");
        assert!(small.contains("of 5 levels, 1, 1") && small.contains("and not 3") && small.contains("tiles of 16 samples"), "{small}");
        assert!(small.lines().filter(|line| line.contains("and not 3")).count() == 1, "{small}");
        let many = told("--levels-per-stage 99");
        assert!(many.contains("and not 99"), "{many}");
        let filters = done(
            &folder,
            &format!(
                "transform line.csv --size 3008 -t d4 -a filter-bank-split-merge --levels 5 --levels-per-stage 99 -d {device} -o x.npy"
            ),
        );
        assert!(filters.contains("and not 99"), "{filters}");
    }
    for (algorithm, cut) in [("split-merge", ""), ("split-merge", "--levels-per-stage 1 --scheme square"), ("filter-bank-split-merge", "")]
    {
        let image = done(&folder, &format!("transform even.png -t cdf97-2 --levels 3 -a {algorithm} {cut} -d cpu -o x.npy"));
        assert!(!image.contains("at a time"), "{image}");
    }
}

#[test]
fn every_setting_that_differs_is_told_by_every_command() {
    let folder = inputs();
    write(&folder, "short.csv", (0..64).map(|i| format!("{}\n", i * i % 23)).collect::<String>());
    for (cut, word) in [
        ("-t cdf97 -a split-merge --levels 4 --levels-per-stage 3 --block 8", "and not 3, as merges of more would meet"),
        ("-t cdf97 -a split-merge --levels 2 --levels-per-stage 5", "there are 2 levels, of which 2 are split at a time, and not 5"),
        ("-t cdf97 -a split-merge --levels 4 --levels-per-stage 4 --block 8 --threads 1", "the stages of 3 of 4 levels are launches"),
        ("-t d2 -a split-merge --levels 4 --levels-per-stage 4 --block 8 --threads 1", "tiles have 16 samples, and not 8"),
        ("-t cdf97 -a split-merge --levels 2 --block 16 --width 5", "W is 4, and not 5"),
        ("-t cdf97 -a overlapped --levels 2 --levels-per-stage 5", "there are 2 levels, of which 2 are in a launch, and not 5"),
    ] {
        let bench = cut.replace("-t cdf97", "-t cdf97 --sizes 64 --repeat 1");
        for call in [
            format!("transform short.csv {cut} -d gpu -o x.npy"),
            format!("graph {cut} -n 64 -o x.json"),
            format!("kernel {cut} -n 64 -o x.wgsl"),
            format!("bench {bench} -d gpu"),
        ] {
            let told = done(&folder, &call);
            assert!(told.contains(word), "{call}: no '{word}' in: {told}");
        }
    }
    let told = done(&folder, "transform line.csv -t cdf97 -a overlapped --levels 2 --levels-per-stage 2 -d cpu -o x.npy");
    assert!(told.contains("a CPU runs no overlapped tiles"), "{told}");
    let told = done(&folder, "bench -t dft -a stockham --sizes 64 --repeat 1 -d gpu --schedule tiles:2");
    assert!(told.contains("no tile of at most 2 lanes holds two stages"), "{told}");
    let told = done(&folder, "graph -t cdf97 -a split-merge -n 128 --levels 2 --block 32 --width 8 -o wide.json");
    assert!(!told.contains("and not"), "{told}");
}

#[test]
fn every_command_tells_where_merges_of_an_image_would_meet() {
    let folder = inputs();
    for (cut, word) in [
        ("-a split-merge --levels 1 --block 8 --threads 1", "merges would meet in tiles of 2 × 4 samples, so that every stage is a launch"),
        ("-a split-merge --levels 1 --threads 1 --scheme square --width 16", "1 of 1 levels take rows and columns one after the other"),
        ("-a split-merge --levels 1 --scheme square", "squares have 16 × 16 samples, as 512 are no square of a power of two"),
    ] {
        for call in [
            format!("transform even.png -t cdf97-2 {cut} -d gpu -o x.npy"),
            format!("kernel -t cdf97-2 {cut} -n 40x40 -o x.wgsl"),
            format!("bench -t cdf97-2 --sizes 40x40 --repeat 1 {cut} -d gpu"),
        ] {
            let told = done(&folder, &call);
            assert!(told.contains(word), "{call}: no '{word}' in: {told}");
        }
    }
    // A square of 16 × 16 samples for 256 threads is what was asked for.
    let told = done(&folder, "kernel -t cdf97-2 -a split-merge --levels 1 --threads 1 --scheme square -n 40x40 -o x.wgsl");
    assert!(!told.contains("squares have") && !told.contains("would meet"), "{told}");
}

#[test]
fn settings_that_an_algorithm_cannot_have_exit_with_2() {
    let folder = inputs();
    for (line, word) in [
        ("graph -t dft -a stockham -n 64 --schedule split-merge -o x.json", "stockham has no sections"),
        ("graph -t dft -a stockham -n 64 --schedule overlapped -o x.json", "stockham has no overlapped tiles"),
        ("bench -t dft -a stockham --sizes 64 --schedule split-merge", "stockham has no sections"),
        ("bench -t dft --sizes 64 --schedule overlapped", "dft has no overlapped tiles"),
        ("graph -t tridiagonal -a cyclic-reduction -n 16 --levels-per-stage 9 --block 8 -o x.json", "more than the 4 steps"),
        ("bench -t tridiagonal -a cyclic-reduction --sizes 16 --levels-per-stage 9", "more than the 4 steps"),
        ("graph -t dft -a stockham -n 64 --tile 16 -o x.json", "take -a global-local"),
        ("graph -t walsh -n 64 --tile 16 -o x.json", "leave it out"),
        ("transform line.csv -t dft --tile 16 -o x.npy", "take -a global-local"),
        ("bench -t dft -a stockham --sizes 64 --tile 16", "take -a global-local"),
        ("graph -t dft -a global-local -n 64 --tile 128 -o x.json", "more than the 64 lanes"),
        ("graph -t dft -a global-local -n 64 --tile 12 -o x.json", "power of two"),
        ("kernel -t dft -a global-local -n 64 --square 16", "--square transposes images, and dft takes signals"),
        ("kernel -t dft2 -a stockham -n 64x64 --square 16", "an algorithm that transposes"),
        ("kernel -t dft2 -a global-local -n 64x64 --square 8", "from 16 to 64"),
        ("kernel -t dft -a global-local -n 64 --butterflies 3", "power of two"),
        ("kernel -t cdf97 -a split-merge -n 64 --schedule split-merge --butterflies 2", "--schedule stages or blocks"),
        ("kernel -t dft -a global-local -n 64 --schedule blocks --index division", "--schedule stages"),
        ("memory -t dft2 -a global-local -n 64x64 --launch 2 --square 64 --pitch 33", "shorter than a row of 64 lanes"),
    ] {
        let told = refused(&folder, line, 2);
        assert!(told.contains(word), "papillon {line}: no '{word}' in: {told}");
    }
}

#[test]
fn the_graph_of_a_direct_algorithm_has_a_launch_a_stage() {
    let folder = TempDir::new().unwrap();
    done(&folder, "graph -t cdf97 -a direct -n 16 --levels 2 -o direct.json");
    let graph: serde_json::Value = serde_json::from_slice(&read(&folder, "direct.json")).unwrap();
    let n = |part: &str| graph[part].as_array().unwrap().len();
    assert_eq!((n("stages"), n("launches")), (9, 9));
}

#[test]
fn what_no_kernel_cuts_as_was_asked_for_is_told() {
    let folder = inputs();
    write_png(&folder, "flat.png", 2, 64, &pixels(128));
    for (call, word) in [
        ("flat.png -t d4-2 --levels 3 -a filter-bank-overlapped", "no kernel has overlapped tiles"),
        ("image.png -t d2-2 --levels 3 -a overlapped", "no kernel has overlapped tiles"),
    ] {
        let told = done(&folder, &format!("transform {call} -d gpu -o x.npy"));
        assert!(told.contains(word), "{call}: {told}");
    }
    let told = done(&folder, "transform even.png -t d4-2 --levels 3 -a filter-bank-overlapped --levels-per-stage 1 -d gpu -o x.npy");
    assert!(!told.contains("no kernel"), "{told}");
}

#[test]
fn filter_banks_are_the_same_however_they_are_cut() {
    let folder = inputs();
    for (transform, ways) in [
        ("-t d4 --levels 3", ["filter-bank-split-merge", "filter-bank-overlapped"]),
        ("-t cdf97 --levels 3", ["filter-bank-split-merge", "filter-bank-overlapped"]),
        ("-t d4-packet --levels 3", ["split-merge", "overlapped"]),
    ] {
        done(&folder, &format!("transform line.csv {transform} -a filter-bank -d cpu --precision double -o plain.npy"));
        done(&folder, &format!("transform plain.npy {transform} --inverse -a filter-bank -d cpu --precision double -o line.npy"));
        let expected = read_npy(&folder, "plain.npy");
        let [split_merge, overlapped] = ways;
        for way in [
            format!("{split_merge} -d cpu --precision double"),
            format!("{split_merge} -d gpu --levels-per-stage 3 --width 8 --merge global"),
            format!("{split_merge} -d gpu --levels-per-stage 1 --threads 1 --block 64"),
            format!("{overlapped} -d gpu"),
            format!("{overlapped} -d gpu --levels-per-stage 2"),
        ] {
            let tolerance = if way.contains("double") { 1e-12 } else { 3e-6 };
            done(&folder, &format!("transform line.csv {transform} -a {way} -o cut.npy"));
            assert_near(&read_npy(&folder, "cut.npy"), &expected, tolerance);
            // And back the same way.
            done(&folder, &format!("transform plain.npy {transform} --inverse -a {way} -o back.npy"));
            assert_near(&read_npy(&folder, "back.npy"), &read_npy(&folder, "line.npy"), tolerance);
        }
    }
    // Packets in the order of frequencies, and images along both axes.
    for (input, transform, ways) in [
        ("line.csv", "-t d4-packet --levels 3 --packet-order frequency", ["split-merge --block 64", "overlapped"]),
        ("even.png", "-t d4-2 --levels 3", ["filter-bank-split-merge --block 64", "filter-bank-overlapped"]),
        ("even.png", "-t cdf97-2 --levels 3", ["filter-bank-split-merge --block 64", "filter-bank-overlapped"]),
        (
            "even.png",
            "-t cdf97-2 --levels 3",
            ["filter-bank-split-merge --threads 1 --width 4", "filter-bank-split-merge --block 128 --merge global --width 2"],
        ),
    ] {
        done(&folder, &format!("transform {input} {transform} -a filter-bank -d cpu --precision double -o plain.npy"));
        done(&folder, &format!("transform plain.npy {transform} --inverse -a filter-bank -d cpu --precision double -o samples.npy"));
        for way in ways {
            done(&folder, &format!("transform {input} {transform} -a {way} -d gpu -o cut.npy"));
            assert_near(&read_npy(&folder, "cut.npy"), &read_npy(&folder, "plain.npy"), 3e-6);
            done(&folder, &format!("transform plain.npy {transform} --inverse -a {way} -d gpu -o back.npy"));
            assert_near(&read_npy(&folder, "back.npy"), &read_npy(&folder, "samples.npy"), 3e-6);
        }
    }
}

#[test]
fn pictures_are_the_same_in_every_scheme() {
    equal_the_plain_run(
        "image.png",
        "-t cdf97-2 --levels 3 --boundary periodic",
        &["-a direct --scheme rows", "-a direct --scheme square", "-a split-merge --scheme row-column"],
    );
    equal_the_plain_run(
        "image.png",
        "-t cdf97-2 --levels 3",
        &[
            "-a direct --scheme row-column",
            "-a direct --scheme Rows",
            "-a split-merge",
            "-a split-merge --scheme square",
            "-a split-merge --scheme square --threads 1 --width 4 --merge global",
            "-a split-merge --scheme square --block 64",
            "-a overlapped",
            "-a overlapped --levels-per-stage 1",
            "-a overlapped --levels-per-stage 2",
        ],
    );
}

#[test]
fn wrong_cuts_exit_with_2() {
    let folder = inputs();
    for (line, word) in [
        ("line.csv -t cdf97 --levels-per-stage 2", "-a split-merge or -a overlapped"),
        ("line.csv -t cdf97 -a direct --levels-per-stage 2", "-a split-merge or -a overlapped"),
        ("line.csv -t cdf97 -a overlapped --width 4", "-a split-merge"),
        ("line.csv -t cdf97 -a direct --merge global", "--merge belongs"),
        ("line.csv -t dft --threads 1", "--threads belongs"),
        ("line.csv -t cdf97 -a split-merge --levels-per-stage 0", "--levels-per-stage"),
        ("even.png -t d4-2 -a filter-bank-overlapped --levels-per-stage 2", "--levels-per-stage 1"),
        ("even.png -t cdf97-2 -a overlapped --levels-per-stage 3", "--levels-per-stage 2"),
        ("line.csv -t cdf97 -a overlapped --levels-per-stage 6", "--levels-per-stage 5"),
        ("even.png -t cdf97-2 -a split-merge --levels-per-stage 2", "is for signals: on an image L is 1"),
        ("even.png -t cdf97-2 -a filter-bank-split-merge --levels-per-stage 3", "is for signals: on an image L is 1"),
        ("even.png -t d4 --axis columns", "transpose the input"),
        ("line.csv -t cdf97 -a split-merge --threads 2", "1/2"),
        ("line.csv -t cdf97 -a split-merge --merge shared", "workgroup, global"),
        ("line.csv -t cdf97 -a split-merge --block 100", "100"),
        ("line.csv -t cdf97 -a split-merge --block 4", "from 8 to 1024"),
        ("line.csv -t cdf97 -a split-merge --width 512", "512 samples"),
        ("line.csv -t cdf97 -a split-merge --width -1", "-1"),
        ("line.csv -t cdf97 -a split-merge --scheme square", "takes signals"),
        ("image.png -t cdf97-2 --scheme square", "-a direct"),
        ("image.png -t cdf97-2 -a overlapped --scheme square", "-a split-merge"),
        ("image.png -t cdf97-2 -a split-merge --scheme rows", "row-column or square"),
        ("image.png -t cdf97-2 -a direct --scheme columns", "row-column, rows, square"),
        ("image.png -t dft2 --scheme square", "--scheme belongs"),
        ("image.png -t d4-2 -a filter-bank-split-merge --scheme square", "take row-column"),
        ("line.csv -t haar -a split-merge", "constant-geometry"),
    ] {
        let told = refused(&folder, &format!("transform {line} -o x.npy"), 2);
        assert!(told.contains(word), "papillon transform {line}: no '{word}' in: {told}");
    }
}

#[test]
fn a_flow_graph_says_split_and_merge() {
    let folder = TempDir::new().unwrap();
    done(&folder, "graph -t cdf97-2 -a split-merge -n 32x32 --levels 1 --threads 1 --scheme square -o squares.json");
    let graph: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path().join("squares.json")).unwrap()).unwrap();
    let sections: Vec<_> = graph["launches"].as_array().unwrap().iter().map(|launch| launch["section"].as_str().unwrap_or("-")).collect();
    assert_eq!(sections, ["split", "merge", "merge", "-"]);
    for transform in ["d4 -a filter-bank-split-merge", "d4-packet -a split-merge"] {
        let how = "-n 64 --levels 3 --levels-per-stage 2 --block 8 --threads 1/2";
        done(&folder, &format!("graph -t {transform} {how} -o bank.json"));
        let graph: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path().join("bank.json")).unwrap()).unwrap();
        let launches = graph["launches"].as_array().unwrap();
        let sections: Vec<_> = launches.iter().map(|launch| launch["section"].as_str().unwrap_or("-")).collect();
        // The rest of the pyramid fits one tile, and so does every block of packets.
        assert_eq!(sections, ["split", "merge", "split"], "{transform}");
        assert!(launches.iter().all(|launch| launch["tile"].is_null()), "the halves of a tile go apart");
        done(&folder, &format!("graph -t {transform} {how} --inverse -o back.json"));
        let graph: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.path().join("back.json")).unwrap()).unwrap();
        let sections: Vec<_> = graph["launches"].as_array().unwrap().iter().map(|launch| launch["section"].as_str()).collect();
        assert_eq!(sections, [Some("split"), Some("split"), Some("merge")], "{transform}, on the way back");
    }
}
