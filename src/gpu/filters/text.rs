//! The text of the kernel of filter banks: `shaders/filters.wgsl` with the levels of one shape written out.

use super::{FilterShape, Part, ShapeLevel};
use crate::gpu::fft::Body;
use crate::plan::Precision;
use crate::schedule::{Memory, Threads};

const KERNEL: &str = include_str!("../../../shaders/filters.wgsl");

/// The whole text but for the files that stand before it.
pub(in crate::gpu) fn source(shape: &FilterShape) -> String {
    let constants = format!(
        "const ACROSS = {};\nconst UNITS = {}u;\nconst MERGES = {};\nconst WRAPS = true;\nconst TILE = {};\nconst PITCH = {}u;\nconst KEPT = {}u;\nconst IN_GLOBAL = {};\nconst HELD = {}u;\nconst THREADS = {}u;\n",
        shape.across,
        shape.units,
        shape.part == Part::Merge,
        shape.tile,
        shape.pitch(),
        shape.kept,
        shape.memory == Memory::Global,
        shape.held(),
        shape.block,
    );
    let (mut functions, mut body) = (Body::new(Precision::Single), Body::new(Precision::Single));
    let n_levels = shape.levels.len();
    load(&mut functions, shape);
    // Short tiles may finish no value of a level alone.
    (0..n_levels).filter(|&level| shape.elements(level) > 0).for_each(|level| function(&mut functions, shape, level));
    let n_loaded = if shape.part == Part::Merge { shape.pitch() } else { shape.levels[0].width };
    if shape.memory == Memory::Workgroup {
        each(&mut body, shape.units * n_loaded, "load");
        body.line(format_args!("workgroupBarrier();"));
    }
    for level in 0..n_levels {
        if shape.elements(level) > 0 {
            each(&mut body, shape.units * shape.elements(level), &format!("level{level}"));
        }
        if level + 1 < n_levels {
            let barrier = if shape.memory == Memory::Workgroup { "workgroupBarrier" } else { "storageBarrier" };
            body.line(format_args!("{barrier}();"));
        }
    }
    let text = KERNEL.replace("    //@ levels\n", &body.into_text()).replace("//@ functions\n", &functions.into_text());
    [constants, text].join("\n")
}

/// Calls a function for every element of the workgroup.
fn each(body: &mut Body, elements: usize, function: &str) {
    body.line(format_args!("for (var e = thread; e < {elements}u; e += THREADS) {{"));
    body.line(format_args!("    {function}(group, e);"));
    body.line(format_args!("}}"));
}

impl FilterShape {
    /// Elements of a level: butterflies, or values where each has a thread.
    fn elements(&self, level: usize) -> usize {
        let butterflies = self.blocks(level) * self.levels[level].values;
        if self.threads == Threads::One { 2 * butterflies } else { butterflies }
    }

    /// Whether something is kept for merges.
    fn keeps(&self) -> bool {
        self.part == Part::Split { merged: true }
    }
}

/// Where a unit holds a sample of a block, as text.
fn inner(level: &ShapeLevel, block: &str, sample: &str) -> String {
    let place = format!("u32({sample} - ({}))", level.from);
    match block {
        "0u" => format!("{}u + {place}", level.offset),
        block => format!("{}u + {block} * {}u + {place}", level.offset, level.width),
    }
}

/// The call that keeps a sample of a block.
fn keep(index: usize, level: &ShapeLevel, block: &str, sample: &str, value: &str) -> String {
    let ShapeLevel { kept_from, kept_width, kept_offset, .. } = level;
    format!("keep(at, {index}u, {block}, {sample}, {kept_offset}u, {kept_from}, {kept_width}u, {value});")
}

/// Reads one sample of a tile, or one of those that were kept for a merge.
fn load(body: &mut Body, shape: &FilterShape) {
    let first = &shape.levels[0];
    let size = if shape.part == Part::Merge { shape.pitch() } else { first.width };
    body.line(format_args!("fn load(group: u32, e: u32) {{"));
    body.line(format_args!("    let unit = unit_of(e, {size}u);"));
    body.line(format_args!("    let inside = inside_of(e, {size}u);"));
    body.line(format_args!("    let at = place(group, unit);"));
    if shape.part == Part::Merge {
        body.line(format_args!("    if at.exists {{"));
        body.line(format_args!("        held[slot(unit, u32(inside))] = after[kept(at.line, at.number, u32(inside))];"));
        body.line(format_args!("    }}"));
    } else {
        let behind = first.from + first.width as i64 - shape.tile as i64;
        let array = if shape.in_place { "after" } else { "before" };
        body.line(format_args!("    let sample = inside + {};", first.from));
        body.line(format_args!("    if at.exists && sample < at.size + {behind} {{"));
        body.line(format_args!("        let loaded = {array}[lane(launch.source, at.line, folded(at.origin + sample, launch.samples))];"));
        body.line(format_args!("        held[slot(unit, {})] = loaded;", inner(first, "0u", "sample")));
        if shape.keeps() {
            body.line(format_args!("        {}", keep(0, first, "0u", "sample", "loaded")));
        }
        body.line(format_args!("    }}"));
    }
    body.line(format_args!("}}"));
}

