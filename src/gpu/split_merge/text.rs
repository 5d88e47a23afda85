//! The text of the kernel of sections: `shaders/split_merge.wgsl` with the steps of one shape written out.

use super::shape::{SplitMergeShape, of_first_level};
use super::steps::StepShape;
use crate::gpu::wgsl::WgslBody;
use crate::plan::Ring;
use crate::schedule::{SectionBoundary, SectionKind, SectionMemory, ThreadsPerSample};

const KERNEL: &str = include_str!("../../../shaders/split_merge.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &SplitMergeShape) -> String {
    let constants = format!(
        "const ACROSS = {};\nconst UNITS = {}u;\nconst MERGES = {};\nconst WRAPS = {};\nconst TILE = {};\nconst SAMPLES = {}u;\nconst ODD = {};\nconst COPIES = {};\nconst IN_GLOBAL = {};\nconst HELD = {}u;\nconst THREADS = {}u;\n",
        shape.across,
        shape.units,
        shape.section == SectionKind::Merge,
        shape.wraps,
        shape.tile,
        shape.samples,
        shape.odd,
        shape.copies,
        shape.memory == SectionMemory::Global,
        shape.held(),
        shape.block,
    );
    let (mut functions, mut body) = (WgslBody::new(shape.precision), WgslBody::new(shape.precision));
    for (index, step) in shape.steps.iter().enumerate() {
        function(&mut functions, shape, index, step);
    }
    let source = if shape.in_place { "output" } else { "input" };
    // The copy of the sample before a tile is only loaded.
    let each = |body: &mut WgslBody, size: usize, what: String| {
        let copied = size - shape.samples;
        body.line(format_args!("for (var e = thread; e < {}u; e += THREADS) {{", shape.units * size));
        body.line(format_args!("    let unit = unit_of(e, {size}u);"));
        body.line(format_args!("    let at = location(group, unit);"));
        body.line(format_args!("    let inside = inside_of(e, {size}u) - {copied};"));
        body.line(format_args!("    if at.exists && has(at.first + inside) {{"));
        body.line(format_args!("        {what}"));
        body.line(format_args!("    }}"));
        body.line(format_args!("}}"));
    };
    let in_workgroup = shape.memory == SectionMemory::Workgroup;
    if in_workgroup {
        each(&mut body, shape.pitch(), format!("held[slot(unit, inside)] = {source}[lane(at, at.first + inside)];"));
        body.line(format_args!("workgroupBarrier();"));
    }
    for (index, step) in shape.steps.iter().enumerate() {
        let elements = match shape.threads {
            ThreadsPerSample::One => shape.units * shape.samples,
            ThreadsPerSample::Half => shape.units * (shape.samples >> (step.level + 1)),
        };
        body.line(format_args!("for (var e = thread; e < {elements}u; e += THREADS) {{"));
        body.line(format_args!("    step{index}(group, e);"));
        body.line(format_args!("}}"));
        body.line(format_args!("{}();", if in_workgroup { "workgroupBarrier" } else { "storageBarrier" }));
    }
    if in_workgroup {
        let store = "output[lane(at, at.first + inside)] = held[slot(unit, inside)];";
        let merges = shape.section == SectionKind::Merge;
        let what = if merges { format!("if {} {{ {store} }}", is_updated(shape)) } else { store.into() };
        each(&mut body, shape.samples, what);
    }
    let text = KERNEL.replace("    //@ steps\n", &body.into_text()).replace("//@ functions\n", &functions.into_text());
    [constants, text].join("\n")
}

/// Whether a merge updates the sample `inside` of a unit: samples around two borders may overlap, and only the unit that updates a sample may store it.
/// The steps of a level update every other sample, those of one parity, as far as the widest of them goes.
fn is_updated(shape: &SplitMergeShape) -> String {
    let border = shape.samples as i64 / 2;
    let mut updated: Vec<(u32, usize, SectionBoundary)> = Vec::new();
    for &StepShape { level, parity, before, after, .. } in &shape.steps {
        match updated.iter_mut().find(|(l, p, _)| (*l, *p) == (level, parity)) {
            Some((.., widest)) => *widest = SectionBoundary { before: widest.before.min(before), after: widest.after.max(after) },
            None => updated.push((level, parity, SectionBoundary { before, after })),
        }
    }
    let among = |&(level, parity, SectionBoundary { before, after }): &(u32, usize, SectionBoundary)| {
        let at = |sample: i64| border + of_first_level(shape.odd, level, sample);
        format!("({} && inside > {} && inside < {})", is_of(shape, level, parity), at(before), at(after))
    };
    updated.iter().map(among).collect::<Vec<_>>().join(" || ")
}

/// Whether the sample `inside` of a unit is one of those of a level that have a parity.
fn is_of(shape: &SplitMergeShape, level: u32, parity: usize) -> String {
    // A tile ends, or begins, at the same multiple of samples at every level.
    let last = i64::from(shape.odd);
    format!("((inside + {last}) & {}) == {}", (2 << level) - 1, ((parity as i64 + last) % 2) << level)
}

/// One step of one element.
fn function(body: &mut WgslBody, shape: &SplitMergeShape, index: usize, step: &StepShape) {
    let StepShape { level, parity, before, after, .. } = *step;
    // A tile ends, or begins, at the same multiple of samples at every level.
    let last = i64::from(shape.odd);
    body.line(format_args!("fn step{index}(group: u32, e: u32) {{"));
    match shape.threads {
        ThreadsPerSample::One => {
            body.line(format_args!("    let inside = inside_of(e, SAMPLES);"));
            body.line(format_args!("    if !({}) {{", is_of(shape, level, parity)));
            body.line(format_args!("        return;"));
            body.line(format_args!("    }}"));
            body.line(format_args!("    let unit = unit_of(e, SAMPLES);"));
        }
        ThreadsPerSample::Half => {
            let (size, first) = (shape.samples >> (level + 1), parity as i64 + last);
            body.line(format_args!("    let inside = ((2 * inside_of(e, {size}u) + {first}) << {level}u) - {last};"));
            body.line(format_args!("    let unit = unit_of(e, {size}u);"));
        }
    }
    body.line(format_args!("    let at = location(group, unit);"));
    body.line(format_args!("    let p = ((at.first + inside + {last}) >> {level}u) - {last};"));
    body.line(format_args!("    if is_mine(at, {level}u, p, {before}, {after}) {{"));
    let value = |offset: i64| format!("value(at, unit, {level}u, p + {offset})");
    let result = match shape.ring {
        Ring::Equation => format!("without({}, {}, {})", value(0), value(-1), value(1)),
        _ => step.sum(value),
    };
    body.line(format_args!("        put(at, unit, {level}u, p, {result});"));
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}
