// Cyclic reduction of a tridiagonal system, many levels in one launch: blocks of rows eliminate all of their rows but the last.
//
// A thread takes ROWS adjacent rows and makes two reduced equations of them. One relates its last unknown, which stays, to the
// last unknown of the thread before and to the first one of the next thread. The other relates its first unknown to the last
// unknown of the thread before and to its own last one. Threads join their equations, and reduce them in workgroup memory.
// REDUCE writes both reduced equations of every block, the rows of a smaller system. SUBSTITUTE takes the last unknowns of all blocks
// from that system, reads the same rows again and finds all unknowns between. With neither, a single workgroup does all.
// `reduced_equations.wgsl` stands before this text. src/gpu/tridiagonal.rs writes the rows of a thread in place of the last comments.

struct Launch {
    n_groups: u32,
    // Rows of the system that is read.
    n: u32,
    // Offsets in the output, in vectors of four numbers: reduced equations that are read as rows, those that are written,
    // last unknowns of the blocks, and all unknowns.
    source: u32,
    reduced: u32,
    solved: u32,
    unknowns: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<Real>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<Real>>;
@group(0) @binding(5) var<uniform> launch: Launch;

// The reduced equations of all threads, one component after the other; at the end, last unknowns replace the sums. Or rows and unknowns that threads exchange.
var<workgroup> held: array<Real, HELD>;

fn reduced(i: u32) -> ReducedEquation {
    return ReducedEquation(held[i], held[i + THREADS], held[i + 2u * THREADS], held[i + 3u * THREADS]);
}

fn set_reduced(i: u32, value: ReducedEquation) {
    held[i] = value.x;
    held[i + THREADS] = value.y;
    held[i + 2u * THREADS] = value.z;
    held[i + 3u * THREADS] = value.w;
}

const LASTS = 3u * THREADS;

// Row i (a, b, c, d) of the input; past its end rows say x = 0.
fn equation(i: u32) -> vec4<Real> {
    if i >= launch.n {
        return vec4<Real>(0.0, 1.0, 0.0, 0.0);
    }
    return input[i];
}

// Row i of the system.
fn row(i: u32) -> Multiple {
    if !REDUCED || i >= launch.n {
        return of_row(equation(i));
    }
    // The last unknown of block i is related to the first one of the block behind, and that one to both.
    var behind = OPEN;
    if i + 1u < launch.n {
        behind = output[launch.source + 2u * i + 3u];
    }
    return joined(output[launch.source + 2u * i], behind);
}

fn last_of(block: u32) -> Real {
    return output[launch.solved + (block >> 2u)][block & 3u];
}

// Where value i of a row stands during an exchange: threads that take ROWS neighbours each fall into different banks.
fn spread(i: u32) -> u32 {
    return i + i / ROWS;
}

// Writes unknown i and the three behind it; the buffer may hold some past the last one.
fn store(i: u32, x: vec4<Real>) {
    if i < launch.n {
        output[launch.unknowns + (i >> 2u)] = x;
    }
}

@compute @workgroup_size(THREADS)
fn tridiagonal(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let first = (mine * THREADS + thread) * ROWS;
    //@ equations
    workgroupBarrier();
    set_reduced(thread, start);
    workgroupBarrier();
    var whole = reduced(0u);
    var behind = OPEN;
    if thread + 1u < THREADS {
        behind = reduced(thread + 1u);
    }
    workgroupBarrier();
    // The unknown behind is itself related to this one.
    set_reduced(thread, normalised(joined(end, behind)));
    workgroupBarrier();
    for (var level = 0u; level < LEVELS; level++) {
        let distance = 1u << level;
        let i = 2u * distance * (thread + 1u) - 1u;
        if i < THREADS {
            var next_one = OPEN;
            if i + distance < THREADS {
                next_one = reduced(i + distance);
            }
            set_reduced(i, without(reduced(i), reduced(i - distance), next_one));
        }
        if REDUCE && thread == THREADS - 1u {
            whole = through(whole, reduced(distance - 1u));
        }
        workgroupBarrier();
    }
    if REDUCE {
        if thread == THREADS - 1u {
            output[launch.reduced + 2u * mine] = reduced(thread);
            output[launch.reduced + 2u * mine + 1u] = whole;
        }
        return;
    }
    var left = Real(0.0);
    if SUBSTITUTE && mine > 0u {
        left = last_of(mine - 1u);
    }
    if thread == THREADS - 1u {
        if SUBSTITUTE {
            held[LASTS + thread] = last_of(mine);
        } else {
            held[LASTS + thread] = reduced(thread).z;
        }
    }
    workgroupBarrier();
    for (var level = LEVELS; level > 0u; level--) {
        let distance = 1u << (level - 1u);
        let i = distance * (2u * thread + 1u) - 1u;
        if i < THREADS {
            let own = reduced(i);
            var x = left;
            if thread > 0u {
                x = held[LASTS + i - distance];
            }
            held[LASTS + i] = own.z - own.x * x - own.y * held[LASTS + i + distance];
        }
        workgroupBarrier();
    }
    if thread > 0u {
        left = held[LASTS + thread - 1u];
    }
    //@ unknowns
}
