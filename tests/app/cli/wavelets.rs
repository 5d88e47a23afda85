//! Wavelets: `transform` with levels, boundary extensions and orders, there and back, and `threshold`.

use super::*;

#[test]
fn odd_pictures_come_back_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let bytes = pixels(37 * 53);
    write_png(&folder, "image.png", 37, 53, &bytes);
    for options in
        ["-t cdf97-2 --levels 6", "-t cdf97-2 --levels 3 --boundary periodic", "-t d4-2 --levels 2", "-t cdf97 --levels 5", "-t d4"]
    {
        for device in ["cpu-parallel", "gpu"] {
            done(&folder, &format!("transform image.png {options} -d {device} -o coefs.npy"));
            done(&folder, &format!("transform coefs.npy {options} -d {device} --inverse -o back.png"));
            assert_eq!(read_png(&folder.path().join("back.png")).3, bytes, "{options} on {device}");
        }
    }
}

#[test]
fn the_mallat_layout_has_the_coarsest_at_the_top_left() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "flat.png", 6, 10, &[100; 60]);
    done(&folder, "transform flat.png -t cdf97-2 --levels 1 -d cpu -o coefs.npy");
    let coefs = read_npy(&folder, "coefs.npy");
    for (index, value) in coefs.iter().enumerate() {
        let is_low = index / 10 < 3 && index % 10 < 5;
        assert!((value.re - if is_low { 200.0 } else { 0.0 }).abs() < 1e-3, "{index} holds {value}");
    }
}

#[test]
fn packets_are_written_in_the_order_that_was_asked_for() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", (0..16).map(|i| format!("{}\n", i * i % 11)).collect::<String>());
    let blocks = |order: &str| {
        done(&folder, &format!("transform line.csv -t d4-packet --levels 2 --packet-order {order} -d cpu -o packets.npy"));
        read_npy(&folder, "packets.npy")
    };
    let (natural, frequency) = (blocks("natural"), blocks("frequency"));
    let sorted: Vec<Complex64> = [0, 1, 3, 2].iter().flat_map(|&block: &usize| natural[4 * block..][..4].to_vec()).collect();
    assert_near(&frequency, &sorted, 1e-14);
}

#[test]
fn the_best_basis_is_said_and_undone() {
    let folder = TempDir::new().unwrap();
    // Two rows of a chirp, which share a basis, and a recording of one line.
    let chirp = |i: usize| (i as f64 * i as f64 / 900.0).sin() * 50.0;
    write(
        &folder,
        "rows.csv",
        (0..2).map(|row| (0..96).map(|i| format!("{}", chirp(i + row))).collect::<Vec<_>>().join(",") + "\n").collect::<String>(),
    );
    for cost in ["entropy", "log-energy", "threshold:5", "l1"] {
        for order in ["natural", "frequency"] {
            let told = done(
                &folder,
                &format!("transform rows.csv -t d4-packet --levels 4 --best-basis {cost} --packet-order {order} -o best.npy"),
            );
            let basis = told.lines().find_map(|line| line.split_once("--basis ")).unwrap().1;
            done(&folder, &format!("transform best.npy -t d4-packet --inverse --basis {basis} --packet-order {order} -o back.npy"));
            let expected: Vec<Complex64> = (0..192).map(|i| chirp(i % 96 + i / 96).into()).collect();
            assert_near(&read_npy(&folder, "back.npy"), &expected, 1e-12);
            // The same blocks, given, are the same coefficients.
            done(&folder, &format!("transform rows.csv -t d4-packet --basis {basis} --packet-order {order} -d cpu-parallel -o given.npy"));
            assert_eq!(read_npy(&folder, "given.npy"), read_npy(&folder, "best.npy"));
        }
    }
    // An option may repeat the default.
    done(&folder, "transform rows.csv -t d4-packet --levels 4 --best-basis l1 -o best.npy");
    done(&folder, "transform rows.csv -t d4-packet --levels 4 --best-basis l1 --precision double -d cpu -o asked.npy");
    assert_eq!(read(&folder, "asked.npy"), read(&folder, "best.npy"));
    // Every block of the full tree is a block of the plan.
    done(&folder, "transform rows.csv -t d4-packet --basis LL,LH,HL,HH -o full.npy");
    done(&folder, "transform rows.csv -t d4-packet --levels 2 -d cpu -o plan.npy");
    assert_near(&read_npy(&folder, "full.npy"), &read_npy(&folder, "plan.npy"), 1e-14);
    // A constant has one coefficient that is not zero, where it is split to the end.
    write(&folder, "constant.csv", "1\n".repeat(16));
    let told = done(&folder, "transform constant.csv -t d4-packet --levels 3 --best-basis entropy -o best.npy");
    assert!(told.contains("--basis LLL,LLH,LH,H") && told.contains("4 blocks"), "{told}");
}

