//! Sentences on a stream: how it goes on or has ended, and what counts.

use crate::engine::{Counted, LiveEnd, LiveState};
use crate::numerals::{bytes, counted as number_of, integer, number};
use std::time::Duration;

/// A stream stalls when nothing comes for longer than this.
const STALLS: Duration = Duration::from_secs(2);
/// The seconds that tell how fast samples come, and the share by which clocks differ.
const ENOUGH: f64 = 5.0;
const SAME: f64 = 0.03;

/// How the stream goes on or has ended; what a person should know first comes first.
pub(super) fn state(name: &str, state: &LiveState, is_paused: bool) -> String {
    let silent = state.heard.elapsed();
    match (&state.end, &state.counted) {
        (Some(LiveEnd::Failed(why)), Some(_)) => format!("{why}; what was kept stays"),
        (Some(LiveEnd::Failed(why)), None) => why.clone(),
        (Some(LiveEnd::Whole(_)), None) => format!("{name} ended before its first sample"),
        (Some(LiveEnd::Whole(0)), Some(_)) => format!("{name} has ended"),
        (Some(LiveEnd::Whole(cut)), Some(_)) => {
            format!("{name} has ended with {}, less than one sample: left out", number_of(*cut, "byte"))
        }
        (Some(LiveEnd::Other(_)), _) => format!("{name} is not a stream of samples"),
        (None, None) => format!("waiting for the first samples of {name}"),
        (None, Some(_)) if silent > STALLS => format!("no samples for {} s: the stream stalls; what was kept stays", silent.as_secs()),
        (None, Some(_)) if is_paused => "paused; the stream goes on behind it".to_owned(),
        (None, Some(_)) if state.is_overruled => "running; it is a WAV: its header counts, and --raw does not".to_owned(),
        (None, Some(_)) => "running".to_owned(),
    }
}

/// Samples that come in a second, once some seconds tell that it is another number than the one that was said.
pub(super) fn other_pace(state: &LiveState) -> Option<String> {
    let counted = state.counted.as_ref()?;
    let seconds = state.begun?.elapsed().ok()?.as_secs_f64() - state.heard.elapsed().as_secs_f64();
    let found = counted.kept.samples().end as f64 / seconds;
    let differs = seconds > ENOUGH && (found / counted.rate - 1.0).abs() > SAME;
    differs.then(|| format!("{} samples come in a second, and the rate says {}", number(found, 3), number(counted.rate, 9)))
}

/// What counts, in a few words each.
pub(super) fn facts(counted: &Counted) -> Vec<String> {
    let kept = counted.kept.samples();
    let n = kept.end - kept.start;
    let frames = counted.settings.frames();
    let [shown, left_out] = counted.frames;
    let mut facts = vec![
        format!("{} samples a second", number(counted.rate, 9)),
        format!("{} s kept, {}", number(n as f64 / counted.rate, 3), bytes(n * counted.form.frame as u64)),
        format!("frames of {}, Hann, half of each in the next", number_of(frames.length, "sample")),
        format!("{} counted, {} left out", number_of(shown as usize, "frame"), integer(left_out as usize)),
    ];
    if (counted.most() as f64) < counted.settings.keeps * counted.rate - 1.0 {
        facts.push(format!("memory holds {} s of samples", number(counted.most() as f64 / counted.rate, 3)));
    }
    if counted.running.skipped > 0 {
        facts.push(format!("{} left out: samples in them are not numbers", number_of(counted.running.skipped, "frame")));
    }
    facts
}
