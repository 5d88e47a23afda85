//! Which of two buffers holds the values after every stage: a stage that is not in place writes the other one.

use crate::plan::{Plan, Stage};

/// A buffer of a plan, at a step cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferState {
    /// `Ping`, `Pong`, or `One buffer` where every stage is in place.
    pub name: &'static str,
    /// The number of stages after which the lanes had the values that it holds; `None` while it holds nothing.
    pub column: Option<usize>,
    /// Whether the next stage reads it; the values in the other one are out of date.
    pub is_live: bool,
}

/// The index of the buffer that holds the values after every stage, the inputs first.
pub fn buffer_indices(plan: &Plan) -> Vec<usize> {
    let mut indices = vec![0];
    for stage in &plan.stages {
        let before = indices[indices.len() - 1];
        indices.push(if Stage::in_place(stage) { before } else { 1 - before });
    }
    indices
}

/// The buffers after `n_run` stages, from their indices.
pub fn buffers(indices: &[usize], n_run: usize) -> Vec<BufferState> {
    let n_run = n_run.min(indices.len() - 1);
    if indices.iter().all(|&index| index == 0) {
        return vec![BufferState { name: "One buffer", column: Some(n_run), is_live: true }];
    }
    let holds = |buffer: usize| (0..=n_run).rev().find(|&column| indices[column] == buffer);
    ["Ping", "Pong"]
        .into_iter()
        .enumerate()
        .map(|(index, name)| BufferState { name, column: holds(index), is_live: indices[n_run] == index })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};

    fn at(name: &str, algorithm: &str, n_run: usize) -> Vec<(&'static str, Option<usize>, bool)> {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let indices = buffer_indices(&build(Shape::line(8), Parameters::default()).unwrap());
        buffers(&indices, n_run).into_iter().map(|buffer| (buffer.name, buffer.column, buffer.is_live)).collect()
    }

    #[test]
    fn constant_geometry_writes_the_buffers_in_turn() {
        let of = |n_run| at("walsh", "constant-geometry", n_run);
        assert_eq!(of(0), [("Ping", Some(0), true), ("Pong", None, false)]);
        assert_eq!(of(1), [("Ping", Some(0), false), ("Pong", Some(1), true)]);
        assert_eq!(of(3), [("Ping", Some(2), false), ("Pong", Some(3), true)]);
    }

    #[test]
    fn an_algorithm_in_place_has_one_buffer() {
        assert_eq!(at("walsh", "cooley-tukey", 2), [("One buffer", Some(2), true)]);
        // The bits are reversed from one buffer to the other; the butterflies stay there.
        assert_eq!(at("dft", "cooley-tukey-dit", 3), [("Ping", Some(0), false), ("Pong", Some(3), true)]);
    }
}
