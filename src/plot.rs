//! Plots as data: a [`Chart`] says what is drawn, [`layout`] where everything stands, and painters only spell the marks: the window, [`svg`] and [`png`].
//!
//! This module knows no window, no device and nothing of what is plotted.

mod axis;
mod chart;
mod layout;
mod png;
mod svg;

pub use axis::{Axis, Scale, Tick, round_step, round_values};
pub use chart::{Chart, Crossing, Curve, Point, Role, Series};
pub use layout::{Anchor, Figure, Ink, Mark, Place, Sign, layout};
pub use png::{PlotError, png};
pub use svg::svg;
