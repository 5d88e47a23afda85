//! The command line: turns arguments into jobs for the engine, and results into files.
//!
//! Results go to files or to standard output, messages to standard error.
//! The exit code is 0 when the work is done, 1 when it failed, 2 when the call was wrong, and 128 and the signal where one ended it; every error is one line.
//! Nothing is computed here: a command fills in a [`Job`](crate::engine::Job) and writes its result.

mod arguments;
mod basis;
mod bench;
mod boxes;
mod call;
mod choices;
mod closed;
mod convolve;
mod correlate;
mod cutting;
mod devices;
mod doctor;
mod exact;
mod failure;
mod filter;
mod generate;
mod graph;
mod handout;
mod interruption;
mod kernel;
mod lesson;
mod list;
mod loading;
mod logic;
mod lomb_scargle;
mod manual;
mod matrix;
mod memory;
mod notes;
mod output;
mod papers;
mod parameters;
mod peaks;
mod plan;
mod preparation;
mod profile;
mod progress;
mod real;
mod register;
mod remedy;
mod resize;
mod signals;
mod size;
mod snapshot;
mod solve;
mod spectrogram;
mod spectrum;
mod stopwatch;
mod table;
mod threshold;
mod tone;
mod transfer;
mod transform;
mod tune;
mod unread;
mod watch;
mod window;

pub use call::{CallError, Called, call, cancel_call};
pub use loading::Input;
pub use papers::papers_page;

pub(crate) use failure::Failure;
pub(crate) use interruption::{cancel, interrupt};
pub(crate) use loading::{load_as, load_numbers, load_telling, tell_notes, tell_texts};
pub(crate) use notes::{say, say_at_once, say_now};
pub(crate) use size::{check_bytes, check_memory, check_memory_of};

use crate::fault::{caught, is_of_caught_library};
use crate::gpu::CacheFolder;
use crate::signal::RawFormat;
use arguments::threads_of_cpu;
use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use interruption::{end, ended, ended_by, handle_signals};
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Fast transforms at work: the flow graph of the algorithm that ran, its spectrum, its image and its timing.
///
/// Without a command the window opens, with the files given; without a display the same workspace is written to ./papillon.png.
#[derive(Debug, Parser)]
#[command(name = "papillon", version, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Images, recordings or arrays to open in the window, or a function as 'f:x1 & x2'.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How a file or a stream without a header stores its samples, as s16,1,44100 or cu8,1,2.4MHz: the window shows the stream on standard input (-), or that of --follow or --record, while it runs.
    #[arg(long, value_name = "TYPE,CHANNELS,RATE")]
    raw: Option<RawFormat>,
    /// A recording that still grows, or a pipe: the window shows what is added to it.
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    follow: Option<PathBuf>,
    /// Shows the sound of the microphone while it is recorded, by the recorder of the system (parec, arecord, pw-record or rec): two channels of 16 bits at 48 kHz, or as --raw says, such as f32,1,96kHz.
    #[arg(long, conflicts_with_all = ["files", "follow"])]
    record: bool,
    /// Threads of the CPU, whose loops share all work that no GPU does; without this one for each core.
    #[arg(long, global = true, display_order = 1000, value_delimiter = ',', value_name = "N", value_parser = threads_of_cpu, allow_negative_numbers = true)]
    cpu_threads: Vec<NonZeroUsize>,
}

/// Declares the subcommands: a name, the arguments, whose doc comment is the help text, and the function that runs it.
macro_rules! commands {
    ($($name:ident($arguments:ty) => $run:path,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($arguments),)*
        }

        impl Command {
            fn run(&self) -> Result<(), Failure> {
                match self {
                    $(Self::$name(arguments) => $run(arguments),)*
                }
            }
        }
    };
}

