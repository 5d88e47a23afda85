//! The data that fill `shaders/fft.wgsl`: the kernel of one shape.

use super::shape::{Along, FftShape, STRIP};
use crate::plan::Direction;
use serde::Serialize;

/// A shape with what follows from it.
#[derive(Serialize)]
pub(super) struct FftData<'a> {
    #[serde(flatten)]
    shape: &'a FftShape,
    points: usize,
    per_line: usize,
    pitch: usize,
    workgroup_values: usize,
    strip: usize,
    sign: f64,
    /// Whether results are multiplied by the scale, and what single precision loses of it.
    scales: bool,
    scale_rest: f64,
    divides_by_three: bool,
    /// The direction in which threads are numbered as they read (role a) and, where that differs, as they write (role z).
    roles: Vec<(char, Along)>,
    stages: Vec<FftStage>,
    /// The powers of a root that twiddle the points, as those of a stage: loaded, and all in the order in which they are made.
    point_powers: Vec<usize>,
    point_twiddles: Vec<PowerOfRoot>,
    /// Registers of a thread.
    registers: usize,
    /// Pairs of values k and −k that a thread takes of half a spectrum of whole rows.
    pairs: usize,
}

/// One stage inside the kernel.
#[derive(Serialize)]
struct FftStage {
    index: usize,
    radix: usize,
    /// Product of the radices before it in this run.
    span: usize,
    /// Butterflies of a line, and of a thread.
    butterflies: usize,
    per_thread: usize,
    role: char,
    /// For each butterfly of a thread, the registers of its taps and of its results.
    taps: Vec<Vec<usize>>,
    results: Vec<Vec<usize>>,
    /// Columns of a composite radix, which two smaller butterflies make; 1 for others.
    columns: usize,
    /// The powers of a root that a butterfly loads.
    powers: Vec<usize>,
    /// The twiddles of the results, in the order in which they are made; none at the end of the rows.
    twiddles: Vec<PowerOfRoot>,
}

/// A power of a root: loaded, or the product of two others.
#[derive(Serialize)]
struct PowerOfRoot {
    power: usize,
    factors: Option<[usize; 2]>,
}

impl<'a> FftData<'a> {
    pub(super) fn new(shape: &'a FftShape) -> Self {
        let (points, per_line, n) = (shape.points(), shape.threads_per_line(), shape.radices.len());
        let changes = n > 1 && shape.store != shape.load;
        let mut span = 1;
        let stages = shape.radices.iter().enumerate().map(|(index, &radix)| {
            let butterflies = points / radix;
            let per_thread = butterflies.div_ceil(per_line);
            let role = if changes && index + 1 == n { 'z' } else { 'a' };
            let columns = columns(radix);
            let taps: Vec<Vec<usize>> = (0..per_thread).map(|m| (0..radix).map(|k| m + k * per_thread).collect()).collect();
            // Result k + columns · j comes from place j of row k.
            let result = |r: usize| radix / columns * (r % columns) + r / columns;
            let results = taps.iter().map(|taps| (0..radix).map(|r| taps[result(r)]).collect()).collect();
            let is_twiddled = index + 1 < n || shape.goes_on;
            let powers = if shape.loads_powers { (1..radix).collect() } else { loaded_powers(radix) };
            let twiddles = if is_twiddled { twiddles(radix, &powers, per_thread > 1) } else { Vec::new() };
            let stage = FftStage { index, radix, span, butterflies, per_thread, role, taps, results, columns, powers, twiddles };
            span *= radix;
            stage
        });
        let stages: Vec<FftStage> = stages.collect();
        let divides_by_three = shape.divides_by_three();
        Self {
            points,
            per_line,
            pitch: shape.pitch(),
            workgroup_values: shape.workgroup_values(),
            strip: STRIP,
            sign: if shape.direction == Direction::Forward { -1.0 } else { 1.0 },
            scales: shape.scale != 1.0 && !divides_by_three,
            scale_rest: shape.scale_remainder(),
            divides_by_three,
            roles: [('a', shape.load), ('z', shape.store)].into_iter().take(1 + usize::from(changes)).collect(),
            registers: stages.iter().map(|stage| stage.per_thread * stage.radix).max().unwrap_or(0),
            point_twiddles: if shape.twiddles_points {
                twiddles(shape.radices[0], &loaded_powers(shape.radices[0]), false)
            } else {
                Vec::new()
            },
            point_powers: if shape.twiddles_points { loaded_powers(shape.radices[0]) } else { Vec::new() },
            stages,
            pairs: (points / 2 + 1).div_ceil(per_line),
            shape,
        }
    }
}

/// The columns of the rectangle that a composite radix is; 1 for 2, 4, 8, 16 and odd primes, which have a butterfly of their own.
fn columns(radix: usize) -> usize {
    let is_simple = |radix: usize| [2, 4, 8, 16].contains(&radix) || (2..radix).all(|factor| !radix.is_multiple_of(factor));
    (1..=radix).find(|columns| radix.is_multiple_of(*columns) && is_simple(radix / columns)).unwrap_or(1)
}

/// The powers of a root that a butterfly loads; it multiplies the others. A product has the rounding errors of its factors, so wide butterflies load more.
fn loaded_powers(radix: usize) -> Vec<usize> {
    match radix {
        0..8 => vec![1],
        8..=16 => vec![1, 4],
        _ => vec![1, 4, 16],
    }
}

/// The powers of a root that twiddle the results of a butterfly.
/// Where a thread has several butterflies it spares registers: four chains of powers, of which one is alive at a time.
fn twiddles(radix: usize, loaded: &[usize], spares: bool) -> Vec<PowerOfRoot> {
    let is_chained = spares && (8..=16).contains(&radix);
    let order: Vec<usize> = if is_chained { (0..4).flat_map(|first| (first..radix).step_by(4)).collect() } else { (0..radix).collect() };
    let factors = |power: usize| {
        // The largest power of four below is loaded, or a product of few factors.
        let nearest = [16, 12, 8, 4].into_iter().find(|&high| high < power && (high != 16 || radix > 16)).unwrap_or(power / 2);
        let high = if is_chained && power > 4 { power - 4 } else { nearest };
        [high, power - high]
    };
    let power = |power| PowerOfRoot { power, factors: (!loaded.contains(&power)).then(|| factors(power)) };
    order.into_iter().filter(|&power| power > 0).map(power).collect()
}
