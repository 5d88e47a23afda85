// One level of a filter bank along rows and along columns of an image, in one launch of overlapped tiles.
//
// A workgroup takes a tile of ROWS × COLUMNS samples and its halo: HEIGHT × WIDTH samples in all. Forward, rows are halved and
// then columns, and the results go to four bands. In the inverse (BACK), the values of the bands are interleaved as the samples
// will be; columns are made of them first, and rows second.
//
// Bytes: every sample is read once by its own tile, and once more by each tile that has it in its halo. Every result is written
// once. Neighbouring threads read and write neighbours. The image is periodic along both axes, or
// symmetric at its borders: so are the values of the bands where they are interleaved.

//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
const BACK = ⟨inverse⟩;
// Rows and columns of a tile, and those that it reads, the first of them FIRST from its own.
const ROWS = ⟨rows⟩u;
const COLUMNS = ⟨columns⟩u;
const HEIGHT = ⟨height⟩u;
const WIDTH = ⟨width⟩u;
const FIRST = ⟨first⟩;
const THREADS = ⟨threads⟩u;
// Whether these are in the buffer that is written.
const JOINED_IN_OUTPUT = ⟨joined_in_output⟩;
const LOW_IN_OUTPUT = ⟨low_in_output⟩;

struct Launch {
    n_groups: u32,
    // Tiles of a row of tiles.
    across: u32,
    // Rows and columns of the image before this level.
    rows: u32,
    columns: u32,
    // Where its samples are, and lanes from one row to the next.
    joined: u32,
    joined_row: u32,
    // The same for the values that are low-pass along both axes.
    low: u32,
    low_row: u32,
    // Lanes of a row of the other three bands.
    high_row: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

// The samples of the tile with its halo, and behind them the results along the first axis.
var<workgroup> held: array<Lane, ⟨held⟩>;

const READ = HEIGHT * WIDTH;
const HALF = COLUMNS / 2u;

fn lane_of(from_output: bool, lane: u32) -> Lane {
    if from_output {
        return output[lane];
    }
    return input[lane];
}

fn is_low(y: u32, x: u32) -> bool {
    return ((y | x) & 1u) == 0u;
}

// The place of the value of a band that replaces sample (y, x): of every second row and column it is high-pass.
fn band_lane(y: u32, x: u32) -> u32 {
    if is_low(y, x) {
        return launch.low + y / 2u * launch.low_row + x / 2u;
    }
    return ((y & 1u) * launch.rows / 2u + y / 2u) * launch.high_row + (x & 1u) * launch.columns / 2u + x / 2u;
}

fn load(tile: vec2i, e: u32) {
    let row = e / WIDTH;
    // Neighbouring threads read neighbours of a band.
    let inside = e % WIDTH;
    let column = select(inside, 2u * (inside % (WIDTH / 2u)) + inside / (WIDTH / 2u), BACK);
    let y = u32(folded(tile.y + i32(row) + FIRST, i32(launch.rows)));
    let x = u32(folded(tile.x + i32(column) + FIRST, i32(launch.columns)));
    if BACK {
        held[row * WIDTH + column] = lane_of(LOW_IN_OUTPUT && is_low(y, x), band_lane(y, x));
    } else {
        held[row * WIDTH + column] = lane_of(JOINED_IN_OUTPUT, launch.joined + y * launch.joined_row + x);
    }
}

{# Both results of the butterfly whose first tap is at `at`; taps are `hop` apart. #}
//@ macro both_results()
    //@ for tap in range(n_taps)
    let x⟨tap⟩ = held[at + ⟨tap⟩u * hop];
    //@ endfor
    //@ for result in ["first", "second"]
    let ⟨result⟩ =
        //@ for tap in sums[loop.index0]
        ⟨tap[1]|real⟩ * x⟨tap[0]⟩⟨";" if loop.last else " +"⟩
        //@ endfor
    //@ endfor
//@ endmacro
// The first axis: of rows the halves are one behind the other, of columns samples one below the other.
fn first_axis(e: u32) {
    let p = select(e % HALF, e / WIDTH, BACK);
    let line = select(e / HALF, e % WIDTH, BACK);
    let at = select(line * WIDTH + 2u * p, 2u * p * WIDTH + line, BACK);
    let hop = select(1u, WIDTH, BACK);
⟨both_results()⟩
    let to = READ + select(line * COLUMNS + p, at, BACK);
    held[to] = first;
    held[to + select(HALF, WIDTH, BACK)] = second;
}

fn second_axis(tile: vec2i, e: u32) {
    let p = select(e / COLUMNS, e % HALF, BACK);
    let line = select(e % COLUMNS, e / HALF, BACK);
    let at = READ + select(2u * p * COLUMNS + line, line * WIDTH + 2u * p, BACK);
    let hop = select(COLUMNS, 1u, BACK);
⟨both_results()⟩
    let y = u32(tile.y) + select(2u * p, line, BACK);
    let x = u32(tile.x) + select(2u * (line % HALF) + line / HALF, 2u * p, BACK);
    // The last tiles may be shorter than others; rows and columns come in pairs.
    if y >= launch.rows || x >= launch.columns {
        return;
    }
    if BACK {
        let to = launch.joined + y * launch.joined_row + x;
        output[to] = first;
        output[to + 1u] = second;
    } else {
        output[band_lane(y, x)] = first;
        output[band_lane(y + 1u, x)] = second;
    }
}

@compute @workgroup_size(THREADS)
fn filter_bank_image(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    let tile = vec2i(i32(group % launch.across * COLUMNS), i32(group / launch.across * ROWS));
    for (var e = thread; e < READ; e += THREADS) {
        load(tile, e);
    }
    workgroupBarrier();
    for (var e = thread; e < select(HEIGHT * HALF, ROWS / 2u * WIDTH, BACK); e += THREADS) {
        first_axis(e);
    }
    workgroupBarrier();
    for (var e = thread; e < ROWS / 2u * COLUMNS; e += THREADS) {
        second_axis(tile, e);
    }
}
