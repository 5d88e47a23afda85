//! `papillon handout`: a page with the flow graph, its counts and times, the values of every stage and the matrix.

use super::arguments::{figure_format, from_one};
use super::lesson::{found, step_of};
use super::{Failure, output};
use crate::engine::{BesideRequest, BesideStudy, Job, Store, TimingLock, asked};
use crate::figure::{FigureFormat, PaperSize};
use crate::graph::{Handout, HandoutGraph, HiddenParts, PageFocus};
use crate::lesson::{LessonStep, NO_GRAPH, Question};
use crate::ui::{Settings, is_session, jobs_of, load_session, read_answer, settings_of_lesson};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Writes a lesson's step or a session as a page: flow graphs, counts, times, values of every stage, matrix.
#[derive(Debug, Args)]
pub(super) struct HandoutArguments {
    /// A lesson by its name in 'papillon lesson', or a session that the window wrote.
    #[arg(value_name = "LESSON|SESSION.json")]
    input: String,
    /// The step of the lesson, from 1.
    #[arg(long, value_name = "STEP", default_value = "1", value_parser = from_one)]
    step: NonZeroUsize,
    /// Answers the step's question, and shows what would give the answer away.
    #[arg(long)]
    answers: bool,
    /// The paper of its pages; a file without pages has them one below the other.
    #[arg(long, default_value = "a4", value_name = "a4|letter")]
    paper: PaperSize,
    #[arg(short, long, value_name = "OUTPUT", help = output::endings_help(&FigureFormat::endings(), ""))]
    output: PathBuf,
    /// The format on standard output, by the ending of its files.
    #[arg(long, default_value = "svg", value_parser = figure_format, value_name = "FORMAT")]
    format: FigureFormat,
}

pub(super) fn run(arguments: &HandoutArguments) -> Result<(), Failure> {
    let format = match output::is_standard(&arguments.output) {
        true => arguments.format,
        false => output::figure_format(&arguments.output, "a handout")?,
    };
    output::check(&arguments.output)?;
    let path = Path::new(&arguments.input);
    let (page, settings, step) = if is_session(path) { of_session(path, arguments.paper)? } else { of_lesson(arguments)? };
    let (job, _) = jobs_of(&settings, None).map_err(Failure::Work)?;
    let beside = settings.job_beside(&job.signal).filter(|_| step.is_some());
    let beside = beside.map(|beside| Job { second: job.second.clone(), ..beside });
    let focus = step.as_ref().map(|step| step.state.page_focus()).unwrap_or_default();
    let asked = step.as_ref().and_then(|step| step.question.as_ref()).filter(|_| !arguments.answers);
    let hidden = |is_second| asked.map(|question| question.read.hidden_parts(is_second)).unwrap_or_default();
    // The cursor is in both graphs, the node in the first.
    let first = on_page(&job, focus, hidden(false))?;
    let second = beside.map(|job| on_page(&job, PageFocus { node: None, ..focus }, hidden(true))).transpose()?;
    let page = Handout { graphs: std::iter::once(first).chain(second).collect(), ..page };
    let bytes = page.figure().bytes(format)?;
    output::bytes(&arguments.output, |out| out.write_all(&bytes))
}

/// The texts of a session's page, and its settings.
fn of_session(path: &Path, paper: PaperSize) -> Result<(Handout, Settings, Option<LessonStep>), Failure> {
    let settings = load_session(path)?.settings;
    let transform = settings.transform();
    let heading = format!("{} of {}", transform.title, settings.origin.title());
    let page = Handout { heading, paragraphs: vec![transform.formula.to_owned()], question: Vec::new(), graphs: Vec::new(), paper };
    Ok((page, settings, None))
}

/// The texts of the page of a lesson's step, its settings, and the step.
fn of_lesson(arguments: &HandoutArguments) -> Result<(Handout, Settings, Option<LessonStep>), Failure> {
    let lesson = found(&arguments.input)?;
    let step = step_of(&lesson, arguments.step.get())?.clone();
    let settings = settings_of_lesson(&step.state).map_err(Failure::Work)?;
    let mut question = step.question.as_ref().map_or_else(Vec::new, Question::lines);
    if let Some(asked) = step.question.as_ref().filter(|_| arguments.answers) {
        let answer = read_answer(&step, &TimingLock::default()).map_err(Failure::Work)?;
        question.push(asked.answer_line(&answer));
    }
    let paragraphs = vec![format!("{}: {}", lesson.source(), step.title), step.page_text()];
    Ok((Handout { heading: lesson.head.title, paragraphs, question, graphs: Vec::new(), paper: arguments.paper }, settings, Some(step)))
}

/// The flow graph of a job, with the counts of its plan and the time of its launches on its device.
fn on_page(job: &Job, focus: PageFocus, hidden: HiddenParts) -> Result<HandoutGraph, Failure> {
    let request = BesideRequest { job: Job { prefer_plan: true, ..job.clone() }, first: None };
    let outcome = asked(&mut BesideStudy::default(), &request, &Store::default()).outcome?;
    outcome.on_handout(job, focus, hidden).ok_or_else(|| Failure::Work(format!("{} {NO_GRAPH}", outcome.algorithm)))
}
