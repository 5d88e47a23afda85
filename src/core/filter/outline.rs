//! Shapes as lines to be drawn, which shape a frequency lies in, and how shapes move.

use super::reach::MaskPart;
use super::{Effect, MaskForm};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, TAU};

/// A corner is dragged where both coordinates are this close to the edge, as a part of the half sides.
const CORNER: f64 = 0.8;
/// Points of a circle.
const STEPS: usize = 72;

impl MaskForm {
    /// Lines around what the shape covers, as points (u, v); mates included.
    pub fn outlines(&self) -> Vec<Vec<[f64; 2]>> {
        if let Self::Ring { from, to } = *self {
            return [from, to].into_iter().filter(|radius| *radius > 0.0).map(|radius| oval([0.0; 2], [radius; 2])).collect();
        }
        MaskPart::of(self, Effect::Cut, 0.0).iter().flat_map(part_outlines).collect()
    }

    /// Whether a frequency lies within the edge of the shape.
    pub fn contains(&self, [u, v]: [f64; 2]) -> bool {
        if let Self::Ring { from, to } = *self {
            return (from..=to).contains(&u.hypot(v));
        }
        // A step so wide that stripes can be hit.
        MaskPart::of(self, Effect::Cut, 0.01).iter().any(|part| part.reach([u, v]).is_some_and(|reach| reach.ratio <= 1.0))
    }

    /// The shape moved by a drag from one frequency to another: its centre follows, and a direction turns.
    #[must_use]
    pub fn moved(&self, from: [f64; 2], to: [f64; 2]) -> Self {
        let mut moved = self.clone();
        let by = [to[0] - from[0], to[1] - from[1]];
        let turn = (to[1].atan2(to[0]) - from[1].atan2(from[0])).to_degrees();
        match &mut moved {
            Self::Spots { u, v, .. } | Self::Rectangle { u, v, .. } | Self::Ellipse { u, v, .. } => {
                // A drag of the mate moves the shape the other way.
                let is_mate = (from[0] - *u).hypot(from[1] - *v) > (from[0] + *u).hypot(from[1] + *v);
                let sign = if is_mate { -1.0 } else { 1.0 };
                (*u, *v) = ((*u + sign * by[0]).clamp(-0.5, 0.5), (*v + sign * by[1]).clamp(-0.5, 0.5));
            }
            Self::Brush { points, .. } => {
                points.iter_mut().for_each(|point| *point = [(point[0] + by[0]).clamp(-0.5, 0.5), (point[1] + by[1]).clamp(-0.5, 0.5)]);
            }
            Self::Wedge { angle, .. } | Self::Stripes { angle, .. } => *angle = (*angle + turn + 90.0).rem_euclid(180.0) - 90.0,
            Self::Ring { from: inner, to: outer } => {
                let by = (to[0].hypot(to[1]) - from[0].hypot(from[1])).clamp(-*inner, FRAC_1_SQRT_2 - *outer);
                if *inner > 0.0 || *outer + by > 0.0 {
                    (*inner, *outer) = (if *inner > 0.0 { *inner + by } else { 0.0 }, *outer + by);
                }
            }
            Self::Lattice { .. } => {}
        }
        moved
    }

    /// The shape with the point `from` of its outline dragged to another frequency; lengths stay at least `least`.
    /// Sides and radii follow, and shapes without them move.
    #[must_use]
    pub fn stretched(&self, from: [f64; 2], to: [f64; 2], least: f64) -> Self {
        let mut stretched = self.clone();
        match &mut stretched {
            Self::Ring { from: inner, to: outer } => {
                let (at, radius) = (from[0].hypot(from[1]), to[0].hypot(to[1]));
                match *inner > 0.0 && (at - *inner).abs() < (at - *outer).abs() {
                    true => *inner = radius.clamp(0.0, *outer - least),
                    false => *outer = radius.clamp(*inner + least, FRAC_1_SQRT_2),
                }
            }
            Self::Spots { u, v, .. } | Self::Rectangle { u, v, .. } | Self::Ellipse { u, v, .. } => {
                let is_mate = (from[0] - *u).hypot(from[1] - *v) > (from[0] + *u).hypot(from[1] + *v);
                let own = |at: [f64; 2]| if is_mate { at.map(|at| -at) } else { at };
                let (centre, from, to) = ([*u, *v], own(from), own(to));
                match &mut stretched {
                    Self::Rectangle { width, height, .. } | Self::Ellipse { width, height, .. } => {
                        let reach = [(from[0] - centre[0]).abs() / *width, (from[1] - centre[1]).abs() / *height];
                        let most = reach[0].max(reach[1]);
                        for (k, side) in [width, height].into_iter().enumerate() {
                            if reach[k] >= CORNER * most {
                                *side = 2.0 * (to[k] - centre[k]).abs().max(least);
                            }
                        }
                    }
                    _ => return self.resized(to, least),
                }
            }
            Self::Wedge { .. } => return self.resized(to, least),
            Self::Lattice { .. } | Self::Brush { .. } | Self::Stripes { .. } => return self.moved(from, to),
        }
        stretched
    }

