//! Every option of every command: a value changes what the command writes or says, or the command refuses it by name.
//!
//! The options come from the command line itself, so that none can be forgotten.

mod files;
mod jobs;
mod values;

use super::{TempDir, names, papillon, write};
use files::FILES;
use jobs::JOBS;
use std::collections::BTreeMap;
use std::process::ExitStatus;
use values::{OF_GPUS, VALUES, WITHOUT_EFFECT};

/// The outcome of a call: how it ended, what it wrote and said, and its files, without times.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Done {
    status: ExitStatus,
    out: String,
    told: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// The words of a call with another value of an option, or with the option.
fn with(job: &str, option: &clap::Arg, value: &str) -> String {
    let name = format!("--{}", option.get_long().unwrap());
    let takes_value = option.get_action().takes_values();
    let mut words: Vec<&str> = job.split_whitespace().collect();
    if let Some(at) = words.iter().position(|word| *word == name) {
        words.drain(at..at + 1 + usize::from(takes_value));
    }
    words.push(&name);
    words.extend(takes_value.then_some(value));
    words.join(" ")
}

/// Runs a call in a folder of its own with the files of the test.
fn outcome(call: &str) -> Done {
    let folder = TempDir::new().unwrap();
    FILES.iter().for_each(|(name, content)| write(&folder, name, content));
    let output = papillon(&folder, call);
    let mut written = BTreeMap::new();
    for name in names(&folder).into_iter().filter(|name| FILES.iter().all(|(known, _)| known != name)) {
        if let Ok(content) = std::fs::read(folder.path().join(&name)) {
            let content = if name.ends_with(".json") && call.starts_with("bench") { conditions(&content) } else { content };
            written.insert(name, content);
        }
    }
    let is_timed = call.starts_with("bench") && !call.contains("--record") && !call.contains("--experiments");
    let text = |bytes: &[u8]| if is_timed && output.status.success() { String::new() } else { untimed(&String::from_utf8_lossy(bytes)) };
    Done { status: output.status, out: text(&output.stdout), told: text(&output.stderr), files: written }
}

/// A record without its times.
fn conditions(record: &[u8]) -> Vec<u8> {
    let Ok(mut record) = serde_json::from_slice::<serde_json::Value>(record) else { return record.to_vec() };
    let kept = [
        "line",
        "shape",
        "algorithm",
        "device",
        "precision",
        "lanes",
        "device_clock",
        "n_uploads",
        "n_launches",
        "operations",
        "rotated_bytes",
    ];
    for measured in record["measurements"].as_array_mut().into_iter().flatten() {
        measured.as_object_mut().unwrap().retain(|key, _| kept.contains(&key.as_str()));
    }
    for key in ["taken_at", "yardstick_micros"] {
        record.as_object_mut().unwrap().remove(key);
    }
    record.to_string().into_bytes()
}

/// A text without its times.
fn untimed(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(Into::into).collect();
    for at in 1..words.len() {
        let is_unit =
            ["µs", "ms", "s", "min", "ns"].iter().any(|unit| words[at].trim_end_matches([',', ';', ':', '.', '\n', ')']) == *unit);
        if is_unit || words[at].starts_with("µs") || words[at].starts_with("ms") {
            words[at - 1] = words[at - 1].chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect();
        }
    }
    words.join(" ")
}

/// Whether a call was refused by the name or the value of the option, or for the lack of another one.
fn is_refused(done: &Done, name: &str, value: &str) -> bool {
    let names = |line: &str| {
        line.contains(&format!("--{name}")) || line.contains(&format!("the {name} ")) || value.len() > 1 && line.contains(value)
    };
    let is_named =
        |line: &str| names(line) || line.contains("required arguments were not provided") || line.contains(&format!("“{value}”"));
    !done.status.success() && done.told.lines().last().is_some_and(is_named)
}

/// One test for each command, so that they run at the same time.
macro_rules! walks {
    ($($test:ident: $command:literal),* $(,)?) => {
        const WALKED: &[&str] = &[$($command),*];
        $(#[test]
        fn $test() {
            walk($command);
        })*
    };
}

