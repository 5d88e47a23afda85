//! The way back of a filter on a GPU: a plan whose spectra stay there, so that only factors go to it and pixels come from it.

use super::back::{Factors, FilteredPlane};
use super::forward::{ChannelSpectrum, ForwardSpectra};
use crate::display::{DisplayFrame, Look};
use crate::engine::rendering::readable;
use crate::engine::{Backend, DeviceChoice, Devices, EngineError, RenderedImage};
use crate::filter::{Mask, MaskTable};
use crate::gpu::{Inputs, fastest};
use crate::signal::Samples;
use crate::transforms::filtering::way_back;
use crate::transforms::{Axes, Shape};
use std::sync::atomic::AtomicBool;

/// The channels of an image on a GPU, after the newest mask.
pub(super) struct FilterOnGpu {
    /// The plan of the way back, with the spectrum of a channel and the factors in each input.
    inputs: Inputs,
    shape: Shape,
    /// The name of the adapter.
    pub(super) adapter: String,
}

impl ForwardSpectra {
    /// The channels after a mask and a table of factors, as [`Self::filtered`] gives them, with the way back on a GPU, and its name.
    /// `None` where the device is the CPU, and for what no GPU takes: signals, complex samples, double precision, and samples that are not numbers.
    ///
    /// # Errors
    /// When the mask makes no sense, the device reports an error, or `cancel` is raised.
    pub fn filtered_on_gpu(
        &self,
        (mask, table): (&Mask, Option<&MaskTable>),
        devices: &mut Devices,
        choice: &DeviceChoice,
        cancel: &AtomicBool,
    ) -> Result<Option<(Vec<FilteredPlane>, String)>, EngineError> {
        let Some(gpu) = FilterOnGpu::new(self, devices, choice, cancel)? else { return Ok(None) };
        let Factors { values, energies } = self.factors(mask, table)?;
        gpu.set_factors(&values, cancel)?;
        let planes = gpu.planes(self, cancel)?.into_iter().zip(energies);
        let planes = planes.map(|(samples, energies)| FilteredPlane { samples: Samples::F32(samples), energies }).collect();
        Ok(Some((planes, gpu.adapter)))
    }
}

impl FilterOnGpu {
    /// Brings spectra to the device of this choice; `None` where that is the CPU, or where no plan takes the image.
    ///
    /// # Errors
    /// When the device reports an error, or `cancel` was raised.
    pub(super) fn new(
        forward: &ForwardSpectra,
        devices: &mut Devices,
        choice: &DeviceChoice,
        cancel: &AtomicBool,
    ) -> Result<Option<Self>, EngineError> {
        let is_taken = forward.axes == Axes::Both && forward.is_half && forward.gaps() == 0;
        let spectra: Option<Vec<_>> = forward.spectra.iter().map(ChannelSpectrum::single).collect();
        let (Some(spectra), Ok(plan)) = (spectra.filter(|_| is_taken), way_back(forward.shape)) else { return Ok(None) };
        let (Backend::Gpu(device), _) = devices.backend(choice)? else { return Ok(None) };
        // The factors are behind the spectrum.
        let (schedule, factors) = (fastest(&plan, device.limits()), plan.inputs / 2..plan.inputs);
        let inputs = device.prepare_inputs(&plan, &schedule, spectra.len(), factors, forward.shape.len())?;
        spectra.iter().enumerate().try_for_each(|(channel, values)| inputs.write(channel, values, cancel))?;
        Ok(Some(Self { inputs, shape: forward.shape, adapter: device.info().name.clone() }))
    }

    /// Takes the factors of a mask, one a value of half a spectrum.
    pub(super) fn set_factors(&self, factors: &[f32], cancel: &AtomicBool) -> Result<(), EngineError> {
        Ok(self.inputs.write_reals(factors, cancel)?)
    }

    /// The visible part, in gray or in colour; `range` are the values of black and white.
    pub(super) fn image(&self, range: [f32; 2], frame: DisplayFrame, cancel: &AtomicBool) -> Result<RenderedImage, EngineError> {
        let (shape, n_channels) = (self.shape, self.inputs.len());
        let mut image = RenderedImage::new(frame, Vec::new(), range);
        for k in 0..n_channels {
            let channel = self.inputs.run(k, cancel)?;
            let gray = channel.mean_image(shape, &Look::of_samples(), range, frame)?;
            match k {
                0 => image.rgba = gray,
                _ => image.rgba.chunks_exact_mut(4).zip(gray.chunks_exact(4)).for_each(|(pixel, gray)| pixel[k] = gray[0]),
            }
            let Some([rows, columns]) = readable(frame, shape) else { continue };
            let lines = channel.download_range(rows.start * shape.columns..rows.end * shape.columns, cancel)?;
            image.values.resize(n_channels * frame.width * frame.height, 0.0);
            let seen = lines.chunks_exact(shape.columns).flat_map(|line| &line[columns.clone()]);
            image.values.iter_mut().skip(k).step_by(n_channels).zip(seen).for_each(|(value, seen)| *value = seen.re);
        }
        Ok(image)
    }

    /// The samples of every channel, after a preparation brought back from it.
    pub(super) fn planes(&self, forward: &ForwardSpectra, cancel: &AtomicBool) -> Result<Vec<Vec<f32>>, EngineError> {
        let plane = |k: usize| {
            let back = self.inputs.run(k, cancel)?.download(cancel)?.into_iter().map(|value| value.re).collect();
            Ok(forward.restored(k, Samples::F32(back))?.to_f32())
        };
        (0..self.inputs.len()).map(plane).collect()
    }
}
