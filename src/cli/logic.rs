//! `papillon logic`: the properties of a Boolean function or an S-box, as a table or as JSON.

use super::progress::Progress;
use super::table::ChannelArguments;
use super::{Failure, load_numbers, output};
use crate::engine::Devices;
use crate::engine::logic::{FunctionStudy, SBoxStudy, SignalStudy, StudyError, in_order, study};
use crate::logic::{Extreme, LogicProperty, anf_text, box_text, hex_text, minterm_text};
use crate::signal::generate::Boolean;
use crate::signal::{ChannelChoice, Signal};
use crate::transforms::RowOrder;
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Analyses a Boolean function or an S-box: polynomials, spectra, nonlinearity, immunity, tables.
///
/// A function is written after f: and quoted, here and wherever a file of samples is read:
/// 'f:x1 & !x3 ^ x2' (NOT before AND, AND before XOR, XOR before OR; + is OR, ⊕ is XOR), 'f:01101001' or 'f:0x96' (truth table, f(0) first;
/// f0=right if it is last), 'f:m(1,3,5..7) n=4' (minterms), 'f:majority(5)' and other well-known ones
/// (parity, threshold, bent, maiorana, weighted, multiplexer, carry), 'f:sbox(c 5 6 b 9 0 a d 3 e f 8 4 7 1 2) mask=3', 'f:aes mask=1', present, keccak.
/// After it n=5 sets the number of variables, flip=3,7 flips values, and signs codes 0 and 1 as 1 and −1. A PLA file or a table of values works too.
#[derive(Debug, Args)]
pub(super) struct LogicArguments {
    /// A function as 'f:x1 & x2', a PLA file, or a line of 2^n whole numbers: a truth table, or the values of an S-box.
    input: PathBuf,
    #[command(flatten)]
    channel: ChannelArguments,
    /// The output bits of an S-box that are added to one function: a number, as 3 or 0x1f.
    #[arg(long, value_parser = mask)]
    mask: Option<u64>,
    /// The order of the Walsh spectrum: natural, sequency or dyadic.
    #[arg(long, default_value = "natural")]
    order: RowOrder,
    /// For programs: JSON on standard output, with all spectra and tables.
    #[arg(long)]
    json: bool,
}

/// Parses a decimal or hexadecimal number.
fn mask(text: &str) -> Result<u64, String> {
    let parsed = text.strip_prefix("0x").map_or_else(|| text.parse(), |digits| u64::from_str_radix(digits, 16));
    parsed.map_err(|_| format!("'{text}' is no mask: take a number, as 3 or 0x1f"))
}

/// Largest number of values of a spectrum in the table; JSON has all values.
const MOST_SHOWN: usize = 64;

pub(super) fn run(arguments: &LogicArguments) -> Result<(), Failure> {
    let signal = load_numbers(&arguments.input)?;
    let channel = arguments.channel.of(&signal)?;
    let signal = match arguments.mask {
        Some(mask) => component(&signal, channel, mask)?,
        None => signal,
    };
    let known = {
        let _progress = Progress::start(format!("studying {}", signal.name));
        study(&signal, channel, &mut Devices::default(), super::cancel(), &|_, _| {}).map_err(|error| match error {
            StudyError::Engine(error) => error.into(),
            other => Failure::Call(other.to_string()),
        })?
    };
    if arguments.json {
        return output::print(&format!("{:#}\n", as_json(&signal.name, &known, arguments.order)));
    }
    let mut text = String::new();
    if let Some(function) = &known.function {
        function_text(&mut text, &signal.name, function, arguments.order);
    }
    if let Some(sbox) = &known.sbox {
        tables_text(&mut text, sbox);
    }
    output::print(&text)
}

/// A component function of the S-box in a signal.
fn component(signal: &Signal, channel: ChannelChoice, mask: u64) -> Result<Signal, Failure> {
    let sbox = signal.as_logic(channel).and_then(|reading| reading.sbox);
    let sbox = sbox.ok_or_else(|| Failure::Call(format!("--mask picks output bits of an S-box, and {} is none", signal.name)))?;
    Boolean { text: box_text(&sbox, mask) }.signal().map_err(|error| Failure::Call(error.to_string()))
}

/// Width of the column of names.
const NAME: usize = 28;

