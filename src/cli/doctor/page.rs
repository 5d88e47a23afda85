//! The page as plain text: a line for a fact, at most 100 columns where names allow, what to do last.

use super::{Adapter, Findings};
use crate::engine::TriedAdapter;
use crate::numerals::{bytes, counted, duration, number};
use std::fmt::Write as _;

/// Columns of the names of facts.
const NAMES: usize = 11;

/// The whole page.
pub(super) fn text(findings: &Findings) -> String {
    let mut text = format!("{}\n", findings.version);
    let system = &findings.system;
    let [taken, cores] = system.threads;
    let threads = if taken == cores { counted(taken, "thread") } else { format!("{taken} of {}", counted(cores, "thread")) };
    line(&mut text, "System", &format!("{}, {} {}", system.name, system.kernel, system.architecture));
    line(&mut text, "Processor", &format!("{}, {threads}", system.processor));
    line(&mut text, "Memory", &memory(findings));
    line(&mut text, "Display", &display(findings));
    line(&mut text, "Dialogs", &dialogs(findings));
    for folder in &findings.folders {
        let state = folder.error.clone().unwrap_or_else(|| "writable".into());
        let content = format!("{}, {} of {}", state, counted(folder.files as usize, "file"), bytes(folder.bytes));
        line(&mut text, "Folder", &format!("{}: {}, {content}", folder.path.display(), folder.holds));
    }
    text.push('\n');
    for adapter in &findings.adapters {
        describe(&mut text, adapter);
    }
    if findings.adapters.is_empty() {
        line(&mut text, "GPU", "none");
    }
    let calls: Vec<String> = findings.setup.iter().map(|call| format!("{} {}", call.call, duration(call.micros))).collect();
    for (index, calls) in calls.chunks(4).enumerate() {
        line(&mut text, if index == 0 { "Start" } else { "" }, &calls.join(", "));
    }
    for library in &findings.missing {
        line(&mut text, "Missing", &format!("{}, in the package {}", library.file, library.package));
    }
    for (title, entries) in [("Broken", &findings.broken), ("To do", &findings.advice)] {
        for entry in entries {
            line(&mut text, title, entry);
        }
    }
    if findings.broken.is_empty() && findings.advice.is_empty() {
        line(&mut text, "To do", "nothing: all of this works");
    }
    text
}

fn line(text: &mut String, name: &str, content: &str) {
    writeln!(text, "{name:NAMES$}{content}").expect("writing to a string does not fail");
}

fn memory(findings: &Findings) -> String {
    let memory = &findings.memory;
    let process =
        memory.address_space_left.map_or("no limit of the process".into(), |left| format!("the process may take {} more", bytes(left)));
    let group = memory.control_group.map_or(String::new(), |limit| format!(", a control group of {}", bytes(limit)));
    format!("signals of up to {}, {process}{group}", bytes(memory.largest_signal))
}

fn display(findings: &Findings) -> String {
    let display = &findings.display;
    let named = [("X11", &display.x11), ("Wayland", &display.wayland)];
    let mut parts: Vec<String> = named.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value.as_ref()?))).collect();
    parts.extend((!display.session.is_empty()).then(|| format!("session of the type {}", display.session)));
    parts.extend((!display.desktop.is_empty()).then(|| display.desktop.clone()));
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

fn dialogs(findings: &Findings) -> String {
    let display = &findings.display;
    let portal = match (display.portal, display.portal_dialogs.is_empty()) {
        (true, false) => format!("desktop portal with {}", display.portal_dialogs.join(", ")),
        (true, true) => "desktop portal without a backend".into(),
        (false, _) => "no desktop portal".into(),
    };
    let bus = if display.session_bus { "a session bus" } else { "no session bus" };
    format!("{portal}, {bus}, {}", if display.zenity { "zenity" } else { "no zenity" })
}

/// An adapter: what it is, its limits, and what trying it has shown.
fn describe(text: &mut String, Adapter { info, tried, error }: &Adapter) {
    let default = if info.default { ", the default" } else { "" };
    line(text, &format!("GPU {}", info.index), &format!("{}: {}, {}, {}{default}", info.name, info.kind, info.backend, info.driver));
    let has = [(info.timestamps, "timestamps"), (info.subgroups.is_some(), "subgroups"), (info.f64, "f64"), (info.int64, "int64")];
    let features: Vec<&str> = has.into_iter().filter_map(|(has, name)| has.then_some(name)).collect();
    let [buffer, binding] = [info.max_buffer_bytes, info.max_binding_bytes].map(bytes);
    line(
        text,
        "",
        &format!(
            "buffers of {buffer}, bindings of {binding}, {} of workgroup memory, {} threads a workgroup",
            bytes(info.workgroup_bytes.into()),
            info.max_invocations
        ),
    );
    line(text, "", &if features.is_empty() { "no optional features".into() } else { format!("has {}", features.join(", ")) });
    match (tried, error) {
        (Some(tried), _) => line(text, "", &shown(tried)),
        (None, Some(error)) => line(text, "", &format!("does not work: {error}")),
        (None, None) => line(text, "", "not tried, as the others took all the time"),
    }
}

fn shown(tried: &TriedAdapter) -> String {
    let rate = |rate: Option<f64>| rate.map_or("not measured".into(), |rate| format!("{} GB/s", number(rate / 1e9, 2)));
    let [up, down] = tried.bytes_per_second.map(rate);
    let names: Vec<&str> = tried.transforms.iter().map(|tried| tried.transform).collect();
    let is_right = tried.transforms.iter().all(|tried| tried.is_right);
    let worst = tried.transforms.iter().map(|tried| tried.error).fold(0.0, f64::max);
    let kernels = format!("{} {}, errors up to {worst:.0e}", names.join(", "), if is_right { "right" } else { "WRONG" });
    format!("opened in {}, first runs {}, up {up}, down {down}; {kernels}", duration(tried.open_micros), duration(tried.first_runs_micros))
}
