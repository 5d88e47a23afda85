//! Filtered samples in the type of the samples that were read.

use super::back::fill;
use super::forward::{Filtered, ForwardSpectra, mask_shape};
use super::painted::PaintedMask;
use crate::engine::{DeviceChoice, Devices, EngineError, SharedResult};
use crate::filter::{Mask, MaskRows};
use crate::prepare::Preparation;
use crate::signal::{Channel, ChannelChoice, OutputFormat, Samples, Signal};
use crate::threads;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Samples in the type of a file, and how many of them had to be clamped.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounded {
    /// The samples.
    pub samples: Samples,
    /// Samples below 0 or above full scale, which became these; a sample that is not a number becomes 0 and counts.
    pub clamped: usize,
}

/// Rounds samples to the 8 or 16 bits of the samples before the filter; all others stay as they are.
pub fn rounded_to_type(samples: Samples, before: &Samples) -> Rounded {
    let values = match before {
        Samples::U8(_) | Samples::U16(_) => samples.to_f64(),
        _ => return Rounded { samples, clamped: 0 },
    };
    let most = if matches!(before, Samples::U8(_)) { f64::from(u8::MAX) } else { f64::from(u16::MAX) };
    let clamped = threads::count(&values, |value| !(0.0..=most).contains(&(value.round() + 0.0)));
    // `as` rounds towards 0, ends at the limits of the type, and makes 0 of what is not a number.
    let samples = match before {
        Samples::U8(_) => Samples::U8(threads::convert(&values, |value| value.round() as u8)),
        _ => Samples::U16(threads::convert(&values, |value| value.round() as u16)),
    };
    Rounded { samples, clamped }
}

/// The factors of a mask and of an image for the spectrum of a prepared signal, as the second signal of [`filtering`](crate::transforms::filtering): an image, or one row.
///
/// # Errors
/// When the mask makes no sense, or the image cannot be read.
pub fn factors_signal(signal: &Signal, preparation: &Preparation, (mask, painted): (&Mask, Option<&Path>)) -> Result<Signal, EngineError> {
    let shape = mask_shape(signal, preparation);
    mask.check(shape.rows == 1)?;
    let painted = painted.map(|path| PaintedMask::read(path, shape)).transpose()?;
    let (rows, mut factors) = (MaskRows::new(mask, shape), vec![0.0_f32; shape.len()]);
    threads::for_each_chunk(&mut factors, shape.columns, &|row, line| {
        let mut own = vec![1.0; shape.columns];
        fill(&rows, painted.as_ref().map(|painted| &painted.table), row, &mut own);
        line.iter_mut().zip(own).for_each(|(factor, own)| *factor = own as f32);
    });
    let channel = Channel::new("factor", Samples::F32(factors));
    Ok(Signal::from_channels("Factors of the mask", signal.kind, (shape.rows, shape.columns), vec![channel]))
}

/// All channels of a signal after a mask and the factors of an image, in a type that a format holds.
///
/// # Errors
/// When the mask or the preparation makes no sense.
pub fn filtered_signal(
    signal: &Arc<Signal>,
    preparation: &Preparation,
    (mask, painted): (&Mask, Option<&Path>),
    format: &OutputFormat,
) -> Result<Signal, EngineError> {
    let channels: Vec<ChannelChoice> = (0..signal.channels.len()).map(ChannelChoice::Channel).collect();
    let go_on = AtomicBool::new(false);
    let painted = painted.map(|path| PaintedMask::read(path, mask_shape(signal, preparation))).transpose()?;
    let table = painted.as_ref().map(|painted| &painted.table);
    let device = DeviceChoice::CpuParallel;
    let asked = Filtered { signal: signal.clone(), channels, preparation: *preparation, double: signal.is_double(), device };
    let mut devices = Devices::default();
    let forward = ForwardSpectra::new(&asked, |job| SharedResult::compute(job, &mut devices, &go_on), &go_on)?;
    let planes = forward.filtered(mask, table, &go_on)?;
    let typed = |(channel, plane): (&Channel, super::FilteredPlane)| {
        let samples = if format.holds.reals { plane.samples } else { rounded_to_type(plane.samples, &channel.samples).samples };
        Channel::new(channel.name.clone(), samples)
    };
    let channels = signal.channels.iter().zip(planes).map(typed).collect();
    let result = Signal::from_channels(signal.name.clone(), signal.kind, (signal.rows, signal.columns), channels);
    Ok(result.with_axis_of(signal, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_colours_are_filtered_in_the_type_of_the_format() {
        let colour = |by: usize| Samples::U8((0..48).map(|i| (i * by % 200) as u8).collect());
        let channels: Vec<Channel> = [("red", 3), ("green", 5), ("blue", 7)].map(|(name, by)| Channel::new(name, colour(by))).into();
        let image = Arc::new(Signal::from_channels("photo", crate::signal::SignalKind::Image, (6, 8), channels.clone()));
        let of = |ending: &str| {
            filtered_signal(&image, &Preparation::default(), (&Mask::default(), None), OutputFormat::of_ending(ending).unwrap()).unwrap()
        };
        assert_eq!(of("png").channels, channels, "an empty mask changes nothing");
        let values = of("tiff");
        assert!(values.channels.iter().all(|channel| matches!(channel.samples, Samples::F32(_))));
        assert!((values.channels[1].samples.to_f64()[7] - 35.0).abs() < 1e-4);
    }

    #[test]
    fn values_beyond_the_type_are_clamped_and_counted() {
        let values = Samples::F32(vec![-0.4, -0.6, 12.5, 255.4, 255.6, f32::NAN]);
        let found = rounded_to_type(values.clone(), &Samples::U8(Vec::new()));
        assert_eq!(found, Rounded { samples: Samples::U8(vec![0, 0, 13, 255, 255, 0]), clamped: 3 });
        assert_eq!(rounded_to_type(values.clone(), &Samples::U16(Vec::new())).clamped, 2);
        assert_eq!(rounded_to_type(values.clone(), &Samples::F32(Vec::new())).clamped, 0);
    }
}