    /// Whether the inside of the shape can be grabbed, as it has a place of its own; the others are grabbed at their outlines.
    pub fn has_body(&self) -> bool {
        matches!(self, Self::Spots { .. } | Self::Rectangle { .. } | Self::Ellipse { .. } | Self::Brush { .. })
    }

    /// The shape with equal sides, the longer one, where it has two.
    #[must_use]
    pub fn squared(mut self) -> Self {
        if let Self::Rectangle { width, height, .. } | Self::Ellipse { width, height, .. } = &mut self {
            let side = width.max(*height);
            (*width, *height) = (side, side);
        }
        self
    }

    /// The point at which the shape is resized.
    pub fn handle(&self) -> Option<[f64; 2]> {
        match *self {
            Self::Spots { u, v, radius } => Some([u + radius, v]),
            Self::Ring { to, .. } => Some([to, 0.0]),
            Self::Rectangle { u, v, width, height } | Self::Ellipse { u, v, width, height } => Some([u + width / 2.0, v + height / 2.0]),
            Self::Wedge { angle, width } => Some(at_angle(0.35, angle + width / 2.0)),
            Self::Lattice { a, .. } => Some(a),
            Self::Brush { .. } | Self::Stripes { .. } => None,
        }
    }

    /// The shape with its handle at a frequency; lengths stay at least `least`.
    #[must_use]
    pub fn resized(&self, [x, y]: [f64; 2], least: f64) -> Self {
        let mut resized = self.clone();
        match &mut resized {
            Self::Spots { u, v, radius } => *radius = (x - *u).hypot(y - *v).max(least),
            Self::Ring { from, to } => *to = x.hypot(y).clamp(*from + least, FRAC_1_SQRT_2),
            Self::Rectangle { u, v, width, height } | Self::Ellipse { u, v, width, height } => {
                (*width, *height) = (2.0 * (x - *u).abs().max(least), 2.0 * (y - *v).abs().max(least));
            }
            Self::Wedge { angle, width } => {
                let away = (y.atan2(x).to_degrees() - *angle + 90.0).rem_euclid(180.0) - 90.0;
                *width = (2.0 * away.abs()).clamp(0.5, 179.0);
            }
            Self::Lattice { a, .. } => *a = [x, y],
            Self::Brush { .. } | Self::Stripes { .. } => {}
        }
        resized
    }
}

fn at_angle(radius: f64, degrees: f64) -> [f64; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [radius * cos, radius * sin]
}

/// An ellipse with axes along u and v.
fn oval(centre: [f64; 2], half: [f64; 2]) -> Vec<[f64; 2]> {
    let at = |step: usize| {
        let (sin, cos) = (step as f64 / STEPS as f64 * TAU).sin_cos();
        [centre[0] + half[0] * cos, centre[1] + half[1] * sin]
    };
    (0..=STEPS).map(at).collect()
}

/// Lines through the middle at these angles in radians.
fn rays(angles: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let end = |angle: f64, radius: f64| [radius * angle.cos(), radius * angle.sin()];
    angles.into_iter().map(|angle| vec![end(angle, -FRAC_1_SQRT_2), [0.0; 2], end(angle, FRAC_1_SQRT_2)]).collect()
}

