//! The page of a lesson: the text of its step, the flow graphs, their counts, times and values.

use super::Workspace;
use crate::engine::{BesideRequest, BesideStudy, Job, Store, TimingLock, asked};
use crate::figure::FigureFormat;
use crate::graph::{Handout, HandoutGraph, HiddenParts, PageFocus};
use crate::lesson::LessonStep;
use crate::signal::short_name;
use crate::ui::learn::read_answer;
use crate::ui::matrix;
use crate::ui::pane_id::PaneId;
use crate::ui::preset::Preset;
use crate::ui::second_graph;

impl Workspace {
    /// Writes what is shown as a page; counts and values of long plans take a while, so a task gathers them.
    pub(crate) fn export_handout(&mut self, format: FigureFormat) {
        match self.handout() {
            Some(page) => self.tasks.export_page(format, page),
            None => self.show_error("A handout needs a flow graph: choose an algorithm that has one".into()),
        }
    }

    /// Makes a handout of the newest result; `None` without a flow graph.
    fn handout(&self) -> Option<impl FnOnce() -> Handout + Send + use<>> {
        let report = self.content.finished.clone()?;
        let (outcome, job) = (report.outcome()?.clone(), &report.request.job);
        outcome.plan.as_ref()?;
        let (settings, learn) = (&self.memory.settings, &self.memory.learn);
        let open = learn.open().filter(|_| self.memory.preset == Preset::Learn);
        let (heading, paragraphs) = match open {
            Some((lesson, step)) => {
                let place = format!("{}, {}: {}", lesson.group.title, lesson.head.place, lesson.steps[step].title);
                (lesson.head.title.clone(), vec![place, lesson.steps[step].page_text()])
            }
            None => (
                format!("{} of {}", settings.transform().title, short_name(&job.signal.name)),
                vec![settings.transform().formula.to_owned()],
            ),
        };
        let (step, is_asked) = (open.map(|(lesson, step)| &lesson.steps[step]), learn.open_question().is_some());
        let asked = learn.open_question();
        let hidden = [false, true].map(|is_second| asked.map(|reading| reading.hidden_parts(is_second)).unwrap_or_default());
        let (second, focus, store) = (self.second_job(job), self.page_focus(), self.engine.store());
        let paper = self.memory.paper;
        Some(move || {
            let first = outcome.on_handout(&report.request.job, focus, hidden[0]);
            let second = second.and_then(|job| second_on_page(&job, focus, hidden[1], &store));
            let question = step.map_or_else(Vec::new, |step| question_lines(step, is_asked, store.timing_lock()));
            Handout { heading, paragraphs, question, graphs: first.into_iter().chain(second).collect(), paper }
        })
    }

    /// The step cursor, the pinned node, and the matrix that is shown.
    fn page_focus(&self) -> PageFocus {
        let shown = || self.panes.kept().remove(matrix::PANE.name).and_then(|kept| serde_json::from_value(kept.get("shown")?.clone()).ok());
        let is_shown = self.rects.contains_key(&PaneId::of(&matrix::PANE));
        PageFocus { n_run: Some(self.focus.n_run), node: self.focus.pinned, matrix: is_shown.then(|| shown().unwrap_or_default()) }
    }

    /// The job of the second flow graph, where it is shown.
    fn second_job(&self, first: &Job) -> Option<Job> {
        let is_shown = self.rects.contains_key(&PaneId::of(&second_graph::PANE));
        let beside = self.memory.settings.job_beside(self.content.signal.as_ref().filter(|_| is_shown)?)?;
        Some(Job { second: first.second.clone(), ..beside })
    }
}

/// The question of a step, with its answer once it was predicted.
fn question_lines(step: &LessonStep, is_asked: bool, lock: &TimingLock) -> Vec<String> {
    let Some(question) = &step.question else { return Vec::new() };
    let answer = (!is_asked).then(|| read_answer(step, lock).ok()).flatten();
    question.lines().into_iter().chain(answer.map(|answer| question.answer_line(&answer))).collect()
}

/// Runs the job of the second flow graph for its place on the page; `None` where it has none.
fn second_on_page(job: &Job, focus: PageFocus, hidden: HiddenParts, store: &Store) -> Option<HandoutGraph> {
    let request = BesideRequest { job: job.clone(), first: None };
    let report = asked(&mut BesideStudy::default(), &request, store);
    report.outcome.ok()?.on_handout(job, PageFocus { node: None, ..focus }, hidden)
}