/// One level of one element.
fn function(body: &mut Body, shape: &FilterShape, index: usize) {
    let level = &shape.levels[index];
    let (elements, butterflies) = (shape.elements(index), shape.blocks(index) * level.values);
    body.line(format_args!("fn level{index}(group: u32, e: u32) {{"));
    body.line(format_args!("    let unit = unit_of(e, {elements}u);"));
    body.line(format_args!("    let inside = inside_of(e, {elements}u) % {butterflies};"));
    body.line(format_args!("    let at = place(group, unit);"));
    body.line(format_args!("    let p = inside % {} + {};", level.values, level.first));
    body.line(format_args!("    if !at.exists || p >= (at.size >> {}u) + {} {{", index + 1, level.behind));
    body.line(format_args!("        return;"));
    body.line(format_args!("    }}"));
    let block = if shape.is_tree && index > 0 { "block" } else { "0u" };
    if block == "block" {
        body.line(format_args!("    let block = u32(inside / {});", level.values));
    }
    for tap in 0..shape.coefs[0].len() {
        let sample = format!("2 * p + {}", shape.first + tap as i64);
        let sample = if shape.whole { format!("folded({sample}, launch.samples >> {index}u)") } else { sample };
        body.line(format_args!("    let x{tap} = value(at, unit, {});", inner(level, block, &sample)));
    }
    let value = |body: &mut Body, half: usize| {
        let term = |(tap, &coef): (usize, &u64)| format!("{:?} * x{tap}", f64::from_bits(coef));
        let sum = shape.coefs[half].iter().enumerate().map(term).collect::<Vec<_>>().join(" + ");
        body.line(format_args!("        let y = {sum};"));
        put(body, shape, index, block, half);
    };
    for half in 0..2 {
        match shape.threads {
            Threads::Half => body.line(format_args!("    {{")),
            Threads::One => body.line(format_args!("    if inside_of(e, {elements}u) / {butterflies} == {half} {{")),
        }
        value(body, half);
        body.line(format_args!("    }}"));
    }
    body.line(format_args!("}}"));
}

/// What becomes of a value y of one half.
fn put(body: &mut Body, shape: &FilterShape, index: usize, block: &str, half: usize) {
    let next = index + 1;
    // The border at the end of a line is that at its beginning.
    let place = match shape.part {
        Part::Merge => format!("folded((at.origin >> {next}u) + p, launch.samples >> {next}u)"),
        _ => format!("(at.origin >> {next}u) + p"),
    };
    // Values for the sake of neighbouring tiles stay in memory.
    let level = &shape.levels[index];
    let own = if (level.first, level.behind) == (0, 0) || shape.part != Part::Overlapped {
        String::new()
    } else {
        format!("if p >= 0 && p < (at.size >> {next}u) ")
    };
    let is_last = next == shape.levels.len();
    if !shape.is_tree && half == 1 {
        let lane = format!("lane(launch.high, at.line, (launch.samples >> {next}u) + {place})");
        return body.line(format_args!("        {own}{{ after[{lane}] = y; }}"));
    }
    let child = match (shape.is_tree, level.exchanges) {
        (false, _) => "0u".into(),
        (true, false) => format!("2u * {block} + {half}u"),
        // Of the first level blocks are lines.
        (true, true) => format!("2u * {block} + ({half}u ^ ({} & 1u))", if index == 0 { "at.line" } else { block }),
    };
    if !is_last {
        let level = &shape.levels[next];
        body.line(format_args!("        let child = {child};"));
        body.line(format_args!("        hold(at, unit, {}, y);", inner(level, if shape.is_tree { "child" } else { "0u" }, "p")));
        if shape.keeps() {
            body.line(format_args!("        {}", keep(next, level, "child", "p", "y")));
        }
    } else if shape.is_tree {
        body.line(format_args!("        after[lane(launch.low, at.line, i32({child}) * (launch.samples >> {next}u) + {place})] = y;"));
    } else {
        body.line(format_args!("        after[low_lane(at.line, {place})] = y;"));
    }
}
