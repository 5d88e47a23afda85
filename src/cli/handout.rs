//! `papillon handout`: a page with the flow graph, its counts and times, the values of every stage and the matrix.

use super::arguments::from_one;
use super::graph::graph_format;
use super::lesson::{found, step_of};
use super::{Failure, output};
use crate::engine::{Devices, Job, compute};
use crate::graph::{GraphFormat, Handout, HandoutGraph, PageFocus, handout};
use crate::lesson::Subject;
use crate::numerals::duration;
use crate::ui::{is_session, jobs_of, load_session, settings_of_lesson};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Writes a lesson's step or a session as a page: flow graphs, counts, times, values of every stage, matrix.
#[derive(Debug, Args)]
pub(super) struct HandoutArguments {
    /// A lesson by its name in 'papillon lesson', or a session that the window wrote.
    #[arg(value_name = "LESSON|SESSION.json")]
    input: String,
    /// The step of the lesson, from 1.
    #[arg(long, value_name = "STEP", default_value = "1", value_parser = from_one)]
    step: NonZeroUsize,
    /// A file that ends in .svg, .tex, .pdf or .png, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT")]
    output: PathBuf,
    /// The format on standard output: svg, tex, pdf or png.
    #[arg(long, default_value = "svg", value_parser = graph_format, value_name = "FORMAT")]
    format: GraphFormat,
}

pub(super) fn run(arguments: &HandoutArguments) -> Result<(), Failure> {
    let format = if output::is_standard(&arguments.output) { arguments.format } else { GraphFormat::from_path(&arguments.output)? };
    if format == GraphFormat::Json {
        return Err(Failure::Call("a handout is a page: end the output with .svg, .tex, .pdf or .png".into()));
    }
    output::check(&arguments.output)?;
    let path = Path::new(&arguments.input);
    let (heading, paragraphs, step, settings) = if is_session(path) {
        let settings = load_session(path)?.settings;
        (
            format!("{} of {}", settings.transform().title, settings.origin.title()),
            vec![settings.transform().formula.to_owned()],
            None,
            settings,
        )
    } else {
        let lesson = found(&arguments.input)?;
        let step = step_of(&lesson, arguments.step.get())?.clone();
        let place = format!("{}: {}", lesson.source(), step.title);
        let settings = settings_of_lesson(&step.state).map_err(Failure::Work)?;
        (lesson.head.title, vec![place, step.plain_text()], Some(step), settings)
    };
    let (job, _) = jobs_of(&settings, None).map_err(Failure::Work)?;
    let beside = settings.job_beside(&job.signal).filter(|_| !is_session(path));
    let beside = beside.map(|beside| Job { second: job.second.clone(), ..beside });
    let focus = step.as_ref().map(|step| step.state.page_focus()).unwrap_or_default();
    // The cursor stands in both graphs, the node in the first.
    let focuses = [focus, PageFocus { node: None, ..focus }];
    let jobs = [Some(job), beside].into_iter().flatten().zip(focuses);
    let graphs = jobs.map(|(job, focus)| on_page(&job, focus)).collect::<Result<_, _>>()?;
    let question = step.and_then(|step| step.question).map_or_else(Vec::new, |question| question.lines());
    let page = Handout { heading, paragraphs, question, graphs };
    let bytes = handout(format, &page)?;
    output::bytes(&arguments.output, |out| out.write_all(&bytes))
}

/// The flow graph of a job, with the counts of its plan and the time of its launches on its device.
fn on_page(job: &Job, focus: PageFocus) -> Result<HandoutGraph, Failure> {
    let subject = Subject::of(job).map_err(Failure::Work)?;
    let ran = compute(job, &mut Devices::default(), &AtomicBool::new(false))?.outcome;
    let time = format!("{} in its launches, on {}", duration(ran.times.kernel_micros()), ran.device);
    Ok(subject.on_handout(job.transform, Some(time), focus))
}
