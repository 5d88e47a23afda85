//! Numbers that would mislead: beyond a precision, too small for it, rounded, or in messages of many digits.

use super::*;

/// A row of samples around a magnitude, as CSV.
fn row(scale: f64) -> String {
    (0..64).map(|i| format!("{:e}\n", scale * (f64::from(i) * 0.7).sin())).collect()
}

/// An array of 16 × 16 samples around a magnitude, as CSV.
fn image(scale: f64) -> String {
    let line = |row: u32| (0..16).map(|i| format!("{:e}", scale * (f64::from(i * i + 3 * row) * 0.7).sin())).collect::<Vec<_>>().join(",");
    (0..16).map(|row| line(row) + "\n").collect()
}

#[test]
fn coefficients_beyond_single_precision_are_refused_before_anything_is_compiled() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "0.5\n1\n2\n3\n");
    for matrix in ["1e160,0,0,1", "1e-60,0,0,1"] {
        let told = refused(&folder, &format!("transform line.csv -t kronecker --matrix {matrix} -d gpu -o y.npy"), 2);
        assert!(told.contains("beyond single precision: take --precision double, or -d cpu"), "{told}");
        let told = refused(&folder, &format!("kernel -t kronecker --matrix {matrix} -n 4 -o y.wgsl"), 1);
        assert!(told.contains("beyond single precision"), "{told}");
        done(&folder, &format!("transform line.csv -t kronecker --matrix {matrix} -d cpu -o y.npy"));
    }
    // Samples of single precision are computed in double where the coefficients need it.
    write_png(&folder, "small.png", 1, 4, &[1, 2, 3, 4]);
    assert!(done(&folder, "transform small.png -t kronecker --matrix 1e-60,0,0,1 -d cpu -o y.npy").contains("in double precision"));
    assert!(read_npy(&folder, "y.npy")[0].re > 0.0);
    let told = refused(&folder, "transform line.csv -t kronecker --matrix 1e-320,0,0,1 --inverse -o y.npy", 2);
    assert!(told.contains("e−321,0,0,1 has an entry beyond double precision") && told.len() < 250, "{told}");
}

#[test]
fn what_single_precision_cannot_hold_is_said() {
    let folder = TempDir::new().unwrap();
    write(&folder, "part.csv", row(1.0) + "1e-60\n2e-60\n");
    write(&folder, "large.csv", row(1e50));
    write(&folder, "tiny.csv", row(1e-200));
    let told = |line: &str| done(&folder, line);
    assert!(told("transform part.csv -t haar --size 64 -d gpu -o y.npy").contains("single precision unless asked"));
    let part = told("transform part.csv -t dft -d gpu -o y.npy");
    assert!(part.contains("single precision takes 2 of 66 samples as zero"), "{part}");
    let large = told("transform large.csv -t dft -d gpu -o y.npy");
    assert!(large.contains("of 64 samples as infinite") && large.contains("--precision double"), "{large}");
    assert!(told("convolve tiny.csv tiny.csv -d gpu -o y.npy").contains("too small: take --precision double"));
    for line in ["transform part.csv -t dft -d cpu -o y.npy", "transform large.csv -t dft --precision double -d gpu -o y.npy"] {
        let told = told(line);
        assert!(!told.contains("samples as") && !told.contains("values as"), "{line}: {told}");
    }
}

#[test]
fn filters_and_thresholds_keep_extreme_values() {
    let folder = TempDir::new().unwrap();
    write(&folder, "usual.csv", row(1.0));
    let quality = |told: &str| told.lines().last().unwrap().split(" (peak").next().unwrap().split("dropped, ").last().unwrap().to_owned();
    for line in ["filter NAME --low-pass 0.2 -o y.npy", "threshold NAME --keep 20% -d cpu -o y.npy"] {
        let usual = quality(&done(&folder, &line.replace("NAME", "usual.csv")));
        let expected = read_npy(&folder, "y.npy");
        for scale in [1e-200, 1e300] {
            write(&folder, "extreme.csv", row(scale));
            let told = done(&folder, &line.replace("NAME", "extreme.csv"));
            assert_eq!(quality(&told), usual, "{line} at {scale:e}");
            assert!(!told.contains("NaN") && !told.contains("no sample") && told.lines().all(|line| line.len() < 300), "{told}");
            let found: Vec<Complex64> = read_npy(&folder, "y.npy").iter().map(|value| value / scale).collect();
            assert_near(&found, &expected, 1e-12);
        }
    }
    // A value that goes through a GPU is refused, or moved to double precision, and not zero.
    write(&folder, "tiny.csv", row(1e-200));
    write(&folder, "large.csv", row(1e300));
    assert!(refused(&folder, "threshold tiny.csv --keep 20% -d gpu -o y.npy", 2).contains("too small for single precision"));
    assert!(refused(&folder, "threshold large.csv --keep 20% -d gpu -o y.npy", 2).contains("too large for single precision"));
    let told = done(&folder, "filter large.csv --low-pass 0.2 -d gpu -o y.npy");
    assert!(told.contains("in double precision") && !told.contains("infinite or no number"), "{told}");
}

