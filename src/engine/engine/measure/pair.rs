//! Two images, or an image and a kernel, for the window: their shift with its correlation, and Wiener deconvolution.

use super::register::{RegistrationWarning, registered, whole_pair};
use super::{ImageSpectrum, check_pair_memory, check_sizes, inverse, real_image};
use crate::display::{Colormap, DisplayFrame, Look, extremes, render};
use crate::engine::{Ask, DeviceChoice, Devices, EngineError, Job, RenderedImage, SharedResult, Study, StudyMailbox};
use crate::measure::{BlurKernel, Shift, wiener};
use crate::numerals::number;
use crate::prepare::Preparation;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Shape};
use num_complex::Complex32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Pixels along the longer side of a rendered image, at most.
const MOST_PIXELS: usize = 1024;

/// A request about the image of a job and another one.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRequest {
    /// The image.
    pub job: Job,
    /// The wanted result.
    pub wanted: PairWanted,
}

/// The results that two images can give.
#[derive(Debug, Clone)]
pub enum PairWanted {
    /// The shift of another image against this one.
    Shift(Arc<Signal>),
    /// The image before it was blurred by a kernel, with the power of the noise as a share of that of the image.
    Deconvolution(Blur, f64),
}

/// The cause of a blur.
#[derive(Debug, Clone)]
pub enum Blur {
    /// A kernel of a known form.
    Kernel(BlurKernel),
    /// An image of the kernel, its middle in its middle.
    Image(Arc<Signal>),
}

impl PartialEq for PairWanted {
    /// Images are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Shift(a), Self::Shift(b)) => Arc::ptr_eq(a, b),
            (Self::Deconvolution(a, noise), Self::Deconvolution(b, other)) => noise == other && a == b,
            _ => false,
        }
    }
}

