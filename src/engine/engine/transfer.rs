//! The relation of two channels of recordings, for the window: transfer function, coherence, delay, lag and impulse response.

use super::spectra::RecordingPart;
use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::plan::Precision;
use crate::spectra::{
    Alignment, Correlation, CrossSpectrum, Delay, Frames, SpectraError, SpectraJob, aligned_cross, correlate, impulse_response,
};
use std::sync::Arc;

/// Two channels, and how they are measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TransferRequest {
    /// The input x and the output y.
    pub pair: [RecordingPart; 2],
    /// The frames whose spectra are averaged.
    pub frames: Frames,
    /// Whether the frames of y are moved by a long delay.
    pub alignment: Alignment,
    /// Whether the lag comes from the phases alone.
    pub phat: bool,
}

impl Ask for TransferRequest {}

/// The relation of the two channels.
#[derive(Debug, Clone)]
pub struct TransferAnswer {
    /// The averaged spectra.
    pub cross: CrossSpectrum,
    /// The delay of y to x by the slope of the phase.
    pub delay: Option<Delay>,
    /// The lag of y to x by their correlation; `None` without one, as of silence or complex samples.
    pub correlation: Option<Correlation>,
    /// The impulse response from lag 0 on; empty without one.
    pub response: Vec<f64>,
}

/// Answers one question after the other.
pub struct TransferStudy;

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 20;

impl Study for TransferStudy {
    type Request = TransferRequest;
    type Report = Result<Arc<TransferAnswer>, EngineError>;

    const NAME: &'static str = "transfer";

    fn is_long(request: &TransferRequest) -> bool {
        request.pair.iter().any(|part| part.samples.len() > MOST_QUICK)
    }

    fn answer(&mut self, request: &TransferRequest, _: Result<Vec<SharedResult>, EngineError>, mailbox: StudyMailbox<'_>) -> Self::Report {
        let TransferRequest { pair: [x, y], frames, alignment, phat } = request;
        let tracks = [x.signal.track(x.channel).map_err(EngineError::from)?, y.signal.track(y.channel).map_err(EngineError::from)?];
        let samples = x.samples.start..x.samples.end.min(y.samples.end);
        let cancel = mailbox.cancel;
        let job = SpectraJob {
            precision: Precision::Double,
            ..SpectraJob::new(tracks.to_vec(), samples, *frames, x.rate.per_unit, mailbox.cancel)
        };
        let cross = aligned_cross(&job, *alignment)?;
        let whole = || [(&tracks[0], x.samples.clone()), (&tracks[1], y.samples.clone())];
        let correlation = unless_cancelled(correlate(whole(), *phat, None, cancel))?;
        let response = unless_cancelled(impulse_response(whole(), None, cancel))?.unwrap_or_default();
        Ok(Arc::new(TransferAnswer { delay: cross.delay(), cross, correlation, response }))
    }
}

/// A measure; `None` where these samples have none.
fn unless_cancelled<T>(found: Result<T, SpectraError>) -> Result<Option<T>, EngineError> {
    match found {
        Err(SpectraError::Cancelled) => Err(SpectraError::Cancelled.into()),
        found => Ok(found.ok()),
    }
}
