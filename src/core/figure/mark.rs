//! The marks of figures, in points; y grows downwards.

use super::Ink;
use std::sync::Arc;

/// A position (x, y) in points.
pub type Position = [f32; 2];

/// The point of a text that its position names; the text is centred vertically.
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
    /// The part of the text in front of its position.
    pub fn part(self) -> f32 {
        match self {
            Self::Left => 0.0,
            Self::Centre => 0.5,
            Self::Right => 1.0,
        }
    }
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub ink: Ink,
    /// Its width.
    pub width: f32,
    /// Lengths of dashes and gaps in turn; none for a solid line.
    pub dash: &'static [f32],
}

impl Pen {
    /// A pen for solid lines.
    pub const fn solid(ink: Ink, width: f32) -> Self {
        Self { ink, width, dash: &[] }
    }
}

/// The symbol of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// A filled circle.
    Disc,
    /// A filled square.
    Square,
    /// A filled triangle.
    Triangle,
    /// A filled square on its corner.
    Diamond,
    /// A circle.
    Ring,
    /// A cross, for wrong results.
    Cross,
}

/// The shape of a symbol around its position.
pub enum SymbolShape {
    /// A filled circle.
    Disc,
    /// A circle, drawn with a pen.
    Ring(Pen),
    /// A filled polygon.
    Polygon(Vec<Position>),
    /// Two strokes.
    Strokes(Vec<Vec<Position>>, Pen),
}

impl Symbol {
    /// The shape, in this colour.
    pub fn shape(self, [x, y]: Position, radius: f32, ink: Ink) -> SymbolShape {
        let at = |[dx, dy]: [f32; 2]| [x + dx * radius, y + dy * radius];
        let polygon = |corners: &[Position]| SymbolShape::Polygon(corners.iter().copied().map(at).collect());
        match self {
            Self::Disc => SymbolShape::Disc,
            Self::Ring => SymbolShape::Ring(Pen::solid(ink, 1.4)),
            Self::Square => polygon(&[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]),
            Self::Triangle => polygon(&[[0.0, -1.2], [1.1, 0.9], [-1.1, 0.9]]),
            Self::Diamond => polygon(&[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]]),
            Self::Cross => {
                let strokes = [[[-1.0, -1.0], [1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]];
                SymbolShape::Strokes(strokes.map(|ends| ends.map(at).to_vec()).to_vec(), Pen::solid(ink, 2.0))
            }
        }
    }
}

/// Pixels of an image, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// Pixels across and down.
    pub size: [usize; 2],
    /// Red, green and blue of every pixel.
    pub rgb: Arc<Vec<u8>>,
}

/// One element to paint.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle.
    Fill {
        /// The top left and the bottom right corner.
        corners: [Position; 2],
        /// Its colour.
        ink: Ink,
    },
    /// The outline of a rectangle.
    Frame {
        /// The top left and the bottom right corner.
        corners: [Position; 2],
        /// The radius of its corners.
        radius: f32,
        /// How it is drawn.
        pen: Pen,
    },
    /// Polylines drawn with one pen.
    Lines {
        /// The points of every line.
        lines: Vec<Vec<Position>>,
        /// How they are drawn.
        pen: Pen,
    },
    /// An image, stretched between its corners; its pixels keep sharp edges.
    Image {
        /// The top left and the bottom right corner.
        corners: [Position; 2],
        /// The pixels.
        raster: Raster,
    },
    /// A filled polygon.
    Polygon {
        /// The corners.
        points: Vec<Position>,
        /// Its colour.
        ink: Ink,
    },
    /// The symbol of a point.
    Symbol {
        /// Its centre.
        at: Position,
        /// Its shape.
        symbol: Symbol,
        /// Half its width.
        radius: f32,
        /// Its colour.
        ink: Ink,
    },
    /// A text; [`script_runs`](super::script_runs) says which of its characters are raised and lowered.
    Text {
        /// The position of its anchor.
        at: Position,
        /// Its anchor.
        anchor: Anchor,
        /// Its size.
        size: f32,
        /// The text itself.
        text: String,
        /// Its colour.
        ink: Ink,
        /// Whether it runs upwards.
        upwards: bool,
    },
}

impl Mark {
    /// One line.
    pub fn line(points: impl Into<Vec<Position>>, pen: Pen) -> Self {
        Self::Lines { lines: vec![points.into()], pen }
    }

    /// A text that runs from left to right.
    pub fn text(at: Position, anchor: Anchor, size: f32, text: impl Into<String>, ink: Ink) -> Self {
        Self::Text { at, anchor, size, text: text.into(), ink, upwards: false }
    }

    /// The same mark with every point in another place.
    #[must_use]
    pub fn placed(mut self, place: impl Fn(Position) -> Position) -> Self {
        let put = |position: &mut Position| *position = place(*position);
        match &mut self {
            Self::Fill { corners, .. } | Self::Frame { corners, .. } | Self::Image { corners, .. } => corners.iter_mut().for_each(put),
            Self::Lines { lines, .. } => lines.iter_mut().flatten().for_each(put),
            Self::Polygon { points, .. } => points.iter_mut().for_each(put),
            Self::Symbol { at, .. } | Self::Text { at, .. } => put(at),
        }
        self
    }
}
