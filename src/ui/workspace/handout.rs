//! What is shown as a page: the text of the lesson's step, the flow graph, its counts, times and values.

use super::Workspace;
use crate::graph::{GraphFormat, GraphOptions, GraphRequest, Handout, MAX_PAGE_LANES, handout, plan_facts};
use crate::numerals::duration;
use crate::plan::Plan;
use crate::schedule::Schedule;
use crate::ui::export::Export;
use crate::ui::preset::Preset;

impl Workspace {
    /// Writes what is shown as a page.
    pub(in crate::ui) fn export_handout(&mut self, format: GraphFormat) {
        let (page, ending) = (self.handout().and_then(|page| handout(format, &page).ok()), format.ending());
        match page {
            Some(bytes) => self.tasks.export(Export::File { name: format!("handout.{ending}"), ending, bytes }),
            None => self.show_error("there is no flow graph yet, or it has too many lanes for a page".into()),
        }
    }

    /// The newest result as a handout; `None` without a flow graph that fits a page.
    fn handout(&self) -> Option<Handout> {
        let report = self.content.finished.as_ref()?;
        let outcome = report.outcome()?;
        let (plan, schedule, job) = (outcome.plan.as_ref()?, outcome.schedule.as_ref()?, &report.request.job);
        if plan.lanes > MAX_PAGE_LANES {
            return None;
        }
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
        let time = format!("{} in its launches, on {}", duration(outcome.newest_times().kernel_micros()), outcome.device);
        let facts = plan_facts(&request).into_iter().chain([time]).collect();
        let values = outcome.values.as_ref().map(|values| values.shown().clone());
        Some(Handout { heading, paragraphs, facts, request, values })
    }
}
