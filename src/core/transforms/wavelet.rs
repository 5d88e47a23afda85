//! Wavelet transforms: every level splits the low-pass half into low-pass and high-pass halves. The coarsest coefficients come first, in two dimensions in the Mallat layout.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 3.
//! A line of n samples has ceil(n/2) low-pass and floor(n/2) high-pass coefficients; a single sample stays as it is.

mod axes;
mod coefficients;
mod definition;
mod filter_bank;
mod lifting;

pub use coefficients::{FilterTap, filter_tap, filter_taps, lifting_name, lifting_values};

use super::{
    Algorithm, Axes, Boundary, Build, Family, Parameter, Parameters, PlanFn, ScheduleKind, Schedules, Sections, Shape, Transform,
    Unsupported,
};
use crate::plan::{Extension, Plan, PyramidLayout, ResultOrder, Ring, Stage};
use axes::{Columns, with_transposed};
use filter_bank::Filters;
use lifting::{CDF97_STEPS, D2_STEPS, D4_STEPS, Scheme};

const ROW: Transform = Transform { family: Family::Wavelets, ..super::row::ROW };

/// CDF 9/7, along every row.
pub const CDF97: Transform = Transform {
    name: "cdf97",
    title: "CDF 9/7",
    about: "Wavelet transform of every row with the biorthogonal filters of 9 and 7 taps of Cohen, Daubechies and Feauveau, coarsest first",
    formula: "low[i] = Σ h[k]·x[2i+k], k = −4 … 4; high[i] = Σ g[k]·x[2i+1+k], k = −3 … 3",
    partner: Some("cdf97-2"),
    parameters: &[Parameter::Levels, Parameter::Boundary],
    algorithms: &lifted_and_filtered(
        in_three_schedules(CDF97_DIRECT, LIFTED_LINES, |shape, parameters| {
            by_lifting("cdf97", Axes::Rows, shape, parameters, &cdf97(parameters))
        }),
        in_filter_schedules(CDF97_FILTER_BANK, FILTERED_LINES, |shape, parameters| {
            by_filters("cdf97", Axes::Rows, shape, parameters, cdf97_filters(parameters))
        }),
    ),
    definition: Some(definition::cdf97),
    ..ROW
};

/// CDF 9/7, along both axes of an image.
pub const CDF97_2: Transform = Transform {
    name: "cdf97-2",
    title: "CDF 9/7 2-D",
    about: "Wavelet transform of an image with the filters of 9 and 7 taps, in the Mallat layout: every level halves the rows and then the columns of the low-pass part",
    formula: "[low low, high low; low high, high high], the first along x, and the same of low low",
    axes: Axes::Both,
    partner: Some("cdf97"),
    parameters: &[Parameter::Levels, Parameter::Boundary],
    algorithms: &with_transposed(
        lifted_and_filtered(
            in_three_schedules(CDF97_DIRECT, LIFTED_IMAGE, |shape, parameters| {
                by_lifting("cdf97-2", Axes::Both, shape, parameters, &cdf97(parameters))
            }),
            in_filter_schedules(CDF97_FILTER_BANK, FILTERED_IMAGE, |shape, parameters| {
                by_filters("cdf97-2", Axes::Both, shape, parameters, cdf97_filters(parameters))
            }),
        ),
        |shape, parameters| by_lifting_with(Columns::Transposed, "cdf97-2", Axes::Both, shape, parameters, &cdf97(parameters)),
        |shape, parameters| by_filters_with(Columns::Transposed, "cdf97-2", Axes::Both, shape, parameters, cdf97_filters(parameters)),
    ),
    definition: Some(definition::cdf97_2),
    ..ROW
};

/// D2, the wavelet of Haar, along every row.
pub const D2: Transform = Transform {
    name: "d2",
    title: "Haar wavelet",
    about: "Wavelet transform of every row with the orthonormal Haar filters of 2 taps, coarsest first",
    formula: "low[i] = (x[2i] + x[2i+1])/√2, high[i] = (x[2i] − x[2i+1])/√2",
    partner: Some("d2-2"),
    parameters: &[Parameter::Levels, Parameter::Boundary],
    algorithms: &in_three_schedules(D2_DIRECT, LIFTED_LINES, |shape, parameters| {
        by_lifting("d2", Axes::Rows, shape, parameters, &d2(parameters))
    }),
    definition: Some(definition::d2),
    ..ROW
};

/// D2, the wavelet of Haar, along both axes of an image.
pub const D2_2: Transform = Transform {
    name: "d2-2",
    title: "Haar wavelet 2-D",
    about: "Wavelet transform of an image with the orthonormal Haar filters of 2 taps, in the Mallat layout",
    formula: "[low low, high low; low high, high high], the first along x, and the same of low low",
    axes: Axes::Both,
    partner: Some("d2"),
    parameters: &[Parameter::Levels, Parameter::Boundary],
    algorithms: &in_three_schedules(D2_DIRECT, LIFTED_IMAGE, |shape, parameters| {
        by_lifting("d2-2", Axes::Both, shape, parameters, &d2(parameters))
    }),
    definition: Some(definition::d2_2),
    ..ROW
};

