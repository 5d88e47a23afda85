// Where the samples and the coefficients of an image are, for the kernels that take levels of its wavelet transform.
//
// The Mallat layout has the values that are low-pass along both axes first, and the bands of a level behind them; between
// launches the low-pass values are in scratch lanes.

// Whether no sample that counts is farther past an end than the image is long.
const NEAR = ⟨near⟩;
// By how many lanes the high coefficients of a line are rotated, 0 or 1.
const ROTATION = ⟨rotation⟩;

struct Launch {
    n_groups: u32,
    // Tiles of a row of tiles.
    across: u32,
    // Rows and columns of the image before the finest level.
    rows: u32,
    columns: u32,
    // Where its samples are, and lanes from one row to the next.
    fine: u32,
    fine_row: u32,
    // The same for the values that are low-pass along both axes after the coarsest level.
    low: u32,
    low_row: u32,
    // Lanes of a row of the other bands.
    high_row: u32,
}

// Samples of n after `level` halvings.
fn halved(n: u32, level: u32) -> i32 {
    return i32((n + (1u << level) - 1u) >> level);
}

fn rows_of(level: u32) -> i32 {
    return halved(launch.rows, level);
}

fn columns_of(level: u32) -> i32 {
    return halved(launch.columns, level);
}

// The boundary extension of n samples. Remainders are slow, and with NEAR none is needed.
// A sample so far away that no result needs it becomes any sample of the same parity.
fn near(sample: i32, n: i32) -> i32 {
    if !NEAR {
        return folded(sample, n);
    }
    if WRAPS {
        let inside = select(select(sample, sample - n, sample >= n), sample + n, sample < 0);
        return select(inside & 1, inside, inside >= 0 && inside < n);
    }
    let right = abs(sample);
    return max(min(right, 2 * (n - 1) - right), right & 1);
}

// Coefficients of a half of n samples.
fn half_of(n: i32, high: bool) -> i32 {
    return select((n + 1) / 2, n / 2, high);
}

// The lane of coefficient y of its half of the columns of a level and x of its half of the rows, unless it is low-pass along both axes.
fn band_lane(level: u32, y: i32, x: i32, high_y: bool, high_x: bool) -> u32 {
    let low_rows = rows_of(level + 1u);
    let low_columns = columns_of(level + 1u);
    let row = rotated(y, rows_of(level) - low_rows, high_y) + select(0, low_rows, high_y);
    let column = rotated(x, columns_of(level) - low_columns, high_x) + select(0, low_columns, high_x);
    return u32(row) * launch.high_row + u32(column);
}

// High coefficients are ROTATION lanes before their index, around their band.
fn rotated(index: i32, n: i32, high: bool) -> i32 {
    if !high || ROTATION == 0 {
        return index;
    }
    return select(index - ROTATION, index - ROTATION + n, index < ROTATION);
}
