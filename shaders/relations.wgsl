// Relations between unknowns of a tridiagonal system: (a, c, d, s) says x = d − a·(an unknown before) − c·(an unknown behind).
//
// The sum s = 1 + a + c is carried along, and what is left of the diagonal is found from it. Where a and c are negative, as in
// discretised differential equations, nothing is then subtracted from anything that nearly equals it, so that every number keeps
// its digits however long the system is: A. S. Alfa, J. Xue, Q. Ye, Accurate computation of the smallest eigenvalue of a
// diagonally dominant M-matrix (2002), after W. K. Grassmann, M. I. Taksar, D. P. Heyman (1985).
alias Relation = vec4<Real>;

// To itself: the unknown behind is the one behind.
const OPEN = Relation(0.0, -1.0, 0.0, 0.0);

// A multiple of a relation: its diagonal is s − a − c, and that of the relation 1.
fn normalised(r: Relation) -> Relation {
    return r / (r.w - r.x - r.y);
}

// A multiple of the relation of a row (a, b, c, d) to its neighbours; the larger of these is added first, as it takes most of b.
fn of_row(r: vec4<Real>) -> Relation {
    let before_is_larger = abs(r.x) > abs(r.z);
    return Relation(r.x, r.z, r.w, r.y + select(r.z, r.x, before_is_larger) + select(r.x, r.z, before_is_larger));
}

// The relation of a row whose unknown before has relation p; r is a multiple of its relation to its neighbours.
fn next(p: Relation, r: Relation) -> Relation {
    return normalised(Relation(-r.x * p.x, r.y, r.z - r.x * p.z, r.w - r.x * p.w));
}

// Relation s, in which the unknown behind is replaced by its own relation p.
fn through(s: Relation, p: Relation) -> Relation {
    return Relation(s.x - s.y * p.x, -s.y * p.y, s.z - s.y * p.z, s.w - s.y * p.w);
}

// A multiple of relation r, in which the unknown behind is replaced by its own relation p to this very unknown and to the one behind.
fn joined(r: Relation, p: Relation) -> Relation {
    return Relation(r.x, -r.y * p.y, r.z - r.y * p.z, r.w - r.y * p.w);
}

// Relation r without both of its unknowns: Row::without in src/plan/row.rs, with all b equal to 1.
fn without(r: Relation, before: Relation, behind: Relation) -> Relation {
    let d = r.z - r.x * before.z - r.y * behind.z;
    return normalised(Relation(-r.x * before.x, -r.y * behind.y, d, r.w - r.x * before.w - r.y * behind.w));
}
