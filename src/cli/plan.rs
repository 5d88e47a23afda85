//! The options that say which plan is built, and how it is cut into launches.

use super::arguments::{Size, cut};
use super::choices::Choices;
use super::cutting::{EveryCut, check_steps};
use super::parameters::{EveryParameter, check_lines};
use super::{Failure, check_memory};
use crate::engine::Cut;
use crate::gpu::MOST_LANES;
use crate::plan::{IntegerWidth, Plan, Ring};
use crate::transforms::{Algorithm, Shape, Transform, transform};
use clap::Args;

/// The most values of a line that is printed with radix 2 by default, as textbooks draw it; a page has more room than the window.
pub(super) const MOST_PRINTED_RADIX_2: usize = 32;

/// A transform, one of its algorithms, a size and a schedule.
#[derive(Debug, Args)]
pub(super) struct PlanArguments {
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    pub(super) transform: String,
    /// One of its algorithms with a flow graph; by default the first one, or for a drawing of at most 32 values a row one of radix 2.
    #[arg(short, long, value_name = "NAME")]
    pub(super) algorithm: Option<String>,
    /// Values per row, any number, or ROWSxCOLUMNS; one number means a square if the transform takes images.
    #[arg(short = 'n', long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(super) size: Option<Size>,
    #[command(flatten)]
    pub(super) parameters: Choices<EveryParameter>,
    /// How the plan is cut into launches: tiles, tiles:LANES (of at most LANES lanes), stages (one launch each), split-merge or overlapped.
    #[arg(long, default_value = "tiles", value_parser = cut, value_name = "SCHEDULE")]
    pub(super) schedule: Cut,
    #[command(flatten)]
    pub(super) cutting: Choices<EveryCut>,
}

crate::choice! {
    /// The type of the lanes of a plan over the integers.
    pub enum LaneType {
        /// Real numbers, which kernels read as they do integers.
        #[default]
        F32 = "Real", "f32";
        /// Integers of 32 bits, which run where samples and bounds allow.
        I32 = "32 bits", "i32";
        /// Integers of 64 bits, which run where larger results are possible.
        I64 = "64 bits", "i64";
    }
}

impl LaneType {
    /// The plan over lanes of this type. A plan modulo 2 has integers of 32 bits in any case.
    fn over(self, plan: Plan, transform: &Transform) -> Result<Plan, Failure> {
        match (plan.ring, self) {
            (Ring::Integer(_), Self::F32) => Ok(plan.over(Ring::Real)),
            (Ring::Integer(_), Self::I32) => Ok(plan.over(Ring::Integer(IntegerWidth::Bits32))),
            (Ring::Integer(_), Self::I64) => Ok(plan.over(Ring::Integer(IntegerWidth::Bits64))),
            (Ring::Gf2, Self::I32) | (_, Self::F32) => Ok(plan),
            (Ring::Gf2, Self::I64) => {
                Err(Failure::Call(format!("{} runs modulo 2 in integers of 32 bits: take --type i32", transform.name)))
            }
            (ring, _) => {
                let text = format!("{} has {} lanes here, and no integers: leave --type out", transform.name, ring.name());
                Err(Failure::Call(text))
            }
        }
    }
}

/// A plan as a GPU runs it, and how it is to be cut.
pub(super) struct Planned {
    pub(super) transform: &'static Transform,
    pub(super) algorithm: &'static Algorithm,
    pub(super) shape: Shape,
    pub(super) plan: Plan,
    pub(super) cut: Cut,
}

impl PlanArguments {
    /// The shape of one signal.
    ///
    /// # Errors
    /// If no size was given.
    pub(super) fn shape(&self, transform: &Transform) -> Result<Shape, Failure> {
        let size = self.size.ok_or_else(|| Failure::Call("the size is missing: give --size SIZE".into()))?;
        Ok(size.shape(transform.axes))
    }

    /// The plan of the arguments.
    ///
    /// # Errors
    /// If the algorithm is a library, or the transform does not take this size or schedule.
    pub(super) fn planned(&self) -> Result<Planned, Failure> {
        self.planned_on(LaneType::F32)
    }

    /// The same with integers in lanes of this type.
    ///
    /// # Errors
    /// As [`Self::planned`], and if the plan has no lanes of this type.
    pub(super) fn planned_on(&self, lanes: LaneType) -> Result<Planned, Failure> {
        let transform = transform(&self.transform)?;
        let (shape, parameters) = (self.shape(transform)?, self.parameters.of(transform)?);
        // Plans of powers of two have short tables, while Bluestein's chirps are as long as their lines. No kernel counts more lanes than these.
        let is_short = shape.rows.is_power_of_two() && shape.columns.is_power_of_two() && self.algorithm.as_deref() != Some("bluestein");
        if !is_short || shape.len() > MOST_LANES {
            check_memory(shape)?;
        }
        check_lines(shape, parameters)?;
        let algorithm = match &self.algorithm {
            Some(name) => transform.algorithm(name)?,
            None => transform.first_plan_for(shape, parameters),
        };
        let Some(build) = algorithm.plan_fn() else {
            return Err(Failure::Call(format!("{} is a library and has no kernels: take another algorithm", algorithm.name)));
        };
        self.parameters.check_tile(transform, &[Some(algorithm)], shape)?;
        let plan = build(shape, transform.within_levels(shape, parameters))?;
        let plan = lanes.over(plan, transform)?;
        let cut = self.cutting.cut(self.schedule, transform, Some(algorithm))?.of(algorithm, parameters);
        check_steps(cut, transform, shape.columns)?;
        Ok(Planned { transform, algorithm, shape, plan, cut })
    }
}
