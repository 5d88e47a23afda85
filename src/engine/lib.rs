//! Runs plans on a GPU and answers requests: which algorithm and device, how long it took, and whether the result is right.
//!
//! The modules are in reading order, and each uses only modules above it and `papillon-core`; `ARCHITECTURE.md` is the map.

// The modules below, as every file of this crate names them.
use papillon_core::{
    choice, cpu, display, fault, figure, filter, graph, heap, logic, measure, numerals, periodogram, plan, plot, prepare, random, remedy,
    schedule, signal, spectra, statistics, threads, threshold, transforms, wavelet,
};

// Runs plans on an adapter.
pub mod gpu;

// The worker: requests in, reports out.
pub mod engine;

// Benchmarks: cases, statistics, records, experiments of the papers.
pub mod bench;
// The lessons: their texts, states, questions and checks.
pub mod lesson;
