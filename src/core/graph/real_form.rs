//! A complex node in real numbers: the formulas of its real and its imaginary part, with the products and sums that they take.

use super::drawing::GraphDrawing;
use super::node::GraphNode;
use super::text::{ROUNDING, signed_sum};
use crate::plan::Ring;

/// A complex node as two real formulas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealForm {
    /// The formulas of the real and the imaginary part.
    pub formulas: [String; 2],
    /// Products by other numbers than 1 and −1 in both.
    pub n_products: usize,
    /// Sums and differences in both.
    pub n_sums: usize,
}

impl GraphDrawing {
    /// The real form of a node that is a weighted sum of complex values; `None` for other nodes.
    pub fn real_form(&self, node: GraphNode) -> Option<RealForm> {
        let computed = self.computed_node(node)?;
        let (terms, factor) = self.terms(node).filter(|_| computed.stage.is_linear() && self.request.plan.ring == Ring::Complex)?;
        // Each summand c·x is (Re c·Re x − Im c·Im x) + i·(Im c·Re x + Re c·Im x).
        let mut parts: [Vec<(f64, String)>; 2] = Default::default();
        for term in &terms {
            let weight = term.weight.value() * factor.value();
            let name = self.name(term.from);
            let bar = if term.conjugated { -1.0 } else { 1.0 };
            parts[0].extend([(weight.re, format!("Re {name}")), (-weight.im * bar, format!("Im {name}"))]);
            parts[1].extend([(weight.im, format!("Re {name}")), (weight.re * bar, format!("Im {name}"))]);
        }
        parts.iter_mut().for_each(|part| part.retain(|(weight, _)| weight.abs() > ROUNDING));
        let is_product = |(weight, _): &&(f64, String)| (weight.abs() - 1.0).abs() > ROUNDING;
        let n_products = parts.iter().flatten().filter(is_product).count();
        let n_sums = parts.iter().map(|part| part.len().saturating_sub(1)).sum();
        let name = self.name(node);
        let formulas = [("Re", &parts[0]), ("Im", &parts[1])].map(|(of, part)| format!("{of} {name} = {}", signed_sum(part, 4)));
        Some(RealForm { formulas, n_products, n_sums })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GraphOptions, GraphRequest, layout};
    use super::*;
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    /// By hand: (x₁ − x₅)·ω¹₈ with ω¹₈ = (1 − i)/√2.
    #[test]
    fn a_twiddled_difference_takes_four_products() {
        let build = transform("dft").unwrap().algorithm("cooley-tukey-dif").unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(8), Parameters::default()).unwrap();
        let drawing = layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() });
        let form = |column, lane| drawing.real_form(GraphNode { column, lane });
        let sum = form(1, 1).unwrap();
        assert_eq!(sum.formulas, ["Re a₁ = Re x₁ + Re x₅", "Im a₁ = Im x₁ + Im x₅"]);
        assert_eq!((sum.n_products, sum.n_sums), (0, 2));
        let twiddled = form(1, 5).unwrap();
        assert_eq!(twiddled.formulas[0], "Re a₅ = 0.7071·Re x₁ + 0.7071·Im x₁ − 0.7071·Re x₅ − 0.7071·Im x₅");
        assert_eq!((twiddled.n_products, twiddled.n_sums), (8, 6));
        let turned = form(1, 6).unwrap();
        assert_eq!(turned.formulas, ["Re a₆ = Im x₂ − Im x₆", "Im a₆ = −Re x₂ + Re x₆"]);
        assert_eq!(form(0, 1), None);
    }
}
