// Relations between unknowns of a tridiagonal system: (a, c, d) says x = d − a·(an unknown before) − c·(an unknown behind).
alias Relation = vec3<Real>;

// To itself: the unknown behind is the one behind.
const OPEN = Relation(0.0, -1.0, 0.0);

// The relation of a row (a, b, c, d) to its neighbours.
fn begun(r: vec4<Real>) -> Relation {
    return r.xzw / r.y;
}

// The relation of a row whose unknown before has relation p.
fn next(p: Relation, r: vec4<Real>) -> Relation {
    return Relation(-r.x * p.x, r.z, r.w - r.x * p.z) / (r.y - r.x * p.y);
}

// Relation s, in which the unknown behind is replaced by its own relation p.
fn through(s: Relation, p: Relation) -> Relation {
    return Relation(s.x - s.y * p.x, -s.y * p.y, s.z - s.y * p.z);
}

// Relation r without both of its unknowns: Row::without in src/plan/row.rs, with all b equal to 1.
fn without(r: Relation, before: Relation, behind: Relation) -> Relation {
    let b = 1.0 - r.x * before.y - r.y * behind.x;
    return Relation(-r.x * before.x, -r.y * behind.y, r.z - r.x * before.z - r.y * behind.z) / b;
}
