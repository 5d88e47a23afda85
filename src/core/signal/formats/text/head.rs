//! Where the table of a text begins: titles above it, the names of its columns and their units, and its first row.

use super::cells::{Dialect, count, tokens};
use super::dialect::{Line, Look, dialect, look, named_separator, usual};
use super::header::{Header, SEARCHED, above_rows, is_rule, missing_codes, names};
use super::quotes::LINE_IN_VALUE;
use crate::numerals::counted;
use crate::signal::error::one_line;
use crate::signal::{Cause, DecimalMark};

/// The beginning of a text and what it says about the rest.
pub(super) struct Head<'a> {
    pub dialect: Dialect,
    /// The end of a line.
    pub newline: u8,
    /// The lines of the beginning that are not comments.
    pub lines: Vec<Line<'a>>,
    /// The names of the columns, and their units.
    pub names: Option<Vec<String>>,
    pub units: Option<Vec<String>>,
    /// The first row of values, as an index of `lines`.
    pub first: usize,
    /// Number of cells of a row, without an empty one behind the last separator.
    pub columns: usize,
    /// The columns that the header leaves out before the first name, as R writes it.
    pub n_nameless: usize,
    /// Lines above the table.
    pub titles: Vec<String>,
    /// Numbers that stand for missing values, as a line says.
    pub missing_codes: Vec<f64>,
}

/// Whether a line is a comment, and no row that begins with #N/A.
pub(super) fn is_comment(line: &str) -> bool {
    // Bytes, as this is asked of every row.
    match line.trim_start().as_bytes() {
        [b'#' | b'%' | b'!', ..] => !line.trim_start().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("#n/a")),
        [b'/', b'/', ..] => true,
        _ => false,
    }
}

/// The lines of a text, counted from 1.
pub(super) fn lines(text: &str, newline: u8) -> impl Iterator<Item = Line<'_>> {
    let (mut start, mut next) = (0, 1);
    text.split(char::from(newline)).map(move |text| {
        let line = Line { number: next, text: text.trim_end_matches('\r'), start };
        start += text.len() + 1;
        next += 1 + text.matches(LINE_IN_VALUE).count() as u64;
        line
    })
}

/// Where a table begins.
struct Table {
    /// The line of the first row.
    first: usize,
    /// Number of columns.
    columns: usize,
    /// The header, if there is one, with its first line.
    header: Option<(usize, Header)>,
}

