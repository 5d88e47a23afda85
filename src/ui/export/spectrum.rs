//! The values of a measured spectrum as a file, with their frequencies and everything that they depend on, as far as the format has room.

use crate::signal::{self, OutputFormat, Samples, Signal, write_npz};
use std::fmt::Write as _;

/// The values of a spectrum and what they are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SpectrumValues {
    /// The name of the file without its ending.
    pub(crate) stem: String,
    /// The ending that the dialog suggests, one of [`ENDINGS`].
    pub(crate) ending: &'static str,
    /// The settings on which the values depend, a line each.
    pub(crate) settings: Vec<String>,
    /// The name of the values with their unit.
    pub(crate) label: String,
    /// The unit of the frequencies.
    pub(crate) unit: &'static str,
    /// The frequencies.
    pub(crate) frequencies: Vec<f64>,
    /// The values.
    pub(crate) values: Vec<f64>,
}

/// The endings of the formats.
pub(super) const ENDINGS: [&str; 4] = ["csv", "json", "npy", "npz"];

impl SpectrumValues {
    /// The endings to choose from, the suggested one first.
    pub(super) fn endings(&self) -> Vec<&'static str> {
        std::iter::once(self.ending).chain(ENDINGS.into_iter().filter(|ending| *ending != self.ending)).collect()
    }

    /// The file in the format of an ending; CSV where it is none of them.
    pub(super) fn bytes(&self, ending: &str) -> Result<Vec<u8>, String> {
        let Self { settings, frequencies, values, .. } = self;
        let mut bytes = Vec::new();
        match ending {
            "json" => serde_json::to_writer_pretty(
                &mut bytes,
                &serde_json::json!({
                    "frequency": frequencies, "value": values, "unit": self.label, "frequency_unit": self.unit, "settings": settings,
                }),
            )
            .map_err(|error| error.to_string())?,
            "npy" => {
                let npy = OutputFormat::of_ending("npy").ok_or("NPY is not written")?;
                signal::write(&mut bytes, &Signal::row("value", Samples::F64(values.clone())), npy).map_err(|error| error.to_string())?;
            }
            "npz" => write_npz(&mut bytes, &[("frequency", frequencies), ("value", values)]).map_err(|error| error.to_string())?,
            _ => {
                let mut text = settings.iter().fold(String::new(), |text, line| text + "# " + line + "\n");
                text.push_str("frequency,value\n");
                let rows = frequencies.iter().zip(values);
                rows.for_each(|(frequency, value)| writeln!(text, "{frequency:?},{value:?}").expect("a string takes all"));
                bytes = text.into_bytes();
            }
        }
        Ok(bytes)
    }
}
