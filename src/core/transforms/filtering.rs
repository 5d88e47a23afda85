//! Filters as plans: the Fourier transform of the samples, times a table of factors, and the way back.
//! z = F⁻¹(H · F(x)), where the factors H are behind the samples, H\[k\] in natural order.
//!
//! The factors are input and not part of the plan, so that a new mask is a new table and no new plan.

use super::fourier::{DFT2, RDFT2, line_of_any_length};
use super::{Algorithm, Axes, Build, Family, Input, Numbers, Parameters, ResultIndex, Shape, Transform, Unsupported};
use crate::plan::shapes::{ProductStage, every_lane};
use crate::plan::{Direction, Loop, Plan, ReadPattern, ResultOrder, Ring, Stage, WritePattern};

/// A filter of every row.
pub(super) const FILTER: Transform = Transform {
    name: "filter",
    title: "Filter of spectra",
    about: "The Fourier transform of every row, times the factors in the second signal, and back",
    formula: "z = F⁻¹(H · F(x))",
    index: ResultIndex::Number("sample n"),
    algorithms: &[Algorithm {
        name: "by-spectrum",
        about: "The transform of any length, the product with the factors, and the inverse transform",
        source: SOURCE,
        build: Build::Plan(|shape, _| along_rows(shape)),
    }],
    partner: Some("filter2"),
    ..ROW
};

/// A filter of an image.
pub(super) const FILTER2: Transform = Transform {
    name: "filter2",
    title: "Filter of the spectrum of an image",
    about: "The Fourier transform of an image, times the factors in the second image, and back",
    formula: "z = F⁻¹(H · F(x)), F along both axes",
    axes: Axes::Both,
    index: ResultIndex::Number("pixel"),
    algorithms: &[Algorithm {
        name: "by-spectrum",
        about: "Stockham along rows and down columns, the product with the factors, and the same back",
        source: SOURCE,
        build: Build::Plan(|shape, _| along_both(shape)),
    }],
    partner: Some("filter"),
    ..ROW
};

const SOURCE: &str = "T. G. Stockham, High-speed convolution and correlation (1966)";

const ROW: Transform = Transform {
    family: Family::Convolution,
    ring: Ring::Complex,
    input: Input::TwoSignals,
    gives: Numbers::Complex,
    has_inverse: false,
    ..super::row::ROW
};

fn along_rows(shape: Shape) -> Result<Plan, Unsupported> {
    let [forward, back] = [Direction::Forward, Direction::Inverse].map(|direction| line_of_any_length(shape.columns, direction));
    Ok(filtered(shape, forward?, back?))
}

fn along_both(shape: Shape) -> Result<Plan, Unsupported> {
    let build = DFT2.first_plan().plan_fn().expect("the first algorithm of the table is a plan");
    let along = |direction| build(shape, Parameters { direction, ..Parameters::default() });
    Ok(filtered(Shape::line(shape.len()), along(Direction::Forward)?, along(Direction::Inverse)?))
}

/// Whether the second signal of a transform holds the factors of a spectrum.
pub fn takes_factors(transform: &Transform) -> bool {
    [FILTER.name, FILTER2.name].contains(&transform.name)
}

/// The filter along these axes.
pub fn along(axes: Axes) -> &'static Transform {
    if axes == Axes::Both { &FILTER2 } else { &FILTER }
}

/// The part of a filter of a real image that runs again for a new table: half a spectrum of `shape.columns` / 2 + 1 columns, the factors of these values behind it,
/// and from both the samples of an image of `shape`. An even number of columns leaves two neighbouring samples in a lane.
///
/// # Errors
/// When no plan takes the shape.
pub fn way_back(shape: Shape) -> Result<Plan, Unsupported> {
    let build = RDFT2.first_plan().plan_fn().expect("the first algorithm of the table is a plan");
    let half = Shape { columns: shape.columns / 2 + 1, ..shape };
    let back = build(half, Parameters { direction: Direction::Inverse, columns: Some(shape.columns), ..Parameters::default() })?;
    let product = product(half.len(), half.len());
    Ok(Plan::new(Ring::Complex, 2 * half.len(), vec![product], ResultOrder::Natural).with_ends(2 * half.len(), half.len()).then(back))
}

/// The stage that multiplies every value of a spectrum by its factor, which is `distance` lanes behind it.
fn product(lanes: usize, distance: usize) -> Stage {
    Stage { label: "× factors".into(), ..ProductStage { rows: 1, lanes, distance, conjugated: false }.stage() }
}

