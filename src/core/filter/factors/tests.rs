//! Every shape against its formula, and what holds for all of them.

use super::*;
use crate::filter::{MaskShape, STRIPE_TOLERANCE, periodic_noise};
use crate::measure::Spectrum;

/// The signed frequency of an index.
fn fftfreq(index: usize, n: usize) -> f64 {
    let signed = if index < n.div_ceil(2) { index as f64 } else { index as f64 - n as f64 };
    signed / n as f64
}

/// Compares a mask with a formula of (u, v), v upwards.
fn assert_is(mask: &Mask, shape: Shape, formula: impl Fn(f64, f64) -> f64) {
    for (index, factor) in mask.factors(shape).into_iter().enumerate() {
        let (row, column) = (index / shape.columns, index % shape.columns);
        let (u, v) = (fftfreq(column, shape.columns), -fftfreq(row, shape.rows));
        let wanted = formula(u, v);
        assert!((factor - wanted).abs() < 1e-12, "{factor} instead of {wanted} at ({u}, {v})");
    }
}

const IMAGE: Shape = Shape { rows: 24, columns: 33 };

#[test]
fn profiles_follow_their_formulas() {
    let low = |f: f64, cutoff: f64, edge: ShapeEdge| match edge {
        ShapeEdge::Ideal => f64::from(u8::from(f <= cutoff)),
        ShapeEdge::Butterworth { order } => 1.0 / (1.0 + (f / cutoff).powf(2.0 * order)),
        ShapeEdge::Gaussian => (-0.5 * (f / cutoff) * (f / cutoff)).exp(),
        ShapeEdge::Soft { .. } => unreachable!("not compared"),
    };
    for edge in [ShapeEdge::Ideal, ShapeEdge::Butterworth { order: 4.0 }, ShapeEdge::Butterworth { order: 1.5 }, ShapeEdge::Gaussian] {
        for shape in [IMAGE, Shape::line(10), Shape::line(1), Shape { rows: 1, columns: 9 }] {
            let f = |u: f64, v: f64| (u * u + v * v).sqrt();
            let of = |shape: MaskShape| Mask::from(shape.with_edge(edge));
            assert_is(&of(MaskShape::low_pass(0.2)), shape, |u, v| low(f(u, v), 0.2, edge));
            assert_is(&of(MaskShape::high_pass(0.2)), shape, |u, v| 1.0 - low(f(u, v), 0.2, edge));
            // Both rims belong to a band.
            let inner = |f: f64| if edge == ShapeEdge::Ideal && (f - 0.1).abs() < 1e-12 { 0.0 } else { low(f, 0.1, edge) };
            let band = |u, v| low(f(u, v), 0.3, edge) * (1.0 - inner(f(u, v)));
            assert_is(&of(MaskShape::new(MaskForm::Ring { from: 0.1, to: 0.3 }, Effect::Pass)), shape, band);
            assert_is(&of(MaskShape::new(MaskForm::Ring { from: 0.1, to: 0.3 }, Effect::Cut)), shape, |u, v| 1.0 - band(u, v));
        }
    }
    let kept = Mask { keep_mean: true, ..MaskShape::high_pass(0.2).into() };
    assert_eq!((kept.factors(IMAGE)[0], Mask { keep_mean: false, ..kept }.factors(IMAGE)[0]), (1.0, 0.0));
}

#[test]
fn a_notch_has_its_mate_and_points_upwards() {
    let inside = |u: f64, v: f64, a: f64, b: f64, r: f64| f64::from(u8::from(((u - a).powi(2) + (v - b).powi(2)).sqrt() <= r));
    let notch = Mask::from(MaskShape::notch([0.2, 0.13], 0.06));
    assert_is(&notch, IMAGE, |u, v| (1.0 - inside(u, v, 0.2, 0.13, 0.06)) * (1.0 - inside(u, v, -0.2, -0.13, 0.06)));
    // cos 2π(ux + vy) with v upwards falls from the left to the right where both are above 0: row index −v.
    let spot = Mask::from(MaskShape::notch([3.0 / 16.0, 2.0 / 16.0], 0.01)).factors(Shape { rows: 16, columns: 16 });
    let cut: Vec<usize> = (0..256).filter(|&i| spot[i] == 0.0).collect();
    assert_eq!(cut, [2 * 16 + 13, 14 * 16 + 3]);
    let gaussian = Mask::from(MaskShape::notch([0.2, 0.0], 0.02).with_edge(ShapeEdge::Gaussian));
    let part = |u: f64, v: f64, a: f64| 1.0 - (-0.5 * ((u - a).powi(2) + v * v) / (0.02 * 0.02)).exp();
    assert_is(&gaussian, IMAGE, |u, v| part(u, v, 0.2) * part(u, v, -0.2));
}