/// D4, along every row.
pub const D4: Transform = Transform {
    name: "d4",
    title: "Daubechies D4",
    about: "Wavelet transform of every row with the orthonormal filters of 4 taps of Daubechies, periodic, coarsest first",
    formula: "low[i] = h0·x[2i]+h1·x[2i+1]+h2·x[2i+2]+h3·x[2i+3], high[i] = h3·x[2i]−h2·x[2i+1]+h1·x[2i+2]−h0·x[2i+3]",
    partner: Some("d4-2"),
    parameters: &[Parameter::Levels],
    algorithms: &lifted_and_filtered(
        in_three_schedules(D4_LIFTING, LIFTED_LINES, |shape, parameters| by_lifting("d4", Axes::Rows, shape, parameters, &D4_SCHEME)),
        in_filter_schedules(D4_FILTER_BANK, FILTERED_LINES, |shape, parameters| {
            by_filters("d4", Axes::Rows, shape, parameters, Filters::D4)
        }),
    ),
    definition: Some(definition::d4),
    ..ROW
};

/// D4, along both axes of an image.
pub const D4_2: Transform = Transform {
    name: "d4-2",
    title: "Daubechies D4 2-D",
    about: "Wavelet transform of an image with the orthonormal filters of 4 taps, periodic, in the Mallat layout",
    formula: "[low low, high low; low high, high high], the first along x, and the same of low low",
    axes: Axes::Both,
    partner: Some("d4"),
    parameters: &[Parameter::Levels],
    algorithms: &with_transposed(
        lifted_and_filtered(
            in_three_schedules(D4_LIFTING, LIFTED_IMAGE, |shape, parameters| by_lifting("d4-2", Axes::Both, shape, parameters, &D4_SCHEME)),
            in_filter_schedules(D4_FILTER_BANK, FILTERED_IMAGE, |shape, parameters| {
                by_filters("d4-2", Axes::Both, shape, parameters, Filters::D4)
            }),
        ),
        |shape, parameters| by_lifting_with(Columns::Transposed, "d4-2", Axes::Both, shape, parameters, &D4_SCHEME),
        |shape, parameters| by_filters_with(Columns::Transposed, "d4-2", Axes::Both, shape, parameters, Filters::D4),
    ),
    definition: Some(definition::d4_2),
    ..ROW
};

/// The full tree of D4 packets, along every row.
pub const D4_PACKET: Transform = Transform {
    name: "d4-packet",
    title: "D4 packets",
    about: "Wavelet packets of every row with the D4 filters, periodic: every level halves every block, in natural or frequency order",
    formula: "block 2b = low(block b), block 2b+1 = high(block b), level after level",
    parameters: &[Parameter::Levels, Parameter::PacketOrder],
    algorithms: &[
        Algorithm { build: Build::Scheduled(packets, FILTERED_LINES), ..D4_FILTER_BANK },
        Algorithm { build: Build::Scheduled(packets, FILTERED_LINES.by(ScheduleKind::Sections)), ..FILTERS_SPLIT_MERGE },
        Algorithm { build: Build::Scheduled(packets, FILTERED_LINES.by(ScheduleKind::Overlapped)), ..FILTERS_OVERLAPPED },
    ],
    definition: Some(definition::d4_packet),
    ..ROW
};

const CDF97_DIRECT: Algorithm = Algorithm {
    name: "direct",
    about: "Four lifting steps per level, in place, one launch per step; a permutation puts the coarsest first",
    source: "I. Daubechies, W. Sweldens 1998; F. Argüello et al. 2012, equations 7 to 10",
    build: Build::Library,
};

const D2_DIRECT: Algorithm = Algorithm {
    name: "direct",
    about: "Two lifting steps per level, in place: scaled means of neighbours, then differences from them; a permutation puts the coarsest first",
    source: "A. Haar 1910; I. Daubechies, W. Sweldens 1998, section 7.1",
    build: Build::Library,
};

/// The stages of `direct` in split sections and merge sections.
const SPLIT_MERGE: Algorithm = Algorithm {
    name: "split-merge",
    about: "Lifting; one launch computes what tiles finish alone in some levels, a second one the rest at their boundaries",
    source: "W. Jiang, A. Ortega 2001; F. Argüello et al. 2012",
    build: Build::Library,
};

