//! Plots as data: a [`Chart`] or a [`View`] says what is drawn, [`layout`] places its marks, and the window, [`svg`], [`pdf`] and [`png`] paint them.
//!
//! This module knows neither the window nor devices, and not what the values mean.

mod axis;
mod chart;
mod layout;
mod page;
mod pdf;
mod png;
mod scaled;
mod svg;
mod view;

pub use axis::{Axis, AxisScale, Tick, round_step, round_values, step_to_half};
pub use chart::{Chart, Crossing, Curve, CurvePoint, CurveRole, Series};
pub use layout::{Figure, Ink, Mark, Position, Symbol, TextAnchor, layout};
pub use page::PdfPage;
pub use pdf::pdf;
pub use png::{PlotError, png};
pub use svg::{svg, xml_escaped};
pub use view::{ColourBar, Raster, View, ViewAxis, ViewItem};
