{# One butterfly of a level, or with a thread for each value one of its two results. #}
//@ set k = level.number
//@ set block = "block" if tree and k > 0 else "0u"
// Level ⟨k⟩: butterfly p of a block reads neighbours of ⟨"value p of both halves" if inverse else "sample 2p"⟩.
fn level⟨k⟩(group: u32, e: u32) {
    let unit = unit_of(e, ⟨level.elements⟩u);
    let inside = inside_of(e, ⟨level.elements⟩u) % ⟨level.blocks * level.butterflies⟩;
    let at = location(group, unit);
    let p = inside % ⟨level.butterflies⟩ + ⟨level.first⟩;
    if !at.exists || p >= (at.size >> ⟨k + 1⟩u) + ⟨level.behind⟩ {
        return;
    }
    //@ if not wraps and not merges
    // The tile may end with the line, and a halo may reach past it.
    let start = at.origin >> ⟨k⟩u;
    let samples = launch.samples >> ⟨k⟩u;
    if start + 2 * p < 0 || start + 2 * p >= samples {
        return;
    }
    //@ if keeps
    // The merges at both borders make the others; at the ends of a line there is none.
    if at.number > 0u && p < ⟨level.alone_from⟩ || at.number + 1u < launch.units && p >= (at.size >> ⟨k + 1⟩u) + (⟨level.alone_behind⟩) {
        return;
    }
    //@ endif
    //@ endif
    //@ if block == "block"
    let block = u32(inside / ⟨level.butterflies⟩);
    //@ endif
    //@ for tap in range(n_taps)
    //@ set behind = first + tap
    //@ if inverse
    //@ set part = child(level, block, behind % 2) if tree else ((behind % 2) ~ "u")
    //@ set read = "p + " ~ (behind // 2)
    //@ else
    //@ set part = block
    //@ set read = "2 * p + " ~ behind
    //@ endif
    //@ if not wraps and not merges
    //@ set read = "((folded(start + 2 * p + " ~ behind ~ ", samples) - start)" ~ (" >> 1u)" if inverse else ")")
    //@ elif whole
    //@ set read = "folded(" ~ read ~ ", launch.samples >> " ~ level.halved ~ "u)"
    //@ endif
    let x⟨tap⟩ = value(at, unit, ⟨inner(level, part, read)⟩);
    //@ endfor
    //@ for result in range(2)
    //@ if thread_per_sample
    if inside_of(e, ⟨level.elements⟩u) / ⟨level.blocks * level.butterflies⟩ == ⟨result⟩
    //@ endif
    {
        let y =
            //@ for tap in sums[result]
            ⟨tap[1]|real⟩ * x⟨tap[0]⟩⟨";" if loop.last else " +"⟩
            //@ endfor
        //@ if inverse and k > 0
        //@ set value = "(2 * p + " ~ result ~ ")"
        hold(at, unit, ⟨inner(levels[k - 1], block, value)⟩, y);
        //@ if keeps
⟨keep_value(levels[k - 1], block, value, "y")⟩
        //@ endif
        //@ elif inverse
        let place = at.origin + 2 * p + ⟨result⟩;
        output[lane(launch.joined, at.line, ⟨"folded(place, launch.samples)" if merges else "place"⟩)] = y;
        //@ elif (tree or result == 0) and k + 1 < levels|length
        //@ set part = child(level, block, result) if tree else "0u"
        hold(at, unit, ⟨inner(levels[k + 1], part, "p")⟩, y);
        //@ if keeps
⟨keep_value(levels[k + 1], part, "p", "y")⟩
        //@ endif
        //@ else
        // The border at the end of a line is that at its beginning.
        let n = launch.samples >> ⟨k + 1⟩u;
        let place = ⟨"folded((at.origin >> " ~ (k + 1) ~ "u) + p, n)" if merges else "(at.origin >> " ~ (k + 1) ~ "u) + p"⟩;
        //@ if tree
        output[lane(launch.low, at.line, i32(⟨child(level, block, result)⟩) * n + place)] = y;
        //@ elif result == 0
        output[low_lane(at.line, place)] = y;
        //@ elif overlapped and (level.first != 0 or level.behind != 0)
        // The values of the halo are another tile's.
        if p >= 0 && p < (at.size >> ⟨k + 1⟩u) {
            output[lane(launch.high, at.line, n + place)] = y;
        }
        //@ else
        output[lane(launch.high, at.line, n + place)] = y;
        //@ endif
        //@ endif
    }
    //@ endfor
}

