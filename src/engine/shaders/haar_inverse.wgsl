// All levels of an inverse Haar pyramid in one launch: a sum and a difference give two neighbours of the next level.
//
// A workgroup makes a block of 2^BLOCK neighbouring samples of a row. The last BLOCK levels need the block's own differences,
// which are neighbours in every level. Each level above them needs a single difference: threads load one each, and the first
// thread goes down from the sum of the row to the sum of the block. Other workgroups repeat part of this path. That costs a few
// lanes that the caches hold, and saves a launch that would write sums and read them again.
//
// Bytes: every lane is read once, except these few, and written once. All loads come before the first level, so a workgroup waits
// for memory once. A thread takes two levels: a sum and three differences become four neighbours. Threads exchange sums through
// workgroup memory; every two levels four times as many threads go on. At last each thread writes vectors of four samples, 512
// bytes by 32 threads.
//
//@ include "numbers.wgsl"
//@ include lane

const FACTOR = Lane(⟨factor|real⟩);
// Bits that number the lanes of a block.
const BLOCK = ⟨bits⟩u;
const THREADS = ⟨threads⟩u;

struct Launch {
    n_groups: u32,
    // Lanes of a row.
    row: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec2<Lane>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<Lane>>;
@group(0) @binding(5) var<uniform> launch: Launch;

// Two areas, used alternately, so that no thread overwrites what another one still reads.
var<workgroup> sums: array<array<Lane, ⟨exchanged⟩>, 2>;
// The differences on the way from the sum of the row to that of the block, each with the sign that it has there.
var<workgroup> path: array<Lane, 32>;

// Where the row of this workgroup begins, the number of its block in it, and the number of blocks.
struct Tile {
    row: u32,
    block: u32,
    n_blocks: u32,
}

// The differences that two levels need besides a sum: the one of this sum, and those of the two sums that it gives.
struct Differences {
    first: Lane,
    second: vec2<Lane>,
}

fn lane(index: u32) -> Lane {
    return input[index >> 1u][index & 1u];
}

// Where the differences of this block at a level begin; level 0 splits the sum of the block.
fn begin(tile: Tile, level: u32) -> u32 {
    return tile.row + ((tile.n_blocks + tile.block) << level);
}

fn differences(tile: Tile, level: u32, i: u32) -> Differences {
    return Differences(lane(begin(tile, level) + i), input[(begin(tile, level + 1u) >> 1u) + i]);
}

// The level of `thread` above the block, if there is one: 2^thread sums split there, and the blocks below each share its path.
// A row of several blocks has large ones, and so more threads than levels.
fn load_path(tile: Tile, thread: u32) {
    if thread < 32u && (1u << thread) < tile.n_blocks {
        let below = tile.n_blocks >> thread;
        let difference = lane(tile.row + (1u << thread) + tile.block / below);
        path[thread] = select(difference, -difference, (tile.block % below) * 2u >= below);
    }
}

// The sum of the block.
fn top(tile: Tile) -> Lane {
    var sum = lane(tile.row);
    for (var level = 0u; (1u << level) < tile.n_blocks; level++) {
        sum = (sum + path[level]) * FACTOR;
    }
    return sum;
}

fn pair(sum: Lane, difference: Lane) -> vec2<Lane> {
    return vec2<Lane>(sum + difference, sum - difference) * FACTOR;
}

// The first level alone.
fn once(tile: Tile) {
    let x = pair(sums[0][0], lane(begin(tile, 0u)));
    sums[1][0] = x.x;
    sums[1][1] = x.y;
}

// Two levels of one sum.
fn twice(sum: Lane, d: Differences) -> vec4<Lane> {
    let x = pair(sum, d.first);
    return vec4<Lane>(pair(x.x, d.second.x), pair(x.y, d.second.y));
}

@compute @workgroup_size(THREADS)
fn haar(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let n_blocks = launch.row >> BLOCK;
    let tile = Tile(mine / n_blocks * launch.row, mine % n_blocks, n_blocks);
    let start = tile.row + (tile.block << BLOCK);
    // The levels between the first and the last two, two at a time.
    //@ set inner = range(bits % 2, bits - 2, 2)
    //@ for level in inner
    var d⟨level⟩ = Differences();
    if thread < ⟨2 ** level⟩u {
        d⟨level⟩ = differences(tile, ⟨level⟩u, thread);
    }
    //@ endfor
    //@ for i in range(vectors)
    let e⟨i⟩ = differences(tile, ⟨bits - 2⟩u, thread + ⟨i * threads⟩u);
    //@ endfor
    load_path(tile, thread);
    workgroupBarrier();
    if thread == 0u {
        sums[0][0] = top(tile);
    }
    workgroupBarrier();
    //@ if bits % 2 == 1
    if thread == 0u {
        once(tile);
    }
    workgroupBarrier();
    //@ endif
    //@ for level in inner
    //@ set area = (bits + loop.index0) % 2
    if thread < ⟨2 ** level⟩u {
        let x = twice(sums[⟨area⟩][thread], d⟨level⟩);
        //@ for k in range(4)
        sums[⟨1 - area⟩][4u * thread + ⟨k⟩u] = x[⟨k⟩];
        //@ endfor
    }
    workgroupBarrier();
    //@ endfor
    //@ for i in range(vectors)
    //@ set v = "thread + " ~ i * threads ~ "u"
    output[(start >> 2u) + ⟨v⟩] = twice(sums[⟨(bits + inner|length) % 2⟩][⟨v⟩], e⟨i⟩);
    //@ endfor
}
