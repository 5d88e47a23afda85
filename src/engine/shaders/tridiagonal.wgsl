// Cyclic reduction of a tridiagonal system, many levels in one launch: blocks of rows eliminate all of their rows but the last.
//
// A thread takes ROWS adjacent rows and makes two reduced equations of them. One relates its last unknown, which stays, to the
// last unknown of the thread before and to the first one of the next thread. The other relates its first unknown to the last
// unknown of the thread before and to its own last one. Threads join their equations, and reduce them in workgroup memory.
// REDUCE writes both reduced equations of every block, the rows of a smaller system. SUBSTITUTE takes the last unknowns of all blocks
// from that system, reads the same rows again and finds all unknowns between. With neither, a single workgroup does all.
//@ include "numbers.wgsl"
//@ include "reduced_equations.wgsl"

const THREADS = ⟨threads⟩u;
const ROWS = ⟨rows⟩u;
const LEVELS = ⟨levels⟩u;
// Whether rows are reduced equations, and not those of the input.
const REDUCED = ⟨reduced⟩;
const REDUCE = ⟨phase == "Reduce"⟩;
const SUBSTITUTE = ⟨phase == "Substitute"⟩;

//@ include "tridiagonal_rows.wgsl"
@compute @workgroup_size(THREADS)
fn tridiagonal(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let mine = group.x + group.y * groups.x;
    if mine >= launch.n_groups {
        return;
    }
    let first = (mine * THREADS + thread) * ROWS;
    //@ if exchanges
    //@ include "tridiagonal_load.wgsl"
    //@ else
    //@ for i in range(rows)
    let r⟨i⟩ = row(first + ⟨i⟩u);
    //@ endfor
    //@ endif
    // Every unknown of the thread, related to the last one of the thread before and to the next one.
    let p0 = normalised(r0);
    var start = p0;
    //@ for i in range(1, rows)
    let p⟨i⟩ = next(p⟨i - 1⟩, r⟨i⟩);
    //@ if not loop.last
    start = through(start, p⟨i⟩);
    //@ endif
    //@ endfor
    let end = p⟨rows - 1⟩;
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
    //@ if phase != "Reduce"
    //@ include "tridiagonal_unknowns.wgsl"
    //@ endif
}
