//! `transform`: values against the definition, formats, directions, sizes.

use super::*;

const LINE: &str = "real,imaginary\n1,0\n-2.5,0.5\n3,1\n0.25,-4\n5,5\n-6,0\n7,2\n8,-1\n";

fn line() -> Vec<Complex64> {
    let numbers = |row: &str| row.split(',').map(|number| number.parse().unwrap()).collect::<Vec<f64>>();
    LINE.lines().skip(1).map(numbers).map(|row| Complex64::new(row[0], row[1])).collect()
}

#[test]
fn every_algorithm_on_every_device_equals_the_definition() {
    // By default each algorithm runs on one device, and the next one on the next.
    let devices = ["gpu", "cpu", "cpu-strided", "cpu-parallel"];
    let mut n_algorithms = 0;
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", LINE);
    write_png(&folder, "image.png", 8, 4, &pixels(32));
    for transform in papillon::transforms::linear_transforms() {
        let (input, expected) = match transform.name {
            "dft" => ("line.csv", dft(&line())),
            "dft2" => ("image.png", dft2(&complex(&pixels(32)), 8, 4)),
            _ => ("image.png", by_definition(transform, &complex(&pixels(32)), 8, 4)),
        };
        for algorithm in transform.algorithms {
            n_algorithms += 1;
            let is_taken = |place: &usize| crate::whole_grid() || *place == n_algorithms % 4 || algorithm.plan_fn().is_none();
            for device in (0..4).filter(is_taken).map(|place| devices[place]) {
                if ["gpu", "cpu-strided"].contains(&device) && algorithm.plan_fn().is_none() {
                    continue;
                }
                let call = format!("transform {input} -t {} -a {} -d {device} -o result.npy", transform.name, algorithm.name);
                let output = papillon(&folder, &call);
                let told = String::from_utf8_lossy(&output.stderr).into_owned();
                if device == "cpu-strided" && told.contains("loops run one stage after the other") {
                    assert_eq!(output.status.code(), Some(2), "{told}");
                    continue;
                }
                assert!(output.status.success(), "{call}: {told}");
                assert!(told.contains(&format!("{} by {} on ", transform.name, algorithm.name)), "{told}");
                assert_near(&read_npy(&folder, "result.npy"), &expected, 1e-6);
            }
        }
    }
}

#[test]
fn text_is_computed_in_double_precision_and_back() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", LINE);
    let told = done(&folder, "transform line.csv -t dft -d cpu -o spectrum.npy");
    assert!(told.contains("dft by rustfft on CPU, 1 thread, in double precision: the fastest"), "{told}");
    let (kind, shape, values) = parse_npy(&read(&folder, "spectrum.npy"));
    assert_eq!((kind.as_str(), shape.as_str()), ("<c16", "8"));
    assert_near(&values, &dft(&line()), 1e-14);
    done(&folder, "transform spectrum.npy -t dft --inverse -d cpu -o back.csv");
    let text = String::from_utf8(read(&folder, "back.csv")).unwrap();
    let back: Vec<Complex64> = text
        .lines()
        .skip(1)
        .map(|row| row.split_once(',').unwrap())
        .map(|(re, im)| Complex64::new(re.parse().unwrap(), im.parse().unwrap()))
        .collect();
    assert_near(&back, &line(), 1e-14);
}

#[test]
fn standard_output_has_the_bytes_of_the_file() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", LINE);
    for format in ["npy", "csv"] {
        done(&folder, &format!("transform line.csv -t dft -d cpu -o result.{format}"));
        let output = papillon(&folder, &format!("transform line.csv -t dft -d cpu -o - --format {format}"));
        assert!(output.status.success());
        assert_eq!(output.stdout, read(&folder, &format!("result.{format}")));
    }
}

