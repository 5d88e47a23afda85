//! Periodograms for the window: a newer request ends the work for an older one.

use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::periodogram::{Periodogram, PeriodogramError, PeriodogramRange, periodogram};
use crate::signal::{Axis, ChannelChoice, Signal};
use std::sync::Arc;

/// The periodogram of a channel.
#[derive(Debug, Clone)]
pub struct PeriodogramRequest {
    /// The signal.
    pub signal: Arc<Signal>,
    /// Its channel.
    pub channel: ChannelChoice,
    /// When or where the samples were taken; it may differ from what the signal says.
    pub axis: Option<Axis>,
}

impl PartialEq for PeriodogramRequest {
    /// Signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && (self.channel, &self.axis) == (other.channel, &other.axis)
    }
}

impl Ask for PeriodogramRequest {}

/// A periodogram, or why there is none.
pub type PeriodogramResult = Result<Arc<Periodogram>, EngineError>;

impl From<PeriodogramError> for EngineError {
    fn from(error: PeriodogramError) -> Self {
        if error == PeriodogramError::Cancelled { Self::Cancelled } else { Self::Periodogram(error) }
    }
}

/// Computes one periodogram after the other.
pub struct PeriodogramStudy;

/// The periodogram of more samples takes longer than a moment.
const MOST_QUICK: usize = 1 << 14;

impl Study for PeriodogramStudy {
    type Request = PeriodogramRequest;
    type Report = PeriodogramResult;

    const NAME: &'static str = "periodogram";

    fn is_long(request: &PeriodogramRequest) -> bool {
        request.signal.len() > MOST_QUICK
    }

    fn answer(
        &mut self,
        request: &PeriodogramRequest,
        _: Result<Vec<SharedResult>, EngineError>,
        mailbox: StudyMailbox<'_>,
    ) -> PeriodogramResult {
        (mailbox.progress)("the Lomb-Scargle periodogram", 0.0);
        let samples = request.signal.stamped(request.axis.as_ref(), request.channel).map_err(EngineError::from)?;
        Ok(Arc::new(periodogram(&samples, PeriodogramRange::default(), mailbox.cancel)?))
    }
}
