//! How well two images agree at every shift of at most half an image, where they overlap.
//!
//! The normalised cross-correlation of the parts that both images show (D. Padfield, Masked object registration in the Fourier domain, 2012) needs no
//! border that repeats, and finds the shift where few frequencies carry the images and phase correlation weights rounding errors like all others.
//! Fisher's transform gives its significance; the spectra of both images give the number of independent samples.

use crate::threads;
use num_complex::Complex64;

/// A higher correlation than this is rounding.
const MOST: f64 = 1.0 - 1e-6;
/// A map of independent values passes the chance level at one of these many shifts that nothing distinguishes.
const MAPS_PER_FALSE_SHIFT: f64 = 100.0;
/// Scenes are less even than noise, so that chance reaches this multiple of the level of noise.
const CHANCE: f64 = 1.5;
/// Another shift is named if the images correlate there to this share of the correlation at the best shift.
const NEARLY_AS_WELL: f64 = 0.95;

/// The values of two images that are compared, one for each pixel.
pub struct Fields {
    /// Number of columns.
    pub columns: usize,
    /// The values of both images, row after row.
    pub pair: [Vec<Complex64>; 2],
}

impl Fields {
    /// Both images less their means: the plain cross-correlation, which noise disturbs least.
    pub fn plain(images: [&[f32]; 2], columns: usize) -> Self {
        let less_mean = |image: &[f32]| {
            let mean = image.iter().map(|&sample| f64::from(sample)).sum::<f64>() / image.len().max(1) as f64;
            threads::convert(image, |sample| Complex64::from(f64::from(sample) - mean))
        };
        Self { columns, pair: images.map(less_mean) }
    }

    /// The gradients of both images, along x and along y as a complex number: a cross-correlation weighted by the squares of the frequencies.
    /// They make photographs white, whose lowest frequencies agree at many shifts. One row and one column fewer.
    pub fn gradients(images: [&[f32]; 2], columns: usize) -> Self {
        let fewer = columns.saturating_sub(1);
        let gradient = |image: &[f32]| {
            let rows = (image.len() / columns.max(1)).saturating_sub(1);
            let step = |from: usize, to: usize| f64::from(image[to]) - f64::from(image[from]);
            threads::tabulate(rows * fewer, |index| {
                let at = index / fewer * columns + index % fewer;
                Complex64::new(step(at, at + 1), step(at, at + columns))
            })
        };
        Self { columns: fewer, pair: images.map(gradient) }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.pair[0].len() / self.columns.max(1)
    }
}

/// The agreement of two images at the shifts of at most `reach`.
pub struct Agreement {
    reach: [usize; 2],
    /// The correlation at every shift, row after row from (−reach, −reach), and its significance in standard deviations of chance.
    values: Vec<(f64, f64)>,
    /// The number of shifts that agree or disagree together.
    spread: f64,
    /// The significance that chance reaches.
    chance: f64,
}

impl Agreement {
    /// The agreement of two fields, from the spectra of both with at least `reach` zeros behind their columns and rows, and from the real part of the
    /// inverse transform of A*·B, `padded` values a row.
    pub fn new(fields: &Fields, reach: [usize; 2], spectra: [&[Complex64]; 2], correlation: &[f64], padded: usize) -> Self {
        let (columns, rows) = (fields.columns, fields.rows());
        let spread = spread(spectra);
        let sums = fields.pair.each_ref().map(|field| Sums::new(field, columns));
        let width = 2 * reach[0] + 1;
        let padded_rows = correlation.len() / padded.max(1);
        let value = |index: usize| {
            let [dx, dy] = [index % width, index / width].map(|at| at as isize);
            let shift = [dx - reach[0] as isize, dy - reach[1] as isize];
            let [of_a, of_b] = super::overlap([rows, columns], shift);
            let n = (of_a[0].len() * of_a[1].len()) as f64;
            let at = shift[1].rem_euclid(padded_rows as isize) as usize * padded + shift[0].rem_euclid(padded as isize) as usize;
            let [(a, aa), (b, bb)] = [sums[0].of(&of_a), sums[1].of(&of_b)];
            let [own, other] = [sums[0].deviation(a, aa, n), sums[1].deviation(b, bb, n)];
            let height = (correlation[at] - (a.conj() * b).re / n) / (own * other).sqrt();
            let height = if height.is_finite() { height.clamp(0.0, MOST) } else { 0.0 };
            (height, height.atanh() * (n / spread - 3.0).max(0.0).sqrt())
        };
        let n_values = if columns * rows == 0 || spread == 0.0 { 0 } else { width * (2 * reach[1] + 1) };
        let values = threads::tabulate(n_values, value);
        let n_shifts = (n_values as f64 / spread.max(1.0)).max(1.0);
        Self { reach, values, spread, chance: CHANCE * (2.0 * (MAPS_PER_FALSE_SHIFT * n_shifts).ln()).sqrt() }
    }
}

/// Σ over all shifts of the square of the correlation that two fields with these spectra have by chance.
fn spread([a, b]: [&[Complex64]; 2]) -> f64 {
    let sum = |value: &(dyn Fn(usize) -> f64 + Sync)| threads::sum(a.len(), &|block| block.map(value).sum());
    let (of_a, of_b) = (sum(&|k| a[k].norm_sqr()), sum(&|k| b[k].norm_sqr()));
    let both = sum(&|k| a[k].norm_sqr() / of_a * (b[k].norm_sqr() / of_b));
    if of_a > 0.0 && of_b > 0.0 { both * a.len() as f64 } else { 0.0 }
}