// In the order of the help text.
commands! {
    Devices(devices::DevicesArguments) => devices::run,
    Doctor(doctor::DoctorArguments) => doctor::run,
    List(list::ListArguments) => list::run,
    Transform(transform::TransformArguments) => transform::run,
    Convolve(convolve::ConvolveArguments) => convolve::run,
    Autocorrelate(convolve::AutocorrelateArguments) => convolve::run_autocorrelation,
    Solve(solve::SolveArguments) => solve::run,
    Spectrum(spectrum::SpectrumArguments) => spectrum::run,
    Spectrogram(spectrogram::SpectrogramArguments) => spectrogram::run,
    Peaks(peaks::PeaksArguments) => peaks::run,
    Boxes(boxes::BoxesArguments) => boxes::run,
    Tone(tone::ToneArguments) => tone::run,
    Transfer(transfer::TransferArguments) => transfer::run,
    Correlate(correlate::CorrelateArguments) => correlate::run,
    Watch(watch::WatchArguments) => watch::run,
    Generate(generate::GenerateArguments) => generate::run,
    Profile(profile::ProfileArguments) => profile::run,
    Register(register::RegisterArguments) => register::run,
    Graph(graph::GraphArguments) => graph::run,
    Matrix(matrix::MatrixArguments) => matrix::run,
    Kernel(kernel::KernelArguments) => kernel::run,
    Lesson(lesson::LessonArguments) => lesson::run,
    Handout(handout::HandoutArguments) => handout::run,
    Memory(memory::MemoryArguments) => memory::run,
    Logic(logic::LogicArguments) => logic::run,
    Filter(filter::FilterArguments) => filter::run,
    Threshold(threshold::ThresholdArguments) => threshold::run,
    Snapshot(snapshot::SnapshotArguments) => snapshot::run,
    Bench(bench::BenchArguments) => bench::run,
    Tune(tune::TuneArguments) => tune::run,
    Manual(manual::ManualArguments) => manual::run,
}

/// The signal of a reader that closes a pipe.
const CLOSED_PIPE: usize = 13;

/// Runs the program with the arguments of this process, and ends the process.
pub fn run() -> ! {
    #[cfg(unix)]
    replace_without_session();
    let code = run_with(&std::env::args_os().collect::<Vec<_>>());
    // Nobody reads what cannot be written any more.
    let _ = io::stdout().flush();
    end(code)
}

/// Runs the program with these words, of which the first is its own name, and returns its exit code.
pub fn run_with(words: &[OsString]) -> u8 {
    handle_signals();
    quiet_faults();
    let name = asked(words);
    let done = parsed(words.iter().cloned(), &name).and_then(|parsed| match parsed {
        Parsed::Print(help) => output::print(&if io::stdout().is_terminal() { help.ansi().to_string() } else { help.to_string() }),
        Parsed::Run(arguments, matches) => checked(&arguments, &matches).and_then(|()| match arguments.command {
            Some(command) => caught(|| command.run().map(|()| unread::tell(&matches))).unwrap_or_else(|fault| Err(Failure::Work(fault))),
            None => window::run(&arguments),
        }),
    });
    if matches!(done, Ok(()) | Err(Failure::Interrupted)) {
        say_at_once();
    }
    match done {
        Ok(()) => 0,
        // As a program that the signal of a closed pipe ends.
        Err(Failure::Closed) => ended_by(CLOSED_PIPE),
        Err(Failure::Interrupted) => ended(),
        Err(failure) => {
            say_now(&failure.to_string());
            if matches!(failure, Failure::Call(_)) { 2 } else { 1 }
        }
    }
}

/// Keeps compiled kernels for later runs, and leaves what a caught panic says to the one who catches it: where and why stands here, and for a library no more.
fn quiet_faults() {
    if let Some(folder) = CacheFolder::usual() {
        folder.use_in_the_program();
    }
    std::panic::set_hook(Box::new(|fault| {
        if !is_of_caught_library(fault.location()) {
            say_now(&format!("a mistake in this program, please report it: {fault}"));
        }
    }));
}

