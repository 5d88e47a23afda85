//! Papillon: fast transforms at work.
//!
//! The modules stand in reading order, and dependencies point one way:
//! `plan ← transforms`, `plan ← schedule ← {cpu, gpu} ← engine ← {ui, cli, bench}`.

pub mod numerals;
pub mod random;
pub mod remedy;

pub mod plan;
pub mod transforms;

pub mod schedule;

pub mod graph;

pub mod cpu;
pub mod gpu;

pub mod logic;
pub mod signal;
pub mod wavelet;

pub mod display;
pub mod plot;

pub mod engine;

pub mod bench;
pub mod cli;
pub mod ui;