#[test]
fn a_picture_is_thresholded_in_its_colours() {
    let folder = TempDir::new().unwrap();
    let smooth = |i: usize| (128.0 + 100.0 * ((i % 33) as f64 / 9.0).sin() * ((i / 33) as f64 / 7.0).cos()) as u8;
    let colours: Vec<u8> = (0..3 * 33 * 21).map(|i| smooth(i / 3) / (i % 3 + 1) as u8).collect();
    write_png(&folder, "photo.png", 21, 33, &colours);
    let told = done(&folder, "threshold photo.png --levels 4 --keep 20% -d cpu-parallel -o less.png");
    for channel in ["red", "green", "blue"] {
        assert!(told.lines().any(|line| line.contains(&format!("{channel}: 4 levels")) && line.contains("PSNR")), "{told}");
    }
    // How it was done comes before what came of it.
    let first = |part: &str| told.lines().position(|line| line.contains(part));
    assert!(first("cdf97-2 by") < first("red:") && first("red:") < first("green:"), "{told}");
    let (width, height, colour, less) = read_png(&folder.path().join("less.png"));
    assert_eq!((width, height, colour), (33, 21, png::ColorType::Rgb));
    let error: f64 = less.iter().zip(&colours).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum::<f64>() / less.len() as f64;
    assert!(error > 0.0 && 20.0 * (255.0 / error.sqrt()).log10() > 32.0, "mean square error {error}");
    let told = done(&folder, "threshold photo.png -t d4-2 --keep 1 -d gpu -o same.png");
    assert!(told.contains("no sample is changed"), "{told}");
    assert_eq!(read_png(&folder.path().join("same.png")).3, colours);
}

#[test]
fn equal_coefficients_are_kept_in_their_order_on_every_device() {
    let folder = TempDir::new().unwrap();
    // Steps of one height make coefficients of one magnitude.
    let steps: String = (0..256).map(|i| if (i / 3) % 2 == 0 { "10.1\n" } else { "20.3\n" }).collect();
    write(&folder, "steps.csv", steps);
    let mut found: Vec<Vec<Complex64>> = Vec::new();
    for device in ["cpu", "gpu", "cpu-parallel", "cpu --precision double"] {
        let told = done(&folder, &format!("threshold steps.csv -t d2 --levels 3 --keep 25% -d {device} -o less.npy"));
        assert!(told.contains("64 of 256 coefficients kept (25.00 %)"), "{device}: {told}");
        assert!(told.contains("dB (peak 10.2"), "{device}: {told}");
        found.push(read_npy(&folder, "less.npy"));
    }
    for other in &found[1..] {
        assert_near(other, &found[0], 1e-5);
    }
    let help = String::from_utf8(papillon(&folder, "threshold --help").stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("of equal magnitudes") && help.contains("255 for samples of 8 bits"), "{help}");
    write_png(&folder, "photo.png", 16, 16, &pixels(256));
    assert!(done(&folder, "threshold photo.png --keep 20% -d cpu -o less.png").contains("(peak 255)"));
}

#[test]
fn haar_is_thresholded_as_the_orthonormal_wavelet_that_it_is() {
    let folder = TempDir::new().unwrap();
    let bytes = pixels(64 * 48);
    write_png(&folder, "photo.png", 64, 48, &bytes);
    // The energy of what is dropped is that of the difference, as lengths halve evenly.
    for (options, wavelet) in [("-t haar2 --levels 4 --keep 30%", "d2-2"), ("-t haar --levels 4 --value 40", "d2")] {
        let told = done(&folder, &format!("threshold photo.png {options} -d cpu -o less.npy"));
        assert!(told.contains(&format!("{wavelet} by")) && told.contains("orthonormal"), "{told}");
        let kept: f64 = told.split(" % of the energy").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        let squares = |value: &dyn Fn(usize) -> f64| (0..64 * 48).map(|i| value(i).powi(2)).sum::<f64>();
        let less = read_npy(&folder, "less.npy");
        let lost = squares(&|i| less[i].re - f64::from(bytes[i])) / squares(&|i| f64::from(bytes[i]));
        assert!((100.0 * (1.0 - lost) - kept).abs() < 1e-3, "{lost} is lost, and it is said: {told}");
    }
    // Odd sizes too, and exactly back where all is kept.
    let bytes = pixels(37 * 53);
    write_png(&folder, "odd.png", 37, 53, &bytes);
    for device in ["cpu", "gpu"] {
        done(&folder, &format!("threshold odd.png -t haar2 --keep 100% -d {device} -o same.png"));
        assert_eq!(read_png(&folder.path().join("same.png")).3, bytes, "on {device}");
    }
}

#[test]
fn at_most_the_share_that_was_asked_for_is_kept() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "photo.png", 37, 53, &pixels(37 * 53));
    let told = done(&folder, "threshold photo.png --levels 3 --keep 50% -o less.npy");
    assert!(told.contains("gray: 3 levels, 980 of 1961") && !told.contains("--levels"), "{told}");
    let kept = read_npy(&folder, "less.npy").len();
    assert_eq!(kept, 37 * 53);
    // The low band alone is more.
    let told = done(&folder, "threshold photo.png --levels 1 --keep 5% -o less.npy");
    assert!(told.contains("1 level, 513 of 1961") && told.contains("take more --levels"), "{told}");
    let colours: Vec<u8> = pixels(3 * 37 * 53);
    write_png(&folder, "colours.png", 37, 53, &colours);
    let told = done(&folder, "threshold colours.png --channel red --keep 50% -o red.png");
    assert!(told.contains("red: ") && !told.contains("gray"), "{told}");
}

