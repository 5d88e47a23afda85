//! The axis along the samples of a row: what a file says about when or where they were taken.

use super::{AxisUnit, Channel, ChannelChoice, NoSuchChannel, Sampling, Signal};
use crate::numerals::number;
use jiff::SignedDuration;
use jiff::civil::{DateTime, Time, date};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// When or where the samples of a row were taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The name of the column without its unit, such as "time", "YEAR" or "date"; empty where the file names none.
    pub name: String,
    /// The unit of positions.
    pub unit: AxisUnit,
    /// Samples in a unit; `None` where the steps are uneven.
    pub per_unit: Option<f64>,
    /// The position of the first sample.
    pub start: f64,
    /// The date and the time of position 0, where the file has dates.
    pub origin: Option<DateTime>,
    /// The positions that the file has, where they are uneven. Where samples were made for even steps, [`super::Channel::as_stored`] has the values of the file.
    pub positions: Option<Arc<[f64]>>,
}

/// The samples of a channel at the positions that the file has, for what needs no even steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped {
    /// The positions, ascending.
    pub positions: Vec<f64>,
    /// A value at each position.
    pub values: Vec<f64>,
}

impl Axis {
    /// An axis of even steps from position 0 on, where nothing but the steps is known.
    pub fn new(name: impl Into<String>, sampling: Sampling) -> Self {
        Self { name: name.into(), unit: sampling.unit, per_unit: Some(sampling.per_unit), start: 0.0, origin: None, positions: None }
    }

    /// The axis of a recording of this number of samples in a second.
    pub fn of_rate(hertz: f64) -> Self {
        Self::new("", Sampling::hertz(hertz))
    }

    /// The axis whose position 0 is a time of the clock, as UTC has it.
    #[must_use]
    pub fn since(self, clock: SystemTime) -> Self {
        let since_1970 = clock.duration_since(UNIX_EPOCH).ok().and_then(|since| SignedDuration::try_from(since).ok());
        let first = date(1970, 1, 1).to_datetime(Time::midnight());
        Self { origin: since_1970.and_then(|since| first.checked_add(since).ok()), ..self }
    }

    /// How the samples follow each other; `None` where the steps are uneven.
    pub fn sampling(&self) -> Option<Sampling> {
        Some(Sampling { per_unit: self.per_unit?, unit: self.unit })
    }

    /// The position of a sample; `None` where the steps are uneven and the file does not say the positions.
    pub fn place_of(&self, sample: usize) -> Option<f64> {
        match self.per_unit {
            Some(per_unit) => Some(self.start + sample as f64 / per_unit),
            None => self.positions.as_ref()?.get(sample).copied(),
        }
    }

    /// The step from the sample before to this one; at the first sample, the step to the second.
    pub fn step_near(&self, sample: usize) -> Option<f64> {
        match self.per_unit {
            Some(per_unit) => Some(per_unit.recip()),
            None => {
                let positions = self.positions.as_ref()?;
                let last = sample.max(1).min(positions.len().checked_sub(1)?);
                Some(positions[last] - positions[last.checked_sub(1)?])
            }
        }
    }

    /// The name of the axis with its unit: "time (s)", "YEAR (years)", "x", "date (days since 2021-01-01)".
    pub fn label(&self) -> String {
        let name = if self.name.is_empty() { self.unit.quantity() } else { &self.name };
        match (self.unit.symbol(), self.date(0.0, self.per_unit.map_or(1.0, f64::recip))) {
            ("", _) => name.to_owned(),
            (unit, None) => format!("{name} ({unit})"),
            (unit, Some(origin)) => format!("{name} ({unit} since {origin})"),
        }
    }

    /// The name of the axis of this many samples. Its ticks are dates if the axis has dates, and clock times if the recording is long.
    pub fn label_of_ticks(&self, samples: usize) -> String {
        let name = if self.name.is_empty() { self.unit.quantity() } else { &self.name };
        match (&self.origin, self.on_clock(samples)) {
            (Some(_), _) => name.to_owned(),
            (None, Some(_)) => format!("{name} (h:min:s)"),
            (None, None) => self.label(),
        }
    }

    /// A position as a person reads it: a date on an axis of dates, a time of a clock beyond some minutes, else a number with its unit.
    pub fn place(&self, position: f64, step: f64) -> String {
        self.date(position, step).or_else(|| self.time_of_clock(position, step)).unwrap_or_else(|| match self.unit.symbol() {
            "" => number(position, 8),
            // A year is a name rather than a stretch.
            _ if self.unit == AxisUnit::Year => number(position, 8),
            unit => format!("{} {unit}", number(position, 8)),
        })
    }
}

impl Signal {
    /// How the samples of its rows follow each other, where the file says it.
    pub fn sampling(&self) -> Option<Sampling> {
        self.axis.as_ref().and_then(Axis::sampling)
    }

    /// Samples in a second, where the rows follow each other in even steps of time.
    pub fn rate_hz(&self) -> Option<f64> {
        self.sampling().and_then(Sampling::rate_hz)
    }

    /// The signal with the axis and the centre frequency of the one that it was made from, from its sample `first` on. Stored positions stay only where all samples do.
    #[must_use]
    pub fn with_axis_of(self, source: &Self, first: usize) -> Self {
        let is_whole = source.columns == self.columns && first == 0;
        let axis = source.axis.clone().filter(|axis| is_whole || axis.per_unit.is_some());
        let cut = |axis: Axis| {
            let start = axis.start + axis.per_unit.map_or(0.0, |per_unit| first as f64 / per_unit);
            Axis { start, positions: axis.positions.filter(|_| is_whole), ..axis }
        };
        Self { axis: axis.map(cut), centre_hz: source.centre_hz, ..self }
    }