impl<'a> Head<'a> {
    /// Looks at the beginning of a text.
    pub(super) fn of(text: &'a str, decimal: Option<DecimalMark>) -> Result<Self, Cause> {
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
                rule if is_rule(rule) => {}
                first if found.is_empty() && separator.is_none() && named_separator(first).is_some() => separator = named_separator(first),
                _ => found.push(line),
            }
        }
        let dialect = one_column(&found, dialect(&found, separator, decimal), decimal);
        let head = Self {
            dialect,
            newline,
            names: None,
            units: None,
            first: 0,
            columns: 1,
            n_nameless: 0,
            titles: Vec::new(),
            missing_codes: Vec::new(),
            lines: found,
        };
        head.with_table(&comments)
    }

    /// Finds the header and the first row.
    fn with_table(mut self, comments: &[Line<'a>]) -> Result<Self, Cause> {
        let counts: Vec<usize> = self.lines.iter().map(|line| count(line.text, self.dialect.separator)).collect();
        let Table { first, columns, header } = self.table(&counts)?;
        (self.first, self.columns) = (first, columns);
        match header {
            Some((top, header)) => {
                self.keep_titles((0..first).filter(|index| *index < top || !header.used.contains(&(index - top))));
                (self.names, self.units) = (Some(header.names), header.units);
            }
            None => self.without_header(&counts, comments)?,
        }
        self.missing_codes = missing_codes(comments.iter().chain(&self.lines[..self.first]).map(|line| line.text));
        Ok(self)
    }

    /// Finds the table among the lines.
    fn table(&self, counts: &[usize]) -> Result<Table, Cause> {
        let usual = usual(&counts[counts.len().saturating_sub(100)..]);
        let looks: Vec<Vec<Look>> = self.lines.iter().take(SEARCHED).map(|line| self.looks(line.text)).collect();
        let has_value = |index: &usize| has_value(&looks[*index]);
        let is_row = |index: &usize| counts[*index] == usual && has_value(index);
        let none = || no_numbers(&self.lines, self.dialect);
        let first = (0..looks.len()).find(is_row).or_else(|| (0..looks.len()).find(has_value)).ok_or_else(none)?;
        let separator = self.dialect.separator;
        let is_unclosed = |line: &&Line<'_>| separator != b' ' && tokens(line.text, separator).any(|cell| cell.is_none());
        if let Some(line) = self.lines[..=first].iter().find(is_unclosed) {
            return Err(Cause::malformed(format!("line {} has a quotation mark that is not closed", line.number)));
        }
        let columns = if self.ends_empty(first, usual) { usual - 1 } else { usual };
        // A unit in brackets behind a blank belongs to the name before it.
        let fits = |index: usize| counts[index] == usual || matches!(separator, b' ' | b'\t') && self.names_of(index, usual).len() == usual;
        let is_names = |index: usize| !has_value(&index) && looks[index].contains(&Look::Text) && fits(index);
        let header = above_rows(&looks, counts, usual, first, is_names);
        let Some(at) = header.or_else(|| self.is_mixed_header(&looks, first).then_some(first)) else {
            return Ok(Table { first, columns, header: None });
        };
        let mut rows = (at + 1..looks.len()).filter(is_row);
        // A row whose cells look different from all rows below it describes the columns.
        let first = rows.find(|&row| !describes(&looks, row, usual)).ok_or_else(none)?;
        let top = (0..at).rev().take_while(|&index| is_names(index)).last().unwrap_or(at);
        let lines = (top..=at).map(|index| self.names_of(index, columns)).collect();
        let header = Header::of(lines);
        // A column with a name may begin late.
        let is_named = header.names.get(usual - 1).is_some_and(|name| !name.is_empty());
        Ok(Table { first, columns: if is_named { usual } else { columns }, header: Some((top, header)) })
    }

    /// Finds a header that has fewer cells than the rows, or is in comments; there may be none.
    fn without_header(&mut self, counts: &[usize], comments: &[Line<'a>]) -> Result<(), Cause> {
        self.check_lines_above(counts)?;
        if !self.takes_short_header(counts)? {
            self.keep_titles(0..self.first);
            self.take_header_in_comments(comments);
        }
        Ok(())
    }

    /// Refuses a line of numbers above the first row: it is a row of another length, and not a title.
    fn check_lines_above(&self, counts: &[usize]) -> Result<(), Cause> {
        let is_values = |line: &Line<'_>| {
            let looks = self.looks(line.text);
            looks.contains(&Look::Number) && !looks.contains(&Look::Text)
        };
        let Some(index) = self.lines[..self.first].iter().position(is_values) else { return Ok(()) };
        let (number, found) = (self.lines[index + 1].number, counted(counts[index + 1], "value"));
        Err(Cause::malformed(format!("line {number} has {found} where the lines before have {}", counts[index])))
    }

    /// Takes the names of a line directly above the rows, which may leave out those of the first columns; whether there is such a line.
    fn takes_short_header(&mut self, counts: &[usize]) -> Result<bool, Cause> {
        let Some(index) = self.first.checked_sub(1) else { return Ok(false) };
        let line = self.lines[index];
        let is_text = self.looks(line.text).iter().all(|look| matches!(look, Look::Text | Look::Missing));
        if line.number + 1 != self.lines[self.first].number || !is_text {
            return Ok(false);
        }
        let n = counts[index];
        let has_more_rows = self.lines.len() > self.first + 1;
        let n_nameless = self.columns.saturating_sub(n);
        if n == self.columns || has_more_rows && self.names_rows(n_nameless) {
            self.names = Some(self.names_of(index, n));
            self.n_nameless = n_nameless;
            self.keep_titles(0..index);
            return Ok(true);
        }
        if self.dialect.separator != b' ' && n > 1 {
            return Err(Cause::malformed(format!("the header names {}, but the rows have {}", counted(n, "column"), self.columns)));
        }
        Ok(false)
    }

    /// Takes the names of up to two comments directly above the rows, where they name a time, or signs separate the names.
    fn take_header_in_comments(&mut self, comments: &[Line<'a>]) {
        let first = self.lines[self.first].number;
        let above = (1..=2).map_while(|back| comments.iter().rfind(|line| line.number + back == first));
        let texts = above.map(|line| line.text.trim_start().trim_start_matches(['#', '%', '!', '/']));
        let named: Vec<&str> = texts.take_while(|text| self.columns > 1 && self.names_columns(text)).collect();
        if !named.is_empty() {
            let lines = named.into_iter().rev().map(|text| names(text, self.dialect.separator, self.columns)).collect();
            let header = Header::of(lines);
            (self.names, self.units) = (Some(header.names), header.units);
        }
    }

    /// Whether a comment names the columns.
    fn names_columns(&self, text: &str) -> bool {
        let names: Vec<String> = names(text, self.dialect.separator, self.columns);
        let says_time = || names.iter().any(|name| crate::signal::table::Name::of(name).time().is_some()) || self.columns > 4;
        names.len() == self.columns
            && self.looks(text).iter().all(|look| *look != Look::Number)
            && (self.dialect.separator != b' ' || says_time())
    }

    /// The names in a line of the beginning.
    fn names_of(&self, index: usize, columns: usize) -> Vec<String> {
        names(self.lines[index].text, self.dialect.separator, columns)
    }

    /// Keeps lines above the table as titles.
    fn keep_titles(&mut self, lines: impl Iterator<Item = usize>) {
        const MOST: usize = 6;
        let text = |index: usize| one_line(self.lines[index].text.trim_matches([',', ';', '\t', ' ']));
        self.titles = lines.take(MOST).map(text).collect();
    }

    /// The forms of the cells of a line.
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

    /// Whether the first cells of the rows are names, times or a count, as R and pandas write the names of rows.
    fn names_rows(&self, n_nameless: usize) -> bool {
        let cells = |line: &Line<'_>| -> Option<Vec<String>> {
            let cells = tokens(line.text, self.dialect.separator).take(n_nameless);
            cells.map(|cell| cell.map(|cell| cell.into_owned())).collect()
        };
        let rows: Vec<Vec<String>> = self.rows().take(20).filter_map(cells).collect();
        let are = |kind: Look| rows.iter().flatten().all(|cell| look(cell, self.dialect) == kind);
        let is_count = || rows.iter().enumerate().all(|(k, row)| row[0].parse() == Ok(k + 1) || row[0].parse() == Ok(k));
        match n_nameless {
            1 => are(Look::Text) || are(Look::Stamp) || is_count(),
            // A date and a clock.
            2 => self.dialect.separator == b' ' && are(Look::Stamp),
            _ => false,
        }
    }

    /// Whether a row with numbers names the columns nevertheless: its first cell is text or empty, and those below are values; or it alone has quotation marks.
    fn is_mixed_header(&self, looks: &[Vec<Look>], first: usize) -> bool {
        let below: Vec<&Vec<Look>> = looks.iter().skip(first + 1).take(20).filter(|row| row.len() == looks[first].len()).collect();
        let is_value = |row: &&Vec<Look>| matches!(row.first(), Some(Look::Number | Look::Stamp | Look::Marked));
        let begins_with_name = matches!(looks[first].first(), Some(Look::Text | Look::Missing)) && below.iter().all(is_value);
        let marks = |index: usize| self.lines.get(index).map_or(0, |line| line.text.matches('"').count());
        // Years or depths above columns count along the row, and values do not.
        let is_count = || {
            let line = tokens(self.lines[first].text, self.dialect.separator).flatten();
            let numbers: Vec<f64> = line.filter_map(|cell| cell.parse().ok()).collect();
            let step = |pair: &[f64]| pair[1] - pair[0];
            let is_even = numbers.windows(2).all(|pair| (step(pair) - step(&numbers)).abs() < 1e-9 && step(pair) > 0.0);
            matches!(looks[first][0], Look::Text | Look::Missing) && numbers.len() > 2 && is_even
        };
        let is_quoted = marks(first) == 2 * looks[first].len() && marks(first + 1) <= 2 && looks[first].contains(&Look::Text);
        below.len() > 1 && looks[first].len() > 1 && (begins_with_name || is_quoted || is_count())
    }
}

