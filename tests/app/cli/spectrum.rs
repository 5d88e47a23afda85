//! `spectrum`: the image against the formula of the conventions, pixel by pixel.

use super::*;

const ROWS: usize = 9;
const COLUMNS: usize = 15;

/// The image by the conventions: round(255·(L−min)/(max−min)), index 0 at [rows/2, columns/2] where it is shifted.
fn expected(samples: &[Complex64], shifted: bool, value: impl Fn(Complex64) -> f64) -> Vec<f64> {
    let values: Vec<f64> = dft2(samples, ROWS, COLUMNS).into_iter().map(value).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut image = vec![0.0; values.len()];
    for (index, value) in values.iter().enumerate() {
        let (mut y, mut x) = (index / COLUMNS, index % COLUMNS);
        if shifted {
            (y, x) = ((y + ROWS / 2) % ROWS, (x + COLUMNS / 2) % COLUMNS);
        }
        image[y * COLUMNS + x] = 255.0 * (value - low) / (high - low);
    }
    image
}

/// Every pixel is the rounded value; where that is a tie but for the precision of the device, either neighbour will do.
fn assert_rounded(found: &[u8], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        assert!((f64::from(found) - expected).abs() <= 0.5 + 1e-3, "pixel {index} is {found}, not {expected}");
    }
}

fn spectrum(folder: &TempDir, options: &str) -> Vec<u8> {
    done(folder, &format!("spectrum image.png {options} -o spectrum.png"));
    let (width, height, colour, bytes) = read_png(&folder.path().join("spectrum.png"));
    assert_eq!((width, height, colour), (COLUMNS, ROWS, png::ColorType::Grayscale));
    bytes
}

#[test]
fn every_pixel_follows_the_formula() {
    let folder = TempDir::new().unwrap();
    let samples = pixels(ROWS * COLUMNS);
    write_png(&folder, "image.png", ROWS, COLUMNS, &samples);
    let samples = complex(&samples);
    let log = |value: Complex64| (1.0 + value.norm()).log10();
    for device in ["cpu", "cpu-parallel", "auto"] {
        assert_rounded(&spectrum(&folder, &format!("-d {device}")), &expected(&samples, true, log));
    }
    assert_rounded(&spectrum(&folder, "--no-shift"), &expected(&samples, false, log));
    assert_rounded(&spectrum(&folder, "--scale db"), &expected(&samples, true, |value| 20.0 * value.norm().log10()));
    assert_rounded(&spectrum(&folder, "--scale linear"), &expected(&samples, true, Complex64::norm));
    assert_rounded(&spectrum(&folder, "--scale sqrt"), &expected(&samples, true, |value| value.norm().sqrt()));
    assert_rounded(&spectrum(&folder, "--scale power"), &expected(&samples, true, |value| value.norm_sqr()));
    // At index 0 the phase is exactly 0, and in a real image every other value has its conjugate.
    assert_rounded(&spectrum(&folder, "--scale phase"), &expected(&samples, true, Complex64::arg));
}

#[test]
fn a_window_is_applied_and_said() {
    let folder = TempDir::new().unwrap();
    let samples = pixels(ROWS * COLUMNS);
    write_png(&folder, "image.png", ROWS, COLUMNS, &samples);
    let hann = |index: usize, n: usize| 0.5 - 0.5 * (TAU * index as f64 / n as f64).cos();
    let weighted =
        |(index, &sample): (usize, &u8)| (f64::from(sample) * hann(index / COLUMNS, ROWS) * hann(index % COLUMNS, COLUMNS)).into();
    let windowed: Vec<Complex64> = samples.iter().enumerate().map(weighted).collect();
    assert_rounded(&spectrum(&folder, "--window hann"), &expected(&windowed, true, |value| (1.0 + value.norm()).log10()));
    let told = done(&folder, "spectrum image.png --window hann -o spectrum.png");
    assert!(told.contains("prepared: Hann window, gain 0.25, noise bandwidth 2.25 bins"), "{told}");
    let decoder = png::Decoder::new(std::io::Cursor::new(read(&folder, "spectrum.png")));
    let text = decoder.read_info().unwrap().info().utf8_text[0].get_text().unwrap();
    assert!(text.contains("Hann window") && text.contains("log₁₀(1 + |X|) from "), "{text}");
}

