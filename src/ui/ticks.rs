//! Round ticks for axes, and numbers as people write them.

use crate::numerals::grouped;

/// Round positions within `low..=high`, about `wanted` of them: steps of 1, 2 or 5 times a power of ten.
pub(super) fn ticks(low: f64, high: f64, wanted: f64) -> Vec<f64> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0 && wanted >= 1.0) {
        return if low.is_finite() { vec![low] } else { Vec::new() };
    }
    let step = round_step(span / wanted);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

/// The smallest of 1, 2, 5, 10 times a power of ten that is not below `raw`.
pub(super) fn round_step(raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= raw * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

/// A number with up to `digits` significant digits, without needless zeros; very large and very small ones with an exponent.
pub(super) fn number(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if !value.is_finite() {
        return if value.is_nan() {
            "not a number".into()
        } else if value > 0.0 {
            "∞".into()
        } else {
            "−∞".into()
        };
    }
    let exponent = value.abs().log10().floor() as i32;
    let text = if (-4..=6).contains(&exponent) || (exponent < 9 && value.fract() == 0.0) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{value:.decimals$}"))
    } else {
        let mantissa = value / 10f64.powi(exponent);
        format!("{}e{exponent}", trimmed(&format!("{mantissa:.0$}", digits.saturating_sub(1))))
    };
    grouped(&text).replace('-', "−")
}

fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// A duration given in microseconds, with a unit that keeps three or four digits.
pub(super) fn duration(micros: f64) -> String {
    match micros {
        m if m < 1e3 => format!("{} µs", number(m, 3)),
        m if m < 1e6 => format!("{} ms", number(m / 1e3, 3)),
        m => format!("{} s", number(m / 1e6, 3)),
    }
}

/// A number of bytes with a binary unit.
pub(super) fn bytes(n: u64) -> String {
    let n = n as f64;
    match n {
        n if n < 1024.0 => format!("{n} B"),
        n if n < 1024.0 * 1024.0 => format!("{} KiB", number(n / 1024.0, 3)),
        n if n < 1024.0 * 1024.0 * 1024.0 => format!("{} MiB", number(n / (1024.0 * 1024.0), 3)),
        n => format!("{} GiB", number(n / (1024.0 * 1024.0 * 1024.0), 3)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 10.0, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-0.5, 0.5, 4.0), [-0.5, 0.0, 0.5]);
        assert_eq!(ticks(3.0, 3.0, 5.0), [3.0]);
        assert!(ticks(f64::NAN, 1.0, 5.0).is_empty());
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(0.25, 4), "0.25");
        assert_eq!(number(-1234.5678, 6), "−1234.57");
        assert_eq!(number(1.5e-7, 3), "1.5e−7");
        assert_eq!(number(16_777_216.0, 4), "16\u{2009}777\u{2009}216");
        assert_eq!(number(-12345.6, 6), "−12\u{2009}345.6");
        assert_eq!(duration(1234.0), "1.23 ms");
        assert_eq!(bytes(4096), "4 KiB");
    }
}
