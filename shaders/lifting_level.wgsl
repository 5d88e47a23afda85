// One level of a wavelet transform of an image by lifting, along columns and along rows, in one launch and without barriers.
//
// A thread takes four adjacent columns of ITEM rows, and reads SIDE more rows above and below. It takes the steps along the
// columns in registers. Then LANES threads of a row take the steps along the row together: a step needs values just past the four
// columns, which a neighbour holds and sends by a shuffle, for all rows at once.
// The first and the last thread of a row only read: their four columns are the halo of the others.
// Steps along columns commute with steps along rows: as matrices, (1 ⊗ A)·(B ⊗ 1) = (B ⊗ 1)·(1 ⊗ A). So the inverse is the same
// with the inverse steps. Only loading and storing differ, in level_analysis.wgsl and level_synthesis.wgsl.
//
// Bytes: every sample counts once. A thread reads SIDE + ITEM + SIDE rows; the caches give all but ITEM of them, since threads
// above one another share a workgroup. Nothing waits at a barrier, so some threads compute while others load: a level of 2048²
// takes 1.2 copies (NVIDIA H200), where a tile in workgroup memory took 1.4.
//
// Where subgroups have no one size, neighbours exchange values through workgroup memory.
//
// Most images are REGULAR: a row is whole vectors of four. Then nothing past the ends of a mirrored row is ever read: at every
// step the same thread holds the value on the other side of the end. Other images look such samples up one by one.
//
// `boundary.wgsl`, `bands.wgsl` and one of the two stand before this text. src/gpu/lifting/image/level.rs writes the steps in
// place of the last comments, and sets LANES, ITEM, SIDE, the rows and columns of a tile and THREADS.

// The lane of coefficient `row` of its half of the columns and `column` of its half of the rows.
fn coefficient_lane(row: i32, column: i32, high_y: bool, high_x: bool) -> u32 {
    if high_y || high_x {
        return band_lane(0u, row, column, high_y, high_x);
    }
    return launch.low + u32(row) * launch.low_row + u32(column);
}

// The first of four columns near x inside a regular image.
fn column_near(x: i32) -> i32 {
    let n = columns_of(0u);
    let inside = select(x, select(select(x, x - n, x >= n), x + n, x < 0), WRAPS);
    return clamp(inside, 0, n - 4);
}

// Four columns, of which some may be past an end.
fn found(y: i32, x: i32) -> vec4<Lane> {
    let row = near(y, rows_of(0u));
    if x >= 0 && x + 4 <= columns_of(0u) {
        return loaded(row, x);
    }
    var values: vec4<Lane>;
    for (var k = 0; k < 4; k++) {
        values[k] = single(row, near(x + k, columns_of(0u)));
    }
    return values;
}

@compute @workgroup_size(THREADS)
fn lifting(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, //@ thread
) {
    let tile = group.x + group.y * groups.x;
    if tile >= launch.n_groups {
        return;
    }
    //@ lane
    let y = i32(tile / launch.across) * ROWS + ITEM * i32(thread / LANES);
    let x = i32(tile % launch.across) * COLUMNS + 4 * (i32(lane) - 1);
    let has_rows = y >= SIDE && y + ITEM + SIDE <= rows_of(0u);
    //@ level
}
