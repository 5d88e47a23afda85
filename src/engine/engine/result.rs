//! A result in memory, or still on the GPU.

use super::{Devices, EngineError, Job, Outcome, Times, Value};
use crate::cpu::library::HalfSpectrum;
use crate::gpu::Prepared;
use crate::plan::{Precision, ResultOrder};
use crate::threads;
use crate::transforms::Shape;
use num_complex::{Complex32, Complex64};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A result in memory, in natural order.
#[derive(Clone)]
pub enum Values {
    /// In single precision.
    Single(Vec<Complex32>),
    /// In double precision.
    Double(Vec<Complex64>),
    /// In single precision, the half that determines the spectrum of a real image.
    Half(HalfSpectrum),
    /// Exact integers.
    Integer(Vec<i64>),
    /// Zeros and ones, 64 to a word, the first at bit 0.
    Bits(Vec<u64>),
}

impl Values {
    /// The value at index (`row`, `column`).
    #[inline]
    pub fn at(&self, shape: Shape, row: usize, column: usize) -> Complex32 {
        let index = row * shape.columns + column;
        match self {
            Self::Single(values) => values[index],
            Self::Double(values) => Complex32::new(values[index].re as f32, values[index].im as f32),
            Self::Half(half) => half.at(row, column),
            Self::Integer(values) => Complex32::from(values[index] as f32),
            Self::Bits(words) => Complex32::from(((words[index / 64] >> (index % 64)) & 1) as f32),
        }
    }

    /// Lanes in an order, sorted into the natural one.
    pub(super) fn natural(self, order: &ResultOrder) -> Self {
        match self {
            Self::Single(lanes) => Self::Single(order.natural(&lanes)),
            Self::Double(lanes) => Self::Double(order.natural(&lanes)),
            Self::Integer(lanes) => Self::Integer(order.natural(&lanes)),
            // No plan computes half a spectrum, and bit-packed plans keep the natural order.
            Self::Half(_) | Self::Bits(_) => self,
        }
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Single(values) => size_of_val(&values[..]),
            Self::Double(values) => size_of_val(&values[..]),
            Self::Half(half) => size_of_val(&half.values[..]),
            Self::Integer(values) => size_of_val(&values[..]),
            Self::Bits(words) => size_of_val(&words[..]),
        }
    }

    /// A hash of all bits: equal results have the same one, others hardly ever.
    pub fn fingerprint(&self) -> u64 {
        fn of<T: bytemuck::Pod + Sync>(values: &[T], kind: u64) -> u64 {
            const CHUNK: usize = 1 << 14;
            const PRIME: u64 = 0x0000_0100_0000_01b3;
            let parts = threads::map(values.len().div_ceil(CHUNK), &|index| {
                let part = &values[index * CHUNK..values.len().min((index + 1) * CHUNK)];
                let words = bytemuck::cast_slice::<T, u8>(part).chunks(8).map(|bytes| {
                    let mut word = [0; 8];
                    word[..bytes.len()].copy_from_slice(bytes);
                    u64::from_le_bytes(word)
                });
                words.fold(index as u64 ^ kind, |hash, word| (hash ^ word).wrapping_mul(PRIME).rotate_left(23))
            });
            parts.into_iter().fold(values.len() as u64, u64::wrapping_add)
        }
        match self {
            Self::Single(values) => of(values, 1),
            Self::Double(values) => of(values, 2),
            Self::Half(half) => of(&half.values, 3),
            Self::Integer(values) => of(values, 4),
            Self::Bits(words) => of(words, 5),
        }
    }

    /// The value at index (`row`, `column`), in double precision.
    pub fn exact(&self, shape: Shape, row: usize, column: usize) -> Complex64 {
        match self {
            Self::Double(values) => values[row * shape.columns + column],
            Self::Integer(values) => (values[row * shape.columns + column] as f64).into(),
            _ => {
                let single = self.at(shape, row, column);
                Complex64::new(single.re.into(), single.im.into())
            }
        }
    }
}

impl Values {
    /// The value at index (`row`, `column`); an integer if all values are integers.
    pub(super) fn value(&self, shape: Shape, row: usize, column: usize) -> Value {
        match self {
            Self::Integer(values) => Value::Integer(values[row * shape.columns + column]),
            Self::Bits(_) => Value::Integer(self.at(shape, row, column).re as i64),
            _ => Value::Complex(self.exact(shape, row, column)),
        }
    }
}

/// A result, where it is stored.
#[derive(Clone)]
pub enum StoredResult {
    /// In memory.
    Memory(Arc<Values>),
    /// On the GPU, in natural order.
    Gpu(Arc<Prepared>),
}

impl StoredResult {
    pub(super) fn memory(values: Values) -> Self {
        Self::Memory(Arc::new(values))
    }

    /// The result in memory, downloaded from the GPU if it is stored there.
    ///
    /// # Errors
    /// When the device reports an error or `cancel` is raised.
    pub fn values(&self, cancel: &AtomicBool) -> Result<Arc<Values>, EngineError> {
        let prepared = match self {
            Self::Memory(values) => return Ok(values.clone()),
            Self::Gpu(prepared) => prepared,
        };
        let values = if prepared.result_ring().is_exact() {
            Values::Integer(prepared.download_integers(0..prepared.outputs(), cancel)?)
        } else if prepared.precision() == Precision::Double {
            Values::Double(prepared.download_double(0..prepared.outputs(), cancel)?)
        } else {
            Values::Single(prepared.download(cancel)?)
        };
        Devices::note_transfers(prepared.device());
        Ok(Arc::new(values))
    }
}

/// A result in memory, for all who need it.
#[derive(Clone)]
pub struct SharedResult {
    /// The job that ran: the one that was asked for, on prepared samples.
    pub ran: Arc<Job>,
    /// Its values.
    pub values: Arc<Values>,
    /// How they were computed.
    pub outcome: Arc<Outcome>,
}

impl SharedResult {
    /// Rows and columns of the values.
    pub fn shape(&self) -> Shape {
        self.outcome.shape
    }
}

/// A result and how it was computed.
pub struct Computed {
    /// The result.
    pub stored: StoredResult,
    /// The prepared plan on the GPU, which a timer can run again; `None` on the CPU.
    pub prepared: Option<Arc<Prepared>>,
    /// How it was computed.
    pub outcome: Outcome,
}

impl Computed {
    /// The same with its result in memory, and the time that this took.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` is raised.
    pub(super) fn in_memory(mut self, cancel: &AtomicBool) -> Result<Self, EngineError> {
        if let StoredResult::Gpu(_) = &self.stored {
            let start = Instant::now();
            self.stored = StoredResult::Memory(self.stored.values(cancel)?);
            self.outcome.times.add_download(start);
        }
        Ok(self)
    }

    /// The times of the run and of the download of its whole result.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` is raised.
    pub(super) fn round_trip(&self, cancel: &AtomicBool) -> Result<Times, EngineError> {
        let mut times = self.outcome.times.clone();
        if let StoredResult::Gpu(_) = &self.stored {
            let start = Instant::now();
            drop(self.stored.values(cancel)?);
            times.add_download(start);
        }
        Ok(times)
    }
}
