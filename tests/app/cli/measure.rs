//! `peaks`, `profile` and `register`: images with known answers, as typed.

use super::*;
use serde_json::Value;

/// A gray PNG with these values at column x and row y.
fn write_image(folder: &TempDir, name: &str, rows: usize, columns: usize, value: impl Fn(f64, f64) -> f64) {
    let pixel = |i: usize| value((i % columns) as f64, (i / columns) as f64).round().clamp(0.0, 255.0) as u8;
    write_png(folder, name, rows, columns, &(0..rows * columns).map(pixel).collect::<Vec<_>>());
}

/// The rows of a CSV below its header.
fn rows_of(csv: &[u8]) -> (String, Vec<Vec<f64>>) {
    let text = std::str::from_utf8(csv).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    (header.to_owned(), rest.lines().map(|line| line.split(',').map(|number| number.parse().unwrap()).collect()).collect())
}

#[test]
fn a_hexagonal_lattice_is_measured() {
    let folder = TempDir::new().unwrap();
    let (period, turned) = (12.4, 17.0_f64);
    write_image(&folder, "crystal.png", 240, 320, |x, y| {
        let wave = |k: f64| {
            let (sin, cos) = (turned + 60.0 * k).to_radians().sin_cos();
            (TAU * (x * cos - y * sin) / period).cos()
        };
        120.0 + 30.0 * (wave(0.0) + wave(1.0) + wave(2.0))
    });
    let told = done(&folder, "peaks crystal.png -n 6 -o peaks.csv");
    assert!(told.contains("3 peaks above the background") && told.contains("60"), "{told}");
    let (header, rows) = rows_of(&read(&folder, "peaks.csv"));
    assert_eq!((header.as_str(), rows.len()), ("u,v,period,angle,magnitude", 3));
    let mut angles: Vec<f64> = rows.iter().map(|row| row[3]).collect();
    angles.sort_by(f64::total_cmp);
    for (row, (found, angle)) in rows.iter().zip(angles.iter().zip([-43.0, 17.0, 77.0])) {
        assert!((found - angle).abs() < 0.3 && (row[2] / period - 1.0).abs() < 0.005, "{rows:?}");
        assert!(row[1] > 0.0 && (row[0].hypot(row[1]) * row[2] - 1.0).abs() < 1e-9 && row[4] > 1e4);
    }
    done(&folder, "peaks crystal.png -o peaks.json -d cpu");
    let json: Value = serde_json::from_slice(&read(&folder, "peaks.json")).unwrap();
    let lengths = json["lattice"]["lengths"].as_array().unwrap();
    let constant = period * 2.0 / 3.0_f64.sqrt();
    assert!(lengths.iter().all(|length| (length.as_f64().unwrap() / constant - 1.0).abs() < 0.005), "{lengths:?}");
    assert!((json["lattice"]["angle"].as_f64().unwrap() - 60.0).abs() < 0.3 && json["peaks"].as_array().unwrap().len() == 3);
    let told = done(&folder, "peaks crystal.png -o rough.csv --refine parabola");
    assert!(told.contains("parabola") && rows_of(&read(&folder, "rough.csv")).1.iter().all(|row| (row[2] / period - 1.0).abs() < 0.02));
    let standard = papillon(&folder, "peaks crystal.png -n 1 -o -").stdout;
    assert_eq!(rows_of(&standard).1[0], rows[0]);
}

