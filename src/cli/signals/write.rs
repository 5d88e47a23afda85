//! The files that commands on recordings write: tables with their settings, arrays, and pictures.

use super::super::Failure;
use super::super::arguments::Size;
use super::super::output;
use crate::figure::{Figure, FigureFormat};
use crate::remedy::ending_list;
use crate::signal::{Channel, OutputFormat, Samples, Signal, SignalKind};
use serde_json::{Map, Value, json};
use std::path::Path;
use strum::IntoEnumIterator as _;

/// Settings and units, each with its name.
pub(crate) type Figures = Vec<(&'static str, String)>;

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueFormat {
    Csv,
    Json,
    Npy,
    Figure(FigureFormat),
}

/// Columns of numbers below each other, with what they depend on.
pub(crate) struct Table<'a> {
    pub(crate) facts: &'a Figures,
    pub(crate) columns: &'a [(&'a str, &'a [f64])],
    pub(crate) double: bool,
}

impl ValueFormat {
    /// The format of an output, one of `endings`: by the name of the file, or for standard output as it is said, else the first.
    ///
    /// # Errors
    /// If the ending is another one, or the path cannot be written.
    pub(crate) fn of(path: &Path, said: Option<&str>, endings: &[&'static str]) -> Result<Self, Failure> {
        let ending = match said.filter(|_| output::is_standard(path)) {
            Some(said) => *endings
                .iter()
                .find(|ending| ending.eq_ignore_ascii_case(said))
                .ok_or_else(|| Failure::Call(format!("--format {said} is none of the formats here: take one of {}", endings.join(", "))))?,
            None => output::table_format(path, endings)?,
        };
        // `.paths.svg` has the ending of `.svg`.
        let figure = || FigureFormat::from_path(path).or_else(|| FigureFormat::iter().find(|format| format.ending() == ending));
        match ending {
            "csv" => Ok(Self::Csv),
            "json" => Ok(Self::Json),
            "npy" => Ok(Self::Npy),
            _ => figure().map(Self::Figure).ok_or_else(|| Failure::Call(format!("write {}", ending_list(endings)))),
        }
    }
}

/// The endings of a command that draws, too: these of it first, then those of all figures.
pub(crate) fn with_figures(own: &[&'static str]) -> Vec<&'static str> {
    let figures = FigureFormat::endings().into_iter().filter(|ending| !own.contains(ending));
    own.iter().copied().chain(figures).collect()
}

/// The format of a picture.
pub(crate) fn picture_format(format: ValueFormat) -> Option<FigureFormat> {
    if let ValueFormat::Figure(format) = format { Some(format) } else { None }
}

/// A number with 17 significant digits or fewer where fewer say the same, or 9 of single precision; nothing without one.
pub(crate) fn digits(value: f64, double: bool) -> String {
    match rounded(value, double) {
        value if value.is_nan() => String::new(),
        value if value.is_infinite() => {
            if value > 0.0 {
                "inf".into()
            } else {
                "-inf".into()
            }
        }
        0.0 => "0".into(),
        value if (1e-5..1e16).contains(&value.abs()) => format!("{value}"),
        value => format!("{value:e}"),
    }
}

/// A number as it is, or with the 9 digits of single precision.
pub(crate) fn rounded(value: f64, double: bool) -> f64 {
    if double { value } else { format!("{value:.8e}").parse().unwrap_or(value) }
}

impl Table<'_> {
    /// Writes the columns as CSV, JSON or the last one as NPY.
    pub(crate) fn write(&self, path: &Path, format: ValueFormat) -> Result<(), Failure> {
        match format {
            ValueFormat::Json => {
                let text = format!("{:#}\n", self.json());
                output::bytes(path, |out| out.write_all(text.as_bytes()))
            }
            ValueFormat::Npy => {
                let values = self.columns.last().map_or(&[][..], |(_, values)| values);
                array(path, (1, values.len()), values.iter().copied(), self.double)
            }
            ValueFormat::Csv | ValueFormat::Figure(_) => output::bytes(path, |out| {
                comments(out, self.facts)?;
                let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
                writeln!(out, "{}", names.join(","))?;
                let n = self.columns.first().map_or(0, |(_, values)| values.len());
                for row in 0..n {
                    let cells: Vec<String> = self.columns.iter().map(|(_, values)| digits(values[row], self.double)).collect();
                    writeln!(out, "{}", cells.join(","))?;
                }
                Ok(())
            }),
        }
    }

    fn json(&self) -> Value {
        let columns = self.columns.iter().map(|(name, values)| {
            let round = |value: &f64| rounded(*value, self.double);
            ((*name).to_owned(), json!(values.iter().map(round).collect::<Vec<f64>>()))
        });
        // A fact on a column is its unit.
        let is_column = |name: &str| self.columns.iter().any(|(column, _)| *column == name);
        let facts =
            facts_json(self.facts).into_iter().map(|(name, text)| (if is_column(&name) { format!("{name}_unit") } else { name }, text));
        Value::Object(facts.chain(columns).collect())
    }
}

/// Settings as an object; their names have no spaces there.
pub(crate) fn facts_json(facts: &Figures) -> Map<String, Value> {
    facts.iter().map(|(name, text)| (name.replace(' ', "_"), json!(text))).collect()
}

/// Settings as comment lines.
pub(crate) fn comments(out: &mut dyn std::io::Write, facts: &Figures) -> std::io::Result<()> {
    facts.iter().try_for_each(|(name, text)| writeln!(out, "# {name}: {}", text.replace(['\n', '\r'], " ")))
}

/// Writes numbers as NPY, row after row.
pub(crate) fn array(path: &Path, shape: (usize, usize), values: impl Iterator<Item = f64>, double: bool) -> Result<(), Failure> {
    let samples = if double { Samples::F64(values.collect()) } else { Samples::F32(values.map(|value| value as f32).collect()) };
    let signal = Signal::from_channels("values", SignalKind::Rows, shape, vec![Channel::new("value", samples)]);
    let format = OutputFormat::of_ending("npy").ok_or_else(|| Failure::Work("NPY is not written".into()))?;
    if output::is_standard(path) {
        let mut bytes = Vec::new();
        crate::signal::write(&mut bytes, &signal, format)?;
        return output::bytes(path, |out| out.write_all(&bytes));
    }
    Ok(crate::signal::save(path, &signal)?)
}

/// Parses the size of a picture in pixels.
pub(crate) fn size(text: &str) -> Result<[f32; 2], String> {
    let refused = || format!("'{text}' is no size of a picture: take WIDTHxHEIGHT in pixels, as 1600x800, from 200x150 to 16384x16384");
    let Size { rows: Some(width), columns: height } = text.parse().map_err(|_| refused())? else { return Err(refused()) };
    if (200..=16_384).contains(&width) && (150..=16_384).contains(&height) { Ok([width as f32, height as f32]) } else { Err(refused()) }
}

/// Writes a picture whose size is in pixels.
pub(crate) fn write_picture(path: &Path, figure: &Figure, format: FigureFormat) -> Result<(), Failure> {
    let bytes = figure.bytes_in_pixels(format)?;
    output::bytes(path, |out| out.write_all(&bytes))
}
