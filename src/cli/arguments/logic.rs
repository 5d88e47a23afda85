//! The words of `papillon logic`.

use crate::signal::View;
use crate::transforms::RowOrder;
use clap::Args;
use std::path::PathBuf;

/// Tells what is known of a Boolean function or an S-box: polynomials, spectra, nonlinearity, immunity, tables.
///
/// A function is written behind f: and quoted, here and wherever a file of samples is read:
/// 'f:x1 & !x3 ^ x2' (NOT before AND, AND before XOR, XOR before OR; + is OR, ⊕ is XOR), 'f:01101001' or 'f:0x96' (truth table, f(0) first;
/// f0=right where it is last), 'f:m(1,3,5..7) n=4' (minterms), 'f:majority(5)' and other well-known ones
/// (parity, threshold, bent, maiorana, weighted, multiplexer, carry), 'f:sbox(c 5 6 b 9 0 a d 3 e f 8 4 7 1 2) mask=3', 'f:aes mask=1', present, keccak.
/// Behind it n=5 sets the number of variables, flip=3,7 flips values, and signs codes 0 and 1 as 1 and −1. A PLA file or a table of values will do as well.
#[derive(Debug, Args)]
pub(in crate::cli) struct LogicArguments {
    /// A function as 'f:x1 & x2', a PLA file, or a line of 2^n whole numbers: a truth table, or the values of an S-box.
    pub(in crate::cli) input: PathBuf,
    /// Which output of a file with several: a number from 1.
    #[arg(long, default_value = "luma")]
    pub(in crate::cli) channel: View,
    /// Which output bits of an S-box are summed up to a function: a number, as 3 or 0x1f.
    #[arg(long, value_parser = mask)]
    pub(in crate::cli) mask: Option<u64>,
    /// The order of the Walsh spectrum: natural, sequency or dyadic.
    #[arg(long, default_value = "natural")]
    pub(in crate::cli) order: RowOrder,
    /// For programs: JSON on standard output, with the whole spectra and tables.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

/// A number, decimal or hex.
fn mask(text: &str) -> Result<u64, String> {
    let parsed = text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16));
    parsed.map_err(|_| format!("'{text}' is no mask: take a number, as 3 or 0x1f"))
}
