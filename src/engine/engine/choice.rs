//! The choices that a job leaves open: which algorithm, how it is cut, and where.
//!
//! Times measured on this device decide. Without them the cost model decides on a GPU. On a CPU the library is faster than every plan, but only a plan can be drawn.

use super::candidate::KnownCandidates;
use super::cut::schedule_on_gpu;
use super::speeds::JobSize;
use super::{Backend, Candidate, Cut, DeviceChoice, Devices, EngineError, Job, Measured, MeasuredOn, Speed, halves};
use crate::cpu::CpuBackend;
use crate::gpu::{self, Limits};
use crate::plan::{Plan, Precision, Ring};
use crate::threads;
use crate::transforms::{Algorithm, Input, MOST_RADIX_2, Parameters, ScheduleKind, Shape, Transform, Unsupported, transform};

/// Above this number of lanes the automatic choice on a CPU takes the library, even if a plan that can be drawn is preferred: the library is several times faster.
const LARGEST_PREFERRED_PLAN: usize = 1 << 20;
/// Cost of sorting a result into natural order on the host, in copies on the device: several passes through a slower memory.
const REORDER: f64 = 8.0;
/// Cost of the download and of starting the sort, in lanes that the device copies meanwhile: far more than a launch.
const ROUND_TRIP_LANES: f64 = 1e7;

/// A job after all automatic choices.
pub struct Resolved {
    /// The transform.
    pub transform: &'static Transform,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Parameters as asked for, completed from the samples.
    pub parameters: Parameters,
    /// How its plan is cut.
    pub cut: Cut,
    /// The device that runs it.
    pub backend: Backend,
    /// Why, if the choice was automatic.
    pub reason: String,
    /// Shape of the samples, rows × columns.
    pub shape: Shape,
    /// The algorithms that were compared; empty if one was asked for.
    pub candidates: Vec<Candidate>,
}

/// Makes the automatic choices of a job.
///
/// # Errors
/// When a name is not in the table, there is nothing to transform, or the device is not there.
pub fn resolve(job: &Job, devices: &mut Devices) -> Result<Resolved, EngineError> {
    let transform = transform(job.transform)?;
    if transform.input == Input::Equations {
        return Err(EngineError::NoSamples { transform: transform.name });
    }
    let shape = job.shape();
    if shape.is_empty() {
        return Err(EngineError::Empty { transform: transform.name });
    }
    halves::check(job, transform)?;
    let parameters = halves::settled(job, transform)?;
    let job = &Job { parameters, ..job.clone() };
    let size = JobSize::of(job, transform, shape, devices.keeps_results());
    let (backend, why_here) = devices.backend_for(&job.device, size)?;
    let (candidates, (algorithm, cut, why_so)) = match job.algorithm {
        Some(name) => (Vec::new(), (transform.algorithm(name)?, job.cut, String::new())),
        None => {
            let candidates = candidates(transform, &backend, shape, job, devices.guides());
            let taken = choose(transform, &candidates, &backend, shape, job);
            (candidates, taken)
        }
    };
    // A job without a GPU plan moves to the CPU if the device was left open; a device that was asked for is kept.
    let backend = match (backend, algorithm.plan_fn(), &job.device) {
        (Backend::Gpu(_), None, DeviceChoice::Auto) => Backend::Cpu(CpuBackend::Parallel),
        (Backend::Gpu(_), None, _) => return Err(EngineError::CpuOnly { algorithm: algorithm.name }),
        (backend, ..) => backend,
    };
    let cut = match backend {
        Backend::Cpu(cpu_backend) => cut_on_cpu(cut, cpu_backend, algorithm, parameters)?,
        Backend::Gpu(_) => cut.of(algorithm, parameters),
    };
    let reason = [why_so.as_str(), &why_here].into_iter().filter(|why| !why.is_empty()).collect::<Vec<_>>().join("; ");
    Ok(Resolved { transform, algorithm, parameters, cut, backend, reason, shape, candidates })
}

/// The algorithms that can compute a job on a backend, in the order of the table. A definition that is computed term by term is never the fastest.
fn candidates(
    transform: &'static Transform,
    backend: &Backend,
    shape: Shape,
    job: &Job,
    (measured, known): (&Measured, &mut KnownCandidates),
) -> Vec<Candidate> {
    let precision = precision(job, backend);
    let limits = match backend {
        Backend::Gpu(device) => Some(device.limits().in_precision(precision)),
        Backend::Cpu(_) => None,
    };
    let find = || match limits {
        Some(limits) => estimated(transform, limits, shape, job.parameters, job.cut),
        None => {
            let fast = |build: Result<Plan, Unsupported>| build.is_ok_and(|plan| !plan.is_direct());
            let takes = |algorithm: &&Algorithm| algorithm.plan_fn().is_none_or(|build| fast(build(shape, job.parameters)));
            let unknown = |algorithm: &Algorithm| Candidate { algorithm: algorithm.name, cut: job.cut, speed: Speed::Unknown };
            transform.algorithms.iter().filter(takes).map(unknown).collect()
        }
    };
    let candidates = known.of((transform.name, limits, shape, job.parameters, job.cut), find);
    with_measured(candidates, measured, &MeasuredOn::at(backend, precision), transform.name, shape, job.cut)
}

/// The precision in which a job runs on a backend: a GPU uses double precision only if it is asked for.
pub(super) fn precision(job: &Job, backend: &Backend) -> Precision {
    match (backend, job.is_double()) {
        (Backend::Gpu(_), _) => job.precision.unwrap_or_default(),
        (Backend::Cpu(_), true) => Precision::Double,
        (Backend::Cpu(_), false) => Precision::Single,
    }
}

