//! The picture of a spectrogram.

use super::super::Failure;
use super::super::arguments::{BandEnds, one_of};
use super::super::signals::{Figures, LookArguments, Recording, Stopped, only_in_pictures, write_picture};
use super::{facts, short};
use crate::display::Colormap;
use crate::engine::filter::sample_spacing;
use crate::figure::{FigureFormat, Raster};
use crate::signal::{Axis, AxisUnit};
use crate::spectra::{
    FrequencyAxis, FrequencyScale, Legend, Method, Pool, Pooled, Quantity, Reference, SpectraError, SpectraJob, TimeAxis, plot_area,
    pooled, spectrogram_figure,
};
use clap::Args;
use std::path::Path;
use std::sync::Arc;

/// How the picture of a spectrogram looks.
#[derive(Debug, Args)]
pub(super) struct PictureArguments {
    /// How a pixel of the picture sums up the power of its frames and bins: max (nothing is missed) or mean [default: max].
    #[arg(long, value_parser = one_of::<Pool>(), ignore_case = true)]
    pool: Option<Pool>,
    /// The colours of the picture: gray, viridis, magma, inferno, plasma, cividis, turbo, cubehelix, … [default: viridis].
    #[arg(long, value_parser = one_of::<Colormap>(), ignore_case = true)]
    colormap: Option<Colormap>,
    /// The frequencies of the picture, as 300Hz..900Hz or 0.1..0.2 cycles per sample [default: all].
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    frequencies: Option<BandEnds>,
    #[command(flatten)]
    look: LookArguments,
}

impl PictureArguments {
    /// Refuses what an output does not have.
    pub(super) fn check(&self, is_picture: bool, method: Method, quantity: Quantity) -> Result<(), Failure> {
        self.look.check(is_picture)?;
        only_in_pictures(
            is_picture,
            &[("pool", self.pool.is_some()), ("colormap", self.colormap.is_some()), ("frequencies", self.frequencies.is_some())],
        )?;
        match () {
            () if is_picture && quantity == Quantity::Phase => {
                Err(Failure::Call("--quantity phase has no picture, as phases are not pooled: write .npy or .csv".into()))
            }
            () if is_picture && method == Method::Reassigned && self.pool.is_some() => {
                Err(Failure::Call("reassigned power adds up in its pixels: leave --pool out".into()))
            }
            () if self.colormap == Some(Colormap::Hue) => Err(Failure::Call("--colormap hue shows phases: take another one".into())),
            () => Ok(()),
        }
    }

    /// The frequencies of the picture.
    fn axis(&self, job: &SpectraJob<'_>, recording: &Recording, method: Method, rows: usize) -> Result<FrequencyAxis, Failure> {
        let usual = if method == Method::Scalogram { FrequencyScale::Log } else { FrequencyScale::default() };
        // A scalogram says itself that it takes real samples.
        let usual = if job.is_complex() { FrequencyScale::Linear } else { usual };
        let scale = self.look.frequency_axis.unwrap_or(usual);
        if scale.is_of_hearing() && recording.rate.unit != Some(AxisUnit::Second) {
            return Err(Failure::Call(format!("--frequency-axis {scale} is in Hz, which these samples do not have: take linear or log")));
        }
        let ends = scale.ends(&job.frames, job.is_complex(), job.rate).ok_or_else(|| {
            Failure::Call(format!("--frequency-axis {scale} has no frequencies below 0, as complex samples have: take linear"))
        })?;
        let Some(BandEnds(band)) = self.frequencies else { return Ok(FrequencyAxis { scale, ends, rows }) };
        let spacing = sample_spacing(None, recording.rate.sampling());
        let [low, high] = band.map(|end| Ok::<_, Failure>(end.cycles(spacing).map_err(SpectraError::from)? * job.rate));
        let (low, high, room) = (low?, high?, 1e-9 * job.rate);
        if low >= high || low < ends[0] - room || high > ends[1] + room {
            let [from, to] = ends.map(short);
            let unit = recording.rate.frequency();
            return Err(Failure::Call(format!("--frequencies takes a lower and a higher one between {from} and {to} {unit}")));
        }
        Ok(FrequencyAxis { scale, ends: [low.max(ends[0]), high.min(ends[1])], rows })
    }
}

