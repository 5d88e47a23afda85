// A split section, a merge section or an overlapped tile of a run of levels of a filter bank, which is not in place.
//
// A unit is a tile of a line, or the values around a border of tiles. A workgroup takes some units: adjacent columns of an image,
// or one tile, or neighbouring borders. In every level a butterfly makes a low-pass and a high-pass value of some neighbouring
// samples of a block. In a packet transform both are blocks of the next level; otherwise the high-pass value goes straight to
// where it stays. A tile holds the samples of a level in one part of its memory and their values in the other. In the inverse a
// butterfly makes two samples of neighbouring values of both halves of a block, and these are values of the next finer level.
//
// A split makes everything that needs nothing of another tile. Around every border it keeps, in scratch lanes, the values that
// the merge will read at each level; a merge reads them there, and puts its own results between. An overlapped tile reads a halo
// of its line, so that it needs no merge.
//
// Bytes: a tile reads and writes every sample, a merge those around the borders. With one thread a sample, each thread makes one
// of both values of a butterfly. A merge may leave its samples in global memory.

//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
//@ include "section_units.wgsl"
const MERGES = ⟨merges⟩;
// Samples of a tile, and values in the memory of a unit.
const TILE = ⟨tile⟩;
const PITCH = ⟨pitch⟩u;
// Values that are kept around a border, and whether a merge leaves them in global memory.
const KEPT = ⟨kept⟩u;
const IN_GLOBAL = ⟨in_global⟩;
const THREADS = ⟨threads⟩u;
// Whether these are in the buffer that is written.
const JOINED_IN_OUTPUT = ⟨joined_in_output⟩;
const LOW_IN_OUTPUT = ⟨low_in_output⟩;
const HIGH_IN_OUTPUT = ⟨high_in_output⟩;

// Where values are: the first lane, and the lanes from one line to the next and from one value to the next.
struct Lines {
    first: u32,
    line: u32,
    step: u32,
}

struct Launch {
    n_groups: u32,
    // Units of a line, lines, and samples of a line before the first level.
    units: u32,
    n_lines: u32,
    samples: i32,
    // Lines whose low-pass values are at `low`; those of the other lines are at `high`, before the high-pass ones.
    low_lines: u32,
    // Where the values kept for merges begin.
    kept: u32,
    @align(16) joined: Lines,
    @align(16) low: Lines,
    @align(16) high: Lines,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> held: array<Lane, ⟨held⟩>;

//@ include "filter_bank_values.wgsl"
//@ include "filter_bank_levels.wgsl"
@compute @workgroup_size(THREADS)
fn filter_bank(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    //@ if merges and not in_global
    for (var e = thread; e < ⟨units * pitch⟩u; e += THREADS) {
        load_kept(group, e);
    }
    //@ endif
    //@ for load in loads
    for (var e = thread; e < ⟨units * load.parts * levels[load.level].width⟩u; e += THREADS) {
        load⟨loop.index0⟩(group, e);
    }
    //@ endfor
    //@ for level in (levels|reverse if inverse else levels)
    //@ if not in_global
    workgroupBarrier();
    //@ elif not loop.first
    storageBarrier();
    //@ endif
    //@ if level.elements > 0
    for (var e = thread; e < ⟨units * level.elements⟩u; e += THREADS) {
        level⟨level.number⟩(group, e);
    }
    //@ endif
    //@ endfor
}
