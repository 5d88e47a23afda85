//! A region of an image: a rectangle, or the ellipse in it.

use super::{PrepareError, fast_size};
use crate::signal::SignalKind;
use crate::transforms::Shape;
use std::fmt;
use std::str::FromStr;

/// The outline of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Outline {
    /// The whole rectangle.
    #[default]
    Rectangle,
    /// The ellipse that touches its sides; outside is the mean of the inside.
    Ellipse,
}

/// A part of an image, in pixels; for signals, samples of some rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Region {
    /// First column.
    pub x: usize,
    /// First row.
    pub y: usize,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Its outline.
    #[serde(default)]
    pub outline: Outline,
}

impl Region {
    /// The rectangle that covers everything.
    pub fn whole(shape: Shape) -> Self {
        Self { x: 0, y: 0, width: shape.columns, height: shape.rows, outline: Outline::Rectangle }
    }

    /// The shape that is left.
    pub fn shape(self) -> Shape {
        Shape { rows: self.height, columns: self.width }
    }

    /// Checks that the region lies in an image and is not empty.
    ///
    /// # Errors
    /// If it does not, with the size of the image.
    pub fn check(self, image: Shape, kind: SignalKind) -> Result<(), PrepareError> {
        let ends = |first: usize, n: usize, all: usize| n > 0 && first.checked_add(n).is_some_and(|end| end <= all);
        match ends(self.x, self.width, image.columns) && ends(self.y, self.height, image.rows) {
            true => Ok(()),
            false => Err(PrepareError::Region { region: self, noun: kind.noun(), size: kind.size(image.rows, image.columns) }),
        }
    }

    /// Whether a pixel of the region, counted from its corner, is inside its outline.
    pub fn has_inside(self, row: usize, column: usize) -> bool {
        let offset = |index: usize, n: usize| (2.0 * index as f64 + 1.0) / n as f64 - 1.0;
        self.outline == Outline::Rectangle || offset(column, self.width).hypot(offset(row, self.height)) <= 1.0
    }

    /// The nearest region in the image: smaller where it is too large, and moved inside.
    #[must_use]
    pub fn within(self, image: Shape) -> Self {
        let [width, height] = [self.width.clamp(1, image.columns.max(1)), self.height.clamp(1, image.rows.max(1))];
        let (x, y) = (self.x.min(image.columns.saturating_sub(width)), self.y.min(image.rows.saturating_sub(height)));
        Self { x, y, width, height, ..self }
    }

    /// The region moved by some columns and rows, as far as the image allows.
    #[must_use]
    pub fn moved(self, [columns, rows]: [i64; 2], image: Shape) -> Self {
        let by = |first: usize, by: i64| first.saturating_add_signed(by as isize);
        Self { x: by(self.x, columns), y: by(self.y, rows), ..self }.within(image)
    }

    /// The region about the same middle, with sides of the nearest size that `fits` gives at or below, inside the image.
    #[must_use]
    pub fn snapped(self, to: Snap, image: Shape) -> Self {
        let side = |first: usize, n: usize, all: usize| {
            let size = to.nearest(n, all);
            ((first + n / 2).saturating_sub(size / 2), size)
        };
        let ((x, width), (y, height)) = (side(self.x, self.width, image.columns), side(self.y, self.height, image.rows));
        Self { x, y, width, height, ..self }.within(image)
    }
}

/// Sizes that a region snaps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Snap {
    /// Products of 2, 3, 5 and 7.
    Fast,
    /// Powers of two.
    Power,
}

impl Snap {
    /// The nearest such size to `n`, at most `most`.
    fn nearest(self, n: usize, most: usize) -> usize {
        let fits = |size: usize| if self == Self::Fast { fast_size(size) == size } else { size.is_power_of_two() };
        let below = (1..=n.clamp(1, most)).rev().find(|&size| fits(size)).unwrap_or(1);
        let above = if self == Self::Fast { fast_size(n) } else { n.next_power_of_two() };
        if above <= most && above - n < n - below.min(n) { above } else { below }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { x, y, width, height, outline } = self;
        let outline = if *outline == Outline::Ellipse { ":ellipse" } else { "" };
        write!(f, "{x},{y},{width},{height}{outline}")
    }
}

impl FromStr for Region {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (numbers, outline) = match text.split_once(':') {
            None => (text, Outline::Rectangle),
            Some((numbers, outline)) if outline.eq_ignore_ascii_case("ellipse") => (numbers, Outline::Ellipse),
            Some((_, other)) => return Err(format!("“{other}” is no outline: write ellipse, or leave it out")),
        };
        let numbers: Result<Vec<usize>, _> = numbers.split(',').map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[x, y, width, height]) => Ok(Self { x, y, width, height, outline }),
            _ => Err("a region is X,Y,WIDTH,HEIGHT in pixels, such as 100,50,256,256 or 100,50,256,256:ellipse".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: Shape = Shape { rows: 60, columns: 100 };

    fn region(text: &str) -> Region {
        text.parse().expect("a region")
    }

    #[test]
    fn a_region_is_typed_and_checked() {
        assert_eq!(region("10,20,30,40:ellipse").to_string(), "10,20,30,40:ellipse");
        for wrong in ["", "1,2,3", "1,2,3,4,5", "-1,2,3,4", "1,2,3,4:star"] {
            assert!(wrong.parse::<Region>().is_err(), "{wrong}");
        }
        assert!(region("0,0,100,60").check(IMAGE, SignalKind::Image).is_ok());
        for outside in ["90,0,11,5", "0,60,1,1", "0,0,0,5", "18446744073709551615,0,2,2"] {
            let told = region(outside).check(IMAGE, SignalKind::Image).expect_err(outside).to_string();
            assert!(told.contains("100 × 60 px") && !told.contains('\n'), "{told}");
        }
    }

    #[test]
    fn a_region_stays_in_the_image() {
        assert_eq!(region("90,50,20,20").within(IMAGE), region("80,40,20,20"));
        assert_eq!(region("10,10,20,20").moved([-15, 100], IMAGE), region("0,40,20,20"));
        assert_eq!(region("0,0,500,10").within(IMAGE), region("0,0,100,10"));
    }

    #[test]
    fn regions_snap_to_sizes() {
        assert_eq!(region("10,10,33,23").snapped(Snap::Power, IMAGE).shape(), Shape { rows: 16, columns: 32 });
        assert_eq!(region("10,10,33,23").snapped(Snap::Fast, IMAGE).shape(), Shape { rows: 24, columns: 32 });
        assert_eq!(region("0,0,100,60").snapped(Snap::Power, IMAGE).shape(), Shape { rows: 32, columns: 64 });
    }

    #[test]
    fn an_ellipse_touches_the_sides() {
        let ellipse = region("0,0,9,5:ellipse");
        assert!(ellipse.has_inside(2, 0) && ellipse.has_inside(0, 4) && !ellipse.has_inside(0, 0) && !ellipse.has_inside(4, 8));
        let n =
            (0..5).flat_map(|row| (0..9).map(move |column| (row, column))).filter(|&(row, column)| ellipse.has_inside(row, column)).count();
        assert!((n as f64 - std::f64::consts::PI / 4.0 * 45.0).abs() < 4.0, "{n}");
    }
}