/// The stages of `direct` in overlapped tiles.
const OVERLAPPED: Algorithm = Algorithm {
    name: "overlapped",
    about: "Lifting; one launch takes some levels, in tiles that recompute the halo of their neighbours",
    source: "W. Jiang, A. Ortega 2001, who compare with it",
    build: Build::Library,
};

/// Lifting along lines: in place, and overlapped in launches of up to 5 levels.
const LIFTED_LINES: Schedules = Schedules { usual: ScheduleKind::Stages, sections: Sections::Squares, overlapped_levels: Some(5) };
/// Lifting of an image.
const LIFTED_IMAGE: Schedules = Schedules { overlapped_levels: Some(2), ..LIFTED_LINES };
/// A filter bank along lines: its halves go to other lanes, so that squares are not supported.
const FILTERED_LINES: Schedules = Schedules { sections: Sections::Lines, ..LIFTED_LINES };
/// A filter bank of an image.
const FILTERED_IMAGE: Schedules = Schedules { overlapped_levels: Some(1), ..FILTERED_LINES };

/// One lifting plan with three schedules.
const fn in_three_schedules(direct: Algorithm, schedules: Schedules, build: PlanFn) -> [Algorithm; 3] {
    [
        Algorithm { build: Build::Scheduled(build, schedules), ..direct },
        Algorithm { build: Build::Scheduled(build, schedules.by(ScheduleKind::Sections)), ..SPLIT_MERGE },
        Algorithm { build: Build::Scheduled(build, schedules.by(ScheduleKind::Overlapped)), ..OVERLAPPED },
    ]
}

/// One plan of a filter bank with three schedules, besides lifting.
const fn in_filter_schedules(bank: Algorithm, schedules: Schedules, build: PlanFn) -> [Algorithm; 3] {
    [
        Algorithm { build: Build::Scheduled(build, schedules), ..bank },
        Algorithm {
            name: "filter-bank-split-merge",
            build: Build::Scheduled(build, schedules.by(ScheduleKind::Sections)),
            ..FILTERS_SPLIT_MERGE
        },
        Algorithm {
            name: "filter-bank-overlapped",
            build: Build::Scheduled(build, schedules.by(ScheduleKind::Overlapped)),
            ..FILTERS_OVERLAPPED
        },
    ]
}

/// The algorithms by lifting, and behind them those by filter bank.
const fn lifted_and_filtered([a, b, c]: [Algorithm; 3], [d, e, f]: [Algorithm; 3]) -> [Algorithm; 6] {
    [a, b, c, d, e, f]
}

const D4_LIFTING: Algorithm = Algorithm {
    name: "lifting",
    about: "Four lifting steps per level, in place; a permutation puts the coarsest first",
    source: "I. Daubechies, W. Sweldens 1998; F. Argüello et al. 2012, section 3",
    build: Build::Library,
};

const D4_FILTER_BANK: Algorithm = Algorithm {
    name: "filter-bank",
    about: "Both filters at every second sample, from one buffer to the other; supports blocks that every level halves evenly",
    source: "I. Daubechies 1988; F. Argüello et al. 2012, equations 11 and 12",
    build: Build::Library,
};

const CDF97_FILTER_BANK: Algorithm = Algorithm {
    about: "Filters of 9 and 7 taps at every second sample, from one buffer to the other; supports lengths that every level halves evenly",
    source: "A. Cohen, I. Daubechies, J.-C. Feauveau 1992; F. Argüello et al. 2012, Table 5",
    ..D4_FILTER_BANK
};

/// The stages of the filter bank in split sections and merge sections.
const FILTERS_SPLIT_MERGE: Algorithm = Algorithm {
    name: "split-merge",
    about: "Both filters; one launch computes what tiles finish alone in some levels and keeps the values that a second one needs at their boundaries",
    source: "F. Argüello et al. 2012, section 3, Figures 5 and 7",
    build: Build::Library,
};

/// The stages of the filter bank in overlapped tiles.
const FILTERS_OVERLAPPED: Algorithm = Algorithm {
    name: "overlapped",
    about: "Both filters; one launch takes some levels, in tiles that recompute the halo of their neighbours",
    source: "W. Jiang, A. Ortega 2001, who compare with it",
    build: Build::Library,
};

const D4_SCHEME: Scheme = Scheme { steps: &D4_STEPS, boundary: Boundary::Periodic, rotation: 1 };

fn cdf97(parameters: Parameters) -> Scheme {
    Scheme { steps: &CDF97_STEPS, boundary: parameters.boundary, rotation: 0 }
}

/// The last sample of an odd line has its neighbour past the end. The boundary extension mirrors it, so that the low half keeps its scale.
fn d2(parameters: Parameters) -> Scheme {
    Scheme { steps: &D2_STEPS, boundary: parameters.boundary, rotation: 0 }
}

