//! Renders a part of the data at the resolution of the screen, on the CPU.

use super::levels::Levels;
use super::{Look, ValuePart};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex32;

/// A rectangle of the displayed image, in its pixels: (0, 0) is the top left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImageRect {
    /// First row.
    pub top: f64,
    /// First column.
    pub left: f64,
    /// Number of rows, above 0.
    pub height: f64,
    /// Number of columns, above 0.
    pub width: f64,
}

/// The visible part of an image and its size on the screen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DisplayFrame {
    /// The visible part.
    pub rect: ImageRect,
    /// Width on the screen in pixels.
    pub width: usize,
    /// Height on the screen in pixels.
    pub height: usize,
}

impl DisplayFrame {
    /// The whole image, pixel for pixel.
    pub fn whole(shape: Shape) -> Self {
        let rect = ImageRect { top: 0.0, left: 0.0, height: shape.rows as f64, width: shape.columns as f64 };
        Self { rect, width: shape.columns, height: shape.rows }
    }

    /// The whole image, shrunk to at most `most` pixels along its longer side.
    pub fn within(shape: Shape, most: usize) -> Self {
        let share = (shape.rows.max(shape.columns) as f64 / most as f64).max(1.0);
        let [width, height] = [shape.columns, shape.rows].map(|n| ((n as f64 / share).round() as usize).max(1));
        Self { width, height, ..Self::whole(shape) }
    }
}

/// The position of an index on a shifted axis of `n` values, where index 0 is at ⌊n/2⌋.
pub fn shifted_index(index: usize, n: usize) -> usize {
    (index + n / 2) % n
}

/// The index at a position of a shifted axis of `n` values.
pub fn unshifted_index(position: usize, n: usize) -> usize {
    (position + n - n / 2) % n
}

/// The smallest and the largest finite scaled value, `[0, 0]` if none is finite.
pub fn extremes(at: impl Fn(usize, usize) -> Complex32 + Sync, shape: Shape, look: &Look) -> [f32; 2] {
    let Look { quantity, scale, .. } = *look;
    let found = if scale.is_monotonic(quantity) {
        // Two values are scaled instead of all.
        let row = |row: usize| {
            let squares = || square_extremes((0..shape.columns).map(|column| at(row, column).norm_sqr()));
            let of_squares = match quantity {
                ValuePart::Magnitude => squares().map(|squares| squares.map(f32::sqrt)),
                ValuePart::Power => squares(),
                _ => None,
            };
            of_squares.unwrap_or_else(|| finite_extremes((0..shape.columns).map(|column| quantity.of(at(row, column)))))
        };
        extremes_of_rows(shape, &row).map(|plain| scale.of(quantity, plain))
    } else {
        extremes_of_rows(shape, &|row| finite_extremes((0..shape.columns).map(|column| scale.apply(quantity, at(row, column)))))
    };
    if found[0] <= found[1] && found.iter().all(|value| value.is_finite()) { found } else { [0.0, 0.0] }
}

