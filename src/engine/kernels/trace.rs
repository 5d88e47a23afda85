//! What one thread of a kernel does, read from the text as the device gets it: its indices, and the lanes that it reads and writes.
//!
//! Kernels that are made for one stage are followed line by line; kernels with loops, such as those of tiles, are not.

mod expression;

use crate::gpu::Command;
use crate::plan::Ring;
use expression::{Function, Number, Scope};
use std::collections::HashMap;
use std::ops::Range;

/// The most threads that are searched for the one that writes a lane.
const MOST_THREADS: u32 = 1 << 16;

/// A line of a kernel with the numbers of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedLine {
    /// The line of the text, from 0.
    pub line: usize,
    /// What it does.
    pub does: LineWork,
}

/// What a line does in a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineWork {
    /// Computes an index.
    Index(i64),
    /// Loads these lanes.
    Reads(Range<usize>),
    /// Stores these lanes.
    Writes(Range<usize>),
}

/// The lines of a kernel that a thread executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelTrace {
    /// The number of the thread in the launch.
    pub thread: u32,
    /// The lines.
    pub lines: Vec<TracedLine>,
}

impl KernelTrace {
    /// The lanes that the thread reads, in the order of the text.
    pub fn reads(&self) -> Vec<usize> {
        self.lines.iter().flat_map(|line| if let LineWork::Reads(lanes) = &line.does { lanes.clone() } else { 0..0 }).collect()
    }

    /// The lanes that the thread writes, in the order of the text.
    pub fn writes(&self) -> Vec<usize> {
        self.lines.iter().flat_map(|line| if let LineWork::Writes(lanes) = &line.does { lanes.clone() } else { 0..0 }).collect()
    }
}

/// A kernel made for one stage, ready to be followed.
pub struct TracedKernel<'a> {
    lines: Vec<&'a str>,
    body: Range<usize>,
    functions: HashMap<String, Function>,
    uniforms: Vec<(String, u32)>,
    threads: u32,
    groups: [u32; 2],
    /// Lanes in an element of the source and of the output.
    lanes: HashMap<&'static str, usize>,
}

/// The threads of a workgroup, as the text of a kernel has them.
pub fn workgroup_size(text: &str) -> Option<u32> {
    let (_, size) = text.split_once("@workgroup_size(")?;
    let (size, _) = size.split_once(')')?;
    let functions = HashMap::new();
    let mut scope = Scope { values: HashMap::new(), functions: &functions, depth: 0 };
    for line in text.lines() {
        let constant = line.trim().strip_prefix("const ").and_then(|line| line.trim_end_matches(';').split_once(" = "));
        if let Some((name, value)) = constant.and_then(|(name, value)| Some((name, scope.value(value)?))) {
            scope.values.insert(name.to_owned(), value);
        }
    }
    size.split(',').map(|side| u32::try_from(scope.value(side)?.integer()?).ok()).product()
}

/// The fields of the uniforms of a launch with their values.
pub fn uniforms(text: &str, command: &Command) -> Vec<(String, u32)> {
    let Some((_, fields)) = text.split_once("struct Launch {") else { return Vec::new() };
    let names = fields.lines().take_while(|line| !line.contains('}')).filter_map(|line| Some(line.trim().split_once(':')?.0.to_owned()));
    names.zip(command.uniforms).collect()
}

impl<'a> TracedKernel<'a> {
    /// The kernel of a launch with this text; `None` unless it was made for a single stage.
    pub fn of(command: &Command, text: &'a str) -> Option<Self> {
        if command.kernel.file != "stage.wgsl" || command.stages.len() != 1 {
            return None;
        }
        let lines: Vec<&str> = text.lines().collect();
        let entry = lines.iter().position(|line| line.starts_with(&format!("fn {}(", command.kernel.entry_point)))?;
        let body = entry + 1..entry + lines[entry..].iter().position(|line| *line == "}")?;
        let lanes = ["input", "output"].into_iter().filter_map(|buffer| Some((buffer, element_lanes(text, buffer, command.kernel.ring)?)));
        Some(Self {
            functions: functions(&lines),
            uniforms: uniforms(text, command),
            threads: workgroup_size(text)?,
            groups: command.groups,
            lanes: lanes.collect(),
            body,
            lines,
        })
    }

