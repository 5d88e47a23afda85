// From a result to what the eye sees, where the result lies: the same as src/core/display.rs, and a test compares the two.
//
// `render`: one thread a pixel of the screen. `covers` holds, for every pixel column and then for every pixel row, which
// positions of the image it covers; the strongest value among them is shown, so that no peak is lost, or their mean, which keeps the
// brightness of an image. Bytes: what is visible is read once, 4 bytes a pixel are written. Neighbouring threads read neighbouring values.
// `extremes`: the least and the greatest finite scaled value, one pair a workgroup; every value is read once.

//@ include "numbers.wgsl"
//@ include lane
//@ include "look.wgsl"

const THREADS = 256u;

@group(0) @binding(0) var<storage, read> values: array<Lane>;
@group(0) @binding(1) var<storage, read_write> pixels: array<u32>;
@group(0) @binding(1) var<storage, read_write> ranges: array<vec2f>;
@group(0) @binding(2) var<storage, read> covers: array<vec2u>;
@group(0) @binding(3) var<storage, read> colours: array<u32>;

var<workgroup> found: array<vec2f, THREADS>;

fn value_at(row: u32, column: u32) -> vec2f {
    let y = (row + view.turn_rows) % view.rows;
    let x = (column + view.turn_columns) % view.columns;
    var lane = y * view.columns + x;
    if view.reversed_bits != 0u {
        let mask = (1u << view.reversed_bits) - 1u;
        lane = (lane & ~mask) | (reverseBits(lane & mask) >> (32u - view.reversed_bits));
    }
    return as_complex(values[lane]);
}

fn first_of_hue(z: vec2f) -> u32 {
    let angle = phase(z);
    if view.n_hues == 1u || is_nan(angle) {
        return 0u;
    }
    let hue = u32(fract(angle / 6.283185307179586) * f32(view.n_hues) + 0.5) % view.n_hues;
    return hue * view.n_colours;
}

fn colour(z: vec2f) -> u32 {
    let v = scaled(z);
    let span = view.high - view.low;
    if is_nan(v) || !(span > 0.0) {
        return colours[first_of_hue(z)];
    }
    let t = (clamp(v, view.low, view.high) - view.low) / span;
    return colours[first_of_hue(z) + min(u32(t * f32(view.n_colours - 1u) + 0.5), view.n_colours - 1u)];
}

@compute @workgroup_size(THREADS)
fn render(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let i = (group.x + group.y * groups.x) * THREADS + thread;
    if i >= view.width * view.height {
        return;
    }
    let across = covers[i % view.width];
    let down = covers[view.width + i / view.width];
    if across.x >= across.y || down.x >= down.y {
        pixels[i] = 0u;
        return;
    }
    var strongest = value_at(down.x, across.x);
    var sum = vec2f();
    for (var row = down.x; row < down.y; row++) {
        for (var column = across.x; column < across.y; column++) {
            let z = value_at(row, column);
            sum += z;
            if strength(z) > strength(strongest) {
                strongest = z;
            }
        }
    }
    let n = f32((down.y - down.x) * (across.y - across.x));
    pixels[i] = colour(select(strongest, sum / n, view.shows_means != 0u));
}

@compute @workgroup_size(THREADS)
fn extremes(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    // The largest finite number, so that a workgroup without values is told apart by low > high.
    var range = vec2f(0x1.fffffep+127f, -0x1.fffffep+127f);
    for (var i = group.x * THREADS + thread; i < view.rows * view.columns; i += groups.x * THREADS) {
        let v = scaled(as_complex(values[i]));
        if is_finite(v) {
            range = vec2f(min(range.x, v), max(range.y, v));
        }
    }
    found[thread] = range;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if thread < half {
            let other = found[thread + half];
            found[thread] = vec2f(min(found[thread].x, other.x), max(found[thread].y, other.y));
        }
    }
    if thread == 0u {
        ranges[group.x] = found[0];
    }
}
