//! A device of our own on the chosen adapter.
//!
//! The window has another device: a window that shares its queue with long compute stands still.
//! The device asks for all that its adapter has; what is missing has a stated fallback (without timestamps, launches have no times).

use super::adapters::{AdapterChoice, AdapterInfo, select};
use super::array::Extent;
use super::division::Division;
use super::error::GpuError;
use super::limits::Limits;
use super::pipeline_cache::PipelineCache;
use super::pipelines::Pipelines;
use super::queries::Timestamps;
use super::room;
use super::staging::Slots;
use crate::fault::caught;
use crate::plan::Precision;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Bytes of the first and of the largest block of device memory that buffers share.
const BLOCKS: Range<u64> = 16 << 20..256 << 20;

/// So many slow reads in a row mean that memory is slow, and not that the system is busy.
const SLOW_READS: u32 = 8;

/// The features of adapters whose kernels see the buffers of an array as one array of bindings.
const BINDING_ARRAYS: wgpu::Features = wgpu::Features::BUFFER_BINDING_ARRAY
    .union(wgpu::Features::STORAGE_RESOURCE_BINDING_ARRAY)
    .union(wgpu::Features::SAMPLED_TEXTURE_AND_STORAGE_BUFFER_ARRAY_NON_UNIFORM_INDEXING);

/// Arrays of every kernel beside the one that it reads and the one that it writes.
const TABLES: u32 = 3;

/// An open device. Clones share it.
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
    /// Most bytes of an array that kernels see as a whole.
    binding_bytes: u64,
    /// Whether kernels may exchange values inside a subgroup.
    shuffles: bool,
}

/// A device that closes when nobody else uses it.
#[derive(Clone)]
pub struct WeakDevice {
    inner: Weak<Inner>,
    binding_bytes: u64,
    shuffles: bool,
}

impl WeakDevice {
    /// The device, if it is still open.
    pub fn upgrade(&self) -> Option<Device> {
        Some(Device { inner: self.inner.upgrade()?, binding_bytes: self.binding_bytes, shuffles: self.shuffles })
    }
}

struct Inner {
    info: AdapterInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Pipelines,
    /// The buffers through which results come back.
    slots: Slots,
    /// Query sets and buffers that no submission uses.
    timestamps: Mutex<Vec<Timestamps>>,
    /// The reports of the driver outside every error scope.
    uncaptured: Arc<Mutex<Option<String>>>,
    /// Time in µs that its opening took.
    open_micros: f64,
    /// Bytes a µs of the newest large transfers up and down.
    rates: Mutex<[Option<f64>; 2]>,
    /// When its clocks were last known to be up.
    awake: Mutex<Option<Instant>>,
    /// Whether one of its users found that it is lost.
    is_lost: AtomicBool,
    /// How many reads of results were slow one after the other.
    slow_reads: AtomicU32,
}

impl Device {
    /// Ends the device, as a reset of its driver does: everything on it fails from then on.
    pub fn destroy(&self) {
        self.inner.device.destroy();
    }

    /// Opens a device of its own on the selected adapter, with all of the adapter's limits and the features that kernels use.
    ///
    /// # Errors
    /// When the adapter does not exist, or when it does not open.
    pub fn open(selection: &AdapterChoice) -> Result<Self, GpuError> {
        Self::open_beside(selection, &[])
    }

