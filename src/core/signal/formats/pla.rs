//! PLA files: every output becomes a channel of 2^n values 0 and 1.

use super::{Decoded, FileFormat, text};
use crate::logic::{Coding, Pla};
use crate::signal::generate::channel;
use crate::signal::{Cause, Note, Signal, SignalKind, memory};

/// Boolean functions as espresso reads them.
pub(super) static PLA: FileFormat = FileFormat {
    name: "PLA",
    endings: &["pla"],
    marks: &[],
    is_content: |bytes| text::is_text(bytes) && is_pla(bytes),
    decode: |content, _| decode(content),
    output: None,
};

/// Whether a text is a PLA file.
fn is_pla(bytes: &[u8]) -> bool {
    /// Bytes that are searched: the first keyword may follow a long comment.
    const HEAD: usize = 1 << 16;
    let head = &bytes[..bytes.len().min(HEAD)];
    Pla::recognises(&String::from_utf8_lossy(head))
}

/// No function has more variables.
const LARGEST: u32 = 30;

/// Refuses a header whose functions do not fit into memory: samples of 32 bits, and two sets of bits for ones and zeros.
fn check_memory(text: &str) -> Result<(), Cause> {
    let largest = |keyword: &str| {
        let numbers = text.lines().filter_map(|line| {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            (words.next() == Some(keyword)).then(|| words.next()?.parse::<u32>().ok()).flatten()
        });
        numbers.max().unwrap_or(0)
    };
    let (inputs, outputs) = (largest(".i"), largest(".o"));
    if inputs > LARGEST {
        // The parser refuses it.
        return Ok(());
    }
    let values = 1_u64 << inputs;
    memory::checked_bytes(&[values, outputs.into(), 5], || format!("{outputs} functions of {inputs} variables")).map(|_| ())
}

/// Decodes the functions of all outputs.
fn decode(bytes: &[u8]) -> Decoded {
    let text = std::str::from_utf8(bytes).map_err(|_| Cause::malformed("it is not UTF-8 text"))?;
    check_memory(text)?;
    let Pla { inputs, outputs, mut notes } = Pla::parse(text).map_err(Cause::malformed)?;
    let renamed: Vec<String> =
        (1..).zip(&inputs).filter(|(j, name)| **name != format!("x{j}")).map(|(j, name)| format!("x{j} is {name}")).collect();
    if !renamed.is_empty() {
        notes.push(format!("{}.", renamed.join(", ")));
    }
    let length = outputs.first().map_or(0, |(_, function)| function.len());
    let channels = outputs.iter().map(|(name, function)| channel(name, function, Coding::Bits)).collect();
    let mut signal = Signal::from_channels("", SignalKind::Rows, (1, length), channels);
    signal.notes = notes.into_iter().map(Note::from).collect();
    Ok(signal)
}
