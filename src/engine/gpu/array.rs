//! An array of lanes on a device: one buffer, or several where it is larger than a kernel's binding may be.

use super::device::Device;
use super::division::Division;
use super::error::GpuError;
use std::ops::Range;
use wgpu::BufferUsages;

/// Bytes on a device in one buffer, or in several, of which all but the last are equally long.
#[derive(Clone)]
pub(super) struct Array {
    buffers: Vec<wgpu::Buffer>,
    /// Bytes of a buffer, where there are several.
    of_each: u64,
}

/// How an array is held, which is known before it is made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// Its bytes.
    pub(super) bytes: u64,
    /// Whether it is one buffer.
    pub(super) is_whole: bool,
}

impl From<wgpu::Buffer> for Array {
    fn from(buffer: wgpu::Buffer) -> Self {
        Self { of_each: buffer.size(), buffers: vec![buffer] }
    }
}

impl Array {
    /// Its bytes.
    pub(super) fn size(&self) -> u64 {
        self.buffers.iter().map(wgpu::Buffer::size).sum()
    }

    /// How it is held.
    pub(super) fn extent(&self) -> Extent {
        Extent { bytes: self.size(), is_whole: self.buffers.len() == 1 }
    }

    /// Its buffers, in their order.
    pub(super) fn buffers(&self) -> &[wgpu::Buffer] {
        &self.buffers
    }

    /// The buffers in which some bytes lie, each with its first one and their number there.
    pub(super) fn spans(&self, bytes: Range<u64>) -> impl Iterator<Item = (&wgpu::Buffer, u64, u64)> {
        let starts = (0..).map(|index| index * self.of_each);
        self.buffers.iter().zip(starts).filter_map(move |(buffer, start)| {
            let [from, to] = [bytes.start, bytes.end].map(|byte| byte.saturating_sub(start).min(buffer.size()));
            (from < to).then_some((buffer, from, to - from))
        })
    }

    /// Its parts as a divided kernel sees them.
    pub(super) fn parts(&self, division: &Division) -> Vec<wgpu::BufferBinding<'_>> {
        let all = self.size();
        let parts = (0..all).step_by(division.part_bytes as usize).map(|start| start..all.min(start + division.part_bytes));
        let of = |(buffer, offset, bytes)| wgpu::BufferBinding { buffer, offset, size: wgpu::BufferSize::new(bytes) };
        parts.flat_map(|part| self.spans(part).map(of)).collect()
    }
}

impl Device {
    /// How an array of this many bytes is held.
    pub(super) fn extent(&self, bytes: u64) -> Extent {
        Extent { bytes, is_whole: bytes <= self.binding_bytes() }
    }

    /// An array of this many bytes, once its size has passed the adapter's limits.
    pub(super) fn array(&self, what: &'static str, bytes: u64, usage: BufferUsages) -> Result<Array, GpuError> {
        if self.extent(bytes).is_whole {
            return Ok(self.buffer(what, bytes, usage)?.into());
        }
        let (of_each, limit) = (self.part_bytes(), self.most_array_bytes());
        if bytes > limit {
            return Err(GpuError::TooLarge { what, needed: bytes, limit, adapter: self.info().name.clone() });
        }
        let starts = (0..bytes).step_by(of_each as usize);
        let buffers = starts.map(|start| self.buffer(what, of_each.min(bytes - start), usage)).collect::<Result<_, _>>()?;
        Ok(Array { buffers, of_each })
    }
}
