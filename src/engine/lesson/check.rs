//! The claims of a lesson, verified against the plan and its run.

use super::answer::{answer_text, are_equal};
use super::question::tile_lanes;
use super::subject::{Subject, Subjects};
use crate::plan::LaneValue;
use crate::signal::generate::typed_numbers;
use num_complex::Complex64;
use serde::Deserialize;

/// The claims of a step; a claim that is left out is not verified.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Check {
    /// Whether the claims are about the second plan.
    pub beside: bool,
    /// Number of lanes.
    pub lanes: Option<usize>,
    /// Number of stages.
    pub stages: Option<usize>,
    /// Number of launches.
    pub launches: Option<usize>,
    /// Lanes of a tile of launch 1, or of every launch.
    pub tiles: Option<OneOrMany>,
    /// Number of additions.
    pub additions: Option<u64>,
    /// Number of multiplications by something else than ±1 and ±i.
    pub multiplications: Option<u64>,
    /// Number of edges of all stages, as drawn.
    pub edges: Option<usize>,
    /// Whether every stage can run on a single array.
    pub in_place: Option<bool>,
    /// The result, as typed numbers.
    pub values: Option<String>,
    /// The values of all lanes after every stage, from stage 1 on, as typed numbers.
    pub stage_values: Option<Vec<String>>,
    /// The index of the result on every lane at the end.
    pub order: Option<String>,
}

/// A number, or a list of them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(usize),
    /// One for each.
    Many(Vec<usize>),
}

/// Claims, and whether they hold.
struct Found(Vec<String>);

impl Found {
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, name: &str, claimed: Option<&T>, found: impl FnOnce() -> T) {
        if let Some(claimed) = claimed {
            let found = found();
            if found != *claimed {
                self.0.push(format!("{name}: the lesson says {claimed:?}, and the plan has {found:?}"));
            }
        }
    }

    fn compare_values(&mut self, name: &str, claimed: &str, found: Result<Vec<Complex64>, String>) {
        let (claimed_values, found) = match (typed_numbers(claimed), found) {
            (Ok(claimed), Ok(found)) => (claimed, found),
            (Err(error), _) | (_, Err(error)) => return self.0.push(format!("{name}: {error}")),
        };
        if !are_equal(&found, &claimed_values) {
            let found: Vec<_> = found.into_iter().map(|value| answer_text(value.into())).collect();
            self.0.push(format!("{name}: the lesson says {claimed}, and the run gives {}", found.join(", ")));
        }
    }
}

impl Check {
    /// The claims that do not hold, a line each.
    ///
    /// # Errors
    /// Without a plan to verify them with.
    pub fn verify(&self, subjects: &Subjects) -> Result<Vec<String>, String> {
        let subject = if self.beside { subjects.beside()? } else { subjects.main()? };
        let Subject { plan, schedule, .. } = subject;
        let mut found = Found(Vec::new());
        found.compare("lanes", self.lanes.as_ref(), || plan.lanes);
        found.compare("stages", self.stages.as_ref(), || plan.stages.len());
        found.compare("launches", self.launches.as_ref(), || schedule.launches.len());
        found.compare("additions", self.additions.as_ref(), || plan.operations().additions);
        found.compare("multiplications", self.multiplications.as_ref(), || plan.operations().multiplications);
        found.compare("edges", self.edges.as_ref(), || plan.stages.iter().map(|stage| stage.edges().len()).sum());
        found.compare("in_place", self.in_place.as_ref(), || plan.in_place());
        let tiles = self.tiles.as_ref().map(|tiles| match tiles {
            OneOrMany::One(lanes) => vec![Some(*lanes)],
            OneOrMany::Many(lanes) => lanes.iter().copied().map(Some).collect(),
        });
        let n_tiles = tiles.as_ref().map_or(0, Vec::len);
        found.compare("tiles", tiles.as_ref(), || (0..n_tiles).map(|launch| tile_lanes(subject, launch)).collect());
        if let Some(order) = &self.order {
            let lanes = (0..plan.outputs).map(|lane| Complex64::from(plan.output.index(lane) as f64)).collect();
            found.compare_values("order", order, Ok(lanes));
        }
        if let Some(values) = &self.values {
            found.compare_values("values", values, subject.result());
        }
        for (index, values) in self.stage_values.iter().flatten().enumerate() {
            found.compare_values(&format!("stage_values, stage {}", index + 1), values, numbers_after(subject, index + 1));
        }
        Ok(found.0)
    }
}

/// The values of all lanes after a stage; an equation is four of them, and lanes without a value are left out.
fn numbers_after(subject: &Subject, stage: usize) -> Result<Vec<Complex64>, String> {
    let mut numbers = Vec::new();
    for value in subject.values_after(stage)? {
        match value {
            LaneValue::Number(value) if value.is_nan() => {}
            LaneValue::Number(value) => numbers.push(value),
            LaneValue::Equation(_) => numbers.extend(value.numbers().into_iter().map(Complex64::from)),
        }
    }
    Ok(numbers)
}
