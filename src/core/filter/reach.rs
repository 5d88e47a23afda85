//! The distance of a frequency from the parts of a shape.

use super::{Effect, MaskForm, ShapeEdge};
use std::f64::consts::PI;

/// The most discs of a lattice along one direction, so that tiny vectors stay harmless.
const MOST_MULTIPLES: i64 = 256;

/// How far a frequency lies from the middle of a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The distance as a part of that of the edge.
    pub(super) ratio: f64,
    /// The distance beyond the edge in cycles, negative inside.
    pub(super) beyond: f64,
}

/// A part of a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum MaskPart {
    /// A disc, as an ellipse of equal sides.
    Ellipse {
        centre: [f64; 2],
        half: [f64; 2],
    },
    Rectangle {
        centre: [f64; 2],
        half: [f64; 2],
    },
    /// The area within a distance of a line from one point to the next.
    Capsule {
        from: [f64; 2],
        along: [f64; 2],
        radius: f64,
    },
    Wedge {
        angle: f64,
        half: f64,
    },
    Stripes {
        along: [f64; 2],
        tolerance: f64,
        from: f64,
        least: f64,
    },
}

/// The difference of two frequencies within −½ to ½: spectra repeat.
fn wrapped(difference: f64) -> f64 {
    difference - difference.round()
}

impl MaskPart {
    /// The parts of a shape, mates included; `step` is the distance of two frequencies. A ring has none, as it has two edges.
    pub(super) fn of(form: &MaskForm, effect: Effect, step: f64) -> Vec<Self> {
        match *form {
            MaskForm::Ring { .. } => Vec::new(),
            MaskForm::Spots { u, v, radius } => {
                with_mate([u, v]).into_iter().map(|centre| Self::Ellipse { centre, half: [radius; 2] }).collect()
            }
            MaskForm::Rectangle { u, v, width, height } => {
                let half = [width / 2.0, height / 2.0];
                with_mate([u, v]).into_iter().map(|centre| Self::Rectangle { centre, half }).collect()
            }
            MaskForm::Ellipse { u, v, width, height } => {
                let half = [width / 2.0, height / 2.0];
                with_mate([u, v]).into_iter().map(|centre| Self::Ellipse { centre, half }).collect()
            }
            MaskForm::Brush { ref points, radius } => {
                let end = points.last().copied();
                let ends = points.iter().zip(points.iter().skip(1).chain(end.as_ref()));
                let strokes = ends.filter(|(a, b)| points.len() == 1 || a != b);
                let both = strokes.flat_map(|(a, b)| {
                    let along = [b[0] - a[0], b[1] - a[1]];
                    [Self::Capsule { from: *a, along, radius }, Self::Capsule { from: a.map(|x| -x), along: along.map(|x| -x), radius }]
                });
                both.collect()
            }
            MaskForm::Lattice { a, b, radius } => {
                let keeps_mean = effect == Effect::Cut;
                let centres = lattice(a, b).into_iter().filter(|centre| !(keeps_mean && *centre == [0.0; 2]));
                centres.map(|centre| Self::Ellipse { centre, half: [radius; 2] }).collect()
            }
            MaskForm::Wedge { angle, width } => vec![Self::Wedge { angle: angle.to_radians(), half: width.to_radians() / 2.0 }],
            MaskForm::Stripes { angle, tolerance, from } => {
                vec![Self::Stripes { along: direction(angle), tolerance, from, least: step / 2.0 }]
            }
        }
    }

