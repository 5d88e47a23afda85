//! Expressions such as `x1 & !x3 ^ x2`, with the usual operators and words of logic.
//!
//! NOT binds tighter than AND, AND tighter than XOR, XOR tighter than OR; factors side by side are multiplied.
//! One parser reads a text twice, over two kinds of values: first it checks the text, then it computes the table.

use super::error::{LogicError, quoted};
use super::{BooleanFunction, check_variables};

/// The deepest nesting of parentheses and negations.
const DEEPEST: usize = 200;
/// The largest product of operations and 64-value words: some seconds of work.
const MOST_WORK: u64 = 1 << 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Variable(u32),
    Constant(bool),
    Not,
    Prime,
    And,
    Xor,
    Or,
    Open,
    Close,
}

/// An expression that is checked but not yet computed.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    /// Every token with its column.
    tokens: Vec<(Token, usize)>,
    /// Number of columns of the text.
    columns: usize,
    /// The highest number of a variable.
    pub variables: u32,
}

impl Expression {
    /// Reads and checks `text`.
    pub(super) fn parse(text: &str) -> Result<Self, LogicError> {
        let tokens = tokens(text)?;
        let highest = tokens.iter().filter_map(|(token, column)| match token {
            Token::Variable(j) => Some((*j, *column)),
            _ => None,
        });
        let variables = match highest.max_by_key(|(j, _)| *j) {
            Some((j, column)) => check_variables(j.into(), &format!("x{j} makes it a function of"))
                .map_err(|error| LogicError::column(column, error.problem))?,
            None => 0,
        };
        let expression = Self { tokens, columns: text.trim_end().chars().count(), variables };
        expression.read(&CheckOnly)?;
        Ok(expression)
    }

    /// The function of `n` variables; `n` is at least [`Self::variables`].
    pub(super) fn function(&self, n: u32) -> Result<BooleanFunction, LogicError> {
        let work = (self.tokens.len() as u64).saturating_mul(1 << n.saturating_sub(6));
        if work > MOST_WORK {
            return Err(LogicError::whole(format!(
                "an expression of {} signs in {n} variables takes too long to compute: give its table",
                self.tokens.len()
            )));
        }
        self.read(&TruthTables(n))
    }

    fn read<A: Algebra>(&self, algebra: &A) -> Result<A::Value, LogicError> {
        let mut reader = Reader { expression: self, at: 0, depth: 0, algebra };
        let value = reader.sum()?;
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(LogicError::column(reader.column(), "this “)” closes nothing")),
        }
    }
}

/// The values that an expression is evaluated over.
trait Algebra {
    type Value;
    fn variable(&self, j: u32) -> Self::Value;
    fn constant(&self, value: bool) -> Self::Value;
    fn not(&self, value: Self::Value) -> Self::Value;
    fn combine(&self, left: Self::Value, right: &Self::Value, operation: fn(u64, u64) -> u64) -> Self::Value;
}

/// Checks the text and computes nothing.
struct CheckOnly;

impl Algebra for CheckOnly {
    type Value = ();
    fn variable(&self, _: u32) {}
    fn constant(&self, _: bool) {}
    fn not(&self, (): ()) {}
    fn combine(&self, (): (), (): &(), _: fn(u64, u64) -> u64) {}
}

/// Computes functions of this number of variables.
struct TruthTables(u32);

impl Algebra for TruthTables {
    type Value = BooleanFunction;
    fn variable(&self, j: u32) -> BooleanFunction {
        BooleanFunction::variable(self.0, j)
    }
    fn constant(&self, value: bool) -> BooleanFunction {
        BooleanFunction::constant(self.0, value)
    }
    fn not(&self, value: BooleanFunction) -> BooleanFunction {
        value.complement()
    }
    fn combine(&self, left: BooleanFunction, right: &BooleanFunction, operation: fn(u64, u64) -> u64) -> BooleanFunction {
        left.combine(right, operation)
    }
}

struct Reader<'a, A> {
    expression: &'a Expression,
    at: usize,
    depth: usize,
    algebra: &'a A,
}

