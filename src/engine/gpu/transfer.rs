//! Brings values to the device and back, in chunks, so that large transfers can be cancelled and need little memory beside their own.
//!
//! Every call waits until the values have arrived, so that the time around it is the time of the transfer.

use super::bindings::Bindings;
use super::command::Slot;
use super::command::folded_groups;
use super::device::Device;
use super::error::GpuError;
use super::prepared::Prepared;
use super::prepared::check;
use super::services::expand;
use crate::plan::{IntegerWidth, Precision, Ring};
use crate::threads;
use bytemuck::Pod;
use num_complex::{Complex32, Complex64};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Bytes of one chunk.
const CHUNK: usize = 1 << 26;

/// How long a device that is done with its work may take to say so.
const PATIENCE: Duration = Duration::from_secs(20);

/// Complex lanes that are made of real numbers on the device.
pub(super) struct Expansion {
    bindings: Bindings,
    pipeline: wgpu::ComputePipeline,
    groups: [u32; 2],
}

impl Expansion {
    /// Submits the work, which runs before all that is submitted later.
    pub(super) fn submit(&self, device: &Device) -> Result<(), GpuError> {
        device.guarded(|| {
            let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("expand") });
            self.bindings.dispatch(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), &self.pipeline, self.groups);
            device.queue().submit([encoder.finish()]);
            Ok(())
        })
    }
}

impl Prepared {
    /// Brings one complex value an input to the device; on other lanes, the imaginary parts stay behind, and on exact ones the fractions. Gives the time that it took.
    ///
    /// # Errors
    /// When the number of values is not the number of inputs, the device reports an error, or `cancel` becomes true between two chunks.
    pub fn upload(&self, values: &[Complex32], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        match (self.ring, self.precision) {
            (Ring::Complex, Precision::Single) => self.upload_lanes(values, cancel),
            (Ring::Complex, Precision::Double) => {
                self.upload_double(&threads::convert(values, |value| Complex64::new(value.re.into(), value.im.into())), cancel)
            }
            _ => self.upload_real(&values.iter().map(|value| value.re).collect::<Vec<_>>(), cancel),
        }
    }

