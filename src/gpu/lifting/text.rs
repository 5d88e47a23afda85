//! The text of the kernel of overlapped tiles: `shaders/lifting.wgsl` with the levels of one shape written out.

use super::item::{ITEM, SIDE, lines};
use super::lines::LiftingShape;
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Direction, Precision};

const KERNEL: &str = include_str!("../../../shaders/lifting.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &LiftingShape) -> String {
    let areas = shape.areas();
    let constants = format!(
        "const TILE = {};\nconst REACH = {};\nconst WRAPS = {};\nconst ROTATION = {};\nconst THREADS = {}u;\nconst FIRST_AREA = {}u;\nconst SECOND_AREA = {}u;\n",
        shape.tile,
        SIDE as usize * ((1 << shape.levels) - 1),
        !shape.mirrors,
        shape.rotation,
        LiftingShape::THREADS,
        areas[0],
        areas[1],
    );
    let mut body = WgslBody::new(Precision::Single);
    match shape.direction {
        Direction::Forward => (0..shape.levels).for_each(|level| analysis(&mut body, shape, level)),
        Direction::Inverse => (0..shape.levels).rev().for_each(|level| synthesis(&mut body, shape, level)),
    }
    let mut functions = WgslBody::new(Precision::Single);
    (0..shape.levels.saturating_sub(1)).for_each(|level| filler(&mut functions, shape, level));
    [constants, KERNEL.replace("    //@ levels\n", &body.into_text()), functions.into_text()].join("\n")
}

/// The variable of a sample.
fn x(sample: i64) -> String {
    format!("x{}", sample + SIDE)
}

/// A coefficient.
fn literal(coef: f64) -> String {
    format!("{coef:?}")
}

/// The area in which low coefficients of a level wait for the next one.
fn area(level: usize) -> &'static str {
    ["first_area", "second_area"][level % 2]
}

/// Opens the loop over the items of a level.
fn open(body: &mut WgslBody, shape: &LiftingShape, level: usize) {
    let n = if shape.whole { format!("u32((halved({level}u) + 7) / 8)") } else { format!("{}u", shape.items(level)) };
    body.line(format_args!("for (var i = thread; i < {n}; i += THREADS) {{"));
    body.line(format_args!("    // The first sample of the item at this level, and its number among those of the tile."));
    body.line(format_args!("    let item = i32(i) - {};", shape.halo(level)));
    body.line(format_args!("    let first = (tile.start >> {level}u) + 8 * item;"));
    let variables = (-SIDE..ITEM + SIDE).map(|sample| format!("var {}: Lane;", x(sample))).collect::<Vec<_>>().join(" ");
    body.line(format_args!("    {variables}"));
}

/// Ends a level whose low coefficients the next one reads.
fn meet(body: &mut WgslBody, level: usize) {
    body.line(format_args!("workgroupBarrier();"));
    body.line(format_args!("if tile.at_end {{"));
    body.line(format_args!("    fill{level}(tile, thread);"));
    body.line(format_args!("    workgroupBarrier();"));
    body.line(format_args!("}}"));
}

/// Takes all variables from four vectors.
fn unpack(body: &mut WgslBody, vector: impl Fn(i64) -> String) {
    for v in 0..4 {
        let parts = ["x", "y", "z", "w"].iter().zip(4 * v - SIDE..).map(|(part, sample)| format!("{} = v{v}.{part};", x(sample)));
        body.line(format_args!("        let v{v} = {}; {}", vector(v), parts.collect::<Vec<_>>().join(" ")));
    }
}

