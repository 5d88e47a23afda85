//! Questions to a drawing: what a node depends on, what depends on it, how it is computed, and which addresses that takes.

use super::layout::Drawing;
use super::names;
use super::sections::tile_lanes;
use super::taps::{Tap, taps};
use super::text::subscript;
use crate::plan::{Butterfly, Coef, Digits, Direction, Operation, Stage};

/// A value of the drawing: a lane after so many stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// How many stages have run; 0 for the input.
    pub column: usize,
    /// Which lane.
    pub lane: usize,
}

/// What a node depends on, and what depends on it; both hold the node itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cone {
    /// The node.
    pub node: Node,
    /// Lanes of the drawing.
    lanes: usize,
    backwards: Vec<bool>,
    forwards: Vec<bool>,
}

impl Cone {
    /// Whether the node of the cone depends on this one.
    pub fn is_source(&self, node: Node) -> bool {
        self.backwards[node.column * self.lanes + node.lane]
    }

    /// Whether this node depends on the node of the cone.
    pub fn is_target(&self, node: Node) -> bool {
        self.forwards[node.column * self.lanes + node.lane]
    }

    /// Whether the node belongs to the cone.
    pub fn contains(&self, node: Node) -> bool {
        self.is_source(node) || self.is_target(node)
    }

    /// Whether a line between neighbouring columns, or inside one, belongs to the cone.
    pub fn contains_line(&self, from: Node, to: Node) -> bool {
        self.is_source(from) && self.is_source(to) || self.is_target(from) && self.is_target(to)
    }

    /// Lanes of a column that the node depends on.
    pub fn sources(&self, column: usize) -> Vec<usize> {
        (0..self.lanes).filter(|&lane| self.is_source(Node { column, lane })).collect()
    }

    /// Lanes of a column that depend on the node.
    pub fn targets(&self, column: usize) -> Vec<usize> {
        (0..self.lanes).filter(|&lane| self.is_target(Node { column, lane })).collect()
    }
}

/// One summand of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The node that is read.
    pub from: Node,
    /// What it is multiplied by, the common factor left out.
    pub weight: Coef,
    /// Whether it is conjugated before.
    pub conjugated: bool,
}

/// Where the thread that computes a node reads and writes, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    /// Position, group and outer turn of the butterfly.
    pub place: String,
    /// The lane of every tap, with its arithmetic.
    pub reads: Vec<String>,
    /// The lane of the result, with its arithmetic.
    pub write: String,
    /// Launch, and tile where there are any.
    pub launch: String,
}

/// Which result of which butterfly a node is.
struct Maker<'a> {
    stage: &'a Stage,
    butterfly: Butterfly,
    result: usize,
}

impl Drawing {
    /// Whether the lane holds a value there.
    pub fn exists(&self, node: Node) -> bool {
        self.live[node.column][node.lane]
    }

    /// What the node depends on, and what depends on it.
    pub fn cone(&self, node: Node) -> Cone {
        let plan = &self.request.plan;
        let at = |column: usize, lane: usize| column * plan.lanes + lane;
        let mut carried = self.live.concat();
        for tail in &self.tails {
            carried[at(tail.stage + 1, tail.to)] = false;
        }
        let (mut backwards, mut forwards) = (vec![false; carried.len()], vec![false; carried.len()]);
        backwards[at(node.column, node.lane)] = true;
        forwards[at(node.column, node.lane)] = true;
        let lines_of = |stage: usize| {
            let start = self.lines.partition_point(|line| line.stage < stage);
            self.lines[start..].iter().take_while(move |line| line.stage == stage)
        };
        for stage in (0..node.column).rev() {
            for line in lines_of(stage).filter(|line| backwards[at(stage + 1, line.to)]).collect::<Vec<_>>() {
                backwards[at(stage, line.from)] = true;
            }
            for lane in (0..plan.lanes).filter(|&lane| carried[at(stage + 1, lane)]) {
                backwards[at(stage, lane)] |= backwards[at(stage + 1, lane)];
            }
        }
        for stage in node.column..self.spans.len() {
            for line in lines_of(stage).filter(|line| forwards[at(stage, line.from)]).collect::<Vec<_>>() {
                forwards[at(stage + 1, line.to)] = true;
            }
            for lane in (0..plan.lanes).filter(|&lane| carried[at(stage + 1, lane)]) {
                forwards[at(stage + 1, lane)] |= forwards[at(stage, lane)];
            }
        }
        Cone { node, lanes: plan.lanes, backwards, forwards }
    }

