//! The command line: turns arguments into jobs for the engine, and results into files.
//!
//! Results go to files or to standard output, messages to standard error.
//! The exit code is 0 when the work is done, 1 when it failed, 2 when the call was wrong, and 128 and the signal where one ended it; every error is one line.
//! Nothing is computed here: a command fills in a [`Job`](crate::engine::Job) and writes its result.

mod arguments;
mod basis;
mod bench;
mod closed;
mod convolve;
mod cutting;
mod devices;
mod filter;
mod graph;
mod handout;
mod kernel;
mod lesson;
mod list;
mod logic;
mod lomb_scargle;
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
mod size;
mod snapshot;
mod solve;
mod spectrum;
mod stopwatch;
mod table;
mod threshold;
mod transform;
mod tune;
mod window;

pub use papers::papers_page;

use crate::engine::EngineError;
use crate::fault::{caught, is_of_caught_library};
use crate::gpu::GpuError;
use crate::graph::GraphError;
use crate::signal::generate::Boolean;
use crate::signal::{FileError, Layout, NoSuchChannel, Reading, Signal, SystemError, TableOptions, remove_unfinished};
use crate::transforms::Unsupported;
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};
use notes::{say, say_at_once, say_now};
use remedy::in_words;
use size::{check_bytes, check_memory, check_memory_of};
use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

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
    List(list::ListArguments) => list::run,
    Transform(transform::TransformArguments) => transform::run,
    Convolve(convolve::ConvolveArguments) => convolve::run,
    Autocorrelate(convolve::AutocorrelateArguments) => convolve::run_autocorrelation,
    Solve(solve::SolveArguments) => solve::run,
    Spectrum(spectrum::SpectrumArguments) => spectrum::run,
    Peaks(peaks::PeaksArguments) => peaks::run,
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
}

/// The exit code of a program that a signal ended is this plus the number of the signal, as shells have it.
const ENDED_BY_SIGNAL: usize = 128;

/// The signal of a reader that closes a pipe.
const CLOSED_PIPE: usize = 13;

/// The signal that came last; that of Ctrl+C where the system does not tell them apart.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| Arc::new(AtomicUsize::new(2)));

/// The flag that an interruption raises, for commands that keep partial results.
static GIVE_UP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Makes the first interruption raise `cancel` instead of ending the program.
fn interrupt(cancel: &Arc<AtomicBool>) {
    GIVE_UP.get_or_init(|| cancel.clone());
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The work failed.
    #[error("{0}")]
    Work(String),
    /// The call was wrong.
    #[error("{0}")]
    Call(String),
    /// An interruption ended the work early; what was done is written.
    #[error("interrupted")]
    Interrupted,
    /// The reader closed standard output.
    #[error("standard output was closed")]
    Closed,
}

impl From<Unsupported> for Failure {
    fn from(error: Unsupported) -> Self {
        Self::Call(in_words(&error))
    }
}

impl From<NoSuchChannel> for Failure {
    fn from(error: NoSuchChannel) -> Self {
        Self::Call(error.to_string())
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Self {
        Self::Call(error.to_string())
    }
}

impl From<SystemError> for Failure {
    fn from(error: SystemError) -> Self {
        Self::Call(in_words(&error))
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Unsupported(error) => error.into(),
            EngineError::Channel(error) => error.into(),
            EngineError::Fractions { .. }
            | EngineError::Overflow { .. }
            | EngineError::Lines { .. }
            | EngineError::Sizes { .. }
            | EngineError::ComplexImage { .. }
            | EngineError::NoSecond { .. } => Self::Call(in_words(&error)),
            EngineError::NoWavelet { .. }
            | EngineError::RealOnly { .. }
            | EngineError::Complex { .. }
            | EngineError::NotFinite { .. }
            | EngineError::TooLarge { .. }
            | EngineError::TooSmall { .. }
            | EngineError::Coefficient { .. }
            | EngineError::NoSamples { .. }
            | EngineError::CpuOnly { .. }
            | EngineError::OwnLoops { .. }
            | EngineError::Mask(_)
            | EngineError::Gpu(GpuError::NoSuchAdapter { .. }) => Self::Call(in_words(&error)),
            other => Self::Work(in_words(&other)),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Unsuitable { .. } | FileError::UnknownEnding { .. } => Self::Call(in_words(&error)),
            FileError::Io { ref source, .. } if source.kind() == io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::Work(in_words(&error)),
        }
    }
}

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    #[cfg(unix)]
    replace_without_session();
    handle_signals();
    limit_threads();
    // Where and why stands here; the one who catches the panic says what it means, and for a library no more.
    std::panic::set_hook(Box::new(|fault| {
        if !is_of_caught_library(fault.location()) {
            say_now(&format!("a mistake in this program, please report it: {fault}"));
        }
    }));
    let done = match Arguments::try_parse() {
        Ok(arguments) => match arguments.command {
            Some(command) => caught(|| command.run()).unwrap_or_else(|fault| Err(Failure::Work(fault))),
            None => window::run(&arguments.files),
        },
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            let help = error.render();
            output::print(&if io::stdout().is_terminal() { help.ansi().to_string() } else { help.to_string() })
        }
        Err(error) => Err(Failure::Call(format!("{}; see '{} --help'", in_one_line(&error.render().to_string()), asked()))),
    };
    if matches!(done, Ok(()) | Err(Failure::Interrupted)) {
        say_at_once();
    }
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // As a program that the signal of a closed pipe ends.
        Err(Failure::Closed) => ended_by(CLOSED_PIPE),
        Err(Failure::Interrupted) => ended_by(SIGNAL.load(Ordering::Relaxed)),
        Err(failure) => {
            say_now(&failure.to_string());
            ExitCode::from(if matches!(failure, Failure::Call(_)) { 2 } else { 1 })
        }
    }
}

