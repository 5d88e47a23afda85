//! Which lesson is open, where each was left, and which were read.

use crate::graph::HiddenParts;
use crate::lesson::{Lesson, Reading, Topic, lesson};
use crate::plan::Stage;
use std::collections::{BTreeMap, BTreeSet};

/// Which lesson is open, where each was left, and which were read.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct LearnMemory {
    /// The name of the lesson that is open; `None` shows the list.
    lesson: Option<String>,
    /// The step where each lesson was left, from 0.
    steps: BTreeMap<String, usize>,
    /// The lessons whose last step was shown.
    read: BTreeSet<String>,
    /// The questions that were answered since the program began, by lesson and step.
    #[serde(skip)]
    answered: BTreeSet<(String, usize)>,
    /// Those whose answer the reader has had shown in the graph.
    #[serde(skip)]
    revealed: BTreeSet<(String, usize)>,
    /// Whether another layout is shown, with data of its own.
    #[serde(skip)]
    is_away: bool,
}

impl LearnMemory {
    /// The lesson that is open, and its step.
    pub fn open(&self) -> Option<(&'static Lesson, usize)> {
        let lesson = lesson(self.lesson.as_deref()?)?;
        Some((lesson, self.step_of(lesson)))
    }

    /// The step where a lesson was left, from 0.
    pub fn step_of(&self, lesson: &Lesson) -> usize {
        self.steps.get(&lesson.name).map_or(0, |&step| step.min(lesson.steps.len() - 1))
    }

    /// Whether the last step of a lesson was shown.
    pub fn has_read(&self, lesson: &Lesson) -> bool {
        self.read.contains(&lesson.name)
    }

    /// Whether a lesson was begun.
    pub fn has_begun(&self, lesson: &Lesson) -> bool {
        self.steps.contains_key(&lesson.name)
    }

    /// Says whether another layout than that of the lessons is shown.
    pub(crate) fn set_away(&mut self, is_away: bool) {
        self.is_away = is_away;
    }

    /// Where the open step reads an answer that the reader has yet to predict; `None` in another layout, which shows data of its own.
    pub fn open_question(&self) -> Option<&'static Reading> {
        let (lesson, step) = self.open().filter(|_| !self.is_away)?;
        let is_answered = self.answered.contains(&(lesson.name.clone(), step));
        lesson.steps[step].question.as_ref().filter(|_| !is_answered).map(|question| &question.read)
    }

    /// Whether the open step asks about this and waits for an answer, so that nothing in the window may tell it.
    pub fn hides(&self, topic: Topic) -> bool {
        self.open_question().is_some_and(|reading| reading.topic() == topic)
    }

    /// The same for one of the two plans.
    pub fn hides_in(&self, topic: Topic, is_second: bool) -> bool {
        self.open_question().is_some_and(|reading| reading.topic() == topic && reading.is_of_second() == is_second)
    }

    /// Whether the open step asks how many launches or stages the first plan has.
    pub fn hides_launches(&self) -> bool {
        self.open_question().is_some_and(|reading| reading.asks_for_launches() && !reading.is_of_second())
    }

    /// The facts that the graph of one of the two plans leaves out while the question of the open step is not answered.
    ///
    /// The frames of launches stay out after that, until the reader asks for them: the graph must not change its size under the eyes.
    pub fn hidden_parts(&self, is_second: bool) -> HiddenParts {
        if let Some(reading) = self.open_question() {
            return reading.hidden_parts(is_second);
        }
        let step = self.open().filter(|_| !self.is_away);
        let kept = step.filter(|(lesson, step)| !self.is_revealed(lesson, *step));
        let reading = kept.and_then(|(lesson, step)| lesson.steps[step].question.as_ref());
        HiddenParts { frames: reading.is_some_and(|question| question.read.hidden_parts(is_second).frames), ..HiddenParts::default() }
    }

    /// Whether the reader has had the answer of a step shown in the graph.
    pub(crate) fn is_revealed(&self, lesson: &Lesson, step: usize) -> bool {
        self.revealed.contains(&(lesson.name.clone(), step))
    }

    /// Shows the answer of a step in the graph.
    pub(crate) fn reveal(&mut self, lesson: &Lesson, step: usize) {
        self.revealed.insert((lesson.name.clone(), step));
    }

    /// The name of a stage; a question mark where it would answer the open question.
    pub fn stage_name<'a>(&self, stage: &'a Stage) -> &'a str {
        if stage.tells_distance() && self.hides(Topic::Strides) { "?" } else { &stage.label }
    }

    /// Says whether the question of a step has been answered.
    pub(crate) fn set_answered(&mut self, lesson: &Lesson, step: usize, is_answered: bool) {
        let at = (lesson.name.clone(), step);
        if is_answered {
            self.answered.insert(at);
        } else {
            self.answered.remove(&at);
            self.revealed.remove(&at);
        }
    }

    /// Opens a lesson at a step, at most its last one.
    pub(crate) fn go_to(&mut self, lesson: &Lesson, step: usize) {
        let last = lesson.steps.len() - 1;
        self.lesson = Some(lesson.name.clone());
        self.steps.insert(lesson.name.clone(), step.min(last));
        if step >= last {
            self.read.insert(lesson.name.clone());
        }
    }

    /// Shows the list.
    pub(crate) fn close(&mut self) {
        self.lesson = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_question_hides_what_would_answer_it() {
        let lesson = lesson("reading-a-spectrum").unwrap();
        let mut memory = LearnMemory::default();
        assert!(!memory.hides(Topic::Values), "no lesson is open");
        memory.go_to(lesson, 1);
        assert_eq!([Topic::Values, Topic::Entries].map(|topic| memory.hides(topic)), [true, false]);
        memory.set_answered(lesson, 1, true);
        assert!(!memory.hides(Topic::Values));
        memory.set_answered(lesson, 1, false);
        assert!(memory.hides(Topic::Values), "it is asked again");
        memory.set_away(true);
        assert!(!memory.hides(Topic::Values), "another layout shows data of its own");
        memory.set_away(false);
        memory.go_to(lesson, 2);
        assert!(!memory.hides(Topic::Values), "this step asks nothing");
        memory.go_to(super::lesson("sorman-2016-figure-5-1").unwrap(), 0);
        assert!(memory.hides_launches() && memory.hides(Topic::Counts));
        assert_eq!([false, true].map(|is_second| memory.hidden_parts(is_second).frames), [true, false]);
        let lesson = super::lesson("sorman-2016-figure-5-1").unwrap();
        memory.set_answered(lesson, 0, true);
        assert!(!memory.hides_launches() && memory.hidden_parts(false) == HiddenParts { frames: true, ..HiddenParts::default() });
        memory.reveal(lesson, 0);
        assert_eq!(memory.hidden_parts(false), HiddenParts::default());
    }
}
