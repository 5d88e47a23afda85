// Macros for the butterfly of any radix on a thread's registers, whose numbers are `x`: the results replace the taps.
//
// Radix 2, 4, 8 and 16 are functions of `butterflies.wgsl`. Odd primes come from one formula, the other composites from two
// smaller butterflies; their results are in another order, which the next stage knows.

//@ macro butterfly(x, columns)
//@ if divides_by_three
⟨thirds(x)⟩
//@ elif columns > 1
⟨composite(x, columns, x|length // columns)⟩
//@ else
⟨simple(x)⟩
//@ endif
//@ endmacro

// a · b points: b butterflies of radix a, a root each, a butterflies of radix b (Cooley and Tukey 1965).
//@ macro composite(x, a, b)
//@ for n in range(b)
⟨simple(x[n::b])⟩
//@ endfor
//@ for k in range(a)
//@ for n in range(1, b) if k > 0
x⟨x[b * k + n]⟩ = product(x⟨x[b * k + n]⟩, Complex(⟨cosine(n * k, a * b)|real⟩, SIGN * ⟨sine(n * k, a * b)|real⟩));
//@ endfor
⟨simple(x[b * k:b * k + b])⟩
//@ endfor
//@ endmacro

//@ macro simple(x)
//@ if x|length in [2, 4, 8, 16]
radix⟨x|length⟩(&x⟨x|join(", &x")⟩);
//@ else
⟨prime(x, x|length, x|length // 2)⟩
//@ endif
//@ endmacro

// An odd prime: results j and −j share the cosines of the sums and the sines of the differences of taps k and −k. Each product
// is rounded once, together with the sum that it goes to.
//@ macro prime(x, n, half)
{
    //@ for k in range(1, half + 1)
    let sum⟨k⟩ = x⟨x[k]⟩ + x⟨x[n - k]⟩;
    let rotated⟨k⟩ = quarter(x⟨x[k]⟩ - x⟨x[n - k]⟩);
    //@ endfor
    //@ for j in range(1, half + 1)
    let even⟨j⟩_0 = x⟨x[0]⟩;
    //@ for k in range(1, half + 1)
    let even⟨j⟩_⟨k⟩ = fma(Complex(⟨cosine(j * k, n)|real⟩), sum⟨k⟩, even⟨j⟩_⟨k - 1⟩);
    //@ endfor
    let odd⟨j⟩_1 = ⟨sine(j, n)|real⟩ * rotated1;
    //@ for k in range(2, half + 1)
    let odd⟨j⟩_⟨k⟩ = fma(Complex(⟨sine(j * k, n)|real⟩), rotated⟨k⟩, odd⟨j⟩_⟨k - 1⟩);
    //@ endfor
    //@ endfor
    x⟨x[0]⟩ = x⟨x[0]⟩ + sum⟨range(1, half + 1)|join(" + sum")⟩;
    //@ for j in range(1, half + 1)
    x⟨x[j]⟩ = even⟨j⟩_⟨half⟩ + odd⟨j⟩_⟨half⟩;
    x⟨x[n - j]⟩ = even⟨j⟩_⟨half⟩ - odd⟨j⟩_⟨half⟩;
    //@ endfor
}
//@ endmacro

// The three points of an inverse, divided by three. The butterfly divides, since a product after it would add a rounding error to
// so few others.
//@ macro thirds(x)
{
    let sum = x⟨x[1]⟩ + x⟨x[2]⟩;
    let odd = ⟨sine(1, 3)|real⟩ * quarter(x⟨x[1]⟩ - x⟨x[2]⟩);
    let even = fma(Complex(-0.5), sum, x⟨x[0]⟩);
    // The first entry of the table.
    let one = Complex(roots[0].x);
    x⟨x[0]⟩ = third(x⟨x[0]⟩, sum, one);
    x⟨x[1]⟩ = third(even, odd, one);
    x⟨x[2]⟩ = third(even, -odd, one);
}
//@ endmacro
