//! Papillon: fast transforms at work.
//!
//! Each algorithm is described once, as a [`plan::Plan`]: data that the CPU runs, the GPU runs and the window draws.
//! `papillon-core` needs no device and no window, `papillon-engine` runs plans on a GPU and measures; this crate re-exports their modules,
//! and adds the window and the command line. `ARCHITECTURE.md` is the map.
//!
//! **Describe.** A row of the table gives the plan of an algorithm: stages of butterflies, whose product is the matrix of the transform.
//! ```
//! use papillon::transforms::{Parameters, Shape, transform};
//!
//! let plan = transform("walsh")?.plan(Shape::line(4), Parameters::default())?;
//! assert_eq!(plan.stages.len(), 2);
//! assert_eq!(plan.matrix()[3].iter().map(|value| value.re).collect::<Vec<_>>(), [1.0, -1.0, -1.0, 1.0]);
//! # Ok::<(), papillon::transforms::Unsupported>(())
//! ```
//!
//! **Run on the CPU.** A schedule divides the plan into launches; here each stage is one.
//! ```
//! # use papillon::transforms::{Parameters, Shape, transform};
//! use papillon::cpu::{self, CpuBackend};
//! use papillon::schedule::Schedule;
//! use std::sync::atomic::AtomicBool;
//!
//! # let plan = transform("walsh")?.plan(Shape::line(4), Parameters::default())?.over(papillon::plan::Ring::Real);
//! let (values, micros) = cpu::run(&plan, &Schedule::by_stage(&plan), &[1.0_f32, 0.0, 1.0, 0.0], CpuBackend::Parallel, &AtomicBool::new(false))?;
//! assert_eq!((values, micros.len()), (vec![2.0, 2.0, 0.0, 0.0], 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Run on a GPU.** The same plan in the schedule that the device is estimated to run fastest.
//! ```
//! # use papillon::transforms::{Parameters, Shape, transform};
//! use papillon::gpu::{AdapterChoice, Device, fastest};
//! # use std::sync::atomic::AtomicBool;
//!
//! # let (plan, go_on) = (transform("walsh")?.plan(Shape::line(4), Parameters::default())?.over(papillon::plan::Ring::Real), AtomicBool::new(false));
//! let device = Device::open(&AdapterChoice::Any)?;
//! let prepared = device.prepare(&plan, &fastest(&plan, device.limits()))?;
//! prepared.upload(&[1.0, 0.0, 1.0, 0.0], &go_on)?;
//! prepared.run(&go_on)?;
//! assert_eq!(prepared.download(&go_on)?.iter().map(|value| value.re).collect::<Vec<_>>(), [2.0, 2.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Measure.** A job names the transform, the algorithm and the device of samples; its outcome says what ran and how long it took.
//! ```
//! use papillon::engine::{DeviceChoice, Devices, Job, compute};
//! use papillon::signal::{Samples, Signal};
//! use std::sync::Arc;
//! # use std::sync::atomic::AtomicBool;
//!
//! let signal = Arc::new(Signal::row("step", Samples::F32((0..1024).map(|n| f32::from(n < 512)).collect())));
//! let job = Job { device: DeviceChoice::CpuParallel, ..Job::new(signal, "dft") };
//! let computed = compute(&job, &mut Devices::default(), &AtomicBool::new(false))?;
//! assert!(computed.outcome.times.kernel_micros() > 0.0);
//! # Ok::<(), papillon::engine::EngineError>(())
//! ```
//!
//! **Draw.** [`graph`] lays the flow graph of a plan out and writes it; its first page has an example.

pub use papillon_core::{
    choice, cpu, display, fault, figure, filter, graph, heap, logic, measure, numerals, periodogram, plan, plot, prepare, random, remedy,
    schedule, signal, spectra, statistics, threads, threshold, transforms, wavelet,
};
pub use papillon_engine::{bench, engine, gpu, lesson};

// The window.
pub mod ui;

// The command line.
pub mod cli;
