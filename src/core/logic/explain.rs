//! Explains every property of a function or an S-box: what it means, and why it has its value here.

use super::analysis::{Extreme, FunctionAnalysis};
use super::print::product_text;
use super::{SBox, SBoxTables};
use crate::numerals::{grouped, integer};

/// A property of a function or an S-box, explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicProperty {
    /// The name, as "nonlinearity".
    pub name: &'static str,
    /// The value, as a person reads it.
    pub value: String,
    /// Its meaning, a sentence.
    pub definition: &'static str,
    /// Why it has this value here, a sentence or two.
    pub why: String,
}

/// The affine function that belongs to the index of a Walsh value, or its complement where the value is negative.
pub fn affine_text(peak: Extreme, n: u32) -> String {
    let variables: Vec<String> = (1..=n).filter(|j| peak.index >> (n - j) & 1 == 1).map(|j| format!("x{j}")).collect();
    match (variables.is_empty(), peak.value < 0) {
        (true, false) => "0".to_owned(),
        (true, true) => "1".to_owned(),
        (false, false) => variables.join(" ⊕ "),
        (false, true) => format!("{} ⊕ 1", variables.join(" ⊕ ")),
    }
}

/// The variables whose bit in `index` is 1, such as "x1 and x3".
fn variables_text(index: usize, n: u32) -> String {
    let mut names: Vec<String> = (1..=n).filter(|j| index >> (n - j) & 1 == 1).map(|j| format!("x{j}")).collect();
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => "no variable".to_owned(),
    }
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

impl FunctionAnalysis {
    /// All properties, in the order in which they build on each other.
    pub fn properties(&self) -> Vec<LogicProperty> {
        vec![
            self.weight_property(),
            self.balance_property(),
            self.degree_property(),
            self.nonlinearity_property(),
            self.bent_property(),
            self.immunity_property(),
            self.resiliency_property(),
            self.avalanche_property(),
            self.propagation_property(),
            self.indicator_property(),
            self.squares_property(),
            self.structures_property(),
        ]
    }

    fn length(&self) -> u64 {
        1 << self.n
    }

    fn weight_property(&self) -> LogicProperty {
        LogicProperty {
            name: "Weight",
            value: format!("{} of {}", integer(self.weight), integer(self.length())),
            definition: "The number of values of the truth table that are 1.",
            why: format!(
                "The Walsh spectrum of (−1)^f is 2^n − 2·weight = {} at index 0.",
                integer(self.length() as i64 - 2 * self.weight as i64)
            ),
        }
    }

    fn balance_property(&self) -> LogicProperty {
        let why = if self.balanced() {
            "The weight is half of the table, so the Walsh spectrum is 0 at index 0.".to_owned()
        } else {
            format!(
                "Half of the table would be {}, and the weight is {}.",
                grouped(&(self.length() as f64 / 2.0).to_string()),
                integer(self.weight)
            )
        };
        LogicProperty { name: "Balanced", value: yes_or_no(self.balanced()), definition: "Whether 0 and 1 occur equally often.", why }
    }

    fn degree_property(&self) -> LogicProperty {
        let (value, why) = match self.degree {
            None => ("none".to_owned(), "The function is 0 everywhere, and its polynomial has no product.".to_owned()),
            Some(0) => ("0".to_owned(), "The function is 1 everywhere.".to_owned()),
            Some(degree) => {
                let odd = if degree == self.n { " The weight is odd: only then one product has all variables." } else { "" };
                (
                    degree.to_string(),
                    format!("{} is a longest product of the Reed-Muller polynomial.{odd}", product_text(self.leading, self.n)),
                )
            }
        };
        LogicProperty {
            name: "Algebraic degree",
            value,
            definition: "The number of variables in the longest product of the Reed-Muller polynomial (algebraic normal form).",
            why,
        }
    }

    fn nonlinearity_property(&self) -> LogicProperty {
        let peak = integer(self.peak.value.unsigned_abs());
        let bound = match self.n {
            n if n >= 2 && n.is_multiple_of(2) => {
                format!(
                    " No function of {n} variables has more than 2^(n−1) − 2^(n/2−1) = {}.",
                    integer(self.length() / 2 - (1 << (n / 2 - 1)))
                )
            }
            _ => String::new(),
        };
        LogicProperty {
            name: "Nonlinearity",
            value: integer(self.nonlinearity()),
            definition: "The smallest number of values in which the function differs from an affine one: (2^n − max |W|) / 2.",
            why: format!(
                "The largest magnitude of the Walsh spectrum is {peak}, at index {}: ({} − {peak}) / 2 = {}. The nearest affine function is {}.{bound}",
                self.peak.index,
                integer(self.length()),
                integer(self.nonlinearity()),
                affine_text(self.peak, self.n)
            ),
        }
    }

