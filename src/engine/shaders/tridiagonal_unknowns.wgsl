// The unknowns of a thread from the last to the first, written four at a time.
let u⟨rows - 1⟩ = held[LASTS + thread];
//@ for i in range(rows - 2, -1, -1)
let u⟨i⟩ = p⟨i⟩.z - p⟨i⟩.x * left - p⟨i⟩.y * u⟨i + 1⟩;
//@ endfor
//@ if exchanges
workgroupBarrier();
//@ for i in range(rows)
held[spread(thread * ROWS) + ⟨i⟩u] = u⟨i⟩;
//@ endfor
workgroupBarrier();
//@ for i in range(rows // 4)
let v⟨i⟩ = spread(4u * (thread + ⟨i * threads⟩u));
store(mine * THREADS * ROWS + 4u * (thread + ⟨i * threads⟩u), vec4<Real>(held[v⟨i⟩], held[v⟨i⟩ + 1u], held[v⟨i⟩ + 2u], held[v⟨i⟩ + 3u]));
//@ endfor
//@ else
//@ for i in range(0, rows, 4)
store(first + ⟨i⟩u, vec4<Real>(u⟨i⟩, u⟨i + 1⟩, u⟨i + 2⟩, u⟨i + 3⟩));
//@ endfor
//@ endif
