//! Runs plans on a GPU: which adapters there are, how a plan and a schedule become commands, and how these run.
//!
//! Reading order: `adapters` lists what there is, [`device`] opens one, [`lower`] turns a plan and a schedule into plain data, [`Prepared`] holds the buffers and runs them, [`display`] makes an image of the result without reading it back.
//! [`fastest`] gives the schedule that a device is estimated to run fastest; [`estimate()`] says how fast that is.
//! Two sorts of kernels exist: `stage` makes one for any stage of any plan, and each family of fast kernels runs stages of one shape. Both pass the same tests.
//! This is the only module that knows wgpu, apart from the window.
//!
//! Dependencies point down this list, and no file depends on one above it:
//!
//! | files | what they are |
//! | --- | --- |
//! | `bench`, `display`, `inputs`, `transfer` | what is done with a prepared plan |
//! | `prepared`, `buffers` | buffers and bind groups of a plan, and its runs |
//! | `bindings`, `queries` | bind groups and timestamps on a device |
//! | `device`, `array`, `pipelines`, `pipeline_cache` | an open adapter, arrays in its memory, and its compiled kernels, which a file keeps |
//! | `adapters` | what there is to open |
//! | `estimate`, `lower` | the fastest schedule, and its commands |
//! | `command` | a launch, ready to be encoded |
//! | `families` | the list of all families |
//! | `fft`, `kronecker`, `haar`, `tridiagonal`, `lifting`, `lifting2d`, `split_merge`, `scan_sections`, `filter_bank`, `transpose` | one family of fast kernels each: which launches it supports, and the data of its kernels |
//! | `stage` | kernels made for the stages of a launch |
//! | `family`, `kernel`, `services` | what a family is; a kernel as plain data; the kernels that run beside those of plans |
//! | `division` | the text of a kernel for arrays that are larger than a binding |
//! | `tables`, `template`, `doubling`, `costs`, `limits`, `room`, `kept`, `error` | what all of them use |
//!
//! A family knows no other family, except that `lifting2d` shares the steps of `split_merge`. No file below `device` touches wgpu.

mod adapters;
mod array;
mod bench;
mod bindings;
mod buffers;
mod command;
mod costs;
pub mod device;
pub mod display;
mod division;
mod doubling;
mod error;
mod estimate;
mod expansion;
mod families;
mod family;
mod fft;
mod filter_bank;
mod haar;
mod half_spectrum;
mod inputs;
mod kept;
mod kernel;
mod kronecker;
mod language;
mod level_order;
mod lifting;
mod lifting2d;
mod limits;
pub mod lower;
mod pipeline_cache;
mod pipelines;
mod prepared;
mod queries;
mod residues;
mod room;
mod scan_sections;
mod services;
mod setup;
mod source;
mod split_merge;
mod stage;
mod staging;
mod tables;
mod template;
mod transfer;
mod transpose;
mod tridiagonal;
mod waiting;
mod wgsl;

pub use adapters::{AdapterChoice, AdapterInfo, adapters, adapters_by_backend};
pub use bench::{Clock, Rotation, Sample, bench_copy, copy_times};
pub use buffers::Uploads;
pub use command::{BufferSlot, LaunchCommand, Lowered};
pub use device::{Device, WeakDevice};
pub use error::{GpuError, LowerError};
pub use estimate::{Estimate, by_stage, estimate, estimate_of, fastest, most_overlapped_levels, overlapped};
pub use family::MOST_LANES;
pub use inputs::Inputs;
pub use kept::CacheFolder;
pub use kernel::Kernel;
pub use language::KernelLanguage;
pub use limits::Limits;
pub use lower::KernelChoice;
pub use pipelines::{Compilations, compilations};
pub use prepared::{Prepared, RunTimes};
pub use room::to_open as check_room;
pub use services::service_kernels;
pub use setup::{SetupCall, timed_setup};
pub use source::Source;
pub use template::parse_shaders;
pub use transfer::Value;
