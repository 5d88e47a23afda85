//! Options that a call does not read, because of another option, or because that one is missing: they are refused by name.

use super::Failure;
use crate::engine::DeviceChoice;
use clap::parser::ValueSource;
use clap::ArgMatches;
use std::path::{Path, PathBuf};

/// Options that some calls of a command do not read.
struct Unread {
    /// The command; empty for all.
    command: &'static str,
    /// When they are not read.
    when: When,
    /// The options, by their identifiers.
    options: Options,
    /// Why, as a clause with its subject.
    why: &'static str,
}

/// When options are not read.
enum When {
    Always,
    /// An option is given.
    With(&'static str),
    /// An option is missing.
    Without(&'static str),
    /// The output is a file, and not standard output.
    ToFile,
    /// The device is one thread of the CPU.
    OnOneThread,
}

enum Options {
    These(&'static [&'static str]),
    /// All but these.
    AllBut(&'static [&'static str]),
}

/// The options of a plot of `papillon bench`.
const OF_PLOT: &[&str] = &["quantity", "part", "against", "compare"];
/// The options that say what of a file is run.
const OF_FILE: &[&str] =
    &["device", "channel", "raw", "time", "batch", "uneven", "missing", "missing_codes", "page", "as_stored", "cpu_threads"];
/// The threads of the CPU.
const THREADS: Options = Options::These(&["cpu_threads"]);

use Options::{AllBut, These};
use When::{Always, OnOneThread, ToFile, With, Without};

#[rustfmt::skip]
const TABLE: &[Unread] = &[
    Unread { command: "", when: ToFile, options: These(&["format"]), why: "the name of the output says its format" },
    Unread { command: "", when: OnOneThread, options: THREADS, why: "this device is one thread" },
    Unread { command: "list", when: Always, options: THREADS, why: "a list computes nothing" },
    Unread { command: "lesson", when: Always, options: THREADS, why: "the engine of a lesson takes all threads" },
    Unread { command: "kernel", when: Always, options: THREADS, why: "no kernel runs here" },
    Unread { command: "memory", when: Always, options: THREADS, why: "no plan runs here" },
    Unread { command: "matrix", when: Always, options: THREADS, why: "a matrix has 256 rows at most, on one thread" },
    Unread { command: "devices", when: With("json"), options: THREADS, why: "JSON lists adapters alone" },
    Unread { command: "devices", when: With("setup"), options: THREADS, why: "the calls of a driver are timed" },
    Unread { command: "kernel", when: Without("launch"), options: These(&["language"]), why: "the launches are listed without --launch" },
    Unread { command: "graph", when: Without("values"), options: These(OF_FILE), why: "nothing is run without --values" },
    Unread { command: "bench", when: With("record"), options: AllBut(&["record", "compare", "with", "plot", "table", "quantity", "part", "against", "output"]), why: "--record shows a record and measures nothing" },
    Unread { command: "bench", when: With("experiments"), options: AllBut(&["experiments"]), why: "--experiments lists experiments alone" },
    Unread { command: "bench", when: With("moves"), options: AllBut(&["moves", "sizes", "device", "repeat"]), why: "--moves times a filter" },
    Unread { command: "bench", when: Without("plot"), options: These(OF_PLOT), why: "it is for a plot, and there is no --plot" },
];

/// Refuses options that a call does not read.
///
/// # Errors
/// With the first such option.
pub(super) fn check(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((command, matches)) = matches.subcommand() else { return Ok(()) };
    let is_given = |id: &str| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
    let is_of = |rule: &&Unread| (rule.command.is_empty() || rule.command == command) && rule.when.holds(matches, &is_given);
    for rule in TABLE.iter().filter(is_of) {
        let is_unread = |id: &&str| match rule.options {
            These(options) => options.contains(id),
            AllBut(options) => !options.contains(id),
        };
        let given = matches.ids().map(clap::Id::as_str).filter(|id| is_given(id));
        // Groups of options have identifiers, too.
        if let Some(name) = given.filter(is_unread).find_map(|id| name(command, id)) {
            return Err(Failure::Call(format!("{}: leave --{name} out", rule.why)));
        }
    }
    Ok(())
}

/// The name of an option of a command.
fn name(command: &str, id: &str) -> Option<String> {
    let tree = super::commands();
    let mut options = tree.find_subcommand(command)?.get_arguments();
    Some(options.find(|option| option.get_id() == id)?.get_long()?.to_owned())
}

impl When {
    fn holds(&self, matches: &ArgMatches, is_given: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Always => true,
            With(id) => is_given(id),
            Without(id) => !is_given(id),
            ToFile => matches!(matches.try_get_one::<PathBuf>("output"), Ok(Some(path)) if path != Path::new("-")),
            OnOneThread => matches!(matches.try_get_one("device"), Ok(Some(DeviceChoice::Cpu | DeviceChoice::CpuStrided))),
        }
    }
}