/// Every level of a filter bank has an even length, so that a period keeps even and odd samples apart.
fn cdf97_filters(parameters: Parameters) -> Filters {
    Filters::Cdf97(if parameters.boundary == Boundary::Periodic { Extension::Periodic } else { Extension::Symmetric })
}

/// The levels for a shape that can be halved `most` times.
///
/// # Errors
/// When the parameters ask for more.
fn levels(transform: &'static str, most: usize, shape: Shape, parameters: Parameters) -> Result<u32, Unsupported> {
    let asked = parameters.levels.unwrap_or(super::parameters::USUAL_LEVELS.min(most));
    if asked > most {
        return Err(Unsupported::Levels { transform, asked, most, rows: shape.rows, columns: shape.columns });
    }
    Ok(asked as u32)
}

/// The number of halvings of a shape down to one sample in every line.
fn most_halvings(axes: Axes, shape: Shape) -> usize {
    let halvings = |n: usize| n.next_power_of_two().ilog2() as usize;
    match axes {
        Axes::Rows | Axes::Columns => halvings(shape.columns),
        Axes::Both => halvings(shape.columns).max(halvings(shape.rows)),
    }
}

/// The most levels of a transform of this family for a shape; packets halve only even lengths.
pub(super) fn most_levels(transform: &Transform, shape: Shape) -> usize {
    match transform.has(Parameter::PacketOrder) {
        true => shape.columns.trailing_zeros() as usize,
        false => most_halvings(transform.axes, shape),
    }
}

/// The plan of a lifting scheme: all levels in place, then a permutation that puts the coarsest first.
fn by_lifting(transform: &'static str, axes: Axes, shape: Shape, parameters: Parameters, scheme: &Scheme) -> Result<Plan, Unsupported> {
    by_lifting_with(Columns::InPlace, transform, axes, shape, parameters, scheme)
}

/// The same, with the columns of an image where they are or as rows of the transposed image.
fn by_lifting_with(
    down: Columns,
    transform: &'static str,
    axes: Axes,
    shape: Shape,
    parameters: Parameters,
    scheme: &Scheme,
) -> Result<Plan, Unsupported> {
    let levels = levels(transform, most_halvings(axes, shape), shape, parameters)?;
    let image = image(axes, shape);
    let Shape { rows, columns } = image;
    let pyramid = PyramidLayout { rows, columns, levels, rotation: scheme.rotation, direction: parameters.direction };
    Ok(plan(axes, shape, lifting::stages(image, scheme, pyramid, down)))
}

/// The plan of a filter bank.
fn by_filters(transform: &'static str, axes: Axes, shape: Shape, parameters: Parameters, filters: Filters) -> Result<Plan, Unsupported> {
    by_filters_with(Columns::InPlace, transform, axes, shape, parameters, filters)
}

/// The same, with the columns of an image where they are or as rows of the transposed image.
fn by_filters_with(
    down: Columns,
    transform: &'static str,
    axes: Axes,
    shape: Shape,
    parameters: Parameters,
    filters: Filters,
) -> Result<Plan, Unsupported> {
    let levels = levels(transform, most_halvings(axes, shape), shape, parameters)?;
    let image = image(axes, shape);
    // A line of one sample stays as it is.
    let is_even = |n: usize| n.trailing_zeros() >= levels || n.is_power_of_two();
    if let Some(length) = [image.columns, image.rows].into_iter().find(|&n| !is_even(n)) {
        let needs = "lengths that every level halves evenly";
        let instead = if matches!(filters, Filters::D4) { D4_LIFTING.name } else { CDF97_DIRECT.name };
        return Err(Unsupported::Length { algorithm: "filter-bank", needs, length, instead });
    }
    Ok(plan(axes, shape, filter_bank::pyramid(image, filters, levels, down, parameters.direction)))
}

/// The plan of the full tree of packets.
fn packets(shape: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
    let most = most_levels(&D4_PACKET, shape);
    if most == 0 && shape.columns > 1 {
        return Err(Unsupported::Uneven { transform: "d4-packet", length: shape.columns });
    }
    let levels = levels("d4-packet", most, Shape::line(shape.columns), parameters)?;
    let stages = filter_bank::packets(shape.columns, levels, parameters.packet_order, parameters.direction);
    Ok(plan(Axes::Rows, shape, stages))
}

/// The shape that is transformed as a whole: a row, or the image.
fn image(axes: Axes, shape: Shape) -> Shape {
    if axes == Axes::Rows { Shape::line(shape.columns) } else { shape }
}

/// The plan of the stages: of one row, batched for all rows, or of the image.
fn plan(axes: Axes, shape: Shape, stages: Vec<Stage>) -> Plan {
    let plan = Plan::new(Ring::Real, image(axes, shape).len(), stages, ResultOrder::Natural);
    if axes == Axes::Rows { plan.batched(shape.rows) } else { plan }
}
