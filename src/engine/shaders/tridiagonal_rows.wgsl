// The rows of a tridiagonal system and its unknowns, in global memory and in that of a workgroup.

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
var<workgroup> held: array<Real, ⟨held⟩>;

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

// Where value i of a row is during an exchange: threads that take ROWS neighbours each fall into different banks.
fn spread(i: u32) -> u32 {
    return i + i / ROWS;
}

// Writes unknown i and the three behind it; the buffer may hold some past the last one.
fn store(i: u32, x: vec4<Real>) {
    if i < launch.n {
        output[launch.unknowns + (i >> 2u)] = x;
    }
}

