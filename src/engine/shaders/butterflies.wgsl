// Straight-line butterflies of radix 2, 4, 8 and 16: results in natural order in the variables that held the taps.
//
// SIGN is −1 forward and 1 inverse. Nothing is indexed at run time, so that a driver keeps every value in a register.
// The macros of `butterfly.wgsl` make the other radices of these.

const THIRD = 0.33333333333333333;
const HALF_ROOT = 0.70710678118654752;
const COS_16 = 0.92387953251128674; // cos(2π/16)
const SIN_16 = 0.38268343236508977; // sin(2π/16)

fn product(a: Complex, b: Complex) -> Complex {
    return Complex(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x));
}

// Times the fourth root of 1, −i forward and i inverse.
fn quarter(a: Complex) -> Complex {
    return SIGN * Complex(-a.y, a.x);
}

// A third of a + b, rounded once: the rounding errors of the sum and of the quotient are computed and added at the end. `one` is a 1 that the compiler does not
// know. Otherwise it may simplify (a − (a + b)) + b to 0, and the error of the sum is lost.
fn third(a: Complex, b: Complex, one: Complex) -> Complex {
    let sum = fma(b, one, a);
    let quotient = sum * THIRD;
    let lost = ((a - sum) + b) + ((sum - 2.0 * quotient) - quotient);
    return fma(lost, Complex(THIRD), quotient);
}

fn radix2(a: ptr<function, Complex>, b: ptr<function, Complex>) {
    let difference = *a - *b;
    *a = *a + *b;
    *b = difference;
}

fn radix4(a: ptr<function, Complex>, b: ptr<function, Complex>, c: ptr<function, Complex>, d: ptr<function, Complex>) {
    let even = *a + *c;
    let even_less = *a - *c;
    let odd = *b + *d;
    let odd_less = quarter(*b - *d);
    *a = even + odd;
    *b = even_less + odd_less;
    *c = even - odd;
    *d = even_less - odd_less;
}

fn exchange_lanes(a: ptr<function, Complex>, b: ptr<function, Complex>) {
    let kept = *a;
    *a = *b;
    *b = kept;
}

// Two interleaved halves: sums go to the even results, turned differences to the odd ones.
fn radix8(
    x0: ptr<function, Complex>, x1: ptr<function, Complex>, x2: ptr<function, Complex>, x3: ptr<function, Complex>,
    x4: ptr<function, Complex>, x5: ptr<function, Complex>, x6: ptr<function, Complex>, x7: ptr<function, Complex>,
) {
    radix2(x0, x4);
    radix2(x1, x5);
    radix2(x2, x6);
    radix2(x3, x7);
    *x5 = product(*x5, Complex(HALF_ROOT, SIGN * HALF_ROOT));
    *x6 = quarter(*x6);
    *x7 = product(*x7, Complex(-HALF_ROOT, SIGN * HALF_ROOT));
    radix4(x0, x1, x2, x3);
    radix4(x4, x5, x6, x7);
    // 0 2 4 6 1 3 5 7 to natural order.
    exchange_lanes(x1, x4);
    exchange_lanes(x2, x4);
    exchange_lanes(x3, x5);
    exchange_lanes(x5, x6);
}

// A square of 4 × 4: down the columns, a root each, along the rows, and the square transposed.
fn radix16(
    x0: ptr<function, Complex>, x1: ptr<function, Complex>, x2: ptr<function, Complex>, x3: ptr<function, Complex>,
    x4: ptr<function, Complex>, x5: ptr<function, Complex>, x6: ptr<function, Complex>, x7: ptr<function, Complex>,
    x8: ptr<function, Complex>, x9: ptr<function, Complex>, x10: ptr<function, Complex>, x11: ptr<function, Complex>,
    x12: ptr<function, Complex>, x13: ptr<function, Complex>, x14: ptr<function, Complex>, x15: ptr<function, Complex>,
) {
    radix4(x0, x4, x8, x12);
    radix4(x1, x5, x9, x13);
    radix4(x2, x6, x10, x14);
    radix4(x3, x7, x11, x15);
    let w1 = Complex(COS_16, SIGN * SIN_16);
    let w2 = Complex(HALF_ROOT, SIGN * HALF_ROOT);
    let w3 = Complex(SIN_16, SIGN * COS_16);
    *x5 = product(*x5, w1);
    *x6 = product(*x6, w2);
    *x7 = product(*x7, w3);
    *x9 = product(*x9, w2);
    *x10 = quarter(*x10);
    *x11 = quarter(product(*x11, w2));
    *x13 = product(*x13, w3);
    *x14 = quarter(product(*x14, w2));
    *x15 = -product(*x15, w1);
    radix4(x0, x1, x2, x3);
    radix4(x4, x5, x6, x7);
    radix4(x8, x9, x10, x11);
    radix4(x12, x13, x14, x15);
    exchange_lanes(x1, x4);
    exchange_lanes(x2, x8);
    exchange_lanes(x3, x12);
    exchange_lanes(x6, x9);
    exchange_lanes(x7, x13);
    exchange_lanes(x11, x14);
}
