// A split section or a merge section of a run of scan steps, in which every equation is computed anew in each level from itself
// and from equations a distance before and behind.
//
// The equations `spacing` apart are a line. A workgroup of a split takes a tile of a line: it reads the equations, takes all
// levels, and writes them. A level is computed from the one before, so that all threads load before any stores. The split leaves
// what needs another tile, and keeps, in scratch lanes behind those of the plan, what the merge will read and the split overwrites.
// A workgroup of a merge takes the equations around some borders of tiles, and finds what was kept there.
//
// Bytes: a split reads and writes every equation and writes what it keeps, a merge reads that, and reads and writes those around
// the borders. A merge may leave its equations in global memory.

//@ include "numbers.wgsl"
//@ include lane
//@ include "doubling.wgsl"
// Equations of a tile, and those around a border that a merge computes: how many, and the first one from the border.
const TILE = ⟨tile⟩;
const WIDTH = ⟨width⟩;
const FIRST = ⟨first⟩;
// Lanes that are kept around a border.
const KEPT = ⟨kept⟩u;
const THREADS = ⟨threads⟩u;

struct Launch {
    n_groups: u32,
    // Equations of the system.
    n: u32,
    // Lanes from one equation of a line to the next, which is the number of lines.
    spacing: u32,
    // Where the kept lanes begin.
    kept: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Lane>;
@group(0) @binding(1) var<storage, read_write> output: array<Lane>;
@group(0) @binding(5) var<uniform> launch: Launch;

var<workgroup> held: array<Lane, ⟨held⟩>;

// A tile, or a border behind a tile: its line, its number, the equation from which others are counted, and the equations of the line.
struct Location {
    line: u32,
    number: u32,
    origin: i32,
    n: i32,
}

fn location(index: u32) -> Location {
    let line = index % launch.spacing;
    let number = index / launch.spacing;
    let n = i32((launch.n + launch.spacing - 1u - line) / launch.spacing);
    return Location(line, number, (i32(number) + ⟨1 if merges else 0⟩) * TILE, n);
}

// Whether the line has an equation. Lines may end before the last tile or border.
fn has(at: Location, i: i32) -> bool {
    return at.origin < at.n && at.origin + i >= 0 && at.origin + i < at.n;
}

fn lane(at: Location, i: i32) -> u32 {
    return u32(at.origin + i) * launch.spacing + at.line;
}

// Where a value around the border behind tile `number` is kept.
fn kept(at: Location, number: u32, inner: i32) -> u32 {
    return launch.kept + (number * launch.spacing + at.line) * KEPT + u32(inner);
}

// The tile or border to which an element of a workgroup belongs, and where the element is from its origin.
fn located(group: u32, e: u32) -> Location {
    return location(⟨"group * " ~ units ~ "u + e / " ~ width ~ "u" if merges else "group"⟩);
}

fn inside(e: u32) -> i32 {
    return ⟨"FIRST + i32(e % " ~ width ~ "u)" if merges else "i32(e)"⟩;
}

//@ for level in levels
//@ include "scan_sections_level.wgsl"
//@ endfor
@compute @workgroup_size(THREADS)
fn scan_sections(@builtin(workgroup_id) groups: vec3u, @builtin(num_workgroups) n_groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let group = groups.x + groups.y * n_groups.x;
    if group >= launch.n_groups {
        return;
    }
    //@ if not in_global
    for (var e = thread; e < ⟨elements⟩u; e += THREADS) {
        let at = located(group, e);
        if has(at, inside(e)) {
            held[e] = ⟨source⟩[lane(at, inside(e))];
        }
    }
    workgroupBarrier();
    //@ endif
    //@ for level in levels
    //@ for r in range(per_thread)
    let e⟨level.number⟩_⟨r⟩ = thread + ⟨r * threads⟩u;
    let y⟨level.number⟩_⟨r⟩ = level⟨level.number⟩(group, e⟨level.number⟩_⟨r⟩);
    //@ endfor
    ⟨"storageBarrier" if in_global else "workgroupBarrier"⟩();
    //@ for r in range(per_thread)
    store⟨level.number⟩(group, e⟨level.number⟩_⟨r⟩, y⟨level.number⟩_⟨r⟩);
    //@ endfor
    ⟨"storageBarrier" if in_global else "workgroupBarrier"⟩();
    //@ endfor
    //@ if not in_global
    for (var e = thread; e < ⟨elements⟩u; e += THREADS) {
        let at = located(group, e);
        if has(at, inside(e)) {
            output[lane(at, inside(e))] = held[e];
        }
    }
    //@ endif
}
