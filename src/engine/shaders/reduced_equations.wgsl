// Reduced equations between unknowns of a tridiagonal system: (a, c, d, s) says x = d − a·(the related unknown before) − c·(the
// related unknown behind).
//
// The sum s = 1 + a + c is carried along, and gives the diagonal. Where a and c are negative, as in discretised differential
// equations, no number is then subtracted from one that nearly equals it. So every number keeps its digits however badly the
// system is conditioned: A. S. Alfa, J. Xue, Q. Ye, Accurate computation of the smallest eigenvalue of a diagonally dominant
// M-matrix (2002), after W. K. Grassmann, M. I. Taksar, D. P. Heyman (1985).
alias ReducedEquation = vec4<Real>;

// A multiple of a reduced equation, and its diagonal computed without the sum.
struct Multiple {
    equation: ReducedEquation,
    b: Real,
}

// The neutral element: the unknown behind stays itself.
const OPEN = ReducedEquation(0.0, -1.0, 0.0, 0.0);

// The equation with diagonal 1. Where the sum is far larger than the diagonal it has lost digits, and is computed again.
fn normalised(r: Multiple) -> ReducedEquation {
    let own = r.equation;
    let b = own.w - own.x - own.y;
    let has_digits = abs(own.w) + abs(own.x) + abs(own.y) <= 4.0 * abs(b);
    return ReducedEquation(own.xyz, select(r.b + own.x + own.y, own.w, has_digits)) / select(r.b, b, has_digits);
}

// The row (a, b, c, d). The larger neighbour is added first, as it takes most of b.
fn of_row(r: vec4<Real>) -> Multiple {
    let before_is_larger = abs(r.x) > abs(r.z);
    let sum = r.y + select(r.z, r.x, before_is_larger) + select(r.x, r.z, before_is_larger);
    return Multiple(ReducedEquation(r.x, r.z, r.w, sum), r.y);
}

// The reduced equation of a row, where p is that of the unknown before.
fn next(p: ReducedEquation, r: Multiple) -> ReducedEquation {
    let own = r.equation;
    return normalised(Multiple(ReducedEquation(-own.x * p.x, own.y, own.z - own.x * p.z, own.w - own.x * p.w), r.b - own.x * p.y));
}

// Equation s, in which equation p replaces the unknown behind.
fn through(s: ReducedEquation, p: ReducedEquation) -> ReducedEquation {
    return ReducedEquation(s.x - s.y * p.x, -s.y * p.y, s.z - s.y * p.z, s.w - s.y * p.w);
}

// Equation r, in which equation p, which relates the unknown behind to this unknown and to the next, replaces it.
fn joined(r: ReducedEquation, p: ReducedEquation) -> Multiple {
    return Multiple(ReducedEquation(r.x, -r.y * p.y, r.z - r.y * p.z, r.w - r.y * p.w), 1.0 - r.y * p.x);
}

// Equation r without both of its unknowns: ReducedEquation::without in src/core/plan/reduced_equation.rs, with all b equal to 1.
fn without(r: ReducedEquation, before: ReducedEquation, behind: ReducedEquation) -> ReducedEquation {
    let b = 1.0 - r.x * before.y - r.y * behind.x;
    let d = r.z - r.x * before.z - r.y * behind.z;
    return normalised(Multiple(ReducedEquation(-r.x * before.x, -r.y * behind.y, d, r.w - r.x * before.w - r.y * behind.w), b));
}
