//! Fourier butterflies of complex rows: straight-line code for the common radices, one loop for all others.

use super::rows::WIDEST;
use crate::cpu::fourier_rows::{FourierRows, TileTwiddles, TwiddleProducts, TwiddleRows};
use crate::cpu::lane::Float;
use fearless_simd::{Simd, SimdFloat};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_8};

/// Real and imaginary parts of neighbouring columns.
#[derive(Clone, Copy)]
struct Parts<V> {
    re: V,
    im: V,
}

/// Computes the butterflies.
pub(crate) fn fourier<S: Simd, V: SimdFloat<S>>(simd: S, rows: &FourierRows<'_, V::Element>, held: &mut [V::Element])
where
    V::Element: Float,
{
    match rows.taps.len() {
        2 | 4 | 8 | 16 if matches!(rows.twiddles, Some((TwiddleRows::Table { .. }, _))) => any::<S, V>(simd, rows, held),
        2 if rows.twiddles_first => butterflies::<S, V, Two, 2, true>(simd, rows, held),
        4 if rows.twiddles_first => butterflies::<S, V, Four, 4, true>(simd, rows, held),
        8 if rows.twiddles_first => butterflies::<S, V, Eight, 8, true>(simd, rows, held),
        2 => butterflies::<S, V, Two, 2, false>(simd, rows, held),
        4 => butterflies::<S, V, Four, 4, false>(simd, rows, held),
        8 => butterflies::<S, V, Eight, 8, false>(simd, rows, held),
        16 if !rows.twiddles_first => butterflies::<S, V, Sixteen, 16, false>(simd, rows, held),
        _ => any::<S, V>(simd, rows, held),
    }
}

/// A Fourier transform of R values as straight-line code.
///
/// It is a trait rather than a function that is passed on: the call of a passed function stays a call in vector code, which costs more than the butterfly.
trait ShortFourier<const R: usize> {
    /// The results in order of their frequency.
    fn of<S: Simd, V: SimdFloat<S>>(values: [Parts<V>; R]) -> [Parts<V>; R]
    where
        V::Element: Float;
}

/// Defines the Fourier transform of a number of values, which a function computes.
macro_rules! butterfly {
    ($name:ident, $n:literal, $function:ident) => {
        struct $name;

        impl ShortFourier<$n> for $name {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn of<S: Simd, V: SimdFloat<S>>(values: [Parts<V>; $n]) -> [Parts<V>; $n]
            where
                V::Element: Float,
            {
                $function(values)
            }
        }
    };
}

butterfly!(Two, 2, two);
butterfly!(Four, 4, four);
butterfly!(Eight, 8, eight);
butterfly!(Sixteen, 16, sixteen);

fn butterflies<S: Simd, V: SimdFloat<S>, B: ShortFourier<R>, const R: usize, const TWIDDLES_FIRST: bool>(
    simd: S,
    rows: &FourierRows<'_, V::Element>,
    held: &mut [V::Element],
) where
    V::Element: Float,
{
    let mut taps = [0; R];
    taps.copy_from_slice(rows.taps);
    let planes = if rows.is_inverse { [rows.columns, 0] } else { [0, rows.columns] };
    let twiddles = match &rows.twiddles {
        Some((TwiddleRows::Products(products), tile)) => Some((products, tile)),
        _ => None,
    };
    let from = twiddles.map_or(R, |(products, _)| usize::from(products.first_is_one));
    simd.vectorize(
        #[inline(always)]
        || {
            let zero = V::splat(simd, V::Element::ZERO);
            let mut factors = [[V::Element::ZERO; 2]; R];
            for index in rows.range.clone() {
                let first = rows.butterflies[index];
                let mut group = 0;
                if let Some((products, tile)) = twiddles {
                    group = products.groups.get(index).map_or(0, |group| group + tile.first);
                    of_butterfly(products, tile, [index, group, rows.butterflies.len()], &mut factors);
                }
                for column in (0..rows.columns).step_by(V::N) {
                    let mut values = [Parts { re: zero, im: zero }; R];
                    for k in 0..R {
                        let [re, im] = [first + taps[k] + planes[0] + column, first + taps[k] + planes[1] + column];
                        values[k] = Parts { re: V::from_slice(simd, &held[re..re + V::N]), im: V::from_slice(simd, &held[im..im + V::N]) };
                    }
                    let of_columns = twiddles.map(|(products, _)| products).filter(|products| !products.columns[0].is_empty());
                    let columns = of_columns.map(|products| (products, [group, rows.columns, column]));
                    values = if TWIDDLES_FIRST {
                        B::of(with_factors(simd, values, from, &factors, columns))
                    } else {
                        with_factors(simd, B::of(values), from, &factors, columns)
                    };
                    for k in 0..R {
                        let [re, im] = [first + taps[k] + planes[0] + column, first + taps[k] + planes[1] + column];
                        values[k].re.store_slice(&mut held[re..re + V::N]);
                        values[k].im.store_slice(&mut held[im..im + V::N]);
                    }
                }
            }
        },
    );
}

/// Values `from` on times the factors of the butterfly, and times those of the columns of a group.
#[cfg_attr(not(debug_assertions), inline(always))]
fn with_factors<S: Simd, V: SimdFloat<S>, const R: usize>(
    simd: S,
    mut values: [Parts<V>; R],
    from: usize,
    factors: &[[V::Element; 2]; R],
    columns: Option<(&TwiddleProducts<V::Element>, [usize; 3])>,
) -> [Parts<V>; R]
where
    V::Element: Float,
{
    // A branch in a loop of fixed length is unrolled; a loop from a variable place is not.
    for (j, (value, &[re, im])) in values.iter_mut().zip(factors).enumerate() {
        if j >= from {
            *value = times(*value, Parts { re: V::splat(simd, re), im: V::splat(simd, im) });
        }
    }
    if let Some((TwiddleProducts { columns, groups, .. }, [group, n_columns, column])) = columns {
        for (j, value) in values.iter_mut().enumerate() {
            if j >= from {
                let at = if groups.is_empty() { j } else { group } * n_columns + column;
                let re = V::from_slice(simd, &columns[0][at..at + V::N]);
                let im = V::from_slice(simd, &columns[1][at..at + V::N]);
                *value = times(*value, Parts { re, im });
            }
        }
    }
    values
}

/// The factors of butterfly and tile for every result.
#[cfg_attr(not(debug_assertions), inline(always))]
fn of_butterfly<P: Float>(
    products: &TwiddleProducts<P>,
    tile: &TileTwiddles<P>,
    [index, group, n_butterflies]: [usize; 3],
    factors: &mut [[P; 2]],
) {
    let [re, im] = &products.butterflies;
    for (j, factor) in factors.iter_mut().enumerate() {
        let at = (j * products.n_groups + group) * n_butterflies + index;
        *factor = [re[at], im[at]];
        if let Some([a, b]) = tile.factors.get(if products.groups.is_empty() { j } else { group }) {
            *factor = [factor[0] * *a - factor[1] * *b, factor[0] * *b + factor[1] * *a];
        }
    }
}

/// Butterflies of any length, of which taps k and n − k have conjugate roots, and so have results j and n − j; without roots only the twiddles.
fn any<S: Simd, V: SimdFloat<S>>(simd: S, rows: &FourierRows<'_, V::Element>, held: &mut [V::Element])
where
    V::Element: Float,
{
    let (n, roots) = (rows.taps.len(), rows.roots);
    let counts = [rows.butterflies.len(), rows.columns];
    let planes = if rows.is_inverse { [rows.columns, 0] } else { [0, rows.columns] };
    simd.vectorize(
        #[inline(always)]
        || {
            for index in rows.range.clone() {
                let first = rows.butterflies[index];
                for column in (0..rows.columns).step_by(V::N) {
                    let mut values = [Parts { re: V::splat(simd, V::Element::ZERO), im: V::splat(simd, V::Element::ZERO) }; WIDEST];
                    for (value, tap) in values.iter_mut().zip(rows.taps) {
                        let [re, im] = [first + tap + planes[0] + column, first + tap + planes[1] + column];
                        *value = Parts { re: V::from_slice(simd, &held[re..re + V::N]), im: V::from_slice(simd, &held[im..im + V::N]) };
                    }
                    let of = |j: usize, value: Parts<V>, twiddles| times(value, twiddle(simd, twiddles, [j, index, column], counts));
                    if let (true, Some(twiddles)) = (rows.twiddles_first, &rows.twiddles) {
                        values.iter_mut().enumerate().take(n).for_each(|(k, value)| *value = of(k, *value, twiddles));
                    }
                    if !roots.is_empty() {
                        values = by_pairs(simd, values, roots);
                    }
                    for (j, mut value) in values.into_iter().enumerate().take(n) {
                        if let (false, Some(twiddles)) = (rows.twiddles_first, &rows.twiddles) {
                            value = of(j, value, twiddles);
                        }
                        let [re, im] = [first + rows.taps[j] + planes[0] + column, first + rows.taps[j] + planes[1] + column];
                        value.re.store_slice(&mut held[re..re + V::N]);
                        value.im.store_slice(&mut held[im..im + V::N]);
                    }
                }
            }
        },
    );
}

/// The Fourier transform of the first `roots.len()` values.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_pairs<S: Simd, V: SimdFloat<S>>(simd: S, taps: [Parts<V>; WIDEST], roots: &[[V::Element; 2]]) -> [Parts<V>; WIDEST]
where
    V::Element: Float,
{
    let n = roots.len();
    let (mut sums, mut differences, mut results) = (taps, taps, taps);
    for k in 1..n.div_ceil(2) {
        (sums[k], differences[k]) = (plus(taps[k], taps[n - k]), minus(taps[k], taps[n - k]));
    }
    for j in 0..=n / 2 {
        let (mut even, mut odd) = (taps[0], Parts { re: V::splat(simd, V::Element::ZERO), im: V::splat(simd, V::Element::ZERO) });
        for k in 1..n.div_ceil(2) {
            let [cos, sin] = roots[j * k % n];
            let (cos, sin) = (V::splat(simd, cos), V::splat(simd, sin));
            even = Parts { re: sums[k].re.mul_add(cos, even.re), im: sums[k].im.mul_add(cos, even.im) };
            odd = Parts { re: differences[k].im.mul_add(-sin, odd.re), im: differences[k].re.mul_add(sin, odd.im) };
        }
        if n.is_multiple_of(2) {
            even = if j.is_multiple_of(2) { plus(even, taps[n / 2]) } else { minus(even, taps[n / 2]) };
        }
        results[(n - j) % n] = minus(even, odd);
        results[j] = plus(even, odd);
    }
    results
}

/// The twiddle of result j of a butterfly in the columns from `column` on.
#[cfg_attr(not(debug_assertions), inline(always))]
fn twiddle<S: Simd, V: SimdFloat<S>>(
    simd: S,
    (rows, tile): &(&TwiddleRows<V::Element>, &TileTwiddles<V::Element>),
    [j, index, column]: [usize; 3],
    [n_butterflies, n_columns]: [usize; 2],
) -> Parts<V>
where
    V::Element: Float,
{
    match rows {
        TwiddleRows::Table { parts, n, butterflies, columns, .. } => {
            let first = j * n + butterflies[index] + tile.first;
            let (mut re, mut im) = (V::splat(simd, parts[0][first]), V::splat(simd, parts[1][first]));
            for (lane, distance) in columns.iter().skip(column).take(V::N).enumerate() {
                // Columns behind the last of the last tile have no twiddles.
                let at = (first + distance).min(parts[0].len() - 1);
                (re[lane], im[lane]) = (parts[0][at], parts[1][at]);
            }
            Parts { re, im }
        }
        TwiddleRows::Products(products) => {
            let group = products.groups.get(index).map_or(0, |group| group + tile.first);
            let run = if products.groups.is_empty() { j } else { group };
            let [re, im] = &products.butterflies;
            let at = (j * products.n_groups + group) * n_butterflies + index;
            let mut value = Parts { re: V::splat(simd, re[at]), im: V::splat(simd, im[at]) };
            if let Some([re, im]) = tile.factors.get(run) {
                value = times(value, Parts { re: V::splat(simd, *re), im: V::splat(simd, *im) });
            }
            if !products.columns[0].is_empty() {
                let at = run * n_columns + column;
                let re = V::from_slice(simd, &products.columns[0][at..at + V::N]);
                let im = V::from_slice(simd, &products.columns[1][at..at + V::N]);
                value = times(value, Parts { re, im });
            }
            value
        }
    }
}

/// The product of two complex numbers.
#[cfg_attr(not(debug_assertions), inline(always))]
fn times<S: Simd, V: SimdFloat<S>>(a: Parts<V>, b: Parts<V>) -> Parts<V> {
    Parts { re: a.re.mul_sub(b.re, a.im * b.im), im: a.re.mul_add(b.im, a.im * b.re) }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn plus<S: Simd, V: SimdFloat<S>>(a: Parts<V>, b: Parts<V>) -> Parts<V> {
    Parts { re: a.re + b.re, im: a.im + b.im }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn minus<S: Simd, V: SimdFloat<S>>(a: Parts<V>, b: Parts<V>) -> Parts<V> {
    Parts { re: a.re - b.re, im: a.im - b.im }
}

/// −i times a number.
#[cfg_attr(not(debug_assertions), inline(always))]
fn by_minus_i<S: Simd, V: SimdFloat<S>>(a: Parts<V>) -> Parts<V> {
    Parts { re: a.im, im: -a.re }
}

/// A number times the constant cos − i·sin.
#[cfg_attr(not(debug_assertions), inline(always))]
fn twiddled<S: Simd, V: SimdFloat<S>>(a: Parts<V>, [cos, sin]: [f64; 2]) -> Parts<V>
where
    V::Element: Float,
{
    let simd = a.re.witness();
    times(a, Parts { re: V::splat(simd, Float::rounded(cos)), im: V::splat(simd, Float::rounded(-sin)) })
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn two<S: Simd, V: SimdFloat<S>>([a, b]: [Parts<V>; 2]) -> [Parts<V>; 2] {
    [plus(a, b), minus(a, b)]
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn four<S: Simd, V: SimdFloat<S>>([a, b, c, d]: [Parts<V>; 4]) -> [Parts<V>; 4] {
    let (even, odd) = (two([a, c]), two([b, d]));
    let twiddled = by_minus_i(odd[1]);
    [plus(even[0], odd[0]), plus(even[1], twiddled), minus(even[0], odd[0]), minus(even[1], twiddled)]
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn eight<S: Simd, V: SimdFloat<S>>([a, b, c, d, e, f, g, h]: [Parts<V>; 8]) -> [Parts<V>; 8]
where
    V::Element: Float,
{
    let even = four([a, c, e, g]);
    let [p, q, r, s] = four([b, d, f, h]);
    // (1 − i)/√2 and −(1 + i)/√2.
    let half = V::splat(p.re.witness(), Float::rounded(FRAC_1_SQRT_2));
    let q = Parts { re: (q.re + q.im) * half, im: (q.im - q.re) * half };
    let s = Parts { re: (s.im - s.re) * half, im: (s.re + s.im) * -half };
    let odd = [p, q, by_minus_i(r), s];
    [
        plus(even[0], odd[0]),
        plus(even[1], odd[1]),
        plus(even[2], odd[2]),
        plus(even[3], odd[3]),
        minus(even[0], odd[0]),
        minus(even[1], odd[1]),
        minus(even[2], odd[2]),
        minus(even[3], odd[3]),
    ]
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn sixteen<S: Simd, V: SimdFloat<S>>(x: [Parts<V>; 16]) -> [Parts<V>; 16]
where
    V::Element: Float,
{
    let (cos, sin) = (FRAC_PI_8.cos(), FRAC_PI_8.sin());
    let half = FRAC_1_SQRT_2;
    let [a0, a1, a2, a3] = four([x[0], x[4], x[8], x[12]]);
    let [b0, b1, b2, b3] = four([x[1], x[5], x[9], x[13]]);
    let [c0, c1, c2, c3] = four([x[2], x[6], x[10], x[14]]);
    let [d0, d1, d2, d3] = four([x[3], x[7], x[11], x[15]]);
    let [e0, e1, e2, e3] = four([a0, b0, c0, d0]);
    let [f0, f1, f2, f3] = four([a1, twiddled(b1, [cos, sin]), twiddled(c1, [half, half]), twiddled(d1, [sin, cos])]);
    let [g0, g1, g2, g3] = four([a2, twiddled(b2, [half, half]), by_minus_i(c2), twiddled(d2, [-half, half])]);
    let [h0, h1, h2, h3] = four([a3, twiddled(b3, [sin, cos]), twiddled(c3, [-half, half]), twiddled(d3, [-cos, -sin])]);
    [e0, f0, g0, h0, e1, f1, g1, h1, e2, f2, g2, h2, e3, f3, g3, h3]
}
