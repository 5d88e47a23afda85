//! Compares a row of the result of a job with that of one that was held: the held row, the difference of both, and two values at one frequency.

use super::hold::both;
use crate::display::{Scale, ValuePart, unshifted_index};
use crate::engine::plotting::line;
use crate::engine::{Ask, EngineError, Job, PlotData, PlotFrame, SharedResult, Study, StudyMailbox, Values};
use num_complex::{Complex32, Complex64};

/// A request to compare a row of two results.
#[derive(Debug, Clone, PartialEq)]
pub struct LineHoldRequest {
    /// The job that was held.
    pub held: Job,
    /// The newest one.
    pub newest: Job,
    /// The visible part of a row of the newest one.
    pub frame: PlotFrame,
    /// The position in that row that is read out.
    pub probe: Option<usize>,
}

/// The comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct LineHoldReport {
    /// The same part of the row that was held.
    pub held: PlotData,
    /// The values of the newest less those that were held, as they are scaled; `None` for rows of different lengths.
    pub difference: Option<PlotData>,
    /// The held value at the position that is read out.
    pub value: Option<(usize, Complex64)>,
}

impl Ask for LineHoldRequest {}

/// Answers one request after the other.
#[derive(Default)]
pub struct LineHoldStudy {
    /// The result that was held, so that the store keeps it.
    _held: Option<SharedResult>,
}

impl Study for LineHoldStudy {
    type Request = LineHoldRequest;
    type Report = Result<LineHoldReport, EngineError>;

    const NAME: &'static str = "hold";

    fn needs(&self, request: &LineHoldRequest) -> Result<Vec<Job>, EngineError> {
        Ok(vec![request.held.clone(), request.newest.clone()])
    }

    fn answer(&mut self, request: &LineHoldRequest, results: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> Self::Report {
        let LineHoldRequest { frame, probe, .. } = request;
        let results = both(results?);
        self._held = Some(results[0].clone());
        let [(held, of_held), (newest, shape)] = results.map(|result| (result.values.clone(), result.shape()));
        // Rows of other lengths show the same frequencies.
        let share = of_held.columns as f64 / shape.columns.max(1) as f64;
        let row = frame.row.min(of_held.rows.max(1) - 1);
        let part = PlotFrame { row, first: frame.first * share, last: frame.last * share, peaks: false, ..*frame };
        let shown = line(|row, column| held.at(of_held, row, column), of_held, part);
        let difference = (of_held == shape).then(|| {
            let scaled = |of: &Values, row: usize, column: usize| frame.scale.apply(frame.quantity, of.at(shape, row, column));
            let at = |row: usize, column: usize| Complex32::from(scaled(&newest, row, column) - scaled(&held, row, column));
            line(at, shape, PlotFrame { quantity: ValuePart::Real, scale: Scale::Linear, ..part })
        });
        let value = probe.map(|position| {
            let at = ((position as f64 * share).round() as usize).min(of_held.columns.max(1) - 1);
            (position, held.exact(of_held, row, if frame.shifted { unshifted_index(at, of_held.columns) } else { at }))
        });
        Ok(LineHoldReport { held: shown, difference, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{DeviceChoice, Store, study::asked};
    use crate::prepare::{Extent, Fill, Padding, Preparation, Window};
    use crate::signal::{Samples, Signal};
    use std::sync::Arc;

    #[test]
    fn a_window_and_a_padding_are_judged_against_none() {
        let tone = |i: usize| (std::f64::consts::TAU * 4.0 * i as f64 / 32.0).cos();
        let signal = Arc::new(Signal::row("tone", Samples::F64((0..32).map(tone).collect())));
        let held = Job { device: DeviceChoice::CpuParallel, ..Job::new(signal, "dft") };
        let windowed = Preparation { window: Window::Hann.into(), ..Preparation::default() };
        let padded = Preparation { padding: Padding { extent: Extent::Factor(2), fill: Fill::Zeros }, ..Preparation::default() };
        let (mut study, store) = (LineHoldStudy::default(), Store::default());
        let mut against = |preparation: Preparation, n: f64, probe: usize| {
            let frame = PlotFrame { quantity: ValuePart::Magnitude, ..PlotFrame::plain(0, [0.0, n], 200) };
            let newest = Job { preparation, ..held.clone() };
            let request = LineHoldRequest { held: held.clone(), newest, frame, probe: Some(probe) };
            asked(&mut study, &request, &store).unwrap()
        };
        let found = against(windowed, 32.0, 4);
        assert!((found.held.columns[4][2] - 16.0).abs() < 1e-4, "the held tone");
        let difference = found.difference.unwrap();
        assert!(
            (difference.columns[4][2] + 8.0).abs() < 1e-4 && (difference.columns[5][2] - 4.0).abs() < 1e-4,
            "Hann halves and spreads it"
        );
        assert!((found.value.unwrap().1.re - 16.0).abs() < 1e-6);
        let found = against(padded, 64.0, 8);
        assert_eq!((found.held.n, found.difference), (32, None), "rows of other lengths have no difference");
        assert!((found.value.unwrap().1.re - 16.0).abs() < 1e-6, "position 8 of 64 is position 4 of 32");
    }
}
