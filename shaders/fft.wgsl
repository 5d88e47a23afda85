// A run of Stockham stages in one launch: LINES transforms of POINTS points in every workgroup.
//
// A row of N lanes holds N/POINTS lines. The points of a line stand N/POINTS lanes apart; its results go `span` lanes apart,
// `span` being the product of all radices before this run. A row that fits a workgroup is one line; a long one takes two or three
// such runs, and the results come out in natural order without a transposition. The columns of an image are lines too: the row is
// then the whole image, and its width the first span.
//
// Bytes: every lane is read once and written once, 16 bytes a lane in single precision. A workgroup must touch long segments, 128
// bytes or more. So neighbouring threads take either adjacent points of a line, or the same point of LINES adjacent lines. A
// thread may change from one to the other at the last exchange.
//
// PER_LINE threads share a line. Each keeps its points in registers from the first stage to the last, computes whole butterflies
// of them alone, and exchanges points with the other threads of its line between two stages.
//
// A workgroup can hold only a few long columns, so it would read only a few neighbouring values of each row. Therefore the launch
// of the rows leaves the array in strips of STRIP adjacent columns, one strip after the other, row after row: it writes 64 bytes
// of a strip at a time, and a workgroup of the next launch reads its columns from one strip.
//
// Long columns of an image take two launches, before the rows. The second one would write rows that are far apart, which costs
// more than reading such rows. So it writes its results to neighbouring rows, and the launch of the rows reads each row from
// there.
//
// An exchange goes through workgroup memory in rounds, all of which use the same memory: real parts before imaginary parts, and
// each of these one half or one quarter of the line at a time. Drivers give a workgroup little memory (48 KiB for all workgroups
// of a processor, seen on NVIDIA) and leave the rest to the caches. A kernel that holds all points at once leaves two workgroups
// on a processor where four are needed to hide the latency of global memory; that costs more than the barriers of further rounds.
// A part of a line is a run of butterflies, so that in a round whole warps write or rest, and after it the same registers of
// every thread are filled; a value that must not be overwritten yet waits beside them. Element p of a line moves to p + p/16, and
// lines begin PITCH elements apart, 32/LINES banks modulo 32, so that threads that write POINTS/16 or LINES apart fall into
// different banks.
//
// Roots of unity come from tables made in double precision, and are loaded before the points, so no thread waits for them later.
// Long rows load a few powers of a root and multiply the others, as every load costs; the errors of these products average out
// over many roots. Short rows have few roots and load every power.
//
// Everything is unrolled, and no array has an index at run time. src/gpu/fft/text.rs writes the butterflies, twiddles and
// exchanges of one list of radices in place of the last comment below. It sets POINTS, LINES, PER_LINE, PITCH, WORKGROUP_VALUES,
// SCALE and SCALE_REST (their sum is the normalisation), SIGN, LONG, STRIP, FROM_STRIPS and `launch`, the placement of the lines,
// before `butterflies.wgsl`. The kernel reads no uniforms: points are loaded as soon as a thread has begun.

// One side of the launch: where lines are read, or where they are written.
struct Side {
    // Lanes from one row to the next; lane of point 0 of line (q, a) in its row: q + a·by_a; lanes from point to point: step.
    row: u32,
    by_a: u32,
    step: u32,
    // Where lanes are multiplied by factors: lanes of a row of the memory, and where the factors begin.
    len: u32,
    factors: u32,
}

struct Placement {
    n_lines: u32,
    lines_per_row: u32,
    // Line i of a row is the pair (q, a) = (i % across, i / across); a is its position, a factor of the exponents of its twiddles.
    across: u32,
    n_positions: u32,
    // Row k1 + low·k2 is read where row k1·high + k2 would stand in order.
    low: u32,
    high: u32,
    source: Side,
    sink: Side,
    // The table of a root: its powers 0..4096, its every 4096th power, and how many of its powers make one of this root.
    fine: u32,
    coarse: u32,
    stride: u32,
    // Lanes of a strip, where the array stands in strips.
    strip: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Complex>;
@group(0) @binding(1) var<storage, read_write> output: array<Complex>;
@group(0) @binding(3) var<storage, read> coefs: array<Complex>;
@group(0) @binding(4) var<storage, read> roots: array<Complex>;

var<workgroup> part: array<Real, WORKGROUP_VALUES>;

// A line: where its row begins in the input and in the output, and where the line stands in its row.
struct Line {
    live: bool,
    source_row: u32,
    source: u32,
    sink_row: u32,
    sink: u32,
    position: u32,
}

// Where column c of row 0 stands in strips.
fn in_strips(c: u32) -> u32 {
    return c / STRIP * launch.strip + c % STRIP;
}

fn line_at(index: u32) -> Line {
    let row = index / launch.lines_per_row;
    let i = index % launch.lines_per_row;
    let q = i % launch.across;
    let a = i / launch.across;
    return Line(
        index < launch.n_lines,
        (row % launch.low * launch.high + row / launch.low) * launch.source.row,
        select(q + a * launch.source.by_a, in_strips(q), FROM_STRIPS),
        row * launch.sink.row,
        q + a * launch.sink.by_a,
        a % launch.n_positions,
    );
}

fn padded(index: u32) -> u32 {
    return index + (index >> 4u);
}

fn entry(i: u32) -> Complex {
    if LONG {
        return product(roots[launch.fine + (i & 4095u)], roots[launch.coarse + (i >> 12u)]);
    }
    return roots[launch.fine + i];
}

// A power of the root of unity whose order is the number of points still to be transformed, POINTS · n_positions.
fn root(power: u32) -> Complex {
    return entry(power * launch.stride);
}

// A power of the root of twice that order, the twiddle between the spectra of even and odd samples.
fn half_root(power: u32) -> Complex {
    return entry(power * (launch.stride / 2u));
}

// Times SCALE + SCALE_REST: one number is 1/N of a power of two only, and its error would be the largest of a short inverse.
fn scaled(a: Complex) -> Complex {
    return fma(a, Complex(SCALE), a * SCALE_REST);
}

// Values p and POINTS − p of a spectrum, parted or joined (x, y and z, w), from those of the other kind and the power p of the half root.
fn paired(a: Complex, b: Complex, power: Complex) -> vec4<Real> {
    let sum = Complex(a.x + b.x, a.y - b.y);
    let twiddled = product(Complex(a.x - b.x, a.y + b.y), power);
    let odd = SIGN * Complex(-twiddled.y, twiddled.x);
    return vec4<Real>(sum + odd, sum.x - odd.x, odd.y - sum.y);
}

@compute @workgroup_size(PER_LINE * LINES)
fn fft(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
    let first = (group.x + group.y * groups.x) * LINES;
    //@ stages
}
