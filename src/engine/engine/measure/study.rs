//! Measures the image of a job for the window: markers, peaks and profiles, all of the spectrum that is shown.

use super::ImageSpectrum;
use crate::engine::{Ask, EngineError, Job, SharedResult, Study, StudyMailbox};
use crate::measure::{Lattice, LineProfile, Marker, Peak, Profile, ProfileLine, Refinement, angular, lattice, peaks, radial};
use std::sync::Arc;

/// A request about the image of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureRequest {
    /// The image and how it is prepared; its spectrum is taken whatever the transform.
    pub job: Job,
    /// The measurement.
    pub wanted: Measurement,
}

/// The measurement.
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

/// Measures the spectra of jobs, and the samples.
pub struct MeasureStudy;

impl Study for MeasureStudy {
    type Request = MeasureRequest;
    type Report = Result<MeasureReport, EngineError>;

    const NAME: &'static str = "measure";

    fn needs(&self, MeasureRequest { job, wanted }: &MeasureRequest) -> Result<Vec<Job>, EngineError> {
        Ok(match wanted {
            Measurement::Samples(_) => Vec::new(),
            _ => vec![ImageSpectrum::job(job)],
        })
    }

    fn answer(
        &mut self,
        MeasureRequest { job, wanted }: &MeasureRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        _: StudyMailbox<'_>,
    ) -> Self::Report {
        let Some(result) = results?.pop() else {
            let Measurement::Samples(line) = wanted else { unreachable!("everything but samples needs a spectrum") };
            let (samples, columns) = (job.signal.samples_f64(job.channel)?, job.signal.columns);
            let profile = LineProfile::of(line, [job.signal.rows, columns], |row, column| samples[row * columns + column]);
            return Ok(MeasureReport::Line(Arc::new(profile)));
        };
        Ok(ImageSpectrum::of(result)?.with(|spectrum| match wanted {
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
}
