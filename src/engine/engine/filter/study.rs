//! Filters for the window: the newest mask over the newest signal, rendered for the part that is visible.
//!
//! The spectra and the filtered channels are kept, so that a new view costs no transform, and a new mask the way back of each channel. A mask that cuts nothing costs none.

use super::back::{Factors, share};
use super::forward::{ForwardSpectra, mask_shape};
use super::on_gpu::FilterOnGpu;
use super::painted::{PaintedMask, kept_or_read};
use super::request::{FilterRequest, FilterView};
use super::shown::{Before, ShownPlanes, mask_image, mask_plot};
use crate::display::{DisplayFrame, ImageRect};
use crate::engine::{DeviceChoice, EngineError, Job, PlotData, PlotFrame, RenderedImage, SharedResult, Study, StudyMailbox};
use crate::filter::{Mask, MaskTable, PeriodicSpot};
use crate::prepare::PreparedFacts;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A filtered image as far as it is visible, and what is known of it.
#[derive(Debug, Clone)]
pub struct FilterShown {
    /// The visible part.
    pub image: Option<Arc<RenderedImage>>,
    /// The visible part of a row of a signal, and one that is behind it.
    pub plots: Option<Arc<[Option<PlotData>; 2]>>,
    /// The facts of the preparation, and the share of samples that keep their value because the window is near 0 there.
    pub prepared: Option<(PreparedFacts, f64)>,
    /// The energy that is left, as a part of all energy beside that of the means.
    pub energy: f64,
    /// Peak signal-to-noise ratio against the image before in dB, and structural similarity, once they were asked for.
    pub quality: Option<[f64; 2]>,
    /// Samples that are infinite or no numbers.
    pub gaps: usize,
    /// The spots of periodic noise, where they were looked for.
    pub spots: Option<Vec<PeriodicSpot>>,
    /// The part of a painted mask that is symmetric, from 0 to 1; drawn shapes are symmetric by their mates.
    pub symmetric: Option<f64>,
    /// The pixel that was asked for.
    pub probe: Option<FilterProbe>,
    /// The time of the mask and the way back; `None` where the mask cuts nothing, so that nothing was computed.
    pub timed: Option<FilterTime>,
}

/// How long a mask took, from the spectra of all channels to samples, on a GPU with the picture of them; the transforms before it do not count.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterTime {
    /// In µs.
    pub micros: f64,
    /// The name of the GPU that filtered; `None` for the CPU.
    pub adapter: Option<String>,
}

/// The values of a pixel: one, or three colours.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterProbe {
    /// Column and row.
    pub at: [usize; 2],
    /// The shown part.
    pub values: Vec<f32>,
    /// The image before the filter, where the view shows the image.
    pub before: Vec<f32>,
}

/// Spectra and filtered channels, for later requests about the same signal.
#[derive(Default)]
pub struct FilterStudy {
    /// The newest request.
    known: Option<FilterRequest>,
    /// Taken by the first mask that cuts something.
    forward: Option<ForwardSpectra>,
    /// The spectra on a device, and the choice that led there; `None` inside where the CPU goes the way back.
    on_gpu: Option<(DeviceChoice, Option<FilterOnGpu>)>,
    /// The painted mask of the newest request.
    painted: Option<Arc<PaintedMask>>,
    /// The planes after the newest mask.
    shown: Option<(FilteredBy, ShownPlanes)>,
    /// The time of the newest mask.
    timed: Option<FilterTime>,
    /// Whether the way back from the newest mask has yet to run on a GPU.
    goes_back: bool,
    /// The visible part of these planes that was rendered last.
    rendered: Option<(FilterView, DisplayFrame, Arc<RenderedImage>)>,
}

/// The filter that made the planes.
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

impl Study for FilterStudy {
    type Request = FilterRequest;
    type Report = Result<FilterShown, EngineError>;

    const NAME: &'static str = "filter";

    /// The spectra, once a mask cuts something.
    fn needs(&self, request: &FilterRequest) -> Result<Vec<Job>, EngineError> {
        let has_spectra = self.forward.is_some() && self.knows(request);
        if has_spectra || (request.is_open() && !request.finds) {
            return Ok(Vec::new());
        }
        Ok(request.jobs()?.unwrap_or_default())
    }

    fn answer(
        &mut self,
        request: &FilterRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        mut mailbox: StudyMailbox<'_>,
    ) -> Self::Report {
        if !self.knows(request) {
            *self = Self { known: Some(request.clone()), ..Self::default() };
        }
        let results = results?;
        if !results.is_empty() {
            self.forward = Some(ForwardSpectra::of_results(&request.filtered(), &results));
        }
        self.show(request, &mut mailbox)
    }
}

impl FilterStudy {
    /// Whether what is kept belongs to the signal and channel of a request.
    fn knows(&self, request: &FilterRequest) -> bool {
        self.known.as_ref().is_some_and(|known| known.has_transform_of(request))
    }

