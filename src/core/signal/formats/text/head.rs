//! Where the table of a text begins: titles above it, the names of its columns and their units, and its first row.

use super::cells::{Dialect, count, is_missing, tokens};
use super::dialect::{Line, Look, dialect, look, named_separator, usual};
use crate::numerals::counted;
use crate::signal::Cause;
use crate::signal::error::one_line;

/// The beginning of a text and what it says about the rest.
pub(super) struct Head<'a> {
    pub dialect: Dialect,
    /// What ends a line.
    pub newline: u8,
    /// The lines of the beginning that are no comments.
    pub lines: Vec<Line<'a>>,
    /// The line with the names of the columns, and that with their units.
    pub names: Option<&'a str>,
    pub units: Option<&'a str>,
    /// The first row of values, as an index of `lines`.
    pub first: usize,
    /// Number of cells of a row, without an empty one behind the last separator.
    pub columns: usize,
    /// Whether the header leaves out the first column, as R writes it.
    pub is_shifted: bool,
    /// Lines above the table.
    pub remarks: Vec<String>,
    /// Numbers that stand for missing values, as a line says.
    pub missing_codes: Vec<f64>,
}

/// Whether a line is a comment, and no row that begins with #N/A.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['#', '%', '!']) && !line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("#n/a")) || line.starts_with("//")
}

/// The lines of a text, counted from 1.
pub(super) fn lines(text: &str, newline: u8) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    (1..).zip(text.split(char::from(newline))).map(move |(number, text)| {
        let line = Line { number, text: text.trim_end_matches('\r'), start };
        start += text.len() + 1;
        line
    })
}

impl<'a> Head<'a> {
    /// Looks at the beginning of a text.
    pub(super) fn of(text: &'a str) -> Result<Self, Cause> {
        /// Lines and bytes of the beginning.
        const MOST: (usize, usize) = (600, 1 << 20);
        let newline = if text.contains('\n') { b'\n' } else { b'\r' };
        let (mut found, mut comments, mut separator) = (Vec::new(), Vec::new(), None);
        for line in lines(text, newline) {
            if found.len() >= MOST.0 || found.len() > 2 && line.start > MOST.1 {
                break;
            }
            match line.text {
                blank if blank.trim().is_empty() => {}
                comment if is_comment(comment) => comments.push(line),
                first if found.is_empty() && separator.is_none() && named_separator(first).is_some() => separator = named_separator(first),
                _ => found.push(line),
            }
        }
        let dialect = one_column(&found, dialect(&found, separator));
        let head = Self {
            dialect,
            newline,
            names: None,
            units: None,
            first: 0,
            columns: 1,
            is_shifted: false,
            remarks: Vec::new(),
            missing_codes: missing_codes(comments.iter().chain(&found).map(|line| line.text)),
            lines: found,
        };
        head.with_table(&comments)
    }

