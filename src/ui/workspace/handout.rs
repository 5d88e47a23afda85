//! What is shown as a page: the text of the lesson's step, the flow graphs, their counts, times and values.

use super::Workspace;
use crate::engine::Job;
use crate::graph::{GraphFormat, GraphOptions, GraphRequest, Handout, HandoutGraph, PageFocus, plan_facts};
use crate::lesson::{Question, Subject};
use crate::numerals::duration;
use crate::plan::Plan;
use crate::schedule::Schedule;
use crate::ui::matrix;
use crate::ui::panes::PaneId;
use crate::ui::preset::Preset;
use crate::ui::second_graph;

impl Workspace {
    /// Writes what is shown as a page; counts and values of long plans take a while, so a task gathers them.
    pub(in crate::ui) fn export_handout(&mut self, format: GraphFormat) {
        match self.handout() {
            Some(page) => self.tasks.export_page(format, page),
            None => self.show_error("A handout needs a flow graph: choose an algorithm that has one".into()),
        }
    }

    /// Makes a handout of the newest result; `None` without a flow graph.
    fn handout(&self) -> Option<impl FnOnce() -> Handout + Send + use<>> {
        let report = self.content.finished.clone()?;
        let outcome = report.outcome()?.clone();
        let (plan, schedule, job) = (outcome.plan.clone()?, outcome.schedule.clone()?, &report.request.job);
        let options = GraphOptions { transform: job.transform.into(), algorithm: outcome.algorithm.into(), ..GraphOptions::default() };
        let settings = &self.memory.settings;
        let (heading, paragraphs, question) = match self.memory.learn.open().filter(|_| self.memory.preset == Preset::Learn) {
            Some((lesson, step)) => {
                let place = format!("{}, {}: {}", lesson.group.title, lesson.head.place, lesson.steps[step].title);
                let question = lesson.steps[step].question.as_ref().map_or_else(Vec::new, Question::lines);
                (lesson.head.title.clone(), vec![place, lesson.steps[step].plain_text()], question)
            }
            None => {
                let heading = format!("{} of {}", settings.transform().title, job.signal.name);
                (heading, vec![settings.transform().formula.to_owned()], Vec::new())
            }
        };
        let (second, focus) = (self.second_job(job), self.page_focus());
        Some(move || {
            let request = GraphRequest { plan: Plan::clone(&plan), schedule: Schedule::clone(&schedule), options };
            let time = format!("{} in its launches, on {}", duration(outcome.launch_medians().iter().sum()), outcome.device);
            let facts = plan_facts(&request).into_iter().chain([time]).collect();
            let values = outcome.values.as_ref().map(|values| values.shown().clone());
            let second =
                second.and_then(|job| Some(Subject::of(&job).ok()?.on_handout(job.transform, None, PageFocus { node: None, ..focus })));
            let graphs = std::iter::once(HandoutGraph { facts, request, values, focus }).chain(second).collect();
            Handout { heading, paragraphs, question, graphs }
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
