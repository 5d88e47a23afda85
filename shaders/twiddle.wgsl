// The twiddles of a butterfly: the exponent of Twiddle::exponent in src/plan/stage.rs, and the root from two short tables.
//
// A root of order L is the product of one of 4096 fine powers and one of L/4096 coarse ones, so that both tables stay in the
// caches.

// Entries of the fine root table; the coarse one holds every 4096th power.
const FINE_BITS = 12u;
const FINE_MASK = 4095u;

// a·b modulo m, a and b below m < 2³¹: b is taken by as many bits as fit above m.
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

fn twiddle(stage: Stage, p: u32, q: u32, j: u32) -> Complex {
    let a = (j * stage.row_j + p * stage.row_p + stage.row_constant) % stage.modulus;
    let b = (p * stage.column_p + q * stage.column_q + stage.column_constant) % stage.modulus;
    var exponent = a * b % stage.modulus;
    if stage.wide != 0u {
        exponent = product_modulo(a, b, stage.modulus);
    }
    let i = exponent * stage.root_stride;
    let fine = roots[stage.fine + (i & FINE_MASK)];
    let coarse = roots[stage.coarse + (i >> FINE_BITS)];
    return Complex(fine.x * coarse.x - fine.y * coarse.y, fine.x * coarse.y + fine.y * coarse.x);
}
