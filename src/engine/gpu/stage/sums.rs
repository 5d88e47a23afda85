//! The results of a butterfly as sums of its taps: factors ±1 are signs, ±i exchange the two parts of a number.

use crate::gpu::residues;
use crate::gpu::wgsl::literal;
use crate::plan::{Coef, IntegerWidth, Precision, PrimeField, Ring};

/// The lanes of a kernel: the ring, and how many lanes one register holds side by side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Register {
    pub(super) ring: Ring,
    pub(super) precision: Precision,
    /// 1, or 2 or 4 lanes of 4 bytes.
    pub(super) width: usize,
}

impl Register {
    /// Bytes of a register.
    pub(super) fn bytes(self) -> usize {
        self.width * self.precision.bytes_per_lane(self.ring)
    }

    /// The type of a real number.
    pub(super) fn real(self) -> &'static str {
        if self.precision == Precision::Double { "f64" } else { "f32" }
    }

    /// The type of one lane.
    pub(super) fn lane(self) -> String {
        match self.ring {
            Ring::Real => self.real().into(),
            Ring::Complex => "Complex".into(),
            Ring::Integer(IntegerWidth::Bits32) => "i32".into(),
            Ring::Integer(IntegerWidth::Bits64) => "i64".into(),
            Ring::Gf2 | Ring::Prime(_) => "u32".into(),
            Ring::Equation => format!("vec4<{}>", self.real()),
        }
    }

    /// The type of a register.
    pub(super) fn name(self) -> String {
        if self.width == 1 { self.lane() } else { format!("vec{}<{}>", self.width, self.lane()) }
    }

    /// The value of a tap outside the coordinates, where it is not that of a lane.
    pub(super) fn nothing(self) -> String {
        if self.ring == Ring::Equation { format!("{}(0.0, 1.0, 0.0, 0.0)", self.name()) } else { format!("{}()", self.name()) }
    }

    /// The type of two neighbouring registers in one load or store.
    pub(super) fn pair(self) -> String {
        match (self.ring, self.width) {
            (Ring::Complex, _) => format!("vec4<{}>", self.real()),
            _ => format!("vec{}<{}>", 2 * self.width, self.lane()),
        }
    }

    /// The sum of the taps of these names, each times its factor.
    pub(super) fn sum(self, factors: impl IntoIterator<Item = Coef>, taps: &[String]) -> String {
        if let Some(field) = self.ring.field() {
            return residue_sum(field, factors, taps);
        }
        let mut text = String::new();
        for (factor, tap) in factors.into_iter().zip(taps) {
            let Some((is_negative, product)) = self.product(factor, tap) else { continue };
            let sign = match (text.is_empty(), is_negative, self.ring) {
                (true, false, _) => "",
                (true, true, _) => "-",
                (false, _, Ring::Gf2) => " ^ ",
                (false, false, _) => " + ",
                (false, true, _) => " - ",
            };
            text.push_str(sign);
            text.push_str(&product);
        }
        if text.is_empty() { format!("{}()", self.name()) } else { text }
    }

    /// The sum of taps below these multiples of q, of residues without a reduction: the bound of the sum is the sum of theirs, and 1 for products.
    pub(super) fn lazy_sum(self, factors: impl IntoIterator<Item = Coef>, taps: &[String], bounds: &[u64]) -> String {
        let Some(field) = self.ring.field() else { return self.sum(factors, taps) };
        let (mut text, mut multiples) = (String::new(), 0);
        for ((factor, tap), bound) in factors.into_iter().zip(taps).zip(bounds) {
            let (sign, term) = match factor.integer() {
                Some(0) => continue,
                Some(1) => (" + ", tap.clone()),
                Some(-1) => (" - ", tap.clone()),
                _ => (" + ", residues::times_constant(field, tap, factor)),
            };
            multiples += if sign == " - " { *bound } else { 0 };
            text.push_str(if text.is_empty() { sign.trim_start_matches(" + ").trim() } else { sign });
            text.push_str(&term);
        }
        match multiples * u64::from(field.modulus()) {
            0 if text.is_empty() => "0u".into(),
            0 => text,
            // WGSL has no sign for words.
            multiple => format!("{multiple}u {}{text}", if text.starts_with('-') { "" } else { "+ " }),
        }
    }

    /// A value below `has` multiples of q as one below `most` or as a residue; other rings reduce nothing.
    pub(super) fn reduced(self, value: String, has: u64, most: u64) -> String {
        match self.ring.field() {
            Some(_) if has > most && has == 2 => format!("reduced({value})"),
            Some(field) if has > most => residues::times_constant(field, &value, Coef::ONE),
            _ => value,
        }
    }

    /// One value times a factor.
    pub(super) fn times(self, value: &str, factor: Coef) -> String {
        if factor == Coef::ONE { value.to_owned() } else { self.sum([factor], &[grouped(value)]) }
    }

    /// One complex value times a factor where a condition holds.
    pub(super) fn times_where(self, value: &str, factor: Coef, condition: &str) -> String {
        let factor = factor.value();
        format!("times({value}, select({}, {}, {condition}))", self.complex([1.0, 0.0]), self.complex([factor.re, factor.im]))
    }

    /// A factor times a tap without its sign, and whether the sign is −; `None` where the factor is 0.
    fn product(self, factor: Coef, tap: &str) -> Option<(bool, String)> {
        let value = factor.value();
        let number = |x: f64| literal(x.abs(), self.precision);
        let real = |x: f64| match x {
            0.0 => None,
            1.0 | -1.0 => Some((x < 0.0, tap.to_owned())),
            _ => Some((x < 0.0, format!("{} * {tap}", number(x)))),
        };
        let suffix = if self.ring == Ring::Integer(IntegerWidth::Bits64) { "li" } else { "i" };
        match (self.ring, factor.divisor()) {
            // 32 values in a word have the same factor.
            (Ring::Gf2, _) => (value.re.abs() as u32 & 1 == 1).then(|| (false, tap.to_owned())),
            (Ring::Integer(_), Some(divisor)) if divisor.abs() > 1 => Some((divisor < 0, format!("{tap} / {}{suffix}", divisor.abs()))),
            (Ring::Integer(_), _) if value.re.abs() > 1.0 => Some((value.re < 0.0, format!("{}{suffix} * {tap}", value.re.abs() as i64))),
            (Ring::Complex, _) if value.im != 0.0 && value.re == 0.0 => {
                let rotated = format!("times_i({})", ungrouped(tap));
                Some((value.im < 0.0, if value.im.abs() == 1.0 { rotated } else { format!("{} * {rotated}", number(value.im)) }))
            }
            (Ring::Complex, _) if value.im != 0.0 => {
                Some((false, format!("times({}, {})", ungrouped(tap), self.complex([value.re, value.im]))))
            }
            _ => real(value.re),
        }
    }

    /// A complex number as a constant.
    pub(super) fn complex(self, parts: [f64; 2]) -> String {
        let [re, im] = parts.map(|part| literal(part, self.precision));
        format!("Complex({re}, {im})")
    }

    /// A value times a root of unity or a factor of a table.
    pub(super) fn weighted(self, value: &str, weight: &str) -> String {
        match self.ring {
            Ring::Complex => format!("times({value}, {weight})"),
            Ring::Gf2 => value.to_owned(),
            Ring::Prime(_) if weight.starts_with("coefs[") => format!("multiplied({value}, joined({weight}))"),
            Ring::Prime(_) => format!("multiplied({value}, {weight})"),
            // Tables of exact plans hold signs.
            Ring::Integer(_) => format!("{} * {}({weight}.x)", grouped(value), self.lane()),
            Ring::Real | Ring::Equation => format!("{weight}.x * {}", grouped(value)),
        }
    }
}

