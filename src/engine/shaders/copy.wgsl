// A plain copy: no kernel that reads and writes everything once is faster. Thread i moves 16 bytes from vector i to vector i, so
// that neighbouring threads touch neighbouring bytes. `copy_words` copies a part that may begin anywhere. `expand` goes the same way from real numbers to complex ones.

//@ include "numbers.wgsl"

struct Launch {
    // Number of vectors or words to copy, or of real numbers to expand.
    n: u32,
    // The first word to copy, or the first complex number.
    first: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;
@group(0) @binding(0) var<storage, read> source_words: array<u32>;
@group(0) @binding(1) var<storage, read_write> sink_words: array<u32>;
@group(0) @binding(0) var<storage, read> reals: array<Real>;
@group(0) @binding(1) var<storage, read_write> complexes: array<Complex>;
@group(0) @binding(5) var<uniform> launch: Launch;

@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let i = (group.x + group.y * groups.x) * 256u + thread;
    if i < launch.n {
        output[i] = input[i];
    }
}

// Four words a thread, of which those of neighbouring threads are neighbours.
@compute @workgroup_size(256)
fn copy_words(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let begin = (group.x + group.y * groups.x) * 1024u + thread;
    for (var i = begin; i < min(begin + 1024u, launch.n); i += 256u) {
        sink_words[launch.first + i] = source_words[launch.first + i];
    }
}

@compute @workgroup_size(256)
fn expand(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let i = (group.x + group.y * groups.x) * 256u + thread;
    if i < launch.n {
        complexes[launch.first + i] = Complex(reals[i], 0.0);
    }
}
