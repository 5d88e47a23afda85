//! The curve of a measure of two channels, with the values that are dimmed.

use crate::engine::TransferAnswer;
use crate::spectra::Rate;
use crate::ui::settings::{TransferLook, TransferView};
use std::f64::consts::TAU;

/// Silence in decibels.
const FLOOR: f64 = -200.0;

/// The values of a view, along frequencies or along times.
#[derive(Debug, PartialEq)]
pub(super) struct TransferCurve {
    /// The values; what is dimmed is not a number here.
    pub(super) values: Vec<f64>,
    /// All values, to be behind them.
    pub(super) all: Vec<f64>,
    /// The first position on the axis, and the distance of two.
    pub(super) first: f64,
    pub(super) step: f64,
    /// The names of the axes.
    pub(super) labels: [String; 2],
    /// The number of values that are dimmed.
    pub(super) dimmed: usize,
}

impl TransferCurve {
    /// The curve of a view.
    pub(super) fn new(answer: &TransferAnswer, look: &TransferLook, rate: Rate) -> Self {
        if look.is_over_frequency() { Self::over_frequency(answer, look, rate) } else { Self::over_time(answer, look, rate) }
    }

    fn over_time(answer: &TransferAnswer, look: &TransferLook, rate: Rate) -> Self {
        let skipped = if look.removes_delay { answer.delay.map_or(0.0, |delay| delay.samples.round()).max(0.0) as usize } else { 0 };
        let mut values = answer.response.get(skipped..).unwrap_or_default().to_vec();
        if look.view == TransferView::Step {
            let mut sum = 0.0;
            values.iter_mut().for_each(|value| {
                sum += *value;
                *value = sum;
            });
        }
        let labels = [format!("time ({})", rate.unit()), look.view.to_string().to_lowercase()];
        Self { all: Vec::new(), values, first: 0.0, step: rate.per_unit.recip(), labels, dimmed: 0 }
    }

    fn over_frequency(answer: &TransferAnswer, look: &TransferLook, rate: Rate) -> Self {
        let cross = &answer.cross;
        let delay = answer.delay.map_or(0.0, |delay| delay.samples);
        let removed = if look.removes_delay { delay } else { 0.0 };
        let places: Vec<(f64, usize)> = cross.frequencies().collect();
        let value = |(frequency, bin): &(f64, usize)| {
            let h = cross.transfer(*bin, look.estimator);
            match look.view {
                TransferView::Gain => (20.0 * h.norm().log10()).max(FLOOR),
                TransferView::Phase => {
                    let turns = (h.arg() + TAU * frequency / rate.per_unit * removed) / TAU;
                    360.0 * (turns - turns.round())
                }
                TransferView::GroupDelay => (cross.group_delay(*bin, look.estimator, delay) - removed) / rate.per_unit,
                _ => cross.coherence(*bin),
            }
        };
        let mut all: Vec<f64> = places.iter().map(value).collect();
        let is_low: Vec<bool> =
            places.iter().map(|(_, bin)| cross.coherence(*bin)).map(|coherence| coherence.is_nan() || coherence < look.least).collect();
        if look.view == TransferView::Phase && look.unwraps {
            unwrap(&mut all);
        }
        let dims = look.view != TransferView::Coherence;
        let values: Vec<f64> = all.iter().zip(&is_low).map(|(value, low)| if *low && dims { f64::NAN } else { *value }).collect();
        let vertical = match look.view {
            TransferView::Gain => "gain (dB)".to_owned(),
            TransferView::Phase => "phase (°)".to_owned(),
            TransferView::GroupDelay => format!("group delay ({})", rate.unit()),
            _ => "coherence".to_owned(),
        };
        let labels = [format!("frequency ({})", rate.frequency()), vertical];
        let dimmed = if dims { is_low.into_iter().filter(|low| *low).count() } else { 0 };
        let first = places.first().map_or(0.0, |(frequency, _)| *frequency);
        Self { values, all, first, step: cross.calibration.step(), labels, dimmed }
    }
}

