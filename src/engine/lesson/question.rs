//! Questions: what is asked, the choices, and where the program reads the answer.

mod hint;
mod mistake;

use super::answer::{agree, answer_text, clean};
use super::format::{MOST_WORDS, words};
use super::subject::{Subject, Subjects};
use super::text::on_paper;
use crate::graph::HiddenParts;
use crate::graph::access::stage_transactions;
use crate::plan::{LaneValue, Stage};
use crate::schedule::{Launch, Schedule, SectionKind, Tile, section_graph, sections};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;

/// A question of a step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question.
    pub ask: String,
    /// The choices of the reader; without any they type a number or a word.
    #[serde(default)]
    pub choices: Vec<String>,
    /// Where the answer comes from.
    pub read: Reading,
    /// The hint after a wrong prediction, where it says more than the one that follows from `read`.
    #[serde(default)]
    hint: Option<String>,
    /// Explains the value that was read.
    pub why: String,
}

/// An answer as the graph writes it: a negative number begins with a minus sign.
pub fn with_minus(answer: &str) -> String {
    answer.strip_prefix('-').map_or_else(|| answer.to_owned(), |rest| format!("−{rest}"))
}

impl Question {
    /// The question, and its choices, a line each.
    pub fn lines(&self) -> Vec<String> {
        let choices: Vec<String> = self.choices.iter().map(|choice| with_minus(choice)).collect();
        let choices = (!choices.is_empty()).then(|| format!("Choose one: {}", choices.join("; ")));
        std::iter::once(format!("Predict: {}", self.ask)).chain(choices).collect()
    }

    /// The answer, and why it is so, as far as paper can say it.
    pub fn answer_line(&self, answer: &str) -> String {
        format!("Answer: {}. {}", with_minus(answer), on_paper(&self.why)).trim_end().to_owned()
    }

    /// Checks what needs no run.
    ///
    /// # Errors
    /// In one line.
    pub(super) fn check(&self) -> Result<(), String> {
        let n_words = words(&self.why).max(self.hint.as_deref().map_or(0, words));
        match self.choices.len() {
            1 => Err("one choice is none: give two or more, or leave them out".into()),
            _ if n_words > MOST_WORDS => Err(format!("why or hint has {n_words} words, and {MOST_WORDS} are the most")),
            _ => Ok(()),
        }
    }

    /// Checks that the window shows the number of launches that is the answer.
    ///
    /// # Errors
    /// In one line.
    pub fn check_launches(&self, subjects: &Subjects) -> Result<(), String> {
        self.read.other_launches(&self.ask, subjects).map_or(Ok(()), Err)
    }

    /// Checks that exactly one choice is the answer.
    ///
    /// # Errors
    /// In one line.
    pub fn check_choices(&self, answer: &str) -> Result<(), String> {
        let right: Vec<_> = self.choices.iter().filter(|choice| agree(choice, answer)).collect();
        match (self.choices.len(), right.len()) {
            (0, _) | (_, 1) => Ok(()),
            (_, 0) => Err(format!("no choice is the answer, which is {answer}")),
            _ => Err(format!("several choices are the answer, which is {answer}: {right:?}")),
        }
    }
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The quantity that is read.
    quantity: Quantity,
    /// Whether it is read from the second plan.
    beside: bool,
}

/// The topic of a question, so that the window can hide facts that would give the answer away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Topic {
    /// The distances between the lanes of a butterfly, and these lanes.
    Strides,
    /// Values of lanes and of the result.
    Values,
    /// The numbers of stages, launches, butterflies and operations.
    Counts,
    /// Entries of a factor that are not zero.
    Entries,
    /// Whether a plan needs one buffer or two.
    Buffers,
    /// The order of the results.
    Order,
    /// Threads without work, and butterflies of merge sections.
    Threads,
    /// Times.
    Times,
    /// Transactions of memory.
    Transactions,
}