#[test]
fn sizes_crop_and_pad_and_say_so() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", LINE);
    let told = done(&folder, "transform line.csv -t dft --size 2^2 -d cpu -o cropped.npy");
    assert!(told.contains("line.csv cropped: 1 × 8 to 1 × 4"), "{told}");
    assert_near(&read_npy(&folder, "cropped.npy"), &dft(&line()[..4]), 1e-14);
    let told = done(&folder, "transform line.csv -t dft --size 11 -d cpu -o padded.npy");
    assert!(told.contains("padded with zeros"), "{told}");
    let mut padded = line();
    padded.resize(11, Complex64::default());
    assert_near(&read_npy(&folder, "padded.npy"), &dft(&padded), 1e-13);
    write_png(&folder, "image.png", 3, 5, &pixels(15));
    done(&folder, "transform image.png -t dft2 --size 4x2 -d cpu -o image.npy");
    let (_, shape, values) = parse_npy(&read(&folder, "image.npy"));
    assert_eq!(shape, "4, 2");
    let p = pixels(15);
    assert_near(&values, &dft2(&complex(&[p[0], p[1], p[5], p[6], p[10], p[11], 0, 0]), 4, 2), 1e-6);
}

#[test]
fn half_a_spectrum_tells_an_odd_number_of_samples() {
    let folder = TempDir::new().unwrap();
    let values = |n: usize| pixels(n).iter().map(u8::to_string).collect::<Vec<_>>();
    for (n, columns) in [(127, 127), (126, 126), (5 * 7, 7), (5 * 8, 8)] {
        write(
            &folder,
            "x.csv",
            values(n).chunks(columns).map(|row| row.join(if n == columns { "\n" } else { "," }) + "\n").collect::<String>(),
        );
        let ways: &[&str] = if n == columns { &["-t rdft"] } else { &["-t rdft", "-t rdft2", "-t rdft --axis columns"] };
        for way in ways {
            done(&folder, &format!("transform x.csv {way} -o half.npy"));
            let told = done(&folder, &format!("transform half.npy {way} --inverse -o back.npy"));
            assert_near(&read_npy(&folder, "back.npy"), &complex(&pixels(n)), 1e-5);
            let (lines, line) = if way.ends_with("columns") { (5, "column") } else { (columns, "row") };
            assert!(told.contains(&format!("{lines} samples a {line}")) && told.contains("--size"), "{way}: {told}");
        }
    }
    write(&folder, "x.csv", values(127).join("\n"));
    done(&folder, "transform x.csv -t rdft -o half.npy");
    let told = done(&folder, "transform half.npy -t rdft --inverse --size 127 -o back.npy");
    assert!(!told.contains("left as it is"), "{told}");
    // A side with a large prime goes by a chirp, whatever the algorithm is called.
    let told = done(&folder, "transform x.csv -t rdft -d gpu -a stockham -o half.npy");
    assert!(told.contains("rdft by stockham, and Bluestein's chirp"), "{told}");
}

#[test]
fn a_recording_keeps_its_rate_or_gets_the_one_asked_for() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", pixels(64).iter().map(|x| format!("{x}\n")).collect::<String>());
    let rate = |name: &str| u32::from_le_bytes(read(&folder, name)[24..28].try_into().unwrap());
    let told = done(&folder, "transform line.csv -t cdf97 -o coefs.wav");
    assert!(told.contains("44100 Hz: --rate"), "{told}");
    assert_eq!(rate("coefs.wav"), 44_100);
    done(&folder, "transform line.csv -t cdf97 -o coefs.npy");
    let told = done(&folder, "transform coefs.npy -t cdf97 --inverse --rate 8000 -o back.wav");
    assert!(!told.contains("44100"), "{told}");
    assert_eq!(rate("back.wav"), 8000);
    // A rate that is known is said again.
    done(&folder, "threshold back.wav --keep 50% -o less.wav");
    assert_eq!(rate("less.wav"), 8000);
}

