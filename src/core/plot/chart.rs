//! A chart: its axes, curves and crossings.

use super::ChartAxis;
use crate::figure::Series;

/// The role of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveRole {
    /// A measurement.
    Measured,
    /// A measurement of another record, laid over the first.
    Other,
    /// An upper limit.
    Roof,
    /// Numbers that a paper prints.
    Printed,
    /// A number that a paper states without saying at which size.
    Stated,
}

/// A point of a curve, with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// The interval along the vertical axis.
    pub interval: [f64; 2],
    /// Whether the result was correct; otherwise the value means nothing.
    pub is_right: bool,
}

/// One curve of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// The series, which gives the colour.
    pub series: Series,
    /// Index among the curves of its colour, which differ in symbols and dashes.
    pub variant: usize,
    /// Its role.
    pub role: CurveRole,
    /// Its points from left to right.
    pub points: Vec<CurvePoint>,
}

/// A point at which two curves cross, or a size that a paper states.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis; `None` marks the size at all heights.
    pub y: Option<f64>,
    /// Its label.
    pub text: String,
}

/// A chart.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Its title.
    pub title: String,
    /// Notes on the conditions, one line each.
    pub notes: Vec<String>,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// The curves.
    pub curves: Vec<Curve>,
    /// The crossings of curves.
    pub crossings: Vec<Crossing>,
}

impl Chart {
    /// The smallest and the largest value that an axis can show.
    pub(super) fn extent(&self, axis: &ChartAxis, of: impl Fn(&CurvePoint) -> [f64; 3]) -> Option<[f64; 2]> {
        // A point that one axis cannot show needs no room on the other.
        let is_shown = |point: &&CurvePoint| point.is_right && self.x.shows(point.x) && self.y.shows(point.y);
        let values = self.curves.iter().flat_map(|curve| &curve.points).filter(is_shown).flat_map(of);
        values.filter(|value| axis.shows(*value)).fold(None, |extent, value| {
            let [low, high] = extent.unwrap_or([value; 2]);
            Some([value.min(low), value.max(high)])
        })
    }
}