    /// Finds the header and the first row.
    fn with_table(mut self, comments: &[Line<'a>]) -> Result<Self, Cause> {
        let counts: Vec<usize> = self.lines.iter().map(|line| count(line.text, self.dialect.separator)).collect();
        let usual = usual(&counts[counts.len().saturating_sub(100)..]);
        let looks: Vec<Vec<Look>> = self.lines.iter().take(SEARCHED).map(|line| self.looks(line.text)).collect();
        let has_value = |index: &usize| looks[*index].iter().any(|look| matches!(look, Look::Number | Look::Stamp));
        let is_row = |index: &usize| counts[*index] == usual && has_value(index);
        let Some(first) = (0..looks.len()).find(is_row).or_else(|| (0..looks.len()).find(has_value)) else {
            return Err(no_numbers(&self.lines, self.dialect));
        };
        let separator = self.dialect.separator;
        let is_unclosed = |line: &&Line<'_>| separator != b' ' && tokens(line.text, separator).any(|cell| cell.is_none());
        if let Some(line) = self.lines[..=first].iter().find(is_unclosed) {
            return Err(Cause::malformed(format!("line {} has a quotation mark that is not closed", line.number)));
        }
        let is_names = |index: usize| counts[index] == usual && !has_value(&index) && looks[index].contains(&Look::Text);
        let header = header(&looks, &counts, (usual, first), is_names);
        self.columns = if self.ends_empty(first, usual) { usual - 1 } else { usual };
        let names = match header {
            Some(at) => Some(at),
            None if self.is_mixed_header(&looks, first) => Some(first),
            None => None,
        };
        self.first =
            names.map_or(Some(first), |at| (at + 1..looks.len()).find(is_row)).ok_or_else(|| no_numbers(&self.lines, self.dialect))?;
        if let Some(at) = names {
            let is_units = at > 0 && is_names(at - 1) && are_units(self.lines[at].text, self.dialect);
            (self.names, self.units) = match is_units {
                true => (Some(self.lines[at - 1].text), Some(self.lines[at].text)),
                false => (Some(self.lines[at].text), None),
            };
            self.remark(at - usize::from(is_units));
        } else {
            self.without_header(&counts, comments)?;
        }
        Ok(self)
    }

    /// A header that has another number of cells than the rows, or stands in a comment; or none.
    fn without_header(&mut self, counts: &[usize], comments: &[Line<'a>]) -> Result<(), Cause> {
        let row = self.lines[self.first];
        // A line of numbers alone is a row, and no title.
        let is_values = |line: &&Line<'_>| {
            let looks = self.looks(line.text);
            looks.contains(&Look::Number) && !looks.contains(&Look::Text)
        };
        if let Some(index) = self.lines[..self.first].iter().position(|line| is_values(&line)) {
            let (number, found) = (self.lines[index + 1].number, counted(counts[index + 1], "value"));
            return Err(Cause::malformed(format!("line {number} has {found} where the lines before have {}", counts[index])));
        }
        let above = self.first.checked_sub(1).map(|index| (index, self.lines[index])).filter(|(_, line)| line.number + 1 == row.number);
        let is_text = |line: &str| self.looks(line).iter().all(|look| matches!(look, Look::Text | Look::Missing));
        if let Some((index, line)) = above.filter(|(_, line)| is_text(line.text)) {
            let n = counts[index];
            let has_more = self.lines.len() > self.first + 1;
            if has_more && n + 1 == self.columns && self.columns > 1 && self.names_rows() {
                (self.names, self.is_shifted) = (Some(line.text), true);
                self.remark(index);
                return Ok(());
            }
            if n == self.columns {
                self.names = Some(line.text);
                self.remark(index);
                return Ok(());
            }
            if self.dialect.separator != b' ' && n > 1 {
                return Err(Cause::malformed(format!("the header names {}, but the rows have {}", counted(n, "column"), self.columns)));
            }
        }
        self.remark(self.first);
        // A comment just above the rows names the columns where it says a time, or where signs separate the names.
        let comment = comments
            .iter()
            .rev()
            .find(|line| line.number + 1 == row.number)
            .map(|line| line.text.trim_start().trim_start_matches(['#', '%', '!', '/']));
        self.names = comment.filter(|text| self.columns > 1 && self.names_columns(text));
        Ok(())
    }

    /// Whether a comment names the columns.
    fn names_columns(&self, text: &str) -> bool {
        let names: Vec<String> = names(text, self.dialect.separator, self.columns);
        let says_time = || names.iter().any(|name| crate::signal::table::Name::of(name).time().is_some()) || self.columns > 4;
        names.len() == self.columns
            && self.looks(text).iter().all(|look| *look != Look::Number)
            && (self.dialect.separator != b' ' || says_time())
    }

    /// Keeps the lines above the table as a remark.
    fn remark(&mut self, end: usize) {
        const MOST: usize = 6;
        self.remarks = self.lines[..end].iter().take(MOST).map(|line| one_line(line.text.trim_matches([',', ';', '\t', ' ']))).collect();
    }

    /// What the cells of a line look like.
    fn looks(&self, line: &str) -> Vec<Look> {
        tokens(line, self.dialect.separator).map(|cell| cell.map_or(Look::Text, |cell| look(&cell, self.dialect))).collect()
    }

    /// The rows of the beginning.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines[self.first..].iter()
    }

