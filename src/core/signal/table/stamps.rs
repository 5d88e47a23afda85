//! A column of dates and times: seconds from a day that is its origin, and whether they follow the calendar.

use super::StampFormat;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// Seconds of a day.
pub(super) const DAY: f64 = 86_400.0;

/// The origin of the positions of a column of times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StampKind {
    /// Dates: from this instant, in nanoseconds since 1970.
    Calendar(i128),
    /// Clock times of a day, or durations: from 0.
    Clock,
}

/// The times of a column in seconds; NaN where one is missing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stamps {
    pub seconds: Vec<f64>,
    pub kind: StampKind,
    /// Whether the format has no days, so that every stamp begins a month.
    pub has_months_only: bool,
    /// Whether the stamps have dates without a clock, which a column of clock times may follow.
    pub is_date_only: bool,
    /// The order of day and month, where another one would be possible.
    pub order: Option<String>,
}

impl Stamps {
    /// An empty column of this format; `first` is one of its cells.
    pub(crate) fn new(format: &StampFormat, first: &str) -> Self {
        let origin = format.nanoseconds(first).unwrap_or(0);
        Self {
            seconds: Vec::new(),
            kind: if format.is_clock() { StampKind::Clock } else { StampKind::Calendar(origin) },
            has_months_only: format.has_months_only(),
            is_date_only: format.is_date_only(first),
            order: format.order(),
        }
    }

    /// Seconds from the origin.
    pub(crate) fn seconds_of(&self, nanoseconds: i128) -> f64 {
        let origin = match self.kind {
            StampKind::Calendar(origin) => origin,
            StampKind::Clock => 0,
        };
        (nanoseconds - origin) as f64 / 1e9
    }

    /// Dates of numbers that count seconds since 1970.
    pub(crate) fn since_1970(seconds: &[f64]) -> Self {
        let first = seconds.iter().copied().find(|value| value.is_finite()).unwrap_or(0.0);
        let origin = (first * 1e9).round() as i128;
        let from_origin = |value: &f64| value - first;
        Self {
            seconds: seconds.iter().map(from_origin).collect(),
            kind: StampKind::Calendar(origin),
            has_months_only: false,
            is_date_only: false,
            order: None,
        }
    }

    /// Adds the clock times of another column to dates.
    pub(crate) fn with_clock(mut self, clock: &[f64]) -> Self {
        self.seconds.iter_mut().zip(clock).for_each(|(date, time)| *date += time);
        self.is_date_only = false;
        self
    }

    /// Clock times that go on after midnight instead of beginning anew.
    pub(crate) fn unwrap_days(&mut self) {
        if self.kind != StampKind::Clock {
            return;
        }
        let (mut days, mut last) = (0.0, f64::NAN);
        for value in self.seconds.iter_mut().filter(|value| value.is_finite()) {
            let clock = *value;
            if last - clock > DAY / 2.0 {
                days += DAY;
            }
            last = clock;
            *value = clock + days;
        }
    }

    /// The month of every stamp, counted from the year 0, where all begin at the same place of their months: on the same day, on the last one,
    /// or on the first or the last day of work. NaN where a stamp is missing.
    pub(crate) fn months(&self) -> Option<Vec<f64>> {
        let midnight = |time: DateTime| (time.time() == Time::midnight()).then(|| time.date());
        let dates: Vec<Option<Date>> = self.seconds.iter().map(|seconds| self.time_at(*seconds).and_then(midnight)).collect();
        let known = dates.iter().zip(&self.seconds).filter(|(_, seconds)| seconds.is_finite());
        let first = known.clone().next()?.0.as_ref()?;
        let is_like_first = |date: &Date| {
            let are_last = date.day() == date.days_in_month() && first.day() == first.days_in_month();
            date.day() == first.day() || are_last
        };
        let are_alike = known.clone().all(|(date, _)| date.as_ref().is_some_and(is_like_first));
        // The first or the last day of work is one of the first or the last four of a month.
        let is_near_end = |date: &Date| date.days_in_month() - date.day() < 4;
        let are_near = |is_near: &dyn Fn(&Date) -> bool| known.clone().all(|(date, _)| date.as_ref().is_some_and(is_near));
        if !are_alike && !are_near(&is_near_end) && !are_near(&|date: &Date| date.day() <= 4) {
            return None;
        }
        let month =
            |date: &Option<Date>| date.map_or(f64::NAN, |date| f64::from(12 * i32::from(date.year()) + i32::from(date.month()) - 1));
        let months: Vec<f64> = dates.iter().map(month).collect();
        // Days of work tell months only where no month has two.
        (are_alike || months.windows(2).all(|pair| pair[0] != pair[1])).then_some(months)
    }

    /// The date and time that positions count from, as the file says them; `None` for clock times.
    pub(crate) fn origin(&self) -> Option<DateTime> {
        self.time_at(0.0)
    }

    /// The date and time of a position; `None` for clock times, out of the calendar, and where it is missing.
    pub(super) fn time_at(&self, seconds: f64) -> Option<DateTime> {
        let StampKind::Calendar(origin) = self.kind else { return None };
        let nanoseconds = seconds.is_finite().then(|| origin + (seconds * 1e9).round() as i128)?;
        Some(Offset::UTC.to_datetime(Timestamp::from_nanosecond(nanoseconds).ok()?))
    }

    /// Moves the origin to the first stamp.
    pub(crate) fn count_from_first(&mut self) {
        let Some(first) = self.seconds.iter().copied().find(|value| value.is_finite()) else { return };
        if let StampKind::Calendar(origin) = &mut self.kind {
            *origin += (first * 1e9).round() as i128;
            self.seconds.iter_mut().for_each(|value| *value -= first);
        }
    }
}
