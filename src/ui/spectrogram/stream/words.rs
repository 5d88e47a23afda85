//! Sentences on a stream: how it goes on or has ended, and what counts.

use crate::engine::{Counted, LiveEnd, LiveState};
use crate::numerals::{bytes, counted as number_of, integer, number};
use std::time::Instant;

/// How the stream goes on or has ended; what a person should know first comes first.
pub(super) fn state(name: &str, state: &LiveState, held: Option<&str>, now: Instant) -> String {
    let stalls = state.pace.stall(name, now);
    match (&state.end, &state.counted) {
        (Some(LiveEnd::Failed(why)), Some(_)) => format!("{why}; what was kept stays"),
        (Some(LiveEnd::Failed(why)), None) => why.clone(),
        (Some(LiveEnd::Whole(_)), None) => format!("{name} ended before its first sample"),
        (Some(LiveEnd::Whole(0)), Some(_)) => format!("{name} has ended"),
        (Some(LiveEnd::Whole(cut)), Some(_)) => {
            format!("{name} has ended with {}, less than one sample: left out", number_of(*cut, "byte"))
        }
        (Some(LiveEnd::Other(_)), _) => format!("{name} is not a stream of samples"),
        (None, None) => stalls.unwrap_or_else(|| format!("waiting for the first samples of {name}")),
        (None, Some(_)) => match stalls {
            Some(stalls) => format!("{stalls}; what was kept stays"),
            None if let Some(held) = held => format!("{held}; the stream goes on behind it"),
            None if state.is_overruled => "running; it is a WAV: its header counts, and --raw does not".to_owned(),
            None => "running".to_owned(),
        },
    }
}

/// The main facts, in a few words each.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Pace;
    use std::time::Duration;

    #[test]
    fn a_stream_that_sends_nothing_is_waited_for_by_name_and_time() {
        let opened = Instant::now();
        let silent = LiveState { counted: None, is_overruled: false, end: None, opened, begun: None, pace: Pace::new(opened) };
        let after = |seconds| state("the pipe", &silent, None, opened + Duration::from_secs(seconds));
        assert_eq!(after(1), "waiting for the first samples of the pipe");
        assert_eq!(after(60), "waiting for the first samples of the pipe: none came for 60 s");
    }
}
