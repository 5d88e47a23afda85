// Neighbouring threads load neighbouring points, or one point of neighbouring lines.
if line_a.live {
    //@ set stage = stages[0]
    //@ set step = "" if load == "Line" else " * launch.source.step"
    //@ for taps in stage.taps
    //@ set m = loop.index0
    //@ call guarded(stage, m)
    //@ for x in taps
    //@ set lane = "line_a.source + (t_a + " ~ (m * per_line + loop.index0 * stage.butterflies) ~ "u)" ~ step
    //@ if pre_multiplies
    let in_x⟨x⟩ = ⟨lane⟩;
    if in_x⟨x⟩ < launch.source.len {
        x⟨x⟩ = product(⟨source⟩[line_a.source_row + in_x⟨x⟩], coefs[launch.source.factors + in_x⟨x⟩]);
    }
    //@ else
    x⟨x⟩ = ⟨source⟩[line_a.source_row + ⟨lane⟩];
    //@ endif
    //@ endfor
    //@ endcall
    //@ endfor
}
