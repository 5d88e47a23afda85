//! The plan as JSON: every stage is a list of edges, so that a reader can multiply the stages and compare with the definition.

use super::names;
use super::request::GraphRequest;
use super::sections::{name, sections_of, tile_lanes};
use crate::plan::{Coef, Edge, LaneValue, Operation, PrimeField, Ring, Stage};
use crate::schedule::{Section, SectionKind, section_graph};
use num_complex::Complex64;
use serde::Serialize;

#[derive(Serialize)]
struct GraphFile<'a> {
    transform: &'a str,
    algorithm: &'a str,
    ring: &'a str,
    /// The modulus of residues, and the root of unity with its order.
    #[serde(skip_serializing_if = "Option::is_none")]
    modulus: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    root_order: Option<u32>,
    lanes: usize,
    inputs: Vec<String>,
    stages: Vec<StageEntry<'a>>,
    launches: Vec<LaunchEntry>,
    /// The sections of split and merge, and what each needs of others, by their numbers from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<SectionEntry>,
    outputs: Vec<usize>,
    /// `values[stage][lane]` after every stage: `null` for an empty lane, `[re, im]` for a number, `[a, b, c, d]` for a row of a system.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Vec<Option<Vec<f64>>>>>,
}

#[derive(Serialize)]
struct StageEntry<'a> {
    label: &'a str,
    launch: usize,
    operation: &'static str,
    edges: Vec<EdgeEntry>,
}

#[derive(Serialize)]
struct EdgeEntry {
    from: usize,
    to: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    re: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    im: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The section that computes the edge, where the launch of the stage has sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'static str>,
    /// Present, as `true`, where the edge multiplies the conjugate of its value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    conjugated: bool,
}

#[derive(Serialize)]
struct LaunchEntry {
    tile: Option<usize>,
    section: Option<&'static str>,
}

#[derive(Serialize)]
struct SectionEntry {
    section: &'static str,
    launch: usize,
    /// Butterflies in each stage of the plan in which it has some.
    butterflies: Vec<[usize; 2]>,
    needs: Vec<usize>,
}

impl From<Section> for SectionEntry {
    fn from(Section { kind, launch, steps, needs }: Section) -> Self {
        Self { section: name(kind), launch, butterflies: steps.iter().map(|step| [step.stage, step.butterflies]).collect(), needs }
    }
}

/// The text of the file, on one line; `values[k]` are those after stage k, from 0.
pub(super) fn write(request: &GraphRequest, values: Option<&[Vec<LaneValue>]>) -> String {
    let (plan, schedule, options) = (&request.plan, &request.schedule, &request.options);
    let launch_of = |stage: usize| schedule.launches.iter().position(|launch| launch.stages.contains(&stage)).unwrap_or_default();
    let (sections, live) = (sections_of(request), plan.live());
    let file = GraphFile {
        transform: &options.transform,
        algorithm: &options.algorithm,
        ring: plan.ring.name(),
        modulus: plan.ring.modulus(),
        root: plan.ring.field().map(PrimeField::root),
        root_order: plan.ring.field().map(PrimeField::order),
        lanes: plan.lanes,
        inputs: (0..plan.inputs).map(|lane| names::input(plan, lane)).map(|(letter, index)| format!("{letter}{index}")).collect(),
        stages: plan
            .stages
            .iter()
            .enumerate()
            .map(|(index, stage)| stage_entry((plan.ring, stage), launch_of(index), &sections[index], &live[index + 1]))
            .collect(),
        launches: schedule
            .launches
            .iter()
            .map(|launch| LaunchEntry { tile: tile_lanes(plan, launch), section: launch.section().map(name) })
            .collect(),
        sections: section_graph(plan, schedule).into_iter().map(SectionEntry::from).collect(),
        outputs: (0..plan.outputs).map(|lane| plan.output.index(lane)).collect(),
        values: values.map(|values| values.iter().zip(&live[1..]).map(live_values).collect()),
    };
    let mut text = serde_json::to_string(&file).expect("plain structs of numbers and texts have a JSON form");
    text.push('\n');
    text
}

/// The values of one stage, `None` for lanes that hold none.
fn live_values((values, live): (&Vec<LaneValue>, &Vec<bool>)) -> Vec<Option<Vec<f64>>> {
    values.iter().zip(live).map(|(value, live)| live.then(|| value.numbers())).collect()
}

fn stage_entry<'a>((ring, stage): (Ring, &'a Stage), launch: usize, sections: &[SectionKind], live: &[bool]) -> StageEntry<'a> {
    let operation = match &stage.operation {
        Operation::Linear(_) | Operation::TwiddledTaps(_) => "linear",
        Operation::Product { .. } => "product",
        Operation::Direct(sum) if sum.is_linear() => "linear",
        Operation::Direct(_) => "products",
        Operation::TwiddledSums(sums) if sums.conjugated.contains(&true) => "hermitian",
        Operation::TwiddledSums(_) => "linear",
        Operation::Eliminate => "eliminate",
        Operation::Doubling(step) => step.name(),
    };
    let entry = |(edge, section): (Edge, Option<SectionKind>)| {
        // Adding 0 turns −0 into 0. The edges of a product or of a step on equations carry no number.
        let value = stage.is_linear().then(|| ring.element(edge.weight) + Complex64::default());
        let text = stage.is_linear().then(|| edge.weight.text());
        let [re, im] = [value.map(|value| value.re), value.map(|value| value.im)];
        EdgeEntry { from: edge.from, to: edge.to, re, im, text, section: section.map(name), conjugated: edge.conjugated }
    };
    let edges = stage.butterflies().enumerate().flat_map(|(index, butterfly)| {
        let edges = butterfly.edges();
        // A result without taps gets an edge with the coefficient 0.
        let is_zero = |lane: &&usize| edges.iter().all(|edge| edge.to != **lane);
        let zero = |&lane: &usize| Edge { from: lane, to: lane, weight: Coef::Real(0.0), conjugated: false };
        let zeros: Vec<_> = butterfly.writes.iter().filter(is_zero).map(zero).collect();
        let section = sections.get(index).copied();
        edges.into_iter().chain(zeros).map(move |edge| (edge, section))
    });
    let mut edges: Vec<EdgeEntry> = edges.map(entry).collect();
    if stage.is_linear() {
        // A lane that no butterfly writes keeps its value, so that the product of all stages is the transform.
        let mut kept = live.to_vec();
        edges.iter().for_each(|edge| kept[edge.to] = false);
        let lanes = kept.iter().enumerate().filter_map(|(lane, kept)| kept.then_some(lane));
        edges.extend(lanes.map(|lane| entry((Edge { from: lane, to: lane, weight: Coef::Real(1.0), conjugated: false }, None))));
    }
    StageEntry { label: &stage.label, launch, operation, edges }
}
