//! Filters for the window: the newest mask over the newest signal, rendered for the part that is visible.
//!
//! The forward transforms and the filtered channels are kept, so that a new view costs no transform, and a new mask one inverse transform a channel. A mask that cuts nothing costs none.

use super::forward::{ForwardSpectra, mask_shape, share};
use super::on_gpu::FilterOnGpu;
use super::shown::{ShownPlanes, mask_image, mask_plot};
use crate::display::DisplayFrame;
use crate::engine::worker::{Ask, Desk, Idle, Progress, Work, Worker};
use crate::engine::{DeviceChoice, Devices, EngineError, PlotData, PlotFrame, RenderedImage};
use crate::fault::caught;
use crate::filter::{Mask, PeriodicSpot};
use crate::prepare::{Preparation, PreparedFacts};
use crate::signal::{ChannelChoice, Signal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What takes longer than the image is computed once no mask has been asked for during this time, so that a drag is not held up.
const REST: Duration = Duration::from_millis(120);

/// What the window asks: a mask over a signal, and how it is shown.
#[derive(Debug, Clone)]
pub struct FilterRequest {
    /// The image or signal.
    pub signal: Arc<Signal>,
    /// The channel; the luminance of a colour image stands for all its colours.
    pub channel: ChannelChoice,
    /// What happens to the samples before the filter, and is undone after it.
    pub preparation: Preparation,
    /// The mask.
    pub mask: Mask,
    /// The device of the way back.
    pub device: DeviceChoice,
    /// The image or mask that is drawn.
    pub shows: FilterView,
    /// The visible part, in pixels of the image or of its spectrum.
    pub frame: Option<DisplayFrame>,
    /// The visible part of a row of a signal, or of the half of its spectrum from frequency 0.
    pub plot: Option<PlotFrame>,
    /// Whether periodic noise is looked for.
    pub finds: bool,
}

/// The image or mask that a pane draws of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub enum FilterView {
    /// The image before the filter.
    Source,
    /// The image after it.
    #[default]
    Result,
    /// The factors, with frequency 0 in the middle.
    Mask,
    /// The image after the filter minus the image before it.
    Difference,
    /// The image before the filter left of this part of its width, and after it to the right; a signal before it behind the one after it.
    Split(f64),
}

/// The answer to a request.
#[derive(Debug, Clone)]
pub struct FilterReport {
    /// The request.
    pub request: FilterRequest,
    /// The answer, or the reason why there is none.
    pub result: Result<FilterShown, EngineError>,
}

/// A filtered image as far as it is visible, and what is known of it.
#[derive(Debug, Clone)]
pub struct FilterShown {
    /// The visible part.
    pub image: Option<Arc<RenderedImage>>,
    /// The visible part of a row of a signal, and one that stands behind it.
    pub plots: Option<Arc<[Option<PlotData>; 2]>>,
    /// The facts of the preparation, and the share of samples that keep their value because the window is near 0 there.
    pub prepared: Option<(PreparedFacts, f64)>,
    /// The energy that is left, as a part of all energy beside that of the means.
    pub energy: f64,
    /// Peak signal-to-noise ratio against the image before in dB, and structural similarity; they come a moment later than the image.
    pub quality: Option<[f64; 2]>,
    /// Samples that are infinite or no numbers.
    pub gaps: usize,
    /// The spots of periodic noise, where they were looked for.
    pub spots: Option<Vec<PeriodicSpot>>,
    /// From the request to the visible part, in milliseconds.
    pub millis: f64,
    /// The name of the GPU that filtered; `None` for the CPU.
    pub adapter: Option<String>,
}

impl PartialEq for FilterRequest {
    /// Two requests are the same when they have the same answer; signals are compared by identity.
    fn eq(&self, other: &Self) -> bool {
        self.has_transform_of(other)
            && (self.shows, self.frame, self.plot, self.finds) == (other.shows, other.frame, other.plot, other.finds)
            && (&self.mask, &self.device) == (&other.mask, &other.device)
    }
}

impl FilterRequest {
    /// Whether both have the same forward transform.
    fn has_transform_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && (self.channel, self.preparation) == (other.channel, other.preparation)
    }

    /// The channels that are filtered: all colours, or the chosen channel.
    pub fn channels(&self) -> Vec<ChannelChoice> {
        match self.channel {
            ChannelChoice::Luma if self.signal.is_colour() => (0..3).map(ChannelChoice::Channel).collect(),
            one => vec![one],
        }
    }
}

impl Ask for FilterRequest {
    /// A mask that moves does not give up the work for the one before, which would leave a drag without a result.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        !self.has_transform_of(newer)
    }
}

/// A thread that answers requests for filtered images.
pub type FilterWorker = Worker<FilterRequest, FilterReport>;

/// Starts the thread; `notify` is called when there is something new to see.
pub fn start_filter_worker(notify: impl Fn() + Send + Sync + 'static) -> FilterWorker {
    Worker::start("filter", FilterStudies::default(), notify)
}

