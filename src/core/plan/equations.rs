//! Plans on equations: their reference run, and where recursive doubling keeps the equations in between.

use super::{Doubling, Operation, Plan, ReducedEquation, Stage};

impl Plan {
    /// Runs a plan on equations in double precision: the reference for every backend.
    ///
    /// # Panics
    /// When `input` does not have `inputs` equations, or a stage does not eliminate.
    pub fn run_equations(&self, input: &[ReducedEquation<f64>]) -> Vec<ReducedEquation<f64>> {
        let mut lanes = self.run_equation_stages(input, self.stages.len());
        lanes.truncate(self.outputs);
        lanes
    }

    /// Runs the first `n_stages` stages in double precision and returns the equations of all lanes.
    ///
    /// # Panics
    /// As [`Plan::run_equations`].
    pub fn run_equation_stages(&self, input: &[ReducedEquation<f64>], n_stages: usize) -> Vec<ReducedEquation<f64>> {
        assert_eq!(input.len(), self.inputs, "the input has the wrong length");
        let mut lanes = input.to_vec();
        lanes.resize(self.lanes, ReducedEquation { a: f64::NAN, b: f64::NAN, c: f64::NAN, d: f64::NAN });
        for stage in &self.stages[..n_stages] {
            lanes = stage.eliminate(&lanes);
        }
        lanes
    }

    /// Whether lanes hold maps of pivots in between.
    pub fn has_maps(&self) -> bool {
        self.stages.iter().any(|stage| stage.operation == Operation::Doubling(Doubling::PivotMap))
    }

    /// The lane of the first equation after `n_stages` stages: recursive doubling keeps equations behind the maps of their pivots.
    pub fn first_equation(&self, n_stages: usize) -> usize {
        let place = |stage: &Stage| match stage.operation {
            Operation::Doubling(Doubling::PivotMap) => Some(stage.write.hop),
            Operation::Doubling(Doubling::Compose) => None,
            _ => Some(0),
        };
        self.stages[..n_stages].iter().rev().find_map(place).unwrap_or(0)
    }
}
