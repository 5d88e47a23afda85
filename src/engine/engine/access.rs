//! The memory accesses of a launch, a stage or a loop of the CPU: those of one subgroup, and the counts of its workgroup.

use crate::cpu::{LoopOrder, butterflies_in_order};
use crate::gpu::lower::trace::{self, ReadKernel, TraceError};
use crate::gpu::{KernelChoice, LaunchCommand, Limits};
use crate::graph::access::{
    AccessCount, AccessRequest, AccessedMemory, BankUse, CACHE_LINE_BYTES, SUBGROUP, TRANSACTION_BYTES, butterflies_of_subgroup,
    of_butterflies, stage_transactions,
};
use crate::plan::Plan;
use crate::schedule::Schedule;
use std::collections::BTreeSet;
use std::ops::Range;

/// The transactions of stages with more loads by subgroups are not counted.
const MOST_LOADS: usize = 1 << 21;

crate::choice! {
    /// Whose accesses are shown.
    #[serde(rename_all = "kebab-case")]
    pub enum AccessBy {
        /// As the papers number threads: one for each butterfly of the stage, in the order of the stage.
        #[default]
        Butterflies = "One thread a butterfly", "butterflies";
        /// The kernel that runs the launch, followed thread by thread.
        Kernel = "Kernel", "kernel";
        /// One thread of the CPU, the longest stride innermost: loop A of Gajić and Stanković 2011.
        CpuStrided = "CPU loop A", "cpu-strided";
        /// One thread of the CPU, the shortest stride innermost: loop B.
        CpuLocal = "CPU loop B", "cpu-local";
    }
}

impl AccessBy {
    /// The loop order, where it is a CPU.
    pub fn loop_order(self) -> Option<LoopOrder> {
        match self {
            Self::CpuStrided => Some(LoopOrder::Strided),
            Self::CpuLocal => Some(LoopOrder::Local),
            Self::Kernel | Self::Butterflies => None,
        }
    }

    /// Bytes that its memory moves at once.
    pub fn segment_bytes(self) -> u64 {
        if self.loop_order().is_some() { CACHE_LINE_BYTES } else { TRANSACTION_BYTES }
    }
}

/// Which accesses are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccessChoice {
    /// Whose.
    pub by: AccessBy,
    /// The launch of the schedule.
    pub launch: usize,
    /// The stage of the plan.
    pub stage: usize,
    /// The workgroup.
    pub group: usize,
    /// The subgroup in its workgroup, or in all threads where each takes a butterfly; for a CPU the run of as many iterations.
    pub subgroup: usize,
    /// Threads of a subgroup.
    pub subgroup_size: usize,
    /// Another pitch of workgroup memory than the kernel has.
    pub pitch: Option<usize>,
}

/// The accesses of one subgroup, or of a few iterations.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessStudy {
    /// The choice that was asked for, within the bounds of the launch.
    pub choice: AccessChoice,
    /// Bytes of a lane.
    pub lane_bytes: usize,
    /// The loads and stores of the subgroup.
    pub requests: Vec<AccessRequest>,
    /// The butterfly of every thread or iteration, where each takes one.
    pub butterflies: Vec<[usize; 3]>,
    /// The transactions of all subgroups, where each thread takes a butterfly.
    pub whole: Option<AccessCount>,
    /// Subgroups of the workgroup or of all threads, or runs of iterations.
    pub n_subgroups: usize,
    /// The kernel, where one was followed.
    pub kernel: Option<FollowedKernel>,
}

/// A kernel that was followed, and what its workgroup does.
#[derive(Debug, Clone, PartialEq)]
pub struct FollowedKernel {
    /// Its family.
    pub family: &'static str,
    /// Threads of a workgroup.
    pub threads: usize,
    /// Workgroups.
    pub groups: usize,
    /// Whether each thread loads or stores between two barriers: `working[phase][thread]`.
    pub working: Vec<Vec<bool>>,
    /// The lanes that the workgroup loads and those that it stores, as runs of neighbours.
    pub lanes: [Vec<Range<usize>>; 2],
    /// Loads and stores of lanes by all subgroups of the workgroup, in transactions.
    pub transactions: [AccessCount; 2],
    /// Passes over the banks by all subgroups of the workgroup.
    pub banks: BankUse,
    /// The pitch of its workgroup memory, where it can be chosen.
    pub pitch: Option<usize>,
}

impl FollowedKernel {
    /// Transactions of all workgroups, if they are like this one, and the least possible.
    pub fn of_launch(&self) -> [usize; 2] {
        let [loads, stores] = self.transactions;
        [loads.touched + stores.touched, loads.least + stores.least].map(|n| n * self.groups)
    }
}

impl AccessStudy {
    /// The accesses asked for, on a device with these limits.
    ///
    /// # Errors
    /// Where no kernel runs the launch, or it cannot be followed.
    pub fn new(plan: &Plan, schedule: &Schedule, limits: Limits, choice: AccessChoice) -> Result<Self, TraceError> {
        let commands = trace::commands(plan, schedule, limits, KernelChoice::Fast);
        Self::of(plan, &commands?, limits, choice)
    }