/// Forward, product and back for rows of samples, each of which its factors follow.
///
/// Several rows are joined first, and their factors are behind all of them; so are factors where a transform needs their lanes as scratch.
fn filtered(Shape { rows, columns: n }: Shape, forward: Plan, back: Plan) -> Plan {
    let (forward, back, total) = (forward.batched(rows), back.batched(rows), rows * n);
    let scratch = forward.lanes.max(back.lanes);
    let moves = rows > 1 || scratch > n;
    let far = if moves { scratch.max(2 * total) } else { total };
    let of_rows = Stage { outer: Loop { n: rows, read: 2 * n, write: n }, ..every_lane(n) };
    let aside = Stage {
        label: "factors aside".into(),
        read: ReadPattern { base: n, ..ReadPattern::in_order(n) },
        write: WritePattern { first: far, ..WritePattern::IN_ORDER },
        ..of_rows.clone()
    };
    let mut stages: Vec<Stage> = moves.then_some(aside).into_iter().collect();
    stages.extend((rows > 1).then(|| Stage { label: "join rows".into(), ..of_rows }));
    stages.extend(forward.stages);
    stages.push(product(total, far));
    stages.extend(back.stages.into_iter().map(|stage| Stage { label: format!("{} back", stage.label), ..stage }));
    Plan::new(Ring::Complex, far + total, stages, ResultOrder::Natural).with_ends(2 * total, total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::{Mask, MaskShape};
    use num_complex::Complex64;
    use std::f64::consts::TAU;

    /// The sums that define the transform.
    fn sums(values: &[Complex64], Shape { rows, columns }: Shape, sign: f64) -> Vec<Complex64> {
        let turn = |k: usize, n: usize, of: usize| sign * TAU * ((k * n) % of) as f64 / of as f64;
        let angle = |at: usize, i: usize| turn(at / columns, i / columns, rows) + turn(at % columns, i % columns, columns);
        (0..values.len()).map(|at| values.iter().enumerate().map(|(i, x)| x * Complex64::cis(angle(at, i))).sum()).collect()
    }

    fn spectrum(samples: &[Complex64], shape: Shape) -> Vec<Complex64> {
        sums(samples, shape, -1.0)
    }

    /// By the definition of the transform.
    fn expected(samples: &[Complex64], factors: &[f64], shape: Shape) -> Vec<Complex64> {
        let masked: Vec<_> = spectrum(samples, shape).into_iter().zip(factors).map(|(x, factor)| x * factor).collect();
        sums(&masked, shape, 1.0).into_iter().map(|x| x / samples.len() as f64).collect()
    }

    #[test]
    fn a_filter_is_its_plan() {
        let mask: Mask = MaskShape::low_pass(0.3).with_edge(crate::filter::ShapeEdge::Gaussian).into();
        // A prime above 31 takes Bluestein's convolution, which needs more lanes.
        for columns in [1, 2, 8, 12, 37] {
            let factors = mask.factors(Shape::line(columns));
            for rows in [1, 3] {
                let plan = along_rows(Shape { rows, columns }).unwrap();
                assert!(plan.unwritten().is_none(), "{rows} × {columns}");
                let line = |row: usize| (0..columns).map(|i| Complex64::from(((i * i + 5 * row) % 7) as f64)).collect::<Vec<_>>();
                let behind = factors.iter().map(|&factor| Complex64::from(factor));
                let input: Vec<_> = (0..rows).flat_map(|row| line(row).into_iter().chain(behind.clone())).collect();
                let found = plan.output.natural(&plan.run(&input));
                let wanted = (0..rows).flat_map(|row| expected(&line(row), &factors, Shape::line(columns)));
                assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).norm() < 1e-12), "{rows} × {columns}");
            }
        }
        for shape in [Shape { rows: 4, columns: 6 }, Shape { rows: 3, columns: 8 }] {
            let plan = along_both(shape).unwrap();
            let samples: Vec<Complex64> = (0..shape.len()).map(|i| Complex64::from((i * i % 11) as f64)).collect();
            let factors = mask.factors(shape);
            let input: Vec<_> = samples.iter().copied().chain(factors.iter().map(|&factor| factor.into())).collect();
            let found = plan.output.natural(&plan.run(&input));
            assert!(found.iter().zip(expected(&samples, &factors, shape)).all(|(a, b)| (a - b).norm() < 1e-12), "{shape:?}");
        }
    }

    #[test]
    fn the_way_back_needs_half_a_spectrum() {
        let mask: Mask = MaskShape::low_pass(0.3).with_edge(crate::filter::ShapeEdge::Gaussian).into();
        for (rows, columns) in [(4, 6), (3, 8), (5, 7), (1, 12), (6, 1), (37, 2)] {
            let shape = Shape { rows, columns };
            let plan = way_back(shape).unwrap();
            assert!(plan.unwritten().is_none(), "{shape:?}");
            let samples: Vec<Complex64> = (0..shape.len()).map(|i| Complex64::from((i * i % 11) as f64)).collect();
            let [spectrum, factors] = [spectrum(&samples, shape), mask.factors(shape).into_iter().map(Complex64::from).collect()]
                .map(|whole: Vec<Complex64>| whole.chunks(columns).flat_map(|row| row[..columns / 2 + 1].to_vec()).collect::<Vec<_>>());
            let found = plan.output.natural(&plan.run(&[spectrum, factors].concat()));
            let wanted: Vec<f64> = expected(&samples, &mask.factors(shape), shape).iter().map(|value| value.re).collect();
            let found: Vec<f64> = match columns % 2 {
                0 => found.iter().flat_map(|pair| [pair.re, pair.im]).collect(),
                _ => found.iter().map(|value| value.re).collect(),
            };
            assert!(found.len() == wanted.len() && found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{shape:?}");
        }
    }
}
