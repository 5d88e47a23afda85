//! Values on their way up, and the memory of an upload filled with them.

use bytemuck::Pod;
use std::ops::Range;
use wgpu::WriteOnly;

/// Values that are read at a time: they stay in the caches of a core.
const BLOCK: usize = 1 << 12;

/// Values on their way up.
pub struct Source<'a, V>(Kind<'a, V>);

enum Kind<'a, V> {
    /// They are in memory.
    Array(&'a [V]),
    /// They are read a block at a time: this range of indices.
    Read(Range<usize>, &'a Read<'a, V>),
}

/// Writes the values from an index on.
type Read<'a, V> = dyn Fn(usize, &mut [V]) + Sync + 'a;

impl<'a, V> From<&'a [V]> for Source<'a, V> {
    fn from(values: &'a [V]) -> Self {
        Self(Kind::Array(values))
    }
}

impl<'a, V, const N: usize> From<&'a [V; N]> for Source<'a, V> {
    fn from(values: &'a [V; N]) -> Self {
        Self::from(values.as_slice())
    }
}

impl<'a, V> From<&'a Vec<V>> for Source<'a, V> {
    fn from(values: &'a Vec<V>) -> Self {
        Self(Kind::Array(values))
    }
}

impl<'a, V: Pod + Sync> Source<'a, V> {
    /// `n` values that `read` writes from an index on, on any thread, a block at a time: what they are made of is never converted as a whole.
    pub fn read(n: usize, read: &'a Read<'a, V>) -> Self {
        Self(Kind::Read(0..n, read))
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Array(values) => values.len(),
            Kind::Read(range, _) => range.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values of a range of their indices.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        Self(match &self.0 {
            Kind::Array(values) => Kind::Array(&values[range]),
            Kind::Read(all, read) => Kind::Read(all.start + range.start..all.start + range.end, *read),
        })
    }

    /// Fills a view with what `lane` makes of the values.
    pub(super) fn fill<L: Pod>(&self, mut view: WriteOnly<'_, [u8]>, lane: &impl Fn(V) -> L) {
        match &self.0 {
            Kind::Array(values) => fill_with(&mut view, values, lane),
            Kind::Read(range, read) => {
                let mut block = vec![V::zeroed(); BLOCK.min(range.len())];
                for first in range.clone().step_by(BLOCK) {
                    let block = &mut block[..BLOCK.min(range.end - first)];
                    read(first, block);
                    fill_with(&mut view, block, lane);
                }
            }
        }
    }
}

/// Fills the beginning of a view, and goes past it. The memory may only be written, so that lanes are made beside it: as few as stay in registers, since
/// loads and stores then go on at the same time.
fn fill_with<V: Pod, L: Pod>(view: &mut WriteOnly<'_, [u8]>, values: &[V], lane: &impl Fn(V) -> L) {
    let (blocks, rest) = values.as_chunks::<16>();
    blocks.iter().for_each(|block| fill_block(view, block, lane));
    rest.iter().for_each(|value| fill_block(view, &[*value], lane));
}

/// The same of `N` values. Their number is known when this is compiled, and so no call copies the bytes.
#[inline(always)]
fn fill_block<V: Pod, L: Pod, const N: usize>(view: &mut WriteOnly<'_, [u8]>, values: &[V; N], lane: &impl Fn(V) -> L) {
    // A map of an array is a call in itself.
    let mut lanes = [L::zeroed(); N];
    lanes.iter_mut().zip(values).for_each(|(to, from)| *to = lane(*from));
    let bytes = bytemuck::cast_slice(&lanes);
    view.split_off(..N * size_of::<L>()).expect("the view has room for all values").copy_from_slice(bytes);
}
