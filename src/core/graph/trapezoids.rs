//! Split and merge as Argüello et al. draw them in Figures 2, 3 and 9: samples across, steps upwards, a trapezoid for what a tile finishes alone and one for every merge.
//!
//! Every outline follows from the butterflies that the schedule gives to a tile or to a boundary; nothing is drawn by hand.

use super::arrangement::positions;
use super::geometry::Point;
use super::print::{DASHED, DOTTED, dot, pen, section_ink, words};
use super::request::GraphRequest;
use crate::figure::{Anchor, Figure, Mark, Pen, Position};
use crate::numerals::counted;
use crate::plan::Plan;
use crate::schedule::{ButterflyOwner, Schedule, Section, SectionKind, Tile, TileGrid, section_graph, sections};
use std::collections::BTreeMap;

/// The width of a drawing on paper, and the height of a step.
const PAGE_WIDTH: f32 = 480.0;
const STEP_HEIGHT: f32 = 22.0;
/// Room at the left for the names of the steps.
const NAMES_WIDTH: f32 = 96.0;
const TEXT_SIZE: f32 = 9.0;
const THIN_WIDTH: f32 = 0.35;

/// The computation of one tile or one merge section.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionOutline {
    /// Split or merge.
    pub kind: SectionKind,
    /// The index of the launch.
    pub launch: usize,
    /// For every step from below: its index, and the first and the last sample that it computes.
    pub steps: Vec<(usize, [usize; 2])>,
}

/// The sections of a schedule over the samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Trapezoids {
    /// Number of samples across.
    pub n_samples: usize,
    /// The names of the steps, from below.
    pub names: Vec<String>,
    /// Split sections and merge sections.
    pub outlines: Vec<SectionOutline>,
    /// L, W and the block of every round, in a line each.
    pub captions: Vec<String>,
}

impl SectionOutline {
    /// The corners in samples and steps: up along the left side, down along the right one.
    pub fn corners(&self) -> Vec<[f32; 2]> {
        let Some(&(bottom, _)) = self.steps.first() else { return Vec::new() };
        // Steps compute odd and even samples in turn; a split does not grow upwards, and a merge does not shrink.
        let envelope = |index: usize| {
            let range = if self.kind == SectionKind::Split { index..self.steps.len() } else { 0..index + 1 };
            let extents = self.steps[range].iter().map(|(_, extent)| *extent);
            extents.fold([usize::MAX, 0], |all, extent| [all[0].min(extent[0]), all[1].max(extent[1])]).map(|sample| sample as f32)
        };
        let [left, right] = envelope(0);
        let (mut up, mut down) = (vec![[left, bottom as f32]], vec![[right + 1.0, bottom as f32]]);
        for (index, (step, _)) in self.steps.iter().enumerate() {
            let [left, right] = envelope(index);
            up.push([left, *step as f32 + 1.0]);
            down.push([right + 1.0, *step as f32 + 1.0]);
        }
        up.extend(down.into_iter().rev());
        up
    }
}

/// The sections of a schedule of lines; `None` where it has none, or where the plan has several rows.
pub fn trapezoids(plan: &Plan, schedule: &Schedule) -> Option<Trapezoids> {
    let positions = positions(plan);
    let place = |column: usize, lane: usize| positions.as_ref().map_or(lane, |columns| columns[column][lane]);
    let (mut outlines, mut captions, mut last) = (Vec::new(), Vec::new(), 0);
    for (index, launch) in schedule.launches.iter().enumerate() {
        let Tile::Section { section: SectionKind::Split, grid, .. } = launch.tile else { continue };
        if grid.extent[0] > 1 || grid.rows > 1 {
            return None;
        }
        let mut found: BTreeMap<(bool, usize), SectionOutline> = BTreeMap::new();
        let owners = sections(plan, launch.stages.clone(), grid).owners;
        for (stage, owners) in launch.stages.clone().zip(owners) {
            for (butterfly, owner) in plan.stages[stage].butterflies().zip(owners) {
                let (key, kind) = match owner {
                    ButterflyOwner::Tile(tile) => ((false, tile), SectionKind::Split),
                    ButterflyOwner::Boundary(boundary) => ((true, boundary), SectionKind::Merge),
                };
                let outline = found.entry(key).or_insert_with(|| SectionOutline { kind, launch: index, steps: Vec::new() });
                for sample in butterfly.writes.iter().map(|&lane| place(stage + 1, lane)) {
                    match outline.steps.last_mut() {
                        Some((step, extent)) if *step == stage => *extent = [extent[0].min(sample), extent[1].max(sample)],
                        _ => outline.steps.push((stage, [sample, sample])),
                    }
                }
            }
        }
        last = last.max(launch.stages.end);
        captions.push(caption(index, launch.stages.len(), grid));
        outlines.extend(found.into_values());
    }
    let names = plan.stages[..last].iter().map(|stage| stage.label.clone()).collect();
    (!outlines.is_empty()).then_some(Trapezoids { n_samples: plan.lanes, names, outlines, captions })
}

fn caption(launch: usize, n_steps: usize, grid: TileGrid) -> String {
    let block = counted(grid.columns, "lane");
    format!("Launch {}: {}, W = {}, blocks of {block}", launch + 1, counted(n_steps, "step"), 2 * grid.margin[1])
}

