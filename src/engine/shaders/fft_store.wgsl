// Neighbouring threads store neighbouring results, or one result of neighbouring lines.
if line_⟨stage.role⟩.live {
    //@ set line = "line_" ~ stage.role
    //@ set step = "" if store == "Line" else " * launch.sink.step"
    //@ for results in stage.results
    //@ set m = loop.index0
    //@ call guarded(stage, m)
    //@ for x in results
    //@ set point = "t_" ~ stage.role ~ " + " ~ (m * per_line + loop.index0 * stage.butterflies) ~ "u"
    //@ set lane = line ~ ".sink + " ~ ("in_strips(" ~ point ~ ")" if strips == "Sink" else "(" ~ point ~ ")" ~ step)
    //@ if post_multiplies
    let out_x⟨x⟩ = ⟨lane⟩;
    if out_x⟨x⟩ < launch.sink.len {
        output[⟨line⟩.sink_row + out_x⟨x⟩] = product(x⟨x⟩, coefs[launch.sink.factors + out_x⟨x⟩]);
    }
    //@ else
    output[⟨line⟩.sink_row + ⟨lane⟩] = ⟨scaled("x" ~ x)⟩;
    //@ endif
    //@ endfor
    //@ endcall
    //@ endfor
}
