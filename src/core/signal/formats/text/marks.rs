//! Numbers with marks around them, and words that stand for them: "12.5 %", "$1,200.00", "3.3 V", "True".

use super::cells::{Dialect, number};

/// The marks that all cells of a column have beside their digits, or instead of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Marks {
    /// The same sign before or behind every number.
    Unit(String),
    /// One of two words, which stand for 0 and 1.
    Flags,
}

/// Words for 0 and 1, in small letters.
const FLAGS: [(&str, &str); 6] = [("false", "true"), ("no", "yes"), ("off", "on"), ("falsch", "wahr"), ("faux", "vrai"), ("nein", "ja")];

impl Marks {
    /// The marks of cells that all have the same ones; `None` for others.
    pub(super) fn of(cells: &[&str], dialect: Dialect) -> Option<Self> {
        let first = cells.first()?;
        let found = match unit(first, dialect) {
            Some((unit, _)) => Self::Unit(unit.to_owned()),
            None => Self::Flags,
        };
        cells.iter().all(|cell| found.number(cell, dialect).is_some()).then_some(found)
    }

    /// The number of a cell.
    pub(super) fn number(&self, cell: &str, dialect: Dialect) -> Option<f64> {
        match self {
            Self::Flags => flag(cell),
            Self::Unit(of) => {
                unit(cell, dialect).filter(|(unit, _)| unit == of).map(|(_, number)| number).or_else(|| number(cell, dialect))
            }
        }
    }

    /// The unit that the marks say.
    pub(super) fn unit(&self) -> &str {
        match self {
            Self::Unit(unit) => unit,
            Self::Flags => "",
        }
    }
}

fn flag(cell: &str) -> Option<f64> {
    let lower = cell.to_lowercase();
    let is = |(no, yes): &(&str, &str)| if lower == *yes { Some(1.0) } else { (lower == *no).then_some(0.0) };
    FLAGS.iter().find_map(is)
}

/// The unit of a cell, before or behind its number.
pub(super) fn unit(cell: &str, dialect: Dialect) -> Option<(&str, f64)> {
    /// Bytes of the longest unit.
    const MOST: usize = 12;
    let is_currency = |c: char| "$€£¥₹".contains(c);
    let (negative, rest) = cell.strip_prefix(['-', '−']).map_or((false, cell), |rest| (true, rest.trim_start()));
    let (unit, digits) = match rest.chars().next().filter(|first| is_currency(*first)) {
        Some(first) => (&rest[..first.len_utf8()], &rest[first.len_utf8()..]),
        None => {
            let end = rest.rfind(|c: char| c.is_ascii_digit())? + 1;
            (rest[end..].trim_start(), &rest[..end])
        }
    };
    let is_unit = |c: char| c.is_alphabetic() || is_currency(c) || "%‰°/·²³^µ ".contains(c);
    if unit.is_empty() || unit.len() > MOST || !unit.chars().all(is_unit) {
        return None;
    }
    let value = number(digits.trim(), dialect)?;
    Some((unit, if negative { -value } else { value }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_the_same_in_all_cells() {
        let point = Dialect { separator: b';', has_decimal_comma: false, groups_by_dots: false };
        let comma = Dialect { has_decimal_comma: true, ..point };
        for (cells, dialect, expected) in [
            (&["12.5%", "-3%", "0"][..], point, Some(("%", vec![12.5, -3.0, 0.0]))),
            (&["12,5 %", "−3 %"], comma, Some(("%", vec![12.5, -3.0]))),
            (&["$1,200.50", "-$3", "$ -4"], point, Some(("$", vec![1200.5, -3.0, -4.0]))),
            (&["3.3 V", "1e-3 V"], point, Some(("V", vec![3.3, 0.001]))),
            (&["21.5 °C"], point, Some(("°C", vec![21.5]))),
            (&["TRUE", "False"], point, Some(("", vec![1.0, 0.0]))),
            (&["ja", "nein"], point, Some(("", vec![1.0, 0.0]))),
            (&["1.2K", "3M"], point, None),
            (&["1st", "2nd"], point, None),
            (&["12.5*"], point, None),
            (&["<0.5"], point, None),
            (&["walk", "run"], point, None),
            (&["true", "maybe"], point, None),
        ] {
            let found = Marks::of(cells, dialect);
            let numbers = |marks: &Marks| cells.iter().filter_map(|cell| marks.number(cell, dialect)).collect::<Vec<_>>();
            assert_eq!(found.as_ref().map(|marks| (marks.unit(), numbers(marks))), expected, "{cells:?}");
        }
    }
}