    /// How far (u, v) lies from the part; `None` where it belongs to the middle of directions, or below their least frequency.
    pub(super) fn reach(&self, [u, v]: [f64; 2]) -> Option<Reach> {
        let ratio_of = |distance: f64, edge: f64| Reach { ratio: distance / edge, beyond: distance - edge };
        Some(match *self {
            Self::Ellipse { centre, half } => {
                let [x, y] = [wrapped(u - centre[0]), wrapped(v - centre[1])];
                if half[0] == half[1] {
                    return Some(ratio_of((x * x + y * y).sqrt(), half[0]));
                }
                let ratio = (x / half[0]).hypot(y / half[1]);
                Reach { ratio, beyond: (ratio - 1.0) * half[0].min(half[1]) }
            }
            Self::Rectangle { centre, half } => {
                let [x, y] = [wrapped(u - centre[0]).abs(), wrapped(v - centre[1]).abs()];
                Reach { ratio: (x / half[0]).max(y / half[1]), beyond: (x - half[0]).max(y - half[1]) }
            }
            Self::Capsule { from, along, radius } => {
                let [x, y] = [wrapped(u - from[0]), wrapped(v - from[1])];
                let length = along[0] * along[0] + along[1] * along[1];
                let share = if length > 0.0 { ((x * along[0] + y * along[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
                ratio_of((x - share * along[0]).hypot(y - share * along[1]), radius)
            }
            Self::Wedge { angle, half } => {
                let turn = (v.atan2(u) - angle).rem_euclid(PI);
                let turn = turn.min(PI - turn);
                (u != 0.0 || v != 0.0).then_some(Reach { ratio: turn / half, beyond: (turn - half) * u.hypot(v) })?
            }
            Self::Stripes { along, tolerance, from, least } => {
                let [beside, across] = [(u * along[0] + v * along[1]).abs(), (v * along[0] - u * along[1]).abs()];
                // Sines of a right angle are not quite 0.
                let beside = if beside < 1e-12 { 0.0 } else { beside };
                let is_covered = (u != 0.0 || v != 0.0) && across >= from;
                is_covered.then_some(ratio_of(beside, (tolerance * across).max(least)))?
            }
        })
    }

    /// Centre and half sides of the box outside which nothing is covered; `None` where the part is unbounded.
    pub(super) fn bounds(&self, edge: ShapeEdge, step: f64) -> Option<([f64; 2], [f64; 2])> {
        let (centre, half) = match *self {
            Self::Ellipse { centre, half } | Self::Rectangle { centre, half } => (centre, half),
            Self::Capsule { from, along, radius } => {
                ([from[0] + along[0] / 2.0, from[1] + along[1] / 2.0], along.map(|length| length.abs() / 2.0 + radius))
            }
            Self::Wedge { .. } | Self::Stripes { .. } => return None,
        };
        // Beyond nine times its width, a Gaussian is less than a rounding of 1.
        const GAUSSIAN: f64 = 9.0;
        match edge {
            ShapeEdge::Ideal => Some((centre, half)),
            ShapeEdge::Soft { pixels } => Some((centre, half.map(|half| half * (1.0 + pixels * step / half.max(f64::MIN_POSITIVE))))),
            ShapeEdge::Gaussian => Some((centre, half.map(|half| GAUSSIAN * half))),
            ShapeEdge::Butterworth { .. } => None,
        }
    }
}

/// The unit vector of an angle in degrees.
fn direction(angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.to_radians().sin_cos();
    [cos, sin]
}

/// A centre and its mate; only one where both are the same frequency.
fn with_mate(centre: [f64; 2]) -> Vec<[f64; 2]> {
    let is_own_mate = centre.iter().all(|x| wrapped(2.0 * x) == 0.0);
    if is_own_mate { vec![centre] } else { vec![centre, centre.map(|x| -x)] }
}

/// The sums m·a + n·b within ±½, each frequency once.
fn lattice(a: [f64; 2], b: [f64; 2]) -> Vec<[f64; 2]> {
    let area = (a[0] * b[1] - a[1] * b[0]).abs();
    // The corner of the square is √½ away; a multiple of a vector reaches there within this number.
    let most = |other: [f64; 2]| {
        let needed = if area > 0.0 { std::f64::consts::FRAC_1_SQRT_2 * other[0].hypot(other[1]) / area } else { 0.0 };
        (needed.ceil() as i64).clamp(0, MOST_MULTIPLES)
    };
    let (m, n) = (most(b), most(a));
    let sums = (-m..=m).flat_map(|i| (-n..=n).map(move |j| (i as f64, j as f64)));
    let sums = sums.map(|(i, j)| [i * a[0] + j * b[0], i * a[1] + j * b[1]]);
    // Of −½ and ½ along an axis, which are one frequency, one is taken.
    sums.filter(|sum| sum.iter().all(|x| *x >= -0.5 && *x < 0.5)).collect()
}