    /// The channel of a choice; `None` for the luminance, which is made of three, and for one that is not there.
    pub fn channel(&self, choice: ChannelChoice) -> Option<&Channel> {
        let parts = self.parts(choice).ok()?;
        let [samples] = parts[..] else { return None };
        self.channels.iter().find(|channel| std::ptr::eq(&channel.samples, samples))
    }

    /// The samples of a channel at the positions of an axis: before even steps were made of uneven ones, and without those that were filled. Without an axis, positions count samples.
    ///
    /// # Errors
    /// When the channel does not exist.
    pub fn stamped(&self, axis: Option<&Axis>, choice: ChannelChoice) -> Result<Stamped, NoSuchChannel> {
        let samples = self.samples_f64(choice)?;
        let channel = self.channel(choice);
        let stored = axis.and_then(|axis| axis.positions.as_deref());
        let as_stored = channel.and_then(|channel| channel.as_stored.as_deref());
        let is_uneven = axis.is_some_and(|axis| axis.per_unit.is_none());
        if let (Some(positions), Some(values)) = (stored, as_stored) {
            return Ok(Stamped::of(positions.iter().copied().zip(values.iter().copied())));
        }
        let (start, step) = axis.map_or((0.0, 1.0), |axis| (axis.start, axis.per_unit.map_or(1.0, f64::recip)));
        let mut is_filled = vec![false; samples.len()];
        for range in channel.map_or(&[][..], |channel| &channel.missing) {
            is_filled[range.start.min(samples.len())..range.end.min(samples.len())].fill(true);
        }
        let position = |index: usize| match stored.filter(|_| is_uneven).and_then(|stored| stored.get(index)) {
            Some(position) => *position,
            None => start + step * index as f64,
        };
        let kept = samples.into_iter().enumerate().filter(|(index, _)| !is_filled[*index]);
        Ok(Stamped::of(kept.map(|(index, value)| (position(index), value))))
    }
}

impl Stamped {
    /// The finite ones of positions with their values.
    fn of(pairs: impl Iterator<Item = (f64, f64)>) -> Self {
        let (positions, values) = pairs.filter(|(position, value)| position.is_finite() && value.is_finite()).unzip();
        Self { positions, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Samples, SignalKind};

    #[test]
    fn an_axis_has_its_name_and_its_unit() {
        let year = |name: &str| Axis::new(name, Sampling { per_unit: 1.0, unit: AxisUnit::Year });
        let midnight = date(2021, 1, 1).at(0, 0, 0, 0);
        let dated = |step: &str| Axis { origin: Some(midnight), ..Axis::new("date", step.parse().expect("a step")) };
        let labels = [
            (year("YEAR"), "YEAR (years)"),
            (year(""), "time (years)"),
            (Axis::of_rate(8.0), "time (s)"),
            (Axis::new("x", Sampling { per_unit: 2.0, unit: AxisUnit::Index }), "x"),
            (Axis::new("", "2 mm".parse().expect("a step")), "position (mm)"),
            (dated("1 day"), "date (days since 2021-01-01)"),
            (dated("1 month"), "date (months since 2021-01)"),
            (dated("1 h"), "date (h since 2021-01-01 00:00)"),
        ];
        for (axis, label) in labels {
            assert_eq!(axis.label(), label);
        }
        assert_eq!((year("YEAR").place(1874.0, 1.0).as_str(), Axis::of_rate(8.0).place(0.125, 0.125).as_str()), ("1874", "0.125 s"));
    }

    #[test]
    fn samples_stand_where_the_file_has_them() {
        let signal = |axis: Option<Axis>| Signal { axis, ..Signal::row("a", Samples::F64(vec![1.0, 2.0, 3.0, 4.0])) };
        let found = |signal: &Signal| {
            let Stamped { positions, values } = signal.stamped(signal.axis.as_ref(), ChannelChoice::default()).expect("it has a channel");
            positions.into_iter().zip(values).collect::<Vec<_>>()
        };
        assert_eq!(found(&signal(None)), [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]);
        let even = Axis { start: 10.0, ..Axis::of_rate(2.0) };
        let mut gap = signal(Some(even.clone()));
        gap.channels[0].missing.push(1..3);
        assert_eq!(found(&gap), [(10.0, 1.0), (11.5, 4.0)], "what was filled is no sample");
        let positions: Arc<[f64]> = [0.0, 0.25, 3.0].into();
        let mut resampled = signal(Some(Axis { positions: Some(positions.clone()), ..even }));
        resampled.channels[0].as_stored = Some([5.0, f64::NAN, 7.0].into());
        assert_eq!(found(&resampled), [(0.0, 5.0), (3.0, 7.0)], "the samples of the file, and not those at even steps");
        let uneven = Axis { per_unit: None, positions: Some([0.0, 0.25, 3.0, 3.5].into()), ..Axis::of_rate(1.0) };
        assert_eq!(found(&signal(Some(uneven.clone()))), [(0.0, 1.0), (0.25, 2.0), (3.0, 3.0), (3.5, 4.0)]);
        assert!(signal(None).stamped(None, ChannelChoice::Channel(1)).is_err());
        let part = Signal::from_channels("b", SignalKind::Rows, (1, 1), vec![Channel::new("v", Samples::F64(vec![1.0]))]);
        assert_eq!(part.clone().with_axis_of(&signal(Some(uneven)), 0).axis, None, "positions of other samples");
        let cut = part.with_axis_of(&resampled, 3).axis.expect("even steps");
        assert_eq!((cut.per_unit, cut.start, cut.positions), (Some(2.0), 11.5, None));
    }
}
