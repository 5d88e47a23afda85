//! One level forward: columns first, rows second.

use super::shape::LiftingImageShape;
use super::variables::{along_columns, along_row, meet, open, vector, window, x};
use crate::gpu::lifting::item::{ITEM, SIDE};
use crate::gpu::wgsl::WgslBody;

pub(super) fn level(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    columns(body, shape, level);
    meet(body);
    rows(body, shape, level);
    if level + 1 < shape.levels {
        meet(body);
    }
}

/// Eight samples of four columns at a time: four rows of low coefficients and, for the tile itself, four of high ones.
fn columns(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    let ([items, _], around, pitch) = (shape.items(level), shape.around(level), shape.pitch(level));
    let n = if shape.whole { format!("{pitch}u * items_of(rows_of({level}u))") } else { format!("{}u", pitch * (items + 2 * around)) };
    open(body, n, "vec4<Lane>");
    body.line(format_args!("    let column = e % {pitch}u;"));
    body.line(format_args!("    let item = e / {pitch}u;"));
    body.line(format_args!("    // The first of the eight rows, and of the four columns."));
    body.line(format_args!("    let y = (tile.y >> {level}u) + {ITEM} * (i32(item) - {around});"));
    body.line(format_args!("    let x = (tile.x >> {level}u) + 4 * i32(column) - {};", shape.halo(level)));
    if level == 0 { SampleSource::fine(shape) } else { SampleSource::kept(shape, level) }.load(body);
    along_columns(body, &shape.shared.steps_y);
    body.line(format_args!("    let to = {}u * item * {pitch}u + (column & 1u) * {}u + (column >> 1u);", ITEM / 2, pitch / 2));
    for k in 0..ITEM / 2 {
        body.line(format_args!("    held[to + {}u] = {};", k as usize * pitch, x(2 * k)));
    }
    // High rows stand behind the low ones, which are more.
    let high = (shape.low_rows(level) - around * ITEM as usize / 2) * pitch;
    if around == 0 {
        body.line(format_args!("    {{"));
    } else {
        body.line(format_args!("    if item >= {around}u && item < {}u {{", around + items));
    }
    for k in 0..ITEM / 2 {
        body.line(format_args!("        held[to + {}u] = {};", high + k as usize * pitch, x(2 * k + 1)));
    }
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}

/// Where the samples of a level stand, in lanes of an array of vectors, as text.
struct SampleSource {
    level: usize,
    array: &'static str,
    /// Whether vectors may be read.
    aligned: bool,
    /// Inside the image: the vector of the first of the rows, and vectors from one row to the next; where there are no ends, everywhere.
    inside: Option<[String; 2]>,
    ends: bool,
    /// Lanes before the row R, and before the column C of a row, which may be past an end.
    row: String,
    column: String,
}

impl SampleSource {
    /// The finest level of a launch, in a buffer.
    fn fine(shape: &LiftingImageShape) -> Self {
        let row = format!("u32(y - {SIDE}) * (launch.fine_row >> 2u)");
        Self {
            level: 0,
            array: if shape.shared.fine_in_output { "output" } else { "input" },
            aligned: shape.fine_aligned,
            inside: shape.fine_aligned.then(|| [format!("((launch.fine + u32(x)) >> 2u) + {row}"), "(launch.fine_row >> 2u)".into()]),
            ends: true,
            row: "u32(near(R, rows_of(0u))) * launch.fine_row".into(),
            column: "launch.fine + u32(near(C, columns_of(0u)))".into(),
        }
    }

    /// A further level, in workgroup memory, where what is past the ends of a mirrored image was not computed rightly.
    fn kept(shape: &LiftingImageShape, level: usize) -> Self {
        let pitch = shape.kept_pitch(level);
        // Samples before the first one of the tile.
        let halo = if shape.whole { 0 } else { shape.halo(level) };
        let place = |axis: &str, sample: &str, n: &str, last: usize| {
            format!("u32(clamp(near({sample}, {n}({level}u)) - (tile.{axis} >> {level}u) + {halo}, 0, {last}))")
        };
        Self {
            level,
            array: "kept",
            aligned: true,
            inside: (!shape.whole).then(|| [format!("{ITEM}u * item * {pitch}u + column"), format!("{pitch}u")]),
            ends: shape.folds_kept(),
            row: format!("{} * {}u", place("y", "R", "rows_of", shape.kept_rows(level) - 1), 4 * pitch),
            column: place("x", "C", "columns_of", 4 * pitch - 1),
        }
    }