    /// The same with the commands of the schedule.
    fn of(plan: &Plan, commands: &[LaunchCommand], limits: Limits, choice: AccessChoice) -> Result<Self, TraceError> {
        let lane_bytes = limits.precision.bytes_per_lane(plan.ring);
        let size = if choice.subgroup_size == 0 { SUBGROUP } else { choice.subgroup_size };
        let choice = AccessChoice { subgroup_size: size, ..choice };
        if choice.by == AccessBy::Kernel {
            let command = commands.get(choice.launch).ok_or(TraceError::Launch(choice.launch + 1))?;
            return Self::of_kernel(command, choice, lane_bytes);
        }
        Ok(Self::of_stage(plan, choice, lane_bytes))
    }

    /// The accesses to a stage by one thread for each butterfly, or by a loop. It needs no kernel.
    pub fn of_stage(plan: &Plan, choice: AccessChoice, lane_bytes: usize) -> Self {
        let size = choice.subgroup_size.max(1);
        let stage = &plan.stages[choice.stage.min(plan.stages.len() - 1)];
        let n_subgroups = stage.n_butterflies().div_ceil(size);
        let subgroup = choice.subgroup.min(n_subgroups - 1);
        let butterflies = match choice.by.loop_order() {
            Some(order) => butterflies_in_order(stage, order).skip(subgroup * size).take(size).collect(),
            None => butterflies_of_subgroup(stage, subgroup, size),
        };
        let requests = of_butterflies(stage, &butterflies, lane_bytes);
        let is_counted = choice.by == AccessBy::Butterflies && n_subgroups.saturating_mul(stage.matrix().taps) <= MOST_LOADS;
        let whole = is_counted.then(|| stage_transactions(stage, size, lane_bytes));
        Self { choice: AccessChoice { subgroup, ..choice }, lane_bytes, requests, butterflies, whole, n_subgroups, kernel: None }
    }

    fn of_kernel(command: &LaunchCommand, choice: AccessChoice, lane_bytes: usize) -> Result<Self, TraceError> {
        let size = choice.subgroup_size;
        let mut command = command.clone();
        if let Some(changed) = choice.pitch.and_then(|pitch| command.kernel.with_pitch(pitch)) {
            command.kernel = changed;
        }
        let pitch = command.kernel.pitch();
        let groups = command.groups[0] as usize * command.groups[1] as usize;
        let group = choice.group.min(groups.saturating_sub(1));
        let trace::KernelTrace { threads, requests, phases } = ReadKernel::of(&command)?.trace(group, size)?;
        let n_subgroups = threads.div_ceil(size);
        let subgroup = choice.subgroup.min(n_subgroups - 1);
        let of_subgroup = |subgroup: usize| requests.iter().map(move |request| request.of_threads(subgroup * size..(subgroup + 1) * size));
        let (mut transactions, mut banks) = ([AccessCount::default(); 2], BankUse::default());
        for subgroup in 0..n_subgroups {
            let requests: Vec<AccessRequest> = of_subgroup(subgroup).collect();
            for (side, count) in transactions.iter_mut().enumerate() {
                let is_of = |request: &&AccessRequest| request.memory == AccessedMemory::Lanes && request.is_write == (side == 1);
                *count = count.plus(AccessCount::of(requests.iter().filter(is_of), TRANSACTION_BYTES));
            }
            let held = requests.iter().filter(|request| request.memory == AccessedMemory::Workgroup);
            banks = held.fold(banks, |sum, request| sum.plus(request.banks()));
        }
        let works = |phase: usize, thread: usize| requests.iter().any(|request| request.phase == phase && request.spans[thread].is_some());
        let working = (0..phases).map(|phase| (0..threads).map(|thread| works(phase, thread)).collect()).collect();
        let lanes = [false, true].map(|is_write| lane_runs(&requests, is_write, lane_bytes));
        let kernel = FollowedKernel { family: command.kernel.family, threads, groups, working, lanes, transactions, banks, pitch };
        Ok(Self {
            choice: AccessChoice { group, subgroup, ..choice },
            lane_bytes,
            requests: of_subgroup(subgroup).filter(|request| request.n_threads() > 0).collect(),
            butterflies: Vec::new(),
            whole: None,
            n_subgroups,
            kernel: Some(kernel),
        })
    }

    /// Segments that the loads of lanes (`false`) or their stores (`true`) touch, beside the least possible.
    pub fn count(&self, is_write: bool) -> AccessCount {
        let is_of = |request: &&AccessRequest| request.memory == AccessedMemory::Lanes && request.is_write == is_write;
        AccessCount::of(self.requests.iter().filter(is_of), self.choice.by.segment_bytes())
    }

    /// Passes over the banks of workgroup memory.
    pub fn banks(&self) -> BankUse {
        let held = self.requests.iter().filter(|request| request.memory == AccessedMemory::Workgroup);
        held.fold(BankUse::default(), |sum, request| sum.plus(request.banks()))
    }
}

/// The lanes that requests load or store, as runs of neighbours.
fn lane_runs(requests: &[AccessRequest], is_write: bool, lane_bytes: usize) -> Vec<Range<usize>> {
    let touched = requests.iter().filter(|request| request.memory == AccessedMemory::Lanes && request.is_write == is_write);
    let spans = touched.flat_map(|request| request.spans.iter().flatten());
    let lanes: BTreeSet<usize> = spans.flat_map(|span| span.segments(lane_bytes as u64)).map(|lane| lane as usize).collect();
    let lanes: Vec<usize> = lanes.into_iter().collect();
    lanes.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[run.len() - 1] + 1).collect()
}
