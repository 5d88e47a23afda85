//! Listening: samples go to the player of the system as a temporary WAV, so that no library of a sound system is linked.

use crate::engine::locked;
use crate::signal::{self, Axis, Samples, Signal, one_line};
use egui::Context;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Players with the words before the file, the first of which that is on PATH plays.
const PLAYERS: [(&str, &[&str]); 5] = [
    ("pw-play", &[]),
    ("paplay", &[]),
    ("aplay", &["-q"]),
    ("afplay", &[]),
    ("powershell", &["-NoProfile", "-Command", "& {(New-Object Media.SoundPlayer $args[0]).PlaySync()}"]),
];
/// The rates that players take, in Hz.
const RATES: std::ops::RangeInclusive<f64> = 1000.0..=384_000.0;
/// How often a thread looks whether a player has ended.
const LOOK: Duration = Duration::from_millis(20);
/// The file of the next sound.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A player with the words before the file.
type Program = (PathBuf, Vec<String>);

/// The player of the system, and the sound that it plays.
pub(super) struct Player {
    program: Option<Program>,
    heard: Option<Heard>,
    /// Whether it begins again at its end.
    pub(super) is_looped: Arc<AtomicBool>,
}

/// Something that is heard: a name and its first sample in the recording.
struct Heard {
    what: &'static str,
    first: usize,
    rate: f64,
    stop: Arc<AtomicBool>,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    began: Option<Instant>,
    /// Why nothing is heard; `Some` of an empty text at the end.
    ended: Option<String>,
}

/// Computes the samples to play, until its flag is raised.
pub(super) type ComputeSamples = Box<dyn FnOnce(&AtomicBool) -> Result<Vec<f32>, String> + Send>;

/// Samples to be heard.
pub(super) struct Sound {
    /// The name of what it is.
    pub(super) what: &'static str,
    /// Its first sample in the recording.
    pub(super) first: usize,
    /// Samples in a second.
    pub(super) rate: f64,
    /// Computes the samples on the thread of the player; the flag ends that.
    pub(super) samples: ComputeSamples,
}

impl Player {
    /// The player of this system.
    pub(super) fn new() -> Self {
        Self::with(found(std::env::var_os("PATH").as_deref().unwrap_or_default()))
    }

    fn with(program: Option<Program>) -> Self {
        Self { program, heard: None, is_looped: Arc::default() }
    }

    /// Why nothing with such a rate in Hz can be heard; `None` if it can.
    pub(super) fn refused(&self, hertz: Option<f64>) -> Option<String> {
        let names = PLAYERS.map(|(name, _)| name).join(", ");
        match (hertz, &self.program) {
            (_, None) => Some(format!("No player is on PATH: install one of {names}")),
            (None, _) => Some("These samples have no rate in Hz".to_owned()),
            (Some(hertz), _) if !RATES.contains(&hertz) => Some("Players take rates from 1 kHz to 384 kHz".to_owned()),
            _ => None,
        }
    }

    /// Lets a sound be heard in place of the one before.
    pub(super) fn play(&mut self, ctx: &Context, sound: Sound) {
        self.stop();
        let Some(program) = self.program.clone() else { return };
        let Sound { what, first, rate, samples } = sound;
        let mut heard = Heard { what, first, rate, stop: Arc::default(), state: Arc::default(), thread: None };
        let (stop, state, is_looped, ctx) = (heard.stop.clone(), heard.state.clone(), self.is_looped.clone(), ctx.clone());
        let run = move || {
            let done = samples(&stop).and_then(|samples| file_of(&samples, rate)).and_then(|file| {
                let played = played(&program, &file, (&stop, &is_looped), || {
                    locked(&state).began = Some(Instant::now());
                    ctx.request_repaint();
                });
                // A file that stays is in the folder that the system empties.
                let _ = std::fs::remove_file(&file);
                played
            });
            locked(&state).ended = Some(done.err().unwrap_or_default());
            ctx.request_repaint();
        };
        heard.thread = Some(std::thread::Builder::new().name("player".into()).spawn(run).expect("the system starts a thread"));
        self.heard = Some(heard);
    }

    /// Ends what is heard.
    pub(super) fn stop(&mut self) {
        if let Some(heard) = self.heard.take() {
            heard.stop.store(true, Relaxed);
        }
    }

    /// The name of what is heard; asks for the next frame meanwhile.
    pub(super) fn heard(&self, ctx: &Context) -> Option<&'static str> {
        let heard = self.heard.as_ref().filter(|heard| locked(&heard.state).ended.is_none())?;
        ctx.request_repaint_after(LOOK);
        Some(heard.what)
    }

    /// The sample of the recording that is heard now.
    pub(super) fn sample(&self) -> Option<f64> {
        let heard = self.heard.as_ref()?;
        let state = locked(&heard.state);
        let began = state.began.filter(|_| state.ended.is_none())?;
        Some(heard.first as f64 + began.elapsed().as_secs_f64() * heard.rate)
    }

    /// Why nothing was heard.
    pub(super) fn error(&self) -> Option<String> {
        let ended = locked(&self.heard.as_ref()?.state).ended.clone();
        ended.filter(|why| !why.is_empty())
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let thread = self.heard.as_mut().and_then(|heard| heard.thread.take());
        self.stop();
        // Otherwise the player would go on, and its file stay, when the program has ended. It ends within a look.
        let _ = thread.map(JoinHandle::join);
    }
}

