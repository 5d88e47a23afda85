// The split section of one level of lifting along both axes of an image: what a tile finishes alone along its rows, and then
// along its columns.
//
// A workgroup reads a tile of ROWS × COLUMNS samples, takes the steps with a barrier after each, and writes the tile. Steps along
// columns also take columns that the merge of the rows has not finished yet. Steps along rows act on all rows alike, and steps
// along columns on all columns, so their order does not matter.
//
// Bytes: every sample is read and written once. With one thread a sample half of the threads idle in a step; with half as many
// threads none does.

//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
const ROWS = ⟨rows⟩;
const COLUMNS = ⟨columns⟩;
const THREADS = ⟨threads⟩;

struct Launch {
    n_groups: u32,
    // Tiles of a row of tiles.
    across: u32,
    // Rows and columns of the image at this level.
    rows: i32,
    columns: i32,
    // Lanes from one row to the next, and from one column.
    row_pitch: u32,
    column_pitch: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> held: array<Lane, ROWS * COLUMNS>;

// The first row and column of a tile.
struct Tile {
    y: i32,
    x: i32,
}

fn lane(tile: Tile, y: i32, x: i32) -> u32 {
    return u32(tile.y + y) * launch.row_pitch + u32(tile.x + x) * launch.column_pitch;
}

// Whether the image has the sample of a tile.
fn has(tile: Tile, y: i32, x: i32) -> bool {
    return tile.y + y < launch.rows && tile.x + x < launch.columns;
}

// A sample in a row or in a column of the tile; past an end, its boundary extension.
fn in_row(tile: Tile, y: i32, x: i32) -> Lane {
    return held[y * COLUMNS + folded(tile.x + x, launch.columns) - tile.x];
}

fn in_column(tile: Tile, y: i32, x: i32) -> Lane {
    return held[(folded(tile.y + y, launch.rows) - tile.y) * COLUMNS + x];
}

@compute @workgroup_size(THREADS)
fn lifting2d(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    let tile = Tile(i32(group / launch.across) * ROWS, i32(group % launch.across) * COLUMNS);
    for (var e = i32(thread); e < ROWS * COLUMNS; e += THREADS) {
        if has(tile, e / COLUMNS, e % COLUMNS) {
            held[e] = ⟨source⟩[lane(tile, e / COLUMNS, e % COLUMNS)];
        }
    }
    workgroupBarrier();
    //@ for step in steps
    //@ set half = 1 if thread_per_sample else 2
    //@ set width = columns if step.across else columns // half
    for (var e = i32(thread); e < ⟨rows * columns // half⟩; e += THREADS) {
        //@ if thread_per_sample
        let y = e / ⟨width⟩;
        let x = e % ⟨width⟩;
        //@ elif step.across
        let y = 2 * (e / ⟨width⟩) + ⟨step.parity⟩;
        let x = e % ⟨width⟩;
        //@ else
        let y = e / ⟨width⟩;
        let x = 2 * (e % ⟨width⟩) + ⟨step.parity⟩;
        //@ endif
        //@ if step.across
        if (y & 1) == ⟨step.parity⟩ && has(tile, y, x)
            && is_alone(tile.y + y, 0u, tile.y, ROWS, launch.rows, ⟨step.before⟩, ⟨step.after⟩) {
        //@ else
        if (x & 1) == ⟨step.parity⟩ && has(tile, y, x)
            && is_alone(tile.x + x, 0u, tile.x, COLUMNS, launch.columns, ⟨step.before⟩, ⟨step.after⟩) {
        //@ endif
            held[y * COLUMNS + x] =
                //@ for tap in step.taps
                ⟨tap.coef|real⟩ * ⟨"in_column(tile, y + " ~ tap.offset ~ ", x)" if step.across else "in_row(tile, y, x + " ~ tap.offset ~ ")"⟩⟨";" if loop.last else " +"⟩
                //@ endfor
        }
    }
    workgroupBarrier();
    //@ endfor
    for (var e = i32(thread); e < ROWS * COLUMNS; e += THREADS) {
        if has(tile, e / COLUMNS, e % COLUMNS) {
            output[lane(tile, e / COLUMNS, e % COLUMNS)] = held[e];
        }
    }
}
