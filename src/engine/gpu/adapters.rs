//! The adapters of this machine: what each is and can do, and which one is taken.

use super::error::GpuError;
use super::limits::Limits;
use super::room;
use crate::fault::caught;

/// The properties of one adapter.
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
    /// The limits of its kernels, as [`Device::limits`](super::Device::limits) says once it is open.
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
pub enum AdapterChoice {
    /// The default one; software counts.
    Any,
    /// The first one that is hardware.
    Hardware,
    /// The one of this number in [`adapters`].
    Index(usize),
    /// The first one whose name contains this, whatever the case.
    Name(String),
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
    // Starting OpenGL takes longer than all the rest, so it is asked only if nothing else is found.
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
pub(super) fn select(selection: &AdapterChoice) -> Result<(AdapterInfo, wgpu::Adapter), GpuError> {
    let mut found = enumerate();
    // Higher numbers are the same devices through other backends.
    if matches!(selection, AdapterChoice::Index(index) if *index >= found.len()) {
        found = enumerate_backends();
    }
    let Some((first, _)) = found.first() else { return Err(GpuError::NoAdapter) };
    let software = first.name.clone();
    let known = found.iter().map(|(info, _)| format!("{} ({})", info.index, info.name)).collect::<Vec<_>>().join(", ");
    let none = |asked: String| GpuError::NoSuchAdapter { asked, known };
    let index = match selection {
        AdapterChoice::Any => Ok(0),
        AdapterChoice::Hardware => found.iter().position(|(info, _)| !info.software).ok_or(GpuError::NoHardware { software }),
        AdapterChoice::Index(index) => Some(*index).filter(|&index| index < found.len()).ok_or_else(|| none(format!("number {index}"))),
        AdapterChoice::Name(name) => {
            let wanted = name.to_lowercase();
            found.iter().position(|(info, _)| info.name.to_lowercase().contains(&wanted)).ok_or_else(|| none(format!("named '{name}'")))
        }
    };
    Ok(found.swap_remove(index?))
}
