//! Positions of an axis as dates or as times of a clock, and round ones for its ticks.

use super::{Axis, AxisUnit};
use jiff::civil::{DateTime, Time, date};
use jiff::{SignedDuration, Span};

/// Seconds of a day.
const DAY: i64 = 86_400;
/// Seconds between ticks within a day, days between them, and months between them, from the finest.
const SECONDS: [i64; 18] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, DAY];
const DAYS: [i64; 3] = [2, 7, 14];
const MONTHS: [i64; 15] = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000, 24_000];
/// A recording that lasts this many seconds has times of a clock, as 1:15:00, and a position from here on is said so.
const CLOCK: f64 = 300.0;
/// The time from which times of a clock are counted: a Monday, as weeks are.
const ZERO: DateTime = DateTime::constant(1970, 1, 5, 0, 0, 0, 0);
/// More ticks do not help on any axis.
const MOST_TICKS: usize = 500;

/// A tick at a round date or time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DateTick {
    /// Its position, in units of the axis.
    pub position: f64,
    /// The distance of ticks, in units of the axis.
    pub step: f64,
}

/// The distance of ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum DateStep {
    Seconds(i64),
    Months(i64),
}

impl DateStep {
    /// The smallest round distance of at least this number of seconds; `None` below a second and beyond the calendar.
    fn of(least: f64) -> Option<Self> {
        let within = SECONDS.into_iter().chain(DAYS.map(|days| days * DAY)).map(Self::Seconds);
        let mut steps = within.chain(MONTHS.map(Self::Months));
        steps.find(|step| step.seconds() >= least).filter(|_| least > 0.5)
    }

    fn seconds(self) -> f64 {
        match self {
            Self::Seconds(seconds) => seconds as f64,
            Self::Months(months) => months as f64 * AxisUnit::Month.seconds().unwrap_or_default(),
        }
    }

    /// The last round date up to a date.
    fn floor(self, of: DateTime) -> Option<DateTime> {
        match self {
            Self::Seconds(step) if step < DAY => {
                let midnight = of.date().to_datetime(Time::midnight());
                let seconds = of.duration_since(midnight).as_secs();
                midnight.checked_add(SignedDuration::from_secs(seconds - seconds.rem_euclid(step))).ok()
            }
            Self::Seconds(step) => {
                // Weeks begin on Mondays, as the fifth of January 1970.
                let monday = date(1970, 1, 5).to_datetime(Time::midnight());
                let seconds = of.duration_since(monday).as_secs();
                monday.checked_add(SignedDuration::from_secs(seconds - seconds.rem_euclid(step))).ok()
            }
            Self::Months(step) => {
                let months = 12 * i64::from(of.year()) + i64::from(of.month()) - 1;
                let floored = months - months.rem_euclid(step);
                let (year, month) = (floored.div_euclid(12), floored.rem_euclid(12) + 1);
                jiff::civil::Date::new(i16::try_from(year).ok()?, month as i8, 1).ok().map(|day| day.to_datetime(Time::midnight()))
            }
        }
    }

    fn next(self, after: DateTime) -> Option<DateTime> {
        match self {
            Self::Seconds(step) => after.checked_add(SignedDuration::from_secs(step)).ok(),
            Self::Months(step) => after.checked_add(Span::new().try_months(step).ok()?).ok(),
        }
    }
}

impl Axis {
    /// Whether its times may be those of a clock: in seconds, without dates, and not the numbers of a column that a file names.
    fn may_be_clock(&self) -> bool {
        self.origin.is_none() && self.unit == AxisUnit::Second && self.name.is_empty()
    }

    /// The axis itself if the ticks over this many samples are dates or clock times; `None` if they are numbers.
    pub fn on_clock(&self, samples: usize) -> Option<&Self> {
        let is_long = || self.place_of(samples.saturating_sub(1)).is_some_and(|end| end >= CLOCK);
        (self.origin.is_some() || self.may_be_clock() && is_long()).then_some(self)
    }

    /// The time of a clock at a position, as exact as `step` positions need, but not more than a millisecond; `None` with dates, in other units and before some minutes.
    pub(super) fn time_of_clock(&self, position: f64, step: f64) -> Option<String> {
        (self.may_be_clock() && position.abs() >= CLOCK).then(|| of_clock(position, step.max(1e-3)))
    }

    /// Writes positions as times of a clock, to the microsecond, as [`seconds_of_clock`](super::seconds_of_clock) reads them: "1:02:03.5"; `None` if the ticks over this many samples are dates or numbers.
    pub fn clock_times(&self, samples: usize) -> Option<fn(f64) -> String> {
        let written = |seconds| of_clock(seconds, 1e-6).trim_end_matches('0').trim_end_matches('.').to_owned();
        self.on_clock(samples).filter(|axis| axis.origin.is_none()).map(|_| written as fn(f64) -> String)
    }

