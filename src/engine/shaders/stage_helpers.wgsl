{# What the lines of butterflies call, and nothing else. #}
//@ if helpers.complex
alias Complex = vec2<⟨helpers.real⟩>;
//@ endif
//@ if helpers.residues
//@ include "residues.wgsl"
//@ endif
//@ if helpers.times

fn times(a: Complex, b: Complex) -> Complex {
    return Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
//@ endif
//@ if helpers.times_i

fn times_i(a: Complex) -> Complex {
    return Complex(-a.y, a.x);
}
//@ endif
//@ if helpers.conjugate

fn conjugate(a: Complex) -> Complex {
    return Complex(a.x, -a.y);
}
//@ endif
//@ if helpers.eliminates

// The row (a, b, c, d) without its neighbours, divided by what is left of b: ReducedEquation::without in src/core/plan/reduced_equation.rs.
fn without(row: vec4<⟨helpers.real⟩>, before: vec4<⟨helpers.real⟩>, behind: vec4<⟨helpers.real⟩>) -> vec4<⟨helpers.real⟩> {
    let alpha = row.x / before.y;
    let gamma = row.z / behind.y;
    let b = row.y - alpha * before.z - gamma * behind.x;
    return vec4<⟨helpers.real⟩>(-alpha * before.x / b, 1.0, -gamma * behind.z / b, (row.w - alpha * before.w - gamma * behind.w) / b);
}
//@ endif
//@ if helpers.doubling
//@ include "doubling.wgsl"
//@ endif
//@ if helpers.product_modulo

// a·b modulo m, a and b below m < 2³¹. The loop takes the bits of b in groups that fit above m.
fn product_modulo(a: u32, b: u32, m: u32) -> u32 {
    let room = countLeadingZeros(m);
    var product = 0u;
    var left = 32u - room;
    while left > 0u {
        let n = min(room, left);
        left -= n;
        let digits = extractBits(b, left, n);
        product = ((product << n) % m + a * digits % m) % m;
    }
    return product;
}
//@ endif
//@ for root in helpers.roots
//@ set table = root.table

//@ if table.source == "computed"
// A power of the root of order ⟨table.order⟩: every thread computes its sine and cosine.
fn ⟨root.name⟩(power: u32) -> Complex {
    // Sine and cosine are accurate between −π and π only.
    let signed = i32(power) - select(0, ⟨table.order⟩, power > ⟨table.half⟩u);
    let angle = ⟨(table.sign * 6.283185307179586 / table.order)|real⟩ * ⟨helpers.real⟩(signed);
    return Complex(cos(angle), sin(angle));
}
//@ elif table.source == "quarter-table"
// Cosine i of ⟨table.half⟩, half a circle of ⟨table.order⟩ parts.
fn ⟨root.name⟩_cosine(i: u32) -> ⟨helpers.real⟩ {
    let two = roots[⟨table.fine⟩u + (i >> 1u)];
    return select(two.x, two.y, (i & 1u) == 1u);
}

// A power of the root of order ⟨table.order⟩: its sine is a cosine a quarter of the circle away, and the second half of the circle has
// the other sign.
fn ⟨root.name⟩(power: u32) -> Complex {
    let row = power % ⟨table.half⟩u;
    let is_low = row < ⟨table.quarter⟩u;
    let shifted = ⟨root.name⟩_cosine(select(row - ⟨table.quarter⟩u, row + ⟨table.quarter⟩u, is_low));
    let value = Complex(⟨root.name⟩_cosine(row), ⟨"" if table.sign < 0 else "-"⟩select(-shifted, shifted, is_low));
    return select(value, -value, power >= ⟨table.half⟩u);
}
//@ elif helpers.residues
// A power of the root of order ⟨table.order⟩, as a factor.
fn ⟨root.name⟩(power: u32) -> u32 {
//@ if table.is_long
    return multiplied(joined(roots[⟨table.fine⟩u + (power & 4095u)]), joined(roots[⟨table.coarse⟩u + (power >> 12u)]));
//@ else
    return joined(roots[⟨table.fine⟩u + power]);
//@ endif
}
//@ elif table.is_long
// A power of the root of order ⟨table.order⟩: one of its first 4096 powers times one of every 4096th. Both tables stay in the caches.
fn ⟨root.name⟩(power: u32) -> Complex {
    return times(roots[⟨table.fine⟩u + (power & 4095u)], roots[⟨table.coarse⟩u + (power >> 12u)]);
}
//@ else
// A power of the root of order ⟨table.order⟩.
fn ⟨root.name⟩(power: u32) -> Complex {
    return roots[⟨table.fine⟩u + power];
}
//@ endif
//@ endfor
//@ if helpers.haar_bits

// Which factor entry (row, column) of the Haar matrix has: 0 is zero outside the two halves of a row of scale s, 1 + 2s is on the
// first half, 2 + 2s on the second.
fn haar_factor(row: u32, column: u32) -> u32 {
    if row == 0u {
        return 1u;
    }
    let scale = firstLeadingBit(row);
    let half = column >> (⟨helpers.haar_bits - 1⟩u - scale);
    return select(0u, 1u + 2u * scale + (half & 1u), (half >> 1u) == row - (1u << scale));
}
//@ endif
//@ include "extension.wgsl"
//@ include "permutation.wgsl"
