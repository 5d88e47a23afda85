{# A run of stages in one launch, where each stage moves the bits of a lane's index and mixes the lanes that differ in one or a few bits.

A workgroup takes a tile: all lanes that differ in some bits. These are the bits that the stages mix, and those of neighbouring lanes on
both sides: 128 bytes are touched side by side where there is room, and at least 32. Each thread holds up to 16 complex or 32 real lanes in
registers: some bits of the tile number registers, the others threads. Stages on the bits of registers need no other thread. Then all lanes
go through workgroup memory, and other bits number registers. Real and imaginary parts go through it in turn: with half of the memory, more
workgroups run at a time. Element i of workgroup memory moves to i + i/32 + i/1024 (i + i/16 + i/256 where it has 8 bytes), so that
neighbouring threads use different banks. Bytes: every lane is read once and written once.
A twiddle is a root that a thread looks up once for many lanes, times a constant for each lane. Where there are few look-ups, threads begin
them before they load their lanes, so that they do not wait for them later. A root of residues is the product of two others, where threads
need these, too: a product is faster than a look-up. #}
//@ from "stage_butterfly.wgsl" import in_registers
//@ set helpers = {"reversal": {"n_bits": reversal[0], "order": reversal[1]} if reversal else none, "pyramid": none}
//@ if complex
alias Complex = vec2<⟨real⟩>;
//@ endif
//@ if prime
//@ include "residues.wgsl"
//@ endif
//@ if times

fn times(a: Complex, b: Complex) -> Complex {
    return Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
//@ endif
//@ if times_i

fn times_i(a: Complex) -> Complex {
    return Complex(-a.y, a.x);
}
//@ endif
//@ for root in roots
//@ set table = root.table

//@ if prime
// A power of the root of order ⟨table.order⟩, as a factor.
fn ⟨root.name⟩(power: u32) -> u32 {
//@ if table.is_long
    return multiplied(joined(roots[⟨table.fine⟩u + (power & 4095u)]), joined(roots[⟨table.coarse⟩u + (power >> 12u)]));
//@ else
    return joined(roots[⟨table.fine⟩u + power]);
//@ endif
}
//@ elif table.is_long
// A power of the root of order ⟨table.order⟩: one of its first 4096 powers times one of every 4096th. Both tables stay in the caches.
fn ⟨root.name⟩(power: u32) -> Complex {
    return times(roots[⟨table.fine⟩u + (power & 4095u)], roots[⟨table.coarse⟩u + (power >> 12u)]);
}
//@ else
// A power of the root of order ⟨table.order⟩.
fn ⟨root.name⟩(power: u32) -> Complex {
    return roots[⟨table.fine⟩u + power];
}
//@ endif
//@ endfor
//@ include "permutation.wgsl"

@group(0) @binding(0) var<storage, read> input: array<⟨register⟩>;
@group(0) @binding(1) var<storage, read_write> output: array<⟨register⟩>;
//@ if roots
@group(0) @binding(4) var<storage, read> roots: array<Complex>;
//@ endif
//@ if places > 0

var<workgroup> exchanged: array<⟨element⟩, ⟨places⟩>;

//@ include "banks.wgsl"
//@ endif

@compute @workgroup_size(⟨threads⟩)
fn stage(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
//@ if n_guarded
    let tile = group.x + group.y * groups.x;
    if tile >= ⟨n_guarded⟩u {
        return;
    }
//@ else
    let tile = group.x;
//@ endif
//@ for root in first_roots
    let ⟨root[0]⟩ = ⟨root[1]⟩;
//@ endfor
    let first = ⟨first⟩;
//@ for load in loads
    var ⟨load[0]⟩ = input[first + ⟨load[1]⟩u];
//@ endfor
//@ for phase in phases
//@ if phase.exchange
//@ set exchange = phase.exchange

//@ if exchange.waits
    workgroupBarrier();
//@ endif
//@ set round = loop.index0
    let here⟨round⟩ = place(⟨exchange.here⟩);
    let there⟨round⟩ = place(⟨exchange.there⟩);
//@ for part in parts
//@ if not loop.first

    workgroupBarrier();
//@ endif
//@ for element in exchange.put
    exchanged[here⟨round⟩ + ⟨element⟩u] = x⟨loop.index0⟩⟨part⟩;
//@ endfor
    workgroupBarrier();
//@ for element in exchange.take
    x⟨loop.index0⟩⟨part⟩ = exchanged[there⟨round⟩ + ⟨element⟩u];
//@ endfor
//@ endfor
//@ endif
//@ for root in phase.roots
    let ⟨root[0]⟩ = ⟨root[1]⟩;
//@ endfor
⟨in_registers(phase.steps)⟩
//@ endfor

    let last = ⟨last⟩;
//@ for store in stores
    output[⟨"rearranged(" if reversal else ""⟩last + ⟨store[1]⟩u⟨")" if reversal else ""⟩] = ⟨store[0]⟩;
//@ endfor
}