#[test]
fn profiles_follow_their_definitions() {
    let folder = TempDir::new().unwrap();
    let (rows, columns) = (12, 16);
    let bytes = pixels(rows * columns);
    write_png(&folder, "noise.png", rows, columns, &bytes);
    let told = done(&folder, "profile noise.png --radial -o radial.csv");
    assert!(told.contains("to the power"), "{told}");
    let (header, found) = rows_of(&read(&folder, "radial.csv"));
    assert_eq!(header, "frequency,power,count");
    let spectrum = dft2(&complex(&bytes), rows, columns);
    let signed = |k: usize, n: usize| (if 2 * k > n { k as f64 - n as f64 } else { k as f64 }) / n as f64;
    let ring = |i: usize| (signed(i % columns, columns).hypot(signed(i / columns, rows)) * rows as f64).round();
    for (k, row) in found.iter().enumerate() {
        let inside: Vec<f64> = (0..bytes.len()).filter(|&i| ring(i) == k as f64).map(|i| spectrum[i].norm_sqr()).collect();
        let mean = inside.iter().sum::<f64>() / inside.len() as f64;
        assert_eq!((row[0], row[2]), (k as f64 / rows as f64, inside.len() as f64));
        assert!((row[1] / mean - 1.0).abs() < 1e-4, "{row:?} is not {mean}");
    }
    done(&folder, "profile noise.png --angular -o angular.csv");
    let (header, found) = rows_of(&read(&folder, "angular.csv"));
    assert!(header == "angle,power,count" && found.iter().all(|row| row[0] > -90.0 && row[0] <= 90.0));
    done(&folder, "profile noise.png --line 2,3,10,3 -o line.csv");
    let (header, found) = rows_of(&read(&folder, "line.csv"));
    assert_eq!(header, "distance,x,y,value");
    assert_eq!(found.iter().map(|row| row[3] as u8).collect::<Vec<_>>(), bytes[3 * columns + 2..=3 * columns + 10]);
    done(&folder, "profile noise.png --line 0,6,15,6:1 --spectrum -o across.csv");
    let (header, found) = rows_of(&read(&folder, "across.csv"));
    assert_eq!((header.as_str(), found.len()), ("distance,x,y,u,v,power", columns));
    for row in &found {
        let expected = spectrum[(row[1] as usize + columns / 2) % columns].norm_sqr();
        assert!((row[3] - (row[1] - 8.0) / 16.0).abs() < 1e-12 && row[4] == 0.0 && (row[5] - expected).abs() <= 1e-4 * expected + 1e-2);
    }
}

#[test]
fn the_mean_stands_in_for_pixels_that_are_no_numbers() {
    let folder = TempDir::new().unwrap();
    let value = |x: usize, y: usize, n: Option<f64>| n.unwrap_or(100.0 + 30.0 * (TAU * (x as f64 / 4.0 + y as f64 / 8.0)).cos());
    let rows = |hole: &dyn Fn(usize, usize) -> Option<f64>| {
        let line = |y: usize| (0..64).map(|x| value(x, y, hole(x, y)).to_string()).collect::<Vec<_>>().join(",");
        (0..64).map(line).collect::<Vec<_>>().join("\n")
    };
    // The wave sums up to 0 over every row without its hole of one period, so that the mean of the others is 100.
    let is_hole = |x: usize, y: usize| (8..16).contains(&y) && (20..24).contains(&x);
    write(&folder, "holes.csv", rows(&|x, y| is_hole(x, y).then_some(f64::NAN)));
    write(&folder, "filled.csv", rows(&|x, y| is_hole(x, y).then_some(100.0)));
    let told = done(&folder, "peaks holes.csv -n 1 --detrend mean -o holes-peaks.csv");
    assert!(told.contains("the mean in place of 32 infinite or NaN samples"), "{told}");
    done(&folder, "peaks filled.csv -n 1 --detrend mean -o filled-peaks.csv");
    let [holes, filled] = ["holes-peaks.csv", "filled-peaks.csv"].map(|name| rows_of(&read(&folder, name)).1);
    assert!(holes[0].iter().zip(&filled[0]).all(|(a, b)| (a - b).abs() < 1e-6 * b.abs().max(1.0)), "{holes:?} and {filled:?}");
    done(&folder, "profile holes.csv --radial --detrend mean -o holes-profile.csv");
    assert!(rows_of(&read(&folder, "holes-profile.csv")).1.iter().flatten().all(|value| value.is_finite()));
    assert!(refused(&folder, "spectrum holes.csv -o holes.png", 1).contains("--detrend mean"));
    done(&folder, "spectrum holes.csv --detrend mean -o holes.png");
}

