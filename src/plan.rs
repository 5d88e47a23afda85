//! The one description of every algorithm: a plan is data, a list of stages, each a regular family of butterflies.
//!
//! The plan that is drawn is the plan that the CPU runs and the plan that the GPU runs.
//! All address arithmetic of the crate stands here, in [`Stage::read_lane`] and [`Stage::write_lane`], and once more in `shaders/stage.wgsl`; a test runs both and compares.
//! This module knows no device, no thread and no window.

mod bound;
mod coef;
mod order;
mod ring;
mod stage;

pub use coef::{Coef, Direction};
pub use order::{Digits, Order, reverse_bits};
pub use ring::{Ring, Width};
pub use stage::{Butterfly, Edge, Fold, Loop, Matrix, Operation, Read, Stage, Twiddle, Write};

use num_complex::Complex64;

/// An algorithm at one size: a ring, a number of lanes, a list of stages.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What a lane holds.
    pub ring: Ring,
    /// Number of lanes.
    pub lanes: usize,
    /// The stages, in the order in which they run.
    pub stages: Vec<Stage>,
    /// Which index of the result each lane holds at the end.
    pub output: Order,
}

/// Operations of a plan as drawn: every further edge into a node is an addition, every coefficient and twiddle other than 1 and −1 a multiplication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    /// Additions and subtractions in the ring.
    pub additions: u64,
    /// Multiplications in the ring by something else than 1 and −1.
    pub multiplications: u64,
}

impl Plan {
    /// Runs the plan in double precision, butterfly by butterfly, straight from its description: the reference of every other way to run it.
    ///
    /// # Panics
    /// When `input` does not have one value a lane.
    pub fn run(&self, input: &[Complex64]) -> Vec<Complex64> {
        self.run_stages(input, self.stages.len())
    }

    /// Runs the first `n_stages` stages in double precision, and gives the value of every lane after them.
    ///
    /// # Panics
    /// When `input` does not have one value a lane.
    pub fn run_stages(&self, input: &[Complex64], n_stages: usize) -> Vec<Complex64> {
        assert_eq!(input.len(), self.lanes, "one value a lane is needed");
        let mut lanes: Vec<Complex64> = input.iter().map(|&value| self.ring.reduced(value)).collect();
        for stage in &self.stages[..n_stages] {
            lanes = stage.run(&lanes, |terms| self.ring.reduced(terms.map(|(weight, value)| weight.value() * value).sum()));
        }
        lanes
    }

    /// Runs a plan over the integers or GF(2) exactly; `None` where a value does not fit 64 bits, or where the plan has other coefficients than integers.
    ///
    /// # Panics
    /// When `input` does not have one value a lane.
    pub fn run_exact(&self, input: &[i64]) -> Option<Vec<i64>> {
        assert_eq!(input.len(), self.lanes, "one value a lane is needed");
        let fits = |value: i128| i64::try_from(value).ok().map(i128::from);
        let reduced = |value: i128| if self.ring == Ring::Gf2 { Some(value & 1) } else { fits(value) };
        let mut lanes: Vec<Option<i128>> = input.iter().map(|&value| reduced(value.into())).collect();
        for stage in &self.stages {
            lanes = stage.run(&lanes, |terms| {
                let mut sum = 0_i128;
                for (weight, value) in terms {
                    sum = sum.checked_add(value?.checked_mul(weight.integer()?.into())?)?;
                }
                reduced(sum)
            });
        }
        lanes.into_iter().map(|value| value.and_then(|value| i64::try_from(value).ok())).collect()
    }

    /// The same plan over another ring that holds its coefficients.
    pub fn over(self, ring: Ring) -> Self {
        Self { ring, ..self }
    }

    /// The matrix of the plan, `[result index][input lane]`, as the product of its stages' edges.
    pub fn matrix(&self) -> Vec<Vec<Complex64>> {
        let mut rows: Vec<Vec<Complex64>> = (0..self.lanes)
            .map(|lane| (0..self.lanes).map(|input| Complex64::from(f64::from(u8::from(lane == input)))).collect())
            .collect();
        for stage in &self.stages {
            let before = rows.clone();
            for lane in stage.written_lanes() {
                rows[lane].fill(Complex64::default());
            }
            for edge in stage.edges() {
                let weight = edge.weight.value();
                for (sum, value) in rows[edge.to].iter_mut().zip(&before[edge.from]) {
                    *sum = self.ring.reduced(*sum + weight * value);
                }
            }
        }
        self.output.natural(&rows)
    }

    /// Whether every stage can run on a single array.
    pub fn in_place(&self) -> bool {
        self.stages.iter().all(Stage::in_place)
    }

    /// What the plan costs, as drawn.
    pub fn operations(&self) -> Operations {
        self.stages.iter().map(Stage::operations).fold(Operations::default(), |sum, stage| Operations {
            additions: sum.additions + stage.additions,
            multiplications: sum.multiplications + stage.multiplications,
        })
    }

    /// Bytes that one launch a stage moves through global memory in single precision: every lane that a stage touches, read once and written once.
    pub fn bytes_moved(&self) -> u64 {
        self.stages.iter().map(|stage| stage.bytes_moved(self.ring)).sum()
    }

    /// The same plan for `rows` lines of `self.lanes` lanes, one behind the other.
    pub fn batched(mut self, rows: usize) -> Self {
        if rows == 1 {
            return self;
        }
        for stage in &mut self.stages {
            stage.outer = stage.outer.repeated(rows, self.lanes);
        }
        self.output = Order::Rows { columns: self.lanes, each: Box::new(self.output) };
        self.lanes *= rows;
        self
    }
}