/// The first player in the folders of a search path.
fn found(folders: &std::ffi::OsStr) -> Option<Program> {
    let file = |name: &str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(folders).map(|folder| folder.join(&name)).find(|path| path.is_file())
    };
    PLAYERS.iter().find_map(|(name, words)| Some((file(name)?, words.iter().map(|word| (*word).to_owned()).collect())))
}

/// A temporary WAV of 16 bits; what is louder than full scale is clamped, and what is no number is silent.
fn file_of(samples: &[f32], rate: f64) -> Result<PathBuf, String> {
    let full = f32::from(i16::MAX) / 32_768.0;
    let clamped = samples.iter().map(|value| if value.is_nan() { 0.0 } else { value.clamp(-1.0, full) });
    let sound = Signal { axis: Some(Axis::of_rate(rate.round())), ..Signal::row("sound", Samples::F32(clamped.collect())) };
    let sound = sound.in_bits(16).map_err(|_| "the samples do not fit 16 bits".to_owned())?;
    let name = format!("papillon-{}-{}.wav", std::process::id(), NEXT.fetch_add(1, Relaxed));
    let path = std::env::temp_dir().join(name);
    signal::save(&path, &sound).map_err(|error| error.to_string())?;
    Ok(path)
}

/// Plays a file until it ends or is stopped, again and again where it is looped.
fn played((program, words): &Program, file: &Path, (stop, is_looped): (&AtomicBool, &AtomicBool), begins: impl Fn()) -> Result<(), String> {
    let name = program.file_name().unwrap_or_default().display();
    loop {
        let mut child = Command::new(program)
            .args(words)
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name} does not start: {error}"))?;
        begins();
        let ended = loop {
            if stop.load(Relaxed) {
                end(&mut child);
                return Ok(());
            }
            match child.try_wait() {
                Ok(Some(status)) => break status,
                Ok(None) => std::thread::sleep(LOOK),
                Err(error) => return Err(error.to_string()),
            }
        };
        if !ended.success() {
            let mut told = String::new();
            if let Some(mut from) = child.stderr.take() {
                // A player that says nothing legible has still failed.
                let _ = from.read_to_string(&mut told);
            }
            let why = one_line(&told);
            return Err(if why.is_empty() { format!("{name} failed to play") } else { format!("{name} failed to play: {why}") });
        }
        if !is_looped.load(Relaxed) {
            return Ok(());
        }
    }
}

/// Ends a player; one that has ended by itself is past that.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn wait(player: &Player) {
        let begin = Instant::now();
        while player.heard(&Context::default()).is_some() {
            assert!(begin.elapsed() < Duration::from_secs(20), "the player does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn sound(samples: Vec<f32>) -> Sound {
        Sound { what: "source", first: 100, rate: 8000.0, samples: Box::new(move |_| Ok(samples)) }
    }

    #[test]
    fn a_player_gets_a_file_and_its_failure_is_told() {
        let test = |words: &[&str]| Some((PathBuf::from("/bin/sh"), words.iter().map(|word| (*word).to_owned()).collect()));
        // The file has 44 bytes before its samples.
        let mut player = Player::with(test(&["-c", "[ $(wc -c <\"$0\") -eq 2044 ]"]));
        player.play(&Context::default(), sound(vec![2.0; 1000]));
        wait(&player);
        assert_eq!((player.error(), player.sample()), (None, None));
        let mut player = Player::with(test(&["-c", "echo no device >&2; exit 1"]));
        player.play(&Context::default(), sound(vec![f32::NAN; 10]));
        wait(&player);
        assert_eq!(player.error().as_deref(), Some("sh failed to play: no device"));
        let mut player = Player::with(test(&["-c", "sleep 30"]));
        player.play(&Context::default(), sound(vec![0.0; 10]));
        let begin = Instant::now();
        while player.sample().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(20), "the player does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(player.sample() >= Some(100.0) && player.heard(&Context::default()) == Some("source"));
        player.stop();
        assert!(player.heard(&Context::default()).is_none());
    }

    #[test]
    fn what_cannot_be_heard_says_why() {
        let folder = tempfile::tempdir().unwrap();
        assert!(found(folder.path().as_os_str()).is_none());
        std::fs::write(folder.path().join("aplay"), "").unwrap();
        let program = found(folder.path().as_os_str());
        assert_eq!(program, Some((folder.path().join("aplay"), vec!["-q".to_owned()])));
        let player = Player::with(program);
        assert_eq!(player.refused(Some(44_100.0)), None);
        assert!(player.refused(None).unwrap().contains("Hz") && player.refused(Some(10.0)).unwrap().contains("1 kHz"));
        assert!(Player::with(None).refused(Some(44_100.0)).unwrap().contains("install one of pw-play, paplay"));
    }
}
