{#
The steps of a split or a merge, one function each, on one element: a sample, or, with half the threads, one of the samples that the step updates.
A tile ends, or begins where `odd`, at the same multiple of samples at every level.
#}
//@ set last = 1 if odd else 0
//@ for step in steps
//@ set level = step.level
fn step⟨loop.index0⟩(group: u32, e: u32) {
    //@ if thread_per_sample
    let inside = inside_of(e, SAMPLES);
    if ((inside + ⟨last⟩) & ⟨2 ** (level + 1) - 1⟩) != ⟨(step.parity + last) % 2 * 2 ** level⟩ {
        return;
    }
    let unit = unit_of(e, SAMPLES);
    //@ else
    //@ set size = samples // 2 ** (level + 1)
    let inside = ((2 * inside_of(e, ⟨size⟩u) + ⟨step.parity + last⟩) << ⟨level⟩u) - ⟨last⟩;
    let unit = unit_of(e, ⟨size⟩u);
    //@ endif
    let at = location(group, unit);
    let p = ((at.first + inside + ⟨last⟩) >> ⟨level⟩u) - ⟨last⟩;
    if is_mine(at, ⟨level⟩u, p, ⟨step.before⟩, ⟨step.after⟩) {
        put(at, unit, ⟨level⟩u, p,
            //@ if odd
            without(value(at, unit, ⟨level⟩u, p), value(at, unit, ⟨level⟩u, p - 1), value(at, unit, ⟨level⟩u, p + 1))
            //@ else
            //@ for tap in step.taps
            ⟨tap.coef|real⟩ * value(at, unit, ⟨level⟩u, p + ⟨tap.offset⟩)⟨"" if loop.last else " +"⟩
            //@ endfor
            //@ endif
        );
    }
}

//@ endfor
//@ if merges
// Whether a merge updates the sample `inside` of a unit: samples around two borders may overlap, and only the unit that updates a
// sample may store it. The steps of a level update every other sample, those of one parity, as far as the widest of them goes.
fn is_updated(inside: i32) -> bool {
    return
        //@ for step in updated
        //@ set unit = 2 ** step.level
        //@ set first = samples // 2 + (step.before + last) * unit - last
        //@ set end = samples // 2 + (step.after + last) * unit - last
        (((inside + ⟨last⟩) & ⟨2 * unit - 1⟩) == ⟨(step.parity + last) % 2 * unit⟩ && inside > ⟨first⟩ && inside < ⟨end⟩)⟨";" if loop.last else " ||"⟩
        //@ endfor
}

//@ endif
