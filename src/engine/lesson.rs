//! Lessons: a text file each, of a few steps with a text, the state of the window, and now and then a question and a check.
//!
//! The files lie in `assets/lessons/`, a folder for each paper and one for the courses. `docs/lessons.md` describes their format.
//! This module reads them, answers their questions from the plan and its run, and verifies what they claim.
//! `ui::learn` holds the meaning of a state for the window.

mod answer;
mod check;
mod error;
mod format;
mod groups;
mod listings;
mod papers;
mod question;
mod state;
mod subject;
mod text;

pub use answer::{Answered, agree, answer_text};
pub use check::Check;
pub use error::LessonError;
pub use format::{MOST_WORDS, MOST_WORDS_OF_A_TITLE};
pub use groups::{GROUPS, Group, missing};
pub use papers::{ListedPaper, PaperEntry, papers};
pub use question::{Question, Reading, Topic, with_minus};
pub use state::{NodeAt, PlanState, State};
pub use subject::{NO_GRAPH, Subject, Subjects};
pub use text::{RunStyle, TextBlock, TextRun};

use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The name on the command line: `gajic-2011-figure-2b`, or `the-butterfly` for a course.
    pub name: String,
    /// The paper, or the courses.
    pub group: &'static Group,
    /// Its title and what the list shows of it.
    pub head: Head,
    /// Its steps; at least one.
    pub steps: Vec<LessonStep>,
}

/// The row of a lesson in the list.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The title.
    pub title: String,
    /// The place in the paper; "Course" for courses.
    pub place: String,
    /// How long it takes, in minutes.
    pub minutes: u32,
    /// One sentence.
    pub summary: String,
    /// Names of lessons to know before.
    #[serde(default)]
    pub needs: Vec<String>,
    /// One sentence: what the program has not yet, and what it shows instead.
    #[serde(default)]
    pub later: Option<String>,
}

/// A step of a lesson.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonStep {
    /// The title.
    pub title: String,
    /// The text, in Markdown.
    pub text: String,
    /// The same, as it is shown.
    pub blocks: Vec<TextBlock>,
    /// The state of the window, with what it inherits from the steps before.
    pub state: State,
    /// A question.
    pub question: Option<Question>,
    /// The claims that a test verifies.
    pub check: Option<Check>,
}

/// The files of the program: their path below `assets/lessons/`, and their text.
pub const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

static LESSONS: LazyLock<Vec<Lesson>> = LazyLock::new(|| {
    let read = |(path, text): &(&str, &str)| match Lesson::parse(path, text) {
        Ok(lesson) => Some(lesson),
        Err(error) => {
            log::error!("{error}");
            None
        }
    };
    let mut lessons: Vec<Lesson> = FILES.iter().filter_map(read).collect();
    lessons.sort_by_key(Lesson::rank);
    lessons
});

/// All lessons of the program: the courses first, then the papers, in the order of their lists.
pub fn lessons() -> &'static [Lesson] {
    &LESSONS
}

/// The lessons of files, the newest last.
static OF_FILES: RwLock<Vec<&'static Lesson>> = RwLock::new(Vec::new());

/// Adds a lesson of a file, so that [`lesson`] finds it. It stays for the rest of the program, as the lessons of the program do.
pub fn add(lesson: Lesson) -> &'static Lesson {
    let added: &'static Lesson = Box::leak(Box::new(lesson));
    OF_FILES.write().unwrap_or_else(PoisonError::into_inner).push(added);
    added
}

/// The lesson of this name: of a file that was read, or of the program.
pub fn lesson(name: &str) -> Option<&'static Lesson> {
    let of_files = OF_FILES.read().unwrap_or_else(PoisonError::into_inner);
    of_files.iter().rev().copied().chain(lessons()).find(|lesson| lesson.name == name)
}

impl LessonStep {
    /// The text for paper on one line: without the signs of Markdown, tables, blocks of code, and sentences about the window.
    pub fn page_text(&self) -> String {
        text::page_text(&self.blocks)
    }
}

impl Lesson {
    /// Reads a lesson; `path` ends in the folder of the group and the name of the file.
    ///
    /// # Errors
    /// When the text is not a lesson: in one line, with file, step and line.
    pub fn parse(path: &str, text: &str) -> Result<Self, LessonError> {
        let file = Path::new(path);
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let group = Group::of_folder(&folder);
        let (head, steps) = format::parse(path, text)?;
        Ok(Self { name: group.full_name(&stem), group, head, steps })
    }

    /// The paper and the place in it, or the courses.
    pub fn source(&self) -> String {
        match self.head.place.as_str() {
            "Course" => self.group.title.to_owned(),
            place => format!("{}, {place}", self.group.title),
        }
    }

    /// Place in the list: the index of the group, and of the name in the group.
    fn rank(&self) -> (usize, usize, String) {
        let group = GROUPS.iter().position(|group| group.folder == self.group.folder).unwrap_or(GROUPS.len());
        let index = self.group.names.iter().position(|name| self.group.full_name(name) == self.name);
        (group, index.unwrap_or(usize::MAX), self.name.clone())
    }
}