#[test]
fn spectrum_images_of_extreme_values_are_those_of_usual_ones() {
    let folder = TempDir::new().unwrap();
    let pixels = |scale: f64, look: &str| {
        write(&folder, "image.csv", image(scale));
        let told = done(&folder, &format!("spectrum image.csv -d cpu --scale {look} -o y.png"));
        (read_png(&folder.path().join("y.png")).3, told)
    };
    for look in ["linear", "sqrt", "power", "db", "phase"] {
        let (usual, _) = pixels(1.0, look);
        for scale in [1e-200, 1e-20, 1e25, 1e300] {
            let (found, told) = pixels(scale, look);
            let apart = found.iter().zip(&usual).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(apart <= 1, "{look} at {scale:e} is {apart} levels apart: {told}");
        }
    }
    // log10(1 + x) is x where x is small, and log10 x where it is large.
    let (found, told) = pixels(1e-200, "log");
    assert!(found == pixels(1e-200, "linear").0 && told.contains("e−199"), "{told}");
    let (found, told) = pixels(1e300, "log");
    let apart = found.iter().zip(&pixels(1e300, "db").0).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
    assert!(apart <= 1 && told.contains(" to 301.") || told.contains(" to 302."), "{told}");
    // Between them, small values keep their digits.
    assert!(pixels(1e-12, "log").0.iter().any(|level| (50..200).contains(level)));
}

#[test]
fn integers_that_are_rounded_are_said_and_never_called_exact() {
    let folder = TempDir::new().unwrap();
    write(&folder, "long.csv", "9007199254740993\n2\n3\n4\n");
    write(&folder, "decimal.csv", "9007199254740993.0\n2\n3\n4\n");
    let timed = |values: [i64; 4]| (0..4).map(|i| format!("0.{i},{}\n", values[i])).collect::<String>();
    write(&folder, "timed.csv", format!("time_s,value\n{}", timed([9_007_199_254_740_993, 0, 0, 0])));
    for name in ["dft", "hartley", "dct", "cdf97", "rdft"] {
        let told = done(&folder, &format!("transform long.csv -t {name} -o y.npy"));
        assert!(told.contains("double precision rounds 1 of 4 integers"), "{name}: {told}");
    }
    assert!(done(&folder, "convolve --cyclic long.csv long.csv -o y.npy").contains("double precision rounds 2 of 8 integers"));
    let told = done(&folder, "transform decimal.csv -t walsh -o y.npy");
    assert!(told.contains("Some integers are rounded") && !told.contains("exact, in"), "{told}");
    // Times with fractions do not turn the integers beside them into fractions.
    let told = done(&folder, "transform timed.csv -t walsh -o y.csv");
    let found = String::from_utf8(read(&folder, "y.csv")).unwrap();
    assert!(told.contains("exact, in integers of 64 bits") && !told.contains("rounded"), "{told}");
    assert_eq!(found.lines().nth(1), Some("9007199254740993"));
    // A first column that only looks like times is a column like the others.
    write(&folder, "back.csv", "time,value\n3,1\n2,2\n1,3.5\n0,4\n");
    done(&folder, "transform back.csv -t dft --channel 2 -o y.npy");
    assert_eq!(read_npy(&folder, "y.npy")[0], Complex64::from(10.5));
}

#[test]
fn a_failure_is_told_alone_and_counts_have_their_plural() {
    let folder = TempDir::new().unwrap();
    // A file with a note of its own.
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }").bytes());
    bytes.extend([1.0_f64, 2.0, 3.0].iter().flat_map(|value| value.to_le_bytes()));
    bytes.push(0);
    write(&folder, "behind.npy", &bytes);
    let output = papillon(&folder, "transform behind.npy -t walsh -o y.npy");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.lines().count() == 1, "{told}");
    assert!(done(&folder, "transform behind.npy -t dft -o y.npy").contains("1 byte more than its array"));
}

#[test]
fn a_handout_goes_to_standard_output() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "handout constant-geometry -o -");
    assert!(output.status.success() && String::from_utf8(output.stdout).unwrap().starts_with("<"));
}

#[test]
fn a_handout_of_a_step_carries_what_its_text_points_at() {
    let folder = TempDir::new().unwrap();
    let page = String::from_utf8(papillon(&folder, "handout constant-geometry --step 3 -o -").stdout).unwrap();
    for words in [
        "Circle and bold lines: lane 2 after stage 1",
        "Upright line: 1 stage of 3 ran",
        "Predict: Thread 3 works",
        "Choose one: 3, 7; 4, 5; 6, 7",
    ] {
        assert!(page.contains(words), "{words} is missing");
    }
}

