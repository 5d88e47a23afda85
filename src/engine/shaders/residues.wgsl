{# Residues modulo q below 2^31 in words of 32 bits. Products are those of P. L. Montgomery, Modular multiplication without trial division (1985):
a factor w stands as w·2³² modulo q, so that a product needs no division. A constant factor has a quotient of its own, as in V. Shoup's NTL, and needs fewer instructions. #}

// A word below 2q as a residue.
fn reduced(a: u32) -> u32 {
    // A word below q wraps to a number above it.
    return min(a, a - ⟨field.modulus⟩u);
}

fn added(a: u32, b: u32) -> u32 {
    return reduced(a + b);
}

fn subtracted(a: u32, b: u32) -> u32 {
    return min(a - b, a - b + ⟨field.modulus⟩u);
}

//@ if wide
// The upper word of a product of two words.
fn upper_word(a: u32, b: u32) -> u32 {
    return u32((u64(a) * u64(b)) >> 32u);
}

// a·b/2³² modulo q, b below q and a any word; ⟨field.negated⟩·q is −1 modulo 2³².
fn multiplied(a: u32, b: u32) -> u32 {
    let product = u64(a) * u64(b);
    let multiple = u64(u32(product) * ⟨field.negated⟩u) * u64(⟨field.modulus⟩u);
    return reduced(u32((product + multiple) >> 32u));
}
//@ else
// The upper word of a product of two words, by parts of 16 bits.
fn upper_word(a: u32, b: u32) -> u32 {
    let low = vec2u(a & 0xffffu, b & 0xffffu);
    let high = vec2u(a >> 16u, b >> 16u);
    let cross = high * low.yx;
    let carried = ((low.x * low.y) >> 16u) + (cross.x & 0xffffu) + (cross.y & 0xffffu);
    return high.x * high.y + (cross.x >> 16u) + (cross.y >> 16u) + (carried >> 16u);
}

// a·b/2³² modulo q, b below q and a any word; ⟨field.inverse⟩ is the inverse of q modulo 2³².
fn multiplied(a: u32, b: u32) -> u32 {
    return subtracted(upper_word(a, b), upper_word(a * b * ⟨field.inverse⟩u, ⟨field.modulus⟩u));
}
//@ endif

// a·factor modulo q, a any word; the quotient is the whole part of factor·2³²/q, so that what is left is below 2q.
fn times_constant(a: u32, factor: u32, quotient: u32) -> u32 {
    return reduced(a * factor - upper_word(a, quotient) * ⟨field.modulus⟩u);
}

// A word of a table, in two parts that single precision holds.
fn joined(parts: vec2<⟨"f64" if double else "f32"⟩>) -> u32 {
    return (u32(parts.x) << 16u) | u32(parts.y);
}
