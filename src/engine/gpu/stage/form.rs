//! Index expressions of kernels: sums of multiples, written as short as they can be.
//!
//! A number in an expression is a constant, or a uniform where launches that share a kernel differ in it.

use crate::schedule::IndexArithmetic;
use std::fmt;

/// A number in the text of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    /// Written into the text.
    Constant(i64),
    /// Read from the uniforms, by name.
    Uniform(String),
}

/// How the names of divisors end.
const DIVISOR: &str = "_divisor";

/// Which numbers of a text are uniforms, and the value of each number that may be one.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    /// The names of the uniforms; `None` makes every number a uniform.
    pub(super) chosen: Option<Vec<String>>,
    /// How indices are divided; divisors by which the text divides are always uniforms, since a compiler would turn constants into shifts.
    pub(super) index: IndexArithmetic,
    /// Names and values, in the order of their first use.
    pub(super) values: Vec<(String, u32)>,
}

impl Numbers {
    /// Every number is a constant, except those of these names.
    pub(super) fn with_uniforms(names: Vec<String>) -> Self {
        Self { chosen: Some(names), ..Self::default() }
    }

    /// A number that may differ between launches.
    pub(super) fn number(&mut self, name: &str, value: i64) -> Number {
        // Negative strides count modulo 2³², as indices do.
        match self.values.iter().find(|(known, _)| known == name) {
            Some((_, known)) => assert_eq!(*known, value as u32, "two numbers are named {name}"),
            None => self.values.push((name.to_owned(), value as u32)),
        }
        if self.is_uniform(name) { Number::Uniform(name.to_owned()) } else { Number::Constant(value) }
    }

    /// Names and values of the uniforms of the text.
    pub(super) fn uniforms(&self) -> Vec<(String, u32)> {
        self.values.iter().filter(|(name, _)| self.is_uniform(name)).cloned().collect()
    }

    fn is_uniform(&self, name: &str) -> bool {
        name.ends_with(DIVISOR) || self.chosen.as_ref().is_none_or(|chosen| chosen.iter().any(|known| known == name))
    }
}

/// A sum of multiples of variables.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Form(Vec<(Number, Option<String>)>);

impl Form {
    /// The same with `number` times a variable.
    pub(super) fn plus(mut self, number: Number, variable: &str) -> Self {
        self.0.push((number, Some(variable.to_owned())));
        self
    }

    /// The same with `n` times a number.
    pub(super) fn plus_times(mut self, number: Number, n: i64) -> Self {
        match number {
            Number::Constant(value) => self.0.push((Number::Constant(value * n), None)),
            uniform if n == 1 => self.0.push((uniform, None)),
            uniform if n > 0 => self.0.push((uniform, Some(format!("{n}u")))),
            _ => assert_eq!(n, 0, "a uniform has no negative multiple"),
        }
        self
    }

    /// The same with a constant.
    pub(super) fn plus_constant(self, value: i64) -> Self {
        self.plus_times(Number::Constant(value), 1)
    }

    /// Whether the text is a name or a number alone.
    pub(super) fn is_short(&self) -> bool {
        !self.to_string().contains(' ')
    }

    /// The sum in signed numbers.
    pub(super) fn signed(&self) -> String {
        let part = |(number, variable): &(Number, Option<String>)| match (number, variable) {
            (Number::Constant(value), None) => format!("{value}"),
            (Number::Constant(1), Some(variable)) => format!("i32({variable})"),
            (Number::Constant(value), Some(variable)) => format!("{value} * i32({variable})"),
            (Number::Uniform(name), None) => format!("i32(launch.{name})"),
            (Number::Uniform(name), Some(variable)) => format!("i32(launch.{name} * {variable})"),
        };
        let constant: i64 = self.0.iter().map(|term| if let (Number::Constant(value), None) = term { *value } else { 0 }).sum();
        let is_constant = |term: &&(Number, Option<String>)| matches!(term, (Number::Constant(_), None));
        let mut parts: Vec<String> = self.0.iter().filter(|term| !is_constant(term) && term.0 != Number::Constant(0)).map(part).collect();
        if constant != 0 || parts.is_empty() {
            parts.push(constant.to_string());
        }
        parts.join(" + ").replace("+ -", "- ")
    }

    /// The sum in parentheses, where it has several terms.
    pub(super) fn grouped(&self) -> String {
        if self.is_short() { self.to_string() } else { format!("({self})") }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut constant = 0;
        let (mut sum, mut less): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (number, variable) in &self.0 {
            match (number, variable) {
                (Number::Constant(value), None) => constant += value,
                (Number::Constant(0), Some(_)) => {}
                (Number::Constant(1), Some(variable)) => sum.push(variable.clone()),
                (Number::Constant(-1), Some(variable)) => less.push(variable.clone()),
                (Number::Constant(value), Some(variable)) if *value < 0 => less.push(format!("{}u * {variable}", -value)),
                (Number::Constant(value), Some(variable)) => sum.push(format!("{value}u * {variable}")),
                (Number::Uniform(name), None) => sum.push(format!("launch.{name}")),
                (Number::Uniform(name), Some(variable)) => sum.push(format!("launch.{name} * {variable}")),
            }
        }
        if constant > 0 || sum.is_empty() {
            sum.push(format!("{}u", constant.max(0)));
        }
        if constant < 0 {
            less.push(format!("{}u", -constant));
        }
        write!(f, "{}", sum.join(" + "))?;
        less.iter().try_for_each(|term| write!(f, " - {term}"))
    }
}

/// The uniform that holds n, where the kernel divides by numbers that it reads.
fn divisor(n: usize, name: &str, numbers: &mut Numbers) -> Option<String> {
    let divides = numbers.index == IndexArithmetic::Division;
    let number = divides.then(|| numbers.number(&format!("{name}{DIVISOR}"), n as i64))?;
    if let Number::Uniform(name) = number { Some(format!("launch.{name}")) } else { None }
}

/// index / n, a shift where n is a uniform.
pub(super) fn quotient(index: &str, n: usize, name: &str, numbers: &mut Numbers) -> String {
    if let Some(divisor) = divisor(n, &format!("before_{name}"), numbers) {
        return format!("({index} / {divisor})");
    }
    if !n.is_power_of_two() {
        return format!("{index} / {n}u");
    }
    match numbers.number(&format!("{name}_shift"), n.ilog2().into()) {
        Number::Constant(shift) => format!("{index} / {}u", 1_u64 << shift),
        Number::Uniform(name) => format!("({index} >> launch.{name})"),
    }
}

/// index mod n, a mask where n is a uniform.
pub(super) fn remainder(index: &str, n: usize, name: &str, numbers: &mut Numbers) -> String {
    if let Some(divisor) = divisor(n, name, numbers) {
        return format!("{index} % {divisor}");
    }
    if !n.is_power_of_two() {
        return format!("{index} % {n}u");
    }
    match numbers.number(&format!("{name}_mask"), n as i64 - 1) {
        Number::Constant(mask) => format!("{index} % {}u", mask + 1),
        Number::Uniform(name) => format!("{index} & launch.{name}"),
    }
}
