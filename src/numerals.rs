//! Numbers as people read them, in the window and on the command line alike.
//!
//! From five digits on they stand in groups of three with thin spaces between them: 2048, 16 384, 1 048 576.
//! What a program reads, or a person types again, has no spaces and does not come from here.

/// What stands between two groups of digits.
pub const SPACE: char = '\u{2009}';
/// Up to so many digits are read at a glance.
const MOST_TOGETHER: usize = 4;

/// A whole number of things.
pub fn integer(n: impl Into<Whole>) -> String {
    grouped(&n.into().0.to_string())
}

/// "1 sample", "2 samples".
pub fn counted(n: usize, name: &str) -> String {
    format!("{} {name}{}", integer(n), if n == 1 { "" } else { "s" })
}

/// The text of a decimal number with its digits before the point in groups, and a minus sign of its own.
pub fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix(['-', '−']).map_or(("", text), |text| ("−", text));
    let n = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (whole, rest) = text.split_at(n);
    let mut found = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if n > MOST_TOGETHER && index > 0 && (n - index).is_multiple_of(3) {
            found.push(SPACE);
        }
        found.push(digit);
    }
    found + rest
}

/// What [`integer`] takes: any whole number of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Whole(i128);

impl From<u64> for Whole {
    fn from(n: u64) -> Self {
        Self(n.into())
    }
}

impl From<usize> for Whole {
    fn from(n: usize) -> Self {
        Self(n as i128)
    }
}

impl From<i64> for Whole {
    fn from(n: i64) -> Self {
        Self(n.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_from_five_on() {
        assert_eq!([0_usize, 999, 2048].map(integer), ["0", "999", "2048"]);
        assert_eq!([16_384_u64, 262_144, 1_048_576].map(integer), ["16\u{2009}384", "262\u{2009}144", "1\u{2009}048\u{2009}576"]);
        assert_eq!([-1_i64, -32_768].map(integer), ["−1", "−32\u{2009}768"]);
        assert_eq!(integer(u64::MAX), "18\u{2009}446\u{2009}744\u{2009}073\u{2009}709\u{2009}551\u{2009}615");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0, 1, 20_000].map(|n| counted(n, "sample")), ["0 samples", "1 sample", "20\u{2009}000 samples"]);
    }

    #[test]
    fn fractions_and_exponents_stay_together() {
        assert_eq!(grouped("44100.5"), "44\u{2009}100.5");
        assert_eq!(grouped("0.123456"), "0.123456");
        assert_eq!(grouped("-12345e7"), "−12\u{2009}345e7");
    }
}
