//! The samples of a job as the lanes of a plan: which ring it runs over, how wide its integers must be, and the run on the CPU.
//!
//! Integers stay exact: results are bounded before anything runs, and never wrap.

use super::lane_memory::LaneMemory;
use super::{Backend, Cut, EngineError, Job, LaneValues, Values, convolve, halves};
use crate::cpu::{self, Bit, CpuBackend, Lane, LaneArrays, Residue, Word};
use crate::numerals::counted;
use crate::plan::{IntegerWidth, LaneValue, Plan, Precision, PrimeField, ReducedEquation, ResultOrder, Ring};
use crate::schedule::Schedule;
use crate::signal::{PackedBits, System};
use crate::threads;
use crate::transforms::{Family, transform};
use num_complex::{Complex32, Complex64};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// GF(2) values are bit-packed from this number of lanes on; fewer can be shown one by one.
pub(super) const PACKED_FROM: usize = 1 << 10;
/// Integers up to here are exact in single precision.
const EXACT_IN_SINGLE: u128 = 1 << 24;
/// Integers up to here are exact in double precision.
const EXACT_IN_DOUBLE: u128 = 1 << 53;

/// Notes for samples that are 0 or 1, and for others.
const MODULO: &str = "modulo 2";
const MODULO_OF_OTHERS: &str = "modulo 2, of samples taken modulo 2";

/// A plan over the ring that suits the samples of a job.
pub(super) struct Fitted {
    /// The plan.
    pub(super) plan: Plan,
    /// The samples, where the lanes are exact and hold one each.
    integers: Option<Vec<i64>>,
    /// The samples, where lanes hold many.
    bits: Option<PackedBits>,
    /// Which floating-point numbers give exact results.
    pub(super) exactness: Exactness,
    /// A note on the choice of the ring; empty if there was no choice.
    pub(super) note: String,
}

/// Which floating-point numbers keep a run of integers exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exactness {
    /// None, or the lanes hold no integers.
    Never,
    /// Those of single precision, and so those of double precision.
    InSingle,
    /// Those of double precision.
    InDouble,
}