    /// What thread `thread` of the launch does; `None` where the text has more than indices, loads and stores.
    pub fn trace(&self, thread: u32) -> Option<KernelTrace> {
        let (local, group) = (thread % self.threads, thread / self.threads);
        let numbers = [
            ("id.x", thread),
            ("thread", local),
            ("group.x", group % self.groups[0]),
            ("group.y", group / self.groups[0]),
            ("groups.x", self.groups[0]),
        ];
        let numbers = numbers.map(|(name, value)| (name.to_owned(), value)).into_iter();
        let uniforms = self.uniforms.iter().map(|(name, value)| (format!("launch.{name}"), *value));
        let values = numbers.chain(uniforms).map(|(name, value)| (name, Number::Unsigned(value))).collect();
        let mut scope = Scope { values, functions: &self.functions, depth: 0 };
        let (mut found, mut skipped) = (Vec::new(), 0_usize);
        for line in self.body.clone() {
            let code = self.lines[line].split("//").next().unwrap_or_default().trim();
            if skipped > 0 {
                skipped = (skipped + code.matches('{').count()).saturating_sub(code.matches('}').count());
                continue;
            }
            if code == "return;" {
                break;
            }
            if code.starts_with("for ") {
                return None;
            }
            if let Some(condition) = code.strip_prefix("if ").and_then(|code| code.strip_suffix('{')) {
                match scope.value(condition)? {
                    Number::Truth(is) => skipped = usize::from(!is),
                    _ => return None,
                }
                continue;
            }
            if let Some(does) = self.work(code, &mut scope) {
                found.push(TracedLine { line, does: does? });
            }
        }
        Some(KernelTrace { thread, lines: found })
    }

    /// What an assignment does; `None` if it computes with data, `Some(None)` if its index is not known.
    fn work(&self, code: &str, scope: &mut Scope<'_>) -> Option<Option<LineWork>> {
        let (to, value) = code.trim_end_matches(';').split_once(" = ")?;
        let element = |text: &str| {
            let (buffer, index) = text.trim().strip_suffix(']')?.split_once('[')?;
            let lanes = *self.lanes.get(buffer)?;
            Some((index.to_owned(), lanes))
        };
        let lanes = |(index, lanes): (String, usize)| {
            let first = usize::try_from(scope.value(&index)?.integer()?).ok()? * lanes;
            Some(first..first + lanes)
        };
        if let Some(target) = element(to) {
            return Some(lanes(target).map(LineWork::Writes));
        }
        if let Some(source) = element(value) {
            return Some(lanes(source).map(LineWork::Reads));
        }
        let number = scope.value(value)?;
        let name = to.strip_prefix("let ").or(to.strip_prefix("var ")).unwrap_or(to);
        scope.values.insert(name.trim().to_owned(), number);
        Some(number.integer().map(LineWork::Index))
    }

    /// The thread that writes a lane, and what it does.
    pub fn writer(&self, lane: usize) -> Option<KernelTrace> {
        let n_threads = (self.threads as u64 * u64::from(self.groups[0]) * u64::from(self.groups[1])).min(u64::from(MOST_THREADS));
        (0..n_threads as u32).map_while(|thread| self.trace(thread)).find(|trace| trace.writes().contains(&lane))
    }
}

/// How many lanes an element of a buffer holds.
fn element_lanes(text: &str, buffer: &str, ring: Ring) -> Option<usize> {
    let declaration = text.lines().find(|line| line.starts_with("@group(0)") && line.contains(&format!(" {buffer}: array<")))?;
    let (_, element) = declaration.split_once("array<")?;
    let numbers = match () {
        () if element.starts_with("vec4") => 4,
        () if element.starts_with("vec2") || element.starts_with("Complex") => 2,
        () => 1,
    };
    let of_lane = match ring {
        Ring::Complex => 2,
        Ring::Equation => 4,
        Ring::Real | Ring::Integer(_) | Ring::Gf2 => 1,
    };
    (numbers % of_lane == 0).then_some(numbers / of_lane)
}