#[test]
fn a_line_is_denoised_by_a_value() {
    let folder = TempDir::new().unwrap();
    let clean = |i: usize| 10.0 * (i as f64 / 40.0).sin();
    let noisy: Vec<f64> = pixels(501).iter().enumerate().map(|(i, &x)| clean(i) + (f64::from(x) / 255.0 - 0.5)).collect();
    write(&folder, "noisy.csv", noisy.iter().map(|x| format!("{x}\n")).collect::<String>());
    for shrink in ["--hard", "--soft"] {
        let told = done(&folder, &format!("threshold noisy.csv --value 1.1 {shrink} -o clean.npy"));
        assert!(told.contains("magnitudes up to 1.1") && told.contains("cdf97 by"), "{told}");
        let result = read_npy(&folder, "clean.npy");
        let error = |value: &dyn Fn(usize) -> f64| (0..501).map(|i| (value(i) - clean(i)).powi(2)).sum::<f64>();
        assert!(error(&|i| result[i].re) < 0.3 * error(&|i| noisy[i]), "{shrink}");
    }
}

#[test]
fn wrong_calls_exit_with_2() {
    let folder = TempDir::new().unwrap();
    write(&folder, "line.csv", "1\n2\n3\n");
    write(&folder, "four.csv", "1\n2\n3\n5\n");
    write(&folder, "complex.csv", "1,1\n2,2\n");
    write(&folder, "nan.csv", "1\ninf\n3\n5\n");
    for (line, word) in [
        ("transform line.csv -t cdf97 --levels 3 -o x.npy", "--levels 2"),
        ("transform line.csv -t cdf97 --boundary open -o x.npy", "symmetric"),
        ("transform line.csv -t d4 --boundary periodic -o x.npy", "cdf97-2"),
        ("transform line.csv -t d4 -a filter-bank -o x.npy", "-a lifting"),
        ("transform line.csv -t d4-packet -o x.npy", "--size 4"),
        ("transform line.csv -t cdf97 --packet-order frequency -o x.npy", "d4-packet"),
        ("transform line.csv -t cdf97 --best-basis l1 -o x.npy", "-t d4-packet"),
        ("transform four.csv -t d4-packet --best-basis shannon -o x.npy", "entropy, log-energy"),
        ("transform four.csv -t d4-packet --best-basis threshold:-1 -o x.npy", "threshold:2.5"),
        ("transform four.csv -t d4-packet --best-basis l1 --inverse -o x.npy", "--basis"),
        ("transform four.csv -t d4-packet --best-basis l1 --basis L,H -o x.npy", "--basis"),
        ("transform four.csv -t d4-packet --best-basis l1 -d gpu -o x.npy", "cpu-parallel"),
        ("transform four.csv -t d4-packet --best-basis l1 --precision single -o x.npy", "--precision double"),
        ("transform four.csv -t d4-packet --best-basis l1 --levels 3 -o x.npy", "--levels 2"),
        ("transform four.csv -t d4-packet --basis L,HL -o x.npy", "no basis"),
        ("transform four.csv -t d4-packet --basis L,K -o x.npy", "'K'"),
        ("transform four.csv -t d4-packet --basis L,H --levels 2 -o x.npy", "leave --levels out"),
        ("transform four.csv -t d4-packet --inverse --basis LLL,LLH,LH,H -o x.npy", "--levels 2"),
        ("transform line.csv -t d4-packet --best-basis l1 -o x.npy", "--size 4"),
        ("transform complex.csv -t d4-packet --best-basis l1 -o x.npy", "complex"),
        ("transform nan.csv -t d4-packet --best-basis l1 -o x.npy", "nan.csv has 1 infinite or NaN sample"),
        ("threshold line.csv -t dyadic-autocorrelation --keep 5% -o x.npy", "no inverse"),
        ("threshold line.csv -o x.npy", "--keep SHARE, as 5%, or --value"),
        ("threshold line.csv --keep -5% -o x.npy", "0% to 100%"),
        ("threshold nan.csv --keep 50% -o x.npy", "nan.csv has 1 infinite or NaN sample"),
        ("threshold line.csv --keep 105% -o x.npy", "100%"),
        ("threshold line.csv --keep 5% --value 3 -o x.npy", "--value"),
        ("threshold line.csv --value -3 -o x.npy", "-3"),
        ("threshold line.csv --keep 5% --inverse -o x.npy", "--inverse"),
    ] {
        let told = refused(&folder, line, 2);
        assert!(told.contains(word), "papillon {line}: no '{word}' in: {told}");
    }
    // The mistake in the file is reported once.
    let told = papillon(&folder, "threshold nan.csv --keep 50% -o x.npy").stderr;
    assert_eq!(String::from_utf8(told).unwrap().lines().filter(|line| line.contains("nan.csv")).count(), 1);
}