#[test]
fn any_length_runs_anywhere_without_a_named_algorithm() {
    let folder = TempDir::new().unwrap();
    let samples: Vec<u8> = pixels(17 * 37);
    for (n, algorithm) in [(15, "stockham"), (17, "stockham"), (37, "bluestein"), (97, "bluestein"), (1, "stockham")] {
        write(&folder, "line.csv", samples[..n].iter().map(u8::to_string).collect::<Vec<_>>().join("\n"));
        let told = done(&folder, "transform line.csv -t dft -d gpu -o result.npy");
        assert!(told.contains(&format!("dft by {algorithm} on ")), "{told}");
        assert_near(&read_npy(&folder, "result.npy"), &dft(&complex(&samples[..n])), 1e-6);
    }
    write_png(&folder, "image.png", 17, 37, &samples);
    let expected = dft2(&complex(&samples), 17, 37);
    for device in ["gpu", "cpu", "cpu-parallel"] {
        done(&folder, &format!("transform image.png -t dft2 -a stockham -d {device} -o result.npy"));
        assert_near(&read_npy(&folder, "result.npy"), &expected, 1e-6);
    }
    let told = refused(&folder, "transform image.png -t dft2 -a cooley-tukey -d gpu -o none.npy", 2);
    assert!(told.contains("powers of two") && told.contains("-a bluestein"), "{told}");
}

#[test]
fn a_picture_survives_the_way_there_and_back() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 21, 34, &pixels(21 * 34));
    done(&folder, "transform image.png -t dft2 -o spectrum.npy");
    let told = done(&folder, "transform spectrum.npy -t dft2 --inverse -o back.png");
    assert!(told.contains("the real part is written") && told.contains("8 bits"), "{told}");
    assert_eq!(read_png(&folder.path().join("back.png")), (34, 21, png::ColorType::Grayscale, pixels(21 * 34)));
    done(&folder, "transform spectrum.npy -t dft2 --inverse -o back.tiff");
}

#[test]
fn what_no_format_holds_is_refused_before_the_work() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", 21, 34, &pixels(21 * 34));
    write(&folder, "rows.csv", "0,2,-1,1\n-1,2,0,1\n");
    write(&folder, "complex.csv", "real,imaginary\n1,2\n3,4\n");
    for (call, words) in [
        ("transform image.png -t dft2 -o x.png", ["complex", ".npy"]),
        ("transform nowhere.png -t dft2 -o x.tiff", ["complex", ".npy"]),
        ("transform complex.csv -t walsh -o x.wav", ["complex", ".npy"]),
        ("transform image.png -t haar -o x.wav", ["21 rows", ".npy"]),
        ("threshold image.png --keep 5% -o x.wav", ["21 rows", ".npy"]),
        ("convolve image.png image.png --cyclic -o x.wav", ["21 rows", ".npy"]),
        ("convolve complex.csv complex.csv --cyclic -o x.png", ["complex", ".npy"]),
        ("solve rows.csv -o x.png", ["whole", ".npy"]),
    ] {
        let told = papillon(&folder, call);
        let told = String::from_utf8(told.stderr).unwrap();
        assert!(words.iter().all(|word| told.contains(word)), "{call}: {told}");
        assert!(!told.contains(" by ") && !told.contains("residual"), "{call} worked first: {told}");
        refused(&folder, call, 2);
    }
    // A complex spectrum is not a table of two columns.
    done(&folder, "transform complex.csv -t dft -d cpu -o x.csv");
}

#[test]
fn columns_of_one_sample_are_refused() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "1\n2\n3\n4\n");
    write(&folder, "two.csv", "1,2,3,4\n5,6,7,8\n");
    for call in ["transform line.csv -t dft --axis columns -o x.npy", "graph -t dft -n 4 --axis columns -o x.svg"] {
        assert!(refused(&folder, call, 2).contains("one row of 4 samples has columns of one sample each"), "{call}");
    }
    done(&folder, "transform two.csv -t dft --axis columns -d cpu -o x.npy");
    done(&folder, "transform line.csv -t dft --axis rows -d cpu -o x.npy");
}

