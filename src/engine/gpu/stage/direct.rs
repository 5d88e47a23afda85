//! A direct sum as the lines of a kernel: a loop over the terms of one result, whose factors are in a table.

use super::butterfly::{Line, Writer, product};
use super::form::{Form, Number};
use crate::plan::{DirectSum, DirectTerms, Partner};
use serde::Serialize;

/// The loop of a thread: variables before it, then for every term `k` the loads, the sum and the steps of the variables.
#[derive(Debug, Clone, Serialize)]
pub(super) struct DirectLines {
    n: usize,
    variables: Vec<Line>,
    loads: Vec<Line>,
    sum: String,
    steps: Vec<Line>,
}

impl DirectLines {
    /// All expressions.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &str> {
        let lines = self.variables.iter().chain(&self.loads).chain(&self.steps);
        lines.map(|line| line.value.as_str()).chain([self.sum.as_str()])
    }
}

/// The operations that add one term.
struct Term {
    value: String,
    loads: Vec<Line>,
    variables: Vec<Line>,
    steps: Vec<Line>,
}

impl Writer<'_> {
    /// The loop of the result at position `p`; `origin` is the index of tap 0, and `indices` gets what does not change in the loop.
    pub(super) fn direct(&self, direct: &DirectSum, p: Option<&str>, origin: &Form, indices: &mut Vec<Line>) -> DirectLines {
        let p = p.unwrap_or("0u");
        let Term { value, loads, variables, steps } = match direct.terms() {
            DirectTerms::Products { partner, distance, conjugated } => {
                self.product_term(direct, p, origin, (*partner, *distance, *conjugated))
            }
            _ => self.weighted_term(direct, p, origin, indices),
        };
        let sum = if self.access.register.is_bits() { format!("sum ^ ({value})") } else { self.access.register.added("sum", &value) };
        DirectLines { n: direct.n_terms(), variables, loads, sum, steps }
    }

    /// The load of the tap at a distance of lanes.
    fn load(&self, name: &str, origin: &Form, distance: usize, lane: &str) -> Line {
        let hop = self.access.sides[0].hop;
        let index = origin.clone().plus(Number::Constant(hop), lane).plus_constant(distance as i64 * hop);
        Line::new(name, index.to_string())
    }

    /// Another tap times tap `k`.
    fn product_term(&self, direct: &DirectSum, p: &str, origin: &Form, (partner, distance, conjugated): (Partner, usize, bool)) -> Term {
        let n = direct.n_terms();
        let step = match partner {
            Partner::Xor => None,
            Partner::Difference => Some(format!("select(other - 1u, {}u, other == 0u)", n - 1)),
            Partner::Sum => Some(format!("select(other + 1u, 0u, other == {}u)", n - 1)),
        };
        let lane = if step.is_none() { format!("(k ^ {p})") } else { "other".into() };
        Term {
            value: product(self.access.register, &["u".into(), "v".into()], conjugated),
            loads: vec![self.load("u", origin, distance, &lane), self.load("v", origin, 0, "k")],
            variables: step.iter().map(|_| Line::new("other", p.to_owned())).collect(),
            steps: step.into_iter().map(|step| Line::new("other", step)).collect(),
        }
    }

    /// Tap `k` times its factor.
    fn weighted_term(&self, direct: &DirectSum, p: &str, origin: &Form, indices: &mut Vec<Line>) -> Term {
        let register = self.access.register;
        let (mut variables, mut steps) = (Vec::new(), Vec::new());
        let first = self.coefs;
        let index = match direct.terms() {
            DirectTerms::Angles { order, row, column, .. } => {
                let row_most = (direct.n_terms() - 1) * row[0] + row[1];
                let row = Form::default().plus(Number::Constant(row[0] as i64), p).plus_constant(row[1] as i64).grouped();
                let times = |n: usize| match (n, row_most * n < *order) {
                    (0, _) => "0u".into(),
                    (1, true) => row.clone(),
                    (n, true) => format!("{n}u * {row}"),
                    (1, false) => format!("{row} % {order}u"),
                    (n, false) => format!("{n}u * {row} % {order}u"),
                };
                variables.push(Line::new("at", times(column[1])));
                indices.push(Line::new("step", times(column[0])));
                if order.is_power_of_two() {
                    steps.push(Line::new("at", format!("(at + step) & {}u", order - 1)));
                } else {
                    steps.extend(
                        ["at + step".into(), format!("at - select(0u, {order}u, at >= {order}u)")].map(|value| Line::new("at", value)),
                    );
                }
                "at".to_owned()
            }
            DirectTerms::Haar { transposed: false, .. } => format!("haar_factor({p}, k)"),
            DirectTerms::Haar { transposed: true, .. } => format!("haar_factor(k, {p})"),
            _ => {
                let n = direct.n_bits() + 1;
                indices.push(Line::new("row", format!("{}u * countOneBits({p})", n * n)));
                format!("row + {n}u * countOneBits(k) + countOneBits({p} & k)")
            }
        };
        let factor = if first == 0 { format!("coefs[{index}]") } else { format!("coefs[{first}u + {index}]") };
        let value = match (direct.is_of_signs(), register.is_bits()) {
            (true, _) => {
                indices.pop();
                format!("select(u, -u, (countOneBits({p} & k) & 1u) == 1u)")
            }
            (false, true) => format!("u & u32({factor}.x)"),
            (false, false) => register.weighted("u", &factor),
        };
        Term { value, loads: vec![self.load("u", origin, 0, "k")], variables, steps }
    }
}
