//! Compiled kernels, each made once while it is in use: the cache's key is the kernel with its constants.
//!
//! All kernels have the same bindings: source, sink, a table of the kernel's own, coefficients, roots, parameters. Divided arrays have one for each part.

use super::bindings::TableBuffers;
use super::command::Lowered;
use super::device::Device;
use super::division::Division;
use super::error::GpuError;
use super::kernel::Kernel;
use super::pipeline_cache::PipelineCache;
use super::services::copy_words;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The pipelines of one device.
pub(super) struct Pipelines {
    layouts: Mutex<HashMap<Option<Division>, Arc<Layouts>>>,
    compiled: Mutex<Compiled>,
    /// The kernels that earlier runs of the program compiled.
    kept: Option<PipelineCache>,
}

/// The layouts of the bindings of kernels whose arrays are divided alike.
pub(super) struct Layouts {
    pub(super) groups: Vec<wgpu::BindGroupLayout>,
    pipeline: wgpu::PipelineLayout,
}

impl Layouts {
    fn new(device: &wgpu::Device, division: Option<Division>) -> Self {
        let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
        let entry = |binding, ty, count| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: NonZero::new(count),
        };
        let mut groups = vec![vec![
            entry(2, storage(true), 0),
            entry(3, storage(true), 0),
            entry(4, storage(true), 0),
            entry(5, wgpu::BufferBindingType::Uniform, 0),
        ]];
        let arrays = [0, 1].map(|array: u32| (array, storage(array == 0)));
        match division {
            None => groups[0].extend(arrays.map(|(array, ty)| entry(array, ty, 0))),
            Some(Division { parts, as_bindings: true, .. }) => {
                groups.push(arrays.map(|(array, ty)| entry(array, ty, parts[array as usize] as u32)).to_vec());
            }
            Some(division) => {
                let of = |(array, ty)| (0..division.parts[array as usize]).map(move |part| entry(division.binding(array, part), ty, 0));
                groups[0].extend(arrays.into_iter().flat_map(of));
            }
        }
        let layout = |entries: Vec<_>| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("kernel"), entries: &entries })
        };
        let groups: Vec<_> = groups.into_iter().map(layout).collect();
        let pipeline = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("kernel"),
            bind_group_layouts: &groups.iter().map(Some).collect::<Vec<_>>(),
            immediate_size: 0,
        });
        Self { groups, pipeline }
    }
}

/// A kernel, and how its arrays are divided.
pub(super) type DividedKernel<'a> = (&'a Kernel, Option<Division>);

/// The kernels that were used last.
#[derive(Default)]
struct Compiled {
    /// With the number of the request that used it last.
    pipelines: HashMap<(Kernel, Option<Division>), (wgpu::ComputePipeline, u64)>,
    n_requests: u64,
}

/// Most kernels that are kept. A pipeline with its module takes some 200 KiB, each of the window's eight workers has a device, and a plan has some
/// dozen kernels.
const MOST_KEPT: usize = 32;

/// Pipelines that the program has made, and the microseconds that they took.
static MADE: AtomicU64 = AtomicU64::new(0);
/// Those of them that no earlier run of the program had made.
static NEW: AtomicU64 = AtomicU64::new(0);
static MICROS: AtomicU64 = AtomicU64::new(0);

/// How much the program has compiled, on all devices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compilations {
    /// Pipelines, one for each kernel and device.
    pub pipelines: u64,
    /// Those of them that no earlier run of the program had made and kept.
    pub new: u64,
    /// Time of all threads for making them and for the first run of every plan: some drivers compile a kernel when it first runs.
    pub time: Duration,
}

/// How much was compiled since the program began.
pub fn compilations() -> Compilations {
    Compilations {
        pipelines: MADE.load(Ordering::Relaxed),
        new: NEW.load(Ordering::Relaxed),
        time: Duration::from_micros(MICROS.load(Ordering::Relaxed)),
    }
}

