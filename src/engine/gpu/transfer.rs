//! Brings values to the lanes of a plan and back, in whatever type they have; [`staging`](super::staging) moves the bytes.
//!
//! Every call waits until the values have arrived, so that the time around it is the time of the transfer.

use super::command::BufferSlot;
use super::error::GpuError;
use super::expansion::Expansions;
use super::prepared::Prepared;
use super::source::Source;
use crate::plan::{IntegerWidth, Precision, Ring};
use crate::threads::Reserved;
use bytemuck::Pod;
use num_complex::{Complex32, Complex64};
use std::any::Any;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A number that can be brought to the lanes of a device.
pub trait Value: Pod + Sync {
    /// Whether it has an imaginary part.
    const IS_COMPLEX: bool;
    /// In single precision.
    fn single(self) -> Complex32;
    /// In double precision.
    fn double(self) -> Complex64;
    /// The integer that is nearest to its real part.
    fn integer(self) -> i64;
}

/// A number whose real and imaginary parts have this type.
macro_rules! value {
    ($type:ty, $is_complex:literal, $parts:expr, $integer:expr) => {
        impl Value for $type {
            const IS_COMPLEX: bool = $is_complex;

            fn single(self) -> Complex32 {
                let [re, im] = $parts(self);
                Complex32::new(re as f32, im as f32)
            }

            fn double(self) -> Complex64 {
                let [re, im] = $parts(self);
                Complex64::new(re as f64, im as f64)
            }

            fn integer(self) -> i64 {
                $integer(self)
            }
        }
    };
}

value!(f32, false, |value| [value, 0.0], |value: f32| value.round() as i64);
value!(f64, false, |value| [value, 0.0], |value: f64| value.round() as i64);
value!(i64, false, |value| [value, 0], |value| value);
value!(Complex32, true, |value: Complex32| [value.re, value.im], |value: Complex32| value.re.round() as i64);
value!(Complex64, true, |value: Complex64| [value.re, value.im], |value: Complex64| value.re.round() as i64);

/// Buffers and memory that a prepared plan keeps from one transfer to the next.
#[derive(Default)]
pub(super) struct Transfers {
    /// The buffer and the kernels of the newest upload whose numbers took fewer bytes than lanes.
    pub(super) expansions: Mutex<Option<Arc<Expansions>>>,
    /// Memory for the whole result, in the type in which it is awaited.
    reserved: Mutex<Option<Box<dyn Any + Send>>>,
}

/// Lanes of a result that come back together.
enum ResultLanes<'a> {
    Range(Range<usize>),
    /// As many lanes from each of these on.
    Several(&'a [usize], usize),
}

impl ResultLanes<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::Several(firsts, n) => firsts.len() * n,
        }
    }

    /// The lane behind the last one; `None` where the range ends before it begins, and where there are no lanes.
    fn end(&self) -> Option<usize> {
        match self {
            Self::Range(range) => Some(range.end).filter(|end| range.start <= *end),
            Self::Several(firsts, n) => firsts.iter().max().map(|first| first + n),
        }
    }
}

