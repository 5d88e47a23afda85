//! Jobs that clean images.

use super::files::name_file;
use super::{Hands, begin, pixel, png};
use papillon::random::Random;
use std::f64::consts::TAU;
use std::path::Path;

const SIDE: usize = 96;

/// The filtered value at a column and row, as the window tells it under the pointer.
fn filtered(hands: &mut Hands, at: [f32; 2]) -> f64 {
    let place = pixel(hands, "Filtered image", [SIDE, SIDE], at);
    hands.look_at(place);
    let [row, column, value, ..] = hands.numbers_of("filtered image   row ")[..] else { panic!("no value is told") };
    assert_eq!([column, row], at.map(f64::from), "the pointer is at another pixel");
    value
}

/// Checks the filtered values at some places, with what they may differ from `clean`.
fn expect(hands: &mut Hands, clean: impl Fn(f64, f64) -> f64, places: &[[f32; 2]], tolerance: f64) {
    for &[x, y] in places {
        let (value, expected) = (filtered(hands, [x, y]), clean(x.into(), y.into()));
        assert!((value - expected).abs() < tolerance, "column {x}, row {y}: {value}, without noise {expected}");
    }
}

pub(super) fn stripe(folder: &Path) -> Hands {
    let clean = |x: f64, _: f64| 60.0 + x;
    let path = png(folder, "scan.png", [SIDE, SIDE], |x, y| clean(x, y) + 20.0 * (TAU * y / 4.0).cos());
    let mut hands = begin(&[path]);
    hands.press("Add");
    hands.press("Horizontal stripes");
    expect(&mut hands, clean, &[[40.0, 48.0], [41.0, 50.0], [60.0, 51.0], [2.0, 3.0]], 2.0);
    hands
}

pub(super) fn moire(folder: &Path) -> Hands {
    let clean = |x: f64, y: f64| 80.0 + 0.6 * x + 0.3 * y;
    let path = png(folder, "moire.png", [SIDE, SIDE], |x, y| clean(x, y) + 20.0 * (TAU * (0.23 * x + 0.115 * y)).cos());
    let mut hands = begin(&[path]);
    hands.press("Find periodic noise");
    hands.press("Cut them");
    expect(&mut hands, clean, &[[40.0, 48.0], [41.0, 50.0], [60.0, 51.0]], 4.0);
    expect(&mut hands, clean, &[[1.0, 40.0], [94.0, 41.0], [50.0, 1.0], [51.0, 94.0]], 8.0);
    hands
}

pub(super) fn denoise(folder: &Path) -> Hands {
    let mut random = Random::new(3);
    let noise: Vec<f64> = (0..SIDE * SIDE).map(|_| (0..12).map(|_| random.below(1000) as f64 / 1000.0).sum::<f64>() - 6.0).collect();
    let clean = |x: f64, y: f64| if (x - 48.0).abs() + (y - 48.0).abs() < 30.0 { 160.0 } else { 90.0 };
    let path = png(folder, "noisy.png", [SIDE, SIDE], |x, y| clean(x, y) + 15.0 * noise[y as usize * SIDE + x as usize]);
    let mut hands = begin(&[]);
    hands.press("Wavelet");
    hands.drop_file(&path);
    hands.press("Drawer");
    hands.press("Coefficients");
    hands.press("A share");
    hands.press("More in Coefficients");
    hands.press("Export the thresholded signal");
    let clear = folder.join("clear.png");
    name_file(&mut hands, &clear);
    let values = |path: &Path| image::open(path).unwrap().to_luma8().into_raw();
    let error = |values: Vec<u8>| {
        let square = |(at, value): (usize, u8)| (f64::from(value) - clean((at % SIDE) as f64, (at / SIDE) as f64)).powi(2);
        (values.into_iter().enumerate().map(square).sum::<f64>() / (SIDE * SIDE) as f64).sqrt()
    };
    let [before, after] = [&path, &clear].map(|path| error(values(path)));
    assert!(after < 0.6 * before, "{after} after {before}");
    hands
}
