//! One level back: rows first, columns second.

use super::shape::LiftingImageShape;
use super::variables::{along_columns, along_row, meet, open, vector, window, x};
use crate::gpu::lifting::item::{ITEM, SIDE};
use crate::gpu::wgsl::WgslBody;

pub(super) fn level(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    rows(body, shape, level);
    meet(body);
    columns(body, shape, level);
    if level > 0 {
        meet(body);
    }
}

/// Rows of low coefficients, and of high ones, that a level needs of its tile.
fn lines(shape: &LiftingImageShape, level: usize) -> String {
    let (half, around) = (ITEM as usize / 2, shape.around(level));
    if shape.whole {
        format!("({half}u * items_of(rows_of({level}u)) + {half}u)")
    } else {
        format!("{}u", half * (shape.items(level)[0] + 2 * around + 1))
    }
}

/// Eight samples of a row at a time, of four low and four high coefficients and of some on either side.
fn rows(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    let ([_, items_x], around, pitch) = (shape.items(level), shape.around(level), shape.pitch(level));
    let half = ITEM as usize / 2;
    let items = if shape.whole { format!("items_of(columns_of({level}u))") } else { format!("{}u", items_x + 2 * around) };
    body.line(format_args!("let items{level} = {items};"));
    body.line(format_args!("let lines{level} = {};", lines(shape, level)));
    open(body, format_args!("2u * lines{level} * items{level}"), "Lane");
    body.line(format_args!("    let item = e % items{level};"));
    body.line(format_args!("    let high_y = e / items{level} >= lines{level};"));
    body.line(format_args!("    let line = e / items{level} - select(0u, lines{level}, high_y);"));
    body.line(format_args!("    // The row at this level, and the number of the coefficients along y."));
    body.line(format_args!(
        "    let row = (tile.y >> {level}u) + 2 * i32(line) + select(0, 1, high_y) - {};",
        SIDE as usize + ITEM as usize * around
    ));
    body.line(format_args!("    let y = select(row, near(row, rows_of({level}u)), tile.at_end) >> 1u;"));
    body.line(format_args!("    let first = (tile.x >> {level}u) + {ITEM} * (i32(item) - {around});"));
    let [low_aligned, high_aligned] = shape.high_aligned[level];
    let is_coarsest = level + 1 == shape.levels;
    // Where what is low-pass along y too comes from, and whether vectors of it may be read.
    let all_aligned = low_aligned && high_aligned && (!is_coarsest || shape.low_aligned);
    if all_aligned {
        if shape.folds_kept() || is_coarsest {
            body.line(format_args!("    if first >= {ITEM} && first + {} <= columns_of({level}u) {{", 2 * ITEM));
        } else {
            // In workgroup memory stands what is past the ends too, but not in the buffers.
            body.line(format_args!("    if !tile.at_end {{"));
        }
        body.line(format_args!("        let x = (first >> 1u) - 4;"));
        body.line(format_args!("        let h = band_lane({level}u, y, x, high_y, true) >> 2u;"));
        (0..3).for_each(|v| body.line(format_args!("        let h{v} = input[h + {v}u];")));
        body.line(format_args!("        var l0: vec4<Lane>; var l1: vec4<Lane>; var l2: vec4<Lane>;"));
        body.line(format_args!("        if high_y {{"));
        body.line(format_args!("            let l = band_lane({level}u, y, x, true, false) >> 2u;"));
        (0..3).for_each(|v| body.line(format_args!("            l{v} = input[l + {v}u];")));
        body.line(format_args!("        }} else {{"));
        if is_coarsest {
            let array = if shape.shared.low_in_output { "output" } else { "input" };
            body.line(format_args!("            let l = (launch.low + u32(y) * launch.low_row + u32(x)) >> 2u;"));
            (0..3).for_each(|v| body.line(format_args!("            l{v} = {array}[l + {v}u];")));
        } else {
            let [y, x] = kept_place(shape, level, "y", "x");
            let last = shape.kept_rows(level + 1) - 1;
            body.line(format_args!("            let l = u32(clamp({y}, 0, {last})) * {}u + (u32({x}) >> 2u);", shape.pitch(level + 1)));
            (0..3).for_each(|v| body.line(format_args!("            l{v} = kept[l + {v}u];")));
        }
        body.line(format_args!("        }}"));
        for sample in window() {
            let (name, place) = (["l", "h"][sample.rem_euclid(2) as usize], sample.div_euclid(2) + SIDE);
            body.line(format_args!("        {} = {name}{}[{}];", x(sample), place / 4, place % 4));
        }
        body.line(format_args!("    }} else {{"));
    } else {
        body.line(format_args!("    {{"));
    }
    one_by_one(body, shape, level);
    body.line(format_args!("    }}"));
    along_row(body, &shape.shared.steps_x);
    body.line(format_args!("    let to = (2u * line + select(0u, 1u, high_y)) * {pitch}u + item;"));
    body.line(format_args!("    held[to] = {};", vector(0..4)));
    body.line(format_args!("    held[to + {}u] = {};", pitch / 2, vector(half as i64..ITEM)));
    body.line(format_args!("}}"));
}

