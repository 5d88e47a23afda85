//! Points and boxes in the unit of a drawing: a printer's point in files, a screen point at 100 % zoom.

use crate::figure::{Anchor, Position};

/// A point of the drawing; y grows downwards.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// From left to right.
    pub x: f32,
    /// From top to bottom.
    pub y: f32,
}

impl Point {
    /// The point at (x, y).
    pub fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// The point at the fraction `part` of the way to `other`.
    pub fn towards(self, other: Self, part: f32) -> Self {
        Self::new(self.x + part * (other.x - self.x), self.y + part * (other.y - self.y))
    }
}

impl From<Point> for Position {
    fn from(Point { x, y }: Point) -> Self {
        [x, y]
    }
}

/// A box with sides along the axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// The top left corner.
    pub min: Point,
    /// The bottom right corner.
    pub max: Point,
}

impl Rect {
    /// The box between two corners.
    pub fn new(min: Point, max: Point) -> Self {
        Self { min, max }
    }

    /// The box of a text of this width and height whose anchor is at `at`.
    pub fn of_text(at: Point, anchor: Anchor, width: f32, height: f32) -> Self {
        let left = at.x - anchor.part() * width;
        Self::new(Point::new(left, at.y - height / 2.0), Point::new(left + width, at.y + height / 2.0))
    }

    /// The top left and the bottom right corner.
    pub fn corners(self) -> [Position; 2] {
        [self.min, self.max].map(Position::from)
    }

    /// From left to right.
    pub fn width(self) -> f32 {
        self.max.x - self.min.x
    }

    /// From top to bottom.
    pub fn height(self) -> f32 {
        self.max.y - self.min.y
    }

    /// The smallest box around both.
    pub fn union(self, other: Self) -> Self {
        let min = Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y));
        Self::new(min, Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)))
    }

    /// The box with its corners in other places.
    pub fn placed(self, place: impl Fn(Point) -> Point) -> Self {
        Self::new(place(self.min), place(self.max))
    }

    /// Whether the boxes have an area in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.min.x < other.max.x && other.min.x < self.max.x && self.min.y < other.max.y && other.min.y < self.max.y
    }

    /// The box, larger by `margin` on every side.
    pub fn grown(self, margin: f32) -> Self {
        Self::new(Point::new(self.min.x - margin, self.min.y - margin), Point::new(self.max.x + margin, self.max.y + margin))
    }
}

/// Where a text is relative to the height of its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Centred on it.
    On,
    /// Above it, as on a line.
    Above,
    /// Below it.
    Below,
}
