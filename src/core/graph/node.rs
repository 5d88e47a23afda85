//! A node of the graph: its name, its summands and its formula.

use super::coefficients::coefficient_text;
use super::drawing::GraphDrawing;
use super::names;
use super::taps::{Tap, taps};
use crate::figure::{subscript, superscript};
use crate::plan::{Butterfly, Coef, Doubling, Operation, Ring, Stage};

/// A node of the graph: the value of a lane after some stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphNode {
    /// Number of stages that have run; 0 for the input.
    pub column: usize,
    /// The lane.
    pub lane: usize,
}

/// One summand of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The node that is read.
    pub from: GraphNode,
    /// The coefficient, without the common factor.
    pub weight: Coef,
    /// Whether the value is conjugated first.
    pub conjugated: bool,
}

/// A node as a result of its butterfly.
pub(super) struct ComputedNode<'a> {
    pub(super) stage: &'a Stage,
    pub(super) butterfly: Butterfly,
    /// Index of the result within the butterfly.
    pub(super) result: usize,
}

impl GraphDrawing {
    /// Whether the lane holds a value at this node; a node of a larger plan is none of this one.
    pub fn exists(&self, node: GraphNode) -> bool {
        self.live.get(node.column).and_then(|lanes| lanes.get(node.lane)).is_some_and(|is_live| *is_live)
    }

    /// The name of a node: `x₃` before the first stage, `X₄` with the index of the output after the last stage, and letters such as `a₃` between.
    pub fn name(&self, node: GraphNode) -> String {
        let n_stages = self.spans.len();
        if node.column == 0 && n_stages > 0 {
            let (letter, index) = names::drawn_input(&self.request.plan, node.lane);
            return format!("{letter}{}", subscript(index));
        }
        if node.column == n_stages {
            let plan = &self.request.plan;
            return format!("{}{}", names::output(plan), subscript(self.output_index(node.lane)));
        }
        if self.request.plan.ring == Ring::Equation {
            // The literature counts the stages of a right-hand side above it.
            let (letter, index) = names::of_row(&self.request.plan, node.column, node.lane);
            return format!("{letter}{}{}", superscript(node.column), subscript(index));
        }
        let number = node.column - 1;
        let letter = char::from(b'a' + (number % 23) as u8);
        format!("{}{}", letter.to_string().repeat(number / 23 + 1), subscript(node.lane))
    }

    /// The butterfly that computes a node; `None` for inputs and carried lanes.
    pub fn butterfly_of(&self, node: GraphNode) -> Option<usize> {
        let stage = node.column.checked_sub(1)?;
        let first = self.results.partition_point(|result| result.stage < stage);
        self.results[first..]
            .iter()
            .take_while(|result| result.stage == stage)
            .find(|result| result.to == node.lane)
            .map(|result| result.butterfly)
    }

