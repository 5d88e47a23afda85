//! From the bytes of a text to characters: UTF-8, UTF-16 in either order, and Latin-1 where it is neither.

use std::borrow::Cow;

/// Bytes that tell what a text is.
const HEAD: usize = 4096;

/// How the bytes stand for characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf16 { is_big_endian: bool },
    Latin1,
}

/// Whether the bytes are text without the control characters that no text has. The last character may be incomplete.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    match encoding(bytes) {
        Encoding::Utf8 => !head.iter().copied().any(is_control),
        Encoding::Utf16 { is_big_endian } => !units(head, is_big_endian).any(|unit| u8::try_from(unit).is_ok_and(is_control)),
        // Most of a text in a European language is ASCII.
        Encoding::Latin1 => !head.iter().copied().any(is_control) && 3 * head.iter().filter(|byte| !byte.is_ascii()).count() < head.len(),
    }
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c)
}

fn encoding(bytes: &[u8]) -> Encoding {
    let head = &bytes[..bytes.len().min(HEAD)];
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Encoding::Utf16 { is_big_endian: bytes[0] == 0xfe };
    }
    // Digits in UTF-16 have zeros between them.
    let zeros = |first: usize| head.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let [even, odd] = [zeros(0), zeros(1)];
    if head.len() >= 4 && even.max(odd) * 2 == head.len() / 2 * 2 && even.min(odd) == 0 {
        return Encoding::Utf16 { is_big_endian: even > odd };
    }
    match std::str::from_utf8(head) {
        Ok(_) => Encoding::Utf8,
        Err(error) if error.error_len().is_none() && head.len() < bytes.len() => Encoding::Utf8,
        Err(_) => Encoding::Latin1,
    }
}

/// The numbers of two bytes in a text of UTF-16.
fn units(bytes: &[u8], is_big_endian: bool) -> impl Iterator<Item = u16> {
    let unit = move |pair: &[u8; 2]| if is_big_endian { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    bytes.as_chunks().0.iter().map(unit)
}

/// The characters of a text without the mark at its beginning.
pub(crate) fn characters(bytes: &[u8]) -> Cow<'_, str> {
    let latin1 = || Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect());
    let text: Cow<'_, str> = match encoding(bytes) {
        Encoding::Utf8 => std::str::from_utf8(bytes).map_or_else(|_| latin1(), Cow::Borrowed),
        Encoding::Latin1 => latin1(),
        Encoding::Utf16 { is_big_endian } => {
            let characters = char::decode_utf16(units(bytes, is_big_endian));
            Cow::Owned(characters.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
        }
    };
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Cow::Owned(text) => Cow::Owned(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_encoding_have_the_same_characters() {
        let text = "Zeit;Höhe (µm)\n1;2,5\n";
        let le: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let marked = |mark: &[u8], text: &[u8]| [mark, text].concat();
        for bytes in
            [text.as_bytes().to_vec(), marked(b"\xef\xbb\xbf", text.as_bytes()), marked(b"\xff\xfe", &le), marked(b"\xfe\xff", &be), latin1]
        {
            assert!(is_text(&bytes), "{bytes:?}");
            assert_eq!(characters(&bytes), text);
        }
        let ascii: Vec<u8> = "time,x\n0,1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(characters(&ascii), "time,x\n0,1\n", "without a mark");
        assert!(!is_text(&[0, 1, 2, 3, 250, 251, 252]) && !is_text(b"\x89PNG\xff\xff"));
    }
}