/// Adds to the time of [`compilations`].
pub(super) fn count_compiling(since: Instant) {
    MICROS.fetch_add(since.elapsed().as_micros() as u64, Ordering::Relaxed);
}

impl Pipelines {
    pub(super) fn new(kept: Option<PipelineCache>) -> Self {
        Self { layouts: Mutex::default(), compiled: Mutex::default(), kept }
    }

    /// Whether the next run of the program finds the kernels of this one.
    pub(super) fn is_kept(&self) -> bool {
        self.kept.is_some()
    }

    /// The layouts of the bindings, for bind groups.
    pub(super) fn layouts(&self, device: &wgpu::Device, division: Option<Division>) -> Arc<Layouts> {
        let mut known = self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(division).or_insert_with(|| Arc::new(Layouts::new(device, division))))
    }

    /// The pipeline of a kernel, compiled at its first use.
    pub(super) fn get(&self, device: &wgpu::Device, kernel: DividedKernel<'_>) -> wgpu::ComputePipeline {
        let found = self.compiled().find(kernel);
        found.unwrap_or_else(|| {
            let pipeline = self.compile(device, kernel);
            self.compiled().keep(kernel, &pipeline);
            self.keep_on_disk();
            pipeline
        })
    }

    /// Writes new kernels to their file, so that the next run of the program finds them.
    fn keep_on_disk(&self) {
        if let Some(kept) = &self.kept {
            kept.write();
        }
    }

    fn compiled(&self) -> MutexGuard<'_, Compiled> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn compile(&self, device: &wgpu::Device, (kernel, division): DividedKernel<'_>) -> wgpu::ComputePipeline {
        let start = Instant::now();
        let whole = kernel.text_with(device.features().contains(wgpu::Features::SHADER_INT64));
        let text = match division {
            Some(division) => division.divide(&whole),
            None => whole,
        };
        if self.kept.as_ref().is_none_or(|kept| !kept.note(kernel.entry_point, &text)) {
            NEW.fetch_add(1, Ordering::Relaxed);
        }
        let module = unchecked_module(device, kernel, text);
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(kernel.entry_point),
            layout: Some(&self.layouts(device, division).pipeline),
            module: &module,
            entry_point: Some(kernel.entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                // Every kernel writes its workgroup memory before it reads it.
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: self.kept.as_ref().map(PipelineCache::cache),
        });
        MADE.fetch_add(1, Ordering::Relaxed);
        count_compiling(start);
        pipeline
    }
}

impl Compiled {
    fn find(&mut self, (kernel, division): DividedKernel<'_>) -> Option<wgpu::ComputePipeline> {
        self.n_requests += 1;
        let (pipeline, used) = self.pipelines.get_mut(&(kernel.clone(), division))?;
        *used = self.n_requests;
        Some(pipeline.clone())
    }

    fn keep(&mut self, (kernel, division): DividedKernel<'_>, pipeline: &wgpu::ComputePipeline) {
        if self.pipelines.len() >= MOST_KEPT {
            let oldest = self.pipelines.iter().min_by_key(|(_, (_, used))| *used).map(|(kernel, _)| kernel.clone());
            oldest.and_then(|kernel| self.pipelines.remove(&kernel));
        }
        self.pipelines.insert((kernel.clone(), division), (pipeline.clone(), self.n_requests));
    }
}

impl Device {
    /// The pipeline of every command, followed by those of its copies: the order of their bindings. It needs no arrays, as their sizes tell how
    /// kernels see them divided.
    ///
    /// # Errors
    /// When the device refuses one.
    pub(super) fn pipelines_of(&self, lowered: &Lowered) -> Result<Vec<wgpu::ComputePipeline>, GpuError> {
        let (lanes, coefs, copy) = (self.extent(lowered.array_bytes()), TableBuffers::coefs_extent(lowered), copy_words());
        let of_lanes = self.division([lanes; 2]);
        let kernels = lowered.commands.iter().flat_map(|command| {
            let in_place = command.source == command.sink;
            let own = (&command.kernel, if in_place { self.division([coefs, lanes]) } else { of_lanes });
            let n_copies = command.copies.len() + command.copies_after.len();
            iter::once(own).chain(iter::repeat_n((&copy, of_lanes), n_copies))
        });
        self.compiled(&kernels.collect::<Vec<_>>())
    }

