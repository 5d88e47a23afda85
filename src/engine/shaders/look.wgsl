// The number that is shown for a value: Quantity and Scale of src/core/display.rs, and the uniforms of `display.wgsl`.

struct View {
    rows: u32,
    columns: u32,
    // Pixels.
    width: u32,
    height: u32,
    // Added to a position, modulo the length, to find its index.
    turn_rows: u32,
    turn_columns: u32,
    // 0 magnitude, 1 phase, 2 real, 3 imaginary, 4 power
    quantity: u32,
    // 0 linear, 1 log, 2 dB, 3 square root
    scale: u32,
    // Scaled values of the first and the last colour.
    low: f32,
    high: f32,
    // Bits of the index that are reversed in the result.
    reversed_bits: u32,
    // Colours in the table for each hue, and the hues of the phases.
    n_colours: u32,
    n_hues: u32,
    // Whether a pixel that covers several values shows their mean.
    shows_means: u32,
}

const DB_FLOOR = -200.0;
const LOG10_OF_2 = 0.30102999566398120;
const LOG10_OF_E = 0.43429448190325183;

@group(0) @binding(5) var<uniform> view: View;

// Tested by the bits: arithmetic may assume that no value is infinite.
fn is_nan(v: f32) -> bool {
    return (bitcast<u32>(v) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite(v: f32) -> bool {
    return (bitcast<u32>(v) & 0x7f800000u) != 0x7f800000u;
}

// |z|, also where its square would overflow.
fn modulus(z: vec2f) -> f32 {
    let large = max(abs(z.x), abs(z.y));
    let small = min(abs(z.x), abs(z.y));
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    return large * sqrt(1.0 + ratio * ratio);
}

fn phase(z: vec2f) -> f32 {
    if is_nan(z.x + z.y) {
        return z.x + z.y;
    }
    let near = clamp(z, vec2f(-1e38), vec2f(1e38));
    return select(atan2(near.y, near.x), 0.0, near.x == 0.0 && near.y == 0.0);
}

fn plain(z: vec2f) -> f32 {
    switch view.quantity {
        case 0u: { return modulus(z); }
        case 1u: { return phase(z); }
        case 2u: { return z.x; }
        case 3u: { return z.y; }
        default: { return dot(z, z); }
    }
}

fn scaled(z: vec2f) -> f32 {
    let v = plain(z);
    if view.quantity == 1u {
        return v;
    }
    switch view.scale {
        case 1u: {
            // The sum with 1 loses the digits of small values, whose logarithm is a short series.
            if abs(v) < 1e-3 {
                return LOG10_OF_E * v * (1.0 - abs(v) * (0.5 - abs(v) / 3.0));
            }
            return sign(v) * LOG10_OF_2 * log2(1.0 + abs(v));
        }
        case 2u: {
            if v == 0.0 {
                return DB_FLOOR;
            }
            let per_decade = select(20.0, 10.0, view.quantity == 4u);
            return max(per_decade * LOG10_OF_2 * log2(abs(v)), DB_FLOOR);
        }
        case 3u: { return sign(v) * sqrt(abs(v)); }
        default: { return v; }
    }
}

fn strength(z: vec2f) -> f32 {
    switch view.quantity {
        case 2u: { return abs(z.x); }
        case 3u: { return abs(z.y); }
        default: { return dot(z, z); }
    }
}
