{# The samples of a unit: where they stand, and which of them a section takes. #}
// A unit: its line, and its first sample, which is negative around a border at the beginning of a line.
struct Location {
    line: u32,
    first: i32,
    exists: bool,
}

fn location(group: u32, unit: u32) -> Location {
    let mine = unit_at(group, unit);
    if MERGES {
        // The beginning of a periodic line is a border too.
        return Location(mine.line, (i32(mine.number) + select(1, 0, WRAPS)) * TILE - i32(SAMPLES) / 2, mine.exists);
    }
    return Location(mine.line, i32(mine.number) * TILE, mine.exists);
}

fn lane(at: Location, sample: i32) -> u32 {
    let inside = (sample + launch.samples) % launch.samples;
    return at.line % launch.lines * launch.line_pitch + at.line / launch.lines * launch.outer_pitch + u32(inside) * launch.spacing + launch.first_lane;
}

// Whether the line has the sample; a border of a periodic line has every one.
fn has(sample: i32) -> bool {
    return sample >= 0 && sample < launch.samples || WRAPS && MERGES;
}

fn slot(unit: u32, inside: i32) -> u32 {
    if ACROSS {
        return u32(inside) * UNITS + unit;
    }
    // A copy of the sample before the tile precedes it.
    let copied = select(0u, 1u, COPIES);
    return unit * (SAMPLES + copied) + u32(inside + i32(copied));
}

// Number of samples of a level: the even ones of the level before, or the odd ones.
fn halved(level: u32) -> i32 {
    return (launch.samples + select((1 << level) - 1, 0, ODD)) >> level;
}

// Sample p of a level, counted in samples of the first one.
fn of_first_level(level: u32, p: i32) -> i32 {
    let odd = select(0, 1, ODD);
    return ((p + odd) << level) - odd;
}

fn value(at: Location, unit: u32, level: u32, p: i32) -> Lane {
    // Eliminations read zero past the ends.
    if ODD && (p < 0 || p >= halved(level)) {
        return Lane(NOTHING);
    }
    // Around a border of a periodic line samples are counted on past the end.
    let sample = of_first_level(level, select(folded(p, halved(level)), p, WRAPS && MERGES));
    if IN_GLOBAL {
        return output[lane(at, sample)];
    }
    return held[slot(unit, sample - at.first)];
}

fn put(at: Location, unit: u32, level: u32, p: i32, new_value: Lane) {
    if IN_GLOBAL {
        output[lane(at, of_first_level(level, p))] = new_value;
    } else {
        held[slot(unit, of_first_level(level, p) - at.first)] = new_value;
    }
}

// Whether sample p of a level is this section's.
fn is_mine(at: Location, level: u32, p: i32, last_before: i32, first_after: i32) -> bool {
    if !at.exists || !has(of_first_level(level, p)) {
        return false;
    }
    if MERGES {
        let border = (at.first + i32(SAMPLES) / 2) >> level;
        return p - border > last_before && p - border < first_after;
    }
    return is_alone(p, level, at.first, TILE, launch.samples, last_before, first_after);
}