#[test]
fn a_channel_is_chosen_and_the_luminance_is_the_default() {
    let folder = TempDir::new().unwrap();
    let rgb = pixels(3 * 12);
    write_png(&folder, "colour.png", 3, 4, &rgb);
    let channel = |index: usize| rgb.iter().skip(index).step_by(3).copied().collect::<Vec<u8>>();
    for (name, index) in [("red", 0), ("green", 1), ("blue", 2), ("3", 2)] {
        done(&folder, &format!("transform colour.png -t dft2 --channel {name} -o result.npy"));
        assert_near(&read_npy(&folder, "result.npy"), &dft2(&complex(&channel(index)), 3, 4), 1e-6);
    }
    let told = done(&folder, "transform colour.png -t dft2 -o result.npy");
    assert!(told.contains("the luminance is taken"), "{told}");
    let luma: Vec<Complex64> =
        rgb.chunks(3).map(|p| (0.299 * f64::from(p[0]) + 0.587 * f64::from(p[1]) + 0.114 * f64::from(p[2])).into()).collect();
    assert_near(&read_npy(&folder, "result.npy"), &dft2(&luma, 3, 4), 1e-6);
    refused(&folder, "transform colour.png -t dft2 --channel 4 -o none.npy", 2);
}

#[test]
fn integers_stay_exact_from_file_to_file() {
    let folder = TempDir::new().unwrap();
    // Sums of these pass 2^53, where double precision would round.
    write(&folder, "line.csv", "value\n9007199254740993\n-1\n2\n9007199254740991\n");
    for device in ["cpu", "cpu-parallel", "gpu"] {
        let told = done(&folder, &format!("transform line.csv -t walsh --order sequency -d {device} -o spectrum.csv"));
        assert!(told.contains("exact, in integers of 64 bits"), "{told}");
        let text = String::from_utf8(read(&folder, "spectrum.csv")).unwrap();
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), ["18014398509481985", "-1", "18014398509481983", "5"]);
    }
    done(&folder, "transform line.csv -t arithmetic -d cpu -o polynomial.npy");
    done(&folder, "transform polynomial.npy -t arithmetic --inverse -d gpu -o back.csv");
    assert_eq!(read(&folder, "back.csv"), b"value\n9007199254740993\n-1\n2\n9007199254740991\n");
}

#[test]
fn spectral_logic_takes_its_options_and_refuses_others() {
    let folder = TempDir::new().unwrap();
    write(&folder, "f.csv", "value\n1\n0\n1\n1\n");
    let column = |name: &str| String::from_utf8(read(&folder, name)).unwrap().lines().skip(1).collect::<Vec<_>>().join(" ");
    for (options, expected) in [
        ("-t walsh", "3 1 -1 1"),
        ("-t walsh --order dyadic -a constant-geometry", "3 -1 1 1"),
        ("-t reed-muller", "1 1 0 1"),
        ("-t arithmetic", "1 -1 0 1"),
        ("-t kronecker --matrix 2,0,-1,1", "4 -2 0 1"),
        ("-t haar", "3 -1 1 0"),
        ("-t haar --normalized --size 1", "1"),
    ] {
        done(&folder, &format!("transform f.csv {options} -d cpu -o out.csv"));
        assert_eq!(column("out.csv"), expected, "{options}");
    }
    write(&folder, "twelve.csv", format!("value\n{}", "1\n".repeat(12)));
    write(&folder, "fractions.csv", "value\n0.5\n1\n");
    for (call, word) in [
        ("transform twelve.csv -t walsh -o out.csv", "no power of two"),
        ("transform fractions.csv -t reed-muller -o out.csv", "fractions"),
        ("transform f.csv -t haar --order dyadic -o out.csv", "walsh, walsh2"),
        ("transform f.csv -t kronecker --matrix 1,2,3 -o out.csv", "1,1,1,-1"),
        ("transform f.csv -t kronecker --matrix 1,2,2,4 --inverse -o out.csv", "singular"),
        ("transform f.csv -t walsh --order paley -o out.csv", "dyadic"),
    ] {
        let told = refused(&folder, call, 2);
        assert!(told.contains(word), "{call}: {told}");
    }
}