impl<A: Algebra> Reader<'_, A> {
    fn peek(&self) -> Option<Token> {
        self.expression.tokens.get(self.at).map(|(token, _)| *token)
    }

    fn takes(&mut self, token: Token) -> bool {
        let yes = self.peek() == Some(token);
        self.at += usize::from(yes);
        yes
    }

    fn column(&self) -> usize {
        self.expression.tokens.get(self.at).map_or(self.expression.columns + 1, |(_, column)| *column)
    }

    fn sum(&mut self) -> Result<A::Value, LogicError> {
        let mut value = self.exclusive_sum()?;
        while self.takes(Token::Or) {
            value = self.algebra.combine(value, &self.exclusive_sum()?, |a, b| a | b);
        }
        Ok(value)
    }

    fn exclusive_sum(&mut self) -> Result<A::Value, LogicError> {
        let mut value = self.product()?;
        while self.takes(Token::Xor) {
            value = self.algebra.combine(value, &self.product()?, |a, b| a ^ b);
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<A::Value, LogicError> {
        let mut value = self.factor()?;
        while self.takes(Token::And) || matches!(self.peek(), Some(Token::Variable(_) | Token::Constant(_) | Token::Not | Token::Open)) {
            value = self.algebra.combine(value, &self.factor()?, |a, b| a & b);
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<A::Value, LogicError> {
        let column = self.column();
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(LogicError::column(column, format!("more than {DEEPEST} parentheses or negations stand inside each other")));
        }
        let token = self.peek();
        self.at += 1;
        let mut value = match token {
            Some(Token::Variable(j)) => self.algebra.variable(j),
            Some(Token::Constant(value)) => self.algebra.constant(value),
            Some(Token::Not) => {
                let value = self.factor()?;
                self.algebra.not(value)
            }
            Some(Token::Open) => {
                let value = self.sum()?;
                if !self.takes(Token::Close) {
                    return Err(LogicError::column(self.column(), format!("“)” is missing: the one opened in column {column}")));
                }
                value
            }
            Some(_) => return Err(LogicError::column(column, "a variable, 0, 1, ! or “(” is expected here")),
            None => return Err(LogicError::column(column, "the expression ends where a variable, 0, 1, ! or “(” is expected")),
        };
        while self.takes(Token::Prime) {
            value = self.algebra.not(value);
        }
        self.depth -= 1;
        Ok(value)
    }
}

/// The tokens of a text with their columns.
fn tokens(text: &str) -> Result<Vec<(Token, usize)>, LogicError> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&c) = characters.get(at) {
        let column = at + 1;
        let twice = characters.get(at + 1) == Some(&c);
        let (token, length) = match c {
            _ if c.is_whitespace() => {
                at += 1;
                continue;
            }
            '0' | '1' if !characters.get(at + 1).is_some_and(char::is_ascii_digit) => (Token::Constant(c == '1'), 1),
            '!' | '~' | '¬' => (Token::Not, 1),
            '\'' | '’' => (Token::Prime, 1),
            '&' => (Token::And, 1 + usize::from(twice)),
            '*' | '·' | '∧' => (Token::And, 1),
            '^' | '⊕' => (Token::Xor, 1),
            '|' => (Token::Or, 1 + usize::from(twice)),
            '+' | '∨' => (Token::Or, 1),
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            _ if c.is_ascii_digit() => {
                let number: String = characters[at..].iter().take_while(|c| c.is_ascii_digit()).collect();
                return Err(LogicError::column(column, format!("{} is no constant: 0 and 1 are", quoted(&number))));
            }
            _ if c.is_alphabetic() => word(&characters[at..], column)?,
            _ => return Err(LogicError::column(column, format!("{} means nothing here; {SIGNS}", quoted(&c.to_string())))),
        };
        tokens.push((token, column));
        at += length;
    }
    Ok(tokens)
}

const SIGNS: &str = "variables are x1, x2, … and signs are & | ^ ! ( ) 0 1";

/// A variable or a word of logic at the beginning of `characters`, and its length.
fn word(characters: &[char], column: usize) -> Result<(Token, usize), LogicError> {
    if matches!(characters[0], 'x' | 'X') {
        let skipped = 1 + usize::from(characters.get(1) == Some(&'_'));
        let digits: String = characters[skipped..].iter().take_while(|c| c.is_ascii_digit()).collect();
        if !digits.is_empty() {
            let number = digits.parse().unwrap_or(u32::MAX);
            if number == 0 {
                return Err(LogicError::column(column, "there is no x0: the first variable is x1"));
            }
            return Ok((Token::Variable(number), skipped + digits.len()));
        }
    }
    let word: String = characters.iter().take_while(|c| c.is_alphabetic()).collect();
    let token = match word.to_lowercase().as_str() {
        "and" => Token::And,
        "or" => Token::Or,
        "xor" => Token::Xor,
        "not" => Token::Not,
        _ => return Err(LogicError::column(column, format!("{} is no variable and no word of logic; {SIGNS}", quoted(&word)))),
    };
    Ok((token, word.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(text: &str, n: u32) -> BooleanFunction {
        Expression::parse(text).and_then(|expression| expression.function(n)).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn signs_and_precedence_are_the_usual_ones() {
        let by_hand = BooleanFunction::from_fn(3, |index| {
            let [x1, x2, x3] = [index >> 2 & 1 == 1, index >> 1 & 1 == 1, index & 1 == 1];
            (x1 & !x3) ^ x2
        });
        for text in ["x1 & !x3 ^ x2", "x1x3' ⊕ x2", "x1 and not x3 xor x2", "(x1*~x3)^x2", "X1 · ¬x_3 ⊕ x2", "x2 ^ x1&&(1^x3)"] {
            assert_eq!(function(text, 3), by_hand, "{text}");
        }
        assert_eq!(function("x1 | x2 ^ x3 & x1", 3), function("x1 | (x2 ^ (x3 & x1))", 3));
        assert_eq!(function("x1 + x2'", 2), function("!(x2 and not x1)", 2));
        assert_eq!(function("1", 4), BooleanFunction::constant(4, true));
        assert_eq!(function("x12''", 12), BooleanFunction::variable(12, 12));
    }

    #[test]
    fn errors_point_at_the_position() {
        for (text, column, part) in [
            ("x1 & ", 5, "ends where"),
            ("x1 & ) x2", 6, "expected"),
            ("(x1 ^ x2", 9, "opened in column 1"),
            ("x1 ^ x2)", 8, "closes nothing"),
            ("x1 ^ foo", 6, "“foo”"),
            ("x0", 1, "first variable is x1"),
            ("x1 % x2", 4, "“%”"),
            ("x1 ^ 12", 6, "no constant"),
            ("x1 & x40", 6, "2^40"),
            ("", 1, "ends where"),
            ("x99999999999", 1, "at most 26"),
        ] {
            let error = Expression::parse(text).expect_err(text);
            assert!(error.to_string().starts_with(&format!("column {column}: ")) && error.problem.contains(part), "{text}: {error}");
        }
        let deep = "(".repeat(100_000);
        assert!(Expression::parse(&deep).expect_err("it is too deep").problem.contains("more than 200"));
    }
}