/// The command, the help or the version that the words of a call ask for.
enum Parsed {
    /// A help or the version.
    Print(StyledStr),
    /// A command or the window, and what says which arguments were given.
    Run(Box<Arguments>, ArgMatches),
}

/// Parses the words of a call; `asked` is the command whose help an error names.
fn parsed(words: impl IntoIterator<Item = OsString>, asked: &str) -> Result<Parsed, Failure> {
    match read(words) {
        Ok((arguments, matches)) => Ok(Parsed::Run(Box::new(arguments), matches)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => Ok(Parsed::Print(error.render())),
        Err(error) => Err(Failure::Call(format!("{}; see '{asked} --help'", in_one_line(&error.render().to_string())))),
    }
}

/// The commands with their options, as they are parsed.
pub fn commands() -> clap::Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// Why a call as people type it cannot be read, in one line; `None` if it can. Nothing is run.
pub fn unread(call: &str) -> Option<String> {
    match read(call.split_whitespace().map(OsString::from)) {
        Ok((arguments, matches)) if call.starts_with("papillon ") && arguments.command.is_some() => {
            unread::check(&matches).err().map(|failure| format!("'{call}': {failure}"))
        }
        Ok(_) => Some(format!("'{call}' names no command of papillon")),
        Err(error) => Some(format!("'{call}': {}", in_one_line(&error.render().to_string()))),
    }
}

/// Runs the program anew without Mesa's search for a default device, which complains on standard error outside a desktop session.
///
/// Every device is listed whatever the default. The environment of a running program cannot be changed safely.
#[cfg(unix)]
fn replace_without_session() {
    use std::os::unix::process::CommandExt as _;
    const SWITCH: &str = "NODEVICE_SELECT";
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !is_set("XDG_RUNTIME_DIR")
        && !is_set(SWITCH)
        && let Ok(program) = std::env::current_exe()
    {
        // It returns only where it fails, and then the program goes on with the complaints.
        let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).env(SWITCH, "1").exec();
    }
}

/// The arguments of a call, and what says which of them were given.
fn read(words: impl IntoIterator<Item = OsString>) -> Result<(Arguments, ArgMatches), clap::Error> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(words)?;
    let arguments = Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((arguments, matches))
}

/// Refuses options that the call does not read, and starts the threads that it asks for.
fn checked(arguments: &Arguments, matches: &ArgMatches) -> Result<(), Failure> {
    unread::check(matches)?;
    let cores = crate::threads::cores();
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse::<usize>().ok());
    match (&arguments.cpu_threads[..], &arguments.command) {
        // Each line of a sweep has threads of its own.
        (_, Some(Command::Bench(_))) | ([], _) if asked.is_some_and(|asked| asked > cores) => {
            say(&format!("RAYON_NUM_THREADS asks for more threads than this machine has cores: {cores} are taken"));
            crate::threads::start(None);
        }
        (_, Some(Command::Bench(_))) | ([], _) => {}
        ([n], _) => crate::threads::start(Some(n.get())),
        _ => return Err(Failure::Call("--cpu-threads takes several numbers in papillon bench alone: give one".into())),
    }
    Ok(())
}

/// A message of clap in one line, without the usage.
fn in_one_line(text: &str) -> String {
    let told = text.split("\nUsage:").next().unwrap_or(text).split("\nFor more information").next().unwrap_or(text);
    // A wrong option is rarely meant as a value; a file with such a name can be written ./--name.
    let lines = told.trim_start_matches("error:").lines().filter(|line| !line.trim_start().starts_with("tip: to pass"));
    let words = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    words.replace(" tip: ", "; ")
}

/// The subcommand as typed, or the program alone.
fn asked(words: &[OsString]) -> String {
    let name = words.get(1).filter(|name| Arguments::command().find_subcommand(name).is_some());
    name.map_or_else(|| "papillon".into(), |name| format!("papillon {}", name.display()))
}