/// The sections as a figure; `None` as [`trapezoids`].
pub(super) fn figure(request: &GraphRequest) -> Option<Figure> {
    let found = trapezoids(&request.plan, &request.schedule)?;
    let (n_steps, across) = (found.names.len() as f32, (PAGE_WIDTH - NAMES_WIDTH) / found.n_samples as f32);
    let at = |[sample, step]: [f32; 2]| Point::new(NAMES_WIDTH + sample * across, (n_steps - step) * STEP_HEIGHT);
    let text = |text: &str, at, anchor| words(at, anchor, TEXT_SIZE, text);
    let mut marks = Vec::new();
    for step in 0..=found.names.len() {
        let points = [0.0, found.n_samples as f32].map(|sample| at([sample, step as f32]).into());
        marks.push(Mark::line(points, Pen { dash: DOTTED, ..pen(THIN_WIDTH) }));
    }
    for (step, name) in found.names.iter().enumerate() {
        let place = Point::new(NAMES_WIDTH - 6.0, (n_steps - step as f32 - 0.5) * STEP_HEIGHT);
        marks.push(text(&format!("{}  {name}", step + 1), place, Anchor::Right));
    }
    for outline in &found.outlines {
        let mut points: Vec<Position> = outline.corners().into_iter().map(|corner| at(corner).into()).collect();
        points.extend(points.first().copied());
        let dash = if outline.kind == SectionKind::Merge { DASHED } else { &[] };
        marks.push(Mark::line(points, Pen { ink: section_ink(outline.kind), width: 1.0, dash }));
    }
    // The needs of each section: from the tiles at its boundary, and from an earlier round.
    let graph = section_graph(&request.plan, &request.schedule);
    let middle = |section: &Section| {
        let sum = section
            .steps
            .iter()
            .fold([0.0, 0.0], |[x, y], step| [x + (step.span.start + step.span.end) as f32 / 2.0, y + step.stage as f32 + 0.5]);
        at(sum.map(|sum| sum / section.steps.len().max(1) as f32))
    };
    for (section, need) in graph.iter().flat_map(|section| section.needs.iter().map(move |&need| (section, need))) {
        marks.push(Mark::line([middle(&graph[need]), middle(section)].map(Position::from), pen(THIN_WIDTH)));
    }
    marks.extend(graph.iter().map(|section| dot(middle(section), 1.4)));
    let below = n_steps * STEP_HEIGHT;
    for sample in [0, found.n_samples / 2, found.n_samples - 1] {
        marks.push(text(&format!("sample {sample}"), Point::new(at([sample as f32 + 0.5, 0.0]).x, below + 10.0), Anchor::Centre));
    }
    let mut lines = vec![
        "blue: split, what a tile finishes alone; orange, dashed: merge, at the boundaries".to_owned(),
        "black: the upper section needs values of the lower one".to_owned(),
    ];
    lines.extend(found.captions);
    let n_lines = lines.len() as f32;
    for (index, line) in lines.into_iter().enumerate() {
        marks.push(text(&line, Point::new(NAMES_WIDTH, below + 26.0 + 12.0 * index as f32), Anchor::Left));
    }
    if !request.options.title.is_empty() {
        marks.push(text(&request.options.title, Point::new(NAMES_WIDTH, -14.0), Anchor::Left));
    }
    let corners = [[0.0, -26.0], [PAGE_WIDTH + 24.0, below + 26.0 + 12.0 * n_lines]];
    Some(Figure::within(corners, &request.options.title, marks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::SplitAndMerge;
    use crate::transforms::{Parameters, Shape, transform};

    fn of(width: usize) -> Trapezoids {
        let build = transform("cdf97").unwrap().algorithm("split-merge").unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(64), Parameters { levels: Some(1), ..Parameters::default() }).unwrap();
        let how = SplitAndMerge { levels: 1, block: 16, width, ..SplitAndMerge::default() };
        trapezoids(&plan, &Schedule::split_and_merge(&plan, how)).unwrap()
    }

    /// Figure 9 by hand: the merge of two blocks of 32 computes lane 31 in step 1, and 31 ± 1, 2, 3 in the next ones; with W = 8 four lanes more on each side.
    #[test]
    fn a_merge_grows_by_a_lane_a_step_and_a_width_cuts_its_tip() {
        let merge = |found: &Trapezoids| {
            let merges: Vec<_> = found.outlines.iter().filter(|outline| outline.kind == SectionKind::Merge).cloned().collect();
            assert_eq!(merges.len(), 1, "two blocks have one border");
            merges[0].steps.clone()
        };
        let narrow = of(0);
        assert_eq!(narrow.outlines.iter().filter(|outline| outline.kind == SectionKind::Split).count(), 2);
        assert_eq!(merge(&narrow), [(0, [31, 31]), (1, [30, 32]), (2, [29, 33]), (3, [28, 34])]);
        assert_eq!(merge(&of(8))[0], (0, [27, 35]));
        assert!(narrow.captions[0].contains("W = 0") && narrow.captions[0].contains("32 lanes"), "{:?}", narrow.captions);
    }

    #[test]
    fn a_split_is_a_trapezoid() {
        let found = of(0);
        let first = found.outlines.iter().find(|outline| outline.kind == SectionKind::Split).unwrap();
        let rights: Vec<_> = first.steps.iter().map(|(_, [_, right])| *right).collect();
        assert!(rights.windows(2).all(|pair| pair[0] > pair[1]), "{rights:?}");
        assert_eq!(first.corners()[..5], [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, 3.0], [0.0, 4.0]], "straight at the end of the line");
        assert_eq!(first.corners().len(), 2 * (first.steps.len() + 1));
    }
}