/// The plan over the ring that holds its coefficients and the samples of the job.
///
/// # Errors
/// When the samples are not integers and the plan takes nothing else, or when integers might not fit 64 bits.
pub(super) fn fitted(plan: Plan, job: &Job) -> Result<Fitted, EngineError> {
    let fractions = || EngineError::Fractions { transform: job.transform, modulus: plan.ring.field().map_or(2, PrimeField::modulus) };
    let float = |ring, exactness| Fitted { plan: plan.clone().over(ring), integers: None, bits: None, exactness, note: String::new() };
    if plan.ring == Ring::Complex {
        return Ok(float(Ring::Complex, Exactness::Never));
    }
    if job.cut == Cut::Tiles && plan.lanes >= PACKED_FROM && plan.bit_packed(Word::BITS).is_some() {
        let bits = job.signal.packed_bits(job.channel)?.ok_or_else(fractions)?;
        let note = if bits.is_binary { MODULO } else { MODULO_OF_OTHERS };
        return Ok(Fitted { plan, integers: None, bits: Some(bits), exactness: Exactness::Never, note: note.into() });
    }
    let integers = job.signal.whole_numbers(job.channel)?;
    let Some(integers) = integers else {
        return match (plan.ring, job.is_complex()) {
            (Ring::Gf2 | Ring::Prime(_), _) => Err(fractions()),
            (_, true) => Ok(float(Ring::Complex, Exactness::Never)),
            (_, false) => Ok(float(Ring::Real, Exactness::Never)),
        };
    };
    if plan.ring == Ring::Gf2 {
        let is_binary = threads::all(&integers, |value| (0..=1).contains(value));
        let note = if is_binary { MODULO } else { MODULO_OF_OTHERS };
        return Ok(Fitted { plan, integers: Some(integers), bits: None, exactness: Exactness::Never, note: note.into() });
    }
    if let Ring::Prime(field) = plan.ring {
        let note = note_on_residues(field, &integers);
        return Ok(Fitted { plan, integers: Some(integers), bits: None, exactness: Exactness::Never, note });
    }
    let bound = match transform(job.transform) {
        // Sharper than the plan alone gives.
        Ok(row) if row.family == Family::Convolution => Some(convolve::bound(row.input, job.signal.columns, &integers)),
        _ => {
            let largest = |block: Range<usize>| integers[block].iter().map(|value| value.unsigned_abs()).max();
            plan.bound(threads::map_blocks(integers.len(), &largest).into_iter().flatten().max().unwrap_or(0))
        }
    };
    match (plan.ring, bound) {
        (Ring::Integer(_), Some(bound)) if bound <= i64::MAX as u128 => {
            let width = if bound <= i32::MAX as u128 { IntegerWidth::Bits32 } else { IntegerWidth::Bits64 };
            let note = format!("exact, in integers of {} bits", 8 * Ring::Integer(width).bytes_per_lane());
            Ok(Fitted { plan: plan.over(Ring::Integer(width)), integers: Some(integers), bits: None, exactness: Exactness::Never, note })
        }
        (Ring::Integer(_), bound) if job.signal.has_integers(job.channel) => {
            let bits = bound.map_or(u128::BITS, |bound| u128::BITS - bound.leading_zeros());
            Err(EngineError::Overflow { transform: job.transform, bits })
        }
        (_, Some(bound)) if bound <= EXACT_IN_SINGLE => Ok(float(Ring::Real, Exactness::InSingle)),
        (_, Some(bound)) if bound <= EXACT_IN_DOUBLE => Ok(float(Ring::Real, Exactness::InDouble)),
        _ => Ok(float(Ring::Real, Exactness::Never)),
    }
}

/// The modulus and the root, and how many samples were reduced.
fn note_on_residues(field: PrimeField, integers: &[i64]) -> String {
    let (q, root, order) = (field.modulus(), field.root(), field.order());
    let is_beyond = |value: &&i64| !(0..i64::from(q)).contains(*value);
    let note = format!("modulo {q}, with the root {root} of order {order}");
    match integers.iter().filter(is_beyond).count() {
        0 => note,
        n => format!("{note}; {} below 0 or above {} taken modulo {q}", counted(n, "sample"), q - 1),
    }
}

impl Fitted {
    /// The samples where lanes hold many.
    pub(super) fn bits(&self) -> Option<&PackedBits> {
        self.bits.as_ref()
    }

    /// The samples where the lanes are exact and hold one each.
    pub(super) fn integers(&self) -> Option<&[i64]> {
        self.integers.as_deref()
    }

    /// The precision of a run: as asked for, else single. A CPU takes double if the samples have it, or exact results or coefficients need it.
    pub(super) fn precision(&self, job: &Job, backend: &Backend) -> Precision {
        let on_cpu = matches!(backend, Backend::Cpu(_));
        let is_double = match job.precision {
            Some(precision) => precision == Precision::Double,
            None => on_cpu && (job.is_double() || self.exactness == Exactness::InDouble || self.plan.coef_beyond_single().is_some()),
        };
        if is_double && !self.plan.ring.is_exact() { Precision::Double } else { Precision::Single }
    }

    /// Whether floating-point numbers of a precision give exact results.
    pub(super) fn is_exact_in(&self, precision: Precision) -> bool {
        match self.exactness {
            Exactness::Never => false,
            Exactness::InSingle => true,
            Exactness::InDouble => precision == Precision::Double,
        }
    }
}

/// The values of all lanes, as the CPU runs them.
#[derive(Clone)]
pub(super) enum Lanes {
    Single(Vec<f32>),
    Double(Vec<f64>),
    Complex32(Vec<Complex32>),
    Complex64(Vec<Complex64>),
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
    Bits(Vec<Bit>),
    Residues(Vec<Residue>),
    NarrowRows(Vec<ReducedEquation<f32>>),
    WideRows(Vec<ReducedEquation<f64>>),
}

