//! The window.

pub mod flow_graph;
