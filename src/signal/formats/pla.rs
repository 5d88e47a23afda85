//! PLA files: every output becomes a channel of 2^n values 0 and 1.

use super::{Decoded, FileFormat, text};
use crate::logic::{Coding, Pla};
use crate::signal::generate::channel;
use crate::signal::{Cause, Signal, SignalKind};

/// Boolean functions as espresso reads them.
pub(super) static PLA: FileFormat = FileFormat {
    name: "PLA",
    endings: &["pla"],
    marks: &[],
    is_content: |bytes| text::is_text(bytes) && is_pla(bytes),
    decode,
    output: None,
};

/// Whether a text is a PLA file.
fn is_pla(bytes: &[u8]) -> bool {
    /// Bytes that are searched: the first keyword may follow a long comment.
    const HEAD: usize = 1 << 16;
    let head = &bytes[..bytes.len().min(HEAD)];
    Pla::recognises(&String::from_utf8_lossy(head))
}

/// Decodes the functions of all outputs.
fn decode(bytes: &[u8]) -> Decoded {
    let text = std::str::from_utf8(bytes).map_err(|_| Cause::malformed("it is not UTF-8 text"))?;
    let Pla { inputs, outputs, mut notes } = Pla::parse(text).map_err(Cause::malformed)?;
    let renamed: Vec<String> =
        (1..).zip(&inputs).filter(|(j, name)| **name != format!("x{j}")).map(|(j, name)| format!("x{j} is {name}")).collect();
    if !renamed.is_empty() {
        notes.push(format!("{}.", renamed.join(", ")));
    }
    let length = outputs.first().map_or(0, |(_, function)| function.len());
    let channels = outputs.iter().map(|(name, function)| channel(name, function, Coding::Bits)).collect();
    let mut signal = Signal::from_channels("", SignalKind::Rows, (1, length), channels);
    signal.notes = notes;
    Ok(signal)
}
