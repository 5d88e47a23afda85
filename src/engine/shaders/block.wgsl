{# A run of stages in tiles of consecutive lanes. A workgroup takes one tile: the first stage reads global memory, the last writes it,
and between them the lanes wait in workgroup memory. A stage that writes where it read stays in its half of that memory; others use two
halves alternately, so that one barrier a stage is enough. Stages that touch only every n-th lane, the last ones of a Haar transform in
place, take these lanes instead of consecutive ones. Bytes: every lane of the tile is read once and written once. #}
//@ from "stage_butterfly.wgsl" import loads, stores
//@ include "stage_helpers.wgsl"

@group(0) @binding(0) var<storage, read> input: array<⟨register⟩>;
@group(0) @binding(1) var<storage, read_write> output: array<⟨register⟩>;
//@ if helpers.coefs
@group(0) @binding(3) var<storage, read> coefs: array<Complex>;
//@ endif
//@ if helpers.reads_roots
@group(0) @binding(4) var<storage, read> roots: array<Complex>;
//@ endif

var<workgroup> tile: array<⟨register⟩, ⟨places⟩>;

@compute @workgroup_size(⟨threads⟩)
fn stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
//@ if n_guarded
    if group.x + group.y * groups.x >= ⟨n_guarded⟩u {
        return;
    }
//@ endif
    let start = (group.x + group.y * groups.x) * ⟨tile⟩u;
//@ for phase in phases
//@ if not loop.first
    workgroupBarrier();
//@ endif
//@ if phase.n == threads
    {
        let t = thread;
//@ elif phase.n < threads
    if thread < ⟨phase.n⟩u {
        let t = thread;
//@ else
    for (var t = thread; t < ⟨phase.n⟩u; t += ⟨threads⟩u) {
//@ endif
//@ if phase.copy
        ⟨phase.to⟩[⟨phase.copy[1]⟩] = ⟨phase.from⟩[⟨phase.copy[0]⟩];
//@ else
        ⟨loads(phase.butterfly, phase.from, zero)|trim|indent(4)⟩
        ⟨stores(phase.butterfly, phase.to)|trim|indent(4)⟩
//@ endif
    }
//@ endfor
}
