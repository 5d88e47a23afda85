//! Verifies a lesson: its states lay out jobs that plan, its questions have an answer, and its claims hold.

use super::learn::{settings_of, subjects_of};
use super::pane_id::PaneId;
use super::preset::Preset;
use crate::bench::experiment;
use crate::lesson::{Lesson, LessonStep, NO_GRAPH, State, Subjects, lesson};

/// The faults of a lesson, a line each; `written` are names of further lessons that exist.
pub fn verify(of: &Lesson, written: &[String]) -> Vec<String> {
    let mut problems: Vec<String> = Vec::new();
    for name in &of.head.needs {
        if lesson(name).is_none() && !written.contains(name) && !crate::lesson::missing().contains(name) {
            problems.push(format!("needs: there is no lesson named '{name}'"));
        }
    }
    for (index, step) in of.steps.iter().enumerate() {
        let at = |problem: String| format!("step {} ({}): {problem}", index + 1, step.title);
        problems.extend(verify_step(step).into_iter().map(at));
    }
    problems.into_iter().map(|problem| format!("{}: {problem}", of.name)).collect()
}

fn verify_step(step: &LessonStep) -> Vec<String> {
    let state = &step.state;
    let mut problems = verify_names(state);
    let subjects = match settings_of(state).and_then(|_| subjects_of(state)) {
        Ok(subjects) => subjects,
        Err(error) => return [problems, vec![error]].concat(),
    };
    match subjects.main() {
        // A library or an elimination with pivots can be shown, and has nothing to ask about.
        Err(error) if error.ends_with(NO_GRAPH) && step.check.is_none() && step.question.is_none() && state.stage.is_none() => {}
        Err(error) => problems.push(error),
        Ok(subject) => {
            let n_stages = subject.plan.stages.len();
            if state.stage.is_some_and(|stage| stage > n_stages) || state.node.is_some_and(|node| node.stage > n_stages) {
                problems.push(format!("the plan has {n_stages} stages, and stage or node names a later one"));
            }
            if state.node.is_some_and(|node| node.lane >= subject.plan.lanes) {
                problems.push(format!("the plan has {} lanes, and node names a later one", subject.plan.lanes));
            }
        }
    }
    if state.beside.is_some()
        && let Err(error) = subjects.beside()
    {
        problems.push(format!("beside: {error}"));
    }
    if let Some(check) = &step.check {
        match check.verify(&subjects) {
            Ok(wrong) => problems.extend(wrong.into_iter().map(|wrong| format!("check: {wrong}"))),
            Err(error) => problems.push(format!("check: {error}")),
        }
    }
    problems.extend(verify_question(step, &subjects).err().map(|error| format!("question: {error}")));
    problems
}

/// The names of panes, of the layout and of the experiment.
fn verify_names(state: &State) -> Vec<String> {
    let views = state.views.keys();
    let unknown = state.panes.iter().chain(&state.lower).chain(views).filter(|name| PaneId::named(name).is_none());
    let mut problems: Vec<_> = unknown.map(|name| format!("there is no pane named '{name}'")).collect();
    if let Some(layout) = state.layout.as_deref().filter(|layout| layout.parse::<Preset>().is_err()) {
        problems.push(format!("there is no layout named '{layout}'"));
    }
    if let Some(name) = state.experiment.as_deref().filter(|name| experiment(name).is_none()) {
        problems.push(format!("there is no experiment named '{name}'"));
    }
    problems
}

/// A question that measures is not asked here: its answer depends on the machine.
fn verify_question(step: &LessonStep, subjects: &Subjects) -> Result<(), String> {
    let Some(question) = &step.question else { return Ok(()) };
    question.check_launches(subjects)?;
    if !question.read.is_measured() {
        return question.check_choices(&question.read.read(subjects)?);
    }
    subjects.names()?.iter().try_for_each(|name| question.check_choices(name))
}