/// The plans for the shape, compared by the estimated time of their launches on a device with these limits.
fn estimated(transform: &'static Transform, limits: Limits, shape: Shape, parameters: Parameters, cut: Cut) -> Vec<Candidate> {
    let most_lanes = match cut {
        Cut::TilesOf(lanes) => lanes,
        _ => usize::MAX,
    };
    let cost = |algorithm: &'static Algorithm| {
        let plan = algorithm.plan_fn()?(shape, parameters).ok().filter(|plan| !plan.is_direct())?;
        // The ring of exact lanes follows from the samples; most are taken as real numbers.
        let plan = if plan.ring.is_exact_without_modulus() { plan.over(Ring::Real) } else { plan };
        let reorder = if plan.output.is_natural() { 0.0 } else { REORDER * shape.len() as f64 + ROUND_TRIP_LANES };
        let copied_lanes = match cut.of(algorithm, parameters) {
            cut @ (Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) | Cut::Blocks(_) | Cut::SplitAndMerge(_))
                if algorithm.schedules().usual != ScheduleKind::Tiles =>
            {
                gpu::estimate_of(&plan, &schedule_on_gpu(&plan, cut, limits), limits)
            }
            _ => gpu::estimate(&plan, limits, most_lanes).copied_lanes,
        };
        Some((algorithm.name, copied_lanes + reorder))
    };
    // Each takes a millisecond or two.
    let costs: Vec<_> = threads::map_items(transform.algorithms.iter().collect(), &cost).into_iter().flatten().collect();
    let best = costs.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
    costs.into_iter().map(|(algorithm, cost)| Candidate { algorithm, cut, speed: Speed::Estimated(cost / best) }).collect()
}

/// The same candidates with their measured times, if all of them were tried at a near size. A schedule that was asked for is kept.
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

/// The fastest candidate, its schedule and the reason. On a CPU it is one that can be drawn, if that is preferred and cheap enough.
fn choose(
    transform: &'static Transform,
    candidates: &[Candidate],
    backend: &Backend,
    shape: Shape,
    job: &Job,
) -> (&'static Algorithm, Cut, String) {
    if let Some(algorithm) = transform.radix_2_for(shape, job.parameters, MOST_RADIX_2).filter(|_| job.prefer_plan) {
        return (algorithm, job.cut, format!("radix 2, to be read in the flow graph: lines have at most {MOST_RADIX_2} values"));
    }
    let known = |name: &str| transform.algorithm(name).ok();
    // A library has no launches that a schedule could make.
    let drawn = has_ordered_loops(backend) || job.cut != Cut::Tiles || job.prefer_plan && shape.len() <= LARGEST_PREFERRED_PLAN;
    let allowed = |algorithm: &Algorithm| matches!(backend, Backend::Gpu(_)) || !drawn || algorithm.plan_fn().is_some();
    let with_flow_graph = if drawn && matches!(backend, Backend::Cpu(_)) { " that has a flow graph" } else { "" };
    let rated = candidates.iter().filter_map(|candidate| Some((candidate, known(candidate.algorithm)?, rating(candidate.speed)?)));
    let fastest = rated.filter(|(_, algorithm, _)| allowed(algorithm)).min_by(|a, b| a.2.total_cmp(&b.2));
    if let Some((candidate, algorithm, _)) = fastest {
        let why = match candidate.speed {
            Speed::Measured(_) => format!("the fastest{with_flow_graph}, measured on this device"),
            _ if candidates.len() == 1 => "the only one that supports this size".into(),
            _ => "the fastest on a GPU, as estimated".into(),
        };
        return (algorithm, candidate.cut, why);
    }
    let plan = transform.first_plan_for(shape, job.parameters);
    let fits = candidates.iter().any(|candidate| candidate.algorithm == plan.name);
    let (algorithm, why) = match (transform.library(), backend) {
        (None, _) => (plan, "the fastest"),
        // A device that was asked for reports itself that it has no plan for the shape.
        (_, Backend::Gpu(_)) if job.device != DeviceChoice::Auto => (plan, ""),
        (Some(library), Backend::Gpu(_)) => (library, "no plan takes this size"),
        (Some(library), Backend::Cpu(_)) if !fits => (library, "no plan takes this size"),
        (Some(_), Backend::Cpu(_)) if drawn => (plan, "the fastest that has a flow graph"),
        (Some(library), Backend::Cpu(_)) => (library, "the fastest on a CPU"),
    };
    (algorithm, job.cut, why.into())
}

/// Whether the loops of a plan run one stage after the other, which no library does.
pub(super) fn has_ordered_loops(backend: &Backend) -> bool {
    matches!(backend, Backend::Cpu(CpuBackend::ByStage(_)))
}

/// How a CPU cuts the plan of an algorithm. Loops in one order are a launch a stage.
///
/// # Errors
/// Where such loops are asked for, and the algorithm has no stages or another schedule.
pub(super) fn cut_on_cpu(
    cut: Cut,
    cpu_backend: CpuBackend,
    algorithm: &'static Algorithm,
    parameters: Parameters,
) -> Result<Cut, EngineError> {
    match (cut.on_cpu(algorithm, parameters), cpu_backend) {
        (_, CpuBackend::ByStage(_)) if algorithm.plan_fn().is_none() => Err(EngineError::OwnLoops { algorithm: algorithm.name }),
        (Cut::Tiles, CpuBackend::ByStage(_)) => Ok(Cut::Stages),
        (cut @ (Cut::TilesOf(_) | Cut::Blocks(_) | Cut::SplitAndMerge(_) | Cut::Overlapped(_)), CpuBackend::ByStage(_)) => {
            Err(EngineError::LoopsByStage { algorithm: algorithm.name, schedule: cut.kind() })
        }
        (cut, _) => Ok(cut),
    }
}

/// The number that ranks a candidate; the candidates of one job are all measured or all estimated.
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