/// Why a call as people type it cannot be read, in one line; `None` if it can. Nothing is run.
pub fn unread(call: &str) -> Option<String> {
    match Arguments::try_parse_from(call.split_whitespace()) {
        Ok(arguments) if call.starts_with("papillon ") && arguments.command.is_some() => None,
        Ok(_) => Some(format!("'{call}' names no command of papillon")),
        Err(error) => Some(format!("'{call}': {}", in_one_line(&error.render().to_string()))),
    }
}

/// Runs the program anew without Mesa's search for a default device, which complains on standard error where there is no session of a desktop.
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

fn ended_by(signal: usize) -> ExitCode {
    ExitCode::from(u8::try_from(ENDED_BY_SIGNAL + signal).unwrap_or(1))
}

/// Ends the program at a signal, without unfinished files; a command that keeps partial results ends itself at the first one.
fn interrupted(signal: usize) {
    match GIVE_UP.get() {
        // A second interruption ends the program at once.
        Some(cancel) if !cancel.swap(true, Ordering::Relaxed) => say_now("interrupted: what was measured is kept; once more ends at once"),
        _ => {
            remove_unfinished();
            std::process::exit((ENDED_BY_SIGNAL + signal) as i32);
        }
    }
}

/// Handles what ends programs: Ctrl+C, the end of the session, and requests of other programs. Without a handler, an unfinished file stays.
fn handle_signals() {
    /// The number of a signal is noted just after the handler is woken.
    const NOTED_AFTER: Duration = Duration::from_millis(20);
    // Where no handler can be set, signals end the program at once.
    let _ = ctrlc::set_handler(|| {
        std::thread::sleep(NOTED_AFTER);
        interrupted(SIGNAL.load(Ordering::Relaxed));
    });
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGHUP, signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without it, the exit code is that of Ctrl+C.
        let _ = signal_hook::flag::register_usize(signal, SIGNAL.clone(), signal as usize);
    }
    // Rust and drivers abort where an allocation fails, after one line on standard error. That is work that failed, and no fault to dump memory for.
    #[cfg(unix)]
    let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

/// Takes at most one thread a core, whatever `RAYON_NUM_THREADS` says: a hundred thousand stop the machine.
fn limit_threads() {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse::<usize>().ok());
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    if asked.is_some_and(|asked| asked > cores) {
        say(&format!("RAYON_NUM_THREADS asks for more threads than this machine has cores: {cores} are taken"));
        // It fails only where the threads run already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(cores).build_global();
    }
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
fn asked() -> String {
    let name = std::env::args_os().nth(1).filter(|name| Arguments::command().find_subcommand(name).is_some());
    name.map_or_else(|| "papillon".into(), |name| format!("papillon {}", name.display()))
}

/// Reads numbers from a file, or a function after "f:", and prints its notes: rows stay rows, and no column is one of times.
fn load_numbers(path: &Path) -> Result<Signal, Failure> {
    load_telling(path, |_| true)
}

/// As [`load_numbers`], but prints only the notes that `tells` accepts.
fn load_telling(path: &Path, tells: impl Fn(&str) -> bool) -> Result<Signal, Failure> {
    let signal = load_as(path, TableOptions { layout: Layout::Matrix, ..Default::default() })?;
    tell_notes(&signal, tells);
    Ok(signal)
}

/// Reads a file as `table` decides, or a function after "f:", and prints nothing.
fn load_as(path: &Path, table: TableOptions) -> Result<Signal, Failure> {
    match Boolean::from_argument(path) {
        Some(function) => function.signal().map_err(|error| Failure::Call(format!("{}: {error}", path.display()))),
        None => Ok(crate::signal::load_as(path, &Reading { table, ..Default::default() })?),
    }
}

/// Prints the notes of a signal that `tells` accepts, those on decisions with the options that decide otherwise.
fn tell_notes(signal: &Signal, tells: impl Fn(&str) -> bool) {
    let decisions = signal.table.as_ref().map_or(&[][..], |table| &table.decisions);
    for note in signal.notes.iter().filter(|note| tells(note)) {
        let decided = decisions.iter().find(|decision| note.trim_end_matches('.') == decision.to_string());
        say(&format!("{}: {}", signal.name, decided.map_or_else(|| note.clone(), in_words)));
    }
}