/// Where workgroup memory holds a coefficient, from its row and column.
fn kept_place(shape: &LiftingImageShape, level: usize, y: &str, x: &str) -> [String; 2] {
    let origin = ITEM as usize * shape.around(level + 1);
    [("y", y), ("x", x)].map(|(axis, place)| format!("{place} - (tile.{axis} >> {}u) + {origin}", level + 1))
}

/// Reads the coefficients that an item needs one by one.
fn one_by_one(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    for sample in window() {
        let high = sample.rem_euclid(2) == 1;
        body.line(format_args!("        {{"));
        body.line(format_args!("            let x = near(first + {sample}, columns_of({level}u)) >> 1u;"));
        let from_band = format!("let lane = band_lane({level}u, y, x, high_y, {high}); {} = input[lane >> 2u][lane & 3u];", x(sample));
        if high {
            body.line(format_args!("            {from_band}"));
        } else {
            body.line(format_args!("            if high_y {{ {from_band} }} else {{"));
            if level + 1 == shape.levels {
                let array = if shape.shared.low_in_output { "output" } else { "input" };
                body.line(format_args!("                let lane = launch.low + u32(y) * launch.low_row + u32(x);"));
                body.line(format_args!("                {} = {array}[lane >> 2u][lane & 3u];", x(sample)));
            } else {
                let unfolded = format!("((first + {sample}) >> 1u)");
                let [y, column] = match shape.folds_kept() {
                    true => kept_place(shape, level, "y", "x"),
                    false => kept_place(shape, level, "(row >> 1u)", &unfolded),
                };
                let pitch = shape.pitch(level + 1);
                let rows = shape.kept_rows(level + 1);
                body.line(format_args!("                let kept_row = u32(clamp({y}, 0, {}));", rows - 1));
                body.line(format_args!("                let column = u32(clamp({column}, 0, {}));", 4 * pitch - 1));
                body.line(format_args!("                {} = kept[kept_row * {pitch}u + (column >> 2u)][column & 3u];", x(sample)));
            }
            body.line(format_args!("            }}"));
        }
        body.line(format_args!("        }}"));
    }
}

/// Eight samples of four columns at a time.
fn columns(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    let ([items, _], around, pitch) = (shape.items(level), shape.around(level), shape.pitch(level));
    let n = if shape.whole { format!("{pitch}u * items_of(rows_of({level}u))") } else { format!("{}u", pitch * (items + 2 * around)) };
    open(body, n, "vec4<Lane>");
    body.line(format_args!("    let column = e % {pitch}u;"));
    body.line(format_args!("    let item = e / {pitch}u;"));
    body.line(format_args!("    let v = {ITEM}u * item * {pitch}u + (column & 1u) * {}u + (column >> 1u);", pitch / 2));
    for (k, sample) in window().enumerate() {
        body.line(format_args!("    {} = held[v + {}u];", x(sample), k * pitch));
    }
    along_columns(body, &shape.shared.steps_y);
    if level == 0 {
        body.line(format_args!("    let y = tile.y + {ITEM} * i32(item);"));
        body.line(format_args!("    let x = tile.x + 4 * i32(column);"));
        let aligned = shape.fine_aligned;
        for k in 0..ITEM {
            let at = format!("y + {k}, x, rows_of(0u), columns_of(0u)");
            body.line(format_args!("    store_row(tile, launch.fine, launch.fine_row, {at}, {aligned}, {});", x(k)));
        }
    } else {
        for k in 0..ITEM {
            body.line(format_args!("    kept[({ITEM}u * item + {k}u) * {pitch}u + column] = {};", x(k)));
        }
    }
    body.line(format_args!("}}"));
}