    /// Whether every row ends with a separator.
    fn ends_empty(&self, first: usize, usual: usize) -> bool {
        let separator = self.dialect.separator;
        let is_empty_last = |line: &&Line<'_>| tokens(line.text, separator).last().flatten().is_some_and(|cell| cell.is_empty());
        let rows = || self.lines[first..].iter().filter(|line| count(line.text, separator) == usual).take(100);
        usual > 2 && separator != b' ' && rows().all(|line| is_empty_last(&line)) && rows().count() > 1
    }

    /// Whether the first cells of the rows are names or count, as R writes the names of rows.
    fn names_rows(&self) -> bool {
        let firsts: Vec<String> = self
            .rows()
            .take(20)
            .filter_map(|line| tokens(line.text, self.dialect.separator).next()?.map(|cell| cell.into_owned()))
            .collect();
        let is_count = || firsts.iter().enumerate().all(|(k, cell)| cell.parse() == Ok(k + 1) || cell.parse() == Ok(k));
        firsts.iter().all(|cell| look(cell, self.dialect) == Look::Text) || is_count()
    }

    /// Whether a row with numbers names the columns nevertheless: its first cell is text or empty, and those below are values; or it alone has quotation marks.
    fn is_mixed_header(&self, looks: &[Vec<Look>], first: usize) -> bool {
        let below: Vec<&Vec<Look>> = looks.iter().skip(first + 1).take(20).filter(|row| row.len() == looks[first].len()).collect();
        let is_value = |row: &&Vec<Look>| matches!(row.first(), Some(Look::Number | Look::Stamp));
        let begins_with_name = matches!(looks[first].first(), Some(Look::Text | Look::Missing)) && below.iter().all(is_value);
        let marks = |index: usize| self.lines.get(index).map_or(0, |line| line.text.matches('"').count());
        let is_quoted = marks(first) == 2 * looks[first].len() && marks(first + 1) <= 2 && looks[first].contains(&Look::Text);
        below.len() > 1 && looks[first].len() > 1 && (begins_with_name || is_quoted)
    }
}

/// Lines in which the header is searched.
const SEARCHED: usize = 80;

/// The line of names: the last one without values above rows of another kind, so that titles and lines of facts may stand above it.
fn header(looks: &[Vec<Look>], counts: &[usize], (usual, first): (usize, usize), is_names: impl Fn(usize) -> bool) -> Option<usize> {
    let is_alike =
        |a: &[Look], b: &[Look]| a.iter().zip(b).all(|(a, b)| a == b || matches!(a, Look::Missing) || matches!(b, Look::Missing));
    let rules = |at: &usize| {
        let Some(row) = (at + 1..looks.len())
            .find(|&index| counts[index] == usual && looks[index].iter().any(|look| matches!(look, Look::Number | Look::Stamp)))
        else {
            return false;
        };
        let has_value = |index: usize| looks[index].iter().any(|look| matches!(look, Look::Number | Look::Stamp));
        let is_row_above = (first..*at).any(|index| counts[index] == usual && has_value(index) && is_alike(&looks[index], &looks[row]));
        is_names(*at) && row == at + 1 && !is_row_above
    };
    (0..looks.len()).rev().find(rules)
}