#[test]
fn a_handout_leaves_the_question_of_its_step_open() {
    let folder = TempDir::new().unwrap();
    let page = |options: &str| {
        let output = papillon(&folder, &format!("handout {options} -o -"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    // It asks for the number of launches.
    let [asked, answered] = ["sorman-2016-figure-5-1", "sorman-2016-figure-5-1 --answers"].map(page);
    assert!(asked.contains("Predict: ") && answered.contains("Predict: "));
    for words in ["Answer: ", " launches, ", "in its launches, on "] {
        assert!(answered.contains(words) && !asked.contains(words), "{words}");
    }
    // It asks which lanes a thread writes, which the names of the stages would tell.
    let [asked, answered] = ["constant-geometry --step 3", "constant-geometry --step 3 --answers"].map(page);
    assert!(answered.contains("Answer: 6, 7. ") && !asked.contains("Answer: "));
}

#[test]
fn a_width_without_a_merge_is_said() {
    let folder = TempDir::new().unwrap();
    write(&folder, "system.csv", "a,b,c,d\n".to_owned() + &"-1,4,-1,2\n".repeat(16));
    let told = done(&folder, "solve system.csv -a cyclic-reduction --schedule split-merge --width 100 -d cpu -o x.csv");
    assert!(told.contains("W is 0, and not 100"), "{told}");
    assert!(!done(&folder, "solve system.csv -a cyclic-reduction --schedule split-merge -d cpu -o x.csv").contains("W is"));
}

#[test]
fn rows_of_a_table_stand_in_the_order_of_their_sizes() {
    let folder = TempDir::new().unwrap();
    let output = papillon(&folder, "bench --experiment gajic-2011-fig-4a --sizes 2^8..2^10 --repeat 1");
    let text = String::from_utf8(output.stdout).unwrap();
    let table = text.lines().take_while(|line| !line.starts_with('–'));
    let rows: Vec<u32> = table.filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
    assert!(rows.starts_with(&[8, 9, 10]) && rows.is_sorted(), "{rows:?} in {text}");
}

#[test]
fn measures_of_images_hold_at_every_magnitude() {
    let folder = TempDir::new().unwrap();
    let found = |scale: f64| {
        write(&folder, "image.csv", image(scale));
        let peaks = papillon(&folder, "peaks image.csv -o -");
        let told = String::from_utf8(peaks.stderr).unwrap();
        let first = |text: Vec<u8>| {
            String::from_utf8(text).unwrap().lines().nth(1).unwrap_or_default().split(',').take(4).collect::<Vec<_>>().join(",")
        };
        let shift = papillon(&folder, "register image.csv image.csv").stdout;
        done(&folder, "profile image.csv --radial -o profile.csv");
        let profile = String::from_utf8(read(&folder, "profile.csv")).unwrap();
        assert!(
            profile.lines().skip(1).all(|line| line.split(',').nth(1).unwrap().parse::<f64>().is_ok_and(|power| power > 0.0)),
            "{profile}"
        );
        (first(peaks.stdout), String::from_utf8(shift).unwrap(), told.contains("divided by 2^"))
    };
    let (peaks, shift, is_scaled) = found(1.0);
    assert!(!is_scaled);
    for scale in [1e-200, 1e300] {
        let (other_peaks, other_shift, is_scaled) = found(scale);
        assert!(is_scaled && shift == other_shift, "{scale:e}: {other_shift}");
        let digits =
            |peaks: &str| peaks.split(',').map(|number| format!("{:.6}", number.parse::<f64>().unwrap_or_default())).collect::<Vec<_>>();
        assert_eq!(digits(&peaks), digits(&other_peaks), "{scale:e}");
    }
    write(&folder, "system.csv", "a,b,c,d\n".to_owned() + &"-1e-200,4e-200,-1e-200,2e-200\n".repeat(16));
    assert!(done(&folder, "solve system.csv -d gpu -o x.csv").contains("beyond single precision"));
}

#[test]
fn commas_in_numbers_are_read_as_asked() {
    let folder = TempDir::new().unwrap();
    // A single column is not a table; two columns are one.
    for text in ["x\n1,234\n2,345\n", "x\ty\n1,234\t1\n2,345\t2\n"] {
        write(&folder, "x.csv", text);
        for (mark, sum, remedy) in [("comma", 3.579, "--decimal point"), ("point", 3579.0, "--decimal comma")] {
            let told = done(&folder, &format!("transform x.csv --channel 1 --decimal {mark} -t walsh -d cpu --precision double -o y.npy"));
            assert!(told.contains(remedy), "{mark} of {text}: {told}");
            let found = read_npy(&folder, "y.npy")[0].re;
            assert!((found - sum).abs() < 1e-9, "{mark} of {text}: {found}");
        }
    }
    // The other reading of 1,5 is not a number, and choosing its own is not an error.
    write(&folder, "x.csv", "x\n1,5\n2,5\n");
    done(&folder, "transform x.csv --decimal comma -t walsh -d cpu --precision double -o y.npy");
    assert_eq!(read_npy(&folder, "y.npy")[0].re, 4.0);
    write(&folder, "x.csv", "x\n1\n2\n");
    assert!(refused(&folder, "transform x.csv --decimal comma -t walsh -o y.npy", 2).contains("leave --decimal out"));
}
