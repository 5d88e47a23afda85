// One level of a wavelet transform of a picture by lifting, along columns and along rows, in one launch and without waiting.
//
// A thread takes four neighbouring columns of ITEM rows and reads SIDE rows more above and below. It takes the steps along the
// columns in variables of its own, and then the steps along the rows with its neighbours, LANES threads a row: a step asks for
// what stands just past the four columns, which a neighbour holds and hands over by a shuffle, for all rows at once.
// The first and the last thread of a row of threads read four columns for the sake of the others and store nothing.
// Steps along columns and steps along rows may change places: as matrices, (1 ⊗ A)·(B ⊗ 1) = (B ⊗ 1)·(1 ⊗ A). So the way back is
// the same with the inverse steps, and only what is loaded and stored differs: level_analysis.wgsl and level_synthesis.wgsl say how.
//
// Bytes: every sample counts once; a thread reads SIDE + ITEM + SIDE rows, of which all but ITEM come from the caches, since
// threads that stand above one another share a workgroup. Nothing waits at a barrier, so that while some compute others load:
// a level of 2048² takes 1.2 copies (NVIDIA H200), where a tile in workgroup memory took 1.4.
//
// Where subgroups have no one size, neighbours hand over through workgroup memory.
//
// Most pictures are REGULAR: a row is whole vectors of four. Then what is past the ends of a mirrored row never has to be read: at
// every step it is what the same thread holds on the other side of the end. Of others it is looked up sample by sample.
//
// `ends.wgsl`, `bands.wgsl` and one of the two stand before this text. src/gpu/lifting/picture/level.rs writes the steps in place of the last
// comments, and sets LANES, ITEM, SIDE, the rows and columns of a tile and THREADS.

// Where the coefficient stands that is number `row` of its half of the columns and `column` of its half of the rows.
fn coefficient_lane(row: i32, column: i32, high_y: bool, high_x: bool) -> u32 {
    if high_y || high_x {
        return band_lane(0u, row, column, high_y, high_x);
    }
    return launch.low + u32(row) * launch.low_row + u32(column);
}

// Four columns near x that there are, of a regular picture.
fn column_near(x: i32) -> i32 {
    let n = columns_of(0u);
    let inside = select(x, select(select(x, x - n, x >= n), x + n, x < 0), WRAPS);
    return clamp(inside, 0, n - 4);
}

// What is loaded of four columns of which some may be past an end.
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
