//! The text of the kernel of filter banks: `shaders/filter_bank.wgsl` with the levels of one shape written out.

use super::lines::{FilterBankShape, FilterLevelShape, FilterPart};
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Direction, Precision};
use crate::schedule::{SectionMemory, ThreadsPerSample};
use std::ops::Range;

const KERNEL: &str = include_str!("../../../shaders/filter_bank.wgsl");

/// The whole text but for the files that stand before it.
pub(in crate::gpu) fn source(shape: &FilterBankShape) -> String {
    let constants = format!(
        "const ACROSS = {};\nconst UNITS = {}u;\nconst MERGES = {};\nconst WRAPS = true;\nconst TILE = {};\nconst PITCH = {}u;\nconst KEPT = {}u;\nconst IN_GLOBAL = {};\nconst HELD = {}u;\nconst THREADS = {}u;\nconst JOINED_IN_OUTPUT = {};\nconst LOW_IN_OUTPUT = {};\nconst HIGH_IN_OUTPUT = {};\n",
        shape.across,
        shape.units,
        shape.part == FilterPart::Merge,
        shape.tile,
        shape.pitch(),
        shape.kept,
        shape.memory == SectionMemory::Global,
        shape.held(),
        shape.block,
        shape.joined_in_output,
        shape.low_in_output,
        shape.high_in_output,
    );
    let (mut functions, mut body) = (WgslBody::new(Precision::Single), WgslBody::new(Precision::Single));
    let mut order = Vec::from_iter(0..shape.levels.len());
    if shape.direction == Direction::Inverse {
        order.reverse();
    }
    if shape.part == FilterPart::Merge {
        load_kept(&mut functions, shape);
        if shape.memory == SectionMemory::Workgroup {
            each(&mut body, shape.units * shape.pitch(), "load");
        }
    }
    for (level, parts) in shape.loads() {
        let name = format!("load{level}_{}", parts.start);
        load(&mut functions, shape, level, &parts, &name);
        each(&mut body, shape.units * parts.len() * shape.levels[level].width, &name);
    }
    // Short tiles may finish no value of a level alone.
    order.iter().filter(|&&level| shape.elements(level) > 0).for_each(|&level| function(&mut functions, shape, level));
    for (position, &level) in order.iter().enumerate() {
        match shape.memory {
            SectionMemory::Workgroup => body.line(format_args!("workgroupBarrier();")),
            SectionMemory::Global if position > 0 => body.line(format_args!("storageBarrier();")),
            SectionMemory::Global => {}
        }
        if shape.elements(level) > 0 {
            each(&mut body, shape.units * shape.elements(level), &format!("level{level}"));
        }
    }
    let text = KERNEL.replace("    //@ levels\n", &body.into_text()).replace("//@ functions\n", &functions.into_text());
    [constants, text].join("\n")
}

/// Calls a function for every element of the workgroup.
fn each(body: &mut WgslBody, elements: usize, function: &str) {
    body.line(format_args!("for (var e = thread; e < {elements}u; e += THREADS) {{"));
    body.line(format_args!("    {function}(group, e);"));
    body.line(format_args!("}}"));
}

impl FilterBankShape {
    /// Elements of a level: butterflies, or values where each has a thread.
    fn elements(&self, level: usize) -> usize {
        let butterflies = self.blocks(level) * self.levels[level].butterflies;
        if self.threads == ThreadsPerSample::One { 2 * butterflies } else { butterflies }
    }

    /// The parts of levels that a tile reads from global memory; where halves stand apart, each on its own.
    fn loads(&self) -> Vec<(usize, Range<usize>)> {
        if self.part == FilterPart::Merge {
            return Vec::new();
        }
        let apart = self.direction == Direction::Inverse && !self.is_tree;
        let of_level = |(level, loaded): (usize, Range<usize>)| match apart {
            true => loaded.map(|part| (level, part..part + 1)).collect(),
            false => Vec::from_iter((!loaded.is_empty()).then_some((level, loaded))),
        };
        self.levels.iter().map(|level| level.loaded.clone()).enumerate().flat_map(of_level).collect()
    }

    /// How often what a level reads was halved since the finest level of the run.
    fn halved(&self, level: usize) -> usize {
        level + usize::from(self.direction == Direction::Inverse)
    }

    /// Whether something is kept for merges.
    fn keeps(&self) -> bool {
        self.part == FilterPart::Split { merged: true }
    }
}

