// An image of `rows` × `columns` lanes becomes one of `columns` × `rows`.
//
// Bytes: every lane is read once and written once, 16 bytes a complex lane in single precision.
// A workgroup moves a square, by default of 32 × 32. Its 32 × 8 threads read four runs of 32 neighbouring lanes of a row (of complex ones in single
// precision 256 bytes), meet, and write four runs of 32 neighbouring lanes of a row of the result; the turn happens in workgroup memory.
// There a column of the square has the pitch 33, not 32, so that its lanes fall into different banks.

//@ include "numbers.wgsl"
//@ include lane

struct Launch {
    rows: u32,
    columns: u32,
    // Squares side by side.
    n_across: u32,
}

const SIDE = ⟨side⟩u;
const PITCH = ⟨pitch⟩u;
const STRIP = 256u / SIDE;

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> square: array<Lane, SIDE * PITCH>;

@compute @workgroup_size(256)
fn transposed(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = group.x + group.y * groups.x;
    let top = index / launch.n_across * SIDE;
    let left = index % launch.n_across * SIDE;
    let x = thread % SIDE;
    let y = thread / SIDE;
    for (var strip = y; strip < SIDE; strip += STRIP) {
        if top + strip < launch.rows && left + x < launch.columns {
            square[strip * PITCH + x] = input[(top + strip) * launch.columns + left + x];
        }
    }
    workgroupBarrier();
    for (var strip = y; strip < SIDE; strip += STRIP) {
        if left + strip < launch.columns && top + x < launch.rows {
            output[(left + strip) * launch.rows + top + x] = square[x * PITCH + strip];
        }
    }
}
