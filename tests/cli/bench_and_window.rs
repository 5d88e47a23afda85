//! `bench`, `snapshot`, and the program without a display.

use super::*;

#[test]
fn a_bench_measures_and_checks() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench -t dft,dft2 --sizes 8..16 -d cpu,cpu-parallel,gpu --repeat 2 -o times.csv");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(table.lines().count(), 1 + 2 * 2 * 3, "{table}");
    let times = read(&folder, "times.csv");
    let mut reader = csv::Reader::from_reader(&times[..]);
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|heading| heading == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        assert!(number("relative_error") < 1e-6);
        assert!(number("kernel_min_us") > 0.0 && number("kernel_min_us") <= number("kernel_median_us"));
        // Times of the same runs can be compared however busy the machine is.
        assert!(number("run_kernel_min_us") > 0.0 && number("run_kernel_median_us") <= number("total_median_us") * 1.01);
        assert!(number("upload_median_us") <= number("total_median_us") && number("download_median_us") <= number("total_median_us"));
        assert_eq!(row[column("moved_bytes")].parse::<u64>().is_ok_and(|bytes| bytes > 0), number("launches") > 0.0);
        assert_eq!(number("runs"), 2.0);
        assert_eq!(number("upload_median_us") > 0.0, number("launches") > 0.0, "only a GPU has uploads, and it has launches");
    }
    let shapes =
        |row: &csv::StringRecord| (row[column("transform")].to_owned(), row[column("rows")].to_owned(), row[column("columns")].to_owned());
    assert!(rows.iter().any(|row| shapes(row) == ("dft2".into(), "16".into(), "16".into())));
}

#[test]
fn a_bench_sets_the_orders_of_loops_side_by_side() {
    let folder = TempDir::new().unwrap();
    done(&folder, "bench -t walsh,dft --sizes 64 -d cpu,cpu-strided --repeat 1 -o times.json");
    let json: serde_json::Value = serde_json::from_slice(&read(&folder, "times.json")).unwrap();
    let ways: Vec<[&str; 2]> =
        json["records"].as_array().unwrap().iter().map(|record| ["algorithm", "device"].map(|key| record[key].as_str().unwrap())).collect();
    let strided = "CPU, 1 thread, strided loops";
    // A library has no loops to exchange, so that there a plan is taken.
    assert_eq!(ways, [["cooley-tukey", "CPU, 1 thread"], ["cooley-tukey", strided], ["rustfft", "CPU, 1 thread"], ["stockham", strided]]);
}

#[test]
fn a_bench_takes_batches_and_writes_json() {
    let folder = TempDir::new().unwrap();
    done(&folder, "bench --rows 3 --sizes 32 -a stockham-4,cooley-tukey -d cpu --schedule stages --repeat 1 -o times.json");
    let json: serde_json::Value = serde_json::from_slice(&read(&folder, "times.json")).unwrap();
    let records = json["records"].as_array().unwrap();
    assert_eq!(records.len(), 2);
    assert_eq!((&records[0]["shape"]["rows"], &records[1]["algorithm"]), (&3.into(), &"cooley-tukey".into()));
    assert!(json["machine"]["n_threads"].as_u64().unwrap() >= 1);
}

#[test]
fn a_snapshot_has_the_size_that_was_asked_for() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "picture.png", 32, 32, &pixels(32 * 32));
    done(&folder, "snapshot picture.png --preset flow-graph --theme light --size 800x600 -o window.png");
    let (width, height, _, bytes) = read_png(&folder.path().join("window.png"));
    assert_eq!((width, height), (800, 600));
    assert!(bytes.iter().any(|&byte| byte != bytes[0]), "the window is one colour");
}

#[test]
fn without_a_display_the_workspace_is_written() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("there is no display") && told.contains("papillon.png"), "{told}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("dft2") && table.contains("total") && table.contains(" ms"), "{table}");
    let (width, height, ..) = read_png(&folder.path().join("papillon.png"));
    assert_eq!((width, height), (1600, 1000));
}
