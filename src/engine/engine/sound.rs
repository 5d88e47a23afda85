//! Sound goes in and out through programs of the system, so that no library of a sound system is linked.

use crate::signal::{self, Axis, RawFormat, SampleType, Samples, Sampling, Signal, one_line};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Players with the words before the file, the first of which that is on PATH plays.
const PLAYERS: [(&str, &[&str]); 5] = [
    ("pw-play", &[]),
    ("paplay", &[]),
    ("aplay", &["-q"]),
    ("afplay", &[]),
    ("powershell", &["-NoProfile", "-Command", "(New-Object Media.SoundPlayer $env:PAPILLON_SOUND).PlaySync() #"]),
];
/// Recorders that write plain samples to standard output, with their long options; the first that is on PATH records. By themselves they hand on a tenth of a second at a time. An option with ? behind it is given where the help of the program names it.
const RECORDERS: [(&str, &[&str]); 4] = [
    ("parec", &["format=PULSE", "rate=RATE", "channels=CHANNELS", "latency-msec=20"]),
    ("arecord", &["quiet", "file-type=raw", "format=ALSA", "rate=RATE", "channels=CHANNELS", "period-time=20000"]),
    // It has `raw` since PipeWire 1.4, and writes a file with a header without it.
    ("pw-record", &["raw?", "format=TYPE", "rate=RATE", "channels=CHANNELS", "latency=20ms", "-"]),
    ("rec", &["no-show-progress", "type=raw", "encoding=SOX", "bits=BITS", "rate=RATE", "channels=CHANNELS", "-"]),
];
/// With these begin the lines that ALSA and PipeWire tell under the name of a program.
const LIBRARIES: [&str; 2] = ["ALSA lib ", "["];
/// The types that recorders are asked for, with their names.
const TYPES: [(SampleType, [&str; 3]); 3] = [
    (SampleType::S16, ["s16le", "S16_LE", "signed-integer"]),
    (SampleType::S32, ["s32le", "S32_LE", "signed-integer"]),
    (SampleType::F32, ["float32le", "FLOAT_LE", "floating-point"]),
];
/// The rates that sound devices take, in Hz, and the one that is usual.
const RATES: std::ops::RangeInclusive<f64> = 1000.0..=384_000.0;
const USUAL_RATE: f64 = 48_000.0;
/// The variable that tells a script the file: what is behind a script is part of it, and a comment here.
const SOUND: &str = "PAPILLON_SOUND";
/// How often a thread looks whether a player has ended.
const LOOK: Duration = Duration::from_millis(20);
/// The file of the next sound.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A program of the system that plays the file named behind its words.
#[derive(Debug, Clone, PartialEq)]
pub struct SoundPlayer {
    path: PathBuf,
    words: Vec<String>,
}

impl SoundPlayer {
    /// The player of this system.
    ///
    /// # Errors
    /// When there is none on PATH: says what to install.
    pub fn find() -> Result<Self, String> {
        Self::find_in(&std::env::var_os("PATH").unwrap_or_default())
    }

    fn find_in(folders: &OsStr) -> Result<Self, String> {
        first_of(&PLAYERS, folders).map(|(path, words)| Self::of(path, words)).ok_or_else(|| missing("player", &PLAYERS))
    }

    /// The program at a path with the words before the file.
    pub fn of(path: impl Into<PathBuf>, words: &[&str]) -> Self {
        Self { path: path.into(), words: words.iter().map(|word| (*word).to_owned()).collect() }
    }

    /// Plays samples of a rate in Hz until they end or `stop` is raised, again and again while `is_looped`; `begins` is called when they begin.
    ///
    /// # Errors
    /// When the temporary file cannot be written, or the player fails: says why in one line.
    pub fn play(&self, samples: &[f32], rate: f64, (stop, is_looped): (&AtomicBool, &AtomicBool), begins: impl Fn()) -> Result<(), String> {
        let file = file_of(samples, rate)?;
        let played = self.play_file(&file, (stop, is_looped), begins);
        // A file that stays is in the folder that the system empties.
        let _ = std::fs::remove_file(&file);
        played
    }