#[test]
fn shapes_cover_what_they_say() {
    let cut = |form: MaskForm| Mask::from(MaskShape::new(form, Effect::Cut));
    let of = |inside: bool| f64::from(u8::from(!inside));
    let boxed = cut(MaskForm::Rectangle { u: 0.2, v: -0.1, width: 0.11, height: 0.21 });
    let inside = |u: f64, v: f64| (u - 0.2).abs() <= 0.055 && (v + 0.1).abs() <= 0.105;
    assert_is(&boxed, IMAGE, |u, v| of(inside(u, v) || inside(-u, -v)));
    let oval = cut(MaskForm::Ellipse { u: 0.2, v: -0.1, width: 0.11, height: 0.21 });
    let inside = |u: f64, v: f64| ((u - 0.2) / 0.055).powi(2) + ((v + 0.1) / 0.105).powi(2) <= 1.0;
    assert_is(&oval, IMAGE, |u, v| of(inside(u, v) || inside(-u, -v)));
    let odd = Shape { rows: 25, columns: 33 };
    let wedge = cut(MaskForm::Wedge { angle: 30.0, width: 20.0 });
    let inside = |u: f64, v: f64| (u, v) != (0.0, 0.0) && ((v.atan2(u).to_degrees() - 30.0 + 90.0).rem_euclid(180.0) - 90.0).abs() <= 10.0;
    assert_is(&wedge, odd, |u, v| of(inside(u, v)));
    let vertical = Mask::from(MaskShape::stripes(90.0, STRIPE_TOLERANCE));
    // Vertical stripes vary along x, so that their frequencies lie along u.
    assert_is(&vertical, odd, |u, v| of((u, v) != (0.0, 0.0) && v.abs() <= (0.05 * u.abs()).max(0.5 / 33.0)));
    let stroke = cut(MaskForm::Brush { points: vec![[0.1, 0.1], [0.3, 0.1]], radius: 0.05 });
    let inside = |u: f64, v: f64| (u - u.clamp(0.1, 0.3)).hypot(v - 0.1) <= 0.05;
    assert_is(&stroke, IMAGE, |u, v| of(inside(u, v) || inside(-u, -v)));
}

#[test]
fn every_mask_is_its_own_mirror_image_and_keeps_to_0_to_1() {
    let forms = [
        MaskForm::Spots { u: 0.47, v: -0.5, radius: 0.08 },
        MaskForm::Wedge { angle: 33.0, width: 24.0 },
        MaskForm::Rectangle { u: 0.45, v: 0.4, width: 0.2, height: 0.3 },
        MaskForm::Ellipse { u: 0.01, v: 0.48, width: 0.3, height: 0.1 },
        MaskForm::Brush { points: vec![[0.1, 0.2], [0.4, -0.3], [0.49, 0.1]], radius: 0.04 },
        MaskForm::Lattice { a: [0.21, 0.05], b: [-0.03, 0.18], radius: 0.03 },
        MaskForm::Stripes { angle: 17.0, tolerance: 0.1, from: 0.1 },
    ];
    let edges = [ShapeEdge::Ideal, ShapeEdge::Butterworth { order: 2.0 }, ShapeEdge::Gaussian, ShapeEdge::Soft { pixels: 3.0 }];
    for (form, edge) in forms.iter().flat_map(|form| edges.map(|edge| (form, edge))) {
        for effect in [Effect::Pass, Effect::Cut] {
            for shape in [Shape { rows: 16, columns: 12 }, Shape { rows: 9, columns: 14 }] {
                let factors = Mask::from(MaskShape::new(form.clone(), effect).with_edge(edge)).factors(shape);
                assert!(
                    factors.iter().any(|x| *x < 0.5) && factors.iter().all(|x| (0.0..=1.0).contains(x)),
                    "{form:?}, {edge}: {factors:?}"
                );
                for (index, factor) in factors.iter().enumerate() {
                    let (row, column) = (index / shape.columns, index % shape.columns);
                    let mate = (shape.rows - row) % shape.rows * shape.columns + (shape.columns - column) % shape.columns;
                    assert!((factor - factors[mate]).abs() < 1e-12, "{form:?}, {edge} in {shape:?} at {row}, {column}");
                }
            }
        }
    }
}

