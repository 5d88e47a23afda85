//! `papillon doctor`: one page on what works on this machine, and what to install.
//!
//! The page goes to standard output as plain text that can be pasted into an issue. The exit code is 1 where something that is there does not work: an
//! adapter that does not open or computes wrong values. What is missing is advice, and no failure.

mod facts;
mod page;

use super::{Failure, output};
use crate::engine::{TriedAdapter, try_adapter};
use crate::gpu::{AdapterInfo, SetupCall, adapters, check_room, timed_setup};
use clap::Args;
use facts::{Display, Folder, Library, MemoryFacts, System};
use std::time::{Duration, Instant};

/// The adapters are tried for so long in all, so that the page is there within two seconds where the CPU has something to do.
const PATIENCE: Duration = Duration::from_millis(1200);

/// Says on one page what works here: system, adapters, drivers, speeds, display, memory, folders; and what to install.
///
/// Opens every adapter, tries its kernels against the CPU and measures its transfers, within two seconds. The page can be pasted into an issue.
/// The exit code is 1 where an adapter does not open or computes wrong values; what is missing is advice.
#[derive(Debug, Args)]
pub(super) struct DoctorArguments {
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// The findings.
#[derive(serde::Serialize)]
struct Findings {
    /// Name and version of the program, debug or release build.
    version: String,
    system: System,
    memory: MemoryFacts,
    display: Display,
    /// The folders of settings and of files that can be made anew.
    folders: Vec<Folder>,
    adapters: Vec<Adapter>,
    /// The calls before the first launch on the default adapter.
    setup: Vec<SetupCall>,
    /// Libraries that the window loads, or drivers, and that are not there.
    missing: Vec<Library>,
    /// Faults of parts that are there.
    broken: Vec<String>,
    /// Advice.
    advice: Vec<String>,
}

/// An adapter and what trying it has shown.
#[derive(serde::Serialize)]
struct Adapter {
    #[serde(flatten)]
    info: AdapterInfo,
    tried: Option<TriedAdapter>,
    error: Option<String>,
}

pub(super) fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    let findings = Findings::here();
    let text = if arguments.json {
        serde_json::to_string_pretty(&findings).expect("plain structs of numbers and texts have a JSON form") + "\n"
    } else {
        page::text(&findings)
    };
    output::print(&text)?;
    match findings.broken.first() {
        None => Ok(()),
        Some(first) => Err(Failure::Work(format!("something here does not work: {first}"))),
    }
}

impl Findings {
    fn here() -> Self {
        let deadline = Instant::now() + PATIENCE;
        let setup = timed_setup();
        let adapters: Vec<Adapter> = adapters().into_iter().map(|info| Adapter::tried(info, deadline)).collect();
        let mut broken: Vec<String> = adapters.iter().filter_map(Adapter::fault).collect();
        let mut advice = Vec::new();
        match (&setup, adapters.is_empty(), check_room(1)) {
            (_, _, Err(error)) => advice.push(format!("{error}: raise the limit (ulimit -v) to use a GPU")),
            (_, true, _) => advice.push("no GPU adapter is found: install the driver of your GPU, or Mesa's software driver".to_owned()),
            (Err(error), ..) => broken.push(error.to_string()),
            (Ok(_), ..) => {}
        }
        if !adapters.is_empty() && adapters.iter().all(|adapter| adapter.info.software) {
            advice.push(
                "only software emulates a GPU here, which is slower than the CPU itself: install the driver of your GPU, if there is one"
                    .into(),
            );
        }
        // Without room for a driver, nobody knows whether there is one.
        let (display, missing) = (Display::here(), facts::missing_libraries(!adapters.is_empty() || check_room(1).is_err()));
        let folders = facts::folders();
        let packages: Vec<&str> = missing.iter().map(|library| library.package).collect();
        if !packages.is_empty() {
            advice.push(format!("install what is missing; on Debian and Ubuntu: apt install {}", packages.join(" ")));
        }
        advice.extend(display.advice());
        advice.extend(folders.iter().filter_map(Folder::advice));
        let (version, system) = System::here();
        let setup = setup.unwrap_or_default();
        Self { version, system, memory: MemoryFacts::here(), display, folders, adapters, setup, missing, broken, advice }
    }
}

impl Adapter {
    /// Tries an adapter, if there is time left.
    fn tried(info: AdapterInfo, deadline: Instant) -> Self {
        // The default one is always tried.
        let tried = (info.default || Instant::now() < deadline).then(|| try_adapter(&info, deadline));
        let (tried, error) = match tried {
            None => (None, None),
            Some(Ok(tried)) => (Some(tried), None),
            Some(Err(error)) => (None, Some(error.to_string())),
        };
        Self { info, tried, error }
    }

    /// Why it does not work, if it does not.
    fn fault(&self) -> Option<String> {
        let name = &self.info.name;
        if let Some(error) = &self.error {
            return Some(format!("{name}: {error}"));
        }
        let wrong = self.tried.as_ref()?.transforms.iter().find(|tried| !tried.is_right)?;
        Some(format!("{name} computes wrong values: {} is off by {:.0e}", wrong.transform, wrong.error))
    }
}
