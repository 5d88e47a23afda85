// A lane of the real ring: what it holds, and what + and × mean there. Weights of real plans have no imaginary part.
alias Lane = Real;

const NOTHING = 0.0;

fn plus(a: Lane, b: Lane) -> Lane {
    return a + b;
}

fn times(a: Lane, weight: Complex) -> Lane {
    return a * weight.x;
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
