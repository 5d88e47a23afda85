//! `papillon convolve --exact`: convolutions of integers of any size without rounding, also modulo a number and in the ring of a published scheme.

use super::arguments::{ValuesOutput, one_of};
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, output, say};
use crate::engine::{EngineError, ExactConvolution, Wrapping, product_in};
use crate::numerals::{counted, counted_as, number};
use crate::signal::{OutputFormat, Samples, Signal};
use crate::transforms::Scheme;
use clap::Args;
use num_bigint::BigInt;
use std::io::{self, Write as _};
use std::path::Path;

/// Files up to this size are read as text of long integers.
const MOST_BYTES: u64 = 1 << 28;

/// How integers are convolved exactly.
#[derive(Debug, Args)]
pub(super) struct ExactArguments {
    /// Convolves integers of any size without rounding, by number-theoretic transforms; with --cyclic, --negacyclic or --linear.
    #[arg(long)]
    exact: bool,
    /// Negacyclic convolution of integers, exact: the product of polynomials modulo x^n + 1.
    #[arg(long, conflicts_with_all = ["cyclic", "dyadic"])]
    negacyclic: bool,
    /// Linear convolution of integers, exact: the product of polynomials, or the digits of a product before carries.
    #[arg(long, conflicts_with_all = ["cyclic", "dyadic", "negacyclic"])]
    linear: bool,
    /// Takes exact results modulo this number, from 0 on.
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u64).range(2..))]
    modulus: Option<u64>,
    /// Takes exact results modulo that of a published scheme, and multiplies polynomials modulo x^n + 1 as it does.
    #[arg(long, value_name = "NAME", value_parser = one_of::<Scheme>(), ignore_case = true)]
    preset: Option<Scheme>,
    /// Writes results modulo q from −q/2 to q/2, and not from 0 to q − 1.
    #[arg(long)]
    signed: bool,
}

impl ExactArguments {
    /// Whether an exact convolution is asked for.
    pub(super) fn is_asked(&self) -> bool {
        self.exact || self.negacyclic || self.linear || self.signed || self.modulus.is_some() || self.preset.is_some()
    }

    /// How products beyond the last value wrap.
    fn wrapping(&self, is_cyclic: bool) -> Result<Wrapping, Failure> {
        let of_scheme = self.preset.filter(|scheme| scheme.length().is_some());
        match (of_scheme, is_cyclic, self.negacyclic, self.linear) {
            (Some(scheme), true, ..) | (Some(scheme), .., true) => {
                Err(Failure::Call(format!("{} multiplies modulo x^n + 1: take --negacyclic", scheme.title())))
            }
            (Some(_), ..) | (_, _, true, _) => Ok(Wrapping::Negacyclic),
            (_, true, ..) => Ok(Wrapping::Cyclic),
            (.., true) => Ok(Wrapping::Linear),
            _ => Err(Failure::Call(
                "--exact, --modulus, --preset and --signed are for --cyclic, --negacyclic or --linear: add one of them".into(),
            )),
        }
    }

    /// The number that results are taken modulo.
    fn modulus(&self) -> Result<Option<u64>, Failure> {
        let of_scheme = self.preset.and_then(Scheme::modulus);
        match (self.modulus, of_scheme, self.preset) {
            (None, None, _) if self.signed => {
                Err(Failure::Call("--signed is for results modulo a number: add --modulus or --preset, or leave it out".into()))
            }
            (Some(asked), Some(has), Some(scheme)) if asked != has => {
                Err(Failure::Call(format!("{} has the modulus {has}: leave --modulus out", scheme.title())))
            }
            (asked, ..) => Ok(asked.or(of_scheme)),
        }
    }

