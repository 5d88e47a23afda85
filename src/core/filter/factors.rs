//! From shapes to the factor H of every value, a row of the spectrum at a time.

use super::reach::{MaskPart, Reach};
use super::{Effect, Mask, MaskForm, ShapeEdge};
use crate::transforms::Shape;
use std::f64::consts::PI;

/// The shapes of a mask, prepared for a spectrum of one shape.
#[derive(Debug, Clone)]
pub struct MaskRows {
    shape: Shape,
    layers: Vec<Layer>,
    keep_mean: bool,
}

/// A shape that is switched on.
#[derive(Debug, Clone)]
struct Layer {
    form: MaskForm,
    effect: Effect,
    edge: ShapeEdge,
    parts: Vec<MaskPart>,
}

/// The signed frequency of an index of `n`, from −½ up to, but not including, ½.
fn frequency(index: usize, n: usize) -> f64 {
    let signed = if 2 * index >= n && n > 1 { index as f64 - n as f64 } else { index as f64 };
    signed / n as f64
}

/// Frequencies this close to the edge of a shape, in cycles, lie on it: 52 Hz is as far from 50 Hz as 48 Hz is, whatever rounding makes of both.
const RIM: f64 = 1e-12;

impl ShapeEdge {
    /// The coverage at q = `ratio`, a signed distance in pixels beyond the edge.
    fn coverage(self, Reach { ratio, beyond }: Reach, step: f64) -> f64 {
        match self {
            Self::Soft { pixels } if pixels > 0.0 => {
                let place = (beyond / (pixels * step) + 0.5).clamp(0.0, 1.0);
                0.5 + 0.5 * (PI * place).cos()
            }
            Self::Ideal | Self::Soft { .. } => f64::from(u8::from(beyond <= RIM)),
            Self::Butterworth { order } => 1.0 / (1.0 + power(ratio, 2.0 * order)),
            Self::Gaussian => (-0.5 * ratio * ratio).exp(),
        }
    }

    /// The low pass of this edge, at f with the cutoff F.
    fn low_pass(self, f: f64, cutoff: f64, step: f64) -> f64 {
        self.coverage(Reach { ratio: f / cutoff, beyond: f - cutoff }, step)
    }
}

/// x to a power that is mostly whole.
fn power(x: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 && exponent.abs() < 64.0 { x.powi(exponent as i32) } else { x.powf(exponent) }
}

impl MaskRows {
    /// Prepares the shapes that are switched on.
    pub fn new(mask: &Mask, shape: Shape) -> Self {
        let step = 1.0 / shape.rows.max(shape.columns).max(1) as f64;
        let layer = |shape: &super::MaskShape| Layer {
            parts: MaskPart::of(&shape.form, shape.effect, step),
            form: shape.form.clone(),
            effect: shape.effect,
            edge: shape.edge,
        };
        Self { shape, layers: mask.shapes.iter().filter(|shape| !shape.off).map(layer).collect(), keep_mean: mask.keep_mean }
    }

    /// Frequencies of two neighbours along the longer side differ by this.
    fn step(&self) -> f64 {
        1.0 / self.shape.rows.max(self.shape.columns).max(1) as f64
    }

