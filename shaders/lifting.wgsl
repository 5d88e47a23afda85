// Several levels of a wavelet transform by lifting in one launch, in overlapped tiles: halos are computed twice, so that no
// workgroup waits for another.
//
// A workgroup takes a tile of a line. An item is eight neighbouring samples of a level, and a thread takes some items: it reads
// the eight samples and four on either side, takes all steps of the level in registers, and has four low and four high
// coefficients. High ones go straight to where they stay, the coarsest first. Low ones wait in workgroup memory for the next
// level, where half as many items take them. At each level but the last, HALO items on either side of the tile are computed only
// for the levels after it. So every sample is read once, or twice near borders of tiles, and every result is written once,
// however many levels the launch has.
//
// In the inverse the coarsest level comes first, and an item makes eight samples of four low and four high coefficients and of
// some around them.
//
// Bytes: vectors of 16, neighbouring threads on neighbouring vectors; an item's samples come from the first level cache for its
// neighbours.
//
// At every level `folded` gives the boundary extension: tiles at an end fill in low coefficients past it.
//
// `boundary.wgsl` and `vectors.wgsl` stand before this text. src/gpu/lifting/text.rs writes the levels of one shape in place of
// the last comment, and sets the constants.

struct Launch {
    n_groups: u32,
    // Tiles of a line, and samples of a line at the finest level of the launch.
    tiles: u32,
    samples: u32,
    // The first lane of the samples of the finest level, and lanes from one line to the next.
    fine: u32,
    fine_pitch: u32,
    // The same for the low coefficients of the coarsest level.
    low: u32,
    low_pitch: u32,
    // The same, from one line to the next, for the high coefficients.
    high_pitch: u32,
}

// Two areas, used alternately, so that no thread overwrites what another one still reads.
var<workgroup> first_area: array<vec4<Lane>, FIRST_AREA>;
var<workgroup> second_area: array<vec4<Lane>, SECOND_AREA>;

struct Tile {
    line: u32,
    // The first sample of the tile at the finest level.
    start: i32,
    // Whether the tile reads past an end of the line.
    at_end: bool,
}

// Samples of the line after `level` halvings.
fn halved(level: u32) -> i32 {
    return i32((launch.samples + (1u << level) - 1u) >> level);
}

// The lane of a high coefficient of a level.
fn high_lane(tile: Tile, level: u32, index: i32) -> u32 {
    let n_low = halved(level + 1u);
    let n_high = max(halved(level) - n_low, 1);
    // ROTATION is 0 or 1.
    let rotated = index - ROTATION;
    return tile.line * launch.high_pitch + u32(n_low + select(rotated, rotated + n_high, rotated < 0));
}

// Stores four high coefficients from index `index` of their level on, as far as the line has them.
fn store_high(tile: Tile, level: u32, index: i32, high: vec4<Lane>) {
    let n_high = halved(level) - halved(level + 1u);
    for (var k = 0; k < 4; k++) {
        if index + k < n_high {
            store(high_lane(tile, level, index + k), high[k]);
        }
    }
}

// Stores four samples of the finest level, or low coefficients of the coarsest, as far as the line has them.
fn store_some(base: u32, index: i32, n: i32, values: vec4<Lane>) {
    for (var k = 0; k < 4; k++) {
        if index + k < n {
            store(base + u32(index + k), values[k]);
        }
    }
}

@compute @workgroup_size(THREADS)
fn lifting(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let start = i32(mine % launch.tiles) * TILE;
    let at_end = start < REACH || start + TILE + REACH > i32(launch.samples);
    let tile = Tile(mine / launch.tiles, start, at_end);
    //@ levels
}
