// Half the spectrum of real samples at the beginning of whole rows: two samples in a lane at the other end.
//
// Values k and −k are loaded together, and the points that they make go through workgroup memory to the threads of the first stage.
//@ for m in range(pairs)
var both⟨m⟩ = vec4<Real>();
if line_a.live {
    //@ call paired(m)
    both⟨m⟩ = paired(⟨source⟩[line_a.source_row + (t_a + ⟨m * per_line⟩u)], ⟨source⟩[line_a.source_row + POINTS - (t_a + ⟨m * per_line⟩u)], half_root(t_a + ⟨m * per_line⟩u));
    //@ endcall
}
//@ endfor
//@ for part, low, high in [("x", "x", "z"), ("y", "y", "w")]
//@ if part == "y"
workgroupBarrier();
//@ endif
//@ for m in range(pairs)
//@ call paired(m)
part[home_a + padded(t_a + ⟨m * per_line⟩u)] = both⟨m⟩.⟨low⟩;
// Value 0 is its own opposite.
if t_a + ⟨m * per_line⟩u > 0u {
    part[home_a + padded(POINTS - (t_a + ⟨m * per_line⟩u))] = both⟨m⟩.⟨high⟩;
}
//@ endcall
//@ endfor
workgroupBarrier();
//@ for taps in stages[0].taps
//@ set m = loop.index0
//@ call guarded(stages[0], m)
//@ for x in taps
x⟨x⟩.⟨part⟩ = part[home_a + padded(t_a + ⟨m * per_line + loop.index0 * stages[0].butterflies⟩u)];
//@ endfor
//@ endcall
//@ endfor
//@ endfor
