//! What is shown as a page: the text of the lesson's step, the flow graphs, their counts, times and values.

use super::Workspace;
use crate::engine::Job;
use crate::graph::{GraphFormat, GraphOptions, GraphRequest, Handout, HandoutGraph, handout, plan_facts};
use crate::lesson::Subject;
use crate::numerals::duration;
use crate::plan::Plan;
use crate::schedule::Schedule;
use crate::ui::export::Export;
use crate::ui::panes::PaneId;
use crate::ui::preset::Preset;
use crate::ui::second_graph;

impl Workspace {
    /// Writes what is shown as a page.
    pub(in crate::ui) fn export_handout(&mut self, format: GraphFormat) {
        let (page, ending) = (self.handout().and_then(|page| handout(format, &page).ok()), format.ending());
        match page {
            Some(bytes) => self.tasks.export(Export::File { name: format!("handout.{ending}"), ending, bytes }),
            None => self.show_error("A handout needs a flow graph: choose an algorithm that has one".into()),
        }
    }

    /// The newest result as a handout; `None` without a flow graph.
    fn handout(&self) -> Option<Handout> {
        let report = self.content.finished.as_ref()?;
        let outcome = report.outcome()?;
        let (plan, schedule, job) = (outcome.plan.as_ref()?, outcome.schedule.as_ref()?, &report.request.job);
        let options = GraphOptions { transform: job.transform.into(), algorithm: outcome.algorithm.into(), ..GraphOptions::default() };
        let request = GraphRequest { plan: Plan::clone(plan), schedule: Schedule::clone(schedule), options };
        let settings = &self.memory.settings;
        let (heading, paragraphs) = match self.memory.learn.open().filter(|_| self.memory.preset == Preset::Learn) {
            Some((lesson, step)) => {
                let place = format!("{}, {}: {}", lesson.group.title, lesson.head.place, lesson.steps[step].title);
                (lesson.head.title.clone(), vec![place, lesson.steps[step].plain_text()])
            }
            None => (format!("{} of {}", settings.transform().title, job.signal.name), vec![settings.transform().formula.to_owned()]),
        };
        let time = format!("{} in its launches, on {}", duration(outcome.launch_medians().iter().sum()), outcome.device);
        let facts = plan_facts(&request).into_iter().chain([time]).collect();
        let values = outcome.values.as_ref().map(|values| values.shown().clone());
        let graphs = std::iter::once(HandoutGraph { facts, request, values }).chain(self.second_on_handout(job)).collect();
        Some(Handout { heading, paragraphs, graphs })
    }

    /// The second flow graph, where it is shown.
    fn second_on_handout(&self, first: &Job) -> Option<HandoutGraph> {
        let is_shown = self.rects.contains_key(&PaneId::of(&second_graph::PANE));
        let beside = self.memory.settings.job_beside(self.content.signal.as_ref().filter(|_| is_shown)?)?;
        let transform = beside.transform;
        let subject = Subject::of(&Job { second: first.second.clone(), ..beside }).ok()?;
        Some(subject.on_handout(transform, None))
    }
}
