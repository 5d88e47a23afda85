// A split section or a merge section of a run of lifting steps, or of eliminations: what a tile finishes alone, or the samples
// around a border.
//
// A unit is a tile of a line, or the samples around a border of tiles. A workgroup takes some units: adjacent columns of an
// image, or one tile, or neighbouring borders. It reads the samples of its units, takes all steps with a barrier after each, and
// writes the samples. A step updates every other sample of its level, except those of the other section: `last_before` and
// `first_after` say how far from a border these reach.
//
// Bytes: a split reads and writes every sample of its first level, a merge those around the borders. With one thread a sample
// half of the threads idle in a step; with half as many threads none does. A merge may keep its samples in global memory.

//@ include "numbers.wgsl"
//@ include lane
//@ include "boundary.wgsl"
//@ include "section_units.wgsl"
const MERGES = ⟨merges⟩;
// Samples of a tile, and of a unit.
const TILE = ⟨tile⟩;
const SAMPLES = ⟨samples⟩u;
// Whether the odd samples are those of the next level, and not the even ones.
const ODD = ⟨odd⟩;
// Whether a tile has a copy of the sample before it.
const COPIES = ⟨copies⟩;
const IN_GLOBAL = ⟨in_global⟩;
const THREADS = ⟨threads⟩u;

struct Launch {
    n_groups: u32,
    // Units of a line, and samples of a line at the first level of the run.
    units: u32,
    samples: i32,
    // Lanes from one sample to the next, and the two loops over lines.
    spacing: u32,
    lines: u32,
    line_pitch: u32,
    outer_pitch: u32,
    n_lines: u32,
    // Lane of the first sample.
    first_lane: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> held: array<Lane, ⟨held⟩>;

//@ include "split_merge_samples.wgsl"
//@ include "split_merge_steps.wgsl"
@compute @workgroup_size(THREADS)
fn split_merge(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    //@ if not in_global
    // The copy of the sample before a tile is only loaded.
    for (var e = thread; e < ⟨units * pitch⟩u; e += THREADS) {
        let unit = unit_of(e, ⟨pitch⟩u);
        let at = location(group, unit);
        let inside = inside_of(e, ⟨pitch⟩u) - ⟨pitch - samples⟩;
        if at.exists && has(at.first + inside) {
            held[slot(unit, inside)] = ⟨source⟩[lane(at, at.first + inside)];
        }
    }
    workgroupBarrier();
    //@ endif
    //@ for step in steps
    for (var e = thread; e < ⟨units * (samples if thread_per_sample else samples // 2 ** (step.level + 1))⟩u; e += THREADS) {
        step⟨loop.index0⟩(group, e);
    }
    ⟨"storageBarrier" if in_global else "workgroupBarrier"⟩();
    //@ endfor
    //@ if not in_global
    for (var e = thread; e < ⟨units * samples⟩u; e += THREADS) {
        let unit = unit_of(e, SAMPLES);
        let at = location(group, unit);
        let inside = inside_of(e, SAMPLES);
        if at.exists && has(at.first + inside)⟨" && is_updated(inside)" if merges else ""⟩ {
            output[lane(at, at.first + inside)] = held[slot(unit, inside)];
        }
    }
    //@ endif
}
