//! `papillon solve`.

use super::{done, papillon, pixels, refused, write};
use papillon::signal::load;
use tempfile::TempDir;

/// The string of five beads, whose solution is x·(6 − x)/2.
const STRING: &str = "a,b,c,d\nnan,2,-1,1\n-1,2,-1,1\n-1,2,-1,1\n-1,2,-1,1\n-1,2,inf,1\n";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("string.csv", STRING);
    write("one.csv", "0,4,0,2\n");
    write("hollow.csv", "0,1,0,1\n0,0,0,0\n0,1,0,1\n");
    write("singular.csv", "0,1,-1,0\n-1,2,-1,0\n-1,1,0,0\n");
    write("zero.csv", "0,0,1,1\n1,0,0,2\n");
    write("three.csv", "1,2,3\n4,5,6\n");
    write("nan.csv", "0,2,1,1\n1,NaN,0,1\n");
    write("empty.csv", "");
    folder
}

fn values(folder: &TempDir, name: &str) -> Vec<f64> {
    let signal = load(folder.path().join(name)).unwrap();
    signal.channels[0].samples.to_f64()
}

#[test]
fn every_algorithm_solves_what_is_typed() {
    let folder = folder();
    for algorithm in ["", "-a cyclic-reduction", "-a parallel-cyclic-reduction", "-a recursive-doubling", "-a thomas", "-a pivoted"] {
        for device in ["cpu", "cpu-parallel", "gpu"] {
            let on_cpu_only = algorithm.contains("thomas") || algorithm.contains("pivoted");
            if device == "gpu" && on_cpu_only {
                let told = refused(&folder, &format!("solve string.csv {algorithm} -d gpu -o x.npy"), 2);
                assert!(told.contains("runs on the CPU only"), "{told}");
                continue;
            }
            let told = done(&folder, &format!("solve string.csv {algorithm} -d {device} -o x.npy"));
            assert!(told.contains("residual at most") && told.contains("5 equations by"), "{told}");
            let x = values(&folder, "x.npy");
            let expected = [2.5, 4.0, 4.5, 4.0, 2.5];
            assert!(x.len() == 5 && x.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{algorithm} on {device}: {x:?}");
        }
    }
    done(&folder, "solve one.csv -o x.csv");
    assert_eq!(values(&folder, "x.csv"), [0.5]);
    done(&folder, "solve zero.csv -o x.csv");
    assert_eq!(values(&folder, "x.csv"), [2.0, 1.0]);
    // The solution of a file is the same on standard output.
    let printed = papillon(&folder, "solve zero.csv --format csv -o -");
    assert_eq!(printed.stdout, std::fs::read(folder.path().join("x.csv")).unwrap());
    done(&folder, "solve string.csv -d gpu --precision single -o x.npy");
}

#[test]
fn cyclic_reduction_is_split_and_merged_as_it_is_typed() {
    let folder = folder();
    let rows: String = (0..300).map(|i| format!("-1,{},-1,{}\n", 3 + i % 4, i % 7)).collect();
    std::fs::write(folder.path().join("long.csv"), rows).unwrap();
    done(&folder, "solve long.csv -a pivoted -o expected.npy");
    let expected = values(&folder, "expected.npy");
    for (options, n_launches) in [
        ("--levels-per-stage 2 --block 8", 10),
        ("--levels-per-stage 4 --block 16 --threads 1 --merge global --width 2", 10),
        ("--schedule split-merge", 1),
        ("--schedule stages", 16),
        ("--schedule stages --threads 1", 16),
    ] {
        for device in ["cpu", "cpu-parallel", "gpu"] {
            let told = done(&folder, &format!("solve long.csv -a cyclic-reduction {options} -d {device} -o x.npy"));
            let launches = if n_launches == 1 { "in 1 launch,".to_owned() } else { format!("in {n_launches} launches,") };
            assert!(told.contains(&launches), "{options}: {told}");
            let x = values(&folder, "x.npy");
            assert!(x.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5), "{options} on {device}");
        }
    }
    for (line, part) in [
        ("solve string.csv -a thomas --width 4 -o x.npy", "leave --width out"),
        ("solve string.csv --schedule split-merge -o x.npy", "-a cyclic-reduction"),
        ("solve string.csv --schedule overlapped -o x.npy", "no overlapped tiles"),
        ("solve string.csv -a cyclic-reduction --block 24 -o x.npy", "a power of two from 8 to 1024"),
        ("solve string.csv -a cyclic-reduction --block 8 --width 16 -o x.npy", "leaves nothing"),
    ] {
        let told = refused(&folder, line, 2);
        assert!(told.contains(part), "{line}: {told}");
    }
}