    /// Reads what an item needs: sixteen vectors where nothing is past an end, else row by row, or sample by sample.
    fn load(&self, body: &mut WgslBody) {
        let Self { level, array, .. } = self;
        let mut before = "";
        if let Some([first, pitch]) = &self.inside {
            body.line(format_args!("    {} {{", if self.ends { "if !tile.at_end" } else { "" }));
            body.line(format_args!("        let v = {first};"));
            for (k, sample) in window().enumerate() {
                body.line(format_args!("        {} = {array}[v + {k}u * {pitch}];", x(sample)));
            }
            before = "} else";
        }
        let row = |sample: i64| self.row.replace('R', &format!("y + {sample}"));
        let column = |k: usize| self.column.replace('C', &format!("x + {k}"));
        if self.ends && self.aligned {
            body.line(format_args!("    {before} if x >= 0 && x + 4 <= columns_of({level}u) {{"));
            body.line(format_args!("        let c = {};", column(0)));
            for sample in window() {
                body.line(format_args!("        {} = {array}[({} + c) >> 2u];", x(sample), row(sample)));
            }
            before = "} else";
        }
        if self.ends {
            body.line(format_args!("    {before} {{"));
            (0..4).for_each(|k| body.line(format_args!("        let c{k} = {};", column(k))));
            for sample in window() {
                let values: Vec<String> = (0..4).map(|k| format!("{array}[(row + c{k}) >> 2u][(row + c{k}) & 3u]")).collect();
                body.line(format_args!("        {{ let row = {}; {} = vec4<Lane>({}); }}", row(sample), x(sample), values.join(", ")));
            }
        }
        body.line(format_args!("    }}"));
    }
}

/// Eight samples of a row at a time: all low rows, and for the tile itself the high ones.
fn rows(body: &mut WgslBody, shape: &LiftingImageShape, level: usize) {
    let ([items_y, items_x], around, pitch) = (shape.items(level), shape.around(level), shape.pitch(level));
    let (half, all_x, low_rows) = (ITEM as usize / 2, items_x + 2 * around, shape.low_rows(level));
    if shape.whole {
        body.line(format_args!("let items{level} = items_of(columns_of({level}u));"));
        body.line(format_args!("let lows{level} = {half}u * items_of(rows_of({level}u)) * items{level};"));
        open(body, format_args!("2u * lows{level}"), "Lane");
        body.line(format_args!("    let high_y = e >= lows{level};"));
        body.line(format_args!("    let place = select(e, e - lows{level}, high_y);"));
        body.line(format_args!("    let row = place / items{level} + select(0u, {low_rows}u, high_y);"));
        body.line(format_args!("    let item = place % items{level};"));
    } else if around == 0 {
        open(body, format_args!("{}u", 2 * low_rows * items_x), "Lane");
        body.line(format_args!("    let row = e / {items_x}u;"));
        body.line(format_args!("    let item = e % {items_x}u;"));
        body.line(format_args!("    let high_y = row >= {low_rows}u;"));
    } else {
        let lows = low_rows * all_x;
        open(body, format_args!("{}u", lows + half * items_y * items_x), "Lane");
        body.line(format_args!("    let high_y = e >= {lows}u;"));
        body.line(format_args!("    let place = select(e, e - {lows}u, high_y);"));
        body.line(format_args!("    let row = select(place / {all_x}u, {low_rows}u + place / {items_x}u, high_y);"));
        body.line(format_args!("    let item = select(place % {all_x}u, {around}u + place % {items_x}u, high_y);"));
    }
    body.line(format_args!("    let v = row * {pitch}u + item;"));
    for v in 0..4_i64 {
        let place = (v as usize & 1) * pitch / 2 + (v as usize >> 1);
        let parts = ["x", "y", "z", "w"].iter().zip(4 * v - SIDE..).map(|(part, sample)| format!("{} = v{v}.{part};", x(sample)));
        body.line(format_args!("    let v{v} = held[v + {place}u]; {}", parts.collect::<Vec<_>>().join(" ")));
    }
    along_row(body, &shape.shared.steps_x);
    let own_row = format!("i32(row) - select({}, {low_rows}, high_y)", half * around);
    body.line(format_args!("    let y = (tile.y >> {}u) + {own_row};", level + 1));
    body.line(format_args!("    let x = (tile.x >> {}u) + {half} * (i32(item) - {around});", level + 1));
    let [low, high] = [0, 1].map(|half| vector((0..4).map(|k| 2 * k + half)));
    let store = |high_y: bool, high_x: bool, values: &str| {
        let aligned = shape.high_aligned[level][usize::from(high_x)];
        format!("store_band(tile, {level}u, y, x, {high_y}, {high_x}, {aligned}, {values});")
    };
    body.line(format_args!("    if high_y {{"));
    body.line(format_args!("        {}", store(true, false, &low)));
    body.line(format_args!("        {}", store(true, true, &high)));
    body.line(format_args!("    }} else {{"));
    if level + 1 < shape.levels {
        body.line(format_args!("        kept[row * {all_x}u + item] = {low};"));
    } else {
        let (n_y, n_x) = (format!("rows_of({}u)", level + 1), format!("columns_of({}u)", level + 1));
        let aligned = shape.low_aligned;
        body.line(format_args!("        store_row(tile, launch.low, launch.low_row, y, x, {n_y}, {n_x}, {aligned}, {low});"));
    }
    let own = |place: &str, items: usize, unit: usize| format!("{place} >= {}u && {place} < {}u", around * unit, (around + items) * unit);
    if around == 0 {
        body.line(format_args!("        {}", store(false, true, &high)));
    } else {
        body.line(format_args!("        if {} && {} {{", own("row", items_y, half), own("item", items_x, 1)));
        body.line(format_args!("            {}", store(false, true, &high)));
        body.line(format_args!("        }}"));
    }
    body.line(format_args!("    }}"));
    body.line(format_args!("}}"));
}