#[test]
fn colours_follow_the_gray_levels() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", ROWS, COLUMNS, &pixels(ROWS * COLUMNS));
    let gray = spectrum(&folder, "");
    done(&folder, "spectrum image.png --colormap viridis -o colour.png");
    let (_, _, colour, bytes) = read_png(&folder.path().join("colour.png"));
    assert_eq!(colour, png::ColorType::Rgb);
    let at = |level: u8| {
        gray.iter().position(|&found| found == level).map(|pixel| [bytes[3 * pixel], bytes[3 * pixel + 1], bytes[3 * pixel + 2]])
    };
    // The ends of viridis as matplotlib has them, within what two libraries round apart.
    for (level, expected) in [(0, [68, 1, 84]), (255, [253, 231, 37])] {
        let found = at(level).unwrap();
        assert!(found.iter().zip(expected).all(|(&a, b): (&u8, u8)| a.abs_diff(b) <= 3), "{found:?} is not {expected:?}");
    }
    let output = papillon(&folder, "spectrum image.png --colormap viridis -o -");
    assert_eq!(output.stdout, read(&folder, "colour.png"));
}

/// The whole chain against its definition: the region without its mean, under a window, between zeros.
#[test]
fn samples_are_prepared_as_typed() {
    let folder = TempDir::new().unwrap();
    let samples = pixels(ROWS * COLUMNS);
    write_png(&folder, "image.png", ROWS, COLUMNS, &samples);
    let (x0, y0, width, height) = (2, 1, 8, 6);
    let part: Vec<f64> = (0..width * height).map(|i| f64::from(samples[(y0 + i / width) * COLUMNS + x0 + i % width])).collect();
    let mean = part.iter().sum::<f64>() / part.len() as f64;
    let hann = |index: usize, n: usize| 0.5 - 0.5 * (TAU * index as f64 / n as f64).cos();
    let mut padded = vec![Complex64::ZERO; 4 * width * height];
    for (i, value) in part.iter().enumerate() {
        let (row, column) = (i / width, i % width);
        padded[row * 2 * width + column] = ((value - mean) * hann(row, height) * hann(column, width)).into();
    }
    let chain = "--region 2,1,8,6 --detrend mean --window hann --pad 2x";
    for device in ["cpu", "auto"] {
        let told = done(&folder, &format!("transform image.png -t dft2 {chain} -d {device} -o x.npy"));
        let line = "prepared: region 8 × 6 px at (2, 1); mean removed; Hann window, gain 0.25, noise bandwidth 2.25 bins; padded to 16 × 12 px with zeros";
        assert!(told.contains(line), "{told}");
        assert_near(&read_npy(&folder, "x.npy"), &dft2(&padded, 2 * height, 2 * width), 1e-5);
    }
    done(&folder, &format!("spectrum image.png {chain} -o s.png"));
    let (found, _, _, bytes) = read_png(&folder.path().join("s.png"));
    assert_eq!((found, bytes.len()), (2 * width, 4 * width * height));
    let told = done(&folder, &format!("spectrum image.png {chain} --pixel-size 0.25nm -o s.png"));
    assert!(told.contains("0.25 cycles per nm a pixel across and 0.333333 down"), "{told}");
    for other in ["--periodic --detrend plane", "--region 0,0,9,9:ellipse --window kaiser:6 --radial-window --pad fast --pad-with mirror"] {
        done(&folder, &format!("spectrum image.png {other} -o s.png"));
    }
}

#[test]
fn what_cannot_be_prepared_is_said_in_one_line() {
    let folder = TempDir::new().unwrap();
    write_png(&folder, "image.png", ROWS, COLUMNS, &pixels(ROWS * COLUMNS));
    for (options, code, words) in [
        ("--region 10,0,6,4", 1, "the region 10,0,6,4 does not lie in the image of 15 × 9 px: take a region inside it"),
        ("--region 1,2,3", 2, "X,Y,WIDTH,HEIGHT"),
        ("--region 0,0,0,4", 1, "of at least one pixel"),
        ("--pad 16777216", 1, "MiB of memory"),
        ("--pixel-size 3", 2, "has no unit"),
        ("--pixel-size 3parsec", 2, "no unit of a pixel size: take one of pm"),
        ("--pad twice", 2, "fast, power, 2x"),
        ("--window kaiser:-1", 2, "between 0 and 40"),
        ("--window hann:2", 2, "hann has no parameter"),
    ] {
        let told = refused(&folder, &format!("spectrum image.png {options} -o out.png"), code);
        assert!(told.contains(words), "{options}: {told}");
    }
}
