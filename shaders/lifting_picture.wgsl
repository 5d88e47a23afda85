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
// `ends.wgsl` and `vectors.wgsl` stand before this text. src/gpu/lifting/picture/ writes the levels of one shape in place of the last comment, and sets the constants.

struct Launch {
    n_groups: u32,
    // Tiles of a row of tiles.
    across: u32,
    // Rows and columns of what the finest level halves.
    rows: u32,
    columns: u32,
    // Where its samples stand, and lanes from one row to the next.
    fine: u32,
    fine_row: u32,
    // The same of what is low-pass along both axes after the coarsest level.
    low: u32,
    low_row: u32,
    // Lanes of a row of the other bands.
    high_row: u32,
}

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

// Samples that are left of n after so many halvings.
fn halved(n: u32, level: u32) -> i32 {
    return i32((n + (1u << level) - 1u) >> level);
}

fn rows_of(level: u32) -> i32 {
    return halved(launch.rows, level);
}

fn columns_of(level: u32) -> i32 {
    return halved(launch.columns, level);
}

// Items of eight samples that all n samples fill.
fn items_of(n: i32) -> u32 {
    return u32((n + 7) / 8);
}

// The sample of n that stands for one past the ends; remainders are slow, and where there are enough samples none is needed.
// What is so far away that no result needs it becomes some sample, an even one if it is even.
fn near(sample: i32, n: i32) -> i32 {
    if !NEAR {
        return folded(sample, n);
    }
    if WRAPS {
        let inside = select(select(sample, sample - n, sample >= n), sample + n, sample < 0);
        return select(inside & 1, inside, inside >= 0 && inside < n);
    }
    let right = abs(sample);
    return max(min(right, 2 * (n - 1) - right), right & 1);
}

// How many coefficients of a half there are of n samples.
fn half_of(n: i32, high: bool) -> i32 {
    return select((n + 1) / 2, n / 2, high);
}

// Where the coefficient stands that is number y of its half of the columns of a level and x of its half of the rows; not for those that are low-pass along both axes.
fn band_lane(level: u32, y: i32, x: i32, high_y: bool, high_x: bool) -> u32 {
    let low_rows = rows_of(level + 1u);
    let low_columns = columns_of(level + 1u);
    let row = turned(y, rows_of(level) - low_rows, high_y) + select(0, low_rows, high_y);
    let column = turned(x, columns_of(level) - low_columns, high_x) + select(0, low_columns, high_x);
    return u32(row) * launch.high_row + u32(column);
}

// High coefficients stand TURN places before their number, around their band.
fn turned(place: i32, n: i32, high: bool) -> i32 {
    if !high || TURN == 0 {
        return place;
    }
    // TURN is 0 or 1.
    return select(place - TURN, place - TURN + n, place < TURN);
}

// Stores those of four coefficients, neighbours along x, that there are; `aligned` says whether they begin at a multiple of 16 bytes.
fn store_band(tile: Tile, level: u32, y: i32, x: i32, high_y: bool, high_x: bool, aligned: bool, values: vec4<Lane>) {
    let n = half_of(columns_of(level), high_x);
    if tile.at_end && y >= half_of(rows_of(level), high_y) {
        return;
    }
    if aligned && (!tile.at_end || x + 4 <= n) {
        after[band_lane(level, y, x, high_y, high_x) >> 2u] = values;
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
        after[lane >> 2u] = values;
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