/// Transforms and filtered channels, for later requests about the same signal.
#[derive(Default)]
pub struct FilterStudies {
    /// The newest request.
    known: Option<FilterRequest>,
    /// Made by the first mask that cuts something.
    forward: Option<ForwardSpectra>,
    /// The spectra on a device, and the choice that led there; `None` inside where the CPU goes the way back.
    on_gpu: Option<(DeviceChoice, Option<FilterOnGpu>)>,
    /// The planes after the newest mask, and the device that was chosen for it.
    shown: Option<(Mask, DeviceChoice, ShownPlanes)>,
    devices: Devices,
}

type FilterDesk = Desk<FilterRequest, FilterReport, Progress>;

impl Work<FilterRequest, FilterReport, Progress> for FilterStudies {
    fn answer(&mut self, request: FilterRequest, desk: &FilterDesk) {
        let since = Instant::now();
        if !self.knows(&request) && !request.mask.is_open() {
            desk.set_progress(Some(Progress { label: format!("Filtering {}", request.signal.name), fraction: None, since }));
            desk.notify();
        }
        let result = caught(|| self.show(&request, since, desk.cancel())).unwrap_or_else(|fault| Err(EngineError::Fault { fault }));
        let is_given_up = matches!(result, Err(EngineError::Cancelled)) && desk.has_newer(|_| true);
        if is_given_up {
            return;
        }
        desk.set_progress(None);
        desk.publish(Some(Arc::new(FilterReport { request, result })));
    }

    fn idle(&mut self, rested: bool, desk: &FilterDesk) -> Idle {
        let lacks_quality = |report: &Arc<FilterReport>| matches!(&report.result, Ok(shown) if shown.quality.is_none());
        let Some(report) = desk.latest().filter(lacks_quality) else { return Idle::Sleep };
        if !rested {
            return Idle::Wait(REST);
        }
        if let Ok(shown) = &report.result
            && desk.begin_idle_work()
        {
            match self.quality(desk.cancel()) {
                Ok(quality) => {
                    let (request, result) = (report.request.clone(), Ok(FilterShown { quality: Some(quality), ..shown.clone() }));
                    desk.publish(Some(Arc::new(FilterReport { request, result })));
                }
                Err(EngineError::Cancelled) => {}
                Err(error) => {
                    log::warn!("the filtered image does not come from the GPU: {error}");
                    return Idle::Sleep;
                }
            }
        }
        Idle::Worked
    }

    fn recover(&mut self, _request: Option<FilterRequest>, _fault: String, _desk: &FilterDesk) {
        *self = Self::default();
    }
}

impl FilterStudies {
    /// Whether what is kept belongs to the signal and channel of a request.
    fn knows(&self, request: &FilterRequest) -> bool {
        self.known.as_ref().is_some_and(|known| known.has_transform_of(request))
    }

    /// The forward transforms, computed when they are first needed.
    fn forward(&mut self, request: &FilterRequest, cancel: &AtomicBool) -> Result<&ForwardSpectra, EngineError> {
        if self.forward.is_none() {
            self.forward = Some(ForwardSpectra::new(&request.signal, &request.channels(), &request.preparation, false, cancel)?);
        }
        Ok(self.forward.as_ref().expect("it was computed above"))
    }

    /// Filters and renders.
    ///
    /// # Errors
    /// When the mask makes no sense, the channel does not exist, or `cancel` is raised.
    pub fn show(&mut self, request: &FilterRequest, since: Instant, cancel: &AtomicBool) -> Result<FilterShown, EngineError> {
        if !self.knows(request) {
            let devices = std::mem::take(&mut self.devices);
            *self = Self { known: Some(request.clone()), devices, ..Self::default() };
        }
        if self.shown.as_ref().is_none_or(|(mask, device, _)| (mask, device) != (&request.mask, &request.device)) {
            self.filter(request, cancel)?;
        }
        let spots = if request.finds { Some(self.forward(request, cancel)?.periodic_noise()) } else { None };
        let image = request.frame.map(|frame| self.image(request, frame, cancel)).transpose()?;
        let plots = request.plot.map(|frame| self.plots(request, frame));
        let (_, _, planes) = self.shown.as_ref().expect("it was computed above");
        Ok(FilterShown {
            image: image.map(Arc::new),
            plots: plots.map(Arc::new),
            prepared: self.forward.as_ref().filter(|_| !request.mask.is_open()).and_then(ForwardSpectra::preparation),
            energy: planes.energy,
            quality: planes.known_quality,
            gaps: planes.gaps(),
            spots,
            millis: since.elapsed().as_secs_f64() * 1e3,
            adapter: self.gpu().filter(|_| !request.mask.is_open()).map(|gpu| gpu.adapter.clone()),
        })
    }

