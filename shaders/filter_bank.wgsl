// A split section, a merge section or an overlapped tile of a run of levels of a filter bank, which is not in place.
//
// A unit is a tile of a line, or the values around a border of tiles. A workgroup takes some units: adjacent columns of an image,
// or one tile, or neighbouring borders. In every level a butterfly makes a low-pass and a high-pass value of some neighbouring
// samples of a block. In a packet transform both are blocks of the next level; otherwise the high-pass value goes straight to
// where it stays. A tile holds the samples of a level in one part of its memory and their values in the other. In the inverse a
// butterfly makes two samples of neighbouring values of both halves of a block, and these are values of the next finer level.
//
// A split makes everything that needs nothing of another tile. Around every border it keeps, in scratch lanes, the values that
// the merge will read at each level; a merge reads them there, and puts its own results between. An overlapped tile reads a halo
// of its line, so that it needs no merge.
//
// Bytes: a tile reads and writes every sample, a merge those around the borders. With one thread a sample, each thread makes one
// of both values of a butterfly. A merge may leave its samples in global memory.
//
// `boundary.wgsl` and `section_units.wgsl` stand before this text. src/gpu/filter_bank/text.rs writes the levels of one shape in
// place of the last comment, and sets the constants.

// Where values stand: the first lane, and the lanes from one line to the next and from one value to the next.
struct Lines {
    first: u32,
    line: u32,
    step: u32,
}

struct Launch {
    n_groups: u32,
    // Units of a line, lines, and samples of a line before the first level.
    units: u32,
    n_lines: u32,
    samples: i32,
    // Lines whose low-pass values are at `low`; those of the other lines are at `high`, before the high-pass ones.
    low_lines: u32,
    // Where the values kept for merges begin.
    kept: u32,
    @align(16) joined: Lines,
    @align(16) low: Lines,
    @align(16) high: Lines,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> held: array<Lane, HELD>;

// A unit: its line, the tile (or the one before the border), the sample from which values are counted, and the samples of a tile from there on.
struct Location {
    line: u32,
    number: u32,
    origin: i32,
    size: i32,
    exists: bool,
}

fn location(group: u32, unit: u32) -> Location {
    let mine = unit_at(group, unit);
    let start = i32(mine.number) * TILE;
    let size = min(TILE, launch.samples - start);
    if MERGES {
        return Location(mine.line, mine.number, start + size, 0, mine.exists);
    }
    return Location(mine.line, mine.number, start, size, mine.exists);
}

fn lane(lines: Lines, line: u32, value: i32) -> u32 {
    return lines.first + line * lines.line + u32(value) * lines.step;
}

fn lane_of(from_output: bool, lane: u32) -> Lane {
    if from_output {
        return output[lane];
    }
    return input[lane];
}

// Where a value around the border behind tile `number` is kept.
fn kept(line: u32, number: u32, inner: u32) -> u32 {
    return launch.kept + (line * launch.units + number) * KEPT + inner;
}

// Where a unit holds a value.
fn slot(unit: u32, inner: u32) -> u32 {
    return select(unit * PITCH + inner, inner * UNITS + unit, ACROSS);
}

fn value(at: Location, unit: u32, inner: u32) -> Lane {
    if IN_GLOBAL {
        return output[kept(at.line, at.number, inner)];
    }
    return held[slot(unit, inner)];
}

fn hold(at: Location, unit: u32, inner: u32, new_value: Lane) {
    if IN_GLOBAL {
        output[kept(at.line, at.number, inner)] = new_value;
    } else {
        held[slot(unit, inner)] = new_value;
    }
}

// Keeps a value of a part, which was halved `halved` times, for the merges at both ends of its tile, if they read it. For every part
// and border, `width` values are kept from value `begin` on; those of the level stand from `offset` on.
fn keep(at: Location, halved: u32, part: u32, number: i32, offset: u32, begin: i32, width: u32, new_value: Lane) {
    let behind = number - (at.size >> halved);
    if behind >= begin {
        output[kept(at.line, at.number, offset + part * width + u32(behind - begin))] = new_value;
    }
    if number < begin + i32(width) {
        // The line is periodic.
        let border = select(at.number, launch.units, at.number == 0u) - 1u;
        output[kept(at.line, border, offset + part * width + u32(number - begin))] = new_value;
    }
}

// The lane of a low-pass value of the last level.
fn low_lane(line: u32, value: i32) -> u32 {
    if line < launch.low_lines {
        return lane(launch.low, line, value);
    }
    return lane(launch.high, line, value);
}

// A low-pass value of the coarsest level, in the inverse.
fn low_value(line: u32, value: i32) -> Lane {
    if line < launch.low_lines {
        return lane_of(LOW_IN_OUTPUT, lane(launch.low, line, value));
    }
    return lane_of(HIGH_IN_OUTPUT, lane(launch.high, line, value));
}

//@ functions

@compute @workgroup_size(THREADS)
fn filter_bank(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    //@ levels
}
