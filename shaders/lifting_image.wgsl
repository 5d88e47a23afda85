// Some levels of a wavelet transform of a picture by lifting, along rows and along columns, in one launch of overlapped tiles.
//
// A workgroup takes a tile of ROWS × COLUMNS samples and as many around it as its levels reach. Forward a thread takes four
// neighbouring columns of eight rows, of four above and of four below, takes the steps along the columns in variables of its
// own, and leaves four rows of low and four of high coefficients in workgroup memory. Then it takes eight neighbouring samples
// of a row there and four on either side, takes the steps along the row, and stores the results, which are in all four bands
// then; what is low-pass along both axes waits in workgroup memory for the next level. Steps along columns and steps along rows
// may change places: as matrices, (1 ⊗ A)·(B ⊗ 1) = (B ⊗ 1)·(1 ⊗ A). Back, the coarsest level comes first, and rows before columns.
//
// Bytes: every sample is read once by its own tile and once more where it is around another one, and every result written
// once. Neighbouring threads read and write neighbouring vectors of 16 bytes. In workgroup memory the vectors of a row with even
// numbers stand before those with odd ones, so that no banks collide where every other one is read.
//
// Past the ends of rows and columns stands what `folded` says, at every level anew.
//
// `ends.wgsl`, `vectors.wgsl` and `bands.wgsl` stand before this text. src/gpu/lifting/picture/ writes the levels of one shape in place of the last comment, and sets the constants.

// What the first pass of a level leaves to the second one, and what is low-pass along both axes between two levels.
var<workgroup> held: array<vec4<Lane>, HELD>;
var<workgroup> kept: array<vec4<Lane>, KEPT>;

struct Tile {
    // The first row and column at the finest level.
    y: i32,
    x: i32,
    // Whether something past an end is read or would be written.
    at_end: bool,
}

// Items of eight samples that all n samples fill.
fn items_of(n: i32) -> u32 {
    return u32((n + 7) / 8);
}

// Stores those of four coefficients, neighbours along x, that there are; `aligned` says whether they begin at a multiple of 16 bytes.
fn store_band(tile: Tile, level: u32, y: i32, x: i32, high_y: bool, high_x: bool, aligned: bool, values: vec4<Lane>) {
    let n = half_of(columns_of(level), high_x);
    if tile.at_end && y >= half_of(rows_of(level), high_y) {
        return;
    }
    if aligned && (!tile.at_end || x + 4 <= n) {
        output[band_lane(level, y, x, high_y, high_x) >> 2u] = values;
        return;
    }
    for (var k = 0; k < 4; k++) {
        if x + k < n {
            store(band_lane(level, y, x + k, high_y, high_x), values[k]);
        }
    }
}

// Stores those of four neighbouring samples of a row of n_x, of n_y rows, that there are, in rows of lanes from `base` on.
fn store_row(tile: Tile, base: u32, row: u32, y: i32, x: i32, n_y: i32, n_x: i32, aligned: bool, values: vec4<Lane>) {
    if tile.at_end && y >= n_y {
        return;
    }
    let lane = base + u32(y) * row + u32(x);
    if aligned && (!tile.at_end || x + 4 <= n_x) {
        output[lane >> 2u] = values;
        return;
    }
    for (var k = 0; k < 4; k++) {
        if x + k < n_x {
            store(lane + u32(k), values[k]);
        }
    }
}

@compute @workgroup_size(THREADS)
fn lifting(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let y = i32(mine / launch.across) * ROWS;
    let x = i32(mine % launch.across) * COLUMNS;
    let at_end = WHOLE || y < REACH || x < REACH || y + ROWS + REACH > i32(launch.rows) || x + COLUMNS + REACH > i32(launch.columns);
    let tile = Tile(y, x, at_end);
    //@ levels
}
