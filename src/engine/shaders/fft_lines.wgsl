// Where the lines of a launch are in memory, and the roots of unity of their twiddles.
//
// The placement is constant. With uniforms a thread would wait for them, and divide by variables, before it loads its points; only
// two workgroups of long rows fit on a processor, too few to hide that.
//
// A workgroup can hold only a few long columns, so it would read only a few neighbouring values of each row. Therefore the launch
// of the rows leaves the array in strips of STRIP adjacent columns, one strip after the other, row after row: it writes 64 bytes
// of a strip at a time, and a workgroup of the next launch reads its columns from one strip.
//
// Long columns of an image take two launches, before the rows. The second one would write rows that are far apart, which costs
// more than reading such rows. So it writes its results to neighbouring rows, and the launch of the rows reads each row from
// there.

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
    // Line i of a row is the pair (q, a) = (i % across, i / across); its position, a factor of the exponents of its twiddles, is a, or
    // q where points are twiddled.
    across: u32,
    n_positions: u32,
    // Row k1 + low·k2 is read where row k1·high + k2 would be in order.
    low: u32,
    high: u32,
    source: Side,
    sink: Side,
    // Lanes of a strip, where the array is in strips.
    strip: u32,
}

//@ set p = placement
const launch = Placement(
    ⟨p.n_lines⟩u, ⟨p.lines_per_row⟩u, ⟨p.across⟩u, ⟨p.n_positions⟩u, ⟨p.low⟩u, ⟨p.high⟩u,
    Side(⟨p.source.row⟩u, ⟨p.source.by_a⟩u, ⟨p.source.step⟩u, ⟨p.source.len⟩u, ⟨p.source.factors⟩u),
    Side(⟨p.sink.row⟩u, ⟨p.sink.by_a⟩u, ⟨p.sink.step⟩u, ⟨p.sink.len⟩u, ⟨p.sink.factors⟩u),
    ⟨p.strip⟩u,
);
// Columns of a strip, and whether points are loaded from strips.
const STRIP = ⟨strip⟩u;
const FROM_STRIPS = ⟨strips == "Source"⟩;

@group(0) @binding(0) var<storage, read> input: array<Complex>;
@group(0) @binding(1) var<storage, read_write> output: array<Complex>;
@group(0) @binding(3) var<storage, read> coefs: array<Complex>;
@group(0) @binding(4) var<storage, read> roots: array<Complex>;

var<workgroup> part: array<Real, ⟨workgroup_values⟩>;

// A line: where its row begins in the input and in the output, and where the line is in its row.
struct Line {
    live: bool,
    source_row: u32,
    source: u32,
    sink_row: u32,
    sink: u32,
    position: u32,
}

// Where column c of row 0 is in strips.
fn in_strips(c: u32) -> u32 {
    return c / STRIP * launch.strip + c % STRIP;
}

fn line_at(index: u32) -> Line {
    let row = index / launch.lines_per_row;
    //@ if mirrors
    // Lines 0 and lines_per_row / 2 are their own mirror images; behind them come 1 and −1, 2 and −2, and so on.
    let pair = index % launch.lines_per_row / 2u;
    let mirrored = select(launch.lines_per_row - pair, launch.lines_per_row / 2u, pair == 0u);
    let i = select(pair, mirrored, index % 2u == 1u);
    //@ else
    let i = index % launch.lines_per_row;
    //@ endif
    let q = i % launch.across;
    let a = i / launch.across;
    return Line(
        index < launch.n_lines,
        (row % launch.low * launch.high + row / launch.low) * launch.source.row,
        select(q + a * launch.source.by_a, in_strips(q), FROM_STRIPS),
        row * launch.sink.row,
        q + a * launch.sink.by_a,
        ⟨"q" if twiddles_points else "a"⟩ % launch.n_positions,
    );
}

fn padded(index: u32) -> u32 {
    return index + (index >> 4u);
}

// Powers of two roots of unity. The order of `root` is the number of points still to be transformed, POINTS · n_positions. The order of `half_root` is twice the
// points of a row: its powers are the twiddles between the spectra of even and odd samples. A table holds the first 4096 powers of a root, and every 4096th
// power where there are more.
//@ for name, table in [("root", p.roots), ("half_root", p.half_roots)] if name == "root" or half
fn ⟨name⟩(power: u32) -> Complex {
    let i = power * ⟨table.stride⟩u;
    //@ if table.long
    return product(roots[⟨table.fine⟩u + (i & 4095u)], roots[⟨table.coarse⟩u + (i >> 12u)]);
    //@ else
    return roots[⟨table.fine⟩u + i];
    //@ endif
}

//@ endfor

// Times SCALE + SCALE_REST: one number is 1/N of a power of two only, and its error would be the largest of a short inverse.
fn scaled(a: Complex) -> Complex {
    return fma(a, Complex(SCALE), a * SCALE_REST);
}

//@ include "paired.wgsl"
