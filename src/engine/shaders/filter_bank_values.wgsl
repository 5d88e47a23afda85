{# The values of a unit: where they stand in the buffers, and where the unit holds or keeps them. #}
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
        // A line that is symmetric has no border behind its last tile.
        return Location(mine.line, mine.number, start + size, 0, mine.exists && (WRAPS || mine.number + 1u < launch.units));
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
// and border, `width` values are kept from value `begin` on; those of the level are from `offset` on.
fn keep(at: Location, halved: u32, part: u32, number: i32, offset: u32, begin: i32, width: u32, new_value: Lane) {
    let behind = number - (at.size >> halved);
    if behind >= begin && (WRAPS || at.number + 1u < launch.units) {
        output[kept(at.line, at.number, offset + part * width + u32(behind - begin))] = new_value;
    }
    if number < begin + i32(width) && (WRAPS || at.number > 0u) {
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