    /// How a node is called: `x₃` before the first stage, `X₄` with the index of the result after the last, letters in between.
    pub fn name(&self, node: Node) -> String {
        let n_stages = self.spans.len();
        if node.column == 0 && n_stages > 0 {
            let (letter, index) = names::input(&self.request.plan, node.lane);
            return format!("{letter}{}", subscript(index));
        }
        if node.column == n_stages {
            let plan = &self.request.plan;
            return format!("{}{}", names::output(plan), subscript(plan.output.index(node.lane)));
        }
        let number = node.column - 1;
        let letter = char::from(b'a' + (number % 23) as u8);
        format!("{}{}", letter.to_string().repeat(number / 23 + 1), subscript(node.lane))
    }

    /// The butterfly that computes a node; `None` for inputs and carried lanes.
    pub fn butterfly_of(&self, node: Node) -> Option<usize> {
        let stage = node.column.checked_sub(1)?;
        let first = self.tails.partition_point(|tail| tail.stage < stage);
        self.tails[first..].iter().take_while(|tail| tail.stage == stage).find(|tail| tail.to == node.lane).map(|tail| tail.butterfly)
    }

    fn maker(&self, node: Node) -> Option<Maker<'_>> {
        let stage = &self.request.plan.stages[node.column.checked_sub(1)?];
        let butterfly = stage.butterfly(self.butterfly_of(node)?);
        let result = butterfly.writes.iter().position(|&lane| lane == node.lane)?;
        Some(Maker { stage, butterfly, result })
    }

    /// The summands of a node and the factor that is common to them; `None` for inputs and carried lanes.
    pub fn terms(&self, node: Node) -> Option<(Vec<Term>, Coef)> {
        let Maker { stage, butterfly, result } = self.maker(node)?;
        let [p, q, _] = butterfly.place;
        let term = |Tap { from, weight, conjugated }| Term { from: Node { column: node.column - 1, lane: from }, weight, conjugated };
        Some((taps(stage, &butterfly, result).into_iter().map(term).collect(), stage.factor(p, q, result)))
    }

    /// How a node is computed, such as `a₃ = (x₁ − x₅)·ω¹₈`.
    pub fn formula(&self, node: Node) -> String {
        let name = self.name(node);
        let Some((terms, factor)) = self.terms(node) else {
            return match node.column.checked_sub(1) {
                None => format!("{name}, input {}", node.lane),
                Some(column) => format!("{name} = {}, carried", self.name(Node { column, ..node })),
            };
        };
        if self.maker(node).is_some_and(|maker| !maker.stage.is_linear()) {
            let names = |is_wanted: fn(usize, usize) -> bool| {
                terms.iter().filter(|term| is_wanted(term.from.lane, node.lane)).map(|term| self.name(term.from)).collect::<Vec<_>>()
            };
            return match self.maker(node).map(|maker| &maker.stage.operation) {
                Some(Operation::Eliminate) => {
                    let neighbours = names(|lane, own| lane != own);
                    let without = if neighbours.is_empty() { String::new() } else { format!(" without {}", neighbours.join(" and ")) };
                    format!("{name} = {}{without}", names(|lane, own| lane == own).join(""))
                }
                _ => format!("{name} = {}", names(|_, _| true).join("·")),
            };
        }
        let mut sum = String::new();
        for (index, Term { from, weight, conjugated }) in terms.iter().enumerate() {
            let (sign, size) = match weight {
                Coef::Real(x) if *x < 0.0 => ("−", Coef::Real(-x)),
                weight => ("+", *weight),
            };
            match (index, sign) {
                (0, "+") => {}
                (0, _) => sum.push('−'),
                _ => sum.push_str(&format!(" {sign} ")),
            }
            if size != Coef::ONE {
                sum.push_str(&format!("{}·", size.text()));
            }
            sum.push_str(&self.name(*from));
            if *conjugated {
                sum.push('*');
            }
        }
        match (factor, terms.len()) {
            (_, 0) => format!("{name} = 0"),
            (Coef::Real(1.0), _) => format!("{name} = {sum}"),
            (_, 1) => format!("{name} = {sum}·{}", factor.text()),
            _ => format!("{name} = ({sum})·{}", factor.text()),
        }
    }

    /// The address arithmetic of the thread that computes a node; `None` for inputs and carried lanes.
    pub fn addresses(&self, node: Node) -> Option<Addresses> {
        let Maker { stage, butterfly, result } = self.maker(node)?;
        let [p, q, b] = butterfly.place;
        let place =
            format!("position p = {p} of {}, group q = {q} of {}, outer turn b = {b} of {}", stage.positions, stage.group.n, stage.outer.n);
        let reads = butterfly.reads.iter().enumerate().map(|(k, lane)| read_text(stage, k, *lane)).collect();
        let write = write_text(stage, result, node.lane);
        let launch = self.launch_of(node.column - 1)?;
        let tile = tile_lanes(&self.request.plan, &self.request.schedule.launches[launch]);
        let launch = match (tile, butterfly.reads.iter().flatten().next()) {
            (Some(lanes), Some(lane)) => {
                let first = lane / lanes * lanes;
                format!("launch {}, workgroup {} (lanes {first} to {})", launch + 1, lane / lanes + 1, first + lanes - 1)
            }
            _ => format!("launch {}, thread {}", launch + 1, self.butterfly_of(node)? + 1),
        };
        Some(Addresses { place, reads, write, launch })
    }
}

