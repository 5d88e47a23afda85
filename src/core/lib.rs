//! Everything of Papillon that needs no device and no window: plans, transforms, schedules, flow graphs, files, and the CPU.
//!
//! Each algorithm is described once, as a [`plan::Plan`]: data that the CPU runs, the GPU runs and the window draws.
//! The modules are in reading order, and each uses only modules above it; `ARCHITECTURE.md` is the map.

// Numbers as text, and text as numbers.
pub mod numerals;
// Medians and quartiles.
pub mod statistics;
// Which coefficients are kept, and what is lost by that.
pub mod threshold;
// The random numbers of generators and benchmarks.
pub mod random;
// A panic as an error.
pub mod fault;
// Loops that all threads share.
pub mod threads;
// The allocator of the program, and how freed memory goes back to the system.
pub mod heap;
// Remedies of errors.
pub mod remedy;
// Choices as data.
pub mod choice;

// Plans and their stages.
pub mod plan;
// The table of transforms and their algorithms.
pub mod transforms;

// How a plan is divided into launches and tiles.
pub mod schedule;

// Boolean functions and S-boxes.
pub mod logic;
// Images, recordings, tables and systems: files, generators, samples.
pub mod signal;
// Bands, thresholds and packet trees.
pub mod wavelet;

// Peaks, lattices, profiles and shifts.
pub mod measure;
// How well sines fit samples at uneven positions.
pub mod periodogram;

// From complex values to colours.
pub mod display;
// Shapes over frequencies, and what they leave of a spectrum.
pub mod filter;
// Marks on a sheet, and the files that hold them.
pub mod figure;
// From numbers to plots.
pub mod plot;

// The flow graph of a plan as a drawing and as data.
pub mod graph;

// Runs plans on the CPU.
pub mod cpu;
// The preparation of samples before a transform: region, window, padding.
pub mod prepare;
// Spectra of recordings: frames, averages, peaks, tones, two channels.
pub mod spectra;