fn line(text: &mut String, name: &str, value: &str) {
    let wide = name.chars().count();
    writeln!(text, "{name}{:pad$}{value}", "", pad = NAME.saturating_sub(wide).max(1)).expect("writing to a string does not fail");
}

fn function_text(text: &mut String, name: &str, study: &FunctionStudy, order: RowOrder) {
    let n = study.function.n();
    line(text, "Function", &format!("{name}, {n} {}, {}", if n == 1 { "variable" } else { "variables" }, study.coding.name()));
    if n <= 10 {
        line(text, "Truth table", &hex_text(&study.function));
        line(text, "Minterms", &minterm_text(&study.function));
    }
    line(text, "Reed-Muller", &study.reed_muller_text);
    line(text, "Arithmetic", &study.arithmetic_text);
    line(text, &format!("Walsh of (−1)^f, {}", order.name()), &values_text(&in_order(&study.spectra.walsh, order)));
    line(text, "Haar of f", &values_text(&study.spectra.haar));
    line(text, "Autocorrelation", &values_text(&study.spectra.autocorrelation));
    properties_text(text, &study.properties);
}

fn values_text(values: &[i64]) -> String {
    let shown: Vec<String> = values.iter().take(MOST_SHOWN).map(i64::to_string).collect();
    let more = values.len().saturating_sub(MOST_SHOWN);
    if more > 0 { format!("{} … and {more} more", shown.join(" ")) } else { shown.join(" ") }
}

fn properties_text(text: &mut String, properties: &[LogicProperty]) {
    for property in properties {
        line(text, property.name, &format!("{}. {}", property.value, property.why));
    }
}

fn tables_text(text: &mut String, study: &SBoxStudy) {
    match &study.tables {
        Ok(_) => properties_text(text, &study.properties),
        Err(why) => line(text, "S-box", why),
    }
}

fn as_json(name: &str, known: &SignalStudy, order: RowOrder) -> Value {
    let function = known.function.as_ref().map(|study| {
        let analysis = &study.analysis;
        json!({
            "variables": analysis.n,
            "coding": study.coding.name(),
            "truth_table": hex_text(&study.function),
            "polynomial": anf_text(&study.spectra.reed_muller, usize::MAX),
            "reed_muller": study.spectra.reed_muller.values().map(u8::from).collect::<Vec<_>>(),
            "order": order.name(),
            "walsh": in_order(&study.spectra.walsh, order),
            "arithmetic": study.spectra.arithmetic,
            "haar": study.spectra.haar,
            "autocorrelation": study.spectra.autocorrelation,
            "weight": analysis.weight,
            "balanced": analysis.balanced(),
            "degree": analysis.degree,
            "nonlinearity": analysis.nonlinearity(),
            "bent": analysis.bent(),
            "plateau": analysis.plateau(),
            "correlation_immunity": analysis.correlation_immunity,
            "resiliency": analysis.resiliency(),
            "strict_avalanche": analysis.strict_avalanche(),
            "propagation": analysis.propagation,
            "absolute_indicator": analysis.absolute_indicator.map(|Extreme { value, .. }| value.unsigned_abs()),
            "sum_of_squares": analysis.sum_of_squares as f64,
            "linear_structures": analysis.linear_structures,
            "properties": properties_json(&study.properties),
        })
    });
    let sbox = known.sbox.as_ref().map(|study| {
        let mut value = json!({ "input_bits": study.sbox.n(), "output_bits": study.sbox.m(), "balanced": study.sbox.balanced() });
        match &study.tables {
            Err(why) => value["error"] = json!(why),
            Ok(tables) => {
                value["nonlinearity"] = json!(tables.nonlinearity());
                value["differential_uniformity"] = json!(tables.uniformity());
                value["degrees"] = json!(tables.degrees);
                value["linear_approximation"] = json!(tables.linear.chunks(tables.columns).collect::<Vec<_>>());
                value["difference_distribution"] = json!(tables.difference.chunks(tables.columns).collect::<Vec<_>>());
                value["properties"] = properties_json(&study.properties);
            }
        }
        value
    });
    json!({ "name": name, "function": function, "sbox": sbox })
}

fn properties_json(properties: &[LogicProperty]) -> Value {
    let one = |property: &LogicProperty| json!({ "name": property.name, "value": property.value, "definition": property.definition, "why": property.why });
    properties.iter().map(one).collect()
}
