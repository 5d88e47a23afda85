//! Values in quotation marks that go on over several lines, as tables with notes have them.

use std::borrow::Cow;

/// The character that replaces the end of a line inside a value, so that every line of the text is a row or belongs to none.
pub(super) const LINE_IN_VALUE: char = '\u{b}';

/// The text with whole rows on its lines. A mark that is never closed leaves it as it is.
pub(super) fn whole_rows(text: Cow<'_, str>) -> Cow<'_, str> {
    let ends = ends_in_values(&text);
    if ends.is_empty() {
        return text;
    }
    let mut bytes = text.into_owned().into_bytes();
    // One byte of ASCII takes the place of another, and one line ends at CR LF.
    for at in ends {
        bytes[at] = if bytes[at..].starts_with(b"\r\n") { b' ' } else { LINE_IN_VALUE as u8 };
    }
    Cow::Owned(String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Where lines end inside values in quotation marks.
fn ends_in_values(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_edge = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_none_or(|byte| b",;\t| \r\n".contains(byte));
    let (mut ends, mut at) = (Vec::new(), 0);
    while let Some(open) = text[at..].find('"').map(|found| at + found) {
        at = open + 1;
        // A mark inside a value is a part of it.
        if !is_edge(open.checked_sub(1)) {
            continue;
        }
        let mut close = at;
        loop {
            let Some(found) = text[close..].find('"') else { return Vec::new() };
            close += found;
            if bytes.get(close + 1) != Some(&b'"') {
                break;
            }
            close += 2;
        }
        if !is_edge(Some(close + 1)) {
            return Vec::new();
        }
        ends.extend((at..close).filter(|&at| matches!(bytes[at], b'\n' | b'\r')));
        at = close + 1;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_have_several_lines() {
        for (text, expected) in [
            ("a,\"b\nc\"\n1,2", "a,\"b\u{b}c\"\n1,2"),
            ("\"x \"\"y\"\"\r\nz\"\n", "\"x \"\"y\"\" \u{b}z\"\n"),
            ("a,\"b\"\n1,\"2\"\n", "a,\"b\"\n1,\"2\"\n"),
            ("5\" pipe\n6\" pipe\n", "5\" pipe\n6\" pipe\n"),
            ("a,\"b\n1,2\n", "a,\"b\n1,2\n"),
        ] {
            assert_eq!(whole_rows(text.into()), expected, "{text}");
        }
    }
}
