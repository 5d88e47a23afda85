//! Which cases of a large grid run.
//!
//! Compiling kernels takes nearly all the time of a case. So by default a case runs where all its kernels are compiled already, or where it has
//! something that no earlier case of its test had: a term of a line of a kernel (numbers aside), a radix, a kind of lane, or a kind of launch.
//! In this way every line of every kernel in a grid runs at least once. `PAPILLON_GRID=all` runs all cases.

use papillon::gpu::lower::lower;
use papillon::gpu::{Kernel, KernelChoice, LaunchCommand, Limits};
use papillon::plan::Plan;
use papillon::schedule::Schedule;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};

/// The variants that the cases of one test have met so far.
pub(crate) struct Grid {
    /// Whether every case runs.
    all: bool,
    marks: HashSet<u64>,
    /// Kernels whose marks are met.
    seen: HashSet<Kernel>,
    compiled: HashSet<Kernel>,
    run: usize,
    skipped: usize,
}

impl Grid {
    /// A grid of which no case has run.
    pub(crate) fn new() -> Self {
        let all = std::env::var("PAPILLON_GRID").is_ok_and(|grid| grid == "all");
        Self { all, marks: HashSet::new(), seen: HashSet::new(), compiled: HashSet::new(), run: 0, skipped: 0 }
    }

    /// Whether this case runs. `limits` are those of the device, in the precision of the case.
    pub(crate) fn takes(&mut self, plan: &Plan, schedule: &Schedule, limits: Limits, kernels: KernelChoice) -> bool {
        // A plan that cannot be lowered is for the case to report.
        let is_taken = self.all || lower(plan, schedule, limits, kernels).map_or(true, |lowered| self.brings_news(&lowered.commands));
        *(if is_taken { &mut self.run } else { &mut self.skipped }) += 1;
        is_taken
    }

    /// Whether this kernel has a line that none before it had.
    pub(crate) fn takes_text(&mut self, kernel: &Kernel) -> bool {
        let is_new = self.seen.insert(kernel.clone()) && of_text(kernel).into_iter().filter(|mark| self.marks.insert(*mark)).count() > 0;
        is_new || self.all
    }

    fn brings_news(&mut self, commands: &[LaunchCommand]) -> bool {
        let is_compiled = commands.iter().all(|command| self.compiled.contains(&command.kernel));
        let of_command =
            |command: &LaunchCommand| [self.marks.insert(of_launch(command)), self.takes_text(&command.kernel)].contains(&true);
        let is_new = commands.iter().map(of_command).filter(|news| *news).count() > 0;
        if is_new {
            self.compiled.extend(commands.iter().map(|command| command.kernel.clone()));
        }
        is_new || is_compiled
    }
}

impl Drop for Grid {
    /// A test that fails, or runs with `--nocapture`, shows what it left out.
    #[allow(clippy::print_stdout, reason = "a test prints to its report")]
    fn drop(&mut self) {
        println!(
            "{} cases with {} kernels ran; {} that bring no new line of a kernel did not",
            self.run,
            self.compiled.len(),
            self.skipped
        );
    }
}

/// The mark of a launch: what its lanes hold, where it reads and writes, and whether it has one workgroup or several.
fn of_launch(command: &LaunchCommand) -> u64 {
    let Kernel { family, entry_point, ring, precision, in_place, reads_input, .. } = command.kernel;
    let copies = [&command.copies, &command.copies_after].map(Vec::is_empty);
    mark((family, entry_point, ring, precision, in_place, reads_input, copies, command.groups.map(|groups| groups > 1)))
}

/// The marks of the text of a kernel, and of its radices.
///
/// Kernels of a file are told apart by the terms of their lines without their numbers. Kernels made for stages hold sums and addresses of any form,
/// so that nearly every line would be new: the words of a line, such as `twiddled_x#),` or `times_i`, tell them apart.
fn of_text(kernel: &Kernel) -> Vec<u64> {
    let of_part = |part: &str| mark((kernel.family, kernel.entry_point, part));
    let of_line = |line: &str| -> Vec<u64> {
        let code = without_numbers(line.split("//").next().unwrap_or_default()).replace(" - ", " + -");
        if kernel.family == "stage" { code.split([' ', '(']).map(of_part).collect() } else { code.split(" + ").map(of_part).collect() }
    };
    let radices = kernel.data["radices"].as_array().into_iter().flatten();
    kernel.text().lines().flat_map(of_line).chain(radices.map(|radix| mark((kernel.precision, "radix", radix.as_u64())))).collect()
}

fn mark(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The line with `#` for every number: `a3 = tile[t + 256u]` is `a# = tile[t + #u]`.
fn without_numbers(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for c in line.trim().chars() {
        match c.is_ascii_digit() || c == '.' && plain.ends_with('#') {
            true if plain.ends_with('#') => {}
            true => plain.push('#'),
            false => plain.push(c),
        }
    }
    plain
}
