// A whole Fourier transform of every row of POINTS complex lanes, 2 to 4096, by Stockham's stages;
// 8192 where the adapter has 512 threads and 36 KiB for a workgroup.
//
// Bytes: every lane is read once and written once, 16 bytes a lane; the roots stay in the cache.
// Who touches what: a row belongs to PER_ROW threads, each with up to 16 lanes in variables of its own; a workgroup has
// ROWS_PER_GROUP rows. Thread t of a row holds the lanes t, t + PER_ROW, t + 2·PER_ROW, … before every stage, whatever its
// radix: so neighbouring threads load and store neighbouring lanes, and the taps of a butterfly of radix r (POINTS/r lanes
// apart) stand in variables of one thread, and its results as well.
//
// Between stages the results move to the threads that need them, through workgroup memory: first all real parts, then all
// imaginary parts, in the same place, which halves the memory and so doubles the workgroups that run side by side.
// Place i stands at i + i/16, so that threads 16 places apart do not meet in one bank.
// After the last stage the results stand where the thread wants to store them: no exchange.
//
// The stages are unrolled by src/gpu/fft.rs, which writes them in place of the last comment below;
// it sets POINTS, PER_ROW, ROWS_PER_GROUP, SCALE (1/N after an inverse) and SIGN before `butterflies.wgsl`.

struct Launch {
    n_rows: u32,
    // Where the powers 0..POINTS of the root of order POINTS begin.
    roots: u32,
}

const N_PLACES = ROWS_PER_GROUP * POINTS;

@group(0) @binding(0) var<storage, read> before: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> after: array<vec2f>;
@group(0) @binding(4) var<storage, read> roots: array<vec2f>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> part: array<f32, N_PLACES + N_PLACES / 16u + 1u>;

fn padded(place: u32) -> u32 {
    return place + (place >> 4u);
}

@compute @workgroup_size(PER_ROW * ROWS_PER_GROUP)
fn fft(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let t = thread % PER_ROW;
    let row_here = thread / PER_ROW;
    let row = (group.x + group.y * groups.x) * ROWS_PER_GROUP + row_here;
    let live = row < launch.n_rows;
    let at = row * POINTS + t;
    let home = row_here * POINTS;
    //@ stages
}
