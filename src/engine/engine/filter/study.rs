//! Filters for the window: the newest mask over the newest signal, rendered for the part that is visible.
//!
//! The forward transforms and the filtered channels are kept, so that a new view costs no transform, and a new mask one inverse transform a channel. A mask that cuts nothing costs none.

use super::forward::{ForwardSpectra, mask_shape, share};
use super::on_gpu::FilterOnGpu;
use super::painted::{PaintedMask, kept_or_read};
use super::request::{FilterRequest, FilterView};
use super::shown::{ShownPlanes, mask_image, mask_plot};
use crate::display::{DisplayFrame, ImageRect};
use crate::engine::worker::{Idle, Mailbox, Progress, Work, Worker};
use crate::engine::{DeviceChoice, Devices, EngineError, PlotData, PlotFrame, RenderedImage, Store};
use crate::fault::caught;
use crate::filter::{Mask, MaskTable, PeriodicSpot};
use crate::prepare::PreparedFacts;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What takes longer than the image is computed once no mask has been asked for during this time, so that a drag is not held up.
const REST: Duration = Duration::from_millis(120);

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
    /// The part of a painted mask that is symmetric, from 0 to 1; drawn shapes are symmetric by their mates.
    pub symmetric: Option<f64>,
    /// The pixel that was asked for.
    pub probe: Option<FilterProbe>,
    /// From the request to the visible part, in milliseconds.
    pub millis: f64,
    /// The name of the GPU that filtered; `None` for the CPU.
    pub adapter: Option<String>,
}

/// The values of a pixel: one, or three colours.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterProbe {
    /// Column and row.
    pub at: [usize; 2],
    /// What the view shows there.
    pub values: Vec<f32>,
    /// The image before the filter, where the view shows the image.
    pub before: Vec<f32>,
}

/// A thread that answers requests for filtered images.
pub type FilterWorker = Worker<FilterRequest, FilterReport>;

/// Starts the thread, which takes the spectrum that is shown from a store; `notify` is called when there is something new to see.
pub fn start_filter_worker(store: Store, notify: impl Fn() + Send + Sync + 'static) -> FilterWorker {
    Worker::start("filter", FilterStudies::sharing(store), notify)
}

/// Transforms and filtered channels, for later requests about the same signal.
#[derive(Default)]
pub struct FilterStudies {
    store: Store,
    /// The newest request.
    known: Option<FilterRequest>,
    /// Made by the first mask that cuts something.
    forward: Option<ForwardSpectra>,
    /// The spectra on a device, and the choice that led there; `None` inside where the CPU goes the way back.
    on_gpu: Option<(DeviceChoice, Option<FilterOnGpu>)>,
    /// The painted mask of the newest request.
    painted: Option<Arc<PaintedMask>>,
    /// The planes after the newest mask.
    shown: Option<(FilteredBy, ShownPlanes)>,
    /// The visible part of these planes that was rendered last.
    rendered: Option<(FilterView, DisplayFrame, Arc<RenderedImage>)>,
    devices: Devices,
}

/// What planes were filtered by.
struct FilteredBy {
    mask: Mask,
    painted: Option<Arc<PaintedMask>>,
    device: DeviceChoice,
}

impl FilteredBy {
    fn is_of(&self, request: &FilterRequest, painted: Option<&Arc<PaintedMask>>) -> bool {
        let is_painted_alike = self.painted.as_ref().map(Arc::as_ptr) == painted.map(Arc::as_ptr);
        is_painted_alike && (&self.mask, &self.device) == (&request.mask, &request.device)
    }
}

type FilterMailbox = Mailbox<FilterRequest, FilterReport, Progress>;

impl Work<FilterRequest, FilterReport, Progress> for FilterStudies {
    fn answer(&mut self, request: FilterRequest, mailbox: &FilterMailbox) {
        let since = Instant::now();
        if !self.knows(&request) && !request.is_open() {
            mailbox.set_progress(Some(Progress { label: format!("Filtering {}", request.signal.name), fraction: None, since }));
            mailbox.notify();
        }
        let result = caught(|| self.show(&request, since, mailbox.cancel())).unwrap_or_else(|fault| Err(EngineError::Fault { fault }));
        let is_given_up = matches!(result, Err(EngineError::Cancelled)) && mailbox.has_newer(|_| true);
        if is_given_up {
            return;
        }
        mailbox.set_progress(None);
        mailbox.publish(Some(Arc::new(FilterReport { request, result })));
    }