impl Lanes {
    /// The samples of a job for a plan that was fitted to them.
    ///
    /// # Errors
    /// When the channel does not exist.
    pub(super) fn of(plan: &Plan, job: &Job, precision: Precision) -> Result<Self, EngineError> {
        let (signal, channel) = (&job.signal, job.channel);
        let integers = || Ok::<_, EngineError>(signal.whole_numbers(channel)?.unwrap_or_default());
        if halves::takes_reals(job) {
            return Ok(match precision {
                Precision::Single => Self::Complex32(halves::lanes(&signal.samples_f32(channel)?, plan.inputs)),
                Precision::Double => Self::Complex64(halves::lanes(&signal.samples_f64(channel)?, plan.inputs)),
            });
        }
        Ok(match (plan.ring, precision) {
            (Ring::Real, Precision::Single) => Self::Single(signal.samples_f32(channel)?),
            (Ring::Real, Precision::Double) => Self::Double(signal.samples_f64(channel)?),
            (Ring::Complex, Precision::Single) => Self::Complex32(signal.samples_complex32(channel)?),
            (Ring::Complex, Precision::Double) => Self::Complex64(signal.samples_complex64(channel)?),
            (Ring::Integer(IntegerWidth::Bits32), _) => Self::Narrow(threads::convert(&integers()?, |value| value as i32)),
            (Ring::Integer(IntegerWidth::Bits64), _) => Self::Wide(integers()?),
            (Ring::Gf2, _) => Self::Bits(threads::convert(&integers()?, Bit::of)),
            (Ring::Prime(field), _) => Self::Residues(threads::convert(&integers()?, |value| Residue::of(field, value))),
            (Ring::Equation, precision) => Self::of_rows(&System::of(signal)?.rows, precision),
        })
    }

    /// The rows of a tridiagonal system.
    pub(super) fn of_rows(rows: &[[f64; 4]], precision: Precision) -> Self {
        match precision {
            Precision::Single => Self::NarrowRows(threads::convert(rows, |row| row.map(|value| value as f32).into())),
            Precision::Double => Self::WideRows(threads::convert(rows, Into::into)),
        }
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = match self {
            Self::Single(lanes) => size_of_val(&lanes[..]),
            Self::Double(lanes) => size_of_val(&lanes[..]),
            Self::Complex32(lanes) => size_of_val(&lanes[..]),
            Self::Complex64(lanes) => size_of_val(&lanes[..]),
            Self::Narrow(lanes) => size_of_val(&lanes[..]),
            Self::Wide(lanes) => size_of_val(&lanes[..]),
            Self::Bits(lanes) => size_of_val(&lanes[..]),
            Self::Residues(lanes) => size_of_val(&lanes[..]),
            Self::NarrowRows(lanes) => size_of_val(&lanes[..]),
            Self::WideRows(lanes) => size_of_val(&lanes[..]),
        };
        bytes as u64
    }

    /// Copies the samples to the memory in which a plan runs.
    pub(super) fn bring(&self, memory: &mut LaneMemory, plan: &Plan) {
        match self {
            Self::Single(lanes) => memory.single.load(plan, lanes),
            Self::Double(lanes) => memory.double.load(plan, lanes),
            Self::Complex32(lanes) => memory.complex32.load(plan, lanes),
            Self::Complex64(lanes) => memory.complex64.load(plan, lanes),
            Self::Narrow(lanes) => memory.narrow.load(plan, lanes),
            Self::Wide(lanes) => memory.wide.load(plan, lanes),
            Self::Bits(lanes) => memory.bits.load(plan, lanes),
            Self::Residues(lanes) => memory.residues.load(plan, lanes),
            Self::NarrowRows(lanes) => memory.narrow_rows.load(plan, lanes),
            Self::WideRows(lanes) => memory.wide_rows.load(plan, lanes),
        }
    }