#[test]
fn matrices_and_right_hand_sides_may_stand_in_files_of_their_own() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    // The string of five beads, entry by entry; a symmetric matrix names only one of two.
    let (head, entries) = ("%%MatrixMarket matrix coordinate real", "1 1 2\n2 2 2\n3 3 2\n4 4 2\n5 5 2\n2 1 -1\n3 2 -1\n4 3 -1\n5 4 -1\n");
    write("string.mtx", &format!("{head} symmetric\n% five beads\n5 5 9\n{entries}"));
    write("whole.mtx", &format!("{head} general\n5 5 13\n{entries}1 2 -1\n2 3 -1\n3 4 -1\n4 5 -1\n"));
    write("abc.csv", "0,2,-1\n-1,2,-1\n-1,2,-1\n-1,2,-1\n-1,2,0\n");
    write("b.mtx", "%%MatrixMarket matrix array real general\n5 1\n1\n1\n1\n1\n1\n");
    write("b.csv", "1\n1\n1\n1\n1\n");
    for (matrix, right) in [("string.mtx", "b.mtx"), ("whole.mtx", "b.csv"), ("abc.csv", "b.mtx"), ("string.csv", "b.csv")] {
        done(&folder, &format!("solve {matrix} --right {right} -o x.csv"));
        let expected = [2.5, 4.0, 4.5, 4.0, 2.5];
        assert!(values(&folder, "x.csv").iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{matrix}, {right}");
    }
    write("corner.mtx", &format!("{head} general\n5 5 1\n1 5 1\n"));
    write("cut.mtx", &format!("{head} general\n5 5 3\n1 1 1\n"));
    write("outside.mtx", &format!("{head} general\n5 5 1\n6 6 1\n"));
    write("complex.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n");
    write("word.mtx", &format!("{head} general\n5 5 1\n1 1 two\n"));
    for (line, code, part) in [
        ("solve corner.mtx --right b.csv -o x.csv", 1, "entry (1, 5) stands beside the three diagonals"),
        ("solve cut.mtx --right b.csv -o x.csv", 1, "announces 3 entries and has 1"),
        ("solve outside.mtx --right b.csv -o x.csv", 1, "outside of the matrix"),
        ("solve complex.mtx --right b.csv -o x.csv", 1, "complex general"),
        ("solve word.mtx --right b.csv -o x.csv", 1, "line 3: “two”"),
        ("solve string.mtx -o x.csv", 2, "--right"),
        ("solve string.mtx --right one.csv -o x.csv", 2, "one row or column of 5"),
        ("solve string.mtx --right missing.csv -o x.csv", 1, "missing.csv"),
    ] {
        let told = refused(&folder, line, code);
        assert!(told.contains(part), "{line}: {told}");
    }
}

#[test]
fn what_has_no_solution_is_refused_in_one_line() {
    let folder = folder();
    for (line, code, part) in [
        ("solve singular.csv -o x.npy", 1, "singular.csv is singular: no pivot is left for x[2]"),
        ("solve zero.csv -a cyclic-reduction -d cpu -o x.npy", 1, "-a pivoted"),
        ("solve zero.csv -a recursive-doubling -d cpu -o x.npy", 1, "-a pivoted"),
        ("solve hollow.csv -o x.npy", 1, "all coefficients of the equation of x[1] are zero"),
        ("solve three.csv -o x.npy", 2, "four real numbers a, b, c, d"),
        ("solve nan.csv -o x.npy", 2, "b of row 2 is NaN"),
        ("solve empty.csv -o x.npy", 1, "empty.csv"),
        ("solve missing.csv -o x.npy", 1, "missing.csv"),
        ("solve string.csv -a gauss -o x.npy", 2, "cyclic-reduction, parallel-cyclic-reduction, recursive-doubling, thomas, pivoted"),
        ("solve string.csv", 2, "--output"),
        ("solve string.csv -o nowhere/x.npy", 1, "no folder"),
        ("transform string.csv -t tridiagonal -o x.npy", 2, "papillon solve"),
    ] {
        let told = refused(&folder, line, code);
        assert!(told.contains(part), "{line}: {told}");
    }
}

