// Half the spectrum of real samples at the beginning of long rows: two samples in a lane at the other end.
//
// A thread loads values k and −k for each of its points. The line of −k is in the same workgroup, whose threads load it at the same time, so one of the two loads
// comes from a cache.
if line_a.live {
    let base = half_root(line_a.source + t_a * launch.source.step);
    //@ set stage = stages[0]
    //@ for taps in stage.taps
    //@ set m = loop.index0
    //@ call guarded(stage, m)
    //@ for x in taps
    //@ set point = m * per_line + loop.index0 * stage.butterflies
    {
        let lane = line_a.source + (t_a + ⟨point⟩u) * launch.source.step;
        let opposite = launch.lines_per_row * POINTS - lane;
        x⟨x⟩ = paired(⟨source⟩[line_a.source_row + lane], ⟨source⟩[line_a.source_row + opposite], ⟨half_twiddle(point)⟩).xy;
    }
    //@ endfor
    //@ endcall
    //@ endfor
}
