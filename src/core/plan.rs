//! A plan describes an algorithm as data: a list of stages, each a regular family of butterflies.
//!
//! The CPU, the GPU and the drawing all use this one description.
//! [`Stage::read_lane`] and [`Stage::write_lane`] hold all address arithmetic. `gpu::stage` writes it as WGSL, and a test compares the two.
//! This module knows no device, no thread and no window.
//!
//! A plan is built from the table of transforms, run, and compared with its matrix:
//!
//! ```
//! use papillon_core::transforms::{Parameters, Shape, transform};
//!
//! let build = transform("walsh")?.first_plan().plan_fn().expect("the first plan is not a library");
//! let plan = build(Shape::line(4), Parameters::default())?;
//! let spectrum = plan.run(&[1.0, 2.0, 3.0, 4.0].map(Into::into));
//! assert_eq!(spectrum, [10.0, -2.0, -4.0, 0.0].map(Into::into));
//! assert_eq!(plan.matrix()[1], [1.0, -1.0, 1.0, -1.0].map(Into::into));
//! # Ok::<(), papillon_core::transforms::Unsupported>(())
//! ```

mod bit_packed;
mod bound;
mod butterfly;
mod coef;
mod columns;
mod count;
mod direct;
mod doubling;
mod equations;
mod extension;
mod filter;
mod kronecker_step;
mod lazy;
mod lifting;
mod live;
mod operation;
mod order;
mod prime;
mod pyramid;
mod reduced_equation;
mod ring;
mod scan;
pub mod shapes;
mod spacing;
mod stage;
mod traffic;
mod twiddle;
mod value;

pub use bit_packed::BitPackedPlan;
pub use butterfly::{Butterfly, Edge};
pub use coef::{Coef, Direction};
pub use count::OperationCounts;
pub use direct::{AngleValues, DirectSum, DirectTerms, Partner};
pub use doubling::Doubling;
pub use extension::Extension;
pub use filter::{FilterStep, half_exchange};
pub use kronecker_step::KroneckerStep;
pub use lazy::{Laziness, LazyBound, LazyLanes, TooLazy, kernel_bounds};
pub use lifting::LiftingStep;
pub use live::UnwrittenLane;
pub use operation::{Matrix, Operation, TwiddledSums};
pub use order::{BitOrder, ResultOrder, reverse_bits};
pub use prime::{FieldError, PrimeField, factored, is_prime};
pub use pyramid::{PyramidLayout, halved};
pub use reduced_equation::{Real, ReducedEquation};
pub use ring::{IntegerWidth, Precision, Ring};
pub use scan::ScanStep;
pub use stage::{Loop, ReadPattern, Stage, WritePattern};
pub use twiddle::{Twiddle, TwiddleRule, TwiddleTable};
pub use value::LaneValue;

use num_complex::Complex64;
use std::ops::Range;

/// An algorithm at one size: a ring, a number of lanes, a list of stages.
///
/// A plan may have more lanes than inputs or outputs, for padding or scratch.
/// No stage reads a lane before it is written; [`Plan::unwritten`] checks this.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The values of a lane and their arithmetic.
    pub ring: Ring,
    /// Number of lanes, the length of a buffer.
    pub lanes: usize,
    /// Number of inputs, in the first lanes.
    pub inputs: usize,
    /// Number of outputs, in the first lanes.
    pub outputs: usize,
    /// The stages, in running order.
    pub stages: Vec<Stage>,
    /// The index of the result that each lane holds at the end.
    pub output: ResultOrder,
    /// The first stages that no launch joins, because the source of the algorithm runs each in a launch of its own.
    pub n_apart: usize,
}

impl Plan {
    /// A plan with one input and one output per lane.
    pub fn new(ring: Ring, lanes: usize, stages: Vec<Stage>, output: ResultOrder) -> Self {
        Self { ring, lanes, inputs: lanes, outputs: lanes, stages, output, n_apart: 0 }
    }

