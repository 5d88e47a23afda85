// A run of Kronecker steps in one launch: each applies a 2×2 matrix to one binary digit of the index, in place.
//
// The digits of the run are k neighbours, `stride` lanes and up. A workgroup takes a tile of 2^14 lanes (fewer of a small
// array, twice as many by 512 threads of a row that this spares a launch): either one run of consecutive lanes, or the 2^k points that stand `stride` lanes apart of some neighbouring lines.
// Tiles are separate, so that the launch may write where it read.
//
// Bytes: every lane is read once and written once. Neighbouring threads touch neighbouring lanes: of a consecutive tile a
// warp reads and writes 128 bytes or 512, else segments as long as there are lines.
//
// Each thread keeps 64 lanes (of 64-bit integers 32, in small arrays fewer) in variables of its own: six binary digits of a
// lane's place in the tile say which variable holds it, the others which thread. Steps on those six digits meet nobody. Then threads
// exchange lanes through workgroup memory so that other digits become the six. Two digits or so stay what they are in a exchange:
// for each of their values there is one round, and all rounds share the memory of one. A quarter of the tile is 16 KiB, so
// that two or three workgroups run side by side and one computes while the others wait for memory. At the end the lowest
// digits go to variables and the highest with them, and results leave as vectors of 16 bytes.
// Where subgroups have one size, digits that number the threads of one change places with those of variables by shuffles, two at a
// time: 32 of them a digit, where a exchange writes and reads 64 lanes and waits at eight barriers (2^24 lanes, NVIDIA H200:
// 88 µs instead of 94; bits of Reed-Muller, packed, 225 instead of 253; rows of 2^10 1.15 copies instead of 1.35).
// Place p in workgroup memory moves to p + p/32, and threads are numbered so that 32 of them fall into different banks.
//
// Everything is written out: src/gpu/kronecker/text.rs writes steps and exchanges of one shape in place of the last comment, and
// before this text the matrix as `first` and `second`, and the constants.

struct Launch {
    n_groups: u32,
    n_lanes: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Source>;
@group(0) @binding(1) var<storage, read_write> output: array<Sink>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> exchanged: array<Lane, WORKGROUP_VALUES>;

// The first lane of a tile. ACROSS tiles, of 2^LINES neighbouring lines each, share a block of 2^BLOCK lanes.
fn first_lane(tile: u32) -> u32 {
    return ((tile % ACROSS) << LINES) + ((tile / ACROSS) << BLOCK);
}

@compute @workgroup_size(THREADS)
fn kronecker(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let tile = group.x + group.y * groups.x;
    if tile >= launch.n_groups {
        return;
    }
    let start = first_lane(tile);
    //@ steps
}
