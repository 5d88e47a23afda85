// A lane that is a row (a, b, c, d) of a tridiagonal system, a·x[i−1] + b·x[i] + c·x[i+1] = d: sums and multiples of equations, and elimination.
alias Lane = vec4<Real>;

// Rows past an end say x = 0.
const NOTHING = Lane(0.0, 1.0, 0.0, 0.0);

fn plus(a: Lane, b: Lane) -> Lane {
    return a + b;
}

fn times(a: Lane, weight: Complex) -> Lane {
    return a * weight.x;
}

// The row without its neighbours, divided by what is left of b: ReducedEquation::without in src/core/plan/reduced_equation.rs.
fn without(row: Lane, before: Lane, behind: Lane) -> Lane {
    let alpha = row.x / before.y;
    let gamma = row.z / behind.y;
    let left = Lane(-alpha * before.x, row.y - alpha * before.z - gamma * behind.x, -gamma * behind.z, row.w - alpha * before.w - gamma * behind.w);
    return Lane(left.x / left.y, 1.0, left.z / left.y, left.w / left.y);
}

// Equations are not multiplied with one another.
fn product(a: Lane, b: Lane, conjugated: bool) -> Lane {
    return a;
}

fn conjugate(a: Lane) -> Lane {
    return a;
}

// The right-hand side: of a solved row, its unknown.
fn as_complex(a: Lane) -> vec2f {
    return vec2f(f32(a.w), 0.0);
}