    /// Fills in H of the first values of a row: all of them, or those of half a spectrum.
    ///
    /// # Panics
    /// When `factors` is longer than a row.
    pub fn fill(&self, row: usize, factors: &mut [f64]) {
        assert!(factors.len() <= self.shape.columns, "a row has {} values, not {}", self.shape.columns, factors.len());
        // Rows count downwards, and v points upwards.
        let v = -frequency(row, self.shape.rows);
        factors.fill(1.0);
        let (mut passing, mut covered) = (None::<Vec<f64>>, Vec::new());
        for layer in &self.layers {
            if let MaskForm::Ring { from, to } = layer.form {
                self.ring(layer, [from, to], v, factors);
                continue;
            }
            covered.clear();
            covered.resize(factors.len(), 0.0);
            self.cover(layer, v, &mut covered);
            match layer.effect {
                Effect::Cut => factors.iter_mut().zip(&covered).for_each(|(factor, cover)| *factor *= 1.0 - cover),
                Effect::Pass => {
                    let passing = passing.get_or_insert_with(|| vec![0.0; factors.len()]);
                    passing.iter_mut().zip(&covered).for_each(|(pass, cover)| *pass = cover.max(*pass));
                }
            }
        }
        if let Some(passing) = passing {
            factors.iter_mut().zip(passing).for_each(|(factor, pass)| *factor *= pass);
        }
        if self.keep_mean && row == 0 && !factors.is_empty() {
            factors[0] = 1.0;
        }
    }

    /// Multiplies by a ring: low(to)·(1 − low(from)), or 1 minus that.
    fn ring(&self, layer: &Layer, [from, to]: [f64; 2], v: f64, factors: &mut [f64]) {
        let step = self.step();
        for (column, factor) in factors.iter_mut().enumerate() {
            let u = frequency(column, self.shape.columns);
            let f = (u * u + v * v).sqrt();
            // Both rims belong to a ring of sharp edges.
            let rim = if layer.edge == ShapeEdge::Ideal { from - 2.0 * RIM } else { from };
            let inner = if from > 0.0 { layer.edge.low_pass(f, rim, step) } else { 0.0 };
            let band = layer.edge.low_pass(f, to, step) * (1.0 - inner);
            *factor *= if layer.effect == Effect::Pass { band } else { 1.0 - band };
        }
    }

    /// Adds the coverage by the parts of a shape.
    fn cover(&self, layer: &Layer, v: f64, covered: &mut [f64]) {
        let (n, step) = (self.shape.columns, self.step());
        let n_filled = covered.len();
        let joins_strokes = matches!(layer.form, MaskForm::Brush { .. });
        for part in &layer.parts {
            let mut add = |column: usize| {
                let Some(cover) = covered.get_mut(column) else { return };
                let coverage = self.coverage(layer, part, [frequency(column, n), v], step);
                // The strokes of a brush overlap and are one; discs count each on its own.
                *cover = if joins_strokes { cover.max(coverage) } else { 1.0 - (1.0 - *cover) * (1.0 - coverage) };
            };
            match part.bounds(layer.edge, step) {
                Some((centre, half)) => {
                    let away = v - centre[1];
                    // A little more than the box, against rounding; the distance decides.
                    let half = half.map(|half| half + 1e-9);
                    if (away - away.round()).abs() > half[1] {
                        continue;
                    }
                    let [first, last] = [centre[0] - half[0], centre[0] + half[0]].map(|u| u * n as f64);
                    let (first, last) = (first.ceil() as i64, last.floor() as i64);
                    let last = last.min(first + n as i64 - 1);
                    (first..=last).for_each(|index| add(index.rem_euclid(n as i64) as usize));
                }
                None => (0..n_filled).for_each(&mut add),
            }
        }
    }

    /// The coverage of a frequency by a part.
    fn coverage(&self, layer: &Layer, part: &MaskPart, [u, v]: [f64; 2], step: f64) -> f64 {
        let one = |at: [f64; 2]| match part.reach(at) {
            Some(reach) => layer.edge.coverage(reach, step),
            // A shape of directions cuts no mean, and passes it.
            None => f64::from(u8::from(layer.effect == Effect::Pass && at == [0.0; 2])),
        };
        // The highest frequency is that of both signs: with either, the mate of (u, v) is covered alike.
        let is_highest = u.abs() == 0.5 || v.abs() == 0.5;
        if is_highest && matches!(part, MaskPart::Wedge { .. } | MaskPart::Stripes { .. }) {
            one([u, v]).max(one([u, -v]))
        } else {
            one([u, v])
        }
    }
}

#[cfg(test)]
mod tests;
