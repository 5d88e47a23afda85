//! Mistakes: what else of the plan a wrong prediction would answer, so that a hint can begin with what the reader has read.

use super::super::answer::{Answered, agree};
use super::super::subject::Subjects;
use super::{LaneAt, Quantity, Question, Reading, StageOf, ThreadAt};

/// The most values of the result that are compared with a prediction.
const MOST_RESULTS: usize = 64;

impl Question {
    /// Reads the answer, and what is easily taken for it.
    ///
    /// # Errors
    /// As [`Reading::read`].
    pub fn answered(&self, subjects: &Subjects) -> Result<Answered, String> {
        let answer = self.read.read(subjects)?;
        let names_answer = |words: &str| words.split(|c: char| !c.is_alphanumeric()).any(|word| word == answer);
        let read = |(reading, is): (Reading, String)| Some((reading.read(subjects).ok()?, is));
        let others = self.read.neighbours(subjects).into_iter().filter_map(read);
        let others = others.filter(|(value, is)| !agree(value, &answer) && !names_answer(is)).collect();
        Ok(Answered { answer, others })
    }
}

impl Reading {
    /// The same elsewhere in the plan, and what is read in the same places.
    fn neighbours(&self, subjects: &Subjects) -> Vec<(Self, String)> {
        let Ok(subject) = (if self.beside { subjects.beside() } else { subjects.main() }) else { return Vec::new() };
        let (n_stages, lanes) = (subject.plan.stages.len(), subject.plan.lanes.min(MOST_RESULTS));
        let of_stages = |read: &dyn Fn(usize) -> Quantity, is: &str| -> Vec<(Quantity, String)> {
            (1..=n_stages).map(|stage| (read(stage), format!("{is} in stage {stage}"))).collect()
        };
        let reads = |at: &ThreadAt| -> Vec<(Quantity, String)> {
            let thread = at.thread;
            let of_thread = |read: fn(ThreadAt) -> Quantity, verb| {
                let on = move |stage| (read(ThreadAt { stage, thread }), format!("the lanes that thread {thread} {verb} in stage {stage}"));
                (1..=n_stages).map(on)
            };
            of_thread(Quantity::Reads, "reads").chain(of_thread(Quantity::Writes, "writes")).collect()
        };
        let found = match &self.quantity {
            Quantity::Distance(_) | Quantity::WriteDistance(_) => [
                of_stages(&Quantity::Distance, "the distance of the lanes that are read"),
                of_stages(&Quantity::WriteDistance, "the distance of the lanes that are written"),
            ]
            .concat(),
            Quantity::Reads(at) | Quantity::Writes(at) => reads(at),
            Quantity::Value(LaneAt { stage, lane }) => {
                let on_lane = (0..=n_stages).map(|stage| LaneAt { stage, lane: *lane });
                let after_stage = (0..lanes).map(|lane| LaneAt { stage: *stage, lane });
                let named = |at: LaneAt| (Quantity::Value(at), format!("the value of lane {} after stage {}", at.lane, at.stage));
                on_lane.chain(after_stage).map(named).collect()
            }
            Quantity::Result(_) => (0..lanes).map(|k| (Quantity::Result(k), format!("result {k}"))).collect(),
            Quantity::OutputAt(_) => (0..lanes).map(|lane| (Quantity::OutputAt(lane), format!("the result on lane {lane}"))).collect(),
            Quantity::Nonzero(_) => of_stages(&Quantity::Nonzero, "the number of entries"),
            Quantity::Idle(_) | Quantity::Merged(_) | Quantity::Butterflies(_) => [
                of_stages(&|stage| self.quantity.in_stage(stage), "the answer"),
                of_stages(&Quantity::Butterflies, "the number of all butterflies"),
            ]
            .concat(),
            Quantity::Transactions(_) => of_stages(&|stage| self.quantity.in_stage(stage), "the number of transactions"),
            Quantity::Stages(_) | Quantity::Launches(_) => {
                vec![(Quantity::Stages(true), "the number of stages".into()), (Quantity::Launches(true), "the number of launches".into())]
            }
            Quantity::Additions(_) | Quantity::Multiplications(_) => vec![
                (Quantity::Additions(true), "the number of additions".into()),
                (Quantity::Multiplications(true), "the number of multiplications".into()),
            ],
            Quantity::Buffers(_) | Quantity::Peak(_) | Quantity::Needs(_) | Quantity::Faster(_) => Vec::new(),
        };
        let beside = self.beside;
        let other =
            (!self.is_measured()).then(|| (Self { quantity: self.quantity.clone(), beside: !beside }, "so in the other graph".into()));
        found.into_iter().map(|(quantity, is)| (Self { quantity, beside }, is)).chain(other).collect()
    }
}

impl Quantity {
    /// The same of another stage.
    fn in_stage(&self, stage: usize) -> Self {
        match self {
            Self::Idle(_) => Self::Idle(stage),
            Self::Merged(_) => Self::Merged(stage),
            Self::Transactions(StageOf { algorithm, .. }) => Self::Transactions(StageOf { stage, algorithm: algorithm.clone() }),
            _ => Self::Butterflies(stage),
        }
    }
}