    /// Convolves two files and writes the integers.
    pub(super) fn run(
        &self,
        [first, second]: [&Path; 2],
        is_cyclic: bool,
        (table, channel): (&TableArguments, &ChannelArguments),
        (to, format): (&ValuesOutput, &OutputFormat),
    ) -> Result<(), Failure> {
        let (wrapping, modulus) = (self.wrapping(is_cyclic)?, self.modulus()?);
        let [f, g] = [integers(first, table, channel)?, integers(second, table, channel)?];
        if wrapping != Wrapping::Linear && f.len() != g.len() {
            let lengths = format!("{} and {}", counted(f.len(), "value"), g.len());
            let text = format!("a {} convolution takes files of the same length, and these have {lengths}: take --linear", wrapping.name());
            return Err(Failure::Call(text));
        }
        let go = super::cancel();
        let in_scheme = match self.preset.filter(|scheme| scheme.length().is_some()) {
            Some(scheme) => Some((scheme, product_in(scheme, &f, &g, go)?)),
            None => None,
        };
        let found = ExactConvolution::of(&f, &g, wrapping, go)?;
        say(&match &in_scheme {
            Some((scheme, (_, how))) => format!("product of polynomials of {}: {how}", scheme.title()),
            None => {
                let primes = counted(found.primes.len(), "prime");
                format!("exact {} convolution by transforms of {} modulo {primes}", wrapping.name(), counted(found.length, "value"))
            }
        });
        let (n, most) = found.float_error(&f, &g, wrapping, go)?;
        say(&match n {
            0 => "a Fourier transform in double precision gets all results right, too".to_owned(),
            _ => format!("a Fourier transform in double precision gets {} wrong, by up to {}", counted(n, "result"), number(most, 3)),
        });
        let mut values = in_scheme.map_or(found.values, |(_, (values, _))| values);
        if let Some(q) = modulus.map(BigInt::from) {
            let half = &q / 2;
            for value in &mut values {
                *value = ((&*value % &q) + &q) % &q;
                if self.signed && *value > half {
                    *value -= &q;
                }
            }
        }
        written(to, format, first, &values)
    }
}

/// The integers of a file with one row or one column, of any size in a text.
fn integers(path: &Path, table: &TableArguments, channel: &ChannelArguments) -> Result<Vec<BigInt>, Failure> {
    // A table would round them.
    if let Some(values) = long_integers(path).filter(|values| values.iter().any(|value| value.bits() > 53)) {
        return Ok(values);
    }
    let signal = table.load(path)?;
    if signal.rows > 1 {
        let rows = counted_as(signal.rows, "row", "rows");
        return Err(Failure::Call(format!(
            "an exact convolution takes one row of integers, and {} has {rows}: write a file for each",
            signal.name
        )));
    }
    let values = signal.whole_numbers(channel.of(&signal)?).map_err(EngineError::from)?;
    let fractions = || Failure::Call(format!("an exact convolution takes integers, and {} has fractions: round them", signal.name));
    Ok(values.ok_or_else(fractions)?.into_iter().map(BigInt::from).collect())
}

/// The integers of a text: one a line after an optional name, or all in one line.
fn long_integers(path: &Path) -> Option<Vec<BigInt>> {
    if std::fs::metadata(path).ok()?.len() > MOST_BYTES {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let parsed = |texts: &[&str]| texts.iter().map(|text| text.trim().parse().ok()).collect::<Option<Vec<BigInt>>>();
    match lines[..] {
        [] => None,
        [line] => parsed(&line.split([',', ';', ' ', '\t']).filter(|field| !field.trim().is_empty()).collect::<Vec<_>>()),
        [name, ref rest @ ..] if name.parse::<BigInt>().is_err() && !name.contains([',', ';', '\t']) => parsed(rest),
        _ => parsed(&lines),
    }
}

/// Writes integers: those of 64 bits as any values, longer ones as text.
fn written(to: &ValuesOutput, format: &OutputFormat, first: &Path, values: &[BigInt]) -> Result<(), Failure> {
    let name = first.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    if let Some(short) = values.iter().map(|value| i64::try_from(value).ok()).collect::<Option<Vec<i64>>>() {
        let result = Signal::row(&name, Samples::I64(short));
        return output::values(to, format, super::real::fitted(result, format)?);
    }
    if !format.endings.contains(&"csv") {
        let bits = values.iter().map(BigInt::bits).max().unwrap_or(0);
        return Err(Failure::Call(format!(
            "cannot write {}: the results have up to {bits} bits, and this format holds 64: write .csv",
            to.output.display()
        )));
    }
    output::bytes(&to.output, |out| {
        let mut out = io::BufWriter::new(out);
        writeln!(out, "value")?;
        values.iter().try_for_each(|value| writeln!(out, "{value}"))
    })
}
