//! `filter`: every filter against the definition of the transform, output types, masks as files, and bad calls.

use super::*;

const ROWS: usize = 12;
const COLUMNS: usize = 15;

/// x with its spectrum multiplied by H(u, v), v upwards, by the definition.
fn filtered(samples: &[Complex64], rows: usize, columns: usize, factor: impl Fn(f64, f64) -> f64) -> Vec<Complex64> {
    let signed = |k: usize, n: usize| (if 2 * k >= n && n > 1 { k as f64 - n as f64 } else { k as f64 }) / n as f64;
    let spectrum = dft2(samples, rows, columns);
    let masked: Vec<Complex64> =
        spectrum.iter().enumerate().map(|(i, x)| (x * factor(signed(i % columns, columns), -signed(i / columns, rows))).conj()).collect();
    dft2(&masked, rows, columns).into_iter().map(|x| x.conj() / (rows * columns) as f64).collect()
}

#[test]
fn filters_are_their_formulas() {
    let folder = TempDir::new().unwrap();
    let bytes = pixels(ROWS * COLUMNS);
    write_png(&folder, "image.png", ROWS, COLUMNS, &bytes);
    let f = |u: f64, v: f64| (u * u + v * v).sqrt();
    let butterworth = |f: f64, cutoff: f64| 1.0 / (1.0 + (f / cutoff).powi(8));
    let gaussian = |f: f64, cutoff: f64| (-0.5 * (f / cutoff).powi(2)).exp();
    let is = |yes: bool| f64::from(u8::from(yes));
    type Profile<'a> = &'a dyn Fn(f64, f64) -> f64;
    let cases: [(&str, Profile); 9] = [
        ("--low-pass 0.21", &|u, v| is(f(u, v) <= 0.21)),
        ("--low-pass 5px --butterworth 4", &|u, v| butterworth(f(u, v), 0.2)),
        ("--high-pass 0.2 --gaussian", &|u, v| 1.0 - gaussian(f(u, v), 0.2)),
        ("--high-pass 0.2 --keep-mean", &|u, v| is(f(u, v) > 0.2 || (u, v) == (0.0, 0.0))),
        ("--band-pass 3..8px --gaussian", &|u, v| gaussian(f(u, v), 1.0 / 3.0) * (1.0 - gaussian(f(u, v), 0.125))),
        ("--band-stop 0.1..0.3 --butterworth 4", &|u, v| 1.0 - butterworth(f(u, v), 0.3) * (1.0 - butterworth(f(u, v), 0.1))),
        ("--notch 0.2,-0.25:0.03", &|u, v| is(f(u - 0.2, v + 0.25) > 0.03 && f(u + 0.2, v - 0.25) > 0.03)),
        ("--low-pass 2nm --high-pass 4nm --pixel-size 0.5nm", &|u, v| is(f(u, v) <= 0.25 && f(u, v) > 0.125)),
        // The frequencies of vertical stripes lie along u; half a row beside the axis belongs to it.
        ("--stripes vertical --tolerance 0.1", &|u, v| is((u, v) == (0.0, 0.0) || v.abs() > (0.1 * u.abs()).max(0.5 / 15.0))),
    ];
    for (options, factor) in cases {
        let told = done(&folder, &format!("filter image.png {options} --precision double -o out.npy"));
        assert_near(&read_npy(&folder, "out.npy"), &filtered(&complex(&bytes), ROWS, COLUMNS, factor), 1e-13);
        assert!(told.contains("% of the energy beside the mean kept, PSNR"), "{told}");
    }
    let (kind, shape, _) = parse_npy(&read(&folder, "out.npy"));
    assert_eq!((kind.as_str(), shape.as_str()), ("<f8", "12, 15"));
}

#[test]
fn recordings_are_filtered_in_hertz() {
    let folder = TempDir::new().unwrap();
    let times = |i: usize| i as f64 / 1000.0;
    let hum = |i: usize| (TAU * 50.0 * times(i)).sin() + 0.5 * (TAU * 200.0 * times(i)).cos();
    write(
        &folder,
        "hum.csv",
        std::iter::once("t,x\n".into()).chain((0..200).map(|i| format!("{},{}\n", times(i), hum(i)))).collect::<String>(),
    );
    done(&folder, "filter hum.csv --notch 50Hz:2Hz -o clean.csv");
    let text = String::from_utf8(read(&folder, "clean.csv")).unwrap();
    let found: Vec<f64> = text.lines().skip(1).map(|line| line.split(',').next_back().unwrap().parse().unwrap()).collect();
    assert_eq!(found.len(), 200);
    assert!(found.iter().enumerate().all(|(i, x)| (x - 0.5 * (TAU * 200.0 * times(i)).cos()).abs() < 1e-5), "{text}");
    let told = done(&folder, "filter hum.csv --periodic-noise --write-mask mask.json -o none.csv");
    assert!(told.contains("periodic noise at 0.05, period 20 samples, which is 50 Hz, period 20 ms"), "{told}");
    let told = done(&folder, "filter hum.csv --rate 1day --periodic-noise -o none.csv");
    assert!(told.contains("which is 0.05 1/day, period 20 days"), "{told}");
    let table = String::from_utf8(read(&folder, "none.csv")).unwrap();
    let first: Vec<&str> = table.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert!(first[..4] == ["time (days)", "0.0", "1.0", "2.0"] && first.len() == 201, "the rate is the axis: {table}");
    let told = done(&folder, "filter hum.csv --rate 1day --low-pass 0.1 -o none.npy");
    assert!(told.contains("NPY holds no rate of samples"), "{told}");
}

