// Half the spectrum of real samples at the end of whole rows: two samples in a lane at the other end.
//
// A workgroup holds the row, so values k and −k of it meet in workgroup memory in one more exchange, and are stored as half a
// spectrum. Nothing goes through global memory for it.
//@ for m in range(pairs)
var low⟨m⟩ = Complex();
var high⟨m⟩ = Complex();
//@ endfor
//@ for part in ["x", "y"]
//@ if stage.index > 0 or part == "y"
workgroupBarrier();
//@ endif
//@ for results in stage.results
//@ set m = loop.index0
//@ call guarded(stage, m)
//@ for x in results
part[home_a + padded(t_a + ⟨m * per_line + loop.index0 * stage.butterflies⟩u)] = x⟨x⟩.⟨part⟩;
//@ endfor
//@ endcall
//@ endfor
workgroupBarrier();
//@ for m in range(pairs)
//@ call paired(m)
low⟨m⟩.⟨part⟩ = part[home_a + padded(t_a + ⟨m * per_line⟩u)];
high⟨m⟩.⟨part⟩ = part[home_a + padded((POINTS - (t_a + ⟨m * per_line⟩u)) % POINTS)];
//@ endcall
//@ endfor
//@ endfor
if line_a.live {
    //@ for m in range(pairs)
    //@ call paired(m)
    let both⟨m⟩ = paired(low⟨m⟩, high⟨m⟩, half_root(t_a + ⟨m * per_line⟩u));
    output[line_a.sink_row + (t_a + ⟨m * per_line⟩u)] = ⟨scaled("both" ~ m ~ ".xy")⟩;
    output[line_a.sink_row + POINTS - (t_a + ⟨m * per_line⟩u)] = ⟨scaled("both" ~ m ~ ".zw")⟩;
    //@ endcall
    //@ endfor
}