    /// The pipelines of all kernels of a plan, in their order.
    ///
    /// New ones are compiled at the same time, on all threads of the processor: a driver may take a quarter of a second for one, and a plan has
    /// up to a few dozen.
    ///
    /// # Errors
    /// When the device refuses one.
    pub(super) fn compiled(&self, kernels: &[DividedKernel<'_>]) -> Result<Vec<wgpu::ComputePipeline>, GpuError> {
        let mut known: HashMap<DividedKernel<'_>, wgpu::ComputePipeline> = {
            let mut compiled = self.pipelines().compiled();
            kernels.iter().filter_map(|&kernel| Some((kernel, compiled.find(kernel)?))).collect()
        };
        let new: HashSet<DividedKernel<'_>> = kernels.iter().copied().filter(|kernel| !known.contains_key(kernel)).collect();
        known.extend(self.compiled_at_once(&new.into_iter().collect::<Vec<_>>())?);
        Ok(kernels.iter().map(|kernel| known[kernel].clone()).collect())
    }

    fn compiled_at_once<'a>(&self, kernels: &[DividedKernel<'a>]) -> Result<Vec<(DividedKernel<'a>, wgpu::ComputePipeline)>, GpuError> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<_>, GpuError> {
            let mut made = Vec::new();
            while let Some(&kernel) = kernels.get(next.fetch_add(1, Ordering::Relaxed)) {
                // Errors are told to the thread that caused them.
                let pipeline = self.guarded(|| Ok(self.pipelines().compile(self.wgpu(), kernel)))?;
                self.pipelines().compiled().keep(kernel, &pipeline);
                made.push((kernel, pipeline));
            }
            Ok(made)
        };
        let n_threads = thread::available_parallelism().map_or(1, NonZero::get).min(kernels.len());
        thread::scope(|scope| {
            // This thread works too, so that no other one is needed where the system gives none.
            let others: Vec<_> = (1..n_threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
            let mut made = work()?;
            for other in others {
                made.extend(other.join().unwrap_or_else(|fault| resume_unwind(fault))?);
            }
            self.pipelines().keep_on_disk();
            Ok(made)
        })
    }
}

/// The only place without checks at run time, which cost up to half of a kernel's speed.
#[allow(unsafe_code, reason = "wgpu takes unchecked modules through an unsafe function")]
fn unchecked_module(device: &wgpu::Device, kernel: &Kernel, text: String) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor { label: Some(kernel.entry_point), source: wgpu::ShaderSource::Wgsl(text.into()) };
    // SAFETY: no text comes from a user; the constants are numbers of plans.
    // Kernels made for stages: `stage::check` refuses every stage whose addresses leave the lanes, and `lower` refuses every tile
    // that does not hold the blocks of its stages, or the bits that they mix; tables are as long as the stages need.
    // Fast kernels: `lower` chooses them only where the rows (and columns) of their stages lie within the lanes, and they
    // compare the index of a line or a pixel with the number of lines or pixels before they load or store.
    // Kronecker and Haar kernels: a workgroup returns where its tile is past the last. Tiles divide the lanes, or every load and store
    // is compared with their number. Vectors of 16 bytes end within the buffers, whose length is a multiple of 16.
    // Divided arrays: an index of the whole array is split into a part and an index within it, and there are parts for all elements.
    // Every loop counts to a fixed number, and no divisor is zero: positions, groups and lengths are at least 1.
    unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
}
