{# What the lines of butterflies call, and nothing else. #}
//@ if helpers.complex
alias Complex = vec2<⟨helpers.real⟩>;
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

// The row (a, b, c, d) without its neighbours, divided by what is left of b: ReducedEquation::without in src/plan/reduced_equation.rs.
fn without(row: vec4<⟨helpers.real⟩>, before: vec4<⟨helpers.real⟩>, behind: vec4<⟨helpers.real⟩>) -> vec4<⟨helpers.real⟩> {
    let alpha = row.x / before.y;
    let gamma = row.z / behind.y;
    let b = row.y - alpha * before.z - gamma * behind.x;
    return vec4<⟨helpers.real⟩>(-alpha * before.x / b, 1.0, -gamma * behind.z / b, (row.w - alpha * before.w - gamma * behind.w) / b);
}
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

//@ if table.is_long
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
//@ include "extension.wgsl"
//@ include "permutation.wgsl"
