// Point k of a line at position q is twiddled by the power q·k of the root: point t + k·n of a butterfly by the powers q·t and q·n·k.
//@ for power in point_powers
let v⟨power⟩ = root(line_a.position * ⟨stages[0].butterflies * power⟩u);
//@ endfor
//@ for m in range(stages[0].per_thread) if stages[0].butterflies > 1
let v0_⟨m⟩ = root(line_a.position * (t_a + ⟨m * per_line⟩u));
//@ endfor