/// The quantity that is read. Stages and launches count from 1; lanes, threads and outputs from 0.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Quantity {
    /// The distance of the lanes that each butterfly of a stage reads.
    Distance(usize),
    /// The distance of the lanes that each butterfly of a stage writes.
    WriteDistance(usize),
    /// The lanes that a thread of a stage reads.
    Reads(ThreadAt),
    /// The lanes that a thread of a stage writes.
    Writes(ThreadAt),
    /// The value of a lane after a stage; stage 0 is the input.
    Value(LaneAt),
    /// A value of the result, in natural order.
    Result(usize),
    /// The number of stages.
    Stages(bool),
    /// The number of launches.
    Launches(bool),
    /// The number of additions.
    Additions(bool),
    /// The number of multiplications by something else than ±1 and ±i.
    Multiplications(bool),
    /// The entries of a stage's factor that are not zero.
    Nonzero(usize),
    /// The butterflies of a stage.
    Butterflies(usize),
    /// The number of buffers: 1 in place, 2 otherwise.
    Buffers(bool),
    /// The index of the result on a lane at the end.
    OutputAt(usize),
    /// The threads of a stage without work, where the stage with the most butterflies has none.
    Idle(usize),
    /// The index of the largest value of the result.
    Peak(bool),
    /// The butterflies of a stage that merge sections compute.
    Merged(usize),
    /// The sections of earlier launches that a section of a launch needs.
    Needs(SectionAt),
    /// The faster of the two plans, measured now.
    Faster(bool),
    /// Transactions of 128 bytes of a stage, for the threads in groups of 32.
    Transactions(StageOf),
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ThreadAt {
    stage: usize,
    thread: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SectionAt {
    launch: usize,
    section: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct LaneAt {
    stage: usize,
    lane: usize,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct StageOf {
    stage: usize,
    /// Whose stage it is; that of the state where it is left out.
    algorithm: Option<String>,
}

impl<'de> Deserialize<'de> for Reading {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let mut table = toml::Table::deserialize(deserializer)?;
        let beside = table.remove("beside").is_some_and(|value| value.as_bool() == Some(true));
        if table.len() != 1 {
            return Err(D::Error::custom("read takes one name, as in read = { distance = 3 }, and perhaps beside = true"));
        }
        let quantity = toml::Value::Table(table).try_into().map_err(|error: toml::de::Error| D::Error::custom(error.message()))?;
        Ok(Self { quantity, beside })
    }
}

impl Reading {
    /// Whether two algorithms are timed, which gives another answer on another machine.
    pub fn is_measured(&self) -> bool {
        matches!(self.quantity, Quantity::Faster(_))
    }

    /// Whether the answer is read from the second plan.
    pub fn is_of_second(&self) -> bool {
        self.beside
    }

    /// The facts that the graph of one of the two plans leaves out while the question is open.
    pub fn hidden_parts(&self, is_second: bool) -> HiddenParts {
        let topic = self.topic();
        let asks_here = |of: Topic| topic == of && self.beside == is_second;
        HiddenParts {
            buffers: topic == Topic::Buffers,
            results: asks_here(Topic::Order),
            values: topic == Topic::Values,
            strides: asks_here(Topic::Strides),
            counts: asks_here(Topic::Counts),
            frames: matches!(self.quantity, Quantity::Launches(_)) && self.beside == is_second,
            entries: topic == Topic::Entries,
            times: topic == Topic::Times,
        }
    }

    /// Whether a list of launches, or of stages, would answer by its length.
    pub fn asks_for_launches(&self) -> bool {
        matches!(self.quantity, Quantity::Stages(_) | Quantity::Launches(_))
    }

    /// Why the window would show another number of launches than the answer; `None` where it does not, or the question says whose launches it asks about.
    pub(super) fn other_launches(&self, ask: &str, subjects: &Subjects) -> Option<String> {
        let Quantity::Launches(_) = self.quantity else { return None };
        let subject = if self.beside { subjects.beside() } else { subjects.main() }.ok()?;
        let (asked, [cpu, gpu]) = (subject.schedule.launches.len(), subject.n_launches_shown());
        let is_same = asked == gpu && (asked == cpu || ask.contains("GPU"));
        (!is_same).then(|| {
            format!(
                "the answer is {asked} launches, a CPU shows {cpu} and a GPU {gpu}: name the schedule with cut, or say that a GPU is meant"
            )
        })
    }

    /// The topic of the answer.
    pub fn topic(&self) -> Topic {
        match &self.quantity {
            Quantity::Distance(_) | Quantity::WriteDistance(_) | Quantity::Reads(_) | Quantity::Writes(_) => Topic::Strides,
            Quantity::Value(_) | Quantity::Result(_) | Quantity::Peak(_) => Topic::Values,
            Quantity::Stages(_) | Quantity::Launches(_) | Quantity::Butterflies(_) => Topic::Counts,
            Quantity::Additions(_) | Quantity::Multiplications(_) => Topic::Counts,
            Quantity::Nonzero(_) => Topic::Entries,
            Quantity::Buffers(_) => Topic::Buffers,
            Quantity::OutputAt(_) => Topic::Order,
            Quantity::Idle(_) | Quantity::Merged(_) | Quantity::Needs(_) => Topic::Threads,
            Quantity::Faster(_) => Topic::Times,
            Quantity::Transactions(_) => Topic::Transactions,
        }
    }

    /// The stage that must have run for the answer to be seen; `None` for all.
    pub fn stage(&self) -> Option<usize> {
        match &self.quantity {
            Quantity::Distance(stage) | Quantity::WriteDistance(stage) | Quantity::Nonzero(stage) | Quantity::Butterflies(stage) => {
                Some(*stage)
            }
            Quantity::Idle(stage) | Quantity::Merged(stage) => Some(*stage),
            Quantity::Reads(at) | Quantity::Writes(at) => Some(at.stage),
            Quantity::Value(at) => Some(at.stage),
            Quantity::Transactions(of) => Some(of.stage),
            _ => None,
        }
    }

    /// Reads the answer.
    ///
    /// # Errors
    /// When the plan has no such stage, lane or value; in one line.
    pub fn read(&self, subjects: &Subjects) -> Result<String, String> {
        let subject = if self.beside { subjects.beside()? } else { subjects.main()? };
        let stage = |number: usize| subject.stage(number);
        Ok(match &self.quantity {
            Quantity::Distance(number) => distance(stage(*number)?, true)?.to_string(),
            Quantity::WriteDistance(number) => distance(stage(*number)?, false)?.to_string(),
            Quantity::Reads(at) => lanes_of(stage(at.stage)?, at.thread, true)?,
            Quantity::Writes(at) => lanes_of(stage(at.stage)?, at.thread, false)?,
            Quantity::Value(at) => answer_text(match subject.value(at.stage, at.lane)? {
                LaneValue::Number(value) => clean(value, subject.numbers_up_to(at.stage)?).into(),
                equation => equation,
            }),
            Quantity::Result(index) => {
                let result = subject.result()?;
                let value = *result.get(*index).ok_or_else(|| format!("the result has no value {index}"))?;
                answer_text(clean(value, result.iter().copied()).into())
            }
            Quantity::Stages(_) => subject.plan.stages.len().to_string(),
            Quantity::Launches(_) => subject.schedule.launches.len().to_string(),
            Quantity::Additions(_) => subject.plan.operations().additions.to_string(),
            Quantity::Multiplications(_) => subject.plan.operations().multiplications.to_string(),
            Quantity::Nonzero(number) => nonzero(stage(*number)?, subject.plan.lanes).to_string(),
            Quantity::Butterflies(number) => stage(*number)?.n_butterflies().to_string(),
            Quantity::Buffers(_) => if subject.plan.in_place() { "1" } else { "2" }.into(),
            Quantity::OutputAt(lane) if *lane < subject.plan.outputs => subject.plan.output.index(*lane).to_string(),
            Quantity::OutputAt(lane) => return Err(format!("there is no output on lane {lane}")),
            Quantity::Idle(number) => {
                let most = subject.plan.stages.iter().map(Stage::n_butterflies).max().unwrap_or(0);
                (most - stage(*number)?.n_butterflies()).to_string()
            }
            Quantity::Peak(_) => {
                let result = subject.result()?;
                let largest = result.iter().map(|value| value.norm()).fold(0.0, f64::max);
                // The spectrum of real samples has every value twice, up to rounding: the first one counts.
                let first = result.iter().position(|value| value.norm() >= largest * (1.0 - 1e-9));
                first.ok_or("the result is empty")?.to_string()
            }
            Quantity::Merged(number) => {
                stage(*number)?;
                merged(subject, number - 1).to_string()
            }
            Quantity::Needs(at) => needs(subject, *at)?.to_string(),
            Quantity::Faster(_) => subjects.faster()?,
            Quantity::Transactions(of) => {
                let other = of.algorithm.as_deref().map(|name| subjects.by(name)).transpose()?;
                let subject: &Subject = other.as_ref().unwrap_or(subject);
                transactions(subject, of.stage)?.to_string()
            }
        })
    }
}

/// The distance of neighbouring lanes that each butterfly of a stage reads, or writes.
fn distance(stage: &Stage, is_read: bool) -> Result<usize, String> {
    let mut found = BTreeSet::new();
    for butterfly in stage.butterflies() {
        let lanes: Vec<usize> = if is_read { butterfly.reads.into_iter().flatten().collect() } else { butterfly.writes };
        found.extend(lanes.windows(2).map(|pair| pair[0].abs_diff(pair[1])));
    }
    match found.iter().collect::<Vec<_>>()[..] {
        [distance] => Ok(*distance),
        [] => Err(format!("the butterflies of stage '{}' have a single lane", stage.label)),
        _ => Err(format!("the butterflies of stage '{}' have lanes at several distances", stage.label)),
    }
}

/// The lanes that a thread of a stage reads or writes: `4, 5`.
fn lanes_of(stage: &Stage, thread: usize, is_read: bool) -> Result<String, String> {
    if thread >= stage.n_butterflies() {
        return Err(format!("stage '{}' has no thread {thread}", stage.label));
    }
    let butterfly = stage.butterfly(thread);
    let lanes: Vec<usize> = if is_read { butterfly.reads.into_iter().flatten().collect() } else { butterfly.writes };
    Ok(lanes.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
}

/// The entries of the factor of a stage that are not zero: a 1 for every lane that the stage does not write.
fn nonzero(stage: &Stage, lanes: usize) -> usize {
    let written: BTreeSet<usize> = stage.written_lanes().collect();
    stage.edges().len() + lanes - written.len()
}

/// Transactions of 128 bytes of a stage, in subgroups of 32 threads.
fn transactions(subject: &Subject, number: usize) -> Result<usize, String> {
    const THREADS: usize = 32;
    Ok(stage_transactions(subject.stage(number)?, THREADS, subject.plan.ring.bytes_per_lane()).touched)
}

/// The butterflies of a stage that merge sections compute; 0 without sections.
fn merged(subject: &Subject, stage: usize) -> usize {
    let is_split = |launch: &&Launch| launch.section() == Some(SectionKind::Split) && launch.stages.contains(&stage);
    let Some(Launch { stages, tile: Tile::Section { grid, .. } }) = subject.schedule.launches.iter().find(is_split) else { return 0 };
    let owners = &sections(&subject.plan, stages.clone(), *grid).owners[stage - stages.start];
    owners.iter().filter(|owner| owner.section() == SectionKind::Merge).count()
}

/// The number of sections that a section of a launch needs; launches count from 1, sections from 0.
fn needs(subject: &Subject, SectionAt { launch, section }: SectionAt) -> Result<usize, String> {
    let sections = section_graph(&subject.plan, &subject.schedule);
    let found = sections.iter().filter(|found| found.launch + 1 == launch).nth(section);
    found.map(|section| section.needs.len()).ok_or_else(|| format!("launch {launch} has no section {section}"))
}

/// The lanes of the tiles of a launch, where all have as many.
pub(super) fn tile_lanes(subject: &Subject, launch: usize) -> Option<usize> {
    let Schedule { launches } = &*subject.schedule;
    crate::graph::tile_lanes(&subject.plan, launches.get(launch)?)
}
