// A run of Kronecker stages in one launch: each applies a 2×2 matrix to one bit of the index, in place.
//
// The bits of the run are k adjacent ones, from `stride` lanes up. A workgroup takes a tile of 2^14 lanes. Arrays of less than 2^22
// lanes have smaller tiles, so that 256 workgroups share them: 2^20 lanes take 9.4 µs, and 12.0 in 64 workgroups (NVIDIA H200).
// A workgroup of 512 threads takes twice the lanes if this saves a launch. A tile is either one run of consecutive lanes, or
// the 2^k points, `stride` lanes apart, of some adjacent lines. Tiles are separate, so the launch may write where it read.
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
// two at a time; naga takes subgroup functions without `enable subgroups`. That takes 32 shuffles a bit, where an exchange through
// memory writes and reads 64 lanes and waits at eight barriers (2^24 lanes, NVIDIA H200: 88 µs instead of 94; bit-packed
// Reed-Muller, 225 instead of 253; rows of 2^10 1.15 copies instead of 1.35).
// Element p of workgroup memory moves to p + p/32, and threads are numbered so that 32 of them fall into different banks.
//@ from "kronecker_macros.wgsl" import combined, guarded, read, result, spread
//@ include "numbers.wgsl"
//@ include lane

// The buffers hold lanes, or vectors of 16 bytes.
alias Source = ⟨"vec" ~ 2 ** vector ~ "<Lane>" if loads_vectors else "Lane"⟩;
alias Sink = ⟨"vec" ~ 2 ** vector ~ "<Lane>" if stores_vectors else "Lane"⟩;
const THREADS = ⟨threads⟩u;
// A lane for every element of one round of an exchange, padded.
const WORKGROUP_VALUES = ⟨workgroup_values⟩u;
// ACROSS tiles, of 2^LINES neighbouring lines each, share a block of 2^BLOCK lanes.
const ACROSS = ⟨across⟩u;
const LINES = ⟨lines⟩u;
const BLOCK = ⟨block⟩u;

struct Launch {
    n_groups: u32,
    n_lanes: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Source>;
@group(0) @binding(1) var<storage, read_write> output: array<Sink>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> exchanged: array<Lane, WORKGROUP_VALUES>;

// The rows of the matrix.
fn first(a: Lane, b: Lane) -> Lane {
    return ⟨combined(base[0])⟩;
}

fn second(a: Lane, b: Lane) -> Lane {
    return ⟨combined(base[1])⟩;
}

// The first lane of a tile.
fn first_lane(tile: u32) -> u32 {
    return ((tile % ACROSS) << LINES) + ((tile / ACROSS) << BLOCK);
}

//@ if subgroup
// No rule says which threads a subgroup takes, so threads are numbered by their index in it.
//@ set number = "@builtin(subgroup_id) subgroup: u32, @builtin(subgroup_invocation_id) lane: u32"
//@ else
//@ set number = "@builtin(local_invocation_index) thread: u32"
//@ endif
@compute @workgroup_size(THREADS)
fn kronecker(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, ⟨number⟩) {
    //@ if subgroup
    let thread = subgroup * ⟨subgroup⟩u + lane;
    //@ endif
    let tile = group.x + group.y * groups.x;
    if tile >= launch.n_groups {
        return;
    }
    let start = first_lane(tile);
    //@ for x in range(registers)
    var x⟨x⟩ = Lane(0);
    //@ endfor
    let source = start + ⟨spread(load.thread)⟩;
    //@ for offset, registers in load.pieces
    //@ call guarded("source", offset)
    //@ if load.vectors
    let v⟨registers[0]⟩ = ⟨read(offset)⟩;
    //@ for x in registers
    x⟨x⟩ = v⟨registers[0]⟩[⟨loop.index0⟩];
    //@ endfor
    //@ else
    x⟨registers[0]⟩ = ⟨read(offset)⟩;
    //@ endif
    //@ endcall
    //@ endfor
    //@ for phase in phases
    //@ set n = loop.index0
    //@ for mask, pairs in phase.shuffles
    // Two threads whose numbers differ in this bit exchange one lane of each pair: the lower thread gives the second of them, the
    // upper one the first. So a bit that chose one of two registers then chooses one of two threads, and the other way round.
    let upper⟨n⟩_⟨mask⟩ = (thread & ⟨mask⟩u) != 0u;
    //@ set upper = "upper" ~ n ~ "_" ~ mask
    //@ for a, b in pairs
    { let other = subgroupShuffleXor(select(x⟨b⟩, x⟨a⟩, ⟨upper⟩), ⟨mask⟩u); x⟨a⟩ = select(x⟨a⟩, other, ⟨upper⟩); x⟨b⟩ = select(other, x⟨b⟩, ⟨upper⟩); }
    //@ endfor
    //@ endfor
    //@ if phase.exchange
    let home⟨n⟩ = ⟨spread(phase.exchange.home)⟩;
    let write⟨n⟩ = home⟨n⟩ + (home⟨n⟩ >> 5u);
    let away⟨n⟩ = ⟨spread(phase.exchange.away)⟩;
    let read⟨n⟩ = away⟨n⟩ + (away⟨n⟩ >> 5u);
    //@ for round in phase.exchange.rounds
    //@ if n > 1 or not loop.first
    workgroupBarrier();
    //@ endif
    //@ for x, offset in round.writes
    exchanged[write⟨n⟩ + ⟨offset⟩u] = x⟨x⟩;
    //@ endfor
    workgroupBarrier();
    //@ for x, offset in round.reads
    x⟨x⟩ = exchanged[read⟨n⟩ + ⟨offset⟩u];
    //@ endfor
    //@ endfor
    //@ endif
    //@ for stage in phase.stages
    //@ for a, b in stage
    { let a = x⟨a⟩; x⟨a⟩ = first(a, x⟨b⟩); x⟨b⟩ = second(a, x⟨b⟩); }
    //@ endfor
    //@ endfor
    //@ endfor
    let sink = start + ⟨spread(store.thread)⟩;
    //@ for offset, registers in store.pieces
    //@ call guarded("sink", offset)
    //@ if store.vectors
    output[(sink + ⟨offset⟩u) >> ⟨vector⟩u] = Sink(
        //@ for x in registers
        ⟨result(x)⟩,
        //@ endfor
    );
    //@ else
    output[sink + ⟨offset⟩u] = ⟨result(registers[0])⟩;
    //@ endif
    //@ endcall
    //@ endfor
}
