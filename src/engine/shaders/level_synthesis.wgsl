// A level of the inverse: coefficients are loaded, two neighbours of a band at a time, and samples stored.

@group(0) @binding(0) var<storage, read> input: array<vec2<Lane>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<Lane>>;
@group(0) @binding(5) var<uniform> launch: Launch;

fn coefficient(row: i32, column: i32, high_y: bool, high_x: bool) -> Lane {
    let lane = coefficient_lane(row, column, high_y, high_x);
    if LOW_IN_OUTPUT && !high_y && !high_x {
        return output[lane >> 2u][lane & 3u];
    }
    return input[lane >> 1u][lane & 1u];
}

// Two neighbours of a band.
fn two(row: i32, column: i32, high_y: bool, high_x: bool, aligned: bool) -> vec2<Lane> {
    if !aligned {
        return vec2<Lane>(coefficient(row, column, high_y, high_x), coefficient(row, column + 1, high_y, high_x));
    }
    let lane = coefficient_lane(row, column, high_y, high_x);
    if LOW_IN_OUTPUT && !high_y && !high_x {
        let four = output[lane >> 2u];
        return select(four.xy, four.zw, (lane & 2u) != 0u);
    }
    return input[lane >> 1u];
}

// Four coefficients, alternately low-pass and high-pass along x, which become four neighbouring samples of a row.
fn loaded(y: i32, x: i32) -> vec4<Lane> {
    let high_y = (y & 1) == 1;
    let high = two(y / 2, x / 2, high_y, true, HIGH_ALIGNED);
    var low: vec2<Lane>;
    if high_y {
        low = two(y / 2, x / 2, true, false, BAND_ALIGNED);
    } else {
        low = two(y / 2, x / 2, false, false, LOW_ALIGNED);
    }
    return vec4<Lane>(low.x, high.x, low.y, high.y);
}

// One coefficient.
fn single(row: i32, column: i32) -> Lane {
    return coefficient(row / 2, column / 2, (row & 1) == 1, (column & 1) == 1);
}

// Stores four neighbouring samples of a row, as far as the row has them.
fn store(y: i32, x: i32, values: vec4<Lane>) {
    if y >= rows_of(0u) || x >= columns_of(0u) {
        return;
    }
    let lane = launch.fine + u32(y) * launch.fine_row + u32(x);
    if REGULAR || FINE_ALIGNED && x + 4 <= columns_of(0u) {
        output[lane >> 2u] = values;
        return;
    }
    for (var k = 0; k < min(columns_of(0u) - x, 4); k++) {
        let single = lane + u32(k);
        output[single >> 2u][single & 3u] = values[k];
    }
}
