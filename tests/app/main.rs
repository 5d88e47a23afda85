//! Tests of the whole program: the engine, the benchmarks, the command line as typed, the window by its accessible names.

#![allow(clippy::unwrap_used, reason = "in tests a panic is the report")]

mod bench;
mod cli;
mod engine;
mod window;

/// Counts what is allocated, for the soak.
#[global_allocator]
static ALLOCATED: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;
