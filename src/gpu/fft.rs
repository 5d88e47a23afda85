//! The fast Fourier kernels: which stages they serve, and the text that unrolls these stages into `shaders/fft.wgsl` and `shaders/fft_stage.wgsl`.
//!
//! A shape is recognised from the numbers of the stages alone, so that a kernel serves every algorithm that comes to the same stages.
//! Butterflies stand once, in `shaders/butterflies.wgsl`; what is written here is which of a thread's variables they take and where results go.

use crate::plan::{Coef, Direction, Fold, Loop, Read, Stage, Twiddle, Write};
use std::fmt::Write as _;

/// Points of the longest row that a workgroup of any adapter holds.
pub(super) const PORTABLE_POINTS: usize = 4096;
/// Points of the longest row of all, for adapters with more threads and workgroup memory than every one has.
pub(super) const MAX_POINTS: usize = 2 * PORTABLE_POINTS;
/// Threads of a workgroup: every adapter has as many.
const THREADS: usize = 256;
/// Stages whose results stand closer together than this gather them in workgroup memory before they store them.
pub(super) const GATHERED_SPAN: usize = 16;

const BUTTERFLIES: &str = include_str!("../../shaders/butterflies.wgsl");
const TILE: &str = include_str!("../../shaders/fft.wgsl");
const STAGE: &str = include_str!("../../shaders/fft_stage.wgsl");

/// A whole transform of rows: a run of Stockham stages, and perhaps the scaling of the inverse.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TileShape {
    /// Lanes of a row.
    pub points: usize,
    /// Radices of the stages, each 2, 4, 8 or 16; their product is `points`.
    pub radices: Vec<usize>,
    /// Sign of the angle.
    pub direction: Direction,
    /// Bits of the number that every result is multiplied by at the end.
    scale: u64,
}

/// One Stockham stage of rows of any power of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StageShape {
    pub(super) points: usize,
    pub(super) radix: usize,
    pub(super) span: usize,
    pub(super) direction: Direction,
}

impl TileShape {
    /// Lanes that a thread holds: enough for the largest radix, and for a row to fit a workgroup.
    pub fn values(&self) -> usize {
        let most_threads = if self.points > PORTABLE_POINTS { 2 * THREADS } else { THREADS };
        self.radices.iter().copied().fold(self.points / most_threads, usize::max)
    }

    /// Rows of one workgroup.
    pub fn rows_per_group(&self) -> usize {
        (THREADS * self.values() / self.points).max(1)
    }

    /// Threads of one workgroup.
    pub fn threads(&self) -> usize {
        self.rows_per_group() * self.points / self.values()
    }

    /// Workgroup memory, in bytes.
    pub fn workgroup_bytes(&self) -> usize {
        let places = self.rows_per_group() * self.points;
        4 * (places + places / 16 + 1)
    }

    /// What every result is multiplied by.
    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }
}

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

/// The shape of a run of stages, if it is a whole transform of every row.
pub(super) fn tile_shape(stages: &[Stage], lanes: usize) -> Option<TileShape> {
    let (transform, scale) = match stages.split_last() {
        Some((last, before)) if !before.is_empty() => scaling(last, lanes).map_or((stages, 1.0), |scale| (before, scale)),
        _ => (stages, 1.0),
    };
    DIRECTIONS.into_iter().find_map(|direction| {
        let shapes: Vec<_> = transform.iter().map(|stage| stage_shape_in(direction, stage, lanes)).collect::<Option<_>>()?;
        let points = shapes.first()?.points;
        let mut span = 1;
        for shape in &shapes {
            if (shape.points, shape.span) != (points, span) {
                return None;
            }
            span *= shape.radix;
        }
        let radices = shapes.iter().map(|shape| shape.radix).collect();
        (span == points && span <= MAX_POINTS).then_some(TileShape { points, radices, direction, scale: scale.to_bits() })
    })
}

/// The shape of a stage, if it is one of Stockham's, of radix 2, 4, 8 or 16, over all rows.
pub(super) fn stage_shape(stage: &Stage, lanes: usize) -> Option<StageShape> {
    DIRECTIONS.into_iter().find_map(|direction| stage_shape_in(direction, stage, lanes))
}

