//! The text of the kernel of pictures: `shaders/lifting_picture.wgsl` with the steps of one shape written out.

use super::super::steps::{ITEM, SIDE, lines};
use super::PictureShape;
use crate::gpu::fft::Body;
use crate::plan::{Direction, Precision};

const KERNEL: &str = include_str!("../../../../shaders/lifting_picture.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &PictureShape) -> String {
    let constants = format!(
        "const ROWS = {};\nconst COLUMNS = {};\nconst REACH = {};\nconst WRAPS = {};\nconst TURN = {};\nconst THREADS = {}u;\nconst HELD = {}u;\n",
        shape.rows,
        shape.columns,
        if shape.direction == Direction::Forward { SIDE } else { 2 * ITEM },
        !shape.mirrors,
        shape.turn,
        PictureShape::THREADS,
        shape.held(),
    );
    let mut body = Body::new(Precision::Single);
    match shape.direction {
        Direction::Forward => {
            rows_forward(&mut body, shape);
            body.line(format_args!("workgroupBarrier();"));
            columns_forward(&mut body, shape);
        }
        Direction::Inverse => {
            columns_back(&mut body, shape);
            body.line(format_args!("workgroupBarrier();"));
            rows_back(&mut body, shape);
        }
    }
    [constants, KERNEL.replace("    //@ steps\n", &body.into_text())].join("\n")
}

/// The variable of a sample.
fn x(sample: i64) -> String {
    format!("x{}", sample + SIDE)
}

fn window() -> impl Iterator<Item = i64> {
    -SIDE..ITEM + SIDE
}

/// Opens the loop over some items, and names the variables of their samples.
fn open(body: &mut Body, n: usize) {
    body.line(format_args!("for (var e = thread; e < {n}u; e += THREADS) {{"));
    body.line(format_args!("    {}", window().map(|sample| format!("var {}: Lane;", x(sample))).collect::<Vec<_>>().join(" ")));
}

fn take(body: &mut Body, steps: &[super::Step]) {
    lines(steps, x).iter().for_each(|line| body.line(format_args!("    {line}")));
}

/// Four of the variables as a vector.
fn vector(samples: impl Iterator<Item = i64>) -> String {
    format!("vec4<Lane>({})", samples.map(x).collect::<Vec<_>>().join(", "))
}

/// Eight samples of a row at a time: low ones to the left half of the row in workgroup memory, high ones to the right half.
fn rows_forward(body: &mut Body, shape: &PictureShape) {
    let items = shape.columns / ITEM as usize;
    open(body, (shape.rows + 2 * SIDE as usize) * items);
    body.line(format_args!("    let row = e / {items}u;"));
    body.line(format_args!("    let item = e % {items}u;"));
    body.line(format_args!("    let y = tile.y + i32(row) - {SIDE};"));
    body.line(format_args!("    let first = tile.x + {ITEM} * i32(item);"));
    let array = if shape.fine_after { "after" } else { "before" };
    body.line(format_args!("    let base = launch.fine + u32(folded(y, i32(launch.rows))) * launch.fine_row;"));
    if shape.fine_aligned {
        body.line(format_args!("    if first >= {SIDE} && first + {} <= i32(launch.columns) {{", ITEM + SIDE));
        body.line(format_args!("        let v = (base + u32(first - {SIDE})) >> 2u;"));
        for v in 0..4_i64 {
            let parts = ["x", "y", "z", "w"].iter().zip(4 * v - SIDE..).map(|(part, sample)| format!("{} = v{v}.{part};", x(sample)));
            body.line(format_args!("        let v{v} = {array}[v + {v}u]; {}", parts.collect::<Vec<_>>().join(" ")));
        }
        body.line(format_args!("    }} else {{"));
    } else {
        body.line(format_args!("    {{"));
    }
    for sample in window() {
        let lane = format!("base + u32(folded(first + {sample}, i32(launch.columns)))");
        body.line(format_args!("        {{ let lane = {lane}; {} = {array}[lane >> 2u][lane & 3u]; }}", x(sample)));
    }
    body.line(format_args!("    }}"));
    take(body, &shape.steps_x);
    let pitch = shape.columns / 4;
    for (half, offset) in [(0, 0), (1, pitch / 2)] {
        body.line(format_args!("    held[row * {pitch}u + item + {offset}u] = {};", vector((0..4).map(|k| 2 * k + half))));
    }
    body.line(format_args!("}}"));
}

