//! The spectra of a part of a recording, for the window: its spectrum, its peaks, its tones, a band of it and one value of it.

use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::plan::Precision;
use crate::signal::{ChannelChoice, Signal};
use crate::spectra::{
    Average, Averaged, BoxMeasures, Frames, Rate, SpectraError, SpectraJob, TimeFrequencyBox, Tone, TonePeak, ToneRequest, averaged,
    box_measures, tone, tone_peaks,
};
use num_complex::Complex64;
use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::Arc;

/// A part of a channel of a recording.
#[derive(Debug, Clone)]
pub struct RecordingPart {
    /// The signal.
    pub signal: Arc<Signal>,
    /// Its channel.
    pub channel: ChannelChoice,
    /// The samples, counted through all rows.
    pub samples: Range<usize>,
    /// How they follow each other; it may differ from what the signal says.
    pub rate: Rate,
}

impl PartialEq for RecordingPart {
    /// Signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal) && (self.channel, &self.samples, self.rate) == (other.channel, &other.samples, other.rate)
    }
}

/// A question about a part of a recording.
#[derive(Debug, Clone, PartialEq)]
pub enum SpectraQuestion {
    /// The spectrum of frames.
    Spectrum(Frames, Average),
    /// The strongest tones, so many of them.
    Peaks(usize),
    /// The measures of a tone.
    Tone(ToneRequest),
    /// The measures of a box, whose samples are counted through all rows.
    Box(TimeFrequencyBox),
    /// The value at this natural index of the transform of the first frame, as its definition says.
    Value(Frames, usize),
}

/// A question, and the part that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectraRequest {
    /// The part.
    pub part: RecordingPart,
    /// The question.
    pub question: SpectraQuestion,
}

impl Ask for SpectraRequest {}

/// The answer, of the kind of the question.
#[derive(Debug, Clone)]
pub enum SpectraAnswer {
    /// A spectrum.
    Spectrum(Arc<Averaged>),
    /// Tones, the strongest first, and the samples that they were found in.
    Peaks(Arc<[TonePeak]>, Range<usize>),
    /// A tone.
    Tone(Arc<Tone>),
    /// The measures of a box.
    Box(BoxMeasures),
    /// A value.
    Value(Complex64),
}

impl From<SpectraError> for EngineError {
    fn from(error: SpectraError) -> Self {
        if error == SpectraError::Cancelled { Self::Cancelled } else { Self::Spectra(error) }
    }
}

/// Answers one question after the other.
pub struct SpectraStudy;

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 21;
/// The samples whose tones are listed where memory does not suffice for those of all.
const MIDDLE: usize = 1 << 23;

impl Study for SpectraStudy {
    type Request = SpectraRequest;
    type Report = Result<SpectraAnswer, EngineError>;

    const NAME: &'static str = "spectra";

    fn is_long(request: &SpectraRequest) -> bool {
        request.part.samples.len() > MOST_QUICK
    }

    fn answer(&mut self, request: &SpectraRequest, _: Result<Vec<SharedResult>, EngineError>, mailbox: StudyMailbox<'_>) -> Self::Report {
        let SpectraRequest { part: RecordingPart { signal, channel, samples, rate }, question } = request;
        let track = signal.track(*channel).map_err(EngineError::from)?;
        let whole = Frames::whole(samples.len());
        let job = |frames: Frames| SpectraJob {
            precision: Precision::Double,
            ..SpectraJob::new(vec![track.clone()], samples.clone(), frames, rate.per_unit, mailbox.cancel)
        };
        if Self::is_long(request) {
            (mailbox.progress)("the spectrum", 0.0);
        }
        Ok(match question {
            SpectraQuestion::Spectrum(frames, average) => SpectraAnswer::Spectrum(Arc::new(averaged(&job(*frames), *average)?)),
            SpectraQuestion::Peaks(n) => peaks(&job(whole), *n)?,
            SpectraQuestion::Tone(asked) => {
                SpectraAnswer::Tone(Arc::new(tone(&job(whole), *asked).map_err(|error| error.in_unit_of(*rate))?))
            }
            SpectraQuestion::Box(part) => SpectraAnswer::Box(box_measures(&job(whole), part)?),
            SpectraQuestion::Value(frames, index) => {
                let job = job(*frames);
                job.check()?;
                SpectraAnswer::Value(value(&job, *index))
            }
        })
    }
}

/// The tones of all samples, or of those in the middle where memory does not suffice for the transform of all.
fn peaks(job: &SpectraJob<'_>, count: usize) -> Result<SpectraAnswer, SpectraError> {
    let all = job.samples.clone();
    match tone_peaks(job, count) {
        Err(SpectraError::TooLarge { .. }) if all.len() > MIDDLE => {
            let first = all.start + (all.len() - MIDDLE) / 2;
            let samples = first..first + MIDDLE;
            let job = SpectraJob { samples: samples.clone(), frames: Frames::whole(MIDDLE), ..job.clone() };
            Ok(SpectraAnswer::Peaks(tone_peaks(&job, count)?.into(), samples))
        }
        found => Ok(SpectraAnswer::Peaks(found?.into(), all)),
    }
}

/// A value of the transform of the first frame: the sum of its definition, in double precision.
fn value(job: &SpectraJob<'_>, index: usize) -> Complex64 {
    let Frames { length, points, window, .. } = job.frames;
    let read = |part: usize| {
        let mut values = vec![0.0; length];
        job.tracks[0].read_f64(job.samples.start, part, &mut values);
        values
    };
    let [real, imaginary] = [0, 1].map(read);
    let term = |n: usize| {
        // The product of the indices is reduced first: an angle of many turns would lose its digits.
        let turn = (index as u128 * n as u128 % points as u128) as f64 / points as f64;
        Complex64::new(real[n], imaginary[n]) * window.weight(n, length) * Complex64::cis(-TAU * turn)
    };
    (0..length).map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Reading, load_as};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_recording_that_is_too_long_for_memory_has_the_tones_of_its_middle() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("endless.s16");
        // A file of zeros takes no room.
        let file = std::fs::File::create(&path).expect("the folder is there");
        file.set_len(1 << 40).expect("it grows");
        let signal = load_as(&path, &Reading::default()).expect("it is one of samples");
        let samples = 0..1 << 39;
        let (track, cancel) = (signal.track(ChannelChoice::Luma).expect("it has a channel"), AtomicBool::new(false));
        let job = SpectraJob::new(vec![track], samples.clone(), Frames::whole(samples.len()), 1.0, &cancel);
        let Ok(SpectraAnswer::Peaks(found, of)) = peaks(&job, 3) else { panic!("silence has no error") };
        assert!(found.is_empty() && of.len() == MIDDLE && of.start + of.end == samples.end, "{of:?}");
    }
}