    fn play_file(&self, file: &Path, (stop, is_looped): (&AtomicBool, &AtomicBool), begins: impl Fn()) -> Result<(), String> {
        let name = self.path.file_name().unwrap_or_default().display();
        loop {
            let told = Told::new();
            let mut command = Command::new(&self.path);
            command.args(&self.words).arg(file).env(SOUND, file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(told.stdio());
            let mut child = command.spawn().map_err(|error| format!("{name} does not start: {error}"))?;
            begins();
            let ended = loop {
                if stop.load(Relaxed) {
                    end(&mut child);
                    return Ok(());
                }
                match child.try_wait() {
                    Ok(Some(status)) => break status,
                    Ok(None) => std::thread::sleep(LOOK),
                    Err(error) => {
                        end(&mut child);
                        return Err(error.to_string());
                    }
                }
            };
            if !ended.success() {
                return Err(with_reason(format!("{name} failed to play"), &told.read()));
            }
            if !is_looped.load(Relaxed) {
                return Ok(());
            }
        }
    }
}

/// Why samples of such a rate in Hz cannot be played; `None` if they can.
pub fn unplayable(hertz: Option<f64>) -> Option<&'static str> {
    match hertz {
        None => Some("These samples have no rate in Hz"),
        Some(hertz) if !RATES.contains(&hertz) => Some("Players take rates from 1 kHz to 384 kHz"),
        Some(_) => None,
    }
}

/// The default input of the system as a stream of plain samples; dropping it ends the recorder.
#[derive(Debug)]
pub struct Microphone {
    name: String,
    child: Child,
    samples: ChildStdout,
    /// The file of what the recorder tells: a pipe that nobody reads would hold it up after some overruns.
    told: Told,
}

impl Microphone {
    /// How it is recorded where nobody says it.
    pub fn usual() -> RawFormat {
        RawFormat { channels: 2, rate: Some(Sampling::hertz(USUAL_RATE)), ..RawFormat::default() }
    }

    /// Begins to record samples of a type; the rate that is usual stands for one that is missing.
    ///
    /// # Errors
    /// When no recorder is on PATH, it does not take the type, or the system does not start it: says what helps in one line.
    pub fn open(raw: RawFormat) -> Result<(Self, RawFormat), String> {
        Self::open_in(&std::env::var_os("PATH").unwrap_or_default(), raw)
    }

    /// The rate in Hz and the names of a type that recorders take.
    fn asked(raw: RawFormat) -> Result<(f64, &'static (SampleType, [&'static str; 3])), String> {
        let rate = raw.rate.map_or(Some(USUAL_RATE), Sampling::rate_hz).filter(|rate| RATES.contains(rate) && rate.fract() == 0.0);
        let rate = rate.ok_or_else(|| "recorders take whole rates from 1000 to 384000 Hz: take another one".to_owned())?;
        let known = TYPES.iter().find(|(of, _)| *of == raw.encoding.sample_type && !raw.encoding.is_complex && !raw.encoding.is_big_endian);
        Ok((rate, known.ok_or_else(|| format!("recorders do not take {raw}: take s16, s32 or f32"))?))
    }

    /// Refuses a type or a rate that no recorder takes.
    ///
    /// # Errors
    /// When it is one: says in one line which ones they take.
    pub fn check(raw: RawFormat) -> Result<(), String> {
        Self::asked(raw).map(|_| ())
    }

    fn open_in(folders: &OsStr, raw: RawFormat) -> Result<(Self, RawFormat), String> {
        let (rate, (of, [pulse, alsa, sox])) = Self::asked(raw)?;
        let raw = RawFormat { rate: Some(Sampling::hertz(rate)), ..raw };
        let (path, words) = first_of(&RECORDERS, folders).ok_or_else(|| missing("recorder", &RECORDERS))?;
        let (rate, channels, bits) = (rate.to_string(), raw.channels.to_string(), (8 * of.bytes()).to_string());
        let named = [("PULSE", *pulse), ("ALSA", alsa), ("SOX", sox), ("TYPE", of.name())];
        let of_samples = [("RATE", rate.as_str()), ("CHANNELS", &channels), ("BITS", &bits)];
        let filled = |word: &&str| {
            let word = if *word == "-" { (*word).to_owned() } else { long(word) };
            let word = named.iter().chain(&of_samples).fold(word, |word, (mark, by)| word.replace(mark, by));
            word.strip_suffix('?').map_or(Some(word.clone()), |word| help_names(&path, word).then(|| word.to_owned()))
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (mut command, told) = (Command::new(&path), Told::new());
        command.args(words.iter().filter_map(filled)).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(told.stdio());
        let mut child = command.spawn().map_err(|error| format!("{name} does not start: {error}"))?;
        let samples = child.stdout.take().ok_or_else(|| format!("{name} gives no samples"))?;
        Ok((Self { name, child, samples, told }, raw))
    }
}