    /// Runs a plan on samples that were copied to memory; gives the time of every launch in µs.
    ///
    /// # Errors
    /// When `cancel` is raised.
    pub(super) fn run(
        &self,
        memory: &mut LaneMemory,
        plan: &Plan,
        schedule: &Schedule,
        cpu_backend: CpuBackend,
        cancel: &AtomicBool,
    ) -> Result<Vec<f64>, EngineError> {
        Ok(match self {
            Self::Single(_) => cpu::run_in(&mut memory.single, plan, schedule, cpu_backend, cancel),
            Self::Double(_) => cpu::run_in(&mut memory.double, plan, schedule, cpu_backend, cancel),
            Self::Complex32(_) => cpu::run_in(&mut memory.complex32, plan, schedule, cpu_backend, cancel),
            Self::Complex64(_) => cpu::run_in(&mut memory.complex64, plan, schedule, cpu_backend, cancel),
            Self::Narrow(_) => cpu::run_in(&mut memory.narrow, plan, schedule, cpu_backend, cancel),
            Self::Wide(_) => cpu::run_in(&mut memory.wide, plan, schedule, cpu_backend, cancel),
            Self::Bits(_) => cpu::run_in(&mut memory.bits, plan, schedule, cpu_backend, cancel),
            Self::Residues(_) => cpu::run_in(&mut memory.residues, plan, schedule, cpu_backend, cancel),
            Self::NarrowRows(_) => cpu::run_in(&mut memory.narrow_rows, plan, schedule, cpu_backend, cancel),
            Self::WideRows(_) => cpu::run_in(&mut memory.wide_rows, plan, schedule, cpu_backend, cancel),
        }?)
    }

    /// The result of the last run of a plan, in natural order.
    pub(super) fn results(&self, memory: &LaneMemory, plan: &Plan) -> Values {
        fn sorted<L: Lane, T: Copy + Send>(arrays: &LaneArrays<L>, plan: &Plan, value: impl Fn(L::Stored) -> T + Sync) -> Vec<T> {
            let values = threads::convert(&arrays.lanes()[..plan.outputs], value);
            if plan.output.is_natural() { values } else { plan.output.natural(&values) }
        }
        match self {
            Self::Single(_) => Values::Single(sorted(&memory.single, plan, Complex32::from)),
            Self::Double(_) => Values::Double(sorted(&memory.double, plan, Complex64::from)),
            Self::Complex32(_) => Values::Single(sorted(&memory.complex32, plan, |value| value)),
            Self::Complex64(_) => Values::Double(sorted(&memory.complex64, plan, |value| value)),
            Self::Narrow(_) => Values::Integer(sorted(&memory.narrow, plan, i64::from)),
            Self::Wide(_) => Values::Integer(sorted(&memory.wide, plan, |value| value)),
            Self::Bits(_) => Values::Integer(sorted(&memory.bits, plan, i64::from)),
            Self::Residues(_) => Values::Integer(sorted(&memory.residues, plan, i64::from)),
            // Solved rows hold their unknowns as right-hand sides.
            Self::NarrowRows(_) => Values::Single(sorted(&memory.narrow_rows, plan, |row| row.d.into())),
            Self::WideRows(_) => Values::Double(sorted(&memory.wide_rows, plan, |row| row.d.into())),
        }
    }

    /// The rows in double precision, where lanes hold such.
    pub(super) fn rows(&self) -> Vec<ReducedEquation<f64>> {
        match self {
            Self::NarrowRows(lanes) => widened(lanes),
            Self::WideRows(lanes) => lanes.clone(),
            _ => Vec::new(),
        }
    }

