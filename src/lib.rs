//! Papillon: fast transforms at work.
//!
//! Each algorithm is described once, as a [`plan::Plan`]: data that the CPU runs, the GPU runs and the window draws.
//! A person who uses the crate as a library begins with [`transforms::transform`], which finds a row of the table by its name.
//!
//! `papillon-core` needs no device and no window, `papillon-engine` runs plans on a GPU and measures; this crate re-exports their modules,
//! and adds the window and the command line. `ARCHITECTURE.md` is the map.

pub use papillon_core::{
    choice, cpu, display, fault, filter, graph, heap, logic, measure, numerals, periodogram, plan, plot, prepare, random, remedy, schedule,
    signal, threads, transforms, wavelet,
};
pub use papillon_engine::{bench, engine, gpu, lesson};

// The window.
pub mod ui;

// The command line.
pub mod cli;