    pub(super) fn computed_node(&self, node: GraphNode) -> Option<ComputedNode<'_>> {
        let stage = &self.request.plan.stages[node.column.checked_sub(1)?];
        let butterfly = stage.butterfly(self.butterfly_of(node)?);
        let result = butterfly.writes.iter().position(|&lane| lane == node.lane)?;
        Some(ComputedNode { stage, butterfly, result })
    }

    /// The summands of a node and their common factor; `None` for inputs and carried lanes.
    pub fn terms(&self, node: GraphNode) -> Option<(Vec<Term>, Coef)> {
        let ComputedNode { stage, butterfly, result } = self.computed_node(node)?;
        let [p, q, _] = butterfly.indices;
        let term = |Tap { from, weight, conjugated }| Term { from: GraphNode { column: node.column - 1, lane: from }, weight, conjugated };
        Some((taps(stage, &butterfly, result).into_iter().map(term).collect(), stage.factor(p, q, result)))
    }

    /// The formula of a node, such as `a₃ = (x₁ − x₅)·ω¹₈`.
    pub fn formula(&self, node: GraphNode) -> String {
        let name = self.name(node);
        let Some((terms, factor)) = self.terms(node) else {
            return match node.column.checked_sub(1) {
                None => format!("{name}, input {}", node.lane),
                Some(column) => format!("{name} = {}, carried", self.name(GraphNode { column, ..node })),
            };
        };
        match self.computed_node(node).map(|computed| &computed.stage.operation) {
            Some(Operation::Eliminate) => {
                let (own, neighbours): (Vec<_>, Vec<_>) = terms.iter().partition(|term| term.from.lane == node.lane);
                let names = |terms: Vec<&Term>| terms.into_iter().map(|term| self.name(term.from)).collect::<Vec<_>>();
                let without = if neighbours.is_empty() { String::new() } else { format!(" without {}", names(neighbours).join(" and ")) };
                format!("{name} = {}{without}", names(own).join(""))
            }
            Some(Operation::Doubling(step)) => {
                let names: Vec<String> = terms.iter().map(|term| self.name(term.from)).collect();
                let is_kept = *step == Doubling::PivotMap && !name.starts_with('m');
                format!("{name} = {}", if is_kept { names.concat() } else { doubled(*step, &names) })
            }
            Some(Operation::Direct(sum)) if !sum.is_linear() => {
                let position = self.computed_node(node).map_or(0, |computed| computed.butterfly.indices[0]);
                let bar = if sum.conjugates() { "\u{305}" } else { "" };
                let product = |k: usize| {
                    let [a, b] = sum.pair(position, k)?.map(|tap| self.name(terms[tap].from));
                    Some(format!("{a}·{b}{bar}"))
                };
                format!("{name} = {}", (0..sum.n_terms()).filter_map(product).collect::<Vec<_>>().join(" + "))
            }
            Some(Operation::Product { .. }) => {
                format!("{name} = {}", terms.iter().map(|term| self.name(term.from)).collect::<Vec<_>>().join("·"))
            }
            _ => format!("{name} = {}", self.linear_formula(&terms, factor)),
        }
    }

    /// The right-hand side of a linear formula, such as `(x₁ − x₅)·ω¹₈`.
    fn linear_formula(&self, terms: &[Term], factor: Coef) -> String {
        let mut sum = String::new();
        for (index, Term { from, weight, conjugated }) in terms.iter().enumerate() {
            let (sign, size) = match weight {
                // A name such as α stands for a negative number without a sign of its own.
                Coef::Real(x) if coefficient_text(*weight).starts_with('−') => ("−", Coef::Real(-x)),
                weight => ("+", *weight),
            };
            match (index, sign) {
                (0, "+") => {}
                (0, _) => sum.push('−'),
                _ => sum.push_str(&format!(" {sign} ")),
            }
            if size != Coef::ONE {
                sum.push_str(&format!("{}·", in_product(size)));
            }
            sum.push_str(&self.name(*from));
            if *conjugated {
                sum.push('*');
            }
        }
        match (factor, terms.len()) {
            (_, 0) => "0".into(),
            (Coef::Real(1.0), _) => sum,
            (_, 1) => format!("{sum}·{}", in_product(factor)),
            _ => format!("({sum})·{}", in_product(factor)),
        }
    }
}

/// The right-hand side of the formula of a step of recursive doubling: of a map, or of an equation. At an end there is one tap.
fn doubled(step: Doubling, taps: &[String]) -> String {
    match (step, taps) {
        (Doubling::PivotMap, [own]) => format!("map of the pivot of {own}"),
        (Doubling::PivotMap, [before, own]) => format!("map of the pivot of {own} behind {before}"),
        (Doubling::Compose, [before, own]) => format!("{own} after {before}"),
        (Doubling::Divide, [map, own]) => format!("{own} divided by the pivot of {map}"),
        (Doubling::Forward, [other, own]) | (Doubling::Backward, [own, other]) => format!("{own} without {other}"),
        _ => taps.concat(),
    }
}

/// A coefficient as a factor of a product.
fn in_product(coef: Coef) -> String {
    let text = coefficient_text(coef);
    if text.starts_with('−') { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphOptions, GraphRequest, layout};
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    #[test]
    fn nodes_of_a_larger_plan_do_not_exist() {
        let build = transform("walsh").unwrap().algorithm("constant-geometry").unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(8), Parameters::default()).unwrap();
        let schedule = Schedule::by_stage(&plan);
        let drawing = layout(GraphRequest { plan, schedule, options: GraphOptions::default() });
        let exists = |column, lane| drawing.exists(GraphNode { column, lane });
        assert!(exists(0, 7) && exists(3, 0));
        assert!(!exists(0, 13) && !exists(4, 0), "a lane and a stage that only sixteen points have");
    }
}
