//! Points and boxes in the unit of a drawing: a printer's point in files, a screen point at 100 % zoom.

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

/// Where a text stands relative to the height of its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Centred on it.
    On,
    /// Above it, as on a line.
    Above,
    /// Below it.
    Below,
}

/// Which point of a text its position names; the text is centred vertically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Left,
    /// Its middle.
    Centre,
    /// Its right end.
    Right,
}

impl Anchor {
    /// The box of a text of this width and height whose anchor is at `at`.
    pub fn bounds(self, at: Point, width: f32, height: f32) -> Rect {
        let left = match self {
            Self::Left => at.x,
            Self::Centre => at.x - width / 2.0,
            Self::Right => at.x - width,
        };
        Rect::new(Point::new(left, at.y - height / 2.0), Point::new(left + width, at.y + height / 2.0))
    }
}
