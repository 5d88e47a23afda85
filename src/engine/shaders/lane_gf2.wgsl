// A lane of the field of two elements, 0 or 1, or of 32 such elements, one a bit: + is exclusive or, × is and.
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

// The Reed-Muller steps between the 32 elements of a word: bit 4 of a place down to bit 0, the elements whose bit is 0
// are added to those where it is 1.
fn within(word: Lane) -> Lane {
    var sum = word;
    sum ^= (sum & 0x0000ffffu) << 16u;
    sum ^= (sum & 0x00ff00ffu) << 8u;
    sum ^= (sum & 0x0f0f0f0fu) << 4u;
    sum ^= (sum & 0x33333333u) << 2u;
    sum ^= (sum & 0x55555555u) << 1u;
    return sum;
}