/// The functions of the text beside the kernel.
fn functions(lines: &[&str]) -> HashMap<String, Function> {
    let mut functions = HashMap::new();
    for (start, line) in lines.iter().enumerate() {
        let Some((name, rest)) = line.strip_prefix("fn ").and_then(|line| line.split_once('(')) else { continue };
        let Some((parameters, _)) = rest.split_once(')') else { continue };
        let parameters = parameters.split(',').filter_map(|one| Some(one.split_once(':')?.0.trim().to_owned())).collect();
        let body = lines[start + 1..].iter().take_while(|line| **line != "}").map(|line| (*line).to_owned()).collect();
        functions.insert(name.to_owned(), Function { parameters, body });
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::lower::{KernelChoice, lower};
    use crate::gpu::{Limits, Lowered};
    use crate::plan::Plan;
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, TRANSFORMS, transform};
    use std::collections::BTreeSet;

    fn by_stage(plan: &Plan) -> Lowered {
        lower(plan, &Schedule::by_stage(plan), Limits::DESKTOP, KernelChoice::Generic).unwrap()
    }

    #[test]
    fn a_thread_of_constant_geometry_reads_neighbours_and_writes_halves() {
        let build = transform("walsh").unwrap().algorithm("constant-geometry").unwrap().plan_fn().unwrap();
        let lowered = by_stage(&build(Shape::line(8), Parameters::default()).unwrap());
        let text = lowered.commands[0].kernel.text();
        let trace = TracedKernel::of(&lowered.commands[0], &text).unwrap().writer(7).unwrap();
        assert_eq!((trace.thread, trace.reads(), trace.writes()), (3, vec![6, 7], vec![3, 7]));
        let first = &trace.lines[0];
        assert_eq!((text.lines().nth(first.line).unwrap().trim(), &first.does), ("let t = id.x;", &LineWork::Index(3)));
    }

    #[test]
    fn the_threads_of_a_workgroup_are_a_number_or_a_constant() {
        assert_eq!(workgroup_size("@compute @workgroup_size(64)\n"), Some(64));
        assert_eq!(workgroup_size("const EACH = 32u;\nconst LINES = 2u * EACH;\n@compute @workgroup_size(EACH * 2u, LINES)\n"), Some(4096));
    }

    #[test]
    fn traces_read_and_write_what_the_butterflies_of_the_stage_do() {
        let (mut n_traced, mut n_stages) = (0, 0);
        for (row, n) in TRANSFORMS.iter().flat_map(|row| [16, 96].map(|n| (row, n))) {
            for algorithm in row.algorithms {
                let Some(build) = algorithm.plan_fn() else { continue };
                let Ok(plan) = build(Shape::line(n), Parameters::default()) else { continue };
                let lowered = by_stage(&plan);
                for command in &lowered.commands {
                    let (text, stage) = (command.kernel.text(), &plan.stages[command.stages.start]);
                    let Some(kernel) = TracedKernel::of(command, &text) else { continue };
                    n_stages += 1;
                    let butterfly = stage.butterfly(stage.n_butterflies() / 2);
                    let Some(trace) = kernel.writer(butterfly.writes[0]) else { continue };
                    let reads: BTreeSet<usize> = trace.reads().into_iter().collect();
                    let expected: BTreeSet<usize> = stage.needs(butterfly.indices).collect();
                    // A thread may take neighbouring butterflies too.
                    assert!(
                        expected.is_subset(&reads),
                        "{} {} '{}': {reads:?} without {expected:?}\n{text}",
                        row.name,
                        algorithm.name,
                        stage.label
                    );
                    assert!(butterfly.writes.iter().all(|lane| trace.writes().contains(lane)), "{text}");
                    n_traced += 1;
                }
            }
        }
        assert!(n_stages > 200 && 10 * n_traced > 8 * n_stages, "{n_traced} of {n_stages} kernels are followed");
    }
}