    /// The same stages with `inputs` values in the first lanes at the beginning and `outputs` values there at the end.
    pub fn with_ends(self, inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, ..self }
    }

    /// The same plan whose first `n_apart` stages are launches of their own.
    pub fn with_stages_apart(self, n_apart: usize) -> Self {
        Self { n_apart, ..self }
    }

    /// Whether one launch may run these stages.
    pub fn may_join(&self, stages: &Range<usize>) -> bool {
        stages.len() <= 1 || stages.start >= self.n_apart
    }

    /// Runs the plan in double precision and returns the first `outputs` lanes: the reference for every backend.
    ///
    /// # Panics
    /// When `input` does not have `inputs` values.
    pub fn run(&self, input: &[Complex64]) -> Vec<Complex64> {
        let mut lanes = self.run_stages(input, self.stages.len());
        lanes.truncate(self.outputs);
        lanes
    }

    /// Runs the first `n_stages` stages in double precision and returns all lanes; unwritten lanes are NaN.
    ///
    /// # Panics
    /// When `input` does not have `inputs` values.
    pub fn run_stages(&self, input: &[Complex64], n_stages: usize) -> Vec<Complex64> {
        (0..n_stages).fold(self.before_stages(input), |lanes, stage| self.run_stage(&lanes, stage))
    }

    /// The lanes before the first stage and after every stage.
    ///
    /// # Panics
    /// As [`Self::run_stages`].
    pub fn run_by_stage(&self, input: &[Complex64]) -> Vec<Vec<Complex64>> {
        let mut columns = vec![self.before_stages(input)];
        for stage in 0..self.stages.len() {
            columns.push(self.run_stage(&columns[stage], stage));
        }
        columns
    }

    fn before_stages(&self, input: &[Complex64]) -> Vec<Complex64> {
        assert_eq!(input.len(), self.inputs, "the input has the wrong length");
        let mut lanes: Vec<Complex64> = input.iter().map(|&value| self.ring.reduced(value)).collect();
        lanes.resize(self.lanes, Complex64::new(f64::NAN, f64::NAN));
        lanes
    }

    fn run_stage(&self, lanes: &[Complex64], stage: usize) -> Vec<Complex64> {
        self.stages[stage].run(
            lanes,
            self.ring,
            |terms| {
                let term = |(weight, value, bar): (Coef, Complex64, bool)| {
                    self.ring.product(self.ring.element(weight), if bar { value.conj() } else { value })
                };
                self.ring.reduced(terms.map(term).sum())
            },
            |a, b, conjugated| self.ring.product(a, if conjugated { b.conj() } else { b }),
        )
    }

    /// Runs a plan over the integers, GF(2) or a prime field exactly.
    /// `None` if a value exceeds 64 bits, a division leaves a remainder, or a coefficient is neither an integer nor the reciprocal of one.
    ///
    /// # Panics
    /// When `input` does not have `inputs` values.
    pub fn run_exact(&self, input: &[i64]) -> Option<Vec<i64>> {
        assert_eq!(input.len(), self.inputs, "the input has the wrong length");
        let fits = |value: i128| i64::try_from(value).ok().map(i128::from);
        let scaled = |value: i128, weight: Coef| match (weight.integer(), weight.divisor()) {
            _ if self.ring.field().is_some() => value.checked_mul(self.ring.element(weight).re as i128),
            (Some(factor), _) => value.checked_mul(factor.into()),
            (None, Some(divisor)) => (value % i128::from(divisor) == 0).then(|| value / i128::from(divisor)),
            (None, None) => None,
        };
        let reduced = |value: i128| match self.ring {
            Ring::Gf2 => Some(value & 1),
            Ring::Prime(field) => Some(field.reduced(value).into()),
            _ => fits(value),
        };
        let mut lanes: Vec<Option<i128>> = input.iter().map(|&value| reduced(value.into())).collect();
        lanes.resize(self.lanes, None);
        for stage in &self.stages {
            let sum = |terms: &mut dyn Iterator<Item = (Coef, Option<i128>, bool)>| {
                let mut sum = 0_i128;
                for (weight, value, _) in terms {
                    sum = sum.checked_add(scaled(value?, weight)?)?;
                }
                reduced(sum)
            };
            lanes = stage.run(&lanes, self.ring, sum, |a, b, _| reduced(a?.checked_mul(b?)?));
        }
        lanes.truncate(self.outputs);
        lanes.into_iter().map(|value| value.and_then(|value| i64::try_from(value).ok())).collect()
    }

    /// The same plan over another ring, which must hold its coefficients.
    pub fn over(self, ring: Ring) -> Self {
        Self { ring, ..self }
    }

    /// The matrix of the plan, `outputs` × `inputs`, `[result index][input lane]`, as the product of its stages' edges.
    ///
    /// # Panics
    /// When a stage is not linear over the complex numbers.
    pub fn matrix(&self) -> Vec<Vec<Complex64>> {
        self.output.natural(&self.matrix_after(self.stages.len())[..self.outputs])
    }

    /// The product of the first `n_stages` stages, `lanes` × `inputs`, `[lane][input lane]`. The rows of lanes that hold nothing are NaN.
    ///
    /// # Panics
    /// When one of these stages is not linear over the complex numbers.
    pub fn matrix_after(&self, n_stages: usize) -> Vec<Vec<Complex64>> {
        let unit = |lane: usize, input: usize| match lane < self.inputs {
            true => f64::from(u8::from(lane == input)),
            false => f64::NAN,
        };
        let mut rows: Vec<Vec<Complex64>> =
            (0..self.lanes).map(|lane| (0..self.inputs).map(|input| unit(lane, input).into()).collect()).collect();
        for stage in &self.stages[..n_stages] {
            assert!(stage.has_matrix(), "stage '{}' has no matrix", stage.label);
            let before = rows.clone();
            for lane in stage.written_lanes() {
                rows[lane].fill(Complex64::default());
            }
            for edge in stage.edges() {
                let weight = self.ring.element(edge.weight);
                for (sum, value) in rows[edge.to].iter_mut().zip(&before[edge.from]) {
                    *sum = self.ring.reduced(*sum + self.ring.product(weight, *value));
                }
            }
        }
        rows
    }

    /// Whether every stage can run on a single array.
    pub fn in_place(&self) -> bool {
        self.stages.iter().all(Stage::in_place)
    }

    /// Whether a stage computes a definition term by term.
    pub fn is_direct(&self) -> bool {
        self.stages.iter().any(|stage| stage.direct_sum().is_some())
    }

    /// Operations of all stages.
    pub fn operations(&self) -> OperationCounts {
        self.stages.iter().map(Stage::operations).sum()
    }

    /// This plan followed by `next`, with its result in natural order.
    ///
    /// # Panics
    /// When the outputs of this plan do not match the inputs of the next.
    pub fn then(self, next: Self) -> Self {
        assert_eq!(self.outputs, next.inputs, "the next plan has another number of inputs");
        let (inputs, lanes) = (self.inputs, self.lanes.max(next.lanes));
        Self::new(self.ring, lanes, [self.stages, next.stages].concat(), ResultOrder::Natural).with_ends(inputs, next.outputs)
    }

    /// The same plan for `rows` rows, which are contiguous at the beginning and at the end.
    ///
    /// The first stage reads rows `inputs` lanes apart, the last writes them `outputs` apart, and all others use a distance of `lanes`.
    /// A copy before the first stage spreads the rows if a later stage also reads inputs.
    /// A copy after the last stage joins them if that stage does not write exactly the outputs.
    ///
    /// # Panics
    /// When the outer loop of a stage does not continue from one row into the next.
    pub fn batched(mut self, rows: usize) -> Self {
        if rows == 1 {
            return self;
        }
        let ends_apart = self.stages.last().is_none_or(|last| self.carries(self.stages.len() - 1) || last.write_reach() > self.outputs);
        if self.outputs < self.lanes && ends_apart {
            self.stages.push(Stage { label: "join rows".into(), ..shapes::every_lane(self.outputs) });
        }
        if self.inputs < self.lanes && self.carries(0) {
            self.stages.insert(0, Stage { label: "spread rows".into(), ..shapes::every_lane(self.inputs) });
        }
        let last = self.stages.len().saturating_sub(1);
        for (index, stage) in self.stages.iter_mut().enumerate() {
            let read = if index == 0 { self.inputs } else { self.lanes };
            let write = if index == last { self.outputs } else { self.lanes };
            stage.outer = stage.outer.repeated(rows, read, write);
        }
        self.output = ResultOrder::Rows { columns: self.outputs, each: Box::new(self.output) };
        Self { lanes: rows * self.lanes, inputs: rows * self.inputs, outputs: rows * self.outputs, ..self }
    }
}
