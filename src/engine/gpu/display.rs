//! Images of a result where it lies: only the pixels of the screen come back.
//!
//! [`crate::display`] decides which values a pixel covers, for the CPU and the GPU alike; the kernel looks it up.

use super::bindings::Bindings;
use super::command::folded_groups;
use super::device::Device;
use super::error::GpuError;
use super::kernel::Kernel;
use super::prepared::Prepared;
use super::services::display;
use crate::display::{DisplayFrame, LUT_LEN, Look, Scale, ValuePart, covered};
use crate::threads::Reserved;
use crate::transforms::{Axes, Shape};
use bytemuck::Pod;
use std::sync::atomic::AtomicBool;
use wgpu::BufferUsages;

/// Threads of a workgroup of both kernels.
const THREADS: usize = 256;
/// Workgroups that look for the extremes: enough to fill a GPU.
const EXTREMES_GROUPS: usize = 1024;

/// `View` of `shaders/look.wgsl`, field by field.
#[repr(C)]
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct ViewUniforms {
    rows: u32,
    columns: u32,
    width: u32,
    height: u32,
    turn_rows: u32,
    turn_columns: u32,
    quantity: u32,
    scale: u32,
    low: f32,
    high: f32,
    reversed_bits: u32,
    n_colours: u32,
    n_hues: u32,
    shows_means: u32,
}

impl ViewUniforms {
    fn new(shape: Shape, look: &Look) -> Self {
        Self {
            rows: shape.rows as u32,
            columns: shape.columns as u32,
            width: 0,
            height: 0,
            turn_rows: 0,
            turn_columns: 0,
            quantity: match look.quantity {
                ValuePart::Magnitude => 0,
                ValuePart::Phase => 1,
                ValuePart::Real => 2,
                ValuePart::Imaginary => 3,
                ValuePart::Power => 4,
            },
            scale: match look.scale {
                Scale::Linear => 0,
                Scale::Log => 1,
                Scale::Db => 2,
                Scale::Sqrt => 3,
            },
            low: 0.0,
            high: 0.0,
            reversed_bits: 0,
            n_colours: 0,
            n_hues: 1,
            shows_means: 0,
        }
    }
}

impl Prepared {
    /// The visible part of the result as RGBA, row after row, as [`crate::display::render`] makes it on the CPU.
    ///
    /// # Errors
    /// When the shape has another number of values than the result, or the device reports an error.
    pub fn image(&self, shape: Shape, axes: Axes, look: &Look, range: [f32; 2], frame: DisplayFrame) -> Result<Vec<u8>, GpuError> {
        self.pooled_image(shape, axes, look, range, frame, false)
    }

    /// The same of a result that is samples, as [`crate::display::render_mean`] makes it: a pixel that covers several shows their mean.
    ///
    /// # Errors
    /// As [`Prepared::image`].
    pub fn mean_image(&self, shape: Shape, look: &Look, range: [f32; 2], frame: DisplayFrame) -> Result<Vec<u8>, GpuError> {
        self.pooled_image(shape, Axes::Rows, look, range, frame, true)
    }

    fn pooled_image(
        &self,
        shape: Shape,
        axes: Axes,
        look: &Look,
        range: [f32; 2],
        frame: DisplayFrame,
        means: bool,
    ) -> Result<Vec<u8>, GpuError> {
        self.check_shape(shape)?;
        let n_pixels = frame.width * frame.height;
        if n_pixels == 0 {
            return Ok(Vec::new());
        }
        let rect = frame.rect;
        let across = (0..frame.width).map(|x| covered(rect.left, rect.width, x, frame.width, shape.columns, look));
        let down = (0..frame.height).map(|y| covered(rect.top, rect.height, y, frame.height, shape.rows, look));
        let covers: Vec<[u32; 2]> = across.chain(down).map(|range| [range.start as u32, range.end as u32]).collect();
        let colours = look.colours();
        let turn = |n: usize, shifted: bool| if shifted { (n - n / 2) as u32 } else { 0 };
        let view = ViewUniforms {
            width: frame.width as u32,
            height: frame.height as u32,
            turn_rows: turn(shape.rows, look.shifted && axes.along_columns()),
            turn_columns: turn(shape.columns, look.shifted && axes.along_rows()),
            low: range[0],
            high: range[1],
            reversed_bits: self.reversed_bits(),
            n_colours: LUT_LEN as u32,
            n_hues: look.colormap.n_hues() as u32,
            shows_means: means.into(),
            ..ViewUniforms::new(shape, look)
        };
        let tables = [bytemuck::cast_slice(&covers), bytemuck::cast_slice(&colours)];
        let groups = folded_groups(n_pixels.div_ceil(THREADS), self.device.limits().max_groups);
        let pixels: Vec<[u8; 4]> =
            self.show("an image", &display("render", self.result_ring, self.precision), tables, &view, groups, n_pixels)?;
        Ok(pixels.into_flattened())
    }

    /// The smallest and the largest finite scaled value of the result, `[0, 0]` if none is finite, as [`crate::display::extremes`].
    ///
    /// # Errors
    /// When the shape has another number of values than the result, or the device reports an error.
    pub fn extremes(&self, shape: Shape, look: &Look) -> Result<[f32; 2], GpuError> {
        self.check_shape(shape)?;
        let n_groups = self.outputs.div_ceil(THREADS).clamp(1, EXTREMES_GROUPS);
        let kernel = display("extremes", self.result_ring, self.precision);
        let view = ViewUniforms::new(shape, look);
        let ranges: Vec<[f32; 2]> = self.show("extremes", &kernel, [&[]; 2], &view, [n_groups as u32, 1], n_groups)?;
        let [low, high] = ranges.into_iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], [a, b]| [low.min(a), high.max(b)]);
        Ok(if low <= high { [low, high] } else { [0.0, 0.0] })
    }

    /// Runs a kernel on the result, and brings the `n` values that it writes back.
    fn show<T: Pod + Send + Sync>(
        &self,
        what: &'static str,
        kernel: &Kernel,
        tables: [&[u8]; 2],
        view: &ViewUniforms,
        groups: [u32; 2],
        n: usize,
    ) -> Result<Vec<T>, GpuError> {
        let device: &Device = &self.device;
        let sink = device.array(what, (n * size_of::<T>()) as u64, BufferUsages::STORAGE | BufferUsages::COPY_SRC)?;
        let bindings = Bindings::simple(device, [self.slot(self.result), &sink], tables, bytemuck::bytes_of(view))?;
        device.guarded(|| {
            let pipeline = device.pipelines().get(device.wgpu(), (kernel, bindings.division));
            let mut encoder = device.wgpu().create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(what) });
            bindings.dispatch(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), &pipeline, groups);
            device.read(Some(encoder), &sink, 0, (n, Reserved::default()), |value: T| value, &AtomicBool::new(false))
        })
    }

    fn check_shape(&self, shape: Shape) -> Result<(), GpuError> {
        if shape.len() == self.outputs { Ok(()) } else { Err(GpuError::Length { needed: self.outputs, given: shape.len() }) }
    }
}
