//! The sections of all stages of split and merge and what they need of each other, derived from the plan.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), Figure 3 and section 6.
//! Every split and its merges are a stage of the method; a section of a later one can begin as soon as the sections that it needs are finished.

use super::{ButterflyOwner, Schedule, SectionKind, Tile, sections};
use crate::plan::{Plan, Stage};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A section: what one tile computes alone, or what is computed at one boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Split or merge.
    pub kind: SectionKind,
    /// The launch that computes it.
    pub launch: usize,
    /// Every stage of the plan in which it computes something: the number of its butterflies, and the samples before the first stage at whose positions they are.
    pub steps: Vec<SectionStep>,
    /// The sections whose values it reads, by their numbers.
    pub needs: Vec<usize>,
}

/// The butterflies of a section in one stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionStep {
    /// The stage of the plan.
    pub stage: usize,
    /// Number of butterflies.
    pub butterflies: usize,
    /// From the first to behind the last sample.
    pub span: Range<usize>,
}

/// The sections of a schedule in running order, the splits of a launch before its merges; empty where no launch has sections.
pub fn section_graph(plan: &Plan, schedule: &Schedule) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    // The section that wrote a lane last, and the sample at whose position its value is.
    let mut writers: Vec<Option<usize>> = vec![None; plan.lanes];
    let mut samples: Vec<usize> = (0..plan.lanes).collect();
    for (launch, stages, owners) in owned_stages(plan, schedule) {
        let mut numbers: HashMap<ButterflyOwner, usize> = HashMap::new();
        for (stage, owners) in stages.zip(&owners) {
            let (stage_data, before) = (&plan.stages[stage], (writers.clone(), samples.clone()));
            for (index, place) in (0..stage_data.n_butterflies()).map(|index| (index, stage_data.indices(index))) {
                let at: Vec<usize> = positions(stage_data, place, &before.1);
                let section = owners.get(index).map(|&owner| {
                    *numbers.entry(owner).or_insert_with(|| {
                        let launch = launch_of(schedule, launch, stage, owner.section());
                        found.push(Section { kind: owner.section(), launch, steps: Vec::new(), needs: Vec::new() });
                        found.len() - 1
                    })
                });
                if let Some(section) = section {
                    found[section].add(stage, &at);
                    let needed = stage_data.needs(place).filter_map(|lane| before.0[lane]).filter(|&other| other != section);
                    found[section].needs.extend(needed.collect::<BTreeSet<_>>());
                }
                for (lane, sample) in stage_data.writes(place).zip(at) {
                    (writers[lane], samples[lane]) = (section, sample);
                }
            }
        }
    }
    in_order(found)
}

/// The launches that take stages first, with the owner of every butterfly; no owners where a launch has no sections.
fn owned_stages(plan: &Plan, schedule: &Schedule) -> Vec<(usize, Range<usize>, Vec<Vec<ButterflyOwner>>)> {
    let owned = |(index, launch): (usize, &super::Launch)| match launch.tile {
        Tile::Section { section: SectionKind::Merge, .. } => None,
        Tile::Section { grid, .. } => Some((index, launch.stages.clone(), sections(plan, launch.stages.clone(), grid).owners)),
        _ => Some((index, launch.stages.clone(), vec![Vec::new(); launch.stages.len()])),
    };
    schedule.launches.iter().enumerate().filter_map(owned).collect()
}

/// The launch of a section of a stage: the split itself, or the merge behind it that has the stage.
fn launch_of(schedule: &Schedule, split: usize, stage: usize, kind: SectionKind) -> usize {
    let is_merge = |index: &usize| schedule.launches[*index].stages.contains(&stage);
    let merge = || (split + 1..schedule.launches.len()).find(is_merge);
    if kind == SectionKind::Merge { merge().unwrap_or(split) } else { split }
}

/// The samples at whose positions the results of a butterfly are: their own in place, else those of the taps at the butterfly's position.
fn positions(stage: &Stage, place @ [p, q, b]: [usize; 3], samples: &[usize]) -> Vec<usize> {
    let (own, taps) = (usize::try_from(-stage.read.first).unwrap_or(0), stage.matrix().taps);
    let in_place = stage.lifting_step().is_some();
    let tap = |j: usize| stage.read_lane(p, q, b, (own + j).min(taps - 1));
    stage.writes(place).enumerate().map(|(j, lane)| samples[if in_place { lane } else { tap(j).unwrap_or(lane) }]).collect()
}

