// A lane of the integers: what it holds, and what + and × mean there. The next line is the only one that says how wide it is.
alias Lane = ⟨integer⟩;

const NOTHING = Lane(0);

fn plus(a: Lane, b: Lane) -> Lane {
    return a + b;
}

// Weights are integers that single precision holds exactly (the lowering refuses others), or reciprocals of divisors.
fn times(a: Lane, weight: Complex) -> Lane {
    if weight.x != 0.0 && abs(weight.x) < 1.0 {
        return a / Lane(1.0 / weight.x);
    }
    return a * Lane(weight.x);
}

fn product(a: Lane, b: Lane, conjugated: bool) -> Lane {
    return a * b;
}

fn conjugate(a: Lane) -> Lane {
    return a;
}

fn as_complex(a: Lane) -> vec2f {
    return vec2f(f32(a), 0.0);
}
