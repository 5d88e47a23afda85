// Several levels of a Haar pyramid in one launch: sums and differences of neighbours, then of these sums, and so on.
//
// A workgroup takes a block of 2^BLOCK neighbouring sums of a row. Its differences of each level are neighbours too, and go
// straight to where they stay: the differences of level l begin in the middle of the lanes that level l reads. The sums stay in
// the workgroup until the last level, so every lane is read once and written once, however many levels the launch has.
//
// A thread takes four neighbours, which is two levels. It writes two differences as a vector and the third alone, so that 32
// threads write 256 and 128 bytes at a time. Threads exchange sums through workgroup memory; after two levels a quarter of the
// threads goes on. All loads of the first two levels come before everything else, so that a row's only workgroup may write where
// it read.
//
//@ include "numbers.wgsl"
//@ include lane

const FACTOR = Lane(⟨factor|real⟩);
// Levels within a block, and bits that number the lanes of a block.
const LEVELS = ⟨levels⟩u;
const BLOCK = ⟨bits⟩u;
const THREADS = ⟨threads⟩u;

struct Launch {
    n_groups: u32,
    // Lanes of a row, and the number of sums at its beginning, which the first level reads.
    row: u32,
    n_read: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<Lane>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec2<Lane>>;
@group(0) @binding(5) var<uniform> launch: Launch;

// Two areas, used alternately, so that no thread overwrites what another one still reads.
var<workgroup> sums: array<array<vec4<Lane>, ⟨exchanged⟩>, 2>;

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

// Where the differences of this block at a level begin.
fn differences(tile: Tile, level: u32) -> u32 {
    return tile.row + (launch.n_read >> (level + 1u)) + (tile.block << (BLOCK - level - 1u));
}

// Where the sums of this block begin after all levels.
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

// The last level alone, of the only two sums.
fn last(tile: Tile, level: u32, x: vec2<Lane>) {
    let a = pair(x);
    store(differences(tile, level), a.y);
    store(rest(tile), a.x);
}

// Two levels, or the last one, of vector v of the block; its sum goes to the thread that takes the next level, or where it stays.
//@ macro two_levels(level, v, x)
//@ if levels - level == 1
once(tile, ⟨level⟩u, ⟨v⟩, ⟨x⟩);
//@ elif levels - level == 2
store(rest(tile) + ⟨v⟩, twice(tile, ⟨level⟩u, ⟨v⟩, ⟨x⟩));
//@ else
sums[⟨level // 2 % 2⟩][(⟨v⟩) >> 2u][(⟨v⟩) & 3u] = twice(tile, ⟨level⟩u, ⟨v⟩, ⟨x⟩);
//@ endif
//@ endmacro
@compute @workgroup_size(THREADS)
fn haar(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let n_blocks = launch.n_read >> BLOCK;
    let tile = Tile(mine / n_blocks * launch.row, mine % n_blocks);
    let start = tile.row + (tile.block << BLOCK);
    //@ for i in range(vectors)
    //@ set v = "(start >> 2u) + thread + " ~ i * threads ~ "u"
    //@ if source == "output"
    let x⟨i⟩ = vec4<Lane>(output[2u * (⟨v⟩)], output[2u * (⟨v⟩) + 1u]);
    //@ else
    let x⟨i⟩ = input[⟨v⟩];
    //@ endif
    //@ endfor
    //@ if source == "output"
    storageBarrier();
    //@ endif
    //@ for i in range(vectors)
    ⟨two_levels(0, "thread + " ~ i * threads ~ "u", "x" ~ i)⟩
    //@ endfor
    //@ for level in range(2, levels, 2)
    //@ set area = (level // 2 + 1) % 2
    workgroupBarrier();
    //@ if bits - level >= 2
    if thread < ⟨2 ** (bits - level - 2)⟩u {
        ⟨two_levels(level, "thread", "sums[" ~ area ~ "][thread]")⟩
    }
    //@ else
    if thread < 1u {
        last(tile, ⟨level⟩u, sums[⟨area⟩][0].xy);
    }
    //@ endif
    //@ endfor
}