    /// The date at a position, as exact as `step` positions need: "2021-03-05", "2021-03-05 06:15", "2021-03"; `None` without a date of position 0, or out of the calendar.
    pub fn date(&self, position: f64, step: f64) -> Option<String> {
        let origin = self.origin?;
        let (date, seconds) = (date_at(origin, self.unit, position)?, step.abs() * self.unit.seconds()?);
        let is_calendar = matches!(self.unit, AxisUnit::Month | AxisUnit::Year);
        let [of_year, of_month] =
            [origin.first_of_year(), origin.first_of_month()].map(|first| is_calendar && first == origin.start_of_day());
        let format = match seconds {
            31e6.. if of_year => "%Y",
            2.6e6.. if of_month => "%Y-%m",
            86_399.0.. => "%Y-%m-%d",
            59.0.. => "%Y-%m-%d %H:%M",
            0.999.. => "%Y-%m-%d %H:%M:%S",
            _ => "%Y-%m-%d %H:%M:%S%.3f",
        };
        Some(date.strftime(format).to_string())
    }

    /// Round dates or times of a clock between two positions, at least `least` apart; none where the ticks are finer than a second.
    pub fn date_ticks(&self, low: f64, high: f64, least: f64) -> Vec<DateTick> {
        self.round_dates(low, high, least).unwrap_or_default()
    }

    fn round_dates(&self, low: f64, high: f64, least: f64) -> Option<Vec<DateTick>> {
        let (origin, unit) = (self.origin.or(self.may_be_clock().then_some(ZERO))?, self.unit.seconds()?);
        let step = DateStep::of(least * unit)?;
        let first = step.floor(date_at(origin, self.unit, low)?)?;
        let dates = std::iter::successors(Some(first), |date| step.next(*date));
        let ticks = dates.map(|date| DateTick { position: position_of(origin, self.unit, date), step: step.seconds() / unit });
        Some(ticks.skip_while(|tick| tick.position < low).take_while(|tick| tick.position <= high).take(MOST_TICKS).collect())
    }

    /// The text of a tick: the year, the month, the day, or the time, with the day at midnight; without dates, hours, minutes and seconds.
    pub fn date_tick_text(&self, DateTick { position, step }: DateTick) -> Option<String> {
        let unit = self.unit.seconds()?;
        let Some(origin) = self.origin else { return Some(of_clock(position * unit, step * unit)) };
        let (date, seconds) = (date_at(origin, self.unit, position)?, step * unit);
        let is_midnight = date == date.start_of_day();
        let format = match seconds {
            31e6.. => "%Y",
            2.6e6.. => "%Y-%m",
            86_399.0.. => "%Y-%m-%d",
            _ if is_midnight => "%m-%d",
            59.0.. => "%H:%M",
            0.999.. => "%H:%M:%S",
            _ => "%H:%M:%S%.3f",
        };
        Some(date.strftime(format).to_string())
    }
}

