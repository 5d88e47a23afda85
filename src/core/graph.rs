//! The flow graph of a plan: [`layout`] places it as a [`Drawing`], and [`export`] writes it as SVG, TikZ, PDF or JSON.
//!
//! Every lane and every coefficient comes from the plan that runs, so the drawing shows what ran.
//! This module knows no window, no device and no thread, and it computes no transform.
//!
//! ```
//! use papillon_core::graph::{GraphFormat, GraphOptions, GraphRequest, export};
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
//! let svg = String::from_utf8(export(GraphFormat::Svg, &GraphRequest { plan, schedule, options }, None)?)?;
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
mod pdf;
mod png;
mod print;
mod real_form;
mod request;
mod runs;
mod sections;
mod svg;
mod taps;
mod text;
mod tikz;
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
    Drawing, DrawnEdge, DrawnResult, EdgeBundle, EdgeStyle, Label, LabelKind, LaneSegment, LaunchFrame, PITCH, StageSpan, TileFrame,
};
pub use fold::ends_with_permutation;
pub use geometry::{Anchor, Point, Rect, Side};
pub use handout::{Handout, HandoutGraph, PageFocus, handout, plan_facts};
pub use hidden::HiddenParts;
pub use layout::layout;
pub use miniature::{miniature_description, shrunk, shrunk_schedule};
pub use moving::MovingLanes;
pub use node::{GraphNode, Term};
pub use real_form::RealForm;
pub use request::{
    GraphError, GraphFormat, GraphLayout, GraphOptions, GraphRequest, GraphStyle, MAX_DRAWN_LANES, MOST_DATA_BYTES, Original, data_bytes,
};
pub use sections::tile_lanes;
pub use text::signed_sum;
pub use text::{number, subscript};
pub use trapezoids::{SectionOutline, Trapezoids, trapezoids};
pub use values::{lane_text, value_text};
pub use vectors::{VectorFormat, vectors};

use crate::plan::LaneValue;

/// Writes a flow graph as a file.
///
/// `values` are those of every lane after each stage; one entry more, in front, holds the inputs. JSON leaves the inputs out.
///
/// # Errors
/// When a drawing would have more than [`MAX_DRAWN_LANES`] lanes, or when the values do not fit the plan.
pub fn export(format: GraphFormat, request: &GraphRequest, values: Option<&[Vec<LaneValue>]>) -> Result<Vec<u8>, GraphError> {
    let (lanes, stages) = (request.plan.lanes, request.plan.stages.len());
    let fits =
        |values: &[Vec<LaneValue>]| [stages, stages + 1].contains(&values.len()) && values.iter().all(|of_lanes| of_lanes.len() == lanes);
    if values.is_some_and(|values| !fits(values)) {
        return Err(GraphError::Values { lanes, stages });
    }
    let drawing = || {
        let mut request = request.clone();
        request.options.has_values |= values.is_some();
        let mut drawing = layout(request);
        drawing.values = values.map(|values| drawing.placed_values(values)).unwrap_or_default();
        drawing
    };
    if request.options.layout == GraphLayout::Sections
        && format != GraphFormat::Json
        && let Some((marks, bounds)) = trapezoids::marks(request)
    {
        return written(format, &marks, bounds, &request.options.title);
    }
    match format {
        GraphFormat::Json => Ok(json::write(request, values.map(|values| &values[values.len() - stages..])).into_bytes()),
        _ if lanes > MAX_DRAWN_LANES => Err(GraphError::Lanes { lanes, most: MAX_DRAWN_LANES }),
        GraphFormat::Svg => Ok(svg::write(&drawing()).into_bytes()),
        GraphFormat::Tikz => Ok(tikz::write(&drawing()).into_bytes()),
        GraphFormat::Pdf => Ok(pdf::write(&drawing())),
        GraphFormat::Png => png::write(&drawing()),
    }
}

/// A page of marks as a drawing.
fn written(format: GraphFormat, marks: &[print::PrintMark], bounds: Rect, title: &str) -> Result<Vec<u8>, GraphError> {
    match format {
        GraphFormat::Svg => Ok(svg::write_marks(marks, bounds, title).into_bytes()),
        GraphFormat::Tikz => Ok(tikz::write_marks(marks).into_bytes()),
        GraphFormat::Pdf => Ok(pdf::write_marks(marks, bounds, title)),
        GraphFormat::Png => png::write_marks(marks, bounds),
        GraphFormat::Json => Err(GraphError::Ending { path: "json".into() }),
    }
}
