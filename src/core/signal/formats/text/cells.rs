//! The cells of a line, and the numbers that they spell in a dialect.

use std::borrow::Cow;

/// How a text writes its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The separator of cells; a blank stands for any number of blanks and tabs, and a line feed means that a line is one cell.
    pub separator: u8,
    /// Whether a comma is the decimal point.
    pub has_decimal_comma: bool,
    /// Whether a dot may separate groups of three digits, besides decimal commas.
    pub groups_by_dots: bool,
}

/// The cells of a line; `None` for one whose quotation mark is not closed. Two marks inside a value stand for one.
pub(super) fn tokens(row: &str, separator: u8) -> impl Iterator<Item = Option<Cow<'_, str>>> {
    let blanks = separator == b' ';
    let mut rest = Some(if blanks { row.trim() } else { row });
    std::iter::from_fn(move || {
        let text = rest?.trim_start_matches(' ');
        let Some(quoted) = quoted_length(text) else {
            rest = None;
            return Some(None);
        };
        let end = if blanks {
            text[quoted..].find([' ', '\t', '\u{c}'])
        } else {
            text.as_bytes()[quoted..].iter().position(|byte| *byte == separator)
        };
        let (token, behind) = text.split_at(end.map_or(text.len(), |n| quoted + n));
        rest = if blanks { Some(behind.trim_start()).filter(|behind| !behind.is_empty()) } else { behind.get(1..) };
        // Marks at other places belong to the value.
        let marked = if quoted > 0 { token.trim().strip_prefix('"').filter(|_| token[quoted..].trim().is_empty()) } else { None };
        let token = marked.and_then(|inside| inside.strip_suffix('"')).unwrap_or(token).trim();
        let is_doubled = marked.is_some() && token.contains("\"\"");
        Some(Some(if is_doubled { Cow::Owned(token.replace("\"\"", "\"")) } else { Cow::Borrowed(token) }))
    })
}

/// The length of the value in quotation marks that a text begins with, 0 where it begins with none, and `None` where it does not end.
fn quoted_length(text: &str) -> Option<usize> {
    if !text.starts_with('"') {
        return Some(0);
    }
    let mut at = 1;
    loop {
        at += text[at..].find('"')? + 1;
        if !text[at..].starts_with('"') {
            return Some(at);
        }
        at += 1;
    }
}

/// Number of cells of a line, with those that are not closed.
pub(super) fn count(row: &str, separator: u8) -> usize {
    if separator != b' ' && !row.contains('"') {
        return 1 + row.bytes().filter(|byte| *byte == separator).count();
    }
    tokens(row, separator).count()
}

/// Whether a cell says that its value is missing: empty, NA, NaN, null, a dash, #N/A, and what FRED and NASA write.
pub(super) fn is_missing(cell: &str) -> bool {
    const WORDS: [&str; 49] = [
        "n.a.",
        "n.d.",
        "k.a.",
        "-nan",
        "nan(ind)",
        "-nan(ind)",
        "1.#qnan",
        "-1.#ind",
        "1.#ind",
        "#ref!",
        "#name?",
        "#num!",
        "#null!",
        "#wert!",
        "#nv",
        "#bezug!",
        "#zahl!",
        "#valeur!",
        "∞",
        "-∞",
        "ovld",
        "o.l",
        "ol",
        "bad",
        "",
        "na",
        "n/a",
        "nan",
        "null",
        "none",
        "nil",
        "-",
        "−",
        "–",
        "—",
        "--",
        "---",
        ".",
        "..",
        "?",
        "#n/a",
        "#na",
        "#n/a n/a",
        "#value!",
        "#div/0!",
        "<na>",
        "nat",
        "missing",
        "mm",
    ];
    cell.len() <= 9 && (WORDS.contains(&cell.to_lowercase().as_str()) || cell.bytes().all(|byte| byte == b'*'))
}

/// The number that a cell spells: as programs write it first, as people write it otherwise.
pub(super) fn number(cell: &str, dialect: Dialect) -> Option<f64> {
    if dialect.has_decimal_comma && cell.contains([',', '.']) {
        return grouped(cell, dialect);
    }
    plain(cell).or_else(|| grouped(cell, dialect))
}

/// A number with a decimal point and an exponent.
fn plain(cell: &str) -> Option<f64> {
    if let Ok(number) = fast_float2::parse(cell) {
        return Some(number);
    }
    cell.parse().ok().filter(|_| !cell.is_empty())
}

