//! Miniatures of plans that are too large to be drawn, and a text that says how they differ from the plan that ran.
//!
//! Every stage keeps its butterflies and the order of its strides, and only the counts of its loops shrink.
//!
//! A miniature made here computes nothing: distances between lanes are shorter than those of the plan, and factors are where the plan has some.

use super::names;
use super::request::{GraphOptions, GraphRequest, Original};
use crate::numerals::{counted, counted_as, integer};
use crate::plan::{Extension, Loop, Plan, ReadPattern, ResultOrder, Stage, Twiddle, WritePattern};
use crate::schedule::{Launch, Schedule, Tile};

/// The fewest and the most lanes of a miniature: radices 7, 5 and 15, or 16, 12 and 10, still have one.
const LANES: (usize, usize) = (16, 256);
/// A list of more different stages is left out; only their number is given.
const MOST_LISTED: usize = 4;

/// The same stages on few lanes; `None` where a stage does not cover all lanes evenly, as those of pyramids and of lines of any length.
pub fn shrunk(plan: &Plan) -> Option<Plan> {
    if (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes) {
        return None;
    }
    let taps = || plan.stages.iter().map(|stage| stage.matrix().taps);
    let whole = taps().try_fold(1, |all, taps| Some(lcm(all, taps)).filter(|&all| all <= LANES.1))?;
    // Two butterflies side by side, at least.
    let fewest = LANES.0.max(2 * taps().max()?);
    let lanes = fewest.next_multiple_of(whole);
    if lanes > LANES.1 || lanes >= plan.lanes {
        return None;
    }
    let stages = plan.stages.iter().map(|stage| shrunk_stage(stage, plan.lanes, lanes)).collect::<Option<_>>()?;
    Some(Plan::new(plan.ring, lanes, stages, ResultOrder::Natural))
}

/// The stages of the run on the lanes of a small plan by the same constructor, which has the same stages at its ends, such as those around the Fourier transform of real samples.
///
/// `None` where the small plan is built in another way, or a butterfly of the run is too large for it.
pub fn shrunk_into(small: &Plan, plan: &Plan) -> Option<Plan> {
    let [ran, few] = [plan, small].map(|plan| plan.stages.chunk_by(|a, b| points(a) == points(b)).collect::<Vec<_>>());
    let shrunk = |(ran, few): (&[Stage], &[Stage])| {
        if is_named_as(ran, few) {
            return Some(few.to_vec());
        }
        let [points, few_points] = [points(&ran[0])?, points(&few[0])?];
        let has_room = |stage: &Stage| few_points.is_multiple_of(stage.matrix().taps) && few_points >= 2 * stage.matrix().taps;
        ran.iter().map(|stage| if has_room(stage) { shrunk_stage(stage, points, few_points) } else { None }).collect()
    };
    let stages: Option<Vec<_>> = ran.iter().copied().zip(few.iter().copied()).map(shrunk).collect();
    Some(Plan { stages: stages.filter(|_| ran.len() == few.len())?.concat(), ..small.clone() })
}

/// Whether both have the same stages by their names.
pub fn is_named_as(a: &[Stage], b: &[Stage]) -> bool {
    a.iter().map(|stage| &stage.label).eq(b.iter().map(|stage| &stage.label))
}

/// The launches of a run, for a miniature of its plan; its tiles have no frames, because shorter strides do not keep to them.
pub fn shrunk_schedule(schedule: &Schedule, plan: &Plan, small: &Plan) -> Schedule {
    let launch = |launch: &Launch| {
        let tile = match launch.tile {
            Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } => Tile::Each,
            _ if launch.n_tiles(plan) == 1 => Tile::Block { lanes: small.lanes },
            _ => Tile::Bits { bits: 1 },
        };
        Launch { tile, ..launch.clone() }
    };
    Schedule { launches: schedule.launches.iter().map(launch).collect() }
}

impl Original {
    /// The note of a miniature on this run.
    pub fn of(plan: &Plan, schedule: &Schedule) -> Self {
        let last = [plan.inputs, plan.outputs].map(|n| n.saturating_sub(1));
        let last = [names::drawn_input(plan, last[0]).1, plan.output.index(last[1])];
        Self { last, n_tiles: schedule.launches.iter().map(|launch| launch.n_tiles(plan)).collect() }
    }
}

impl GraphRequest {
    /// A miniature of this flow graph with fewer lanes; `None` where its plan has none.
    pub(super) fn shrunk(&self) -> Option<Self> {
        let plan = shrunk(&self.plan)?;
        let schedule = shrunk_schedule(&self.schedule, &self.plan, &plan);
        let original = Some(Original::of(&self.plan, &self.schedule));
        Some(Self { plan, schedule, options: GraphOptions { original, ..self.options.clone() } })
    }
}

/// Says how many lanes the miniature has, and where its stages and launches differ from the run.
pub fn miniature_description(ran: (&Plan, &Schedule), shown: (&Plan, &Schedule)) -> String {
    let lanes = format!("Miniature: {} of {} lanes", integer(shown.0.lanes), integer(ran.0.lanes));
    if is_named_as(&ran.0.stages, &shown.0.stages) && ran.1.launches.len() == shown.1.launches.len() {
        format!("{lanes}, with the same stages in the same launches")
    } else {
        format!("{lanes}. The run has {}, the miniature {}", structure(ran), structure(shown))
    }
}