/// Where a unit holds a value of a part, as text.
fn inner(level: &FilterLevelShape, part: &str, value: &str) -> String {
    let place = format!("u32({value} - ({}))", level.from);
    match part {
        "0u" => format!("{}u + {place}", level.offset),
        part => format!("{}u + {part} * {}u + {place}", level.offset, level.width),
    }
}

/// The call that keeps a value of a part of what a level reads.
fn keep(shape: &FilterBankShape, level: usize, part: &str, place: &str, value: &str) -> String {
    let FilterLevelShape { kept_from, kept_width, kept_offset, .. } = shape.levels[level];
    format!("keep(at, {}u, {part}, {place}, {kept_offset}u, {kept_from}, {kept_width}u, {value});", shape.halved(level))
}

/// Reads one of the values that were kept for a merge.
fn load_kept(body: &mut WgslBody, shape: &FilterBankShape) {
    let size = shape.pitch();
    body.line(format_args!("fn load(group: u32, e: u32) {{"));
    body.line(format_args!("    let unit = unit_of(e, {size}u);"));
    body.line(format_args!("    let inside = inside_of(e, {size}u);"));
    body.line(format_args!("    let at = location(group, unit);"));
    body.line(format_args!("    if at.exists {{"));
    body.line(format_args!("        held[slot(unit, u32(inside))] = output[kept(at.line, at.number, u32(inside))];"));
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}

/// Reads one value of some parts of what a level of a tile reads.
fn load(body: &mut WgslBody, shape: &FilterBankShape, index: usize, parts: &Range<usize>, name: &str) {
    let (level, halved) = (&shape.levels[index], shape.halved(index));
    let (width, size) = (level.width, parts.len() * level.width);
    let behind = level.from + width as i64 - (shape.tile >> halved) as i64;
    let value = format!("folded((at.origin >> {halved}u) + value, launch.samples >> {halved}u)");
    let half = format!("(launch.samples >> {halved}u)");
    let (part, read) = match (shape.direction, shape.is_tree) {
        (Direction::Forward, _) => ("0u".to_owned(), format!("lane_of(JOINED_IN_OUTPUT, lane(launch.joined, at.line, {value}))")),
        (_, true) => ("part".to_owned(), format!("lane_of(LOW_IN_OUTPUT, lane(launch.low, at.line, i32(part) * {half} + {value}))")),
        (_, false) if parts.start == 0 => ("0u".to_owned(), format!("low_value(at.line, {value})")),
        (_, false) => ("1u".to_owned(), format!("lane_of(HIGH_IN_OUTPUT, lane(launch.high, at.line, {half} + {value}))")),
    };
    body.line(format_args!("fn {name}(group: u32, e: u32) {{"));
    body.line(format_args!("    let unit = unit_of(e, {size}u);"));
    body.line(format_args!("    let inside = inside_of(e, {size}u);"));
    body.line(format_args!("    let at = location(group, unit);"));
    if part == "part" {
        body.line(format_args!("    let part = u32(inside / {width});"));
        body.line(format_args!("    let value = inside % {width} + {};", level.from));
    } else {
        body.line(format_args!("    let value = inside + {};", level.from));
    }
    body.line(format_args!("    if at.exists && value < (at.size >> {halved}u) + {behind} {{"));
    body.line(format_args!("        let loaded = {read};"));
    body.line(format_args!("        held[slot(unit, {})] = loaded;", inner(level, &part, "value")));
    if shape.keeps() {
        body.line(format_args!("        {}", keep(shape, index, &part, "value", "loaded")));
    }
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}

/// One level of one element.
fn function(body: &mut WgslBody, shape: &FilterBankShape, index: usize) {
    let level = &shape.levels[index];
    let (elements, butterflies) = (shape.elements(index), shape.blocks(index) * level.butterflies);
    body.line(format_args!("fn level{index}(group: u32, e: u32) {{"));
    body.line(format_args!("    let unit = unit_of(e, {elements}u);"));
    body.line(format_args!("    let inside = inside_of(e, {elements}u) % {butterflies};"));
    body.line(format_args!("    let at = location(group, unit);"));
    body.line(format_args!("    let p = inside % {} + {};", level.butterflies, level.first));
    body.line(format_args!("    if !at.exists || p >= (at.size >> {}u) + {} {{", index + 1, level.behind));
    body.line(format_args!("        return;"));
    body.line(format_args!("    }}"));
    let block = if shape.is_tree && index > 0 { "block" } else { "0u" };
    if block == "block" {
        body.line(format_args!("    let block = u32(inside / {});", level.butterflies));
    }
    for tap in 0..shape.coefs[0].len() {
        body.line(format_args!("    let x{tap} = value(at, unit, {});", read(shape, index, block, shape.first + tap as i64)));
    }
    let value = |body: &mut WgslBody, result: usize| {
        let term = |(tap, &coef): (usize, &u64)| format!("{:?} * x{tap}", f64::from_bits(coef));
        let sum = shape.coefs[result].iter().enumerate().map(term).collect::<Vec<_>>().join(" + ");
        body.line(format_args!("        let y = {sum};"));
        match shape.direction {
            Direction::Forward => put_half(body, shape, index, block, result),
            Direction::Inverse => put_sample(body, shape, index, block, result),
        }
    };
    for result in 0..2 {
        match shape.threads {
            ThreadsPerSample::Half => body.line(format_args!("    {{")),
            ThreadsPerSample::One => body.line(format_args!("    if inside_of(e, {elements}u) / {butterflies} == {result} {{")),
        }
        value(body, result);
        body.line(format_args!("    }}"));
    }
    body.line(format_args!("}}"));
}

