//! Typed numbers as a signal: whole, real or complex, one row or several.

use crate::signal::{Channel, Samples, Signal, SignalKind};
use num_complex::Complex64;
use serde::{Deserialize, Serialize};

/// The most samples that are read from a text.
const MOST_SAMPLES: usize = 1 << 16;

/// Numbers as they were typed: `1 0 1 1`, `0.5, 1/3`, `1+2i 3i`; a semicolon or a new line begins another row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Typed {
    /// The numbers.
    pub text: String,
    /// Whether the rows are those of an image; otherwise each is a signal of its own.
    pub image: bool,
}

impl Default for Typed {
    fn default() -> Self {
        Self { text: "1 0 1 1 0 0 1 0".to_owned(), image: false }
    }
}

/// The numbers of a text, separated by blanks or commas.
///
/// # Errors
/// In one line, with the first word that is not a number.
pub fn typed_numbers(text: &str) -> Result<Vec<Complex64>, String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| number(word).ok_or_else(|| format!("'{word}' is no number: write 1, -0.5, 1/3 or 1+2i"))).collect()
}

/// A real number, a fraction, or a complex number that ends in i.
fn number(word: &str) -> Option<Complex64> {
    let word = word.replace('−', "-");
    let Some(parts) = word.strip_suffix(['i', 'j']) else { return real(&word).map(Complex64::from) };
    // The sign between the parts is the last one that is neither the first character nor that of an exponent.
    let is_between = |&(at, c): &(usize, char)| at > 0 && "+-".contains(c) && !parts[..at].ends_with(['e', 'E']);
    let at = parts.char_indices().rev().find(is_between).map_or(0, |(at, _)| at);
    let (re, im) = parts.split_at(at);
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        digits => real(digits)?,
    };
    Some(Complex64::new(if re.is_empty() { 0.0 } else { real(re)? }, im))
}

/// A finite real number or a fraction.
fn real(word: &str) -> Option<f64> {
    let value = match word.split_once('/') {
        Some((top, bottom)) => top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?,
        None => word.parse().ok()?,
    };
    value.is_finite().then_some(value)
}

impl Typed {
    /// The numbers of one row.
    pub fn row(text: impl Into<String>) -> Self {
        Self { text: text.into(), image: false }
    }

    /// Samples as numbers of rows of this length. Samples of single precision keep their few digits.
    pub fn of_samples(samples: &[Complex64], columns: usize, image: bool) -> Self {
        let real = |x: f64| if f64::from(x as f32) == x { format!("{}", x as f32) } else { format!("{x}") };
        let word = |value: &Complex64| match value.im {
            0.0 => real(value.re),
            im if im < 0.0 => format!("{}{}i", real(value.re), real(im)),
            im => format!("{}+{}i", real(value.re), real(im)),
        };
        let rows = samples.chunks(columns.max(1)).map(|row| row.iter().map(word).collect::<Vec<_>>().join(" "));
        Self { text: rows.collect::<Vec<_>>().join("; "), image }
    }

    /// The samples: integers where all numbers are whole, otherwise double precision.
    ///
    /// # Errors
    /// In one line, when the text has no numbers, a word that is none, or rows of different lengths.
    pub fn signal(&self) -> Result<Signal, String> {
        /// Integers up to here have an exact double.
        const WHOLE: f64 = (1_u64 << 53) as f64;
        let rows: Vec<Vec<Complex64>> = self.text.split([';', '\n']).map(typed_numbers).collect::<Result<_, _>>()?;
        let rows: Vec<_> = rows.into_iter().filter(|row| !row.is_empty()).collect();
        let columns = rows.first().ok_or("there is no number: write some, as 1 0 1 1")?.len();
        if let Some(index) = rows.iter().position(|row| row.len() != columns) {
            return Err(format!("row {} has {} numbers, and row 1 has {columns}: give every row as many", index + 1, rows[index].len()));
        }
        let values = rows.concat();
        if values.len() > MOST_SAMPLES {
            return Err(format!("{} numbers are too many to type, and {MOST_SAMPLES} are the most: save them as a file", values.len()));
        }
        let samples = match () {
            () if values.iter().any(|value| value.im != 0.0) => Samples::Complex64(values),
            () if values.iter().all(|value| value.re.fract() == 0.0 && value.re.abs() <= WHOLE) => {
                Samples::I64(values.iter().map(|value| value.re as i64).collect())
            }
            () => Samples::F64(values.iter().map(|value| value.re).collect()),
        };
        let kind = if self.image { SignalKind::Image } else { SignalKind::Rows };
        let name = if self.image { "gray" } else { "value" };
        Ok(Signal::from_channels("Typed values", kind, (rows.len(), columns), vec![Channel::new(name, samples)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let complex = |re, im| Complex64::new(re, im);
        let found = typed_numbers("1, -0.5 1/4 1+2i −3i i 2-i 1e-3-1e+2i").unwrap();
        let expected = [
            complex(1.0, 0.0),
            complex(-0.5, 0.0),
            complex(0.25, 0.0),
            complex(1.0, 2.0),
            complex(0.0, -3.0),
            complex(0.0, 1.0),
            complex(2.0, -1.0),
            complex(1e-3, -1e2),
        ];
        assert_eq!(found, expected);
        for wrong in ["x", "1+", "1/0", "2ii", "nan", "1+2"] {
            assert!(typed_numbers(wrong).unwrap_err().contains(wrong), "{wrong}");
        }
    }

    #[test]
    fn samples_become_numbers_and_back() {
        let samples = [(1.0, 0.0), (-0.1, 0.25), (1e-9, -3.0), (1.0 / 3.0, 0.0)].map(|(re, im)| Complex64::new(re, im));
        let typed = Typed::of_samples(&samples, 2, false);
        assert_eq!(typed.text, "1 -0.1+0.25i; 0.000000001-3i 0.3333333333333333");
        let signal = typed.signal().unwrap();
        assert_eq!((signal.rows, signal.samples_complex64(crate::signal::ChannelChoice::default()).unwrap()), (2, samples.to_vec()));
        assert_eq!(Typed::of_samples(&[f64::from(0.1_f32).into()], 1, false).text, "0.1");
    }

    #[test]
    fn rows_keep_their_type_and_must_agree() {
        let signal = |text: &str, image| Typed { text: text.into(), image }.signal();
        let whole = signal("1 0 1 1", false).unwrap();
        assert_eq!((whole.rows, whole.columns, &whole.channels[0].samples), (1, 4, &Samples::I64(vec![1, 0, 1, 1])));
        let image = signal("1 0.5; 2 3\n", true).unwrap();
        assert_eq!((image.kind, image.rows, image.columns), (SignalKind::Image, 2, 2));
        assert!(signal("1 2; 3", false).unwrap_err().contains("row 2"));
        assert!(signal("", false).is_err());
        assert!(signal("1 i", false).unwrap().is_complex());
    }
}
