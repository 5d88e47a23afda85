//! Prints butterflies and their twiddles for every radix, on a thread's registers.
//!
//! Radix 2, 4, 8 and 16 are functions of `shaders/butterflies.wgsl`. Odd primes come from one formula, the other composites from two smaller butterflies.

use crate::gpu::wgsl::WgslBody;
use std::f64::consts::TAU;

/// Butterflies that `shaders/butterflies.wgsl` has.
const WRITTEN: [usize; 4] = [2, 4, 8, 16];

/// Transforms the registers `taps` in place and gives them in the order of the results.
pub(super) fn butterfly(body: &mut WgslBody, taps: &[String]) -> Vec<String> {
    let radix = taps.len();
    if WRITTEN.contains(&radix) {
        let pointers: Vec<String> = taps.iter().map(|tap| format!("&{tap}")).collect();
        body.line(format_args!("radix{radix}({});", pointers.join(", ")));
        return taps.to_vec();
    }
    match (2..radix).rev().find(|factor| radix.is_multiple_of(*factor) && (WRITTEN.contains(factor) || factor % 2 == 1)) {
        Some(factor) => composite(body, taps, radix / factor, factor),
        None => odd_prime(body, taps),
    }
}

/// `a` · `b` points: `b` butterflies of radix `a`, a root each, `a` butterflies of radix `b` (Cooley and Tukey 1965).
fn composite(body: &mut WgslBody, taps: &[String], a: usize, b: usize) -> Vec<String> {
    let columns: Vec<Vec<String>> = (0..b)
        .map(|n| {
            let column: Vec<String> = (0..a).map(|m| taps[b * m + n].clone()).collect();
            butterfly(body, &column)
        })
        .collect();
    let mut results = vec![String::new(); a * b];
    for k in 0..a {
        let row: Vec<String> = columns.iter().map(|column| column[k].clone()).collect();
        for (n, value) in row.iter().enumerate().filter(|(n, _)| n * k > 0) {
            let (sin, cos) = (TAU * (n * k) as f64 / (a * b) as f64).sin_cos();
            let [cos, sin] = [cos, sin].map(|part| body.literal(part));
            body.line(format_args!("{value} = product({value}, Complex({cos}, SIGN * {sin}));"));
        }
        for (j, result) in butterfly(body, &row).into_iter().enumerate() {
            results[k + a * j] = result;
        }
    }
    results
}

/// An odd prime: results j and −j share the cosines of the sums and the sines of the differences of taps k and −k.
fn odd_prime(body: &mut WgslBody, taps: &[String]) -> Vec<String> {
    let (radix, half) = (taps.len(), taps.len() / 2);
    body.line(format_args!("{{"));
    for k in 1..=half {
        let (near, far) = (&taps[k], &taps[radix - k]);
        body.line(format_args!("    let sum{k} = {near} + {far};"));
        body.line(format_args!("    let rotated{k} = quarter({near} - {far});"));
    }
    for j in 1..=half {
        let angle = |k: usize| TAU * (j * k % radix) as f64 / radix as f64;
        // Each product is rounded once, together with the sum that it goes to.
        let plus = |sum: String, (weight, value): (f64, String)| format!("fma(Complex({}), {value}, {sum})", body.literal(weight));
        let even = (1..=half).map(|k| (angle(k).cos(), format!("sum{k}"))).fold(taps[0].clone(), plus);
        let first = format!("{} * rotated1", body.literal(angle(1).sin()));
        let odd = (2..=half).map(|k| (angle(k).sin(), format!("rotated{k}"))).fold(first, plus);
        body.line(format_args!("    let even{j} = {even};"));
        body.line(format_args!("    let odd{j} = {odd};"));
    }
    let all: String = (1..=half).map(|k| format!(" + sum{k}")).collect();
    body.line(format_args!("    {0} = {0}{all};", taps[0]));
    for j in 1..=half {
        body.line(format_args!("    {} = even{j} + odd{j};", taps[j]));
        body.line(format_args!("    {} = even{j} - odd{j};", taps[radix - j]));
    }
    body.line(format_args!("}}"));
    taps.to_vec()
}

/// The three points of an inverse, divided by three. The butterfly divides, since a product after it would add a rounding error to so few others.
pub(super) fn thirds(body: &mut WgslBody, taps: &[String]) -> Vec<String> {
    let [a, b, c] = taps else { unreachable!("three points have three taps, and not {}", taps.len()) };
    let sin = body.literal((TAU / 3.0).sin());
    body.line(format_args!("{{"));
    body.line(format_args!("    let sum = {b} + {c};"));
    body.line(format_args!("    let odd = {sin} * quarter({b} - {c});"));
    body.line(format_args!("    let even = fma(Complex(-0.5), sum, {a});"));
    body.line(format_args!("    {a} = third({a}, sum);"));
    body.line(format_args!("    {b} = third(even, odd);"));
    body.line(format_args!("    {c} = third(even, -odd);"));
    body.line(format_args!("}}"));
    taps.to_vec()
}

/// The powers of a root that a butterfly loads; it multiplies the others. A product has the rounding errors of its factors, so wide butterflies load more.
pub(super) fn loaded_powers(radix: usize) -> Vec<usize> {
    match radix {
        0..8 => vec![1],
        8..=16 => vec![1, 4],
        _ => vec![1, 4, 16],
    }
}

/// Multiplies result j by the power j of a root, of which the `powers` are loaded and `loaded` names them.
/// Where a thread has several butterflies `spares` registers: four chains of powers, of which one is alive at a time.
pub(super) fn twiddle_results(body: &mut WgslBody, results: &[String], powers: &[usize], spares: bool, loaded: impl Fn(usize) -> String) {
    let radix = results.len();
    let chained = spares && (8..=16).contains(&radix);
    let order: Vec<usize> = if chained { (0..4).flat_map(|first| (first..radix).step_by(4)).collect() } else { (0..radix).collect() };
    body.line(format_args!("{{"));
    for j in order.into_iter().filter(|&j| j > 0) {
        if powers.contains(&j) {
            body.line(format_args!("    let w{j} = {};", loaded(j)));
        } else {
            // The largest power of four below j is loaded, or a product of few factors.
            let nearest = [16, 12, 8, 4].into_iter().find(|&high| high < j && (high != 16 || radix > 16)).unwrap_or(j / 2);
            let high = if chained && j > 4 { j - 4 } else { nearest };
            body.line(format_args!("    let w{j} = product(w{high}, w{});", j - high));
        }
        body.line(format_args!("    {0} = product({0}, w{j});", results[j]));
    }
    body.line(format_args!("}}"));
}