/// The same in one direction; a stage of two taps without twiddles is the same in both.
fn stage_shape_in(direction: Direction, stage: &Stage, lanes: usize) -> Option<StageShape> {
    let (radix, span, positions) = (stage.matrix().taps, stage.group.n, stage.positions);
    let points = radix * span * positions;
    let rows = lanes.checked_div(points)?;
    let outer = if rows == 1 { Loop::ONCE } else { Loop::new(rows, points) };
    let expected = Stage {
        label: stage.label.clone(),
        outer,
        group: Loop::new(span, 1),
        positions,
        read: Read { first: 0, advance: 1, hop: positions, step: span, len: radix * positions, fold: Fold::None },
        write: Write { first: 0, advance: span * radix, hop: span, ..Write::IN_ORDER },
        operation: stage.operation.clone(),
        twiddle: (positions > 1).then_some(Twiddle::Root { modulus: points / span, row: [1, 0], column: [1, 0], direction }),
    };
    let fits = [2, 4, 8, 16].contains(&radix) && points.is_power_of_two() && rows * points == lanes;
    (fits && *stage == expected && is_dft(stage, radix, direction)).then_some(StageShape { points, radix, span, direction })
}

fn is_dft(stage: &Stage, radix: usize, direction: Direction) -> bool {
    let matrix = stage.matrix();
    let entry = |i: usize| Coef::root((i / radix * (i % radix)) as u64, radix as u64, direction);
    matrix.rows == radix && matrix.taps == radix && matrix.coefs.iter().enumerate().all(|(i, coef)| *coef == entry(i))
}

/// The number that multiplies every lane, if that is all that the stage does.
fn scaling(stage: &Stage, lanes: usize) -> Option<f64> {
    let [Coef::Real(scale)] = stage.matrix().coefs[..] else { return None };
    let every_lane = stage.outer == Loop::new(lanes, 1) && stage.positions == 1 && stage.group.n == 1;
    let stays = (stage.read.first, stage.read.fold, stage.write.first, stage.write.reversed_bits) == (0, Fold::None, 0, 0);
    (every_lane && stays && stage.twiddle.is_none()).then_some(scale)
}

/// The text of the tile kernel for a shape.
pub(super) fn tile_source(shape: &TileShape) -> String {
    let constants = format!(
        "const POINTS = {}u;\nconst PER_ROW = {}u;\nconst ROWS_PER_GROUP = {}u;\nconst SCALE = {:?}f;\n{}",
        shape.points,
        shape.points / shape.values(),
        shape.rows_per_group(),
        shape.scale() as f32,
        sign(shape.direction),
    );
    [&constants, BUTTERFLIES, &TILE.replace("    //@ stages\n", &tile_body(shape))].join("\n")
}

/// The text of the kernel of one long stage.
pub(super) fn stage_source(radix: usize, direction: Direction, gathers: bool) -> String {
    let constants = format!("const RADIX = {radix}u;\nconst LOG2_RADIX = {}u;\n{}", radix.ilog2(), sign(direction));
    [&constants, BUTTERFLIES, &STAGE.replace("    //@ stage\n", &stage_body(radix, gathers))].join("\n")
}

fn sign(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "const SIGN = -1f;\n",
        Direction::Inverse => "const SIGN = 1f;\n",
    }
}

/// Lines of a function's body. Writing into a string cannot fail.
#[derive(Default)]
struct Body(String);

impl Body {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "    {text}");
    }
}

