//! A listing of SPIR-V: the names of instructions with their words. `spirv-dis` writes a .spv file with the names of all operands.

use spirv::{Capability, ExecutionModel, Op};
use std::fmt::Write as _;

/// Words before the first instruction.
const HEADER: usize = 5;

/// One line an instruction: its name and its words, where those that spell a text are that text.
pub(super) fn listing(words: &[u32]) -> String {
    let version = words.get(1).copied().unwrap_or_default();
    let mut text = format!("; SPIR-V {}.{}, {} words\n", version >> 16 & 0xff, version >> 8 & 0xff, words.len());
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let n = ((first >> 16) as usize).clamp(1, rest.len());
        let (instruction, others) = rest.split_at(n);
        rest = others;
        let operands = &instruction[1..];
        let Some(op) = Op::from_u32(first & 0xffff) else { continue };
        let _ = write!(text, "{op:?}");
        let spelled = first_letter(op).unwrap_or(operands.len()).min(operands.len());
        for (index, &word) in operands[..spelled].iter().enumerate() {
            let _ = match (op, index) {
                (Op::Capability, 0) if let Some(capability) = Capability::from_u32(word) => write!(text, " {capability:?}"),
                (Op::EntryPoint, 0) if let Some(model) = ExecutionModel::from_u32(word) => write!(text, " {model:?}"),
                _ => write!(text, " {word}"),
            };
        }
        if spelled < operands.len() {
            let bytes: Vec<u8> = operands[spelled..].iter().flat_map(|word| word.to_le_bytes()).collect();
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            let _ = write!(text, " \"{}\"", String::from_utf8_lossy(&bytes[..end]));
            operands[spelled..].iter().skip(end / 4 + 1).for_each(|word| {
                let _ = write!(text, " {word}");
            });
        }
        text.push('\n');
    }
    text
}

/// The operand at which the text of an instruction begins.
fn first_letter(op: Op) -> Option<usize> {
    match op {
        Op::Extension | Op::SourceExtension => Some(0),
        Op::ExtInstImport | Op::Name | Op::String => Some(1),
        Op::MemberName | Op::EntryPoint => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_names_numbers_and_texts() {
        let name = u32::from_le_bytes(*b"main");
        let words = [0x0723_0203, 0x0001_0300, 0, 9, 0, 2 << 16 | 17, 1, 6 << 16 | 15, 5, 4, name, 0, 7, 1 << 16 | 253];
        assert_eq!(listing(&words), "; SPIR-V 1.3, 14 words\nCapability Shader\nEntryPoint GLCompute 4 \"main\" 7\nReturn\n");
        assert_eq!(listing(&[]), "; SPIR-V 0.0, 0 words\n");
    }
}