/// Eight samples of a column at a time, from workgroup memory to the bands.
fn columns_forward(body: &mut Body, shape: &PictureShape) {
    let (columns, pitch) = (shape.columns, shape.columns / 4);
    open(body, columns * shape.rows / ITEM as usize);
    body.line(format_args!("    let column = e % {columns}u;"));
    body.line(format_args!("    let item = e / {columns}u;"));
    body.line(format_args!("    let v = item * {}u + (column >> 2u);", ITEM as usize * pitch));
    for (k, sample) in window().enumerate() {
        body.line(format_args!("    {} = held[v + {}u][column & 3u];", x(sample), k * pitch));
    }
    take(body, &shape.steps_y);
    body.line(format_args!("    let y = (tile.y >> 1u) + {} * i32(item);", ITEM / 2));
    body.line(format_args!("    let x = (tile.x >> 1u) + i32(column % {}u);", columns / 2));
    body.line(format_args!("    let high_x = column >= {}u;", columns / 2));
    for sample in 0..ITEM {
        let (high_y, number) = (sample % 2 == 1, sample / 2);
        body.line(format_args!("    store_band(tile, y + {number}, x, {high_y}, high_x, {});", x(sample)));
    }
    body.line(format_args!("}}"));
}

/// Eight samples of a column at a time, from the bands to workgroup memory, for the columns of the tile and some around them.
fn columns_back(body: &mut Body, shape: &PictureShape) {
    // Low ones of a row, and after them as many high ones.
    let half = shape.columns / 2 + ITEM as usize;
    open(body, 2 * half * shape.rows / ITEM as usize);
    body.line(format_args!("    let column = e % {}u;", 2 * half));
    body.line(format_args!("    let item = e / {}u;", 2 * half));
    body.line(format_args!("    let first = tile.y + {ITEM} * i32(item);"));
    body.line(format_args!("    let high_x = column >= {half}u;"));
    body.line(format_args!("    let sample = tile.x + 2 * (i32(column % {half}u) - {SIDE}) + i32(high_x);"));
    body.line(format_args!("    let x = select(sample, folded(sample, i32(launch.columns)), tile.at_end) >> 1u;"));
    let low = if shape.low_after { "after" } else { "before" };
    for sample in window() {
        let high = sample.rem_euclid(2) == 1;
        let y = format!("select(first + {sample}, folded(first + {sample}, i32(launch.rows)), tile.at_end) >> 1u");
        body.line(format_args!("    {{"));
        body.line(format_args!("        let lane = band_lane({y}, x, {high}, high_x);"));
        if high || low == "before" {
            body.line(format_args!("        {} = before[lane >> 2u][lane & 3u];", x(sample)));
        } else {
            body.line(format_args!("        if high_x {{ {} = before[lane >> 2u][lane & 3u]; }}", x(sample)));
            body.line(format_args!("        else {{ {} = after[lane >> 2u][lane & 3u]; }}", x(sample)));
        }
        body.line(format_args!("    }}"));
    }
    take(body, &shape.steps_y);
    for sample in 0..ITEM {
        let row = format!("({ITEM}u * item + {sample}u) * {}u", 2 * half);
        body.line(format_args!("    {{ let place = {row} + column; held[place >> 2u][place & 3u] = {}; }}", x(sample)));
    }
    body.line(format_args!("}}"));
}

/// Eight samples of a row at a time, from workgroup memory to where they stay.
fn rows_back(body: &mut Body, shape: &PictureShape) {
    let (items, half) = (shape.columns / ITEM as usize, shape.columns / 2 + ITEM as usize);
    open(body, shape.rows * items);
    body.line(format_args!("    let row = e / {items}u;"));
    body.line(format_args!("    let item = e % {items}u;"));
    for (parity, offset) in [(0_i64, 0), (1, half / 4)] {
        body.line(format_args!("    {{"));
        body.line(format_args!("        let v = row * {}u + item + {offset}u;", half / 2));
        (0..3).for_each(|v| body.line(format_args!("        let v{v} = held[v + {v}u];")));
        for sample in window().filter(|sample| sample.rem_euclid(2) == parity) {
            let place = sample.div_euclid(2) + SIDE;
            body.line(format_args!("        {} = v{}[{}];", x(sample), place / 4, place % 4));
        }
        body.line(format_args!("    }}"));
    }
    take(body, &shape.steps_x);
    body.line(format_args!("    let y = tile.y + i32(row);"));
    body.line(format_args!("    let x = tile.x + {ITEM} * i32(item);"));
    let halves = [vector(0..4), vector(4..8)];
    if shape.fine_aligned {
        body.line(format_args!("    if !tile.at_end {{"));
        body.line(format_args!("        let v = (launch.fine + u32(y) * launch.fine_row + u32(x)) >> 2u;"));
        body.line(format_args!("        after[v] = {};", halves[0]));
        body.line(format_args!("        after[v + 1u] = {};", halves[1]));
        body.line(format_args!("    }} else {{"));
    } else {
        body.line(format_args!("    {{"));
    }
    body.line(format_args!("        store_fine(y, x, {});", halves[0]));
    body.line(format_args!("        store_fine(y, x + 4, {});", halves[1]));
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}