/// Writes seconds as hours, minutes and seconds, with the decimals that tell steps of `step` seconds apart: 1:15:00, 0:05:00.25.
fn of_clock(seconds: f64, step: f64) -> String {
    let decimals = (1..=6).find(|decimals| step * 10_f64.powi(*decimals) >= 0.999).unwrap_or(6) as usize;
    let decimals = if step >= 0.999 { 0 } else { decimals };
    let rounded = format!("{:.decimals$}", seconds.abs());
    let (whole, rest) = rounded.split_once('.').map_or((rounded.as_str(), String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let whole: u64 = whole.parse().unwrap_or(u64::MAX);
    let sign = if seconds < 0.0 { "−" } else { "" };
    format!("{sign}{}:{:02}:{:02}{rest}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// The date that lies `position` units after another one; `None` out of the calendar.
fn date_at(origin: DateTime, unit: AxisUnit, position: f64) -> Option<DateTime> {
    let months = match unit {
        AxisUnit::Month => position,
        AxisUnit::Year => 12.0 * position,
        timed => {
            // Milliseconds are what a clock shows; sums of steps are rounded more finely.
            let millis = (position * timed.seconds()? * 1e3).round();
            let is_within = millis.abs() < 1e15;
            return origin.checked_add(SignedDuration::from_millis(if is_within { millis as i64 } else { return None })).ok();
        }
    };
    // A month that a sum of steps misses by a rounding is meant.
    let whole = if (months - months.round()).abs() < 1e-6 { months.round() } else { months.floor() };
    let first = origin.checked_add(Span::new().try_months(if whole.abs() < 1e6 { whole as i64 } else { return None }).ok()?).ok()?;
    let days = (f64::from(first.days_in_month()) * (months - whole)).max(0.0);
    first.checked_add(SignedDuration::from_millis((days * 86_400e3).round() as i64)).ok()
}

/// The position of a date: the way back.
fn position_of(origin: DateTime, unit: AxisUnit, date: DateTime) -> f64 {
    let months = || {
        let of = |date: DateTime| 12.0 * f64::from(date.year()) + f64::from(date.month());
        let day = |date: DateTime| {
            date.duration_since(date.first_of_month().start_of_day()).as_secs_f64() / (DAY as f64 * f64::from(date.days_in_month()))
        };
        of(date) - of(origin) + day(date) - day(origin)
    };
    match unit {
        AxisUnit::Month => months(),
        AxisUnit::Year => months() / 12.0,
        timed => date.duration_since(origin).as_secs_f64() / timed.seconds().unwrap_or(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Sampling, seconds_of_clock};

    fn dated(unit: AxisUnit, per_unit: f64, origin: DateTime) -> Axis {
        Axis { origin: Some(origin), ..Axis::new("date", Sampling { per_unit, unit }) }
    }

    #[test]
    fn positions_are_dates_where_the_file_has_dates() {
        let midnight = date(2021, 1, 1).at(0, 0, 0, 0);
        for (unit, origin, position, step, text) in [
            (AxisUnit::Day, midnight, 0.0, 1.0, "2021-01-01"),
            (AxisUnit::Day, midnight, 58.0, 1.0, "2021-02-28"),
            (AxisUnit::Day, midnight, 59.25, 0.25, "2021-03-01 06:00"),
            (AxisUnit::Hour, midnight, 0.25, 0.25, "2021-01-01 00:15"),
            (AxisUnit::Hour, midnight, 24.1, 0.1, "2021-01-02 00:06"),
            (AxisUnit::Second, midnight, 61.5, 0.5, "2021-01-01 00:01:01.500"),
            (AxisUnit::Second, midnight, 61.0, 1.0, "2021-01-01 00:01:01"),
            (AxisUnit::Week, midnight, 2.0, 1.0, "2021-01-15"),
            (AxisUnit::Month, midnight, 14.0, 1.0, "2022-03"),
            (AxisUnit::Month, date(2021, 1, 31).at(0, 0, 0, 0), 1.0, 1.0, "2021-02-28"),
            (AxisUnit::Year, midnight, 79.0, 1.0, "2100"),
            (AxisUnit::Year, midnight, 0.25, 0.25, "2021-04"),
            (AxisUnit::Month, midnight, 0.5, 0.05, "2021-01-16"),
        ] {
            assert_eq!(dated(unit, 1.0 / step, origin).date(position, step).as_deref(), Some(text), "{unit:?} {position}");
        }
        let far = dated(AxisUnit::Year, 1.0, midnight);
        assert_eq!((far.date(1e9, 1.0), far.date(f64::NAN, 1.0), far.date(-13_000.0, 1.0)), (None, None, None));
        assert_eq!(dated(AxisUnit::Day, 1.0, midnight).date(1e12, 1.0), None);
        assert_eq!(Axis::of_rate(8.0).date(1.0, 1.0), None, "without a date of position 0");
    }

    #[test]
    fn ticks_stand_at_round_dates() {
        let noon = date(2020, 11, 17).at(12, 0, 0, 0);
        let texts = |axis: &Axis, ends: [f64; 2], least: f64| {
            let ticks = axis.date_ticks(ends[0], ends[1], least);
            ticks.iter().map(|tick| axis.date_tick_text(*tick).expect("a date")).collect::<Vec<_>>()
        };
        let days = dated(AxisUnit::Day, 1.0, noon);
        assert_eq!(texts(&days, [0.0, 100.0], 25.0), ["2020-12", "2021-01", "2021-02"]);
        assert_eq!(texts(&days, [0.0, 1500.0], 300.0), ["2021", "2022", "2023", "2024"]);
        assert_eq!(texts(&days, [0.0, 20.0], 5.0), ["2020-11-23", "2020-11-30", "2020-12-07"], "Mondays");
        assert_eq!(texts(&days, [0.0, 1.0], 0.2), ["12:00", "18:00", "11-18", "06:00", "12:00"]);
        assert_eq!(texts(&dated(AxisUnit::Second, 10.0, noon), [0.0, 3.0], 0.9), ["12:00:00", "12:00:01", "12:00:02", "12:00:03"]);
        assert_eq!(
            texts(&dated(AxisUnit::Year, 1.0, date(1700, 1, 1).at(0, 0, 0, 0)), [0.0, 320.0], 80.0),
            ["1700", "1800", "1900", "2000"]
        );
        assert_eq!(
            texts(&dated(AxisUnit::Month, 1.0, date(1974, 1, 1).at(0, 0, 0, 0)), [0.0, 14.0], 5.0),
            ["1974-01", "1974-07", "1975-01"]
        );
        assert!(texts(&days, [0.0, 1e-6], 1e-7).is_empty(), "finer than a second");
        assert!(texts(&Axis::new("", "1 day".parse().expect("a step")), [0.0, 1e6], 1e5).is_empty(), "no dates");
        assert!(texts(&days, [f64::NEG_INFINITY, f64::INFINITY], 1.0).is_empty(), "out of the calendar");
    }

    #[test]
    fn dates_and_positions_agree() {
        let origins = [date(2020, 2, 29).at(6, 30, 0, 0), date(1999, 12, 31).at(23, 59, 59, 0), date(2021, 1, 1).at(0, 0, 0, 0)];
        for (origin, unit) in origins
            .into_iter()
            .flat_map(|origin| [AxisUnit::Second, AxisUnit::Hour, AxisUnit::Day, AxisUnit::Week].map(|unit| (origin, unit)))
        {
            for position in [-1000.0, -0.5, 0.0, 1.0, 17.25, 100_000.0] {
                let date = date_at(origin, unit, position).expect("it is in the calendar");
                assert!((position_of(origin, unit, date) - position).abs() < 1e-6, "{origin} {unit:?} {position}");
            }
        }
        let first = date(1974, 1, 1).at(0, 0, 0, 0);
        for position in [0.0, 1.0, 13.0, -25.0, 7.5] {
            let date = date_at(first, AxisUnit::Month, position).expect("it is in the calendar");
            assert!((position_of(first, AxisUnit::Month, date) - position).abs() < 1e-6, "{position}");
        }
    }

    #[test]
    fn a_recording_of_hours_has_round_times_of_a_clock() {
        let hertz = Axis::of_rate(8000.0);
        assert!(hertz.on_clock(2_000_000).is_none() && hertz.on_clock(2_400_001).is_some());
        assert!(Axis::new("", "1 h".parse().unwrap()).on_clock(1_000_000).is_none(), "a unit that a person chose");
        assert!(Axis::new("t", "1 s".parse().unwrap()).on_clock(1_000_000).is_none(), "numbers of a column");
        assert_eq!([hertz.label_of_ticks(8000), hertz.label_of_ticks(1 << 30)], ["time (s)", "time (h:min:s)"]);
        let texts = |low: f64, high: f64, least: f64| -> Vec<String> {
            hertz.date_ticks(low, high, least).into_iter().map(|tick| hertz.date_tick_text(tick).unwrap()).collect()
        };
        assert_eq!(texts(0.0, 25_000.0, 5000.0), ["0:00:00", "2:00:00", "4:00:00", "6:00:00"]);
        assert_eq!(texts(-10.0, 65.0, 18.0), ["0:00:00", "0:00:30", "0:01:00"]);
        assert_eq!(texts(3590.0, 3612.0, 7.0), ["0:59:50", "1:00:00", "1:00:10"]);
        assert_eq!(texts(90_000.0, 200_000.0, 50_000.0), ["48:00:00"]);
        assert!(texts(0.0, 1.0, 0.1).is_empty(), "seconds have decimals");
        let fine = |position: f64, step: f64| hertz.date_tick_text(DateTick { position, step }).unwrap();
        assert_eq!([fine(25_000.25, 0.05), fine(300.1, 0.000_1), fine(59.999_9, 1.0)], ["6:56:40.25", "0:05:00.1000", "0:01:00"]);
        assert_eq!(
            [hertz.place(25_000.0, 1.0 / 8000.0), hertz.place(299.0, 1.0), hertz.place(-301.0, 1.0)],
            ["6:56:40.000", "299 s", "−0:05:01"]
        );
        let written = hertz.clock_times(1 << 30).unwrap();
        for (seconds, text) in [(3723.5, "1:02:03.5"), (0.0, "0:00:00"), (-600.000_125, "−0:10:00.000125")] {
            assert_eq!((written(seconds).as_str(), seconds_of_clock(text)), (text, Some(seconds)));
        }
        assert_eq!((seconds_of_clock("62:03.5"), seconds_of_clock("62"), seconds_of_clock("1:02:03 pm")), (Some(3723.5), None, None));
        assert!(hertz.clock_times(8000).is_none() && hertz.since(std::time::SystemTime::now()).clock_times(1 << 30).is_none());
    }
}
