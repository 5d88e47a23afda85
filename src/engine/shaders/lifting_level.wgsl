// One level of a wavelet transform of an image by lifting, along columns and along rows, in one launch and without barriers.
//
// A thread takes four adjacent columns of ITEM rows, and reads SIDE more rows above and below. It takes the steps along the
// columns in registers. Then LANES threads of a row take the steps along the row together: a step needs values just past the four
// columns, which a neighbour holds and sends by a shuffle, for all rows at once.
// The first and the last thread of a row only read: their four columns are the halo of the others.
// Steps along columns commute with steps along rows: as matrices, (1 ⊗ A)·(B ⊗ 1) = (B ⊗ 1)·(1 ⊗ A). So the inverse is the same
// with the inverse steps. Only loading and storing differ.
//
// Bytes: every sample counts once. A thread reads SIDE + ITEM + SIDE rows; the caches give all but ITEM of them, since threads
// above one another share a workgroup. Nothing waits at a barrier, so some threads compute while others load: a level of 2048²
// takes 1.2 copies (NVIDIA H200), where a tile in workgroup memory took 1.4.
//
// Where subgroups have no one size, neighbours exchange values through workgroup memory.
//
// Most images are REGULAR: a row is whole vectors of four. Then nothing past the ends of a mirrored row is ever read: at every
// step the same thread holds the value on the other side of the end. Other images look such samples up one by one.

//@ from "lifting_steps.wgsl" import take_steps
//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
//@ include "bands.wgsl"
// Rows of a thread, and those above and below that it reads too.
const ITEM = ⟨item⟩;
const SIDE = ⟨side⟩;
// Threads of a row, and of a workgroup; and rows and columns of a tile.
const LANES = ⟨lanes⟩u;
const THREADS = ⟨threads⟩u;
const ROWS = ⟨rows⟩;
const COLUMNS = ⟨columns⟩;
// Whether these are in the buffer that is written.
const FINE_IN_OUTPUT = ⟨fine_in_output⟩;
const LOW_IN_OUTPUT = ⟨low_in_output⟩;
// Whether rows of samples begin at multiples of four lanes, and rows of bands at multiples of two: of what is low-pass along both
// axes, of the band that is low-pass along x, and of those that are high-pass.
const FINE_ALIGNED = ⟨fine_aligned⟩;
const LOW_ALIGNED = ⟨low_aligned⟩;
const BAND_ALIGNED = ⟨high_aligned[0]⟩;
const HIGH_ALIGNED = ⟨high_aligned[1]⟩;
const REGULAR = ⟨regular⟩;
//@ if not subgroups

var<workgroup> exchanged: array<vec4<Lane>, THREADS>;
//@ endif
//@ include "level_synthesis.wgsl" if inverse else "level_analysis.wgsl"

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
fn lifting_level(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    //@ if subgroups
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    //@ else
    @builtin(local_invocation_index) thread: u32,
    //@ endif
) {
    let tile = group.x + group.y * groups.x;
    if tile >= launch.n_groups {
        return;
    }
    //@ if subgroups
    let thread = subgroup * LANES + lane;
    //@ else
    let lane = thread % LANES;
    //@ endif
    let y = i32(tile / launch.across) * ROWS + ITEM * i32(thread / LANES);
    let x = i32(tile % launch.across) * COLUMNS + 4 * (i32(lane) - 1);
    let has_rows = y >= SIDE && y + ITEM + SIDE <= rows_of(0u);

    // The four columns of row y - SIDE, of the next one, and so on.
    //@ set registers = item + 2 * side
    //@ for r in range(registers)
    var x⟨r⟩: vec4<Lane>;
    //@ endfor
    //@ set inside = "column_near(x)" if regular else "x"
    if has_rows⟨"" if regular else " && x >= 0 && x + 4 <= columns_of(0u)"⟩ {
        //@ for r in range(registers)
        x⟨r⟩ = loaded(y + ⟨r - side⟩, ⟨inside⟩);
        //@ endfor
    } else {
        //@ for r in range(registers)
        x⟨r⟩ = ⟨"loaded(near(y + " ~ (r - side) ~ ", rows_of(0u)), column_near(x))" if regular else "found(y + " ~ (r - side) ~ ", x)"⟩;
        //@ endfor
    }
⟨take_steps(steps_y, "vec4<Lane>")⟩

    // Each of c4 to c7 holds a column of the thread's rows; c3 and c8 are the columns beside them, which neighbours hold.
    //@ for part in ["x", "y", "z", "w"]
    var c⟨4 + loop.index0⟩ = vec4<Lane>(x4.⟨part⟩, x5.⟨part⟩, x6.⟨part⟩, x7.⟨part⟩);
    //@ endfor
    //@ for step in steps_x
    {
        //@ for k in step.beyond
        //@ set mine = "c" ~ (4 + k % 4)
        //@ if subgroups
        let beside⟨k⟩ = subgroupShuffle⟨"Up" if k < 4 else "Down"⟩(⟨mine⟩, 1u);
        //@ else
        workgroupBarrier();
        exchanged[thread] = ⟨mine⟩;
        workgroupBarrier();
        let beside⟨k⟩ = exchanged[⟨"max(thread, 1u) - 1u" if k < 4 else "min(thread + 1u, THREADS - 1u)"⟩];
        //@ endif
        //@ if regular and not wraps
        let c⟨k⟩ = select(beside⟨k⟩, ⟨"c" ~ (8 - k) ~ ", x == 0" if k < 4 else "c" ~ (14 - k) ~ ", x + 4 == columns_of(0u)"⟩);
        //@ else
        let c⟨k⟩ = beside⟨k⟩;
        //@ endif
        //@ endfor
⟨take_steps([step.step], "vec4<Lane>", "c")⟩
    }
    //@ endfor
    if lane > 0u && lane + 1u < LANES {
        //@ for part in ["x", "y", "z", "w"]
        store(y + ⟨loop.index0⟩, x, vec4<Lane>(c4.⟨part⟩, c5.⟨part⟩, c6.⟨part⟩, c7.⟨part⟩));
        //@ endfor
    }
}