fn tile_body(shape: &TileShape) -> String {
    let (values, points) = (shape.values(), shape.points);
    let per_row = points / values;
    let mut body = Body::default();
    load(&mut body, values, |k| format!("at + {}u", k * per_row));
    if shape.radices.len() > 1 {
        let from = Place { name: "from_here", base: "home + t", aligned: false };
        body.line(format_args!("let from_here = padded(home + t);"));
        let mut span = 1;
        for (index, &radix) in shape.radices.iter().enumerate() {
            let apart = values / radix;
            butterflies(&mut body, values, radix);
            if span * radix == points {
                break;
            }
            for m in 0..apart {
                let i = format!("i{index}_{m}");
                body.line(format_args!("let {i} = t + {}u;", m * per_row));
                let results: String = (1..radix).map(|j| format!(", &x{}", m + j * apart)).collect();
                let root = |power| format!("roots[launch.roots + {i} / {span}u * {}u]", span * power);
                body.line(format_args!("turn{radix}({}{results});", loaded_roots(radix, root)));
                let base = format!("{i} / {span}u * {}u + {i} % {span}u", span * radix);
                body.line(format_args!("let to{index}_{m} = home + {base};"));
                body.line(format_args!("let pad{index}_{m} = padded(to{index}_{m});"));
            }
            let to = |k: usize| {
                let (m, j) = (k % apart, k / apart);
                let (name, base) = (format!("pad{index}_{m}"), format!("to{index}_{m}"));
                Place { name: &name, base: &base, aligned: span == 1 && radix == 16 }.plus(j * span)
            };
            exchange(&mut body, values, index > 0, to, |k| from.plus(k * per_row));
            span *= radix;
        }
    } else {
        butterflies(&mut body, values, shape.radices[0]);
    }
    store(&mut body, "live", values, |k| format!("at + {}u", k * per_row), if shape.scale() == 1.0 { "" } else { " * SCALE" });
    body.0
}

fn stage_body(radix: usize, gathers: bool) -> String {
    let mut body = Body::default();
    load(&mut body, radix, |k| format!("at + ({k}u << launch.log2_hop)"));
    butterflies(&mut body, radix, radix);
    let results: String = (1..radix).map(|j| format!(", &x{j}")).collect();
    let roots = loaded_roots(radix, |power| format!("root(inside, {power}u)"));
    body.line(format_args!("turn{radix}({roots}{results});"));
    if gathers {
        body.line(format_args!("let to = first_place(thread);"));
        let to = |k| format!("padded(to + ({k}u << launch.log2_span))");
        exchange(&mut body, radix, false, to, |k| format!("padded(thread + {}u)", k * THREADS));
        body.line(format_args!("let run = (first << LOG2_RADIX) + thread;"));
        body.line(format_args!("let end = launch.n_butterflies << LOG2_RADIX;"));
        for k in 0..radix {
            let at = k * THREADS;
            body.line(format_args!("if run + {at}u < end {{ after[run + {at}u] = x{k}; }}"));
        }
    } else {
        body.line(format_args!("let to = first_place(i);"));
        store(&mut body, "live", radix, |k| format!("to + ({k}u << launch.log2_span)"), "");
    }
    body.0
}

fn load(body: &mut Body, values: usize, at: impl Fn(usize) -> String) {
    for k in 0..values {
        body.line(format_args!("var x{k} = vec2f();"));
    }
    body.line(format_args!("if live {{"));
    for k in 0..values {
        body.line(format_args!("    x{k} = before[{}];", at(k)));
    }
    body.line(format_args!("}}"));
}

fn store(body: &mut Body, condition: &str, values: usize, at: impl Fn(usize) -> String, scale: &str) {
    body.line(format_args!("if {condition} {{"));
    for k in 0..values {
        body.line(format_args!("    after[{}] = x{k}{scale};", at(k)));
    }
    body.line(format_args!("}}"));
}

/// All butterflies of one radix in a thread's variables: butterfly m takes m, m + values/radix, ….
fn butterflies(body: &mut Body, values: usize, radix: usize) {
    let apart = values / radix;
    for m in 0..apart {
        let taps: Vec<String> = (0..radix).map(|k| format!("&x{}", m + k * apart)).collect();
        body.line(format_args!("radix{radix}({});", taps.join(", ")));
    }
}

/// The powers of a root that a turn of this radix loads.
fn loaded_roots(radix: usize, root: impl Fn(usize) -> String) -> String {
    if radix >= 8 { [root(1), root(4)].join(", ") } else { root(1) }
}

/// Moves variable k to place `to(k)` of workgroup memory and takes it from `from(k)`, real parts before imaginary parts.
fn exchange(body: &mut Body, values: usize, again: bool, to: impl Fn(usize) -> String, from: impl Fn(usize) -> String) {
    for part in ['x', 'y'] {
        if again || part == 'y' {
            body.line(format_args!("workgroupBarrier();"));
        }
        for k in 0..values {
            body.line(format_args!("part[{}] = x{k}.{part};", to(k)));
        }
        body.line(format_args!("workgroupBarrier();"));
        for k in 0..values {
            body.line(format_args!("x{k}.{part} = part[{}];", from(k)));
        }
    }
}

