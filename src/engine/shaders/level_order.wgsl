// Sorts the results of a Haar transform in place by levels, the coarsest first, or takes them back to their places.
//
// In place, a difference of level l is at an odd multiple of 2^l, and the sum of the row at 0. Sorted, the differences of level l of a row of
// 2^n lanes follow one another from lane 2^(n − 1 − l) on.
//
// Bytes: every lane is read once and written once. A workgroup takes 2^TILE neighbouring lanes in place. Half of them are odd, differences of
// level 0, which are neighbours where they are sorted, too; a quarter are differences of level 1, and so on. All lanes of the tile go through
// workgroup memory, so that threads touch neighbours on both sides. There a lane moves by its number divided by 32 and by 1024, so that
// threads whose lanes are 2, 4, 8, … apart use different banks.

//@ include "numbers.wgsl"
//@ include lane

const TILE = ⟨bits⟩u;
const THREADS = ⟨threads⟩u;

struct Launch {
    n_groups: u32,
    // Bits that number the lanes of a row.
    row_bits: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> lanes: array<Lane, ⟨places⟩>;

//@ include "banks.wgsl"

// Where the differences of a level begin in a sorted row.
fn begin(level: u32) -> u32 {
    return 1u << (launch.row_bits - 1u - level);
}

// Where a lane of a row is in the sorted row.
fn sorted(lane: u32) -> u32 {
    let level = firstTrailingBit(max(lane, 1u));
    return select(begin(level) + (lane >> (level + 1u)), 0u, lane == 0u);
}

// The lanes of a tile whose levels have fewer differences than a workgroup has threads, one for each thread; thread 0 has lane 0.
fn coarse(thread: u32) -> u32 {
    let leading = firstLeadingBit(max(thread, 1u));
    return select((2u * (thread - (1u << leading)) + 1u) << (TILE - 1u - leading), 0u, thread == 0u);
}

//@ macro move(here, there)
//@ if forward
output[⟨there⟩] = lanes[place(⟨here⟩)];
//@ else
lanes[place(⟨here⟩)] = input[⟨there⟩];
//@ endif
//@ endmacro
@compute @workgroup_size(THREADS)
fn level_order(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let tile = group.x + group.y * groups.x;
    if tile >= launch.n_groups {
        return;
    }
    let start = tile << TILE;
    let row = (start >> launch.row_bits) << launch.row_bits;
    let inside = start - row;
//@ set n = (2 ** bits) // threads
//@ if forward
//@ for k in range(n)
    lanes[place(thread + ⟨k * threads⟩u)] = input[start + thread + ⟨k * threads⟩u];
//@ endfor
    workgroupBarrier();
//@ endif
//@ for level in range(fine_levels)
    let sorted⟨level⟩ = row + begin(⟨level⟩u) + (inside >> ⟨level + 1⟩u) + thread;
//@ for k in range(n // 2 ** (level + 1))
    ⟨move("(2u * thread + " ~ (2 * k * threads + 1) ~ "u) << " ~ level ~ "u", "sorted" ~ level ~ " + " ~ k * threads ~ "u")|trim⟩
//@ endfor
//@ endfor
    let here = coarse(thread);
    ⟨move("here", "row + sorted(inside + here)")|trim⟩
//@ if not forward
    workgroupBarrier();
//@ for k in range(n)
    output[start + thread + ⟨k * threads⟩u] = lanes[place(thread + ⟨k * threads⟩u)];
//@ endfor
//@ endif
}
