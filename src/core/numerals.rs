//! Numbers as people read them: in the window, in plots and on the command line.
//!
//! Numbers of five digits and more are split into groups of three by thin spaces: 2048, 16 384, 1 048 576.
//! Text that a program parses, or that a person types again, has no such spaces and does not use this module.

/// The thin space between two groups of digits.
pub const SPACE: char = '\u{2009}';
/// Numbers of at most this many digits stay in one group.
const MOST_TOGETHER: usize = 4;
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// An integer of up to 64 bits.
pub fn integer(n: impl Into<Integer>) -> String {
    grouped(&n.into().0.to_string())
}

/// "1 sample", "2 samples".
pub fn counted(n: usize, name: &str) -> String {
    counted_as(n, name, &format!("{name}s"))
}

/// "1 launch", "2 launches", for names whose plural has another ending.
pub fn counted_as(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", integer(n), if n == 1 { one } else { many })
}

/// A number with this many decimals, ungrouped and with an ASCII minus sign, as programs read it; what is rounded to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    // Adding 0 turns −0 into 0.
    let text = format!("{:.decimals$}", value + 0.0);
    match text.strip_prefix('-') {
        Some(zero) if is_zero(zero) => zero.to_owned(),
        _ => text,
    }
}

/// Whether a number is written with no other digit than 0.
fn is_zero(digits: &str) -> bool {
    digits.contains('0') && digits.chars().all(|c| matches!(c, '0' | '.'))
}

/// Groups the digits before the decimal point and writes a true minus sign, but none before a zero.
pub fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix(['-', '−']).map_or(("", text), |text| (if is_zero(text) { "" } else { "−" }, text));
    let n = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(n);
    let mut found = sign.to_owned();
    for (index, digit) in digits.chars().enumerate() {
        if n > MOST_TOGETHER && index > 0 && (n - index).is_multiple_of(3) {
            found.push(SPACE);
        }
        found.push(digit);
    }
    found + rest
}

/// A number with at most `digits` significant digits and no trailing zeros; very large and very small numbers get an exponent.
pub fn number(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    if value.is_nan() {
        return "not a number".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    let exponent = value.abs().log10().floor() as i32;
    let text = if (-4..=6).contains(&exponent) || (exponent < 9 && value.fract() == 0.0) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trimmed(&fixed(value, decimals))
    } else {
        let text = format!("{value:.0$e}", digits.saturating_sub(1));
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{}e{exponent}", trimmed(mantissa))
    };
    grouped(&text).replace('-', "−")
}

/// A power of two as "2¹⁰", any other number as [`number`] writes it.
pub fn power_of_two(value: f64) -> String {
    let exponent = value.log2();
    if exponent.fract() != 0.0 || exponent < 0.0 {
        return number(value, 4);
    }
    let digits = (exponent as usize).to_string();
    "2".chars().chain(digits.bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')])).collect()
}

/// A duration in microseconds, written with three digits in ns, µs, ms or s.
pub fn duration(micros: f64) -> String {
    // A value just below a unit would be rounded to "1000".
    let (value, unit) = match micros.abs() {
        0.0 | 0.9995..999.5 => (micros, "µs"),
        ..0.9995 => (1e3 * micros, "ns"),
        999.5..999.5e3 => (micros / 1e3, "ms"),
        _ => (micros / 1e6, "s"),
    };
    format!("{} {unit}", number(value, 3))
}

/// A number of bytes with a binary unit.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = n.max(1).ilog2() as usize / 10;
    format!("{} {}", number(n as f64 / 1024f64.powi(unit as i32), if unit == 0 { 4 } else { 3 }), UNITS[unit])
}

fn trimmed(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

/// The argument of [`integer`]: any integer of up to 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Integer(i128);

impl From<u64> for Integer {
    fn from(n: u64) -> Self {
        Self(n.into())
    }
}

impl From<usize> for Integer {
    fn from(n: usize) -> Self {
        Self(n as i128)
    }
}

impl From<i64> for Integer {
    fn from(n: i64) -> Self {
        Self(n.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_digits_and_more_are_grouped() {
        assert_eq!([0_usize, 999, 2048].map(integer), ["0", "999", "2048"]);
        assert_eq!([16_384_u64, 262_144, 1_048_576].map(integer), ["16\u{2009}384", "262\u{2009}144", "1\u{2009}048\u{2009}576"]);
        assert_eq!([-1_i64, -32_768].map(integer), ["−1", "−32\u{2009}768"]);
        assert_eq!(integer(u64::MAX), "18\u{2009}446\u{2009}744\u{2009}073\u{2009}709\u{2009}551\u{2009}615");
    }

    #[test]
    fn one_has_no_plural() {
        assert_eq!([0, 1, 20_000].map(|n| counted(n, "sample")), ["0 samples", "1 sample", "20\u{2009}000 samples"]);
    }

    #[test]
    fn fractions_and_exponents_are_not_grouped() {
        assert_eq!(grouped("44100.5"), "44\u{2009}100.5");
        assert_eq!(grouped("0.123456"), "0.123456");
        assert_eq!(grouped("-12345e7"), "−12\u{2009}345e7");
    }

    #[test]
    fn no_zero_has_a_sign() {
        let written = [-0.0, -0.000_04, 0.000_04, -0.000_06, -1.5].map(|value| fixed(value, 4));
        assert_eq!(written, ["0.0000", "0.0000", "0.0000", "-0.0001", "-1.5000"]);
        assert_eq!(["-0", "−0.00", "-0.01", "-0e3"].map(grouped), ["0", "0.00", "−0.01", "−0e3"]);
        for decimals in 0..8 {
            for exponent in -12..3 {
                for digit in [-1.0, -4.9, -5.0, -9.9] {
                    let (text, value) = (fixed(digit * 10_f64.powi(exponent), decimals), digit * 10_f64.powi(exponent));
                    assert_eq!(text.starts_with('-'), text.parse::<f64>() != Ok(0.0), "{value} with {decimals} decimals: {text}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(0.25, 4), "0.25");
        assert_eq!(number(-1234.5678, 6), "−1234.57");
        assert_eq!(number(1.5e-7, 3), "1.5e−7");
        assert_eq!([1e-320, 9.9999e-200, 1.25e300].map(|value| number(value, 3)), ["1e−320", "1e−199", "1.25e300"]);
        assert_eq!(number(16_777_216.0, 4), "16\u{2009}777\u{2009}216");
        assert_eq!(number(-12345.6, 6), "−12\u{2009}345.6");
        assert_eq!([0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|value| number(value, 3)), ["0", "not a number", "∞", "−∞"]);
        assert_eq!([1024.0, 1.0, 1000.0].map(power_of_two), ["2¹⁰", "2⁰", "1000"]);
    }

    #[test]
    fn quantities_have_units() {
        assert_eq!(
            [0.0, 0.25, 0.9999, 12.34, 999.9, 1234.0, 5e6].map(duration),
            ["0 µs", "250 ns", "1 µs", "12.3 µs", "1 ms", "1.23 ms", "5 s"]
        );
        assert_eq!([0, 1023, 4096, 3 << 20, 5 << 40].map(bytes), ["0 B", "1023 B", "4 KiB", "3 MiB", "5 TiB"]);
    }
}
