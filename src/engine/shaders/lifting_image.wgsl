// Some levels of a wavelet transform of an image by lifting, along rows and along columns, in one launch of overlapped tiles.
//
// A workgroup takes a tile of ROWS × COLUMNS samples and the halo that its levels need. Forward, a thread takes four adjacent
// columns of eight rows, of four above and of four below. It takes the steps along the columns in registers, and leaves four rows
// of low and four of high coefficients in workgroup memory. Then it takes eight neighbouring samples of a row there and four on
// either side, takes the steps along the row, and stores the results of all four bands. The values that are low-pass along both
// axes wait in workgroup memory for the next level. Steps along columns commute with steps along rows: as matrices, (1 ⊗ A)·(B ⊗
// 1) = (B ⊗ 1)·(1 ⊗ A). In the inverse the coarsest level comes first, and rows before columns.
//
// Bytes: every sample is read once by its own tile and once more by each tile that has it in its halo; every result is written
// once. Neighbouring threads read and write neighbouring vectors of 16 bytes. In workgroup memory the even vectors of a row are
// before the odd ones, so that no banks collide where every other one is read.
//
// At every level `near` gives the boundary extension of rows and columns.

//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
//@ include "vectors.wgsl"
//@ include "bands.wgsl"
const ROWS = ⟨rows⟩;
const COLUMNS = ⟨columns⟩;
const REACH = ⟨reach⟩;
// Whether a tile is the whole image.
const WHOLE = ⟨whole⟩;
const THREADS = ⟨threads⟩u;

// The results of the first pass of a level, and the values that are low-pass along both axes between two levels.
var<workgroup> held: array<vec4<Lane>, ⟨held⟩>;
var<workgroup> kept: array<vec4<Lane>, ⟨kept⟩>;

struct Tile {
    // The first row and column at the finest level.
    y: i32,
    x: i32,
    // Whether the tile reads past an end, or would write there.
    at_end: bool,
}

// Items of eight samples that all n samples fill.
fn items_of(n: i32) -> u32 {
    return u32((n + 7) / 8);
}

// Where a tile has a sample of a line of n_line, or its boundary extension; the tile has n samples from `start` on.
fn inside_tile(sample: i32, n_line: i32, start: i32, n: i32) -> u32 {
    return u32(clamp(near(sample, n_line) - start, 0, n - 1));
}

//@ for array in ([] if inverse else [source, "kept"])
// The values of four lanes.
fn four_of_⟨array⟩(lanes: vec4u) -> vec4<Lane> {
    let vectors = lanes >> vec4u(2u);
    let parts = lanes & vec4u(3u);
    return vec4<Lane>(⟨array⟩[vectors.x][parts.x], ⟨array⟩[vectors.y][parts.y], ⟨array⟩[vectors.z][parts.z], ⟨array⟩[vectors.w][parts.w]);
}

//@ endfor
// Stores four coefficients, neighbours along x, as far as the band has them; `aligned` says whether they begin at a multiple of 16 bytes.
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

// Stores four neighbouring samples of a row, as far as the n_y rows of n_x samples have them, in rows of lanes from `base` on.
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
fn lifting_image(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let y = i32(mine / launch.across) * ROWS;
    let x = i32(mine % launch.across) * COLUMNS;
    let at_end = WHOLE || y < REACH || x < REACH || y + ROWS + REACH > i32(launch.rows) || x + COLUMNS + REACH > i32(launch.columns);
    let tile = Tile(y, x, at_end);
    //@ include "lifting_image_inverse.wgsl" if inverse else "lifting_image_forward.wgsl"
}