#[test]
fn colour_stays_colour_and_what_is_clamped_is_said() {
    let folder = TempDir::new().unwrap();
    let bytes: Vec<u8> = pixels(3 * ROWS * COLUMNS).iter().map(|&byte| if byte > 127 { 255 } else { byte }).collect();
    write_png(&folder, "colour.png", ROWS, COLUMNS, &bytes);
    let told = done(&folder, "filter colour.png --low-pass 0.35 -o out.png");
    let (width, height, colour, found) = read_png(&folder.path().join("out.png"));
    assert_eq!((width, height, colour), (COLUMNS, ROWS, png::ColorType::Rgb));
    for channel in 0..3 {
        let of = |bytes: &[u8]| bytes.iter().skip(channel).step_by(3).copied().collect::<Vec<u8>>();
        let wanted = filtered(&complex(&of(&bytes)), ROWS, COLUMNS, |u, v| f64::from(u8::from(u.hypot(v) <= 0.35)));
        let clamped = wanted.iter().filter(|x| !(0.0..=255.0).contains(&x.re.round())).count();
        assert!(clamped > 0 && told.contains(&format!("{clamped} of 180 pixels were clamped to 0…255")), "{clamped}: {told}");
        assert_eq!(of(&found), wanted.iter().map(|x| x.re.round() as u8).collect::<Vec<_>>());
    }
    done(&folder, "filter colour.png --low-pass 0.35 -o out.tiff");
    done(&folder, "transform out.tiff -t dft2 --channel green -o green.npy");
    let values = &read_npy(&folder, "green.npy");
    let mean = values[0].re / 180.0;
    let wanted = bytes.iter().skip(1).step_by(3).map(|&byte| f64::from(byte)).sum::<f64>() / 180.0;
    assert!((mean - wanted).abs() < 1e-3, "{mean} and {wanted}");
}

#[test]
fn periodic_noise_is_cut_and_its_mask_written() {
    let folder = TempDir::new().unwrap();
    let scene = |i: usize| 100.0 + 0.5 * (i % 96) as f64 + if (i / 96).abs_diff(30) < 12 { 40.0 } else { 0.0 };
    // Rows count downwards, so that −y points upwards.
    let moire = |i: usize| 20.0 * (TAU * (0.25 * (i % 96) as f64 - 0.125 * (i / 96) as f64)).cos();
    let of = |value: &dyn Fn(usize) -> f64| (0..64 * 96).map(|i| value(i).round() as u8).collect::<Vec<u8>>();
    let clean = of(&scene);
    write_png(&folder, "moire.png", 64, 96, &of(&|i| scene(i) + moire(i)));
    let told = done(&folder, "filter moire.png --periodic-noise --write-mask mask.json -o clean.png");
    assert!(told.contains("periodic noise at (0.25, 0.125), period 3.578 px"), "{told}");
    let far = |found: &[u8]| found.iter().zip(&clean).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum::<f64>() / clean.len() as f64;
    let found = read_png(&folder.path().join("clean.png")).3;
    assert!(far(&found) < 4.0, "mean square {}, and 200 with the moiré", far(&found));
    done(&folder, "filter moire.png --mask mask.json -o again.png");
    assert_eq!(read_png(&folder.path().join("again.png")).3, found);
}

#[test]
fn a_painted_mask_has_frequency_0_in_the_middle() {
    let folder = TempDir::new().unwrap();
    let bytes = pixels(64);
    write_png(&folder, "image.png", 8, 8, &bytes);
    let mut mask = [0; 64];
    mask[4 * 8 + 4] = 255;
    write_png(&folder, "mask.png", 8, 8, &mask);
    done(&folder, "filter image.png --mask mask.png -o mean.npy");
    let mean = bytes.iter().map(|&byte| f64::from(byte)).sum::<f64>() / 64.0;
    assert!(read_npy(&folder, "mean.npy").iter().all(|x| (x.re - mean).abs() < 1e-4));
    mask[0] = 128;
    mask[9] = 255;
    write_png(&folder, "mask.png", 8, 8, &mask);
    assert!(done(&folder, "filter image.png --mask mask.png -o half.npy").contains("% of it symmetric"));
}

