// A lane of the field of two elements, 0 or 1: + is exclusive or, × is and.
alias Lane = u32;

const NOTHING = 0u;

fn plus(a: Lane, b: Lane) -> Lane {
    return a ^ b;
}

fn times(a: Lane, weight: Complex) -> Lane {
    return a & (u32(abs(weight.x)) & 1u);
}

fn product(a: Lane, b: Lane, conjugated: bool) -> Lane {
    return a & b;
}

fn conjugate(a: Lane) -> Lane {
    return a;
}

fn as_complex(a: Lane) -> vec2f {
    return vec2f(f32(a), 0.0);
}
