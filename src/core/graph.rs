//! The flow graph of a plan: [`layout()`] places it as a [`GraphDrawing`], [`figure()`] prints it, and [`export`] writes a file.
//!
//! Every lane and every coefficient comes from the plan that runs, so the drawing shows what ran.
//! This module knows no window, no device and no thread, and it computes no transform.
//!
//! ```
//! use papillon_core::figure::FigureFormat;
//! use papillon_core::graph::{GraphOptions, GraphRequest, export};
//! use papillon_core::schedule::Schedule;
//! use papillon_core::transforms::{Parameters, Shape, transform};
//!
//! // The constant-geometry Walsh transform of 8 values, one launch for each of its 3 stages.
//! let algorithm = transform("walsh")?.algorithm("constant-geometry")?;
//! let build = algorithm.plan_fn().expect("constant-geometry is a plan");
//! let plan = build(Shape::line(8), Parameters::default())?;
//! let schedule = Schedule::by_stage(&plan);
//! let options = GraphOptions { title: "Walsh transform of 8 values".into(), ..GraphOptions::default() };
//!
//! let svg = String::from_utf8(export(FigureFormat::Svg, &GraphRequest { plan, schedule, options }, None)?)?;
//! assert!(svg.contains("<title>Walsh transform of 8 values</title>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod access;
mod addresses;
mod arrangement;
mod buffers;
mod coefficients;
mod cone;
mod counterpart;
mod difference;
mod drawing;
mod fold;
mod geometry;
mod handout;
mod hidden;
mod json;
mod labels;
mod layout;
pub mod matrix;
mod miniature;
mod moving;
mod names;
mod node;
mod print;
mod real_form;
mod request;
mod sections;
mod taps;
mod text;
mod trapezoids;
mod values;
mod vectors;

pub use addresses::ThreadAddresses;
pub use arrangement::has_in_place_layout;
pub use buffers::{BufferState, buffer_indices, buffers};
pub use coefficients::coefficient_text;
pub use cone::{Cone, Paths};
pub use counterpart::{Counterparts, PlanOf};
pub use difference::{Difference, differences, read_distance, write_distance};
pub use drawing::{
    DrawnEdge, DrawnResult, EdgeBundle, EdgeStyle, GraphDrawing, Label, LabelKind, LaneSegment, LaunchFrame, PITCH, StageSpan, TileFrame,
};
pub use fold::ends_with_permutation;
pub use geometry::{Point, Rect, Side};
pub use handout::{Handout, HandoutGraph, PageFocus, plan_facts};
pub use hidden::HiddenParts;
pub use layout::layout;
pub use miniature::{is_named_as, miniature_description, shrunk, shrunk_into, shrunk_schedule};
pub use moving::MovingLanes;
pub use node::{GraphNode, Term};
pub use real_form::RealForm;
pub use request::{
    GraphError, GraphFormat, GraphLayout, GraphOptions, GraphRequest, GraphStyle, MAX_DRAWN_LANES, MOST_DATA_BYTES, Original, data_bytes,
};
pub use sections::tile_lanes;
pub use text::{number, signed_sum};
pub use trapezoids::{SectionOutline, Trapezoids, trapezoids};
pub use values::{lane_text, value_text};
pub use vectors::{VectorFormat, vectors};

use crate::figure::Figure;
use crate::plan::LaneValue;

/// Writes a flow graph as a file.
///
/// `values` are those of every lane after each stage; one entry more, in front, holds the inputs. JSON leaves the inputs out.
///
/// # Errors
/// When a drawing would have more than [`MAX_DRAWN_LANES`] lanes, when the format does not hold it, or when the values do not fit the plan.
pub fn export(format: impl Into<GraphFormat>, request: &GraphRequest, values: Option<&[Vec<LaneValue>]>) -> Result<Vec<u8>, GraphError> {
    match format.into() {
        GraphFormat::Drawing(format) => Ok(figure(request, values)?.bytes(format)?),
        GraphFormat::Json => {
            check_values(request, values)?;
            let n_stages = request.plan.stages.len();
            Ok(json::write(request, values.map(|values| &values[values.len() - n_stages..])).into_bytes())
        }
    }
}

/// The drawing of a flow graph for print, with values as [`export`] takes them.
///
/// # Errors
/// When the drawing would have more than [`MAX_DRAWN_LANES`] lanes, or when the values do not fit the plan.
pub fn figure(request: &GraphRequest, values: Option<&[Vec<LaneValue>]>) -> Result<Figure, GraphError> {
    check_values(request, values)?;
    let sections = (request.options.layout == GraphLayout::Sections).then(|| trapezoids::figure(request)).flatten();
    if let Some(figure) = sections {
        return Ok(figure);
    }
    let lanes = request.plan.lanes;
    if lanes > MAX_DRAWN_LANES {
        return Err(GraphError::Lanes { lanes, most: MAX_DRAWN_LANES });
    }
    let mut request = request.clone();
    request.options.has_values |= values.is_some();
    let mut drawing = layout(request);
    drawing.values = values.map(|values| drawing.placed_values(values)).unwrap_or_default();
    Ok(print::figure(&drawing))
}

/// Refuses values of another plan.
fn check_values(request: &GraphRequest, values: Option<&[Vec<LaneValue>]>) -> Result<(), GraphError> {
    let (lanes, stages) = (request.plan.lanes, request.plan.stages.len());
    let fits =
        |values: &[Vec<LaneValue>]| [stages, stages + 1].contains(&values.len()) && values.iter().all(|of_lanes| of_lanes.len() == lanes);
    if values.is_some_and(|values| !fits(values)) { Err(GraphError::Values { lanes, stages }) } else { Ok(()) }
}
