//! Adapters, and a device of our own on the chosen one.
//!
//! The window has another device: a window that shares its queue with long compute stands still.
//! The device asks for all that its adapter has; what is missing has a stated fallback (without timestamps, launches have no times).

use super::error::GpuError;
use super::limits::Limits;
use super::pipelines::Pipelines;
use super::room;
use crate::fault::caught;
use crate::plan::Precision;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What one adapter is and can do.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct AdapterInfo {
    /// Its number in [`adapters`].
    pub index: usize,
    /// Name of the device.
    pub name: String,
    /// Interface through which it is used: "vulkan", "metal", "dx12", "gl".
    pub backend: String,
    /// Name and version of the driver.
    pub driver: String,
    /// "discrete GPU", "integrated GPU", "virtual GPU", "software" or "other".
    pub kind: String,
    /// Whether it is a program on the CPU.
    pub software: bool,
    /// Whether it is taken unless another one is asked for.
    pub default: bool,
    /// Largest buffer, in bytes.
    pub max_buffer_bytes: u64,
    /// Largest part of a buffer that a kernel sees, in bytes.
    pub max_binding_bytes: u64,
    /// Workgroup memory, in bytes.
    pub workgroup_bytes: u32,
    /// Most threads of a workgroup.
    pub max_invocations: u32,
    /// Whether launches can be timed on the device.
    pub timestamps: bool,
    /// Smallest and largest subgroup, where kernels may use them.
    pub subgroups: Option<[u32; 2]>,
    /// Whether kernels may use double precision.
    pub f64: bool,
    /// Whether kernels may use 64-bit integers.
    pub int64: bool,
}

impl AdapterInfo {
    /// The limits of its kernels, as [`Device::limits`] says once it is open.
    pub fn limits(&self) -> Limits {
        let is_even = |[least, most]: &[u32; 2]| least == most && least.is_power_of_two();
        Limits {
            workgroup_bytes: self.workgroup_bytes as usize,
            max_invocations: self.max_invocations as usize,
            subgroup: self.subgroups.filter(is_even).map_or(1, |[size, _]| size as usize),
            ..Limits::DESKTOP
        }
    }
}

/// Which adapter to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// The default one; software counts.
    Any,
    /// The first one that is hardware.
    Hardware,
    /// The one of this number in [`adapters`].
    Index(usize),
    /// The first one whose name contains this, whatever the case.
    Name(String),
}

/// An open device. Clones share it.
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
    /// Whether kernels may exchange values inside a subgroup.
    shuffles: bool,
}

struct Inner {
    info: AdapterInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Pipelines,
    /// What the driver reported outside every error scope.
    uncaptured: Arc<Mutex<Option<String>>>,
    /// When its clocks were last known to be up.
    awake: Mutex<Option<Instant>>,
}

/// Every adapter once, hardware before software; the first is the default. None where a limit of the process leaves too little for their drivers.
pub fn adapters() -> Vec<AdapterInfo> {
    enumerate().into_iter().map(|(info, _)| info).collect()
}

/// Every adapter through each of its backends: those of [`adapters`] first, with their numbers, then the same devices through others.
pub fn adapters_by_backend() -> Vec<AdapterInfo> {
    enumerate_backends().into_iter().map(|(info, _)| info).collect()
}

/// The adapters that these backends show.
fn shown_by(backends: wgpu::Backends) -> Vec<wgpu::Adapter> {
    if room::to_open(1).is_err() {
        return Vec::new();
    }
    let descriptor = wgpu::InstanceDescriptor {
        backends,
        flags: wgpu::InstanceFlags::empty().with_env(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    };
    // A driver that fails shows none.
    caught(|| pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(backends))).unwrap_or_default()
}

/// As [`enumerate`], then what it leaves out.
fn enumerate_backends() -> Vec<(AdapterInfo, wgpu::Adapter)> {
    let mut listed = enumerate();
    for adapter in shown_by(wgpu::Backends::PRIMARY | wgpu::Backends::GL) {
        let info = describe(listed.len(), &adapter);
        if listed.iter().all(|(known, _)| (&known.name, &known.backend) != (&info.name, &info.backend)) {
            listed.push((info, adapter));
        }
    }
    listed
}

/// The adapters with their descriptions. OpenGL shows the devices of Vulkan, Metal and DirectX once more, so it counts only where these show none.
fn enumerate() -> Vec<(AdapterInfo, wgpu::Adapter)> {
    // Starting OpenGL takes longer than all the rest, so it is asked only where there is nothing else.
    let mut found = shown_by(wgpu::Backends::PRIMARY);
    if found.is_empty() {
        found = shown_by(wgpu::Backends::GL);
    }
    found.sort_by_key(|adapter| rank(adapter.get_info().device_type));
    let mut listed: Vec<wgpu::Adapter> = Vec::new();
    for adapter in found {
        let (new, backend) = (identity(&adapter), adapter.get_info().backend);
        let twice = listed.iter().any(|other| identity(other) == new && other.get_info().backend != backend);
        if !twice {
            listed.push(adapter);
        }
    }
    listed.into_iter().enumerate().map(|(index, adapter)| (describe(index, &adapter), adapter)).collect()
}

