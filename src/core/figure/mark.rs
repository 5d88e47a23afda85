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

    /// The same mark with its lines, symbols and texts larger by a factor, at the same points.
    #[must_use]
    pub fn scaled(mut self, factor: f32) -> Self {
        match &mut self {
            Self::Frame { radius, pen, .. } => (*radius, pen.width) = (*radius * factor, pen.width * factor),
            Self::Lines { pen, .. } => pen.width *= factor,
            Self::Symbol { radius, .. } => *radius *= factor,
            Self::Text { size, .. } => *size *= factor,
            Self::Fill { .. } | Self::Image { .. } | Self::Polygon { .. } => {}
        }
        self
    }

    /// The part of the mark between two upright lines; symbols, texts and polygons are whole or left out.
    #[must_use]
    pub fn between(mut self, [from, to]: [f32; 2]) -> Option<Self> {
        let is_inside = |[x, _]: Position| (from..=to).contains(&x);
        let is_kept = match &mut self {
            Self::Fill { corners: [low, high], .. }
            | Self::Frame { corners: [low, high], .. }
            | Self::Image { corners: [low, high], .. } => {
                (low[0], high[0]) = (low[0].max(from), high[0].min(to));
                low[0] < high[0]
            }
            Self::Lines { lines, .. } => {
                *lines = std::mem::take(lines).into_iter().flat_map(|line| pieces(line, [from, to])).collect();
                !lines.is_empty()
            }
            Self::Polygon { points, .. } => {
                let n = points.len().max(1) as f32;
                is_inside([points.iter().map(|[x, _]| x).sum::<f32>() / n, 0.0])
            }
            Self::Symbol { at, .. } | Self::Text { at, .. } => is_inside(*at),
        };
        is_kept.then_some(self)
    }
}

/// The pieces of a polyline between two upright lines; a line that lies there stays whole, so that its dashes run on.
fn pieces(line: Vec<Position>, [from, to]: [f32; 2]) -> Vec<Vec<Position>> {
    if line.iter().all(|[x, _]| (from..=to).contains(x)) {
        return vec![line];
    }
    let cut = |a: Position, b: Position| {
        let at = |x: f32| [x, a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0])];
        let end = |p: Position| if (from..=to).contains(&p[0]) { p } else { at(p[0].clamp(from, to)) };
        (a[0].max(b[0]) >= from && a[0].min(b[0]) <= to).then(|| vec![end(a), end(b)])
    };
    line.windows(2).filter_map(|pair| cut(pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_marks_between_its_ends() {
        let pen = Pen::solid(Ink::Black, 1.0);
        let line = Mark::line([[0.0, 0.0], [10.0, 20.0], [30.0, 20.0]], pen).between([5.0, 20.0]);
        assert_eq!(line, Some(Mark::Lines { lines: vec![vec![[5.0, 10.0], [10.0, 20.0]], vec![[10.0, 20.0], [20.0, 20.0]]], pen }));
        assert_eq!(Mark::line([[0.0, 0.0], [4.0, 0.0]], pen).between([5.0, 20.0]), None);
        let frame = |from: f32, to: f32| Mark::Frame { corners: [[from, 0.0], [to, 1.0]], radius: 0.0, pen };
        assert_eq!((frame(0.0, 9.0).between([5.0, 20.0]), frame(0.0, 4.0).between([5.0, 20.0])), (Some(frame(5.0, 9.0)), None));
        let text = |x: f32| Mark::text([x, 0.0], Anchor::Left, 8.0, "x", Ink::Black).between([5.0, 20.0]).is_some();
        assert_eq!([4.0, 5.0, 21.0].map(text), [false, true, false]);
    }
}
