//! The integer expressions of kernels: parsed and computed with the numbers of one thread, wrapping as WGSL does.

use std::collections::HashMap;

/// The most calls within calls; kernels have two.
const DEEPEST: usize = 8;

/// A value that an index can depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Unsigned(u32),
    Signed(i32),
    /// A literal without a suffix, which takes the type of what it meets.
    Literal(i64),
    Truth(bool),
}

impl Number {
    pub(super) fn integer(self) -> Option<i64> {
        match self {
            Self::Unsigned(x) => Some(x.into()),
            Self::Signed(x) => Some(x.into()),
            Self::Literal(x) => Some(x),
            Self::Truth(_) => None,
        }
    }

    /// A result of the type of two operands.
    fn like(self, other: Self, value: i64) -> Option<Self> {
        match (self, other) {
            (Self::Unsigned(_), _) | (_, Self::Unsigned(_)) => Some(Self::Unsigned(value as u32)),
            (Self::Signed(_), _) | (_, Self::Signed(_)) => Some(Self::Signed(value as i32)),
            (Self::Literal(_), Self::Literal(_)) => Some(Self::Literal(value)),
            _ => None,
        }
    }
}

/// A function of the text that computes with integers: its parameters and the lines of its body.
pub(super) struct Function {
    pub(super) parameters: Vec<String>,
    pub(super) body: Vec<String>,
}

/// What the names in an expression mean.
pub(super) struct Scope<'a> {
    pub(super) values: HashMap<String, Number>,
    pub(super) functions: &'a HashMap<String, Function>,
    pub(super) depth: usize,
}

impl Scope<'_> {
    /// The value of an expression; `None` where it depends on more than integers that are known.
    pub(super) fn value(&self, text: &str) -> Option<Number> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, next: 0, scope: self };
        let value = parser.level(0)?;
        (parser.next == tokens.len()).then_some(value)
    }

    fn call(&self, name: &str, arguments: &[Number]) -> Option<Number> {
        let compare = |pick: fn(i64, i64) -> i64| arguments[0].like(arguments[1], pick(arguments[0].integer()?, arguments[1].integer()?));
        match (name, arguments) {
            ("u32", [Number::Truth(x)]) => Some(Number::Unsigned((*x).into())),
            ("i32", [Number::Truth(x)]) => Some(Number::Signed((*x).into())),
            ("u32", [x]) => Some(Number::Unsigned(x.integer()? as u32)),
            ("i32", [x]) => Some(Number::Signed(x.integer()? as i32)),
            ("min", [_, _]) => compare(i64::min),
            ("max", [_, _]) => compare(i64::max),
            ("reverseBits", [x]) => Some(Number::Unsigned((x.integer()? as u32).reverse_bits())),
            ("select", [no, yes, Number::Truth(is)]) => Some(if *is { *yes } else { *no }),
            _ => self.own_call(name, arguments),
        }
    }

    /// A call of a function of the text, whose body is a list of `let` and a `return`.
    fn own_call(&self, name: &str, arguments: &[Number]) -> Option<Number> {
        let function = self.functions.get(name).filter(|function| function.parameters.len() == arguments.len() && self.depth < DEEPEST)?;
        let values = function.parameters.iter().cloned().zip(arguments.iter().copied()).collect();
        let mut scope = Scope { values, functions: self.functions, depth: self.depth + 1 };
        for line in &function.body {
            let line = line.trim().trim_end_matches(';');
            if let Some(result) = line.strip_prefix("return ") {
                return scope.value(result);
            }
            let (name, value) = line.strip_prefix("let ")?.split_once(" = ")?;
            let value = scope.value(value)?;
            scope.values.insert(name.trim().to_owned(), value);
        }
        None
    }
}

/// The parts of an expression: names with their members, numbers, signs. `None` for what indices do not contain.
fn tokens(text: &str) -> Option<Vec<String>> {
    let (mut tokens, letters) = (Vec::new(), text.chars().collect::<Vec<char>>());
    let mut at = 0;
    while at < letters.len() {
        let start = at;
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
        if letters[at].is_whitespace() {
            at += 1;
            continue;
        }
        if is_word(letters[at]) {
            while at < letters.len() && is_word(letters[at]) {
                at += 1;
            }
        } else {
            let two: String = letters[at..(at + 2).min(letters.len())].iter().collect();
            at += if ["<<", ">>", "==", "!=", "<=", ">=", "&&", "||"].contains(&two.as_str()) { 2 } else { 1 };
        }
        let token: String = letters[start..at].iter().collect();
        // Elements of arrays are data.
        if token == "[" || token == "]" {
            return None;
        }
        tokens.push(token);
    }
    Some(tokens)
}