#[test]
fn systems_are_listed_and_drawn() {
    let folder = folder();
    let listed = String::from_utf8(papillon(&folder, "list").stdout).unwrap();
    assert!(listed.contains("tridiagonal") && listed.contains("parallel-cyclic-reduction"));
    done(&folder, "graph -t tridiagonal -a cyclic-reduction -n 16 -o graph.json");
    let text = std::fs::read_to_string(folder.path().join("graph.json")).unwrap();
    let graph: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&graph["ring"], &graph["stages"][0]["operation"]), (&"row".into(), &"eliminate".into()));
    assert!(graph["stages"][3]["edges"][0]["re"].is_null());
    assert_eq!(graph["stages"].as_array().unwrap().len(), 8);
    for algorithm in ["parallel-cyclic-reduction", "recursive-doubling"] {
        done(&folder, &format!("graph -t tridiagonal -a {algorithm} -n 5 -o graph.svg"));
        done(&folder, &format!("graph -t tridiagonal -a {algorithm} -n 64 --levels-per-stage 2 --block 8 -o graph.svg"));
    }
    // The rows after every stage, from the device: a, b, c and d, and at the end x as d.
    for device in ["cpu", "gpu"] {
        done(&folder, &format!("graph -t tridiagonal -a cyclic-reduction -n 5 --values string.csv -d {device} -o graph.json"));
        let text = std::fs::read_to_string(folder.path().join("graph.json")).unwrap();
        let values = serde_json::from_str::<serde_json::Value>(&text).unwrap()["values"].clone();
        let at = |stage: usize, lane: usize| -> Vec<f64> { serde_json::from_value(values[stage][lane].clone()).unwrap() };
        assert_eq!(at(0, 1), [0.0, 1.0, -0.5, 2.0], "−x₀ + 2·x₁ − x₂ = 1 without its neighbours");
        let last = values.as_array().unwrap().len() - 1;
        for (lane, x) in [2.5, 4.0, 4.5, 4.0, 2.5].into_iter().enumerate() {
            let row = at(last, lane);
            assert!(row[..3] == [0.0, 1.0, 0.0] && (row[3] - x).abs() < 1e-5, "{row:?}");
        }
    }
    let told = refused(&folder, "graph -t tridiagonal -n 4 --values string.csv -o graph.json", 2);
    assert!(told.contains("string.csv has 5 × 4 values"), "{told}");
    // Figure 6: two blocks, and one row a level that is left to the merge.
    done(&folder, "graph -t tridiagonal -a cyclic-reduction -n 16 --block 8 --threads 1 --levels-per-stage 2 -o graph.json");
    let text = std::fs::read_to_string(folder.path().join("graph.json")).unwrap();
    let graph: serde_json::Value = serde_json::from_str(&text).unwrap();
    let sections: Vec<_> = graph["launches"].as_array().unwrap().iter().map(|launch| launch["section"].as_str().unwrap()).collect();
    assert_eq!(sections, ["split", "merge", "split", "split"]);
}

#[test]
fn what_is_told_is_so() {
    let folder = folder();
    // Rows without order, of numbers of very different size.
    let mut random: Vec<i64> = pixels(4 * 20_000).into_iter().map(|x| (i64::from(x) - 128).pow(3)).collect();
    // Corners would be dropped, with a warning.
    (random[0], random[4 * 20_000 - 2]) = (0, 0);
    let rows: String = random.chunks(4).map(|r| format!("{},{},{},{}\n", r[0], r[1], r[2], r[3])).collect();
    write(&folder, "random.csv", format!("a,b,c,d\n{rows}"));
    for way in ["-a pivoted", ""] {
        let told = done(&folder, &format!("solve random.csv {way} -o x.npy"));
        assert!(
            told.contains("by pivoted") && told.contains("refined once") && !told.contains("warning") && !told.contains("The rows are"),
            "{told}"
        );
    }
    // Not the condition is to blame, but the pivots.
    write(&folder, "loose.csv", "1e8,1,1e8,1\n".repeat(50));
    let told = done(&folder, "solve loose.csv -a cyclic-reduction -d gpu -o x.npy");
    assert!(told.contains("take -a pivoted") && !told.contains("badly conditioned"), "{told}");
    let told = done(&folder, "solve string.csv -a thomas --precision single -o x.npy");
    assert!(told.contains("in double precision: thomas has double precision only"), "{told}");
    // Equations may be multiplied by any number, those below the least that keeps all digits included.
    write(&folder, "tiny.csv", "1e-310,4e-310,1e-310,6e-310\n".repeat(50));
    let told = done(&folder, "solve tiny.csv -d cpu -o x.npy");
    assert!(
        told.contains("condition number about 3e0") && told.matches("warning").count() == 1 && told.contains("take --cyclic"),
        "{told}"
    );
    assert!((values(&folder, "x.npy")[25] - 1.0).abs() < 1e-12, "{:?}", values(&folder, "x.npy"));
}