    /// The spectra; those of mended samples are computed here when they are first needed.
    fn forward(&mut self, request: &FilterRequest, mailbox: &mut StudyMailbox<'_>) -> Result<&ForwardSpectra, EngineError> {
        if self.forward.is_none() {
            let StudyMailbox { devices, cancel, .. } = mailbox;
            let run = |job: &Job| SharedResult::compute(job, devices, cancel);
            self.forward = Some(ForwardSpectra::new(&request.filtered(), run, cancel)?);
        }
        Ok(self.forward.as_ref().expect("it was computed above"))
    }

    /// Filters and renders.
    fn show(&mut self, request: &FilterRequest, mailbox: &mut StudyMailbox<'_>) -> Result<FilterShown, EngineError> {
        let shape = mask_shape(&request.signal, &request.preparation);
        self.painted = request.painted.as_ref().map(|path| kept_or_read(self.painted.as_ref(), path, shape)).transpose()?;
        if !self.shown.as_ref().is_some_and(|(by, _)| by.is_of(request, self.painted.as_ref())) {
            self.rendered = None;
            self.filter(request, mailbox)?;
        }
        let spots = if request.finds { Some(self.forward(request, mailbox)?.periodic_noise()) } else { None };
        let image = request.frame.map(|frame| self.rendered(request, frame, mailbox)).transpose()?;
        let probe = request.probe.map(|at| self.probe(request, at, mailbox)).transpose()?;
        let plots = request.plot.map(|frame| self.plots(request, frame));
        if request.quality {
            self.quality(mailbox.cancel)?;
        }
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
            timed: self.timed.clone().filter(|_| !request.is_open()),
        })
    }

    /// The filter on a GPU, if any.
    fn gpu(&self) -> Option<&FilterOnGpu> {
        self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref())
    }

    /// The channels after the mask of a request: on a GPU, or here where that fails. A lost device is opened anew once.
    fn filter(&mut self, request: &FilterRequest, mailbox: &mut StudyMailbox<'_>) -> Result<(), EngineError> {
        if request.is_open() {
            return self.keep(request, |before| ShownPlanes::open(&request.signal, before));
        }
        self.forward(request, mailbox)?;
        let energy = match self.filter_on_gpu(request, mailbox) {
            Err(error) if error.is_lost_device() => {
                self.leave(&error, false, (&request.device, mailbox));
                self.filter_on_gpu(request, mailbox)
            }
            done => done,
        };
        match energy {
            Ok(Some(energy)) => self.keep(request, |before| ShownPlanes::on_gpu(&request.signal, before, energy)),
            Err(error @ EngineError::Gpu(_)) => {
                self.leave(&error, true, (&request.device, mailbox));
                self.filter_here(request, mailbox)
            }
            other => other.and_then(|_| self.filter_here(request, mailbox)),
        }
    }

    /// The channels after the mask of a request, on the CPU.
    fn filter_here(&mut self, request: &FilterRequest, mailbox: &mut StudyMailbox<'_>) -> Result<(), EngineError> {
        let (painted, cancel) = (self.painted.clone(), mailbox.cancel);
        let table = painted.as_ref().map(|painted| &painted.table);
        let forward = self.forward(request, mailbox)?;
        let since = Instant::now();
        let after = forward.filtered(&request.mask, table, cancel)?;
        self.timed = Some(FilterTime { micros: micros(since), adapter: None });
        self.keep(request, |before| ShownPlanes::new(&request.signal, before, after))
    }

    /// Keeps the planes after the mask of a request.
    fn keep(&mut self, request: &FilterRequest, planes: impl FnOnce(Before) -> ShownPlanes) -> Result<(), EngineError> {
        let before = match self.shown.take() {
            Some((_, known)) => known.into_before(),
            None => ShownPlanes::before_of(&request.signal, &request.channels())?,
        };
        let by = FilteredBy { mask: request.mask.clone(), painted: self.painted.clone(), device: request.device.clone() };
        self.shown = Some((by, planes(before)));
        Ok(())
    }

    /// Brings the factors of a mask to the GPU, and gives the energy that they leave; `None` where the CPU has to filter.
    fn filter_on_gpu(&mut self, request: &FilterRequest, mailbox: &mut StudyMailbox<'_>) -> Result<Option<f64>, EngineError> {
        let Some(forward) = &self.forward else { return Ok(None) };
        if self.on_gpu.as_ref().is_none_or(|(choice, _)| *choice != request.device) {
            // The old buffers are freed first.
            self.on_gpu = None;
            self.on_gpu = Some((request.device.clone(), FilterOnGpu::new(forward, mailbox.devices, &request.device, mailbox.cancel)?));
        }
        let Some(gpu) = self.gpu() else { return Ok(None) };
        let since = Instant::now();
        let Factors { values, energies } = forward.factors(&request.mask, self.table())?;
        gpu.set_factors(&values, mailbox.cancel)?;
        // The way back runs with the first picture, which adds its time.
        self.timed = Some(FilterTime { micros: micros(since), adapter: Some(gpu.adapter.clone()) });
        self.goes_back = true;
        Ok(Some(share(energies.into_iter())))
    }

    /// Leaves a GPU that failed, for good where `gives_up`.
    fn leave(&mut self, error: &EngineError, gives_up: bool, (device, mailbox): (&DeviceChoice, &mut StudyMailbox<'_>)) {
        log::warn!("a filter on a GPU: {error}");
        mailbox.devices.close(error, gives_up);
        self.on_gpu = gives_up.then(|| (device.clone(), None));
    }

    /// The painted factors.
    fn table(&self) -> Option<&MaskTable> {
        self.painted.as_ref().map(|painted| &painted.table)
    }

    /// The visible part, rendered anew where something else was rendered last.
    fn rendered(
        &mut self,
        request: &FilterRequest,
        frame: DisplayFrame,
        mailbox: &mut StudyMailbox<'_>,
    ) -> Result<Arc<RenderedImage>, EngineError> {
        if let Some((shows, of, image)) = &self.rendered
            && (*shows, *of) == (request.shows, frame)
        {
            return Ok(image.clone());
        }
        let image = Arc::new(self.image(request, frame, mailbox)?);
        self.rendered = Some((request.shows, frame, image.clone()));
        Ok(image)
    }

    /// The values of a pixel: it is rendered alone.
    fn probe(&mut self, request: &FilterRequest, at: [usize; 2], mailbox: &mut StudyMailbox<'_>) -> Result<FilterProbe, EngineError> {
        let rect = ImageRect { left: at[0] as f64, top: at[1] as f64, width: 1.0, height: 1.0 };
        let values = self.image(request, DisplayFrame { rect, width: 1, height: 1 }, mailbox)?.values;
        let is_image = !matches!(request.shows, FilterView::Mask | FilterView::Difference);
        let before = self.shown.as_ref().filter(|_| is_image).map_or_else(Vec::new, |(_, planes)| planes.before_at(at));
        Ok(FilterProbe { at, values, before })
    }

    /// The visible part.
    fn image(
        &mut self,
        request: &FilterRequest,
        frame: DisplayFrame,
        mailbox: &mut StudyMailbox<'_>,
    ) -> Result<RenderedImage, EngineError> {
        if request.shows == FilterView::Mask {
            return Ok(mask_image((&request.mask, self.table()), mask_shape(&request.signal, &request.preparation), frame));
        }
        if let Some(image) = self.image_of_gpu(request, frame, mailbox)? {
            return Ok(image);
        }
        let (_, planes) = self.shown.as_ref().expect("it was computed before");
        Ok(planes.image(request.shows, frame))
    }

    /// The visible part of a row: the samples or factors, and what is behind them. Only images are filtered on a GPU.
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
        mailbox: &mut StudyMailbox<'_>,
    ) -> Result<Option<RenderedImage>, EngineError> {
        let gpu = self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref());
        let (Some(gpu), Some((_, planes))) = (gpu, &mut self.shown) else { return Ok(None) };
        if planes.is_here() || request.shows == FilterView::Source {
            return Ok(None);
        }
        let (range, since) = (planes.range(), Instant::now());
        let forward = self.forward.as_ref().ok_or(EngineError::Cancelled)?;
        let done = match request.shows {
            FilterView::Result if forward.preparation().is_none() => gpu.image(range, frame, mailbox.cancel).map(Some),
            _ => planes.bring(|| gpu.planes(forward, mailbox.cancel)).map(|()| None),
        };
        match done {
            Err(error @ EngineError::Gpu(_)) => {
                self.leave(&error, !error.is_lost_device(), (&request.device, mailbox));
                self.filter_here(request, mailbox)?;
                Ok(None)
            }
            done => {
                if let Some(timed) = self.timed.as_mut().filter(|_| std::mem::take(&mut self.goes_back)) {
                    timed.micros += micros(since);
                }
                done
            }
        }
    }

    /// PSNR in dB and SSIM of the newest mask.
    fn quality(&mut self, cancel: &AtomicBool) -> Result<(), EngineError> {
        let gpu = self.on_gpu.as_ref().and_then(|(_, gpu)| gpu.as_ref());
        let (_, planes) = self.shown.as_mut().ok_or(EngineError::Cancelled)?;
        if let (Some(gpu), Some(forward)) = (gpu, &self.forward) {
            planes.bring(|| gpu.planes(forward, cancel))?;
        }
        planes.find_quality();
        Ok(())
    }
}

/// The time since then, in µs.
fn micros(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests;