/// Draws the spectrogram of a job into a file.
pub(super) fn write(
    arguments: &PictureArguments,
    job: &SpectraJob<'_>,
    (recording, reference): (&Recording, &Reference),
    (method, quantity): (Method, Quantity),
    (to, format): (&Path, FigureFormat),
) -> Result<Figures, Stopped> {
    job.check()?;
    let size = arguments.look.size();
    let corners = plot_area(size, true).ok_or_else(|| Failure::Call("--size is too small for axes: take at least 300x200".into()))?;
    let [columns, rows] = [0, 1].map(|axis| (corners[1][axis] - corners[0][axis]) as usize);
    let axis = arguments.axis(job, recording, method, rows)?;
    let how = (method, arguments.pool.unwrap_or_default());
    let grid = (&TimeAxis::whole(job.samples.len(), columns), &axis);
    let found = pooled(job, how, quantity, grid)?;
    let zero = reference.level_of_square(1.0, quantity, &found.calibration);
    let range = range(&arguments.look, &found, zero);
    let colormap = arguments.colormap.unwrap_or_default();
    let raster = Raster { size: [columns, rows], rgb: Arc::new(coloured(&found, rows, zero, range, colormap)) };
    let facts = facts(recording, job, &found.calibration, (method, quantity, reference));
    let label = reference.label(quantity, recording.rate.frequency());
    let settings: Vec<String> = facts.iter().skip(1).map(|(name, text)| format!("{name} {text}")).collect();
    let pooling = match method {
        Method::Reassigned => "sum of their frames".to_owned(),
        Method::Scalogram => format!("{} of their samples", how.1),
        _ => format!("{} of their frames", how.1),
    };
    let seconds = (recording.rate.unit == Some(AxisUnit::Second)).then(|| Axis::of_rate(recording.rate.per_unit));
    let clock = seconds.as_ref().and_then(|axis| axis.on_clock(job.samples.end));
    let legend = Legend {
        title: format!("{} of {}", method.picture(), recording.signal.name),
        settings: format!("{}; {} to {} {label}; pixels show the {pooling}", settings.join("; "), short(range[0]), short(range[1])),
        across: format!("Time ({})", if clock.is_some() { "h:min:s" } else { recording.rate.unit() }),
        up: format!("Frequency ({})", recording.rate.frequency()),
        values: format!("{} ({label})", quantity.title()),
    };
    let times = [job.samples.start, job.samples.end].map(|sample| sample as f64 / job.rate);
    let figure = spectrogram_figure(size, &legend, raster, ((times, clock), &axis), (range, colormap));
    write_picture(to, &figure, format)?;
    Ok(facts)
}

/// The decibels at both ends of the colours.
fn range(look: &LookArguments, found: &Pooled, zero: f64) -> [f64; 2] {
    let largest = found.largest();
    // Silence has the floor of full scale.
    look.levels(if largest > 0.0 { 10.0 * f64::from(largest).log10() + zero } else { 0.0 }, 0.0)
}

/// The pixels, the top row first. The logarithm is taken once a pixel; what is not a number is gray.
fn coloured(found: &Pooled, rows: usize, zero: f64, range: [f64; 2], colormap: Colormap) -> Vec<u8> {
    let columns = found.columns.len();
    let (lut, range, zero) = (colormap.lut(), range.map(|end| end as f32), zero as f32);
    let mut rgb = vec![0; columns * rows * 3];
    crate::threads::for_each_chunk(&mut rgb, columns * 3, &|row, pixels| {
        for (pixel, column) in pixels.chunks_exact_mut(3).zip(&found.columns) {
            let square = column[rows - 1 - row];
            let colour = if square.is_nan() {
                [128; 3]
            } else {
                let [red, green, blue, _] = lut[Colormap::index(10.0 * square.log10() + zero, range)];
                [red, green, blue]
            };
            pixel.copy_from_slice(&colour);
        }
    });
    rgb
}