#[test]
fn two_photographs_are_registered() {
    let folder = TempDir::new().unwrap();
    let scene = |x: f64, y: f64| {
        let blob = |k: f64| {
            let (cx, cy, size) = ((k * 37.7) % 190.0 - 20.0, (k * 61.3) % 170.0 - 20.0, 1.5 + (k * 0.77) % 6.0);
            (0.5 + (k * 2.3) % 1.7) * (-((x - cx).powi(2) + (y - cy).powi(2)) / (2.0 * size * size)).exp()
        };
        20.0 + 60.0 * (0..90).map(|k| blob(f64::from(k))).sum::<f64>()
    };
    write_image(&folder, "a.png", 96, 128, scene);
    write_image(&folder, "b.png", 96, 128, |x, y| scene(x - 4.3, y + 7.65));
    let output = papillon(&folder, "register a.png b.png --json");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |name: &str| json[name].as_f64().unwrap();
    assert!((number("dx") - 4.3).abs() < 0.05 && (number("dy") + 7.65).abs() < 0.05, "{json}");
    assert!(number("peak") > 0.05 && number("peak") <= 1.0 && number("dx_deviation") < 0.05);
    let text = String::from_utf8(papillon(&folder, "register a.png a.png -d cpu").stdout).unwrap();
    let value =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap().split_whitespace().next().unwrap().parse::<f64>();
    assert!(
        value("dx").unwrap().abs() < 1e-3 && value("dy").unwrap().abs() < 1e-3 && (value("peak").unwrap() - 1.0).abs() < 1e-3,
        "{text}"
    );
    write_png(&folder, "noise.png", 96, 128, &pixels(96 * 128));
    assert!(done(&folder, "register a.png noise.png").contains("hardly higher than chance"));
}

#[test]
fn wrong_calls_say_what_helps() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "a.png", 8, 8, &pixels(64));
    write_png(&folder, "b.png", 8, 9, &pixels(72));
    write(&folder, "line.csv", "1\n2\n3\n");
    write(&folder, "nan.csv", "1,2,3\nnan,4,5\n3,5,6\n");
    for (line, code, word) in [
        ("peaks a.png -o peaks.txt", 2, ".csv or .json"),
        ("peaks a.png -n 0 -o peaks.csv", 2, "--count"),
        ("peaks line.csv -o peaks.csv", 2, "at least 16 samples"),
        ("peaks a.png --channel 4 -o peaks.csv", 2, "channel"),
        ("peaks nan.csv -o peaks.csv", 2, "nan.csv has 1 infinite or NaN sample: put the mean in their place by --detrend mean"),
        ("register nan.csv nan.csv", 2, "replace them"),
        ("peaks nowhere.png -o peaks.csv", 1, "nowhere.png"),
        ("profile a.png -o profile.csv", 2, "--radial"),
        ("profile a.png --radial --angular -o profile.csv", 2, "--angular"),
        ("profile a.png --line 1,2,3 -o profile.csv", 2, "X0,Y0,X1,Y1"),
        ("profile a.png --line 0,0,9,9 -o profile.csv", 2, "columns from 0 to 7"),
        ("profile a.png --radial -o profile.png", 2, ".csv"),
        ("register a.png b.png", 2, "same size"),
        ("register a.png", 2, "<B>"),
    ] {
        assert!(refused(&folder, line, code).contains(word), "{line}: {}", refused(&folder, line, code));
    }
    for command in ["peaks", "profile", "register", "filter", "spectrum"] {
        let help = String::from_utf8(papillon(&folder, &format!("{command} --help")).stdout).unwrap();
        assert!(help.contains(&format!("Example: papillon {command} ")), "{help}");
    }
}
