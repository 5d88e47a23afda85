// A level forward: samples are loaded, and coefficients stored, two neighbours of a band at a time.

@group(0) @binding(0) var<storage, read> input: array<vec4<Lane>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec2<Lane>>;
@group(0) @binding(5) var<uniform> launch: Launch;

fn sample(lane: u32) -> Lane {
    if FINE_IN_OUTPUT {
        return output[lane >> 1u][lane & 1u];
    }
    return input[lane >> 2u][lane & 3u];
}

// Four neighbouring samples of a row inside the image.
fn loaded(y: i32, x: i32) -> vec4<Lane> {
    let lane = launch.fine + u32(y) * launch.fine_row + u32(x);
    if !FINE_ALIGNED {
        return vec4<Lane>(sample(lane), sample(lane + 1u), sample(lane + 2u), sample(lane + 3u));
    }
    if FINE_IN_OUTPUT {
        return vec4<Lane>(output[lane >> 1u], output[(lane >> 1u) + 1u]);
    }
    return input[lane >> 2u];
}

// One sample.
fn single(row: i32, column: i32) -> Lane {
    return sample(launch.fine + u32(row) * launch.fine_row + u32(column));
}

// Stores two neighbours of a band, as far as the band has them.
fn store_two(row: i32, column: i32, high_y: bool, high_x: bool, aligned: bool, values: vec2<Lane>) {
    let left = half_of(columns_of(0u), high_x) - column;
    if REGULAR || aligned && left >= 2 {
        output[coefficient_lane(row, column, high_y, high_x) >> 1u] = values;
        return;
    }
    for (var k = 0; k < min(left, 2); k++) {
        let lane = coefficient_lane(row, column + k, high_y, high_x);
        output[lane >> 1u][lane & 1u] = values[k];
    }
}

// Stores the coefficients of four neighbouring samples of a row, which alternate between low-pass and high-pass along x.
fn store(y: i32, x: i32, values: vec4<Lane>) {
    if y >= rows_of(0u) || x >= columns_of(0u) {
        return;
    }
    if (y & 1) == 1 {
        store_two(y / 2, x / 2, true, false, BAND_ALIGNED, values.xz);
        store_two(y / 2, x / 2, true, true, HIGH_ALIGNED, values.yw);
    } else {
        store_two(y / 2, x / 2, false, false, LOW_ALIGNED, values.xz);
        store_two(y / 2, x / 2, false, true, HIGH_ALIGNED, values.yw);
    }
}
