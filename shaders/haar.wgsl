// Several levels of a Haar pyramid in one launch: sums and differences of neighbours, then those of the sums, and so on.
//
// A workgroup takes a block of 2^BLOCK neighbouring sums of a row. Of each level its differences are neighbours too, and go
// straight to where they stay: those of level l begin at half of what level l reads. The sums never leave the workgroup
// before the last level, so that every lane is read once and written once, however many levels there are.
//
// A thread takes four neighbours, which is two levels: two differences leave as a vector, the third alone, and 32 threads
// write 256 and 128 bytes at a time. Sums are exchanged through workgroup memory; after two levels a quarter of the threads goes on.
// All loads of the first two levels come before everything else, so that a single workgroup of a row may write where it read.
//
// src/gpu/haar.rs writes the levels of one shape in place of the last comment, and sets the constants.

struct Launch {
    n_groups: u32,
    // Lanes of a row, and how many of them, at its beginning, are sums that the first level reads.
    row: u32,
    n_read: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<Lane>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec2<Lane>>;
@group(0) @binding(5) var<uniform> launch: Launch;

// Two areas in turn, so that nobody overwrites what another thread still reads.
var<workgroup> sums: array<array<vec4<Lane>, EXCHANGED>, 2>;

// Where the row of this workgroup begins, and the number of its block in it.
struct Tile {
    row: u32,
    block: u32,
}

fn pair(x: vec2<Lane>) -> vec2<Lane> {
    return vec2<Lane>(x.x + x.y, x.x - x.y) * FACTOR;
}

fn store(lane: u32, value: Lane) {
    output[lane >> 1u][lane & 1u] = value;
}

// Where the differences of a level begin, of this block.
fn differences(tile: Tile, level: u32) -> u32 {
    return tile.row + (launch.n_read >> (level + 1u)) + (tile.block << (BLOCK - level - 1u));
}

// Where the sums after all levels begin, of this block.
fn rest(tile: Tile) -> u32 {
    return tile.row + (tile.block << (BLOCK - LEVELS));
}

// Two levels of four neighbours, number v of the block; gives their sum.
fn twice(tile: Tile, level: u32, v: u32, x: vec4<Lane>) -> Lane {
    let a = pair(x.xy);
    let b = pair(x.zw);
    output[(differences(tile, level) >> 1u) + v] = vec2<Lane>(a.y, b.y);
    let c = pair(vec2<Lane>(a.x, b.x));
    store(differences(tile, level + 1u) + v, c.y);
    return c.x;
}

// The last level alone, of four neighbours.
fn once(tile: Tile, level: u32, v: u32, x: vec4<Lane>) {
    let a = pair(x.xy);
    let b = pair(x.zw);
    output[(differences(tile, level) >> 1u) + v] = vec2<Lane>(a.y, b.y);
    output[(rest(tile) >> 1u) + v] = vec2<Lane>(a.x, b.x);
}

// The last level alone, of the only two sums that are left.
fn last(tile: Tile, level: u32, x: vec2<Lane>) {
    let a = pair(x);
    store(differences(tile, level), a.y);
    store(rest(tile), a.x);
}

@compute @workgroup_size(THREADS)
fn haar(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let n_blocks = launch.n_read >> BLOCK;
    let tile = Tile(mine / n_blocks * launch.row, mine % n_blocks);
    let start = tile.row + (tile.block << BLOCK);
    //@ levels
}