impl PartialEq for Blur {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Kernel(a), Self::Kernel(b)) => a == b,
            (Self::Image(a), Self::Image(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// An answer: an image to look at, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PairReport {
    /// Rows and columns.
    pub shape: Shape,
    /// The phase correlation with shift 0 in the middle, or the deconvolved image.
    pub image: Arc<RenderedImage>,
    /// The shift, where it was wanted.
    pub shift: Option<Shift>,
    /// Reasons to doubt it.
    pub warnings: Vec<RegistrationWarning>,
    /// The deconvolved samples, where these were wanted.
    pub samples: Option<Arc<Signal>>,
}

impl Ask for PairRequest {}

/// More pixels take longer than a moment.
const MOST_QUICK: usize = 1 << 18;

/// Answers one request after the other; the spectrum of the kernel stays for the next one, as only the noise may change.
#[derive(Default)]
pub struct PairStudy {
    blur: Option<(Blur, Shape, ImageSpectrum)>,
}

/// The spectrum of the whole image of a job, as the other image is whole too.
fn whole(job: &Job) -> Job {
    ImageSpectrum::job(&Job { preparation: Preparation::default(), ..job.clone() })
}

impl Study for PairStudy {
    type Request = PairRequest;
    type Report = Result<PairReport, EngineError>;

    const NAME: &'static str = "two images";

    fn needs(&self, PairRequest { job, wanted }: &PairRequest) -> Result<Vec<Job>, EngineError> {
        match wanted {
            PairWanted::Shift(second) => Ok(whole_pair(job, second)?.into()),
            PairWanted::Deconvolution(..) => {
                check_pair_memory(&job.signal)?;
                real_image(&job.signal, job.channel)?;
                Ok(vec![whole(job)])
            }
        }
    }

    fn is_long(PairRequest { job, .. }: &PairRequest) -> bool {
        job.signal.len() > MOST_QUICK
    }

    fn answer(
        &mut self,
        request: &PairRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        StudyMailbox { devices, cancel, progress, .. }: StudyMailbox<'_>,
    ) -> Self::Report {
        // All cores, so that the GPU stays free for what is shown.
        let job = Job { device: DeviceChoice::CpuParallel, algorithm: None, ..whole(&request.job) };
        let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
        let spectra = results?.into_iter().map(ImageSpectrum::of).collect::<Result<Vec<_>, _>>()?;
        match (&request.wanted, &spectra[..]) {
            (PairWanted::Deconvolution(blur, noise), [image]) => {
                progress("the deconvolution", 0.0);
                let blur = self.blurred_by(&job, blur, shape, devices, cancel)?.to_values();
                let restored = inverse(&job, wiener(&image.to_values(), &blur, *noise), shape, devices, cancel)?;
                let image = Arc::new(rendered(&restored, shape, &Look::of_samples()));
                let channel = Channel::new("gray", Samples::F32(restored.into_iter().map(|sample| sample as f32).collect()));
                let name = format!("{} deconvolved", job.signal.name);
                let samples = Signal::from_channels(name, SignalKind::Image, (shape.rows, shape.columns), vec![channel]);
                Ok(PairReport { shape, image, shift: None, warnings: Vec::new(), samples: Some(Arc::new(samples)) })
            }
            (PairWanted::Shift(second), [a, b]) => {
                progress("the phase correlation", 0.0);
                let found = registered(&job, second, [a, b], devices, cancel)?;
                let look = Look { shifted: true, colormap: Colormap::Viridis, ..Look::of_samples() };
                let image = Arc::new(rendered(&found.correlation, shape, &look));
                Ok(PairReport { shape, image, shift: Some(found.shift), warnings: found.warnings, samples: None })
            }
            _ => unreachable!("a shift needs the spectra of two images, and a deconvolution that of one"),
        }
    }
}

impl PairStudy {
    /// The spectrum of a kernel for the image of a job, unless it is known.
    fn blurred_by(
        &mut self,
        job: &Job,
        blur: &Blur,
        shape: Shape,
        devices: &mut Devices,
        cancel: &AtomicBool,
    ) -> Result<&ImageSpectrum, EngineError> {
        if self.blur.as_ref().is_none_or(|(known, of, _)| known != blur || *of != shape) {
            let kernel = match blur {
                Blur::Kernel(kernel) => {
                    check_kernel(*kernel, &job.signal)?;
                    kernel.samples([shape.rows, shape.columns])
                }
                Blur::Image(image) => {
                    if image.rows > shape.rows || image.columns > shape.columns {
                        check_sizes(&job.signal, image)?;
                    }
                    wrapped(&real_image(image, ChannelChoice::default())?, [image.rows, image.columns], shape)
                }
            };
            let channel = vec![Channel::new("kernel", Samples::F32(kernel))];
            let signal = Arc::new(Signal::from_channels("kernel", SignalKind::Image, (shape.rows, shape.columns), channel));
            let kernel = Job { signal, channel: ChannelChoice::default(), ..job.clone() };
            self.blur = Some((blur.clone(), shape, ImageSpectrum::compute(&kernel, devices, cancel)?));
        }
        let (_, _, spectrum) = self.blur.as_ref().expect("it was computed above");
        Ok(spectrum)
    }
}

/// Refuses a kernel that is wider than the image.
fn check_kernel(kernel: BlurKernel, signal: &Signal) -> Result<(), EngineError> {
    let [width, height] = kernel.extent();
    if width <= signal.columns as f64 && height <= signal.rows as f64 {
        return Ok(());
    }
    let (kernel, size) = (number(width.max(height), 4), signal.kind.size(signal.rows, signal.columns));
    Err(EngineError::LargeKernel { kernel, image: signal.name.clone(), size })
}

/// A kernel in an image of `shape`, its middle at index (0, 0), with sum 1.
fn wrapped(kernel: &[f32], [rows, columns]: [usize; 2], shape: Shape) -> Vec<f32> {
    let sum: f64 = kernel.iter().map(|&sample| f64::from(sample)).sum();
    let scale = if sum == 0.0 { 1.0 } else { 1.0 / sum };
    let mut samples = vec![0.0; shape.len()];
    for (index, &sample) in kernel.iter().enumerate() {
        let row = (index / columns + shape.rows - rows / 2) % shape.rows;
        let column = (index % columns + shape.columns - columns / 2) % shape.columns;
        samples[row * shape.columns + column] = (f64::from(sample) * scale) as f32;
    }
    samples
}

/// The whole of an image of real values.
fn rendered(values: &[f64], shape: Shape, look: &Look) -> RenderedImage {
    let at = |row: usize, column: usize| Complex32::from(values[row * shape.columns + column] as f32);
    let frame = DisplayFrame::within(shape, MOST_PIXELS);
    let range = extremes(at, shape, look);
    let rgba = render(at, shape, Axes::Both, look, range, frame);
    RenderedImage::new(frame, rgba, range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Store, study::asked};
    use crate::measure::BlurKernel;

    fn image(value: impl Fn(f64, f64) -> f64) -> Arc<Signal> {
        let (rows, columns) = (48, 64);
        let samples = (0..rows * columns).map(|i| value((i % columns) as f64, (i / columns) as f64) as f32).collect();
        Arc::new(Signal::from_channels("test", SignalKind::Image, (rows, columns), vec![Channel::new("gray", Samples::F32(samples))]))
    }

    fn samples(signal: &Signal) -> Vec<f32> {
        signal.samples_f32(ChannelChoice::default()).unwrap()
    }

    fn answer(study: &mut PairStudy, signal: &Arc<Signal>, wanted: PairWanted) -> Result<PairReport, EngineError> {
        let request = PairRequest { job: Job::new(signal.clone(), "dft2"), wanted };
        asked(study, &request, &Store::default())
    }

    #[test]
    fn deconvolution_undoes_a_blur_and_its_noise_holds_it_back() {
        let sharp = image(|x, y| f64::from((x - 30.0).abs() < 6.0 && (y - 20.0).abs() < 4.0) + f64::from(x == 50.0 && y == 40.0));
        let kernel = BlurKernel::Disc { radius: 2.5 };
        let weights = kernel.samples([48, 64]);
        let before = samples(&sharp);
        let blurred: Vec<f32> = (0..48 * 64)
            .map(|i| {
                let part = (0..weights.len()).filter(|k| weights[*k] != 0.0);
                let from = |k: usize| (i / 64 + 48 - k / 64) % 48 * 64 + (i % 64 + 64 - k % 64) % 64;
                part.map(|k| weights[k] * before[from(k)]).sum()
            })
            .collect();
        let blurred =
            Arc::new(Signal::from_channels("blurred", SignalKind::Image, (48, 64), vec![Channel::new("gray", Samples::F32(blurred))]));
        let error = |found: &[f32]| found.iter().zip(&before).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt();
        let mut study = PairStudy::default();
        let mut with = |noise: f64| {
            let wanted = PairWanted::Deconvolution(Blur::Kernel(kernel), noise);
            error(&samples(&answer(&mut study, &blurred, wanted).unwrap().samples.unwrap()))
        };
        let (sharpened, held_back, left) = (with(1e-6), with(1e-2), error(&samples(&blurred)));
        assert!(sharpened < 0.5 * held_back && held_back < 0.8 * left, "{sharpened}, {held_back}, {left}");
    }

    #[test]
    fn an_image_of_a_kernel_does_what_its_form_does() {
        let scene = image(|x, y| (x * 0.7).sin() + (y * 0.3).cos() + x * y / 500.0);
        let kernel = BlurKernel::Gauss { sigma: 1.2 };
        let whole = kernel.samples([48, 64]);
        let around = |i: usize| whole[(i / 15 + 48 - 7) % 48 * 64 + (i % 15 + 64 - 7) % 64];
        let small = Signal::from_channels(
            "kernel",
            SignalKind::Image,
            (15, 15),
            vec![Channel::new("gray", Samples::F32((0..225).map(around).collect()))],
        );
        let mut study = PairStudy::default();
        let mut by = |blur: Blur| samples(&answer(&mut study, &scene, PairWanted::Deconvolution(blur, 1e-3)).unwrap().samples.unwrap());
        let (form, picture) = (by(Blur::Kernel(kernel)), by(Blur::Image(Arc::new(small))));
        assert!(form.iter().zip(&picture).all(|(a, b)| (a - b).abs() < 1e-2));
        let large = Arc::new(Signal::from_channels(
            "large",
            SignalKind::Image,
            (49, 64),
            vec![Channel::new("gray", Samples::F32(vec![1.0; 49 * 64]))],
        ));
        let refused = answer(&mut PairStudy::default(), &scene, PairWanted::Deconvolution(Blur::Image(large), 1e-3));
        assert!(matches!(refused, Err(EngineError::Sizes { .. })));
        let wide = Blur::Kernel(BlurKernel::Disc { radius: 24.5 });
        let refused = answer(&mut PairStudy::default(), &scene, PairWanted::Deconvolution(wide, 1e-3)).unwrap_err().to_string();
        assert!(refused.starts_with("the kernel is 49 px wide, and test has 64 × 48 px"), "{refused}");
        let flat = Blur::Kernel(BlurKernel::Motion { length: 60.0, angle: 0.0 });
        assert!(answer(&mut PairStudy::default(), &scene, PairWanted::Deconvolution(flat, 1e-3)).is_ok(), "it is wide, not high");
    }

    #[test]
    fn the_correlation_has_its_peak_at_the_shift() {
        let scene = |x: f64, y: f64| {
            (0..40)
                .map(|k| {
                    let (cx, cy) = (f64::from(k * 17 % 64), f64::from(k * 29 % 48));
                    f64::from(k % 5 + 1) * (-((x - cx).powi(2) + (y - cy).powi(2)) / 6.0).exp()
                })
                .sum::<f64>()
        };
        let found = answer(&mut PairStudy::default(), &image(scene), PairWanted::Shift(image(|x, y| scene(x - 3.0, y + 2.0)))).unwrap();
        let shift = found.shift.unwrap();
        assert!((shift.dx - 3.0).abs() < 0.05 && (shift.dy + 2.0).abs() < 0.05, "{shift:?}");
        let brightest = (0..48 * 64).max_by_key(|i| found.image.rgba[4 * i..4 * i + 3].iter().map(|&c| u32::from(c)).sum::<u32>()).unwrap();
        assert_eq!([brightest % 64, brightest / 64], [35, 22], "shift 0 stands in the middle");
    }
}
