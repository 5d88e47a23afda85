//! Filters for the window: the newest mask over the newest signal, rendered for the part that is visible.
//!
//! The forward transforms and the filtered channels are kept, so that a new view costs no transform, and a new mask one inverse transform a channel. A mask that cuts nothing costs none.

use super::forward::{ForwardSpectra, mask_shape};
use super::on_gpu::FilterOnGpu;
use super::shown::{ShownPlanes, mask_image, rendered};
use crate::display::DisplayFrame;
use crate::engine::worker::{Ask, Desk, Idle, Progress, Work, Worker};
use crate::engine::{DeviceChoice, Devices, EngineError, RenderedImage};
use crate::fault::caught;
use crate::filter::{Mask, PeriodicSpot};
use crate::signal::{ChannelChoice, Signal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What takes longer than the image is computed once no mask has been asked for during this time, so that a drag is not held up.
const REST: Duration = Duration::from_millis(120);

/// What the window asks: a mask over a signal, and how it is shown.
#[derive(Debug, Clone)]
pub struct FilterRequest {
    /// The image.
    pub signal: Arc<Signal>,
    /// The channel; the luminance of a colour image stands for all its colours.
    pub channel: ChannelChoice,
    /// The mask.
    pub mask: Mask,
    /// The device of the way back.
    pub device: DeviceChoice,
    /// The image or mask that is drawn.
    pub shows: FilterView,
    /// The visible part, in pixels of the image or of its spectrum.
    pub frame: Option<DisplayFrame>,
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
    /// The image before the filter left of this part of its width, and after it to the right.
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
            && (self.shows, self.frame, self.finds) == (other.shows, other.frame, other.finds)
            && (&self.mask, &self.device) == (&other.mask, &other.device)
    }
}

impl FilterRequest {
    /// Whether both have the same forward transform.
    fn has_transform_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && self.channel == other.channel
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
            self.forward = Some(ForwardSpectra::new(&request.signal, &request.channels(), false, cancel)?);
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
        let (_, _, planes) = self.shown.as_ref().expect("it was computed above");
        Ok(FilterShown {
            image: image.map(Arc::new),
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
        let (factors, energy) = forward.factors(&request.mask)?;
        match gpu.set_factors(&factors, cancel) {
            Err(EngineError::Gpu(error)) => {
                self.give_up(&error.to_string());
                Ok(None)
            }
            done => done.map(|()| Some(energy)),
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
            return Ok(mask_image(&request.mask, mask_shape(&request.signal), frame));
        }
        if let Some(image) = self.image_of_gpu(request, frame, cancel)? {
            return Ok(image);
        }
        let (_, _, planes) = self.shown.as_ref().expect("it was computed before");
        Ok(planes.image(request.shows, frame))
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
        let done = match request.shows {
            FilterView::Result => gpu.image(range, frame, cancel).map(|rgba| Some(rendered(frame, rgba, range))),
            _ => planes.bring(|| gpu.planes(cancel)).map(|()| None),
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
        if let Some(gpu) = gpu {
            planes.bring(|| gpu.planes(cancel))?;
        }
        Ok(planes.quality())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::MaskShape;
    use crate::signal::{Channel, Samples, SignalKind};
    use crate::transforms::Shape;

    fn request(mask: Mask, shows: FilterView) -> FilterRequest {
        // Red has vertical stripes of two pixels, green is flat, blue has a slope.
        let plane = |name: &str, value: fn(usize) -> u8| Channel::new(name, Samples::U8((0..64).map(value).collect()));
        let channels = vec![plane("red", |i| (i % 2 * 200) as u8), plane("green", |_| 90), plane("blue", |i| i as u8)];
        let signal = Arc::new(Signal::from_channels("test", SignalKind::Image, (8, 8), channels));
        let frame = Some(DisplayFrame::whole(Shape { rows: 8, columns: 8 }));
        FilterRequest { signal, channel: ChannelChoice::Luma, mask, device: DeviceChoice::Cpu, shows, frame, finds: false }
    }

    #[test]
    fn colours_are_filtered_each_and_shown_in_colour() {
        let (go, now) = (AtomicBool::new(false), Instant::now());
        let first = request(MaskShape::low_pass(0.3).into(), FilterView::Result);
        let mut studies = FilterStudies::default();
        let pixel = |shown: &FilterShown, at: usize| shown.image.as_ref().unwrap().rgba[4 * at..][..4].to_vec();
        let shown = studies.show(&first, now, &go).unwrap();
        let found = pixel(&shown, 0);
        assert_eq!((found[0], found[1], found[3]), (100, 90, 255), "the stripes are gone, and their mean is left");
        let of =
            |studies: &mut FilterStudies, shows: FilterView| studies.show(&FilterRequest { shows, ..first.clone() }, now, &go).unwrap();
        let source = of(&mut studies, FilterView::Source);
        assert_eq!((pixel(&source, 0)[0], pixel(&source, 1)[0]), (0, 200));
        let split = of(&mut studies, FilterView::Split(0.5));
        assert_eq!((pixel(&split, 1)[0], pixel(&split, 5)[0]), (200, 100), "before at the left, after at the right");
        let mask = of(&mut studies, FilterView::Mask);
        assert_eq!((pixel(&mask, 4 * 8 + 4), pixel(&mask, 0)), (vec![255; 4], vec![0, 0, 0, 255]), "frequency 0 stands in the middle");
        assert!(shown.energy > 0.0 && shown.energy < 0.2);
        let open = studies.show(&FilterRequest { mask: Mask::default(), ..first.clone() }, now, &go).unwrap();
        assert!((open.energy - 1.0).abs() < 1e-12 && pixel(&open, 1)[0] == 200);
        let wrong = FilterRequest { mask: MaskShape::notch([0.0, 0.0], 0.1).into(), ..first.clone() };
        assert!(matches!(studies.show(&wrong, now, &go), Err(EngineError::Mask(_))));
    }

    #[test]
    fn the_worker_shows_the_image_first_and_then_its_quality() {
        let worker = start_filter_worker(|| {});
        let asked = request(MaskShape::low_pass(0.3).into(), FilterView::Result);
        worker.request_once(&asked);
        let deadline = Instant::now() + Duration::from_secs(20);
        let quality = loop {
            let report = worker.latest();
            if let Some(Ok(FilterShown { quality: Some(quality), .. })) = report.as_ref().map(|report| &report.result) {
                break *quality;
            }
            assert!(Instant::now() < deadline, "{report:?}");
            std::thread::sleep(Duration::from_millis(2));
        };
        assert!(quality[0] > 5.0 && quality[0] < 20.0 && quality[1] < 0.9, "{quality:?}");
    }
}
