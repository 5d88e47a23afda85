// A lane of a prime field: what it holds, and what + and × mean there.
alias Lane = u32;

const NOTHING = 0u;
//@ include "residues.wgsl"

fn plus(a: Lane, b: Lane) -> Lane {
    return added(a, b);
}

fn times(a: Lane, weight: Complex) -> Lane {
    return multiplied(a, joined(weight));
}

fn product(a: Lane, b: Lane, conjugated: bool) -> Lane {
    return multiplied(multiplied(a, b), ⟨field.square⟩u);
}

fn conjugate(a: Lane) -> Lane {
    return a;
}

fn as_complex(a: Lane) -> vec2f {
    return vec2f(f32(a), 0.0);
}
