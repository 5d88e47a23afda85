// Values p and N − p of a spectrum of N lanes with two real samples each, parted or joined (x, y and z, w), from those of the other kind and the power p of
// the root of order 2·N. SIGN is the sign of the root's angle.
fn paired(a: Complex, b: Complex, power: Complex) -> vec4<Real> {
    let sum = Complex(a.x + b.x, a.y - b.y);
    let twiddled = product(Complex(a.x - b.x, a.y + b.y), power);
    let odd = SIGN * Complex(-twiddled.y, twiddled.x);
    return vec4<Real>(sum + odd, sum.x - odd.x, odd.y - sum.y);
}