impl Read for Microphone {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self.samples.read(to)? {
            // A microphone has no end: whatever ends the recorder is a reason to be told.
            0 if !to.is_empty() => {
                end(&mut self.child);
                Err(io::Error::other(with_reason(format!("{} has ended", self.name), &self.told.read())))
            }
            n => Ok(n),
        }
    }
}

impl Drop for Microphone {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// The file into which a program writes its errors: a pipe that nobody reads would hold it up. Dropping it removes the file.
#[derive(Debug)]
struct Told(PathBuf);

impl Told {
    fn new() -> Self {
        Self(temporary("txt"))
    }

    /// The new file as the standard error of a program; none where it cannot be made.
    fn stdio(&self) -> Stdio {
        File::create_new(&self.0).map_or_else(|_| Stdio::null(), Stdio::from)
    }

    fn read(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap_or_default()
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        // A file that stays is in the folder that the system empties.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The first of some programs in the folders of a search path, and its words.
fn first_of<'a>(programs: &[(&str, &'a [&'a str])], folders: &OsStr) -> Option<(PathBuf, &'a [&'a str])> {
    let file = |name: &str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
    };
    programs.iter().find_map(|(name, words)| Some((file(name)?, *words)))
}

/// A long option.
fn long(word: &str) -> String {
    format!("--{word}")
}

/// Whether the help of a program names an option.
fn help_names(program: &Path, option: &str) -> bool {
    let help = Command::new(program).arg(long("help")).stdin(Stdio::null()).output();
    help.is_ok_and(|help| [help.stdout, help.stderr].iter().any(|told| String::from_utf8_lossy(told).contains(option)))
}

fn missing(what: &str, programs: &[(&str, &[&str])]) -> String {
    let names: Vec<&str> = programs.iter().map(|(name, _)| *name).collect();
    format!("No {what} is on PATH: install one of {}", names.join(", "))
}

/// A temporary WAV of 16 bits; what is louder than full scale is clamped, and what is not a number is silent.
fn file_of(samples: &[f32], rate: f64) -> Result<PathBuf, String> {
    let full = f32::from(i16::MAX) / 32_768.0;
    let clamped = samples.iter().map(|value| if value.is_nan() { 0.0 } else { value.clamp(-1.0, full) });
    let sound = Signal { axis: Some(Axis::of_rate(rate.round())), ..Signal::row("sound", Samples::F32(clamped.collect())) };
    let sound = sound.in_bits(16).map_err(|_| "the samples do not fit 16 bits".to_owned())?;
    let path = temporary("wav");
    signal::save(&path, &sound).map_err(|error| error.to_string())?;
    Ok(path)
}

/// A message, with the reason that a program has given on one line. Its libraries tell much before it, and the reason last.
fn with_reason(what: String, told: &str) -> String {
    let is_own = |line: &&str| !LIBRARIES.iter().any(|mark| line.starts_with(mark));
    let own: Vec<&str> = told.lines().filter(is_own).collect();
    let why = if own.is_empty() { one_line(told) } else { one_line(&own.join(" ")) };
    if why.is_empty() { what } else { format!("{what}: {why}") }
}

/// A temporary file with this ending that no other one has.
fn temporary(ending: &str) -> PathBuf {
    std::env::temp_dir().join(format!("papillon-{}-{}.{ending}", std::process::id(), NEXT.fetch_add(1, Relaxed)))
}

/// Ends a program; one that has ended by itself is past that.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::engine::{LiveEnd, LiveSettings, LiveState, LiveStream};
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Instant;

    /// A folder with a program of this name that is a script.
    fn folder_with(name: &str, script: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn the_first_program_of_a_list_is_found_and_none_says_what_to_install() {
        let folder = folder_with("aplay", "");
        let found = SoundPlayer::find_in(folder.path().as_os_str());
        assert_eq!(found, Ok(SoundPlayer::of(folder.path().join("aplay"), &["-q"])));
        let empty = tempfile::tempdir().unwrap();
        assert!(
            SoundPlayer::find_in(empty.path().as_os_str())
                .unwrap_err()
                .ends_with("install one of pw-play, paplay, aplay, afplay, powershell")
        );
        let refused = |raw: RawFormat| Microphone::open_in(empty.path().as_os_str(), raw).unwrap_err();
        assert!(refused(Microphone::usual()).ends_with("install one of parec, arecord, pw-record, rec"));
        assert!(refused("cu8,1,48kHz".parse().unwrap()).contains("take s16, s32 or f32"));
        assert!(refused("s16,1,2.4MHz".parse().unwrap()).contains("384000 Hz"));
        assert!(unplayable(None).is_some() && unplayable(Some(10.0)).is_some() && unplayable(Some(44_100.0)).is_none());
    }

    /// The stream of a recorder after its end: it is asked for 2 channels of f32 at 8 kHz, and a script stands for it.
    fn recorded(name: &str, script: &str) -> LiveState {
        let folder = folder_with(name, script);
        let (recorder, raw) = Microphone::open_in(folder.path().as_os_str(), "f32,2,8000".parse().unwrap()).unwrap();
        let stream = LiveStream::start("microphone", Box::new(recorder), Some(raw), LiveSettings::default(), || {}).unwrap();
        let begin = Instant::now();
        while !stream.has_ended() {
            assert!(begin.elapsed() < Duration::from_secs(60), "the stream does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        stream.state()
    }

    #[test]
    fn each_recorder_is_asked_as_its_help_says_and_its_end_is_told_beside_what_came() {
        let old = "--raw) exit 3;; --help) echo '--rate --latency'; exit;;";
        let new = "--help) echo '  -a, --raw   RAW mode'; exit;;";
        for (name, help, options) in [
            ("parec", "", "--format=float32le --rate=8000 --channels=2 --latency-msec=20"),
            ("arecord", "", "--quiet --file-type=raw --format=FLOAT_LE --rate=8000 --channels=2 --period-time=20000"),
            ("pw-record", old, "--format=f32 --rate=8000 --channels=2 --latency=20ms -"),
            ("pw-record", new, "--raw --format=f32 --rate=8000 --channels=2 --latency=20ms -"),
            ("rec", "", "--no-show-progress --type=raw --encoding=floating-point --bits=32 --rate=8000 --channels=2 -"),
        ] {
            // It gives 12,000 frames of zeros, and then its device is gone.
            let asked = format!(
                "case \"$*\" in {help} '{options}') head -c 96000 /dev/zero; echo 'No such device' >&2;; *) echo \"$*\" >&2;; esac; exit 1"
            );
            let state = recorded(name, &asked);
            assert_eq!(state.end, Some(LiveEnd::Failed(format!("cannot read microphone: {name} has ended: No such device"))));
            let counted = state.counted.unwrap();
            assert_eq!((counted.kept.samples(), counted.n_channels, counted.rate), (0..12_000, 2, 8000.0));
        }
    }

    #[test]
    fn a_recorder_that_finds_no_device_says_so_itself() {
        let library = "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'";
        let script = format!(
            "for n in 1 2 3 4 5 6 7 8; do echo \"{library}\" >&2; done; echo 'arecord: main:831: audio open error: No such file' >&2; exit 1"
        );
        let state = recorded("arecord", &script);
        let why = "cannot read microphone: arecord has ended: arecord: main:831: audio open error: No such file";
        assert_eq!((state.end, state.counted.is_none()), (Some(LiveEnd::Failed(why.into())), true));
        assert_eq!(with_reason("it has ended".into(), library), format!("it has ended: {library}"));
    }
}