/// One level forward.
fn analysis(body: &mut WgslBody, shape: &LiftingShape, level: usize) {
    open(body, shape, level);
    if level == 0 {
        let array = if shape.fine_in_output { "output" } else { "input" };
        body.line(format_args!("    let base = launch.fine + tile.line * launch.fine_pitch;"));
        if shape.fine_aligned {
            body.line(format_args!("    if first >= {SIDE} && first + {} <= halved(0u) {{", ITEM + SIDE));
            body.line(format_args!("        let v = (base + u32(first - 4)) >> 2u;"));
            unpack(body, |v| format!("{array}[v + {v}u]"));
            body.line(format_args!("    }} else {{"));
        } else {
            body.line(format_args!("    {{"));
        }
        body.line(format_args!("        let n = halved(0u);"));
        for sample in -SIDE..ITEM + SIDE {
            let lane = format!("base + u32(folded(first + {sample}, n))");
            body.line(format_args!("        {{ let lane = {lane}; {} = {array}[lane >> 2u][lane & 3u]; }}", x(sample)));
        }
        body.line(format_args!("    }}"));
    } else {
        body.line(format_args!("    {{"));
        unpack(body, |v| format!("{}[2u * i + {v}u]", area(level - 1)));
        body.line(format_args!("    }}"));
    }
    lines(&shape.steps, ITEM, literal, x).iter().for_each(|line| body.line(format_args!("    {line}")));
    let (halo, n_items) = (shape.halo(level), shape.items(level));
    let [low, high] = [0, 1].map(|half| (0..4).map(|k| x(2 * k + half)).collect::<Vec<_>>().join(", "));
    if shape.whole || halo == 0 {
        body.line(format_args!("    {{"));
    } else {
        body.line(format_args!("    if i >= {halo}u && i < {}u {{", n_items - halo));
    }
    body.line(format_args!("        let high = vec4<Lane>({high});"));
    let place = "first >> 1u";
    if shape.high_aligned[level] {
        body.line(format_args!("        if ({place}) + 4 <= halved({level}u) - halved({}u) {{", level + 1));
        body.line(format_args!(
            "            output[(tile.line * launch.high_pitch + u32(halved({}u) + ({place}))) >> 2u] = high;",
            level + 1
        ));
        body.line(format_args!("        }} else {{"));
        body.line(format_args!("            store_high(tile, {level}u, {place}, high);"));
        body.line(format_args!("        }}"));
    } else {
        body.line(format_args!("        store_high(tile, {level}u, {place}, high);"));
    }
    let is_last = level + 1 == shape.levels;
    if is_last {
        let base = "launch.low + tile.line * launch.low_pitch";
        samples_out(body, shape.low_aligned, base, place, &format!("halved({}u)", shape.levels), &format!("vec4<Lane>({low})"));
    }
    body.line(format_args!("    }}"));
    if !is_last {
        body.line(format_args!("    {}[i + {}u] = vec4<Lane>({low});", area(level), usize::from(shape.whole)));
    }
    body.line(format_args!("}}"));
    if !is_last {
        meet(body, level);
    }
}

/// Stores four samples, as a vector where the line has all of them.
fn samples_out(body: &mut WgslBody, aligned: bool, base: &str, place: &str, n: &str, values: &str) {
    if aligned {
        body.line(format_args!("        if ({place}) + 4 <= {n} {{"));
        body.line(format_args!("            output[({base} + u32({place})) >> 2u] = {values};"));
        body.line(format_args!("        }} else {{"));
        body.line(format_args!("            store_some({base}, {place}, {n}, {values});"));
        body.line(format_args!("        }}"));
    } else {
        body.line(format_args!("        store_some({base}, {place}, {n}, {values});"));
    }
}

