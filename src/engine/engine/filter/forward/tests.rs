//! Filters against their definition, with and without a preparation.

use super::*;
use crate::engine::Devices;
use crate::engine::filter::FilteredPlane;
use crate::filter::{Mask, MaskShape};
use crate::signal::Channel;
use num_complex::Complex64;
use std::f64::consts::TAU;

/// Filters by the definition of the transform, with the factors of a mask.
fn by_definition(samples: &[Complex64], Shape { rows, columns }: Shape, factors: &[f64]) -> Vec<Complex64> {
    let sums = |values: &[Complex64], sign: f64| -> Vec<Complex64> {
        let turn = |k: usize, n: usize, of: usize| sign * TAU * ((k * n) % of) as f64 / of as f64;
        let term = |k: usize, l: usize, i: usize| values[i] * Complex64::cis(turn(k, i / columns, rows) + turn(l, i % columns, columns));
        (0..rows * columns).map(|at| (0..rows * columns).map(|i| term(at / columns, at % columns, i)).sum()).collect()
    };
    let spectrum: Vec<_> = sums(samples, -1.0).into_iter().zip(factors).map(|(value, factor)| value * factor).collect();
    sums(&spectrum, 1.0).into_iter().map(|value| value / (rows * columns) as f64).collect()
}

fn signal(shape: Shape, samples: Samples) -> Arc<Signal> {
    let channels = vec![Channel::new("value", samples)];
    let kind = if shape.rows > 1 { SignalKind::Image } else { SignalKind::Rows };
    Arc::new(Signal::from_channels("test", kind, (shape.rows, shape.columns), channels))
}

/// The spectrum of the first channel, computed on the CPU.
fn spectra(signal: &Arc<Signal>, preparation: Preparation, double: bool) -> Result<ForwardSpectra, EngineError> {
    let (channels, device) = (vec![ChannelChoice::Luma], DeviceChoice::CpuParallel);
    let (asked, go) = (Filtered { signal: signal.clone(), channels, preparation, double, device }, AtomicBool::new(false));
    ForwardSpectra::new(&asked, |job| SharedResult::compute(job, &mut Devices::default(), &go), &go)
}

#[test]
fn a_filter_is_its_definition() {
    let go = AtomicBool::new(false);
    let mask: Mask = [MaskShape::low_pass(0.3), MaskShape::notch([0.21, 0.0], 0.06)].into_iter().collect();
    for shape in [Shape { rows: 6, columns: 10 }, Shape { rows: 9, columns: 7 }, Shape::line(12), Shape::line(13), Shape::line(1)] {
        let values: Vec<f64> = (0..shape.len()).map(|i| ((i * i + 3 * i) % 11) as f64).collect();
        let complex: Vec<Complex64> = values.iter().enumerate().map(|(i, &x)| Complex64::new(x, (i % 5) as f64)).collect();
        let real: Vec<Complex64> = values.iter().map(|&x| x.into()).collect();
        for (given, input) in [(Samples::F64(values), real), (Samples::Complex64(complex.clone()), complex)] {
            let forward = spectra(&signal(shape, given), Preparation::default(), true).unwrap();
            let found = &forward.filtered(&mask, None, &go).unwrap()[0];
            let wanted = by_definition(&input, shape, &mask.factors(shape));
            let far = match &found.samples {
                Samples::F64(found) => found.iter().zip(&wanted).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max),
                Samples::Complex64(found) => found.iter().zip(&wanted).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max),
                other => panic!("{other:?}"),
            };
            assert!(far < 1e-12, "{far} in {shape:?}");
        }
    }
}

#[test]
fn energy_is_that_of_the_samples_and_gaps_stay_gaps() {
    let (go, shape) = (AtomicBool::new(false), Shape { rows: 8, columns: 12 });
    let mut values: Vec<f32> = (0..96).map(|i| ((i * 7) % 17) as f32).collect();
    let image = |values: &[f32]| spectra(&signal(shape, Samples::F32(values.to_vec())), Preparation::default(), false);
    let mask = Mask::from(MaskShape::low_pass(0.2));
    let found = image(&values).unwrap().filtered(&mask, None, &go).unwrap().remove(0);
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / 96.0;
        values.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
    };
    let wide: Vec<f64> = values.iter().map(|&x| x.into()).collect();
    let expected = variance(&found.samples.to_f64()) / variance(&wide);
    let energy = FilteredPlane::energy(std::slice::from_ref(&found));
    assert!((energy - expected).abs() < 1e-6, "{energy} and {expected}");
    values[5] = f32::NAN;
    let forward = image(&values).unwrap();
    let found = forward.filtered(&mask, None, &go).unwrap().remove(0).samples.to_f64();
    assert_eq!((forward.gaps(), found.iter().filter(|x| x.is_nan()).count()), (1, 1));
    assert!(found[5].is_nan());
}

