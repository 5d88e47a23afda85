// The results of the workgroup's lines are one run of lanes: gathered in workgroup memory, then stored in long segments.
//@ set line = "line_" ~ stage.role
let start = first * POINTS;
//@ for part in ["x", "y"]
//@ if stage.index > 0 or part == "y"
workgroupBarrier();
//@ endif
//@ for results in stage.results
//@ set m = loop.index0
//@ for x in results
//@ set point = m * lines * per_line + loop.index0 * stage.butterflies
part[padded(⟨line⟩.sink_row + ⟨line⟩.sink - start + (t_⟨stage.role⟩ + ⟨point⟩u) * launch.sink.step)] = x⟨x⟩.⟨part⟩;
//@ endfor
//@ endfor
workgroupBarrier();
//@ for k in range(stage.per_thread * stage.radix)
x⟨k⟩.⟨part⟩ = part[padded(thread + ⟨k * lines * per_line⟩u)];
//@ endfor
//@ endfor
let end = launch.n_lines * POINTS;
//@ for k in range(stage.per_thread * stage.radix)
if start + thread + ⟨k * lines * per_line⟩u < end {
    output[start + thread + ⟨k * lines * per_line⟩u] = ⟨scaled("x" ~ k)⟩;
}
//@ endfor