/// The operators from the weakest to the strongest.
const LEVELS: [&[&str]; 8] = [&["||"], &["&&"], &["|"], &["^"], &["&"], &["==", "!=", "<", "<=", ">", ">="], &["<<", ">>"], &["+", "-"]];

struct Parser<'a> {
    tokens: &'a [String],
    next: usize,
    scope: &'a Scope<'a>,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", String::as_str)
    }

    fn take(&mut self) -> &str {
        self.next += 1;
        self.tokens.get(self.next - 1).map_or("", String::as_str)
    }

    fn level(&mut self, level: usize) -> Option<Number> {
        let operators: &[&str] = if level < LEVELS.len() { LEVELS[level] } else { &["*", "/", "%"] };
        let operand = |parser: &mut Self| if level < LEVELS.len() { parser.level(level + 1) } else { parser.unary() };
        let mut value = operand(self)?;
        while operators.contains(&self.peek()) {
            let operator = self.take().to_owned();
            let right = operand(self)?;
            value = binary(&operator, value, right)?;
        }
        Some(value)
    }

    fn unary(&mut self) -> Option<Number> {
        if self.peek() == "-" {
            self.next += 1;
            let value = self.unary()?;
            return value.like(value, -value.integer()?);
        }
        self.primary()
    }

    fn primary(&mut self) -> Option<Number> {
        let token = self.take().to_owned();
        if token == "(" {
            let value = self.level(0)?;
            return (self.take() == ")").then_some(value);
        }
        if token.starts_with(|letter: char| letter.is_ascii_digit()) {
            return match token.strip_suffix('u') {
                Some(digits) => digits.parse().ok().map(Number::Unsigned),
                None => token.parse().ok().map(Number::Literal),
            };
        }
        if self.peek() != "(" {
            return self.scope.values.get(&token).copied();
        }
        self.next += 1;
        let mut arguments = Vec::new();
        while self.peek() != ")" {
            arguments.push(self.level(0)?);
            if self.peek() == "," {
                self.next += 1;
            }
        }
        self.next += 1;
        self.scope.call(&token, &arguments)
    }
}

fn binary(operator: &str, left: Number, right: Number) -> Option<Number> {
    if let (Number::Truth(a), Number::Truth(b)) = (left, right) {
        return match operator {
            "&&" => Some(Number::Truth(a && b)),
            "||" => Some(Number::Truth(a || b)),
            _ => None,
        };
    }
    let (a, b) = (left.integer()?, right.integer()?);
    let truth = |is: bool| Some(Number::Truth(is));
    match operator {
        "+" => left.like(right, a + b),
        "-" => left.like(right, a - b),
        "*" => left.like(right, a.wrapping_mul(b)),
        "/" => left.like(right, a.checked_div(b)?),
        "%" => left.like(right, a.checked_rem(b)?),
        "&" => left.like(right, a & b),
        "|" => left.like(right, a | b),
        "^" => left.like(right, a ^ b),
        "<<" => left.like(left, a << (b & 31)),
        ">>" => left.like(left, a >> (b & 31)),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_wrap_and_bind_as_in_wgsl() {
        let body = ["    let period = max(2 * (len - 1), 1);", "    let inside = ((coordinate % period) + period) % period;"];
        let body = body.into_iter().chain(["    return min(inside, period - inside) * i32(len > 1);"]).map(str::to_owned).collect();
        let parameters = vec!["coordinate".to_owned(), "len".to_owned()];
        let functions = HashMap::from([("mirrored".to_owned(), Function { parameters, body })]);
        let values = HashMap::from([("t".to_owned(), Number::Unsigned(0)), ("launch.q_mask".to_owned(), Number::Unsigned(6))]);
        let scope = Scope { values, functions: &functions, depth: 0 };
        let integer = |text: &str| scope.value(text).and_then(Number::integer);
        assert_eq!(integer("2u * t - 1u"), Some(i64::from(u32::MAX)));
        assert_eq!(integer("2u * t - 1u + 3u"), Some(2), "unsigned sums wrap");
        assert_eq!(integer("(7u >> 1u) + 13u & launch.q_mask"), Some(0));
        assert_eq!(integer("mirrored(2 * i32(t) - 1, i32(16u))"), Some(1));
        assert_eq!(scope.value("t >= 4u || t == 0u"), Some(Number::Truth(true)));
        assert_eq!([integer("input[t]"), integer("unknown + 1u"), integer("1.5f")], [None; 3]);
    }
}
