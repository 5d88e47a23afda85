//! The measure of a recording, or of two side by side: one job for all commands, whose frames are transformed as the call asks.

use super::super::Failure;
use super::super::arguments::ComputeArguments;
use super::super::progress::Progress;
use super::{Recording, Rows};
use crate::plan::Precision;
use crate::spectra::{Frames, SpectraError, SpectraJob};

/// Why a measure has no result.
pub(crate) enum Stopped {
    Measure(SpectraError),
    Write(Failure),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Write(failure)
    }
}

impl From<SpectraError> for Stopped {
    fn from(error: SpectraError) -> Self {
        Self::Measure(error)
    }
}

/// Runs `work` on the frames of recordings that are read side by side; the first one says the samples and the rate. `about` says meanwhile what is done.
///
/// # Errors
/// If there is no such channel or algorithm, or the work fails.
pub(crate) fn measured<R>(
    recordings: &[&Recording],
    frames: Frames,
    (compute, precision): (&ComputeArguments, Precision),
    about: String,
    work: impl FnOnce(&SpectraJob<'_>) -> Result<R, Stopped>,
) -> Result<R, Failure> {
    let tracks = recordings.iter().map(|recording| recording.track()).collect::<Result<Vec<_>, _>>()?;
    let rows = Rows::of(compute, precision)?;
    let run = rows.as_ref().map(|rows| |batch| rows.run(batch));
    let first = recordings[0];
    let job = SpectraJob {
        precision,
        rows: run.as_ref().map(|run| run as _),
        ..SpectraJob::new(tracks, first.samples.clone(), frames, first.rate.per_unit, super::super::cancel())
    };
    let _progress = Progress::start(about);
    work(&job).map_err(|stopped| match stopped {
        Stopped::Measure(error) => Rows::failure(rows.as_ref(), error),
        Stopped::Write(failure) => failure,
    })
}
