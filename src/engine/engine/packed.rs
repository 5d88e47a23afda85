//! Bit-packed Reed-Muller transforms of long rows, on the CPU and on a GPU: a word holds 32 or 64 values of GF(2).

use super::lane_memory::LaneMemory;
use super::lanes::Fitted;
use super::report::micros;
use super::{Backend, Computed, EngineError, Job, Outcome, StoredResult, Values};
use crate::cpu::{self, CpuBackend, LaneArrays, Word};
use crate::gpu::Device;
use crate::plan::{BitPackedPlan, Plan};
use crate::signal::PackedBits;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Values in a word of the kernels.
const KERNEL_BITS: usize = 32;

/// Runs a plan that was fitted to packed values.
pub(super) fn execute(
    fitted: &Fitted,
    bits: &PackedBits,
    backend: &Backend,
    outcome: Outcome,
    start: Instant,
    (memory, cancel): (&mut LaneMemory, &AtomicBool),
) -> Result<Computed, EngineError> {
    let mut outcome = Outcome { plan: Some(Arc::new(fitted.plan.clone())), packed: true, ..outcome };
    match backend {
        Backend::Gpu(device) => on_gpu(&on_words(&fitted.plan, KERNEL_BITS), bits, device, outcome, start, cancel),
        Backend::Cpu(cpu_backend) => {
            let words = on_words(&fitted.plan, Word::BITS);
            let schedule = cpu::fast_schedule(&words.plan);
            outcome.times.prepare_micros = micros(start);
            let start = Instant::now();
            let input: &[Word] = bytemuck::cast_slice(&bits.words);
            memory.words.load(&words.plan, input);
            outcome.times.launch_micros = cpu::run_bit_packed(&mut memory.words, &words, &schedule, *cpu_backend, cancel)?;
            let values = Values::Bits(bytemuck::cast_slice(memory.words.lanes()).to_vec());
            memory.trim(&words.plan);
            outcome.times.total_micros = micros(start);
            outcome.schedule = Some(Arc::new(schedule.unpacked(&words)));
            Ok(Computed { stored: StoredResult::memory(values), prepared: None, outcome })
        }
    }
}

/// The relative error of a bit-packed result in the 2-norm, against words on the CPU, which tests compare with single values.
pub(super) fn relative_error(job: &Job, plan: &Plan, found: &[u64], cancel: &AtomicBool) -> Result<f64, EngineError> {
    let bits = job.signal.packed_bits(job.channel)?.map_or_else(Vec::new, |bits| bits.words);
    let words = on_words(plan, Word::BITS);
    let schedule = cpu::fast_schedule(&words.plan);
    let mut arrays = LaneArrays::default();
    arrays.load(&words.plan, bytemuck::cast_slice(&bits));
    cpu::run_bit_packed(&mut arrays, &words, &schedule, CpuBackend::Parallel, cancel)?;
    let expected: &[u64] = bytemuck::cast_slice(arrays.lanes());
    let wrong: u64 = found.iter().zip(expected).map(|(a, b)| u64::from((a ^ b).count_ones())).sum();
    let ones: u64 = expected.iter().map(|word| u64::from(word.count_ones())).sum();
    Ok((wrong as f64 / ones.max(1) as f64).sqrt())
}

fn on_words(plan: &Plan, bits: usize) -> BitPackedPlan {
    plan.bit_packed(bits).expect("a plan is packed where it runs on words of 64 values, and so on shorter ones")
}

fn on_gpu(
    words: &BitPackedPlan,
    bits: &PackedBits,
    device: &Device,
    mut outcome: Outcome,
    start: Instant,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let (prepared, schedule) = device.prepare_words(words)?;
    outcome.times.prepare_micros = micros(start);
    outcome.schedule = Some(Arc::new(schedule.unpacked(words)));
    outcome.commands = Some(Arc::new(prepared.commands().to_vec()));
    let uploaded = prepared.upload_words(&bits.words, cancel)?;
    outcome.times.set_run(&prepared, &prepared.run(cancel)?, uploaded);
    let start = Instant::now();
    let values = Values::Bits(prepared.download_words(cancel)?);
    outcome.times.add_download(start);
    Ok(Computed { stored: StoredResult::memory(values), prepared: Some(Arc::new(prepared)), outcome })
}