/// The properties by which two backends describe one device alike.
fn identity(adapter: &wgpu::Adapter) -> (u32, u32, wgpu::DeviceType) {
    let info = adapter.get_info();
    (info.vendor, info.device, info.device_type)
}

fn rank(kind: wgpu::DeviceType) -> u8 {
    match kind {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    }
}

fn describe(index: usize, adapter: &wgpu::Adapter) -> AdapterInfo {
    let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => "discrete GPU",
        wgpu::DeviceType::IntegratedGpu => "integrated GPU",
        wgpu::DeviceType::VirtualGpu => "virtual GPU",
        wgpu::DeviceType::Cpu => "software",
        wgpu::DeviceType::Other => "other",
    };
    AdapterInfo {
        index,
        name: info.name,
        backend: info.backend.to_string(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        kind: kind.into(),
        software: info.device_type == wgpu::DeviceType::Cpu,
        default: index == 0,
        max_buffer_bytes: limits.max_buffer_size,
        max_binding_bytes: limits.max_storage_buffer_binding_size,
        workgroup_bytes: limits.max_compute_workgroup_storage_size,
        max_invocations: limits.max_compute_invocations_per_workgroup,
        timestamps: features.contains(wgpu::Features::TIMESTAMP_QUERY),
        subgroups: features.contains(wgpu::Features::SUBGROUP).then_some([info.subgroup_min_size, info.subgroup_max_size]),
        f64: features.contains(wgpu::Features::SHADER_F64),
        int64: features.contains(wgpu::Features::SHADER_INT64),
    }
}

/// The adapter that was asked for.
fn select(selection: &Selection) -> Result<(AdapterInfo, wgpu::Adapter), GpuError> {
    let mut found = enumerate();
    // Higher numbers are the same devices through other backends.
    if matches!(selection, Selection::Index(index) if *index >= found.len()) {
        found = enumerate_backends();
    }
    let Some((first, _)) = found.first() else { return Err(GpuError::NoAdapter) };
    let software = first.name.clone();
    let known = found.iter().map(|(info, _)| format!("{} ({})", info.index, info.name)).collect::<Vec<_>>().join(", ");
    let none = |asked: String| GpuError::NoSuchAdapter { asked, known };
    let index = match selection {
        Selection::Any => Ok(0),
        Selection::Hardware => found.iter().position(|(info, _)| !info.software).ok_or(GpuError::NoHardware { software }),
        Selection::Index(index) => Some(*index).filter(|&index| index < found.len()).ok_or_else(|| none(format!("number {index}"))),
        Selection::Name(name) => {
            let wanted = name.to_lowercase();
            found.iter().position(|(info, _)| info.name.to_lowercase().contains(&wanted)).ok_or_else(|| none(format!("named '{name}'")))
        }
    };
    Ok(found.swap_remove(index?))
}

impl Device {
    /// Ends the device, as a reset of its driver does: everything on it fails from then on.
    pub fn destroy(&self) {
        self.inner.device.destroy();
    }

    /// Opens a device of its own on the selected adapter, with all of the adapter's limits and the features that kernels use.
    ///
    /// # Errors
    /// When there is no such adapter, or when it does not open.
    pub fn open(selection: &Selection) -> Result<Self, GpuError> {
        room::to_open(1)?;
        let (info, adapter) = select(selection)?;
        let name = info.name.clone();
        caught(|| Self::opened(info, &adapter)).unwrap_or_else(|reason| Err(GpuError::Open { adapter: name, reason }))
    }

    fn opened(info: AdapterInfo, adapter: &wgpu::Adapter) -> Result<Self, GpuError> {
        let wanted = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SUBGROUP | wgpu::Features::SHADER_F64 | wgpu::Features::SHADER_INT64;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("papillon compute"),
            required_features: adapter.features() & wanted,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::Open { adapter: info.name.clone(), reason: one_line(&error.to_string()) })?;
        let uncaptured = Arc::new(Mutex::new(None));
        let sink = Arc::clone(&uncaptured);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            sink.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(one_line(&error.to_string()));
        }));
        let pipelines = Pipelines::new(&device);
        Ok(Self { inner: Arc::new(Inner { info, device, queue, pipelines, uncaptured, awake: Mutex::default() }), shuffles: true })
    }

    /// The same device as one whose kernels know no subgroups, as on adapters that have none, or of several sizes.
    pub fn without_subgroups(&self) -> Self {
        Self { shuffles: false, ..self.clone() }
    }

    /// What the adapter is and can do.
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

    /// Waits until the device has done all that was submitted.
    pub(super) fn wait(&self) -> Result<(), GpuError> {
        self.inner.device.poll(wgpu::PollType::wait_indefinitely()).map(|_| ()).map_err(|error| self.reported(&error.to_string()))
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
        let limits = self.inner.device.limits();
        let bound = usage.intersects(wgpu::BufferUsages::STORAGE);
        let limit = if bound { limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) } else { limits.max_buffer_size };
        if bytes > limit {
            return Err(GpuError::TooLarge { what, needed: bytes, limit, adapter: self.inner.info.name.clone() });
        }
        room::to_work(bytes)?;
        let descriptor = wgpu::BufferDescriptor { label: Some(what), size: bytes, usage, mapped_at_creation: false };
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
