//! The parts of a run, their names and their colours.

use super::super::super::theme::{Series, launch_color, series_color};
use crate::engine::{Outcome, Times};
use egui::{Color32, Theme};

/// The most launches that are separate parts.
const MOST_LAUNCHES: usize = 48;

/// The detail of the launches of a run, where a lesson asks for some of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LaunchDetail {
    /// Each launch with the names of its stages.
    #[default]
    Full,
    /// Each launch by its number.
    Unnamed,
    /// All launches as one part, since their number is asked for.
    Together,
}

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunPart {
    /// From host to device.
    Upload,
    /// A launch, counted from 0.
    Launch(usize),
    /// All launches.
    Launches,
    /// From device to host.
    Download,
    /// The rest of the total time.
    Other,
}

/// The parts of a run with their times in µs, in the order of time; separate launches beyond the most are counted as `Other`.
pub(super) fn parts(times: &Times, detail: LaunchDetail) -> impl Iterator<Item = (RunPart, f64)> + '_ {
    let n_all = times.launch_micros.len();
    let n = if detail == LaunchDetail::Together { n_all } else { n_all.min(MOST_LAUNCHES) };
    let apart = if detail == LaunchDetail::Together { 0 } else { n };
    let together = (apart < n).then(|| (RunPart::Launches, times.launch_micros[..n].iter().sum()));
    let launches = times.launch_micros[..apart].iter().enumerate().map(|(launch, &micros)| (RunPart::Launch(launch), micros));
    let launches = launches.chain(together);
    let beyond: f64 = times.launch_micros[n..].iter().sum();
    std::iter::once((RunPart::Upload, times.upload_micros))
        .chain(launches)
        .chain([(RunPart::Download, times.download_micros), (RunPart::Other, other_micros(times) + beyond)])
}

/// The rest of the total time, in µs: waiting, and work of the host between the parts.
fn other_micros(times: &Times) -> f64 {
    (times.total_micros - times.upload_micros - times.kernel_micros() - times.download_micros).max(0.0)
}

/// The colour of a part; a launch has the colour of its frame in the flow graph.
pub(super) fn color(part: RunPart, theme: Theme) -> Color32 {
    match part {
        RunPart::Upload => series_color(Series::Upload, theme),
        RunPart::Launch(launch) => launch_color(launch, theme),
        RunPart::Launches => launch_color(0, theme),
        RunPart::Download => series_color(Series::Download, theme),
        RunPart::Other => series_color(Series::Library, theme),
    }
}

/// The name of a part within a sentence.
pub(super) fn name(part: RunPart) -> String {
    match part {
        RunPart::Upload => "upload".into(),
        RunPart::Launch(launch) => format!("launch {}", launch + 1),
        RunPart::Launches => "all launches".into(),
        RunPart::Download => "download".into(),
        RunPart::Other => "other".into(),
    }
}

/// The name of a part in a table, with the stages of a launch.
pub(super) fn title(part: RunPart, outcome: &Outcome, detail: LaunchDetail) -> String {
    match part {
        RunPart::Upload => "Upload".into(),
        RunPart::Launch(launch) if detail == LaunchDetail::Unnamed => format!("Launch {}", launch + 1),
        RunPart::Launches => "All launches".into(),
        RunPart::Launch(launch) => launch_title(outcome, launch),
        RunPart::Download => "Download (visible part)".into(),
        RunPart::Other => "Other".into(),
    }
}

/// A sentence about a part.
pub(super) fn about(part: RunPart) -> &'static str {
    match part {
        RunPart::Upload => "The samples, from the host to the device",
        RunPart::Launch(_) => "A launch on the device",
        RunPart::Launches => "The launches on the device",
        RunPart::Download => "The visible part, rendered on the device and copied to the host; or all values, where the host reorders them",
        RunPart::Other => "The rest of the total time: submitting, waiting, work of the host",
    }
}

fn launch_title(outcome: &Outcome, index: usize) -> String {
    match (&outcome.plan, &outcome.schedule) {
        (Some(plan), Some(schedule)) if index < schedule.launches.len() => {
            let launch = &schedule.launches[index];
            let labels: Vec<_> = plan.stages[launch.stages.clone()].iter().map(|stage| stage.label.to_string()).collect();
            match labels.as_slice() {
                [one] => format!("Launch {}: {one}", index + 1),
                [first, .., last] => {
                    // A common beginning is written once.
                    let (words, number) = first.rsplit_once(' ').unwrap_or((first, ""));
                    let last = last.strip_prefix(words).map_or(last.as_str(), str::trim_start);
                    format!("Launch {}: {} … {last}", index + 1, format!("{words} {number}").trim_end())
                }
                [] => format!("Launch {}", index + 1),
            }
        }
        _ => "Library".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_add_up_to_the_whole() {
        let times =
            Times { upload_micros: 1.0, launch_micros: vec![0.5; 60], download_micros: 2.0, total_micros: 40.0, ..Times::default() };
        for detail in [LaunchDetail::Full, LaunchDetail::Unnamed, LaunchDetail::Together] {
            let sum: f64 = parts(&times, detail).map(|(_, micros)| micros).sum();
            assert!((sum - 40.0).abs() < 1e-9, "{detail:?}");
        }
        let n_launches = |detail| parts(&times, detail).filter(|(part, _)| matches!(part, RunPart::Launch(_))).count();
        assert_eq!([LaunchDetail::Full, LaunchDetail::Together].map(n_launches), [MOST_LAUNCHES, 0]);
    }
}
