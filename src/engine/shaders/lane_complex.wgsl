// A lane of the complex ring: what it holds, and what + and × mean there.
alias Lane = Complex;

const NOTHING = Complex(0.0, 0.0);

fn plus(a: Lane, b: Lane) -> Lane {
    return a + b;
}

fn times(a: Lane, weight: Complex) -> Lane {
    return Complex(a.x * weight.x - a.y * weight.y, a.x * weight.y + a.y * weight.x);
}

fn product(a: Lane, b: Lane, conjugated: bool) -> Lane {
    return times(a, select(b, conjugate(b), conjugated));
}

fn conjugate(a: Lane) -> Lane {
    return Complex(a.x, -a.y);
}

fn as_complex(a: Lane) -> vec2f {
    return vec2f(a);
}
