//! Tests of the whole program: the engine, the benchmarks, the command line as typed, the window by its accessible names.

#![allow(clippy::unwrap_used, reason = "in tests a panic is the report")]

mod bench;
mod cli;
mod engine;
mod store;
mod window;

/// Whether tests walk their whole grids, as they do weekly; by default a representative part shows the same faults.
fn whole_grid() -> bool {
    std::env::var("PAPILLON_GRID").is_ok_and(|grid| grid == "all")
}

/// Counts what is allocated, for the soak.
#[global_allocator]
static ALLOCATED: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Held by tests that take the device of the program away, and by those that count what is computed on it.
static DEVICE: std::sync::Mutex<()> = std::sync::Mutex::new(());
