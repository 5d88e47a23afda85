//! The choices that a job leaves open: which algorithm, and where.

use super::{DeviceChoice, Devices, EngineError, Job, Place, halves};
use crate::cpu::Way;
use crate::transforms::{Algorithm, Shape, Transform, Unsupported, transform};

/// Above so many lanes an automatic choice takes the library on a CPU, even where a drawable plan would be nicer: it is several times faster.
const LARGEST_PREFERRED_PLAN: usize = 1 << 20;

/// What a job comes to once the automatic choices are made.
pub struct Resolved {
    /// The transform.
    pub transform: &'static Transform,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Where it runs.
    pub place: Place,
    /// Why, where the choice was left open.
    pub reason: String,
    /// Shape of what is transformed.
    pub shape: Shape,
}

/// Makes the automatic choices of a job.
///
/// # Errors
/// When a name is not in the table, there is nothing to transform, or the device is not there.
pub fn resolve(job: &Job, devices: &mut Devices) -> Result<Resolved, EngineError> {
    let transform = transform(job.transform)?;
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    if shape.is_empty() {
        return Err(EngineError::Empty { transform: transform.name });
    }
    halves::check(job, transform)?;
    let (place, why_here) = devices.place(&job.device)?;
    let drawable = |algorithm: &Algorithm| algorithm.plan_fn().map(|build| build(shape, job.parameters).map(drop));
    let (algorithm, why_so) = match job.algorithm {
        Some(name) => (transform.algorithm(name)?, ""),
        None => fastest(transform, &place, shape, job, drawable),
    };
    // What was left open and does not fit a GPU goes to the CPU; what was asked for is never moved.
    let place = match (place, algorithm.plan_fn(), &job.device) {
        (Place::Gpu(_), None, DeviceChoice::Auto) => Place::Cpu(Way::Parallel),
        (Place::Gpu(_), None, _) => return Err(EngineError::CpuOnly { algorithm: algorithm.name }),
        (place, ..) => place,
    };
    let reason = [why_so, why_here].iter().filter(|why| !why.is_empty()).copied().collect::<Vec<_>>().join("; ");
    Ok(Resolved { transform, algorithm, place, reason, shape })
}

/// The fastest algorithm at the place; on a CPU one that can be drawn, where that is preferred and cheap enough.
fn fastest(
    transform: &'static Transform,
    place: &Place,
    shape: Shape,
    job: &Job,
    drawable: impl Fn(&Algorithm) -> Option<Result<(), Unsupported>>,
) -> (&'static Algorithm, &'static str) {
    let plan = transform.first_plan_for(shape, job.parameters);
    let Some(library) = transform.library() else { return (plan, "the fastest") };
    let fits = matches!(drawable(plan), Some(Ok(())));
    match place {
        // A named device that has no plan for the shape says so itself.
        Place::Gpu(_) if fits || job.device != DeviceChoice::Auto => (plan, "the fastest on a GPU"),
        Place::Gpu(_) => (library, "no plan takes this size"),
        Place::Cpu(_) if !fits => (library, "no plan takes this size"),
        Place::Cpu(_) if job.prefer_plan && shape.len() <= LARGEST_PREFERRED_PLAN => (plan, "the fastest that has a flow graph"),
        Place::Cpu(_) => (library, "the fastest on a CPU"),
    }
}
