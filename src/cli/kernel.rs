//! `papillon kernel`: writes the text of a launch in the language of a technology, or lists the launches of a plan. No GPU is needed.

use super::arguments::one_of;
use super::plan::{LaneType, PlanArguments, Planned};
use super::{Failure, output, say};
use crate::engine::{PlanKernels, note_on_schedule, plan_kernels};
use crate::gpu::{KernelChoice, KernelLanguage, LaunchCommand, Limits};
use crate::numerals::integer;
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Writes the kernel of a launch in WGSL, as the program has it, or in the language of another technology, or lists the launches.
#[derive(Debug, Args)]
pub(super) struct KernelArguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// The launch whose kernel is written, from 1 on; without it the launches are listed.
    #[arg(long, value_name = "NUMBER")]
    launch: Option<usize>,
    /// The type of the lanes in a plan over the integers: f32, or i32 and i64, as for samples that are integers.
    #[arg(long = "type", default_value = "f32", value_parser = one_of::<LaneType>(), ignore_case = true, value_name = "TYPE")]
    lanes: LaneType,
    /// Takes kernels made for the stages, and no faster family.
    #[arg(long)]
    compiled: bool,
    /// The language of the text: glsl of OpenGL, hlsl of Direct3D, msl of Metal, and spirv of Vulkan are translations of the WGSL.
    #[arg(long, default_value = "wgsl", value_parser = one_of::<KernelLanguage>(), ignore_case = true, value_name = "LANGUAGE")]
    language: KernelLanguage,
    /// A file, or - for standard output; a .spv file gets the words of SPIR-V, and any other a listing of its instructions.
    #[arg(short, long, default_value = "-", value_name = "OUTPUT")]
    output: PathBuf,
}

pub(super) fn run(arguments: &KernelArguments) -> Result<(), Failure> {
    output::check(&arguments.output)?;
    let Planned { transform, algorithm, plan, cut, .. } = arguments.plan.planned_on(arguments.lanes)?;
    let kernels = if arguments.compiled { KernelChoice::Generic } else { KernelChoice::Fast };
    let PlanKernels { schedule, commands } =
        plan_kernels(&plan, cut, Limits::DESKTOP, kernels).map_err(|error| match arguments.compiled {
            true => Failure::Call(format!("--compiled takes kernels made for stages, which run no such launches: leave it out ({error})")),
            false => Failure::Work(error.to_string()),
        })?;
    let note = note_on_schedule(cut, transform.axes, &plan, &schedule);
    if !note.is_empty() {
        say(&note);
    }
    let text = match arguments.launch {
        None => list(&commands, |stage| &plan.stages[stage].label).into_bytes(),
        Some(launch) => {
            let n = commands.len();
            let command = launch.checked_sub(1).and_then(|index| commands.get(index));
            let command = command.ok_or_else(|| Failure::Call(format!("--launch {launch} is not among the {} launches", integer(n))))?;
            let failure = |error: String| Failure::Work(format!("launch {launch}: {error}"));
            if arguments.language == KernelLanguage::Spirv && has_words(&arguments.output) {
                command.kernel.spirv().map_err(failure)?.into_iter().flat_map(u32::to_le_bytes).collect()
            } else {
                command.kernel.text_in(arguments.language).map_err(failure)?.into_bytes()
            }
        }
    };
    if arguments.plan.algorithm.is_none() {
        say(&format!("{} by {}, its first algorithm that takes this size", transform.name, algorithm.name));
    }
    output::bytes(&arguments.output, |out| out.write_all(&text))
}

/// Whether a file holds SPIR-V as words.
fn has_words(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("spv"))
}

/// One line a launch: its number, its stages, its kernel, workgroups, bytes, and the lanes that are copied outside the kernel.
fn list<'a>(commands: &[LaunchCommand], label: impl Fn(usize) -> &'a String) -> String {
    let mut text = String::new();
    for (index, command) in commands.iter().enumerate() {
        let (stages, [x, y]) = (&command.stages, command.groups);
        let labels = match stages.len() {
            0 | 1 => label(stages.start).clone(),
            n => format!("{} … {} ({n} stages)", label(stages.start), label(stages.end - 1)),
        };
        let groups = integer(x as usize * y as usize);
        let family = command.kernel.family;
        let threads = command.kernel.threads().map_or(String::new(), |threads| format!(" of {} threads", integer(threads)));
        let copied = match command.copied_lanes() {
            0 => String::new(),
            n => format!(", with copies of {} lanes", integer(n)),
        };
        let bytes = integer(command.bytes as usize);
        let done = writeln!(text, "{}\t{labels}\t{family}\t{groups} workgroups{threads}\t{bytes} bytes{copied}", index + 1);
        done.expect("writing to a string does not fail");
    }
    text
}
