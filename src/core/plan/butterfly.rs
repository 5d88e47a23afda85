//! A butterfly with all its lanes and weights, and the lines of the flow graph that it makes.

use super::Coef;

/// One butterfly with all its lanes and weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Butterfly {
    /// Position p, group q and repetition b of the outer loop.
    pub indices: [usize; 3],
    /// The lane of every tap; `None` for a zero of the extension.
    pub reads: Vec<Option<usize>>,
    /// The lane of every result.
    pub writes: Vec<usize>,
    /// `weights[j][k]`: the weight of tap k in result j, twiddle included.
    pub weights: Vec<Vec<Coef>>,
    /// Whether each tap is conjugated first.
    pub conjugated: Vec<bool>,
}

/// A line of the flow graph within one stage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Lane before the stage.
    pub from: usize,
    /// Lane after the stage.
    pub to: usize,
    /// The factor of the edge.
    pub weight: Coef,
    /// Whether the edge conjugates the value first.
    pub conjugated: bool,
}

impl Butterfly {
    /// The lines of this butterfly; zero weights draw none.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (&to, weights) in self.writes.iter().zip(&self.weights) {
            for ((read, &weight), &conjugated) in self.reads.iter().zip(weights).zip(&self.conjugated) {
                if let Some(from) = *read
                    && weight != Coef::Real(0.0)
                {
                    edges.push(Edge { from, to, weight, conjugated });
                }
            }
        }
        edges
    }
}
