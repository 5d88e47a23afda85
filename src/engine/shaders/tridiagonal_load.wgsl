// Neighbouring threads load neighbouring rows, and exchange them with the threads that need them, one number of every row at a time.
// An equation has four numbers, a reduced one five.
//@ for i in range(rows)
let q⟨i⟩ = ⟨"row" if reduced else "equation"⟩(mine * THREADS * ROWS + thread + ⟨i * threads⟩u);
//@ endfor
//@ set parts = ["equation.x", "equation.y", "equation.z", "equation.w", "b"] if reduced else ["x", "y", "z", "w"]
//@ for part in parts
//@ set n = loop.index0
//@ if not loop.first
workgroupBarrier();
//@ endif
//@ for i in range(rows)
held[spread(thread + ⟨i * threads⟩u)] = q⟨i⟩.⟨part⟩;
//@ endfor
workgroupBarrier();
//@ for i in range(rows)
let n⟨n⟩_⟨i⟩ = held[spread(thread * ROWS) + ⟨i⟩u];
//@ endfor
//@ endfor
//@ for i in range(rows)
//@ if reduced
let r⟨i⟩ = Multiple(ReducedEquation(n0_⟨i⟩, n1_⟨i⟩, n2_⟨i⟩, n3_⟨i⟩), n4_⟨i⟩);
//@ else
let r⟨i⟩ = of_row(vec4<Real>(n0_⟨i⟩, n1_⟨i⟩, n2_⟨i⟩, n3_⟨i⟩));
//@ endif
//@ endfor
