{#
The functions of a launch, each for one element: those that load what a unit reads, and those that take the levels.
A level reads samples of blocks, or in the inverse the halves of blocks: each of these is a part.
#}
{# Where a unit holds a value of a part of what a level reads. #}
{% macro inner(level, part, value) %}⟨level.offset⟩u⟨" + " ~ part ~ " * " ~ level.width ~ "u" if part != "0u" else ""⟩ + u32(⟨value⟩ - (⟨level.from⟩)){% endmacro %}
{# Which block of the next level a half of a block is; blocks of the first level are lines. #}
{% macro child(level, block, half) %}(2u * ⟨block⟩ + ⟨"(" ~ half ~ "u ^ (" ~ (block if level.number else "at.line") ~ " & 1u))" if level.exchanges else half ~ "u"⟩){% endmacro %}
//@ macro keep_value(level, part, value, kept)
        keep(at, ⟨level.halved⟩u, ⟨part⟩, ⟨value⟩, ⟨level.kept_offset⟩u, ⟨level.kept_from⟩, ⟨level.kept_width⟩u, ⟨kept⟩);
//@ endmacro
//@ if merges
// Loads one of the values that were kept for a merge.
fn load_kept(group: u32, e: u32) {
    let unit = unit_of(e, PITCH);
    let inside = inside_of(e, PITCH);
    let at = location(group, unit);
    if at.exists {
        held[slot(unit, u32(inside))] = output[kept(at.line, at.number, u32(inside))];
    }
}

//@ endif
//@ for load in loads
//@ set level = levels[load.level]
//@ set size = load.parts * level.width
// Loads one value for level ⟨level.number⟩.
fn load⟨loop.index0⟩(group: u32, e: u32) {
    let unit = unit_of(e, ⟨size⟩u);
    let inside = inside_of(e, ⟨size⟩u);
    let at = location(group, unit);
    //@ if load.source == "blocks"
    let part = u32(inside / ⟨level.width⟩);
    let value = inside % ⟨level.width⟩ + ⟨level.from⟩;
    //@ else
    let value = inside + ⟨level.from⟩;
    //@ endif
    if at.exists && value < (at.size >> ⟨level.halved⟩u) + ⟨level.read_behind⟩ {
        // High-pass values are behind the low-pass ones, block by block.
        let n = launch.samples >> ⟨level.halved⟩u;
        //@ if wraps or not inverse
        let place = folded((at.origin >> ⟨level.halved⟩u) + value, n);
        //@ else
        // The line is symmetric where low-pass and high-pass values alternate.
        let place = folded(2 * ((at.origin >> ⟨level.halved⟩u) + value) + ⟨1 if load.source == "high" else 0⟩, 2 * n) / 2;
        //@ endif
        //@ if load.source == "samples"
        //@ set part = "0u"
        let loaded = lane_of(JOINED_IN_OUTPUT, lane(launch.joined, at.line, place));
        //@ elif load.source == "blocks"
        //@ set part = "part"
        let loaded = lane_of(LOW_IN_OUTPUT, lane(launch.low, at.line, i32(part) * n + place));
        //@ elif load.source == "low"
        //@ set part = "0u"
        let loaded = low_value(at.line, place);
        //@ else
        //@ set part = "1u"
        let loaded = lane_of(HIGH_IN_OUTPUT, lane(launch.high, at.line, n + place));
        //@ endif
        held[slot(unit, ⟨inner(level, part, "value")⟩)] = loaded;
        //@ if keeps
⟨keep_value(level, part, "value", "loaded")⟩
        //@ endif
    }
}

//@ endfor
//@ for level in (levels|reverse if inverse else levels) if level.elements > 0
//@ include "filter_bank_butterfly.wgsl"
//@ endfor