    /// The same from double precision, which lanes in single precision round.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_double(&self, values: &[Complex64], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        match (self.ring, self.precision) {
            (Ring::Complex, Precision::Double) => self.upload_lanes(values, cancel),
            (Ring::Complex, Precision::Single) => {
                let rounded = |value: Complex64| Complex32::new(value.re as f32, value.im as f32);
                self.upload_lanes(&threads::convert(values, rounded), cancel)
            }
            _ => self.upload_real_double(&values.iter().map(|value| value.re).collect::<Vec<_>>(), cancel),
        }
    }

    /// Brings one real value an input to the device, as [`Prepared::upload_real`], from double precision.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_real_double(&self, values: &[f64], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        match self.precision {
            Precision::Single => self.upload_real(&threads::convert(values, |value| value as f32), cancel),
            Precision::Double => self.upload_reals(values, cancel),
        }
    }

    /// Brings one row (a, b, c, d) an input to the device, rounded to the precision of its lanes. Gives the time that it took.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_rows(&self, rows: &[[f64; 4]], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        match self.precision {
            Precision::Single => self.upload_lanes(&threads::convert(rows, |row: [f64; 4]| row.map(|part| part as f32)), cancel),
            Precision::Double => self.upload_lanes(rows, cancel),
        }
    }

    /// Writes all inputs as the lanes hold them.
    fn upload_lanes<L: Pod>(&self, values: &[L], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        self.check_length(values.len())?;
        let write = |&(slot, lane): &(Slot, usize)| {
            self.device.write(self.slot(slot), (lane * size_of::<L>()) as u64, bytemuck::cast_slice(values), cancel)
        };
        self.timed(|| self.targets().iter().try_for_each(write))
    }

    /// Writes real numbers in the precision of the lanes.
    fn upload_reals<R: Pod>(&self, values: &[R], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        self.check_length(values.len())?;
        match self.ring {
            Ring::Complex => self.timed(|| {
                let scratch = self.scratch()?;
                self.targets().iter().try_for_each(|&(slot, lane)| {
                    self.device.write(&scratch, 0, bytemuck::cast_slice(values), cancel)?;
                    self.expansion(&scratch, slot, lane..lane + values.len())?.submit(&self.device)?;
                    self.device.guarded(|| self.device.wait())
                })
            }),
            _ => self.upload_lanes(values, cancel),
        }
    }

    /// Brings one integer a lane to the device; over GF(2) its remainder modulo 2. Gives the time that it took.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    ///
    /// # Panics
    /// When a value does not fit the lanes, which [`crate::plan::Plan::bound`] tells beforehand.
    pub fn upload_integers(&self, values: &[i64], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        let narrow = |value: i64| i32::try_from(value).expect("the plan was bounded before its lanes were chosen");
        match self.ring {
            Ring::Integer(IntegerWidth::Bits64) => self.upload_lanes(values, cancel),
            Ring::Integer(IntegerWidth::Bits32) => self.upload_lanes(&threads::convert(values, narrow), cancel),
            Ring::Gf2 => self.upload_lanes(&threads::convert(values, |value| (value & 1) as u32), cancel),
            Ring::Real | Ring::Complex | Ring::Equation => self.upload_real_double(&threads::convert(values, |value| value as f64), cancel),
        }
    }

    /// Brings words of 32 values of GF(2) to the device, two in a number, the lower half first. Gives the time that it took.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_words(&self, words: &[u64], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        self.upload_lanes(&halves(words), cancel)
    }

    /// Brings one real value an input to the device, half the bytes; complex lanes are made from them there. Gives the time that it took.
    ///
    /// # Errors
    /// As [`Prepared::upload`].
    pub fn upload_real(&self, values: &[f32], cancel: &AtomicBool) -> Result<Duration, GpuError> {
        match (self.ring, self.precision) {
            (Ring::Integer(_) | Ring::Gf2, _) => {
                self.upload_integers(&values.iter().map(|value| value.round() as i64).collect::<Vec<_>>(), cancel)
            }
            (_, Precision::Single) => self.upload_reals(values, cancel),
            (_, Precision::Double) => self.upload_reals(&threads::convert(values, f64::from), cancel),
        }
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
        match (self.result_ring, self.precision) {
            (Ring::Complex, Precision::Single) => self.read_lanes(lanes, cancel),
            (Ring::Real, Precision::Single) => Ok(self.read_lanes::<f32>(lanes, cancel)?.into_iter().map(Complex32::from).collect()),
            (Ring::Equation, Precision::Single) => {
                Ok(self.read_lanes::<[f32; 4]>(lanes, cancel)?.into_iter().map(|row| row[3].into()).collect())
            }
            (Ring::Real | Ring::Complex | Ring::Equation, Precision::Double) => {
                let rounded = |value: Complex64| Complex32::new(value.re as f32, value.im as f32);
                Ok(threads::convert(&self.download_double(lanes, cancel)?, rounded))
            }
            (Ring::Integer(_) | Ring::Gf2, _) => {
                Ok(self.download_integers(lanes, cancel)?.into_iter().map(|value| Complex32::from(value as f32)).collect())
            }
        }
    }

    /// The result of some lanes as exact as double precision holds it, as [`Prepared::download_range`].
    ///
    /// # Errors
    /// As [`Prepared::download_range`].
    pub fn download_double(&self, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex64>, GpuError> {
        match (self.result_ring, self.precision) {
            (Ring::Complex, Precision::Double) => self.read_lanes(lanes, cancel),
            (Ring::Real, Precision::Double) => Ok(self.read_lanes::<f64>(lanes, cancel)?.into_iter().map(Complex64::from).collect()),
            (Ring::Equation, Precision::Double) => {
                Ok(self.read_lanes::<[f64; 4]>(lanes, cancel)?.into_iter().map(|row| row[3].into()).collect())
            }
            (Ring::Real | Ring::Complex | Ring::Equation, Precision::Single) => {
                let wide = |value: Complex32| Complex64::new(value.re.into(), value.im.into());
                Ok(threads::convert(&self.download_range(lanes, cancel)?, wide))
            }
            (Ring::Integer(_) | Ring::Gf2, _) => {
                Ok(self.download_integers(lanes, cancel)?.into_iter().map(|value| Complex64::from(value as f64)).collect())
            }
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
        match self.result_ring {
            Ring::Integer(IntegerWidth::Bits64) => self.read_lanes(lanes, cancel),
            Ring::Integer(IntegerWidth::Bits32) => Ok(threads::convert(&self.read_lanes::<i32>(lanes, cancel)?, i64::from)),
            Ring::Gf2 => Ok(threads::convert(&self.read_lanes::<u32>(lanes, cancel)?, i64::from)),
            Ring::Real | Ring::Complex | Ring::Equation => panic!("{} lanes hold no integers", self.result_ring.name()),
        }
    }

    /// The result of a plan on words, as [`Prepared::upload_words`] takes them.
    ///
    /// # Errors
    /// As [`Prepared::download`].
    pub fn download_words(&self, cancel: &AtomicBool) -> Result<Vec<u64>, GpuError> {
        let words: Vec<u32> = self.read_lanes(0..self.outputs, cancel)?;
        let pairs = words.as_chunks::<2>().0;
        Ok(threads::convert(pairs, |[low, high]| u64::from(low) | u64::from(high) << 32))
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
        let lanes = 0..self.outputs;
        match self.precision {
            Precision::Single => Ok(self.read_lanes::<[f32; 4]>(lanes, cancel)?.into_iter().map(|row| row.map(f64::from)).collect()),
            Precision::Double => self.read_lanes(lanes, cancel),
        }
    }

    /// Some lanes of the result as they lie in memory.
    fn read_lanes<L: Pod>(&self, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<L>, GpuError> {
        if lanes.start > lanes.end || lanes.end > self.outputs {
            return Err(GpuError::Length { needed: self.outputs, given: lanes.end });
        }
        let mut values = vec![L::zeroed(); lanes.len()];
        let offset = lanes.start * self.precision.bytes_per_lane(self.result_ring);
        self.device.read(self.slot(self.result), offset, bytemuck::cast_slice_mut(&mut values), cancel)?;
        Ok(values)
    }

    /// What makes complex lanes of a buffer of the real numbers in `scratch`.
    pub(super) fn expansion(&self, scratch: &wgpu::Buffer, to: Slot, lanes: Range<usize>) -> Result<Expansion, GpuError> {
        let (device, launch) = (&self.device, [lanes.len() as u32, lanes.start as u32]);
        let bindings = Bindings::simple(device, [scratch, self.slot(to)], [&[]; 2], bytemuck::bytes_of(&launch))?;
        let pipeline = device.guarded(|| Ok(device.pipelines().get(device.wgpu(), &expand(self.precision))))?;
        Ok(Expansion { bindings, pipeline, groups: folded_groups(lanes.len().div_ceil(256), device.limits().max_groups) })
    }

    fn check_length(&self, given: usize) -> Result<(), GpuError> {
        if given == self.inputs { Ok(()) } else { Err(GpuError::Length { needed: self.inputs, given }) }
    }

    /// An error where the input has fewer lanes.
    pub(super) fn check_lanes(&self, given: usize) -> Result<(), GpuError> {
        if given <= self.inputs { Ok(()) } else { Err(GpuError::Length { needed: self.inputs, given }) }
    }

    fn timed(&self, work: impl FnOnce() -> Result<(), GpuError>) -> Result<Duration, GpuError> {
        let start = Instant::now();
        work()?;
        Ok(start.elapsed())
    }
}

impl Device {
    /// Writes a part of a buffer, from byte `offset` on.
    pub(super) fn write(&self, buffer: &wgpu::Buffer, offset: u64, bytes: &[u8], cancel: &AtomicBool) -> Result<(), GpuError> {
        self.guarded(|| {
            for (index, chunk) in bytes.chunks(CHUNK).enumerate() {
                check(cancel)?;
                self.queue().write_buffer(buffer, offset + (index * CHUNK) as u64, chunk);
                self.queue().submit([]);
                // Waiting here bounds what is under way to one chunk.
                self.wait()?;
            }
            Ok(())
        })
    }

    /// Reads a part of a buffer, from byte `offset` on.
    pub(super) fn read(&self, buffer: &wgpu::Buffer, offset: usize, bytes: &mut [u8], cancel: &AtomicBool) -> Result<(), GpuError> {
        self.guarded(|| {
            for (index, chunk) in bytes.chunks_mut(CHUNK).enumerate() {
                check(cancel)?;
                let encoder = self.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("download") });
                self.read_back(encoder, buffer, (offset + index * CHUNK) as u64, chunk)?;
            }
            Ok(())
        })
    }

    /// Submits what is encoded, then a copy of a part of `buffer` to the CPU, and waits for both.
    pub(super) fn read_back(
        &self,
        mut encoder: wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: &mut [u8],
    ) -> Result<(), GpuError> {
        let size = bytes.len() as u64;
        let staging = self.buffer("a buffer for reading back", size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)?;
        encoder.copy_buffer_to_buffer(buffer, offset, &staging, 0, size);
        self.queue().submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
            // The receiver lives until the wait below has called this.
            let _ = sender.send(mapped);
        });
        self.wait()?;
        // Another thread that waits on this device may be the one that calls back, a moment later.
        let mapped = receiver.recv_timeout(PATIENCE).map_err(|_| self.reported("a buffer was not mapped"))?;
        mapped.map_err(|error| self.reported(&error.to_string()))?;
        let view = staging.get_mapped_range(..).map_err(|error| self.reported(&error.to_string()))?;
        bytes.copy_from_slice(&view);
        Ok(())
    }
}

/// The lower and the upper half of every word.
fn halves(words: &[u64]) -> Vec<u32> {
    threads::convert(words, |word| [word as u32, (word >> 32) as u32]).into_flattened()
}