/// A place in workgroup memory: `name` is the padded form of `base`.
struct Place<'a> {
    name: &'a str,
    base: &'a str,
    /// Whether `base` is a multiple of 16.
    aligned: bool,
}

impl Place<'_> {
    /// The padded form of the place `offset` further; a sum of constants where the padding allows it.
    fn plus(&self, offset: usize) -> String {
        let Self { name, base, aligned } = self;
        if offset.is_multiple_of(16) || *aligned {
            format!("{name} + {}u", offset + offset / 16)
        } else {
            format!("padded({base} + {offset}u)")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(algorithm: &str, rows: usize, columns: usize, direction: Direction) -> Plan {
        let build = transform("dft").unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        build(Shape { rows, columns }, Parameters { direction, ..Parameters::default() }).unwrap()
    }

    #[test]
    fn every_stockham_plan_up_to_the_longest_row_is_recognised_and_fits_its_adapters() {
        for algorithm in ["stockham", "stockham-8", "stockham-4", "stockham-2"] {
            for points in (1..=13).map(|log| 1 << log) {
                for (rows, direction, scale) in [(1, Direction::Forward, 1.0), (5, Direction::Inverse, 1.0 / points as f64)] {
                    let plan = plan(algorithm, rows, points, direction);
                    let shape = tile_shape(&plan.stages, plan.lanes).unwrap();
                    assert_eq!((shape.points, shape.scale()), (points, scale));
                    assert_eq!(shape.radices.iter().product::<usize>(), points);
                    let [threads, kib] = if points > PORTABLE_POINTS { [512, 48] } else { [256, 32] };
                    assert!(shape.threads() <= threads && shape.workgroup_bytes() <= kib << 10 && shape.values() <= 16, "{shape:?}");
                    // Two taps look the same in both directions, and nothing else tells.
                    assert!(shape.direction == direction || points == 2);
                }
            }
        }
        let long = plan("stockham", 1, 2 * MAX_POINTS, Direction::Forward);
        assert_eq!(tile_shape(&long.stages, long.lanes), None);
        assert!(long.stages.iter().all(|stage| stage_shape(stage, long.lanes).is_some()));
    }

    #[test]
    fn whatever_else_is_left_to_the_generic_kernel() {
        let plan = plan("stockham-4", 3, 64, Direction::Inverse);
        let changes: [fn(&mut Stage); 10] = [
            |stage| stage.outer.n -= 1,
            |stage| stage.group.read += 1,
            |stage| stage.positions /= 2,
            |stage| stage.read.hop += 1,
            |stage| stage.read.fold = Fold::Wrap,
            |stage| stage.write.advance += 1,
            |stage| stage.write.reversed_bits = 6,
            |stage| stage.twiddle = None,
            |stage| stage.twiddle = Some(Twiddle::Root { modulus: 16, row: [1, 0], column: [1, 0], direction: Direction::Forward }),
            |stage| stage.operation = crate::plan::Operation::Linear(crate::plan::Matrix::from_fn(4, 4, |_, _| Coef::ONE)),
        ];
        for (index, change) in changes.into_iter().enumerate() {
            let mut stages = plan.stages.clone();
            change(&mut stages[1]);
            assert_eq!(tile_shape(&stages, plan.lanes), None, "change {index}");
        }
        assert_eq!(tile_shape(&plan.stages[..2], plan.lanes), None);
        assert_eq!(tile_shape(&[], plan.lanes), None);
    }

    #[test]
    fn the_text_has_one_exchange_between_two_stages_and_every_butterfly() {
        let plan = plan("stockham-8", 1, 4096, Direction::Forward);
        let body = tile_body(&tile_shape(&plan.stages, plan.lanes).unwrap());
        // Four stages of two butterflies a thread; three exchanges of two parts, all but the first behind two barriers a part.
        assert_eq!(body.matches("radix8(").count(), 4 * 2);
        assert_eq!(body.matches("turn8(").count(), 3 * 2);
        assert_eq!(body.matches("workgroupBarrier").count(), 3 * 4 - 1);
        assert_eq!((body.matches("= before[").count(), body.matches("after[").count()), (16, 16));
    }
}
