//! Clock times and durations in nanoseconds.

use jiff::{Span, SpanRelativeTo, Unit};

/// Seconds with a fraction as nanoseconds.
fn seconds(text: &str) -> Option<i128> {
    let text = text.replace(',', ".");
    let is_plain = text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = text.parse().ok().filter(|_| is_plain)?;
    (value < 60.0).then_some((value * 1e9).round() as i128)
}

/// A count of hours or minutes with at most six digits.
fn count(text: &str) -> Option<i128> {
    let is_count = !text.is_empty() && text.len() <= 6 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| is_count)
}

/// Hours, minutes and perhaps seconds between colons, of a day with "am" or "pm", or since a start: "7:05 PM", "36:00:00.5".
pub(super) fn clock(cell: &str) -> Option<i128> {
    let lower = cell.to_ascii_lowercase();
    // The hours that "am" or "pm" adds.
    let (text, noon) = match lower.strip_suffix("pm") {
        Some(text) => (text, Some(12)),
        None => lower.strip_suffix("am").map_or((lower.as_str(), None), |text| (text, Some(0))),
    };
    let mut parts = text.trim().split(':');
    let (hours, minutes) = (count(parts.next()?)?, count(parts.next()?).filter(|minutes| *minutes < 60)?);
    let mut seconds = parts.next().map_or(Some(0), seconds)?;
    // Milliseconds may be behind one more colon.
    if let Some(thousandths) = parts.next() {
        seconds += count(thousandths).filter(|_| thousandths.len() == 3)? * 1_000_000;
    }
    let hours = match noon {
        Some(noon) if (1..=12).contains(&hours) => hours % 12 + noon,
        Some(_) => return None,
        None => hours,
    };
    parts.next().is_none().then_some((hours * 60 + minutes) * 60_000_000_000 + seconds)
}

/// Hours, minutes and seconds of a day between dots.
pub(super) fn dotted(cell: &str) -> Option<i128> {
    let parts: Vec<&str> = cell.split('.').collect();
    let has_two_digits = parts.len() == 3 && parts[1..].iter().all(|part| part.len() == 2) && parts[0].len() <= 2;
    clock(&parts.join(":")).filter(|time| has_two_digits && *time < 24 * 3_600_000_000_000)
}

/// Minutes and seconds with a fraction: "07:05.5".
pub(super) fn minutes(cell: &str) -> Option<i128> {
    let (minutes, rest) = cell.split_once(':')?;
    Some(count(minutes)? * 60_000_000_000 + seconds(rest)?)
}

/// Seconds since the beginning of a recording as a person writes them: "1:02:03.5", or minutes and seconds, "62:03.5".
pub fn seconds_of_clock(text: &str) -> Option<f64> {
    let text = text.trim();
    let (sign, time) = text.strip_prefix(['-', '−']).map_or((1.0, text), |time| (-1.0, time));
    let read = if time.matches(':').count() == 1 { minutes(time) } else { clock(time) };
    let is_plain = !time.contains(|c: char| c.is_alphabetic());
    read.filter(|_| is_plain).map(|nanoseconds| sign * nanoseconds as f64 / 1e9)
}

/// Amounts with their units: "PT1H", "1 days 02:00:00", "5m 3s".
pub(super) fn duration(cell: &str) -> Option<i128> {
    let is_duration = cell.contains(|c: char| c.is_ascii_alphabetic());
    let span: Span = cell.parse().ok().filter(|_| is_duration)?;
    let total = span.total((Unit::Nanosecond, SpanRelativeTo::days_are_24_hours())).ok()?;
    Some(total.round() as i128)
}
