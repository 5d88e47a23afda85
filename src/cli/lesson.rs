//! `papillon lesson`: lists the lessons, prints one, and verifies those of the program or of files.

use super::arguments::from_one;
use super::{Failure, output, say, snapshot, window};
use crate::graph::{self, GraphFormat, GraphLayout, GraphRequest, VectorFormat, vectors};
use crate::lesson::{GROUPS, Lesson, LessonStep, Question, add, lesson, lessons, missing};
use crate::ui::{Preset, Snapshot, Theme, subjects_of_lesson, verify_lesson};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Lists the lessons, prints one as text, and verifies them.
///
/// The layout Learn of the window shows them; 'papillon NAME.lesson' opens one there, 'papillon NAME.lesson#2' at a step.
#[derive(Debug, Args)]
pub(super) struct LessonArguments {
    /// A lesson by its name in the list, or a file of one; several with --check.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The step of the lesson, from 1: the first one, or with --open where the lesson was left.
    #[arg(long, value_name = "STEP", value_parser = from_one)]
    step: Option<NonZeroUsize>,
    /// Writes the figure of a step: its flow graph as .svg, .tex, .pdf or .json, its values after every stage as .csv or .hex, or the window as .png.
    #[arg(short, long, value_name = "OUTPUT", requires = "names", conflicts_with = "check")]
    output: Option<PathBuf>,
    /// Opens the lesson in the window.
    #[arg(long, requires = "names", conflicts_with_all = ["check", "output"])]
    open: bool,
    /// Verifies lessons and prints what is wrong; without a name, all lessons of the program.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &LessonArguments) -> Result<(), Failure> {
    match (&arguments.names[..], arguments.check) {
        (names, true) => check(names),
        ([], _) => output::print(&list()),
        ([name], _) if arguments.open => open(&found(name)?, arguments.step),
        ([name], _) => match &arguments.output {
            Some(path) => write_figure(&found(name)?, arguments.step.map_or(1, NonZeroUsize::get), path),
            None => output::print(&text(&found(name)?)),
        },
        _ => Err(Failure::Call("one lesson is printed at a time: give one name, or --check".into())),
    }
}

/// Opens a lesson in the window, at a step or where it was left.
fn open(lesson: &Lesson, step: Option<NonZeroUsize>) -> Result<(), Failure> {
    let place = match step {
        Some(number) => step_of(lesson, number.get()).map(|_| format!("#{number}"))?,
        None => String::new(),
    };
    window::open(&[PathBuf::from(format!("{}.lesson{place}", lesson.name))], None, None)
}

/// A step of a lesson, from 1.
pub(super) fn step_of(lesson: &Lesson, number: usize) -> Result<&LessonStep, Failure> {
    let n_steps = lesson.steps.len();
    lesson.steps.get(number - 1).ok_or_else(|| Failure::Call(format!("{} has {n_steps} steps: take --step 1 to {n_steps}", lesson.name)))
}

/// Writes what a step shows.
fn write_figure(lesson: &Lesson, number: usize, path: &Path) -> Result<(), Failure> {
    let step = step_of(lesson, number)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ending == "png" {
        let wanted = Snapshot {
            preset: Preset::Learn,
            size: [1280, 800],
            theme: Theme::Light,
            files: Vec::new(),
            raw: None,
            lesson: Some((lesson.name.clone(), number - 1)),
            session: None,
            with_times: false,
        };
        output::check(path)?;
        return snapshot::draw(&wanted, path).map(drop);
    }
    let subjects = subjects_of_lesson(&step.state).map_err(Failure::Work)?;
    let subject = subjects.main().map_err(|error| Failure::Work(format!("{error}: write the window as .png")))?;
    let bytes = match VectorFormat::of_ending(&ending) {
        Some(format) => {
            let values = subject.values().ok_or_else(|| Failure::Work(format!("{} lanes are too many for values", subject.plan.lanes)))?;
            vectors(format, &subject.plan, values).into_bytes()
        }
        None => {
            let request = subject.request(step.state.plan.transform.as_deref().unwrap_or_default(), &lesson.head.title);
            let request = laid_out(request, step.state.graph_layout());
            graph::export(
                GraphFormat::from_path(path)?,
                &request,
                subject.values().map(|values| &values[1..]).filter(|_| ending == "json"),
            )?
        }
    };
    output::check(path)?;
    output::bytes(path, |out| out.write_all(&bytes))
}