fn part_outlines(part: &MaskPart) -> Vec<Vec<[f64; 2]>> {
    match *part {
        MaskPart::Ellipse { centre, half } => vec![oval(centre, half)],
        MaskPart::Rectangle { centre: [u, v], half: [a, b] } => {
            vec![[[-a, -b], [a, -b], [a, b], [-a, b], [-a, -b]].map(|[x, y]| [u + x, v + y]).to_vec()]
        }
        MaskPart::Capsule { from, along, radius } => {
            let angle = along[1].atan2(along[0]);
            let half = |centre: [f64; 2], start: f64| {
                (0..=STEPS / 2).map(move |step| {
                    let (sin, cos) = (start + step as f64 / (STEPS / 2) as f64 * PI).sin_cos();
                    [centre[0] + radius * cos, centre[1] + radius * sin]
                })
            };
            let to = [from[0] + along[0], from[1] + along[1]];
            let mut line: Vec<[f64; 2]> = half(from, angle + FRAC_PI_2).chain(half(to, angle - FRAC_PI_2)).collect();
            line.extend(line.first().copied());
            vec![line]
        }
        MaskPart::Wedge { angle, half } => rays([angle - half, angle + half]),
        MaskPart::Stripes { along, tolerance, .. } => {
            let across = along[1].atan2(along[0]) + FRAC_PI_2;
            let half = tolerance.atan();
            rays([across - half, across + half])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_lie_on_the_edge() {
        let forms = [
            MaskForm::Spots { u: 0.2, v: -0.1, radius: 0.05 },
            MaskForm::Ellipse { u: 0.2, v: -0.1, width: 0.11, height: 0.05 },
            MaskForm::Rectangle { u: 0.2, v: -0.1, width: 0.11, height: 0.05 },
            MaskForm::Brush { points: vec![[0.1, 0.1], [0.2, 0.25]], radius: 0.03 },
            MaskForm::Wedge { angle: 25.0, width: 30.0 },
            MaskForm::Lattice { a: [0.21, 0.02], b: [0.0, 0.3], radius: 0.02 },
            MaskForm::Stripes { angle: 90.0, tolerance: 0.1, from: 0.0 },
        ];
        for form in forms {
            let lines = form.outlines();
            assert!(lines.len() >= 2, "{form:?}");
            for point in lines.iter().flatten().filter(|point| **point != [0.0; 2] && point.iter().all(|x| x.abs() < 0.5)) {
                let ratios = MaskPart::of(&form, Effect::Cut, 0.0).into_iter().filter_map(|part| part.reach(*point));
                let nearest = ratios.map(|reach| (reach.ratio - 1.0).abs()).fold(f64::INFINITY, f64::min);
                assert!(nearest < 1e-9, "{form:?} at {point:?}: {nearest}");
            }
        }
        assert_eq!(MaskForm::Ring { from: 0.0, to: 0.2 }.outlines().len(), 1);
    }

    #[test]
    fn shapes_follow_the_mouse() {
        let spot = MaskForm::Spots { u: 0.2, v: 0.1, radius: 0.05 };
        assert!(spot.contains([-0.2, -0.12]) && !spot.contains([0.2, -0.1]));
        assert_eq!(spot.moved([0.2, 0.1], [0.3, 0.05]), MaskForm::Spots { u: 0.3, v: 0.05, radius: 0.05 });
        let MaskForm::Spots { u, v, .. } = spot.moved([-0.2, -0.1], [-0.3, -0.05]) else { panic!("it stays a pair of spots") };
        assert!((u - 0.3).abs() < 1e-12 && (v - 0.05).abs() < 1e-12, "the mate moves the shape the other way");
        assert_eq!(spot.resized([0.2, 0.2], 0.001), MaskForm::Spots { u: 0.2, v: 0.1, radius: 0.1 });
        let MaskForm::Wedge { angle, .. } = (MaskForm::Wedge { angle: 80.0, width: 10.0 }).moved([0.1, 0.0], [0.1, 0.1]) else {
            panic!("it stays a wedge")
        };
        assert!((angle + 55.0).abs() < 1e-9, "80° and 45° are the direction of −55°: {angle}");
        let ring = MaskForm::Ring { from: 0.1, to: 0.2 }.moved([0.15, 0.0], [0.0, 0.25]);
        assert!(matches!(ring, MaskForm::Ring { from, to } if (from - 0.2).abs() < 1e-12 && (to - 0.3).abs() < 1e-12));
        assert!(ring.contains([0.0, -0.25]) && !ring.contains([0.1, 0.1]));
    }

    #[test]
    fn an_outline_that_is_dragged_takes_its_side_along() {
        let ring = MaskForm::Ring { from: 0.1, to: 0.2 };
        let after = |form: &MaskForm, from: [f64; 2], to: [f64; 2]| form.stretched(from, to, 0.01);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(matches!(after(&ring, [0.0, 0.2], [0.0, 0.3]), MaskForm::Ring { from, to } if near(from, 0.1) && near(to, 0.3)));
        assert!(matches!(after(&ring, [0.1, 0.0], [0.15, 0.0]), MaskForm::Ring { from, to } if near(from, 0.15) && near(to, 0.2)));
        assert!(matches!(after(&ring, [0.1, 0.0], [0.4, 0.0]), MaskForm::Ring { from, .. } if near(from, 0.19)), "never past the other");
        let spots = MaskForm::Spots { u: 0.2, v: 0.1, radius: 0.05 };
        assert!(matches!(after(&spots, [-0.25, -0.1], [-0.3, -0.1]), MaskForm::Spots { radius, .. } if near(radius, 0.1)), "the mate");
        let sides = |from, to| match after(&MaskForm::Rectangle { u: 0.2, v: 0.1, width: 0.2, height: 0.1 }, from, to) {
            MaskForm::Rectangle { width, height, .. } => [width, height].map(|side| (side * 1e6).round() / 1e6),
            other => panic!("{other:?}"),
        };
        assert_eq!(sides([0.3, 0.11], [0.35, 0.4]), [0.3, 0.1], "a side moves alone");
        assert_eq!(sides([0.21, 0.15], [0.5, 0.2]), [0.2, 0.2]);
        assert_eq!(sides([0.3, 0.15], [0.35, 0.2]), [0.3, 0.2], "a corner takes both");
        let square = MaskForm::Ellipse { u: 0.0, v: 0.2, width: 0.1, height: 0.3 }.squared();
        assert!(matches!(square, MaskForm::Ellipse { width: 0.3, height: 0.3, .. }));
    }
}