/// The sums of a field and of its squares over all rectangles that begin at (0, 0).
struct Sums {
    width: usize,
    sums: Vec<(Complex64, f64)>,
    /// Smaller sums of squares are rounding.
    least: f64,
}

impl Sums {
    fn new(field: &[Complex64], columns: usize) -> Self {
        let width = columns + 1;
        let mut sums = vec![(Complex64::default(), 0.0); width];
        for row in field.chunks(columns.max(1)) {
            let mut along = (Complex64::default(), 0.0);
            sums.push(along);
            for value in row {
                along = (along.0 + value, along.1 + value.norm_sqr());
                let (above, squares) = sums[sums.len() - width];
                sums.push((above + along.0, squares + along.1));
            }
        }
        let least = 1e-10 * sums.last().map_or(0.0, |(_, squares)| *squares);
        Self { width, sums, least }
    }

    /// The sums over a rectangle.
    fn of(&self, [xs, ys]: &[std::ops::Range<usize>; 2]) -> (Complex64, f64) {
        let at = |x: usize, y: usize| self.sums[y * self.width + x];
        let [(a, aa), (b, bb), (c, cc), (d, dd)] = [at(xs.end, ys.end), at(xs.start, ys.end), at(xs.end, ys.start), at(xs.start, ys.start)];
        (a - b - c + d, aa - bb - cc + dd)
    }

    /// The sum of the squares of the deviations from the mean of `n` values; not a number where they are rounding.
    fn deviation(&self, sum: Complex64, squares: f64, n: f64) -> f64 {
        let deviation = squares - sum.norm_sqr() / n;
        if deviation > self.least { deviation } else { f64::NAN }
    }
}

/// Where two images agree best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreed {
    /// The shift by whole pixels.
    pub shift: [isize; 2],
    /// Whether images that have nothing in common may agree as well.
    pub is_chance: bool,
    /// Another shift at which they agree nearly as well: the alias of a shift by half an image, or of a pattern that repeats.
    pub other: Option<[isize; 2]>,
}

/// The shift at which two images agree best by all maps together, which have the same reach; `None` where no map tells anything.
pub fn agreed(maps: &[Agreement]) -> Option<Agreed> {
    let maps: Vec<&Agreement> = maps.iter().filter(|map| !map.values.is_empty()).collect();
    let reach = maps.first()?.reach;
    let width = 2 * reach[0] + 1;
    let evidence = threads::tabulate(width * (2 * reach[1] + 1), |at| maps.iter().map(|map| map.values[at].1.powi(2)).sum::<f64>());
    let highest = |is_candidate: &dyn Fn(usize) -> bool| {
        let candidates = (0..evidence.len()).filter(|&at| evidence[at] > 0.0 && is_candidate(at));
        candidates.max_by(|&a, &b| evidence[a].total_cmp(&evidence[b]))
    };
    let best = highest(&|_| true)?;
    let shift = |at: usize| [(at % width) as isize - reach[0] as isize, (at / width) as isize - reach[1] as isize];
    let spread = maps.iter().map(|map| map.spread).fold(f64::INFINITY, f64::min);
    // Within this distance the images agree because they do at the best shift.
    let beside = 2.0 + 2.0 * (spread / std::f64::consts::PI).sqrt();
    let is_apart = |at: usize| {
        let [[x, y], [bx, by]] = [shift(at), shift(best)];
        (x.abs_diff(bx) as f64).hypot(y.abs_diff(by) as f64) > beside
    };
    let is_maximum = |at: usize| {
        let [x, y] = [at % width, at / width];
        let near = (y.saturating_sub(1)..=(y + 1).min(2 * reach[1]))
            .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(2 * reach[0])).map(move |x| y * width + x));
        near.into_iter().all(|near| evidence[near] <= evidence[at])
    };
    let is_chance = |at: usize| maps.iter().all(|map| map.values[at].1 < map.chance);
    let is_near = |at: usize| maps.iter().all(|map| map.values[at].0 >= NEARLY_AS_WELL * map.values[best].0);
    let other = highest(&|at| is_near(at) && !is_chance(at) && is_apart(at) && is_maximum(at));
    Some(Agreed { shift: shift(best), is_chance: is_chance(best), other: other.map(shift) })
}

/// Whether an image varies along one direction alone, so that a shift across it cannot be seen: `[true, false]` where nothing tells a shift along x.
pub fn blind_axes(gradients: &[Complex64]) -> [bool; 2] {
    /// A smaller share of the variation is rounding.
    const LEAST: f64 = 1e-9;
    let sum = |value: &(dyn Fn(Complex64) -> f64 + Sync)| {
        threads::sum(gradients.len(), &|block| gradients[block].iter().map(|gradient| value(*gradient)).sum())
    };
    let [xx, yy, xy] = [sum(&|g| g.re * g.re), sum(&|g| g.im * g.im), sum(&|g| g.re * g.im)];
    // The smaller eigenvalue of the structure tensor.
    let smaller = 0.5 * (xx + yy - (xx - yy).hypot(2.0 * xy));
    if smaller > LEAST * (xx + yy) {
        return [false; 2];
    }
    // A slanted pattern tells neither component alone.
    [xx, yy].map(|own| own * LEAST.recip() <= xx + yy || xy.abs() > 1e-3 * (xx + yy))
}
