//! How the lines of an experiment differ from those of its paper, where somebody has chosen other values of their parameters.

use super::Experiment;
use crate::bench::SweepLine;
use crate::choice::{Choice, Chosen, Kind};
use crate::schedule::{Cut, CutParameters};
use crate::threads;
use crate::transforms::{Algorithm, Parameters, transform};

/// One text for each parameter and value that differ: "Tile lanes 512 (the paper: 1024), in 512 threads, 1D; 512 threads, 2D". The lines are those of `paper` in its order.
pub(super) fn differences(paper: &Experiment, changed: &Experiment) -> Vec<String> {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    let mut add = |text: String, line| match all.iter_mut().find(|(known, _)| *known == text) {
        Some((_, lines)) => lines.push(line),
        None => all.push((text, vec![line])),
    };
    for (printed, line) in paper.lines.iter().zip(&changed.lines) {
        let (before, label) = (values(paper, printed), printed.label.as_deref().unwrap_or(&printed.transform));
        for (title, value) in values(changed, line) {
            if let Some((_, printed)) = before.iter().find(|(known, printed)| *known == title && *printed != value) {
                add(format!("{title} {value} (the paper: {printed})"), label);
            }
        }
        if let Some(asked) = line.cpu_threads.filter(|asked| *asked > threads::cores()) {
            add(format!("threads of the CPU {} and not {asked}, as this machine has no more", threads::cores()), label);
        }
    }
    all.into_iter()
        .map(|(text, lines)| if lines.len() == paper.lines.len() { text } else { format!("{text}, in {}", lines.join("; ")) })
        .collect()
}

/// The parameters of a line, with the texts of their values.
fn values(experiment: &Experiment, line: &SweepLine) -> Vec<(String, String)> {
    let Ok(transform) = transform(&line.transform) else { return Vec::new() };
    let algorithm = line.algorithm.as_deref().and_then(|name| transform.algorithm(name).ok());
    let cuts = CutParameters::of(line.cut);
    let of_transform = Parameters::CHOICES.iter().filter(|choice| transform.has(choice.id)).map(|choice| text(choice, &line.parameters));
    let is_of_cut = |choice: &&Choice<CutParameters>| choice.id.is_of(line.own_cut(algorithm), transform, algorithm);
    let of_cut = CutParameters::CHOICES.iter().filter(is_of_cut).map(|choice| text(choice, &cuts));
    let own = [
        ("schedule", line.cut.kind().to_owned()),
        ("precision", line.precision.map_or_else(|| "automatic".into(), |precision| precision.name().to_owned())),
        ("rows", experiment.rows.unwrap_or(1).to_string()),
        ("uploads", line.uploads.to_string()),
        ("making of buffers", experiment.buffers.to_string()),
        ("threads of the CPU", line.cpu_threads.map_or_else(|| "all".into(), |n| n.to_string())),
    ];
    own.map(|(title, value)| (title.to_owned(), value)).into_iter().chain(of_transform).chain(of_cut).collect()
}

/// The title of a parameter, and its value in words.
fn text<S: Chosen>(choice: &Choice<S>, values: &S) -> (String, String) {
    let text = choice.text(values).or_else(|| choice.usual()).unwrap_or_default();
    let named = choice.kind.values().iter().find(|value| value.is_named(&text));
    let is_switch = matches!(choice.kind, Kind::Switch(_));
    (choice.title.to_owned(), named.map_or(text.clone(), |value| if is_switch { value.title } else { value.name }.to_owned()))
}

impl SweepLine {
    /// The schedule of the line, as its algorithm completes it.
    pub fn own_cut(&self, algorithm: Option<&Algorithm>) -> Cut {
        CutParameters::default().usual(self.cut, algorithm)
    }
}
