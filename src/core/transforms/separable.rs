//! Transforms of real samples that are a Fourier transform with a stage or two around it, along the rows or along both axes, one after the other.

use super::fourier::{self, LinePlan, along_both, along_rows, by_convolution, of_any_length};
use super::{Algorithm, Axes, Build, Numbers, Parameter, Parameters, ResultIndex, Shape, Transform, Unsupported, direct};
use crate::plan::Plan;
use num_complex::Complex64;

/// Such a transform of one line. Both rows of the table follow from it: the one along the rows, and the one of images.
pub(super) trait RealLine {
    /// The names on the command line; here and below along the rows first, then of images.
    const NAMES: [&'static str; 2];
    /// The names in the window.
    const TITLES: [&'static str; 2];
    /// One sentence each.
    const ABOUT: [&'static str; 2];
    /// The formulas.
    const FORMULAS: [&'static str; 2];
    /// The formulas of the inverses.
    const INVERSE_FORMULAS: [&'static str; 2];
    /// The parameters besides the direction.
    const PARAMETERS: [&'static [Parameter]; 2];

    /// The meaning of the index of the result.
    const INDEX: ResultIndex = ResultIndex::Frequency;

    /// The plan of a line of `n` ≥ 1 samples around the Fourier transform that `spectrum` builds. The inverse divides by `divisor` where it is not normalised otherwise.
    fn plan(n: usize, parameters: Parameters, divisor: usize, spectrum: LinePlan) -> Result<Plan, Unsupported>;

    /// The plan of a line of `n` ≥ 1 samples by the definition; the inverse divides as that of [`Self::plan`].
    fn direct(n: usize, parameters: Parameters, divisor: usize) -> Plan;

    /// The `n` × `n` matrix by the textbook, `[result][sample]`.
    fn matrix(n: usize, parameters: Parameters) -> Vec<Vec<f64>>;

    /// The transform along every row.
    const ALONG_ROWS: Transform = Transform {
        name: Self::NAMES[0],
        title: Self::TITLES[0],
        about: Self::ABOUT[0],
        formula: Self::FORMULAS[0],
        inverse_formula: Some(Self::INVERSE_FORMULAS[0]),
        partner: Some(Self::NAMES[1]),
        takes: Numbers::Real,
        gives: Numbers::Real,
        index: Self::INDEX,
        parameters: Self::PARAMETERS[0],
        algorithms: &algorithms(
            |shape, parameters| along_rows(shape, parameters, |n, p, divisor| Self::plan(n, p, divisor, of_any_length)),
            |shape, parameters| along_rows(shape, parameters, |n, p, divisor| Self::plan(n, p, divisor, by_convolution)),
            direct::algorithm(|shape, parameters| along_rows(shape, parameters, by_definition::<Self>)),
        ),
        definition: Some(|shape, parameters| matrix(Shape::line(shape.columns), parameters, Self::matrix)),
        ..fourier::ROW
    };

    /// The transform of an image along both axes.
    const ALONG_BOTH: Transform = Transform {
        name: Self::NAMES[1],
        title: Self::TITLES[1],
        about: Self::ABOUT[1],
        formula: Self::FORMULAS[1],
        inverse_formula: Some(Self::INVERSE_FORMULAS[1]),
        axes: Axes::Both,
        partner: Some(Self::NAMES[0]),
        parameters: Self::PARAMETERS[1],
        algorithms: &algorithms(
            |shape, parameters| along_both(shape, parameters, |n, p, divisor| Self::plan(n, p, divisor, of_any_length)),
            |shape, parameters| along_both(shape, parameters, |n, p, divisor| Self::plan(n, p, divisor, by_convolution)),
            direct::along_both(|shape, parameters| along_both(shape, parameters, by_definition::<Self>)),
        ),
        definition: Some(|shape, parameters| matrix(shape, parameters, Self::matrix)),
        ..Self::ALONG_ROWS
    };
}

fn by_definition<T: RealLine + ?Sized>(n: usize, parameters: Parameters, divisor: usize) -> Result<Plan, Unsupported> {
    direct::check_line(n)?;
    Ok(T::direct(n, parameters, divisor))
}

const fn algorithms(of_any_length: super::PlanFn, by_convolution: super::PlanFn, direct: Algorithm) -> [Algorithm; 3] {
    [
        Algorithm {
            name: "stockham",
            about: "Stockham's Fourier transform with a stage or two around it; Bluestein's where the length has a prime above 31",
            source: "T. G. Stockham 1967",
            build: Build::Plan(of_any_length),
        },
        Algorithm {
            name: "bluestein",
            about: "The same around Bluestein's Fourier transform",
            source: "L. I. Bluestein 1970",
            build: Build::Plan(by_convolution),
        },
        direct,
    ]
}

/// The definition along both axes: the Kronecker product of the matrices of a column and of a row.
fn matrix(shape: Shape, parameters: Parameters, line: fn(usize, Parameters) -> Vec<Vec<f64>>) -> Vec<Vec<Complex64>> {
    let [down, across] = [shape.rows, shape.columns].map(|n| line(n, parameters));
    let products = |y: &[f64], x: &[f64]| y.iter().flat_map(|a| x.iter().map(move |b| (a * b).into())).collect();
    down.iter().flat_map(|y| across.iter().map(|x| products(y, x)).collect::<Vec<_>>()).collect()
}