#[test]
fn bad_calls_say_what_helps() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", ROWS, COLUMNS, &pixels(ROWS * COLUMNS));
    write_png(&folder, "small.png", 4, 4, &pixels(16));
    write(&folder, "line.csv", "1\n2\n3\n4\n");
    write(&folder, "broken.json", "{\"shapes\": 7}");
    for (line, says) in [
        ("image.png -o out.png", "nothing says what is filtered: take --low-pass"),
        ("image.png --low-pass 12miles -o out.png", "is no frequency: take"),
        ("image.png --low-pass 300Hz -o out.png", "needs a sampling rate"),
        ("image.png --low-pass 2nm -o out.png", "--pixel-size 0.2nm"),
        ("image.png --low-pass 0.9 -o out.png", "highest frequency"),
        ("image.png --low-pass 0.1 --pixel-size 3 -o out.png", "is no length"),
        ("image.png --notch 0,0:0.01 -o out.png", "removes the mean"),
        ("image.png --notch 0.1,0.2 -o out.png", "is no notch"),
        ("image.png --band-pass 0.1 -o out.png", "is no band"),
        ("image.png --band-pass 0.1..0.1 -o out.png", "holds no frequency"),
        ("image.png --wedge 30 -o out.png", "is no wedge"),
        ("image.png --stripes sideways -o out.png", "is no direction"),
        ("image.png --low-pass 0.1 --gaussian --butterworth 2 -o out.png", "cannot be used with"),
        ("image.png --mask small.png -o out.png", "the mask has 4 × 4 values (columns × rows), and the image 15 × 12"),
        ("line.csv --stripes vertical -o out.csv", "a signal has none"),
        ("line.csv --low-pass 0.6 -o out.csv", "highest frequency is 0.5"),
    ] {
        let told = refused(&folder, &format!("filter {line}"), 2);
        assert!(told.contains(says), "{line}: {told}");
    }
    // A file that holds something else fails, as every other input does.
    assert!(refused(&folder, "filter image.png --mask broken.json -o out.png", 1).contains("is no mask"));
}

#[test]
fn the_preparation_comes_before_the_filter_and_is_undone_after_it() {
    let folder = TempDir::new().unwrap();
    let bytes = pixels(ROWS * COLUMNS);
    write_png(&folder, "image.png", ROWS, COLUMNS, &bytes);
    let told = done(&folder, "filter image.png --high-pass 0.2 --detrend mean --precision double -o mean.npy");
    assert!(told.contains("prepared: mean removed; undone after the filter"), "{told}");
    let is = |yes: bool| f64::from(u8::from(yes));
    let wanted = filtered(&complex(&bytes), ROWS, COLUMNS, |u, v| is(u.hypot(v) > 0.2 || (u, v) == (0.0, 0.0)));
    assert_near(&read_npy(&folder, "mean.npy"), &wanted, 1e-13);
    let chain = "--region 2,1,10,9 --detrend plane --periodic --window hann --pad power --pad-with mirror";
    let told = done(&folder, &format!("filter image.png --low-pass 0.1 {chain} -o part.png"));
    assert!(
        told.contains("Hann window, gain") && told.contains("% of the samples stay as they are, as the window is below 0.25"),
        "{told}"
    );
    let (width, height, _, found) = read_png(&folder.path().join("part.png"));
    assert_eq!((width, height), (COLUMNS, ROWS), "the region is put back");
    let changed: Vec<usize> = (0..ROWS * COLUMNS).filter(|&i| found[i] != bytes[i]).collect();
    assert!(changed.len() > 30 && changed.iter().all(|i| (1..10).contains(&(i / COLUMNS)) && (2..12).contains(&(i % COLUMNS))));
    let told = refused(&folder, "filter image.png --low-pass 0.1 --region 9,9,9,9 -o part.png", 1);
    assert!(told.contains("the region 9,9,9,9 does not lie in the image"), "{told}");
}

#[test]
fn a_gpu_takes_the_way_back_where_it_can() {
    let folder = TempDir::new().unwrap();
    let bytes = pixels(3 * ROWS * COLUMNS);
    write_png(&folder, "colour.png", ROWS, COLUMNS, &bytes);
    done(&folder, "filter colour.png --low-pass 0.2 --detrend mean --pad fast -o here.png");
    let told = done(&folder, "filter colour.png --low-pass 0.2 --detrend mean --pad fast -d gpu -o there.png");
    assert!(told.contains("the way back on ") && told.contains("in single precision"), "{told}");
    let [here, there] = ["here.png", "there.png"].map(|name| read_png(&folder.path().join(name)).3);
    assert!(here.iter().zip(&there).all(|(a, b)| a.abs_diff(*b) <= 1), "up to a value between two levels");
    write(&folder, "line.csv", "1\n2\n3\n4\n5\n6\n");
    assert!(done(&folder, "filter line.csv --low-pass 0.2 -d gpu -o out.csv").contains("the way back on the CPU: a GPU takes real images"));
}
