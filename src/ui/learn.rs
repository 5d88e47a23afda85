//! The pane *Learn*: the list of lessons, and a lesson with its steps and questions. What the state of a step means for settings is here too.

mod list;
mod memory;
mod question;
mod state;
mod step;
mod text;

pub use memory::LearnMemory;
pub use question::read_answer;
pub use state::{jobs_of, settings_of, subjects_of};

use super::pane::{Pane, PaneData, PaneInfo, PaneServices};
use super::scene::Scene;
use egui::Ui;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Lessons: courses, and every figure, table and example of the five papers.",
        "A step sets the signal, the transform and the panes beside it; change what you like, and go back to the lesson at any time.",
        "Predict before you look: the program reads each answer from the plan or its run.",
        "Play freely leaves the lesson with everything as it is shown.",
    ],
    // In the other layouts it is there while a lesson is open.
    has_content: |scene| scene.learn.open().is_some(),
    data: PaneData::Plan,
    ..PaneInfo::new("Learn", "Learn", |services| Box::new(LearnPane::new(services)))
};

/// The pane *Learn*.
struct LearnPane {
    list: list::LessonList,
    questions: question::Questions,
    /// The lesson and the step that were shown last; another one begins at its top.
    shown: Option<(String, usize)>,
}

impl LearnPane {
    fn new(services: &PaneServices) -> Self {
        Self { list: list::LessonList::default(), questions: question::Questions::new(&services.studies), shown: None }
    }
}

impl Pane for LearnPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (learn, has_left_step, out) = (&mut *scene.learn, scene.has_left_step, &mut *scene.out);
        match learn.open() {
            None => self.list.ui(ui, learn, &mut out.actions),
            Some((lesson, step)) => self.lesson_ui(ui, (learn, has_left_step), lesson, step, out),
        }
    }
}