/// Lets a phase in degrees go on beyond 180°.
fn unwrap(phase: &mut [f64]) {
    let mut before: Option<f64> = None;
    for value in phase.iter_mut().filter(|value| value.is_finite()) {
        if let Some(before) = before {
            *value -= 360.0 * ((*value - before) / 360.0).round();
        }
        before = Some(*value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{AxisUnit, ChannelChoice, Samples, Signal};
    use crate::spectra::{Frames, Overlap, SpectraJob, correlate, cross, impulse_response};
    use std::sync::atomic::AtomicBool;

    const RATE: Rate = Rate { per_unit: 1000.0, unit: Some(AxisUnit::Second) };

    /// Noise, and the same 20 samples later at half the amplitude.
    fn answer() -> TransferAnswer {
        let x: Vec<f64> = (0..80_000).map(|n| crate::random::unit(crate::random::random_bits(n)) - 0.5).collect();
        let y: Vec<f64> = (0..80_000).map(|n| if n < 20 { 0.0 } else { 0.5 * x[n - 20] }).collect();
        let [x, y] = [x, y].map(|values| Signal::row("", Samples::F64(values)));
        let tracks = [&x, &y].map(|signal| signal.track(ChannelChoice::Luma).unwrap());
        let cancel = AtomicBool::new(false);
        let frames = Frames::new(512, Overlap::Share(0.5));
        let job = SpectraJob::new(tracks.to_vec(), 0..80_000, frames, 1000.0, &cancel);
        let cross = cross(&job).unwrap();
        let pair = || [(&tracks[0], 0..80_000), (&tracks[1], 0..80_000)];
        let correlation = correlate(pair(), false, None, &cancel).ok();
        let response = impulse_response(pair(), None, &cancel).unwrap();
        TransferAnswer { delay: cross.delay(), cross, correlation, response }
    }

    fn curve(answer: &TransferAnswer, view: TransferView, change: impl Fn(&mut TransferLook)) -> TransferCurve {
        let mut look = TransferLook { view, ..TransferLook::default() };
        change(&mut look);
        TransferCurve::new(answer, &look, RATE)
    }

    #[test]
    fn a_delay_and_a_factor_are_a_line_of_gain_a_slope_of_phase_and_a_tap() {
        let answer = answer();
        let gain = curve(&answer, TransferView::Gain, |_| {});
        assert!(gain.values[1..256].iter().all(|value| (value + 6.02).abs() < 0.3) && gain.dimmed == 0, "{:?}", &gain.values[..8]);
        let phase = curve(&answer, TransferView::Phase, |look| look.unwraps = true);
        let expected = |bin: usize| -360.0 * 20.0 * bin as f64 / 512.0;
        assert!((phase.values[200] - expected(200)).abs() < 5.0, "{} for {}", phase.values[200], expected(200));
        let flat = curve(&answer, TransferView::Phase, |look| look.removes_delay = true);
        assert!(flat.values[1..256].iter().all(|value| value.abs() < 5.0));
        let group = curve(&answer, TransferView::GroupDelay, |_| {});
        // The slope between neighbours has much of their noise, the mean of all has not.
        let mean = group.values[2..255].iter().sum::<f64>() / 253.0;
        assert!((mean - 0.02).abs() < 2e-4, "{mean}: {:?}", &group.values[..8]);
        let impulse = curve(&answer, TransferView::Impulse, |_| {});
        assert!((impulse.values[20] - 0.5).abs() < 0.01 && impulse.values[21].abs() < 0.01);
        let step = curve(&answer, TransferView::Step, |look| look.removes_delay = true);
        assert!((step.values[30] - 0.5).abs() < 0.1);
    }

    #[test]
    fn values_of_low_coherence_are_dimmed_and_counted() {
        let answer = answer();
        let all = curve(&answer, TransferView::Gain, |look| look.least = 1.1);
        assert!(all.dimmed == 257 && all.values.iter().all(|value| value.is_nan()) && all.all[10].is_finite());
        let shown = curve(&answer, TransferView::Coherence, |_| {}).values;
        let mut sorted: Vec<f64> = shown.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let least = sorted[sorted.len() / 2];
        let some = curve(&answer, TransferView::Gain, |look| look.least = least);
        let is_low: Vec<bool> = shown.iter().map(|value| value.is_nan() || *value < least).collect();
        assert!(some.dimmed == is_low.iter().filter(|low| **low).count() && (100..157).contains(&some.dimmed), "{}", some.dimmed);
        assert!(some.values.iter().zip(&is_low).all(|(value, low)| !low || value.is_nan()));
        let coherence = curve(&answer, TransferView::Coherence, |look| look.least = 1.1);
        assert!(coherence.dimmed == 0 && coherence.values[10] > 0.9);
    }
}