impl Register {
    /// Whether a lane is a complex number.
    pub(super) fn is_complex(self) -> bool {
        self.ring == Ring::Complex
    }

    /// The sum of two values.
    pub(super) fn added(self, a: &str, b: &str) -> String {
        match self.ring {
            Ring::Gf2 => format!("{a} ^ {b}"),
            Ring::Prime(_) => format!("added({a}, {b})"),
            _ => format!("{a} + {b}"),
        }
    }

    /// A value with the other sign.
    pub(super) fn negated(self, value: &str) -> String {
        if self.ring.field().is_some() { format!("subtracted(0u, {value})") } else { format!("-{}", grouped(value)) }
    }

    /// Whether a lane is a value modulo 2, or a word of them.
    pub(super) fn is_bits(self) -> bool {
        self.ring == Ring::Gf2
    }
}

/// The sum of the taps of these names modulo a prime, each times its factor.
fn residue_sum(field: PrimeField, factors: impl IntoIterator<Item = Coef>, taps: &[String]) -> String {
    let mut text = String::new();
    for (factor, tap) in factors.into_iter().zip(taps) {
        let element = field.element(factor);
        text = match (element, text.is_empty()) {
            (0, _) => text,
            (1, true) => tap.clone(),
            (1, false) => format!("added({text}, {tap})"),
            (minus_one, true) if minus_one == field.modulus() - 1 => format!("subtracted(0u, {tap})"),
            (minus_one, false) if minus_one == field.modulus() - 1 => format!("subtracted({text}, {tap})"),
            (_, true) => residues::times_constant(field, tap, factor),
            (_, false) => format!("added({text}, {})", residues::times_constant(field, tap, factor)),
        };
    }
    if text.is_empty() { "0u".into() } else { text }
}

/// The same in parentheses, where it is a sum.
pub(super) fn grouped(text: &str) -> String {
    let mut depth = 0;
    let is_sum = text.char_indices().any(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && (c == ' ' || c == '-' && at == 0)
    });
    if is_sum { format!("({text})") } else { text.to_owned() }
}

/// An argument of a function needs no parentheses.
fn ungrouped(text: &str) -> &str {
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(|text| is_balanced(text)).unwrap_or(text)
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}
