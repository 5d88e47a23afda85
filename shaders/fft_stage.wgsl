// One Stockham stage of rows too long for a tile: radix RADIX, any power of two of lanes.
//
// Bytes: every lane is read once and written once, 16 bytes a lane.
// Who touches what: thread i computes butterfly i of all rows. Its taps stand a RADIX-th of a row apart, so that neighbouring
// threads load neighbouring lanes. Its results stand `span` lanes apart; where the span is short (the first stages), the
// workgroup's results are one run of 256·RADIX lanes all the same, and they are gathered in workgroup memory, real parts
// first and imaginary parts after them in the same place, and stored side by side.
//
// src/gpu/fft.rs sets RADIX, LOG2_RADIX and SIGN before `butterflies.wgsl`, and writes the text for one radix
// in place of the last comment below.

struct Launch {
    n_butterflies: u32,
    // Lanes from tap to tap, and from result to result, as powers of two.
    log2_hop: u32,
    log2_span: u32,
    // The table of a root: its powers 0..4096, its every 4096th power, and how many of its powers make one of this row's root.
    fine: u32,
    coarse: u32,
    stride: u32,
}

const THREADS = 256u;
const N_PLACES = THREADS * RADIX;

@group(0) @binding(0) var<storage, read> before: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> after: array<vec2f>;
@group(0) @binding(4) var<storage, read> roots: array<vec2f>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> part: array<f32, N_PLACES + N_PLACES / 16u + 1u>;

fn padded(place: u32) -> u32 {
    return place + (place >> 4u);
}

// The root that turns result `power` of the butterfly at `inside` of its row.
fn root(inside: u32, power: u32) -> vec2f {
    let i = ((inside >> launch.log2_span) << launch.log2_span) * launch.stride * power;
    return product(roots[launch.fine + (i & 4095u)], roots[launch.coarse + (i >> 12u)]);
}

// Where result 0 of butterfly i goes.
fn first_place(i: u32) -> u32 {
    let q = i & ((1u << launch.log2_span) - 1u);
    return ((i - q) << LOG2_RADIX) + q;
}

@compute @workgroup_size(THREADS)
fn fft_stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let first = (group.x + group.y * groups.x) * THREADS;
    let i = first + thread;
    let live = i < launch.n_butterflies;
    let inside = i & ((1u << launch.log2_hop) - 1u);
    let at = ((i - inside) << LOG2_RADIX) + inside;
    //@ stage
}
