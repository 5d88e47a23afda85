//! The study of the pane: the commands of the plan, the text of one, and the work of a thread in it.

use super::highlight::{Compared, compared};
use crate::engine::{Ask, Cancellable, Cut, EngineError, PlanKernels, SharedResult, Study, StudyMailbox, plan_kernels};
use crate::gpu::lower::trace::{KernelResources, ReadKernel, ThreadTrace};
use crate::gpu::{Kernel, KernelChoice, KernelLanguage, LaunchCommand, Limits};
use crate::graph::GraphNode;
use crate::plan::Plan;
use std::sync::Arc;

crate::choice! {
    /// Which kernels the pane shows.
    pub(super) enum ShownKernels {
        /// The kernels of the launches of this run, or those that a GPU would get.
        #[default]
        AsRun = "As it runs";
        /// One launch for each stage, in kernels made for it.
        Stages = "A kernel a stage";
    }
}

/// The text of a kernel, or why it has none, as a comment.
fn text_of(kernel: &Kernel, language: KernelLanguage) -> String {
    kernel.text_in(language).unwrap_or_else(|error| format!("// {}", error.replace('\n', "\n// ")))
}

/// A request for the text of a launch.
#[derive(Clone)]
pub(super) struct KernelRequest {
    /// The plan.
    pub plan: Arc<Plan>,
    /// The commands as the GPU got them, where one ran the plan.
    pub ran: Option<Arc<Vec<LaunchCommand>>>,
    /// How the plan is cut into launches.
    pub cut: Cut,
    /// Which kernels are shown.
    pub shown: ShownKernels,
    /// The language of the text.
    pub language: KernelLanguage,
    /// The launch, from 0.
    pub launch: usize,
    /// The launch that it is compared with.
    pub other: Option<usize>,
    /// The node that is lit.
    pub lit: Option<GraphNode>,
}

impl PartialEq for KernelRequest {
    fn eq(&self, other: &Self) -> bool {
        let same_commands = match (&self.ran, &other.ran) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
            (a, b) => a.is_none() == b.is_none(),
        };
        (self.cut, self.shown, self.language, self.launch) == (other.cut, other.shown, other.language, other.launch)
            && (self.other, self.lit) == (other.other, other.lit)
            && same_commands
            && (Arc::ptr_eq(&self.plan, &other.plan) || self.plan == other.plan)
    }
}

impl Ask for KernelRequest {}

/// The text of a launch, and what the pane says of it.
#[derive(Default)]
pub(super) struct KernelReport {
    /// All commands, or why there are none.
    pub commands: Arc<Vec<LaunchCommand>>,
    /// Why there are no kernels.
    pub error: Option<String>,
    /// The launch that is shown.
    pub launch: usize,
    /// Its text in the chosen language.
    pub text: String,
    /// The lines of its WGSL that declare buffers.
    pub bindings: Vec<String>,
    /// Threads of a workgroup, by launch.
    pub threads: Vec<Option<usize>>,
    /// The registers and the memory of a workgroup of the launch, as far as the text says it.
    pub resources: Option<KernelResources>,
    /// The uniforms with their values.
    pub uniforms: Vec<(String, u32)>,
    /// The text beside that of the other launch, line by line.
    pub compared: Option<Vec<Compared>>,
    /// The work of the thread that writes the lit node.
    pub trace: Option<ThreadTrace>,
    /// Whether the lines of that thread are those of the text: they are those of the WGSL.
    pub has_lines: bool,
}

impl Cancellable for KernelReport {
    fn failed(fault: String) -> Self {
        Self { error: Some(fault), ..Self::default() }
    }
}

/// Writes the kernels of one plan after the other.
pub(super) struct KernelStudy;

impl Study for KernelStudy {
    type Request = KernelRequest;
    type Report = KernelReport;

    const NAME: &'static str = "kernels";

    fn answer(&mut self, request: &KernelRequest, _: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> KernelReport {
        answer(request)
    }
}

fn answer(request: &KernelRequest) -> KernelReport {
    let KernelRequest { plan, ran, cut, shown, language, launch, other, lit } = request;
    let commands = match (ran, shown) {
        (Some(ran), ShownKernels::AsRun) => Ok(ran.clone()),
        (None, ShownKernels::AsRun) => plan_kernels(plan, *cut, Limits::DESKTOP, KernelChoice::Fast).map(of_plan),
        (_, ShownKernels::Stages) => plan_kernels(plan, Cut::Stages, Limits::DESKTOP, KernelChoice::Generic).map(of_plan),
    };
    let commands = match commands {
        Ok(commands) => commands,
        Err(error) => return KernelReport { error: Some(error.to_string()), ..KernelReport::default() },
    };
    // The launch of a lit node is shown as long as it is lit.
    let of_lit = lit.and_then(|node| {
        let stage = node.column.checked_sub(1)?;
        commands.iter().position(|command| command.stages.contains(&stage))
    });
    let launch = of_lit.unwrap_or(*launch).min(commands.len().saturating_sub(1));
    let Some(command) = commands.get(launch) else { return KernelReport { commands, ..KernelReport::default() } };
    let (source, kernel) = (command.kernel.text(), ReadKernel::of(command).ok());
    let trace = lit.filter(|_| of_lit.is_some()).and_then(|node| kernel.as_ref()?.writer(node.lane));
    let text = text_of(&command.kernel, *language);
    let compared = other.and_then(|other| commands.get(other)).map(|other| compared(&text, &text_of(&other.kernel, *language)));
    KernelReport {
        error: None,
        launch,
        threads: commands.iter().map(|command| Some(ReadKernel::of(command).ok()?.threads())).collect(),
        resources: kernel.as_ref().and_then(ReadKernel::resources),
        uniforms: kernel.map(|kernel| kernel.uniforms()).unwrap_or_default(),
        bindings: source.lines().filter(|line| line.starts_with("@group(0)")).map(Into::into).collect(),
        compared,
        trace,
        has_lines: *language == KernelLanguage::Wgsl,
        text,
        commands: commands.clone(),
    }
}

fn of_plan(kernels: PlanKernels) -> Arc<Vec<LaunchCommand>> {
    Arc::new(kernels.commands)
}
