//! Hints: how a reader finds an answer, from what the question reads and from what they have predicted.

use super::super::answer::{Answered, numbers_of};
use super::{Quantity, Question, Reading};

impl Question {
    /// The hint after a wrong prediction, without the answer: the quantity that has this value, or whether a number is too large, and where to look.
    pub fn hint(&self, given: &str, answered: &Answered) -> String {
        let way = self.hint.clone().unwrap_or_else(|| self.read.way());
        if let Some(is) = answered.taken_for(given) {
            return format!("That is {is}. {way}");
        }
        // Of a few choices the comparison would leave one.
        match if self.choices.is_empty() { side(given, &answered.answer) } else { None } {
            Some(side) => format!("{side} {way}"),
            None => way,
        }
    }
}

/// Says of a single number whether it is too large or too small.
fn side(given: &str, answer: &str) -> Option<&'static str> {
    let real = |text: &str| match numbers_of(text)?[..] {
        [number] if number.im == 0.0 => Some(number.re),
        _ => None,
    };
    let (given, answer) = (real(given)?, real(answer)?);
    Some(if given > answer { "It is less." } else { "It is more." })
}

impl Reading {
    /// How the answer is found in the plan.
    fn way(&self) -> String {
        match &self.quantity {
            Quantity::Distance(stage) => {
                format!(
                    "Follow the edges that enter one butterfly of stage {stage} back to their lanes, and subtract the numbers of the lanes."
                )
            }
            Quantity::WriteDistance(stage) => {
                format!("Follow the edges that leave one butterfly of stage {stage} to their lanes, and subtract the numbers of the lanes.")
            }
            Quantity::Reads(at) => thread_way(at.thread, at.stage, "come from"),
            Quantity::Writes(at) => thread_way(at.thread, at.stage, "lead to"),
            Quantity::Value(at) => value_way(at.lane, at.stage),
            Quantity::Result(index) => format!(
                "Follow the edges back from result {index} to the inputs that are not zero, and add what arrives; a dashed edge changes the sign."
            ),
            Quantity::Stages(_) => "A stage is one column of butterflies: count the columns between the input and the result.".into(),
            Quantity::Launches(_) => {
                "A launch takes all stages whose values stay within one tile; without tiles each stage is a launch. Count the groups."
                    .into()
            }
            Quantity::Additions(_) => {
                "A result that k edges enter takes k − 1 additions. Count those of one stage, then add up the stages.".into()
            }
            Quantity::Multiplications(_) => "Only factors other than ±1 and ±i count: find them stage by stage, and add them up.".into(),
            Quantity::Nonzero(stage) => {
                format!("Each edge of stage {stage} is one entry of its factor, and each lane that the stage leaves alone has a 1.")
            }
            Quantity::Butterflies(stage) => format!("Divide the lanes that stage {stage} writes by the lanes of one butterfly."),
            Quantity::Buffers(_) => {
                "Look for a butterfly that writes a lane which another one has yet to read. One buffer is enough only where there is none."
                    .into()
            }
            Quantity::OutputAt(lane) => {
                format!(
                    "Write {lane} in binary, and ask what happens to its bits: some algorithms reverse them, others keep or permute them."
                )
            }
            Quantity::Idle(stage) => {
                format!("A thread computes one butterfly. Compare the butterflies of stage {stage} with those of the stage that has most.")
            }
            Quantity::Peak(_) => {
                "Count how often the samples repeat: a pattern with k periods, or k pairs of changes, stands at index k.".into()
            }
            Quantity::Merged(stage) => format!(
                "A result of stage {stage} waits for the merge where an edge into it comes from another block, or from a result that waits itself."
            ),
            Quantity::Needs(_) => {
                "Follow the edges of the section to the left, and count the sections of earlier launches that they come from.".into()
            }
            Quantity::Faster(_) => {
                "Compare how many bytes each moves through memory, and how often each waits: for long rows that counts for more than sums."
                    .into()
            }
            Quantity::Transactions(_) => {
                "A transaction moves 128 neighbouring bytes. Count the different blocks that 32 threads touch, then all groups of 32."
                    .into()
            }
        }
    }
}

fn value_way(lane: usize, stage: usize) -> String {
    match stage {
        0 => format!("Lane {lane} of the input holds a sample of the signal: count the samples from 0."),
        _ => format!(
            "Take the values before stage {stage}, and add what the edges that enter lane {lane} bring; a dashed edge changes the sign."
        ),
    }
}

fn thread_way(thread: usize, stage: usize, edges: &str) -> String {
    format!(
        "Count the butterflies of stage {stage} from 0 to thread {thread}, in the order of their first lanes, and see which lanes its edges {edges}."
    )
}

#[cfg(test)]
mod tests {
    use super::side;

    #[test]
    fn a_single_number_is_too_large_or_too_small() {
        let sides = [("7", "6"), ("−3", "2"), ("0.5", "1/3"), ("4, 5", "4, 6"), ("i", "1"), ("stockham", "dft")];
        let found = sides.map(|(given, answer)| side(given, answer));
        assert_eq!(found, [Some("It is less."), Some("It is more."), Some("It is less."), None, None, None]);
    }
}