    /// The filter on a GPU, where there is one.
    fn gpu(&self) -> Option<&FilterOnGpu> {
        self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref())
    }

    /// The channels after the mask of a request: on a GPU, or here where that fails.
    fn filter(&mut self, request: &FilterRequest, cancel: &AtomicBool) -> Result<(), EngineError> {
        let before = match self.shown.take() {
            Some((_, _, known)) => known.into_before(),
            None => ShownPlanes::before_of(&request.signal, &request.channels())?,
        };
        let planes = if request.mask.is_open() {
            ShownPlanes::open(&request.signal, before)
        } else if let Some(energy) = self.filter_on_gpu(request, cancel)? {
            ShownPlanes::on_gpu(&request.signal, before, energy)
        } else {
            ShownPlanes::new(&request.signal, before, self.forward(request, cancel)?.filtered(&request.mask, None, cancel)?)
        };
        self.shown = Some((request.mask.clone(), request.device.clone(), planes));
        Ok(())
    }

    /// Brings the factors of a mask to the GPU, and gives the energy that they leave; `None` where the CPU has to filter.
    fn filter_on_gpu(&mut self, request: &FilterRequest, cancel: &AtomicBool) -> Result<Option<f64>, EngineError> {
        self.forward(request, cancel)?;
        let Some(forward) = &self.forward else { return Ok(None) };
        if self.on_gpu.as_ref().is_none_or(|(choice, _)| *choice != request.device) {
            // The old buffers are freed first.
            self.on_gpu = None;
            let gpu = match FilterOnGpu::new(forward, &mut self.devices, &request.device, cancel) {
                Err(EngineError::Gpu(error)) => {
                    log::warn!("the CPU filters: {error}");
                    None
                }
                gpu => gpu?,
            };
            self.on_gpu = Some((request.device.clone(), gpu));
        }
        let Some(gpu) = self.gpu() else { return Ok(None) };
        let (factors, energies) = forward.factors(&request.mask, None)?;
        match gpu.set_factors(&factors, cancel) {
            Err(EngineError::Gpu(error)) => {
                self.give_up(&error.to_string());
                Ok(None)
            }
            done => done.map(|()| Some(share(energies.into_iter()))),
        }
    }

    /// Leaves a GPU that failed.
    fn give_up(&mut self, reason: &str) {
        log::warn!("the CPU filters: {reason}");
        self.devices.close(true);
        self.on_gpu = self.on_gpu.take().map(|(choice, _)| (choice, None));
    }

    /// The visible part.
    fn image(&mut self, request: &FilterRequest, frame: DisplayFrame, cancel: &AtomicBool) -> Result<RenderedImage, EngineError> {
        if request.shows == FilterView::Mask {
            return Ok(mask_image(&request.mask, mask_shape(&request.signal, &request.preparation), frame));
        }
        if let Some(image) = self.image_of_gpu(request, frame, cancel)? {
            return Ok(image);
        }
        let (_, _, planes) = self.shown.as_ref().expect("it was computed before");
        Ok(planes.image(request.shows, frame))
    }

    /// The visible part of a row: the samples or factors, and what stands behind them. Only images are filtered on a GPU.
    fn plots(&self, request: &FilterRequest, frame: PlotFrame) -> [Option<PlotData>; 2] {
        match (request.shows, &self.shown) {
            (FilterView::Mask, _) => [Some(mask_plot(&request.mask, mask_shape(&request.signal, &request.preparation), frame)), None],
            (shows, Some((_, _, planes))) => planes.plots(shows, frame),
            (_, None) => [None, None],
        }
    }

    /// The visible part from a GPU; `None` where the channels are here, or have come here for a difference, or because the GPU failed.
    fn image_of_gpu(
        &mut self,
        request: &FilterRequest,
        frame: DisplayFrame,
        cancel: &AtomicBool,
    ) -> Result<Option<RenderedImage>, EngineError> {
        let gpu = self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref());
        let (Some(gpu), Some((_, _, planes))) = (gpu, &mut self.shown) else { return Ok(None) };
        if planes.is_here() || request.shows == FilterView::Source {
            return Ok(None);
        }
        let range = planes.range();
        let forward = self.forward.as_ref().ok_or(EngineError::Cancelled)?;
        let done = match request.shows {
            FilterView::Result if forward.preparation().is_none() => gpu.image(range, frame, cancel).map(Some),
            _ => planes.bring(|| gpu.planes(forward, cancel)).map(|()| None),
        };
        match done {
            Err(EngineError::Gpu(error)) => {
                self.give_up(&error.to_string());
                self.filter(request, cancel)?;
                Ok(None)
            }
            done => done,
        }
    }

    /// PSNR in dB and SSIM of the newest mask.
    fn quality(&mut self, cancel: &AtomicBool) -> Result<[f64; 2], EngineError> {
        let gpu = self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref());
        let (_, _, planes) = self.shown.as_mut().ok_or(EngineError::Cancelled)?;
        if let (Some(gpu), Some(forward)) = (gpu, &self.forward) {
            planes.bring(|| gpu.planes(forward, cancel))?;
        }
        Ok(planes.quality())
    }
}

#[cfg(test)]
mod tests;