    fn bent_property(&self) -> LogicProperty {
        let why = if self.bent() {
            format!(
                "All {} values of the Walsh spectrum are ±{}, which is 2^(n/2): the function is as far from every affine function as possible. Flip one value of the table, and the spectrum is no longer flat.",
                integer(self.length()),
                integer(self.peak.value.unsigned_abs())
            )
        } else if self.n < 2 || !self.n.is_multiple_of(2) {
            format!("With {} variables 2^(n/2) is no integer above 1, so no Walsh spectrum is flat.", self.n)
        } else {
            let list: Vec<String> =
                self.magnitudes.iter().take(6).map(|(value, count)| format!("{} ({} times)", integer(*value), integer(*count))).collect();
            let more = if self.magnitudes.len() > 6 { ", …" } else { "" };
            format!(
                "The magnitudes of the Walsh spectrum are {}{more}; a bent function has {} everywhere.",
                list.join(", "),
                1_u64 << (self.n / 2)
            )
        };
        let definition = "Whether the Walsh spectrum is flat, ±2^(n/2) everywhere.";
        let value = match self.plateau() {
            Some(_) if self.bent() => "yes".to_owned(),
            Some(plateau) if self.magnitudes.len() == 1 => format!("no, ±{plateau} everywhere"),
            Some(plateau) => format!("no, plateaued: 0 and ±{plateau}"),
            None => "no".to_owned(),
        };
        LogicProperty { name: "Bent", value, definition, why }
    }

    fn immunity_property(&self) -> LogicProperty {
        let why = match self.correlated {
            Some(Extreme { index, value }) => format!(
                "The Walsh spectrum is {} at index {index}: the function is correlated with {}. It is 0 at all indices with fewer bits set, except perhaps at index 0.",
                integer(value),
                match index.count_ones() {
                    1 => variables_text(index, self.n),
                    _ => format!("the XOR of {}", variables_text(index, self.n)),
                }
            ),
            None => "The Walsh spectrum is 0 everywhere but at index 0: the function is constant.".to_owned(),
        };
        LogicProperty {
            name: "Correlation immunity",
            value: format!("order {}", self.correlation_immunity),
            definition: "The number of variables that may be known without knowing anything about the value. Up to this order, the Walsh spectrum is 0 at every index with at least one bit set and at most the order.",
            why,
        }
    }

    fn resiliency_property(&self) -> LogicProperty {
        let (value, why) = match self.resiliency() {
            Some(order) => (format!("order {order}"), "The function is balanced, so this is the order of correlation immunity.".to_owned()),
            None => ("none".to_owned(), "The function is not balanced.".to_owned()),
        };
        LogicProperty { name: "Resiliency", value, definition: "The order of correlation immunity of a balanced function.", why }
    }

    fn avalanche_property(&self) -> LogicProperty {
        let why = match self.unpropagated {
            Some(Extreme { index, value }) if index.count_ones() == 1 => format!(
                "Changing {} changes {} of {} values: the autocorrelation is {} at shift {index}.",
                variables_text(index, self.n),
                integer((self.length() as i64 - value) / 2),
                integer(self.length()),
                integer(value)
            ),
            _ if self.n == 0 => "There is no variable to change.".to_owned(),
            _ => "The autocorrelation is 0 at every shift with one bit set.".to_owned(),
        };
        LogicProperty {
            name: "Strict avalanche",
            value: yes_or_no(self.strict_avalanche()),
            definition: "Whether changing any one variable changes exactly half of the values.",
            why,
        }
    }

    fn propagation_property(&self) -> LogicProperty {
        let why = match self.unpropagated {
            Some(Extreme { index, value }) => {
                format!(
                    "Changing {}{} breaks the rule: the autocorrelation is {} at shift {index}.",
                    variables_text(index, self.n),
                    if index.count_ones() > 1 { " together" } else { "" },
                    integer(value)
                )
            }
            None => "The autocorrelation is 0 at every shift other than 0, which is so for bent functions only.".to_owned(),
        };
        LogicProperty {
            name: "Propagation",
            value: format!("order {}", self.propagation),
            definition: "The largest number of variables that may be changed together, whichever they are, so that exactly half of the values change.",
            why,
        }
    }

    fn indicator_property(&self) -> LogicProperty {
        let (value, why) = match self.absolute_indicator {
            Some(Extreme { value: 0, .. }) => ("0".to_owned(), "The autocorrelation is 0 at every shift other than 0.".to_owned()),
            Some(Extreme { index, value }) => (
                integer(value.unsigned_abs()),
                format!("The autocorrelation is {} at shift {index}, and nowhere larger at a shift other than 0.", integer(value)),
            ),
            None => ("none".to_owned(), "There is no shift other than 0.".to_owned()),
        };
        LogicProperty {
            name: "Absolute indicator",
            value,
            definition: "The largest magnitude of the dyadic autocorrelation of (−1)^f at a shift other than 0. A small value resists differential attacks.",
            why,
        }
    }

