{# One stage of a plan, from global memory to global memory: a thread takes a few butterflies, and loads all their taps before it stores
the first result, so that memory is busy.

Bytes: every tap is read once, every result written once. Threads are numbered so that neighbours touch the fewest sectors of memory.
Two taps or results that stand side by side are one load or store; 4-byte lanes whose neighbours are in neighbouring butterflies go
through vectors. A stage of a single workgroup may write where other threads read: these load first. src/engine/gpu/stage/ writes the indices: numbers in which the launches of a plan differ are uniforms. #}
//@ from "stage_butterfly.wgsl" import loads, stores
//@ include "stage_helpers.wgsl"
//@ if uniforms

struct Launch {
//@ for name in uniforms
    ⟨name⟩: u32,
//@ endfor
}
//@ endif

//@ if source == "input"
@group(0) @binding(0) var<storage, read> input: array<⟨tap_type⟩>;
//@ endif
@group(0) @binding(1) var<storage, read_write> output: array<⟨result_type⟩>;
//@ if helpers.coefs
@group(0) @binding(3) var<storage, read> coefs: array<Complex>;
//@ endif
//@ if helpers.reads_roots
@group(0) @binding(4) var<storage, read> roots: array<Complex>;
//@ endif
//@ if uniforms
@group(0) @binding(5) var<uniform> launch: Launch;
//@ endif

@compute @workgroup_size(⟨threads⟩)
//@ if patch
fn stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    // A workgroup takes ⟨patch.positions⟩ positions of ⟨patch.lines⟩ lines.
    let number = group.x + group.y * groups.x;
    let p = number % ⟨patch.along⟩u * ⟨patch.positions⟩u + thread / ⟨patch.position_pitch⟩u % ⟨patch.positions⟩u;
    let q = number / ⟨patch.along⟩u % ⟨patch.across⟩u * ⟨patch.lines⟩u + thread / ⟨patch.line_pitch⟩u % ⟨patch.lines⟩u;
    let b = number / ⟨patch.along * patch.across⟩u;
    if p >= ⟨patch.counts[0]⟩u || q >= ⟨patch.counts[1]⟩u || b >= ⟨patch.counts[2]⟩u {
        return;
    }
//@ elif idles
fn stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    // A thread for every sample, and every second sample stays.
    let sample = (group.x + group.y * groups.x) * ⟨threads⟩u + thread;
    if sample % 2u != 0u {
        return;
    }
    let t = sample / 2u;
//@ elif each == 1 and not is_folded
fn stage(@builtin(global_invocation_id) id: vec3u) {
    let t = id.x;
//@ else
fn stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
//@ set first = "(group.x + group.y * groups.x)" if is_folded else "group.x"
//@ for k in range(each)
//@ if each == 1
    let t = ⟨first⟩ * ⟨threads⟩u + thread;
//@ elif k == 0
    let t0 = ⟨first⟩ * ⟨threads * each⟩u + thread;
//@ else
    let t⟨k⟩ = t0 + ⟨k * threads⟩u;
//@ endif
//@ endfor
//@ endif
//@ if n_guarded
    if t⟨"" if each == 1 else "0"⟩ >= ⟨n_guarded⟩ {
        return;
    }
//@ endif
//@ for butterfly in butterflies
    ⟨loads(butterfly, source, zero)|trim⟩
//@ endfor
//@ if waits
    storageBarrier();
//@ endif
//@ for butterfly in butterflies
    ⟨stores(butterfly, "output")|trim⟩
//@ endfor
}
