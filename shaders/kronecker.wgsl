// A run of Kronecker stages in one launch: each applies a 2×2 matrix to one bit of the index, in place.
//
// The bits of the run are k adjacent ones, from `stride` lanes up. A workgroup takes a tile of 2^14 lanes. Small arrays have
// smaller tiles; 512 threads take twice as many lanes where that saves a row a launch. A tile is either one run of consecutive
// lanes, or the 2^k points, `stride` lanes apart, of some adjacent lines. Tiles are separate, so the launch may write where it
// read.
//
// Bytes: every lane is read once and written once. Neighbouring threads touch neighbouring lanes: a warp reads and writes 128 or
// 512 bytes of a consecutive tile, otherwise segments as long as the tile has lines.
//
// Each thread keeps 64 lanes in registers (32 of 64-bit integers, fewer in small arrays): six bits of a lane's index in the tile
// say which register holds it, the others which thread. Stages on those six bits need no other thread. Then threads exchange
// lanes through workgroup memory so that other bits become the six. About two bits stay as they are in an exchange: each of their
// values is one round, and all rounds share the memory of one. A quarter of the tile is 16 KiB, so two or three workgroups fit on
// a processor, and one computes while the others wait for memory. At the end the lowest bits and the highest go to registers, and
// results leave as vectors of 16 bytes.
// Where subgroups have one size, bits that number the threads of a subgroup are exchanged with those of registers by shuffles,
// two at a time. That takes 32 shuffles a bit, where an exchange through memory writes and reads 64 lanes and waits at eight
// barriers (2^24 lanes, NVIDIA H200: 88 µs instead of 94; bit-packed Reed-Muller, 225 instead of 253; rows of 2^10 1.15 copies
// instead of 1.35).
// Element p of workgroup memory moves to p + p/32, and threads are numbered so that 32 of them fall into different banks.
//
// Everything is unrolled: src/gpu/kronecker/text.rs writes stages and exchanges of one shape in place of the last comment, and
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
