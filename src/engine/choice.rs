//! The choices that a job leaves open: which algorithm, how it is cut, and where.
//!
//! What was measured on this device decides; else on a GPU the cost model of its cuts, and on a CPU two facts: a library beats every plan, and a plan can be drawn.

use super::cut::schedule_on_gpu;
use super::{Backend, Candidate, Cut, DeviceChoice, Devices, EngineError, Job, Measured, MeasuredOn, Speed, halves};
use crate::cpu::{LoopOrder, Way};
use crate::gpu::{self, Limits};
use crate::plan::Precision;
use crate::transforms::{Algorithm, Method, Parameters, Shape, Transform, transform};

/// Above so many lanes an automatic choice takes the library on a CPU, even where a drawable plan would be nicer: it is several times faster.
const LARGEST_PREFERRED_PLAN: usize = 1 << 20;
/// What it costs to put a result into its natural order on the host, in copies on the device: several passes of a slower memory.
const REORDER: f64 = 8.0;
/// What it costs to bring it there and to begin, in lanes that the device copies meanwhile: far more than a launch.
const ROUND_TRIP_LANES: f64 = 1e7;

/// What a job comes to once the automatic choices are made.
pub struct Resolved {
    /// The transform.
    pub transform: &'static Transform,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// What the algorithm needs to know: as asked for, and what the samples tell.
    pub parameters: Parameters,
    /// How its plan is cut.
    pub cut: Cut,
    /// Where it runs.
    pub place: Backend,
    /// Why, where the choice was left open.
    pub reason: String,
    /// Shape of what is transformed.
    pub shape: Shape,
    /// What the choice of the algorithm was made among; empty where it was asked for.
    pub candidates: Vec<Candidate>,
}

/// Makes the automatic choices of a job.
///
/// # Errors
/// When a name is not in the table, there is nothing to transform, or the device is not there.
pub fn resolve(job: &Job, devices: &mut Devices) -> Result<Resolved, EngineError> {
    let transform = transform(job.transform)?;
    if transform.takes_equations() {
        return Err(EngineError::NoSamples { transform: transform.name });
    }
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    if shape.is_empty() {
        return Err(EngineError::Empty { transform: transform.name });
    }
    halves::check(job, transform)?;
    let parameters = halves::settled(job, transform)?;
    let job = &Job { parameters, ..job.clone() };
    let (place, why_here) = devices.place(&job.device)?;
    let (candidates, (algorithm, cut, why_so)) = match job.algorithm {
        Some(name) => (Vec::new(), (transform.algorithm(name)?, job.cut, String::new())),
        None => {
            let candidates = candidates(transform, &place, shape, job, devices.measured());
            let taken = choose(transform, &candidates, &place, shape, job);
            (candidates, taken)
        }
    };
    if has_strided_loops(&place) && algorithm.plan_fn().is_none() {
        return Err(EngineError::OwnLoops { algorithm: algorithm.name });
    }
    // What was left open and does not fit a GPU goes to the CPU; what was asked for is never moved.
    let place = match (place, algorithm.plan_fn(), &job.device) {
        (Backend::Gpu(_), None, DeviceChoice::Auto) => Backend::Cpu(Way::Parallel),
        (Backend::Gpu(_), None, _) => return Err(EngineError::CpuOnly { algorithm: algorithm.name }),
        (place, ..) => place,
    };
    // On a CPU the caches serve what is direct.
    let cut = match place {
        Backend::Cpu(_) if algorithm.method() == Some(Method::Direct) => cut,
        _ => cut.of(algorithm),
    };
    let reason = [why_so.as_str(), why_here].into_iter().filter(|why| !why.is_empty()).collect::<Vec<_>>().join("; ");
    Ok(Resolved { transform, algorithm, parameters, cut, place, reason, shape, candidates })
}

/// The ways to compute a job at a place, in the order of the table.
fn candidates(transform: &'static Transform, place: &Backend, shape: Shape, job: &Job, measured: &Measured) -> Vec<Candidate> {
    let precision = precision(job, place);
    let candidates = match place {
        Backend::Gpu(device) => estimated(transform, device.limits().in_precision(precision), shape, job.parameters, job.cut),
        Backend::Cpu(_) => {
            let takes = |algorithm: &&Algorithm| algorithm.plan_fn().is_none_or(|build| build(shape, job.parameters).is_ok());
            let unknown = |algorithm: &Algorithm| Candidate { algorithm: algorithm.name, cut: job.cut, speed: Speed::Unknown };
            transform.algorithms.iter().filter(takes).map(unknown).collect()
        }
    };
    with_measured(candidates, measured, &MeasuredOn::at(place, precision), transform.name, shape, job.cut)
}

/// The precision in which a job runs at a place: a GPU takes the double one only where it is asked for.
pub(super) fn precision(job: &Job, place: &Backend) -> Precision {
    match (place, job.is_double()) {
        (Backend::Gpu(_), _) => job.precision.unwrap_or_default(),
        (Backend::Cpu(_), true) => Precision::Double,
        (Backend::Cpu(_), false) => Precision::Single,
    }
}