/// One level back.
fn synthesis(body: &mut WgslBody, shape: &LiftingShape, level: usize) {
    open(body, shape, level);
    let (is_first, n) = (level + 1 == shape.levels, format!("halved({level}u)"));
    // Low coefficients and high ones, four of the item and four on either side, of which only the nearer two are read.
    let read = |sample: i64| (sample.rem_euclid(2), sample.div_euclid(2));
    if is_first {
        let array = if shape.low_in_output { "output" } else { "input" };
        body.line(format_args!("    let base = launch.low + tile.line * launch.low_pitch;"));
        let scalar = |place: &str| format!("{{ let lane = base + u32({place}); X = {array}[lane >> 2u][lane & 3u]; }}");
        half_in(body, shape.low_aligned, 0, "(base + u32((first >> 1u) - 4)) >> 2u", array, &n, &scalar);
    } else {
        body.line(format_args!("    {{"));
        let other = if shape.halo(level) == 0 && !shape.whole { "i + 1u" } else { "i" };
        body.line(format_args!("        let v = {other};"));
        for (v, sample) in (-SIDE..ITEM + SIDE).filter(|sample| read(*sample).0 == 0).map(|sample| (read(sample).1 + 4, sample)) {
            body.line(format_args!("        {} = {}[v + {}u][{}];", x(sample), area(level + 1), v / 4, v % 4));
        }
        body.line(format_args!("    }}"));
    }
    let vector = format!("(tile.line * launch.high_pitch + u32(halved({}u) + (first >> 1u) - 4)) >> 2u", level + 1);
    let scalar = |place: &str| format!("{{ let lane = high_lane(tile, {level}u, {place}); X = input[lane >> 2u][lane & 3u]; }}");
    half_in(body, shape.high_aligned[level], 1, &vector, "input", &n, &scalar);
    lines(&shape.steps, ITEM, literal, x).iter().for_each(|line| body.line(format_args!("    {line}")));
    let halves = [0, 4].map(|from| (from..from + 4).map(x).collect::<Vec<_>>().join(", "));
    if level == 0 {
        let base = "launch.fine + tile.line * launch.fine_pitch";
        body.line(format_args!("    {{"));
        for (half, from) in halves.iter().zip(["first", "first + 4"]) {
            samples_out(body, shape.fine_aligned, base, from, "halved(0u)", &format!("vec4<Lane>({half})"));
        }
        body.line(format_args!("    }}"));
    } else {
        let other = if shape.whole { "2u * i + 1u" } else { "2u * i" };
        body.line(format_args!("    {}[{other}] = vec4<Lane>({});", area(level), halves[0]));
        body.line(format_args!("    {}[{other} + 1u] = vec4<Lane>({});", area(level), halves[1]));
    }
    body.line(format_args!("}}"));
    if level > 0 {
        meet(body, level - 1);
    }
}

/// Reads the coefficients of one half that an item needs, as three vectors or one by one; `scalar` reads the coefficient at an index into X.
fn half_in(body: &mut WgslBody, aligned: bool, half: i64, vector: &str, array: &str, n: &str, scalar: &dyn Fn(&str) -> String) {
    let samples = || (-SIDE..ITEM + SIDE).filter(|sample| sample.rem_euclid(2) == half);
    if aligned {
        body.line(format_args!("    if first >= {ITEM} && first + {} <= {n} {{", 2 * ITEM));
        body.line(format_args!("        let v = {vector};"));
        (0..3).for_each(|v| body.line(format_args!("        let v{v} = {array}[v + {v}u];")));
        for sample in samples() {
            let place = sample.div_euclid(2) + 4;
            body.line(format_args!("        {} = v{}[{}];", x(sample), place / 4, place % 4));
        }
        body.line(format_args!("    }} else {{"));
    } else {
        body.line(format_args!("    {{"));
    }
    for sample in samples() {
        let place = format!("folded(first + {sample}, {n}) >> 1u");
        body.line(format_args!("        {}", scalar(&place).replace('X', &x(sample))));
    }
    body.line(format_args!("    }}"));
}

/// The function that puts what stands past the ends of the line around the low coefficients that level `level` and the next one exchange.
fn filler(body: &mut WgslBody, shape: &LiftingShape, level: usize) {
    let exchanged = level + 1;
    let forward = shape.direction == Direction::Forward;
    // Vectors before the first one of the tile.
    let before = shape.vectors_before(exchanged);
    let held = area(if forward { level } else { exchanged });
    let wide = 4 * before.max(2);
    body.line(format_args!("fn fill{level}(tile: Tile, thread: u32) {{"));
    body.line(format_args!("    let n = halved({exchanged}u);"));
    body.line(format_args!("    let origin = (tile.start >> {exchanged}u) - {};", 4 * before));
    body.line(format_args!("    for (var q = i32(thread); q < {}; q += i32(THREADS)) {{", 2 * wide));
    body.line(format_args!("        let place = select(n + q - {wide}, q - {wide}, q < {wide});"));
    if forward {
        body.line(format_args!("        let other = folded(place, n) - origin;"));
    } else {
        body.line(format_args!("        let other = (folded(2 * place, halved({level}u)) >> 1u) - origin;"));
    }
    body.line(format_args!("        let to = place - origin;"));
    let last = 4 * shape.vectors(exchanged);
    body.line(format_args!("        if to >= 0 && to < {last} && other >= 0 && other < {last} {{"));
    body.line(format_args!("            {held}[to >> 2u][to & 3] = {held}[other >> 2u][other & 3];"));
    body.line(format_args!("        }}"));
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}