walks! {
    devices: "devices",
    doctor: "doctor",
    list: "list",
    transform: "transform",
    convolve: "convolve",
    autocorrelate: "autocorrelate",
    solve: "solve",
    spectrum: "spectrum",
    spectrogram: "spectrogram",
    peaks: "peaks",
    boxes: "boxes",
    tone: "tone",
    transfer: "transfer",
    correlate: "correlate",
    watch: "watch",
    generate: "generate",
    profile: "profile",
    register: "register",
    graph: "graph",
    matrix: "matrix",
    kernel: "kernel",
    lesson: "lesson",
    handout: "handout",
    memory: "memory",
    logic: "logic",
    filter: "filter",
    threshold: "threshold",
    snapshot: "snapshot",
    tune: "tune",
    bench: "bench",
    manual: "manual",
}

#[test]
fn every_command_is_walked() {
    let tree = papillon::cli::commands();
    let mut missing = tree.get_subcommands().map(clap::Command::get_name).filter(|name| !WALKED.contains(name));
    assert_eq!(missing.next(), None);
}

/// An option with a value on a job.
struct Try {
    job: &'static str,
    option: String,
    call: String,
    is_changed: bool,
    is_refused: bool,
    done: Done,
}

/// Tries every option of a command on all its jobs.
fn walk(name: &str) {
    let tree = papillon::cli::commands();
    let command = tree.find_subcommand(name).expect("a command");
    let (_, jobs) = JOBS.iter().find(|(of, _)| *of == name).unwrap_or_else(|| panic!("{name} has no job here"));
    let mut tries = Vec::new();
    for job in *jobs {
        let base = outcome(&format!("{name} {job}"));
        assert!(base.status.success(), "{name} {job}: {}: {}", base.status, base.told);
        for (option, value) in options(command, job) {
            let call = format!("{name} {}", with(job, option, value));
            let done = outcome(&call);
            let long = option.get_long().expect("a long name").to_owned();
            let (is_changed, is_refused) = (done != base, is_refused(&done, &long, value));
            tries.push(Try { job, option: long, call, is_changed, is_refused, done });
        }
    }
    let is_excused = |call: &str, option: &str| WITHOUT_EFFECT.iter().any(|(of, known, _)| call.starts_with(of) && *known == option);
    let succeeds = |tried: &Try| tried.done.status.success();
    // A value that holds without the option changes nothing; another one does.
    let is_alive = |at: &Try| tries.iter().any(|other| (other.job, &other.option, other.is_changed) == (at.job, &at.option, true));
    let is_right = |tried: &Try| if succeeds(tried) { is_alive(tried) } else { tried.is_refused };
    let wrong = tries.iter().filter(|tried| !is_excused(&tried.call, &tried.option) && !is_right(tried));
    let mut lines: Vec<String> = wrong
        .map(|tried| format!("papillon {}: {}", tried.call, if succeeds(tried) { "changes nothing" } else { tried.done.told.trim() }))
        .collect();
    let mut takes: BTreeMap<&str, bool> = BTreeMap::new();
    tries.iter().for_each(|tried| *takes.entry(&tried.option).or_default() |= tried.is_changed && succeeds(tried));
    let refused = takes.iter().filter(|(option, takes)| !**takes && !is_excused(name, option));
    lines.extend(refused.map(|(option, _)| format!("--{option} of {name} changes nothing or is refused on all jobs")));
    assert!(lines.is_empty(), "{} of {} tries:\n{}", lines.len(), tries.len(), lines.join("\n"));
}

/// The options of a command with the values that are tried on a job.
fn options<'a>(command: &'a clap::Command, job: &'static str) -> impl Iterator<Item = (&'a clap::Arg, &'static str)> {
    let name = command.get_name();
    let own = command.get_arguments().filter(|option| option.get_long().is_some_and(|long| !["help", "version"].contains(&long)));
    own.flat_map(move |option| {
        let long = option.get_long().expect("a long name");
        let of = |command: &str| VALUES.iter().find(|(of, option, _)| *of == command && *option == long);
        let (.., values) = of(name).or_else(|| of("")).unwrap_or_else(|| panic!("--{long} of {name} has no value here"));
        let is_tried = OF_GPUS.contains(&long) || !job.contains("--device gpu");
        // A job that has the value already says nothing of it.
        let has = move |value: &str| format!("{job} ").contains(&format!("{} ", format!("--{long} {value}").trim_end()));
        values.iter().filter(move |value| is_tried && !has(value)).map(move |value| (option, *value))
    })
}
