//! The parts of a run: what they are called, and their colours.

use super::super::super::theme::{Series, launch_color};
use crate::engine::{Outcome, Times};
use egui::{Color32, Theme};

/// Launches that are told apart.
const N_LAUNCHES: usize = 48;

/// What a part of a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Host to device.
    Upload,
    /// A launch, from 0.
    Launch(usize),
    /// Device to host.
    Download,
    /// What is left of the whole.
    Other,
}

/// The parts of a run, in the order in which they happen; launches beyond those that are told apart are one part.
pub(super) fn parts(times: &Times) -> impl Iterator<Item = (Part, f64)> + '_ {
    let n = times.launch_micros.len().min(N_LAUNCHES);
    let launches = times.launch_micros[..n].iter().enumerate().map(|(launch, &micros)| (Part::Launch(launch), micros));
    let beyond: f64 = times.launch_micros[n..].iter().sum();
    std::iter::once((Part::Upload, times.upload_micros))
        .chain(launches)
        .chain([(Part::Download, times.download_micros), (Part::Other, other_micros(times) + beyond)])
}

/// What is left of the whole: waiting, and work of the host between the parts.
fn other_micros(times: &Times) -> f64 {
    (times.total_micros - times.upload_micros - times.kernel_micros() - times.download_micros).max(0.0)
}

/// Its colour; launches have those of their boxes in the flow graph.
pub(super) fn color(part: Part, theme: Theme) -> Color32 {
    match part {
        Part::Upload => Series::Upload.color(theme),
        Part::Launch(launch) => launch_color(launch, theme),
        Part::Download => Series::Download.color(theme),
        Part::Other => Series::Library.color(theme),
    }
}

/// Its name within a sentence.
pub(super) fn name(part: Part) -> String {
    match part {
        Part::Upload => "upload".into(),
        Part::Launch(launch) => format!("launch {}", launch + 1),
        Part::Download => "download".into(),
        Part::Other => "other".into(),
    }
}

/// Its name in a table, with the stages of a launch.
pub(super) fn title(part: Part, outcome: &Outcome) -> String {
    match part {
        Part::Upload => "Upload".into(),
        Part::Launch(launch) => launch_title(outcome, launch),
        Part::Download => "Download (what is shown)".into(),
        Part::Other => "Other".into(),
    }
}

/// What it is, where its name does not say so.
pub(super) fn about(part: Part) -> &'static str {
    match part {
        Part::Upload => "The samples, from the host to the device",
        Part::Launch(_) => "A launch on the device",
        Part::Download => {
            "What is shown, made into a picture on the device and brought to the host; or all values, where the host puts them in order"
        }
        Part::Other => "What is left of the whole: submitting, waiting, work of the host",
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
                    // What both begin with is said once.
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
        let sum: f64 = parts(&times).map(|(_, micros)| micros).sum();
        assert!((sum - 40.0).abs() < 1e-9);
        assert_eq!(parts(&times).filter(|(part, _)| matches!(part, Part::Launch(_))).count(), N_LAUNCHES);
    }
}