impl Section {
    /// Adds a butterfly whose results are at these samples.
    fn add(&mut self, stage: usize, at: &[usize]) {
        let (first, behind) = (at.iter().min().copied().unwrap_or(0), at.iter().max().map_or(0, |last| last + 1));
        match self.steps.last_mut() {
            Some(step) if step.stage == stage => {
                step.butterflies += 1;
                step.span = step.span.start.min(first)..step.span.end.max(behind);
            }
            _ => self.steps.push(SectionStep { stage, butterflies: 1, span: first..behind }),
        }
    }
}

/// The sections sorted by their launches, each list of needs sorted and without repetitions.
fn in_order(found: Vec<Section>) -> Vec<Section> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&number| (found[number].launch, found[number].steps.first().map(|step| step.span.start)));
    let mut place = vec![0; found.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let renumbered = |&old: &usize| {
        let needs: BTreeSet<usize> = found[old].needs.iter().map(|&need| place[need]).collect();
        Section { needs: needs.into_iter().collect(), ..found[old].clone() }
    };
    order.iter().map(renumbered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::SplitAndMerge;
    use crate::transforms::{Parameters, Shape, transform};

    fn graph(name: &str, algorithm: &str, n: usize, levels: usize, how: SplitAndMerge) -> (Plan, Schedule, Vec<Section>) {
        let build = transform(name).and_then(|transform| transform.algorithm(algorithm)).expect("it is in the table").plan_fn();
        let plan =
            build.expect("it is a plan")(Shape::line(n), Parameters { levels: Some(levels), ..Parameters::default() }).expect("it fits");
        let schedule = Schedule::split_and_merge(&plan, how);
        let sections = section_graph(&plan, &schedule);
        (plan, schedule, sections)
    }

    #[test]
    fn figure_3_two_stages_of_a_pyramid_depend_on_neighbours_alone() {
        let how = SplitAndMerge { levels: 2, block: 16, ..SplitAndMerge::default() };
        let (_, schedule, sections) = graph("cdf97", "direct", 256, 4, how);
        let of = |launch: usize| sections.iter().enumerate().filter(move |(_, section)| section.launch == launch);
        assert_eq!((0..4).map(|launch| of(launch).count()).collect::<Vec<_>>(), [8, 7, 2, 1], "{schedule:?}");
        // A merge needs both tiles at its boundary.
        assert!(of(1).enumerate().all(|(k, (_, merge))| merge.needs == [k, k + 1]));
        // A tile of the second stage covers four tiles of the first one and the boundaries inside and beside it; the other tile need not be finished.
        let second: Vec<_> = of(2).map(|(_, split)| split.needs.clone()).collect();
        assert_eq!(second, [vec![0, 1, 2, 3, 8, 9, 10, 11], vec![4, 5, 6, 7, 11, 12, 13, 14]]);
        // No section needs a later launch.
        assert!(sections.iter().all(|section| section.needs.iter().all(|&need| sections[need].launch < section.launch)));
        // A trapezoid gets narrower, and a triangle wider.
        let widths = |section: &Section| section.steps.iter().map(|step| step.butterflies).collect::<Vec<_>>();
        assert_eq!((widths(&sections[1]), widths(&sections[8])), (vec![15, 14, 13, 12, 5, 4, 3, 2], vec![1, 2, 3, 4, 3, 4, 5, 6]));
    }

    #[test]
    fn every_butterfly_of_a_launch_in_sections_is_in_one_section() {
        let how = SplitAndMerge { levels: 2, block: 16, ..SplitAndMerge::default() };
        for (name, algorithm, levels) in
            [("d4", "filter-bank", 4), ("cdf97", "filter-bank", 3), ("d4-packet", "filter-bank", 3), ("tridiagonal", "cyclic-reduction", 0)]
        {
            let (plan, schedule, sections) = graph(name, algorithm, 128, levels, how);
            for launch in schedule.launches.iter().filter(|launch| launch.section() == Some(SectionKind::Split)) {
                for stage in launch.stages.clone() {
                    let steps = sections.iter().flat_map(|section| &section.steps).filter(|step| step.stage == stage);
                    let butterflies: usize = steps.map(|step| step.butterflies).sum();
                    assert_eq!(butterflies, plan.stages[stage].n_butterflies(), "{name} by {algorithm}, stage {stage}");
                }
            }
            assert!(sections.iter().any(|section| section.kind == SectionKind::Merge && !section.needs.is_empty()), "{name}");
        }
    }
}
