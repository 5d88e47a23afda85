// Several levels of a wavelet transform by lifting in one launch, in overlapped tiles: halos are computed twice, so that no
// workgroup waits for another.
//
// A workgroup takes a tile of a line. An item is eight neighbouring samples of a level, and a thread takes some items: it reads
// the eight samples and four on either side, takes all steps of the level in registers, and has four low and four high
// coefficients. High ones go straight to where they stay, the coarsest first. Low ones wait in workgroup memory for the next
// level, which has half the items. At each level but the last, some items on either side of the tile, its halo, are
// computed only for the levels after it. So every sample is read once, or twice near borders of tiles, and every result is
// written once, however many levels the launch has.
//
// In the inverse the coarsest level comes first, and an item makes eight samples of four low and four high coefficients and of
// some around them.
//
// Bytes: vectors of 16, neighbouring threads on neighbouring vectors; an item's samples come from the first level cache for its
// neighbours.
//
// At every level `folded` gives the boundary extension: tiles at an end fill in low coefficients past it.

//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
//@ include "vectors.wgsl"
const TILE = ⟨tile⟩;
const REACH = ⟨reach⟩;
const THREADS = ⟨threads⟩u;

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
var<workgroup> area0: array<vec4<Lane>, ⟨areas[0]⟩>;
var<workgroup> area1: array<vec4<Lane>, ⟨areas[1]⟩>;

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
    //@ if rotation > 0
    // They are ⟨rotation⟩ lane before their index, around the level.
    let n_high = max(halved(level) - n_low, 1);
    let place = select(index - ⟨rotation⟩, index - ⟨rotation⟩ + n_high, index < ⟨rotation⟩);
    //@ else
    let place = index;
    //@ endif
    return tile.line * launch.high_pitch + u32(n_low + place);
}

// Stores four high coefficients from index `index` of their level on, as far as the line has them.
// `aligned` says whether those of the level begin at a multiple of 16 bytes.
fn store_high(tile: Tile, level: u32, index: i32, aligned: bool, high: vec4<Lane>) {
    let n_high = halved(level) - halved(level + 1u);
    if aligned && index + 4 <= n_high {
        output[high_lane(tile, level, index) >> 2u] = high;
        return;
    }
    for (var k = 0; k < 4; k++) {
        if index + k < n_high {
            store(high_lane(tile, level, index + k), high[k]);
        }
    }
}

// Stores four of n values from index `index` on, as far as the line has them: samples of the finest level, or low coefficients.
fn store_four(base: u32, index: i32, n: i32, aligned: bool, values: vec4<Lane>) {
    if aligned && index + 4 <= n {
        output[(base + u32(index)) >> 2u] = values;
        return;
    }
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
    //@ include "lifting_inverse.wgsl" if inverse else "lifting_forward.wgsl"
}

//@ for level in levels if level.number > 0
// Puts what is past the ends of the line around the low coefficients that wait for level ⟨level.number⟩, or that it leaves.
fn fill⟨level.number⟩(tile: Tile, thread: u32) {
    let n = halved(⟨level.number⟩u);
    //@ set wide = 4 * ([level.before, 2]|max)
    //@ set area = "area" ~ ((level.number + (0 if inverse else 1)) % 2)
    let origin = (tile.start >> ⟨level.number⟩u) - ⟨4 * level.before⟩;
    for (var q = i32(thread); q < ⟨2 * wide⟩; q += i32(THREADS)) {
        let place = select(n + q - ⟨wide⟩, q - ⟨wide⟩, q < ⟨wide⟩);
        //@ if inverse
        let other = (folded(2 * place, halved(⟨level.number - 1⟩u)) >> 1u) - origin;
        //@ else
        let other = folded(place, n) - origin;
        //@ endif
        let to = place - origin;
        if to >= 0 && to < ⟨4 * level.vectors⟩ && other >= 0 && other < ⟨4 * level.vectors⟩ {
            ⟨area⟩[to >> 2u][to & 3] = ⟨area⟩[other >> 2u][other & 3];
        }
    }
}

//@ endfor
