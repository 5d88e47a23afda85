//! Tests without a device and without a window: plans, schedules, the CPU, graphs, files, and the house rules.

#![allow(clippy::unwrap_used, reason = "in tests a panic is the report")]

mod affine;
mod choices;
mod circles;
mod columns;
mod cpu;
mod definitions;
mod direct;
mod doubling;
mod figure;
mod files;
mod filters;
mod fuzz;
mod generators;
mod graph;
mod graph_texts;
mod lesson_graphs;
mod lessons;
mod ntt;
mod printed_formulas;
mod properties;
mod real_lines;
mod scan_sections;
mod schedules;
mod section_tiles;
mod sections;
mod structure;
mod table;
mod tex;
mod wavelet_figures;