/// Where a unit holds a sample, given by its distance from sample 2p of a block. In the inverse, low-pass and high-pass values alternate as samples.
fn read(shape: &FilterBankShape, index: usize, block: &str, behind: i64) -> String {
    let level = &shape.levels[index];
    let (part, value) = match shape.direction {
        Direction::Forward => (block.to_owned(), format!("2 * p + {behind}")),
        Direction::Inverse => {
            let half = behind.rem_euclid(2) as usize;
            let part = if shape.is_tree { child(level, index, block, half) } else { format!("{half}u") };
            (part, format!("p + {}", behind.div_euclid(2)))
        }
    };
    let value = if shape.whole { format!("folded({value}, launch.samples >> {}u)", shape.halved(index)) } else { value };
    inner(level, &part, &value)
}

/// Which block of the next level a half of a block is.
fn child(level: &FilterLevelShape, index: usize, block: &str, half: usize) -> String {
    match level.exchanges {
        false => format!("(2u * {block} + {half}u)"),
        // Blocks of the first level are lines.
        true => format!("(2u * {block} + ({half}u ^ ({} & 1u)))", if index == 0 { "at.line" } else { block }),
    }
}

/// Stores a value y of one half.
fn put_half(body: &mut WgslBody, shape: &FilterBankShape, index: usize, block: &str, half: usize) {
    let next = index + 1;
    // The border at the end of a line is that at its beginning.
    let place = match shape.part {
        FilterPart::Merge => format!("folded((at.origin >> {next}u) + p, launch.samples >> {next}u)"),
        _ => format!("(at.origin >> {next}u) + p"),
    };
    // Values of the halo stay in memory.
    let level = &shape.levels[index];
    let own = if (level.first, level.behind) == (0, 0) || shape.part != FilterPart::Overlapped {
        String::new()
    } else {
        format!("if p >= 0 && p < (at.size >> {next}u) ")
    };
    let is_last = next == shape.levels.len();
    if !shape.is_tree && half == 1 {
        let lane = format!("lane(launch.high, at.line, (launch.samples >> {next}u) + {place})");
        return body.line(format_args!("        {own}{{ output[{lane}] = y; }}"));
    }
    let child = if shape.is_tree { child(level, index, block, half) } else { "0u".into() };
    if !is_last {
        hold(body, shape, next, &child, "p");
    } else if shape.is_tree {
        body.line(format_args!("        output[lane(launch.low, at.line, i32({child}) * (launch.samples >> {next}u) + {place})] = y;"));
    } else {
        body.line(format_args!("        output[low_lane(at.line, {place})] = y;"));
    }
}

/// Stores a sample y of a block, the first or the second of a butterfly. The finest samples are results; others are low-pass values of a block, or a half of one, of the next level.
fn put_sample(body: &mut WgslBody, shape: &FilterBankShape, index: usize, block: &str, result: usize) {
    if index > 0 {
        return hold(body, shape, index - 1, block, &format!("(2 * p + {result})"));
    }
    let place = match shape.part {
        FilterPart::Merge => format!("folded(at.origin + 2 * p + {result}, launch.samples)"),
        _ => format!("at.origin + 2 * p + {result}"),
    };
    body.line(format_args!("        output[lane(launch.joined, at.line, {place})] = y;"));
}

/// Holds y, a value of a part of what a level reads.
fn hold(body: &mut WgslBody, shape: &FilterBankShape, level: usize, part: &str, value: &str) {
    body.line(format_args!("        hold(at, unit, {}, y);", inner(&shape.levels[level], part, value)));
    if shape.keeps() {
        body.line(format_args!("        {}", keep(shape, level, part, value, "y")));
    }
}