    /// As [`open`](Self::open), unless one of these devices is on the selected adapter: then it is that one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_beside(selection: &AdapterChoice, others: &[Self]) -> Result<Self, GpuError> {
        let start = Instant::now();
        room::to_open(1)?;
        let (info, adapter) = select(selection)?;
        if let Some(open) = others.iter().find(|other| *other.info() == info) {
            return Ok(open.clone());
        }
        let name = info.name.clone();
        caught(|| Self::opened(info, &adapter, start)).unwrap_or_else(|reason| Err(GpuError::Open { adapter: name, reason }))
    }

    fn opened(info: AdapterInfo, adapter: &wgpu::Adapter, start: Instant) -> Result<Self, GpuError> {
        // Limits that every adapter has that meets WebGPU; old software drivers lack them.
        let needed = wgpu::Limits::default().max_storage_buffers_per_shader_stage;
        let limit = adapter.limits().max_storage_buffers_per_shader_stage;
        if limit < needed {
            return Err(GpuError::TooFewArrays { adapter: info.name, limit, needed });
        }
        let wanted = wgpu::Features::TIMESTAMP_QUERY
            | wgpu::Features::SUBGROUP
            | wgpu::Features::SHADER_F64
            | wgpu::Features::SHADER_INT64
            | wgpu::Features::PIPELINE_CACHE
            | BINDING_ARRAYS;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("papillon compute"),
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            // The default takes a block of 64 MiB of host memory with the first buffer that is read back, which takes 14 ms.
            memory_hints: wgpu::MemoryHints::Manual { suballocated_device_memory_block_size: BLOCKS },
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::Open { adapter: info.name.clone(), reason: one_line(&error.to_string()) })?;
        let uncaptured = Arc::new(Mutex::new(None));
        let sink = Arc::clone(&uncaptured);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            sink.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(one_line(&error.to_string()));
        }));
        let pipelines = Pipelines::new(PipelineCache::open(&device, &info));
        Ok(Self {
            binding_bytes: info.max_buffer_bytes.min(info.max_binding_bytes),
            inner: Arc::new(Inner {
                info,
                device,
                queue,
                pipelines,
                slots: Slots::default(),
                timestamps: Mutex::default(),
                uncaptured,
                open_micros: start.elapsed().as_secs_f64() * 1e6,
                rates: Mutex::default(),
                awake: Mutex::default(),
                is_lost: AtomicBool::new(false),
                slow_reads: AtomicU32::new(0),
            }),
            shuffles: true,
        })
    }

    /// The device, without keeping it open.
    pub fn downgrade(&self) -> WeakDevice {
        WeakDevice { inner: Arc::downgrade(&self.inner), binding_bytes: self.binding_bytes, shuffles: self.shuffles }
    }

    /// Whether both are one device.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Tells all who use the device that it is lost, so that they open it anew; returns whether nobody has told before.
    pub fn mark_lost(&self) -> bool {
        !self.inner.is_lost.swap(true, Ordering::Relaxed)
    }

    /// Whether one of its users found that it is lost.
    pub fn is_lost(&self) -> bool {
        self.inner.is_lost.load(Ordering::Relaxed)
    }

    /// The same device as one whose kernels know no subgroups, as on adapters that have none, or of several sizes.
    pub fn without_subgroups(&self) -> Self {
        Self { shuffles: false, ..self.clone() }
    }

    /// The same device, but its kernels see at most this many bytes of an array as a whole: larger arrays are divided.
    pub fn with_bindings_of(&self, bytes: u64) -> Self {
        Self { binding_bytes: bytes.min(self.binding_bytes), ..self.clone() }
    }

    /// Most bytes of an array that kernels see as a whole.
    pub(super) fn binding_bytes(&self) -> u64 {
        self.binding_bytes
    }

    /// Bytes of the parts of an array that is divided: a power of two.
    pub(super) fn part_bytes(&self) -> u64 {
        1 << self.binding_bytes.ilog2()
    }

    /// Most bytes of an array, however it is divided.
    pub fn most_array_bytes(&self) -> u64 {
        let limits = self.inner.device.limits();
        let most = limits.max_storage_buffers_per_shader_stage - TABLES;
        let both = if self.has_binding_arrays() { most.min(limits.max_binding_array_elements_per_shader_stage) } else { most };
        self.binding_bytes.max(u64::from(both / 2) * self.part_bytes())
    }

    /// How kernels see these arrays divided; `None` where they see both as a whole.
    pub(super) fn division(&self, arrays: [Extent; 2]) -> Option<Division> {
        let part_bytes = self.part_bytes();
        let is_divided = arrays.iter().any(|array| !array.is_whole);
        let parts = arrays.map(|array| array.bytes.div_ceil(part_bytes) as usize);
        is_divided.then(|| Division { parts, part_bytes, as_bindings: self.has_binding_arrays() })
    }

    fn has_binding_arrays(&self) -> bool {
        self.inner.device.features().contains(BINDING_ARRAYS)
    }

    /// The properties of the adapter.
    pub fn info(&self) -> &AdapterInfo {
        &self.inner.info
    }

    /// The limits that decide the schedule and the kernels of a plan, in single precision.
    pub fn limits(&self) -> Limits {
        let limits = self.inner.device.limits();
        Limits {
            workgroup_bytes: limits.max_compute_workgroup_storage_size as usize,
            max_invocations: limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x) as usize,
            max_groups: limits.max_compute_workgroups_per_dimension as usize,
            subgroup: self
                .inner
                .info
                .subgroups
                .filter(|[least, most]| self.shuffles && least == most && least.is_power_of_two())
                .map_or(1, |[size, _]| size as usize),
            precision: Precision::Single,
        }
    }

    pub(super) fn wgpu(&self) -> &wgpu::Device {
        &self.inner.device
    }

    pub(super) fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    pub(super) fn slots(&self) -> &Slots {
        &self.inner.slots
    }

    /// Query sets and buffers that no submission uses.
    pub(super) fn timestamps(&self) -> MutexGuard<'_, Vec<Timestamps>> {
        self.inner.timestamps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn pipelines(&self) -> &Pipelines {
        &self.inner.pipelines
    }

    /// Does `work` on the device; whatever the driver reports meanwhile is the error.
    pub(super) fn guarded<T>(&self, work: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
        let device = &self.inner.device;
        let scopes = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
            .map(|filter| device.push_error_scope(filter));
        let done = caught(work).unwrap_or_else(|fault| Err(self.reported(&fault)));
        // Memory comes first: an allocation that fails makes validation fail afterwards.
        let mut reported = None;
        for scope in scopes.into_iter().rev() {
            let error = pollster::block_on(scope.pop());
            reported = reported.or(error);
        }
        let uncaptured = self.inner.uncaptured.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (reported, uncaptured) {
            (Some(wgpu::Error::OutOfMemory { .. }), _) => Err(GpuError::OutOfMemory { adapter: self.inner.info.name.clone() }),
            (Some(error), _) => Err(self.reported(&error.to_string())),
            (None, Some(reason)) => Err(self.reported(&reason)),
            (None, None) => done,
        }
    }

    /// Time in µs that its opening took, with the loading of the drivers.
    pub fn open_micros(&self) -> f64 {
        self.inner.open_micros
    }

    /// Bytes a µs of the newest large transfers, up and down, once there were some.
    pub fn transfer_rates(&self) -> [Option<f64>; 2] {
        *self.inner.rates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a transfer up (0) or down (1).
    pub(super) fn note_transfer(&self, direction: usize, bytes: usize, time: Duration) {
        /// Smaller transfers tell the time of their beginning.
        const LEAST: usize = 1 << 20;
        if bytes >= LEAST {
            self.inner.rates.lock().unwrap_or_else(PoisonError::into_inner)[direction] = Some(bytes as f64 / (time.as_secs_f64() * 1e6));
        }
    }

    /// Whether the processor reads results slowly, lane by lane, so that they are copied first.
    pub(super) fn reads_slowly(&self) -> bool {
        self.inner.slow_reads.load(Ordering::Relaxed) >= SLOW_READS
    }

    /// Notes how long a thread took to read this many bytes of a result. Some drivers keep results in memory without a cache, where each
    /// lane is fetched by itself.
    pub(super) fn note_read(&self, bytes: usize, time: Duration) {
        /// Fewer bytes tell how busy the system is.
        const LEAST: usize = 1 << 16;
        /// Bytes a µs: new pages take less time than this, and such memory more.
        const SLOW: f64 = 150.0;
        match (bytes as f64) < SLOW * time.as_secs_f64() * 1e6 {
            _ if bytes < LEAST || self.reads_slowly() => {}
            true => _ = self.inner.slow_reads.fetch_add(1, Ordering::Relaxed),
            false => self.inner.slow_reads.store(0, Ordering::Relaxed),
        }
    }

    /// Whether compiled kernels are found on the disk the next time.
    pub fn keeps_kernels(&self) -> bool {
        self.inner.pipelines.is_kept()
    }

    /// Notes that its clocks are up, after work that was long enough.
    pub(super) fn note_awake(&self) {
        *self.inner.awake.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether its clocks were up within this time.
    pub(super) fn was_awake_within(&self, time: Duration) -> bool {
        self.inner.awake.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|awake| awake.elapsed() <= time)
    }

    pub(super) fn reported(&self, reason: &str) -> GpuError {
        GpuError::Device { adapter: self.inner.info.name.clone(), reason: one_line(reason) }
    }

    /// A buffer, once its size has passed the adapter's limits.
    pub(super) fn buffer(&self, what: &'static str, bytes: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, GpuError> {
        self.new_buffer(what, bytes, usage, false)
    }

    /// The same; the processor may write it at once where it `is_mapped`.
    pub(super) fn new_buffer(
        &self,
        what: &'static str,
        bytes: u64,
        usage: wgpu::BufferUsages,
        is_mapped: bool,
    ) -> Result<wgpu::Buffer, GpuError> {
        let AdapterInfo { max_buffer_bytes: limit, max_binding_bytes: bound, .. } = *self.info();
        let limit = if usage.intersects(wgpu::BufferUsages::STORAGE) { limit.min(bound) } else { limit };
        if bytes > limit {
            return Err(GpuError::TooLarge { what, needed: bytes, limit, adapter: self.inner.info.name.clone() });
        }
        room::to_work(bytes)?;
        let descriptor = wgpu::BufferDescriptor { label: Some(what), size: bytes, usage, mapped_at_creation: is_mapped };
        self.guarded(|| Ok(self.inner.device.create_buffer(&descriptor)))
    }

    /// A buffer with these contents.
    pub(super) fn filled(&self, what: &'static str, bytes: &[u8], usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, GpuError> {
        let buffer = self.buffer(what, bytes.len() as u64, usage | wgpu::BufferUsages::COPY_DST)?;
        self.guarded(|| {
            self.inner.queue.write_buffer(&buffer, 0, bytes);
            Ok(buffer)
        })
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::adapters;

    #[test]
    fn adapters_are_listed_once() {
        let all = adapters();
        assert!(!all.is_empty(), "{}", GpuError::NoAdapter);
        assert!(all[0].default && all.iter().filter(|adapter| adapter.default).count() == 1);
        let n_hardware = all.iter().take_while(|adapter| !adapter.software).count();
        assert!(all[n_hardware..].iter().all(|adapter| adapter.software), "hardware stands before software");
        assert!(serde_json::to_string(&all).is_ok_and(|text| text.contains("max_binding_bytes")));
    }
}
