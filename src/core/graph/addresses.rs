//! The address arithmetic of the thread that computes a node, as text.

use super::drawing::GraphDrawing;
use super::node::{ComputedNode, GraphNode};
use super::sections::tile_lanes;
use crate::plan::{BitOrder, Direction, Extension, Stage};

/// Where the thread that computes a node reads and writes, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadAddresses {
    /// Position, group and outer iteration of the butterfly.
    pub place: String,
    /// The lane of every tap, with the formula for it.
    pub reads: Vec<String>,
    /// The lane of the result, with the formula for it.
    pub write: String,
    /// The launch, and the workgroup or the thread that runs it.
    pub launch: String,
}

impl GraphDrawing {
    /// The address arithmetic of the thread that computes a node; `None` for inputs and carried lanes.
    pub fn addresses(&self, node: GraphNode) -> Option<ThreadAddresses> {
        let ComputedNode { stage, butterfly, result } = self.computed_node(node)?;
        let [p, q, b] = butterfly.indices;
        let place = format!(
            "position p = {p} of {}, group q = {q} of {}, outer iteration b = {b} of {}",
            stage.positions, stage.group.n, stage.outer.n
        );
        let reads = butterfly.reads.iter().enumerate().map(|(k, lane)| read_text(stage, k, *lane)).collect();
        let write = write_text(stage, result, node.lane);
        let launch = self.launch_of(node.column - 1)?;
        let tile = tile_lanes(&self.request.plan, &self.request.schedule.launches[launch]);
        let launch = match (tile, butterfly.reads.iter().flatten().next()) {
            (Some(lanes), Some(lane)) => {
                let first = lane / lanes * lanes;
                format!("launch {}, workgroup {} (lanes {first} to {})", launch + 1, lane / lanes + 1, first + lanes - 1)
            }
            // Threads count from 0, as kernels do.
            _ => format!("launch {}, thread {}", launch + 1, self.butterfly_of(node)?),
        };
        Some(ThreadAddresses { place, reads, write, launch })
    }
}

/// Terms of stride and index as a sum without the zeros: `p + 4·k`.
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
    let stride = |size: usize, count: usize| if count > 1 { size as i64 } else { 0 };
    let moves = |size: i64, turns: usize| if turns > 1 { size } else { 0 };
    let (advance, hop) = (moves(read.advance, stage.positions), moves(read.hop, stage.matrix().taps));
    let loops = [(stride(stage.group.read, stage.group.n), "q"), (stride(stage.outer.read, stage.outer.n), "b")];
    let is_extended = read.extension != Extension::None;
    let formula = if read.step == 1 && !is_extended {
        sum(&[(read.base as i64 + read.first, ""), (advance, "p"), (hop, "k"), loops[0], loops[1]])
    } else {
        let coordinate = sum(&[(read.first, ""), (advance, "p"), (hop, "k")]);
        let coordinate = if is_extended { format!("extended({coordinate})") } else { format!("({coordinate})") };
        let rest = sum(&[(read.base as i64, ""), loops[0], loops[1]]);
        let rest = if rest == "0" { String::new() } else { format!(" + {rest}") };
        if read.step == 1 { format!("{coordinate}{rest}") } else { format!("{coordinate}·{}{rest}", read.step) }
    };
    let value = lane.map_or_else(|| "nothing".into(), |lane| format!("lane {lane}"));
    format!("tap k = {k} reads {formula} = {value}")
}

fn write_text(stage: &Stage, j: usize, lane: usize) -> String {
    let write = &stage.write;
    let stride = |size: usize, count: usize| if count > 1 { size as i64 } else { 0 };
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
        n_bits => format!("{}reverse of {n_bits} bits ({formula})", bit_order_text(write.bit_order)),
    };
    let formula = match write.pyramid.map(|pyramid| pyramid.direction) {
        None => formula,
        Some(Direction::Forward) => format!("coarsest first of ({formula})"),
        Some(Direction::Inverse) => format!("position in the pyramid of ({formula})"),
    };
    format!("result j = {j} goes to {formula} = lane {lane}")
}

/// The order of the bits after their reversal.
fn bit_order_text(bit_order: BitOrder) -> &'static str {
    match bit_order {
        BitOrder::Kept => "",
        BitOrder::GrayDecoded => "Gray decoding of the ",
        BitOrder::BelowLeading => "reverse, below the leading 1, of the ",
        BitOrder::AboveTrailing => "reverse, above the trailing 1, of the ",
    }
}
