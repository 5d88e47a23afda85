// A run of Stockham stages in one launch: LINES transforms of POINTS points in every workgroup.
//
// A row of N lanes holds N/POINTS lines. The points of a line are N/POINTS lanes apart; its results go `span` lanes apart,
// `span` being the product of all radices before this run. A row that fits a workgroup is one line; a long one takes two or three
// such runs, and the results come out in natural order without a transposition. The columns of an image are lines too: the row is
// then the whole image, and its width the first span.
//
// PER_LINE threads share a line. Each keeps its points in registers from the first stage to the last, computes whole butterflies
// of them alone, and exchanges points with the other threads of its line between two stages.
//
// Bytes: every lane is read once and written once, 16 bytes a lane in single precision. A workgroup must touch long segments, 128
// bytes or more. So neighbouring threads take either adjacent points of a line, or the same point of LINES adjacent lines. A
// thread may change from one to the other at the last exchange: it reads as role a and writes as role z.
//
// Roots of unity come from tables made in double precision, and are loaded before the points, so no thread waits for them later.
// Long rows load a few powers of a root and multiply the others, as every load costs; the errors of these products average out
// over many roots. Short rows have few roots and load every power.
//
// Where long rows hold half a spectrum, a line and its mirror image follow one another: values k and −k are in these two lines.
//
// Everything is unrolled, and no array has an index at run time, so that a driver keeps every value in a register. The kernel
// reads no uniforms: points are loaded as soon as a thread has begun.
//@ from "fft_macros.wgsl" import guarded, paired, element, scaled, half_twiddle
//@ from "butterfly.wgsl" import butterfly
//@ include "numbers.wgsl"

const POINTS = ⟨points⟩u;
const LINES = ⟨lines⟩u;
const PER_LINE = ⟨per_line⟩u;
// Elements of workgroup memory from one line to the next.
const PITCH = ⟨pitch⟩u;
// The sign of the angle of every root.
const SIGN = ⟨sign|real⟩;
// Their sum is the normalisation: a factor of every result.
const SCALE = ⟨scale|real⟩;
const SCALE_REST = ⟨scale_rest|real⟩;

//@ include "butterflies.wgsl"
//@ include "fft_lines.wgsl"
@compute @workgroup_size(PER_LINE * LINES)
fn fft(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let first = (group.x + group.y * groups.x) * LINES;
    //@ for role, along in roles
    //@ if along == "Line"
    let t_⟨role⟩ = thread % PER_LINE;
    let home_⟨role⟩ = thread / PER_LINE * PITCH;
    let line_⟨role⟩ = line_at(first + thread / PER_LINE);
    //@ else
    let t_⟨role⟩ = thread / LINES;
    let home_⟨role⟩ = thread % LINES * PITCH;
    let line_⟨role⟩ = line_at(first + thread % LINES);
    //@ endif
    //@ endfor
    //@ for x in range(registers)
    var x⟨x⟩ = Complex();
    //@ endfor
    // Result j of the butterfly at position p is twiddled by the power j·p of the root.
    //@ for stage in stages if stage.twiddles
    //@ for m in range(stage.per_thread)
    //@ set inside = "(t_" ~ stage.role ~ " + " ~ m * per_line ~ "u) / " ~ stage.span ~ "u"
    //@ if load == "Line"
    let p⟨stage.index⟩_⟨m⟩ = ⟨inside⟩ * ⟨stage.span⟩u;
    //@ elif twiddles_points
    let p⟨stage.index⟩_⟨m⟩ = ⟨inside⟩ * ⟨stage.span⟩u * launch.n_positions;
    //@ elif stage.span == stage.butterflies
    let p⟨stage.index⟩_⟨m⟩ = line_⟨stage.role⟩.position * ⟨stage.span⟩u;
    //@ else
    let p⟨stage.index⟩_⟨m⟩ = (line_⟨stage.role⟩.position + ⟨inside⟩ * launch.n_positions) * ⟨stage.span⟩u;
    //@ endif
    //@ for power in stage.powers
    let w⟨stage.index⟩_⟨m⟩_⟨power⟩ = root(p⟨stage.index⟩_⟨m⟩ * ⟨power⟩u);
    //@ endfor
    //@ endfor
    //@ endfor
    //@ if twiddles_points
    //@ include "fft_points.wgsl"
    //@ endif
    //@ if mirrors and half == "Joined"
    //@ include "fft_join_lines.wgsl"
    //@ elif half == "Joined"
    //@ include "fft_join.wgsl"
    //@ else
    //@ include "fft_load.wgsl"
    //@ endif
    //@ for taps in stages[0].taps if twiddles_points
    {
        //@ set m = loop.index0
        //@ for twiddle in point_twiddles
        //@ if twiddle.factors
        let w⟨twiddle.power⟩ = product(w⟨twiddle.factors[0]⟩, w⟨twiddle.factors[1]⟩);
        //@ else
        let w⟨twiddle.power⟩ = v⟨twiddle.power⟩;
        //@ endif
        x⟨taps[twiddle.power]⟩ = product(x⟨taps[twiddle.power]⟩, w⟨twiddle.power⟩);
        //@ endfor
        //@ for x in taps if stages[0].butterflies > 1
        x⟨x⟩ = product(x⟨x⟩, v0_⟨m⟩);
        //@ endfor
    }
    //@ endfor
    //@ for stage in stages
    //@ for taps in stage.taps
    ⟨butterfly(taps, stage.columns)⟩
    //@ endfor
    //@ for results in stage.results if stage.twiddles
    {
        //@ set m = loop.index0
        //@ for twiddle in stage.twiddles
        //@ if twiddle.factors
        let w⟨twiddle.power⟩ = product(w⟨twiddle.factors[0]⟩, w⟨twiddle.factors[1]⟩);
        //@ else
        let w⟨twiddle.power⟩ = w⟨stage.index⟩_⟨m⟩_⟨twiddle.power⟩;
        //@ endif
        x⟨results[twiddle.power]⟩ = product(x⟨results[twiddle.power]⟩, w⟨twiddle.power⟩);
        //@ endfor
    }
    //@ endfor
    //@ if not loop.last
    //@ set next = loop.nextitem
    //@ include "fft_exchange.wgsl"
    //@ elif gathers
    //@ include "fft_gather.wgsl"
    //@ elif mirrors and half == "Parted"
    //@ include "fft_part_lines.wgsl"
    //@ elif half == "Parted"
    //@ include "fft_part.wgsl"
    //@ else
    //@ include "fft_store.wgsl"
    //@ endif
    //@ endfor
}
