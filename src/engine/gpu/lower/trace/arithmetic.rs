//! The arithmetic of integers and truths, as WGSL defines it; everything else is unknown.

use super::value::Value;
use wgpu::naga::{BinaryOperator, MathFunction, Scalar, ScalarKind, UnaryOperator};

/// A number as its type holds it.
fn wrapped(value: i64, scalar: Scalar) -> Value {
    let value = match (scalar.kind, scalar.width) {
        (ScalarKind::Uint, 4) => i64::from(value as u32),
        (ScalarKind::Sint, 4) => i64::from(value as i32),
        (ScalarKind::Bool, _) => i64::from(value != 0),
        (ScalarKind::Float, _) => return Value::Unknown,
        _ => value,
    };
    Value::Int(value, scalar)
}

/// Applies `f` part by part; a number goes with every part of a vector.
fn each2(a: &Value, b: &Value, f: &dyn Fn(&Value, &Value) -> Value) -> Value {
    match (a, b) {
        (Value::List(a), Value::List(b)) => Value::List(a.iter().zip(b).map(|(a, b)| f(a, b)).collect()),
        (Value::List(a), b) => Value::List(a.iter().map(|a| f(a, b)).collect()),
        (a, Value::List(b)) => Value::List(b.iter().map(|b| f(a, b)).collect()),
        (a, b) => f(a, b),
    }
}

fn each(value: &Value, f: &dyn Fn(i64, Scalar) -> Value) -> Value {
    match value {
        Value::List(parts) => Value::List(parts.iter().map(|part| each(part, f)).collect()),
        Value::Int(value, scalar) => f(*value, *scalar),
        _ => Value::Unknown,
    }
}

pub(super) fn unary(op: UnaryOperator, value: &Value) -> Value {
    each(value, &|value, scalar| match op {
        UnaryOperator::Negate => wrapped(value.wrapping_neg(), scalar),
        UnaryOperator::LogicalNot => Value::truth(value == 0),
        UnaryOperator::BitwiseNot => wrapped(!value, scalar),
    })
}

pub(super) fn binary(op: BinaryOperator, a: &Value, b: &Value) -> Value {
    use BinaryOperator as Op;
    // The operand that is already known decides.
    match (op, a, b) {
        (Op::LogicalAnd, Value::Int(0, _), _) | (Op::LogicalAnd, _, Value::Int(0, _)) => return Value::truth(false),
        (Op::LogicalOr, Value::Int(1, _), _) | (Op::LogicalOr, _, Value::Int(1, _)) => return Value::truth(true),
        _ => {}
    }
    each2(a, b, &|a, b| {
        let (Value::Int(a, scalar), Value::Int(b, _)) = (a, b) else { return Value::Unknown };
        let (a, b, scalar) = (*a, *b, *scalar);
        match op {
            Op::Add => wrapped(a.wrapping_add(b), scalar),
            Op::Subtract => wrapped(a.wrapping_sub(b), scalar),
            Op::Multiply => wrapped(a.wrapping_mul(b), scalar),
            Op::Divide => wrapped(if b == 0 { a } else { a.wrapping_div(b) }, scalar),
            Op::Modulo => wrapped(if b == 0 { 0 } else { a.wrapping_rem(b) }, scalar),
            Op::And | Op::LogicalAnd => wrapped(a & b, scalar),
            Op::InclusiveOr | Op::LogicalOr => wrapped(a | b, scalar),
            Op::ExclusiveOr => wrapped(a ^ b, scalar),
            Op::ShiftLeft => wrapped(a.wrapping_shl((b % bits(scalar)) as u32), scalar),
            Op::ShiftRight => wrapped(a >> (b % bits(scalar)), scalar),
            Op::Equal => Value::truth(a == b),
            Op::NotEqual => Value::truth(a != b),
            Op::Less => Value::truth(a < b),
            Op::LessEqual => Value::truth(a <= b),
            Op::Greater => Value::truth(a > b),
            Op::GreaterEqual => Value::truth(a >= b),
        }
    })
}

fn bits(scalar: Scalar) -> i64 {
    8 * i64::from(scalar.width)
}

/// A function of numbers; those of floating-point numbers are unknown.
pub(super) fn math(fun: MathFunction, arguments: &[Value]) -> Value {
    use MathFunction as Fun;
    let two = |f: fn(i64, i64) -> i64| {
        each2(&arguments[0], &arguments[1], &|a, b| match (a, b) {
            (Value::Int(a, scalar), Value::Int(b, _)) => wrapped(f(*a, *b), *scalar),
            _ => Value::Unknown,
        })
    };
    let word = |f: fn(u32) -> u32| each(&arguments[0], &|value, scalar| wrapped(f(value as u32).into(), scalar));
    match (fun, arguments) {
        (Fun::Min, [_, _]) => two(i64::min),
        (Fun::Max, [_, _]) => two(i64::max),
        (Fun::Clamp, [value, low, high]) => math(Fun::Min, &[math(Fun::Max, &[value.clone(), low.clone()]), high.clone()]),
        (Fun::Abs, [value]) => each(value, &|value, scalar| wrapped(value.abs(), scalar)),
        (Fun::ReverseBits, [_]) => word(u32::reverse_bits),
        (Fun::CountTrailingZeros, [_]) => word(u32::trailing_zeros),
        (Fun::CountLeadingZeros, [_]) => word(u32::leading_zeros),
        (Fun::CountOneBits, [_]) => word(u32::count_ones),
        (Fun::FirstTrailingBit, [_]) => word(|value| if value == 0 { u32::MAX } else { value.trailing_zeros() }),
        // Of unsigned numbers; kernels ask for no others.
        (Fun::FirstLeadingBit, [_]) => word(|value| value.checked_ilog2().unwrap_or(u32::MAX)),
        (Fun::ExtractBits, [value, Value::Int(offset, _), Value::Int(count, _)]) => each(value, &|value, scalar| match scalar.kind {
            ScalarKind::Uint => wrapped((value >> offset.min(&32)) & ((1_i64 << count.min(&32)) - 1), scalar),
            _ => Value::Unknown,
        }),
        _ => Value::Unknown,
    }
}

/// A conversion to another type, or the same bits as another type.
pub(super) fn cast(value: &Value, kind: ScalarKind, convert: Option<u8>) -> Value {
    each(value, &|value, from| wrapped(value, Scalar { kind, width: convert.unwrap_or(from.width) }))
}
