//! Jobs whose samples are prepared before the transform; the prepared samples are kept while nothing about them changes.

use super::{EngineError, Job};
use crate::prepare::{PreparedFacts, prepare};
use crate::transforms::filtering::takes_factors;
use crate::transforms::{Axes, Input, transform};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A job on prepared samples, which asks for no preparation any more, and what is known of the preparation; the job itself where nothing is prepared.
///
/// # Errors
/// When the region lies outside, the padded size is too large, the channel does not exist, or `cancel` is raised.
pub(super) fn prepared<'a>(job: &'a Job, cancel: &AtomicBool) -> Result<(Cow<'a, Job>, Option<PreparedFacts>), EngineError> {
    let Some(axes) = axes(job)? else { return Ok((Cow::Borrowed(job), None)) };
    let first = prepare(&job.signal, job.channel, axes, &job.preparation, cancel)?;
    let second = match &job.second {
        // Factors belong to the spectrum of the prepared samples.
        Some(factors) if takes_factors(transform(job.transform)?) => Some(factors.clone()),
        Some(second) => {
            let preparation = job.preparation.of_second(second, job.signal.rows);
            Some(Arc::new(prepare(second, Default::default(), axes, &preparation, cancel)?.signal))
        }
        None => None,
    };
    let (signal, preparation) = (Arc::new(first.signal), Default::default());
    Ok((Cow::Owned(Job { signal, second, channel: first.channel, preparation, ..job.clone() }), Some(first.facts)))
}

/// The axes along which the samples of a job are prepared; `None` where nothing is. A system of equations is none of samples.
fn axes(job: &Job) -> Result<Option<Axes>, EngineError> {
    let transform = transform(job.transform)?;
    let is_plain = job.preparation.is_none() || transform.input == Input::Equations;
    Ok((!is_plain).then(|| transform.axes(job.parameters)))
}

/// The newest job that was prepared.
#[derive(Default)]
pub(super) struct KeptPreparation {
    kept: Option<(Job, Job, PreparedFacts)>,
}

impl KeptPreparation {
    /// As [`prepared`]; samples that are prepared already stay the same.
    pub(super) fn of<'a>(&mut self, job: &'a Job, cancel: &AtomicBool) -> Result<(Cow<'a, Job>, Option<PreparedFacts>), EngineError> {
        let same = |a: &Option<Arc<_>>, b: &Option<Arc<_>>| a.as_ref().map(Arc::as_ptr) == b.as_ref().map(Arc::as_ptr);
        if let Some((asked, ready, facts)) = &self.kept
            && Arc::ptr_eq(&asked.signal, &job.signal)
            && same(&asked.second, &job.second)
            && (asked.channel, asked.preparation) == (job.channel, job.preparation)
            && axes(asked)? == axes(job)?
        {
            let (signal, second) = (ready.signal.clone(), ready.second.clone());
            let ready = Job { signal, second, channel: ready.channel, preparation: ready.preparation, ..job.clone() };
            return Ok((Cow::Owned(ready), Some(*facts)));
        }
        let (ready, facts) = prepared(job, cancel)?;
        self.kept = facts.map(|facts| (job.clone(), Job::clone(&ready), facts));
        Ok((ready, facts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::{Detrend, Preparation, Region};
    use crate::signal::{Channel, Samples, Signal, SignalKind};

    #[test]
    fn prepared_samples_stay_while_only_the_transform_changes() {
        let samples = Samples::F32((0..48).map(|k| (k % 7) as f32).collect());
        let signal = Signal::from_channels("image", SignalKind::Image, (6, 8), vec![Channel::new("gray", samples)]);
        let region = Some(Region { x: 1, y: 1, width: 4, height: 4, outline: Default::default() });
        let preparation = Preparation { region, detrend: Detrend::Mean, ..Preparation::default() };
        let job = Job { preparation, ..Job::new(Arc::new(signal), "dft2") };
        let (mut kept, go_on) = (KeptPreparation::default(), AtomicBool::new(false));
        let mut of = |job: &Job| kept.of(job, &go_on).expect("it fits").0.into_owned();
        let first = of(&job);
        assert_eq!((first.signal.rows, first.signal.columns), (4, 4));
        assert!(first.preparation.is_none());
        let walsh = of(&Job { transform: "walsh2", ..job.clone() });
        assert!(Arc::ptr_eq(&first.signal, &walsh.signal) && walsh.transform == "walsh2");
        let rows = of(&Job { transform: "dft", ..job.clone() });
        assert!(!Arc::ptr_eq(&first.signal, &rows.signal), "rows have means of their own");
        let moved = Preparation { region: region.map(|region| Region { x: 2, ..region }), ..preparation };
        assert!(!Arc::ptr_eq(&rows.signal, &of(&Job { preparation: moved, transform: "dft", ..job.clone() }).signal));
        let outside = Preparation { region: region.map(|region| Region { x: 7, ..region }), ..preparation };
        let told = prepared(&Job { preparation: outside, ..job }, &go_on).map(drop).expect_err("it lies outside").to_string();
        assert_eq!(told, "the region 7,1,4,4 does not lie in the image of 8 × 6 px");
    }
}