#[test]
fn soft_edges_are_half_at_the_edge_and_as_wide_as_they_say() {
    let mask = Mask::from(MaskShape::low_pass(0.25).with_edge(ShapeEdge::Soft { pixels: 4.0 }));
    let factors = mask.factors(Shape::line(64));
    assert_eq!((factors[14], factors[18]), (1.0, 0.0));
    assert!((factors[16] - 0.5).abs() < 1e-12 && (factors[15] - (0.5 + 0.5 * (PI / 4.0).cos())).abs() < 1e-12);
}

#[test]
fn shapes_that_pass_are_united_and_the_rest_multiplies() {
    let pass = |u: f64| MaskShape::new(MaskForm::Spots { u, v: 0.0, radius: 0.01 }, Effect::Pass);
    let off = MaskShape { off: true, ..MaskShape::low_pass(0.1) };
    let mask: Mask = [pass(0.125), pass(0.25), MaskShape::notch([0.25, 0.0], 0.01), off].into_iter().collect();
    assert_eq!(mask.factors(Shape::line(8)), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert!(Mask::from(MaskShape { off: true, ..MaskShape::low_pass(0.1) }).is_open() && Mask::default().is_open());
}

#[test]
fn json_is_short_and_read_back() {
    let text = r#"{"shapes":[{"kind":"spots","u":0.2,"radius":0.01},{"kind":"ring","to":0.1,"effect":"pass","edge":{"butterworth":{"order":2.0}}}]}"#;
    let mask: Mask = serde_json::from_str(text).unwrap();
    assert_eq!(mask.shapes[0], MaskShape::notch([0.2, 0.0], 0.01));
    assert_eq!(mask.shapes[1], MaskShape::low_pass(0.1).with_edge(ShapeEdge::Butterworth { order: 2.0 }));
    assert_eq!(serde_json::from_str::<Mask>(&serde_json::to_string(&mask).unwrap()).unwrap(), mask);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refuses = |shape: MaskShape| Mask::from(shape).check(false).unwrap_err().to_string();
    assert!(refuses(MaskShape::notch([0.0, 0.0], 0.01)).contains("removes the mean"));
    assert!(refuses(MaskShape::notch([0.2, 0.0], -1.0)).contains("above 0"));
    assert!(refuses(MaskShape::low_pass(0.8)).contains("highest frequency"));
    assert!(refuses(MaskShape::new(MaskForm::Ring { from: 0.2, to: 0.2 }, Effect::Pass)).contains("holds no frequency"));
    assert!(Mask::from(MaskShape::low_pass(0.6)).check(true).is_err() && Mask::from(MaskShape::low_pass(0.6)).check(false).is_ok());
    let kept = Mask { keep_mean: true, ..MaskShape::notch([0.0, 0.0], 0.01).into() };
    assert!(kept.check(false).is_ok());
}

/// The values of a textbook DFT.
fn spectrum(image: &[f64], Shape { rows, columns }: Shape) -> Vec<num_complex::Complex64> {
    let turn = |p: usize, n: usize| -2.0 * PI * (p % n) as f64 / n as f64;
    let lines: Vec<num_complex::Complex64> = (0..rows * columns)
        .map(|i| {
            (0..columns).map(|x| num_complex::Complex64::cis(turn(x * (i % columns), columns)) * image[i / columns * columns + x]).sum()
        })
        .collect();
    let down =
        |i: usize| (0..rows).map(|y| num_complex::Complex64::cis(turn(y * (i / columns), rows)) * lines[y * columns + i % columns]).sum();
    (0..rows * columns).map(down).collect()
}

#[test]
fn periodic_noise_is_found_and_nothing_else() {
    let shape = Shape { rows: 96, columns: 128 };
    // A slope and a disc have the cross and the rings that images have.
    let scene = |i: usize| {
        let (y, x) = ((i / 128) as f64, (i % 128) as f64);
        0.7 * x
            + 0.3 * y
            + if (x - 60.0).hypot(y - 40.0) < 25.0 { 80.0 } else { 0.0 }
            + 12.0 * crate::random::unit(crate::random::random_bits(i as u64))
    };
    let noise = |i: usize| 9.0 * (2.0 * PI * (0.21 * (i % 128) as f64 - 0.13 * (i / 128) as f64)).cos();
    let of = |value: &dyn Fn(usize) -> f64| {
        let values = spectrum(&(0..shape.len()).map(value).collect::<Vec<_>>(), shape);
        let at = |row: usize, column: usize| values[row * 128 + column];
        periodic_noise(&Spectrum { rows: 96, columns: 128, at: &at, is_real: true })
    };
    let found = of(&|i| scene(i) + noise(i));
    assert!(!found.is_empty() && found.len() <= 2, "{found:?}");
    // y counts downwards: −0.13 along it is 0.13 upwards.
    assert!((found[0].at[0] - 0.21).abs() < 0.006 && (found[0].at[1] - 0.13).abs() < 0.006, "{found:?}");
    let hum = |column: usize| if column == 40 || column == 88 { 900.0 } else { 1.0 + (column % 3) as f64 };
    let line = |mean: f64| {
        let at = |_: usize, column: usize| if column == 0 { mean } else { hum(column) }.into();
        periodic_noise(&Spectrum { rows: 1, columns: 128, at: &at, is_real: true })
    };
    assert_eq!(line(1.0).iter().map(|spot| spot.at).collect::<Vec<_>>(), [[40.0 / 128.0, 0.0]]);
    assert_eq!([1e7, 1e10].map(|mean| line(mean).len()), [1, 0], "what may be rounding of a large mean is none");
}

#[test]
fn both_rims_are_cut_alike() {
    // 48 Hz and 52 Hz lie on the rims: values of 0.5 Hz each, whose quotients are rounded either way.
    for (middle, half) in [(0.1, 0.004), (0.12, 0.002), (0.3, 0.014), (0.06, 0.01)] {
        let on = |f: f64| (500.0 * f).round() as usize;
        for shape in
            [MaskShape::notch([middle, 0.0], half), MaskShape::new(MaskForm::Ring { from: middle - half, to: middle + half }, Effect::Cut)]
        {
            let factors = Mask::from(shape).factors(Shape::line(500));
            let cut: Vec<usize> = (0..500).filter(|k| factors[*k] == 0.0).collect();
            let positive: Vec<usize> = (on(middle - half)..=on(middle + half)).collect();
            let both: Vec<usize> = positive.iter().copied().chain(positive.iter().rev().map(|k| 500 - k)).collect();
            assert_eq!(cut, both, "{middle} ± {half}");
        }
    }
}

#[test]
fn a_line_between_two_values_of_a_short_signal_is_found() {
    // Beats of a heart over noise, as 4 s of an ECG at 250 Hz, with hum at 60 Hz: between values at most lengths.
    for n in [997_usize, 1000, 1003, 1250, 1378] {
        for level in [0.05, 0.2] {
            let sample = |i: usize| {
                let t = i as f64 / 250.0;
                // The rate of a heart is never quite the same.
                let phase = (t + 0.06 * (2.0 * t).sin()) % 0.83;
                let beat = (-((phase - 0.3) / 0.02).powi(2)).exp() + 0.2 * (-((phase - 0.55) / 0.06).powi(2)).exp() + 0.05 * t;
                beat + level * (2.0 * PI * 60.0 * t).sin() + 0.02 * crate::random::unit(crate::random::random_bits(i as u64))
            };
            let values = spectrum(&(0..n).map(sample).collect::<Vec<_>>(), Shape::line(n));
            let at = |_: usize, column: usize| values[column];
            let found = periodic_noise(&Spectrum { rows: 1, columns: n, at: &at, is_real: true });
            assert!((1..=2).contains(&found.len()), "{n} samples, {level}: {found:?}");
            let off = (found[0].at[0] - 0.24).abs() * n as f64;
            assert!(off < 0.15 && found[0].radius * n as f64 > 1.4, "{n} samples, {level}: {off} values off, {found:?}");
        }
    }
}