/// The flow graph in the layout that a step asks for, where it suits.
fn laid_out(mut request: GraphRequest, layout: GraphLayout) -> GraphRequest {
    if layout.suits(&request.plan, &request.schedule) {
        request.options.layout = layout;
    }
    request
}

/// A lesson of the program by its name, or of a file.
pub(super) fn found(name: &str) -> Result<Lesson, Failure> {
    let path = Path::new(name);
    if let Some(known) = lesson(name) {
        return Ok(known.clone());
    }
    if !path.exists() {
        let similar: Vec<_> = lessons().iter().map(|lesson| lesson.name.as_str()).filter(|known| known.contains(name)).take(5).collect();
        let instead = if similar.is_empty() { "'papillon lesson' lists them".into() } else { format!("take {}", similar.join(", ")) };
        return Err(Failure::Call(format!("there is no lesson and no file named '{name}': {instead}")));
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let text = std::fs::read_to_string(&path).map_err(|error| Failure::Work(format!("cannot read {name}: {error}")))?;
    // The window finds it by its name.
    Lesson::parse(&path.to_string_lossy(), &text).map(|lesson| add(lesson).clone()).map_err(|error| Failure::Work(error.to_string()))
}

/// The lessons by their groups, a line each.
fn list() -> String {
    let mut text = String::new();
    let width = lessons().iter().map(|lesson| lesson.name.len()).max().unwrap_or(0);
    for group in GROUPS.iter() {
        let of_group: Vec<_> = lessons().iter().filter(|lesson| lesson.group == group).collect();
        if !of_group.is_empty() {
            text += &format!("{}\n", group.title);
        }
        for lesson in of_group {
            let head = &lesson.head;
            text += &format!("  {:width$}  {} ({}, {} min)\n", lesson.name, head.title, head.place, head.minutes);
        }
    }
    text
}

/// A lesson as text: its steps with their questions.
fn text(lesson: &Lesson) -> String {
    let head = &lesson.head;
    let mut text = format!("{}\n{}, {} min\n\n{}\n", head.title, lesson.source(), head.minutes, head.summary);
    if !head.needs.is_empty() {
        text += &format!("Know before: {}\n", head.needs.join(", "));
    }
    text.extend(head.later.iter().map(|later| format!("{later}\n")));
    for (index, step) in lesson.steps.iter().enumerate() {
        text += &format!("\n{}. {}\n\n{}\n", index + 1, step.title, step.text);
        text.extend(step.question.iter().map(question_text));
    }
    text
}

fn question_text(question: &Question) -> String {
    let choices = question.choices.iter().map(|choice| format!("  - {choice}\n")).collect::<String>();
    format!("\nPredict: {}\n{choices}", question.ask)
}

/// Verifies lessons, and fails where one is wrong.
fn check(names: &[String]) -> Result<(), Failure> {
    let lessons: Vec<Result<Lesson, Failure>> = match names {
        [] => crate::lesson::FILES
            .iter()
            .map(|(path, text)| Lesson::parse(path, text).map_err(|error| Failure::Work(error.to_string())))
            .collect(),
        names => names.iter().map(|name| found(name)).collect(),
    };
    let written: Vec<String> = lessons.iter().flatten().map(|lesson| lesson.name.clone()).collect();
    // The problems are the answer, whatever comes of it.
    super::say_at_once();
    let (mut n_wrong, n) = (0, lessons.len());
    for lesson in lessons {
        let problems = lesson.map_or_else(|error| vec![error.to_string()], |lesson| verify_lesson(&lesson, &written));
        n_wrong += usize::from(!problems.is_empty());
        problems.iter().for_each(|problem| say(problem));
    }
    if names.is_empty() && !missing().is_empty() {
        say(&format!("missing: {}", missing().join(", ")));
    }
    match n_wrong {
        0 => {
            output::print(&format!("{} what they claim\n", if n == 1 { "1 lesson holds".to_owned() } else { format!("{n} lessons hold") }))
        }
        _ => {
            Err(Failure::Work(format!("{n_wrong} of {} wrong", if n == 1 { "1 lesson is".to_owned() } else { format!("{n} lessons are") })))
        }
    }
}