/// The plans that take the shape, compared by what their launches are estimated to take on a device of these limits.
fn estimated(transform: &'static Transform, limits: Limits, shape: Shape, parameters: Parameters, cut: Cut) -> Vec<Candidate> {
    let most_lanes = match cut {
        Cut::TilesOf(lanes) => lanes,
        _ => usize::MAX,
    };
    let cost = |algorithm: &'static Algorithm| {
        let plan = algorithm.plan_fn()?(shape, parameters).ok()?;
        let reorder = if plan.output.is_natural() { 0.0 } else { REORDER * shape.len() as f64 + ROUND_TRIP_LANES };
        let copied_lanes = match cut.of(algorithm) {
            cut @ (Cut::Stages | Cut::StagesIn(_) | Cut::SplitAndMerge(_)) if algorithm.method().is_some() => {
                gpu::estimate_of(&plan, &schedule_on_gpu(&plan, cut, limits), limits)
            }
            _ => gpu::estimate(&plan, limits, most_lanes).copied_lanes,
        };
        Some((algorithm.name, copied_lanes + reorder))
    };
    let costs: Vec<_> = transform.algorithms.iter().filter_map(cost).collect();
    let best = costs.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
    costs.into_iter().map(|(algorithm, cost)| Candidate { algorithm, cut, speed: Speed::Estimated(cost / best) }).collect()
}

/// The same candidates with their times, where all of them were tried at a near size. A cut that was asked for is kept.
fn with_measured(
    mut candidates: Vec<Candidate>,
    measured: &Measured,
    at: &MeasuredOn,
    transform: &str,
    shape: Shape,
    cut: Cut,
) -> Vec<Candidate> {
    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.algorithm).collect();
    let Some(entry) = measured.nearest(at, transform, shape, &names).filter(|_| cut == Cut::Tiles) else { return candidates };
    for candidate in &mut candidates {
        let times = entry.times.iter().filter(|time| time.algorithm == candidate.algorithm);
        let best = times.filter_map(|time| Some((time.cut, time.micros?))).min_by(|a, b| a.1.total_cmp(&b.1));
        (candidate.cut, candidate.speed) = best.map_or((cut, Speed::Unknown), |(cut, micros)| (cut, Speed::Measured(micros)));
    }
    candidates
}

/// The fastest candidate, its cut and why; on a CPU one that can be drawn, where that is preferred and cheap enough.
fn choose(
    transform: &'static Transform,
    candidates: &[Candidate],
    place: &Backend,
    shape: Shape,
    job: &Job,
) -> (&'static Algorithm, Cut, String) {
    let known = |name: &str| transform.algorithm(name).ok();
    let drawn = has_strided_loops(place) || job.prefer_plan && shape.len() <= LARGEST_PREFERRED_PLAN;
    let allowed = |algorithm: &Algorithm| matches!(place, Backend::Gpu(_)) || !drawn || algorithm.plan_fn().is_some();
    let with_flow_graph = if drawn && matches!(place, Backend::Cpu(_)) { " that has a flow graph" } else { "" };
    let rated = candidates.iter().filter_map(|candidate| Some((candidate, known(candidate.algorithm)?, rating(candidate.speed)?)));
    let fastest = rated.filter(|(_, algorithm, _)| allowed(algorithm)).min_by(|a, b| a.2.total_cmp(&b.2));
    if let Some((candidate, algorithm, _)) = fastest {
        let why = match candidate.speed {
            Speed::Measured(_) => format!("the fastest{with_flow_graph}, measured on this device"),
            _ if candidates.len() == 1 => "the only one that takes this size".into(),
            _ => "the fastest on a GPU, as estimated".into(),
        };
        return (algorithm, candidate.cut, why);
    }
    let plan = transform.first_plan_for(shape, job.parameters);
    let fits = candidates.iter().any(|candidate| candidate.algorithm == plan.name);
    let (algorithm, why) = match (transform.library(), place) {
        (None, _) => (plan, "the fastest"),
        // A named device that has no plan for the shape says so itself.
        (_, Backend::Gpu(_)) if job.device != DeviceChoice::Auto => (plan, ""),
        (Some(library), Backend::Gpu(_)) => (library, "no plan takes this size"),
        (Some(library), Backend::Cpu(_)) if !fits => (library, "no plan takes this size"),
        (Some(_), Backend::Cpu(_)) if drawn => (plan, "the fastest that has a flow graph"),
        (Some(library), Backend::Cpu(_)) => (library, "the fastest on a CPU"),
    };
    (algorithm, job.cut, why.into())
}

/// Whether the loops of a plan are exchanged, which no library does.
fn has_strided_loops(place: &Backend) -> bool {
    matches!(place, Backend::Cpu(Way::Sequential(LoopOrder::Strided)))
}

/// What candidates are compared by; those of one job are all measured or all estimated.
fn rating(speed: Speed) -> Option<f64> {
    match speed {
        Speed::Measured(micros) => Some(micros),
        Speed::Estimated(ratio) => Some(ratio),
        Speed::Unknown => None,
    }
}

#[cfg(test)]
#[path = "choice/tests.rs"]
mod tests;
