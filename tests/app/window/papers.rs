//! Every figure, table, equation and claim of the five papers by its clicks: from the list into its lesson and through the steps, with the panes, plan, size and schedule that each names.

use super::{Window, click, memory, says, settle, small_image, window, workspace};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::lesson::{Lesson, LessonStep, lesson, lessons, papers};
use papillon::ui::{Preset, settings_of_lesson, subjects_of_lesson};
use std::collections::HashSet;

/// Opens a lesson from the list, where it alone is found by its name and title.
fn open(window: &mut Window, lesson: &Lesson) {
    window.get_by_label("Search lessons").focus();
    window.step();
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.step();
    window.get_by_label("Search lessons").type_text(&lesson.name);
    window.run_steps(4);
    click(window, &format!("Lesson {}", lesson.head.title));
    settle(window);
}

/// The names of the panes that are in sight.
fn panes_in_sight(window: &Window) -> Vec<String> {
    let tree = &workspace(window).memory().tree;
    let active = tree.active_tiles();
    let pane = |id| match tree.tiles.get(id) {
        Some(egui_tiles::Tile::Pane(pane)) => serde_json::to_value(pane).unwrap().as_str().map(str::to_owned),
        _ => None,
    };
    active.into_iter().filter_map(pane).collect()
}

/// The differences between the window and the step.
fn differences(window: &Window, step: &LessonStep) -> Vec<String> {
    let (mut wrong, state) = (Vec::new(), &step.state);
    let settings = &workspace(window).memory().settings;
    let mut expected = settings_of_lesson(state).unwrap();
    if state.plan.device.is_none() {
        expected.device = settings.device.clone();
    }
    if *settings != expected {
        wrong.push(format!("the settings are {settings:?}, and not {expected:?}"));
    }
    let in_sight = panes_in_sight(window);
    // The panes below are tabs, of which the first is in sight; two graphs one above the other need the whole height.
    let is_stacked = state.panes.iter().any(|name| name == "SecondGraph");
    let named = state.panes.iter().chain(state.lower.first().filter(|_| !is_stacked));
    let graph = "FlowGraph".to_owned();
    let named: Vec<_> = if state.panes.is_empty() { named.chain([&graph]).collect() } else { named.collect() };
    wrong.extend(named.iter().filter(|name| !in_sight.contains(name)).map(|name| format!("{name} is not in sight, but {in_sight:?}")));
    let Some(report) = workspace(window).report() else { return [wrong, vec!["nothing was computed".into()]].concat() };
    let (job, outcome) = (&report.request.job, report.outcome.as_ref().unwrap());
    let asked = (expected.transform.as_str(), expected.parameters, expected.cut);
    if (job.transform, job.parameters, job.cut) != asked {
        wrong.push(format!("{} {:?} {:?} ran, and not {asked:?}", job.transform, job.parameters, job.cut));
    }
    match (subjects_of_lesson(state).unwrap().main(), outcome) {
        (Ok(subject), Ok(outcome)) => {
            if outcome.algorithm != subject.algorithm && expected.algorithm.is_some() {
                wrong.push(format!("{} ran, and not {}", outcome.algorithm, subject.algorithm));
            }
            // Lanes of exact samples are integers, where the plan of the lesson, which has not seen them, has real numbers.
            let is_same =
                outcome.plan.as_ref().is_some_and(|plan| (plan.lanes, &plan.stages) == (subject.plan.lanes, &subject.plan.stages));
            if !is_same && expected.algorithm.is_some() {
                wrong.push("another plan ran".into());
            }
            if let Some(stage) = state.stage.filter(|_| in_sight.contains(&graph)) {
                let n_stages = subject.plan.stages.len();
                let hides_counts = step.question.as_ref().is_some_and(|question| question.read.hidden_parts(false).counts);
                let place = match hides_counts {
                    true if stage >= n_stages => "after the last stage".to_owned(),
                    true => format!("after stage {stage}"),
                    false => format!("after stage {} of {n_stages}", stage.min(n_stages)),
                };
                let shown: Vec<_> = window.query_all_by_label_contains("after stage").map(|node| node.accesskit_node().label()).collect();
                let is_at = says(window, &place);
                wrong.extend((!is_at).then(|| format!("the graph is not {place}, but {shown:?}")));
            }
        }
        (Err(_), Ok(outcome)) => wrong.extend(outcome.plan.as_ref().map(|_| "a plan ran where there is none".into())),
        (_, Err(error)) => wrong.push(error.to_string()),
    }
    let run = |name: &String| {
        // Sizes begin where this machine can do them, so that no table waits for other settings.
        let is_ready = window.query_by_label(&format!("Run {name}")).is_some_and(|button| !button.accesskit_node().is_disabled());
        (!is_ready).then(|| format!("{name} cannot be measured as it is opened"))
    };
    wrong.extend(state.experiment.iter().filter(|_| in_sight.iter().any(|pane| pane == "Timing")).filter_map(run));
    wrong
}

/// Walks through all entries of a paper.
fn walk(folder: &str) {
    let paper = papers().iter().find(|paper| paper.folder == folder).unwrap();
    let mut window = window(memory(Preset::Learn, small_image(), "dft2"), Vec::new());
    let (mut wrong, mut walked) = (Vec::new(), HashSet::new());
    let of_paper = lessons().iter().filter(|lesson| lesson.group.folder == folder);
    let offered: HashSet<_> = of_paper.flat_map(|lesson| &lesson.steps).filter_map(|step| step.state.experiment.as_ref()).collect();
    for entry in &paper.entries {
        let lesson = lesson(&format!("{folder}-{}", entry.lesson)).unwrap();
        if !entry.experiments.is_empty() && !entry.experiments.iter().any(|name| offered.contains(&name)) {
            wrong.push(format!("{}: no lesson of the paper offers {:?}", entry.place, entry.experiments));
        }
        if !walked.insert(&lesson.name) {
            continue;
        }
        open(&mut window, lesson);
        for (index, step) in lesson.steps.iter().enumerate() {
            let at = |difference| format!("{}, step {}: {difference}", lesson.name, index + 1);
            if !says(&window, &step.title) {
                wrong.push(at("its title is not in sight".to_owned()));
            }
            wrong.extend(differences(&window, step).into_iter().map(at));
            click(&mut window, if index + 1 == lesson.steps.len() { "Finish" } else { "Next" });
            settle(&mut window);
        }
    }
    assert!(wrong.is_empty(), "{} of {} lessons:\n{}", wrong.len(), walked.len(), wrong.join("\n"));
}

#[test]
fn the_entries_of_gajic_2011_are_shown_as_they_say() {
    walk("gajic-2011");
}

#[test]
fn the_entries_of_gajic_2012_are_shown_as_they_say() {
    walk("gajic-2012");
}

#[test]
fn the_entries_of_li_2012_are_shown_as_they_say() {
    walk("li-2012");
}

#[test]
fn the_entries_of_sorman_2016_are_shown_as_they_say() {
    walk("sorman-2016");
}

#[test]
fn the_entries_of_arguello_2012_are_shown_as_they_say() {
    walk("arguello-2012");
}