impl Prepared {
    /// Does `work`, such as an upload and a run, and reserves memory for the whole result meanwhile: the next download of it in this type takes less time.
    ///
    /// # Errors
    /// Those of `work`; nothing stays reserved then.
    pub fn reserving<T: Send + 'static, R, E>(&self, work: impl FnOnce() -> Result<R, E>) -> Result<R, E> {
        let (reserved, done) = Reserved::<T>::beside(self.outputs, work);
        let kept: Option<Box<dyn Any + Send>> = if done.is_ok() { Some(Box::new(reserved)) } else { None };
        *self.transfers.reserved.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        done
    }

    /// The memory that was reserved for `n` values, if these are the whole result.
    fn reserved<T: Send + 'static>(&self, n: usize) -> Reserved<T> {
        let mut reserved = self.transfers.reserved.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = if n == self.outputs { reserved.take() } else { None };
        taken.and_then(|reserved| reserved.downcast().ok()).map_or_else(Reserved::default, |reserved| *reserved)
    }

    /// Brings one value an input to the device, and gives the time that it took. Real numbers become complex lanes there, so that half the bytes travel;
    /// on real lanes imaginary parts stay behind, and exact lanes take the nearest integers, over GF(2) and prime fields their remainders.
    ///
    /// # Errors
    /// When the number of values is not the number of inputs, the device reports an error, or `cancel` becomes true between two chunks.
    ///
    /// # Panics
    /// When a value does not fit integer lanes, which [`crate::plan::Plan::bound`] tells beforehand.
    pub fn upload<'a, V: Value>(&self, values: impl Into<Source<'a, V>>, cancel: &AtomicBool) -> Result<Duration, GpuError> {
        let values = &values.into();
        let narrow = |value: i64| i32::try_from(value).expect("the plan was bounded before its lanes were chosen");
        match (self.ring, self.precision) {
            (Ring::Complex, Precision::Single) if V::IS_COMPLEX => self.upload_lanes(values, cancel, V::single),
            (Ring::Complex, Precision::Double) if V::IS_COMPLEX => self.upload_lanes(values, cancel, V::double),
            (Ring::Complex, Precision::Single) => self.upload_expanded(values, cancel, |value| value.single().re),
            (Ring::Complex, Precision::Double) => self.upload_expanded(values, cancel, |value| value.double().re),
            (Ring::Real | Ring::Equation, Precision::Single) => self.upload_lanes(values, cancel, |value| value.single().re),
            (Ring::Real | Ring::Equation, Precision::Double) => self.upload_lanes(values, cancel, |value| value.double().re),
            (Ring::Integer(IntegerWidth::Bits64), _) => self.upload_lanes(values, cancel, V::integer),
            (Ring::Integer(IntegerWidth::Bits32), _) => self.upload_lanes(values, cancel, |value| narrow(value.integer())),
            (Ring::Gf2, _) => self.upload_lanes(values, cancel, |value| (value.integer() & 1) as u32),
            (Ring::Prime(field), _) => self.upload_lanes(values, cancel, |value| field.reduced(value.integer().into())),
        }
    }

    /// Brings one row (a, b, c, d) an input to the device, rounded to the precision of its lanes. Gives the time that it took.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_rows(&self, rows: &[[f64; 4]], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        let rows = &rows.into();
        match self.precision {
            // A map of an array would be a call for each row.
            Precision::Single => self.upload_lanes(rows, cancel, |[a, b, c, d]| [a as f32, b as f32, c as f32, d as f32]),
            Precision::Double => self.upload_lanes(rows, cancel, |row| row),
        }
    }

    /// Brings words of 32 values of GF(2) to the device, two in a number, the lower half first. Gives the time that it took.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_words(&self, words: &[u64], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        self.check_length(2 * words.len())?;
        self.write_lanes(&words.into(), cancel, |word| [word as u32, (word >> 32) as u32])
    }

    /// Writes a lane a value.
    fn upload_lanes<V: Pod + Sync, L: Pod>(
        &self,
        values: &Source<'_, V>,
        cancel: &AtomicBool,
        lane: impl Fn(V) -> L + Sync,
    ) -> Result<Duration, GpuError> {
        self.check_length(values.len())?;
        self.write_lanes(values, cancel, lane)
    }

    /// Writes all inputs as the lanes hold them.
    fn write_lanes<V: Pod + Sync, L: Pod>(
        &self,
        values: &Source<'_, V>,
        cancel: &AtomicBool,
        lane: impl Fn(V) -> L + Sync,
    ) -> Result<Duration, GpuError> {
        let write = |&(slot, first): &(BufferSlot, usize)| {
            self.device.write(self.slot(slot), (first * self.bytes_per_lane()) as u64, values, &lane, cancel)
        };
        self.timed(values.len() * size_of::<L>() * self.targets().len(), || self.targets().iter().try_for_each(write))
    }

    /// The result, lane after lane; [`crate::plan::Plan::output`] says which index each lane holds. Other lanes give complex values too, rows their right-hand sides.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` becomes true between two chunks.
    pub fn download(&self, cancel: &AtomicBool) -> Result<Vec<Complex32>, GpuError> {
        self.download_range(0..self.outputs, cancel)
    }

    /// The result of some lanes, as [`Prepared::download`].
    ///
    /// # Errors
    /// As [`Prepared::download`], and when the lanes do not exist.
    pub fn download_range(&self, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex32>, GpuError> {
        self.read_single(ResultLanes::Range(lanes), cancel)
    }

    /// Values in single precision.
    fn read_single(&self, lanes: ResultLanes<'_>, cancel: &AtomicBool) -> Result<Vec<Complex32>, GpuError> {
        let rounded = |value: Complex64| Complex32::new(value.re as f32, value.im as f32);
        match (self.result_ring, self.precision) {
            (Ring::Complex, Precision::Single) => self.read_lanes(lanes, cancel, |value: Complex32| value),
            (Ring::Complex, Precision::Double) => self.read_lanes(lanes, cancel, rounded),
            (Ring::Real, Precision::Single) => self.read_lanes(lanes, cancel, |value: f32| value.into()),
            (Ring::Real, Precision::Double) => self.read_lanes(lanes, cancel, |value: f64| (value as f32).into()),
            (Ring::Equation, Precision::Single) => self.read_lanes(lanes, cancel, |row: [f32; 4]| row[3].into()),
            (Ring::Equation, Precision::Double) => self.read_lanes(lanes, cancel, |row: [f64; 4]| (row[3] as f32).into()),
            (Ring::Integer(_) | Ring::Gf2 | Ring::Prime(_), _) => self.read_integers(lanes, cancel, |value| (value as f32).into()),
        }
    }

    /// The result of `n` lanes from each of `firsts` on, one after the other, as [`Prepared::download_range`]: they come back together, where each alone would
    /// wait for the device.
    ///
    /// # Errors
    /// As [`Prepared::download_range`].
    pub fn download_several(&self, firsts: &[usize], n: usize, cancel: &AtomicBool) -> Result<Vec<Complex32>, GpuError> {
        self.read_single(ResultLanes::Several(firsts, n), cancel)
    }

    /// The result of some lanes as exact as double precision holds it, as [`Prepared::download_range`].
    ///
    /// # Errors
    /// As [`Prepared::download_range`].
    pub fn download_double(&self, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex64>, GpuError> {
        let lanes = ResultLanes::Range(lanes);
        let wide = |value: Complex32| Complex64::new(value.re.into(), value.im.into());
        match (self.result_ring, self.precision) {
            (Ring::Complex, Precision::Double) => self.read_lanes(lanes, cancel, |value: Complex64| value),
            (Ring::Complex, Precision::Single) => self.read_lanes(lanes, cancel, wide),
            (Ring::Real, Precision::Double) => self.read_lanes(lanes, cancel, |value: f64| value.into()),
            (Ring::Real, Precision::Single) => self.read_lanes(lanes, cancel, |value: f32| f64::from(value).into()),
            (Ring::Equation, Precision::Double) => self.read_lanes(lanes, cancel, |row: [f64; 4]| row[3].into()),
            (Ring::Equation, Precision::Single) => self.read_lanes(lanes, cancel, |row: [f32; 4]| f64::from(row[3]).into()),
            (Ring::Integer(_) | Ring::Gf2 | Ring::Prime(_), _) => self.read_integers(lanes, cancel, |value| (value as f64).into()),
        }
    }

    /// The exact result of some lanes of an integer plan or one over GF(2).
    ///
    /// # Errors
    /// As [`Prepared::download_range`].
    ///
    /// # Panics
    /// When the lanes hold no integers.
    pub fn download_integers(&self, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<i64>, GpuError> {
        self.read_integers(ResultLanes::Range(lanes), cancel, |value| value)
    }

    /// The values of exact lanes.
    fn read_integers<T: Send + 'static>(
        &self,
        lanes: ResultLanes<'_>,
        cancel: &AtomicBool,
        value: impl Fn(i64) -> T + Sync,
    ) -> Result<Vec<T>, GpuError> {
        match self.result_ring {
            Ring::Integer(IntegerWidth::Bits64) => self.read_lanes(lanes, cancel, value),
            Ring::Integer(IntegerWidth::Bits32) => self.read_lanes(lanes, cancel, |lane: i32| value(lane.into())),
            Ring::Gf2 | Ring::Prime(_) => self.read_lanes(lanes, cancel, |lane: u32| value(lane.into())),
            Ring::Real | Ring::Complex | Ring::Equation => panic!("{} lanes hold no integers", self.result_ring.name()),
        }
    }

    /// The result of a plan on words, as [`Prepared::upload_words`] takes them.
    ///
    /// # Errors
    /// As [`Prepared::download`].
    pub fn download_words(&self, cancel: &AtomicBool) -> Result<Vec<u64>, GpuError> {
        let pair = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
        self.device.read(None, self.slot(self.result), 0, (self.outputs / 2, Reserved::default()), pair, cancel)
    }

    /// Every row of a plan of rows, whose launches left rows and not their unknowns alone.
    ///
    /// # Errors
    /// As [`Prepared::download`].
    ///
    /// # Panics
    /// When the lanes hold no rows.
    pub fn download_rows(&self, cancel: &AtomicBool) -> Result<Vec<[f64; 4]>, GpuError> {
        assert_eq!(self.result_ring, Ring::Equation, "the result holds no rows");
        let lanes = ResultLanes::Range(0..self.outputs);
        match self.precision {
            Precision::Single => self.read_lanes(lanes, cancel, |row: [f32; 4]| row.map(f64::from)),
            Precision::Double => self.read_lanes(lanes, cancel, |row: [f64; 4]| row),
        }
    }

    /// The values of some lanes of the result.
    fn read_lanes<L: Pod + Sync, T: Send + 'static>(
        &self,
        lanes: ResultLanes<'_>,
        cancel: &AtomicBool,
        value: impl Fn(L) -> T + Sync,
    ) -> Result<Vec<T>, GpuError> {
        let n = lanes.len();
        if lanes.end().is_none_or(|end| end > self.outputs) {
            return Err(GpuError::Length { needed: self.outputs, given: lanes.end().unwrap_or_default() });
        }
        let lane_bytes = self.precision.bytes_per_lane(self.result_ring);
        let (before, array, offset) = match lanes {
            ResultLanes::Range(range) => (None, self.slot(self.result).clone(), range.start * lane_bytes),
            ResultLanes::Several(firsts, n) => {
                let (copies, together) = self.gathered(firsts, n * lane_bytes, lane_bytes)?;
                (Some(copies), together.into(), 0)
            }
        };
        let start = Instant::now();
        let values = self.device.read(before, &array, offset as u64, (n, self.reserved(n)), value, cancel)?;
        self.device.note_transfer(1, n * size_of::<L>(), start.elapsed());
        Ok(values)
    }

    /// A buffer with this many bytes of the result from each of several lanes on, and the copies that fill it.
    fn gathered(&self, firsts: &[usize], bytes: usize, lane_bytes: usize) -> Result<(wgpu::CommandEncoder, wgpu::Buffer), GpuError> {
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let together = self.device.buffer("parts of a result", (firsts.len() * bytes) as u64, usage)?;
        let mut copies = self.device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("parts of a result") });
        let mut at = 0;
        for first in firsts.iter().map(|first| (first * lane_bytes) as u64) {
            for (buffer, from, n) in self.slot(self.result).spans(first..first + bytes as u64) {
                copies.copy_buffer_to_buffer(buffer, from, &together, at, n);
                at += n;
            }
        }
        Ok((copies, together))
    }

    pub(super) fn check_length(&self, given: usize) -> Result<(), GpuError> {
        if given == self.inputs { Ok(()) } else { Err(GpuError::Length { needed: self.inputs, given }) }
    }

    /// An error where the input has fewer lanes.
    pub(super) fn check_lanes(&self, given: usize) -> Result<(), GpuError> {
        if given <= self.inputs { Ok(()) } else { Err(GpuError::Length { needed: self.inputs, given }) }
    }

    /// The time of an upload of this number of bytes.
    pub(super) fn timed(&self, bytes: usize, work: impl FnOnce() -> Result<(), GpuError>) -> Result<Duration, GpuError> {
        let start = Instant::now();
        work()?;
        let time = start.elapsed();
        self.device.note_transfer(0, bytes, time);
        Ok(time)
    }
}
