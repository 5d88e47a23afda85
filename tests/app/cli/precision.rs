//! `--precision`: what is computed in single and what in double precision, on a CPU and on a GPU.

use super::*;

const LINE: &str = "1.1\n-2.25\n3.3\n0.7\n5.9\n-6.01\n7.77\n8.2\n-0.3\n4.4\n1.7\n-9.12\n";

fn line() -> Vec<Complex64> {
    LINE.lines().map(|number| number.parse::<f64>().unwrap().into()).collect()
}

#[test]
fn the_precision_is_the_one_that_was_asked_for() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", LINE);
    // Without a word the samples decide on a CPU, and a GPU takes single precision.
    for (device, precision, kind) in [
        ("cpu", "", "<c16"),
        ("cpu", "--precision single", "<c8"),
        ("cpu", "--precision double", "<c16"),
        ("cpu -a stockham", "--precision single", "<c8"),
        ("gpu", "", "<c8"),
        ("gpu", "--precision Double", "<c16"),
        ("gpu -a cooley-tukey-dif --size 16", "--precision double", "<c16"),
    ] {
        let told = done(&folder, &format!("transform line.csv -t dft -d {device} {precision} -o spectrum.npy"));
        let (found, _, values) = parse_npy(&read(&folder, "spectrum.npy"));
        assert_eq!(found, kind, "{device} {precision}");
        assert_eq!(told.contains("in double precision"), kind == "<c16", "{told}");
        assert_eq!(told.contains("take --precision double"), device == "gpu" && precision.is_empty(), "{told}");
        let mut samples = line();
        samples.resize(values.len(), Complex64::default());
        assert_near(&values, &dft(&samples), if kind == "<c16" { 1e-14 } else { 1e-6 });
    }
    refused(&folder, "transform line.csv -t dft --precision half -o spectrum.npy", 2);
}

#[test]
fn single_samples_may_be_computed_in_double_precision() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 8, 4, &pixels(32));
    for device in ["cpu", "cpu-parallel", "gpu"] {
        for algorithm in ["stockham", "row-column"] {
            done(&folder, &format!("transform image.png -t dft2 -a {algorithm} -d {device} --precision double -o result.npy"));
            assert_near(&read_npy(&folder, "result.npy"), &dft2(&complex(&pixels(32)), 8, 4), 1e-14);
        }
    }
}

#[test]
fn a_bench_of_double_precision_says_so() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench -t dft --sizes 64,60 -d cpu,gpu --precision double --repeat 1 -o times.csv");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .skip(1)
            .all(|line| ["double", "complex f64"].iter().any(|words| line.contains(words)))
    );
    let times = read(&folder, "times.csv");
    let mut reader = csv::Reader::from_reader(&times[..]);
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|heading| heading == name).unwrap();
    let mut n_rows = 0;
    for row in reader.records().map(Result::unwrap) {
        assert_eq!(&row[column("precision")], "double");
        assert!(row[column("relative_error")].parse::<f64>().unwrap() < 1e-14, "{row:?}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 4);
}

#[test]
fn what_is_rounded_or_vanishes_is_said() {
    let folder = TempDir::new().unwrap();
    write(&folder, "x.csv", "0.1\n2\n3\n4\n");
    write(&folder, "tiny.csv", "1e-200\n2e-200\n0\n0\n");
    assert!(done(&folder, "convolve x.csv x.csv -d gpu -o y.npy").contains("single precision"));
    assert!(!done(&folder, "convolve x.csv x.csv -d cpu -o y.npy").contains("single precision"));
    assert!(done(&folder, "convolve tiny.csv tiny.csv -d cpu -o y.npy").contains("every value is zero"));
    // The determinant of each matrix leaves the range of double precision, and no entry of the inverse does.
    write(&folder, "two.csv", "3\n4\n");
    for (matrix, expected) in [("1e160,0,0,1e160", [3e-160, 4e-160]), ("1e-170,0,0,1e-170", [3e170, 4e170])] {
        let told = done(&folder, &format!("transform -t kronecker --matrix={matrix} --inverse two.csv -d cpu -o y.npy"));
        let found = read_npy(&folder, "y.npy");
        let is_near = |(found, expected): (&Complex64, f64)| (found.re / expected - 1.0).abs() < 1e-14;
        assert!(!told.contains("exact") && found.iter().zip(expected).all(is_near), "{matrix}: {found:?}, {told}");
    }
}