    fn squares_property(&self) -> LogicProperty {
        LogicProperty {
            name: "Sum of squares",
            value: grouped(&self.sum_of_squares.to_string()),
            definition: "The sum of the squares of the dyadic autocorrelation: between 2^(2n), for bent functions, and 2^(3n), for affine ones.",
            why: format!("Shift 0 alone gives 2^(2n) = {}.", grouped(&(1_u128 << (2 * self.n)).to_string())),
        }
    }

    fn structures_property(&self) -> LogicProperty {
        LogicProperty {
            name: "Linear structures",
            value: integer(self.linear_structures),
            definition: "The number of shifts other than 0 that change all values or none: the autocorrelation is ±2^n there.",
            why: match self.linear_structures {
                0 => format!("The autocorrelation never reaches ±{} at a shift other than 0.", integer(self.length())),
                n => format!("The autocorrelation is ±{} at {} shifts.", integer(self.length()), integer(n)),
            },
        }
    }
}

impl SBoxTables {
    /// All properties of an S-box with these tables.
    pub fn properties(&self, sbox: &SBox) -> Vec<LogicProperty> {
        let half = self.rows / 2;
        let at = |extreme: Extreme| (extreme.index / self.columns, extreme.index % self.columns);
        let (linear, difference) = (self.strongest_approximation(), self.likeliest_difference());
        let [(a, b), (c, d)] = [at(linear), at(difference)];
        let [high, low] = self.degrees;
        vec![
            LogicProperty {
                name: "S-box",
                value: format!("{} → {} bits", sbox.n(), sbox.m()),
                definition: "Number of bits of the input and of the output.",
                why: if !sbox.balanced() {
                    "Some outputs occur more often than others.".to_owned()
                } else if sbox.n() == sbox.m() {
                    "It is a permutation: every output occurs once.".to_owned()
                } else {
                    "It is balanced: every output occurs equally often.".to_owned()
                },
            },
            LogicProperty {
                name: "S-box nonlinearity",
                value: self.nonlinearity().to_string(),
                definition: "The smallest nonlinearity of a component, the XOR of some output bits: 2^(n−1) − max |LAT|.",
                why: format!(
                    "The linear approximation table is {} at masks {a:#x} → {b:#x}: {half} − {} = {}.",
                    integer(linear.value),
                    linear.value.unsigned_abs(),
                    self.nonlinearity()
                ),
            },
            LogicProperty {
                name: "Differential uniformity",
                value: self.uniformity().to_string(),
                definition: "The largest number of inputs for which one input difference other than 0 gives one output difference.",
                why: format!("For {} of {} inputs, the difference {c:#x} gives {d:#x}.", difference.value, self.rows),
            },
            LogicProperty {
                name: "S-box degree",
                value: if high == low { high.to_string() } else { format!("{low} to {high}") },
                definition: "The algebraic degree of the components, the XORs of some output bits.",
                why: format!("The {} components belong to the output masks other than 0.", self.columns - 1),
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::analysed;
    use super::*;

    fn property(text: &str, name: &str) -> LogicProperty {
        let properties = analysed(text).2.properties();
        properties.into_iter().find(|property| property.name == name).expect(name)
    }

    #[test]
    fn a_bent_function_says_why() {
        let bent = property("x1x2 ^ x3x4", "Bent");
        assert!(bent.value == "yes" && bent.why.starts_with("All 16 values of the Walsh spectrum are ±4"), "{}", bent.why);
        let flipped = property("x1x2 ^ x3x4 flip=0", "Bent");
        assert!(flipped.value == "no" && flipped.why.contains("2 (") && flipped.why.contains("6 ("), "{}", flipped.why);
        assert!(property("majority(3)", "Bent").why.contains("3 variables"));
        assert_eq!(property("majority(3)", "Bent").value, "no, plateaued: 0 and ±4");
    }

    #[test]
    fn reasons_name_the_place() {
        assert!(property("x1 ^ x3 ^ 1", "Nonlinearity").why.contains("nearest affine function is x1 ⊕ x3 ⊕ 1"));
        assert!(property("x1x3 ^ x2", "Algebraic degree").why.starts_with("x1x3 is a longest"));
        assert!(property("x1 & x2", "Strict avalanche").value == "yes");
        assert!(property("x1 ^ x2x3", "Strict avalanche").why.starts_with("Changing x1 changes 8 of 8 values"));
        assert!(property("x1 ^ x2 ^ x3", "Correlation immunity").why.contains("the XOR of x1, x2 and x3"));
    }

    #[test]
    fn every_property_of_every_function_is_explained() {
        for text in ["0", "1", "x1", "0 n=3", "1 n=3", "m(0,3,5) n=5", "majority(5)", "bent(6)", "weighted(6)"] {
            let (.., analysis) = analysed(text);
            for property in analysis.properties() {
                assert!(
                    !property.value.is_empty() && property.definition.ends_with('.') && property.why.ends_with('.'),
                    "{text}: {property:?}"
                );
            }
        }
    }
}