/// A number with separators of thousands, a decimal comma, a true minus sign or Fortran's exponent.
fn grouped(cell: &str, dialect: Dialect) -> Option<f64> {
    const MOST: usize = 64;
    let is_number = |c: char| c.is_ascii_digit() || "+-−.,'’ \u{a0}\u{2009}\u{202f}eEdD".contains(c);
    if cell.len() > MOST || !cell.contains(|c: char| c.is_ascii_digit()) || !cell.chars().all(is_number) {
        return None;
    }
    let text = cell.replace('−', "-").replace(['d', 'D'], "e");
    let (mantissa, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    let (comma, dot) = (mantissa.rfind(','), mantissa.rfind('.'));
    let commas = mantissa.matches(',').count();
    let dots = mantissa.matches('.').count();
    let decimal = match (comma, dot) {
        // The last of two signs is the decimal one.
        (Some(comma), Some(dot)) => Some(comma.max(dot)),
        (Some(comma), None) => (dialect.has_decimal_comma && commas == 1).then_some(comma),
        (None, Some(dot)) => (dots == 1 && !(dialect.groups_by_dots && groups(&mantissa[..dot], &mantissa[dot + 1..]))).then_some(dot),
        (None, None) => None,
    };
    let (whole, fraction) = decimal.map_or((mantissa, ""), |at| (&mantissa[..at], &mantissa[at + 1..]));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    plain(&format!("{}.{fraction}0{exponent}", ungrouped(whole)?))
}

/// Whether a dot between these texts may be between thousands.
pub(super) fn groups(before: &str, behind: &str) -> bool {
    let before = before.trim_start_matches(['-', '+']);
    behind.len() == 3 && (1..=3).contains(&before.len()) && before != "0"
}

/// The whole part of a number without the separators of its thousands; `None` where they separate something else.
fn ungrouped(whole: &str) -> Option<String> {
    let is_separator = |c: char| !c.is_ascii_digit();
    let digits = whole.trim_start_matches(['-', '+']);
    let sign = if whole.starts_with('-') { "-" } else { "" };
    let mut parts = digits.split(is_separator);
    let first = parts.next()?;
    let separators: Vec<char> = digits.chars().filter(|c| is_separator(*c)).collect();
    let groups: Vec<usize> = parts.clone().map(str::len).collect();
    // In India groups of two are before the last one of three.
    let is_indian =
        || groups.len() > 1 && groups[..groups.len() - 1].iter().all(|n| *n == 2) && groups.last() == Some(&3) && first.len() <= 2;
    let is_grouped = separators.is_empty()
        || (groups.iter().all(|n| *n == 3) && (1..=3).contains(&first.len()) || !first.is_empty() && is_indian())
            && separators.iter().all(|c| *c == separators[0]);
    let is_one_sign = whole.len() - digits.len() <= 1;
    (is_grouped && is_one_sign).then(|| format!("{sign}0{first}{}", parts.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: Dialect = Dialect { separator: b',', has_decimal_comma: false, groups_by_dots: false };
    const COMMA: Dialect = Dialect { separator: b';', has_decimal_comma: true, groups_by_dots: false };
    const GERMAN: Dialect = Dialect { groups_by_dots: true, ..COMMA };

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (cell, dialect, expected) in [
            ("1.5", POINT, Some(1.5)),
            ("-.5e-3", POINT, Some(-0.0005)),
            ("+7", POINT, Some(7.0)),
            ("1,234.5", POINT, Some(1234.5)),
            ("1,234,567", POINT, Some(1_234_567.0)),
            ("1,23,456.5", POINT, Some(123_456.5)),
            ("1'234.5", POINT, Some(1234.5)),
            ("1 234", POINT, Some(1234.0)),
            ("−3.5", POINT, Some(-3.5)),
            ("1.0D+02", POINT, Some(100.0)),
            ("1.234,5", POINT, Some(1234.5)),
            ("1,5", COMMA, Some(1.5)),
            ("-4,5e2", COMMA, Some(-450.0)),
            ("1.5", COMMA, Some(1.5)),
            ("1.234", COMMA, Some(1.234)),
            ("1.234", GERMAN, Some(1234.0)),
            ("0.234", GERMAN, Some(0.234)),
            ("1.234.567,25", GERMAN, Some(1_234_567.25)),
            ("1\u{a0}234,5", COMMA, Some(1234.5)),
            ("1,5", POINT, None),
            ("12,34", POINT, None),
            ("1,2,3", COMMA, None),
            ("12:30", POINT, None),
            ("2021-01-01", POINT, None),
            ("", POINT, None),
            ("-", POINT, None),
            ("three", POINT, None),
        ] {
            assert_eq!(number(cell, dialect), expected, "{cell}");
        }
    }

    #[test]
    fn a_line_falls_into_cells() {
        let cells = |row, separator| tokens(row, separator).map(|cell| cell.map(Cow::into_owned)).collect::<Option<Vec<_>>>();
        let texts = |texts: &[&str]| Some(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(cells("1, \"2,5\" ,x", b','), texts(&["1", "2,5", "x"]));
        assert_eq!(cells("  a\t \"b c\"  d ", b' '), texts(&["a", "b c", "d"]));
        assert_eq!(cells("\"say \"\"so\"\"\",", b','), texts(&["say \"so\"", ""]));
        assert_eq!(cells("1,\"2", b','), None);
        assert_eq!(cells("a b", b'\n'), texts(&["a b"]));
    }
}
