//! The text about the algorithm that was taken: its work, and the reason.

use super::faster;
use crate::engine::{Cut, Loss, Outcome};
use crate::numerals::number;
use crate::transforms::{Parameters, Shape, Transform};
use crate::ui::remedy::in_words;

/// The words of a choice. They stay until the choice changes: the estimates in them change with every run.
#[derive(Default)]
pub(super) struct Said {
    of: Option<Choice>,
    text: String,
}

/// The algorithm, the schedule and the parameters that the outcome was asked with: those that are set may be newer.
pub(super) type Asked = (Option<&'static str>, Cut, Parameters);

/// The algorithm that was chosen or taken, and the known facts about it besides estimates.
#[derive(Clone, PartialEq)]
struct Choice {
    transform: &'static str,
    about: &'static str,
    chosen: Option<String>,
    taken: Option<(&'static str, String, Shape)>,
    asked: Option<Asked>,
    lost: Option<String>,
    /// Whether another algorithm has been found to be faster.
    has_faster: bool,
}

impl Said {
    /// The words of an algorithm that does what `about` says; `chosen` is `None` where it was taken automatically.
    pub(super) fn about(
        &mut self,
        (transform, about): (&'static Transform, &'static str),
        (chosen, asked): (Option<&str>, Option<Asked>),
        outcome: Option<&Outcome>,
    ) -> &str {
        // The precision itself is a setting that everyone sees.
        let lost = outcome.and_then(|outcome| outcome.losses.iter().find(|loss| **loss != Loss::Rounded).map(in_words));
        let faster = outcome.and_then(|outcome| faster(outcome, transform)).filter(|_| chosen.is_none());
        let taken = outcome.map(|outcome| (outcome.algorithm, outcome.device.clone(), outcome.shape));
        let (chosen, has_faster) = (chosen.map(str::to_owned), faster.is_some());
        let of = Choice { transform: transform.name, about, chosen, taken, asked, lost, has_faster };
        let is_known = |known: &Choice| {
            // A measured advantage may be gone by the next run.
            *known == Choice { has_faster: known.has_faster, ..of.clone() } && (known.has_faster || !has_faster)
        };
        if !self.of.as_ref().is_some_and(is_known) {
            self.text = words(&of, faster, outcome.map_or("", |outcome| &outcome.reason));
            self.of = Some(of);
        }
        &self.text
    }
}

/// The work of the algorithm, and why it was taken; a loss is worth more than a reason.
fn words(of: &Choice, faster: Option<(&'static str, f64)>, reason: &str) -> String {
    let (about, taken) = (of.about, of.taken.as_ref().map_or("", |(algorithm, ..)| algorithm));
    match (reason, faster) {
        _ if of.lost.is_some() => format!("Note: {}.", of.lost.as_deref().unwrap_or_default()),
        // The first line tells why a slower algorithm was taken.
        (reason, Some((other, ratio))) => {
            format!("Why {taken}, though {other} is {} × as fast: {reason}. {about}.", number(ratio, 2))
        }
        ("", _) => format!("{about}."),
        (reason, _) if of.chosen.is_none() => format!("{about}. Why: {reason}."),
        // How a schedule that was asked for was changed.
        (note, _) => format!("{about}. Note: {note}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Contents;
    use crate::transforms::{Axes, transform};

    #[test]
    fn the_reason_stays_until_the_choice_changes() {
        let dft = transform("dft").unwrap();
        let (mut said, about) = (Said::default(), "Divides");
        let mut text = |micros: usize, chosen: Option<&str>| {
            let shape = Shape { rows: 1, columns: 64 };
            let mut outcome = Outcome::new("stockham", shape, Axes::Rows, Contents::Values);
            outcome.reason = format!("about {micros} µs here");
            said.about((dft, about), (chosen, None), Some(&outcome)).to_owned()
        };
        assert_eq!(text(10, None), "Divides. Why: about 10 µs here.");
        assert_eq!(text(12, None), "Divides. Why: about 10 µs here.", "another run tells another time");
        assert_eq!(text(13, Some("stockham")), "Divides. Note: about 13 µs here.");
        assert_eq!(text(14, None), "Divides. Why: about 14 µs here.");
    }
}
