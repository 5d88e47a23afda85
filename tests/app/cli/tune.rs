//! `tune`, and the choices that follow from it.

use super::*;

/// Where times are remembered below `folder`, on Linux.
fn remembered(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("papillon/measured.json")
}

fn entries(folder: &TempDir) -> Vec<serde_json::Value> {
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(remembered(folder)).unwrap()).unwrap();
    json["measured"].as_array().unwrap().clone()
}

#[test]
fn winners_are_remembered_taken_and_forgotten() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", (0..40).map(|n| format!("{n}\n")).collect::<String>());
    // A text holds doubles, and what was measured is single precision.
    let transform = "transform line.csv -t dft -d cpu --precision single -o out.npy";
    assert!(done(&folder, transform).contains("the fastest on a CPU"));
    let output = papillon(&folder, "tune -t dft --sizes 48 -d cpu");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && table.starts_with("dft of 48 on CPU, 1 thread\n"), "{table}");
    // 48 is not a power of two, so three ways take it; the first line behind the heading is the winner.
    assert_eq!(table.lines().count(), 4, "{table}");
    let winner = table.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(table.lines().nth(1).unwrap().ends_with("1.00 ×"), "{table}");
    assert_eq!(entries(&folder)[0]["times"][0]["algorithm"], winner.as_str());
    // 40 and 48 values lie between the same powers of two, and have the same algorithms.
    let told = done(&folder, transform);
    assert!(told.contains(&format!("dft by {winner} on CPU, 1 thread: the fastest, measured on this device")), "{told}");
    assert!(done(&folder, &format!("{transform} -a bluestein")).contains("dft by bluestein on CPU"), "-a is obeyed");
    // Measured again, it is still one entry; another device has its own.
    done(&folder, "tune -t dft --sizes 48 -d cpu");
    assert_eq!(entries(&folder).len(), 1);
    assert!(!done(&folder, "transform line.csv -t dft -d cpu-parallel -o out.npy").contains("measured"));
    assert!(done(&folder, "tune --forget").contains("forgot one measured size"));
    assert!(!done(&folder, transform).contains("measured"));
}

#[test]
fn each_precision_has_its_winners() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", (0..40).map(|n| format!("{n}.5\n")).collect::<String>());
    let transform = |words: &str| done(&folder, &format!("transform line.csv -t dft {words} -o out.npy"));
    let output = papillon(&folder, "tune -t dft --sizes 48 -d cpu --precision double");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.starts_with("dft of 48 on CPU, 1 thread, in double precision\n"), "{table}");
    assert_eq!(entries(&folder)[0]["precision"], "double");
    // A text holds doubles, and so a CPU computes in double precision unless told otherwise.
    assert!(transform("-d cpu").contains("measured on this device"));
    assert!(!transform("-d cpu --precision single").contains("measured"));
    done(&folder, "tune -t dft --sizes 48 -d cpu");
    assert_eq!(entries(&folder).len(), 2, "one in each precision");
    assert!(transform("-d cpu --precision single").contains("measured on this device"));
    // So on a GPU, which takes double precision where it is asked for.
    done(&folder, "tune -t dft --sizes 48 -d gpu --precision double");
    assert!(transform("-d gpu --precision double").contains("measured on this device"));
    assert!(!transform("-d gpu").contains("measured"));
    refused(&folder, "tune --forget --precision double", 2);
    refused(&folder, "tune --precision half", 2);
}

#[test]
fn a_gpu_is_tuned_in_several_cuts() {
    let folder = TempDir::new().unwrap();
    done(&folder, "tune -t dft --sizes 4096 -d gpu");
    let entry = &entries(&folder)[0];
    let times = entry["times"].as_array().unwrap();
    assert!(times.iter().any(|time| time["cut"]["TilesOf"].is_u64()), "{entry:#}");
    assert!(times.iter().any(|time| time["micros"].is_null()) && times[0]["micros"].as_f64().unwrap() > 0.0, "{entry:#}");
    let driver = entry["driver"].as_str().unwrap();
    assert!(!driver.is_empty());
    let bench = papillon(&folder, "bench --sizes 4096 -d gpu --repeat 1 -o -");
    let mut reader = csv::Reader::from_reader(&bench.stdout[..]);
    let column = reader.headers().unwrap().iter().position(|heading| heading == "algorithm").unwrap();
    assert_eq!(&reader.records().next().unwrap().unwrap()[column], times[0]["algorithm"].as_str().unwrap());
    // Another driver is another device.
    let text = std::fs::read_to_string(remembered(&folder)).unwrap().replace(driver, "older");
    std::fs::write(remembered(&folder), text).unwrap();
    write(&folder, "line.csv", (0..4096).map(|n| format!("{n}\n")).collect::<String>());
    assert!(done(&folder, "transform line.csv -t dft -d gpu -o out.npy").contains("as estimated"));
}

#[test]
fn a_broken_memory_is_one_line_and_wrong_calls_are_too() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "1\n2\n3\n");
    std::fs::create_dir(folder.path().join("papillon")).unwrap();
    for broken in ["{", "[]", "{\"measured\": [{\"device\": 3}]}"] {
        std::fs::write(remembered(&folder), broken).unwrap();
        let told = done(&folder, "transform line.csv -t dft -d cpu -o out.npy");
        assert_eq!(told.lines().filter(|line| line.contains("measured.json")).count(), 1, "{told}");
        assert!(told.contains("the fastest on a CPU"), "{told}");
    }
    done(&folder, "tune --forget");
    assert!(!done(&folder, "transform line.csv -t dft -d cpu -o out.npy").contains("measured"));
    refused(&folder, "tune -t walnut", 2);
    refused(&folder, "tune --sizes none", 2);
    refused(&folder, "tune --forget -t dft", 2);
    refused(&folder, "tune --rows 0", 2);
}
