//! Follows a kernel thread by thread and records which bytes every load and store touches.
//!
//! The text that the device gets is read again and run without a device, for the integers in it alone: addresses, loop counters and conditions.
//! The content of buffers stays unknown, and so does every floating-point number. So the numbering of threads has one source, the kernel itself.
//! Threads never wait for each other, since no address depends on what another thread has stored.

mod arithmetic;
mod machine;
mod memory;
mod resources;
mod thread;
mod value;

use super::{KernelChoice, lower};
use crate::gpu::{LaunchCommand, Limits, LowerError};
use crate::graph::access::{AccessRequest, AccessedMemory, Span};
use crate::plan::Plan;
use crate::schedule::Schedule;
use machine::Machine;
use std::collections::BTreeMap;
use wgpu::naga::front::wgsl;
use wgpu::naga::{AddressSpace, Module, Span as TextSpan, TypeInner};

pub use resources::KernelResources;
pub use thread::{LineWork, ThreadTrace, TracedLine};

/// The accesses of one workgroup of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelTrace {
    /// Threads of a workgroup.
    pub threads: usize,
    /// Loads and stores in the order of the text; loops are unrolled. Tables and uniforms are left out.
    pub requests: Vec<AccessRequest>,
    /// Parts between barriers, one more than barriers.
    pub phases: usize,
}

/// Why a kernel could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// No kernel runs the launch.
    #[error("{0}")]
    Lower(#[from] LowerError),
    /// The schedule has no such launch.
    #[error("there is no launch {0}")]
    Launch(usize),
    /// The text has something that only a device runs.
    #[error("the kernel cannot be followed without a device: {0}")]
    Unsupported(&'static str),
}

/// An access as the machine met it: the place in the text and the iterations that led there, and what was touched.
struct Met {
    path: Vec<u32>,
    memory: AccessedMemory,
    name: String,
    is_write: bool,
    phase: usize,
    /// Where it is in the text.
    place: TextSpan,
    span: Span,
}

/// The commands of a schedule on a device with these limits, to be followed.
///
/// # Errors
/// Where no kernel runs a launch.
pub fn commands(plan: &Plan, schedule: &Schedule, limits: Limits, kernels: KernelChoice) -> Result<Vec<LaunchCommand>, LowerError> {
    Ok(lower(plan, schedule, limits, kernels)?.commands)
}

/// A kernel whose text is read again, to be followed.
pub struct ReadKernel<'a> {
    command: &'a LaunchCommand,
    text: String,
    module: Module,
    entry: usize,
}

impl<'a> ReadKernel<'a> {
    /// Reads the text of the kernel of a command.
    ///
    /// # Errors
    /// Where the text has something that only a device knows.
    pub fn of(command: &'a LaunchCommand) -> Result<Self, TraceError> {
        let text = command.kernel.text();
        let module = wgsl::parse_str(&text).map_err(|_| TraceError::Unsupported("its text is not read"))?;
        let entry = module.entry_points.iter().position(|point| point.name == command.kernel.entry_point);
        Ok(Self { command, text, entry: entry.ok_or(TraceError::Unsupported("it has no entry point"))?, module })
    }

    /// Threads of a workgroup.
    pub fn threads(&self) -> usize {
        self.module.entry_points[self.entry].workgroup_size.iter().map(|&n| n as usize).product()
    }

    /// The fields of its uniforms with their values.
    pub fn uniforms(&self) -> Vec<(String, u32)> {
        let uniform = self.module.global_variables.iter().find(|(_, variable)| variable.space == AddressSpace::Uniform);
        match uniform.map(|(_, variable)| &self.module.types[variable.ty].inner) {
            Some(TypeInner::Struct { members, .. }) => {
                members.iter().filter_map(|member| member.name.clone()).zip(self.command.uniforms).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Thread `thread` of workgroup `group`, at its end.
    fn run(&self, thread: usize, group: usize, subgroup: usize) -> Result<Machine<'_>, TraceError> {
        let mut machine = Machine::new(&self.module, &self.command.uniforms);
        let invocation = machine::Invocation { thread, threads: self.threads(), group, groups: self.command.groups, subgroup };
        machine.run(&self.module.entry_points[self.entry], invocation)?;
        Ok(machine)
    }

    /// Follows all threads of workgroup `group`, in subgroups of `subgroup` threads.
    ///
    /// # Errors
    /// Where the text has something that only a device runs, or an address depends on data.
    pub fn trace(&self, group: usize, subgroup: usize) -> Result<KernelTrace, TraceError> {
        self.trace_first(group, subgroup, usize::MAX)
    }

    /// The same for the first `most` threads alone.
    fn trace_first(&self, group: usize, subgroup: usize, most: usize) -> Result<KernelTrace, TraceError> {
        let (threads, mut merged, mut phases) = (self.threads(), BTreeMap::<Vec<u32>, AccessRequest>::new(), 1);
        for thread in 0..threads.min(most) {
            let machine = self.run(thread, group, subgroup)?;
            phases = phases.max(machine.phase + 1);
            for Met { path, memory, name, is_write, phase, place, span } in machine.met {
                let request = merged.entry(path).or_insert_with(|| AccessRequest {
                    name,
                    memory,
                    is_write,
                    phase,
                    line: Some(place.location(&self.text).line_number),
                    spans: vec![None; threads],
                });
                request.spans[thread] = Some(span);
            }
        }
        Ok(KernelTrace { threads, requests: merged.into_values().collect(), phases })
    }
}

#[cfg(test)]
mod tests;