/// Whether a line is more than words: "0.5 m" beside words names a column.
pub(super) fn has_value(looks: &[Look]) -> bool {
    let has = |kind: Look| looks.contains(&kind);
    has(Look::Number) || has(Look::Stamp) || has(Look::Marked) && !has(Look::Text)
}

/// Whether a row says of what kind columns are: no cell of it is a number or a time as all cells below it.
fn describes(looks: &[Vec<Look>], row: usize, usual: usize) -> bool {
    const ROWS: usize = 20;
    let below: Vec<&Vec<Look>> = looks[row + 1..].iter().filter(|row| row.len() == usual).take(ROWS).collect();
    let kind = |column: usize| {
        let kinds = || below.iter().map(|row| row[column]).filter(|look| *look != Look::Missing);
        let first = kinds().next().filter(|look| matches!(look, Look::Number | Look::Stamp))?;
        kinds().all(|look| look == first).then_some(first)
    };
    let kinds: Vec<(usize, Look)> = (0..usual).filter_map(|column| Some((column, kind(column)?))).collect();
    let numbers = || kinds.iter().filter(|(_, kind)| *kind == Look::Number);
    let differs = |(column, kind): &(usize, Look)| !matches!(looks[row].get(*column), Some(look) if look == kind || *look == Look::Missing);
    // "20d" looks like a time, and a single wrong number is an error.
    below.len() > 2 && !kinds.is_empty() && (kinds.iter().all(differs) || numbers().count() > 1 && numbers().all(differs))
}

/// A dialect of one column where a name of one word is above numbers with commas.
fn one_column(lines: &[Line<'_>], found: Dialect, decimal: Option<DecimalMark>) -> Dialect {
    let one = Dialect { separator: b'\n', has_decimal_comma: decimal != Some(DecimalMark::Point), groups_by_dots: false };
    let (Some(name), rows) = (lines.first(), lines.get(1..).unwrap_or_default()) else { return found };
    let is_number = |line: &Line<'_>| look(line.text.trim(), one) == Look::Number && line.text.matches(',').count() <= 1;
    let is_column = found.separator == b',' && !name.text.contains(',') && look(name.text, one) == Look::Text;
    if is_column && !rows.is_empty() && rows.iter().all(is_number) { one } else { found }
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