/// For example "3 stages (radix 16, 2 × radix 8) in 1 launch".
fn structure((plan, schedule): (&Plan, &Schedule)) -> String {
    let groups: Vec<_> = plan.stages.chunk_by(|a, b| a.label == b.label).collect();
    let listed = groups.iter().map(|group| match group.len() {
        1 => group[0].label.to_string(),
        n => format!("{n} × {}", group[0].label),
    });
    let list =
        if (1..=MOST_LISTED).contains(&groups.len()) { format!(" ({})", listed.collect::<Vec<_>>().join(", ")) } else { String::new() };
    let launches = counted_as(schedule.launches.len(), "launch", "launches");
    format!("{}{list} in {launches}", counted(plan.stages.len(), "stage"))
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// A loop of a stage, the loop over the taps of a butterfly included.
#[derive(Debug, Clone, Copy)]
struct Dimension {
    n: usize,
    read: usize,
    write: usize,
}

/// The loops of a stage in the order positions, groups, repetitions, taps; `None` where its lanes are not plain strides.
fn dimensions(stage: &Stage) -> Option<[Dimension; 4]> {
    let (read, write, matrix) = (&stage.read, &stage.write, stage.matrix());
    let starts_at_0 = (read.base, read.first, write.first) == (0, 0, 0);
    let is_table = matches!(stage.twiddle, Some(Twiddle::Table(_)));
    if read.extension != Extension::None || !starts_at_0 || write.pyramid.is_some() || matrix.rows != matrix.taps || is_table {
        return None;
    }
    let lanes = |coordinates: i64| usize::try_from(coordinates).ok().map(|coordinates| coordinates * read.step);
    let of_loop = |Loop { n, read, write }: Loop| Dimension { n, read, write };
    Some([
        Dimension { n: stage.positions, read: lanes(read.advance)?, write: write.advance },
        of_loop(stage.group),
        of_loop(stage.outer),
        Dimension { n: matrix.taps, read: lanes(read.hop)?, write: write.hop },
    ])
}

/// The lanes that a stage covers, each once; `None` where these are not plain strides.
fn points(stage: &Stage) -> Option<usize> {
    dimensions(stage).map(|dimensions| dimensions.iter().map(|dimension| dimension.n).product())
}

/// The strides of loops with these counts, in the order of the old strides; `None` if the old loops leave lanes out.
fn strides(old: [usize; 4], counts: [usize; 4], few: [usize; 4], lanes: usize) -> Option<[usize; 4]> {
    let mut order: Vec<usize> = (0..4).filter(|&index| counts[index] > 1).collect();
    order.sort_by_key(|&index| old[index]);
    let (mut expected, mut stride, mut strides) = (1, 1, [1; 4]);
    for index in order {
        if old[index] != expected {
            return None;
        }
        strides[index] = stride;
        (expected, stride) = (expected * counts[index], stride * few[index]);
    }
    (expected == lanes).then_some(strides)
}

fn shrunk_stage(stage: &Stage, lanes: usize, few_lanes: usize) -> Option<Stage> {
    let old = dimensions(stage)?;
    let counts = old.map(|dimension| dimension.n);
    let mut few = [1, 1, 1, counts[3]];
    let mut room = few_lanes / counts[3];
    // Each factor of the room goes to the loop that is shortened most.
    for factor in (2..=few_lanes).rev().filter(|factor| (2..*factor).all(|smaller| factor % smaller > 0)) {
        while room.is_multiple_of(factor) {
            let shortened = |index: &usize| counts[*index] / few[*index];
            let longest = (0..3).max_by_key(shortened)?;
            few[longest] *= factor;
            room /= factor;
        }
    }
    let read = strides(old.map(|dimension| dimension.read), counts, few, lanes)?;
    let write = strides(old.map(|dimension| dimension.write), counts, few, lanes)?;
    let of_loop = |index: usize| Loop { n: few[index], read: read[index], write: write[index] };
    Some(Stage {
        outer: of_loop(2),
        group: of_loop(1),
        positions: few[0],
        read: ReadPattern { advance: read[0] as i64, hop: read[3] as i64, ..ReadPattern::in_order(few_lanes) },
        write: WritePattern {
            advance: write[0],
            hop: write[3],
            reversed_bits: stage.write.reversed_bits.min(few_lanes.ilog2()),
            ..stage.write
        },
        ..stage.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(algorithm: &str, n: usize) -> (Plan, Schedule) {
        let algorithm = transform("dft").expect("it is in the table").algorithm(algorithm).expect("it is in the table");
        let build = algorithm.plan_fn().expect("it is a plan");
        let plan = build(Shape::line(n), Parameters::default()).expect("a power of two");
        let schedule = Schedule::tiled(&plan, n);
        (plan, schedule)
    }

    fn of(algorithm: &str, ran: usize, shown: usize) -> String {
        let [(ran, in_launches), (shown, cut)] = [ran, shown].map(|n| plan(algorithm, n));
        miniature_description((&ran, &in_launches), (&shown, &cut))
    }

    #[test]
    fn the_description_names_different_stages() {
        assert_eq!(
            of("stockham", 1024, 16),
            "Miniature: 16 of 1024 lanes. The run has 3 stages (radix 16, 2 × radix 8) in 1 launch, the miniature 1 stage (radix 16) in 1 launch"
        );
        assert!(of("cooley-tukey", 1 << 20, 16).contains("The run has 21 stages in 1 launch, the miniature 5 stages in 1 launch"));
        let [(small, cut), (other, _)] = [8, 64].map(|n| plan("stockham-8", n));
        let batch = (small.clone().batched(32), cut.clone());
        assert_eq!(
            miniature_description((&batch.0, &batch.1), (&small, &cut)),
            "Miniature: 8 of 256 lanes, with the same stages in the same launches"
        );
        assert!(miniature_description((&other, &cut), (&small, &cut)).contains("(2 × radix 8)"));
    }
}
