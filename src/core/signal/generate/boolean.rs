//! Boolean functions as signals of 2^n samples, described by a text.

use crate::logic::{self, BooleanFunction, Coding, FunctionOptions, LogicError, ParsedFunction, SBox};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Number of characters of a text that become the name of its signal.
const LONGEST_NAME: usize = 48;

/// Tells a function from a file on the command line.
const ARGUMENT: &str = "f:";

/// A Boolean function, or a component of an S-box, in one of the forms of [`logic::HELP`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Boolean {
    /// The function with its options.
    pub text: String,
}

impl Default for Boolean {
    fn default() -> Self {
        Self { text: "x1x2 ^ x3x4".into() }
    }
}

impl Boolean {
    /// The function that an argument `f:…` describes; `None` where it is a path, such as a file on drive f.
    pub fn from_argument(argument: &Path) -> Option<Self> {
        let text = argument.to_str()?.strip_prefix(ARGUMENT)?;
        (!text.starts_with(['/', '\\'])).then(|| Self { text: text.to_owned() })
    }

    /// Sets the number of variables to n for a length of 2^n, where the text allows it.
    pub(super) fn set_length(&mut self, length: usize) {
        let Ok((body, options)) = FunctionOptions::split(&self.text) else { return };
        let n = length.is_power_of_two().then(|| length.ilog2());
        let text = FunctionOptions { n, ..options }.text(body);
        if logic::check(&text).is_ok() {
            self.text = text;
        }
    }

    /// The samples: one channel of 2^n values, and for an S-box a second one with the values of the S-box itself.
    ///
    /// # Errors
    /// When the text is wrong.
    pub fn signal(&self) -> Result<Signal, LogicError> {
        let ParsedFunction { function, sbox, coding } = logic::parse(&self.text)?;
        let mut channels = vec![channel("f", &function, coding)];
        if let Some((sbox, mask)) = sbox {
            channels[0].name = format!("mask {mask:#x}");
            channels.push(Channel::new("S-box", Samples::U16(sbox.values().to_vec())));
        }
        let mut name: String = self.text.trim().chars().take(LONGEST_NAME).collect();
        if name.len() < self.text.trim().len() {
            name.push('…');
        }
        Ok(Signal::from_channels(name, SignalKind::Rows, (1, function.len()), channels))
    }
}

/// A function as a channel: bytes of 0 and 1, or integers 1 and −1.
pub(crate) fn channel(name: &str, function: &BooleanFunction, coding: Coding) -> Channel {
    let samples = match coding {
        Coding::Bits => Samples::U8(function.values().map(u8::from).collect()),
        Coding::Signs => Samples::I32(function.samples(coding)),
    };
    Channel::new(name, samples)
}

/// A signal of 2^n integers, read as a Boolean function or an S-box.
#[derive(Debug, Clone, PartialEq)]
pub struct LogicReading {
    /// The function in the chosen channel, and its coding.
    pub function: Option<(BooleanFunction, Coding)>,
    /// The S-box in the chosen channel, or the one that the function is a component of.
    pub sbox: Option<SBox>,
}

impl Signal {
    /// Reads the chosen channel as a Boolean function, an S-box, or both; `None` where it is neither.
    pub fn as_logic(&self, choice: ChannelChoice) -> Option<LogicReading> {
        if self.kind != SignalKind::Rows || self.rows != 1 || !self.columns.is_power_of_two() {
            return None;
        }
        let chosen = self.stored_integers(choice).ok()??;
        let function = BooleanFunction::from_samples(&chosen);
        let whole = self.channels.iter().find(|channel| channel.name == "S-box");
        let sbox = match whole {
            Some(whole) => SBox::from_samples(&whole.samples.to_i64()?),
            None if function.is_none() => SBox::from_samples(&chosen),
            None => None,
        };
        (function.is_some() || sbox.is_some()).then_some(LogicReading { function, sbox })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Signal {
        Boolean { text: text.into() }.signal().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_function_becomes_its_values() {
        let signal = made("x1 & !x2");
        assert_eq!((signal.rows, signal.columns, signal.channels[0].samples.clone()), (1, 4, Samples::U8(vec![0, 0, 1, 0])));
        assert_eq!(made("x1 & !x2 signs").channels[0].samples, Samples::I32(vec![1, 1, -1, 1]));
        assert!(Boolean { text: "x1 &".into() }.signal().is_err());
        assert_eq!(made(&format!("0x{}", "0123456789abcdef".repeat(4))).name.chars().count(), LONGEST_NAME + 1);
        assert_eq!(Boolean::from_argument(Path::new("f:x1 ^ x2")), Some(Boolean { text: "x1 ^ x2".into() }));
        assert_eq!(Boolean::from_argument(Path::new("f:/a.npy")).or(Boolean::from_argument(Path::new("f.npy"))), None);
    }

    #[test]
    fn a_signal_is_read_as_a_function_or_a_box() {
        let reading = made("majority(3) signs").as_logic(ChannelChoice::Luma).expect("a function");
        assert_eq!(reading.function.map(|(function, coding)| (function.weight(), coding)), Some((4, Coding::Signs)));
        let reading = made("present mask=5").as_logic(ChannelChoice::Luma).expect("a component");
        assert_eq!((reading.function.is_some(), reading.sbox.map(|sbox| sbox.n())), (true, Some(4)));
        let reading = made("present").as_logic(ChannelChoice::Channel(1)).expect("a box");
        assert!(reading.function.is_none() && reading.sbox.is_some());
        assert_eq!(Signal::row("", Samples::I64(vec![0, 1, 1])).as_logic(ChannelChoice::Luma), None);
        assert_eq!(Signal::row("", Samples::F64(vec![0.5, 1.0])).as_logic(ChannelChoice::Luma), None);
        assert_eq!(Signal::row("", Samples::I64(vec![-3, 1])).as_logic(ChannelChoice::Luma), None);
    }
}