    fn idle(&mut self, rested: bool, mailbox: &FilterMailbox) -> Idle {
        let lacks_quality = |report: &Arc<FilterReport>| matches!(&report.result, Ok(shown) if shown.quality.is_none());
        let Some(report) = mailbox.latest().filter(lacks_quality) else { return Idle::Sleep };
        if !rested {
            return Idle::Wait(REST);
        }
        if let Ok(shown) = &report.result
            && mailbox.begin_idle_work()
        {
            match self.quality(mailbox.cancel()) {
                Ok(quality) => {
                    let (request, result) = (report.request.clone(), Ok(FilterShown { quality: Some(quality), ..shown.clone() }));
                    mailbox.publish(Some(Arc::new(FilterReport { request, result })));
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

    fn recover(&mut self, _request: Option<FilterRequest>, _fault: String, _desk: &FilterMailbox) {
        *self = Self::sharing(self.store.clone());
    }
}

impl FilterStudies {
    /// Studies that take the spectrum that is shown from a store.
    fn sharing(store: Store) -> Self {
        Self { store, ..Self::default() }
    }

    /// Whether what is kept belongs to the signal and channel of a request.
    fn knows(&self, request: &FilterRequest) -> bool {
        self.known.as_ref().is_some_and(|known| known.has_transform_of(request))
    }

    /// The forward transforms, computed when they are first needed.
    fn forward(&mut self, request: &FilterRequest, cancel: &AtomicBool) -> Result<&ForwardSpectra, EngineError> {
        if self.forward.is_none() {
            let (signal, preparation) = (&request.signal, &request.preparation);
            let of_shown = |job| Ok::<_, EngineError>(ForwardSpectra::of_result(job, &self.store.result(job, &mut self.devices, cancel)?));
            self.forward = match request.spectrum().map(of_shown).transpose()?.flatten() {
                Some(forward) => Some(forward),
                None => {
                    self.store.count_run();
                    Some(ForwardSpectra::new(signal, &request.channels(), preparation, false, cancel)?)
                }
            };
        }
        Ok(self.forward.as_ref().expect("it was computed above"))
    }

    /// Filters and renders.
    ///
    /// # Errors
    /// When the mask makes no sense, the channel does not exist, or `cancel` is raised.
    pub fn show(&mut self, request: &FilterRequest, since: Instant, cancel: &AtomicBool) -> Result<FilterShown, EngineError> {
        if !self.knows(request) {
            let (store, devices) = (self.store.clone(), std::mem::take(&mut self.devices));
            *self = Self { known: Some(request.clone()), store, devices, ..Self::default() };
        }
        let shape = mask_shape(&request.signal, &request.preparation);
        self.painted = request.painted.as_ref().map(|path| kept_or_read(self.painted.as_ref(), path, shape)).transpose()?;
        if !self.shown.as_ref().is_some_and(|(by, _)| by.is_of(request, self.painted.as_ref())) {
            self.rendered = None;
            self.filter(request, cancel)?;
        }
        let spots = if request.finds { Some(self.forward(request, cancel)?.periodic_noise()) } else { None };
        let image = request.frame.map(|frame| self.rendered(request, frame, cancel)).transpose()?;
        let probe = request.probe.map(|at| self.probe(request, at, cancel)).transpose()?;
        let plots = request.plot.map(|frame| self.plots(request, frame));
        let (_, planes) = self.shown.as_ref().expect("it was computed above");
        Ok(FilterShown {
            image,
            plots: plots.map(Arc::new),
            prepared: self.forward.as_ref().filter(|_| !request.is_open()).and_then(ForwardSpectra::preparation),
            energy: planes.energy,
            quality: planes.known_quality,
            gaps: planes.gaps(),
            spots,
            symmetric: self.painted.as_ref().map(|painted| painted.symmetric),
            probe,
            millis: since.elapsed().as_secs_f64() * 1e3,
            adapter: self.gpu().filter(|_| !request.is_open()).map(|gpu| gpu.adapter.clone()),
        })
    }

    /// The filter on a GPU, where there is one.
    fn gpu(&self) -> Option<&FilterOnGpu> {
        self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref())
    }

    /// The channels after the mask of a request: on a GPU, or here where that fails.
    fn filter(&mut self, request: &FilterRequest, cancel: &AtomicBool) -> Result<(), EngineError> {
        let before = match self.shown.take() {
            Some((_, known)) => known.into_before(),
            None => ShownPlanes::before_of(&request.signal, &request.channels())?,
        };
        let planes = if request.is_open() {
            ShownPlanes::open(&request.signal, before)
        } else if let Some(energy) = self.filter_on_gpu(request, cancel)? {
            ShownPlanes::on_gpu(&request.signal, before, energy)
        } else {
            let painted = self.painted.clone();
            let table = painted.as_ref().map(|painted| &painted.table);
            ShownPlanes::new(&request.signal, before, self.forward(request, cancel)?.filtered(&request.mask, table, cancel)?)
        };
        let by = FilteredBy { mask: request.mask.clone(), painted: self.painted.clone(), device: request.device.clone() };
        self.shown = Some((by, planes));
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
        let (factors, energies) = forward.factors(&request.mask, self.table())?;
        match gpu.set_factors(&factors, cancel) {
            Err(EngineError::Gpu(error)) => {
                self.give_up(&error.into());
                Ok(None)
            }
            done => done.map(|()| Some(share(energies.into_iter()))),
        }
    }

    /// Leaves a GPU that failed.
    fn give_up(&mut self, error: &EngineError) {
        log::warn!("the CPU filters: {error}");
        self.devices.close(error, true);
        self.on_gpu = self.on_gpu.take().map(|(choice, _)| (choice, None));
    }

    /// The painted factors.
    fn table(&self) -> Option<&MaskTable> {
        self.painted.as_ref().map(|painted| &painted.table)
    }

    /// The visible part, rendered anew where something else was rendered last.
    fn rendered(&mut self, request: &FilterRequest, frame: DisplayFrame, cancel: &AtomicBool) -> Result<Arc<RenderedImage>, EngineError> {
        if let Some((shows, of, image)) = &self.rendered
            && (*shows, *of) == (request.shows, frame)
        {
            return Ok(image.clone());
        }
        let image = Arc::new(self.image(request, frame, cancel)?);
        self.rendered = Some((request.shows, frame, image.clone()));
        Ok(image)
    }

    /// The values of a pixel: it is rendered alone.
    fn probe(&mut self, request: &FilterRequest, at: [usize; 2], cancel: &AtomicBool) -> Result<FilterProbe, EngineError> {
        let rect = ImageRect { left: at[0] as f64, top: at[1] as f64, width: 1.0, height: 1.0 };
        let values = self.image(request, DisplayFrame { rect, width: 1, height: 1 }, cancel)?.values;
        let is_image = !matches!(request.shows, FilterView::Mask | FilterView::Difference);
        let before = self.shown.as_ref().filter(|_| is_image).map_or_else(Vec::new, |(_, planes)| planes.before_at(at));
        Ok(FilterProbe { at, values, before })
    }

    /// The visible part.
    fn image(&mut self, request: &FilterRequest, frame: DisplayFrame, cancel: &AtomicBool) -> Result<RenderedImage, EngineError> {
        if request.shows == FilterView::Mask {
            return Ok(mask_image((&request.mask, self.table()), mask_shape(&request.signal, &request.preparation), frame));
        }
        if let Some(image) = self.image_of_gpu(request, frame, cancel)? {
            return Ok(image);
        }
        let (_, planes) = self.shown.as_ref().expect("it was computed before");
        Ok(planes.image(request.shows, frame))
    }

    /// The visible part of a row: the samples or factors, and what stands behind them. Only images are filtered on a GPU.
    fn plots(&self, request: &FilterRequest, frame: PlotFrame) -> [Option<PlotData>; 2] {
        match (request.shows, &self.shown) {
            (FilterView::Mask, _) => {
                [Some(mask_plot((&request.mask, self.table()), mask_shape(&request.signal, &request.preparation), frame)), None]
            }
            (shows, Some((_, planes))) => planes.plots(shows, frame),
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
        let (Some(gpu), Some((_, planes))) = (gpu, &mut self.shown) else { return Ok(None) };
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
                self.give_up(&error.into());
                self.filter(request, cancel)?;
                Ok(None)
            }
            done => done,
        }
    }

    /// PSNR in dB and SSIM of the newest mask.
    fn quality(&mut self, cancel: &AtomicBool) -> Result<[f64; 2], EngineError> {
        let gpu = self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref());
        let (_, planes) = self.shown.as_mut().ok_or(EngineError::Cancelled)?;
        if let (Some(gpu), Some(forward)) = (gpu, &self.forward) {
            planes.bring(|| gpu.planes(forward, cancel))?;
        }
        Ok(planes.quality())
    }
}

#[cfg(test)]
mod tests;
