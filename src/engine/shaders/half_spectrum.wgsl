// Half the spectrum of real samples from the spectrum of lanes with two samples each, or back, as a launch of its own.
//
// Bytes: every lane is read once and written once, 16 bytes a lane in single precision. Results p and POINTS − p depend on the values of the same two lanes,
// so a thread takes both: a thread for each result would read every lane twice, at moments so far apart that no cache holds it. Neighbouring threads touch
// neighbours at both ends of a row.

//@ include "numbers.wgsl"

const ROWS = ⟨rows⟩u;
const POINTS = ⟨points⟩u;
// Pairs of a row. The value of lane 0 is its own opposite, and so is that of the lane in the middle.
const PAIRS = POINTS / 2u + 1u;
// Lanes from one row to the next.
const SOURCE_ROW = ⟨source_row⟩u;
const SINK_ROW = ⟨sink_row⟩u;
const SIGN = ⟨sign|real⟩;
const SCALE = ⟨scale|real⟩;

@group(0) @binding(0) var<storage, read> input: array<Complex>;
@group(0) @binding(1) var<storage, read_write> output: array<Complex>;
@group(0) @binding(4) var<storage, read> roots: array<Complex>;

fn product(a: Complex, b: Complex) -> Complex {
    return Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

//@ include "paired.wgsl"
// A power of the root of order 2 · POINTS: of the first 4096 powers, times one of every 4096th where there are more.
fn root(power: u32) -> Complex {
    let i = power * ⟨stride⟩u;
    //@ if long
    return product(roots[⟨fine⟩u + (i & 4095u)], roots[⟨coarse⟩u + (i >> 12u)]);
    //@ else
    return roots[⟨fine⟩u + i];
    //@ endif
}

@compute @workgroup_size(⟨threads⟩)
fn half_spectrum(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let index = (group.x + group.y * groups.x) * ⟨threads⟩u + thread;
    let row = index / PAIRS;
    let p = index % PAIRS;
    if row >= ROWS {
        return;
    }
    let opposite = POINTS - p;
    //@ if forward
    let high = input[row * SOURCE_ROW + opposite % POINTS];
    //@ else
    let high = input[row * SOURCE_ROW + opposite];
    //@ endif
    let both = SCALE * paired(input[row * SOURCE_ROW + p], high, root(p));
    output[row * SINK_ROW + p] = both.xy;
    //@ if not forward
    // Samples 0 and 1 have no opposite.
    if p == 0u {
        return;
    }
    //@ endif
    output[row * SINK_ROW + opposite] = both.zw;
}
