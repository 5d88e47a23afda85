//! Matrix Market files (R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market exchange formats, 1996).
//!
//! Dense arrays are read, and tridiagonal ones among the sparse matrices, as rows of three numbers a, b and c.

use super::{Decoded, FileFormat, text};
use crate::numerals::{counted, counted_as};
use crate::signal::{Cause, Channel, Samples, Signal, SignalKind, memory};
use std::str::FromStr;

/// The word that a file begins with, in any case.
const MARK: &[u8] = b"%%MatrixMarket";

/// Matrices and arrays of the Matrix Market.
pub(super) static MATRIX_MARKET: FileFormat = FileFormat {
    name: "Matrix Market",
    endings: &["mtx", "mm"],
    marks: &[],
    is_content: |bytes| bytes.get(..MARK.len()).is_some_and(|head| head.eq_ignore_ascii_case(MARK)) && text::is_text(bytes),
    decode: |content, _| decode(content),
    output: None,
};

/// The note on the rows of a tridiagonal matrix.
pub const RIGHT_SIDE_NOTE: &str = "The rows are a, b and c of a tridiagonal matrix; a system needs its right-hand side d too.";

/// Decodes a dense array or a tridiagonal matrix of real numbers.
fn decode(bytes: &[u8]) -> Decoded {
    let text = std::str::from_utf8(bytes).map_err(|_| Cause::malformed("it is not UTF-8 text"))?;
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    let head = head.to_ascii_lowercase();
    let words: Vec<&str> = head.split_whitespace().skip(1).take(5).collect();
    let &["matrix", layout, field, symmetry] = words.as_slice() else {
        return Err(Cause::malformed("its first line does not say matrix, its layout, its field and its symmetry"));
    };
    if !matches!(field, "real" | "double" | "integer") || !matches!(symmetry, "general" | "symmetric") {
        return Err(Cause::unsupported(format!("a {field} {symmetry} matrix, and real general or symmetric ones are read")));
    }
    let lines = rest.lines().zip(2..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('%'));
    let lines = lines.map(|(line, number)| {
        let words = || line.split_whitespace();
        DataLine { number, found: words().count(), words: words().take(MOST_WORDS).collect() }
    });
    match (layout, symmetry) {
        ("coordinate", _) => tridiagonal(lines, symmetry == "symmetric", rest.len()),
        ("array", "general") => array(lines, rest.len()),
        _ => Err(Cause::unsupported(format!("the layout {layout} {symmetry}, and coordinate or array general are read"))),
    }
}

/// A line of data in the file.
struct DataLine<'a> {
    number: usize,
    /// Number of words.
    found: usize,
    /// The first words.
    words: Vec<&'a str>,
}

/// No line needs more words.
const MOST_WORDS: usize = 3;

impl DataLine<'_> {
    fn has(&self, n_words: usize) -> Result<(), Cause> {
        if self.found == n_words {
            Ok(())
        } else {
            let found = self.found;
            Err(Cause::malformed(format!("line {} has {found} numbers in place of {n_words}", self.number)))
        }
    }

    fn at<T: FromStr>(&self, index: usize) -> Result<T, Cause> {
        let word = self.words[index];
        word.parse().map_err(|_| Cause::malformed(format!("line {}: “{word}” is not a number that this column takes", self.number)))
    }
}

fn sizes<'a>(lines: &mut impl Iterator<Item = DataLine<'a>>, n_words: usize) -> Result<DataLine<'a>, Cause> {
    let line = lines.next().ok_or_else(|| Cause::malformed("it ends before its size"))?;
    line.has(n_words).map(|()| line)
}

/// Refuses a size that a text of `n_bytes` cannot hold: every row needs a number, since a row of zeros has no solution, and a number needs a digit.
fn check_stored(n: usize, n_bytes: usize) -> Result<(), Cause> {
    if n <= n_bytes {
        Ok(())
    } else {
        Err(Cause::truncated(&format!("it announces {} in {}", counted(n, "number"), counted(n_bytes, "byte"))))
    }
}

/// The rows (a, b, c) of a square matrix; entries with the same indices are added.
fn tridiagonal<'a>(mut lines: impl Iterator<Item = DataLine<'a>>, is_symmetric: bool, n_bytes: usize) -> Decoded {
    let size = sizes(&mut lines, 3)?;
    let [n, n_columns, n_entries] = [size.at::<usize>(0)?, size.at(1)?, size.at(2)?];
    if n != n_columns || n == 0 {
        return Err(Cause::malformed(format!("its matrix is {n} × {n_columns}, and only square sparse matrices are read")));
    }
    memory::checked_bytes(&[n as u64, 24], || format!("a matrix of {}", counted(n, "row")))?;
    check_stored(n, n_bytes)?;
    let mut rows = memory::zeros::<[f64; 3]>(n)?;
    let mut n_found = 0;
    for line in lines {
        line.has(3)?;
        let [i, j] = [line.at::<usize>(0)?, line.at(1)?];
        let value: f64 = line.at(2)?;
        n_found += 1;
        if !(1..=n).contains(&i) || !(1..=n).contains(&j) {
            return Err(Cause::malformed(format!("line {}: entry ({i}, {j}) is outside of the matrix", line.number)));
        }
        if i.abs_diff(j) > 1 && value != 0.0 {
            return Err(Cause::malformed(format!(
                "line {}: entry ({i}, {j}) stands beside the three diagonals, and only tridiagonal sparse matrices are read",
                line.number
            )));
        }
        if i.abs_diff(j) <= 1 {
            rows[i - 1][j + 1 - i] += value;
            if is_symmetric && i != j {
                rows[j - 1][i + 1 - j] += value;
            }
        }
    }
    if n_found != n_entries {
        return Err(Cause::malformed(format!("it announces {} and has {n_found}", counted_as(n_entries, "entry", "entries"))));
    }
    let channel = Channel::new("value", Samples::F64(rows.into_flattened()));
    let mut signal = Signal::from_channels("", SignalKind::Rows, (n, 3), vec![channel]);
    signal.notes = vec![RIGHT_SIDE_NOTE.into()];
    Ok(signal)
}

/// A dense array, stored column after column; a single column becomes a single row.
fn array<'a>(mut lines: impl Iterator<Item = DataLine<'a>>, n_bytes: usize) -> Decoded {
    let size = sizes(&mut lines, 2)?;
    let [n_rows, n_columns] = [size.at::<usize>(0)?, size.at(1)?];
    memory::checked_bytes(&[n_rows as u64, n_columns as u64, 16], || format!("an array of {n_rows} × {n_columns} values"))?;
    check_stored(n_rows * n_columns, n_bytes)?;
    let mut values = Vec::new();
    memory::reserve(&mut values, n_rows * n_columns)?;
    for line in lines {
        line.has(1)?;
        values.push(line.at::<f64>(0)?);
    }
    if values.len() != n_rows * n_columns || values.is_empty() {
        return Err(Cause::malformed(format!("it announces {n_rows} × {n_columns} values and has {}", values.len())));
    }
    let shape = if n_columns == 1 { (1, n_rows) } else { (n_rows, n_columns) };
    let in_rows = (0..n_rows).flat_map(|i| (0..n_columns).map(move |j| j * n_rows + i)).map(|index| values[index]).collect();
    Ok(Signal::from_channels("", SignalKind::Rows, shape, vec![Channel::new("value", Samples::F64(in_rows))]))
}