#[test]
fn rows_are_filtered_each_on_its_own() {
    let go = AtomicBool::new(false);
    let channels = vec![Channel::new("value", Samples::F64(vec![1.0, -1.0, 1.0, -1.0, 2.0, 2.0, 2.0, 2.0]))];
    let batch = Arc::new(Signal::from_channels("rows", SignalKind::Rows, (2, 4), channels));
    let forward = spectra(&batch, Preparation::default(), true).unwrap();
    let found = forward.filtered(&MaskShape::low_pass(0.25).into(), None, &go).unwrap().remove(0).samples.to_f64();
    assert!(found.iter().zip([0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
}

/// An image that no part of a chain leaves as it is.
fn slope(shape: Shape) -> Vec<f64> {
    (0..shape.len()).map(|i| 3.0 + 0.7 * (i % shape.columns) as f64 + ((i * i) % 7) as f64).collect()
}

#[test]
fn what_a_preparation_took_comes_back_after_the_filter() {
    let (go, shape) = (AtomicBool::new(false), Shape { rows: 12, columns: 20 });
    let image = signal(shape, Samples::F64(slope(shape)));
    let filtered = |preparation: Preparation, mask: &Mask| {
        let forward = spectra(&image, preparation, true).unwrap();
        (forward.filtered(mask, None, &go).unwrap().remove(0).samples.to_f64(), forward)
    };
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
    let whole = Preparation {
        region: Some("2,1,17,9:ellipse".parse().unwrap()),
        detrend: crate::prepare::Detrend::Plane,
        periodic: true,
        window: crate::prepare::Window::Hann.into(),
        padding: crate::prepare::Padding { extent: crate::prepare::Extent::Power, fill: crate::prepare::Fill::Mean },
    };
    let all = Mask::default();
    assert!(near(&filtered(whole, &all).0, &slope(shape)), "a filter that passes everything changes nothing");
    let cut = Mask::from(MaskShape::low_pass(0.2));
    let (found, forward) = filtered(whole, &cut);
    assert_eq!(forward.mask_shape(), Shape { rows: 16, columns: 32 });
    let changed = |row: usize, column: usize| (found[row * 20 + column] - slope(shape)[row * 20 + column]).abs() > 1e-9;
    assert!(!changed(0, 10) && !changed(11, 10) && !changed(5, 0) && !changed(1, 2), "nothing changes beside the ellipse");
    assert!(changed(5, 10) && forward.preparation().unwrap().1 > 0.0, "the rim of the window is said");
    // Without its mean a low pass gives the same image, and a high pass the image with its mean.
    let mean = Preparation { detrend: crate::prepare::Detrend::Mean, ..Preparation::default() };
    assert!(near(&filtered(mean, &cut).0, &filtered(Preparation::default(), &cut).0));
    let high = Mask::from(MaskShape::high_pass(0.2));
    let kept = Mask { keep_mean: true, ..high.clone() };
    assert!(near(&filtered(mean, &high).0, &filtered(Preparation::default(), &kept).0));
    // Zeros behind the image are cropped again.
    let padding = crate::prepare::Padding { extent: crate::prepare::Extent::Factor(2), fill: crate::prepare::Fill::Zeros };
    let padded = filtered(Preparation { padding, ..Preparation::default() }, &cut).0;
    let wanted: Vec<Complex64> = (0..4 * shape.len())
        .map(|i| if i / 40 < 12 && i % 40 < 20 { slope(shape)[i / 40 * 20 + i % 40].into() } else { Complex64::ZERO })
        .collect();
    let wide = Shape { rows: 24, columns: 40 };
    let wanted = by_definition(&wanted, wide, &cut.factors(wide));
    assert!((0..240).all(|i| (padded[i] - wanted[i / 20 * 40 + i % 20].re).abs() < 1e-10));
    // A window is divided out of what it changed.
    let windowed = filtered(Preparation { window: crate::prepare::Window::Hamming.into(), ..Preparation::default() }, &cut).0;
    let hamming = |k: usize, n: usize| 0.54 - 0.46 * (TAU * k as f64 / n as f64).cos();
    let weights: Vec<f64> = (0..240).map(|i| hamming(i / 20, 12) * hamming(i % 20, 20)).collect();
    let prepared: Vec<Complex64> = slope(shape).iter().zip(&weights).map(|(x, w)| (x * w).into()).collect();
    let wanted = by_definition(&prepared, shape, &cut.factors(shape));
    let far = (0..240).filter(|&i| weights[i] > 0.26).map(|i| (windowed[i] - wanted[i].re / weights[i]).abs()).fold(0.0, f64::max);
    assert!(far < 1e-10, "{far}");
    let outside = Preparation { region: Some("15,0,9,3".parse().unwrap()), ..Preparation::default() };
    assert!(spectra(&image, outside, true).is_err());
}

#[test]
fn rows_are_prepared_each_on_its_own_and_gaps_stay_gaps() {
    let go = AtomicBool::new(false);
    let mut values: Vec<f64> = (0..48).map(|i| f64::from(i / 16) * 10.0 + f64::from(i % 16) * 0.5 + f64::from(i % 2)).collect();
    values[16] = f64::NAN;
    let batch = Arc::new(Signal::from_channels("rows", SignalKind::Rows, (3, 16), vec![Channel::new("value", Samples::F64(values))]));
    let preparation = Preparation { detrend: crate::prepare::Detrend::Plane, periodic: true, ..Preparation::default() };
    let forward = spectra(&batch, preparation, true).unwrap();
    let found = forward.filtered(&MaskShape::low_pass(0.4).into(), None, &go).unwrap().remove(0).samples.to_f64();
    assert!(found[16].is_nan() && found.iter().filter(|x| x.is_nan()).count() == 1);
    let line = |i: usize| (i / 16) as f64 * 10.0 + (i % 16) as f64 * 0.5 + 0.5;
    assert!((32..48).all(|i| (found[i] - line(i)).abs() < 0.2), "the slope is there, the alternation is gone: {:?}", &found[32..]);
}