/// A dialect of one column where a name of one word stands above numbers with decimal commas.
fn one_column(lines: &[Line<'_>], found: Dialect) -> Dialect {
    let one = Dialect { separator: b'\n', has_decimal_comma: true, groups_by_dots: false };
    let (Some(name), rows) = (lines.first(), lines.get(1..).unwrap_or_default()) else { return found };
    let is_number = |line: &Line<'_>| look(line.text.trim(), one) == Look::Number && line.text.matches(',').count() <= 1;
    let is_column = found.separator == b',' && !name.text.contains(',') && look(name.text, one) == Look::Text;
    if is_column && !rows.is_empty() && rows.iter().all(is_number) { one } else { found }
}

/// Whether the cells of a line are units.
fn are_units(line: &str, dialect: Dialect) -> bool {
    const UNITS: [&str; 48] = [
        "s", "ms", "us", "µs", "ns", "sec", "second", "seconds", "min", "h", "hour", "hours", "d", "day", "days", "v", "mv", "volt",
        "volts", "a", "ma", "ampere", "w", "kw", "°c", "c", "degc", "k", "pa", "hpa", "kpa", "bar", "m", "mm", "cm", "km", "m/s", "m/s2",
        "m/s^2", "m/s²", "g", "kg", "hz", "khz", "%", "db", "deg", "°",
    ];
    let is_unit = |cell: &str| {
        let lower = cell.trim_matches('\'').to_lowercase();
        let is_bracketed = lower.starts_with(['(', '[']) && lower.ends_with([')', ']']);
        is_bracketed || UNITS.contains(&lower.as_str())
    };
    let cells: Vec<String> =
        tokens(line, dialect.separator).flatten().filter(|cell| !is_missing(cell)).map(|cell| cell.into_owned()).collect();
    !cells.is_empty() && 2 * cells.iter().filter(|cell| is_unit(cell)).count() > cells.len()
}

/// The names in a line. Between blanks a unit in brackets belongs to the name before it, where there are too many names otherwise.
pub(super) fn names(line: &str, separator: u8, columns: usize) -> Vec<String> {
    // Some programs put names between apostrophes.
    let mut names: Vec<String> = tokens(line, separator).flatten().map(|name| one_line(name.trim_matches('\''))).collect();
    if separator == b' ' && names.len() > columns {
        let mut joined: Vec<String> = Vec::new();
        for name in names {
            match joined.last_mut() {
                Some(last) if name.starts_with(['(', '[']) => *last = format!("{last} {name}"),
                _ => joined.push(name),
            }
        }
        names = joined;
    }
    names
}

/// The numbers that a line of words names as missing values: "missing values are -99.99", "NODATA_value -9999".
fn missing_codes<'t>(lines: impl Iterator<Item = &'t str>) -> Vec<f64> {
    const WORDS: [&str; 7] = ["missing", "nodata", "no data", "no_data", "fillvalue", "fill value", "fill_value"];
    let mut codes = Vec::new();
    for line in lines.take(SEARCHED) {
        let lower = line.to_lowercase();
        let Some(at) = WORDS.iter().filter_map(|word| lower.find(word)).min() else { continue };
        let words = lower[at..].split(|c: char| c.is_whitespace() || "=:;,()\"'<>".contains(c)).map(|word| word.trim_end_matches('.'));
        let numbers = words.filter_map(|word| word.parse::<f64>().ok()).filter(|number| number.is_finite());
        codes.extend(numbers.filter(|number| *number < 0.0 || number.abs() >= 9.0));
    }
    codes
}

fn no_numbers(lines: &[Line<'_>], dialect: Dialect) -> Cause {
    /// Names that a message shows.
    const SHOWN: usize = 50;
    match lines {
        [] => Cause::malformed("there are no numbers in it"),
        [line] => {
            let names: Vec<String> = tokens(line.text, dialect.separator).take(SHOWN).flatten().map(|name| one_line(&name)).collect();
            Cause::malformed(format!("there are no numbers in it, only “{}”", one_line(&names.join(" "))))
        }
        [.., last] => Cause::malformed(format!("there are no numbers in it: line {} is “{}”", last.number, one_line(last.text))),
    }
}
