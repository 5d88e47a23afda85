// A split section or a merge section of a run of lifting steps: what a tile finishes alone, or what is left around a border.
//
// A unit is a tile of a line, or the samples around a border of tiles. A workgroup takes some units: neighbouring columns of a
// picture, or one tile, or neighbouring borders. It reads the samples of its units, takes all steps with a barrier after each,
// and writes the samples. A step updates every other sample of its level, except those that are the other section's: the
// numbers `before` and `after` say how far from a border they reach.
//
// Bytes: a split reads and writes every sample of its first level, a merge those around the borders. With one thread a sample
// half of the threads idle in a step; with half as many none does. A merge may keep its samples in global memory.
//
// `ends.wgsl` stands before this text. src/gpu/sections/text.rs writes the steps of one shape in place of the last comment, and sets the constants.

struct Launch {
    n_groups: u32,
    // Units of a line, and samples of a line at the first level of the run.
    units: u32,
    samples: i32,
    // Lanes from one sample to the next, and the two loops over lines.
    spacing: u32,
    lines: u32,
    line_pitch: u32,
    outer_pitch: u32,
    n_lines: u32,
}

@group(0) @binding(0) var<storage, read> before: array<Lane>;
@group(0) @binding(1) var<storage, read_write> after: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> held: array<Lane, HELD>;

// A unit: its line, and its first sample, which is negative around a border at the beginning.
struct Place {
    line: u32,
    first: i32,
    exists: bool,
}

// The unit of a workgroup's element: of one thread a sample, or a step.
fn unit_of(element: u32, size: u32) -> u32 {
    if ACROSS {
        return element % UNITS;
    }
    return element / size;
}

// What is left of the number of the element inside its unit.
fn inside_of(element: u32, size: u32) -> i32 {
    if ACROSS {
        return i32(element / UNITS);
    }
    return i32(element % size);
}

fn place(group: u32, unit: u32) -> Place {
    var line: u32;
    var number: u32;
    if ACROSS {
        let blocks = (launch.n_lines + UNITS - 1u) / UNITS;
        line = group % blocks * UNITS + unit;
        number = group / blocks;
    } else {
        let mine = group * UNITS + unit;
        line = mine / launch.units;
        number = mine % launch.units;
    }
    let exists = line < launch.n_lines && number < launch.units;
    if MERGES {
        // Where the line is a circle, its beginning is a border too.
        return Place(line, (i32(number) + select(1, 0, WRAPS)) * TILE - i32(SAMPLES) / 2, exists);
    }
    return Place(line, i32(number) * TILE, exists);
}

fn lane(at: Place, sample: i32) -> u32 {
    let inside = (sample + launch.samples) % launch.samples;
    return at.line % launch.lines * launch.line_pitch + at.line / launch.lines * launch.outer_pitch + u32(inside) * launch.spacing;
}

// Whether the line has the sample; around a border of a circle every one.
fn has(sample: i32) -> bool {
    return sample >= 0 && sample < launch.samples || WRAPS && MERGES;
}

fn slot(unit: u32, inside: i32) -> u32 {
    if ACROSS {
        return u32(inside) * UNITS + unit;
    }
    return unit * SAMPLES + u32(inside);
}

fn halved(level: u32) -> i32 {
    return (launch.samples + (1 << level) - 1) >> level;
}

fn value(at: Place, unit: u32, level: u32, p: i32) -> Lane {
    // Around a border of a circle samples are counted on.
    let sample = select(folded(p, halved(level)), p, WRAPS && MERGES) << level;
    if IN_GLOBAL {
        return after[lane(at, sample)];
    }
    return held[slot(unit, sample - at.first)];
}

fn put(at: Place, unit: u32, level: u32, p: i32, new_value: Lane) {
    if IN_GLOBAL {
        after[lane(at, p << level)] = new_value;
    } else {
        held[slot(unit, (p << level) - at.first)] = new_value;
    }
}

// Whether sample p of a level is this section's.
fn is_mine(at: Place, level: u32, p: i32, last_before: i32, first_after: i32) -> bool {
    if !at.exists || !has(p << level) {
        return false;
    }
    if MERGES {
        let border = (at.first + i32(SAMPLES) / 2) >> level;
        return p - border > last_before && p - border < first_after;
    }
    return is_alone(p, level, at.first, TILE, launch.samples, last_before, first_after);
}

//@ functions

@compute @workgroup_size(THREADS)
fn section(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    //@ steps
}
