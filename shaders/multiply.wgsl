// A spectrum times the factors of a mask, on its way into an inverse transform. Thread i multiplies value i, so that neighbouring
// threads touch neighbouring bytes. Bytes of a value: 8 are read, 4 of its factor, and 8 are written.

//@ include "numbers.wgsl"

struct Launch {
    // Number of values.
    n: u32,
}

@group(0) @binding(0) var<storage, read> spectrum: array<Complex>;
@group(0) @binding(1) var<storage, read_write> masked: array<Complex>;
@group(0) @binding(2) var<storage, read> factors: array<Real>;
@group(0) @binding(5) var<uniform> launch: Launch;

@compute @workgroup_size(256)
fn multiply(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let i = (group.x + group.y * groups.x) * 256u + thread;
    if i < launch.n {
        masked[i] = factors[i] * spectrum[i];
    }
}
