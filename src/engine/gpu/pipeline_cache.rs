//! Compiled kernels from earlier runs of the program, where the adapter can keep them.
//!
//! A file belongs to an adapter with its driver, and begins with the hashes of the kernels that it holds: it is written anew only when there are others.
//! The driver checks that the rest is its own, and finds a kernel by its text.

use super::adapters::AdapterInfo;
use super::kept::{CacheFolder, hash};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The kernels that an adapter keeps from run to run.
pub(super) struct PipelineCache {
    cache: wgpu::PipelineCache,
    folder: &'static CacheFolder,
    name: String,
    known: Mutex<Known>,
}

/// The hashes of kernels: of their entry points and texts, as several kernels have one text.
#[derive(Debug, Default, PartialEq)]
struct Known {
    kernels: BTreeSet<u64>,
    /// Whether the file lacks some of them.
    has_new: bool,
}

impl Known {
    /// Adds a kernel; returns whether it was there.
    fn add(&mut self, entry_point: &str, text: &str) -> bool {
        let is_new = self.kernels.insert(hash([entry_point.as_bytes(), text.as_bytes()]));
        self.has_new |= is_new;
        !is_new
    }
}

impl PipelineCache {
    /// The kernels that earlier runs kept for this adapter; `None` where the program keeps no files, or the adapter no kernels.
    pub(super) fn open(device: &wgpu::Device, info: &AdapterInfo) -> Option<Self> {
        let folder = CacheFolder::of_the_program()?;
        if !device.features().contains(wgpu::Features::PIPELINE_CACHE) {
            return None;
        }
        let name = format!("pipelines-{:016x}", hash([&info.name, &info.backend, &info.driver].map(|part| part.as_bytes())));
        let content = folder.read(&name);
        let (kernels, data) = content.as_deref().and_then(parts).unwrap_or_default();
        let (cache, kernels) = match created(device, data) {
            Some(cache) => (cache, kernels),
            // Another driver made the data, although its name and version are the same.
            None => (created(device, &[])?, BTreeSet::new()),
        };
        Some(Self { cache, folder, name, known: Mutex::new(Known { kernels, has_new: false }) })
    }

    /// For the making of a pipeline.
    pub(super) fn cache(&self) -> &wgpu::PipelineCache {
        &self.cache
    }

    /// Notes that a kernel was compiled; returns whether an earlier run had compiled it.
    pub(super) fn note(&self, entry_point: &str, text: &str) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).add(entry_point, text)
    }

    /// Writes the file, if it lacks a kernel.
    pub(super) fn write(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::take(&mut known.has_new) {
            return;
        }
        if let Some(data) = self.cache.get_data() {
            self.folder.write(&self.name, &whole(&known.kernels, &data));
        }
    }
}

/// A cache with the data of an earlier run; `None` where the driver does not know them as its own.
#[allow(unsafe_code, reason = "wgpu takes the data of a pipeline cache through an unsafe function")]
fn created(device: &wgpu::Device, data: &[u8]) -> Option<wgpu::PipelineCache> {
    let data = (!data.is_empty()).then_some(data);
    let descriptor = wgpu::PipelineCacheDescriptor { label: Some("kernels"), data, fallback: false };
    let refused = device.push_error_scope(wgpu::ErrorFilter::Validation);
    // SAFETY: the data came from `PipelineCache::get_data` in a run of this version of the program on the same adapter with the same driver: the name of
    // their file is made of these, and the file's hash finds any change. wgpu compares adapter and driver with those in the data again.
    let cache = unsafe { device.create_pipeline_cache(&descriptor) };
    pollster::block_on(refused.pop()).is_none().then_some(cache)
}

/// The content of a file: how many hashes follow, the hashes, the data of the driver.
fn whole(kernels: &BTreeSet<u64>, data: &[u8]) -> Vec<u8> {
    let numbers = std::iter::once(kernels.len() as u64).chain(kernels.iter().copied());
    numbers.flat_map(u64::to_le_bytes).chain(data.iter().copied()).collect()
}

/// The hashes and the data in the content of a file.
fn parts(content: &[u8]) -> Option<(BTreeSet<u64>, &[u8])> {
    let (n, rest) = content.split_first_chunk::<8>()?;
    let (hashes, data) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*n)).ok()?.checked_mul(8)?)?;
    Some((hashes.as_chunks::<8>().0.iter().map(|hash| u64::from_le_bytes(*hash)).collect(), data))
}

#[cfg(test)]
mod tests {
    use super::super::adapters::AdapterChoice;
    use super::super::device::Device;
    use super::super::services::service_kernels;
    use super::*;
    use crate::plan::Precision;

    #[test]
    fn each_kernel_of_a_text_is_new_once() {
        let mut known = Known::default();
        for kernel in service_kernels(Precision::Single) {
            assert!(!known.add(kernel.entry_point, &kernel.text()), "{} of {}", kernel.entry_point, kernel.file);
            assert!(known.has_new);
            known.has_new = false;
            assert!(known.add(kernel.entry_point, &kernel.text()) && !known.has_new);
        }
    }

    #[test]
    fn the_data_of_another_driver_are_refused() {
        let device = Device::open(&AdapterChoice::Any).expect("the tests have an adapter");
        let empty = created(device.wgpu(), &[]).expect("it needs no data");
        let data = empty.get_data().expect("the driver gives them");
        assert!(created(device.wgpu(), &data).is_some(), "its own data come back");
        for at in [0, 30, 45] {
            let others: Vec<u8> = data.iter().enumerate().map(|(index, byte)| byte ^ u8::from(index == at)).collect();
            assert!(created(device.wgpu(), &others).is_none(), "byte {at} is another");
        }
        assert!(created(device.wgpu(), b"no data of a driver").is_none());
        device.guarded(|| Ok(())).expect("no error is left behind");
    }

    #[test]
    fn hashes_and_data_come_back() {
        for (kernels, data) in [(vec![], &b""[..]), (vec![], b"data"), (vec![3, 1 << 40], b"data"), (vec![u64::MAX], b"")] {
            let kernels: BTreeSet<u64> = kernels.into_iter().collect();
            assert_eq!(parts(&whole(&kernels, data)), Some((kernels, data)));
        }
        for damaged in [&b""[..], b"1234567", &[9; 8], &[255; 24]] {
            assert_eq!(parts(damaged), None, "{damaged:?}");
        }
    }
}