/// The extremes of no values: every value is below the first and above the second.
const NONE: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// The extremes of all rows.
fn extremes_of_rows(shape: Shape, row: &(impl Fn(usize) -> [f32; 2] + Sync)) -> [f32; 2] {
    threads::map(shape.rows, row).into_iter().fold(NONE, |a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// The smallest and the largest finite number, `[0, 0]` if none is finite.
pub fn real_extremes(numbers: &[f32]) -> [f32; 2] {
    let blocks = threads::map_blocks(numbers.len(), &|block| finite_extremes_of(&numbers[block]));
    let [low, high] = blocks.into_iter().fold(NONE, |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    if low <= high { [low, high] } else { [0.0, 0.0] }
}

/// As [`finite_extremes`], several numbers at a time.
fn finite_extremes_of(numbers: &[f32]) -> [f32; 2] {
    const LANES: usize = 16;
    let ([mut low, mut high], (chunks, rest)) = (NONE.map(|end| [end; LANES]), numbers.as_chunks::<LANES>());
    for chunk in chunks {
        for ((number, low), high) in chunk.iter().zip(&mut low).zip(&mut high) {
            let is_finite = number.abs() < f32::INFINITY;
            *low = if is_finite & (*number < *low) { *number } else { *low };
            *high = if is_finite & (*number > *high) { *number } else { *high };
        }
    }
    // The ends of no numbers are not finite.
    finite_extremes(low.into_iter().chain(high).chain(rest.iter().copied()))
}

/// The smallest and the largest finite value; [`NONE`] if none is finite.
fn finite_extremes(values: impl Iterator<Item = f32>) -> [f32; 2] {
    let finite = values.filter(|value| value.is_finite());
    finite.fold(NONE, |[low, high], value| [if value < low { value } else { low }, if value > high { value } else { high }])
}

/// The same of squares, if all are normal numbers. Their bits have the order of the numbers, and no number among them needs care.
fn square_extremes(squares: impl Iterator<Item = f32>) -> Option<[f32; 2]> {
    let [low, high] =
        squares.map(f32::to_bits).fold([u32::MAX, 0], |[low, high], bits| [low.min(bits), high.max(bits)]).map(f32::from_bits);
    (low.is_normal() && high.is_normal() && low > 0.0).then_some([low, high])
}

/// The value of a pixel of the screen that covers several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    Strongest,
    Mean,
}

/// The visible part as RGBA, row after row; pixels outside the image are transparent.
///
/// A pixel of the screen that covers several values shows the strongest, so no peak is lost; for the phase it shows the value in the middle.
/// `range` gives the values of the first and the last colour.
pub fn render(
    at: impl Fn(usize, usize) -> Complex32 + Sync,
    shape: Shape,
    axes: Axes,
    look: &Look,
    range: [f32; 2],
    frame: DisplayFrame,
) -> Vec<u8> {
    render_pooled(at, shape, axes, look, range, frame, Pooling::Strongest)
}

/// As [`render`], for samples, which are neither shifted nor scaled. A pixel that covers several shows their mean, which keeps the brightness of an image.
pub fn render_mean(
    at: impl Fn(usize, usize) -> Complex32 + Sync,
    shape: Shape,
    look: &Look,
    range: [f32; 2],
    frame: DisplayFrame,
) -> Vec<u8> {
    render_pooled(at, shape, Axes::Rows, look, range, frame, Pooling::Mean)
}

fn render_pooled(
    at: impl Fn(usize, usize) -> Complex32 + Sync,
    shape: Shape,
    axes: Axes,
    look: &Look,
    range: [f32; 2],
    frame: DisplayFrame,
    pooling: Pooling,
) -> Vec<u8> {
    let [shift_rows, shift_columns] = [axes.along_columns(), axes.along_rows()].map(|along| look.shifted && along);
    let index = |position: usize, n: usize, shifted: bool| if shifted { unshifted_index(position, n) } else { position };
    // A division for each value would take longer than all else that is done with it.
    let order: Vec<usize> = (0..shape.columns).map(|column| index(column, shape.columns, shift_columns)).collect();
    let columns: Vec<_> =
        (0..frame.width).map(|x| covered(frame.rect.left, frame.rect.width, x, frame.width, shape.columns, look)).collect();
    let (colours, levels) = (look.colours(), Levels::new(look, range, frame.width * frame.height));
    threads::fill_chunks(4 * frame.width * frame.height, 4 * frame.width.max(1), &|| (), &|(), y, pixels| {
        let rows = covered(frame.rect.top, frame.rect.height, y, frame.height, shape.rows, look);
        let Some(first) = rows.clone().next().map(|row| index(row, shape.rows, shift_rows)) else { return };
        let others = rows.start + 1..rows.end;
        for (columns, pixel) in columns.iter().zip(pixels.chunks_exact_mut(4)) {
            let Some((&column, rest)) = order[columns.clone()].split_first() else { continue };
            let mut pooled = at(first, column);
            if rows.len() * columns.len() > 1 {
                let in_first = rest.iter().map(|&column| at(first, column));
                let below = others.clone().map(|row| index(row, shape.rows, shift_rows));
                let in_others = below.flat_map(|row| order[columns.clone()].iter().map(move |&column| (row, column)));
                let further = in_first.chain(in_others.map(|(row, column)| at(row, column)));
                pooled = match pooling {
                    Pooling::Strongest => strongest(look.quantity, pooled, further),
                    Pooling::Mean => further.fold(pooled, |sum, value| sum + value) / (rows.len() * columns.len()) as f32,
                };
            }
            pixel.copy_from_slice(&colours[levels.colour_index(pooled)]);
        }
    })
}

/// The strongest of several values.
fn strongest(quantity: ValuePart, first: Complex32, others: impl Iterator<Item = Complex32>) -> Complex32 {
    let stronger = |(value, strength): (Complex32, f32), other: Complex32| {
        let of_other = quantity.strength(other);
        if of_other > strength { (other, of_other) } else { (value, strength) }
    };
    others.fold((first, quantity.strength(first)), stronger).0
}

/// The positions in the data that screen pixel `pixel` of `pixels` covers: at least one inside the image, none outside.
pub fn covered(first: f64, extent: f64, pixel: usize, pixels: usize, n: usize, look: &Look) -> std::ops::Range<usize> {
    let step = extent / pixels as f64;
    let start = first + pixel as f64 * step;
    let middle = start + step / 2.0;
    if middle < 0.0 || middle >= n as f64 {
        return 0..0;
    }
    let single = middle as usize..middle as usize + 1;
    if step <= 1.0 || look.quantity == ValuePart::Phase {
        return single;
    }
    let inside = |position: f64| position.round().clamp(0.0, n as f64) as usize;
    let range = inside(start)..inside(start + step);
    if range.is_empty() { single } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Colormap;

    #[test]
    fn extremes_of_numbers_are_those_of_values() {
        let mut numbers: Vec<f32> = (0..40_000).map(|k| (k as f32 * 0.7).sin() * 3.0 - 1.0).collect();
        for (place, number) in [(7, f32::NAN), (100, f32::INFINITY), (20_000, f32::NEG_INFINITY), (39_999, 5.0), (12, -9.5)] {
            numbers[place] = number;
        }
        for n in [0, 1, 8, 15, 16, 17, 33, 16_384, 40_000] {
            let shape = Shape { rows: 1, columns: n };
            assert_eq!(real_extremes(&numbers[..n]), extremes(|_, column| numbers[column].into(), shape, &Look::of_samples()), "{n}");
        }
    }

    #[test]
    fn pixels_show_the_values_that_they_cover() {
        let (shape, range) = (Shape { rows: 45, columns: 38 }, [0.0, 2.0]);
        let at = |row: usize, column: usize| Complex32::from_polar(((row * 31 + column * 17) % 97) as f32, column as f32);
        for (look, axes) in [
            (Look { quantity: ValuePart::Magnitude, ..Look::default() }, Axes::Both),
            (Look { quantity: ValuePart::Phase, ..Look::default() }, Axes::Rows),
            (Look { quantity: ValuePart::Imaginary, ..Look::default() }.with(Colormap::Hue), Axes::Columns),
        ] {
            for (width, height, left, top) in
                [(38, 45, 0.0, 0.0), (12, 9, 0.0, 0.0), (90, 100, -4.0, 3.5), (800, 700, 1.0, 2.0), (1, 1, 0.0, 0.0)]
            {
                let rect = ImageRect { top, left, height: 45.0, width: 38.0 };
                let frame = DisplayFrame { rect, width, height };
                let (rgba, colours) = (render(at, shape, axes, &look, range, frame), look.colours());
                let place =
                    |position: usize, n: usize, along: bool| if look.shifted && along { unshifted_index(position, n) } else { position };
                for (index, pixel) in rgba.chunks(4).enumerate() {
                    let [rows, columns] = [
                        covered(top, 45.0, index / width, height, shape.rows, &look),
                        covered(left, 38.0, index % width, width, shape.columns, &look),
                    ];
                    let values = rows.flat_map(|row| columns.clone().map(move |column| (row, column))).map(|(row, column)| {
                        at(place(row, shape.rows, axes.along_columns()), place(column, shape.columns, axes.along_rows()))
                    });
                    let expected = values.reduce(|a, b| if look.quantity.strength(b) > look.quantity.strength(a) { b } else { a });
                    assert_eq!(pixel, expected.map_or([0; 4], |value| colours[look.colour_index(value, range)]));
                }
            }
        }
    }

    #[test]
    fn peaks_are_kept_and_images_keep_their_brightness() {
        let shape = Shape { rows: 8, columns: 6 };
        let at = |row: usize, column: usize| Complex32::new(((row + column) % 2) as f32, 0.0);
        let look = Look::of_samples();
        let frame = DisplayFrame { width: 3, height: 4, ..DisplayFrame::whole(shape) };
        let gray = Colormap::Gray.lut();
        let shows = |rgba: Vec<u8>, entry: usize| rgba.chunks(4).all(|pixel| pixel == gray[entry]);
        assert!(shows(render(at, shape, Axes::Rows, &look, [0.0, 1.0], frame), 255));
        assert!(shows(render_mean(at, shape, &look, [0.0, 1.0], frame), Colormap::index(0.5, [0.0, 1.0])));
        let whole = DisplayFrame::whole(shape);
        assert_eq!(render_mean(at, shape, &look, [0.0, 1.0], whole), render(at, shape, Axes::Rows, &look, [0.0, 1.0], whole));
    }
}
