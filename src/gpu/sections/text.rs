//! The text of the kernel of sections: `shaders/sections.wgsl` with the steps of one shape written out.

use super::{SectionShape, ShapeStep};
use crate::gpu::fft::Body;
use crate::plan::Precision;
use crate::schedule::{Memory, Section, Threads};

const KERNEL: &str = include_str!("../../../shaders/sections.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &SectionShape) -> String {
    let constants = format!(
        "const ACROSS = {};\nconst UNITS = {}u;\nconst MERGES = {};\nconst WRAPS = {};\nconst TILE = {};\nconst SAMPLES = {}u;\nconst IN_GLOBAL = {};\nconst HELD = {}u;\nconst THREADS = {}u;\n",
        shape.across,
        shape.units,
        shape.section == Section::Merge,
        shape.wraps,
        shape.tile,
        shape.samples,
        shape.memory == Memory::Global,
        shape.held(),
        shape.block,
    );
    let (mut functions, mut body) = (Body::new(Precision::Single), Body::new(Precision::Single));
    for (index, step) in shape.steps.iter().enumerate() {
        function(&mut functions, shape, index, step);
    }
    let source = if shape.in_place { "after" } else { "before" };
    let all = shape.units * shape.samples;
    let each = |body: &mut Body, what: String| {
        body.line(format_args!("for (var e = thread; e < {all}u; e += THREADS) {{"));
        body.line(format_args!("    let unit = unit_of(e, SAMPLES);"));
        body.line(format_args!("    let at = place(group, unit);"));
        body.line(format_args!("    let inside = inside_of(e, SAMPLES);"));
        body.line(format_args!("    if at.exists && has(at.first + inside) {{"));
        body.line(format_args!("        {what}"));
        body.line(format_args!("    }}"));
        body.line(format_args!("}}"));
    };
    let in_workgroup = shape.memory == Memory::Workgroup;
    if in_workgroup {
        each(&mut body, format!("held[slot(unit, inside)] = {source}[lane(at, at.first + inside)];"));
        body.line(format_args!("workgroupBarrier();"));
    }
    for (index, step) in shape.steps.iter().enumerate() {
        let elements = match shape.threads {
            Threads::One => all,
            Threads::Half => shape.units * (shape.samples >> (step.level + 1)),
        };
        body.line(format_args!("for (var e = thread; e < {elements}u; e += THREADS) {{"));
        body.line(format_args!("    step{index}(group, e);"));
        body.line(format_args!("}}"));
        body.line(format_args!("{}();", if in_workgroup { "workgroupBarrier" } else { "storageBarrier" }));
    }
    if in_workgroup {
        let store = "after[lane(at, at.first + inside)] = held[slot(unit, inside)];";
        // What is around two borders may overlap, and nobody may store what the other one updates.
        let [first, end] = shape.updated();
        each(
            &mut body,
            if shape.section == Section::Merge { format!("if inside >= {first} && inside < {end} {{ {store} }}") } else { store.into() },
        );
    }
    let text = KERNEL.replace("    //@ steps\n", &body.into_text()).replace("//@ functions\n", &functions.into_text());
    [constants, text].join("\n")
}

/// One step of one element.
fn function(body: &mut Body, shape: &SectionShape, index: usize, step: &ShapeStep) {
    let ShapeStep { level, parity, before, after, .. } = *step;
    body.line(format_args!("fn step{index}(group: u32, e: u32) {{"));
    match shape.threads {
        Threads::One => {
            body.line(format_args!("    let inside = inside_of(e, SAMPLES);"));
            body.line(format_args!("    if (inside & {}) != {} {{", (2 << level) - 1, parity << level));
            body.line(format_args!("        return;"));
            body.line(format_args!("    }}"));
            body.line(format_args!("    let unit = unit_of(e, SAMPLES);"));
        }
        Threads::Half => {
            let size = shape.samples >> (level + 1);
            body.line(format_args!("    let inside = (2 * inside_of(e, {size}u) + {parity}) << {level}u;"));
            body.line(format_args!("    let unit = unit_of(e, {size}u);"));
        }
    }
    body.line(format_args!("    let at = place(group, unit);"));
    body.line(format_args!("    let p = (at.first + inside) >> {level}u;"));
    body.line(format_args!("    if is_mine(at, {level}u, p, {before}, {after}) {{"));
    let sum = step.sum(|offset| format!("value(at, unit, {level}u, p + {offset})"));
    body.line(format_args!("        put(at, unit, {level}u, p, {sum});"));
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}
