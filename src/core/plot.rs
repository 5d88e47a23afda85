//! Plots as data: a [`Chart`] says what is drawn, and [`layout()`] makes a figure of it.
//!
//! This module knows neither the window nor devices, and not what the values mean.

mod axis;
mod chart;
mod layout;

pub use axis::{AxisScale, ChartAxis, Tick, round_step, round_values, step_to_half};
pub use chart::{Chart, Crossing, Curve, CurvePoint, CurveRole};
pub use layout::{ChartFigure, layout};
