//! Numbers as the axes of plots say them.

/// "2^15.3".
pub(super) fn approximately(x: f64) -> String {
    format!("2^{:.1}", x.log2())
}

/// A power of two as such, and any other number as it is.
pub(super) fn power_of_two(value: f64) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let exponent = value.log2();
    match exponent.fract() == 0.0 && exponent >= 0.0 {
        true => "2".chars().chain((exponent as usize).to_string().bytes().map(|digit| RAISED[usize::from(digit - b'0')])).collect(),
        false => plain(value),
    }
}

/// A power of ten with the digit before it.
pub(super) fn power_of_ten(value: f64) -> String {
    format!("{value:.0e}").replace('-', "−")
}

/// A number without needless digits.
pub(super) fn plain(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || size >= 10.0 => format!("{value:.0}"),
        size if size >= 1e-3 => format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        _ => power_of_ten(value),
    }
}

/// Microseconds with a unit.
pub(super) fn duration(micros: f64) -> String {
    match micros {
        m if m >= 0.999e6 => format!("{} s", plain(m / 1e6)),
        m if m >= 0.999e3 => format!("{} ms", plain(m / 1e3)),
        m if m >= 0.999 => format!("{} µs", plain(m)),
        m => format!("{} ns", plain(m * 1e3)),
    }
}
