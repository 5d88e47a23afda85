// A run of Stockham stages in one launch: LINES transforms of POINTS points in every workgroup.
//
// A row of N lanes holds N/POINTS lines. The points of a line stand N/POINTS lanes apart; its results go `span` lanes apart,
// `span` being the product of all radices before this run. A row that fits a workgroup is one line; a long one takes two or
// three such runs, and the results come out in natural order without a transposition. The columns of a picture are lines too:
// those of a row that is the whole picture, with the picture's width as the first span.
//
// Bytes: every lane is read once and written once, 16 bytes a lane in single precision. What a workgroup touches at a time
// must be long, 128 bytes or more: either neighbouring threads take neighbouring points of a line (where those stand side by side), or they
// take the same point of LINES neighbouring lines. A thread may change from one to the other at the last exchange.
//
// PER_LINE threads share a line. Each keeps its points in variables of its own from the first stage to the last, computes
// whole butterflies of them without meeting anyone, and exchanges points with the others of its line between two stages.
//
// Of long columns a workgroup holds only a few, and would read a few neighbouring lanes of every row. So the launch of the rows
// leaves the array in strips of STRIP neighbouring columns, one strip after the other, row after row: it writes 64 bytes of a
// strip at a time, and a workgroup of the next launch reads its columns from one strip.
//
// Long columns of a picture take two launches, before the rows. The second one would write rows that stand far apart, which costs
// more than to read such rows: so it writes its results to neighbouring rows, and the launch of the rows reads each from there.
//
// A exchange goes through workgroup memory in rounds, of which each uses the same places: real parts before imaginary parts,
// and of each one half or one quarter of the line at a time. Drivers give a workgroup little memory (48 KiB for all that run
// side by side on one processor, seen on NVIDIA) and leave the rest to the caches: a kernel that holds all points at once
// leaves two workgroups side by side where four are needed to hide the wait for global memory, which costs more than
// the barriers of further rounds. A part of a line is a run of butterflies, so that in a round whole warps write or rest, and
// after it the same variables of every thread are filled; what must not be overwritten yet waits beside them.
// Place p of a line moves to p + p/16, and lines begin PITCH places apart, 32/LINES banks modulo 32, so that threads that
// write POINTS/16 or LINES apart fall into different banks.
//
// Roots of unity come from tables made in double precision, and are loaded before the points: nobody waits for them later.
// Long rows load a few powers of a root and multiply the others, as every load costs; the errors of these products average out over
// many roots. Short rows have few roots and load every power.
//
// Everything is written out, nothing is a loop and no variable has an index: src/gpu/fft/text.rs writes the butterflies, turns
// and exchanges of one list of radices in place of the last comment below, and sets POINTS, LINES, PER_LINE, PITCH, WORKGROUP_VALUES, SCALE
// and SCALE_REST (their sum is 1/N at the end of an inverse), SIGN, LONG, STRIP, FROM_STRIPS and `launch`, the placement of the
// lines, before `butterflies.wgsl`. Nothing is asked of a uniform buffer: points are loaded as soon as a thread has begun.

// One side of the launch, the one where lines are read or the one where they are written.
struct Side {
    // Lanes from one row to the next; lane of point 0 of line (q, a) in its row: q + a·by_a; lanes from point to point: step.
    row: u32,
    by_a: u32,
    step: u32,
    // Where lanes have factors: how many of them there are in a row of the memory, and where the factors begin.
    len: u32,
    factors: u32,
}

struct Placement {
    n_lines: u32,
    lines_per_row: u32,
    // Line i of a row is the pair (q, a) = (i % across, i / across); a is its position, which says how far results are turned.
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

// A line: where its row begins in the memory that it reads and in the one that it writes, and where it stands in its row.
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

// A power of the root of unity whose order is the number of points that are left to transform, POINTS · n_positions.
fn root(power: u32) -> Complex {
    return entry(power * launch.stride);
}

// A power of the root of twice that order: what stands between the spectra of even and odd samples.
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
