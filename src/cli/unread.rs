//! Options that a call does not read, because of another option, or because that one is missing: they are refused by name.

use super::notes::quietly;
use super::{Failure, output, say};
use crate::cpu::CpuBackend;
use crate::engine::DeviceChoice;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Options that some calls of a command do not read.
struct Unread {
    /// The command; empty for all.
    command: &'static str,
    /// When they are not read.
    when: When,
    /// The options, by their identifiers.
    options: Options,
    /// Why, as a clause.
    why: &'static str,
}

/// When options are not read.
enum When {
    Always,
    /// An option is given.
    With(&'static str),
    /// All these options are missing.
    Without(&'static [&'static str]),
    /// An option has a value, by its name.
    Is(&'static str, &'static str),
    /// The output is a file, and not standard output.
    ToFile,
    /// Every device is one thread of the CPU.
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
    &["device", "channel", "raw", "time", "batch", "uneven", "missing", "missing_codes", "decimal", "page", "as_stored", "cpu_threads"];
/// The options that say how a spectrum is computed.
const OF_SPECTRUM: &[&str] =
    &["device", "algorithm", "precision", "region", "detrend", "periodic", "window", "radial_window", "pad", "pad_with", "cpu_threads"];
/// The options of a filter by boxes.
const OF_BOXES: &[&str] = &[
    "boxes",
    "strokes",
    "box_file",
    "length",
    "from",
    "to",
    "rate",
    "channel",
    "raw",
    "time",
    "batch",
    "uneven",
    "missing",
    "missing_codes",
    "decimal",
    "page",
    "as_stored",
    "precision",
    "output",
    "format",
    "cpu_threads",
];
/// The threads of the CPU.
const THREADS: Options = These(&["cpu_threads"]);

use Options::{AllBut, These};
use When::{Always, Is, OnOneThread, ToFile, With, Without};

#[rustfmt::skip]
const TABLE: &[Unread] = &[
    Unread { command: "", when: ToFile, options: These(&["format"]), why: "the name of the output says its format" },
    Unread { command: "", when: OnOneThread, options: THREADS, why: "this device is one thread" },
    Unread { command: "list", when: Always, options: THREADS, why: "a list computes nothing" },
    Unread { command: "manual", when: Always, options: THREADS, why: "pages compute nothing" },
    Unread { command: "lesson", when: Always, options: THREADS, why: "the engine of a lesson takes all threads" },
    Unread { command: "lesson", when: Without(&["output", "open"]), options: These(&["step"]), why: "a lesson is listed, printed or verified whole without --output and --open" },
    Unread { command: "kernel", when: Always, options: THREADS, why: "no kernel runs here" },
    Unread { command: "memory", when: Always, options: THREADS, why: "no plan runs here" },
    Unread { command: "matrix", when: Always, options: THREADS, why: "a matrix has 256 rows at most, on one thread" },
    Unread { command: "devices", when: With("json"), options: THREADS, why: "JSON lists adapters alone" },
    Unread { command: "devices", when: With("setup"), options: THREADS, why: "the calls of a driver are timed" },
    Unread { command: "kernel", when: Without(&["launch"]), options: These(&["language"]), why: "the launches are listed without --launch" },
    Unread { command: "graph", when: Without(&["values"]), options: These(OF_FILE), why: "nothing is run without --values" },
    Unread { command: "spectrum", when: Without(&["lomb_scargle"]), options: These(&["highest", "per_peak"]), why: "only a periodogram, by --lomb-scargle, has its own frequencies" },
    Unread { command: "spectrogram", when: Is("method", "scalogram"), options: These(&["window", "pad", "detrend"]), why: "a scalogram has wavelets and no frames" },
    Unread { command: "spectrogram", when: Is("method", "multitaper"), options: These(&["window"]), why: "its windows are five sine tapers" },
    Unread { command: "profile", when: Without(&["radial", "angular", "spectrum"]), options: These(OF_SPECTRUM), why: "a line of the image itself transforms nothing" },
    Unread { command: "profile", when: Without(&["line"]), options: These(&["spectrum"]), why: "--radial and --angular are of the spectrum already" },
    Unread { command: "filter", when: Without(&["high_pass", "band_pass", "notch", "mask_file"]), options: These(&["keep_mean"]), why: "these filters keep the mean" },
    Unread { command: "filter", when: With("boxes"), options: AllBut(OF_BOXES), why: "--box divides a recording into frames of its own" },
    Unread { command: "filter", when: With("box_file"), options: AllBut(OF_BOXES), why: "--boxes divides a recording into frames of its own" },
    Unread { command: "filter", when: With("strokes"), options: AllBut(OF_BOXES), why: "--stroke divides a recording into frames of its own" },
    Unread { command: "filter", when: Without(&["boxes", "strokes", "box_file"]), options: These(&["length"]), why: "only --box, --stroke and --boxes have frames" },
    Unread { command: "bench", when: With("record"), options: AllBut(&["record", "compare", "with", "plot", "table", "quantity", "part", "against", "output"]), why: "--record shows a record and measures nothing" },
    Unread { command: "bench", when: With("experiments"), options: AllBut(&["experiments"]), why: "--experiments lists experiments alone" },
    Unread { command: "bench", when: With("moves"), options: AllBut(&["moves", "sizes", "device", "repeat"]), why: "--moves times a filter" },
    Unread { command: "bench", when: With("signals"), options: AllBut(&["signals", "share", "json", "repeat"]), why: "--signals times recordings and streams" },
    Unread { command: "bench", when: Without(&["signals"]), options: These(&["share", "json"]), why: "there is no --signals" },
    Unread { command: "bench", when: Without(&["plot"]), options: These(OF_PLOT), why: "there is no --plot" },
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

/// Commands that compute a text or a drawing from a plan so fast that they can run once more for each option.
const OF_PLANS: &[&str] = &["graph", "matrix", "kernel", "memory"];
/// Their options that say what is shown, or where it is written.
const SUBJECTS: &[&str] = &["transform", "algorithm", "size", "stage", "launch", "output"];

/// Names the options without which a call that has succeeded would have written the same, where asking is cheap.
pub(super) fn tell(matches: &ArgMatches) {
    let Some((command, matches)) = matches.subcommand().filter(|(command, _)| OF_PLANS.contains(command)) else { return };
    let is_given = |id: &str| matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine);
    let tree = super::commands();
    let Some(parsed) = tree.find_subcommand(command) else { return };
    let given: Vec<&Arg> = parsed.get_arguments().filter(|option| is_given(option.get_id().as_str())).collect();
    let is_doubtful = |option: &&&Arg| !SUBJECTS.contains(&option.get_id().as_str());
    // The measurements of a device differ from run to run.
    if given.iter().any(|option| ["measure", "host_device"].contains(&option.get_id().as_str()))
        || !given.iter().any(|option| is_doubtful(&option))
    {
        return;
    }
    let written = |without: Option<&Arg>| {
        let kept = given.iter().filter(|option| without.is_none_or(|without| without.get_id() != option.get_id()));
        let words = kept.flat_map(|option| words(option, matches));
        let (arguments, _) = super::read(["papillon".into(), command.into()].into_iter().chain(words)).ok()?;
        quietly(|| output::kept(|| arguments.command.map_or(Ok(()), |command| command.run()))).ok()
    };
    let all = written(None);
    for option in given.iter().filter(is_doubtful) {
        if let (true, Some(name)) = (all.is_some() && written(Some(option)) == all, option.get_long()) {
            say(&format!("--{name} changes nothing here"));
        }
    }
}

/// An option as it was typed.
fn words(option: &Arg, matches: &ArgMatches) -> Vec<OsString> {
    let values = matches.get_raw(option.get_id().as_str()).into_iter().flatten();
    let joined = |name: &str, value: &OsStr| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        word
    };
    match option.get_long() {
        Some(name) if !option.get_action().takes_values() => vec![format!("--{name}").into()],
        Some(name) => values.map(|value| joined(name, value)).collect(),
        None => values.map(ToOwned::to_owned).collect(),
    }
}

impl When {
    fn holds(&self, matches: &ArgMatches, is_given: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Always => true,
            With(id) => is_given(id),
            Is(id, value) => matches.get_raw(id).is_some_and(|mut own| own.any(|own| own.eq_ignore_ascii_case(value))),
            Without(ids) => !ids.iter().any(|id| is_given(id)),
            ToFile => matches!(matches.try_get_one::<PathBuf>("output"), Ok(Some(path)) if path != Path::new("-")),
            OnOneThread => matches.try_get_many::<DeviceChoice>("device").is_ok_and(|devices| {
                let is_alone = |device: &DeviceChoice| device.cpu().is_some_and(|way| way != CpuBackend::Parallel);
                devices.is_some_and(|mut all| all.all(is_alone))
            }),
        }
    }
}