#[test]
fn columns_are_transformed_where_they_stand() {
    let folder = TempDir::new().unwrap();
    // Three columns: 1 0 0 0, 1 1 1 1 and 0 1 2 3.
    write(&folder, "a.csv", "1,1,0\n0,1,1\n0,1,2\n0,1,3\n");
    let expected = [[1.0, 0.0], [4.0, 0.0], [6.0, 0.0], [1.0, 0.0], [0.0, 0.0], [-2.0, 2.0], [1.0, 0.0], [0.0, 0.0], [-2.0, 0.0]];
    let last = [[1.0, 0.0], [0.0, 0.0], [-2.0, -2.0]];
    let expected: Vec<Complex64> = expected.iter().chain(&last).map(|&[re, im]| Complex64::new(re, im)).collect();
    for device in ["cpu", "cpu-parallel", "gpu"] {
        for axis in ["0", "columns"] {
            done(&folder, &format!("transform a.csv -t dft --axis {axis} -d {device} -o out.npy"));
            assert_near(&read_npy(&folder, "out.npy"), &expected, 1e-6);
        }
        done(&folder, &format!("transform a.csv -t rdft --axis 0 -d {device} -o half.npy"));
        assert_near(&read_npy(&folder, "half.npy"), &expected[..9], 1e-6);
        done(&folder, &format!("transform half.npy -t rdft --axis 0 --inverse -d {device} -o back.npy"));
        assert_near(
            &read_npy(&folder, "back.npy"),
            &[1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 0.0, 1.0, 3.0].map(Complex64::from),
            1e-6,
        );
        done(&folder, &format!("transform a.csv -t walsh --axis columns -d {device} -o out.csv"));
        assert_eq!(String::from_utf8(read(&folder, "out.csv")).unwrap().lines().last(), Some("1,0,0"));
    }
    // The size is that of a column.
    done(&folder, "transform a.csv -t dft --axis columns --size 7 -o seven.npy");
    assert_eq!(read_npy(&folder, "seven.npy").len(), 21);
    for (options, word) in [
        ("-t dft --axis 2", "possible values: rows, columns"),
        ("-t cdf97 --axis columns", "takes no --axis columns"),
        ("-t dft -a cooley-tukey --axis columns", "no plan down columns"),
        ("-t walsh --axis columns --size 5", "5 is no power of two"),
    ] {
        let told = refused(&folder, &format!("transform a.csv {options} -o out.npy"), 2);
        assert!(told.contains(word), "{options}: {told}");
    }
}

#[test]
fn convolutions_of_the_paper() {
    let folder = TempDir::new().unwrap();
    write(&folder, "f.csv", "value\n1\n0\n1\n1\n");
    write(&folder, "g.csv", "value\n0\n1\n0\n1\n");
    let column = |name: &str| String::from_utf8(read(&folder, name)).unwrap().lines().skip(1).collect::<Vec<_>>().join(" ");
    for device in ["cpu", "gpu"] {
        done(&folder, &format!("convolve f.csv g.csv -d {device} -o out.csv"));
        assert_eq!(column("out.csv"), "1 2 1 2");
        done(&folder, &format!("autocorrelate f.csv --dyadic -d {device} -o out.csv"));
        assert_eq!(column("out.csv"), "3 2 2 2");
        done(&folder, &format!("convolve f.csv g.csv --cyclic -d {device} -o out.npy"));
        assert_near(&read_npy(&folder, "out.npy"), &[1.0, 2.0, 1.0, 2.0].map(Complex64::from), 1e-6);
    }
    write(&folder, "short.csv", "value\n1\n2\n");
    assert!(refused(&folder, "convolve f.csv short.csv -o out.csv", 2).contains("short"));
    assert!(refused(&folder, "convolve f.csv g.csv --dyadic --cyclic -o out.csv", 2).contains("--cyclic"));
}