    /// The rows after the last run of a plan, in double precision.
    pub(super) fn row_results(&self, memory: &LaneMemory, plan: &Plan) -> Vec<ReducedEquation<f64>> {
        match self {
            Self::NarrowRows(_) => widened(&memory.narrow_rows.lanes()[..plan.outputs]),
            Self::WideRows(_) => memory.wide_rows.lanes()[..plan.outputs].to_vec(),
            _ => Vec::new(),
        }
    }

    /// The lanes in double precision, for drawings; rows give their right-hand sides.
    pub(super) fn wide(&self) -> Vec<Complex64> {
        match self {
            Self::NarrowRows(_) | Self::WideRows(_) => self.rows().iter().map(|row| row.d.into()).collect(),
            Self::Single(lanes) => lanes.iter().map(|&value| f64::from(value).into()).collect(),
            Self::Double(lanes) => lanes.iter().map(|&value| value.into()).collect(),
            Self::Complex32(lanes) => lanes.iter().map(|value| Complex64::new(value.re.into(), value.im.into())).collect(),
            Self::Complex64(lanes) => lanes.clone(),
            Self::Narrow(lanes) => lanes.iter().map(|&value| f64::from(value).into()).collect(),
            Self::Wide(lanes) => lanes.iter().map(|&value| (value as f64).into()).collect(),
            Self::Bits(lanes) => lanes.iter().map(|&bit| (i64::from(bit) as f64).into()).collect(),
            Self::Residues(lanes) => lanes.iter().map(|&residue| (i64::from(residue) as f64).into()).collect(),
        }
    }
}

fn widened(rows: &[ReducedEquation<f32>]) -> Vec<ReducedEquation<f64>> {
    rows.iter().map(|&row| ReducedEquation::from(<[f32; 4]>::from(row).map(f64::from))).collect()
}

/// The value of every lane after every stage, for a plan small enough to be drawn whole: every prefix of the plan is run as a plan of its own.
/// Where `run` gives nothing, the values of the device are left out.
pub(super) fn drawn_values<V: Into<LaneValue>>(
    plan: &Plan,
    mut run: Option<impl FnMut(&Plan) -> Result<Vec<V>, EngineError>>,
    reference: Vec<Vec<V>>,
) -> Result<Arc<LaneValues>, EngineError> {
    let told = |values: Vec<V>| values.into_iter().map(Into::into).collect::<Vec<_>>();
    let prefix = |n: usize| {
        let stages = plan.stages[..n].to_vec();
        Plan { stages, output: ResultOrder::Natural, ..plan.clone() }.with_ends(plan.inputs, plan.lanes)
    };
    let of_device = run.as_mut().map(|run| (0..=plan.stages.len()).map(|n| Ok(told(run(&prefix(n))?))).collect::<Result<_, EngineError>>());
    let mut device: Vec<Vec<LaneValue>> = of_device.transpose()?.unwrap_or_default();
    let mut reference: Vec<Vec<LaneValue>> = reference.into_iter().map(told).collect();
    // Where the device gives no values, those of the reference are shown.
    let shown = if device.is_empty() { &mut reference } else { &mut device };
    for (values, live) in shown.iter_mut().zip(plan.live()) {
        for (value, _) in values.iter_mut().zip(live).filter(|(_, live)| !live) {
            *value = LaneValue::NOTHING;
        }
    }
    Ok(Arc::new(LaneValues { device, reference }))
}

/// Values as integers if all are whole numbers, as after the inverse transform of integers.
pub(super) fn integers_if_whole(values: Values) -> Values {
    let is_whole = |re: f64, im: f64| im == 0.0 && re.fract() == 0.0 && re.abs() <= EXACT_IN_DOUBLE as f64;
    match values {
        Values::Single(values) if threads::all(&values, |value| is_whole(value.re.into(), value.im.into())) => {
            Values::Integer(threads::convert(&values, |value| value.re as i64))
        }
        Values::Double(values) if threads::all(&values, |value| is_whole(value.re, value.im)) => {
            Values::Integer(threads::convert(&values, |value| value.re as i64))
        }
        other => other,
    }
}
