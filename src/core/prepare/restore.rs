//! The way back from prepared samples: what was changed in them is brought to the samples that they were made from.
//!
//! Region, mean, plane, smooth part and padding only add or leave out, so that they need no arithmetic: the change of a sample is that of its prepared one.
//! A window multiplies, and the change is divided by its factor.

use super::window::Weights;
use super::{Preparation, Region, Sample, Window};
use crate::signal::Samples;
use crate::threads;
use crate::transforms::{Axes, Shape};

/// Samples where the factor of the window is smaller stay as they were: what leaks there from the middle would be magnified.
pub const LEAST_WEIGHT: f64 = 0.25;

/// The way back from samples that were prepared.
pub struct Restoration {
    region: Region,
    /// The columns of the given samples.
    columns: usize,
    prepared: Shape,
    weights: Option<Weights>,
}

impl Preparation {
    /// The way back for samples of a shape that were prepared for a transform along `axes`, of rows or of whole images; the region fits.
    pub fn restoration(&self, given: Shape, axes: Axes) -> Restoration {
        let region = self.region.unwrap_or(Region::whole(given));
        let has_window = self.window.shape != Window::None;
        let weights = has_window.then(|| self.window.over(region.height, region.width, axes == Axes::Both));
        Restoration { region, columns: given.columns, prepared: self.shape(given, axes), weights }
    }
}

impl Restoration {
    /// The given samples with the change of the prepared ones, both of one type in floating point.
    #[must_use]
    pub fn restored(&self, given: Samples, change: &Samples) -> Samples {
        macro_rules! restored {
            ($($kind:ident),*) => {
                match (given, change) {
                    $((Samples::$kind(mut given), Samples::$kind(change)) => {
                        self.add(&mut given, change);
                        Samples::$kind(given)
                    })*
                    (given, _) => given,
                }
            };
        }
        restored!(F32, F64, Complex32, Complex64)
    }

    /// The part of the samples of the region that stay as they were, as the window is near 0 there.
    pub fn kept_share(&self) -> f64 {
        let Some(weights) = &self.weights else { return 0.0 };
        let Region { width, height, .. } = self.region;
        let kept = |row: usize| (0..width).filter(|&column| weights.at(row, column) < LEAST_WEIGHT).count();
        threads::map(height, &kept).into_iter().sum::<usize>() as f64 / (width * height).max(1) as f64
    }

    fn add<T: Sample>(&self, given: &mut [T], change: &[T]) {
        let Region { x, y, width, height, .. } = self.region;
        let (rows, columns) = (height.min(self.prepared.rows), width.min(self.prepared.columns));
        let end = given.len().min((y + rows) * self.columns);
        threads::for_each_chunk(&mut given[y * self.columns..end], self.columns.max(1), &|row, given| {
            let change = &change[row * self.prepared.columns..];
            for (column, (given, change)) in given[x..].iter_mut().zip(&change[..columns]).enumerate() {
                let weight = self.weights.as_ref().map_or(1.0, |weights| weights.at(row, column));
                if weight >= LEAST_WEIGHT && self.region.has_inside(row, column) {
                    *given = T::of(given.complex() + change.complex() / weight);
                }
            }
        });
    }
}
