//! Listening: samples go to the player of the system as a temporary WAV, so that no library of a sound system is linked.

use crate::engine::{SoundPlayer, locked, unplayable};
use egui::Context;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the window looks whether a player has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The player of the system, and the sound that it plays.
pub(super) struct Player {
    program: Result<SoundPlayer, String>,
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
        Self::with(SoundPlayer::find())
    }

    fn with(program: Result<SoundPlayer, String>) -> Self {
        Self { program, heard: None, is_looped: Arc::default() }
    }

    /// Why nothing with such a rate in Hz can be heard; `None` if it can.
    pub(super) fn refused(&self, hertz: Option<f64>) -> Option<String> {
        let why = || unplayable(hertz).map(|why| if hertz.is_none() { format!("{why}: type one in Source") } else { why.to_owned() });
        self.program.as_ref().err().cloned().or_else(why)
    }

    /// Lets a sound be heard in place of the one before.
    pub(super) fn play(&mut self, ctx: &Context, sound: Sound) {
        self.stop();
        let Ok(program) = self.program.clone() else { return };
        let Sound { what, first, rate, samples } = sound;
        let mut heard = Heard { what, first, rate, stop: Arc::default(), state: Arc::default(), thread: None };
        let (stop, state, is_looped, ctx) = (heard.stop.clone(), heard.state.clone(), self.is_looped.clone(), ctx.clone());
        let run = move || {
            let begins = || {
                locked(&state).began = Some(Instant::now());
                ctx.request_repaint();
            };
            let done = samples(&stop).and_then(|samples| program.play(&samples, rate, (&stop, &is_looped), begins));
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
        let test = |words: &[&str]| Ok(SoundPlayer::of("/bin/sh", words));
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
        let player = Player::with(Ok(SoundPlayer::of("/bin/sh", &[])));
        assert_eq!(player.refused(Some(44_100.0)), None);
        assert!(player.refused(None).unwrap().contains("Hz") && player.refused(Some(10.0)).unwrap().contains("1 kHz"));
        assert!(Player::with(Err("install one".into())).refused(Some(44_100.0)).unwrap() == "install one");
    }
}
