//! Measures the image of a job for the window: markers, peaks and profiles, all of one spectrum that panes share.

use super::ImageSpectrum;
use crate::engine::{Ask, DeviceChoice, Devices, EngineError, Job, locked};
use crate::measure::{Lattice, LineProfile, Marker, Peak, Profile, ProfileLine, Refinement, angular, lattice, peaks, radial};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// A request about the image of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureRequest {
    /// The image and how it is prepared; its spectrum is taken whatever the transform.
    pub job: Job,
    /// What is measured.
    pub wanted: Measurement,
}

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Measurement {
    /// The values at markers.
    Markers(Vec<Marker>, Refinement),
    /// The strongest peaks, at most this number.
    Peaks(usize, Refinement),
    /// The power over the frequency.
    Radial,
    /// The power over the direction.
    Angular,
    /// The samples along a line.
    Samples(ProfileLine),
    /// |X|² along a line of the spectrum image with frequency 0 in its middle.
    Spectrum(ProfileLine),
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasureReport {
    /// The values at the markers, in their order, and the lattice that they span; or the strongest peaks with theirs.
    Peaks(Arc<Vec<Peak>>, Option<Lattice>),
    /// A profile of the power.
    Profile(Arc<Profile>),
    /// The values along a line.
    Line(Arc<LineProfile>),
}

impl Ask for MeasureRequest {}

/// The newest spectrum with its job, shared by the threads that measure.
pub type SpectrumCache = Arc<Mutex<Option<(Job, Arc<ImageSpectrum>)>>>;

/// Answers one request after the other, and keeps the spectrum for the next one.
#[derive(Default)]
pub struct MeasureStudies {
    devices: Devices,
    spectra: SpectrumCache,
}

impl MeasureStudies {
    /// Studies that share their spectrum with others.
    pub fn sharing(spectra: SpectrumCache) -> Self {
        Self { devices: Devices::default(), spectra }
    }

    /// What is wanted.
    ///
    /// # Errors
    /// When samples are not finite, the job cannot run, or `cancel` is raised.
    pub fn answer(
        &mut self,
        MeasureRequest { job, wanted }: &MeasureRequest,
        cancel: &AtomicBool,
        progress: &dyn Fn(&str, f32),
    ) -> Result<MeasureReport, EngineError> {
        if let Measurement::Samples(line) = wanted {
            let (samples, columns) = (job.signal.samples_f64(job.channel)?, job.signal.columns);
            let profile = LineProfile::of(line, [job.signal.rows, columns], |row, column| samples[row * columns + column]);
            return Ok(MeasureReport::Line(Arc::new(profile)));
        }
        let spectrum = self.spectrum(job, cancel, progress)?;
        Ok(spectrum.with(|spectrum| match wanted {
            Measurement::Markers(markers, refinement) => {
                let found: Vec<Peak> = markers.iter().map(|marker| marker.peak(spectrum, *refinement)).collect();
                let lattice = lattice(&found);
                MeasureReport::Peaks(Arc::new(found), lattice)
            }
            Measurement::Peaks(count, refinement) => {
                let found = peaks(spectrum, *count, *refinement);
                let lattice = lattice(&found);
                MeasureReport::Peaks(Arc::new(found), lattice)
            }
            Measurement::Radial => MeasureReport::Profile(Arc::new(radial(spectrum))),
            Measurement::Angular => MeasureReport::Profile(Arc::new(angular(spectrum))),
            Measurement::Spectrum(line) | Measurement::Samples(line) => {
                MeasureReport::Line(Arc::new(LineProfile::of_spectrum(line, spectrum)))
            }
        }))
    }

    /// The spectrum of a job, by all cores, so that the GPU stays free for what is shown.
    fn spectrum(&mut self, job: &Job, cancel: &AtomicBool, progress: &dyn Fn(&str, f32)) -> Result<Arc<ImageSpectrum>, EngineError> {
        // A thread that waits here waits for the same spectrum.
        let mut known = locked(&self.spectra);
        let job = Job { device: DeviceChoice::CpuParallel, transform: super::TRANSFORM, algorithm: None, second: None, ..job.clone() };
        if let Some((_, spectrum)) = known.as_ref().filter(|(of, _)| *of == job) {
            return Ok(spectrum.clone());
        }
        // The old one is not needed while the new one is computed.
        *known = None;
        progress("the spectrum to measure", 0.0);
        let spectrum = Arc::new(ImageSpectrum::of(&job, &mut self.devices, cancel)?.0);
        *known = Some((job, spectrum.clone()));
        Ok(spectrum)
    }
}
