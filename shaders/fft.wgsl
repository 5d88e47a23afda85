// A run of Stockham stages in one launch: LINES transforms of POINTS points in every workgroup.
//
// A row of N = POINTS · n_across lanes holds n_across lines. The points of line i stand n_across lanes apart, from lane i on;
// its results go `span` lanes apart, `span` being the product of all radices before this run. A row that fits a workgroup
// is one line; a long one takes two or three such runs, and the results come out in natural order without a transposition.
//
// Bytes: every lane is read once and written once, 16 bytes a lane. What a workgroup touches at a time must be long, 128
// bytes or more: either neighbouring threads take neighbouring points of a line (where those stand side by side), or they
// take the same point of LINES neighbouring lines. A thread may change from one to the other at the last exchange.
//
// PER_LINE threads share a line. Each keeps its points in variables of its own from the first stage to the last, computes
// whole butterflies of them without meeting anyone, and trades points with the others of its line between two stages.
// The trade goes through workgroup memory, real parts first and imaginary parts after them in the same place: half the
// memory lets twice as many workgroups run side by side, which hides more of the wait for global memory than the second
// round of barriers costs. Place p of a line moves to p + p/16, and lines begin PITCH places apart, so that threads that
// write POINTS/16 or LINES apart fall into different banks.
//
// Everything is written out, nothing is a loop and no variable has an index: src/gpu/fft/text.rs writes the butterflies, turns
// and trades of one list of radices in place of the last comment below, and sets POINTS, LINES, PER_LINE, PITCH, SCALE
// (1/N at the end of an inverse), SIGN and LONG before `butterflies.wgsl`.

struct Launch {
    n_lines: u32,
    lines_per_row: u32,
    // Lanes from one row to the next.
    row: u32,
    // Line i of a row is the pair (q, a) = (i % across, i / across).
    across: u32,
    // Lanes of point 0 of a line: first + q·by_q + a·by_a; lanes from one point to the next: step. The same for results.
    source_first: u32,
    source_q: u32,
    source_a: u32,
    source_step: u32,
    sink_first: u32,
    sink_q: u32,
    sink_a: u32,
    sink_step: u32,
    // The position of a line, q·turn_q + a·turn_a, and how many positions there are: they say how far results are turned.
    turn_q: u32,
    turn_a: u32,
    n_positions: u32,
    // The table of a root: its powers 0..4096, its every 4096th power, and how many of its powers make one of this root.
    fine: u32,
    coarse: u32,
    stride: u32,
}

@group(0) @binding(0) var<storage, read> before: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> after: array<vec2f>;
@group(0) @binding(4) var<storage, read> roots: array<vec2f>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> part: array<f32, PLACES>;

// Where a line reads and writes.
struct Line {
    live: bool,
    source: u32,
    sink: u32,
    position: u32,
}

fn line_at(index: u32) -> Line {
    let start = index / launch.lines_per_row * launch.row;
    let i = index % launch.lines_per_row;
    let q = i % launch.across;
    let a = i / launch.across;
    return Line(
        index < launch.n_lines,
        start + launch.source_first + q * launch.source_q + a * launch.source_a,
        start + launch.sink_first + q * launch.sink_q + a * launch.sink_a,
        q * launch.turn_q + a * launch.turn_a,
    );
}

fn padded(place: u32) -> u32 {
    return place + (place >> 4u);
}

// A power of the root of unity whose order is the number of points that are left to transform, POINTS · n_positions.
fn root(power: u32) -> vec2f {
    let i = power * launch.stride;
    if LONG {
        return product(roots[launch.fine + (i & 4095u)], roots[launch.coarse + (i >> 12u)]);
    }
    return roots[launch.fine + i];
}

@compute @workgroup_size(PER_LINE * LINES)
fn fft(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let first = (group.x + group.y * groups.x) * LINES;
    //@ stages
}
