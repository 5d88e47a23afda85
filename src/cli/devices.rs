//! `papillon devices`: lists the adapters of this machine. Also opens the devices for the other commands.

use super::{Failure, output, say};
use crate::engine::{DeviceChoice, Devices, Measured, NAMED_DEVICES, NamedDevice};
use crate::gpu::{AdapterInfo, adapters, check_room};
use crate::numerals::counted;
use clap::Args;

/// Lists the GPUs and their features, and marks the default one.
#[derive(Debug, Args)]
pub(super) struct DevicesArguments {
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &DevicesArguments) -> Result<(), Failure> {
    let found = adapters();
    if arguments.json {
        let json = serde_json::to_string_pretty(&found).expect("plain structs of numbers and texts have a JSON form");
        return output::print(&(json + "\n"));
    }
    match check_room(1) {
        Err(error) if found.is_empty() => say(&error.to_string()),
        Ok(()) if found.is_empty() => say(
            "no GPU adapter, not even a software one: install the driver of your GPU, or Mesa's (Debian and Ubuntu: apt install mesa-vulkan-drivers)",
        ),
        _ => {}
    }
    output::print(&found.iter().map(paragraph).chain([cpu()]).collect::<String>())
}

/// Devices, not yet opened, whose automatic choices follow earlier measurements on this machine. Those of an earlier call are open.
pub(super) fn here() -> Devices {
    let measured = crate::ui::measured_path().map(Measured::load);
    if let Some((_, Some(warning))) = &measured {
        say(warning);
    }
    Devices::knowing(measured.map(|(measured, _)| measured).unwrap_or_default()).staying_open()
}

/// The description of an adapter.
fn paragraph(adapter: &AdapterInfo) -> String {
    let AdapterInfo { index, name, backend, driver, kind, .. } = adapter;
    let mark = if adapter.default { " (default)" } else { "" };
    let mebi = |bytes: u64| bytes >> 20;
    let has =
        [(adapter.timestamps, "timestamps"), (adapter.subgroups.is_some(), "subgroups"), (adapter.f64, "f64"), (adapter.int64, "int64")];
    let features: Vec<&str> = has.into_iter().filter_map(|(has, name)| has.then_some(name)).collect();
    format!(
        "{index}: {name}{mark}\n   {kind}, {backend}, {driver}\n   buffers of {} MiB, bindings of {} MiB, {} KiB of workgroup memory, {} threads a workgroup\n   {}\n",
        mebi(adapter.max_buffer_bytes),
        mebi(adapter.max_binding_bytes),
        adapter.workgroup_bytes >> 10,
        adapter.max_invocations,
        if features.is_empty() { "no optional features".into() } else { features.join(", ") },
    )
}

fn cpu() -> String {
    let ways = NAMED_DEVICES.iter().filter(|row| row.device.cpu().is_some());
    let threads = rayon::current_num_threads();
    let line = |row: &NamedDevice| match row.device {
        DeviceChoice::CpuParallel => format!("{}: {}; {}\n", row.name, row.about, counted(threads, "thread")),
        _ => format!("{}: {}\n", row.name, row.about),
    };
    ways.map(line).collect()
}
