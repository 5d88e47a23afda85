{# A run of stages in place, where each has one butterfly in a block of lanes, and small blocks lie in large ones: the steps of a Haar transform.

A workgroup takes a tile and loads all its lanes into workgroup memory, neighbouring threads neighbouring lanes. Then a thread holds up to 16
lanes in registers, those that several stages touch in a large block, and takes all these stages; the next stages touch fewer lanes, and so
need fewer threads. At last all lanes are stored. Bytes: every lane of the tile is read once and written once.
Lane e of the tile stands at e + e/32 + e/1024, so that threads whose lanes are 2, 4, 8, … apart use different banks.
Where rows are sorted by level at last, a thread looks up where its lane comes from, so that neighbours are still written together.
Tiles of lanes far apart, the last stages of a long row, leave the lanes between as they are. #}
//@ from "stage_butterfly.wgsl" import in_registers
//@ set helpers = {"reversal": {"n_bits": order[0], "order": order[1]} if order else none, "pyramid": none}
//@ if complex
alias Complex = vec2<⟨real⟩>;
//@ endif
//@ include "permutation.wgsl"

@group(0) @binding(0) var<storage, read> input: array<⟨register⟩>;
@group(0) @binding(1) var<storage, read_write> output: array<⟨register⟩>;

var<workgroup> tile: array<⟨register⟩, ⟨places⟩>;

//@ include "banks.wgsl"

//@ set begin = "start + " if spacing == 1 else "start + " ~ spacing ~ "u * ("
//@ set end = "" if spacing == 1 else ")"
@compute @workgroup_size(⟨threads⟩)
fn stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
//@ if n_guarded
    if group.x + group.y * groups.x >= ⟨n_guarded⟩u {
        return;
    }
//@ endif
    let start = (group.x + group.y * groups.x) * ⟨tile * spacing⟩u;
//@ for first in range(0, tile, threads)
//@ set lane = "thread" if first == 0 else "thread + " ~ first ~ "u"
    tile[place(⟨lane⟩)] = ⟨"output" if spacing > 1 else "input"⟩[⟨begin ~ lane ~ end⟩];
//@ endfor
//@ for round in rounds
    workgroupBarrier();
//@ if round.n == threads
    {
        let first = ⟨round.unit⟩u * thread;
//@ elif round.n < threads
    if thread < ⟨round.n⟩u {
        let first = ⟨round.unit⟩u * thread;
//@ else
    for (var t = thread; t < ⟨round.n⟩u; t += ⟨threads⟩u) {
        let first = ⟨round.unit⟩u * t;
//@ endif
//@ for lane in round.held
        var x⟨loop.index0⟩ = tile[place(first + ⟨lane⟩u)];
//@ endfor
        ⟨in_registers(round.steps)|trim⟩
//@ for lane in round.held
        tile[place(first + ⟨lane⟩u)] = x⟨loop.index0⟩;
//@ endfor
    }
//@ endfor
    workgroupBarrier();
//@ for first in range(0, tile, threads)
//@ set lane = "thread" if first == 0 else "thread + " ~ first ~ "u"
    output[⟨begin ~ lane ~ end⟩] = tile[place(⟨"rearranged(" ~ lane ~ ")" if order else lane⟩)];
//@ endfor
}
