// One level of a wavelet transform of a picture by lifting, along rows and along columns, in one launch of overlapped tiles.
//
// A workgroup takes a tile of ROWS × COLUMNS samples and four rows and columns around it. Forward a thread takes eight
// neighbouring samples of a row and four on either side, takes the steps along the row in variables of its own, and leaves
// four low and four high coefficients in workgroup memory. Then it takes eight neighbouring samples of a column there, four
// above and four below, takes the steps along the column, and stores the results, which are in all four bands then.
// Back, columns come first and rows second.
//
// Bytes: every sample is read once by its own tile and once more where it is around another one, and every result written
// once. Neighbouring threads read and write neighbours.
//
// Past the ends of rows and columns stands what `folded` says.
//
// `ends.wgsl` and `vectors.wgsl` stand before this text. src/gpu/lifting/picture/text.rs writes the steps of one shape in place of the last comment, and sets the constants.

struct Launch {
    n_groups: u32,
    // Tiles of a row of tiles.
    across: u32,
    // Rows and columns of what this level halves.
    rows: u32,
    columns: u32,
    // Where its samples stand, and lanes from one row to the next.
    fine: u32,
    fine_row: u32,
    // The same of what is low-pass along both axes.
    low: u32,
    low_row: u32,
    // Lanes of a row of the other three bands.
    high_row: u32,
}

var<workgroup> held: array<vec4<Lane>, HELD>;

struct Tile {
    // The first row and column.
    y: i32,
    x: i32,
    // Whether something past an end is read or would be written.
    at_end: bool,
}

// Where the coefficient stands that is number y of its half of the columns and x of its half of the rows.
fn band_lane(y: i32, x: i32, high_y: bool, high_x: bool) -> u32 {
    if !high_y && !high_x {
        return launch.low + u32(y) * launch.low_row + u32(x);
    }
    let low_rows = i32(launch.rows + 1u) / 2;
    let low_columns = i32(launch.columns + 1u) / 2;
    let row = turned(y, i32(launch.rows) - low_rows, high_y) + select(0, low_rows, high_y);
    let column = turned(x, i32(launch.columns) - low_columns, high_x) + select(0, low_columns, high_x);
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

// How many coefficients of a half there are of n samples.
fn half_of(n: u32, high: bool) -> i32 {
    return i32(select((n + 1u) / 2u, n / 2u, high));
}

// Stores a coefficient, if there is one.
fn store_band(tile: Tile, y: i32, x: i32, high_y: bool, high_x: bool, value: Lane) {
    if !tile.at_end || (y < half_of(launch.rows, high_y) && x < half_of(launch.columns, high_x)) {
        store(band_lane(y, x, high_y, high_x), value);
    }
}

// Stores those of four neighbouring samples of a row that there are.
fn store_fine(y: i32, x: i32, values: vec4<Lane>) {
    for (var k = 0; k < 4; k++) {
        if y < i32(launch.rows) && x + k < i32(launch.columns) {
            store(launch.fine + u32(y) * launch.fine_row + u32(x + k), values[k]);
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
    let at_end = y < REACH || x < REACH || y + ROWS + REACH > i32(launch.rows) || x + COLUMNS + REACH > i32(launch.columns);
    let tile = Tile(y, x, at_end);
    //@ steps
}