/// `strides` with their counts as a sum, leaving out what adds nothing: `1·p + 4·k`.
fn sum(parts: &[(i64, &str)]) -> String {
    let mut text = String::new();
    for &(factor, symbol) in parts.iter().filter(|(factor, _)| *factor != 0) {
        let sign = match (text.is_empty(), factor < 0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        let (size, dot) = (factor.abs(), if symbol.is_empty() { "" } else { "·" });
        text.push_str(sign);
        text.push_str(&if size == 1 && !symbol.is_empty() { symbol.into() } else { format!("{size}{dot}{symbol}") });
    }
    if text.is_empty() { "0".into() } else { text }
}

fn read_text(stage: &Stage, k: usize, lane: Option<usize>) -> String {
    let read = &stage.read;
    let stride = |size: usize, turns: usize| if turns > 1 { size as i64 } else { 0 };
    let (advance, hop) = (stride(read.advance, stage.positions), stride(read.hop, stage.matrix().taps));
    let loops = [(stride(stage.group.read, stage.group.n), "q"), (stride(stage.outer.read, stage.outer.n), "b")];
    let folds = !matches!(read.fold, crate::plan::Fold::None);
    let formula = if read.step == 1 && !folds {
        sum(&[(read.first, ""), (advance, "p"), (hop, "k"), loops[0], loops[1]])
    } else {
        let coordinate = sum(&[(read.first, ""), (advance, "p"), (hop, "k")]);
        let coordinate = if folds { format!("fold({coordinate})") } else { format!("({coordinate})") };
        let rest = sum(&loops);
        let rest = if rest == "0" { String::new() } else { format!(" + {rest}") };
        if read.step == 1 { format!("{coordinate}{rest}") } else { format!("{coordinate}·{}{rest}", read.step) }
    };
    let value = lane.map_or_else(|| "nothing".into(), |lane| format!("lane {lane}"));
    format!("tap k = {k} reads {formula} = {value}")
}

fn write_text(stage: &Stage, j: usize, lane: usize) -> String {
    let write = &stage.write;
    let stride = |size: usize, turns: usize| if turns > 1 { size as i64 } else { 0 };
    let parts = [
        (write.first as i64, ""),
        (stride(write.advance, stage.positions), "p"),
        (stride(write.hop, stage.matrix().rows), "j"),
        (stride(stage.group.write, stage.group.n), "q"),
        (stride(stage.outer.write, stage.outer.n), "b"),
    ];
    let formula = sum(&parts);
    let formula = match write.reversed_bits {
        0 | 1 => formula,
        n_bits => format!("{}reverse of {n_bits} bits ({formula})", digits_text(write.digits)),
    };
    let formula = match write.pyramid.map(|pyramid| pyramid.direction) {
        None => formula,
        Some(Direction::Forward) => format!("coarsest first of ({formula})"),
        Some(Direction::Inverse) => format!("place in the pyramid of ({formula})"),
    };
    format!("result j = {j} goes to {formula} = lane {lane}")
}

/// What is done to digits that were reversed.
fn digits_text(digits: Digits) -> &'static str {
    match digits {
        Digits::Kept => "",
        Digits::GrayDecoded => "Gray decoding of the ",
        Digits::BelowLeading => "reverse, below the leading 1, of the ",
        Digits::AboveTrailing => "reverse, above the trailing 1, of the ",
    }
}
