//! Which lesson is open, where each was left, and which were read.

use crate::lesson::{Lesson, lesson};
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

    /// Opens a lesson at a step, at most its last one.
    pub(in crate::ui) fn go_to(&mut self, lesson: &Lesson, step: usize) {
        let last = lesson.steps.len() - 1;
        self.lesson = Some(lesson.name.clone());
        self.steps.insert(lesson.name.clone(), step.min(last));
        if step >= last {
            self.read.insert(lesson.name.clone());
        }
    }

    /// Shows the list.
    pub(in crate::ui) fn close(&mut self) {
        self.lesson = None;
    }
}
