//! Files that gzip has packed: the content is unpacked and read as any other.

use crate::numerals::counted;
use crate::signal::{Cause, memory};
use flate2::bufread::GzDecoder;
use std::io::{ErrorKind, Read};

/// The name in messages.
pub(crate) const NAME: &str = "gzip";

/// The ending of names.
pub(crate) const ENDING: &str = "gz";

/// Whether content is packed.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b\x08")
}

/// The name of what is inside: without the ending of the package.
pub(crate) fn inner_name(name: &str) -> &str {
    let ending = name.rsplit_once('.').filter(|(stem, ending)| !stem.is_empty() && ending.eq_ignore_ascii_case(ENDING));
    ending.map_or(name, |(stem, _)| stem)
}

/// The content of a package. Bytes after its last part are left out, as gzip does.
///
/// # Errors
/// When the package is damaged, or the content does not fit into memory.
pub(crate) fn unpacked(mut bytes: &[u8]) -> Result<Vec<u8>, Cause> {
    let mut content = Vec::new();
    while is_packed(bytes) {
        let mut decoder = GzDecoder::new(bytes);
        content = bounded(&mut decoder, content)?;
        bytes = decoder.into_inner();
    }
    Ok(content)
}

/// The bytes that a decoder unpacks, appended to those that are there. A small package may hold any number of bytes, so memory grows with those that come.
///
/// # Errors
/// As [`unpacked`].
pub(super) fn bounded(mut decoder: impl Read, mut content: Vec<u8>) -> Result<Vec<u8>, Cause> {
    /// Bytes that are unpacked at a time.
    const BLOCK: usize = 1 << 20;
    let limit = memory::limit().max(memory::ALWAYS_FREE);
    loop {
        memory::reserve(&mut content, BLOCK)?;
        let n = decoder.by_ref().take(BLOCK as u64).read_to_end(&mut content).map_err(|error| cause(&error))?;
        if n == 0 {
            return Ok(content);
        }
        if content.len() as u64 > limit {
            let claim = format!("more than {}", counted(content.len(), "byte"));
            return Err(Cause::TooLarge { claim, needed: content.len() as u128, limit: limit.into() });
        }
    }
}

fn cause(error: &std::io::Error) -> Cause {
    match error.kind() {
        ErrorKind::UnexpectedEof => Cause::truncated("it ends before the end of its content"),
        _ if error.to_string().contains("checksum") => Cause::damaged("the checksum of its content does not match"),
        _ => Cause::damaged(error),
    }
}
