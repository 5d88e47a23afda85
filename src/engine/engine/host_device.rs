//! The run of an outcome as the figure of host and device shows it.

use super::{Outcome, Times};
use crate::graph::access::HostDevice;
use crate::numerals::counted;

/// The transfers between host and device in a run of an outcome, and its launches; `None` where no device ran. `whole` says that the whole result came back.
pub fn host_device(outcome: &Outcome, times: &Times, whole: bool) -> Option<HostDevice> {
    let (plan, schedule) = (outcome.plan.as_ref()?, outcome.schedule.as_ref()?);
    outcome.commands.as_ref()?;
    let name = |(index, launch): (usize, &crate::schedule::Launch)| {
        let first = &plan.stages.get(launch.stages.start)?.label;
        let name = match launch.stages.len() {
            1 => first.clone(),
            n => format!("{n} stages from {first}"),
        };
        Some((name, times.launch_micros.get(index).copied()?))
    };
    let back = counted(plan.outputs, "value");
    Some(HostDevice {
        device: outcome.device.clone(),
        values: [counted(plan.inputs, "value"), if whole { back } else { format!("what is shown of {back}") }],
        transfer_micros: [times.upload_micros, times.download_micros],
        launches: schedule.launches.iter().enumerate().filter_map(name).collect(),
    })
}
